//! Measures a claim and gives the verdict.

use super::evaluate::{Scope, evaluate, fill};
use super::expression::{Expression, ExpressionError, Template};
use super::lab::bytes_of;
use super::used::{computes, measures, used};
use super::{
    Basis, Check, Claim, EvaluateError, Lab, Parameter, Reading, Relation, Standing, Value, Verdict,
};
use nestnet_graph::OverBudget;
use nestnet_graph::fields;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use thiserror::Error;

/// One case: the parameters and both values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// The parameters, as `n = 3, k = 2`.
    pub given: String,
    /// What was measured, with the parameters in place.
    pub measured_by: String,
    /// The same in words, where the row has them.
    pub what: Option<String>,
    /// The command that shows what was measured, where one does.
    pub command: Option<String>,
    /// The printed value.
    pub printed: Value,
    /// The measured value.
    pub measured: Value,
    /// How they fit.
    pub fit: Fit,
    /// How the measured one should stand to the printed one.
    pub relation: Relation,
    /// What the measured one rests on.
    pub basis: Basis,
    /// In a table, its column.
    pub column: Option<String>,
    /// Nodes of the largest network in it.
    pub nodes: f64,
}

/// How a case fits the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// As stated.
    Yes,
    /// Smaller than the worst case that is stated.
    Slack,
    /// The bounds of the measurement do not tell.
    Unknown,
    /// Not as stated.
    No,
}

/// Why a check has cases without values.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// A text is no formula.
    #[error(transparent)]
    Formula(#[from] ExpressionError),
    /// A formula has no value.
    #[error("{}{why}", if given.is_empty() { String::new() } else { format!("{given}: ") })]
    Value {
        /// The parameters of the case.
        given: String,
        /// Why it has none.
        why: Box<EvaluateError>,
    },
    /// There are parameters but no case.
    #[error("no combination of the parameters is a case")]
    NoCase,
    /// More cases than there is memory for.
    #[error("there are {cases} cases: {why}")]
    TooManyCases {
        /// Combinations of the parameters.
        cases: u128,
        /// What they would take.
        why: OverBudget,
    },
}

impl JudgeError {
    /// Whether more time or memory could give a verdict.
    pub fn is_unfinished(&self) -> bool {
        match self {
            JudgeError::Value { why, .. } => why.is_unfinished(),
            JudgeError::TooManyCases { .. } => true,
            JudgeError::Formula(_) | JudgeError::NoCase => false,
        }
    }
}

/// How what is written down stands to what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    /// There are only cases that take long, and they were not asked for.
    NotRun,
    /// The verdict is the measured one.
    AsMeasured,
    /// The limits or the user stopped it before there was a verdict.
    NotFinished,
    /// The verdict is another, or what is written down cannot be measured at all.
    NotAsMeasured,
}

/// A reading with what was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JudgedReading<'a> {
    /// What is written of it, with the verdict that should come out.
    pub reading: &'a Reading,
    /// The verdict by measurement; `None` where all cases are slow and were not tried, or not all were finished.
    pub found: Option<Verdict>,
    /// All cases of the statement.
    pub cases: Vec<Case>,
    /// All cases of the repaired statement.
    pub repaired: Vec<Case>,
    /// What could not be measured, and why.
    pub errors: Vec<JudgeError>,
    /// Whether the limits or the user ended it, so that bounds may be wider than they would be.
    pub cut_off: bool,
}

/// A claim with what was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Judged<'a> {
    /// What is written of it.
    pub claim: &'a Claim,
    /// Its readings, ours first.
    pub readings: Vec<JudgedReading<'a>>,
}

impl Serialize for Case {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Case",
            given = self.given,
            /// The value that the paper has.
            printed: String = self.printed.to_string(),
            /// The value that was measured.
            measured: String = self.measured.to_string(),
            quantity = self.measured_by,
            what = self.what,
            fits = self.fit,
            /// How the measured value should stand to the printed one, as in `equals 5`.
            relation: String = format!("{}{}", self.relation.words(), self.printed),
            /// How the measured value is known.
            basis: &str = self.basis.words(),
            nodes = self.nodes,
            command = self.command,
            column = self.column,
        )
    }
}

impl Serialize for JudgedReading<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Reading",
            reading = self.reading.name,
            /// Whether it holds, read so.
            verdict: String = self.reading.verdict.to_string(),
            /// The verdict of the measurement; none where nothing was measured.
            measured: Option<String> = self.found.map(|found| found.to_string()),
            /// Whether the measurement agrees with the verdict of the ledger.
            agrees: bool = self.agrees(),
            /// Whether the measurement came to its end.
            finished: bool = self.finding() != Finding::NotFinished,
            repair = self.reading.repair,
            note = self.reading.note,
            proof = self.reading.proof,
            show = self.reading.show,
            cases = self.cases,
            repaired = self.repaired,
            /// Why cases have no value.
            errors: Vec<String> = self.errors.iter().map(ToString::to_string).collect(),
        )
    }
}

