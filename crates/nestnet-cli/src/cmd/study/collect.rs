//! `nestnet study collect`: what all points say, as tables and plots; the same bytes in whatever order they were made.

#[cfg(feature = "parquet")]
use super::parquet;
use super::store::Store;
use super::{folder, load};
use crate::job::Job;
use crate::{Outcome, output, text};
use anyhow::{Context as _, bail};
use nestnet::job::{Shard, each};
use nestnet::study::{Collected, Findings, Table};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet study collect sweep.toml -o sweep
  nestnet study collect sweep.toml --dir store -o sweep.csv
  nestnet study collect sweep.toml --partial -o so-far

A row of the table is a point: what was swept over, then everything it says, in columns named by the \
question and the path to the number, such as simulate.latency.mean.")]
pub struct Args {
    /// The study
    file: PathBuf,
    /// Where answers are kept [default: the name of the file with `.points`]
    #[arg(long, value_name = "STORE")]
    dir: Option<PathBuf>,
    /// Write NAME.csv, NAME.parquet and NAME.html, or only the one whose ending is given, which may be .md too
    #[arg(short, long, value_name = "NAME")]
    output: Option<PathBuf>,
    /// Collect what is there even if some points are missing
    #[arg(long)]
    partial: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let files = args.output.as_deref().map(files).transpose()?.unwrap_or_default();
    for (_, path) in &files {
        output::check(path).with_context(|| format!("--output: {}", path.display()))?;
    }
    let study = load(&args.file, job)?;
    let store = Store::at(&folder(&args.file, args.dir.as_deref()));
    let answers = job.with_budget(|budget| {
        job.doing("collecting");
        each(study.points(), Shard::WHOLE, &budget.watch, |number, _| {
            anyhow::Ok(store.read(&study.point(number)))
        })
    });
    job.finish();
    let answers = job.in_time(answers)?;
    let missing = answers.iter().filter(|answer| answer.is_none()).count();
    let count = |number: usize| text::grouped(&number.to_string());
    if missing > 0 && !args.partial {
        bail!(
            "{} of {} points are not in {}: `nestnet study` makes them (or --partial)",
            count(missing),
            count(answers.len()),
            store.folder().display()
        );
    }
    let mut table = Table::new();
    for (number, answer) in (0..).zip(&answers) {
        if let Some(answer) = answer {
            table.push(&study.point(number), answer);
        }
    }
    let findings = Findings::of(&table);
    let mut written = Vec::new();
    for (ending, path) in files {
        let bytes = match ending {
            "csv" => Ok(table.csv().into_bytes()),
            #[cfg(feature = "parquet")]
            "parquet" => parquet::bytes(&table).map_err(Into::into),
            "md" => {
                let head = format!("# {}\n\n{}\n\n", study.title, study.about);
                Ok((head + &findings.markdown()).into_bytes())
            }
            _ => Ok(findings.page(&study.title, &study.about).into_bytes()),
        };
        if job.wrote(bytes.and_then(|bytes| output::write_bytes(&path, &bytes))) {
            written.push(path.display().to_string());
        }
    }
    if args.json {
        text::print_json(&Collected {
            title: study.title.clone(),
            points: study.points(),
            missing,
            columns: table.columns().iter().map(|column| column.name.clone()).collect(),
            written,
        })?;
    } else {
        let mut out = findings.text();
        out.push_str(&format!("\n{}: {} points", study.title, count(table.rows())));
        if missing > 0 {
            out.push_str(&format!(", {} missing", count(missing)));
        }
        if !written.is_empty() {
            out.push_str(&format!(", in {}", written.join(", ")));
        }
        text::print(&(out + "\n"))?;
    }
    Ok(Outcome::Done)
}

/// The files that are asked for by a name, each with its ending.
fn files(name: &Path) -> anyhow::Result<Vec<(&'static str, PathBuf)>> {
    const ENDINGS: &[&str] = &["csv", "parquet", "html", "md"];
    let given = name.extension().and_then(|ending| ending.to_str());
    let given = given.and_then(|given| ENDINGS.iter().copied().find(|ending| *ending == given));
    #[cfg(not(feature = "parquet"))]
    anyhow::ensure!(given != Some("parquet"), "{}: {}", name.display(), crate::left_out("Parquet"));
    Ok(match given {
        Some(ending) => vec![(ending, name.to_owned())],
        None => {
            let path = |ending: &str| PathBuf::from(format!("{}.{ending}", name.display()));
            // Markdown is for who asks for it, and not every build has Parquet.
            let is_usual = |ending: &&str| {
                *ending != "md" && (*ending != "parquet" || cfg!(feature = "parquet"))
            };
            let usual = ENDINGS.iter().copied().filter(is_usual);
            usual.map(|ending| (ending, path(ending))).collect()
        }
    })
}
