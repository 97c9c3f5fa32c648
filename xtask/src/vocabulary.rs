//! The field's vocabulary: which words of help, docs, comments and names have a standard term that must be used instead?
//!
//! A text is read as words: identifiers are split at `_` and at capitals, marks of comments are passed over, and
//! punctuation ends a phrase. Names of files and of items are compared as wholes.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A phrase and the term to use instead. `a|b` is either word, `_a` a word that goes on an identifier.
const PHRASES: &[(&str, &str)] = &[
    ("by lot", "at random, sampled"),
    ("lot", "sample"),
    ("road|roads", "method"),
    ("door|doors", "front end, interface"),
    ("plant|plants|planted|planting", "cost model"),
    ("let|mut|for way|ways", "route, path"),
    ("way|ways of a message|messages", "route, path"),
    ("shortest|shorter|longer|longest way|ways", "path"),
    ("no way from|to|on|back|down|around|up", "no path"),
    ("there is no way", "there is no path"),
    ("by which way", "by which route"),
    ("circle|circles", "cycle, deadlock cycle"),
    ("wait|waits|waiting for each other", "dependency cycle"),
    ("wait|waits|waiting for one another", "dependency cycle"),
    ("dearer", "more expensive"),
    ("what is paid|got", "cost, performance"),
    ("in the mean", "on average, mean"),
    ("no other beats", "Pareto-optimal"),
    ("promise|promises less|more", "pruned"),
    ("left out", "omitted, skipped, pruned"),
    ("network theta", "fabric throughput"),
    ("full then", "saturated links"),
    ("channel|link is full", "saturated"),
    ("on the front", "on the Pareto front"),
    ("1 networks", "1 network"),
    ("names what is drawn", "random seed"),
    ("by a flow and lengths", "LP bounds (multicommodity flow)"),
    ("worst of any", "upper bound over all routings, worst case"),
    ("halves", "bisection, partition, sides"),
    ("told", "informed"),
    ("tell|tells|telling every|everybody|everyone|all", "broadcast, inform"),
    ("telling|tellings|tale|tales", "printed broadcast, steps"),
    ("carry|carries|carried elsewhere", "import and export"),
    ("does|do not say", "has no field for, does not define"),
    ("kind|kinds of node|nodes", "vertex orbits"),
    ("kind|kinds of link|links", "edge orbits"),
    ("bought", "bill of materials, cost"),
    ("put|puts|putting right", "correct, fix"),
    ("mend|mends|mended|mending", "correct, fix"),
    ("upon", "on"),
    ("stand|stands|stood|standing for", "means"),
    ("stand|stands|stood|standing below|above", "is below, is above"),
    ("stand|stands|stood|standing on|in|at|there|here", "depends on, is in"),
    ("drawn by lot", "random seed"),
    ("what is done is kept", "resumable"),
    ("kitchen", "process pool"),
    ("scramble|scrambled|scrambles", "splitmix64, hash"),
    ("twin|twins", "reference implementation"),
];

/// Where a phrase is the standard term, or a name of users that stays: the start of a path, and the phrase.
const ALLOWED: &[(&str, &str)] = &[
    // The front end, a copy of N_1 networks, and the form of a search on the page.
    ("", "on the front end|ends"),
    ("", "n _1 networks"),
    // Keys of JSON, options, quantities of claims and ids of claims that users have.
    ("", "left _out"),
    ("", "told _twice"),
    ("", "stands _for"),
    ("", "stands _on"),
    ("", "network _theta"),
    ("", "worst _of _any"),
    ("", "does _not _say"),
    ("", "planted _dilation"),
    ("", "proof no circle"),
    ("", "proof two halves"),
    ("crates/nestnet-cli/web/decide.js", "network on the front"),
    ("crates/nestnet-cli/tests/cli/draw.rs", "circle"),
    // What is drawn as a circle.
    ("", "circle on|of radius"),
    ("", "on|a circle"),
    ("", "on a circle"),
    ("", "on _circle"),
    ("", "half circles"),
    ("", "largest circles"),
    ("crates/nestnet-cli/web/", "circle"),
    ("crates/nestnet-draw/", "circle"),
    ("docs/notebooks/", "circle"),
    ("crates/nestnet-formats/src/dot/write.rs", "circle"),
    ("crates/nestnet-topologies/src/family/built.rs", "circle"),
    ("crates/nestnet/tests/papers/", "circle"),
    ("xtask/page.py", "circle"),
];

