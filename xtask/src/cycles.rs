//! Which files import each other in a cycle? None should: a file is understood with those it depends on.
//!
//! An arrow leads from a file to the one that defines what it imports, also through what others pass on. What a file only
//! passes on is no arrow, and neither is what only tests import.

use std::collections::{BTreeMap, BTreeSet};

/// A module of a crate: the folder of its sources, and its path from there.
type Module = (String, Vec<String>);

/// The cycles among files, each as its files in the given order; of every file its path and its text without tests.
pub fn cycles(files: &[(&str, String)]) -> Vec<Vec<String>> {
    let modules: BTreeMap<Module, usize> =
        (0..).zip(files).filter_map(|(index, (path, _))| Some((module_of(path)?, index))).collect();
    let imports: Vec<Vec<Import>> = files.iter().map(|(_, text)| imports(text)).collect();
    let mut passed_on: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new(); files.len()];
    let mut wanted: Vec<Vec<(usize, Option<String>)>> = vec![Vec::new(); files.len()];
    for (module, &index) in &modules {
        for import in &imports[index] {
            let Some((from, name)) = resolve(&modules, module, &import.path) else { continue };
            match (import.is_passed_on, name) {
                (true, Some(name)) => drop(passed_on[index].insert(name, from)),
                (true, None) => {}
                (false, name) => wanted[index].push((from, name)),
            }
        }
    }
    let arrows: Vec<BTreeSet<usize>> = (0..files.len())
        .map(|index| {
            let sources = wanted[index].iter().map(|(from, name)| defined(&passed_on, *from, name));
            sources.filter(|&from| from != index).collect()
        })
        .collect();
    let name = |index: usize| files[index].0.to_owned();
    let cycles = tied(&arrows).into_iter();
    cycles.map(|cycle| cycle.into_iter().map(name).collect()).collect()
}

/// The module that a path is the file of, in a folder `src`.
fn module_of(path: &str) -> Option<Module> {
    let (krate, inside) = path.split_once("/src/")?;
    let inside = inside.strip_suffix(".rs")?;
    let mut names: Vec<String> = inside.split('/').map(str::to_owned).collect();
    if names.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        // A program and its library are two crates.
        let program = inside == "main";
        names.pop();
        return Some((if program { path.to_owned() } else { krate.to_owned() }, names));
    }
    Some((krate.to_owned(), names))
}

/// One name that a file imports.
struct Import {
    path: Vec<String>,
    /// `pub use`.
    is_passed_on: bool,
}

/// What is at the left margin: a module inside of a file is that file.
fn imports(text: &str) -> Vec<Import> {
    let mut imports = Vec::new();
    let mut rest = text;
    while let Some(line) = rest.lines().next() {
        let visible = line.starts_with("pub");
        let statement = match line.split_once("use ") {
            Some((before, _)) if before.is_empty() || (visible && !before.contains(['{', '/'])) => {
                rest.split_once("use ").and_then(|(_, after)| after.split_once(';'))
            }
            _ => None,
        };
        match statement {
            Some((tree, after)) => {
                let tree: String = tree.split_whitespace().collect::<Vec<_>>().join(" ");
                let paths = names_of(&tree).into_iter();
                imports.extend(paths.map(|path| Import {
                    path: path.split("::").map(|part| part.trim().to_owned()).collect(),
                    is_passed_on: visible,
                }));
                rest = after.split_once('\n').map_or("", |(_, rest)| rest);
            }
            None => rest = rest.split_once('\n').map_or("", |(_, rest)| rest),
        }
    }
    imports
}

/// Every path of a tree such as `a::{b, c::{d, e as f}}`.
fn names_of(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, inside)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or(tree);
        return vec![name.to_owned()];
    };
    let inside = inside.strip_suffix('}').unwrap_or(inside);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in inside.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("there is a first").push(letter);
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| names_of(&format!("{before}{}", part.trim()))).collect()
}

