//! BCube: servers that relay, joined only by switches of few ports.
//!
//! # Definition
//! C. Guo, G. Lu, D. Li, H. Wu, X. Zhang, Y. Shi, C. Tian, Y. Zhang, S. Lu, "BCube: A High Performance, Server-centric
//! Network Architecture for Modular Data Centers", 2009.
//! Servers are the words a_k … a_0 of digits below n. A switch of level l joins the n servers that agree in all digits
//! but a_l, so each of the k+1 levels has n^k switches.
//!
//! # Numbering
//! Servers first, a_k most significant. Then the switches, level 0 first, each level in the order of the digits other
//! than a_l. Port l of a server leads to its switch of level l, port i of a switch to the server with a_l = i.
//! A server's address is (a_k,…,a_0), that of a switch (l,(s_(k-1),…,s_0)) with the digits that its servers share.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Plan, Point};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port, radix};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (n, k) = (args.integer("n"), args.integer("k"));
    let servers = radix::power(&n.into(), k + 1)?;
    let cube = BCube::new(n, k, servers);
    Ok(Built::of(cube.clone()).placed(cube.plan()))
}

/// Words of `k + 1` digits below `n`.
#[derive(Clone, Debug)]
pub struct BCube {
    n: u64,
    k: u64,
    /// n^(k+1).
    servers: BigUint,
    /// n^k; of no meaning where the network is not built.
    row: u64,
}

/// A server, or a switch by its level and the digits of its servers, 0 for a_l.
#[derive(Clone, Copy)]
enum Place {
    Server(u64),
    Switch { level: u64, servers: u64 },
}

impl BCube {
    fn new(n: u64, k: u64, servers: BigUint) -> Self {
        let row = n.saturating_pow(u32::try_from(k).unwrap_or(u32::MAX));
        BCube { n, k, servers, row }
    }

    /// Servers in a row, and above them a row of switches for each level.
    fn plan(&self) -> Plan {
        let order = Theory::order(self).to_u64().unwrap_or(u64::MAX);
        Plan::given(order, || {
            let place = |at: u64| match at.checked_sub(self.servers()) {
                None => Point::new(at as f64 + (at / self.n) as f64 * 0.6, 0.0),
                Some(switch) => {
                    let (level, i) = (switch / self.row, switch % self.row);
                    let wide = self.servers() as f64 + 0.6 * (self.row as f64 - 1.0);
                    let across = (i as f64 + 0.5) / self.row as f64 * wide - 0.5;
                    let up = 1.2 + 0.1 * wide;
                    Point::new(across, -up * (level as f64 + 1.0))
                }
            };
            (0..order).map(place).collect()
        })
    }

    fn servers(&self) -> u64 {
        self.row * self.n
    }

    /// n^l, what one step of a_l adds to the id of a server.
    fn stride(&self, level: u64) -> u64 {
        self.n.pow(u32::try_from(level).expect("k is below 63 where it is built"))
    }

    fn place(&self, at: Node) -> Place {
        let Some(switch) = at.0.checked_sub(self.servers()) else { return Place::Server(at.0) };
        let (level, shared) = (switch / self.row, switch % self.row);
        let stride = self.stride(level);
        Place::Switch { level, servers: shared / stride * stride * self.n + shared % stride }
    }

    fn switch(&self, level: u64, server: u64) -> Node {
        let stride = self.stride(level);
        let shared = server / (stride * self.n) * stride + server % stride;
        Node(self.servers() + level * self.row + shared)
    }

    /// In how many digits two words differ, not counting those of the levels given.
    fn differ(&self, mut a: u64, mut b: u64, free: [Option<u64>; 2]) -> u64 {
        let mut count = 0;
        for level in 0..=self.k {
            let counts = a % self.n != b % self.n && !free.contains(&Some(level));
            count += u64::from(counts);
            a /= self.n;
            b /= self.n;
        }
        count
    }

    fn sides(&self, digits: u64) -> Vec<u64> {
        (0..digits).map(|_| self.n).collect()
    }

    fn switches(&self) -> BigUint {
        &self.servers / self.n * (self.k + 1)
    }

    /// How many nodes lie at each distance from a server and from a switch.
    ///
    /// Each digit to be changed costs two links. Between a server and a switch the digit of its level is free and the
    /// last half step is one link. Between switches of different levels both digits are free.
    fn distances_by_kind(&self) -> Option<[Distances; 2]> {
        let digit = Distances::new([1, 0, self.n - 1]);
        let (n, k) = (BigUint::from(self.n), self.k);
        let rest = digit.power(k)?;
        let server = rest.times(&digit)?.plus(&rest.scaled(&(k + 1).into()).shifted(1));
        let itself = Distances::new([1u8]);
        let same_level = itself.plus(&rest.minus(&itself).shifted(2));
        let other_level = match k {
            0 => Distances::default(),
            _ => digit.power(k - 1)?.scaled(&(&n * k)).shifted(2),
        };
        let switch = rest.scaled(&n).shifted(1).plus(&same_level).plus(&other_level);
        Some([server, switch])
    }
}

