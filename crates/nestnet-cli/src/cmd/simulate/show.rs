//! How a curve is shown: a table, JSON, CSV, a picture.

use crate::text;
use nestnet::Node;
use nestnet::draw::{Chart, Frame, Theme, chart};
use nestnet::json::rounded;
use nestnet::latency_chart::latency_chart;
use nestnet::sim::{
    Aftermath, FlowRecord, HostRecord, PacketRecord, Percentile, Point, Status, Window,
};
use nestnet::simulated::Run;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A curve for each network and router, with a point for each load.
pub fn to_json(runs: &[Run]) -> serde_json::Result<Value> {
    text::value(&json!({ "curves": runs }))
}

pub fn to_text(runs: &[Run]) -> String {
    runs.iter().map(run_text).collect::<Vec<_>>().join("\n")
}

fn run_text(run: &Run) -> String {
    let shared = match run.routers_vcs {
        own if own > run.vcs => format!("{}; the router's {own} are folded into them", run.vcs),
        1 => format!("{}, all alike", run.vcs),
        own => format!("{}, shared by the {own} of the router", run.vcs),
    };
    let mut rows = vec![
        ("router", run.router.clone()),
        ("traffic", run.found.traffic.clone()),
        ("hosts", text::grouped(&run.found.hosts.to_string())),
        ("virtual channels", shared),
    ];
    rows.extend(found_window(&run.found.curve.points).map(|window| ("window", window)));
    if let Some(warning) = &run.warning {
        rows.push(("warning", warning.clone()));
    }
    let mut out = format!("{}\n{}\n", run.spec, text::table(&rows));
    let head =
        ["load", "accepted", "latency", "±95 %", "median", "p99", "network", "hops", "status"];
    let mut table = vec![head.map(str::to_owned)];
    table.extend(run.found.curve.points.iter().map(row));
    out.push_str(&text::columns(&table));
    if run.found.swept {
        let said = match run.found.curve.saturation {
            Some(_) if run.found.curve.is_open() => "none: a load of 1 is accepted".to_owned(),
            Some(load) => format!("above a load of {load:.4} not all is accepted"),
            None => "even the lowest load is not accepted".to_owned(),
        };
        let most = format!("{:.4} flits per host and cycle", run.found.curve.most_accepted);
        let _ = write!(out, "\n{}", text::table(&[("saturation", said), ("most accepted", most)]));
    }
    for point in run.found.curve.points.iter().filter(|point| !point.percentiles.is_empty()) {
        let one = |found: &Percentile| format!("{} % {}", found.percent, found.latency);
        let all: Vec<String> = point.percentiles.iter().map(one).collect();
        let _ = writeln!(out, "\n  percentiles at load {}: {}", point.offered, all.join(", "));
    }
    for point in &run.found.curve.points {
        let Some(replied) = point.replied.filter(|replied| replied.packets > 0) else { continue };
        let (back, trip) = (replied.packet_latency, replied.round_trip);
        let _ = writeln!(
            out,
            "\n  replies at load {}: {:.4} accepted, latency {:.2}, round trip {:.2} (median {}, p99 {})",
            point.offered, replied.accepted, back.mean, trip.mean, trip.p50, trip.p99
        );
    }
    for point in run.found.curve.points.iter().filter(|point| !point.classes.is_empty()) {
        let _ = writeln!(out, "\n  message classes at load {}:", point.offered);
        for (number, class) in (1..).zip(&point.classes) {
            let latency = class.packet_latency;
            let _ = writeln!(
                out,
                "    class {number}: {:.4} offered, {:.4} accepted, latency {:.2} (median {}, p99 {})",
                class.offered, class.accepted, latency.mean, latency.p50, latency.p99
            );
        }
    }
    for point in &run.found.curve.points {
        if let Some(energy) = point.energy {
            let part = |part: f64| format!("{:.0} %", 100.0 * part / energy.per_flit.max(1e-9));
            let _ = writeln!(
                out,
                "\n  energy at load {}: {:.2} pJ a flit (buffers {}, switches {}, links {}), {:.2} mW",
                point.offered,
                energy.per_flit,
                part(energy.buffers),
                part(energy.switches),
                part(energy.links),
                energy.power,
            );
        }
        if let Some(marked) = point.marked {
            let (load, percent) = (point.offered, 100.0 * marked);
            let _ = writeln!(out, "\n  marked at load {load}: {percent:.2} % of packets");
        }
        if let Some(retries) = point.retries {
            let [flits, corrupted] =
                [retries.flits, retries.corrupted].map(|count| text::grouped(&count.to_string()));
            let _ = writeln!(
                out,
                "\n  link errors at load {}: {corrupted} of {flits} flits on links were sent again",
                point.offered
            );
        }
    }
    for point in &run.found.curve.points {
        if let Some(reason) = point.reason {
            let _ = writeln!(out, "\n  not converged at load {}: {reason}", point.offered);
        }
    }
    for point in &run.found.curve.points {
        let Some(Aftermath { lost, before, after }) = point.aftermath else { continue };
        let mean = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        let (before, after) = (mean(before), mean(after));
        let load = point.offered;
        let _ = writeln!(
            out,
            "\n  failures at load {load}: {lost} packets lost, latency {before} before and {after} after"
        );
    }
    for point in
        run.found.curve.points.iter().filter(|point| point.status == Status::Deadlock).take(1)
    {
        let count = point.deadlock_cycle.len();
        let _ = writeln!(
            out,
            "\n  deadlock at load {}: {count} packets in a dependency cycle:",
            point.offered
        );
        for (number, wait) in (1..).zip(&point.deadlock_cycle) {
            let _ = writeln!(out, "  {number:3}. {wait}");
        }
    }
    out
}