impl Serialize for Judged<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Claim",
            id = self.claim.id,
            where = self.claim.place,
            also = self.claim.also,
            says = self.claim.says,
            /// What kind of statement it is.
            kind: String = self.claim.kind.to_string(),
            cause = self.claim.cause,
            /// The verdict of its printed reading.
            verdict: String = self.claim.verdict().to_string(),
            /// Whether measurements agree with all verdicts.
            agrees: bool = self.agrees(),
            /// Whether all measurements came to their end.
            finished: bool = self.finding() != Finding::NotFinished,
            readings = self.readings,
        )
    }
}

impl Judged<'_> {
    /// Whether every verdict is the measured one.
    pub fn agrees(&self) -> bool {
        self.readings.iter().all(JudgedReading::agrees)
    }

    /// What is worst of its readings.
    pub fn finding(&self) -> Finding {
        self.readings.iter().map(JudgedReading::finding).max().unwrap_or(Finding::NotRun)
    }
}

impl JudgedReading<'_> {
    /// Whether the verdict is the measured one and the repair holds.
    pub fn agrees(&self) -> bool {
        self.errors.is_empty()
            && self.found.is_none_or(|found| self.is_as_written(found))
            && self.repaired.iter().all(|case| case.fit == Fit::Yes)
    }

    /// A misprint fails when it is measured as it stands.
    fn is_as_written(&self, found: Verdict) -> bool {
        let written = self.reading.verdict;
        found == written || (written == Verdict::Misprint && found == Verdict::Fails)
    }

    /// How its verdict stands to the measured one.
    pub fn finding(&self) -> Finding {
        if self.errors.iter().any(|error| !error.is_unfinished()) {
            Finding::NotAsMeasured
        } else if !self.errors.is_empty() || (self.cut_off && !self.agrees()) {
            Finding::NotFinished
        } else if !self.agrees() {
            Finding::NotAsMeasured
        } else if self.found.is_none() {
            Finding::NotRun
        } else {
            Finding::AsMeasured
        }
    }

    /// The most informative case: what fails, else what is undecided, else what is slack, else the largest.
    pub fn witness(&self) -> Option<&Case> {
        let fit = |wanted: Fit| self.cases.iter().find(|case| case.fit == wanted);
        fit(Fit::No)
            .or_else(|| fit(Fit::Unknown))
            .or_else(|| fit(Fit::Slack))
            .or_else(|| self.cases.iter().max_by(|a, b| a.nodes.total_cmp(&b.nodes)))
    }
}

/// Measures all claims, on all threads, and calls `done` after each.
///
/// The result does not depend on the number of threads. It ends early, with what is finished, when the watch of the
/// lab says so.
pub fn judge_all<'a>(
    claims: &[&'a Claim],
    slow: bool,
    lab: &Lab<'_>,
    done: &(dyn Fn() + Sync),
) -> Vec<Judged<'a>> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    // Threads of their own: one that waits for a measurement of another must not be one that the other needs.
    std::thread::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(claim) = claims.get(index) else { break };
                    if (lab.budget().watch.stop)() {
                        break;
                    }
                    let judged = judge(claim, slow, lab);
                    if let Ok(mut found) = found.lock() {
                        found.insert(index, judged);
                    }
                    done();
                }
            });
        }
    });
    found.into_inner().map(|found| found.into_values().collect()).unwrap_or_default()
}

/// Measures one claim.
///
/// ```
/// use nestnet_claims::{Lab, Ledger, judge};
///
/// let ledger = Ledger::of("li-2009")?;
/// let claim = ledger.claims.iter().find(|claim| claim.id.ends_with("theorem-1-diameter"));
/// assert!(judge(claim.unwrap(), false, &Lab::default()).agrees());
/// # Ok::<(), nestnet_claims::LedgerError>(())
/// ```
pub fn judge<'a>(claim: &'a Claim, slow: bool, lab: &Lab<'_>) -> Judged<'a> {
    let readings = claim.readings.iter().map(|reading| judge_reading(reading, slow, lab));
    Judged { claim, readings: readings.collect() }
}

