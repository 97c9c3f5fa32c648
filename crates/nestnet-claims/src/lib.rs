//! Is what the papers say true? One file of claims a paper, each measured.
//!
//! A [`Ledger`] is a file of rows; a row says what a paper states, in our words, what we hold of it, and how to measure
//! it: a formula for the printed value, one for the measured value, and the cases to try. [`judge`] measures and gives
//! the verdict, which must be the one that is written down: a wrong row is as red as a wrong measurement.
//!
//! ```
//! use nestnet_claims::{Lab, Ledger, Verdict, judge};
//!
//! let ledger = Ledger::parse("trial", r#"
//!     title = "A trial"
//!     [[claim]]
//!     id = "ring-diameter"
//!     where = "nowhere"
//!     says = "A ring of n nodes has diameter n/2."
//!     verdict = "bound"
//!     [[claim.check]]
//!     given = { n = [4, 5, 6] }
//!     measured = "diameter(ring({n}))"
//!     is = "worst"
//!     printed = "n/2"
//! "#).unwrap();
//! let judged = judge(&ledger.claims[0], false, &Lab::default());
//! assert_eq!(judged.readings[0].found, Some(Verdict::Bound));
//! assert!(judged.agrees());
//! ```

mod arithmetic;
mod basis;
pub mod errata;
mod evaluate;
mod expression;
#[cfg(test)]
mod hostile;
mod judge;
mod lab;
pub mod ledger_page;
mod measure;
mod parser;
mod quantity;
mod used;
mod value;

pub use arithmetic::ArithmeticError;
pub use basis::Basis;
pub use evaluate::{EvaluateError, Scope, evaluate};
pub use expression::{Expression, ExpressionError, ExpressionFault};
pub use judge::{Case, Finding, Fit, JudgeError, Judged, JudgedReading, judge, judge_all};
pub use lab::{Lab, Sample};
pub use quantity::{Given, QUANTITIES, Quantity, QuantityError, Source, Takes};
pub use value::{Rational, Standing, Value};

use nestnet_graph::kinds;
use nestnet_topologies::family::did_you_mean;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The ledgers of the five papers: their keys and their text.
pub const LEDGERS: &[(&str, &str)] = &[
    ("shen-back-1993", include_str!("../claims/shen-back-1993.toml")),
    ("jan-2004", include_str!("../claims/jan-2004.toml")),
    ("li-2009", include_str!("../claims/li-2009.toml")),
    ("yeh-parhami-1996", include_str!("../claims/yeh-parhami-1996.toml")),
    ("sun-2000", include_str!("../claims/sun-2000.toml")),
];

/// A ledger to begin with, which is complete and is judged as it stands.
pub const TEMPLATE: &str = include_str!("../template.toml");

/// What we hold of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is true wherever we looked.
    Holds,
    /// It is stated as an equality, fails as one, and is true as an upper bound.
    Bound,
    /// It is false, and a case shows it.
    Fails,
    /// It is false as printed, and a reader corrects it at once from the same page: a letter, an index, a sign, a word.
    Misprint,
    /// We cannot decide it.
    Open,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 5] =
        [Verdict::Holds, Verdict::Bound, Verdict::Fails, Verdict::Misprint, Verdict::Open];

    /// Whether the statement is false as it is printed, misprints aside: also where it is true as a bound.
    pub fn is_failure(self) -> bool {
        matches!(self, Verdict::Fails | Verdict::Bound)
    }

    /// In words, for a reader of the errata.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Bound => "fails, true as a bound",
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Misprint => "misprint",
            Verdict::Open => "open",
        }
    }
}

impl FromStr for Verdict {
    type Err = LedgerError;

    fn from_str(name: &str) -> Result<Self, LedgerError> {
        let mut all = Verdict::ALL.into_iter();
        let found = all.find(|verdict| verdict.to_string() == name);
        found.ok_or_else(|| LedgerError::NoVerdict { name: name.to_owned() })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::Bound => "bound",
            Verdict::Fails => "fails",
            Verdict::Misprint => "misprint",
            Verdict::Open => "open",
        })
    }
}

