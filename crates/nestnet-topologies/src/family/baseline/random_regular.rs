//! Random regular networks: what no structure at all achieves, the yardstick for distances.
//!
//! # Definition
//! n nodes of degree d, drawn by the pairing model: every node has d ends, the ends are shuffled and paired. Pairs that
//! make a loop or a second link are repaired one by one: links {a,b}, {c,e} become {a,c}, {b,e} with {c,e} drawn at
//! random, where both are new. This is close to uniform among all such networks, not exactly so.
//! Where d is more than half of n - 1, the missing links are drawn instead.
//! From degree 3 on the draw is repeated until the network is connected; of degree 2 and less it is taken as it comes.
//!
//! # Numbering
//! As drawn; node 0 is like any other. The stream of random numbers is ChaCha with 8 rounds, keyed by the seed;
//! the i-th repetition uses stream i. Equal arguments give the same network on every machine.

use crate::family::{ArgError, Args, Built};
use crate::random::{below, stream};
use nestnet_graph::measure::search::is_connected;
use nestnet_graph::{Csr, CsrError};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (n, d, seed) = (args.integer("n"), args.integer("d"), args.integer("seed"));
    if d >= n {
        let message = format!("must be at most n-1 = {}, the number of other nodes", n - 1);
        return Err(ArgError::new("d", message));
    }
    if n % 2 == 1 && d % 2 == 1 {
        let message = format!("must be even when n is odd, as {n}: n·d counts every link twice");
        return Err(ArgError::new("d", message));
    }
    let budget = &args.context.budget;
    budget.fits("drawing it", bytes(n, d)).map_err(|over| too_large(over.into()))?;
    let limit = budget.memory;
    for attempt in 0.. {
        let csr = draw(n, d, &mut stream(seed, attempt), limit).map_err(too_large)?;
        if let Some(csr) = csr.filter(|csr| d < 3 || is_connected(csr)) {
            return Ok(Built::stored(csr));
        }
    }
    unreachable!(
        "a connected network of degree 3 or more exists, and is drawn sooner than 2^64 times"
    )
}

fn too_large(error: CsrError) -> ArgError {
    ArgError::new("n", format!("is too large for this degree: {error}"))
}

/// An upper bound on what drawing and storing takes.
fn bytes(n: u64, d: u64) -> u128 {
    let (n, links) = (u128::from(n), u128::from(n) * u128::from(d) / 2);
    let drawn = u128::from(d).min(n - 1 - u128::from(d)) * n / 2;
    // Links once, sorted in both directions, and stored; the drawn ones beside them; a search.
    24 * links + 16 * drawn + 32 * n
}

fn index_below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    usize::try_from(below(random, bound as u64)).expect("below an index")
}

/// One draw, which may be disconnected; `None` where the repair found no way.
fn draw(n: u64, d: u64, random: &mut ChaCha8Rng, limit: u64) -> Result<Option<Csr>, CsrError> {
    let missing = n - 1 - d;
    let Some(drawn) = sparse_links(n, d.min(missing), random) else { return Ok(None) };
    let drawn = Csr::from_links(n, &drawn, limit)?;
    if d <= missing {
        return Ok(Some(drawn));
    }
    let mut links = Vec::new();
    for a in nodes(n) {
        let absent = drawn.neighbors(a);
        let others = nodes(n).skip(a as usize + 1);
        links.extend(others.filter(|b| absent.binary_search(b).is_err()).map(|b| (a, b)));
    }
    Csr::from_links(n, &links, limit).map(Some)
}

fn nodes(n: u64) -> impl Iterator<Item = u32> {
    (0..n).map(|id| u32::try_from(id).expect("n is at most 2^32"))
}

type Link = (u32, u32);

fn ordered(a: u32, b: u32) -> Link {
    (a.min(b), a.max(b))
}

/// The links of a network of degree `d`, at most half of n - 1. O(links · log links).
fn sparse_links(n: u64, d: u64, random: &mut ChaCha8Rng) -> Option<Vec<Link>> {
    let degree = usize::try_from(d).expect("checked against the memory limit");
    let mut ends: Vec<u32> = nodes(n).flat_map(|at| std::iter::repeat_n(at, degree)).collect();
    for i in (1..ends.len()).rev() {
        ends.swap(i, index_below(random, i + 1));
    }
    let mut links: Vec<Link> = ends.chunks_exact(2).map(|pair| ordered(pair[0], pair[1])).collect();
    drop(ends);
    links.sort_unstable();
    let drawn = links.clone();
    let faulty = |&i: &usize| links[i].0 == links[i].1 || i > 0 && links[i] == links[i - 1];
    let faults: Vec<usize> = (0..links.len()).filter(faulty).collect();
    let mut counts = Counts { drawn, changed: HashMap::new() };
    for i in faults {
        repair(i, &mut links, &mut counts, random)?;
    }
    Some(links)
}

