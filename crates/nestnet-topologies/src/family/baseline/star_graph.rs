//! Star graphs: permutations as nodes, with degree and diameter below the logarithm of their number.
//!
//! # Definition
//! S. B. Akers, D. Harel, B. Krishnamurthy, "The Star Graph: An Attractive Alternative to the n-Cube", 1987.
//! The nodes are the permutations p of 0..n-1; p is linked to what exchanging position 0 with position i gives, for each
//! i in 1..n-1. It is the Cayley graph of the symmetric group with these exchanges, so all nodes are alike.
//!
//! # Numbering
//! The lexicographic rank of the permutation. Port i-1 exchanges position 0 with position i.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Held, Joints, Plan, Shape};
use nestnet_graph::network::transitive;
use nestnet_graph::radix::short;
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port};
use num_bigint::BigUint;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let n = args.integer("n");
    let mut order = BigUint::from(1u8);
    for factor in 2..=n {
        order = short(order * factor)
            .map_err(|error| ArgError::new("n", format!("must be below {factor}: {error}")))?;
    }
    let star = StarGraph { n, order };
    let plan = (n <= MAX_SYMBOLS as u64).then(|| star.plan());
    let built = Built::of(star);
    Ok(match plan {
        Some(plan) => built.placed(plan),
        None => built,
    })
}

/// Permutations of `n` symbols.
#[derive(Clone, Debug)]
pub struct StarGraph {
    n: u64,
    order: BigUint,
}

/// 20! is the largest factorial below 2^63.
const MAX_SYMBOLS: usize = 20;

/// `FACTORIALS[i]` = i!.
const FACTORIALS: [u64; MAX_SYMBOLS + 1] = {
    let mut table = [1; MAX_SYMBOLS + 1];
    let mut i = 1;
    while i <= MAX_SYMBOLS {
        table[i] = table[i - 1] * i as u64;
        i += 1;
    }
    table
};

/// Distances are counted up to here, where that takes no noticeable time.
const MAX_COUNTED: u64 = 256;

/// The first n entries are a permutation of 0..n-1.
type Permutation = [u8; MAX_SYMBOLS];

impl StarGraph {
    /// The number of symbols, where the network is built.
    fn symbols(&self) -> usize {
        usize::try_from(self.n).ok().filter(|&n| n <= MAX_SYMBOLS).expect("only built up to 20!")
    }

    fn permutation(&self, at: Node) -> Permutation {
        let n = self.symbols();
        let mut permutation = [0; MAX_SYMBOLS];
        let mut free: u32 = (1 << n) - 1;
        let mut rest = at.0;
        for (place, symbol) in permutation[..n].iter_mut().enumerate() {
            let weight = FACTORIALS[n - 1 - place];
            let mut candidates = free;
            for _ in 0..rest / weight {
                candidates &= candidates - 1;
            }
            rest %= weight;
            let least = candidates.trailing_zeros();
            *symbol = u8::try_from(least).expect("below 20");
            free &= !(1 << least);
        }
        permutation
    }

    fn rank(&self, permutation: &Permutation) -> Node {
        let n = self.symbols();
        let mut free: u32 = (1 << n) - 1;
        let mut rank = 0;
        for (place, &symbol) in permutation[..n].iter().enumerate() {
            let smaller = free & ((1 << symbol) - 1);
            rank += u64::from(smaller.count_ones()) * FACTORIALS[n - 1 - place];
            free &= !(1 << symbol);
        }
        Node(rank)
    }
}

/// Where the permutations of three symbols, in lexicographic order, lie on the hexagon that they are.
const HEXAGON: [u64; 6] = [0, 3, 1, 4, 2, 5];

impl StarGraph {
    /// Permutations with the same last symbol are a star graph of one symbol less; three symbols make a hexagon. Each cell
    /// is turned with its place, so that what has no link to another cell is away from it.
    fn plan(&self) -> Plan {
        let mut plan = Plan::ring(FACTORIALS[self.symbols().min(3)]);
        for symbols in 4..=self.n {
            let by = match symbols {
                4 => 1.0 / 12.0,
                5 => -0.25,
                _ => 0.5 / (symbols - 1) as f64 - 0.5,
            };
            let cells = Plan::of(Shape::Turned { places: symbols, by });
            plan = cells.around(&plan, 0, Held::Cluster);
        }
        if self.n > 3 {
            let links = FACTORIALS[self.symbols() - 2];
            plan = plan.joined(Joints::EveryTwo { layers: 1, links, opposite: 0 });
        }
        let (seats, sitters) = (self.clone(), self.clone());
        plan.seated(move |at| seats.seat(at)).sat_by(move |place| Some(sitters.sitter(place)))
    }

