//! What can be asked of a comparison: one row for everything that can be given, for all front ends.

use super::Matched;
use nestnet_graph::options::{Kind, Setting, Usual};

/// What is asked of a comparison, beside its networks and its cost model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompareSettings {
    /// What baselines have as much of, where they are wanted.
    pub by: Option<Matched>,
    /// What else is measured: names or keys of the table of measures.
    pub also: Vec<String>,
    /// Nodes to search from where not all distances can be measured.
    pub samples: u64,
    /// The seed of the sample.
    pub seed: u64,
}

impl Default for CompareSettings {
    fn default() -> Self {
        CompareSettings { by: None, also: Vec::new(), samples: 16, seed: 1 }
    }
}

/// The table.
pub static COMPARE_OPTIONS: [Setting<CompareSettings>; 5] = [
    Setting {
        key: "match_nodes",
        title: "baselines with as many hosts",
        about: "Add baselines that have as many hosts: torus, hypercube, dragonfly, random …",
        unit: "",
        usual: Usual::Value("false"),
        kind: Kind::Flag(|to, yes| to.by = yes.then_some(Matched::Hosts)),
    },
    Setting {
        key: "match",
        title: "what baselines have as much of",
        about: "Add baselines that spend as much of this: hosts, ports, dollars or bisection",
        unit: "BUDGET",
        usual: Usual::Nothing,
        kind: Kind::Text {
            allowed: "hosts, ports, dollars, bisection",
            python: "Literal[\"hosts\", \"ports\", \"dollars\", \"bisection\"]",
            set: |to, text| {
                let found = Matched::ALL.into_iter().find(|by| by.name() == text);
                let names = || Matched::ALL.map(Matched::name).join(", ");
                to.by = Some(found.ok_or_else(|| format!("there are {}", names()))?);
                Ok(())
            },
        },
    },
    Setting {
        key: "also",
        title: "what else is measured",
        about: "Measure these too: names or keys of `nestnet measure --list`, with commas",
        unit: "LIST",
        usual: Usual::Nothing,
        kind: Kind::List {
            one: "also",
            python: "Sequence[str]",
            set: |to, names| {
                to.also = names.iter().map(|&name| name.to_owned()).collect();
                Ok(())
            },
        },
    },
    Setting {
        key: "samples",
        title: "nodes to search from",
        about: "Nodes to search from where not all distances can be measured; 0 for none",
        unit: "N",
        usual: Usual::Value("16"),
        kind: Kind::Count { low: 0, high: u64::MAX, set: |to, samples| to.samples = samples },
    },
    Setting {
        key: "seed",
        title: "the seed of the sample",
        about: "The seed of the sample",
        unit: "N",
        usual: Usual::Value("1"),
        kind: Kind::Count { low: 0, high: u64::MAX, set: |to, seed| to.seed = seed },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::options::faulty;

    #[test]
    fn every_option_sets_something_and_defaults_are_those_of_the_settings() {
        let other = |key, other| if key == "match" { "ports" } else { other };
        assert_eq!(faulty(&COMPARE_OPTIONS, &CompareSettings::default(), other), [""; 0]);
    }
}
