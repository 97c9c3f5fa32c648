//! `nestnet simulate --goal`: how long a program of messages takes, and who is busy when.

use super::{Args, is_csv};
use crate::job::Job;
use crate::{Outcome, output, picture, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::draw::{Bar, Frame, Theme, timeline};
use nestnet::files::setup;
use nestnet::sim::{Finish, Latency, MessageRecord, Span};
use nestnet::simulated::GoalRun;
use nestnet::traffic::goal;
use nestnet::traffic::program::Action;
use std::fmt::Write as _;

pub fn run(args: &Args, path: &str, job: &Job) -> anyhow::Result<Outcome> {
    if let Some(path) = args.output.as_ref().filter(|path| !is_csv(path)) {
        picture::Format::of(path)?;
    }
    if let Some(path) = args.trace.as_ref().filter(|path| !is_csv(path)) {
        bail!("--trace {}: of a program the name must end in .csv", path.display());
    }
    let [spec] = &args.specs[..] else { bail!("--goal runs on one network") };
    let bytes = job.read_file(path).with_context(|| format!("cannot read {path}"))?;
    let program = goal::read(bytes.as_slice()).with_context(|| path.to_owned())?;
    let (spec, built) = job.build(spec)?;
    built.network.as_ref().with_context(|| text::without_ids(&spec))?;
    let done = job.with_budget(|within| -> anyhow::Result<GoalRun> {
        let settings = args.settings()?;
        let names = args.routers(&built);
        let [name] = &names[..] else { bail!("--goal runs by one router") };
        let read = |path: &str| job.read_file(path);
        let setup = setup(&built, Some(name), &settings, &read, &within)?;
        job.doing("tasks");
        Ok(setup.program(&program, settings.flit, &within)?)
    });
    job.finish();
    let run = job.in_time(done)?;
    let GoalRun { router, ranks, finish, status, .. } = &run;
    if let Some(path) = &args.output {
        let bytes = if is_csv(path) {
            Ok(tasks(finish).into_bytes())
        } else {
            let format = picture::Format::of(path)?;
            let look = (args.setting.theme(format), args.setting.frame());
            format.convert(&drawn(&format!("{spec}, {router}"), *ranks, finish, look))
        };
        job.wrote(bytes.and_then(|bytes| output::write_bytes(path, &bytes)));
    }
    if let Some(path) = &args.trace {
        job.wrote(output::write_bytes(path, messages(finish).as_bytes()));
    }
    if args.json {
        text::print_json(&run)?;
    } else {
        let count = |value: u64| text::grouped(&value.to_string());
        let tasks = format!("{} of {}", finish.spans.len(), finish.tasks);
        let mut rows = vec![
            ("router", router.clone()),
            ("ranks", count(*ranks)),
            ("tasks done", tasks),
            ("cycles", count(finish.cycles)),
            ("flit-hops", count(finish.flit_hops)),
            ("messages", count(finish.messages.len() as u64)),
        ];
        rows.extend(finish.message_latency().map(|latency| {
            let Latency { mean, p50, p99, .. } = latency;
            ("message latency", format!("{mean:.2} cycles (median {p50}, p99 {p99})"))
        }));
        rows.push(("status", (*status).to_owned()));
        let mut out = format!("{spec}\n{}", text::table(&rows));
        for (number, wait) in (1..).zip(&finish.deadlock_cycle) {
            let _ = writeln!(out, "  {number:3}. {wait}");
        }
        text::print(&out)?;
    }
    ensure!(!job.is_over(), job.unfinished());
    Ok(if finish.complete { Outcome::Done } else { Outcome::No })
}

/// Every task that was done, as CSV.
fn tasks(finish: &Finish) -> String {
    let mut out = "rank,task,action,peer,bytes,tag,begin,end\n".to_owned();
    for Span { rank, task, action, begin, end } in &finish.spans {
        let action = match action {
            Action::Send { to, bytes, tag } => format!("send,{to},{bytes},{tag}"),
            Action::Receive { from, bytes, tag } => format!("receive,{from},{bytes},{tag}"),
            Action::Compute { .. } => "compute,,,".to_owned(),
        };
        let _ = writeln!(out, "{rank},{task},{action},{begin},{end}");
    }
    out
}

/// Every message that arrived, as CSV.
fn messages(finish: &Finish) -> String {
    let mut out = "from,to,tag,bytes,created,left,arrived\n".to_owned();
    for MessageRecord { from, to, tag, bytes, created, left, arrived } in &finish.messages {
        let _ = writeln!(out, "{from},{to},{tag},{bytes},{created},{left},{arrived}");
    }
    out
}

/// Who is busy when.
fn drawn(title: &str, ranks: u64, finish: &Finish, (theme, frame): (Theme, Frame)) -> String {
    let kind = |action| match action {
        Action::Send { .. } => 0,
        Action::Receive { .. } => 1,
        Action::Compute { .. } => 2,
    };
    // Waiting lies below what is done meanwhile.
    let mut spans = finish.spans.clone();
    spans.sort_by_key(|span| kind(span.action) != 1);
    let bar =
        |span: &Span| Bar { row: span.rank, span: (span.begin, span.end), kind: kind(span.action) };
    let bars: Vec<Bar> = spans.iter().map(bar).collect();
    timeline(title, ranks, &["sends", "waits for a message", "computes"], &bars, theme, frame)
}
