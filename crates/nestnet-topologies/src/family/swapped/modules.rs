//! How far apart are two nodes of a network of modules, every two of which are joined by one link?
//!
//! All modules of a level are copies of the level below, and the link from a module to module C leaves from the same
//! place κ(C) in each of them. **Theorem.** Inside a module the distance is that of the level below; between x in module
//! A and y in module B it is the lesser of
//! - d(x, κB) + 1 + d(κA, y), over the link between the two, and
//! - d(κA, κB) + 2 + min over C of d(x, κC) + d(κC, y), through one third module C.
//!
//! *Proof.* A path through modules A, C_1, …, C_p, B crosses p + 1 links. It goes from x to κC_1 in A, from κA to κC_2 in C_1,
//! from κC_1 to κC_3 in C_2, and so on: the pieces of odd number, put together in one module, are a walk from x over κC_1,
//! κC_3, …, those of even number a walk from κA over κC_2, κC_4, …. If p is even the first ends at κB and the second at y, so
//! that by the triangle inequality the path is no shorter than the one over the link between A and B. If p is odd the
//! first goes over κC_1 to y and the second ends at κB: no shorter than the way through C_1, or, where C_1 = B, than the
//! direct one, since d(κA, κB) + d(κB, y) ≥ d(κA, y). With B = A, in either case it is no shorter than d(x, y). ∎

/// A network of modules of modules.
pub(super) trait Modules {
    /// How many modules a network of so many levels has; the nucleus is level 1.
    fn modules(&self, level: usize) -> u64;

    /// The module of a node of such a network, and where in it.
    fn split(&self, level: usize, at: u64) -> (u64, u64);

    /// Where in every module of such a network the link to a module is.
    fn port(&self, level: usize, module: u64) -> u64;

    /// The distance in the nucleus, if it is known in closed form.
    fn nucleus(&self, a: u64, b: u64) -> Option<u64>;
}

/// Beyond so many distances in the nucleus for one in the whole, it is better searched.
const MAX_WORK: u64 = 1 << 16;

/// Whether the distance in a network of so many levels takes a moment.
pub(super) fn is_quick(network: &impl Modules, levels: usize) -> bool {
    let work = |work: u64, level| work.checked_mul(network.modules(level).checked_mul(2)?);
    (2..=levels).try_fold(1, work).is_some_and(|work| work <= MAX_WORK)
}

/// The distance between two nodes of a network of so many levels, by the theorem above.
pub(super) fn distance(network: &impl Modules, level: usize, x: u64, y: u64) -> Option<u64> {
    if level == 1 {
        return network.nucleus(x, y);
    }
    let ((from, x), (to, y)) = (network.split(level, x), network.split(level, y));
    let inside = |a, b| if a == b { Some(0) } else { distance(network, level - 1, a, b) };
    if from == to {
        return inside(x, y);
    }
    let port = |module| network.port(level, module);
    let mut least = inside(x, port(to))? + 1 + inside(port(from), y)?;
    let across = inside(port(from), port(to))? + 2;
    for third in (0..network.modules(level)).filter(|&third| third != from && third != to) {
        if across >= least {
            break;
        }
        let first = across + inside(x, port(third))?;
        if first < least {
            least = least.min(first + inside(port(third), y)?);
        }
    }
    Some(least)
}
