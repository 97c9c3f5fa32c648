//! What is the value of a quantity? Small networks are searched and counted, whatever a theorem says.

use super::arithmetic::shortened;
use super::lab::{FACT_BYTES, Lab, Sample, bytes_of};
use super::quantity::{Given, Quantity, QuantityError, Source, Takes};
use super::value::{Rational, Value};
use nestnet_analysis::measures::{Analysis, Answer, Limits, MEASURES, Unanswered};
use nestnet_graph::How;
use nestnet_graph::locate;
use nestnet_graph::measure::search::is_connected;
use nestnet_graph::theory::Degrees;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// Up to this many nodes distances are searched for, whatever a theorem says.
const MAX_SEARCHED: u64 = 1 << 12;

/// Up to this many nodes sizes are counted, node by node, whatever a theorem says.
pub(super) const MAX_COUNTED: u64 = 1 << 16;

/// And up to this many ports, which takes a moment.
const MAX_VISITS: u64 = 1 << 26;

impl Lab<'_> {
    /// The value of a quantity.
    pub fn measure(
        &self,
        quantity: &'static Quantity,
        arguments: &[String],
    ) -> Result<Value, QuantityError> {
        let key = (quantity.name, arguments.to_vec());
        let length: usize = arguments.iter().map(String::len).sum();
        let weigh = |value: &Value| bytes_of(value).saturating_add(length as u64);
        let value = self.values.get(key, self.shelf(), weigh, || {
            let mut given = Vec::new();
            for (argument, takes) in arguments.iter().zip(quantity.takes) {
                given.push(self.given(*takes, argument, &given)?);
            }
            match quantity.source {
                Source::Key(key) => self.fact(given[0].sample()?, key),
                Source::Function(find) => find(self, &given),
            }
        });
        // What ends because it was stopped says so in many ways: by an error of its own, or by bounds that more time
        // would have closed.
        match (value, self.budget.check()) {
            (Ok(value), Err(stopped)) if !value.is_exact() => Err(stopped.into()),
            (Err(_), Err(stopped)) => Err(stopped.into()),
            (value, _) => value,
        }
    }

    fn given(
        &self,
        takes: Takes,
        argument: &str,
        before: &[Given],
    ) -> Result<Given, QuantityError> {
        match takes {
            Takes::Network => self.sample(argument).map(Given::Network),
            Takes::Word => Ok(Given::Word(argument.to_owned())),
            Takes::Number => {
                let number = argument
                    .parse()
                    .map_err(|_| QuantityError::NoInteger { text: shortened(argument, 40) })?;
                Ok(Given::Number(number))
            }
            Takes::Node => {
                let sample = before.iter().find_map(|given| given.sample().ok());
                let network = sample.ok_or(QuantityError::Needs("network"))?.network()?;
                Ok(Given::Node(locate(network, argument)?))
            }
        }
    }

    /// The value of a key of the measures.
    fn fact(&self, sample: &Sample, key: &'static str) -> Result<Value, QuantityError> {
        match counted(sample, key) {
            Some(counted) => Ok(counted),
            None => to_value(&self.answer(sample, key)?),
        }
    }

    /// One answer of the table of measures.
    pub(super) fn answer(
        &self,
        sample: &Sample,
        key: &'static str,
    ) -> Result<Answer, QuantityError> {
        let row = MEASURES.iter().find(|measure| measure.keys.contains(&key));
        let row = row.ok_or(QuantityError::NoFact { key })?;
        let order = sample.built.theory.order();
        let small = order.to_u64().is_some_and(|order| order <= MAX_SEARCHED);
        // All distances of a small network are searched once, whichever of them is asked for first.
        let whole = small && row.name == "distances";
        let (part, keys) = if whole { (row.name, row.keys) } else { (key, &[key][..]) };
        let entry = (sample.spec.clone(), part);
        let facts = self.rows.get(
            entry,
            self.shelf(),
            |_| FACT_BYTES,
            || {
                let limits = Limits { how: small.then_some(How::Exhaustive), budget: self.budget };
                Ok(Arc::new((row.find)(&Analysis::new(&sample.built, limits), keys)))
            },
        )?;
        let fact = facts.iter().find(|fact| fact.key == key);
        Ok(fact.ok_or(QuantityError::NoFact { key })?.answer.clone()?)
    }
}

/// What can be counted.
pub(super) fn counted(sample: &Sample, key: &str) -> Option<Value> {
    let network = sample.built.network.as_deref()?;
    let visits = network.order().saturating_mul(u64::from(network.ports()));
    if network.order() > MAX_COUNTED || visits > MAX_VISITS {
        return None;
    }
    let degrees = || Degrees::measured(network);
    Some(match key {
        "links" => degrees().links.into(),
        "degree_min" => degrees().min.into(),
        "degree_max" => degrees().max.into(),
        "regular" => degrees().regular_degree().is_some().into(),
        "connected" => is_connected(network).into(),
        _ => return None,
    })
}

fn to_value(answer: &Answer) -> Result<Value, QuantityError> {
    Ok(match answer {
        Answer::Integer(value) => Value::exact(value.clone()),
        Answer::Number(value) => Value::Real(*value),
        Answer::Truth(value) => Value::Truth(*value),
        Answer::Known(known) => Value::between(known.low.clone(), known.high.clone()),
        Answer::Bounds { low, high, .. } => Value::between(*low, *high),
        Answer::Mean { numerator, denominator, .. } => {
            Value::fraction(Rational::new(numerator.clone().into(), denominator.clone().into()))
        }
        Answer::Load { max, .. } => Value::Real(*max),
        Answer::Sampled(_) => {
            return Err(Unanswered::OnlySampled.into());
        }
        Answer::Histogram { counts, .. } => {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            Value::Text(counts.join(" "))
        }
        Answer::Degrees(_) | Answer::Pair(_) => return Err(QuantityError::NotNumber),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity;
    use nestnet_graph::{Budget, Watch};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Stopped at any moment, a measurement gives the value that it would have given, or says that it was stopped: bounds
    /// that more time would have closed are no value.
    #[test]
    fn what_is_stopped_gives_no_bounds() {
        let bisection = quantity::find("bisection").unwrap();
        let mut ended = [0, 0];
        for looks in (0..200).chain((200..20_000).step_by(500)) {
            let count = AtomicU64::new(0);
            let stop = || count.fetch_add(1, Ordering::Relaxed) >= looks;
            let watch = Watch { stop: &stop, ..Watch::SILENT };
            let lab = Lab::new(Budget { watch, ..Budget::UNLIMITED });
            match lab.measure(bisection, &["torus(4, 6)".to_owned()]) {
                Ok(value) => {
                    assert_eq!(value, Value::exact(8), "after {looks} looks");
                    ended[0] += 1;
                }
                Err(why) => {
                    assert!(why.is_unfinished(), "after {looks} looks: {why}");
                    ended[1] += 1;
                }
            }
        }
        assert!(ended.iter().all(|&count| count > 0), "{ended:?}");
    }
}
