//! Swapped networks with smaller steps, and partially linked ones, one level at a time.
//!
//! # Definition
//! 2^h copies of a base of 2^k nodes. The level's link exchanges the h new top bits with bits at..at+h-1 of the
//! address below. Partially linked: only where `x & mask == value`, at both ends.
//!
//! # Numbering
//! The id is the bit string, new bits on top.
//!
//! # Where we differ
//! Section 5.1 speaks of swapping "the most significant 4 bits" and does not define with which; its remark that every
//! small cluster reaches all others means the low ones (`at` 0). Section 5.2 names bits 7..4 (`at` 4, mask 1, value 0).

use crate::family::built::fits;
use crate::family::{ArgError, Args, Built};
use nestnet_draw::view::Cord;
use nestnet_draw::{Joints, Plan, Tally};
use nestnet_graph::bulk_neighbors::{Reach, Shifted, mark};
use nestnet_graph::network::mark_neighbors;
use nestnet_graph::radix::MAX_BITS;
use nestnet_graph::theory::{Bounded, Degrees, Theory, moore_diameter};
use nestnet_graph::{Address, Network, Node, Port};
use nestnet_routing::route::{Leg, Lift};
use nestnet_routing::{Header, Hop};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let base = args.network("base");
    let (h, at) = (args.integer("h"), args.integer("at"));
    let order = base.order();
    let k = order.bits() - 1;
    if order != BigUint::one() << k {
        let message = format!("must have a power of two of nodes, and it has {order}");
        return Err(ArgError::new("base", message));
    }
    if h > k {
        return Err(ArgError::new("h", format!("must be at most {k}, the bits of the base")));
    }
    if at > k - h {
        let message =
            format!("must be at most {}, so that {h} bits of the base's {k} follow", k - h);
        return Err(ArgError::new("at", message));
    }
    if k + h > MAX_BITS {
        return Err(ArgError::new("h", format!("must keep the address within {MAX_BITS} bits")));
    }
    let mask = args.optional_integer("mask").unwrap_or(0);
    let value = args.optional_integer("value").unwrap_or(0);
    if k + h < 64 && mask >> (k + h) != 0 {
        return Err(ArgError::new("mask", format!("must be below 2^{}", k + h)));
    }
    if value & !mask != 0 {
        return Err(ArgError::new("value", format!("must have no bit outside the mask {mask}")));
    }
    let rule = Rule { k, h, at, mask, value };
    let network = base.base().filter(|_| fits(&(BigUint::one() << (k + h))));
    let network = network.map(|base| Arc::new(General { base, rule: rule.clone() }));
    let whole = network.clone().map(|network| network as Arc<dyn Network>);
    let built = Built::new(GeneralTheory { base: base.clone(), rule: rule.clone() }, whole);
    let built = built.with_drawing(base, || {
        let copies = Plan::cube(u32::try_from(h.min(63)).expect("at most 63"));
        let plan = base.plan_inside(&copies);
        match rule.joints(&plan, &copies) {
            Some(joints) => plan.joined(joints),
            None => plan,
        }
    });
    // Where some nodes have no link to swap over, items cannot be exchanged as the emulation needs it.
    let arranged = network.clone().filter(|_| mask == 0);
    let built = built.with_own_lifted_router("direct", network, base);
    Ok(if mask == 0 { built.with_layout(arranged, base) } else { built })
}

/// Which bits are exchanged, and where.
#[derive(Clone, Debug)]
struct Rule {
    k: u64,
    h: u64,
    at: u64,
    mask: u64,
    value: u64,
}

impl Rule {
    /// `count` bits of `bits` from `from`; bits beyond 64 are not masked.
    fn part(bits: u64, from: u64, count: u64) -> u64 {
        let shifted = if from < 64 { bits >> from } else { 0 };
        if count < 64 { shifted & ((1 << count) - 1) } else { shifted }
    }

    /// What a register must satisfy to be exchanged, since it depends on top before or after: `(mask, value)`,
    /// or `None` when the two demands contradict each other.
    fn demand(&self) -> Option<(u64, u64)> {
        let top = (Rule::part(self.mask, self.k, self.h), Rule::part(self.value, self.k, self.h));
        let low = (Rule::part(self.mask, self.at, self.h), Rule::part(self.value, self.at, self.h));
        let both = top.0 & low.0;
        (top.1 & both == low.1 & both).then_some((top.0 | low.0, top.1 | low.1))
    }

    /// How many values a register may have: 2^h, less the masked bits.
    fn registers(&self) -> BigUint {
        match self.demand() {
            Some((mask, _)) => BigUint::one() << (self.h - u64::from(mask.count_ones())),
            None => BigUint::ZERO,
        }
    }

