//! How much slower is a network than the product of its nuclei that it emulates?

use crate::programs::{RunError, arrange};
use nestnet_collectives::program::{AllPorts, Site, Spent, all_ports, one_dimension};
use nestnet_graph::{Budget, fields};
use nestnet_topologies::family::{Built, Grain};
use serde::{Serialize, Serializer};

/// One step of the guest along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dimension {
    /// Its number, from 1; 1 is the least significant.
    pub number: usize,
    /// How many places it has.
    pub side: u64,
    /// How many steps the host takes, and what they cost.
    pub spent: Spent,
}

/// What an emulation costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Emulation {
    /// The sides of the guest, least significant first.
    pub sides: Vec<u64>,
    /// The dimensions that were asked for.
    pub dimensions: Vec<Dimension>,
    /// The most steps that one dimension takes by theorem: 2l - 1 on RSN.
    pub bound: u64,
    /// All dimensions at once, if all were asked for.
    pub all_ports: Option<AllPorts>,
}

impl Serialize for Dimension {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Dimension",
            dimension = self.number,
            side = self.side,
            /// How many steps the host takes.
            steps = self.spent.steps,
            /// Messages over links in all of them.
            moves = self.spent.moves,
        )
    }
}

impl Serialize for Emulation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Emulation",
            sides = self.sides,
            dimensions = self.dimensions,
            /// The steps of the slowest dimension.
            slowest: u64 = self.slowest(),
            bound = self.bound,
            [all_ports] = self.all_ports,
        )
    }
}

impl Emulation {
    /// The most steps that a dimension took.
    pub fn slowest(&self) -> u64 {
        self.dimensions.iter().map(|dimension| dimension.spent.steps).max().unwrap_or(0)
    }
}

