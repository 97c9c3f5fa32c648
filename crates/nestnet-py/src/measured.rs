//! What is known and measured of a network, as Python gets it.

use crate::data::{Data, mean, object};
use crate::fault::Fault;
use crate::handle::Held;
use crate::job::with_context;
use nestnet::family::paper_formula::PaperFormula;
use nestnet::info::info_of;
use nestnet::measures::{Analysis, Answer, Fact, Limits, QUICK_STEPS, Unanswered, choose};
use nestnet::{Address, BigUint, Budget, Context, Node, Spec};

/// All that is known at once, the fields of `nestnet info --json`.
pub fn info(held: &Held, budget: &Budget<'_>) -> Result<Data, Fault> {
    let text = held.spec.as_str();
    let spec = Spec::parse(text)?;
    let described = |context: &Context<'_>| Ok(info_of(&held.built, &spec, text, context)?);
    let (info, _) = with_context(budget, described)?;
    let counts = info.degrees.counts.as_ref().map(|counts| {
        Data::Map(counts.iter().map(|(&degree, count)| (degree.into(), count.into())).collect())
    });
    let average = info.average_distance.as_ref().map(|average| {
        let value = mean(&average.numerator, &average.denominator);
        object!("Mean", value = value, how = average.how.to_string())
    });
    let formula = |said: &PaperFormula| {
        let whole = said.value.parse::<BigUint>().map(Data::from);
        let number = |_| said.value.parse::<f64>().map_or(Data::None, Data::from);
        object!(
            "PaperFormula",
            what = said.what,
            where = said.place,
            relation = if said.relation.is_empty() { "equal" } else { said.relation },
            value = whole.unwrap_or_else(number),
        )
    };
    Ok(object!(
        "Info",
        spec = info.spec.to_string(),
        family = info.spec.name.as_str(),
        paper = info.paper.key(),
        stands_for = info.stands_for.as_ref().map(ToString::to_string),
        nodes = &info.nodes,
        hosts = &info.hosts,
        links = &info.degrees.links,
        degree_min = info.degrees.min,
        degree_max = info.degrees.max,
        degree_histogram = counts,
        connected = info.connected,
        levels = info.built.map(|ids| ids.levels),
        diameter = info.diameter.as_ref(),
        average_distance = average,
        built = info.built.is_some(),
        memory = info.built.map(|ids| ids.memory),
        paper_says = Data::list(info.paper_says.iter().map(formula)),
        remarks = Data::list(info.remarks),
    ))
}

/// The answers by key; without keys all that answers in a moment.
pub fn measure(held: &Held, keys: &[String], mut limits: Limits<'_>) -> Result<Data, Fault> {
    if keys.is_empty() {
        limits.budget.steps = limits.budget.steps.min(QUICK_STEPS);
    }
    let subject = Analysis::new(&held.built, limits);
    let subject = if keys.is_empty() { subject } else { subject.proving_all() };
    let questions = choose(keys, &subject)?;
    let mut values = Vec::new();
    for question in questions {
        for fact in question.answer(&subject) {
            if let Err(Unanswered::Interrupted(stopped)) = fact.answer {
                return Err(stopped.into());
            }
            values.push((fact.key.into(), to_data(&fact)));
        }
    }
    Ok(object!("Measures", spec = held.spec.as_str(), values = Data::Map(values)))
}

/// No answer: why, and the class of the reason.
fn missing(error: &Unanswered) -> Data {
    let why = match error {
        Unanswered::TooLong { .. } => format!("{error} (max_time)"),
        error => Fault::new(error.to_string()).message,
    };
    object!("Missing", why = why, reason = error.reason().name())
}

/// One answer.
pub fn to_data(fact: &Fact) -> Data {
    let answer = match &fact.answer {
        Ok(answer) => answer,
        Err(error) => return missing(error),
    };
    match answer {
        Answer::Integer(value) => value.into(),
        Answer::Number(value) => (*value).into(),
        Answer::Truth(value) => (*value).into(),
        Answer::Known(known) => known.into(),
        Answer::Bounds { low, high, how } => {
            object!("Known", low = *low, high = *high, how = how.as_str())
        }
        Answer::Mean { numerator, denominator, how } => {
            object!("Mean", value = mean(numerator, denominator), how = how.to_string())
        }
        Answer::Sampled(sampled) => object!(
            "Sampled",
            value = sampled.mean,
            low = sampled.mean - sampled.margin,
            high = sampled.mean + sampled.margin,
            sources = sampled.sources,
            seed = sampled.seed,
        ),
        Answer::Histogram { counts, how } => {
            object!("Histogram", counts = Data::list(counts), how = how.to_string())
        }
        Answer::Degrees(counts) => {
            Data::Map(counts.iter().map(|(&degree, count)| (degree.into(), count.into())).collect())
        }
        Answer::Pair(pair) => {
            let end = |(node, address): &(Node, Address)| {
                object!("End", node = node.0, address = address.to_string())
            };
            Data::list(pair.iter().map(end))
        }
        Answer::Load { max, mean, ratio, how } => {
            object!("Load", max = *max, mean = *mean, ratio = *ratio, how = how.to_string(),)
        }
    }
}
