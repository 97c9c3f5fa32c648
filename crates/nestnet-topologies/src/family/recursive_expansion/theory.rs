//! What is proven of recursive expansion at any size.

use super::frames::Frames;
use super::plans::{Chosen, Pivot, Plans};
use super::sets::apart;
use super::tour::Tours;
use crate::family::Built;
use nestnet_graph::distances::is_quick;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::theory::{Bounded, Degrees, Theory, moore_diameter};
use nestnet_graph::{Distances, Network, Node};
use num_bigint::BigUint;
use num_traits::One;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What is proven of an expanded network.
#[derive(Debug)]
pub struct ExpansionTheory {
    unit: Built,
    frames: Frames,
    pivots: Vec<Pivot>,
    /// Sets that were given or found.
    sets: Option<Chosen>,
    /// The pivots, where every phase has one: ascending, each once.
    stops: Vec<u64>,
    order: BigUint,
    /// Made when first asked for.
    tours: OnceLock<Option<Tours>>,
}

/// What a phase adds at one unit position: its kind of frame and, of a block, offset and size.
type Share = (usize, u64, u64);

/// The unit positions that phases use, ascending.
struct Used {
    /// The position of every share.
    at: Vec<u64>,
    /// In the order of positions, and of phases there.
    shares: Vec<Share>,
}

impl Used {
    fn by(kinds: &[usize], pivots: &[Pivot]) -> Self {
        let mut all: Vec<(u64, Share)> = Vec::with_capacity(pivots.len());
        for (&kind, pivot) in kinds.iter().zip(pivots) {
            match pivot {
                Pivot::At(u) | Pivot::Node(u) => all.push((*u, (kind, 0, 1))),
                several => {
                    let (members, size) = (several.members().unwrap_or_default(), several.places());
                    all.extend((0..).zip(members).map(|(offset, at)| (at, (kind, offset, size))));
                }
            }
        }
        all.sort_by_key(|&(at, _)| at);
        let (at, shares) = all.into_iter().unzip();
        Used { at, shares }
    }

    /// Each position with all that is added there.
    fn positions(&self) -> impl Iterator<Item = (u64, &[Share])> {
        let mut first = 0;
        self.at.chunk_by(|a, b| a == b).map(move |same| {
            let shares = &self.shares[first..first + same.len()];
            first += same.len();
            (same[0], shares)
        })
    }
}

impl ExpansionTheory {
    pub(super) fn new(unit: Built, frames: Frames, plans: Plans, order: BigUint) -> Self {
        let (stops, Plans { pivots, sets }) = (plans.stops(), plans);
        ExpansionTheory { unit, frames, pivots, sets, stops, order, tours: OnceLock::new() }
    }

    /// What is known of the degrees of each kind of frame.
    fn frame_degrees(&self) -> Vec<Degrees> {
        self.frames.kinds().map(|(frame, _)| frame.theory.degrees()).collect()
    }

    /// How many copies of the unit there are for each choice of the digits that matter at one position.
    fn degrees_counted(&self, used: &Used, frames: &[Degrees]) -> Option<Degrees> {
        /// More classes of positions than these are bounded, not listed.
        const MAX_CLASSES: u64 = 1 << 12;
        // Long numbers take longer.
        let most = MAX_CLASSES.min((1 << 21) / self.order.bits().max(1));
        let unit = self.unit.theory.degrees();
        let regular = unit.regular_degree();
        let copies = &self.order / self.unit.order();
        // Positions that look alike: their degree in the unit, and what is added there.
        let mut alike = BTreeMap::<(u64, &[Share]), u64>::new();
        let mut rest = unit.counts?;
        for (u, shares) in used.positions() {
            let degree = regular.or_else(|| self.unit.degree_of(Node(u)))?;
            *rest.get_mut(&degree)? -= 1u8;
            *alike.entry((degree, shares)).or_default() += 1;
        }
        let mut classes: Vec<(u64, BigUint)> =
            rest.into_iter().map(|(degree, nodes)| (degree, nodes * &copies)).collect();
        for ((degree, shares), positions) in alike {
            let mut sums = BTreeMap::from([(degree, BigUint::one())]);
            let mut choices = BigUint::one();
            for &(frame, offset, size) in shares {
                let counts = frames[frame].counts.as_ref()?;
                let mut next = BTreeMap::<u64, BigUint>::new();
                for (sum, combinations) in &sums {
                    for (links, nodes) in counts {
                        // Of the ranks below `links`, those congruent to the offset.
                        let dealt = links.saturating_sub(offset).div_ceil(size);
                        *next.entry(sum + dealt).or_default() += combinations * nodes;
                    }
                }
                sums = next;
                choices *= counts.values().sum::<BigUint>();
                if sums.len() as u64 > most {
                    return None;
                }
            }
            let others = &copies / choices * positions;
            classes.extend(
                sums.into_iter().map(|(degree, combinations)| (degree, combinations * &others)),
            );
        }
        Some(Degrees::counted(classes))
    }