    /// How many links join the copies, which `copies` tells apart in `plan`, where that is a number.
    fn joints(&self, plan: &Plan, copies: &Plan) -> Option<Joints> {
        let layers = copies.layers().len();
        let free = (self.k - self.h).checked_sub(self.masked_others())?;
        let links = 1u64.checked_shl(u32::try_from(free).ok()?)?;
        if self.mask == 0 {
            return Some(Joints::EveryTwo { layers, links, opposite: 0 });
        }
        let bits = copies.layers().iter().map(|layer| layer.shape.places().ilog2()).collect();
        let (mask, value) = self.demand()?;
        let level = plan.layers().first()?.level;
        Some(Joints::ByRule(Arc::new(Swaps { bits, mask, value, links, level })))
    }

    /// How many of the other bits are masked.
    fn masked_others(&self) -> u64 {
        let all = u64::from(self.mask.count_ones());
        let top = Rule::part(self.mask, self.k, self.h).count_ones();
        all - u64::from(top + Rule::part(self.mask, self.at, self.h).count_ones())
    }
}

/// Links between the copies that the mask joins.
#[derive(Debug)]
struct Swaps {
    /// How many bits of a copy's number each layer tells.
    bits: Vec<u32>,
    /// Which copies are joined.
    mask: u64,
    value: u64,
    /// By how many links every two of them.
    links: u64,
    level: u16,
}

impl Swaps {
    /// How many copies of those whose number begins like this are joined, where `rest` bits follow.
    fn joined(&self, first: u64, rest: u32) -> BigUint {
        let below = (1u64 << rest) - 1;
        if (first << rest ^ self.value) & self.mask & !below != 0 {
            return BigUint::ZERO;
        }
        BigUint::one() << (rest - (self.mask & below).count_ones())
    }
}

impl Tally for Swaps {
    fn count(&self, path: &[u64], shown: usize) -> Option<u128> {
        let informed = self.bits.get(path.len()..path.len() + shown)?;
        Some(1 << (2 * informed.iter().sum::<u32>()).min(127))
    }

    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord> {
        let (outside, informed) = self.bits.split_at(path.len());
        let before = outside.iter().zip(path).fold(0, |at, (bits, digit)| at << bits | digit);
        let here: u32 = informed[..shown].iter().sum();
        let rest: u32 = informed[shown..].iter().sum();
        let joined = |cell: usize| self.joined(before << here | cell as u64, rest);
        let cells: Vec<BigUint> = (0..1usize << here).map(joined).collect();
        let pairs =
            (0..cells.len()).flat_map(|from| (from + 1..cells.len()).map(move |to| (from, to)));
        let cord = |(from, to): (usize, usize)| {
            let links = &cells[from] * &cells[to] * self.links;
            Cord { level: self.level, from, to, links }
        };
        pairs.map(cord).filter(|cord| cord.links != BigUint::ZERO).collect()
    }
}

/// One level on a base.
#[derive(Debug)]
pub struct General {
    base: Arc<dyn Network>,
    rule: Rule,
}

impl General {
    fn width(&self) -> u32 {
        u32::try_from(self.rule.k + self.rule.h).expect("at most 63 bits")
    }

    fn swap(&self, at: Node) -> Option<Node> {
        let Rule { k, h, at: low, mask, value } = self.rule;
        let register = (1u64 << h) - 1;
        let changed = (at.0 >> k ^ at.0 >> low) & register;
        let to = at.0 ^ (changed << k | changed << low);
        let linked = |x: u64| x & mask == value;
        (changed != 0 && linked(at.0) && linked(to)).then_some(Node(to))
    }

    fn inner(&self, at: Node) -> Node {
        Node(at.0 & ((1 << self.rule.k) - 1))
    }
}

impl General {
    /// How many bits the base has, how many are new, the lowest of those that they are exchanged with, and the port.
    pub(super) fn shape(&self) -> (u64, u64, u64, Port) {
        (self.rule.k, self.rule.h, self.rule.at, Port(self.base.ports()))
    }
}

impl Network for General {
    fn order(&self) -> u64 {
        1 << (self.rule.k + self.rule.h)
    }

    fn ports(&self) -> u32 {
        self.base.ports() + 1
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port.0 == self.base.ports() {
            return self.swap(at);
        }
        let inner = self.inner(at);
        self.base.neighbor(inner, port).map(|to| Node(at.0 - inner.0 + to.0))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let inner = self.inner(at);
        let first = at.0 - inner.0;
        self.base.for_each_neighbor(inner, &mut |port, to| visit(port, Node(first + to.0)));
        if let Some(to) = self.swap(at) {
            visit(Port(self.base.ports()), to);
        }
    }

    fn reach(&self) -> Option<&dyn Reach> {
        Some(self)
    }

    fn address(&self, at: Node) -> Address {
        Address::bits(at.0, self.width())
    }

    fn node(&self, address: &Address) -> Option<Node> {
        address.as_bits(self.width()).map(Node)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        if port.0 == self.base.ports() {
            return self.base.levels();
        }
        self.base.level(self.inner(at), port)
    }

    fn levels(&self) -> u16 {
        self.base.levels() + 1
    }
}