/// What kind of statement it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A theorem, lemma, corollary or property.
    Theorem,
    /// A formula, an equation or an entry of a table.
    Formula,
    /// A procedure.
    Algorithm,
    /// A step of a proof.
    ProofStep,
    /// A definition.
    Definition,
    /// A sentence of the text.
    Wording,
}

impl Kind {
    /// What a place in a paper suggests.
    fn at(place: &str) -> Self {
        let has = |word: &str| place.contains(word);
        match () {
            () if has("proof") || has("Proof") => Kind::ProofStep,
            () if ["Algorithm", "RELLN", "ROUT", "Fig. 6"].into_iter().any(has) => Kind::Algorithm,
            () if ["Theorem", "Lemma", "Corollary", "Property"].into_iter().any(has) => {
                Kind::Theorem
            }
            () if ["Eq", "equation", "Table", "Fig. 9"].into_iter().any(has) => Kind::Formula,
            () if has("Definition") => Kind::Definition,
            () => Kind::Wording,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Theorem => "theorem",
            Kind::Formula => "formula",
            Kind::Algorithm => "algorithm",
            Kind::ProofStep => "proof step",
            Kind::Definition => "definition",
            Kind::Wording => "wording",
        })
    }
}

/// How a measured value should stand to the printed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// They are equal.
    Equal,
    /// They are equal, as a worst case is: where the measured one is smaller, the statement is only a bound.
    Worst,
    /// They are equal to the digits that are printed.
    Rounds,
    /// They differ.
    Unequal,
    /// The measured one is at most the printed one.
    AtMost,
    /// The measured one is smaller.
    Below,
    /// The measured one is at least the printed one.
    AtLeast,
    /// The measured one is larger.
    Above,
}

impl Relation {
    /// What is stated, before the printed value.
    pub fn words(self) -> &'static str {
        match self {
            Relation::Equal | Relation::Worst | Relation::Rounds => "",
            Relation::Unequal => "not ",
            Relation::AtMost => "at most ",
            Relation::Below => "less than ",
            Relation::AtLeast => "at least ",
            Relation::Above => "more than ",
        }
    }

    /// The sign between the measured formula and the printed one.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Equal | Relation::Worst => "=",
            Relation::Rounds => "≈",
            Relation::Unequal => "≠",
            Relation::AtMost => "≤",
            Relation::Below => "<",
            Relation::AtLeast => "≥",
            Relation::Above => ">",
        }
    }
}

/// A way to test a statement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The parameters; every combination of their values is a case.
    #[serde(default)]
    pub given: BTreeMap<String, Parameter>,
    /// The parameters of further cases, which take long.
    #[serde(default)]
    pub slow: BTreeMap<String, Parameter>,
    /// Which combinations are cases; all if omitted.
    #[serde(rename = "where")]
    pub only: Option<String>,
    /// The formula to measure.
    pub measured: String,
    /// What it measures, in words, where the formula is hard to read; `{r}` means a parameter.
    pub what: Option<String>,
    /// How it should stand to the printed one.
    #[serde(default = "equal")]
    pub is: Relation,
    /// The formula that is printed; `yes` if omitted.
    #[serde(default = "yes")]
    pub printed: String,
    /// In a table, its column.
    pub column: Option<String>,
}

fn equal() -> Relation {
    Relation::Equal
}

fn yes() -> String {
    "yes".to_owned()
}

/// The values of a parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// Integers.
    Numbers(Vec<i64>),
    /// Specs and other texts.
    Texts(Vec<String>),
    /// One integer.
    Number(i64),
    /// One text.
    Text(String),
}