/// The file that a path leads to from a module, and what is named in it; nothing for other crates.
fn resolve(
    modules: &BTreeMap<Module, usize>,
    (krate, at): &Module,
    path: &[String],
) -> Option<(usize, Option<String>)> {
    let first = path.first()?.as_str();
    let child = [&at[..], &path[..1]].concat();
    let (mut base, mut rest) = match first {
        "crate" => (Vec::new(), &path[1..]),
        "self" => (at.clone(), &path[1..]),
        "super" => (at.clone(), path),
        _ if modules.contains_key(&(krate.clone(), child)) => (at.clone(), path),
        _ => return None,
    };
    while rest.first().is_some_and(|part| part == "super") {
        base.pop();
        rest = &rest[1..];
    }
    let full: Vec<String> =
        base.iter().chain(rest).filter(|part| *part != "self").cloned().collect();
    (0..=full.len()).rev().find_map(|length| {
        let file = modules.get(&(krate.clone(), full[..length].to_vec()))?;
        Some((*file, full.get(length).cloned()))
    })
}

/// Where a name is defined, which a file may only pass on.
fn defined(passed_on: &[BTreeMap<String, usize>], from: usize, name: &Option<String>) -> usize {
    let Some(name) = name else { return from };
    let mut at = from;
    for _ in 0..passed_on.len() {
        match passed_on[at].get(name) {
            Some(&next) => at = next,
            None => break,
        }
    }
    at
}

/// Sets of files of which each reaches every other, ascending.
fn tied(arrows: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reached = |from: usize| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(at) = left.pop() {
            left.extend(arrows[at].iter().copied().filter(|&to| seen.insert(to)));
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..arrows.len()).map(reached).collect();
    let tied = |&at: &usize| {
        let back = |to: &&usize| reached[**to].contains(&at);
        let cycle: Vec<usize> = reached[at].iter().filter(back).copied().collect();
        (cycle.first() == Some(&at) && cycle.len() > 1).then_some(cycle)
    };
    (0..arrows.len()).filter_map(|at| tied(&at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(&str, String)> =
            files.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
        cycles(&files).into_iter().map(|cycle| cycle.join(" ")).collect()
    }

    #[test]
    fn cycles_are_found_through_what_is_passed_on() {
        let a = ("x/src/a.rs", "use crate::{b::B, b::{C, D}};\n");
        let root = ("x/src/lib.rs", "pub use b::B;\npub mod a;\nuse a::A;\n");
        for b in [
            "use super::a::A;\n",
            "use crate::a::{\n    A,\n    AA as AAA,\n};\n",
            "use crate::a;\n",
        ] {
            assert_eq!(found(&[root, a, ("x/src/b.rs", b)]), ["x/src/a.rs x/src/b.rs"], "{b}");
        }
        let through = ("x/src/b.rs", "use crate::a::A;\n");
        let a = ("x/src/a.rs", "use super::B;\n");
        assert_eq!(found(&[root, a, through]), ["x/src/a.rs x/src/b.rs"]);
        // The folder's own file is one as any other.
        let parent = ("x/src/y/mod.rs", "mod child;\nuse child::C;\n");
        assert_eq!(
            found(&[parent, ("x/src/y/child.rs", "use super::P;\n")]),
            ["x/src/y/mod.rs x/src/y/child.rs"]
        );
    }

    #[test]
    fn what_is_no_cycle_is_not_named() {
        let root = ("x/src/lib.rs", "pub use a::A;\npub use b::B;\n");
        let a = ("x/src/a.rs", "use crate::B;\nuse std::fmt;\nfn f() {\n    use crate::b;\n}\n");
        // Passing on, other crates, and a module inside of a file.
        for b in
            ["", "use other::a::A;\n", "mod inner {\n    use super::a;\n}\n", "// use crate::a;\n"]
        {
            assert_eq!(found(&[root, a, ("x/src/b.rs", b)]), [""; 0], "{b}");
        }
        let program = ("x/src/main.rs", "use a::A;\n");
        assert_eq!(found(&[root, a, program]), [""; 0]);
    }
}
