//! DCell: server counts that grow doubly exponentially with the number of ports of a server.
//!
//! # Definition
//! C. Guo, H. Wu, K. Tan, L. Shi, Y. Zhang, S. Lu, "DCell: A Scalable and Fault-Tolerant Network Structure for Data
//! Centers", 2008. DCell_0 is n servers on one switch, t_0 = n. DCell_l is t_(l-1) + 1 copies of DCell_(l-1), so
//! t_l = t_(l-1)·(t_(l-1) + 1) servers; for copies i < j, server j-1 of copy i is linked to server i of copy j.
//!
//! # Numbering
//! Servers first: server u of copy i of DCell_l is i·t_(l-1) + u. Then the switches in the order of their servers.
//! Port 0 of a server leads to its switch, port l to the server that it is linked to at level l;
//! port i of a switch leads to its i-th server.
//! A server's address is (a_k,…,a_0), copies first and its place at the switch last; its switch is (a_k,…,a_1).

use crate::family::built::fits;
use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Held, Joints, Plan, Shape};
use nestnet_graph::radix::{self, short};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Network, Node, Orbit, Port};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (n, k) = (args.integer("n"), args.integer("k"));
    let mut sizes = vec![BigUint::from(n)];
    for level in 1..=k {
        let last = &sizes[sizes.len() - 1];
        let next = short(last * (last + 1u8)).map_err(|error| {
            ArgError::new("k", format!("must be below {level} for n = {n}: {error}"))
        })?;
        sizes.push(next);
    }
    let theory = DCellTheory { n, k, servers: sizes[sizes.len() - 1].clone() };
    let small = fits(&theory.order()) && theory.degrees().max < u64::from(u32::MAX);
    let sizes: Option<Vec<u64>> = sizes.iter().map(ToPrimitive::to_u64).collect();
    let servers = sizes.clone().unwrap_or_default();
    let network = sizes.filter(|_| small).map(|sizes| Arc::new(DCell { n, sizes }) as _);
    Ok(Built::new(theory, network).placed(plan(n, &servers)))
}

/// Servers around their switch, copies around copies; every two copies of a level are joined by one link.
fn plan(n: u64, sizes: &[u64]) -> Plan {
    let mut plan = Plan::of(Shape::Hub(n.saturating_add(1)));
    for (level, &size) in (1..).zip(sizes.iter().rev().skip(1).rev()) {
        plan = Plan::ring(size.saturating_add(1)).around(&plan, level, Held::Cluster);
    }
    let servers = sizes.last().copied().unwrap_or(n);
    let copies = Joints::EveryTwo { layers: 1, links: 1, opposite: 0 };
    let joints = if sizes.len() > 1 { copies } else { Joints::Counted };
    let plan = plan.joined(joints).seated(move |at| match at.0.checked_sub(servers) {
        Some(switch) => switch * (n + 1),
        None => at.0 / n * (n + 1) + 1 + at.0 % n,
    });
    plan.sat_by(move |place| {
        Some(match place % (n + 1) {
            0 => Node(servers + place / (n + 1)),
            server => Node(place / (n + 1) * n + server - 1),
        })
    })
}

/// The network itself.
#[derive(Clone, Debug)]
pub struct DCell {
    n: u64,
    /// t_0, …, t_k.
    sizes: Vec<u64>,
}

impl DCell {
    fn servers(&self) -> u64 {
        self.sizes[self.sizes.len() - 1]
    }

    /// What server `at` is linked to at `level`, from 1 on.
    fn across(&self, at: u64, level: usize) -> u64 {
        let (whole, part) = (self.sizes[level], self.sizes[level - 1]);
        let inside = at % whole;
        let (copy, server) = (inside / part, inside % part);
        let to = if server >= copy { (server + 1) * part + copy } else { server * part + copy - 1 };
        at - inside + to
    }

    /// The radix of a_k, …, a_1.
    fn copies(&self) -> Vec<u64> {
        let below = &self.sizes[..self.sizes.len() - 1];
        below.iter().rev().map(|size| size + 1).collect()
    }
}

impl Network for DCell {
    fn order(&self) -> u64 {
        self.servers() + self.servers() / self.n
    }

    fn ports(&self) -> u32 {
        let ports = self.n.max(self.sizes.len() as u64);
        u32::try_from(ports).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if let Some(switch) = at.0.checked_sub(self.servers()) {
            let i = u64::from(port.0);
            return (i < self.n).then(|| Node(switch * self.n + i));
        }
        match port.0 as usize {
            0 => Some(Node(self.servers() + at.0 / self.n)),
            level => (level < self.sizes.len()).then(|| Node(self.across(at.0, level))),
        }
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        if let Some(switch) = at.0.checked_sub(self.servers()) {
            let first = switch * self.n;
            let servers = (0..).zip(first..first + self.n);
            return servers.for_each(|(port, to)| visit(Port(port), Node(to)));
        }
        visit(Port(0), Node(self.servers() + at.0 / self.n));
        for (port, level) in (1..).zip(1..self.sizes.len()) {
            visit(Port(port), Node(self.across(at.0, level)));
        }
    }

