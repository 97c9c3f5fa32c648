//! How good is a routing? The numbers, all from exact counts.

use super::WalkError;
use nestnet_graph::{Node, Port};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What was found of the routes between pairs of hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Survey {
    /// Ordered pairs of different living hosts with a path between them.
    pub pairs: u64,
    /// Those of them whose every route arrived.
    pub arrived: u64,
    /// Ordered pairs of living hosts without a path.
    pub unreachable: u64,
    /// Routes that arrived, by their lengths.
    #[serde(with = "pairs")]
    pub counts: BTreeMap<Length, u64>,
    /// The load of the channels; none where only some pairs were walked.
    #[serde(skip)]
    pub loads: Option<Loads>,
    /// One more than the highest virtual channel that a route took.
    pub vcs_used: u16,
    /// The lowest pair, by its source and then its target, with a path and a route that does not arrive.
    pub failure: Option<Failure>,
    /// The pair of the largest stretch, the lowest of them.
    pub worst: Option<Worst>,
}

/// How long a route is, and how long it could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Length {
    /// Links of the route.
    pub hops: u64,
    /// Links of a shortest path, if that is known.
    pub distance: Option<u64>,
    /// The same before anything failed.
    pub intact: Option<u64>,
}

/// Uniform traffic: every ordered pair of hosts sends one message, split evenly over the choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loads {
    /// Routes over the busiest channel, over all choices.
    pub most: u64,
    /// Routes over all channels together.
    pub total: u64,
    /// How many channels there are: directed links.
    pub channels: u64,
    /// How many choices a message is split over.
    pub choices: u64,
    /// No routing of as many choices has fewer routes over its busiest channel; none where something failed or has no path.
    pub least: Option<u64>,
    /// The lowest of the busiest channels: from, over which port, to.
    pub busiest: Option<(Node, Port, Node)>,
}

/// A route that does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Failure {
    /// Where it starts.
    pub from: Node,
    /// Where it should go.
    pub to: Node,
    /// With which choice.
    pub choice: u64,
    /// What is wrong.
    pub error: WalkError,
}

/// The route that is longest beside the shortest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Worst {
    /// The node that sends.
    pub from: Node,
    /// The node that the message is for.
    pub to: Node,
    /// Links that the route takes.
    pub hops: u64,
    /// Links of the shortest path.
    pub distance: u64,
}

/// Against what a route is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// A shortest path among all that is alive.
    Alive,
    /// A shortest path before anything failed.
    Intact,
}

impl Survey {
    /// Routes that arrived.
    pub fn routes(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The longest route.
    pub fn max_hops(&self) -> Option<u64> {
        self.counts.keys().map(|length| length.hops).max()
    }

    /// The mean over all routes that arrived.
    pub fn mean_hops(&self) -> Option<f64> {
        let sum =
            self.counts.iter().map(|(length, &count)| u128::from(length.hops) * u128::from(count));
        let sum: u128 = sum.sum();
        (!self.counts.is_empty()).then(|| sum as f64 / self.routes() as f64)
    }

    /// How many routes have 0, 1, 2 … hops.
    pub fn histogram(&self) -> Vec<u64> {
        let longest = self.max_hops().map_or(0, |hops| hops + 1);
        let mut histogram = vec![0; usize::try_from(longest).expect("the hops were walked")];
        for (length, &count) in &self.counts {
            histogram[usize::try_from(length.hops).expect("the hops were walked")] += count;
        }
        histogram
    }

    /// The largest ratio of hops to the distance, where that is known.
    pub fn max_stretch(&self, against: Against) -> Option<f64> {
        let ratios = self.counts.keys().filter_map(|length| length.ratio(against));
        ratios.max_by(by_ratio).map(|(hops, distance)| hops as f64 / distance as f64)
    }

    /// The mean over routes of the ratio of hops to the distance; none unless all distances are known.
    pub fn mean_stretch(&self, against: Against) -> Option<f64> {
        let mut sum = 0.0;
        for (length, &count) in &self.counts {
            let (hops, distance) = length.ratio(against)?;
            sum += u128::from(hops) as f64 * count as f64 / distance as f64;
        }
        (!self.counts.is_empty()).then(|| sum / self.routes() as f64)
    }
}

impl Length {
    fn ratio(&self, against: Against) -> Option<(u64, u64)> {
        let distance = match against {
            Against::Alive => self.distance,
            Against::Intact => self.intact,
        };
        distance.filter(|&distance| distance > 0).map(|distance| (self.hops, distance))
    }
}

impl Loads {
    /// Messages over the busiest channel.
    pub fn max(&self) -> f64 {
        self.most as f64 / self.choices.max(1) as f64
    }

