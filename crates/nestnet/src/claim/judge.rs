//! Measures a claim and gives the verdict.

use super::evaluate::{Scope, arguments, evaluate, fill};
use super::expression::Expression;
use super::{Check, Claim, Lab, Parameter, Reading, Relation, Standing, Value, Verdict};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One case: the parameters and both values.
#[derive(Clone, Debug)]
pub struct Case {
    /// The parameters, as `n = 3, k = 2`.
    pub given: String,
    /// What was measured, with the parameters in place.
    pub measured_by: String,
    /// The command that shows what was measured, where one does.
    pub command: Option<String>,
    /// The printed value.
    pub printed: Value,
    /// The measured value.
    pub measured: Value,
    /// How they fit.
    pub fit: Fit,
    /// In a table, its column.
    pub column: Option<String>,
    /// Nodes of the largest network in it.
    pub nodes: f64,
}

/// How a case fits the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A reading with what was found.
#[derive(Clone, Debug)]
pub struct JudgedReading<'a> {
    /// The reading.
    pub reading: &'a Reading,
    /// The verdict by measurement; `None` where all cases are slow and were not tried.
    pub found: Option<Verdict>,
    /// All cases of the statement.
    pub cases: Vec<Case>,
    /// All cases of the repaired statement.
    pub repaired: Vec<Case>,
    /// What could not be measured, and why.
    pub errors: Vec<String>,
}

/// A claim with what was found.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// Its readings, ours first.
    pub readings: Vec<JudgedReading<'a>>,
}

impl Judged<'_> {
    /// Whether every verdict is the measured one.
    pub fn agrees(&self) -> bool {
        self.readings.iter().all(JudgedReading::agrees)
    }
}

