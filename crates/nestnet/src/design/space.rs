//! Which networks are searched? Every family of the table, nested to a depth, that can have the size wanted.
//!
//! - **Bases** are the networks that depend on no other, of up to `max_base` nodes and with any arguments.
//! - **Constructions** depend on a network that is a base or has constructions of its own, as deep as asked. Words other
//!   than the first are tried for the outermost one. Frame and unit of an expansion are bases of up to `max_frame`
//!   nodes; where the unit is nested itself, the frame has up to `max_nested_frame`. Expansions of expansions are left to lists of frames.
//! - **Large networks that depend on no other** are searched too, see [`atomic`](super::atomic).
//!
//! The order of a construction follows from that of what it depends on, so that orders are nested first, each once, and
//! only those networks are made that have the size wanted. Orders and degrees only grow with every argument and every
//! construction, which is where loops end.

use super::candidate::{Given, Topology, make};
use super::names::{self, constructions, is_left_out, is_left_out_on, simple};
use super::question::{USUAL_FRAME, USUAL_NESTED_FRAME};
use nestnet_graph::job::Shard;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::theory::{Degrees, Theory};
use nestnet_topologies::build::Context;
use nestnet_topologies::family::{Built, Family};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

/// The most levels of a construction: those that grow so slowly are little more than paths.
const MAX_LEVELS: u64 = 64;

/// On so many orders networks are built before they are yielded.
const PART: usize = 1 << 4;

/// What is searched.
pub(super) struct Space<'a> {
    pub context: &'a Context<'a>,
    /// Sizes that are wanted.
    pub sizes: RangeInclusive<u128>,
    /// The size that is wanted most.
    pub nodes: u128,
    /// Networks with more links at a node are not built on.
    pub max_degree: u64,
    /// How many constructions are nested at most.
    pub depth: usize,
    /// The nodes of the largest base.
    pub max_base: u64,
    /// The nodes of the largest frame and unit of an expansion.
    pub max_frame: u64,
    /// The nodes of the largest frame around what has constructions of its own.
    pub max_nested_frame: u64,
    /// The names of the rows to search for the outermost network; all where there are none.
    pub families: &'a [String],
}

/// How networks of one order arise from those of another.
struct Derivation {
    family: &'static Family,
    integers: Vec<u64>,
    /// The order of what it depends on.
    base: u128,
    /// The order of the frame, where it takes one.
    frame: Option<u128>,
}

/// Networks by order.
type Shelf = BTreeMap<u128, Vec<Arc<Topology>>>;

/// Derivations by the order that they lead to, for each number of constructions below the last.
type Derivations = Vec<BTreeMap<u128, Vec<Derivation>>>;

/// What is known of a network of which only the order is.
#[derive(Debug)]
struct OrderAlone(BigUint);

impl Theory for OrderAlone {
    fn order(&self) -> BigUint {
        self.0.clone()
    }

    fn degrees(&self) -> Degrees {
        Degrees::bounded(BigUint::ZERO, 0, 0)
    }
}

impl<'a> Space<'a> {
    /// Networks of these sizes, the smallest wanted most, of any degree and with frames as is usual.
    pub fn new(
        context: &'a Context<'a>,
        families: &'a [String],
        sizes: RangeInclusive<u128>,
        depth: usize,
        max_base: u64,
    ) -> Self {
        Space {
            context,
            nodes: *sizes.start(),
            sizes,
            max_degree: u64::MAX,
            depth,
            max_base,
            max_frame: max_base.min(USUAL_FRAME),
            max_nested_frame: max_base.min(USUAL_NESTED_FRAME),
            families,
        }
    }

