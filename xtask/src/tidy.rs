//! What must hold of the sources and the compiler does not check: headers, unfinished marks, imports, cycles, vocabulary.

use crate::cycles::cycles;
use crate::vocabulary;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is left in a source when work is not done; written in two parts so that this file passes.
const UNFINISHED: &[&str] = &[
    concat!("to", "do!("),
    concat!("unimpl", "emented!("),
    concat!("FIX", "ME"),
    concat!("X", "XX"),
    concat!("#[ig", "nore"),
];

/// What runs property tests; in two parts for the same reason.
const RUNNERS: &[&str] = &[concat!("prop", "test! {"), concat!("Test", "Runner::")];

/// What a test binary imports whose tests come from a table; in two parts for the same reason.
const HARNESS: &str = concat!("use libtest_", "mimic::");

/// What touches the outside, which only a front end may.
const OUTSIDE: &[&str] =
    &["std::fs", "std::env", "std::time", "std::process", "std::net", "println!", "print!("];

/// Libraries whose texts are whole commands, or styles, whose names look like flags.
const WITH_FLAGS: &[&str] = &[
    "crates/nestnet-claims/src/errata.rs",
    "crates/nestnet/src/design/confirm.rs",
    "crates/nestnet/src/report/html.rs",
];

/// Features of `serde_json` that change what a program reads or writes by it: only programs choose them.
const OF_PROGRAMS: &[&str] =
    &["arbitrary_precision", "float_roundtrip", "preserve_order", "unbounded_depth"];

/// A source file.
struct Source {
    /// From the root, with forward slashes.
    path: String,
    text: String,
}

/// Checks every source under `root` and names all faults.
pub fn tidy(root: &Path) -> Result<()> {
    let mut sources = Vec::new();
    for folder in ["crates", "xtask"] {
        collect(root, &root.join(folder), &mut sources)?;
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    let mut faults = faults(&sources, &family_names(root)?);
    faults.extend(features_of_programs(root)?);
    let mut texts = Vec::new();
    for place in WORDED {
        collect_texts(root, &root.join(place), &mut texts)?;
    }
    texts.sort_by(|a, b| a.path.cmp(&b.path));
    for Source { path, text } in texts {
        faults.extend(
            vocabulary::faults(&path, &text).into_iter().map(|fault| format!("{path}: {fault}")),
        );
    }
    if !faults.is_empty() {
        bail!("not tidy:\n  {}", faults.join("\n  "));
    }
    Ok(())
}

/// The files and folders of test binaries whose tests come from a table.
fn own_harnesses(sources: &[Source]) -> Vec<&str> {
    let mains = sources.iter().filter(|source| source.text.contains(HARNESS));
    mains.map(|main| main.path.strip_suffix("main.rs").unwrap_or(&main.path)).collect()
}

/// Files and folders whose texts follow the vocabulary; the changelog is history.
const WORDED: &[&str] = &[
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "crates",
    "docs",
    "fuzz/targets",
    "studies",
    "xtask",
];

/// What their texts end in.
const TEXTS: &[&str] = &["html", "ipynb", "js", "json", "md", "py", "pyi", "rs", "toml", "txt"];

/// Folders of what is not written here.
const OF_OTHERS: &[&str] = &["target", "node_modules", "vendor", "__pycache__", "data"];

/// The texts at `place`, a file or a folder.
fn collect_texts(root: &Path, place: &Path, texts: &mut Vec<Source>) -> Result<()> {
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if place.is_dir() {
        if OF_OTHERS.contains(&name.as_str()) {
            return Ok(());
        }
        let entries = fs::read_dir(place).with_context(|| format!("no {}", place.display()))?;
        for entry in entries {
            collect_texts(root, &entry?.path(), texts)?;
        }
    } else if place.extension().is_some_and(|end| TEXTS.iter().any(|text| end == *text))
        && name != "vocabulary.rs"
    {
        let text = fs::read_to_string(place)
            .with_context(|| format!("cannot read {}", place.display()))?;
        let path = place.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        texts.push(Source { path, text });
    }
    Ok(())
}

/// The Rust sources and manifests under `folder`.
fn collect(root: &Path, folder: &Path, sources: &mut Vec<Source>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    for entry in entries {
        let path: PathBuf = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if name != "target" {
                collect(root, &path, sources)?;
            }
        } else if name == "Cargo.toml" || path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let path = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            sources.push(Source { path, text });
        }
    }
    Ok(())
}