/// Names of files, types and functions that say nothing to a reader of the field.
const NAMES: &[(&str, &str)] = &[
    ("Arranged", "WithLayout"),
    ("Bought", "Cost"),
    ("Capped", "VcLimited"),
    ("Desk", "Worker"),
    ("Kept", "BoundedCache"),
    ("Kitchen", "ProcessPool"),
    ("Known", "Bounded"),
    ("Lifted", "LiftedRouter"),
    ("Lot", "FaultSample"),
    ("Made", "LazySchedule, Candidate"),
    ("Plant", "CostModel"),
    ("Remembered", "Memoized"),
    ("Said", "PaperFormula"),
    ("Subject", "Analysis"),
    ("Tales", "Steps"),
    ("Telling", "PrintedBroadcast"),
    ("Tub", "ThroughputUpperBound"),
    ("Turns", "UpDownLayers"),
    ("Twin", "ReferenceModel"),
    ("Way", "Route, Method"),
    ("arranged", "with_layout"),
    ("bought", "cost"),
    ("door", "front_end"),
    ("halves", "bisection"),
    ("halving", "cut_lifting, recursive_halving"),
    ("lifted", "with_lifted_router"),
    ("made", "candidate"),
    ("placed_upon", "with_drawing"),
    ("planting", "tree_embedding"),
    ("remembered", "memoized"),
    ("said", "paper_formula"),
    ("scramble", "splitmix64"),
    ("tales", "steps"),
    ("telling", "with_printed_broadcast"),
    ("tellings", "printed_broadcasts"),
    ("tub", "throughput_upper_bound"),
    ("twin", "reference_model"),
    ("way", "route, method"),
    ("ways", "routes, methods"),
];

/// Names that only a file may not have: as functions they are ordinary words.
const FILE_NAMES: &[(&str, &str)] = &[
    ("asked", "network_api"),
    ("certain", "bounds"),
    ("desk", "worker"),
    ("failing", "apply_failure"),
    ("found", "result"),
    ("front", "pareto"),
    ("given", "explicit"),
    ("held", "handle"),
    ("hosted", "cluster_query"),
    ("joined", "union_find"),
    ("kept", "bounded_cache"),
    ("known", "evaluate"),
    ("leaves", "atomic"),
    ("near", "sizing"),
    ("reach", "bulk_neighbors"),
    ("searched", "design_api"),
    ("stuck", "deadlock_detect"),
    ("subject", "analysis"),
    ("tiles", "floorplan"),
    ("turns", "updown_layers"),
    ("visible", "sanitize"),
    ("wires", "topology"),
    ("words", "number_format, tokens"),
];

/// What comes before the name of an item that is defined: in Rust, Python and JavaScript.
const DEFINES: &[&str] =
    &["struct", "enum", "trait", "type", "fn", "mod", "class", "def", "function"];

/// A word of a text, in lower case; empty where punctuation ends a phrase.
struct Word {
    text: String,
    line: usize,
    /// Whether it goes on an identifier.
    joined: bool,
}

/// A phrase, its words, and the term to use instead.
type Row = (Vec<&'static str>, &'static str, &'static str);

/// The rows of [`PHRASES`] by the words that they can begin with.
static BY_FIRST: LazyLock<HashMap<&str, Vec<Row>>> = LazyLock::new(|| {
    let mut rows: HashMap<&str, Vec<Row>> = HashMap::new();
    for &(old, new) in PHRASES {
        let phrase: Vec<&str> = old.split(' ').collect();
        for first in phrase[0].split('|') {
            let first = first.strip_prefix('_').unwrap_or(first);
            rows.entry(first).or_default().push((phrase.clone(), old, new));
        }
    }
    rows
});

/// What does not follow the vocabulary in the file at `path`.
pub fn faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let words = words(text);
    let allowed: Vec<Vec<&str>> = ALLOWED
        .iter()
        .filter(|(start, _)| path.starts_with(start))
        .map(|(_, phrase)| phrase.split(' ').collect())
        .collect();
    for at in 0..words.len() {
        for (phrase, old, new) in BY_FIRST.get(words[at].text.as_str()).into_iter().flatten() {
            if !starts_with(&words[at..], phrase) || is_allowed(&words, at, phrase.len(), &allowed)
            {
                continue;
            }
            faults.push(format!("line {}: `{old}`: {new}", words[at].line));
        }
    }
    let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or(path);
    for (old, new) in NAMES.iter().chain(FILE_NAMES).filter(|(old, _)| *old == stem) {
        faults.push(format!("a file called `{old}`: {new}"));
    }
    if path.ends_with(".rs") || path.ends_with(".py") || path.ends_with(".js") {
        for (number, line) in text.lines().enumerate() {
            for (name, new) in defined(line) {
                faults.push(format!("line {}: an item called `{name}`: {new}", number + 1));
            }
        }
    }
    faults
}

