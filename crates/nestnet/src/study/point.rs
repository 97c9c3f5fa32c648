//! Which question is this, and is this its answer? A point by its canonical text, and its answer under seal.

use super::plan::{Network, Question, Study};
use nestnet_graph::json::Missing;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

/// One combination of what a study sweeps over.
#[derive(Clone, Debug)]
pub struct Point<'a> {
    pub(super) study: &'a Study,
    /// What is asked.
    pub question: Question,
    pub(super) network: usize,
    /// What else determines the answer: names and values, in a fixed order; what is swept over comes first.
    pub(super) fields: Vec<(&'static str, String)>,
    /// How many of them are swept over.
    pub(super) swept: usize,
}

impl Study {
    /// The point of that number.
    ///
    /// # Panics
    ///
    /// Where there are not so many points.
    pub fn point(&self, number: u64) -> Point<'_> {
        let mut rest = number;
        for (group, (question, points)) in self.groups.iter().zip(self.points_of()) {
            if rest >= points {
                rest -= points;
                continue;
            }
            let mut places = Vec::new();
            for axis in group.axes.iter().rev() {
                places.push(rest % axis.len());
                rest /= axis.len();
            }
            let places = places.into_iter().rev();
            let mut fields: Vec<_> =
                group.axes.iter().zip(places).flat_map(|(axis, at)| axis.fields(at)).collect();
            let swept = fields.len();
            fields.extend(group.fixed.iter().cloned());
            fields.push(("bytes", self.budget.0.to_string()));
            fields.push(("steps", self.budget.1.to_string()));
            let network = usize::try_from(rest).unwrap_or(usize::MAX);
            return Point { study: self, question, network, fields, swept };
        }
        panic!("there are {} points, and no point {number}", self.points());
    }
}

impl Point<'_> {
    pub(super) fn subject(&self) -> &Network {
        &self.study.networks[self.network]
    }

    /// The canonical spec of its network.
    pub fn spec(&self) -> &str {
        &self.subject().spec
    }

    /// The value of a field, by its name.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value.as_str())
    }

    /// What is swept over here: names and values.
    pub fn swept(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.fields[..self.swept].iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// All that determines the answer, a line each: the question and its version, the network, the options, and hashes
    /// of the files that are read for it.
    pub fn asked(&self) -> String {
        let mut text = format!(
            "nestnet study\nquestion {} {}\nspec {}\n",
            self.question.name(),
            self.question.version(),
            self.spec()
        );
        let files = self.fields.iter().filter_map(|(name, value)| match *name {
            "traffic" => self.study.files_of_traffic.get(value),
            _ => None,
        });
        for (path, sum) in self.subject().files.iter().chain(files.flatten()) {
            let _ = writeln!(text, "file {path:?} {sum}");
        }
        for (name, value) in &self.fields {
            let _ = writeln!(text, "{name} {value}");
        }
        text
    }

    /// Its name: 32 hexadecimal digits of the hash of what is asked.
    pub fn name(&self) -> String {
        let mut name = hash(self.asked().as_bytes());
        name.truncate(32);
        name
    }

    /// Its file in a folder of answers. Files of one folder would be too many for some file systems: those that begin
    /// alike share one.
    pub fn stored_as(&self) -> String {
        let name = self.name();
        format!("{}/{name}.json", &name[..2])
    }

    /// An answer with what it answers and a checksum, as one line of JSON.
    pub fn seal(&self, answer: &Answer) -> Vec<u8> {
        let asked = self.asked();
        let sum = hash(format!("{asked}\n{}", answer.json()).as_bytes());
        let sealed = Sealed { name: self.name(), asked, answer: &answer.0, sum };
        // Texts are always JSON, and the answer is one already.
        let mut line = serde_json::to_vec(&sealed).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// The answer under a seal, or `None` where a byte of it is not as it was written, or it answers something else.
    pub fn open(&self, sealed: &[u8]) -> Option<Answer> {
        let read: Sealed<'_> = serde_json::from_slice(sealed).ok()?;
        let answer = Answer(read.answer.to_owned());
        (self.seal(&answer) == sealed).then_some(answer)
    }
}

/// What a point says: an object of JSON, kept as its text, so that every digit and the order of keys stay.
#[derive(Clone, Debug)]
pub struct Answer(pub(super) Box<RawValue>);

impl Answer {
    /// The answer that has these fields.
    pub(super) fn of(fields: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Answer(to_raw_value(fields)?))
    }

    /// Why there is no answer.
    pub(super) fn missing(error: &dyn Error) -> Self {
        // A text is always JSON.
        Answer::of(&Missing(error)).unwrap_or_else(|_| Answer(RawValue::NULL.to_owned()))
    }

    /// Its text, one line of JSON.
    pub fn json(&self) -> &str {
        self.0.get()
    }

    /// Whether it says why there is no answer, under the key `none`.
    pub fn is_missing(&self) -> bool {
        let fields: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_str(self.json());
        fields.is_ok_and(|fields| fields.contains_key("none"))
    }
}

impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// An answer under seal, in the order of its keys.
#[derive(Deserialize, Serialize)]
struct Sealed<'a> {
    name: String,
    asked: String,
    #[serde(borrow)]
    answer: &'a RawValue,
    sum: String,
}

/// SHA-256 in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
