//! Global links between groups of routers: which router of a group has a link to which other group?
//!
//! Every group has so many *slots*, global ports in use, that belong to its routers in order. Of P ports and g groups every
//! two groups share n = ⌊P/(g-1)⌋ links, by the *relative* arrangement: slot s, with k = s mod (g-1) and
//! ℓ = ⌊s/(g-1)⌋ < n, of group G leads to slot ℓ·(g-1) + g-2-k of group G + k + 1 mod g.
//! The rest, r = P mod (g-1), is spread over pairs of groups in turn: the groups 1, …, ⌊r/2⌋ ahead and as many behind get
//! one link more, and where r is odd and g even also the one opposite, g/2 ahead. With D_0 < D_1 < … these
//! distances ahead, r' of them, slot n·(g-1) + j leads to slot n·(g-1) + r'-1-j of group G + D_j mod g.
//!
//! A router has at most h ≤ g-1 slots, one after the other, so that all its links lead to different routers: two slots
//! of one router to the same group are less than g-1 apart, while of two slots to the same group ahead by D_j, one of
//! them among the last r', those here or those there are g-1 apart or more. Only links to the opposite group may be nearer at
//! both ends; where they would join the same two routers the link is omitted.
//! Where r and g are both odd, one port of every group is left over: an odd number of ports cannot be paired.

/// The global links of one group; those of all others are the same, as many groups ahead.
#[derive(Clone, Debug)]
pub(super) struct GlobalLinks {
    /// The number of groups.
    pub groups: u64,
    /// Links between every two groups.
    pub copies: u64,
    /// How many other groups have one link more.
    pub more: u64,
    /// Global links of the last routers of a group.
    slots: u64,
    /// So many routers, the first ones, have one more.
    longer: u64,
}

impl GlobalLinks {
    /// Of groups of `routers` with up to `h` global links each; there are more groups than `h`, 2 at least, and at most
    /// one more than global ports in a group.
    pub fn new(routers: u64, h: u64, groups: u64) -> Self {
        let (ports, others) = (u128::from(routers) * u128::from(h), u128::from(groups - 1));
        let rest = ports % others;
        let more = if groups % 2 == 1 { rest - rest % 2 } else { rest };
        let of = |more: u128| {
            let used = ports - rest + more;
            let [copies, more, slots, longer] =
                [ports / others, more, used / u128::from(routers), used % u128::from(routers)]
                    .map(|value| u64::try_from(value).expect("at most the routers, h or groups"));
            GlobalLinks { groups, copies, more, slots, longer }
        };
        let all = of(more);
        // More than 2^64 ports are not built.
        let is_small = ports <= u128::from(u64::MAX);
        if more % 2 == 1 && is_small && all.doubles_the_opposite() { of(more - 1) } else { all }
    }

    /// One link between every two groups, `h` of every router.
    pub fn balanced(h: u64, groups: u64) -> Self {
        GlobalLinks { groups, copies: 1, more: 0, slots: h, longer: 0 }
    }

    /// Whether the last two links to the opposite group join the same routers: both lead to the slot of their own number.
    fn doubles_the_opposite(&self) -> bool {
        let others = self.groups - 1;
        let before = (self.copies - 1) * others + self.groups / 2 - 1;
        self.owner(before) == self.owner(self.copies * others + self.more / 2)
    }

    /// How many global links router `r` has.
    pub fn ports(&self, r: u64) -> u64 {
        self.slots + u64::from(r < self.longer)
    }

    /// How many routers, the first ones, have one link more than the others, and how many those have.
    pub fn classes(&self) -> (u64, u64) {
        (self.longer, self.slots)
    }

    /// The first slot of router `r`.
    pub fn first_slot(&self, r: u64) -> u64 {
        r * self.slots + r.min(self.longer)
    }

    /// The router with that slot.
    pub fn owner(&self, slot: u64) -> u64 {
        let first = self.longer * (self.slots + 1);
        match slot.checked_sub(first) {
            None => slot / (self.slots + 1),
            Some(rest) => self.longer + rest / self.slots,
        }
    }

    /// How many groups ahead a slot leads, and the router there.
    pub fn far_end(&self, slot: u64) -> (u64, u64) {
        let others = self.groups - 1;
        let (copy, k) = (slot / others, slot % others);
        if copy == self.copies {
            let ahead = if k < self.more / 2 {
                k + 1
            } else if k == self.more / 2 && self.more % 2 == 1 {
                self.groups / 2
            } else {
                self.groups - (self.more - k)
            };
            return (ahead, self.owner(copy * others + self.more - 1 - k));
        }
        (k + 1, self.owner(copy * others + others - 1 - k))
    }

    /// How many groups ahead of one another is.
    pub fn ahead(&self, from: u64, to: u64) -> u64 {
        if to >= from { to - from } else { self.groups - (from - to) }
    }

    /// The last of the slots to the group so far ahead, counted from the first of those that not all groups have.
    fn last_slot(&self, ahead: u64) -> Option<u64> {
        let (half, behind) = (self.more / 2, self.groups - ahead);
        if ahead <= half {
            Some(ahead - 1)
        } else if behind <= half {
            Some(self.more - behind)
        } else {
            (self.more % 2 == 1 && ahead == behind).then_some(half)
        }
    }

    /// How many links lead to the group so far ahead.
    pub fn count_ahead(&self, ahead: u64) -> u64 {
        self.copies + u64::from(self.last_slot(ahead).is_some())
    }

    /// The links to the group so far ahead: the slot, and the routers at both ends.
    pub fn links_ahead(&self, ahead: u64) -> impl Iterator<Item = (u64, u64, u64)> {
        let others = self.groups - 1;
        let every = (0..self.copies).map(move |copy| {
            let slot = copy * others + ahead - 1;
            (slot, self.owner(slot), self.owner(copy * others + others - ahead))
        });
        let first = self.copies * others;
        every.chain(self.last_slot(ahead).map(move |j| {
            (first + j, self.owner(first + j), self.owner(first + self.more - 1 - j))
        }))
    }
}
