//! The one table of families: read by the parser, the help, the docs and the tests.
//!
//! A row says what a network is called, what it takes and how it is made. One paper is one file or folder here.

mod args;
pub mod array;
pub mod built;
mod facts;
mod logical;
mod measured;
mod memoized;
pub mod paper_formula;
pub mod reference;
pub mod sizing;

pub use args::{ArgError, Args, Context, EvaluatedValue};
pub use built::{Built, NoNodeIds};
pub use facts::{Below, Facts, Instance, Near};
pub use logical::{Grain, Logical};

pub mod base;
pub mod baseline;
pub mod cube_of_rings;
pub mod dual_net;
pub mod heawood;
pub mod hosts;
mod planes;
pub mod product;
pub mod recursive_expansion;
pub mod swapped;

use crate::spec::Spec;
use nestnet_graph::fields;
use serde::{Serialize, Serializer};

/// Where a network comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Common knowledge: rings, meshes, cubes and the like.
    Common,
    /// Shen and Back 1993, recursive expansion.
    RecursiveExpansion,
    /// Jan, Hwang, Lin and Liang 2004, hierarchical Heawood networks.
    Heawood,
    /// Li, Peng and Chu 2009, recursive dual-nets.
    DualNet,
    /// Yeh and Parhami 1996, swapped networks.
    Swapped,
    /// Sun, Cheung and Lin 2000, recursive cubes of rings.
    CubeOfRings,
    /// Networks of other authors that a comparison needs.
    Baseline,
}

impl Paper {
    /// A short name for keys and tables.
    pub fn key(self) -> &'static str {
        match self {
            Paper::Common => "common",
            Paper::RecursiveExpansion => "shen-back-1993",
            Paper::Heawood => "jan-2004",
            Paper::DualNet => "li-2009",
            Paper::Swapped => "yeh-parhami-1996",
            Paper::CubeOfRings => "sun-2000",
            Paper::Baseline => "baseline",
        }
    }

    /// Authors, title and year.
    pub fn title(self) -> &'static str {
        match self {
            Paper::Common => "common knowledge",
            Paper::RecursiveExpansion => {
                "H. Shen, R.-J. Back, Construction of Large-Size Interconnection Networks with High Performance, 1993"
            }
            Paper::Heawood => {
                "G. E. Jan, Y.-S. Hwang, M.-B. Lin, D. Liang, Novel Hierarchical Interconnection Networks for High-Performance Multicomputer Systems, 2004"
            }
            Paper::DualNet => {
                "Y. Li, S. Peng, W. Chu, Recursive Dual-Net: A New Universal Network for Supercomputers of the Next Generation, 2009"
            }
            Paper::Swapped => {
                "C.-H. Yeh, B. Parhami, Swapped Networks: Unifying the Architectures and Algorithms of a Wide Class of Hierarchical Parallel Processors, 1996"
            }
            Paper::CubeOfRings => {
                "Y. Sun, P. Y. S. Cheung, X. Lin, Recursive Cube of Rings: A New Topology for Interconnection Networks, 2000"
            }
            Paper::Baseline => "a baseline for comparisons",
        }
    }
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer between two bounds.
    Integer {
        /// The least that is allowed.
        min: u64,
        /// The most that is allowed.
        max: u64,
    },
    /// One or more integers, all the remaining arguments.
    Integers {
        /// The least that is allowed.
        min: u64,
        /// The most that is allowed.
        max: u64,
    },
    /// A list of integers in brackets.
    IntegerList {
        /// The least that is allowed.
        min: u64,
        /// The most that is allowed.
        max: u64,
    },
    /// A network, connected and with at least one node.
    Network,
    /// A network of hosts and switches, connected.
    Fabric,
    /// A network, or a list of them.
    Networks,
    /// One of a few words; the first is the default.
    Word(&'static [&'static str]),
    /// A quoted text.
    Text,
}

/// Words to choose from.
pub type Words = &'static [&'static str];