impl Reach for General {
    fn mark_neighbors(&self, at: &[Shifted], marks: &mut [u64]) {
        let mut parts = Vec::with_capacity(at.len());
        for &Shifted { node, offset } in at {
            let inner = self.inner(Node(node)).0;
            parts.push(Shifted { node: inner, offset: offset + (node - inner) });
            if let Some(to) = self.swap(Node(node)) {
                mark(marks, offset + to.0);
            }
        }
        mark_neighbors(&*self.base, &parts, marks);
    }
}

/// The routing that the swap implies: inside the copy to the node that the target's copy is linked to, which agrees
/// with the target wherever it may, over the link, and inside.
impl Lift for General {
    fn classes(&self) -> u16 {
        2
    }

    fn longest(&self, base: u64) -> u64 {
        base.saturating_mul(2).saturating_add(1)
    }

    fn inner(&self, at: Node) -> Node {
        General::inner(self, at)
    }

    fn next(&self, copy: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
        const BEFORE: u16 = 0;
        const LAST: u16 = 1;
        let Rule { k, h, at: low, mask, value } = self.rule;
        let [here, there] = [at, header.to].map(|node| General::inner(self, node).0);
        let wanted = header.to.0 >> k;
        if at.0 >> k == wanted {
            return copy.hop(here, there, header, LAST);
        }
        let field = ((1u64 << h) - 1) << low;
        let linked = there & !field & !mask | value & !field & ((1 << k) - 1) | wanted << low;
        self.swap(Node(at.0 - here + linked))?;
        if here == linked {
            return Some(Hop { port: Port(self.base.ports()), vc: copy.first(LAST), header });
        }
        copy.hop(here, linked, header, BEFORE)
    }
}

/// Irregular bases up to this order are counted node by node.
const MAX_COUNTED: u64 = 1 << 20;

/// What is proven of one level.
#[derive(Debug)]
pub struct GeneralTheory {
    base: Built,
    rule: Rule,
}

impl GeneralTheory {
    /// How many nodes have the level's link.
    fn linked(&self) -> BigUint {
        let registers = self.rule.registers();
        let pairs = &registers * &registers - &registers;
        pairs << (self.rule.k - self.rule.h - self.rule.masked_others())
    }

    /// Of the copies of one base node, how many have the level's link.
    fn linked_copies(&self, inner: u64) -> BigUint {
        let Rule { k, h, at, mask, value } = self.rule;
        let field = Rule::part(inner, at, h);
        let fits = self.rule.demand().is_some_and(|(mask, value)| field & mask == value);
        let others = !(((1u64 << h) - 1) << at) & ((1 << k) - 1);
        if fits && inner & mask & others == value & others {
            self.rule.registers() - 1u8
        } else {
            BigUint::ZERO
        }
    }
}

impl GeneralTheory {
    /// The degrees, and as many links as cables.
    fn cable_degrees(&self) -> Degrees {
        let base = self.base.theory.degrees();
        let linked = self.linked();
        if let Some(degree) = base.regular_degree() {
            let rest = self.order() - &linked;
            return Degrees::counted([(degree, rest), (degree.saturating_add(1), linked)]);
        }
        let copies = BigUint::one() << self.rule.h;
        let counted = self.base.example().filter(|network| network.order() <= MAX_COUNTED);
        match counted {
            Some(network) => Degrees::counted((0..network.order()).flat_map(|inner| {
                let mut degree = 0;
                network.for_each_neighbor(Node(inner), &mut |_, _| degree += 1);
                let linked = self.linked_copies(inner);
                [(degree, &copies - &linked), (u64::saturating_add(degree, 1), linked)]
            })),
            None => Degrees::bounded(
                base.cables * copies + linked / 2u8,
                base.min,
                base.max.saturating_add(1),
            ),
        }
    }
}

impl Theory for GeneralTheory {
    fn order(&self) -> BigUint {
        self.base.order() << self.rule.h
    }

    fn degrees(&self) -> Degrees {
        self.cable_degrees()
            .with_copies(&self.base.theory.degrees(), &(BigUint::one() << self.rule.h))
    }

    /// Copies that the mask excludes are cut off, and any others are all joined to each other.
    fn connected(&self) -> bool {
        self.rule.demand().is_some_and(|(mask, _)| mask == 0)
    }

    /// From any copy to any other by one link, with a path inside the base on either side.
    fn diameter(&self) -> Option<Bounded> {
        let inner = self.base.theory.diameter()?;
        let low = moore_diameter(&self.order(), self.degrees().max);
        self.connected().then(|| Bounded::between(low, inner.high * 2u8 + 1u8))
    }
}

#[cfg(test)]
mod tests {
    use crate::build;
    use num_bigint::BigUint;

    #[test]
    fn bits_of_an_address_are_added_up() {
        // A product of as many bits would be too long to compute with.
        let built = build("sn(hypercube(400), 400, 0)").unwrap();
        assert_eq!(built.theory.order(), BigUint::from(1u8) << 800);
    }
}