    /// The last symbol, the one before it counted from there around all that are left, and so on; the first three as a
    /// hexagon, which every second cell has the other way round.
    fn seat(&self, at: Node) -> u64 {
        let permutation = self.permutation(at);
        let mut free: Vec<u8> = (0..).take(self.symbols()).collect();
        let rank = |free: &[u8], symbol| free.iter().take_while(|&&other| other != symbol).count();
        let (mut place, mut half) = (0, 0);
        for last in (3..self.symbols()).rev() {
            let symbol = rank(&free, permutation[last]);
            place = place * (last as u64 + 1) + symbol as u64;
            half = symbol as u64 % 2 * 3;
            free.rotate_left(symbol);
            free.remove(0);
        }
        let sides = free.len();
        let mut first = 0;
        for (at, &symbol) in permutation[..sides].iter().enumerate() {
            let symbol = rank(&free, symbol);
            free.remove(symbol);
            first += symbol * usize::try_from(FACTORIALS[sides - 1 - at]).unwrap_or(1);
        }
        let first = if sides < 3 { first as u64 } else { (HEXAGON[first] + half) % 6 };
        place * FACTORIALS[sides] + first
    }

    /// Who sits at a place.
    fn sitter(&self, place: u64) -> Node {
        let n = self.symbols();
        let sides = n.min(3);
        let (mut rest, mut first) = (place / FACTORIALS[sides], place % FACTORIALS[sides]);
        let mut ranks = vec![0; n];
        for (last, rank) in ranks.iter_mut().enumerate().skip(3) {
            *rank = usize::try_from(rest % (last as u64 + 1)).unwrap_or(0);
            rest /= last as u64 + 1;
        }
        let mut free: Vec<u8> = (0..).take(n).collect();
        let mut permutation = [0; MAX_SYMBOLS];
        for last in (3..n).rev() {
            free.rotate_left(ranks[last]);
            permutation[last] = free.remove(0);
        }
        if sides == 3 {
            let half = ranks.get(3).map_or(0, |rank| rank % 2 * 3) as u64;
            let on_hexagon = (first + half) % 6;
            first =
                (0..).zip(HEXAGON).find(|(_, at)| *at == on_hexagon).map_or(0, |(rank, _)| rank);
        }
        for (at, symbol) in permutation[..sides].iter_mut().enumerate() {
            let weight = FACTORIALS[sides - 1 - at];
            *symbol = free.remove(usize::try_from(first / weight).unwrap_or(0));
            first %= weight;
        }
        self.rank(&permutation)
    }
}

impl Network for StarGraph {
    fn order(&self) -> u64 {
        FACTORIALS[self.symbols()]
    }

    fn ports(&self) -> u32 {
        u32::try_from(self.n - 1).expect("only built up to 20!")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port.0 >= self.ports() {
            return None;
        }
        let mut permutation = self.permutation(at);
        permutation.swap(0, port.0 as usize + 1);
        Some(self.rank(&permutation))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let permutation = self.permutation(at);
        for port in 0..self.ports() {
            let mut exchanged = permutation;
            exchanged.swap(0, port as usize + 1);
            visit(Port(port), self.rank(&exchanged));
        }
    }

    fn address(&self, at: Node) -> Address {
        let permutation = self.permutation(at);
        Address::numbers(permutation[..self.symbols()].iter().map(|&symbol| symbol.into()))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let n = self.symbols();
        let symbols = address.as_numbers(n)?;
        let mut permutation = [0; MAX_SYMBOLS];
        let mut seen = [false; MAX_SYMBOLS];
        for (place, &symbol) in permutation.iter_mut().zip(&symbols) {
            let index = usize::try_from(symbol).ok().filter(|&symbol| symbol < n)?;
            if std::mem::replace(&mut seen[index], true) {
                return None;
            }
            *place = u8::try_from(symbol).ok()?;
        }
        Some(self.rank(&permutation))
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(FACTORIALS[self.symbols()])
    }

