//! Ascend, descend and emulation on swapped networks.
//!
//! # Definition
//! Sections 3.2, 3.3 and 4. Digit by digit a logical address is the address of the node. The ascend algorithm on
//! RSN(l, G) ascends in every cluster, exchanges all items over the level-l links, ascends in every cluster again and
//! exchanges back; leaders keep their items. Emul(j, l, n) is the part of it that serves the one dimension j. HSN serves
//! digit i between two exchanges over its level-i links. Descend is the reverse. The swapped networks of Section 5.1
//! with smaller steps do the same with the h bits on top, which are exchanged with the h bits from `at` on.
//!
//! # Where we differ
//! T(l) = 2·T(l-1) + 2 gives 2^(l-1)·T(1) + 2^l - 2 steps; the paper prints 2 more. Diameter links are not used.

use super::general::General;
use super::hierarchical::Hierarchical;
use super::recursive::Swapped;
use nestnet_collectives::program::{Arrange, Layout, Step};
use nestnet_graph::{Network, Node, Port};
use std::ops::Range;
use std::sync::Arc;

/// The part of `dimensions` that belongs to digit `digit` of `width` dimensions, counted from its first.
fn part(dimensions: &Range<usize>, digit: usize, width: usize) -> Range<usize> {
    let within = |dimension: usize| dimension.clamp(digit * width, (digit + 1) * width);
    let (start, end) = (within(dimensions.start), within(dimensions.end));
    start - digit * width..end - digit * width
}

impl Arrange for Swapped {
    fn over(&self, base: Arc<dyn Layout>) -> Arc<dyn Layout> {
        let factors = [base.factors(), base.factors()].concat();
        Arc::new(Recursive { base, factors, n: self.n, swap: self.swap })
    }
}

/// One level of swapping: two digits, of which each is an address of the base.
#[derive(Debug)]
struct Recursive {
    base: Arc<dyn Layout>,
    factors: Vec<Arc<dyn Network>>,
    n: u64,
    swap: Port,
}

impl Recursive {
    /// All nodes but the leaders exchange items.
    fn exchange(&self) -> Step {
        let (n, swap) = (self.n, self.swap);
        Step::carry(move |at| (at.0 / n != at.0 % n).then_some(swap))
    }

    fn parts(&self, dimensions: &Range<usize>) -> [Range<usize>; 2] {
        let width = self.base.factors().len();
        [part(dimensions, 0, width), part(dimensions, 1, width)]
    }
}

impl Layout for Recursive {
    fn factors(&self) -> &[Arc<dyn Network>] {
        &self.factors
    }

    fn logical(&self, at: Node) -> u64 {
        let digit = |id| self.base.logical(Node(id));
        digit(at.0 / self.n) * self.n + digit(at.0 % self.n)
    }

    fn ascend(&self, dimensions: Range<usize>) -> Vec<Step> {
        let [low, high] = self.parts(&dimensions);
        let in_clusters = |part: Range<usize>| {
            self.base.ascend(part).into_iter().map(|step| step.in_copies(self.n))
        };
        // Phase 1.
        let mut steps: Vec<Step> = in_clusters(low).collect();
        if !high.is_empty() {
            // Phases 2, 3 and 4.
            steps.push(self.exchange());
            steps.extend(in_clusters(high));
            steps.push(self.exchange());
        }
        steps
    }

    /// T(l) = 2·T(l-1) + 2, or as much of it as the dimensions need.
    fn steps(&self, dimensions: Range<usize>) -> u64 {
        let [low, high] = self.parts(&dimensions);
        let exchanges = if high.is_empty() { 0 } else { 2 };
        self.base.steps(low) + self.base.steps(high) + exchanges
    }

    /// T_q(l) = T_q(l-1) + 2, which is 2l - 1 on a nucleus that takes one step.
    fn slowest(&self) -> u64 {
        self.base.slowest() + 2
    }

    fn transpose(&self) -> Option<Step> {
        Some(self.exchange())
    }
}

impl Arrange for Hierarchical {
    fn over(&self, base: Arc<dyn Layout>) -> Arc<dyn Layout> {
        let factors = vec![base.factors(); self.levels as usize].concat();
        let first = self.nucleus.ports();
        Arc::new(Digits { base, factors, n: self.n, levels: self.levels, first })
    }
}

/// Many digits, which are exchanged with the last one by one.
#[derive(Debug)]
struct Digits {
    base: Arc<dyn Layout>,
    factors: Vec<Arc<dyn Network>>,
    n: u64,
    levels: u32,
    /// The port of level 2.
    first: u32,
}

impl Digits {
    /// All nodes whose last digit differs from the other exchange items.
    fn exchange(&self, digit: u32) -> Step {
        let (n, place, port) = (self.n, self.n.pow(digit), Port(self.first + digit - 1));
        Step::carry(move |at| (at.0 / place % n != at.0 % n).then_some(port))
    }