impl JudgedReading<'_> {
    /// Whether the verdict is the measured one and the repair holds.
    pub fn agrees(&self) -> bool {
        self.errors.is_empty()
            && self.found.is_none_or(|found| found == self.reading.verdict)
            && self.repaired.iter().all(|case| case.fit == Fit::Yes)
    }

    /// The case that tells most: what fails, else what is undecided, else what is slack, else the largest.
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
                    if (&lab.budget().watch.stop)() {
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
pub fn judge<'a>(claim: &'a Claim, slow: bool, lab: &Lab<'_>) -> Judged<'a> {
    let readings = claim.readings.iter().map(|reading| judge_reading(reading, slow, lab));
    Judged { claim, readings: readings.collect() }
}

fn judge_reading<'a>(reading: &'a Reading, slow: bool, lab: &Lab<'_>) -> JudgedReading<'a> {
    let mut errors = Vec::new();
    let mut run = |checks: &[Check]| {
        let mut cases = Vec::new();
        for check in checks {
            match cases_of(check, slow, lab) {
                Ok(found) => cases.extend(found),
                Err(error) => errors.push(error),
            }
        }
        cases
    };
    let (cases, repaired) = (run(&reading.check), run(&reading.repaired));
    let skipped = cases.is_empty() && !reading.check.is_empty();
    let found = (!skipped && errors.is_empty()).then(|| verdict(&cases));
    if skipped && errors.is_empty() && reading.check.iter().any(|check| check.slow.is_empty()) {
        errors.push("no combination of the parameters is a case".to_owned());
    }
    JudgedReading { reading, found, cases, repaired, errors }
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

fn cases_of(check: &Check, slow: bool, lab: &Lab<'_>) -> Result<Vec<Case>, String> {
    let measured = Expression::parse(&check.measured)?;
    let printed = Expression::parse(&check.printed)?;
    let only = check.only.as_deref().map(Expression::parse).transpose()?;
    let mut scopes = Vec::new();
    // A check whose parameters are slow alone has no other cases.
    if !check.given.is_empty() || check.slow.is_empty() {
        scopes.extend(combinations(&check.given));
    }
    if slow && !check.slow.is_empty() {
        scopes.extend(combinations(&check.slow));
    }
    let mut cases = Vec::new();
    for scope in scopes {
        if let Some(only) = &only
            && evaluate(only, &scope, lab)? != Value::Truth(true)
        {
            continue;
        }
        let shown: Vec<String> =
            scope.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let given = shown.join(", ");
        let value = |formula| {
            evaluate(formula, &scope, lab)
                .map_err(|why| if given.is_empty() { why } else { format!("{given}: {why}") })
        };
        let (printed_value, measured_value) = (value(&printed)?, value(&measured)?);
        let fit = fit(check, &measured_value, &printed_value);
        let mut parts = Vec::new();
        used(&measured, &scope, lab, &mut parts);
        if parts.is_empty() {
            used(&printed, &scope, lab, &mut parts);
        }
        let nodes = parts.iter().map(|part| part.nodes).fold(0.0, f64::max);
        let (measured_by, command) = match (&measured, parts.as_slice()) {
            (Expression::Measure(..), [part]) => (part.text.clone(), Some(part.command.clone())),
            // A longer formula is shown whole, as far as its parameters can be put in place; no one command shows it.
            _ => {
                let filled = fill(&check.measured, &scope, lab);
                (filled.unwrap_or_else(|_| check.measured.clone()), None)
            }
        };
        cases.push(Case {
            given,
            measured_by,
            command: command.filter(|command| !command.is_empty()),
            printed: printed_value,
            measured: measured_value,
            fit,
            column: check.column.clone(),
            nodes,
        });
    }
    Ok(cases)
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

/// Every combination of the values.
fn combinations(given: &BTreeMap<String, Parameter>) -> Vec<Scope> {
    let mut scopes = vec![Scope::new()];
    for (name, parameter) in given {
        let values: Vec<Value> = match parameter {
            Parameter::Number(value) => vec![Value::exact(*value)],
            Parameter::Numbers(values) => values.iter().map(|&value| Value::exact(value)).collect(),
            Parameter::Text(value) => vec![Value::Text(value.clone())],
            Parameter::Texts(values) => values.iter().cloned().map(Value::Text).collect(),
        };
        let extend = |scope: &Scope| {
            let mut scopes = Vec::new();
            for value in &values {
                let mut scope = scope.clone();
                scope.insert(name.clone(), value.clone());
                scopes.push(scope);
            }
            scopes
        };
        scopes = scopes.iter().flat_map(extend).collect();
    }
    scopes
}

/// A quantity that a formula measures, with its arguments in place.
struct Used {
    text: String,
    command: String,
    nodes: f64,
}

fn used(expression: &Expression, scope: &Scope, lab: &Lab<'_>, found: &mut Vec<Used>) {
    match expression {
        Expression::Minus(inner) => used(inner, scope, lab, found),
        Expression::Both(_, a, b) => {
            used(a, scope, lab, found);
            used(b, scope, lab, found);
        }
        Expression::Call(_, parts) => {
            parts.iter().for_each(|part| used(part, scope, lab, found));
        }
        Expression::Measure(quantity, parts) => {
            if let Ok(part) = named(quantity, parts, scope, lab)
                && found.iter().all(|other| other.text != part.text)
            {
                found.push(part);
            }
        }
        // What a range measures differs from step to step; its formula says it.
        Expression::Over(..)
        | Expression::Number(_)
        | Expression::Text(_)
        | Expression::Name(_) => (),
    }
}

fn named(
    quantity: &super::Quantity,
    parts: &[String],
    scope: &Scope,
    lab: &Lab<'_>,
) -> Result<Used, String> {
    let arguments = arguments(quantity, parts, scope, lab)?;
    let mut nodes = 0f64;
    for (argument, takes) in arguments.iter().zip(quantity.takes) {
        if *takes == super::Takes::Network {
            let order = lab.sample(argument)?.built.theory.order();
            nodes = nodes.max(Value::from(order).as_real().unwrap_or(0.0));
        }
    }
    let mut command = quantity.command.replace("{name}", quantity.name);
    for (index, argument) in arguments.iter().enumerate() {
        command = command.replace(&format!("{{{index}}}"), argument);
    }
    Ok(Used { text: format!("{}({})", quantity.name, arguments.join(", ")), command, nodes })
}
