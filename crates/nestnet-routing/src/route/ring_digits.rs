//! The digits of the nodes of meshes and tori, and how dimension order goes on by them.

use super::hop::Vc;
use nestnet_graph::Node;

/// The digits of more nodes are divided out each time: a table that is not in the cache is slower.
const MAX_PACKED: u64 = 1 << 18;

/// The state keeps the coins below, then the dimension that was entered plus one, the way and the half.
const ENTERED: u32 = 16;
const UP: u64 = 1 << 24;
const UPPER: u64 = 1 << 25;
pub(super) const COINS: u64 = (1 << ENTERED) - 1;

/// A line or a ring of a mesh or a torus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// How many values the digit has.
    pub side: u64,
    /// What it is multiplied by.
    pub stride: u64,
    /// Whether the last value is linked to 0.
    pub is_ring: bool,
}

impl Line {
    /// The digit of a node.
    pub(super) fn digit(&self, node: u64) -> u64 {
        node / self.stride % self.side
    }

    pub(super) fn has_up(&self, digit: u64) -> bool {
        self.is_ring || digit + 1 < self.side
    }

    pub(super) fn has_down(&self, digit: u64) -> bool {
        self.is_ring || digit > 0
    }

    /// Whether to go up, and whether in the upper half; `coin` decides where both ways are as long.
    pub(super) fn enter(&self, at: u64, to: u64, coin: bool) -> (bool, bool) {
        if !self.is_ring {
            return (to > at, false);
        }
        let ahead = if to > at { to - at } else { to + self.side - at };
        let up = if 2 * ahead == self.side { coin } else { 2 * ahead < self.side };
        (up, at > to)
    }
}

/// The digits of the nodes of a mesh or a torus, and how dimension order goes on by them.
#[derive(Debug)]
pub struct RingDigits {
    pub(super) lines: Vec<Line>,
    /// The digits of every node, each in as many bits of one word, the least significant first; none of networks with
    /// many nodes, or whose digits do not fit.
    pub(super) words: Vec<u64>,
    /// The logarithm of the bits of a digit.
    pub(super) log: u32,
}

/// A hop of dimension order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingHop {
    /// Which dimension, the least significant first, and the digit there.
    pub dimension: usize,
    /// The digit of the node there.
    pub digit: u64,
    /// What a message carries from there on.
    pub state: u64,
}

impl RingHop {
    /// Whether the digit grows, or goes from the last to 0.
    #[inline(always)]
    pub fn is_up(self) -> bool {
        self.state & UP != 0
    }

    /// On which half of the virtual channels.
    #[inline(always)]
    pub fn vc(self) -> Vc {
        Vc(u16::from(self.state & UPPER != 0))
    }
}

impl RingDigits {
    pub(super) fn new(lines: Vec<Line>, order: u64) -> Self {
        let log = (64 / lines.len().max(1)).ilog2().min(5);
        let fits = lines.iter().all(|line| line.side <= 1 << (1 << log));
        let pack = |at: u64| {
            let place = |(index, line): (usize, &Line)| line.digit(at) << (index << log);
            lines.iter().enumerate().map(place).sum()
        };
        let all = if fits && order <= MAX_PACKED { order } else { 0 };
        RingDigits { words: (0..all).map(pack).collect(), log, lines }
    }

    /// The least significant first.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    #[inline(always)]
    fn word(&self, node: u64) -> Option<u64> {
        self.words.get(usize::try_from(node).ok()?).copied()
    }

    /// The lowest dimension in which two nodes differ, and their digits there.
    #[inline(always)]
    fn differ(&self, at: u64, to: u64) -> Option<(usize, u64, u64)> {
        let (Some(here), Some(there)) = (self.word(at), self.word(to)) else {
            return self.divide(at, to);
        };
        let differ = here ^ there;
        let shift = differ.trailing_zeros() >> self.log << self.log;
        let mask = (1u64 << (1u32 << self.log)) - 1;
        let digit = |word: u64| word.wrapping_shr(shift) & mask;
        (differ != 0).then(|| ((shift >> self.log) as usize, digit(here), digit(there)))
    }

    /// The same, divided out.
    #[inline(never)]
    fn divide(&self, at: u64, to: u64) -> Option<(usize, u64, u64)> {
        let digits = |line: &Line| (line.digit(at), line.digit(to));
        let mut all = self.lines.iter().map(digits).enumerate();
        let found = all.find(|&(_, (here, there))| here != there);
        found.map(|(dimension, (here, there))| (dimension, here, there))
    }

    /// The next hop of a message with that state; `None` where it has arrived.
    #[inline(always)]
    pub fn hop(&self, at: Node, to: Node, mut state: u64) -> Option<RingHop> {
        let (dimension, digit, there) = self.differ(at.0, to.0)?;
        let entered = dimension as u64 + 1;
        if state >> ENTERED & 0xFF != entered {
            let (up, upper) =
                self.lines.get(dimension)?.enter(digit, there, state >> dimension & 1 == 1);
            let flags = if up { UP } else { 0 } | if upper { UPPER } else { 0 };
            state = state & COINS | entered << ENTERED | flags;
        }
        Some(RingHop { dimension, digit, state })
    }
}
