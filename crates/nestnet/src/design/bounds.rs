//! What is certain of an objective, by what is known of a network?

use super::cost::{Cost, least_energy, least_price, most_throughput};
use super::{Objective, Question};
use nestnet_analysis::figures::{Figures, Range};
use nestnet_analysis::metrics::Better;
use nestnet_graph::theory::Bounded;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

impl Objective {
    /// What is certain of it, the smaller the better; unbounded where nothing is known.
    pub(super) fn range(
        self,
        question: &Question,
        figures: &Figures,
        cost: &Cost,
        wanted: &BigUint,
    ) -> Range {
        let number = |value: &BigUint| value.to_f64().unwrap_or(f64::INFINITY);
        let between =
            |known: &Bounded| Range { low: number(&known.low), high: number(&known.high) };
        let exactly = |value: f64| Some(Range { low: value, high: value });
        let at_least = |value: f64| Some(Range { low: value, high: f64::INFINITY });
        let known = match self {
            Objective::Degree => exactly(number(&figures.degree.into())),
            Objective::Diameter => figures.diameter.as_ref().map(between),
            Objective::AverageDistance => figures.average_range(),
            Objective::Links => exactly(figures.links_per_host()),
            Objective::Cost => figures.cost().as_ref().map(between),
            Objective::Cr => figures.cr(),
            Objective::MooreEfficiency => figures.moore_efficiency(),
            Objective::Vcs => match &figures.routing {
                Some(routing) => exactly(routing.vcs.into()),
                None => at_least(1.0),
            },
            Objective::Connectivity => Some(between(&figures.connectivity)),
            Objective::Match => exactly(figures.size_match(wanted)),
            Objective::Price => match cost.price {
                Some(price) => exactly(price),
                None => at_least(least_price(question, figures)),
            },
            Objective::Throughput => match (cost.throughput, most_throughput(figures)) {
                (Some(theta), _) => exactly(theta.min(1.0)),
                (None, Some(most)) => Some(Range { low: 0.0, high: most.min(1.0) }),
                (None, None) => None,
            },
            Objective::Energy => match cost.energy {
                Some(energy) => exactly(energy),
                None => least_energy(question, figures).and_then(at_least),
            },
            Objective::LongestWire => match (cost.wiring, question.tiles) {
                (Some(wiring), _) => exactly(wiring.longest),
                // Two tiles that are linked are not the same, but a host may share that of its switch.
                (None, Some(tiles)) if figures.nodes == figures.hosts => at_least(tiles.side),
                (None, Some(_)) => at_least(0.0),
                (None, None) => None,
            },
        };
        let Range { low, high } =
            known.unwrap_or(Range { low: f64::NEG_INFINITY, high: f64::INFINITY });
        match self.better() {
            Better::More => Range { low: 0.0 - high, high: 0.0 - low },
            _ => Range { low, high },
        }
    }
}
