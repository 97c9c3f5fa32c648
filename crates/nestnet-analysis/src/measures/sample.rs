//! How far are nodes from each other on average, as far as a few of them tell? A sample, with how sure it is.

use nestnet_graph::measure::search::{Levels, levels_from};
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Network, Node, fields};
use nestnet_topologies::random;
use rayon::prelude::*;
use serde::{Serialize, Serializer};

/// How many nodes are drawn, and from which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// How many nodes are searched from.
    pub sources: u64,
    /// The seed of the draw.
    pub seed: u64,
}

/// The distances from some nodes, drawn at random.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// The mean distance from them to all others.
    pub mean: f64,
    /// Half the width of the interval around `mean` that holds the mean of all nodes in 95 of 100 samples, as far as
    /// the means of nodes are spread like errors (W. S. Gosset, 1908); infinite with fewer than two nodes.
    pub margin: f64,
    /// The largest distance from one of them.
    pub farthest: u64,
    /// How many nodes were drawn.
    pub sources: u64,
    /// From which seed.
    pub seed: u64,
}

impl Serialize for Sampled {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Sampled",
            value = self.mean,
            /// The lower end of the interval of 95 %.
            low: f64 = self.mean - self.margin,
            /// The upper end of the interval of 95 %.
            high: f64 = self.mean + self.margin,
            sources = self.sources,
            seed = self.seed,
            /// How it is known: `sampled`.
            how: &str = "sampled",
        )
    }
}

/// Searches from `sampling.sources` nodes of a connected network, each drawn from all; one may be drawn twice.
///
/// `None` if there are no two nodes, none is drawn, or some cannot be reached. O(sources · links).
pub fn sample(
    network: &dyn Network,
    sampling: Sampling,
    watch: &Watch<'_>,
) -> Result<Option<Sampled>, Interrupted> {
    let Sampling { sources, seed } = sampling;
    let order = network.order();
    let Some(drawn) = usize::try_from(sources).ok().filter(|&drawn| order > 1 && drawn > 0) else {
        return Ok(None);
    };
    let numbers = random::numbers(seed, drawn);
    let levels: Vec<Levels> = numbers
        .par_iter()
        .map(|number| levels_from(network, Node(number % order), watch))
        .collect::<Result<_, _>>()?;
    if levels.iter().any(|levels| levels.sizes.iter().sum::<u64>() != order) {
        return Ok(None);
    }
    let total = |levels: &Levels| -> u128 {
        let weighed = (0u128..).zip(&levels.sizes);
        weighed.map(|(distance, &size)| distance * u128::from(size)).sum()
    };
    let means: Vec<f64> =
        levels.iter().map(|levels| total(levels) as f64 / (order - 1) as f64).collect();
    let pairs = u128::from(order - 1) * u128::from(sources);
    let mean = levels.iter().map(total).sum::<u128>() as f64 / pairs as f64;
    let farthest = levels.iter().map(|levels| levels.sizes.len() as u64 - 1).max().unwrap_or(0);
    Ok(Some(Sampled { mean, margin: margin(&means, mean), farthest, sources, seed }))
}

/// Half the width of the interval of 95 % around the mean of a sample.
fn margin(sample: &[f64], mean: f64) -> f64 {
    let n = sample.len() as f64;
    if sample.len() < 2 {
        return f64::INFINITY;
    }
    let squares: f64 = sample.iter().map(|value| (value - mean).powi(2)).sum();
    student(sample.len() - 1) * (squares / (n - 1.0) / n).sqrt()
}

/// What a value of Student's t with that many degrees of freedom exceeds in 2.5 of 100 cases.
fn student(freedom: usize) -> f64 {
    /// From printed tables.
    const FEW: [f64; 8] = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060];
    const NORMAL: f64 = 1.959_963_985;
    if let Some(&value) = FEW.get(freedom - 1) {
        return value;
    }
    // The first terms of its series in 1/freedom (R. A. Fisher, E. A. Cornish).
    let (z, v) = (NORMAL, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / v + second / (v * v) + third / v.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_topologies::build;

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        for (freedom, printed) in
            [(1, 12.706), (8, 2.306), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980)]
        {
            assert!((student(freedom) - printed).abs() < 1e-3, "{freedom}: {}", student(freedom));
        }
        // Two values that are 2 apart: their mean is off by 1, times the first quantile.
        assert!((margin(&[1.0, 3.0], 2.0) - 12.7062).abs() < 1e-9);
        assert_eq!(margin(&[1.0], 1.0), f64::INFINITY);
    }

    #[test]
    fn intervals_hold_the_truth_about_as_often_as_they_say() {
        let built = build("sn(ring(16), 4, 0)").unwrap();
        let network = built.network.as_deref().unwrap();
        let truth = {
            let all = (0..network.order()).map(|at| levels_from(network, Node(at), &Watch::SILENT));
            let total: u64 = all
                .flat_map(|levels| (0u64..).zip(levels.unwrap().sizes).collect::<Vec<_>>())
                .map(|(distance, size)| distance * size)
                .sum();
            total as f64 / (network.order() * (network.order() - 1)) as f64
        };
        let hit = |seed| {
            let sampling = Sampling { sources: 12, seed };
            let found = sample(network, sampling, &Watch::SILENT).unwrap().unwrap();
            assert!(found.margin > 0.0);
            usize::from((found.mean - truth).abs() <= found.margin)
        };
        let hits: usize = (0..200).map(hit).sum();
        assert!((176..=199).contains(&hits), "{hits} of 200");
    }

    #[test]
    fn what_cannot_be_sampled() {
        let of = |text: &str, sources| {
            let built = build(text).unwrap();
            let sampling = Sampling { sources, seed: 1 };
            sample(built.network.as_deref().unwrap(), sampling, &Watch::SILENT).unwrap()
        };
        assert_eq!(of("path(1)", 4), None);
        assert_eq!(of("ring(5)", 0), None);
        assert_eq!(of("rcr(0, 1, 3)", 4), None);
        assert_eq!(of("ring(5)", 2).map(|found| (found.mean, found.margin)), Some((1.5, 0.0)));
    }
}
