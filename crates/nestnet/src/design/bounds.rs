//! What is certain of an objective, by what is known of a network?

use super::cost::{Cost, least_energy, least_price, most_throughput};
use super::{Objective, Question};
use nestnet_analysis::figures::{Figures, Range};
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
        let negative = |range: Range| Range { low: -range.high, high: -range.low };
        let exactly = |value: f64| Some(Range { low: value, high: value });
        let at_least = |value: f64| Some(Range { low: value, high: f64::INFINITY });
        let known = match self {
            Objective::Degree => exactly(number(&figures.degree.into())),
            Objective::Diameter => figures
                .diameter
                .as_ref()
                .map(|d| Range { low: number(&d.low), high: number(&d.high) }),
            Objective::AverageDistance => figures.average_range(),
            Objective::Links => exactly(figures.links_per_host()),
            Objective::Cost => {
                figures.cost().map(|c| Range { low: number(&c.low), high: number(&c.high) })
            }
            Objective::Cr => figures.cr(),
            Objective::MooreEfficiency => figures.moore_efficiency().map(negative),
            Objective::Vcs => match &figures.routing {
                Some(routing) => exactly(routing.vcs.into()),
                None => at_least(1.0),
            },
            Objective::Connectivity => {
                let Range { low, high } = Range {
                    low: number(&figures.connectivity.low),
                    high: number(&figures.connectivity.high),
                };
                Some(Range { low: -high, high: -low })
            }
            Objective::Match => exactly(-figures.size_match(wanted)),
            Objective::Price => match cost.price {
                Some(price) => exactly(price),
                None => at_least(least_price(question, figures)),
            },
            Objective::Throughput => match (cost.throughput, most_throughput(figures)) {
                (Some(theta), _) => exactly(-theta.min(1.0)),
                (None, Some(most)) => Some(Range { low: -most.min(1.0), high: 0.0 }),
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
        known.unwrap_or(Range { low: f64::NEG_INFINITY, high: f64::INFINITY })
    }
}
