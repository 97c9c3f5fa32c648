//! What has failed? Nodes and links that are named, and those that are drawn by lot.

use anyhow::{Context as _, bail};
use nestnet::random::{self, Failing};
use nestnet::route::Faults;
use nestnet::{Network, Node, locate};

/// The faults of a verb.
#[derive(clap::Args)]
pub struct FaultOptions {
    /// What has failed, such as `17,3-9`: nodes and links between two nodes, by id or by address,
    /// with commas or semicolons between them; may be repeated
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    faults: Vec<String>,
    /// Every node and every link fails with this probability, from 0 to 1, each for itself
    #[arg(long, value_name = "P", value_parser = parse_probability, allow_hyphen_values = true)]
    random_faults: Option<f64>,
    /// What fails at random
    #[arg(long, value_enum, default_value = "both", requires = "random_faults")]
    failing: What,
    /// The seed of all that is drawn by lot
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// What fails at random.
#[derive(Clone, Copy, clap::ValueEnum)]
enum What {
    /// Nodes and links
    Both,
    /// Nodes alone
    Nodes,
    /// Links alone
    Links,
}

impl FaultOptions {
    /// The seed of all that is drawn by lot.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// All that has failed, or `None` where that was not asked for.
    pub fn faults(&self, network: &dyn Network) -> anyhow::Result<Option<Faults>> {
        if self.faults.is_empty() && self.random_faults.is_none() {
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
                let ends: Result<Vec<Node>, _> =
                    split(item, &['-']).into_iter().map(|end| locate(network, end)).collect();
                match ends.with_context(|| format!("--faults `{item}`"))?[..] {
                    [node] => faults.fail_node(node),
                    [from, to] => faults.fail_link(from, to),
                    _ => bail!("--faults `{item}`: expected a node `u` or a link `u-v`"),
                }
            }
        }
        faults.check(network).context("--faults")?;
        Ok(Some(faults))
    }
}

fn parse_probability(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
    value.ok_or_else(|| "expected a probability from 0 to 1".to_owned())
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
    fn lists_are_split_outside_of_brackets() {
        assert_eq!(split("17, 3-9", &[',', ';']), ["17", "3-9"]);
        let list = "(0,1)-(0,2);[01; 2]";
        assert_eq!(split(list, &[',', ';']), ["(0,1)-(0,2)", "[01; 2]"]);
        assert_eq!(split("(0,1)-(0,2)", &['-']), ["(0,1)", "(0,2)"]);
    }
}