    fn address(&self, at: Node) -> Address {
        let mut sides = self.copies();
        if let Some(switch) = at.0.checked_sub(self.servers()) {
            return Address::numbers(radix::digits(switch, &sides));
        }
        sides.push(self.n);
        Address::numbers(radix::digits(at.0, &sides))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let mut sides = self.copies();
        if let Some(digits) = address.as_numbers(sides.len()) {
            return Some(Node(self.servers() + radix::number(&digits, &sides)?));
        }
        sides.push(self.n);
        radix::number(&address.as_numbers(sides.len())?, &sides).map(Node)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        if at.0 >= self.servers() {
            return 0;
        }
        u16::try_from(port.0).expect("a server has few ports")
    }

    fn levels(&self) -> u16 {
        u16::try_from(self.sizes.len()).expect("k is at most 64")
    }

    fn hosts(&self) -> u64 {
        self.servers()
    }

    /// In DCell_1 the server of copy i linked to copy j is the pair (i, j); all copies may be permuted.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let servers = self.servers();
        let switches = Orbit { node: Node(servers), size: servers / self.n };
        let classes = vec![Orbit { node: Node(0), size: servers }, switches];
        (self.sizes.len() <= 2).then_some(classes)
    }
}

/// What is proven of it.
#[derive(Debug)]
pub struct DCellTheory {
    n: u64,
    k: u64,
    /// t_k.
    servers: BigUint,
}

impl DCellTheory {
    fn switches(&self) -> BigUint {
        &self.servers / self.n
    }

    /// The least number of steps in which a server could reach all nodes if no two paths met.
    fn steps_to_reach_all(&self) -> u64 {
        let order = Theory::order(self);
        // Reached last by a link of servers, from a switch, and the switches.
        let (mut by_link, mut by_switch) = (BigUint::from(self.k), BigUint::ZERO);
        let mut switches = BigUint::from(1u8);
        let mut reached = BigUint::from(self.k) + 2u8;
        let mut steps = 1;
        while reached < order {
            let next = &by_link * (self.k - 1) + &by_switch * self.k;
            by_switch = switches * (self.n - 1);
            switches = std::mem::replace(&mut by_link, next);
            reached += &by_link + &by_switch + &switches;
            steps += 1;
        }
        steps
    }
}

impl Theory for DCellTheory {
    fn order(&self) -> BigUint {
        &self.servers + self.switches()
    }

    fn hosts(&self) -> BigUint {
        self.servers.clone()
    }

    fn degrees(&self) -> Degrees {
        Degrees::counted([(self.k + 1, self.servers.clone()), (self.n, self.switches())])
    }

    /// A path goes to the one link of two copies, over it and on, and a switch costs two links:
    /// D_l ≤ 2·D_(l-1) + 1 with D_0 = 2, so D_k ≤ 3·2^k - 1.
    ///
    /// That is reached for k = 1 and n ≥ 3, where servers of two copies may be linked to a third and a fourth;
    /// DCell_1 with n = 2 is a ring of 9 nodes.
    fn diameter(&self) -> Option<Bounded> {
        let most = (BigUint::from(3u8) << self.k) - 1u8;
        Some(match (self.n, self.k) {
            (_, 0) => Bounded::theorem(2u8),
            (2, 1) => Bounded::theorem(4u8),
            (_, 1) => Bounded::theorem(most),
            _ => Bounded::between(self.steps_to_reach_all(), most),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;
    use std::collections::BTreeSet;

    fn dcell(n: u64, k: usize) -> DCell {
        let mut sizes = vec![n];
        for level in 0..k {
            sizes.push(sizes[level] * (sizes[level] + 1));
        }
        DCell { n, sizes }
    }

    #[test]
    fn server_counts_of_the_paper() {
        for (n, k, servers) in [(4, 1, 20), (4, 2, 420), (6, 2, 1806), (6, 3, 3_263_442)] {
            assert_eq!(dcell(n, k).hosts(), servers);
        }
    }

    /// The construction of the paper, copy by copy.
    fn server_links(sizes: &[u64], level: usize, first: u64, links: &mut BTreeSet<(u64, u64)>) {
        if level == 0 {
            return;
        }
        let part = sizes[level - 1];
        for copy in 0..=part {
            server_links(sizes, level - 1, first + copy * part, links);
        }
        for i in 0..=part {
            for j in i + 1..=part {
                links.insert((first + i * part + j - 1, first + j * part + i));
            }
        }
    }

    #[test]
    fn links_as_constructed() {
        for (n, k) in [(2, 1), (2, 2), (2, 3), (4, 2), (3, 2)] {
            let network = dcell(n, k);
            let mut expected = BTreeSet::new();
            server_links(&network.sizes, k, 0, &mut expected);
            let mut found = BTreeSet::new();
            for at in (0..network.hosts()).map(Node) {
                network.for_each_neighbor(at, &mut |port, to| {
                    if port.0 > 0 {
                        found.insert((at.min(to).0, at.max(to).0));
                    }
                });
            }
            assert_eq!(found, expected, "dcell({n}, {k})");
        }
    }

    #[test]
    fn the_diameter_is_between_its_bounds() {
        for (n, k) in [(2, 0), (5, 0), (2, 1), (3, 1), (6, 1), (2, 2), (3, 2), (4, 2), (2, 3)] {
            let network = dcell(n, k);
            let farthest = |from| distances_from(&network, Node(from)).into_iter().max();
            let found = BigUint::from((0..network.order()).filter_map(farthest).max().unwrap());
            let theory = DCellTheory { n, k: k as u64, servers: network.hosts().into() };
            let known = theory.diameter().unwrap();
            assert!(
                known.low <= found && found <= known.high,
                "dcell({n}, {k}): {found} {known:?}"
            );
        }
    }
}