/// The cycles that were found for the precision of the points.
fn found_window(points: &[Point]) -> Option<String> {
    let windows: Vec<_> = points.iter().filter(|p| p.found).map(|p| p.window).collect();
    let range = |cycles: &dyn Fn(&Window) -> u64| {
        let (least, most) = (windows.iter().map(cycles).min()?, windows.iter().map(cycles).max()?);
        let [least, most] = [least, most].map(|count| text::grouped(&count.to_string()));
        Some(if least == most { least } else { format!("{least} to {most}") })
    };
    let (warmup, cycles) = (range(&|window| window.warmup)?, range(&|window| window.cycles)?);
    Some(format!("found: {cycles} cycles after a warm-up of {warmup}"))
}

fn row(point: &Point) -> [String; 9] {
    let latency = point.packet_latency;
    let measured = point.packets > 0;
    let number = |value: f64| if measured { format!("{value:.2}") } else { "-".to_owned() };
    [
        format!("{}", point.offered),
        format!("{:.4}", point.accepted),
        number(latency.mean),
        latency.ci95.map_or_else(|| "-".to_owned(), |ci| format!("{ci:.2}")),
        if measured { latency.p50.to_string() } else { "-".to_owned() },
        if measured { latency.p99.to_string() } else { "-".to_owned() },
        number(point.network_latency),
        number(point.hops),
        point.status.to_string(),
    ]
}

pub fn csv(runs: &[Run]) -> String {
    let mut out = "spec,router,offered,accepted,latency_mean,latency_ci95,latency_p50,latency_p99,network_latency,hops,packets,cycles,flit_hops,status,seed,reason,reply_accepted,reply_latency_mean,round_trip_mean,round_trip_p99\n".to_owned();
    for (run, point) in all(runs) {
        let latency = point.packet_latency;
        let replies = point.replied.map_or(",,,".to_owned(), |replied| {
            let (back, trip) = (replied.packet_latency.mean, replied.round_trip);
            format!("{:.6},{back:.4},{:.4},{}", replied.accepted, trip.mean, trip.p99)
        });
        let _ = writeln!(
            out,
            "\"{}\",\"{}\",{},{:.6},{:.4},{},{},{},{:.4},{:.4},{},{},{},{},{},{},{replies}",
            run.spec.replace('"', "\"\""),
            run.router,
            point.offered,
            point.accepted,
            latency.mean,
            latency.ci95.map(|ci| format!("{ci:.4}")).unwrap_or_default(),
            latency.p50,
            latency.p99,
            point.network_latency,
            point.hops,
            point.packets,
            point.cycles,
            point.flit_hops,
            point.status,
            point.seed,
            point.reason.unwrap_or_default()
        );
    }
    out
}

/// Every point with its network and router.
pub fn all(runs: &[Run]) -> impl Iterator<Item = (&Run, &Point)> {
    runs.iter().flat_map(|run| run.found.curve.points.iter().map(move |point| (run, point)))
}