fn judge_reading<'a>(reading: &'a Reading, slow: bool, lab: &Lab<'_>) -> JudgedReading<'a> {
    let mut errors = Vec::new();
    let mut run = |checks: &[Check]| {
        let mut cases = Vec::new();
        for check in checks {
            // Cases that were found before it ended are shown, and decide nothing.
            errors.extend(cases_of(check, slow, lab, &mut cases).err());
        }
        cases
    };
    let (cases, repaired) = (run(&reading.check), run(&reading.repaired));
    let skipped = cases.is_empty() && !reading.check.is_empty();
    let found = (!skipped && errors.is_empty()).then(|| match reading.verdict {
        // A slip of which nothing can be measured: an undefined letter, a wrong name.
        Verdict::Misprint if reading.check.is_empty() => Verdict::Misprint,
        _ => verdict(&cases),
    });
    if skipped && errors.is_empty() && reading.check.iter().any(|check| check.slow.is_empty()) {
        errors.push(JudgeError::NoCase);
    }
    // A measurement that is stopped gives what bounds it has.
    let cut_off = (lab.budget().watch.stop)();
    JudgedReading { reading, found, cases, repaired, errors, cut_off }
}

/// What the cases say together.
fn verdict(cases: &[Case]) -> Verdict {
    let any = |wanted: Fit| cases.iter().any(|case| case.fit == wanted);
    if any(Fit::No) {
        Verdict::Fails
    } else if any(Fit::Unknown) || cases.is_empty() {
        Verdict::Open
    } else if any(Fit::Slack) {
        Verdict::Bound
    } else {
        Verdict::Holds
    }
}

/// Adds the cases of a check, until one has no value.
fn cases_of(
    check: &Check,
    slow: bool,
    lab: &Lab<'_>,
    cases: &mut Vec<Case>,
) -> Result<(), JudgeError> {
    let formulas = Formulas::parse(check)?;
    // A check whose parameters are slow alone has no other cases.
    let quick = (!check.given.is_empty() || check.slow.is_empty()).then_some(&check.given);
    let slow = (slow && !check.slow.is_empty()).then_some(&check.slow);
    for given in [quick, slow].into_iter().flatten() {
        let combinations = Combinations::new(given);
        let count = combinations.total();
        let too_many = |why| JudgeError::TooManyCases { cases: count, why };
        if formulas.only.is_none() {
            let need = count.saturating_mul(size_of::<Case>() as u128);
            lab.budget().fits("their list", need).map_err(too_many)?;
        }
        for scope in combinations {
            if let Some(case) = formulas.case(check, &scope, lab)? {
                lab.keep(case.bytes()).map_err(too_many)?;
                cases.push(case);
            }
        }
    }
    Ok(())
}

/// What a check says, read.
struct Formulas {
    measured: Expression,
    printed: Expression,
    only: Option<Expression>,
    /// The measured one as a text with its parameters.
    text: Template,
    what: Option<Template>,
}

impl Formulas {
    fn parse(check: &Check) -> Result<Self, ExpressionError> {
        Ok(Formulas {
            measured: Expression::parse(&check.measured)?,
            printed: Expression::parse(&check.printed)?,
            only: check.only.as_deref().map(Expression::parse).transpose()?,
            text: Template::parse(&check.measured)?,
            what: check.what.as_deref().map(Template::parse).transpose()?,
        })
    }

    /// One combination of the parameters, if it is a case.
    fn case(
        &self,
        check: &Check,
        scope: &Scope,
        lab: &Lab<'_>,
    ) -> Result<Option<Case>, JudgeError> {
        let given = || {
            let shown = scope.iter().map(|(name, value)| format!("{name} = {value}"));
            shown.collect::<Vec<String>>().join(", ")
        };
        let value = |formula| {
            let value = evaluate(formula, scope, lab);
            value.map_err(|why| JudgeError::Value { given: given(), why: Box::new(why) })
        };
        if let Some(only) = &self.only
            && value(only)? != Value::Truth(true)
        {
            return Ok(None);
        }
        let (printed, measured) = (value(&self.printed)?, value(&self.measured)?);
        let fit = fit(check, &measured, &printed);
        let mut parts = Vec::new();
        used(&self.measured, scope, lab, &mut parts);
        let basis = match parts.iter().map(|part| part.basis).min() {
            _ if computes(&self.measured) => Basis::Arithmetic,
            Some(basis) => basis,
            None if measures(&self.measured) => Basis::Measured,
            None => Basis::Arithmetic,
        };
        // What is only asked for the printed value shows nothing of the measured one.
        let asked = !parts.is_empty();
        if !asked {
            used(&self.printed, scope, lab, &mut parts);
        }
        let nodes = parts.iter().map(|part| part.nodes).fold(0.0, f64::max);
        let (measured_by, command) = match (&self.measured, parts.as_slice()) {
            (Expression::Measure(..), [part]) => (part.text.clone(), Some(part.command.clone())),
            // A longer formula is shown whole, as far as its parameters can be put in place, and by the command of the
            // first quantity that has one.
            (_, parts) => {
                let filled = fill(&self.text, scope, lab);
                let command = parts.iter().map(|part| &part.command).find(|one| !one.is_empty());
                (filled.unwrap_or_else(|_| check.measured.clone()), command.cloned())
            }
        };
        let what = self.what.as_ref().map(|what| fill(what, scope, lab)).transpose();
        let what = what.map_err(|why| JudgeError::Value { given: given(), why: Box::new(why) })?;
        Ok(Some(Case {
            given: given(),
            measured_by,
            what,
            command: command.filter(|command| asked && !command.is_empty()),
            printed,
            measured,
            fit,
            relation: check.is,
            basis,
            column: check.column.clone(),
            nodes,
        }))
    }
}

