//! What has failed? Nodes and links that are named, and those that are drawn at random.

use crate::numbers::{ANY, counts, fraction};
use anyhow::{Context as _, bail};
use nestnet::cells::Fault;
use nestnet::random::{self, Failing};
use nestnet::route::Faults;
use nestnet::{Network, Node, locate};
use serde::{Deserialize, Serialize};

/// The faults of a verb.
#[derive(clap::Args, Serialize, Deserialize)]
pub struct FaultOptions {
    /// What has failed, such as `17,3-9`: nodes and links between two nodes, by id or by address,
    /// with commas or semicolons between them; a link fails with all its parallel cables, of which
    /// none can be named alone; may be repeated
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    faults: Vec<String>,
    /// Every node and every link fails with this probability, such as 0.05 or 5%, independently, and
    /// once: --seed names the draw
    #[arg(long, value_name = "P", value_parser = fraction)]
    random_faults: Option<f64>,
    /// What fails at random: nodes (hosts and switches), links, or both
    #[arg(long, value_enum, default_value = "both", requires = "random_faults")]
    failing: What,
    /// The random seed: the same seed fails the same nodes and links, and samples the same pairs
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = counts::<u64>(ANY))]
    seed: u64,
}

/// What fails at random.
#[derive(Clone, Copy, clap::ValueEnum, Serialize, Deserialize)]
enum What {
    /// Nodes and links
    Both,
    /// Nodes alone
    Nodes,
    /// Links alone
    Links,
}

impl FaultOptions {
    /// The seed of all that is drawn at random.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether anything is said to have failed.
    pub fn is_asked(&self) -> bool {
        !self.faults.is_empty() || self.random_faults.is_some()
    }

    /// Whether something fails at random.
    pub fn is_random(&self) -> bool {
        self.random_faults.is_some()
    }

    /// The nodes and links that are named, as they are written: for networks without ids, whose addresses have no hyphens.
    pub fn named(&self) -> Vec<Fault> {
        let items = self.faults.iter().flat_map(|list| split(list, &[',', ';']));
        let fault = |item: &str| match split(item, &['-'])[..] {
            [from, to] => Fault::Link(from.to_owned(), to.to_owned()),
            _ => Fault::Node(item.to_owned()),
        };
        items.map(fault).collect()
    }

    /// All that has failed, or `None` where that was not asked for.
    pub fn faults(&self, network: &dyn Network) -> anyhow::Result<Option<Faults>> {
        if !self.is_asked() {
            return Ok(None);
        }
        let mut faults = match self.random_faults {
            Some(probability) => {
                let failing = match self.failing {
                    What::Both => Failing::Both,
                    What::Nodes => Failing::Nodes,
                    What::Links => Failing::Links,
                };
                random::faults(probability, failing, self.seed).context("--random-faults")?
            }
            None => Faults::default(),
        };
        for list in &self.faults {
            for item in split(list, &[',', ';']) {
                let ends = ends(network, item).with_context(|| format!("--faults `{item}`"))?;
                match ends[..] {
                    [from, to] => faults.fail_link(from, to),
                    _ => ends.into_iter().for_each(|node| faults.fail_node(node)),
                }
            }
        }
        faults.check(network).context("--faults")?;
        Ok(Some(faults))
    }
}

/// One node, or the two ends of a link. A name may have hyphens of its own.
fn ends(network: &dyn Network, item: &str) -> anyhow::Result<Vec<Node>> {
    let parts = split(item, &['-']);
    if let Ok(node) = locate(network, item) {
        return Ok(vec![node]);
    }
    let link = (1..parts.len()).find_map(|at| {
        let (from, to) = parts.split_at(at);
        let end = |parts: &[&str]| locate(network, &parts.join("-")).ok();
        Some(vec![end(from)?, end(to)?])
    });
    match link {
        Some(link) => Ok(link),
        None if parts.len() > 2 => bail!("expected a node `u` or a link `u-v`"),
        None => Ok(parts.into_iter().map(|end| locate(network, end)).collect::<Result<_, _>>()?),
    }
}

/// The parts between separators that stand outside of all brackets, without spaces around them.
fn split<'a>(text: &'a str, separators: &[char]) -> Vec<&'a str> {
    let mut depth = 0usize;
    let is_outside = |c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => (),
        }
        depth == 0 && separators.contains(&c)
    };
    text.split(is_outside).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_hyphens_are_distinguished() {
        let mut names = nestnet::named::Names::default();
        for name in ["sw-1", "sw-2", "h"] {
            names.id(name).unwrap();
        }
        let csr = nestnet::Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20).unwrap();
        let network = nestnet::named::Named::new(csr, names);
        assert_eq!(ends(&network, "sw-1").unwrap(), [Node(0)]);
        assert_eq!(ends(&network, "sw-1-sw-2").unwrap(), [Node(0), Node(1)]);
        assert_eq!(ends(&network, "h - sw-2").unwrap(), [Node(2), Node(1)]);
        assert!(ends(&network, "sw-1-sw-3").is_err());
        assert!(ends(&network, "x").is_err());
    }

    #[test]
    fn lists_are_split_outside_of_brackets() {
        assert_eq!(split("17, 3-9", &[',', ';']), ["17", "3-9"]);
        let list = "(0,1)-(0,2);[01; 2]";
        assert_eq!(split(list, &[',', ';']), ["(0,1)-(0,2)", "[01; 2]"]);
        assert_eq!(split("(0,1)-(0,2)", &['-']), ["(0,1)", "(0,2)"]);
    }
}