    /// Tells `visit` of every network of a wanted size that one shard is to look at: its first unit are all that depend on
    /// no other, every further one is a derivation of outermost networks.
    pub fn search(
        &self,
        shard: Shard,
        watch: &Watch<'_>,
        visit: &mut dyn FnMut(Arc<Topology>),
    ) -> Result<(), Interrupted> {
        let shelf = self.bases(watch)?;
        let wanted = names::searches(self.families);
        if shard.has(0) {
            self.leaves(watch, visit)?;
            let whole = shelf.range(self.sizes.clone()).flat_map(|(_, list)| list);
            // Larger frames are among the leaves.
            let whole = whole.filter(|made| made.size <= self.max_base.into());
            whole.filter(|made| wanted(made.family())).for_each(|made| visit(made.clone()));
        }
        let mut derivations = Derivations::new();
        for depth in 0..self.depth {
            let orders: Vec<u128> = match derivations.last() {
                Some(derivations) => derivations.keys().copied().collect(),
                None => shelf.keys().copied().collect(),
            };
            let frame = if depth == 0 { self.max_frame } else { self.max_nested_frame };
            let frames = shelf.range(..=u128::from(frame)).map(|(&order, _)| order).collect();
            let (unit, base) = match depth {
                0 => (self.max_frame.into(), self.max_base.into()),
                _ => (u128::MAX, u128::MAX),
            };
            derivations.push(self.derivations(&orders, frames, [unit, base], watch)?);
        }
        let found = Found {
            space: self,
            shelf: &shelf,
            derivations: &derivations,
            known: Mutex::default(),
        };
        let mut ends: Vec<(usize, &Derivation)> = derivations
            .iter()
            .enumerate()
            .flat_map(|(depth, derivations)| {
                derivations
                    .range(self.sizes.clone())
                    .flat_map(|(_, derivations)| derivations)
                    .map(move |one| (depth, one))
            })
            .filter(|(_, derivation)| wanted(derivation.family))
            .zip(1..)
            .filter_map(|(end, unit)| shard.has(unit).then_some(end))
            .collect();
        // Those that depend on networks of one order follow each other: these are made once and not kept.
        let inner_order = |(depth, derivation): &(usize, &Derivation)| (*depth, derivation.base);
        ends.sort_by_key(inner_order);
        let groups: Vec<&[(usize, &Derivation)]> =
            ends.chunk_by(|a, b| inner_order(a) == inner_order(b)).collect();
        // The outermost networks are by far the most, and none needs another. They are yielded in order, a part at a time.
        let done = AtomicU64::new(0);
        let total = groups.len() as u64;
        for groups in groups.chunks(PART) {
            let made = groups.par_iter().map(|group| {
                watch.step(&done, total)?;
                let mut made = Vec::new();
                let mut keep = |one| made.push(Arc::new(one));
                if let Some((depth, derivation)) = group.first() {
                    let inner = found.of_order(*depth, derivation.base, watch)?;
                    for (_, derivation) in *group {
                        self.expand(derivation, &inner, &shelf, Words::All, watch, &mut keep)?;
                    }
                }
                Ok(made)
            });
            let made: Result<Vec<Vec<Arc<Topology>>>, Interrupted> = made.collect();
            made?.into_iter().flatten().for_each(&mut *visit);
        }
        Ok(())
    }

    /// A node alone.
    pub fn one(context: &Context<'_>) -> Option<Topology> {
        let (family, n) = nestnet_topologies::family::base::alone()?;
        Topology::new(family, &[Given::Integer(n)], context)
    }

    /// Every network that arises by `derivation` on `inner`.
    fn expand(
        &self,
        derivation: &Derivation,
        inner: &[Arc<Topology>],
        shelf: &Shelf,
        which: Words,
        watch: &Watch<'_>,
        visit: &mut dyn FnMut(Topology),
    ) -> Result<(), Interrupted> {
        let frames: Vec<Option<&Arc<Topology>>> = match derivation.frame {
            Some(order) => shelf.get(&order).into_iter().flatten().map(Some).collect(),
            None => vec![None],
        };
        let mut words = derivation.family.words();
        if which == Words::First {
            words.truncate(1);
        }
        for base in inner {
            watch.check()?;
            for frame in &frames {
                let first = frame.iter().map(|frame| Given::Network(Arc::clone(frame)));
                let mut args: Vec<Given> = first.collect();
                args.push(Given::Network(base.clone()));
                args.extend(derivation.integers.iter().map(|&value| Given::Integer(value)));
                for word in &words {
                    if is_left_out_on(derivation.family, &derivation.integers, *word, base) {
                        continue;
                    }
                    let mut args = args.clone();
                    args.extend(word.map(Given::Word));
                    if let Some(made) = Topology::new(derivation.family, &args, self.context) {
                        visit(made);
                    }
                }
            }
        }
        Ok(())
    }

