//! How fast are we, side by side with others? `cargo xtask bench measure` writes `docs/performance.md`.

mod clock;
pub mod coverage;
mod input;
mod jobs;
mod page;
mod peers;
pub mod simulate;
mod table;
mod works;

use crate::target;
use anyhow::{Context, Result, bail};
use clock::{best_of, peak};
use input::network;
use jobs::{Job, Question, SAMPLED, SECTIONS, answer, expected_of_sample};
use nestnet::{Network, Node};
use peers::{Outcome, Peers, Task};
use std::io::{BufWriter, Write};
use std::process::Command;
use table::{Cell, Row, grouped, seconds};
use tempfile::NamedTempFile;

/// Each job is repeated for so many seconds, by us and by peers.
const REPEAT: f64 = 4.0;

/// When a peer is ended: usually, and when slow ones are asked for.
const LIMITS: (f64, f64) = (60.0, 900.0);

/// How many times the memory of a list of links a peer may need. SciPy, the only one that gets long lists, needs 8.3.
const BYTES_PER_BYTE: u64 = 10;

/// What shall be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Options {
    with_peers: bool,
    slow: bool,
}

/// Times all measures; the page is written when the peers were there and all answers agree.
pub fn measure(args: &[&str]) -> Result<()> {
    if let ["--peak", spec] = args {
        return print_peak(spec);
    }
    if let ["--section", title] = args {
        return one_section(title);
    }
    let options = options(args)?;
    // One thread: processor time is what counts.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().context("threads")?;
    let machine = page::machine();
    let peers = if options.with_peers { Peers::install() } else { Ok(None) };
    let peers = peers.unwrap_or_else(|error| {
        eprintln!("skipped: all peers, and no page is written: {error:#}");
        None
    });
    let mut wrong = Vec::new();
    let mut tables = Vec::new();
    for section in SECTIONS {
        eprintln!("== {}", section.title);
        let names: Vec<&str> = peers::PEERS
            .iter()
            .copied()
            .filter(|name| {
                let asks = |job: &Job| {
                    job.rivals.iter().any(|r| r.name == *name && (options.slow || !r.slow))
                };
                peers.as_ref().is_some_and(|peers| peers.has(name)) && section.jobs.iter().any(asks)
            })
            .collect();
        let mut rows = Vec::new();
        for job in section.jobs {
            rows.extend(rows_of(job, &names, peers.as_ref(), options, &mut wrong)?);
        }
        let table = table::table(&names, &rows);
        println!("\n{}\n\n{table}", section.title);
        tables.push((section, table));
    }
    if !wrong.is_empty() {
        bail!("WRONG: answers differ:\n  {}", wrong.join("\n  "));
    }
    if let Some(peers) = &peers {
        page::write(&machine, peers.versions(), &tables, options.slow)?;
    }
    Ok(())
}

/// Times the sections whose title has these words, without peers, and prints them only.
fn one_section(words: &str) -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().context("threads")?;
    let options = Options { with_peers: false, slow: false };
    let mut wrong = Vec::new();
    for section in SECTIONS.iter().filter(|section| section.title.contains(words)) {
        let mut rows = Vec::new();
        for job in section.jobs {
            rows.extend(rows_of(job, &[], None, options, &mut wrong)?);
        }
        println!("\n{}\n\n{}", section.title, table::table(&[], &rows));
    }
    if wrong.is_empty() { Ok(()) } else { bail!("WRONG: {}", wrong.join("\n  ")) }
}

fn options(args: &[&str]) -> Result<Options> {
    let mut options = Options { with_peers: true, slow: false };
    for arg in args {
        match *arg {
            "--no-peers" => options.with_peers = false,
            "--slow" => options.slow = true,
            other => {
                bail!("unknown option {other}: there are --no-peers, --slow and --section WORDS")
            }
        }
    }
    Ok(options)
}