/// After this many vain attempts a draw is given up. Each has a fair chance in all but tiny networks.
const MAX_ATTEMPTS: usize = 1000;

/// Exchanges ends between link `i` and a random one, until `i` is neither a loop nor repeated.
fn repair(
    i: usize,
    links: &mut [Link],
    counts: &mut Counts,
    random: &mut ChaCha8Rng,
) -> Option<()> {
    let (a, b) = links[i];
    // An earlier repair may have taken its double away.
    if a != b && counts.of((a, b)) == 1 {
        return Some(());
    }
    for _ in 0..MAX_ATTEMPTS {
        let other = index_below(random, links.len());
        let (c, e) = match below(random, 2) {
            0 => links[other],
            _ => (links[other].1, links[other].0),
        };
        let (first, second) = (ordered(a, c), ordered(b, e));
        let is_new = |link: Link| link.0 != link.1 && counts.of(link) == 0;
        if other != i && is_new(first) && is_new(second) && first != second {
            for (link, change) in [((a, b), -1), (links[other], -1), (first, 1), (second, 1)] {
                *counts.changed.entry(link).or_default() += change;
            }
            (links[i], links[other]) = (first, second);
            return Some(());
        }
    }
    None
}

/// How often each link is there: as drawn, sorted, and what repairs changed, which is little.
struct Counts {
    drawn: Vec<Link>,
    changed: HashMap<Link, i64>,
}

impl Counts {
    fn of(&self, link: Link) -> i64 {
        let start = self.drawn.partition_point(|&other| other < link);
        let times = self.drawn[start..].iter().take_while(|&&other| other == link).count();
        let change = self.changed.get(&link).copied().unwrap_or(0);
        i64::try_from(times).expect("no more than links") + change
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Network;
    use nestnet_graph::theory::Degrees;
    use proptest::prelude::*;

    fn first_draw(n: u64, d: u64, seed: u64) -> Csr {
        let draws =
            (0..).find_map(|attempt| draw(n, d, &mut stream(seed, attempt), 1 << 30).unwrap());
        draws.unwrap()
    }

    /// Drawn by a program of another language, with its own ChaCha.
    #[test]
    fn the_same_on_every_machine() {
        let csr = first_draw(10, 3, 1);
        let lists: Vec<&[u32]> = (0..10).map(|at| csr.neighbors(at)).collect();
        let expected: [[u32; 3]; 10] = [
            [3, 7, 8],
            [5, 6, 9],
            [3, 4, 8],
            [0, 2, 9],
            [2, 7, 8],
            [1, 6, 7],
            [1, 5, 9],
            [0, 4, 5],
            [0, 2, 4],
            [1, 3, 6],
        ];
        assert_eq!(lists, expected);
    }

    #[test]
    fn small_and_dense_ones_are_regular() {
        for n in 1..=12 {
            for d in (0..n).filter(|d| n * d % 2 == 0) {
                for seed in 0..20 {
                    let csr = first_draw(n, d, seed);
                    assert_eq!(Degrees::measured(&csr), Degrees::regular(d, n.into()), "{n} {d}");
                }
            }
        }
    }

    /// Of the 70 ways to lay cycles through six nodes, 60 are one cycle and 10 two triangles.
    #[test]
    fn draws_are_close_to_uniform() {
        let draws = 7000;
        let hexagons = (0..draws).filter(|&seed| is_connected(&first_draw(6, 2, seed))).count();
        let share = hexagons as f64 / draws as f64;
        assert!((share - 60.0 / 70.0).abs() < 0.05, "{share}");
    }

    #[test]
    fn numbers_below_a_bound_are_even() {
        let mut random = stream(3, 0);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[index_below(&mut random, 6)] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn any_of_them_is_regular(n in 1u64..200, share in 0u64..1000, seed: u64) {
            let d = share * n / 1000;
            let d = if n % 2 == 1 { d & !1 } else { d };
            let csr = first_draw(n, d, seed);
            prop_assert_eq!(Degrees::measured(&csr), Degrees::regular(d, n.into()));
            prop_assert_eq!(csr.order(), n);
            prop_assert_eq!(first_draw(n, d, seed), csr);
        }
    }
}