    /// How larger orders arise from `orders`, up to the largest that is wanted.
    fn derivations(
        &self,
        orders: &[u128],
        frames: Vec<u128>,
        [largest_unit, largest_base]: [u128; 2],
        watch: &Watch<'_>,
    ) -> Result<BTreeMap<u128, Vec<Derivation>>, Interrupted> {
        let alone = |order: u128| Given::Theory(Built::new(OrderAlone(order.into()), None));
        let mut derivations = BTreeMap::<u128, Vec<Derivation>>::new();
        for family in constructions() {
            let least: Vec<u64> = family.integers().iter().map(|&(least, _)| least).collect();
            let word = family.words()[0];
            let takes_frame = family.bases() > 1;
            for &base in orders {
                if base > if takes_frame { largest_unit } else { largest_base } {
                    continue;
                }
                watch.check()?;
                let frames = frames.iter().copied().map(Some);
                let frames: Vec<_> = if takes_frame { frames.collect() } else { vec![None] };
                for frame in frames {
                    let first: Vec<Given> = frame.into_iter().chain([base]).map(alone).collect();
                    tuples(&mut Vec::new(), &least, 1, &mut |integers| {
                        if integers.iter().any(|&value| value > MAX_LEVELS) {
                            return Step::TooLarge;
                        }
                        let mut args = first.clone();
                        args.extend(integers.iter().map(|&value| Given::Integer(value)));
                        args.extend(word.map(Given::Word));
                        let built = make(family, &args, self.context);
                        let Some(built) = built else { return Step::Invalid };
                        let order = built.order().to_u128().unwrap_or(u128::MAX);
                        if order > *self.sizes.end() {
                            return Step::TooLarge;
                        }
                        // No level at all is the base itself.
                        if order > base {
                            let integers = integers.to_vec();
                            let derivation = Derivation { family, integers, base, frame };
                            derivations.entry(order).or_default().push(derivation);
                        }
                        Step::Fits(order)
                    });
                }
            }
        }
        Ok(derivations)
    }

    /// Whether a family has so many members of a size that its row names those of use, which are no bases.
    pub(super) fn is_wide(family: &Family) -> bool {
        family.facts.sized.is_some() && family.integers().len() > 2
    }

    /// Bases and frames, by order; each with its theory alone.
    fn bases(&self, watch: &Watch<'_>) -> Result<Shelf, Interrupted> {
        /// The largest gap between prime powers or even numbers among small ones.
        const GAP: u32 = 40;
        let mut shelf = Shelf::new();
        let largest = self.max_base.max(self.max_frame).max(self.max_nested_frame);
        let most = u128::from(largest);
        for family in simple().filter(|family| !family.is_drawn() && !Self::is_wide(family)) {
            watch.check()?;
            let words = family.words();
            let mut keep = |integers: &[u64]| {
                let mut size = None;
                for word in &words {
                    let integers = integers.iter().map(|&value| Given::Integer(value));
                    let args: Vec<Given> = integers.chain(word.map(Given::Word)).collect();
                    let Some(made) = Topology::new(family, &args, self.context) else { continue };
                    size = Some(made.size);
                    let fits = (2..=most).contains(&made.size) && made.degree <= self.max_degree;
                    let simpler = is_left_out(family, &made.integers(), *word);
                    if fits && can_be_base(&made.built) && !simpler {
                        shelf.entry(made.size).or_default().push(Arc::new(made.theory_alone()));
                    }
                }
                match size {
                    None => Step::Invalid,
                    Some(size) if size > most => Step::TooLarge,
                    Some(size) => Step::Fits(size),
                }
            };
            if family.is_grid() {
                sides(&mut Vec::new(), 2, largest, &mut keep);
            } else {
                let least: Vec<u64> = family.integers().iter().map(|&(least, _)| least).collect();
                tuples(&mut Vec::new(), &least, GAP, &mut keep);
            }
        }
        Ok(shelf)
    }
}