    /// The cycles of what turns one permutation into the other, by positions: each of length ℓ ≥ 2 takes ℓ + 1
    /// exchanges, and two less where position 0 is in it.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let n = self.symbols();
        let (p, q) = (self.permutation(from), self.permutation(to));
        let mut position = [0; MAX_SYMBOLS];
        for (place, &symbol) in p[..n].iter().enumerate() {
            position[usize::from(symbol)] = place;
        }
        let mut seen = [false; MAX_SYMBOLS];
        let mut exchanges = 0;
        for start in 0..n {
            let (mut length, mut at) = (0, start);
            while !std::mem::replace(&mut seen[at], true) {
                length += 1;
                at = position[usize::from(q[at])];
            }
            if length >= 2 {
                exchanges += if start == 0 { length - 1 } else { length + 1 };
            }
        }
        Some(exchanges)
    }
}

impl Theory for StarGraph {
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(self.n - 1, self.order.clone())
    }

    /// ⌊3(n-1)/2⌋, by as many cycles of length 2 away from position 0 as there can be.
    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(3 * (self.n - 1) / 2))
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.distances_from_zero()?.scaled(&self.order))
    }

    /// Let F_N count permutations of N symbols by the sum of ℓ + 1 over their cycles of length ℓ ≥ 2. From the
    /// exponential generating function of cycles, F_(N+1) = (1 + N·x)·F_N - N·x·(1 - x²)·F_(N-1).
    /// Those of n symbols that move position 0, F_n - F_(n-1), are two exchanges nearer.
    fn distances_from_zero(&self) -> Option<Distances> {
        if self.n > MAX_COUNTED {
            return None;
        }
        let (mut before, mut last) = (Distances::new([1u8]), Distances::new([1u8]));
        for size in 1..self.n {
            let more = last.shifted(1).plus(&before.shifted(3)).minus(&before.shifted(1));
            let next = last.plus(&more.scaled(&size.into()));
            before = std::mem::replace(&mut last, next);
        }
        let moved = last.minus(&before);
        Some(before.plus(&Distances::new(moved.counts().iter().skip(2).cloned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::{distances_from, spheres_of};

    #[test]
    fn neighbors_within_three_symbols_are_neighbors_on_their_hexagon() {
        for n in 1..=6 {
            let star = StarGraph { n, order: FACTORIALS[usize::try_from(n).unwrap()].into() };
            let plan = star.plan();
            for at in (0..Network::order(&star)).map(Node) {
                assert_eq!(plan.node_at(plan.place_of(at)), Some(at));
                for port in (0..2).map(Port) {
                    let Some(to) = star.neighbor(at, port).filter(|_| n >= 3) else { continue };
                    let (a, b) = (plan.place_of(at), plan.place_of(to));
                    assert!(a / 6 == b / 6 && [1, 5].contains(&a.abs_diff(b)), "{at:?} {to:?}");
                }
            }
        }
    }

    fn star_graph(n: u64) -> StarGraph {
        StarGraph { n, order: (1..=n).map(BigUint::from).product() }
    }

    #[test]
    fn ranks_are_lexicographic() {
        let network = star_graph(5);
        let all: Vec<Permutation> = (0..120).map(|id| network.permutation(Node(id))).collect();
        assert!(all.is_sorted_by(|a, b| a < b));
        for (id, permutation) in (0..).zip(&all) {
            assert_eq!(network.rank(permutation), Node(id));
        }
        assert_eq!(network.address(Node(0)).to_string(), "(0,1,2,3,4)");
        assert_eq!(network.address(Node(119)).to_string(), "(4,3,2,1,0)");
        assert_eq!(network.node(&Address::numbers([0, 0, 1, 2, 3])), None);
    }

    #[test]
    fn distances_by_search() {
        for n in 1..=7 {
            let network = star_graph(n);
            let from = Node(Network::order(&network) / 3);
            let distances = distances_from(&network, from);
            for (to, &found) in (0..).zip(&distances) {
                assert_eq!(network.distance(from, Node(to)), Some(found.into()));
            }
            let counts = Distances::new(spheres_of(&distances));
            assert_eq!(network.distances_from_zero(), Some(counts));
            let longest = network.distances_from_zero().unwrap().longest();
            assert_eq!(network.diameter(), Some(Bounded::theorem(longest)), "n = {n}");
        }
    }

    #[test]
    fn the_largest_that_is_built_and_beyond() {
        let network = star_graph(20);
        let last = Node(Network::order(&network) - 1);
        assert_eq!(network.node(&network.address(last)), Some(last));
        assert_eq!(network.neighbor(last, Port(18)).map(|to| to.0 < last.0), Some(true));
        let beyond = star_graph(256);
        let distances = beyond.distances_from_zero().unwrap();
        assert_eq!(distances.pairs(), beyond.order);
        assert_eq!(beyond.diameter(), Some(Bounded::theorem(distances.longest())));
    }
}
