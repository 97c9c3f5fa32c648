//! Dimension order on meshes and tori, the lowest dimension first, with a coin where both ways around are as long.
//!
//! A ring splits its virtual channels in two: a message keeps one half from where it enters the ring. It takes the
//! upper half going up where its digit is above its target's, and going down as well; else the lower. The coins of all
//! dimensions together are the numbered choice.

use super::{Header, Hop, Router, Vc};
use crate::{Network, Node, Port};

/// One digit of the nodes.
#[derive(Debug)]
struct Line {
    side: u64,
    stride: u64,
    is_ring: bool,
    /// The ports up and down, for each value of the digit.
    up: Vec<Option<Port>>,
    down: Vec<Option<Port>>,
}

/// Dimension order, as simulators of tori have it.
#[derive(Debug)]
pub struct Dimensions {
    /// The least significant first.
    lines: Vec<Line>,
    order: u64,
}

/// Digits of more values are no lines that are simulated.
const MAX_SIDE: u64 = 1 << 16;

/// Dimensions whose coins fit in a choice.
const MAX_LINES: usize = 16;

/// The state keeps the coins below, then the dimension that was entered plus one, the way and the half.
const ENTERED: u32 = 16;
const UP: u64 = 1 << 24;
const UPPER: u64 = 1 << 25;
const COINS: u64 = (1 << ENTERED) - 1;

impl Dimensions {
    /// `None` unless `network` is a product of lines and rings with these sides, the most significant first.
    pub fn new(network: &dyn Network, sides: &[u64]) -> Option<Self> {
        let mut stride = 1u64;
        let mut lines = Vec::new();
        for &side in sides.iter().rev() {
            if side > MAX_SIDE || lines.len() == MAX_LINES {
                return None;
            }
            lines.push(Line::new(network, side, stride)?);
            stride = stride.checked_mul(side)?;
        }
        let links: usize = lines
            .iter()
            .map(Line::degree)
            .max()
            .map_or(0, |_| lines.iter().map(Line::degree).sum());
        let mut most = 0;
        network.for_each_neighbor(Node(middle(&lines)), &mut |_, _| most += 1);
        (stride == network.order() && links == most).then_some(Dimensions { lines, order: stride })
    }

    /// The lowest dimension in which two nodes differ.
    fn differs(&self, at: u64, to: u64) -> Option<(usize, &Line)> {
        let digit = |line: &Line, node| node / line.stride % line.side;
        self.lines.iter().enumerate().find(|(_, line)| digit(line, at) != digit(line, to))
    }
}

/// A node with a link on both sides in every dimension that has one.
fn middle(lines: &[Line]) -> u64 {
    lines
        .iter()
        .map(|line| {
            (line.side / 2).min(line.side.saturating_sub(2)).max(1).min(line.side - 1) * line.stride
        })
        .sum()
}

impl Line {
    fn new(network: &dyn Network, side: u64, stride: u64) -> Option<Self> {
        let length = usize::try_from(side).ok()?;
        let (mut up, mut down) = (vec![None; length], vec![None; length]);
        let end = side * stride;
        for (digit, (up, down)) in (0..side).zip(up.iter_mut().zip(&mut down)) {
            let next = (digit + 1) % side * stride;
            let before = (digit + side - 1) % side * stride;
            network.for_each_neighbor(Node(digit * stride), &mut |port, to| {
                if to.0 == next && to.0 < end && next != digit * stride {
                    *up = Some(port);
                } else if to.0 == before {
                    *down = Some(port);
                }
            });
        }
        let is_ring = side > 2 && up[length - 1].is_some();
        // A ring of two has one link, which goes up from 0 and down from 1.
        if side == 2 {
            down[1] = up[1].take();
        }
        let joined = (0..length).all(|at| {
            (at + 1 == length && !is_ring || up[at].is_some())
                && (at == 0 && !is_ring || down[at].is_some())
        });
        (side == 1 || joined).then_some(Line { side, stride, is_ring, up, down })
    }

    /// Links of a node in the middle.
    fn degree(&self) -> usize {
        match self.side {
            1 => 0,
            2 => 1,
            _ => 2,
        }
    }

    /// Whether to go up, and whether in the upper half; `coin` decides where both ways are as long.
    fn enter(&self, at: u64, to: u64, coin: bool) -> (bool, bool) {
        if !self.is_ring {
            return (to > at, false);
        }
        let ahead = if to > at { to - at } else { to + self.side - at };
        let up = if 2 * ahead == self.side { coin } else { 2 * ahead < self.side };
        (up, at > to)
    }
}

impl Router for Dimensions {
    fn vcs(&self) -> u16 {
        if self.lines.iter().any(|line| line.is_ring) { 2 } else { 1 }
    }

    /// A coin for each dimension, where one may be needed.
    fn choices(&self) -> u64 {
        let even = |line: &Line| line.is_ring && line.side.is_multiple_of(2);
        if self.lines.iter().any(even) { 1 << self.lines.len() } else { 1 }
    }

    fn start(&self, _from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: choice & COINS }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let (dimension, line) = self.differs(at.0, header.to.0)?;
        let (here, there) = (at.0 / line.stride % line.side, header.to.0 / line.stride % line.side);
        let coins = header.state & COINS;
        let entered = dimension as u64 + 1;
        let mut state = header.state;
        if state >> ENTERED & 0xFF != entered {
            let (up, upper) = line.enter(here, there, coins >> dimension & 1 == 1);
            let flags = if up { UP } else { 0 } | if upper { UPPER } else { 0 };
            state = coins | entered << ENTERED | flags;
        }
        let ports = if state & UP != 0 { &line.up } else { &line.down };
        let port = ports.get(usize::try_from(here).ok()?).copied().flatten()?;
        let vc = Vc(u16::from(state & UPPER != 0));
        Some(Hop { port, vc, header: Header { to: header.to, state } })
    }

    fn longest(&self) -> u64 {
        let far = |line: &Line| if line.is_ring { line.side / 2 } else { line.side - 1 };
        self.lines.iter().map(far).sum()
    }

    fn remembers(&self) -> bool {
        self.order > 1 && self.lines.iter().any(|line| line.is_ring)
    }
}