/// Whether an allowed phrase covers the `length` words from `at`.
fn is_allowed(words: &[Word], at: usize, length: usize, allowed: &[Vec<&str>]) -> bool {
    allowed.iter().any(|phrase| {
        let first = (at + length).saturating_sub(phrase.len());
        (first..=at).any(|from| starts_with(&words[from..], phrase))
    })
}

fn starts_with(words: &[Word], phrase: &[&str]) -> bool {
    words.len() >= phrase.len()
        && phrase.iter().zip(words).all(|(any, word)| match any.strip_prefix('_') {
            Some(one) => word.joined && one == word.text,
            None => any.split('|').any(|one| one == word.text),
        })
}

/// The items of a line of code that are called by a name of the table.
fn defined(line: &str) -> Vec<(&str, &'static str)> {
    let code = line.split("//").next().unwrap_or_default();
    let names: Vec<&str> = code
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|name| !name.is_empty())
        .collect();
    let defined = names.windows(2).filter(|pair| DEFINES.contains(&pair[0]));
    let row = |name: &str| NAMES.iter().find(|(old, _)| name == *old);
    defined.filter_map(|pair| row(pair[1]).map(|&(_, new)| (pair[1], new))).collect()
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut before = ' ';
        for c in line.chars() {
            let goes_on = before.is_alphanumeric() && !(before.is_lowercase() && c.is_uppercase());
            let text = if c.is_alphanumeric() { c.to_lowercase().collect() } else { String::new() };
            let ends = !c.is_alphanumeric() && !c.is_whitespace() && !"_-/*#>\\'".contains(c);
            let joined = before == '_' || before.is_alphanumeric();
            before = c;
            match words.last_mut() {
                Some(word) if goes_on && !text.is_empty() => word.text.push_str(&text),
                _ if ends || !text.is_empty() => {
                    words.push(Word { text, line: number + 1, joined })
                }
                _ => {}
            }
        }
        // A paragraph, an item of code: only prose goes on in the next line.
        if line.trim().is_empty() {
            words.push(Word { text: String::new(), line: number + 1, joined: false });
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> String {
        faults(path, text).join("\n")
    }

    #[test]
    fn phrases_are_found_in_prose_and_in_names() {
        let (by_lot, told) = (concat!("by l", "ot"), concat!("to", "ld"));
        for text in [
            format!("It is drawn {by_lot}."),
            "/// It is drawn by\n    /// LOT, always.".replace("LOT", concat!("l", "ot")),
            format!("fn drawn_{}() {{}}", by_lot.replace(' ', "_")),
            "let DrawnByLot = 1;".to_owned(),
        ] {
            assert!(found("docs/x.md", &text).contains("sampled"), "{text}");
        }
        assert!(found("x.py", &format!("{told} = 1")).contains("line 1"));
        assert_eq!(found("x.py", &format!("{told}_twice = 1")), "");
        // Words that only contain one, and phrases that a sentence ends between.
        assert_eq!(found("docs/x.md", "A pilot. No slot is stolen by. Lots of gateways."), "");
    }

    #[test]
    fn names_of_items_and_files_are_found() {
        assert!(found("crates/x/src/said.rs", "//! x\n").contains("a file called `said`"));
        assert!(found("crates/x/src/x.rs", "pub struct Said {}\n").contains("an item called"));
        assert_eq!(found("crates/x/src/x.rs", "let said = 1; // fn said\n"), "");
    }

    #[test]
    fn what_is_drawn_as_a_circle_is_one() {
        assert_eq!(found("crates/nestnet-draw/src/x.rs", "/// A circle.\n"), "");
        assert!(found("docs/deadlock.md", "They wait in circles.\n").contains("cycle"));
    }
}
