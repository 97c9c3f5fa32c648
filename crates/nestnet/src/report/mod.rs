//! One page about a network or several: picture, numbers, claims, routing, broadcasts and a comparison.
//!
//! The page needs nothing but itself. Each part is found within the limits that are given; what takes longer says so.
//! A part is a function from a [`Analysis`] to HTML, and `PARTS` is their order.

#[cfg(feature = "claims")]
mod claims;
mod fabric;
pub(crate) mod html;

use crate::cells::is_routed;
use crate::compare::{COLUMNS, Contender, Field, LeftOut, Options, best, cell, contender};
use crate::latency_chart::latency_chart;
use crate::physical::CostModel;
use crate::picture::{self, Request};
use html::{Bar, bars, facts, histogram, prose, safe, table};
use nestnet_analysis::broadcasts::{Algorithm, BroadcastError, broadcast};
use nestnet_analysis::measures::under_load;
use nestnet_analysis::measures::{Analysis, Limits, MEASURES};
use nestnet_analysis::number_format;
use nestnet_analysis::routers;
use nestnet_collectives::Ports;
use nestnet_draw::{Chart, chart};
use nestnet_graph::budget::STEPS_PER_SECOND;
use nestnet_graph::distances::ratio;
use nestnet_graph::{Budget, Node};
use nestnet_routing::route::deadlock::certify;
use nestnet_routing::route::{Against, Faults, survey};
use nestnet_sim::{Curve, Window};
use nestnet_topologies::family::Built;
use nestnet_topologies::spec::Spec;
use num_bigint::BigUint;
use std::fmt::Write as _;

/// What a report is about.
#[derive(Debug)]
pub struct Topic<'a> {
    /// Its heading.
    pub title: String,
    /// A sentence or two below it.
    pub about: String,
    /// The networks, each with a part of its own.
    pub networks: &'a [Built],
    /// All that are compared, the networks first.
    pub contenders: &'a [Contender],
    /// Baselines that are not near enough.
    pub left_out: &'a [LeftOut],
    /// Charts below the first sentences.
    pub charts: Vec<Chart>,
    /// Tables below the charts.
    pub tables: Vec<Table>,
}

/// A table of text.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its heading.
    pub title: String,
    /// Above each column.
    pub head: Vec<String>,
    /// Its rows, each as long as the head.
    pub rows: Vec<Vec<String>>,
    /// A sentence below it.
    pub about: String,
}

/// The page about the first `named` networks of a field, beside all others of it.
///
/// Each network gets its share of the steps, at most some seconds; `doing` is called with what is next. What is stopped
/// is incomplete.
pub fn report_field(
    Field { networks, left_out, .. }: &Field,
    named: usize,
    cost_model: CostModel,
    limits: Limits<'_>,
    doing: &dyn Fn(&str),
) -> String {
    let share = limits.budget.steps / networks.len().max(1) as u128;
    let budget = Budget { steps: share.min(4 * STEPS_PER_SECOND), ..limits.budget };
    let limits = Limits { budget, ..limits };
    let options = Options::new(limits, cost_model);
    let mut contenders = Vec::new();
    for built in networks {
        doing(&built.spec().to_string());
        contenders.push(contender(built, &options));
        if budget.check().is_err() {
            break;
        }
    }
    doing("page");
    let named = &networks[..named.min(networks.len())];
    let title = match named {
        [built] => built.spec().to_string(),
        many => format!("{} networks", many.len()),
    };
    let about = "What is known, measured exactly.".to_owned();
    let (contenders, charts, tables) = (&contenders[..], Vec::new(), Vec::new());
    let networks = named;
    report(&Topic { title, about, networks, contenders, left_out, charts, tables }, limits)
}