impl Kind {
    /// Its name, the bounds of integers, and the words to choose from.
    pub fn parts(self) -> (&'static str, Option<(u64, u64)>, Option<Words>) {
        match self {
            Kind::Integer { min, max } => ("integer", Some((min, max)), None),
            Kind::Integers { min, max } => ("integers", Some((min, max)), None),
            Kind::IntegerList { min, max } => ("integer_list", Some((min, max)), None),
            Kind::Network | Kind::Fabric => ("network", None, None),
            Kind::Networks => ("networks", None, None),
            Kind::Word(words) => ("word", None, Some(words)),
            Kind::Text => ("text", None, None),
        }
    }
}

/// A parameter of a family.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name, which `key=value` may use.
    pub name: &'static str,
    /// What it must be.
    pub kind: Kind,
    /// Whether it may be omitted. A word always may.
    pub optional: bool,
    /// Whether the canonical form writes `key=value`.
    pub keyed: bool,
    /// Where sets of numbers may be given in place of a [`Kind::Word`]: the word by which they are searched.
    pub sets: Option<&'static str>,
    /// Whether two integers in brackets may be given in place of a [`Kind::Integer`]: `[3, 2]` is 3 to 2.
    pub ratio: bool,
    /// What it means.
    pub about: &'static str,
}

impl Param {
    /// An integer from `min` to `max`.
    pub const fn integer(name: &'static str, min: u64, max: u64, about: &'static str) -> Self {
        Param {
            name,
            kind: Kind::Integer { min, max },
            optional: false,
            keyed: false,
            sets: None,
            ratio: false,
            about,
        }
    }

    /// One or more integers from `min` to `max`.
    pub const fn integers(name: &'static str, min: u64, max: u64, about: &'static str) -> Self {
        Param {
            name,
            kind: Kind::Integers { min, max },
            optional: false,
            keyed: false,
            sets: None,
            ratio: false,
            about,
        }
    }

    /// A list of integers from `min` to `max`, in brackets.
    pub const fn list(name: &'static str, min: u64, max: u64, about: &'static str) -> Self {
        let kind = Kind::IntegerList { min, max };
        Param { name, kind, optional: false, keyed: false, sets: None, ratio: false, about }
    }

    /// A network.
    pub const fn network(name: &'static str, about: &'static str) -> Self {
        Param {
            name,
            kind: Kind::Network,
            optional: false,
            keyed: false,
            sets: None,
            ratio: false,
            about,
        }
    }

    /// A network of hosts and switches.
    pub const fn fabric(name: &'static str, about: &'static str) -> Self {
        Param { kind: Kind::Fabric, ..Param::network(name, about) }
    }

    /// A word, the first one if none is given.
    pub const fn word(
        name: &'static str,
        words: &'static [&'static str],
        about: &'static str,
    ) -> Self {
        Param {
            name,
            kind: Kind::Word(words),
            optional: true,
            keyed: true,
            sets: None,
            ratio: false,
            about,
        }
    }

    /// The same parameter, which also takes sets of numbers, or that word for some that are found.
    pub const fn or_sets(self, search: &'static str) -> Self {
        Param { sets: Some(search), ..self }
    }

    /// The same parameter, which is also given as a ratio of two integers, `[3, 2]`.
    pub const fn or_ratio(self) -> Self {
        Param { ratio: true, ..self }
    }

    /// The same parameter, an option with a key.
    pub const fn or_none(self) -> Self {
        Param { optional: true, keyed: true, ..self }
    }
}

/// From arguments to a network.
pub type BuildRule = fn(&Args) -> Result<Built, ArgError>;

/// How a network is made from its arguments.
#[derive(Clone, Copy)]
pub enum Make {
    /// By its own rule.
    Build(BuildRule),
    /// By meaning another spec.
    Alias(fn(&Args) -> Result<Spec, ArgError>),
}

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Family {
    /// The name in a spec.
    pub name: &'static str,
    /// Where it comes from.
    pub paper: Paper,
    /// What it is, in a sentence or two.
    pub about: &'static str,
    /// What it takes.
    pub params: &'static [Param],
    /// Specs that show it.
    pub examples: &'static [&'static str],
    /// How it is made.
    pub make: Make,
    /// What else it knows of itself.
    pub facts: Facts,
}

