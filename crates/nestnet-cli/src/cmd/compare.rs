//! `nestnet compare`: several networks in one table, the best of each column marked.

use crate::job::Job;
use crate::options::{self, CostModelOptions, Given};
use crate::{Outcome, cmd, text};
use anyhow::{anyhow, ensure};
use nestnet::compare::{
    self, BY_ROUTING, COLUMNS, Column, Comparison, Contender, Field, LeftOut, Match, Matched,
    OF_COST_MODEL, Options, TILE_COLUMNS, best, cell, compared, contender,
};
use nestnet::family::{closest, did_you_mean};
use nestnet::measures::{Analysis, Fact, choose};
use nestnet::physical::{CostModel, Package};
use nestnet::{Built, Spec};
use serde_json::Value;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet compare \"rdn(torus(5, 5), 2)\" \"torus(146, 146, 147)\" \"hypercube(22)\"
  nestnet compare \"rdn(petersen, 1)\" --match-nodes
  nestnet compare \"rdn(petersen, 1)\" --match ports
  nestnet compare \"rdn(ring(5), 2)\" --match-nodes --also bisection,lambda2 --json
  nestnet compare \"rsn(hypercube(4), 3)\" --match-nodes --rack 256 --copper 40,16,3
  nestnet compare \"fat_tree(16)\" \"clos(64, 2)\" --cost-model cluster --speed 800
  nestnet compare \"mesh(8, 8)\" \"torus(8, 8)\" --cost-model chip

A `*` marks what is certainly the best of its column. `~` is sampled: the mean over searches from a \
few nodes (--samples, --seed) where all are too many; `a–b` are bounds. A node is a router with one \
host, except in networks of hosts and switches, which are compared by their hosts.
Nodes are packed by their ids, products in blocks; cables run along rows of racks. Sources of the \
defaults are in docs/comparing.md, those of the cost models in docs/cost-models.md.")]
pub struct Args {
    /// The networks, such as "rdn(torus(5, 5), 2)"
    #[arg(required = true)]
    specs: Vec<String>,
    #[command(flatten)]
    compared: Given<options::Compare>,
    /// Only these columns: keys with commas, as --json names them, or headings of the table; where the links and cables are is listed with those
    /// of the cost model, such as price_per_host
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    columns: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cost_model: CostModelOptions,
}

/// A network with what else was asked for.
struct Row {
    contender: Contender,
    also: Vec<Fact>,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let cost_model = args.cost_model.cost_model()?;
    let tiles = args.cost_model.tiles()?;
    let columns = columns(&args.columns, tiles.is_some())?;
    let asked = args.compared.settings()?;
    let Field { networks, left_out, matched, .. } = field(&args.specs, asked.by, &cost_model, job)?;
    job.with_limits(None, |limits| {
        let options = Options {
            tiles,
            samples: asked.samples,
            seed: asked.seed,
            ..Options::new(limits, cost_model)
        };
        let options = options.shared_by(networks.len());
        let mut rows = Vec::new();
        for built in &networks {
            job.doing(&built.spec().to_string());
            let row = row(built, &asked.also, &options)?;
            // Numbers of a network for which there was not enough time are not shown.
            if job.is_over() {
                break;
            }
            rows.push(row);
        }
        job.finish();
        let finished = rows.len() == networks.len();
        ensure!((finished || !rows.is_empty()) && !job.is_interrupted(), job.unfinished());
        let contenders: Vec<Contender> = rows.iter().map(|row| row.contender.clone()).collect();
        if args.json {
            text::print_json(&to_json(&rows, &contenders, matched, &left_out, job)?)?;
        } else {
            text::print(&to_text(
                &rows,
                &contenders,
                &columns,
                &cost_model,
                matched,
                &left_out,
                job,
            ))?;
        }
        ensure!(finished, job.unfinished());
        Ok(Outcome::Done)
    })
}

/// Builds the networks, with the baselines that spend as much as the first one if they are wanted.
pub fn field(
    specs: &[String],
    by: Option<Matched>,
    cost_model: &CostModel,
    job: &Job,
) -> anyhow::Result<Field> {
    let mut networks = Vec::new();
    for text in specs {
        networks.push(job.build(text)?.1);
    }
    let make = |spec: &Spec| match job.build(&spec.to_string()) {
        Ok((_, network)) => Ok(network),
        Err(error) => Err(error.message),
    };
    Ok(job.with_budget(|budget| compare::field(networks, by, cost_model, &budget, make)))
}

fn columns(names: &[String], on_chip: bool) -> anyhow::Result<Vec<&'static Column>> {
    let all: Vec<&'static Column> = match on_chip {
        false => COLUMNS.iter().collect(),
        true => {
            let others = COLUMNS.iter().filter(|column| !OF_COST_MODEL.contains(&column.key));
            others.chain(TILE_COLUMNS).collect()
        }
    };
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let named = |column: &&Column| column.key == name || column.title == name;
        let found = all.iter().copied().find(named);
        found.ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|column| column.key).collect();
            let hint = did_you_mean(closest(name, known.iter().copied()));
            anyhow!("--columns: no column `{name}`: {hint}there are {}", known.join(", "))
        })
    };
    names.iter().map(find).collect()
}

fn row(built: &Built, keys: &[String], options: &Options<'_>) -> anyhow::Result<Row> {
    let contender = contender(built, options);
    let mut also = Vec::new();
    if !keys.is_empty() {
        let subject = Analysis::new(built, options.limits);
        for question in choose(keys, &subject)? {
            also.extend(question.answer(&subject));
        }
    }
    Ok(Row { contender, also })
}