impl Case {
    /// What was measured, for a reader: in words where the row has them, else the formula.
    pub fn quantity(&self) -> &str {
        self.what.as_deref().unwrap_or(&self.measured_by)
    }

    /// Bytes that it takes.
    fn bytes(&self) -> u64 {
        let texts = [
            Some(&self.given),
            Some(&self.measured_by),
            self.what.as_ref(),
            self.command.as_ref(),
            self.column.as_ref(),
        ];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        let values = bytes_of(&self.printed) + bytes_of(&self.measured);
        (texts + size_of::<Case>()) as u64 + values
    }
}

fn fit(check: &Check, measured: &Value, printed: &Value) -> Fit {
    let known = |yes: Option<bool>| match yes {
        Some(true) => Fit::Yes,
        Some(false) => Fit::No,
        None => Fit::Unknown,
    };
    let standing = measured.stands(printed);
    match check.is {
        Relation::Equal => known(standing.map(|standing| standing == Standing::Equal)),
        Relation::Unequal => known(standing.map(|standing| standing != Standing::Equal)),
        Relation::Worst => match standing {
            Some(Standing::Equal) => Fit::Yes,
            Some(Standing::Below) => Fit::Slack,
            Some(_) => Fit::No,
            None => Fit::Unknown,
        },
        Relation::AtMost => known(measured.at_most(printed)),
        Relation::Above => known(measured.at_most(printed).map(|yes| !yes)),
        Relation::AtLeast => known(printed.at_most(measured)),
        Relation::Below => known(printed.at_most(measured).map(|yes| !yes)),
        Relation::Rounds => {
            let digits = check.printed.split_once('.').map_or(0, |(_, digits)| digits.len());
            match (measured.as_real(), printed.as_real()) {
                (Some(measured), Some(printed)) => {
                    let places = i32::try_from(digits).unwrap_or(i32::MAX);
                    // Half a unit of the last digit, and a little for the double itself.
                    let slack = 0.5 * 10f64.powi(-places) * (1.0 + 1e-9);
                    known(Some((measured - printed).abs() <= slack))
                }
                _ => Fit::Unknown,
            }
        }
    }
}

/// Every combination of the values of some parameters, the last changing fastest.
struct Combinations<'a> {
    names: Vec<&'a String>,
    values: Vec<Vec<Value>>,
    /// Which value of each is next; `None` after the last combination.
    next: Option<Vec<usize>>,
}

impl<'a> Combinations<'a> {
    fn new(given: &'a BTreeMap<String, Parameter>) -> Self {
        let values: Vec<Vec<Value>> = given.values().map(Parameter::values).collect();
        let next = values.iter().all(|values| !values.is_empty()).then(|| vec![0; values.len()]);
        Combinations { names: given.keys().collect(), values, next }
    }

    /// How many there are.
    fn total(&self) -> u128 {
        self.values.iter().fold(1, |count, values| count.saturating_mul(values.len() as u128))
    }
}

impl Iterator for Combinations<'_> {
    type Item = Scope;

    fn next(&mut self) -> Option<Scope> {
        let next = self.next.as_mut()?;
        let mut scope = Scope::new();
        for ((name, values), &at) in self.names.iter().zip(&self.values).zip(next.iter()) {
            scope.insert((*name).clone(), values[at].clone());
        }
        let more = next.iter_mut().zip(&self.values).rev().any(|(at, values)| {
            *at = (*at + 1) % values.len();
            *at > 0
        });
        if !more {
            self.next = None;
        }
        Some(scope)
    }
}

impl Parameter {
    fn values(&self) -> Vec<Value> {
        match self {
            Parameter::Number(value) => vec![Value::exact(*value)],
            Parameter::Numbers(values) => values.iter().map(|&value| Value::exact(value)).collect(),
            Parameter::Text(value) => vec![Value::Text(value.clone())],
            Parameter::Texts(values) => values.iter().cloned().map(Value::Text).collect(),
        }
    }
}