/// A row of every part of every point as CSV, behind its network, router and load.
fn parts<'a, T: 'a>(
    runs: &'a [Run],
    columns: &str,
    of: impl Fn(&'a Point) -> &'a [T],
    row: impl Fn(&Point, &T) -> String,
) -> String {
    let mut out = format!("spec,router,offered,{columns}\n");
    for (run, point) in all(runs) {
        let (spec, router, load) = (run.spec.replace('"', "\"\""), &run.router, point.offered);
        for part in of(point) {
            let _ = writeln!(out, "\"{spec}\",\"{router}\",{load},{}", row(point, part));
        }
    }
    out
}

/// How busy every link was.
pub fn channels(runs: &[Run]) -> String {
    let row = |_: &Point, (from, to, part): &(Node, Node, f64)| format!("{from},{to},{part:.6}");
    parts(runs, "from,to,utilization", |point| &point.used, row)
}

/// How many packets had which latency.
pub fn histogram(runs: &[Run]) -> String {
    let row = |_: &Point, (latency, packets): &(u64, u64)| format!("{latency},{packets}");
    parts(runs, "latency,packets", |point| &point.histogram, row)
}

/// What every host sent and received.
pub fn hosts(runs: &[Run]) -> String {
    let columns = "host,sent_packets,sent_flits,sent_latency_mean,sent_latency_max,\
                   received_packets,received_flits,received_latency_mean,received_latency_max";
    let row = |_: &Point, host: &HostRecord| {
        format!(
            "{},{},{},{:.4},{},{},{},{:.4},{}",
            host.host,
            host.sent_packets,
            host.sent_flits,
            host.sent_latency,
            host.sent_latency_max,
            host.received_packets,
            host.received_flits,
            host.received_latency,
            host.received_latency_max,
        )
    };
    parts(runs, columns, |point| &point.records.hosts, row)
}

/// What every host sent to every other.
pub fn flows(runs: &[Run]) -> String {
    let columns = "from,to,packets,flits,latency_mean,latency_min,latency_max,hops";
    let row = |_: &Point, flow: &FlowRecord| {
        format!(
            "{},{},{},{},{:.4},{},{},{:.4}",
            flow.from,
            flow.to,
            flow.packets,
            flow.flits,
            flow.latency,
            flow.latency_min,
            flow.latency_max,
            flow.hops,
        )
    };
    parts(runs, columns, |point| &point.records.flows, row)
}

/// Whether a packet asks, answers, or neither.
pub fn kind(point: &Point, packet: &PacketRecord) -> &'static str {
    match (packet.reply, point.replied.is_some()) {
        (true, _) => "reply",
        (false, true) => "request",
        (false, false) => "packet",
    }
}

/// Every packet of the window.
pub fn packets(runs: &[Run]) -> String {
    let row = |point: &Point, packet: &PacketRecord| {
        let kind = kind(point, packet);
        format!(
            "{},{},{kind},{},{},{},{},{}",
            packet.from,
            packet.to,
            packet.flits,
            packet.created,
            packet.entered,
            packet.arrived,
            packet.hops,
        )
    };
    let columns = "from,to,kind,flits,created,entered,arrived,hops";
    parts(runs, columns, |point| &point.records.packets, row)
}

/// How busy every link was at the last load: from, to, fraction of the cycles.
pub fn utilization(runs: &[Run]) -> Value {
    let Some((_, point)) = all(runs).last() else { return json!([]) };
    let used = point.used.iter();
    used.map(|(from, to, part)| json!([from, to, rounded(*part)])).collect()
}

/// Latency over load.
pub fn svg(runs: &[Run], theme: Theme, frame: Frame) -> String {
    let same_spec = runs.iter().all(|run| run.spec == runs[0].spec);
    let name = |run: &Run| match same_spec {
        true => run.router.clone(),
        false => format!("{}, {}", run.spec, run.router),
    };
    let curves: Vec<_> = runs.iter().map(|run| (name(run), &run.found.curve)).collect();
    let traffic = runs.first().map_or("", |run| run.found.traffic.as_str());
    let title = match runs.first() {
        Some(run) if same_spec => format!("{}, {traffic} traffic", run.spec),
        _ => format!("{traffic} traffic"),
    };
    chart(&Chart { theme, frame, ..latency_chart(title, &curves) })
}