/// The page, as HTML that needs no other file.
///
/// ```
/// use nestnet::measures::Limits;
/// use nestnet::report::{Topic, report};
/// use nestnet::build;
///
/// let networks = [build("petersen").unwrap()];
/// let topic = Topic {
///     title: "Petersen".to_owned(),
///     about: String::new(),
///     networks: &networks,
///     contenders: &[],
///     left_out: &[],
///     charts: Vec::new(),
///     tables: Vec::new(),
/// };
/// let page = report(&topic, Limits::default());
/// assert!(page.starts_with("<!doctype html>") && page.contains("<svg"));
/// ```
pub fn report(topic: &Topic<'_>, limits: Limits<'_>) -> String {
    let mut body = format!("<h1>{}</h1>\n<p>{}</p>\n", safe(&topic.title), prose(&topic.about));
    // The first of a long list are what it is about.
    const IN_SHORT: usize = 3;
    for built in topic.networks.iter().take(IN_SHORT) {
        body.push_str(&summary(built));
    }
    if topic.networks.len() > 1 {
        body.push_str("<nav>");
        for (number, built) in topic.networks.iter().enumerate() {
            let name = safe(&built.spec().to_string());
            let _ = write!(body, "<a href=\"#n{number}\">{name}</a>");
        }
        body.push_str("</nav>\n");
    }
    for one in &topic.charts {
        let _ = writeln!(body, "<div class=picture>{}</div>", chart(one));
    }
    for one in &topic.tables {
        let safe_all = |row: &Vec<String>| row.iter().map(|cell| safe(cell)).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = one.rows.iter().map(safe_all).collect();
        let _ = write!(
            body,
            "<h2 class=first>{}</h2>\n{}<p class=soft>{}</p>\n",
            safe(&one.title),
            table(&safe_all(&one.head), &rows),
            prose(&one.about)
        );
    }
    body.push_str(&comparison(topic));
    for (number, built) in topic.networks.iter().enumerate() {
        let spec = built.spec();
        let _ = writeln!(body, "<h2 id=n{number}>{}</h2>", safe(&spec.to_string()));
        let subject = Analysis::new(built, limits);
        let has_switches = built.theory.hosts() < built.theory.order();
        let mine = topic.contenders.iter().find(|one| one.figures.spec == *spec);
        if let Some(contender) = mine.filter(|_| has_switches) {
            body.push_str(&fabric::parts(contender));
        }
        for (title, part) in PARTS {
            if (limits.budget.watch.stop)() {
                break;
            }
            let text = part(spec, &subject);
            if !text.is_empty() {
                let _ = write!(body, "<h3>{title}</h3>\n{text}");
            }
        }
    }
    let _ = writeln!(
        body,
        "<p class=soft>Made by nestnet {}. Numbers say how they are known: by theorem, by symmetry, by exhaustive \
         search, between bounds, or sampled.</p>",
        env!("CARGO_PKG_VERSION")
    );
    html::page(&topic.title, &body)
}

