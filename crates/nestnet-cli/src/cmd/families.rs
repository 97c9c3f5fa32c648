//! `nestnet families`: which networks can a spec name, and what does one take?

use crate::{Outcome, text};
use anyhow::bail;
use nestnet::build::{papers, takes};
use nestnet::family::{Family, families, find, suggest};
use serde_json::json;
use std::fmt::Write as _;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet families
  nestnet families rdn")]
pub struct Args {
    /// A family to explain
    name: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let one = args.name.as_deref().map(known).transpose()?;
    match (one, args.json) {
        (Some(family), true) => text::print_json(family)?,
        (Some(family), false) => text::print(&explain(family))?,
        (None, true) => {
            let all: Vec<&Family> = families().collect();
            text::print_json(&json!({ "families": all }))?;
        }
        (None, false) => text::print(&list())?,
    }
    Ok(Outcome::Done)
}

fn known(name: &str) -> anyhow::Result<&'static Family> {
    match (find(name), suggest(name)) {
        (Some(family), _) => Ok(family),
        (None, Some(like)) => bail!("unknown network `{name}`: did you mean `{like}`?"),
        (None, None) => bail!("unknown network `{name}`: `nestnet families` lists them"),
    }
}

fn list() -> String {
    let mut text = String::new();
    for paper in papers() {
        let _ = writeln!(text, "{}: {}", paper.key(), paper.title());
        for family in families().filter(|family| family.paper == paper) {
            let _ = writeln!(text, "  {}\n      {}", family.usage(), family.about);
        }
        text.push('\n');
    }
    text.push_str("`nestnet families NAME` explains one.\n");
    text
}

fn explain(family: &Family) -> String {
    let mut text = format!("{}\n{}\n", family.usage(), family.about);
    if !family.params.is_empty() {
        text.push_str("\nParameters\n");
        let rows: Vec<_> =
            family.params.iter().map(|p| (p.name, format!("{}: {}", p.about, takes(p)))).collect();
        text.push_str(&text::table(&rows));
    }
    text.push_str("\nExamples\n");
    for example in family.examples {
        let _ = writeln!(text, "  {example}");
    }
    let _ = writeln!(text, "\nSource ({})\n  {}", family.paper.key(), family.paper.title());
    text
}