    /// Messages over the busiest channel of any routing, at least.
    pub fn least(&self) -> Option<f64> {
        self.least.map(|least| least as f64 / self.choices.max(1) as f64)
    }

    /// Messages over a channel on average.
    pub fn mean(&self) -> Option<f64> {
        let parts = u128::from(self.channels) * u128::from(self.choices.max(1));
        (parts > 0).then(|| self.total as f64 / parts as f64)
    }

    /// The busiest channel against the mean: 1 where all are as busy.
    pub fn ratio(&self) -> Option<f64> {
        let most = u128::from(self.most) * u128::from(self.channels);
        (self.total > 0).then(|| most as f64 / self.total as f64)
    }
}

/// Which of two fractions is larger, exactly.
fn by_ratio(a: &(u64, u64), b: &(u64, u64)) -> Ordering {
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    product(a.0, b.1).cmp(&product(b.0, a.1))
}

/// A survey under way. Adding up gives the same result in any order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Survey", into = "Survey")]
pub(super) struct Tally {
    pub survey: Survey,
    /// Shortest routes through an intact network, by their length: by far the most of all.
    shortest: Vec<u64>,
}

impl Tally {
    /// A route that arrived.
    pub fn route(&mut self, from: Node, to: Node, length: Length) {
        if length.distance == Some(length.hops) && length.intact == length.distance {
            let hops = usize::try_from(length.hops).expect("the hops were walked");
            if self.shortest.len() <= hops {
                self.shortest.resize(hops + 1, 0);
            }
            self.shortest[hops] += 1;
        } else {
            *self.survey.counts.entry(length).or_default() += 1;
        }
        if let Some(distance) = length.distance.filter(|&distance| distance > 0) {
            self.worst(Worst { from, to, hops: length.hops, distance });
        }
    }

    /// A route that did not.
    pub fn failed(&mut self, failure: Failure) {
        if self.is_first_failure(failure.from, failure.to, failure.choice) {
            self.survey.failure = Some(failure);
        }
    }

    /// Whether a failure of this route would be the first that is known.
    pub fn is_first_failure(&self, from: Node, to: Node, choice: u64) -> bool {
        let known = self.survey.failure.as_ref();
        known.is_none_or(|known| (from, to, choice) < (known.from, known.to, known.choice))
    }

    fn worst(&mut self, route: Worst) {
        let ratio = |route: &Worst| (route.hops, route.distance);
        let worse =
            self.survey.worst.is_none_or(|known| match by_ratio(&ratio(&route), &ratio(&known)) {
                Ordering::Equal => (route.from, route.to) < (known.from, known.to),
                order => order == Ordering::Greater,
            });
        if worse {
            self.survey.worst = Some(route);
        }
    }

    /// Both together.
    pub fn plus(mut self, other: Tally) -> Self {
        let other = other.finish();
        self.survey.pairs += other.pairs;
        self.survey.arrived += other.arrived;
        self.survey.unreachable += other.unreachable;
        for (length, count) in other.counts {
            *self.survey.counts.entry(length).or_default() += count;
        }
        self.survey.vcs_used = self.survey.vcs_used.max(other.vcs_used);
        other.failure.into_iter().for_each(|failure| self.failed(failure));
        other.worst.into_iter().for_each(|route| self.worst(route));
        self
    }

