//! Writes the pages of `docs` that say what tables in the code say, so that the two cannot disagree.

use crate::declared::Declared;
use crate::{figures, fixed_limits, pictures, results, root, schemas};
use anyhow::{Context, Result, anyhow, bail};
use nestnet::build::{papers, takes};
use nestnet::claim::{self, Claim, Lab, Ledger, judge_all};
use nestnet::collectives::COLLECTIVE_OPTIONS;
use nestnet::compare::COMPARE_OPTIONS;
use nestnet::design;
use nestnet::family::{Family, families};
use nestnet::fault_survey::FAULT_OPTIONS;
use nestnet::format::FORMATS;
use nestnet::format::tables::TABLES;
use nestnet::measures::MEASURES;
use nestnet::metrics::{Better, METRICS};
use nestnet::options::{Kind, LIMITS, Setting, Usual, written};
use nestnet::physical::COST_OPTIONS;
use nestnet::routers::ROUTERS;
use nestnet::sim::OPTIONS;
use nestnet::traffic::TRAFFIC;
use std::fmt::Write as _;
use std::fs;

/// Where the Python package is.
const PYTHON: &str = "crates/nestnet-py/python/nestnet";

/// Every generated file, with its path from the root.
fn files() -> Result<Vec<(String, String)>> {
    let [errata, ledger] = claims()?;
    let mut files = vec![
        ("docs/families.md".to_owned(), all_families()),
        ("docs/errata.md".to_owned(), errata),
        ("docs/ledger.md".to_owned(), ledger),
        ("docs/metrics.md".to_owned(), all_metrics()),
        ("docs/options.md".to_owned(), all_options()?),
        ("docs/routers.md".to_owned(), all_routers()?),
        ("docs/traffic.md".to_owned(), all_traffic()),
        ("docs/formats.md".to_owned(), all_formats()),
        (format!("{PYTHON}/options.py"), python_options()),
    ];
    let mut declared = Declared::read(&root().join("crates"))?;
    files.extend(schemas::files(&mut declared)?);
    files.push((format!("{PYTHON}/results/declared.py"), results::module(&mut declared)?));
    files.extend(figures::files()?);
    files.extend(pictures::files()?);
    Ok(files)
}

/// Writes the files.
pub fn write() -> Result<()> {
    for (file, text) in files()? {
        let path = root().join(file);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Fails when a file differs from what the code generates.
pub fn check() -> Result<()> {
    for (file, text) in files()? {
        let path = root().join(&file);
        let found =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if found != text {
            bail!("{file} is stale: run `cargo xtask generate`");
        }
    }
    Ok(())
}

/// All claims of the papers, measured: the page of what fails, and that of what holds.
fn claims() -> Result<[String; 2]> {
    let ledgers = Ledger::all().map_err(|error| anyhow!(error))?;
    let lab = Lab::default();
    let judged = ledgers.iter().map(|ledger| {
        let claims: Vec<&Claim> = ledger.claims.iter().collect();
        (ledger, judge_all(&claims, false, &lab, &|| ()))
    });
    let judged: Vec<_> = judged.collect();
    for judged in judged.iter().flat_map(|(_, judged)| judged) {
        if !judged.agrees() {
            bail!("{} is not as measured: see `nestnet claims`", judged.claim.id);
        }
    }
    Ok([claim::errata::page(&judged), claim::ledger_page::page(&judged)])
}

/// The table of metrics.
fn all_metrics() -> String {
    let mut page = String::from(
        "# Metrics\n\n\
         Every number that is said of a network, by its key. This page is written by `cargo xtask generate`; \
         `nestnet measure SPEC --only KEY` measures those of the first part, and `nestnet compare` shows those of the \
         second.\n",
    );
    let measured: Vec<&str> = MEASURES.iter().flat_map(|row| row.keys.iter().copied()).collect();
    for (title, is_measured) in [("Measured", true), ("Compared", false)] {
        let _ = write!(
            page,
            "\n## {title}\n\n| key | what it is | unit | better |\n|---|---|---|---|\n"
        );
        for metric in METRICS.iter().filter(|metric| measured.contains(&metric.key) == is_measured)
        {
            let better = match metric.better {
                Better::Less => "less",
                Better::More => "more",
                Better::Neither => "",
            };
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {better} |",
                metric.key, metric.about, metric.unit
            );
        }
    }
    page
}

/// The table of routers.
fn all_routers() -> Result<String> {
    let mut page = String::from(
        "# Routers\n\n\
         What `--router` takes, on every network. This page is written by `cargo xtask generate`. A network has besides the \
         routers of its family and `shortest`, and one that it takes if none is named: `nestnet route SPEC A B --router x` \
         lists all; those of families are [below](#routers-of-families).\n\n\
         | router | which route | needs | free of deadlock |\n|---|---|---|---|\n",
    );
    for row in ROUTERS {
        let named = [&[row.name], row.aliases].concat();
        let named: Vec<String> = named.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} |",
            named.join(", "),
            row.about,
            row.needs,
            row.deadlock_free
        );
    }
    page.push_str(&routers_of_families()?);
    Ok(page)
}

