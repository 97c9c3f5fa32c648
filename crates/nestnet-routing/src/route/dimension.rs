//! Dimension order on meshes and tori, the lowest dimension first, with a coin where both ways around are as long.
//!
//! A ring splits its virtual channels in two: a message keeps one half from where it enters the ring. It takes the
//! upper half going up where its digit is above its target's, and going down as well; else the lower. The coins of all
//! dimensions together are the numbered choice.

use super::ring_digits::{COINS, Line, RingDigits};
use super::{ClosedForm, Header, Hop, Router};
use nestnet_graph::{Network, Node, Port};
use std::sync::Arc;

/// One digit of the nodes.
#[derive(Debug)]
struct Links {
    line: Line,
    /// The ports up and down, for each value of the digit.
    up: Vec<Option<Port>>,
    down: Vec<Option<Port>>,
}

/// Dimension order, as simulators of tori have it.
#[derive(Debug)]
pub struct Dimensions {
    /// The least significant first.
    lines: Vec<Links>,
    order: u64,
    digits: Arc<RingDigits>,
    /// The ports up and down of every node in every dimension, where they do not depend on that digit alone.
    own: Option<Vec<u32>>,
}

/// No such port.
const NONE: u32 = u32::MAX;

/// Digits of more values are no lines that are simulated.
const MAX_SIDE: u64 = 1 << 16;

/// Dimensions whose coins fit in a choice.
const MAX_LINES: usize = 16;

impl Dimensions {
    /// `None` unless `network` is a product of lines and rings with these sides, the most significant first.
    pub fn new(network: &dyn Network, sides: &[u64]) -> Option<Self> {
        let mut stride = 1u64;
        let mut lines = Vec::new();
        for &side in sides.iter().rev() {
            if side > MAX_SIDE || lines.len() == MAX_LINES {
                return None;
            }
            lines.push(Links::new(network, side, stride)?);
            stride = stride.checked_mul(side)?;
        }
        if stride != network.order() {
            return None;
        }
        let digits = RingDigits::new(lines.iter().map(|links| links.line).collect(), stride);
        let digits = Arc::new(digits);
        let mut dimensions = Dimensions { lines, order: stride, digits, own: None };
        if !dimensions.fits(network)? {
            let ports = (0..stride).flat_map(|at| dimensions.ports(network, at));
            dimensions.own = Some(ports.collect());
        }
        Some(dimensions)
    }

    /// The ports up and down of a node in every dimension.
    fn ports(&self, network: &dyn Network, at: u64) -> Vec<u32> {
        let mut ports = vec![NONE; 2 * self.lines.len()];
        network.for_each_neighbor(Node(at), &mut |port, to| {
            for (Links { line, .. }, ports) in self.lines.iter().zip(ports.chunks_exact_mut(2)) {
                let digit = line.digit(at);
                let rest = at - digit * line.stride;
                let up = line.has_up(digit) && to.0 == rest + (digit + 1) % line.side * line.stride;
                let before = (digit + line.side - 1) % line.side;
                let down = line.has_down(digit) && to.0 == rest + before * line.stride;
                if up {
                    ports[0] = port.0;
                } else if down {
                    ports[1] = port.0;
                }
            }
        });
        ports
    }

    /// Whether a port depends on its digit alone; `None` where a node has other links than a product of lines.
    fn fits(&self, network: &dyn Network) -> Option<bool> {
        let mut alike = true;
        for at in 0..self.order {
            let ports = self.ports(network, at);
            let mut links = 0;
            for (links_of, ports) in self.lines.iter().zip(ports.chunks_exact(2)) {
                let line = links_of.line;
                let digit = line.digit(at);
                let place = usize::try_from(digit).ok()?;
                for (has, port, known) in [
                    (line.has_up(digit), ports[0], links_of.up[place]),
                    (line.has_down(digit), ports[1], links_of.down[place]),
                ] {
                    if has != (port != NONE) {
                        return None;
                    }
                    links += u32::from(has);
                    alike &= !has || known == Some(Port(port));
                }
            }
            let mut degree = 0;
            network.for_each_neighbor(Node(at), &mut |_, _| degree += 1);
            if degree != links {
                return None;
            }
        }
        Some(alike)
    }

    /// The port of a node in a dimension, up or down, where its digit is `here`.
    #[inline(always)]
    fn port(&self, at: Node, dimension: usize, here: u64, is_up: bool) -> Option<Port> {
        match &self.own {
            None => {
                let line = self.lines.get(dimension)?;
                let ports = if is_up { &line.up } else { &line.down };
                ports.get(usize::try_from(here).ok()?).copied().flatten()
            }
            Some(own) => {
                let first = usize::try_from(at.0).ok()? * self.lines.len() + dimension;
                own.get(2 * first + usize::from(!is_up)).map(|&port| Port(port))
            }
        }
    }
}

