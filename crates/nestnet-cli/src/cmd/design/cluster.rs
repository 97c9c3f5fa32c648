//! `nestnet design --hosts N --radix R`: which network of switches, what it costs and what it carries.

use super::{Args, ended, show};
use crate::cmd::report::{self, Found};
use crate::job::Job;
use crate::{Outcome, output, text};
use anyhow::ensure;
use nestnet::Spec;
use nestnet::design::{
    ClusterDesign, ClusterQuestion, ClusterReport, ClusterRow, FrontPoint, PaidPorts, better_at,
    cluster_watched, front_plot, runners_up,
};
use nestnet::physical::{Bill, to_csv};
use nestnet::report::Table;
use nestnet::routers::between;
use std::collections::BTreeMap;
use std::path::Path;

pub fn run(args: &Args, question: &ClusterQuestion, job: &Job) -> anyhow::Result<Outcome> {
    let page = super::page(args, &format!("design-{}-hosts.html", question.hosts))?;
    job.doing("designing");
    let found = job.with_budget(|budget| {
        cluster_watched(question, &budget, &|rows| {
            job.so_far(|| {
                let rows = rows();
                (rows.len(), text::value(&rows))
            });
        })
    });
    job.finish();
    let answer = job.answered(found)?;
    let is_empty = answer.front.is_empty() && answer.references.is_empty();
    ensure!(answer.finished || !is_empty, job.unfinished());
    let mut written = None;
    if let (Some(path), Some(bill)) = (&args.bill, &answer.bill) {
        let is_written = job.wrote(output::write_bytes(path, to_csv(&bill.items).as_bytes()));
        written = is_written.then(|| format!("bill of materials: {}\n", path.display()));
    }
    let text = || to_text(question, &answer, args.limit) + &written.unwrap_or_default();
    let fits = !answer.front.is_empty();
    let page = page.filter(|_| answer.finished && fits);
    let report = ClusterReport { question, answer: &answer };
    show(args, job, &report, text, page, |path| write_page(path, question, &answer, job))?;
    ended(answer.finished, fits, job)
}

/// The most runners-up that are named.
const RUNNERS_UP: usize = 3;

const HEADER: [&str; 15] = [
    "network",
    "kind",
    "hosts",
    "switches",
    "ports",
    "$/host",
    "W/host",
    "uniform",
    "worst",
    "bisection",
    "mean hops",
    "max hops",
    "tolerated",
    "VCs",
    "routing",
];

fn cells(row: &ClusterRow, mark: &str) -> Vec<String> {
    let part = |part: Option<f64>| part.map_or("?".to_owned(), |part| format!("{part:.3}"));
    vec![
        match row.plain_name() {
            Some(name) => format!("{mark}{name}, {}", row.spec),
            None => format!("{mark}{}", row.spec),
        },
        row.origin.name().to_owned(),
        text::grouped(&row.hosts.to_string()),
        text::grouped(&row.switches.to_string()),
        row.ports_used.to_string(),
        text::grouped(&format!("{:.0}", row.price_per_host)),
        format!("{:.0}", row.power_per_host),
        format!("{:.3}", row.throughput),
        part(row.worst_case),
        part(row.bisection_fraction),
        format!("{:.2}", row.mean_switch_hops()),
        row.max_switch_hops().to_string(),
        row.failures_survived.to_string(),
        row.vcs.map_or("?".to_owned(), |vcs| vcs.to_string()),
        row.routing.clone().unwrap_or_else(|| "none".to_owned()),
    ]
}