fn faults(sources: &[Source], names: &[String]) -> Vec<String> {
    let families = families(sources);
    let own_harnesses = own_harnesses(sources);
    let mut faults = Vec::new();
    for source in sources {
        let Source { path, text } = source;
        let mut fault = |what: String| faults.push(format!("{path}: {what}"));
        if path.ends_with("Cargo.toml") {
            continue;
        }
        if !text.starts_with("//!") {
            fault("does not begin with `//!` and the question it answers".to_owned());
        }
        for mark in UNFINISHED.iter().filter(|mark| text.contains(**mark)) {
            fault(format!("unfinished: {mark}"));
        }
        let is_library = library(path);
        if is_library {
            let code = without_tests(text);
            for name in OUTSIDE.iter().filter(|name| code.contains(**name)) {
                fault(format!("a library touches the outside: {name}"));
            }
            if !WITH_FLAGS.contains(&path.as_str()) {
                for flag in flags(&code) {
                    fault(format!(
                        "a library names a flag of the command line, {flag}: write `key=`, see nestnet_graph::options"
                    ));
                }
            }
        }
        if knows_families(path) && family_of(path).is_none() {
            for name in named_families(path, text, names) {
                fault(format!("names the family `{name}`, of which its row should know that"));
            }
        }
        let has_own_harness = own_harnesses.iter().any(|of| path.starts_with(of));
        if has_own_harness && text.lines().any(|line| line.trim() == "#[test]") {
            fault("a `#[test]` that does not run: its binary has a harness of its own".to_owned());
        }
        if !path.starts_with("crates/nestnet-seed/") && !draws_by_seed(text) {
            fault("a property test whose cases cannot be repeated: see nestnet_seed".to_owned());
        }
        for statement in uses(text) {
            let family = family_of(path).filter(|family| families.contains(family));
            let other = |word: &str| families.contains(&word) && Some(word) != family;
            if family.is_some()
                && words(&statement).any(|word| matches!(word, "super" | "crate"))
                && let Some(word) = words(&statement).find(|word| other(word))
            {
                fault(format!("a family imports `{word}`, another one: {statement}"));
            }
        }
    }
    let files = sources.iter().filter(|source| source.path.ends_with(".rs"));
    let files: Vec<(&str, String)> =
        files.map(|source| (source.path.as_str(), without_tests(&source.text))).collect();
    let cycle = |files: Vec<String>| format!("files import each other: {}", files.join(", "));
    faults.extend(cycles(&files).into_iter().map(cycle));
    faults
}

/// Features that every program gets from the libraries and should choose by itself.
///
/// Tests see features of the whole workspace; this asks for those of a program that depends on the libraries alone.
fn features_of_programs(root: &Path) -> Result<Vec<String>> {
    let mut command = Command::new(crate::cargo_path());
    command.args(["tree", "--locked", "--package", "nestnet", "--package", "nestnet-gpu"]);
    command.args([
        "--all-features",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p} {f}",
    ]);
    let output = command.current_dir(root).output().context("no cargo")?;
    if !output.status.success() {
        bail!("no tree of the libraries: {}", String::from_utf8_lossy(&output.stderr));
    }
    let tree = String::from_utf8_lossy(&output.stdout);
    let line = tree.lines().find(|line| line.starts_with("serde_json "));
    let features = line.and_then(|line| line.split(' ').nth(2)).context("no serde_json")?;
    let found = features.split(',').filter(|feature| OF_PROGRAMS.contains(feature));
    let fault = |feature| {
        format!(
            "Cargo.toml: every program gets the feature `{feature}` of serde_json from the libraries"
        )
    };
    Ok(found.map(fault).collect())
}

/// Flags of the command line in the texts of a source; a whole command of `nestnet` may have them.
fn flags(code: &str) -> Vec<&str> {
    let mut flags = Vec::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let text = line.split("nestnet ").next().unwrap_or_default();
        for (at, _) in text.match_indices("--") {
            let word = text[at..].split(|c: char| c != '-' && !c.is_ascii_lowercase()).next();
            let begins = |word: &&str| word[2..].starts_with(|c: char| c.is_ascii_lowercase());
            flags.extend(word.filter(begins));
        }
    }
    flags
}

/// A source without the items that are for tests alone. What comes after them is read again.
///
/// Sources are formatted, so that an item ends at the first line of its own depth that closes it.
fn without_tests(text: &str) -> String {
    let mut code = String::new();
    // The indent of the item for tests that is being omitted.
    let mut left_out = None;
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        if line.trim_start().starts_with("#[cfg(test)]") && left_out.is_none() {
            left_out = Some(depth);
        }
        match left_out {
            None => code.extend([line, "\n"]),
            Some(of_item) => {
                let closes = line.ends_with([';', '}', ',']) && depth == of_item;
                left_out = left_out.filter(|_| !closes);
            }
        }
    }
    code
}

