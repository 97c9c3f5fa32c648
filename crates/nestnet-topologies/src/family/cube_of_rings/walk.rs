//! The shortest walk along a ring that passes every position it must: exact, O(r).

/// The direction of a step along the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// To higher positions.
    Up,
    /// To lower ones.
    Down,
}

impl Direction {
    pub(super) fn opposite(self) -> Self {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}

/// How a shortest walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Steps along the ring.
    pub length: usize,
    /// Steps against the main direction before it begins; 0 where the first steps can flip everything.
    pub pre: usize,
    /// The main direction.
    pub main: Direction,
    /// Where there is no pre, steps in the main direction until all bits can be flipped.
    pub sweep: usize,
}

impl Walk {
    /// The shorter; of equals the one with more steps before the main part. So a main part begins only where nothing
    /// else is as short, and what is shortest from its next node is only to go on.
    pub fn or(self, other: Walk) -> Walk {
        let key = |walk: &Walk| (walk.length, std::cmp::Reverse(walk.pre), walk.main, walk.sweep);
        if key(&other) < key(&self) { other } else { self }
    }
}

/// The shortest walk on a ring from `from` to `to` whose positions together have all `needed` bits.
///
/// It covers an arc from p steps behind `from` to q steps ahead: to one end of it, to the other and to `to`; or it goes
/// around. Exact; O(r). `None` when even the whole ring lacks a bit.
pub(super) fn shortest_walk(masks: &[u64], from: u64, to: u64, needed: u64) -> Option<Walk> {
    const SHORT: usize = 64;
    let length = masks.len();
    let from = usize::try_from(from).expect("a ring position");
    // covered[q]: the bits of the positions from `from` to q steps ahead.
    let mut short = [0; SHORT];
    let mut long = Vec::new();
    let covered = if length <= SHORT {
        &mut short[..length]
    } else {
        long.resize(length, 0);
        &mut long[..]
    };
    let mut bits = 0;
    for (entry, mask) in covered.iter_mut().zip(masks[from..].iter().chain(&masks[..from])) {
        bits |= mask;
        *entry = bits;
    }
    if bits & needed != needed {
        return None;
    }
    let to = usize::try_from(to).expect("a ring position");
    let ahead = if to >= from { to - from } else { to + length - from };
    let behind = if ahead == 0 { 0 } else { length - ahead };
    let mut best = Walk { length: usize::MAX, pre: 0, main: Direction::Up, sweep: 0 };
    let mut bits_behind = 0;
    let mut q = length - 1;
    for p in 0..length {
        if p > 0 {
            bits_behind |= masks[if p <= from { from - p } else { from + length - p }];
        }
        let before = q;
        while q > 0 && (covered[q - 1] | bits_behind) & needed == needed {
            q -= 1;
        }
        // A step more behind that saves none ahead is part of no shorter walk, and of no other.
        if p > 0 && q == before {
            continue;
        }
        let (up, down) = arc_costs(p, q, ahead, behind);
        let (pre_up, pre_down) = if p == 0 || q == 0 { (0, 0) } else { (p, q) };
        // Where the first steps can flip everything they are the main part, whatever follows.
        let (mut main_up, mut main_down) = (up, down);
        match (p, q) {
            (0, 0) => {}
            (0, _) => main_up = down.min(up).min(length + ahead),
            (_, 0) => main_down = up.min(down).min(length + behind),
            _ => {}
        }
        if p == 0 || q > 0 {
            best = best.or(Walk { length: main_up, pre: pre_up, main: Direction::Up, sweep: q });
        }
        if q == 0 || p > 0 {
            let main = Direction::Down;
            best = best.or(Walk { length: main_down, pre: pre_down, main, sweep: p });
        }
        if q == 0 {
            break;
        }
    }
    Some(best)
}

/// The length of a walk that covers p steps behind and q ahead and ends `ahead` steps ahead, which is `behind` steps
/// behind: when its main sweep goes up, and when it goes down.
fn arc_costs(p: usize, q: usize, ahead: usize, behind: usize) -> (usize, usize) {
    (2 * p + 2 * q.max(ahead) - ahead, 2 * p.max(behind) + 2 * q - behind)
}

/// The cheaper of the two.
pub(super) fn arc_cost(p: usize, q: usize, ahead: usize, behind: usize) -> usize {
    let (up, down) = arc_costs(p, q, ahead, behind);
    up.min(down)
}