fn to_text(question: &ClusterQuestion, answer: &ClusterDesign, limit: usize) -> String {
    let unfit: String =
        answer.unfit.iter().map(|one| format!("{}: {}\n", one.family, one.why)).collect();
    let Some((best, why)) = &answer.recommended else {
        let known: Vec<Vec<String>> =
            answer.references.iter().map(|row| cells(row, "  ")).collect();
        let beside = match known.is_empty() {
            true => String::new(),
            false => {
                let rows: Vec<Vec<String>> =
                    [HEADER.map(str::to_owned).to_vec()].into_iter().chain(known).collect();
                format!("beside it:\n{}", text::columns(&rows))
            }
        };
        if !answer.finished {
            return format!("no candidate was measured to the end in the time\n{unfit}{beside}");
        }
        return format!(
            "no network of {} to {:.0} hosts on switches of {} ports keeps within the limits: \
             {} candidates, {} measured; try --tolerance, --radix or --depth\n{unfit}{beside}",
            text::grouped(&question.hosts.to_string()),
            question.hosts as f64 * (1.0 + question.tolerance),
            question.radix,
            text::grouped(&answer.candidates.to_string()),
            answer.measured,
        );
    };
    let recommended = &answer.front[*best];
    let mut rows = vec![HEADER.map(str::to_owned).to_vec()];
    // Those that are taken for a purpose are shown whatever their place.
    let answers = &answer.answers;
    let taken = [&answers.non_blocking, &answers.best_value, &answers.cheapest];
    let is_taken = |row: &ClusterRow| {
        taken.iter().any(|one| one.as_ref().is_some_and(|one| one.spec == row.spec))
    };
    let shown = answer.front.iter().enumerate();
    let shown = shown.filter(|(at, row)| *at < limit.max(1) || at == best || is_taken(row));
    rows.extend(shown.clone().map(|(at, row)| cells(row, if at == *best { "* " } else { "  " })));
    // Fabrics that everybody knows are shown even where they are dominated.
    let figures = |row: &ClusterRow| {
        (row.hosts, row.switches, row.price_per_host.to_bits(), row.throughput.to_bits())
    };
    let is_shown =
        |known: &ClusterRow| shown.clone().any(|(_, row)| figures(row) == figures(known));
    rows.extend(answer.references.iter().filter(|row| !is_shown(row)).map(|row| cells(row, "  ")));
    let mut out = text::columns(&rows) + "\n";
    for (title, found) in [
        ("non-blocking", &answers.non_blocking),
        ("best value", &answers.best_value),
        ("cheapest", &answers.cheapest),
    ] {
        out.push_str(&match found {
            Some(found) => format!("{title}: {}\n  {}\n", found.spec, found.why),
            None => format!("{title}: none\n"),
        });
    }
    let named = shown.clone().map(|(_, row)| row).chain(&answer.references);
    let named: BTreeMap<String, String> = named
        .filter(|row| !row.also.is_empty())
        .map(|row| {
            let also: Vec<String> = row.also.iter().map(Spec::to_string).collect();
            (row.spec.to_string(), also.join(", "))
        })
        .collect();
    out.extend(named.iter().map(|(name, also)| format!("{name}: also {also}\n")));
    out.push_str(&unfit);
    let is_value = answers.best_value.as_ref().is_some_and(|value| value.spec == recommended.spec);
    out.push_str(&match is_value {
        true => format!("* recommended: {}, the best value\n", recommended.spec),
        false => format!("* recommended: {}\n  {why}\n", recommended.spec),
    });
    out.push_str(&free_ports(recommended, question));
    if let Some(seen) = &answer.simulated {
        let part = if recommended.planes > 1 { ", one plane" } else { "" };
        out.push_str(&format!(
            "  simulated{part}, uniform traffic at the full rate: {:.3} accepted by {} with {} virtual channels, in {} cycles after {} ({})\n    {}\n",
            seen.accepted, seen.router, seen.vcs, seen.cycles, seen.warmup, seen.status, seen.command,
        ));
    }
    if let Some(bill) = &answer.bill {
        out.push_str(&racks(bill));
    }
    for (row, better) in runners_up(&answer.front, recommended).iter().take(RUNNERS_UP) {
        let worse = better_at(recommended, row);
        let but = if worse.is_empty() { "" } else { "; the recommended one: " };
        let better = better.join(", ");
        out.push_str(&format!("  runner-up: {}: {better}{but}{}\n", row.spec, worse.join(", ")));
    }
    if shown.clone().any(|(_, row)| row.planes > 1) {
        out.push_str(
            "planes: every host has a link into each, all together as fast as one of the other rows; a port of a switch \
             is broken out into as many links as there are planes\n",
        );
    }
    let hidden = answer.front.len().saturating_sub(shown.clone().count());
    let more = if hidden > 0 { format!(", {hidden} not shown (--limit)") } else { String::new() };
    out.push_str(&format!(
        "{} of {} candidates are Pareto-optimal in price, uniform and worst-case throughput, hops and failures tolerated{more}; {} measured",
        answer.front.len(),
        text::grouped(&answer.candidates.to_string()),
        answer.measured,
    ));
    if answer.unmeasured > 0 {
        let count = text::grouped(&answer.unmeasured.to_string());
        out.push_str(&match answer.finished {
            true => format!(", {count} of lower estimated value were not"),
            false => format!(", {count} not yet: others may be better"),
        });
    }
    let chooses = |name: &String| between(name).is_some();
    let of_ugal = match shown.clone().any(|(_, row)| row.routing.as_ref().is_some_and(chooses)) {
        true => " (ugal: by the better of its minimal and its Valiant routes)",
        false => "",
    };
    out.push_str(&format!(
        "\nsearched: constructions to depth {} (--depth), bases of up to {} nodes (--max-base); {}\nuniform, worst: the fraction of the full \
         rate that the routing of the row carries, of uniform traffic and of its worst permutation{of_ugal}; hops: links \
         between switches; ?: not computed\n$/host, W/host: of all that is built, for each of the {} hosts that were asked for\n",
        question.depth,
        question.max_base,
        match question.paid {
            PaidPorts::Used => "ports in use are paid".to_owned(),
            PaidPorts::All => {
                let links = match question.cost_model.breakout {
                    1 => String::new(),
                    each => format!(", each broken out into {each} links,"),
                };
                format!(
                    "all {} ports of a switch{links} are paid (or see --price-used-ports)",
                    question.radix
                )
            }
        },
        text::grouped(&question.hosts.to_string()),
    ));
    out
}