/// Whether every runner of property tests gets its seed from the one place that knows it.
fn draws_by_seed(text: &str) -> bool {
    let count = |what: &str| text.matches(what).count();
    RUNNERS.iter().map(|runner| count(runner)).sum::<usize>() <= count("nestnet_seed::config()")
}

/// Whether a path belongs to a library, which no front end and no test does.
fn library(path: &str) -> bool {
    const FRONT: &[&str] = &["nestnet-cli", "nestnet-py", "nestnet-seed"];
    let inside = path.strip_prefix("crates/").and_then(|rest| rest.split_once("/src/"));
    inside.is_some_and(|(name, _)| !FRONT.contains(&name))
}

/// Whether a path belongs to a library that can see the table of families.
fn knows_families(path: &str) -> bool {
    let above = ["nestnet", "nestnet-topologies", "nestnet-analysis", "nestnet-claims"];
    above.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")))
}

const FAMILY_FOLDER: &str = "crates/nestnet-topologies/src/family/";

/// The file or folder of the `family` module to which a path belongs.
fn family_of(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(FAMILY_FOLDER)?;
    rest.split(['/', '.']).next()
}

/// One name a paper: what lies in the `family` module except what all of them share.
fn families(sources: &[Source]) -> Vec<&str> {
    let shared = [
        "mod",
        "args",
        "array",
        "built",
        "corners",
        "facts",
        "logical",
        "measured",
        "sizing",
        "rules",
        "memoized",
        "paper_formula",
        "stored",
    ];
    let mut families: Vec<&str> =
        sources.iter().filter_map(|source| family_of(&source.path)).collect();
    families.retain(|family| !shared.contains(family));
    families.dedup();
    families
}

/// Names of families that are something else too, and so are written elsewhere.
const ALSO_WORDS: &[&str] = &["file", "folded", "hosts", "path", "product", "tree"];

/// The names of all families, by the page that is generated from their table.
fn family_names(root: &Path) -> Result<Vec<String>> {
    let page = root.join("docs/families.md");
    let page = fs::read_to_string(&page).with_context(|| format!("no {}", page.display()))?;
    let usages = page.lines().filter_map(|line| line.strip_prefix("### `"));
    let names = usages.filter_map(|usage| usage.split(['(', '`']).next());
    Ok(names.map(str::to_owned).collect())
}

/// The families that a source outside of their module writes in quotes, tests and comments apart.
fn named_families<'a>(path: &str, text: &str, names: &'a [String]) -> Vec<&'a str> {
    if path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let code = without_tests(text);
    let lines = || code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names = names.iter().map(String::as_str);
    let is_named = |name: &&str| {
        let quoted = [format!("\"{name}\""), format!("\"{name}(")];
        lines().any(|line| quoted.iter().any(|quoted| line.contains(quoted)))
    };
    names.filter(|name| !ALSO_WORDS.contains(name)).filter(is_named).collect()
}

/// The `use` statements of a file, each on one line.
fn uses(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines().map(str::trim) {
        let start = line.strip_prefix("pub ").unwrap_or(line).starts_with("use ");
        if let Some(statement) = open.as_mut() {
            statement.push_str(line);
        } else if start {
            open = Some(line.to_owned());
        }
        if open.as_ref().is_some_and(|statement| statement.contains(';')) {
            statements.extend(open.take());
        }
    }
    statements
}