/// A way to read a statement, and what we hold of it then.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// What it takes the statement to mean; empty where there is only one way.
    #[serde(default)]
    pub name: String,
    /// What we hold of it.
    pub verdict: Verdict,
    /// How it is tested.
    #[serde(default)]
    pub check: Vec<Check>,
    /// What is true instead, where it fails.
    pub repair: Option<String>,
    /// How the repaired statement is tested.
    #[serde(default)]
    pub repaired: Vec<Check>,
    /// Why it is open, or what else is to be said.
    pub note: Option<String>,
    /// Where its closed form is proven.
    pub proof: Option<String>,
    /// Commands besides `claims` that show the failure itself, separated by semicolons; where there is none, that of the
    /// first quantity.
    pub show: Option<String>,
}

/// A statement of a paper.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name, unique in all ledgers.
    pub id: String,
    /// Where the paper says it.
    pub place: String,
    /// Where it says it again.
    pub also: Vec<String>,
    /// What it says, in our words.
    pub says: String,
    /// What kind of statement it is.
    pub kind: Kind,
    /// What makes it fail, where several statements fail for one reason.
    pub cause: Option<String>,
    /// The row of which this one is the same error at another place.
    pub same_as: Option<String>,
    /// What to use in place of what fails, where it is among the findings that matter most.
    pub instead: Option<String>,
    /// Its rank among the findings that matter most, and what was found in one sentence.
    pub finding: Option<(u8, String)>,
    /// The table of the paper and the row in it, where it is one.
    pub row: Option<(String, String)>,
    /// The ways to read it, ours first.
    pub readings: Vec<Reading>,
}

impl Claim {
    /// What we hold of it, as we read it.
    pub fn verdict(&self) -> Verdict {
        self.readings[0].verdict
    }

    /// Whether it is the same error at another place as a row among `ids`; totals of statements count that one alone.
    pub fn repeats_one_of(&self, ids: &HashSet<&str>) -> bool {
        self.same_as.as_deref().is_some_and(|same| ids.contains(same))
    }
}

/// How many statements there are of each verdict. One error at several places is one statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Rows of a ledger.
    pub rows: usize,
    /// Rows that are the same error at another place as another of them.
    pub repeated: usize,
    /// Statements that hold.
    pub holds: usize,
    /// Statements that fail as the equality that is printed, and are true as a bound.
    pub bound: usize,
    /// Statements that fail, and are not even a bound.
    pub fails: usize,
    /// Misprints.
    pub misprints: usize,
    /// Statements that cannot be decided.
    pub open: usize,
}

impl Totals {
    /// The totals of some rows, by their printed reading.
    ///
    /// ```
    /// use nestnet_claims::{Ledger, Totals};
    ///
    /// let ledger = Ledger::of("li-2009")?;
    /// let totals = Totals::of(&ledger.claims);
    /// assert_eq!(totals.rows, ledger.claims.len());
    /// assert_eq!(totals.statements() + totals.repeated, totals.rows);
    /// # Ok::<(), nestnet_claims::LedgerError>(())
    /// ```
    pub fn of<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Self {
        let claims: Vec<&Claim> = claims.into_iter().collect();
        let ids: HashSet<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
        let mut totals = Totals::default();
        for claim in claims {
            totals.add(claim.verdict(), claim.repeats_one_of(&ids));
        }
        totals
    }

    /// Counts one row more.
    pub fn add(&mut self, verdict: Verdict, repeated: bool) {
        self.rows += 1;
        let count = match verdict {
            _ if repeated => &mut self.repeated,
            Verdict::Holds => &mut self.holds,
            Verdict::Bound => &mut self.bound,
            Verdict::Fails => &mut self.fails,
            Verdict::Misprint => &mut self.misprints,
            Verdict::Open => &mut self.open,
        };
        *count += 1;
    }

    /// Statements of any verdict.
    pub fn statements(&self) -> usize {
        self.rows - self.repeated
    }
}

/// The claims of a paper.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// The paper, as [`nestnet_topologies::family::Paper::key`] names it.
    pub key: String,
    /// Its authors, title and year.
    pub title: String,
    /// Where it appeared, as far as that is known.
    pub venue: Option<String>,
    /// Its DOI, where that is known.
    pub doi: Option<String>,
    /// Where our text of it comes from and what it lacks.
    pub text: Option<String>,
    /// What others have corrected before.
    pub corrections: Option<String>,
    /// What the first values of a table are, by its name, where they are not all printed.
    pub legends: BTreeMap<String, String>,
    /// Its statements, in its order.
    pub claims: Vec<Claim>,
}