/// How many ports of a switch the network leaves free for more of it.
fn free_ports(row: &ClusterRow, question: &ClusterQuestion) -> String {
    let radix = row.radix;
    let ports = if radix > question.radix { "links of a switch" } else { "ports of a switch" };
    match radix.saturating_sub(row.ports_used) {
        0 => format!("  all {radix} {ports} are in use where most are: see `nestnet grow`\n"),
        1 => format!("  1 of {radix} {ports} is free: see `nestnet grow`\n"),
        free => format!("  {free} of {radix} {ports} are free: see `nestnet grow`\n"),
    }
}

/// Racks, and cables by length.
fn racks(bill: &Bill) -> String {
    let whole = |value: f64| text::grouped(&format!("{value:.0}"));
    let least = bill.least_length.map_or_else(String::new, |least| {
        format!(", at least {} m by any placement in these racks", whole(least))
    });
    let lengths: Vec<String> = bill
        .cable_lengths
        .iter()
        .map(|row| format!("{} m: {}", row.up_to, text::grouped(&row.cables.to_string())))
        .collect();
    format!(
        "  racks: {} in {} rows; {} m of cable{least}; cables up to {}\n",
        text::grouped(&bill.racks.to_string()),
        text::grouped(&bill.rows.to_string()),
        whole(bill.length),
        lengths.join(", "),
    )
}

/// A page about the recommended network and the cheapest others.
fn write_page(
    path: &Path,
    question: &ClusterQuestion,
    answer: &ClusterDesign,
    job: &Job,
) -> anyhow::Result<bool> {
    /// So many are compared.
    const COMPARED: usize = 5;
    let Some((best, why)) = &answer.recommended else { return Ok(false) };
    let others = (0..answer.front.len()).filter(|at| at != best).take(COMPARED - 1);
    let mut networks = Vec::new();
    for at in [*best].into_iter().chain(others) {
        let row = &answer.front[at];
        networks.push((job.build(&row.spec.to_string())?.1, question.priced_in(row.planes)));
    }
    let hosts = text::grouped(&question.hosts.to_string());
    let title = format!("{hosts} hosts on switches of {} ports", question.radix);
    let about = format!(
        "Recommended: {}, {why}. {} of {} candidates are Pareto-optimal in price, throughput, hops and failures tolerated.",
        answer.front[*best].spec,
        answer.front.len(),
        text::grouped(&answer.candidates.to_string()),
    );
    let dots = |up: &dyn Fn(&ClusterRow) -> f64| {
        let rows = answer.front.iter().enumerate().map(|(at, row)| {
            let point = (row.price_per_host, up(row));
            let point = FrontPoint::new(row.origin, point, row.spec.to_string());
            FrontPoint { recommended: at == *best, ..point }
        });
        rows.collect::<Vec<_>>()
    };
    let front = "networks that are Pareto-optimal";
    let charts = vec![
        front_plot(
            &format!("{front}: left and high is better"),
            ["$ a host", "throughput"],
            &dots(&|row| row.throughput),
        ),
        front_plot(
            &format!("{front}: left and low is better"),
            ["$ a host", "hops"],
            &dots(&|row| row.mean_hops),
        ),
    ];
    let rows = |rows: &[ClusterRow]| rows.iter().map(|row| cells(row, "")).collect::<Vec<_>>();
    let head = || HEADER.map(str::to_owned).to_vec();
    let tables = vec![
        Table {
            title: "Pareto-optimal fabrics".to_owned(),
            head: head(),
            rows: rows(&answer.front),
            about: "Uniform and worst are the fractions of the full rate that the routing of the row carries, of \
                    uniform traffic and of its worst permutation. Hops are between switches."
                .to_owned(),
        },
        Table {
            title: "Reference fabrics".to_owned(),
            head: head(),
            rows: rows(&answer.references),
            about: "Fabrics that everybody knows, also where others are better.".to_owned(),
        },
    ];
    let found = Found { networks: &networks, hosts: question.hosts };
    report::of_found(path, title, about, charts, tables, found, job)
}