fn words(statement: &str) -> impl Iterator<Item = &str> {
    statement.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(path: &str, text: &str) -> String {
        let source =
            |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let other = source("crates/nestnet-topologies/src/family/heawood.rs", "//! Heawood.\n");
        let names = family_names(&crate::root()).unwrap();
        faults(&[source(path, text), other], &names).join("\n")
    }

    #[test]
    fn the_tree_is_tidy() {
        tidy(&crate::root()).unwrap();
    }

    #[test]
    fn untidy_files_are_named() {
        assert!(faults_of("xtask/src/x.rs", "fn x() {}\n").contains("does not begin with `//!`"));
        for mark in UNFINISHED {
            let text = format!("//! x\n{mark}");
            assert!(faults_of("xtask/src/x.rs", &text).contains("unfinished"), "{mark}");
        }
        assert_eq!(faults_of("xtask/src/x.rs", "//! x\n"), "");
    }

    #[test]
    fn tests_that_would_not_run_are_named() {
        let test = "    #[test]\n    fn x() {}\n";
        let own = format!("//! x\n{HARNESS}run;\n{test}");
        assert!(faults_of("crates/x/tests/rows/main.rs", &own).contains("does not run"));
        assert!(faults_of("crates/x/tests/golden.rs", &own).contains("does not run"));
        assert_eq!(faults_of("crates/x/tests/papers/main.rs", &format!("//! x\n{test}")), "");
    }

    #[test]
    fn what_a_row_should_know_is_named() {
        let file = "crates/nestnet/src/grow.rs";
        for text in ["if name == \"rdn\" {}", "build(\"rdn(ring(3), 1)\")"] {
            let text = format!("//! x\n{text}\n");
            assert!(faults_of(file, &text).contains("the family `rdn`"), "{text}");
            assert_eq!(faults_of("crates/nestnet-topologies/src/family/dual_net/x.rs", &text), "");
            assert_eq!(faults_of("crates/nestnet-analysis/src/embed/tests.rs", &text), "");
        }
        assert_eq!(faults_of(file, "//! x\n/// \"rdn\"\n#[cfg(test)]\n\"rdn\"\n"), "");
    }

    #[test]
    fn only_what_is_for_tests_may_touch_the_outside() {
        let core = "crates/nestnet-graph/src/x.rs";
        for exempt in [
            "#[cfg(test)]\nmod tests;\n",
            "#[cfg(test)]\nuse std::fs;\n",
            "#[cfg(test)]\nuse std::{\n    fs,\n    std::env,\n};\n",
            "#[cfg(test)]\nmod tests {\n    use std::fs;\n\n    fn x() {\n        fs();\n    }\n}\n",
            "impl X {\n    #[cfg(test)]\n    fn x(\n        &self,\n    ) -> u8 {\n        std::env()\n    }\n}\n",
            "#[cfg(test)] // why\n#[allow(unsafe_code)]\nmod tests {\n    use std::fs;\n}\n",
        ] {
            let text = format!("//! x\n{exempt}");
            assert_eq!(faults_of(core, &text), "", "{exempt}");
            for after in ["use std::fs;\n", "fn x() {\n    println!();\n}\n"] {
                let text = format!("{text}\n{after}");
                assert!(faults_of(core, &text).contains("touches the outside"), "{text}");
            }
        }
    }

    #[test]
    fn flags_in_texts_of_libraries_are_named() {
        let library = "crates/nestnet-sim/src/x.rs";
        for text in ["\"takes no --classes\"", "format!(\"{x} (--max-memory)\")"] {
            let text = format!("//! x\n{text}\n");
            assert!(faults_of(library, &text).contains("a flag of the command line"), "{text}");
            assert_eq!(faults_of("crates/nestnet-cli/src/x.rs", &text), "");
        }
        for text in [
            "/// As `--json`.",
            "\"nestnet route --router x\"",
            "\"`classes=`\"",
            "a - -b",
            "|---|--|",
        ] {
            assert_eq!(faults_of(library, &format!("//! x\n{text}\n")), "", "{text}");
        }
    }

    #[test]
    fn property_tests_that_cannot_be_repeated_are_named() {
        for path in ["crates/nestnet-graph/src/x.rs", "crates/nestnet-cli/tests/cli/x.rs"] {
            for runner in RUNNERS {
                let text = format!("//! x\n{runner}\n");
                assert!(faults_of(path, &text).contains("cannot be repeated"), "{runner}");
                let text = format!("{text}nestnet_seed::config()\n");
                assert_eq!(faults_of(path, &text), "", "{runner}");
            }
        }
    }

    #[test]
    fn arrows_that_point_up_are_named() {
        let core = "crates/nestnet-graph/src/x.rs";
        assert!(faults_of(core, "//! x\nuse std::fs;\n").contains("touches the outside"));
        let family = "crates/nestnet-topologies/src/family/swapped/wk.rs";
        for statement in [
            "use super::super::heawood;",
            "use crate::family::{\n    Args,\n    heawood::Heawood,\n};",
            "pub use crate::family::heawood::Heawood;",
        ] {
            let text = format!("//! x\n{statement}\n");
            assert!(faults_of(family, &text).contains("another one"), "{statement}");
        }
        assert_eq!(faults_of(family, "//! x\nuse super::{Args, swapped::X};\n"), "");
    }
}
