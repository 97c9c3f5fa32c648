//! What does a measured value rest on?

use super::measure::{MAX_COUNTED, counted};
use super::quantity::{Quantity, Source};
use super::{Lab, Sample};
use nestnet_analysis::metrics::{self, find, metric};
use nestnet_graph::How;

/// What a measured value rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// No network was asked: the row itself computes it.
    Arithmetic,
    /// A theorem of ours, since the network is too large to be searched.
    Theorem,
    /// A search, a count or a run on the network itself.
    Measured,
}

impl Basis {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Basis::Arithmetic => "by arithmetic",
            Basis::Theorem => "by our theorem",
            Basis::Measured => "measured",
        }
    }

    /// What an answer with this derivation rests on.
    fn of_how(how: How) -> Self {
        match how {
            How::Theorem => Basis::Theorem,
            _ => Basis::Measured,
        }
    }
}

/// Keys that are sizes of a network.
pub(super) const SIZES: [&str; 4] = ["nodes", "links", "degree_max", "degree_min"];

const _: () = {
    let mut at = 0;
    while at < SIZES.len() {
        metric(SIZES[at]);
        at += 1;
    }
};

impl Lab<'_> {
    /// What the value of a quantity rests on: how the answer that was found is known. Where there is none, nothing was
    /// measured, and the case says so itself.
    pub(super) fn basis(&self, quantity: &'static Quantity, arguments: &[String]) -> Basis {
        let network = arguments.first().and_then(|spec| self.sample(spec).ok());
        match (quantity.source, network) {
            (Source::Key(key), Some(sample)) => self.basis_of_key(&sample, key),
            (Source::Function(_), Some(sample)) => {
                let order = sample.built.theory.order();
                let by_rule = quantity.by_rule_above.is_some_and(|most| order > most.into());
                if by_rule { Basis::Theorem } else { Basis::Measured }
            }
            (_, None) => Basis::Measured,
        }
    }

    fn basis_of_key(&self, sample: &Sample, key: &'static str) -> Basis {
        if counted(sample, key).is_some() {
            return Basis::Measured;
        }
        match find(key).map_or(metrics::Source::Answer, |metric| metric.from) {
            // Ids are counted off, whatever their number.
            metrics::Source::Theory => match sample.built.network.as_deref() {
                Some(network) if network.order() <= MAX_COUNTED => Basis::Measured,
                _ => Basis::Theorem,
            },
            metrics::Source::Key(from) => self.basis_of_key(sample, from),
            metrics::Source::Answer => {
                let how = self.answer(sample, key).ok().and_then(|answer| answer.how());
                how.map_or(Basis::Measured, Basis::of_how)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity;

    fn basis(name: &str, spec: &str) -> Basis {
        Lab::default().basis(quantity::find(name).unwrap(), &[spec.to_owned()])
    }

    /// Nobody searched 10^12 nodes.
    #[test]
    fn large_networks_are_known_by_theorem_alone() {
        for key in ["average_distance", "diameter", "cost", "cr", "degree_mean", "links", "nodes"] {
            assert_eq!(basis(key, "hypercube(40)"), Basis::Theorem, "{key}");
        }
        for key in ["average_distance", "diameter", "cost", "cr", "degree_mean", "links", "nodes"] {
            assert_eq!(basis(key, "hypercube(4)"), Basis::Measured, "{key}");
        }
    }

    /// Random networks have no theory of distances: what is said of a larger one was searched.
    #[test]
    fn what_was_searched_is_measured_at_any_size() {
        assert_eq!(basis("diameter", "random_regular(5000, 4, 1)"), Basis::Measured);
    }
}
