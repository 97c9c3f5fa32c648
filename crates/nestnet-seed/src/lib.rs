//! What the tests of all crates share: small graphs ([`samples`]), and which random cases property tests try.
//!
//! Which random cases? The same ones every time, or fresh ones where the slow tests run.
//!
//! The seed is printed, and a test that goes red shows what it printed: `PROPTEST_RNG_SEED=N` repeats its cases.

pub mod samples;

use proptest::test_runner::{Config, RngSeed};
use std::hash::{BuildHasher, Hasher, RandomState};

/// The seed where none is asked for.
const USUAL: u64 = 2009;

/// Whether the slow cases run too: `SLOW_TESTS=1`.
pub fn slow() -> bool {
    std::env::var_os("SLOW_TESTS").is_some_and(|value| value == "1")
}

/// How every property test of the workspace runs. Nothing is kept on disk: a counterexample becomes a test.
pub fn config() -> Config {
    let asked = Config::default();
    let seed = seed(asked.rng_seed, slow());
    // What a passing test prints is not shown.
    println!("PROPTEST_RNG_SEED={seed} repeats these cases");
    Config { rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..asked }
}

/// The seed that was asked for, else a fresh one or the usual one.
fn seed(asked: RngSeed, fresh: bool) -> u64 {
    match asked {
        RngSeed::Fixed(seed) => seed,
        // Its keys are drawn by the operating system.
        RngSeed::Random if fresh => RandomState::new().build_hasher().finish(),
        RngSeed::Random => USUAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    fn drawn(seed: u64) -> Vec<u64> {
        let config = Config { rng_seed: RngSeed::Fixed(seed), ..config() };
        let mut runner = TestRunner::new(config);
        let draw = |_| any::<u64>().new_tree(&mut runner).expect("any number").current();
        (0..9).map(draw).collect()
    }

    #[test]
    fn a_seed_repeats_its_cases() {
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }

    #[test]
    fn only_fresh_seeds_differ() {
        assert_eq!((seed(RngSeed::Random, false), seed(RngSeed::Random, false)), (USUAL, USUAL));
        assert_ne!(seed(RngSeed::Random, true), seed(RngSeed::Random, true));
        assert_eq!((seed(RngSeed::Fixed(5), true), seed(RngSeed::Fixed(5), false)), (5, 5));
    }
}