impl Serialize for Param {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, bounds, words) = self.kind.parts();
        fields!(
            serializer,
            "Param",
            name = self.name,
            /// What it must be: `integer`, `integers`, `integer_list`, `network`, `networks`, `word` or
            /// `text`.
            kind: &str = kind,
            optional = self.optional,
            about = self.about,
            /// The least integer.
            [min]: u64 = bounds.map(|(min, _)| min),
            /// The largest integer.
            [max]: u64 = bounds.map(|(_, max)| max),
            /// The words to choose from.
            [words]: Words = words,
            /// The word that is taken if none is given.
            [default]: &str = words.map(|words| words[0]),
            /// Whether sets of numbers may be given in place of a word.
            [sets]: bool = words.map(|_| self.sets.is_some()),
        )
    }
}

impl Serialize for Family {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Family",
            name = self.name,
            /// How it is written.
            usage: String = self.usage(),
            /// The paper that it comes from, by its key.
            paper: &str = self.paper.key(),
            /// The title of that paper.
            title: &str = self.paper.title(),
            about = self.about,
            /// Whether it is another name of a spec.
            alias: bool = matches!(self.make, Make::Alias(_)),
            params = self.params,
            examples = self.examples,
        )
    }
}

impl Family {
    /// A row that is made by its own rule.
    pub const fn built(
        paper: Paper,
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
        examples: &'static [&'static str],
        make: BuildRule,
    ) -> Self {
        let (make, facts) = (Make::Build(make), Facts::NONE);
        Family { name, paper, about, params, examples, make, facts }
    }

    /// The same row, which knows more of itself.
    pub const fn with(self, facts: Facts) -> Self {
        Family { facts, ..self }
    }

    /// Its theory, made in the quickest way that it knows. `None` for a row that means another spec.
    pub fn quickly(&self) -> Option<BuildRule> {
        match self.make {
            Make::Build(make) => Some(self.facts.quickly.unwrap_or(make)),
            Make::Alias(_) => None,
        }
    }

    /// How many networks it takes.
    pub fn bases(&self) -> usize {
        let is_network = |kind: Kind| matches!(kind, Kind::Network | Kind::Fabric | Kind::Networks);
        self.params.iter().filter(|param| is_network(param.kind)).count()
    }

    /// Whether it takes any number of sides.
    pub fn is_grid(&self) -> bool {
        self.params.iter().any(|param| matches!(param.kind, Kind::Integers { .. }))
    }

    /// Whether it is drawn at random, and is as large as its stored links.
    pub fn is_drawn(&self) -> bool {
        self.params.iter().any(|param| param.name == "seed")
    }

    /// The least value and the largest of every integer that must be given.
    pub fn integers(&self) -> Vec<(u64, u64)> {
        let required = self.params.iter().filter(|param| !param.keyed);
        let range = |kind| match kind {
            Kind::Integer { min, max } => Some((min, max)),
            _ => None,
        };
        required.filter_map(|param| range(param.kind)).collect()
    }

    /// The words that it takes; none where it takes none.
    pub fn words(&self) -> Vec<Option<&'static str>> {
        let words = self.params.iter().find_map(|param| match param.kind {
            Kind::Word(words) => Some(words),
            _ => None,
        });
        words.map_or_else(|| vec![None], |words| words.iter().copied().map(Some).collect())
    }

    /// `rdn(base, k)`.
    pub fn usage(&self) -> String {
        if self.params.is_empty() {
            return self.name.to_owned();
        }
        let param = |param: &Param| match param.kind {
            Kind::Integers { .. } => format!("{}, …", param.name),
            Kind::IntegerList { .. } => format!("[{}, …]", param.name),
            Kind::Word(words) => {
                let sets = param.sets.map_or_else(String::new, |word| format!("|{word}|[[…], …]"));
                format!("[{}={}{sets}]", param.name, words.join("|"))
            }
            Kind::Text if param.optional => format!("[{}=\"…\"]", param.name),
            Kind::Text => format!("\"{}\"", param.name),
            _ if param.optional => format!("[{}]", param.name),
            _ => param.name.to_owned(),
        };
        let params: Vec<String> = self.params.iter().map(param).collect();
        format!("{}({})", self.name, params.join(", "))
    }
}