impl Links {
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
        (side == 1 || joined).then_some(Links { line: Line { side, stride, is_ring }, up, down })
    }
}

impl Router for Dimensions {
    fn vcs(&self) -> u16 {
        if self.digits.lines.iter().any(|line| line.is_ring) { 2 } else { 1 }
    }

    /// A coin for each dimension, where one may be needed.
    fn choices(&self) -> u64 {
        let even = |line: &Line| line.is_ring && line.side.is_multiple_of(2);
        if self.digits.lines.iter().any(even) { 1 << self.lines.len() } else { 1 }
    }

    fn start(&self, _from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: choice & COINS }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let hop = self.digits.hop(at, header.to, header.state)?;
        let port = self.port(at, hop.dimension, hop.digit, hop.is_up())?;
        Some(Hop { port, vc: hop.vc(), header: Header { to: header.to, state: hop.state } })
    }

    fn longest(&self) -> u64 {
        let far = |line: &Line| if line.is_ring { line.side / 2 } else { line.side - 1 };
        self.digits.lines.iter().map(far).sum()
    }

    fn closed_form(&self, take: &mut dyn FnMut(ClosedForm<'_>)) {
        let port = |at: Node, dimension: usize, is_up| {
            let line = self.digits.lines.get(dimension)?;
            self.port(at, dimension, line.digit(at.0), is_up)
        };
        take(ClosedForm::Rings { digits: &self.digits, port: &port });
    }

    fn remembers(&self) -> bool {
        self.order > 1 && self.digits.lines.iter().any(|line| line.is_ring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::walk;
    use nestnet_seed::samples::{by_rule, path, petersen, ring, torus};

    #[test]
    fn every_route_is_shortest_and_goes_dimension_by_dimension() {
        for (network, sides) in [
            (torus(4, 4), vec![4, 4]),
            (torus(3, 5), vec![3, 5]),
            (ring(7), vec![7]),
            (path(5), vec![5]),
            // A mesh: no port leads up from a last digit, none down from a first.
            (by_rule(12, |a, b| b == a + 4 || b == a + 1 && b % 4 > 0), vec![3, 4]),
        ] {
            let router = Dimensions::new(&network, &sides).unwrap();
            let mut farthest = 0;
            let low = *sides.last().unwrap();
            for from in (0..network.order()).map(Node) {
                let distances = nestnet_graph::measure::search::distances_from(&network, from);
                farthest = farthest.max(distances.iter().copied().max().unwrap());
                for (to, far) in (0..).map(Node).zip(distances) {
                    for choice in 0..router.choices() {
                        let route = walk(&network, &router, from, to, choice, 20).unwrap();
                        assert_eq!(route.hops.len(), far as usize, "{from} to {to}");
                        let column = |node: &Node| node.0 % low;
                        let turned =
                            route.nodes.iter().position(|node| column(node) == column(&to));
                        let rest = &route.nodes[turned.unwrap()..];
                        assert!(rest.iter().all(|node| column(node) == column(&to)));
                    }
                }
            }
            assert_eq!(router.longest(), u64::from(farthest));
        }
    }

    #[test]
    fn digits_from_the_table_are_those_divided_out() {
        for (network, sides) in
            [(torus(4, 6), vec![4, 6]), (ring(7), vec![7]), (ring(300), vec![300])]
        {
            let fast = Dimensions::new(&network, &sides).unwrap();
            let lines = fast.digits.lines.clone();
            let digits = Arc::new(RingDigits { lines, words: Vec::new(), log: 0 });
            let slow = Dimensions { digits, ..Dimensions::new(&network, &sides).unwrap() };
            assert_eq!(fast.digits.words.len() as u64, network.order());
            for (from, to) in
                (0..network.order()).flat_map(|a| (0..network.order()).map(move |b| (a, b)))
            {
                for choice in 0..fast.choices() {
                    let [fast, slow] = [&fast, &slow].map(|router| {
                        walk(&network, router, Node(from), Node(to), choice, 200).unwrap()
                    });
                    assert_eq!(fast, slow);
                }
            }
        }
    }

    #[test]
    fn what_is_no_product_of_lines_is_refused() {
        assert!(Dimensions::new(&petersen(), &[10]).is_none());
        assert!(Dimensions::new(&petersen(), &[2, 5]).is_none());
        assert!(Dimensions::new(&torus(4, 4), &[16]).is_none());
        assert!(Dimensions::new(&torus(3, 5), &[5, 3]).is_none());
    }
}