/// Networks of one order and as many constructions.
type Alike = Arc<Vec<Arc<Topology>>>;

/// Networks of one order.
struct Found<'a> {
    space: &'a Space<'a>,
    shelf: &'a Shelf,
    derivations: &'a Derivations,
    /// Those that are asked for more than once.
    known: Mutex<HashMap<(usize, u128), Alike>>,
}

impl Found<'_> {
    /// All networks of this order with exactly `depth` constructions that may be built on.
    fn of_order(&self, depth: usize, order: u128, watch: &Watch<'_>) -> Result<Alike, Interrupted> {
        let Some(below) = depth.checked_sub(1) else {
            return Ok(self.shelf.get(&order).cloned().unwrap_or_default().into());
        };
        // The outermost are built on those with all constructions but one, an order after the other.
        let is_kept = depth + 1 < self.space.depth;
        let known = |known: &Mutex<HashMap<_, _>>| known.lock().ok()?.get(&(depth, order)).cloned();
        if let Some(known) = is_kept.then(|| known(&self.known)).flatten() {
            return Ok(known);
        }
        let mut all = Vec::new();
        for derivation in self.derivations[below].get(&order).into_iter().flatten() {
            let inner = self.of_order(below, derivation.base, watch)?;
            let mut keep = |made: Topology| {
                if made.degree <= self.space.max_degree && can_be_base(&made.built) {
                    all.push(Arc::new(made.theory_alone()));
                }
            };
            self.space.expand(derivation, &inner, self.shelf, Words::First, watch, &mut keep)?;
        }
        let all = Arc::new(all);
        if is_kept && let Ok(mut known) = self.known.lock() {
            known.insert((depth, order), all.clone());
        }
        Ok(all)
    }
}

/// Whether a network may be built on.
fn can_be_base(built: &Built) -> bool {
    built.theory.connected() && built.theory.hosts() == built.theory.order()
}

/// Which words of a family are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    All,
    First,
}

/// What became of some arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// They make a network of this size.
    Fits(u128),
    /// The family does not take them.
    Invalid,
    /// The network is too large, as it is with any larger arguments.
    TooLarge,
}

/// All tuples from `least` on, the last place fastest. A place ends where the network becomes too large, or after
/// `patience` values that are invalid or lead to no larger network.
pub(super) fn tuples(
    prefix: &mut Vec<u64>,
    least: &[u64],
    patience: u32,
    visit: &mut dyn FnMut(&[u64]) -> Step,
) -> Step {
    let Some(&first) = least.get(prefix.len()) else { return visit(prefix) };
    let (mut verdict, mut last, mut idle) = (None, 0, 0);
    for value in first..=u64::MAX {
        prefix.push(value);
        let step = tuples(prefix, least, patience, visit);
        prefix.pop();
        verdict.get_or_insert(step);
        match step {
            Step::TooLarge => break,
            Step::Fits(size) if size > last => (last, idle) = (size, 0),
            Step::Fits(_) if patience == 1 => (),
            Step::Fits(_) | Step::Invalid => idle += 1,
        }
        if idle >= patience {
            break;
        }
    }
    verdict.unwrap_or(Step::Invalid)
}

/// All lists of sides from `least` on that do not descend and whose product is at most `most`.
fn sides(prefix: &mut Vec<u64>, least: u64, most: u64, visit: &mut dyn FnMut(&[u64]) -> Step) {
    for side in least..=most {
        prefix.push(side);
        visit(prefix);
        sides(prefix, side, most / side, visit);
        prefix.pop();
    }
}