/// Emulates one step of the guest, along one dimension (from 1) or along each and all of them, on data that only links
/// move. The guest of a nested network is the product of its nuclei: hypercubes make a hypercube, complete graphs and
/// generalized hypercubes a generalized hypercube, meshes a mesh.
///
/// ```
/// use nestnet_analysis::emulation::emulate;
/// use nestnet_graph::Budget;
///
/// let built = nestnet_topologies::build("rsn(mesh(3, 2), 2)").unwrap();
/// let found = emulate(&built, None, &Budget::default()).unwrap();
/// assert_eq!(found.sides, [2, 3, 2, 3]);
/// let steps: Vec<u64> = found.dimensions.iter().map(|dimension| dimension.spent.steps).collect();
/// assert_eq!((steps, found.bound), (vec![1, 1, 3, 3], 3));
/// ```
pub fn emulate(
    built: &Built,
    dimension: Option<usize>,
    budget: &Budget<'_>,
) -> Result<Emulation, RunError> {
    if built.network.is_some() && !built.logical.has_guest() {
        return Err(RunError::NoGuest);
    }
    let layout = arrange(built, Grain::Digits, budget)?;
    let network = built.network.as_deref().ok_or(RunError::NotBuilt)?;
    let site = Site { network, layout: &*layout, budget: *budget };
    let sides: Vec<u64> = layout.factors().iter().map(|factor| factor.order()).collect();
    let numbers = match dimension {
        Some(number) if number == 0 || number > sides.len() => {
            let dimensions = sides.len();
            return Err(RunError::NoDimension { dimension: number, dimensions });
        }
        Some(number) => number..=number,
        None => 1..=sides.len(),
    };
    let mut dimensions = Vec::new();
    for number in numbers {
        let spent = one_dimension(site, number - 1)?;
        dimensions.push(Dimension { number, side: sides[number - 1], spent });
    }
    let all_ports = if dimension.is_none() { Some(all_ports(site)?) } else { None };
    Ok(Emulation { sides, dimensions, bound: layout.slowest(), all_ports })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_topologies::build;

    fn emulated(spec: &str) -> Emulation {
        let built = build(spec).unwrap();
        emulate(&built, None, &Budget::default()).unwrap_or_else(|error| panic!("{spec}: {error}"))
    }

    /// Section 3.3: dimension j takes two steps for each level at which it is in the upper half, and one; at most 2l - 1.
    #[test]
    fn emul_takes_two_steps_for_each_swap() {
        for (n, l) in [(1usize, 4usize), (2, 3), (3, 2), (4, 2)] {
            let found = emulated(&format!("rsn(hypercube({n}), {l})"));
            for dimension in &found.dimensions {
                let digit = (dimension.number - 1) / n;
                assert_eq!(dimension.spent.steps, 1 + 2 * u64::from(digit.count_ones()));
            }
            assert_eq!(found.slowest(), 2 * l as u64 - 1);
            assert_eq!((found.slowest(), found.sides.len()), (found.bound, n << (l - 1)));
        }
    }

    /// Section 4: the same slowdown on other nuclei.
    #[test]
    fn other_nuclei_are_as_quick() {
        for (nucleus, sides) in [
            ("complete(5)", vec![5]),
            ("generalized_hypercube(3, 4)", vec![4, 3]),
            ("mesh(3, 4)", vec![4, 3]),
            ("torus(3, 4)", vec![4, 3]),
            ("petersen", vec![10]),
        ] {
            let found = emulated(&format!("rsn({nucleus}, 2)"));
            assert_eq!(found.sides, [sides.clone(), sides].concat(), "{nucleus}");
            assert_eq!((found.slowest(), found.bound), (3, 3), "{nucleus}");
        }
        let found = emulated("rsn(complete(2), 4)");
        assert_eq!((found.slowest(), found.bound), (7, 7));
        assert_eq!(emulated("hsn(mesh(2, 3), 3)").slowest(), 3);
        assert_eq!(emulated("dual_cube(3)").slowest(), 4);
        assert_eq!(emulated("mesh(1, 3)").sides, [3]);
    }

    #[test]
    fn all_dimensions_at_once() {
        // On HCN(n) each of n dimensions swaps twice over the same link.
        for n in 1..=4 {
            let all = emulated(&format!("hcn({n})")).all_ports.unwrap();
            assert_eq!(all.busiest, 2 * n, "n = {n}");
            assert!(all.steps >= all.busiest && all.steps <= 2 * n + 1, "n = {n}: {}", all.steps);
        }
        let found = emulated("rsn(hypercube(2), 3)");
        let all = found.all_ports.unwrap();
        let alone: u64 = found.dimensions.iter().map(|dimension| dimension.spent.moves).sum();
        assert_eq!(all.moves, alone);
        assert!(all.steps >= all.busiest);
        let one_by_one: u64 = found.dimensions.iter().map(|dimension| dimension.spent.steps).sum();
        assert!(all.steps < one_by_one);
    }

    /// Section 5.1: twelve dimensions, the four new ones between two exchanges; and a second such level.
    #[test]
    fn smaller_steps_emulate_a_hypercube() {
        let found = emulated("sn(rsn(hypercube(2), 3), 4, 0)");
        assert_eq!((found.sides, found.bound), (vec![2; 12], 5));
        let steps: Vec<u64> = found.dimensions.iter().map(|one| one.spent.steps).collect();
        assert_eq!(steps, [1, 1, 3, 3, 3, 3, 5, 5, 3, 3, 5, 5]);
        let found = emulated("sn(sn(rsn(hypercube(2), 3), 4, 0), 4, 0)");
        assert_eq!((found.sides.len(), found.slowest(), found.bound), (16, 5, 5));
    }

    #[test]
    fn who_has_no_guest_is_refused() {
        for spec in ["wk(4, 3)", "hypernet(3, 3)", "petersen", "re(ring(4), ring(3), 2)"] {
            let refused = emulate(&build(spec).unwrap(), None, &Budget::default());
            assert_eq!(refused, Err(RunError::NoGuest), "{spec}");
        }
        // A partial link cannot exchange all items, and not all digits are bits.
        for spec in ["sn(rsn(hypercube(2), 3), 4, 4, mask=1, value=0)", "sn(complete(8), 2, 0)"] {
            assert!(emulate(&build(spec).unwrap(), None, &Budget::default()).is_err(), "{spec}");
        }
    }

    #[test]
    fn one_dimension_alone() {
        let built = build("rsn(hypercube(2), 3)").unwrap();
        let found = emulate(&built, Some(8), &Budget::default()).unwrap();
        assert_eq!((found.dimensions.len(), found.slowest(), found.all_ports), (1, 5, None));
        let refused = emulate(&built, Some(9), &Budget::default()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "there is no dimension 9: this network has the dimensions 1 to 8"
        );
    }
}