/// What the routers of families do. Readings of one procedure have its name, and the reading in parentheses.
const OWN_ROUTERS: [(&str, &str); 11] = [
    ("shortest", "a shortest path by a rule of the family; every other network has it by search"),
    ("paper", "the routing of the paper that defines the family; elsewhere the same as `shortest`"),
    (
        "spread",
        "packet spraying: each packet takes one of the shortest paths at random (ECMP packet by packet)",
    ),
    (
        "dmodk",
        "d-mod-k: one path for each target by its number, the same at every switch, so that forwarding tables hold it",
    ),
    (
        "minimal",
        "at most one link within the group, one between groups and one within the group, as the literature has it",
    ),
    ("walk", "shortest walks on the paper's two virtual channels, which can deadlock (errata)"),
    ("repaired", "the same walks on virtual channels by part of the route, which cannot deadlock"),
    ("hop_plane", "readings of the paper's hop-plane routing, see [procedures](procedures.md)"),
    ("digits", "digit by digit over the links that exchange them; ours"),
    (
        "direct",
        "level by level to the link with the module of the target, over it, and on inside; ours",
    ),
    (
        "dimension_order",
        "along x by the direction that makes the whole route shorter, then along y",
    ),
];

/// The routers that families bring along, with the families that have them.
fn routers_of_families() -> Result<String> {
    let mut rows: Vec<(&str, Vec<&str>)> = OWN_ROUTERS.map(|(name, _)| (name, Vec::new())).into();
    for family in families() {
        let example = family.examples.first().context("a family without an example")?;
        let Ok(built) = nestnet::build(example) else { continue };
        if !built.has_rule() {
            continue;
        }
        for name in built.rule_names() {
            let name = name.split('(').next().unwrap_or(name);
            let row = rows.iter_mut().find(|(known, _)| *known == name);
            let (_, with) = row.with_context(|| format!("what does the router `{name}` do?"))?;
            if with.last() != Some(&family.name) {
                with.push(family.name);
            }
        }
    }
    let mut page = String::from(
        "\n## Routers of families\n\n| router | which route | families |\n|---|---|---|\n",
    );
    for ((name, about), (_, with)) in OWN_ROUTERS.iter().zip(&rows) {
        let with: Vec<String> = with.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(page, "| `{name}` | {about} | {} |", with.join(", "));
    }
    Ok(page)
}

/// The table of traffic patterns.
fn all_traffic() -> String {
    let mut page = String::from(
        "# Traffic\n\n\
         What `--traffic` takes in `throughput` and `simulate`, and `traffics` in studies. This page is written by \
         `cargo xtask generate`; `nestnet throughput --list` shows the same table.\n\n\
         | pattern | who sends to whom |\n|---|---|\n",
    );
    for row in TRAFFIC {
        let _ = writeln!(page, "| `{}` | {} |", row.usage, row.about);
    }
    page
}