fn to_json(
    rows: &[Row],
    contenders: &[Contender],
    matched: Option<Match>,
    left_out: &[LeftOut],
    job: &Job,
) -> serde_json::Result<Value> {
    let mut values = Vec::new();
    for (row, compared) in rows.iter().zip(compared(contenders)) {
        let mut object = text::value(&compared)?;
        for fact in &row.also {
            object[fact.key] = cmd::measure::to_json(fact, job);
        }
        values.push(object);
    }
    text::value(&Comparison { rows: values, matched, left_out })
}

fn to_text(
    rows: &[Row],
    contenders: &[Contender],
    columns: &[&Column],
    given: &CostModel,
    matched: Option<Match>,
    left_out: &[LeftOut],
    job: &Job,
) -> String {
    /// So many columns are a table that fits on a screen.
    const BROAD: usize = 9;
    let mut text = String::new();
    for part in columns.chunks(BROAD) {
        let titles = part.iter().map(|column| column.title.to_owned());
        let mut table = vec![std::iter::once(String::new()).chain(titles).collect::<Vec<_>>()];
        let marks: Vec<Vec<bool>> = part.iter().map(|column| best(column, contenders)).collect();
        for (index, contender) in contenders.iter().enumerate() {
            let cells = part
                .iter()
                .zip(&marks)
                .map(|(column, marks)| cell(column, contender, marks[index]));
            table.push(std::iter::once(contender.figures.spec.to_string()).chain(cells).collect());
        }
        text.push_str(&text::columns(&table));
        text.push('\n');
    }
    let by_routing = columns.iter().any(|column| BY_ROUTING.contains(&column.key));
    let is_priced = columns.iter().any(|column| OF_COST_MODEL.contains(&column.key));
    if is_priced && contenders.iter().all(|contender| contender.wiring.is_none()) {
        text.push_str(&links_by_package(contenders));
    }
    for row in rows.iter().filter(|row| !row.also.is_empty()) {
        text.push_str(&format!("\n{}\n", row.contender.figures.spec));
        text.push_str(&cmd::measure::to_text(&row.also, job));
    }
    for contender in contenders {
        let (spec, links) = (&contender.figures.spec, contender.links_of_switch);
        if let Some(routing) = contender.routing().filter(|_| by_routing) {
            text.push_str(&format!("{spec}: throughput, worst case and vcs by {routing}\n"));
        }
        if let Err(why) = &contender.bill {
            text.push_str(&format!("{spec}: cables not counted, {why}\n"));
        }
        let inside = contender.bill.as_ref().map_or(0, |bill| bill.server_switches);
        if inside > 0 {
            text.push_str(&format!(
                "{spec}: {} of its switches are inside servers, which bring them along\n",
                text::grouped(&inside.to_string())
            ));
        }
        let CostModel { breakout, nic_links, switch_ports, .. } = contender.cost_model;
        if breakout != given.breakout {
            let ports = given.switch_ports / given.breakout.max(1);
            text.push_str(&format!(
                "{spec}: every one of {ports} ports of a switch is broken out into {breakout} links, and a host has \
                 {nic_links}, all together as fast as --speed (--breakout, --nic-links, --switch-ports and --speed name \
                 other switches)\n"
            ));
        } else if contender.figures.hosts < contender.figures.nodes
            && (1..links).contains(&switch_ports)
        {
            text.push_str(&format!(
                "{spec}: its largest switch has {links} links, and switches have ports for {switch_ports}; further ports \
                 are priced apart (--switch-ports, --breakout)\n"
            ));
        }
    }
    if let Some(Match { by, amount, .. }) = matched {
        let others: Vec<&str> =
            Matched::ALL.iter().filter(|other| **other != by).map(|other| other.name()).collect();
        text.push_str(&format!(
            "matched by {}, {} (--match {})\n",
            by.name(),
            text::grouped(&format!("{amount:.0}")),
            others.join(", "),
        ));
    }
    for LeftOut { family, nearest } in left_out {
        let nearest = nearest.as_deref().map(|nearest| format!(": the nearest is {nearest}"));
        text.push_str(&format!("skipped: {family}{}\n", nearest.unwrap_or_default()));
    }
    text
}

/// Where the links of each network are.
fn links_by_package(contenders: &[Contender]) -> String {
    let mut head: Vec<String> = vec!["links within".to_owned()];
    head.extend(Package::ALL.iter().skip(1).map(|package| package.name().to_owned()));
    let active = contenders.iter().filter_map(|one| one.bill.as_ref().ok()).any(|b| b.active > 0);
    head.extend(["racks", "copper"].map(str::to_owned));
    head.extend(active.then(|| "active".to_owned()));
    head.extend(["fiber", "cable m"].map(str::to_owned));
    let mut table = vec![head];
    for contender in contenders {
        let Ok(bill) = &contender.bill else { continue };
        let mut row = vec![contender.figures.spec.to_string()];
        // A chip of one node has no links of its own.
        let [chip, board, others @ ..] = bill.links;
        let links = [chip + board].into_iter().chain(others);
        row.extend(links.map(|count| text::grouped(&count.to_string())));
        let counts = [bill.racks, bill.copper].into_iter();
        let counts = counts.chain(active.then_some(bill.active)).chain([bill.fiber]);
        row.extend(counts.map(|count| text::grouped(&count.to_string())));
        row.push(text::short_number(bill.length.round()));
        table.push(row);
    }
    // Nothing but the heading is no table.
    if table.len() > 1 { text::columns(&table) } else { String::new() }
}
