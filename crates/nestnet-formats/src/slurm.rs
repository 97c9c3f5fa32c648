//! The topology of Slurm: a tree of switches, by which jobs are placed close together.
//!
//! Slurm knows only trees, so that what it gets is which hosts are near: hosts of a switch, switches of a cluster,
//! clusters of the next level. Hosts are called `h0`, `h1` … All versions read `topology.conf`; `topology.yaml` is read
//! from Slurm 25.05 on, and is preferred there if both are present.

use super::clusters::Clusters;
use super::writing::{Found, Writing};
use super::{Format, Says, WriteError};
use std::collections::BTreeMap;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "slurm",
    title: "topology.yaml of Slurm 25.05 and later: levels as a tree of switches",
    extensions: &["yaml", "yml"],
    says: SAYS,
    streams: false,
    write: Some(write_yaml),
    read: None,
    sniff: |_| false,
};

/// The row of the file that older versions read.
pub(super) const CONF: Format = Format {
    name: "slurm-conf",
    title: "topology.conf of any Slurm: levels as a tree of switches",
    extensions: &["conf"],
    write: Some(write_conf),
    ..FORMAT
};

const SAYS: Says = Says { hosts: true, levels: true, links: false, ..Says::LINKS };

/// What is directly below a switch.
enum Below {
    /// Hosts.
    Nodes(String),
    /// Other switches.
    Switches(String),
}

fn write_yaml(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let tree = tree(writing)?;
    let title = title(writing);
    write!(
        output,
        "---\n# {title}\n- topology: nestnet\n  cluster_default: true\n  tree:\n    switches:\n"
    )?;
    for (name, below) in &tree {
        let (key, list) = match below {
            Below::Nodes(list) => ("nodes", list),
            Below::Switches(list) => ("children", list),
        };
        write!(output, "      - switch: {name}\n        {key}: {list}\n")?;
    }
    Ok(output.flush()?)
}

fn write_conf(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let tree = tree(writing)?;
    writeln!(output, "# {}", title(writing))?;
    for (name, below) in &tree {
        match below {
            Below::Nodes(list) => writeln!(output, "SwitchName={name} Nodes={list}")?,
            Below::Switches(list) => writeln!(output, "SwitchName={name} Switches={list}")?,
        }
    }
    Ok(output.flush()?)
}

/// The name of the network, for a comment.
fn title(writing: &Writing<'_>) -> String {
    writing.title.chars().map(nestnet_graph::sanitize::visible).collect()
}

/// All switches and what is below them, leaves first, the root last.
fn tree(writing: &Writing<'_>) -> Result<Vec<(String, Below)>, WriteError> {
    let clusters = Clusters::of(writing)?;
    let nodes = writing.nodes();
    writing.budget.fits("the tree", 64 * u128::from(nodes) + 8 * u128::from(writing.hosts()))?;
    let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    // Who is below whom: for each layer from the leaves up, the part of every part below.
    let mut leaves: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut found = Found::default();
    let innermost = clusters.levels.first();
    for at in 0..nodes {
        writing.budget.watch.check_each(at)?;
        writing.find(at, &mut found);
        let leaf = match (writing.has_host_links(), innermost) {
            (true, _) => at,
            (false, Some(numbers)) => numbers[index(at)].into(),
            (false, None) => 0,
        };
        if !found.hosts.is_empty() {
            leaves.entry(leaf).or_default().extend(&found.hosts);
        }
    }
    let mut tree = Vec::new();
    for (leaf, hosts) in &mut leaves {
        hosts.sort_unstable();
        tree.push((format!("leaf{leaf}"), Below::Nodes(format!("h{}", ranges(hosts)))));
    }
    // Layers above the leaves: where these are switches all clusters are, else those that are left.
    let above: Vec<&Vec<u32>> = match writing.has_host_links() {
        true => clusters.levels.iter().collect(),
        false => clusters.levels.iter().skip(1).collect(),
    };
    let mut below: BTreeMap<u64, u64> = BTreeMap::new();
    for at in 0..nodes {
        let leaf = match (writing.has_host_links(), innermost) {
            (true, _) => at,
            (false, Some(numbers)) => numbers[index(at)].into(),
            (false, None) => 0,
        };
        if leaves.contains_key(&leaf) {
            below.entry(leaf).or_insert(at);
        }
    }
    let mut name = "leaf".to_owned();
    for (layer, numbers) in (1..).zip(&above) {
        let mut groups: BTreeMap<u64, (u64, Vec<u64>)> = BTreeMap::new();
        for (&part, &at) in &below {
            let group = groups.entry(numbers[index(at)].into()).or_insert((at, Vec::new()));
            group.1.push(part);
        }
        let next = format!("level{layer}x");
        for (group, (_, parts)) in &groups {
            let below = Below::Switches(format!("{name}{}", ranges(parts)));
            tree.push((format!("{next}{group}"), below));
        }
        below = groups.into_iter().map(|(group, (at, _))| (group, at)).collect();
        name = next;
    }
    let parts: Vec<u64> = below.keys().copied().collect();
    tree.push(("root".to_owned(), Below::Switches(format!("{name}{}", ranges(&parts)))));
    Ok(tree)
}

/// Numbers as Slurm writes them: `[0-3,7]`; ascending.
fn ranges(numbers: &[u64]) -> String {
    if let [only] = numbers {
        return only.to_string();
    }
    let mut parts: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    format!("[{}]", parts.iter().map(part).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_row_are_a_range() {
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "[0-2,5,7-8]");
    }
}