/// A row as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(rename = "where")]
    place: String,
    #[serde(default)]
    also: Vec<String>,
    says: String,
    kind: Option<Kind>,
    cause: Option<String>,
    same_as: Option<String>,
    instead: Option<String>,
    rank: Option<u8>,
    finding: Option<String>,
    table: Option<String>,
    row: Option<String>,
    verdict: Option<Verdict>,
    #[serde(default)]
    check: Vec<Check>,
    repair: Option<String>,
    #[serde(default)]
    repaired: Vec<Check>,
    note: Option<String>,
    proof: Option<String>,
    show: Option<String>,
    #[serde(default)]
    reading: Vec<Reading>,
}

/// A file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    venue: Option<String>,
    doi: Option<String>,
    text: Option<String>,
    corrections: Option<String>,
    #[serde(default)]
    legends: BTreeMap<String, String>,
    #[serde(default)]
    claim: Vec<Row>,
}

/// Limit: bytes of a ledger: reading takes many times as much memory.
const MAX_BYTES: usize = 4 << 20;

/// Why there is no ledger.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum LedgerError {
    /// There is no such paper.
    #[error(
        "no paper `{key}`: {}there are {}",
        did_you_mean(*near),
        keys().join(", ")
    )]
    NoPaper {
        key: String,
        /// What may have been meant.
        near: Option<&'static str>,
    },
    /// No claim is named so.
    #[error(
        "no claim `{id}`{}",
        near.as_ref().map(|near| format!(": did you mean `{near}`?")).unwrap_or_default()
    )]
    NoClaim {
        id: String,
        /// What may have been meant.
        near: Option<String>,
    },
    /// No verdict is named so.
    #[error("no verdict `{name}`: there are {}", Verdict::ALL.map(|verdict| verdict.to_string()).join(", "))]
    NoVerdict { name: String },
    /// The file is longer than any ledger is.
    #[error("{key}: a ledger has at most {MAX_BYTES} bytes, not {bytes}")]
    TooLong { key: String, bytes: usize },
    /// It is not in the form of a ledger.
    #[error("{key}: {error}")]
    Form {
        key: String,
        /// What is wrong, with the line.
        error: Box<toml::de::Error>,
    },
    /// Rows are known by their names.
    #[error("{key}: two rows are called `{id}`")]
    Twice { key: String, id: String },
    /// A row is not complete.
    #[error("{key}: `{id}` {fault}")]
    Row {
        key: String,
        id: String,
        /// What is wrong with it.
        fault: Box<RowFault>,
    },
}

kinds!(LedgerError {
    Unknown: NoPaper;
    Format: NoClaim, NoVerdict, TooLong, Form, Twice, Row;
});

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum RowFault {
    #[error("needs a verdict, or readings that have one each")]
    NoVerdict,
    #[error("has a table or a row, but not both")]
    HalfTable,
    #[error("has a rank or a finding, but not both")]
    HalfFinding,
    #[error("is open without a note that says why")]
    NoNote,
    #[error("has a verdict but no check")]
    NoCheck,
    #[error("fails without a repair")]
    NoRepair,
    #[error("is the same as a row that is not there")]
    SameAs,
    #[error(transparent)]
    Formula(#[from] ExpressionError),
}

/// The keys of all papers.
fn keys() -> Vec<&'static str> {
    LEDGERS.iter().map(|(key, _)| *key).collect()
}