/// The rows of a job, one a method. Answers that differ are added to `wrong`.
fn rows_of(
    job: &Job,
    names: &[&str],
    peers: Option<&Peers>,
    options: Options,
    wrong: &mut Vec<String>,
) -> Result<Vec<Row>> {
    let given = job.input()?;
    let mut ours = Vec::new();
    let mut first: Option<Vec<f64>> = None;
    for &(how, aim) in job.methods {
        let (values, time) = best_of(REPEAT, || answer(job, how, &given))?;
        tell(job, "Nestnet", &format!("{}, {}", took(&time), method(job.question, how)));
        match &first {
            Some(first) if !agree(first, &values, job.question) => {
                wrong.push(format!(
                    "{}: {:?} by {how} is {values:?}, not {first:?}",
                    job.spec, job.question
                ));
            }
            Some(_) => (),
            None => first = Some(values),
        }
        let peak = if job.question == Question::Search { peak_of(job.spec)? } else { None };
        ours.push((how, aim, Cell::Took { cpu: time.cpu, peak, scaled: false }));
    }
    let mut cells = vec![Cell::Absent; names.len()];
    if let Some(peers) = peers {
        let expected = match job.question {
            Question::Sampled => expected_of_sample(&given)?,
            _ => first.context("a job has a method")?,
        };
        let rivals = job.rivals.iter().filter(|rival| peers.has(rival.name));
        let rivals: Vec<_> = rivals.filter(|rival| options.slow || !rival.slow).collect();
        if !rivals.is_empty() {
            let network = network(&given.built)?;
            // What is not needed any more leaves the memory to the peers.
            drop(given);
            let links = write_links(&*network)?;
            for rival in rivals {
                let task = Task {
                    job: job.question.job(),
                    links: links.path(),
                    nodes: network.order(),
                    sources: SAMPLED,
                    seconds: REPEAT,
                    limit: if options.slow { LIMITS.1 } else { LIMITS.0 },
                };
                let need = links.as_file().metadata()?.len().saturating_mul(BYTES_PER_BYTE);
                let outcome = if page::free_memory().is_some_and(|free| free < need) {
                    Outcome::Failed(format!("it may need {need} bytes of memory"))
                } else {
                    peers.measure(rival.name, &task)?
                };
                if let Some(cell) = names.iter().position(|name| *name == rival.name) {
                    cells[cell] = judge(job, rival.name, &task, outcome, &expected, wrong);
                }
            }
        }
    }
    let nodes = build_order(job.spec)?;
    let row = |(how, aim, ours): (nestnet::How, Option<u32>, Cell)| Row {
        spec: job.spec.to_owned(),
        nodes: nodes.clone(),
        method: method(job.question, how),
        ours,
        peers: cells.clone(),
        aim,
    };
    Ok(ours.into_iter().map(row).collect())
}

fn method(question: Question, how: nestnet::How) -> &'static str {
    match how {
        _ if question == Question::Search => "by rule",
        nestnet::How::Theorem => "theorem",
        nestnet::How::Symmetry => "symmetry",
        nestnet::How::Exhaustive => "exhaustive",
        nestnet::How::Bounds => "bounds",
    }
}

/// What a peer did, as a cell; an answer that differs from ours is added to `wrong`.
fn judge(
    job: &Job,
    peer: &str,
    task: &Task<'_>,
    outcome: Outcome,
    expected: &[f64],
    wrong: &mut Vec<String>,
) -> Cell {
    match outcome {
        Outcome::Done { time, peak, values } => {
            tell(job, peer, &took(&time));
            if !agree(expected, &values, job.question) {
                let question = job.question;
                wrong.push(format!(
                    "{}: {question:?} by {peer} is {values:?}, ours {expected:?}",
                    job.spec
                ));
            }
            let scaled = job.question == Question::Sampled;
            let factor = if scaled { task.nodes as f64 / task.sources as f64 } else { 1.0 };
            let peak = peak.filter(|_| job.question == Question::Search);
            Cell::Took { cpu: time.cpu * factor, peak, scaled }
        }
        Outcome::Over => {
            tell(job, peer, &format!("ended after {}", seconds(task.limit)));
            Cell::Over(task.limit)
        }
        Outcome::Failed(why) => {
            tell(job, peer, &format!("skipped: {why}"));
            Cell::Absent
        }
    }
}

/// Whether two answers are one.
fn agree(a: &[f64], b: &[f64], question: Question) -> bool {
    let close = |(a, b): (&f64, &f64)| {
        let near = (a - b).abs() <= question.tolerance() * a.abs().max(b.abs());
        // Another may find a worse cut.
        near || question == Question::Cut && a < b
    };
    a.len() == b.len() && a.iter().zip(b).all(close)
}

fn tell(job: &Job, who: &str, what: &str) {
    eprintln!("{} of {}, {who}: {what}", job.question.job(), job.spec);
}

fn took(time: &clock::Time) -> String {
    let (cpu, wall) = (seconds(time.cpu), seconds(time.wall));
    format!("{cpu} of the processor, {wall} in all, best of {}", time.runs)
}