    /// For each digit the dimensions of it that are among these.
    fn parts(&self, dimensions: &Range<usize>) -> Vec<(u32, Range<usize>)> {
        let width = self.base.factors().len();
        let parts = (0..self.levels).zip(0..);
        let parts = parts.map(|(digit, index)| (digit, part(dimensions, index, width)));
        parts.filter(|(_, part)| !part.is_empty()).collect()
    }
}

impl Layout for Digits {
    fn factors(&self) -> &[Arc<dyn Network>] {
        &self.factors
    }

    fn logical(&self, at: Node) -> u64 {
        let digits = (0..self.levels).map(|digit| {
            let place = self.n.pow(digit);
            self.base.logical(Node(at.0 / place % self.n)) * place
        });
        digits.sum()
    }

    fn ascend(&self, dimensions: Range<usize>) -> Vec<Step> {
        let mut steps = Vec::new();
        for (digit, part) in self.parts(&dimensions) {
            let exchange = (digit > 0).then(|| self.exchange(digit));
            steps.extend(exchange.clone());
            steps.extend(self.base.ascend(part).into_iter().map(|step| step.in_copies(self.n)));
            steps.extend(exchange);
        }
        steps
    }

    /// l·T(1) + 2(l - 1), or as much of it as the dimensions need.
    fn steps(&self, dimensions: Range<usize>) -> u64 {
        let digit = |(digit, part)| self.base.steps(part) + if digit > 0 { 2 } else { 0 };
        self.parts(&dimensions).into_iter().map(digit).sum()
    }

    fn slowest(&self) -> u64 {
        self.base.slowest() + if self.levels > 1 { 2 } else { 0 }
    }
}

impl Arrange for General {
    /// Bits are exchanged one for one, so that those of the logical address must be those of the id.
    fn suits(&self, base: &dyn Layout) -> bool {
        let same = |bit: u64| base.logical(Node(1 << bit)) == 1 << bit;
        base.factors().iter().all(|factor| factor.order() == 2) && (0..self.shape().0).all(same)
    }

    fn over(&self, base: Arc<dyn Layout>) -> Arc<dyn Layout> {
        let (k, h, at, swap) = self.shape();
        let mut factors = base.factors().to_vec();
        let bit = factors.first().cloned();
        factors.extend((0..h).filter_map(|_| bit.clone()));
        let [low, high] = [at, at + h].map(|bit| usize::try_from(bit).expect("at most 63 bits"));
        Arc::new(Smaller { base, factors, k, h, at, partners: low..high, swap })
    }
}

/// Some bits on top of a base, which are exchanged with some of its bits.
#[derive(Debug)]
struct Smaller {
    base: Arc<dyn Layout>,
    factors: Vec<Arc<dyn Network>>,
    k: u64,
    h: u64,
    at: u64,
    /// The dimensions of the base with which the new ones are exchanged.
    partners: Range<usize>,
    swap: Port,
}

impl Smaller {
    /// All nodes whose new bits differ from the others exchange items.
    fn exchange(&self) -> Step {
        let Smaller { k, h, at, swap, .. } = *self;
        let register = (1u64 << h) - 1;
        Step::carry(move |node| ((node.0 >> k ^ node.0 >> at) & register != 0).then_some(swap))
    }

    /// The dimensions of the base that are asked for, and those that serve the new ones.
    fn parts(&self, dimensions: &Range<usize>) -> [Range<usize>; 2] {
        let width = self.base.factors().len();
        let first = self.partners.start;
        let new = part(dimensions, 1, width);
        let low = dimensions.start.min(width)..dimensions.end.min(width);
        [low, first + new.start..first + new.end]
    }
}

impl Layout for Smaller {
    fn factors(&self) -> &[Arc<dyn Network>] {
        &self.factors
    }

    fn logical(&self, at: Node) -> u64 {
        let below = (1u64 << self.k) - 1;
        // The new bits are named as those that take their place.
        at.0 & !below | self.base.logical(Node(at.0 & below))
    }

    fn ascend(&self, dimensions: Range<usize>) -> Vec<Step> {
        let [low, high] = self.parts(&dimensions);
        let in_copies = |part: Range<usize>| {
            self.base.ascend(part).into_iter().map(|step| step.in_copies(1 << self.k))
        };
        let mut steps: Vec<Step> = in_copies(low).collect();
        if !high.is_empty() {
            steps.push(self.exchange());
            steps.extend(in_copies(high));
            steps.push(self.exchange());
        }
        steps
    }

    fn steps(&self, dimensions: Range<usize>) -> u64 {
        let [low, high] = self.parts(&dimensions);
        let exchanges = if high.is_empty() { 0 } else { 2 };
        self.base.steps(low) + self.base.steps(high) + exchanges
    }

    /// That of the base, or of those of its dimensions that serve the new ones between two exchanges.
    fn slowest(&self) -> u64 {
        let new = self.partners.clone().map(|bit| self.base.steps(bit..bit + 1) + 2).max();
        self.base.slowest().max(new.unwrap_or(0))
    }
}
