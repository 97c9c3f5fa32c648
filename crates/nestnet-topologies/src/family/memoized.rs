//! A theory whose longer answers are worked out once: what depends on a network asks for them again and again.

use nestnet_graph::Distances;
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use num_bigint::BigUint;
use std::sync::OnceLock;

/// The same answers as another theory.
#[derive(Debug)]
pub(super) struct Memoized {
    theory: Box<dyn Theory>,
    degrees: OnceLock<Degrees>,
    diameter: OnceLock<Option<Bounded>>,
    distances: OnceLock<Option<Distances>>,
    from_zero: OnceLock<Option<Distances>>,
}

impl Memoized {
    pub(super) fn new(theory: Box<dyn Theory>) -> Self {
        Memoized {
            theory,
            degrees: OnceLock::new(),
            diameter: OnceLock::new(),
            distances: OnceLock::new(),
            from_zero: OnceLock::new(),
        }
    }
}

impl Theory for Memoized {
    fn inner(&self) -> Option<&dyn Theory> {
        Some(&*self.theory)
    }

    fn order(&self) -> BigUint {
        self.theory.order()
    }

    fn degrees(&self) -> Degrees {
        self.degrees.get_or_init(|| self.theory.degrees()).clone()
    }

    fn diameter(&self) -> Option<Bounded> {
        self.diameter.get_or_init(|| self.theory.diameter()).clone()
    }

    fn distances(&self) -> Option<Distances> {
        self.distances.get_or_init(|| self.theory.distances()).clone()
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        self.from_zero.get_or_init(|| self.theory.distances_from_zero()).clone()
    }
}
