//! What random and adversarial faults leave of a network, by the options that people give. All front ends ask here.

use crate::routers::{self, RouterError};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::{Budget, CsrError, Interrupted};
use nestnet_routing::resilience::adversary::worst_faults;
use nestnet_routing::resilience::{
    Also, Failing, ResilienceRow, TrialError, after, falls_apart, reliability, resilience_and,
};
use nestnet_routing::route::Faults;
use nestnet_topologies::family::Built;
use serde::Serialize;
use thiserror::Error;

/// What fails, and what is measured of the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultModel {
    /// What fails.
    pub fail: Failing,
    /// With which probabilities.
    pub rates: Vec<f64>,
    /// How many trials at each.
    pub trials: u64,
    /// The seed of the first trial; trial i has the seed `seed + i`.
    pub seed: u64,
    /// θ of what is left, by shortest paths.
    pub throughput: bool,
    /// The detours of the default router.
    pub detours: bool,
    /// The worst faults that are found, as many as fail at random on average.
    pub adversary: bool,
}

impl Default for FaultModel {
    fn default() -> Self {
        FaultModel {
            fail: Failing::Links,
            rates: vec![0.01, 0.02, 0.05, 0.1],
            trials: 1000,
            seed: 1,
            throughput: false,
            detours: false,
            adversary: false,
        }
    }
}

/// What faults leave of several networks.
#[derive(Clone, Debug, Serialize)]
pub struct FaultReport {
    /// What fails.
    pub fail: Failing,
    /// One after the other.
    pub networks: Vec<FaultSurvey>,
}

/// What faults leave of a network, a row for each rate.
#[derive(Clone, Debug, Serialize)]
pub struct FaultSurvey {
    /// The network.
    pub spec: String,
    /// How many hosts it has.
    pub hosts: u64,
    /// In the order of [`FaultModel::rates`].
    pub rows: Vec<ResilienceRow>,
}

/// Why nothing is known of faults.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FaultSurveyError {
    /// It cannot be written out.
    #[error(transparent)]
    Csr(#[from] CsrError),
    /// It is too large for ids, or has no such router.
    #[error(transparent)]
    Router(#[from] RouterError),
    /// A trial failed.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Trials at every rate; of links of small networks also the exact probability to fall apart.
/// O(rates · trials · what all distances take).
///
/// ```
/// use nestnet_analysis::fault_survey::{FaultModel, fault_survey};
/// use nestnet_graph::Budget;
///
/// let built = nestnet_topologies::build("petersen")?;
/// let model = FaultModel { rates: vec![0.1], trials: 10, ..FaultModel::default() };
/// let found = fault_survey(&built, &model, &Budget::default())?;
/// assert!(found.rows[0].exact.is_some_and(|exact| exact < 0.02));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fault_survey(
    built: &Built,
    model: &FaultModel,
    budget: &Budget<'_>,
) -> Result<FaultSurvey, FaultSurveyError> {
    let network = built.network.as_ref().ok_or(RouterError::NotBuilt)?;
    let fabric = Fabric::of(&**network, budget)?;
    let router = match model.detours {
        true => Some(routers::find_within(built, routers::default_name(built), budget)?),
        false => None,
    };
    let detours = router.as_ref().map(|router| (network, router));
    let also = Also { throughput: model.throughput, detours };
    let counts = match model.fail {
        Failing::Links => reliability(&fabric, &budget.watch)?,
        Failing::Switches | Failing::Hosts | Failing::Nodes => None,
    };
    let mut rows = Vec::new();
    for &rate in &model.rates {
        let (fail, trials, seed) = (model.fail, model.trials, model.seed);
        let row = resilience_and(&fabric, fail, rate, trials, seed, also, budget)?;
        let exact = counts.as_ref().map(|counts| falls_apart(counts, rate));
        let worst = match model.adversary {
            true => {
                let most = mean_faults(rate, fail.count(&fabric));
                let left = |faults: Faults| {
                    let left = after(&fabric, &faults, Also::default(), budget)?;
                    Ok::<_, TrialError>((faults, left))
                };
                let found = worst_faults(&fabric, fail, most, &budget.watch)?;
                Some(found.map(left).transpose()?)
            }
            false => None,
        };
        rows.push(ResilienceRow { row, seed, exact, worst });
    }
    Ok(FaultSurvey { spec: built.spec().to_string(), hosts: network.hosts(), rows })
}

/// As many of `all` as fail on average, to the nearest.
fn mean_faults(rate: f64, all: u64) -> u64 {
    (0..=all).find(|&some| some as f64 + 0.5 > rate * all as f64).unwrap_or(all)
}