/// The number of nodes, short enough for a table.
fn build_order(spec: &str) -> Result<String> {
    let order = nestnet::build(spec).map_err(|error| anyhow::anyhow!("{error}"))?.order();
    let digits = order.to_string();
    if digits.len() <= 12 {
        return Ok(grouped(&digits));
    }
    Ok(format!("{}.{} · 10^{}", &digits[..1], &digits[1..2], digits.len() - 1))
}

/// Every link once, as pairs of 32-bit numbers in a file that vanishes.
fn write_links(network: &dyn Network) -> Result<NamedTempFile> {
    let file = NamedTempFile::new_in(target()?)?;
    let mut out = BufWriter::new(&file);
    for at in 0..network.order() {
        let mut written = Ok(());
        network.for_each_neighbor(Node(at), &mut |_, to| {
            if at < to.0 && written.is_ok() {
                written = write_link(&mut out, at, to.0);
            }
        });
        written?;
    }
    out.flush()?;
    drop(out);
    Ok(file)
}

fn write_link(out: &mut impl Write, from: u64, to: u64) -> Result<()> {
    for end in [from, to] {
        out.write_all(&i32::try_from(end)?.to_le_bytes())?;
    }
    Ok(())
}

/// The memory that a process takes which only searches; `None` where the system does not tell.
fn peak_of(spec: &str) -> Result<Option<u64>> {
    let this = std::env::current_exe()?;
    let output = Command::new(this).args(["bench", "measure", "--peak", spec]).output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse().ok())
}

/// The other side of [`peak_of`].
fn print_peak(spec: &str) -> Result<()> {
    jobs::search(spec)?;
    println!("{}", peak().map_or("unknown".to_owned(), |peak| peak.to_string()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        assert_eq!(options(&[]).unwrap(), Options { with_peers: true, slow: false });
        let both = options(&["--slow", "--no-peers"]).unwrap();
        assert_eq!(both, Options { with_peers: false, slow: true });
        assert!(options(&["--fast"]).is_err());
    }

    #[test]
    fn answers_agree_exactly_or_up_to_rounding() {
        assert!(agree(&[1.0, 2.0], &[1.0, 2.0], Question::Histogram));
        assert!(!agree(&[4e9], &[4e9 + 1.0], Question::Histogram));
        assert!(!agree(&[1.0], &[1.0, 2.0], Question::Histogram));
        assert!(agree(&[4e9], &[4e9 + 1.0], Question::Betweenness));
        assert!(!agree(&[4e9], &[4e9 + 10.0], Question::Betweenness));
        assert!(agree(&[616.0], &[618.0], Question::Cut));
        assert!(!agree(&[618.0], &[616.0], Question::Cut));
    }

    #[test]
    fn a_wrong_peer_is_named() {
        let job = SECTIONS[1].jobs[1];
        let links = std::path::Path::new("links");
        let task =
            Task { job: "sampled", links, nodes: 512, sources: 256, seconds: 1.0, limit: 1.0 };
        let time = clock::Time { cpu: 1.5, wall: 2.0, runs: 1 };
        let mut wrong = Vec::new();
        let done = |value| Outcome::Done { time, peak: Some(1), values: vec![value] };
        let cell = judge(&job, "igraph", &task, done(7.0), &[7.0], &mut wrong);
        assert_eq!(cell, Cell::Took { cpu: 3.0, peak: None, scaled: true });
        assert!(wrong.is_empty());
        judge(&job, "igraph", &task, done(8.0), &[7.0], &mut wrong);
        assert!(wrong[0].contains("igraph is [8.0], ours [7.0]"), "{wrong:?}");
        assert_eq!(judge(&job, "x", &task, Outcome::Over, &[], &mut wrong), Cell::Over(1.0));
        let failed = Outcome::Failed("no memory".to_owned());
        assert_eq!(judge(&job, "x", &task, failed, &[], &mut wrong), Cell::Absent);
        assert_eq!(wrong.len(), 1);
    }

    #[test]
    fn links_are_written_once() {
        let built = nestnet::build("ring(3)").unwrap();
        let file = write_links(&*built.network.unwrap()).unwrap();
        let bytes = std::fs::read(file.path()).unwrap();
        let numbers: Vec<u8> = bytes.chunks(4).map(|number| number[0]).collect();
        let mut links: Vec<&[u8]> = numbers.chunks(2).collect();
        links.sort_unstable();
        assert_eq!(links, [[0, 1], [0, 2], [1, 2]]);
    }

    #[test]
    fn orders_are_short() {
        assert_eq!(build_order("rdn(torus(5, 5), 2)").unwrap(), "3,125,000");
        assert_eq!(build_order("hypercube(60)").unwrap(), "1.1 · 10^18");
    }
}