    /// The number of links, and bounds on the degrees.
    fn degrees_bounded(&self, used: &Used, frames: &[Degrees]) -> Degrees {
        let unit = self.unit.theory.degrees();
        let copies = &self.order / self.unit.order();
        // A phase has a copy of its frame for each unit copy in the copies below, and above; with one node of each copy
        // as pivot, only for those above.
        let added: BigUint = if self.is_single() {
            let mut above = copies.clone();
            let kinds = self.frames.of_phase().iter().zip(self.frames.iter());
            let of_phase = kinds.map(|(&kind, frame)| {
                above /= frame.order();
                &frames[kind].cables * &above
            });
            of_phase.sum()
        } else {
            let kinds = self.frames.kinds().zip(frames);
            kinds
                .map(|((frame, times), degrees)| {
                    &degrees.cables * (&copies / frame.order()) * times
                })
                .sum()
        };
        let most = used.positions().map(|(_, shares)| {
            let dealt = |&(frame, offset, size): &Share| {
                frames[frame].max.saturating_sub(offset).div_ceil(size)
            };
            shares.iter().map(dealt).sum::<u64>()
        });
        Degrees::bounded(
            unit.cables * &copies + added,
            unit.min,
            unit.max.saturating_add(most.max().unwrap_or(0)),
        )
    }

    fn is_single(&self) -> bool {
        self.pivots.iter().any(|pivot| matches!(pivot, Pivot::Node(_)))
    }

    /// With one node of each copy as pivot, phase j adds links only where all lower digits are zero.
    fn degrees_single(&self) -> Option<Degrees> {
        let unit = self.unit.theory.degrees();
        let copies = &self.order / self.unit.order();
        let mut classes: Vec<(u64, BigUint)> =
            unit.counts.clone()?.into_iter().map(|(d, nodes)| (d, nodes * &copies)).collect();
        let mut above = copies;
        for (u, frame) in (0..).zip(self.frames.iter()) {
            let degree = unit.regular_degree().or_else(|| self.unit.degree_of(Node(u)))?;
            above /= frame.order();
            let pivots = frame.order() * &above;
            classes.iter_mut().find(|(d, _)| *d == degree)?.1 -= pivots;
            for (links, nodes) in frame.theory.degrees().counts? {
                classes.push((degree.saturating_add(links), nodes * &above));
            }
        }
        Some(Degrees::counted(classes))
    }

    fn one_pivot_a_phase(&self) -> bool {
        self.pivots.iter().all(|pivot| matches!(pivot, Pivot::At(_)))
    }

    fn stops(&self) -> u64 {
        self.stops.len() as u64
    }

    fn tours(&self) -> Option<&Tours> {
        self.tours
            .get_or_init(|| {
                let network = self.unit.example().filter(|_| self.one_pivot_a_phase())?;
                let stops: Vec<Node> = self.stops.iter().copied().map(Node).collect();
                Tours::new(&**network, &stops)
            })
            .as_ref()
    }

    /// The sum over phases of what `of` says of the frame.
    fn sum(&self, of: impl Fn(&Built) -> Option<BigUint>) -> Option<BigUint> {
        let taken = self.frames.kinds().filter(|(_, times)| *times > 0);
        taken.map(|(frame, times)| Some(of(frame)? * times)).sum()
    }

