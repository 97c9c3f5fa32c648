//! What random and adversarial faults leave of a network, by the options that people give. All front ends ask here.

use crate::routers::{self, RouterError};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::numbers::fraction;
use nestnet_graph::options::{Choice, Kind, Setting, Usual};
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

const fn flag(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    set: fn(&mut FaultModel, bool),
) -> Setting<FaultModel> {
    Setting { key, title, about, unit: "", usual: Usual::Value("false"), kind: Kind::Flag(set) }
}

/// The table of what can be set of a [`FaultModel`].
pub static FAULT_OPTIONS: [Setting<FaultModel>; 7] = [
    Setting {
        key: "fail",
        title: "what fails",
        about: "What fails",
        unit: "",
        usual: Usual::Value("links"),
        kind: Kind::Names(&[
            Choice {
                name: "links",
                about: "Links, each cable of a link independently; not those of hosts where each host has a single one, to a switch",
                set: |to| to.fail = Failing::Links,
            },
            Choice {
                name: "switches",
                about: "Switches; a host is lost with the last of its switches",
                set: |to| to.fail = Failing::Switches,
            },
            Choice { name: "hosts", about: "Hosts alone", set: |to| to.fail = Failing::Hosts },
            Choice {
                name: "nodes",
                about: "Hosts and switches, each for itself",
                set: |to| to.fail = Failing::Nodes,
            },
        ]),
    },
    Setting {
        key: "at",
        title: "the probabilities of a failure",
        about: "The probability with which each of them fails, such as 0.05 or 5%; several with commas",
        unit: "FRACTIONS",
        usual: Usual::Said("0.01 0.02 0.05 0.1"),
        kind: Kind::List {
            one: "at",
            python: "float | str | Sequence[float | str]",
            set: |to, rates| {
                to.rates = rates.iter().map(|rate| fraction(rate)).collect::<Result<_, _>>()?;
                Ok(())
            },
        },
    },
    Setting {
        key: "trials",
        title: "trials of each probability",
        about: "Trials of each probability, each with failures of its own",
        unit: "N",
        usual: Usual::Value("1000"),
        kind: Kind::Count { low: 1, high: u64::MAX, set: |to, trials| to.trials = trials },
    },
    Setting {
        key: "seed",
        title: "the random seed",
        about: "The random seed of the first trial; trial i has S + i",
        unit: "S",
        usual: Usual::Value("1"),
        kind: Kind::Count { low: 0, high: u64::MAX, set: |to, seed| to.seed = seed },
    },
    flag(
        "throughput",
        "the throughput of what is left",
        "What each host of what is left can send to all others before a channel is saturated: θ by shortest paths",
        |to, yes| to.throughput = yes,
    ),
    flag(
        "detours",
        "the detours of the default router",
        "How much longer the detours of the default router are than the shortest path that is left, in how many trials \
         they are free of deadlock by themselves, and how many virtual channels prove them free",
        |to, yes| to.detours = yes,
    ),
    flag(
        "adversary",
        "the worst faults",
        "The worst faults that are found, as many as fail at random on average, with what they cut off",
        |to, yes| to.adversary = yes,
    ),
];

/// What faults leave of several networks.
#[derive(Clone, Debug, Serialize)]
pub struct FaultReport {
    /// What fails.
    pub fail: Failing,
    /// The networks, in the order in which they were given.
    pub networks: Vec<FaultSurvey>,
}

/// What faults leave of a network, a row for each rate.
#[derive(Clone, Debug, Serialize)]
pub struct FaultSurvey {
    /// The network.
    pub spec: String,
    /// How many hosts it has.
    pub hosts: u64,
    /// A row for each rate, in the order of [`FaultModel::rates`].
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

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::options::{apply, faulty};

    #[test]
    fn options_have_the_defaults_of_the_model_and_set_something() {
        let usual = FaultModel::default();
        let other = |key, other| if key == "at" { "7%, 0.2" } else { other };
        assert_eq!(faulty(&FAULT_OPTIONS, &usual, other), [""; 0]);
        let with = |key, value: &str| {
            let mut model = usual.clone();
            apply(&FAULT_OPTIONS, &mut model, [(key, value)]).unwrap();
            model
        };
        let Usual::Said(rates) = FAULT_OPTIONS[1].usual else { panic!("no rates") };
        assert_eq!(with("at", &rates.replace(' ', ",")), usual);
        let Kind::Names(parts) = FAULT_OPTIONS[0].kind else { panic!("no names") };
        for (part, choice) in Failing::ALL.iter().zip(parts) {
            assert_eq!((with("fail", choice.name).fail, choice.name), (*part, part.name()));
        }
    }
}