/// A part of the page about one network; empty where there is nothing to say.
type Part = fn(&Spec, &Analysis<'_>) -> String;

/// The parts and their headings, in the order of the page.
static PARTS: &[(&str, Part)] = &[
    ("Picture", drawing),
    ("Numbers", numbers),
    ("Distances", distances),
    ("Routing and deadlock", routing),
    ("Under load", loaded),
    ("Broadcast", broadcasts),
    #[cfg(feature = "claims")]
    ("What the papers say", claims::claims),
];

/// Three sentences: how large, how far, how it is routed.
fn summary(built: &Built) -> String {
    let (spec, theory) = (built.spec(), &built.theory);
    let (order, hosts, degrees) = (theory.order(), theory.hosts(), theory.degrees());
    let each = match degrees.regular_degree() {
        Some(degree) => format!("each with {} links", number_format::count(&degree.into())),
        None => format!(
            "with {} to {} links each",
            number_format::count(&degrees.min.into()),
            number_format::count(&degrees.max.into())
        ),
    };
    let (nodes, links) = (number_format::count(&order), number_format::count(&degrees.links));
    let size = match hosts < order {
        true => format!(
            "{spec} connects {} hosts by {} switches of up to {} ports, with {links} links in all.",
            number_format::count(&hosts),
            number_format::count(&(&order - &hosts)),
            number_format::count(&degrees.max.into())
        ),
        false => format!("{spec} has {nodes} nodes, {each}, and {links} links in all."),
    };
    let mean = theory.distances().filter(|_| theory.connected()).and_then(|found| {
        let counts = found.counts();
        let pairs: BigUint = counts.iter().skip(1).sum();
        let far = counts.iter().enumerate().map(|(far, count)| count * far);
        let sum: BigUint = far.sum();
        (pairs > BigUint::ZERO).then(|| number_format::number(ratio(&sum, &pairs)))
    });
    let mean = mean.map_or_else(String::new, |mean| format!(", and {mean} on average"));
    let far = match theory.diameter() {
        _ if !theory.connected() => "Some of its nodes cannot reach each other.".to_owned(),
        Some(known) => match known.exact() {
            Some(most) => {
                let how = number_format::how(known.how);
                format!(
                    "Any two are at most {} links apart ({how}){mean}.",
                    number_format::count(most)
                )
            }
            None => format!(
                "The two that are farthest apart are between {} and {} links apart{mean}.",
                number_format::count(&known.low),
                number_format::count(&known.high)
            ),
        },
        None => "How far its nodes are apart is not known at this size.".to_owned(),
    };
    let names = built.router_names();
    let routed = match names.as_slice() {
        [] if is_routed(built) => "Routes follow from its clusters, by address.".to_owned(),
        [] => "No routing of it is known at this size.".to_owned(),
        [only] => format!("Messages are routed by `{only}`."),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|name| format!("`{name}`")).collect();
            format!("Messages can be routed by {} or `{last}`.", first.join(", "))
        }
    };
    format!("<p>{}</p>\n", prose(&format!("{size} {far} {routed}")))
}

fn drawing(spec: &Spec, subject: &Analysis<'_>) -> String {
    match picture::draw(subject.built, &spec.to_string(), &Request::default(), subject.limits) {
        Ok(picture) => format!("<div class=picture>{}</div>\n", picture.svg),
        Err(error) => format!("<p class=soft>No picture: {}</p>\n", safe(&error.to_string())),
    }
}

fn numbers(_: &Spec, subject: &Analysis<'_>) -> String {
    let (mut rows, mut open) = (Vec::new(), Vec::new());
    for measure in MEASURES.iter().filter(|measure| measure.is_quick(subject)) {
        let mut meaning = Some(measure.about);
        for fact in (measure.find)(subject, measure.keys) {
            // The histogram has a part of its own.
            if fact.key == "distance_histogram" {
                continue;
            }
            let key = fact.key.replace('_', " ");
            match &fact.answer {
                // What a row is about is said once, where its numbers begin.
                Ok(answer) => rows.push((key, answer.to_string(), meaning.take().unwrap_or(""))),
                Err(_) => open.push(key),
            }
        }
    }
    let mut text = facts(&rows);
    if !open.is_empty() {
        let list = safe(&open.join(", "));
        let _ = writeln!(
            text,
            "<p class=soft>Not measured here: {list}. <code>nestnet measure</code> says what each would take.</p>"
        );
    }
    text
}

fn distances(_: &Spec, subject: &Analysis<'_>) -> String {
    /// More bars than these are no picture.
    const MOST_BARS: usize = 400;
    let Some((found, how)) = &subject.distances().histogram else { return String::new() };
    let counts = found.counts();
    if counts.len() > MOST_BARS || counts.len() < 2 {
        return String::new();
    }
    let pairs: BigUint = counts.iter().sum();
    let parts: Vec<f64> = counts.iter().map(|count| ratio(count, &pairs)).collect();
    let labels: Vec<String> = counts
        .iter()
        .zip(&parts)
        .enumerate()
        .map(|(distance, (count, part))| {
            format!(
                "distance {distance}: {} ordered pairs, {:.2} %",
                number_format::count(count),
                part * 100.0
            )
        })
        .collect();
    format!(
        "{}<p class=soft>Ordered pairs of nodes by distance, {}.</p>\n",
        histogram(&parts, &labels, "ordered pairs of nodes by distance"),
        number_format::how(*how)
    )
}