    /// Pivots that a route may have to visit: those of phases whose frame has more than one node.
    fn needed(&self) -> Vec<u64> {
        let several: Vec<bool> =
            self.frames.kinds().map(|(frame, _)| frame.order() > BigUint::one()).collect();
        let phases = self.frames.of_phase().iter().zip(&self.pivots);
        let needed = phases.filter(|(kind, _)| several[**kind]);
        let at = |(_, pivot): (&usize, &Pivot)| match pivot {
            Pivot::At(u) => Some(*u),
            _ => None,
        };
        let mut needed: Vec<u64> = needed.filter_map(at).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// The same as a set of stops, where these are few.
    fn needed_stops(&self) -> usize {
        let stop = |u: &u64| self.stops.binary_search(u).map_or(0, |stop| 1 << stop);
        self.needed().iter().fold(0, |set, u| set | stop(u))
    }

    /// Exact where every walk through the pivots can be tabulated, bounds otherwise.
    fn diameter_one_pivot(&self) -> Option<Bounded> {
        let frames = |high| {
            move |frame: &Built| {
                let known = frame.theory.diameter()?;
                Some(if high { known.high } else { known.low })
            }
        };
        let (low, high) = (self.sum(frames(false))?, self.sum(frames(true))?);
        if let Some(tours) = self.tours() {
            let walk = tours.longest(self.needed_stops());
            return Some(Bounded::between(low + walk, high + walk));
        }
        // A walk leaves every pivot but the last; a spanning tree is walked around at most once.
        let unit = self.unit.theory.diameter()?;
        let visits = self.needed().len().saturating_sub(1);
        let around = (self.unit.order() - BigUint::one()) * 2u8;
        let apart = &unit.high * (self.stops() + 1);
        Some(Bounded::between(low + unit.low.max(visits.into()), high + around.min(apart)))
    }

    /// The eccentricities of the first `r` nodes of the unit, unless that takes long to find out.
    fn eccentricities(
        &self,
        network: &dyn Network,
        r: u64,
        diameter: &BigUint,
    ) -> Option<Vec<BigUint>> {
        /// Ends of links that the searches look at, less than a second.
        const MAX_WORK: u64 = 1 << 26;
        if self.unit.theory.is_transitive() {
            return Some((0..r).map(|_| diameter.clone()).collect());
        }
        let ends = network.order().saturating_mul(network.ports().into());
        if ends.saturating_mul(r) > MAX_WORK {
            return None;
        }
        let far = |u| distances_from(network, Node(u)).into_iter().max().map(BigUint::from);
        (0..r).map(far).collect()
    }

    /// Copies hang together at one node each: what is far from it in two copies is far apart.
    fn diameter_single(&self) -> Option<Bounded> {
        let network = self.unit.example()?;
        let d = |a: u64, b: u64| network.distance(Node(a), Node(b)).map(BigUint::from);
        let unit = self.unit.theory.diameter()?;
        let mut diameter = unit.exact()?.clone();
        let r = self.frames.len() as u64;
        // The eccentricity, in the copy so far, of each node that is a pivot later.
        let mut far = self.eccentricities(&**network, r, &diameter)?;
        for (phase, frame) in (0u64..).zip(self.frames.iter()) {
            let at = usize::try_from(phase).ok()?;
            let across = frame.theory.diameter()?.exact()?.clone();
            let from_zero = frame.theory.distances_from_zero()?.longest();
            if frame.order() > BigUint::one() {
                let beyond = far[at].clone();
                diameter = diameter.max(&beyond * 2u8 + across);
                for (u, far) in (0..r).zip(&mut far) {
                    let through = d(u, phase)? + from_zero + &beyond;
                    if *far < through {
                        *far = through;
                    }
                }
            }
        }
        Some(Bounded::theorem(diameter))
    }

    /// Pairs by distance when one end is among `starts`: the digits of pivots in a set S differ, the others agree.
    ///
    /// `pairs` and `equal` give, for a frame, all pairs of digits by distance and those that are equal.
    fn distribution(
        &self,
        starts: std::ops::Range<usize>,
        pairs: impl Fn(&Built) -> Option<Distances>,
        equal: impl Fn(&Built) -> BigUint,
    ) -> Option<Distances> {
        /// Tours times sets of stops that are looked at: a few seconds.
        const MAX_WORK: usize = 1 << 31;
        /// Kinds of pivots, each with a distribution of its own in every set of stops.
        const MAX_KINDS: usize = 1 << 10;
        let tours = self.tours()?;
        let stops = usize::try_from(self.stops()).ok()?;
        let work = starts.len().checked_mul(tours.order())?.checked_mul((stops + 1) << stops)?;
        if work > MAX_WORK {
            return None;
        }
        // For each pivot: pairs of its digits that differ somewhere, and those that agree; equal ones are one kind.
        let mut kinds: Vec<(Distances, BigUint)> = Vec::new();
        let mut kind_of = Vec::new();
        for &u in &self.stops {
            let at = |(_, pivot): &(&Built, &Pivot)| **pivot == Pivot::At(u);
            let (mut all, mut agree) = (Distances::new([1u8]), BigUint::one());
            let frames = || self.frames.iter().zip(&self.pivots).filter(at).map(|(frame, _)| frame);
            let (mut length, mut bits) = (1u64, 0u64);
            for frame in frames() {
                let pairs = pairs(frame)?;
                length = length.saturating_add(pairs.longest());
                bits = bits.saturating_add(pairs.pairs().bits());
            }
            if !is_quick(length, bits) {
                return None;
            }
            for frame in frames() {
                all = all.times(&pairs(frame)?)?;
                agree *= equal(frame);
            }
            let kind = (all.minus(&Distances::new([agree.clone()])), agree);
            let known = kinds.iter().position(|other| *other == kind);
            kind_of.push(known.unwrap_or(kinds.len()));
            if known.is_none() {
                kinds.push(kind);
            }
        }
        // How many walks of each length there are, by how many pivots of each kind are visited.
        let mut walks = BTreeMap::<Vec<u64>, Vec<u64>>::new();
        let mut lines = Vec::new();
        for set in 0..1usize << stops {
            let mut key = vec![0; kinds.len()];
            (0..stops).filter(|u| set >> u & 1 == 1).for_each(|u| key[kind_of[u]] += 1);
            let lengths = walks.entry(key).or_default();
            for to in 0..tours.order() {
                tours.walks_to(set, to, &mut lines);
                for &length in &lines[starts.clone()] {
                    let length = usize::from(length.unsigned_abs());
                    if length >= lengths.len() {
                        lengths.resize(length + 1, 0);
                    }
                    lengths[length] += 1;
                }
            }
            if walks.len() > MAX_KINDS {
                return None;
            }
        }
        let mut total = Distances::default();
        for (key, lengths) in walks {
            let mut term = Distances::new(lengths);
            for (kind, visited) in key.iter().enumerate() {
                let all = kind_of.iter().filter(|&&k| k == kind).count() as u64;
                let (differ, agree) = &kinds[kind];
                let rest = u32::try_from(all - visited).ok()?;
                term = term.times(&differ.power(*visited)?)?.scaled(&agree.pow(rest));
            }
            total = total.plus(&term);
        }
        Some(total)
    }
}

impl ExpansionTheory {
    /// The degrees, and as many links as cables.
    fn cable_degrees(&self) -> Degrees {
        if self.is_single()
            && let Some(counted) = self.degrees_single()
        {
            return counted;
        }
        let (used, frames) = (Used::by(self.frames.of_phase(), &self.pivots), self.frame_degrees());
        let counted = (!self.is_single()).then(|| self.degrees_counted(&used, &frames)).flatten();
        counted.unwrap_or_else(|| self.degrees_bounded(&used, &frames))
    }
}

impl Theory for ExpansionTheory {
    /// Lemma 1: n_u·n_f^r.
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn degrees(&self) -> Degrees {
        self.cable_degrees()
            .with_copies(&self.unit.theory.degrees(), &(&self.order / self.unit.order()))
    }