/// The tables of formats.
fn all_formats() -> String {
    let mut page = String::from(
        "# Formats\n\n\
         The formats of networks that `export` writes and `import` and `file(…)` read, and those of routing tables that \
         `tables` writes. This page is written by `cargo xtask generate`; [Into other tools](tools.md) has the commands \
         for each tool.\n\n\
         ## Networks\n\n\
         What a format has no field for is named when it is written.\n\n\
         | format | what it is, and who reads it | names end in | written | read | has fields for |\n|---|---|---|---|---|---|\n",
    );
    for row in FORMATS {
        let yes = |is: bool| if is { "yes" } else { "" };
        let ends: Vec<String> = row.extensions.iter().map(|end| format!("`.{end}`")).collect();
        let says = [
            ("hosts", row.says.hosts),
            ("levels", row.says.levels),
            ("latency", row.says.latency),
            ("bandwidth", row.says.bandwidth),
            ("addresses", row.says.addresses),
            ("parallel cables", row.says.width),
        ];
        let says: Vec<&str> = says.iter().filter(|(_, is)| *is).map(|(what, _)| *what).collect();
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} |",
            row.name,
            row.title,
            ends.join(" "),
            yes(row.write.is_some()),
            yes(row.read.is_some()),
            says.join(", ")
        );
    }
    page += "\n## Routing tables\n\n| format | what it is, and who reads it |\n|---|---|\n";
    for row in TABLES {
        let _ = writeln!(page, "| `{}` | {} |", row.name, row.title);
    }
    page
}

/// The tables of options.
fn all_options() -> Result<String> {
    let mut page = String::from(
        "# Options\n\n\
         What can be set of the simulator, a cost model, a design, a comparison, a collective, faults and every call. \
         This page is written by `cargo xtask generate`. The command line has `-` for `_`: `--routing-delay 2`; Python takes keys as keyword \
         arguments: `simulate(0.1, routing_delay=2)`; a study has them in `[simulate]`, `[saturation]`, `[cost]` and \
         `[design]`. Of several names with commas the command line takes one by one too, as `--family`, and Python a list.\n",
    );
    option_table(&mut page, "Simulator", &OPTIONS);
    option_table(&mut page, "Cost model", &COST_OPTIONS);
    option_table(&mut page, "Design", design::SIZE_OPTIONS.iter().chain(&design::DESIGN_OPTIONS));
    option_table(&mut page, "Design by nodes", &design::NODE_OPTIONS);
    option_table(&mut page, "Design by hosts and radix", &design::HOST_OPTIONS);
    option_table(&mut page, "Comparison", &COMPARE_OPTIONS);
    option_table(&mut page, "Collective", &COLLECTIVE_OPTIONS);
    option_table(&mut page, "Faults", &FAULT_OPTIONS);
    option_table(&mut page, "Limits", &LIMITS);
    page += "\n## Fixed limits\n\nWhat is larger is refused, and no option raises it.\n\n| at most | of |\n|---|---|\n";
    for limit in fixed_limits::all()? {
        let _ = writeln!(page, "| {} | {} |", limit.value, limit.what);
    }
    Ok(page)
}

fn option_table<T: 'static>(
    page: &mut String,
    title: &str,
    rows: impl IntoIterator<Item = &'static Setting<T>>,
) {
    let _ = write!(
        page,
        "\n## {title}\n\n| key | what it sets | unit | default | values |\n|---|---|---|---|---|\n"
    );
    for row in rows {
        let usual = match row.usual {
            Usual::Value(text) | Usual::Said(text) => by_key(text),
            Usual::Nothing => String::new(),
        };
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {usual} | {} |",
            row.key,
            by_key(row.about),
            row.unit.to_lowercase(),
            row.allowed()
        );
    }
}

/// A text of a table, with options as their keys.
fn by_key(text: &str) -> String {
    written(text, |key, value| match value {
        "" => Some(format!("`{key}`")),
        value => Some(format!("`{key}={value}`")),
    })
}