fn routing(_: &Spec, subject: &Analysis<'_>) -> String {
    /// Up to this many nodes every route is walked and certified.
    const MOST_WALKED: u64 = 1 << 11;
    let budget = &subject.limits.budget;
    let Some(network) = subject.built.network.as_deref() else { return String::new() };
    let walked = network.order() <= MOST_WALKED && subject.built.theory.connected();
    let mut rows = Vec::new();
    for name in subject.built.router_names() {
        let Ok(router) = routers::find_within(subject.built, name, budget) else { continue };
        let none = || "–".to_owned();
        let found = walked.then(|| survey(network, &*router, &Faults::default(), budget).ok());
        let found = found.flatten();
        let hops = |value: Option<f64>| value.map_or_else(none, number_format::number);
        let longest = found.as_ref().and_then(|found| found.max_hops());
        let stretch = found.as_ref().and_then(|found| found.max_stretch(Against::Alive));
        let certificate = walked.then(|| certify(network, &*router, budget).ok());
        let verdict = match certificate.flatten() {
            Some(certificate) if certificate.is_free() => {
                "<span class=free>free of deadlock, every pair checked</span>".to_owned()
            }
            Some(_) => "<span class=cycle>messages can deadlock</span>".to_owned(),
            None => "– too large to check every pair".to_owned(),
        };
        rows.push(vec![
            format!("<code>{}</code>", safe(name)),
            router.vcs().to_string(),
            longest.map_or_else(none, |hops| hops.to_string()),
            hops(found.as_ref().and_then(|found| found.mean_hops())),
            hops(stretch),
            number_format::count(&router.state_bytes().into()),
            verdict,
        ]);
    }
    if rows.is_empty() {
        return String::new();
    }
    let head = [
        "router",
        "virtual channels",
        "longest",
        "mean",
        "largest stretch",
        "table bytes a node",
        "deadlock",
    ];
    table(&head.map(str::to_owned), &rows)
}

/// Latency over load by the usual router, and by that of the paper where it is another.
fn loaded(spec: &Spec, subject: &Analysis<'_>) -> String {
    /// Cycles of a glance.
    const GLANCE: Window = Window { warmup: 500, cycles: 1000 };
    let usual = routers::default_name(subject.built);
    let others = subject.built.router_names().into_iter().filter(|name| *name == "paper");
    let names = [usual].into_iter().chain(others.filter(|name| *name != usual));
    let glance = Analysis::new(subject.built, subject.limits.part(4));
    let found = names.map(|name| (name, under_load(&glance, Some(name), GLANCE.into())));
    let curves: Vec<(String, Curve)> =
        found.filter_map(|(name, curve)| Some((name.to_owned(), curve.ok()?))).collect();
    if curves.is_empty() {
        return String::new();
    }
    let lines: Vec<(String, &Curve)> =
        curves.iter().map(|(name, curve)| (name.clone(), curve)).collect();
    let drawn = chart(&latency_chart(format!("{spec}, uniform traffic"), &lines));
    let said = |(name, curve): &(String, Curve)| match curve.saturation {
        Some(load) if load >= 1.0 => format!("by `{name}` a load of 1 is accepted"),
        Some(load) => format!("by `{name}` a load of {load} is accepted"),
        None => format!("by `{name}` even the lowest load is too much"),
    };
    let said: Vec<String> = curves.iter().map(said).collect();
    let cycles = GLANCE.cycles;
    format!(
        "<div class=picture>{drawn}</div>\n<p class=soft>{}</p>\n",
        prose(&format!(
            "Simulated flit by flit, {cycles} cycles a load: {}; `nestnet simulate` looks longer.",
            said.join(", ")
        ))
    )
}

