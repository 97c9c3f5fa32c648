//! What is an answer? Plain data, in JSON and in words for people.

use super::{Sampled, Unanswered};
use crate::info::Average;
use crate::number_format::{by, count, decimal, how, known, mean};
use nestnet_graph::distances::ratio;
use nestnet_graph::json::{self, Integer};
use nestnet_graph::theory::Bounded;
use nestnet_graph::{Address, How, Node, fields};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// One answer, or why there is none.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fact {
    /// What was asked.
    pub key: &'static str,
    /// The answer, or why it could not be found.
    pub answer: Result<Answer, Unanswered>,
}

/// What an answer can be.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A count.
    Integer(BigUint),
    /// A number with a fraction.
    Number(f64),
    /// Yes or no.
    Truth(bool),
    /// A number between two bounds.
    Known(Bounded),
    /// A number between two bounds, each found in its own way.
    Bounds {
        /// At least this.
        low: u64,
        /// At most this.
        high: u64,
        /// How both are known.
        how: String,
    },
    /// An exact mean.
    Mean {
        /// Upper part of the fraction.
        numerator: BigUint,
        /// Lower part of the fraction.
        denominator: BigUint,
        /// How it is known.
        how: How,
    },
    /// A mean that a sample tells.
    Sampled(Sampled),
    /// Ordered pairs by distance.
    Histogram {
        /// Index 0 counts the nodes themselves.
        counts: Vec<BigUint>,
        /// How they are known.
        how: How,
    },
    /// How many nodes have each degree.
    Degrees(BTreeMap<u64, BigUint>),
    /// Two nodes.
    Pair([(Node, Address); 2]),
    /// The load of channels.
    Load {
        /// Of the busiest.
        max: f64,
        /// Of all.
        mean: f64,
        /// The one over the other.
        ratio: f64,
        /// How they are known.
        how: How,
    },
}

impl Answer {
    /// How it is known, where it says so.
    pub fn how(&self) -> Option<How> {
        match self {
            Answer::Known(known) => Some(known.how),
            Answer::Mean { how, .. } | Answer::Histogram { how, .. } | Answer::Load { how, .. } => {
                Some(*how)
            }
            _ => None,
        }
    }

    /// The number that it is, to about 15 digits, where it is one number and exact: not two bounds that differ, a
    /// sample, a list or a pair.
    ///
    /// ```
    /// use nestnet_analysis::measures::{Analysis, Limits};
    ///
    /// let built = nestnet_topologies::build("petersen").unwrap();
    /// let analysis = Analysis::new(&built, Limits::default());
    /// assert_eq!(analysis.answer("girth")?.number(), Some(5.0));
    /// assert_eq!(analysis.answer("degree_histogram")?.number(), None);
    /// # Ok::<(), nestnet_analysis::measures::Unanswered>(())
    /// ```
    pub fn number(&self) -> Option<f64> {
        match self {
            Answer::Integer(value) => value.to_f64(),
            Answer::Number(value) => Some(*value),
            Answer::Known(known) if known.low == known.high => known.low.to_f64(),
            Answer::Bounds { low, high, .. } if low == high => Some(*low as f64),
            Answer::Mean { numerator, denominator, .. } => Some(ratio(numerator, denominator)),
            _ => None,
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Answer::Integer(value) => Integer(value).serialize(serializer),
            Answer::Number(value) => value.serialize(serializer),
            Answer::Truth(value) => value.serialize(serializer),
            Answer::Known(known) => known.serialize(serializer),
            Answer::Bounds { low, high, how } => {
                fields!(
                    serializer,
                    "Bounded",
                    /// At least this.
                    low: u64 = low,
                    /// At most this.
                    high: u64 = high,
                    /// How both are known.
                    how: String = how,
                )
            }
            Answer::Mean { numerator, denominator, how } => {
                let [numerator, denominator] = [numerator, denominator].map(BigUint::clone);
                Average { numerator, denominator, how: *how }.serialize(serializer)
            }
            Answer::Sampled(sampled) => sampled.serialize(serializer),
            Answer::Histogram { counts, how } => {
                let counts: Vec<_> = counts.iter().map(Integer).collect();
                fields!(
                    serializer,
                    "Histogram",
                    /// Ordered pairs at each distance, from distance 0 on.
                    counts: Vec<Integer<_>> = counts,
                    /// How it is known.
                    how: How = how,
                )
            }
            Answer::Degrees(counts) => json::counts(counts).serialize(serializer),
            Answer::Pair(pair) => pair.each_ref().map(End).serialize(serializer),
            Answer::Load { max, mean, ratio, how } => {
                fields!(
                    serializer,
                    "Load",
                    /// Load of the busiest channel.
                    max: f64 = max,
                    /// Mean load of all channels.
                    mean: f64 = mean,
                    /// The largest load as a multiple of the mean.
                    ratio: f64 = ratio,
                    /// How it is known.
                    how: How = how,
                )
            }
        }
    }
}

nestnet_graph::written_as!(
    Answer: Integer<BigUint>,
    f64,
    bool,
    Bounded,
    Average,
    Sampled,
    BTreeMap<u64, Integer<BigUint>>,
    [End<'_>; 2],
);

/// A node and its address.
struct End<'a>(&'a (Node, Address));

impl Serialize for End<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "End",
            /// The node.
            node: Node = self.0.0,
            /// Its address, as its paper writes it.
            address: Address = self.0.1,
        )
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_words(self))
    }
}

/// An answer for people.
fn in_words(answer: &Answer) -> String {
    /// More entries than these are left to JSON.
    const MAX_SHOWN: usize = 40;
    match answer {
        Answer::Integer(value) => count(value),
        Answer::Number(value) => decimal(*value),
        Answer::Truth(value) => if *value { "yes" } else { "no" }.to_owned(),
        Answer::Known(value) => known(value),
        Answer::Bounds { low, high, how } if low == high => format!("{low}, by {}", by(how)),
        Answer::Bounds { low, high, how } => format!("{low} to {high}, by {}", by(how)),
        Answer::Mean { numerator, denominator, how } => mean(numerator, denominator, *how),
        Answer::Sampled(Sampled { mean, margin, sources, seed, .. }) => format!(
            "≈ {} ± {} (95 %), sampled from {} nodes, seed {seed}",
            decimal(*mean),
            decimal(*margin),
            count(&BigUint::from(*sources))
        ),
        Answer::Histogram { counts, how: method } => {
            let shown: Vec<String> = counts.iter().take(MAX_SHOWN).map(count).collect();
            let more = if counts.len() > MAX_SHOWN { " … (JSON has all)" } else { "" };
            format!("{}{more}, {}", shown.join("  "), how(*method))
        }
        Answer::Degrees(counts) => {
            let class = |(degree, nodes): (&u64, &BigUint)| format!("{} × {degree}", count(nodes));
            let shown: Vec<String> = counts.iter().take(MAX_SHOWN).map(class).collect();
            let more = if counts.len() > MAX_SHOWN { " … (JSON has all)" } else { "" };
            format!("{}{more}", shown.join(", "))
        }
        Answer::Pair(pair) => {
            let ends = pair.each_ref().map(|(node, address)| format!("{node} = {address}"));
            ends.join(" and ")
        }
        Answer::Load { max, mean, ratio, how: method } => format!(
            "{} at most, {} on average, ratio {}, {}",
            decimal(*max),
            decimal(*mean),
            decimal(*ratio),
            how(*method)
        ),
    }
}