/// The rows that `asked` names: the one of exactly that id, with or without its paper; where there is none, all whose
/// ids begin so.
///
/// ```
/// let ids = ["a.lemma-1", "a.lemma-1-proof", "a.lemma-2"];
/// assert_eq!(nestnet_claims::named("lemma-1", &ids), ["a.lemma-1"]);
/// assert_eq!(nestnet_claims::named("a.lemma", &ids), ids);
/// assert!(nestnet_claims::named("theorem", &ids).is_empty());
/// ```
pub fn named<'a>(asked: &str, ids: &[&'a str]) -> Vec<&'a str> {
    let short = |id: &'a str| id.split_once('.').map_or(id, |(_, short)| short);
    let all = |fits: &dyn Fn(&str) -> bool| -> Vec<&'a str> {
        ids.iter().copied().filter(|id| fits(id) || fits(short(id))).collect()
    };
    match all(&|id| id == asked) {
        none if none.is_empty() => all(&|id| id.starts_with(asked)),
        exact => exact,
    }
}

/// Leaves only the claims that are [`named`], or all where no name is given, and of them only those with a verdict, by
/// their printed reading and with all readings; ledgers without any are dropped. What `fails` has also what fails and is
/// true as a bound.
///
/// ```
/// use nestnet_claims::{Ledger, Verdict, select};
///
/// let mut ledgers = Ledger::all()?;
/// select(&mut ledgers, &["li-2009.table-2"], Some(Verdict::Fails))?;
/// assert!(ledgers.iter().all(|ledger| ledger.key == "li-2009"));
/// assert!(ledgers[0].claims.iter().all(|claim| claim.verdict().is_failure()));
/// assert!(select(&mut ledgers, &["no-such"], None).is_err());
/// # Ok::<(), nestnet_claims::LedgerError>(())
/// ```
pub fn select(
    ledgers: &mut Vec<Ledger>,
    only: &[impl AsRef<str>],
    verdict: Option<Verdict>,
) -> Result<(), LedgerError> {
    let claims = ledgers.iter().flat_map(|ledger| &ledger.claims);
    let ids: Vec<&str> = claims.map(|claim| claim.id.as_str()).collect();
    let mut wanted: HashSet<String> = HashSet::new();
    for id in only.iter().map(AsRef::as_ref) {
        let rows = named(id, &ids);
        if rows.is_empty() {
            let near = nestnet_topologies::family::closest(id, ids.iter().copied());
            let near = near.map(str::to_owned);
            return Err(LedgerError::NoClaim { id: id.to_owned(), near });
        }
        wanted.extend(rows.into_iter().map(str::to_owned));
    }
    let fits = |found: Verdict| {
        verdict.is_none_or(|asked| {
            // A false equality fails also where it is true as a bound.
            found == asked || (asked == Verdict::Fails && found.is_failure())
        })
    };
    for ledger in ledgers.iter_mut() {
        ledger.claims.retain(|claim| {
            fits(claim.verdict()) && (wanted.is_empty() || wanted.contains(&claim.id))
        });
    }
    ledgers.retain(|ledger| !ledger.claims.is_empty());
    Ok(())
}

/// The verdict that is written down for a row of the ledgers, such as `li-2009.theorem-1-diameter`; none where there is no
/// such row.
///
/// ```
/// use nestnet_claims::{Verdict, written_verdict};
///
/// assert_eq!(written_verdict("li-2009.theorem-1-diameter"), Some(Verdict::Bound));
/// assert_eq!(written_verdict("li-2009.theorem-99"), None);
/// ```
pub fn written_verdict(row: &str) -> Option<Verdict> {
    let ledger = Ledger::of(row.split_once('.')?.0).ok()?;
    let claim = ledger.claims.into_iter().find(|claim| claim.id == row)?;
    Some(claim.verdict())
}

impl Ledger {
    /// The ledger of a paper, by its key.
    pub fn of(key: &str) -> Result<Self, LedgerError> {
        match LEDGERS.iter().find(|(known, _)| *known == key) {
            Some((key, text)) => Ledger::parse(key, text),
            None => {
                let near = nestnet_topologies::family::closest(key, keys().into_iter());
                Err(LedgerError::NoPaper { key: key.to_owned(), near })
            }
        }
    }

