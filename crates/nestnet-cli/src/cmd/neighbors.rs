//! `nestnet neighbors`: who are the neighbors of a node, and over which ports?

use crate::job::Job;
use crate::{Outcome, text};
use anyhow::Context as _;
use nestnet::family::array::{Step, Text};
use nestnet::network::Neighbor;
use nestnet::sanitize::visible_lines;
use nestnet::{Built, Network, Node, Spec, locate};
use serde_json::json;
use std::io::{self, BufWriter, Write};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet neighbors \"rdn(ring(5), 1)\" 7
  nestnet neighbors \"rdn(ring(5), 1)\" \"(0,1,2)\"
  nestnet neighbors \"re(complete(4), ring(5), 1, pivots=degree)\" --array
  nestnet neighbors \"re([ring(4), complete(3)], ring(5))\" 7 --array --as-printed
  nestnet neighbors \"re(ring(4), ring(3), nodes=150)\" --steps

A NODE that could be read as an address and as an id is an address: in \"hypercube(4)\", 0110 is \
node 6. An id has no leading zeros; a tuple needs no outer brackets, as in 0,1,2.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// The id of a node, or its address as the network writes it
    #[arg(allow_hyphen_values = true, required_unless_present_any = ["array", "steps"])]
    node: Option<String>,
    /// Print the array in which its paper builds the whole network, numbers from 1 (RELLN, for
    /// "re"); with NODE the row of that node, its own subarray
    #[arg(long)]
    array: bool,
    /// Print the steps in which its paper builds the network (Algorithm RE, for "re")
    #[arg(long, conflicts_with_all = ["node", "array"])]
    steps: bool,
    /// Build that array as it is printed, without our corrections
    #[arg(long, requires = "array")]
    as_printed: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    if args.array {
        return print_array(args, &spec, &built);
    }
    if args.steps {
        return print_steps(args, &spec, &built);
    }
    let network = built.network.with_context(|| text::without_ids(&spec))?;
    let at = locate(&*network, args.node.as_deref().unwrap_or_default())?;
    let mut out = BufWriter::new(io::stdout().lock());
    let address = network.address(at).to_string();
    // A node may have billions of neighbors, so they are written as they come.
    if args.json {
        let [spec, address] = [spec.to_string(), address].map(|word| text::json(&word.into()));
        write!(out, r#"{{"spec":{spec},"node":{at},"address":{address},"neighbors":["#)?;
        let mut comma = "";
        for_each_neighbor(&*network, at, |entry| {
            let entry = text::json(&text::value(&entry)?);
            write!(out, "{}{entry}", std::mem::replace(&mut comma, ","))
        })?;
        writeln!(out, "]}}")?;
    } else {
        let spec = spec.to_string();
        writeln!(out, "{}, node {at} = {}", visible_lines(&spec), visible_lines(&address))?;
        let width = |last: u64, title: &str| last.to_string().len().max(title.len());
        let port_width = width(network.ports().into(), "port");
        let node_width = width(network.order() - 1, "node");
        writeln!(out, "  {:>port_width$}  {:>node_width$}  level  address", "port", "node")?;
        for_each_neighbor(&*network, at, |Neighbor { port, node, address, level, .. }| {
            let (port, to, address) = (port.0, node.0, address.to_string());
            let address = visible_lines(&address);
            writeln!(out, "  {port:port_width$}  {to:node_width$}  {level:5}  {address}")
        })?;
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// The steps of its paper.
fn print_steps(args: &Args, spec: &Spec, built: &Built) -> anyhow::Result<Outcome> {
    let stepped = built.steps();
    let stepped = stepped.context("the paper of this network builds it in no steps but `re`")?;
    let steps = stepped.steps().context("more than 256 phases are not listed")?;
    if args.json {
        text::print_json(&json!({ "spec": spec, "steps": steps }))?;
    } else {
        let row = |step: &Step| {
            let (nodes, links) = (&step.nodes, &step.links);
            let does = format!("{}; {nodes} nodes, {links} links", step.does);
            (step.number.clone(), does)
        };
        let rows: Vec<_> = steps.iter().map(row).collect();
        let rows: Vec<_> = rows.iter().map(|(a, b)| (a.as_str(), b.clone())).collect();
        text::print(&format!("{spec}\n{}", text::table(&rows)))?;
    }
    Ok(Outcome::Done)
}

/// The array of its paper, row by row.
fn print_array(args: &Args, spec: &Spec, built: &Built) -> anyhow::Result<Outcome> {
    let arrayed = built.array();
    let arrayed = arrayed.context(
        "the paper of this network builds no array: RELLN is for `re` with pivots=degree or \
         pivots=diameter",
    )?;
    let text = if args.as_printed { Text::Printed } else { Text::Repaired };
    let array = arrayed.array(text);
    let mut array = array.context("an array of more than 4096 rows or phases is not built")?;
    let network = built.network.as_deref().with_context(|| text::without_ids(spec))?;
    let node = args.node.as_deref().map(|node| locate(network, node)).transpose()?;
    if let Some(at) = node {
        array.rows = vec![array.rows.swap_remove(usize::try_from(at.0)?)];
    }
    let (overflows, nowhere) = (array.overflows, array.nowhere);
    if args.json {
        let mut object = text::value_of(spec, &array)?;
        if let (Some(at), Some(fields)) = (node, object.as_object_mut()) {
            fields.insert("node".to_owned(), json!(at));
        }
        text::print_json(&object)?;
    } else {
        let head = std::iter::once(String::new()).chain(array.columns.iter().cloned()).collect();
        let first = node.map_or(1, |at| at.0 + 1);
        let row = |(i, row): (u64, &Vec<u64>)| {
            let cells =
                row.iter().map(|cell| if *cell == 0 { "·".to_owned() } else { cell.to_string() });
            std::iter::once(i.to_string()).chain(cells).collect::<Vec<_>>()
        };
        let lines: Vec<Vec<String>> =
            std::iter::once(head).chain((first..).zip(&array.rows).map(row)).collect();
        let mut out = format!("{spec}\n");
        for line in &lines {
            let widths = (0..line.len()).map(|c| lines.iter().map(|l| l[c].chars().count()).max());
            let cells = line
                .iter()
                .zip(widths)
                .map(|(cell, width)| format!("{cell:>0$}", width.unwrap_or(0)));
            out.push_str(&format!("  {}\n", cells.collect::<Vec<_>>().join("  ")));
        }
        if overflows + nowhere > 0 {
            out.push_str(&format!(
                "  {overflows} entries found no free column, and {nowhere} were for rows that do not exist\n"
            ));
        }
        text::print(&out)?;
    }
    Ok(if overflows + nowhere == 0 { Outcome::Done } else { Outcome::No })
}

/// Writes every neighbor until one cannot be written.
fn for_each_neighbor(
    network: &dyn Network,
    at: Node,
    mut write: impl FnMut(Neighbor) -> io::Result<()>,
) -> io::Result<()> {
    let mut result = Ok(());
    network.for_each_neighbor(at, &mut |port, to| {
        if result.is_ok() {
            result = write(Neighbor::of(network, at, port, to));
        }
    });
    result
}