impl Network for BCube {
    fn order(&self) -> u64 {
        self.servers() + (self.k + 1) * self.row
    }

    fn ports(&self) -> u32 {
        u32::try_from(self.n.max(self.k + 1)).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let port = u64::from(port.0);
        match self.place(at) {
            Place::Server(server) => (port <= self.k).then(|| self.switch(port, server)),
            Place::Switch { level, servers } => {
                (port < self.n).then(|| Node(servers + port * self.stride(level)))
            }
        }
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        match self.place(at) {
            Place::Server(server) => {
                (0..)
                    .zip(0..=self.k)
                    .for_each(|(port, l)| visit(Port(port), self.switch(l, server)));
            }
            Place::Switch { level, servers } => {
                let stride = self.stride(level);
                for (port, digit) in (0..).zip(0..self.n) {
                    visit(Port(port), Node(servers + digit * stride));
                }
            }
        }
    }

    fn address(&self, at: Node) -> Address {
        let Some(switch) = at.0.checked_sub(self.servers()) else {
            return Address::numbers(radix::digits(at.0, &self.sides(self.k + 1)));
        };
        let shared = radix::digits(switch % self.row, &self.sides(self.k));
        Address::Tuple(vec![Address::number(switch / self.row), Address::numbers(shared)])
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let read = |address: &Address, digits| {
            let sides = self.sides(digits);
            radix::number(&address.as_numbers(sides.len())?, &sides)
        };
        if let [level, shared @ Address::Tuple(_)] = address.as_tuple()? {
            let level = level.as_number().filter(|&level| level <= self.k)?;
            return Some(Node(self.servers() + level * self.row + read(shared, self.k)?));
        }
        read(address, self.k + 1).map(Node)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let level = match self.place(at) {
            Place::Server(_) => port.0.into(),
            Place::Switch { level, .. } => level,
        };
        u16::try_from(level).expect("k is below 63 where it is built")
    }

    fn levels(&self) -> u16 {
        u16::try_from(self.k + 1).expect("k is below 63 where it is built")
    }

    fn hosts(&self) -> u64 {
        self.servers()
    }

    /// The values of each digit may be permuted, and so may the digits with their levels.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let servers = self.servers();
        let switches = Orbit { node: Node(servers), size: (self.k + 1) * self.row };
        Some(vec![Orbit { node: Node(0), size: servers }, switches])
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        if from == to {
            return Some(0);
        }
        let parts = |place| match place {
            Place::Server(server) => (server, None),
            Place::Switch { level, servers } => (servers, Some(level)),
        };
        let ((a, free), (b, free2)) = (parts(self.place(from)), parts(self.place(to)));
        let ends = u64::from(free.is_some()) + u64::from(free2.is_some());
        Some(ends + 2 * self.differ(a, b, [free, free2]))
    }
}

impl Theory for BCube {
    fn order(&self) -> BigUint {
        &self.servers + self.switches()
    }

    fn hosts(&self) -> BigUint {
        self.servers.clone()
    }

    fn degrees(&self) -> Degrees {
        Degrees::counted([(self.k + 1, self.servers.clone()), (self.n, self.switches())])
    }

    /// Two links for each digit, from server to server.
    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(2 * (self.k + 1)))
    }

    fn distances(&self) -> Option<Distances> {
        let [server, switch] = self.distances_by_kind()?;
        Some(server.scaled(&self.servers).plus(&switch.scaled(&self.switches())))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        let [server, _] = self.distances_by_kind()?;
        Some(server)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_of_a_switch_agree_in_all_other_digits() {
        let network = BCube::new(3, 2, 27u8.into());
        for switch in (27..54).map(Node) {
            let level = usize::from(network.level(switch, Port(0)));
            let mut shared = Vec::new();
            network.for_each_neighbor(switch, &mut |port, to| {
                let mut digits = radix::digits(to.0, &[3, 3, 3]);
                assert_eq!(digits.remove(2 - level), u64::from(port.0));
                shared.push(digits);
            });
            assert_eq!(shared.len(), 3);
            assert!(shared.iter().all(|digits| *digits == shared[0]));
            let [_, written] =
                network.address(switch).as_tuple().unwrap().to_vec().try_into().unwrap();
            assert_eq!(written, Address::numbers(shared[0].clone()));
        }
    }

    #[test]
    fn distances_at_any_size() {
        let network = BCube::new(48, 200, BigUint::from(48u8).pow(201));
        let distances = network.distances().unwrap();
        assert_eq!(distances.pairs(), Theory::order(&network).pow(2));
        assert_eq!(network.diameter(), Some(Bounded::theorem(distances.longest())));
    }
}