fn broadcasts(_: &Spec, subject: &Analysis<'_>) -> String {
    /// Up to this many nodes a broadcast is made and checked.
    const MAX_BROADCAST_NODES: u64 = 1 << 17;
    let budget = &subject.limits.budget;
    let Some(network) = subject.built.network.as_deref() else { return String::new() };
    // Switches forward what hosts send, and take no part in a broadcast.
    let forwards = network.hosts() == network.order();
    if network.order() > MAX_BROADCAST_NODES || !subject.built.theory.connected() || !forwards {
        return String::new();
    }
    let mut rows = Vec::new();
    for (name, algorithm) in [("its own", Algorithm::Paper), ("best known", Algorithm::Best)] {
        for (ports_name, ports) in [("one", Ports::One), ("all", Ports::All)] {
            let found = broadcast(subject.built, Node(0), algorithm, ports, budget);
            let report = match found {
                Ok(report) => report,
                Err(BroadcastError::Violation(_)) => return String::new(),
                Err(_) => continue,
            };
            let count = |value: u64| number_format::count(&value.into());
            rows.push(vec![
                name.to_owned(),
                ports_name.to_owned(),
                count(report.cost.steps),
                count(report.lower_bound),
                report.broadcast.claimed().map_or_else(|| "–".to_owned(), count),
                count(report.cost.transfers),
                if report.cost.repeats == 0 { "yes" } else { "no" }.to_owned(),
            ]);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let head = [
        "from node 0",
        "ports",
        "steps",
        "at least",
        "its paper says",
        "messages",
        "each informed once",
    ];
    table(&head.map(str::to_owned), &rows)
}

/// All contenders side by side.
fn comparison(topic: &Topic<'_>) -> String {
    let contenders = topic.contenders;
    if contenders.len() < 2 {
        return String::new();
    }
    let mut text = String::from("<h2 class=first>Comparison</h2>\n");
    // What it is, then how it is routed and built.
    for columns in COLUMNS.chunks(COLUMNS.len().div_ceil(2)) {
        let mut head = vec![String::new()];
        head.extend(columns.iter().map(|column| {
            format!("<span title=\"{}\">{}</span>", safe(column.about), safe(column.title))
        }));
        let marks: Vec<Vec<bool>> = columns.iter().map(|column| best(column, contenders)).collect();
        let row = |(index, contender): (usize, &Contender)| {
            let spec = safe(&contender.figures.spec.to_string());
            let mut row = vec![format!("<code>{spec}</code>")];
            row.extend(columns.iter().zip(&marks).map(|(column, marks)| {
                let value = safe(&cell(column, contender, false));
                if marks[index] { format!("<span class=best>{value}</span>") } else { value }
            }));
            row
        };
        let rows: Vec<Vec<String>> = contenders.iter().enumerate().map(row).collect();
        text.push_str(&table(&head, &rows));
    }
    text.push_str(
        "<p class=soft>The best of a column is marked; ~ is sampled, a–b are bounds. A node is a router with one \
         host.</p>\n",
    );
    for key in ["average_distance", "cable_per_host", "price_per_host"] {
        let Some(column) = COLUMNS.iter().find(|column| column.key == key) else { continue };
        let rows: Vec<Bar> = contenders
            .iter()
            .enumerate()
            .filter_map(|(index, contender)| {
                let value = (column.value)(contender)?;
                let name = contender.figures.spec.to_string();
                let label = cell(column, contender, false);
                let mine = index < topic.networks.len() && topic.networks.len() < contenders.len();
                (value.low == value.high).then_some(Bar { name, value: value.high, label, mine })
            })
            .collect();
        if rows.len() > 1 {
            let _ = write!(
                text,
                "<h3>{}</h3>\n{}",
                safe(&capital(column.about)),
                bars(&rows, column.about)
            );
        }
    }
    for one in topic.left_out {
        let nearest = one.nearest.as_deref().map(|nearest| format!(": the nearest is {nearest}"));
        let nearest = nearest.unwrap_or_default();
        let _ = writeln!(text, "<p class=soft>Skipped: {}{}</p>", one.family, safe(&nearest));
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