    fn diameter(&self) -> Option<Bounded> {
        if self.one_pivot_a_phase() {
            return self.diameter_one_pivot();
        }
        if self.is_single() {
            return self.diameter_single();
        }
        // Between two frame steps of a block the walk may cross the unit.
        let unit = self.unit.theory.diameter()?.high;
        let phase = |frame: &Built| Some(frame.theory.diameter()?.high * (&unit + 1u8));
        let high = self.sum(phase)? + &unit * (self.frames.len() + 1);
        Some(Bounded::between(moore_diameter(&self.order, self.degrees().max), high))
    }

    fn distances(&self) -> Option<Distances> {
        let order = self.tours()?.order();
        self.distribution(0..order, |frame| frame.theory.distances(), Built::order)
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        self.distribution(0..1, |frame| frame.theory.distances_from_zero(), |_| BigUint::one())
    }

    fn remarks(&self) -> Vec<String> {
        let Some(network) = self.unit.network.as_ref() else { return Vec::new() };
        let split = |pivot: &&Pivot| match pivot {
            Pivot::Block { .. } => {
                apart(&**network, &pivot.members().unwrap_or_default()).is_some()
            }
            _ => false,
        };
        let mut remarks = Vec::new();
        let count = self.pivots.iter().filter(split).count();
        if count > 0 {
            remarks.push(format!(
                "the pivot sets of {count} of {} phases are not connected inside the unit (Definition 4, condition 1)",
                self.pivots.len()
            ));
        }
        if let Some(Chosen::Found(found)) = &self.sets {
            remarks.push(found.to_string());
        }
        remarks
    }
}