/// The same as types of Python.
fn python_options() -> String {
    let mut page = String::from(
        "\"\"\"Options of calls, as keyword arguments.\n\n\
         Written by `cargo xtask generate` from the tables that the command line reads.\n\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from collections.abc import Mapping, Sequence\n\
         from typing import Literal, TypedDict\n\n\
         __all__ = [\n    \"CollectiveOptions\",\n    \"CompareOptions\",\n    \"CostOptions\",\n    \"DesignOptions\",\n    \"FaultOptions\",\n    \"HostDesignOptions\",\n    \
         \"NodeDesignOptions\",\n    \"SimulatorOptions\",\n]\n",
    );
    let about = "Options of `Network.simulate` and `Network.run_goal`.";
    typed(&mut page, "SimulatorOptions(TypedDict, total=False)", about, &OPTIONS);
    let about = "Options of `compare`, `design` and `report`: what a network is built as, and what that costs.";
    typed(&mut page, "CostOptions(TypedDict, total=False)", about, &COST_OPTIONS);
    let about = "Options of `Network.collective`.";
    typed(&mut page, "CollectiveOptions(TypedDict, total=False)", about, &COLLECTIVE_OPTIONS);
    let about = "Options of `compare`.";
    typed(&mut page, "CompareOptions(CostOptions, total=False)", about, &COMPARE_OPTIONS);
    let about = "Options of `Network.resilience`, beside what fails.";
    let [_, faults @ ..] = &FAULT_OPTIONS;
    typed(&mut page, "FaultOptions(TypedDict, total=False)", about, faults);
    let about = "Options of any `design`.";
    typed(
        &mut page,
        "SharedDesignOptions(CostOptions, total=False)",
        about,
        &design::DESIGN_OPTIONS,
    );
    let about = "Options of a `design` by nodes.";
    let class = "NodeDesignOptions(SharedDesignOptions, total=False)";
    typed(&mut page, class, about, &design::NODE_OPTIONS);
    let about = "Options of a `design` by hosts and radix.";
    let class = "HostDesignOptions(SharedDesignOptions, total=False)";
    typed(&mut page, class, about, &design::HOST_OPTIONS);
    let class = "DesignOptions(NodeDesignOptions, HostDesignOptions, total=False)";
    let about = "Options of `design`: those by nodes and those by hosts and radix.";
    typed::<()>(&mut page, class, about, &[]);
    page
}

fn typed<T: 'static>(page: &mut String, class: &str, about: &str, rows: &[Setting<T>]) {
    let _ = write!(page, "\n\nclass {class}:\n    \"\"\"{about}\"\"\"\n");
    for row in rows {
        let kind = python_type(&row.kind);
        let none = if row.default().is_some() { "" } else { " | None" };
        let _ = write!(page, "\n    # {}.\n    {}: {kind}{none}\n", by_key(row.about), row.key);
    }
}

fn python_type<T>(kind: &Kind<T>) -> String {
    match kind {
        Kind::Flag(_) => "bool".to_owned(),
        Kind::Count { .. } => "int".to_owned(),
        Kind::Number { .. } | Kind::Seconds(_) => "float".to_owned(),
        Kind::Fraction(_) | Kind::ClosedFraction(_) => "float | str".to_owned(),
        Kind::Numbers { .. } => "Sequence[float]".to_owned(),
        Kind::Bytes(_) => "int | str".to_owned(),
        Kind::Names(choices) => {
            let name = |name: &str| match name.parse::<u64>() {
                Ok(number) => number.to_string(),
                Err(_) => format!("\"{name}\""),
            };
            let names: Vec<String> = choices.iter().map(|choice| name(choice.name)).collect();
            format!("Literal[{}]", names.join(", "))
        }
        Kind::List { python, .. } | Kind::Text { python, .. } => (*python).to_owned(),
    }
}

fn all_families() -> String {
    let mut page = String::from(
        "# Families\n\n\
         Every network that a spec can name. This page is written by `cargo xtask generate`; \
         `nestnet families` shows the same table.\n",
    );
    for paper in papers() {
        let _ = write!(page, "\n## {}\n\n`{}`\n", paper.title(), paper.key());
        for family in families().filter(|family| family.paper == paper) {
            section(&mut page, family);
        }
    }
    page
}

fn section(page: &mut String, family: &Family) {
    let _ = write!(page, "\n### `{}`\n\n{}\n\n", family.usage(), family.about);
    for param in family.params {
        let _ = writeln!(page, "- `{}`: {}; {}.", param.name, param.about, takes(param));
    }
    if !family.params.is_empty() {
        page.push('\n');
    }
    let examples: Vec<String> =
        family.examples.iter().map(|example| format!("`{example}`")).collect();
    let _ = writeln!(page, "For example {}.", examples.join(", "));
}