    /// What was counted.
    pub fn finish(mut self) -> Survey {
        for (hops, &count) in (0..).zip(&self.shortest).filter(|(_, count)| **count > 0) {
            let length = Length { hops, distance: Some(hops), intact: Some(hops) };
            *self.survey.counts.entry(length).or_default() += count;
        }
        self.survey
    }
}

impl From<Survey> for Tally {
    fn from(survey: Survey) -> Self {
        Tally { survey, shortest: Vec::new() }
    }
}

impl From<Tally> for Survey {
    fn from(tally: Tally) -> Self {
        tally.finish()
    }
}

/// Counts by length as a list: lengths are no names.
mod pairs {
    use super::{BTreeMap, Length};
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(
        counts: &BTreeMap<Length, u64>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(counts)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<Length, u64>, D::Error> {
        let pairs: Vec<(Length, u64)> = Vec::deserialize(from)?;
        Ok(pairs.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(hops: u64, distance: u64) -> Length {
        Length { hops, distance: Some(distance), intact: Some(distance) }
    }

    #[test]
    fn numbers_from_counts() {
        let mut tally = Tally::default();
        for (from, hops, distance) in [(1, 2, 2), (2, 3, 2), (3, 6, 4), (4, 4, 4)] {
            tally.route(Node(from), Node(0), length(hops, distance));
        }
        let survey = tally.finish();
        assert_eq!((survey.routes(), survey.max_hops()), (4, Some(6)));
        assert_eq!(survey.mean_hops(), Some(15.0 / 4.0));
        assert_eq!(survey.histogram(), [0, 0, 1, 1, 1, 0, 1]);
        assert_eq!(survey.max_stretch(Against::Alive), Some(1.5));
        assert_eq!(survey.mean_stretch(Against::Intact), Some(5.0 / 4.0));
        let worst = Worst { from: Node(2), to: Node(0), hops: 3, distance: 2 };
        assert_eq!(survey.worst, Some(worst));
    }

    #[test]
    fn the_order_does_not_matter() {
        let part = |from: u64| {
            let mut tally = Tally::default();
            tally.route(Node(from), Node(0), length(3, 3));
            tally.route(Node(from), Node(1), length(4 + from % 2, 4));
            let error = WalkError::Ends { at: Node(from) };
            tally.failed(Failure { from: Node(from), to: Node(2), choice: 0, error });
            tally
        };
        let forth = part(5).plus(part(6)).plus(part(7)).finish();
        let back = part(7).plus(part(6).plus(part(5))).finish();
        assert_eq!(forth, back);
        assert_eq!(forth.failure.unwrap().from, Node(5));
        assert_eq!(forth.worst.unwrap().from, Node(5));
    }

    /// Of two choices 24 hops over eight channels, six of them over the same one.
    #[test]
    fn loads_are_messages_and_not_choices() {
        let loads =
            Loads { most: 6, total: 24, channels: 8, choices: 2, least: Some(5), busiest: None };
        assert_eq!((loads.max(), loads.mean(), loads.ratio()), (3.0, Some(1.5), Some(2.0)));
        assert_eq!(loads.least(), Some(2.5));
        let none = Loads { most: 0, total: 0, channels: 0, choices: 0, least: None, busiest: None };
        assert_eq!((none.max(), none.mean(), none.ratio()), (0.0, None, None));
        let idle = Loads { channels: 8, ..none };
        assert_eq!((idle.mean(), idle.ratio()), (Some(0.0), None));
    }

    /// Failures by source, then by target, then by choice.
    #[test]
    fn the_first_failure_is_kept() {
        let error = WalkError::Ends { at: Node(0) };
        let mut tally = Tally::default();
        assert!(tally.is_first_failure(Node(9), Node(9), 9));
        for (from, to, choice, first) in
            [(2, 5, 1, (2, 5, 1)), (2, 5, 2, (2, 5, 1)), (2, 5, 0, (2, 5, 0)), (1, 9, 9, (1, 9, 9))]
        {
            tally.failed(Failure { from: Node(from), to: Node(to), choice, error });
            let Failure { from, to, choice, .. } = tally.survey.failure.unwrap();
            assert_eq!((from.0, to.0, choice), first);
            assert!(!tally.is_first_failure(from, to, choice));
        }
    }

    #[test]
    fn nothing_has_no_mean() {
        let survey = Survey::default();
        assert_eq!((survey.mean_hops(), survey.max_hops()), (None, None));
        assert_eq!(survey.mean_stretch(Against::Alive), None);
        assert!(survey.histogram().is_empty());
    }
}
