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
//!
//! # Few groups
//! A router with h ≥ g global ports has h = q·(g-1) + h' of them, 1 ≤ h' ≤ g-1. The first h' follow the rule above, as if
//! there were no others (with g > h all of them do: q = 0). The rest are q *rounds*, in each of which every router has one
//! cable to every other group, so that it has a link to each of them.
//! To the group d ahead, d < g/2, the links of the rule lead to routers at most x = ⌈(g-2d)/h'⌉ further on, which is 0 where
//! h' = g-1. Round t = 0, 1, … leads x + 1 + t further, mod a, and behind, d > g/2, as far back: until all have been used
//! these are different routers. Only a link to a group of those that are joined once more may be met again.
//! To the opposite group, d = g/2, the rule leads to the router of the same number. Round by round the rest
//! lead i on and i back, for i = 1, 2, …; where an odd number is left, one round leads a/2 on, or with odd a it pairs
//! neighbors, 2j with 2j + 1, and leaves the last router to its own number, while i begins at 2. Of every a rounds the
//! first a lead to all routers, t-r in round t.
//! So most links have one cable while there are pairs of routers for them; two routers that share more have a link of
//! several cables. Here links to the opposite group may join two routers twice, and none is omitted.

/// The global links of one group; those of all others are the same, as many groups ahead.
#[derive(Clone, Debug)]
pub(super) struct GlobalLinks {
    /// The number of groups.
    pub groups: u64,
    /// Links between every two groups, without those of the rounds.
    pub copies: u64,
    /// How many other groups have one link more.
    pub more: u64,
    /// Global links of the last routers of a group, without those of the rounds.
    slots: u64,
    /// So many routers, the first ones, have one more.
    longer: u64,
    /// How often every router has one more cable to every other group; none where there are more groups than ports.
    pub rounds: u64,
    /// Routers of a group.
    routers: u64,
    /// Global ports of a router that are not for rounds.
    left: u64,
}

/// A link from a group to another: the global port, counted at its router, and the routers at both ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobalLink {
    pub port: u64,
    pub leave: u64,
    pub arrive: u64,
}

impl GlobalLinks {
    /// Of groups of `routers` with up to `h` global links each; there are 2 groups at least, and at most one more than
    /// global ports in a group.
    pub fn new(routers: u64, h: u64, groups: u64) -> Self {
        let rounds = (h - 1) / (groups - 1);
        let left = h - rounds * (groups - 1);
        let (ports, others) = (u128::from(routers) * u128::from(left), u128::from(groups - 1));
        let rest = ports % others;
        let more = if groups % 2 == 1 { rest - rest % 2 } else { rest };
        let of = |more: u128| {
            let used = ports - rest + more;
            let [copies, more, slots, longer] =
                [ports / others, more, used / u128::from(routers), used % u128::from(routers)]
                    .map(|value| u64::try_from(value).expect("at most the routers, h or groups"));
            GlobalLinks { groups, copies, more, slots, longer, rounds, routers, left }
        };
        let all = of(more);
        // More than 2^64 ports are not built.
        let may_double = more % 2 == 1 && rounds == 0 && ports <= u128::from(u64::MAX);
        if may_double && all.doubles_the_opposite() { of(more - 1) } else { all }
    }

    /// One link between every two groups, `h` of each of the `routers` of a group.
    pub fn balanced(routers: u64, h: u64, groups: u64) -> Self {
        let (copies, more, longer, rounds) = (1, 0, 0, 0);
        GlobalLinks { groups, copies, more, slots: h, longer, rounds, routers, left: h }
    }

    /// Whether the last two links to the opposite group join the same routers: both lead to the slot of their own number.
    fn doubles_the_opposite(&self) -> bool {
        let others = self.groups - 1;
        let before = (self.copies - 1) * others + self.groups / 2 - 1;
        self.owner(before) == self.owner(self.copies * others + self.more / 2)
    }

    /// How many slots router `r` has: its global ports that are not for rounds.
    fn slots(&self, r: u64) -> u64 {
        self.slots + u64::from(r < self.longer)
    }

    /// How many global links router `r` has, cables counted.
    pub fn ports(&self, r: u64) -> u64 {
        self.slots(r) + self.rounds * (self.groups - 1)
    }

    /// How many routers, the first ones, have one link more than the others, and how many those have.
    pub fn classes(&self) -> (u64, u64) {
        (self.longer, self.ports(self.longer))
    }

    /// The first slot of router `r`.
    fn first_slot(&self, r: u64) -> u64 {
        r * self.slots + r.min(self.longer)
    }

    /// The router with that slot.
    fn owner(&self, slot: u64) -> u64 {
        let first = self.longer * (self.slots + 1);
        match slot.checked_sub(first) {
            None => slot / (self.slots + 1),
            Some(rest) => self.longer + rest / self.slots,
        }
    }

