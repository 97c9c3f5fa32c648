//! What is known and measured of a network, as Python gets it.

use crate::data::{Data, object};
use crate::fault::Fault;
use crate::handle::Held;
use crate::job::with_context;
use nestnet::info::info_of;
use nestnet::measure::sweep::Sweeper;
use nestnet::measures::{Analysis, Fact, Limits, QUICK_STEPS, Unanswered, choose};
use nestnet::{Budget, Context, Spec};

/// All that is known at once, the fields of `nestnet info --json`.
pub fn info(held: &Held, budget: &Budget<'_>) -> Result<Data, Fault> {
    let text = held.spec.as_str();
    let spec = Spec::parse(text)?;
    let described = |context: &Context<'_>| Ok(info_of(&held.built, &spec, text, context)?);
    let (info, _) = with_context(budget, described)?;
    Data::of(&info)
}

/// The answers by key; without keys all that answers in a moment.
pub fn measure(
    held: &Held,
    keys: &[String],
    mut limits: Limits<'_>,
    sweeper: &dyn Sweeper,
) -> Result<Data, Fault> {
    if keys.is_empty() {
        limits.budget.steps = limits.budget.steps.min(QUICK_STEPS);
    }
    let subject = Analysis::new(&held.built, limits).sweeping_on(sweeper);
    let subject = if keys.is_empty() { subject } else { subject.proving_all() };
    let questions = choose(keys, &subject)?;
    let mut values = Vec::new();
    for question in questions {
        for fact in question.answer(&subject) {
            if let Err(Unanswered::Interrupted(stopped)) = fact.answer {
                return Err(stopped.into());
            }
            values.push((fact.key.into(), to_data(&fact)?));
        }
    }
    Ok(object!("Measures", spec = held.spec.as_str(), values = Data::Map(values)))
}

/// No answer: why, and the class of the reason.
fn missing(error: &Unanswered) -> Data {
    let why = match error {
        Unanswered::TooLong { .. } => format!("{error} (max_time=)"),
        error => Fault::new(error.to_string()).message,
    };
    object!("Missing", why = why, reason = error.reason().name())
}

/// One answer.
pub fn to_data(fact: &Fact) -> Result<Data, Fault> {
    match &fact.answer {
        Ok(answer) => Data::of(answer),
        Err(error) => Ok(missing(error)),
    }
}