    /// The ledgers of all papers.
    pub fn all() -> Result<Vec<Self>, LedgerError> {
        LEDGERS.iter().map(|(key, text)| Ledger::parse(key, text)).collect()
    }

    /// Reads a ledger, and says which row is at fault where it is not complete.
    pub fn parse(key: &str, text: &str) -> Result<Self, LedgerError> {
        let named = || key.to_owned();
        if text.len() > MAX_BYTES {
            return Err(LedgerError::TooLong { key: named(), bytes: text.len() });
        }
        let form = |error| LedgerError::Form { key: named(), error: Box::new(error) };
        let mut file: File = toml::from_str(text).map_err(form)?;
        let mut seen = HashSet::new();
        let mut claims = Vec::new();
        for row in std::mem::take(&mut file.claim) {
            let id = row.id.clone();
            if !seen.insert(id.clone()) {
                return Err(LedgerError::Twice { key: named(), id });
            }
            let claim = row.into_claim();
            let fault = |fault| LedgerError::Row { key: named(), id, fault: Box::new(fault) };
            claims.push(claim.map_err(fault)?);
        }
        let known: HashSet<&str> = claims.iter().map(|claim: &Claim| claim.id.as_str()).collect();
        let stray = claims.iter().find(|claim| {
            claim.same_as.as_deref().is_some_and(|same| !known.contains(same) || same == claim.id)
        });
        if let Some(claim) = stray {
            let (id, fault) = (claim.id.clone(), Box::new(RowFault::SameAs));
            return Err(LedgerError::Row { key: named(), id, fault });
        }
        let File { title, venue, doi, text, corrections, legends, .. } = file;
        Ok(Ledger { key: named(), title, venue, doi, text, corrections, legends, claims })
    }
}

impl Row {
    fn into_claim(self) -> Result<Claim, RowFault> {
        let readings = match (self.verdict, self.reading.is_empty()) {
            (Some(verdict), true) => vec![Reading {
                name: String::new(),
                verdict,
                check: self.check,
                repair: self.repair,
                repaired: self.repaired,
                note: self.note,
                proof: self.proof,
                show: self.show,
            }],
            (None, false) if self.check.is_empty() && self.repair.is_none() => self.reading,
            _ => return Err(RowFault::NoVerdict),
        };
        for reading in &readings {
            reading.is_complete()?;
        }
        let row = match (self.table, self.row) {
            (Some(table), Some(row)) => Some((table, row)),
            (None, None) => None,
            _ => return Err(RowFault::HalfTable),
        };
        let finding = match (self.rank, self.finding) {
            (Some(rank), Some(finding)) => Some((rank, finding)),
            (None, None) => None,
            _ => return Err(RowFault::HalfFinding),
        };
        let kind = self.kind.unwrap_or_else(|| Kind::at(&self.place));
        let Row { id, place, also, says, cause, same_as, instead, .. } = self;
        Ok(Claim { id, place, also, says, kind, cause, same_as, instead, finding, row, readings })
    }
}

impl Reading {
    /// Which of the combinations of parameters are cases, each condition of its checks once.
    pub fn conditions(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for only in self.check.iter().filter_map(|check| check.only.as_deref()) {
            if !all.contains(&only) {
                all.push(only);
            }
        }
        all
    }

    /// Whether it has what its verdict needs.
    fn is_complete(&self) -> Result<(), RowFault> {
        for check in self.check.iter().chain(&self.repaired) {
            let formulas = [Some(&check.measured), Some(&check.printed), check.only.as_ref()];
            for formula in formulas.into_iter().flatten() {
                Expression::parse(formula)?;
            }
        }
        match self.verdict {
            Verdict::Open if self.note.is_none() => Err(RowFault::NoNote),
            Verdict::Open => Ok(()),
            Verdict::Fails | Verdict::Misprint if self.repair.is_none() => Err(RowFault::NoRepair),
            Verdict::Misprint => Ok(()),
            _ if self.check.is_empty() => Err(RowFault::NoCheck),
            _ => Ok(()),
        }
    }
}