    /// How many groups ahead a global port of router `r` leads, and the router there: slots first, then round by round the
    /// groups ahead.
    pub fn far_end(&self, r: u64, port: u64) -> (u64, u64) {
        match port.checked_sub(self.slots(r)) {
            None => self.end_of_slot(self.first_slot(r) + port),
            Some(further) => {
                let (round, ahead) = (further / (self.groups - 1), further % (self.groups - 1) + 1);
                (ahead, self.end_of_round(round, ahead, r))
            }
        }
    }

    /// The router to which a round leads from router `r`, in the group so far ahead.
    fn end_of_round(&self, round: u64, ahead: u64, r: u64) -> u64 {
        let a = self.routers;
        let (near, behind) = (ahead.min(self.groups - ahead), 2 * ahead > self.groups);
        let moved = |by: u64, back: bool| (r + if back { a - by % a } else { by % a }) % a;
        if 2 * near < self.groups {
            let exact = self.left == self.groups - 1;
            let furthest = if exact { 0 } else { (self.groups - 2 * near).div_ceil(self.left) };
            return moved(furthest + 1 + round, behind);
        }
        let Some(round) = round.checked_sub(self.rounds - self.rounds % a) else {
            return (round + a - r) % a;
        };
        let (single, odd) = (self.rounds % a % 2, a % 2);
        match round.checked_sub(single) {
            None if odd == 0 => moved(a / 2, false),
            None if r + 1 == a => r,
            None => r ^ 1,
            Some(round) => moved(round / 2 + 1 + single * odd, round % 2 == 1),
        }
    }

    /// How many groups ahead a slot leads, and the router there.
    fn end_of_slot(&self, slot: u64) -> (u64, u64) {
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

    /// How many links lead to the group so far ahead, cables counted.
    pub fn count_ahead(&self, ahead: u64) -> u64 {
        self.copies + u64::from(self.last_slot(ahead).is_some()) + self.rounds * self.routers
    }

    /// The slots that lead to the group so far ahead.
    fn slots_ahead(&self, ahead: u64) -> impl Iterator<Item = u64> {
        let others = self.groups - 1;
        let every = (0..self.copies).map(move |copy| copy * others + ahead - 1);
        every.chain(self.last_slot(ahead).map(|j| self.copies * others + j))
    }

    /// The links to the group so far ahead, cable by cable.
    pub fn links_ahead(&self, ahead: u64) -> impl Iterator<Item = GlobalLink> {
        let of_slot = |slot: u64| {
            let leave = self.owner(slot);
            let port = slot - self.first_slot(leave);
            GlobalLink { port, leave, arrive: self.end_of_slot(slot).1 }
        };
        let of_rounds = (0..self.routers).flat_map(move |r| self.round_links(r, ahead));
        self.slots_ahead(ahead).map(of_slot).chain(of_rounds)
    }

    /// The links of router `r` to the group so far ahead, cable by cable.
    pub fn links_of(&self, r: u64, ahead: u64) -> impl Iterator<Item = GlobalLink> {
        let (first, others) = (self.first_slot(r), self.groups - 1);
        let every = self.copies * others;
        let end = first + self.slots(r);
        // Of the slots to all groups one at most: a router has no more slots than there are other groups.
        let next = first + (ahead - 1 + others - first % others) % others;
        let of_all = Some(next).filter(|&slot| slot < end.min(every));
        let more = self.last_slot(ahead).map(|j| every + j);
        let more = more.filter(move |slot| (first..end).contains(slot));
        let of_slot = move |slot: u64| GlobalLink {
            port: slot - first,
            leave: r,
            arrive: self.end_of_slot(slot).1,
        };
        of_all.into_iter().chain(more).map(of_slot).chain(self.round_links(r, ahead))
    }

    /// The links of the rounds of router `r` to the group so far ahead.
    fn round_links(&self, r: u64, ahead: u64) -> impl Iterator<Item = GlobalLink> {
        let (slots, others) = (self.slots(r), self.groups - 1);
        (0..self.rounds).map(move |round| GlobalLink {
            port: slots + round * others + ahead - 1,
            leave: r,
            arrive: self.end_of_round(round, ahead, r),
        })
    }

    /// How many routers of other groups have a link to router `r`.
    pub fn neighbors(&self, r: u64) -> u64 {
        // Without rounds no link has several cables.
        if self.rounds == 0 {
            return self.ports(r);
        }
        let ends_ahead = |ahead: u64| {
            let mut ends: Vec<u64> = self.links_of(r, ahead).map(|link| link.arrive).collect();
            ends.sort_unstable();
            ends.dedup();
            ends.len() as u64
        };
        (1..self.groups).map(ends_ahead).sum()
    }
}