/// Limit: entries of a list in a spec: no network needs more sides or phases.
pub const MAX_COUNT: u64 = 1 << 17;

/// All families, base graphs first.
pub static FAMILIES: &[&[Family]] = &[
    base::ROWS,
    hosts::ROWS,
    planes::ROWS,
    product::ROWS,
    recursive_expansion::ROWS,
    heawood::ROWS,
    dual_net::ROWS,
    swapped::ROWS,
    cube_of_rings::ROWS,
    baseline::ROWS,
];

/// Every row, in order.
pub fn families() -> impl Iterator<Item = &'static Family> {
    FAMILIES.iter().copied().flatten()
}

/// The row with that name.
pub fn find(name: &str) -> Option<&'static Family> {
    families().find(|family| family.name == name)
}

/// Other words for rows, and what they are called here; each file has its own.
static ALSO: &[&[(&str, &str)]] = &[
    base::ALSO,
    product::ALSO,
    dual_net::ALSO,
    swapped::ALSO,
    cube_of_rings::ALSO,
    baseline::ALSO,
];

/// The known name most like `name`, for "did you mean": what the field also calls it, or what is written nearly so.
pub fn suggest(name: &str) -> Option<&'static str> {
    let word = as_key(name);
    let also = || ALSO.iter().copied().flatten();
    let same = |known: &str| known.replace('_', "") == word.replace('_', "");
    let named = families().map(|family| family.name).find(|known| same(known));
    named
        .or_else(|| also().find(|(known, _)| same(known)).map(|&(_, name)| name))
        .or_else(|| closest(name, families().map(|family| family.name)))
        .or_else(|| {
            let near = closest(name, also().map(|&(known, _)| known))?;
            also().find(|(known, _)| *known == near).map(|&(_, name)| name)
        })
}

/// A word as keys are written: in small letters, with `_` for what separates.
fn as_key(word: &str) -> String {
    word.trim().to_ascii_lowercase().replace(['-', ' ', '.'], "_")
}

/// The candidate most like `word`, if any is like it at all.
pub fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = as_key(word);
    candidates
        .map(|name| (strsim::damerau_levenshtein(&word, name), name))
        .filter(|&(edits, name)| edits <= 1 + name.len() / 4)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, name)| name)
}

/// The candidate as an error names it before the list of all.
pub fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_field_lead_to_rows() {
        for (word, name) in [
            ("fat-tree", "fat_tree"),
            ("FatTree", "fat_tree"),
            ("jelly-fish", "jellyfish"),
            ("folded-clos", "clos"),
            ("leaf-spine", "leaf_spine"),
            ("spine-leaf", "leaf_spine"),
            ("dragon-fly", "dragonfly"),
            ("hyper-x", "hyperx"),
            ("slim_fly", "slimfly"),
            ("cycle", "ring"),
            ("torsu", "torus"),
            ("jelyfish", "jellyfish"),
        ] {
            assert_eq!(suggest(word), Some(name), "{word}");
        }
        assert_eq!(suggest("unicorns"), None);
    }

    #[test]
    fn other_words_mean_rows_and_are_none() {
        for &(word, name) in ALSO.iter().copied().flatten() {
            assert!(find(name).is_some(), "{word} means {name}");
            assert!(find(word).is_none(), "{word} is a row of its own");
            assert_eq!(as_key(word), word);
        }
    }
}
