//! `nestnet measure`: the exact numbers of a network, each with how it is known.

use crate::job::Job;
use crate::{Outcome, text};
use nestnet::How;
use nestnet::measures::{Fact, MEASURES, QUICK_STEPS, Sampling, Subject, Unanswered, choose};
use nestnet::study::json::answer as answer_json;
use serde_json::{Map, Value, json};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet measure \"rdn(torus(5, 5), 2)\"
  nestnet measure \"rdn(torus(5, 5), 4)\" --only distances --json
  nestnet measure \"rsn(hypercube(4), 3)\" --only diameter --how symmetry
  nestnet measure 'file(\"edges.txt\")' --only all

Without --only, all that answers in a moment; `nestnet measure --list` names everything.
Ctrl-C ends with what is finished.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    #[arg(required_unless_present = "list")]
    spec: Option<String>,
    /// What to measure: names or keys, with commas, or `all`
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
    /// The road to take for distances; the best one if left out
    #[arg(long, value_enum)]
    how: Option<Road>,
    /// The mean distance from this many nodes drawn by lot, with its interval of 95 %, instead of from all; what a
    /// theorem or symmetry tells stays exact
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    sample: Option<u32>,
    /// The seed of the sample
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// List what can be measured
    #[arg(long)]
    list: bool,
}

/// How distances are found.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Road {
    /// By a proven formula, at any size
    Theorem,
    /// By one search from each class of nodes that proven automorphisms join
    Symmetry,
    /// By a search from every node
    Exhaustive,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let Some(spec) = args.spec.as_ref().filter(|_| !args.list) else {
        text::print(&list())?;
        return Ok(Outcome::Done);
    };
    let (spec, built) = job.build(spec)?;
    let how = args.how.map(|road| match road {
        Road::Theorem => How::Theorem,
        Road::Symmetry => How::Symmetry,
        Road::Exhaustive => How::Exhaustive,
    });
    job.with_limits(how, |mut measuring| {
        // Who asks for nothing in particular gets what answers in a moment.
        if args.only.is_empty() {
            measuring.budget.steps = measuring.budget.steps.min(QUICK_STEPS);
        }
        let subject = Subject::new(&built, measuring);
        let subject = match args.sample {
            Some(sources) => subject.sampled(Sampling { sources: sources.into(), seed: args.seed }),
            None => subject,
        };
        let questions = choose(&args.only, &subject)?;
        let mut object = Map::new();
        object.insert("spec".to_owned(), spec.to_string().into());
        if !args.json {
            text::print(&format!("{spec}\n"))?;
        }
        for question in questions {
            job.doing(question.measure.name);
            let facts = question.answer(&subject);
            if args.json {
                object.extend(facts.iter().map(|fact| (fact.key.to_owned(), to_json(fact, job))));
            } else {
                job.finish();
                text::print(&to_text(&facts, job))?;
            }
            if job.is_over() {
                break;
            }
        }
        job.finish();
        let text = spec.to_string();
        let said = job.with_context(|context| nestnet::said(&spec, &text, context))?;
        if args.json {
            if !said.is_empty() {
                object.insert("paper_says".to_owned(), text::said_json(&said));
            }
            text::print_json(&Value::Object(object))?;
        } else {
            let lines = said
                .iter()
                .map(|said| format!("  {:24}  {}\n", "its paper says", text::said(said)));
            text::print(&lines.collect::<String>())?;
        }
        Ok(if job.is_interrupted() { Outcome::Interrupted } else { Outcome::Done })
    })
}

fn list() -> String {
    let rows: Vec<(&str, String)> = MEASURES
        .iter()
        .map(|measure| (measure.name, format!("{} ({})", measure.about, measure.keys.join(", "))))
        .collect();
    text::table(&rows)
}

/// One answer as JSON.
pub fn to_json(fact: &Fact, job: &Job) -> Value {
    let answer = match &fact.answer {
        Ok(answer) => answer,
        Err(error) => return json!({ "none": why(error, job) }),
    };
    answer_json(answer)
}

/// Why there is no answer, with the option that may help.
fn why(error: &Unanswered, job: &Job) -> String {
    match error {
        // What is missing because it was stopped says by what.
        _ if job.is_over() => job.why(),
        Unanswered::NoTheorem => format!("{error}; see --how"),
        Unanswered::NoSymmetry => format!("{error}: try --how exhaustive"),
        Unanswered::TooLong { .. } => format!("{error} (--only, --max-time)"),
        _ => text::with_option(error.to_string()),
    }
}

/// Answers as lines for people.
pub fn to_text(facts: &[Fact], job: &Job) -> String {
    /// The widest key, so that all tables line up.
    const WIDTH: usize = 24;
    let mut text = String::new();
    for fact in facts {
        let key = fact.key.replace('_', " ");
        let value = match &fact.answer {
            Ok(answer) => answer.to_string(),
            Err(error) => format!("– {}", why(error, job)),
        };
        text.push_str(&format!("  {key:WIDTH$}  {value}\n"));
    }
    text
}
