//! Every command on every page runs: a `console` block prints what it shows, and commands in `sh` blocks and in the text
//! are understood and do not fail.
//!
//! `UPDATE_GOLDEN=1` writes what is printed now. A command that is not run has its reason, one of [`REASONS`], in a comment
//! `<!-- not run: REASON -->`: in its line, or in the line before its `sh` block.

use crate::NESTNET;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a command is not run.
const REASONS: [&str; 5] =
    ["needs a GPU", "needs other tools", "needs files of yours", "takes long", "serves a page"];

/// Pages whose commands have tests of their own: `errata.rs`, `page.rs`, `procedures.rs`, and the help, whose examples run
/// here.
const OTHER_TESTS: [&str; 4] = ["errata.md", "page.md", "procedures.md", "verbs.md"];

/// Seconds after which a command has shown that it is understood.
const LIMIT: &str = "20";

/// The same for an example of the help: there are many, and what is wrong with one shows before it measures.
const EXAMPLE_LIMIT: &str = "2";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A shell that knows this program, in a folder; a fresh clone runs the binary through cargo.
fn shell(command: &str, folder: &Path, limit: Option<&str>) -> Command {
    let binaries = Path::new(NESTNET).parent().expect("a folder").display();
    let path = format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default());
    let command = command.replace("cargo run --release -- ", "nestnet ");
    let mut shell = match limit {
        None => Command::new("sh"),
        Some(limit) => {
            let mut shell = Command::new("timeout");
            shell.args([limit, "sh"]);
            shell
        }
    };
    shell.args(["-c", &command]).env("PATH", &path).current_dir(folder).stdin(Stdio::null());
    shell
}

/// What a command prints in a folder.
fn output(command: &str, folder: &Path) -> String {
    let ended: crate::Ended = shell(command, folder, None).output().expect("a shell").into();
    format!("{}{}", ended.stdout, ended.stderr)
}

/// Why a command is wrong, if it is.
fn fault(command: &str, folder: &Path) -> Option<String> {
    let ended = shell(command, folder, Some(LIMIT)).output().expect("timeout of coreutils");
    let said = String::from_utf8_lossy(&ended.stderr);
    // 1 is an answer too, and 124 is what took longer. The text may name a verb with some of its options alone.
    let names = ["required arguments were not provided", "a value is required for"];
    let is_fine = matches!(ended.status.code(), Some(0 | 1 | 124));
    let is_name = names.iter().any(|name| said.contains(name));
    (!is_fine && !is_name).then(|| format!("{command}\n{said}"))
}

/// What was found on pages.
#[derive(Default)]
struct Found {
    /// How many commands show their output.
    shown: usize,
    /// How many others ran.
    ran: usize,
    /// Those that are not run, with the reason.
    not_run: Vec<String>,
    faults: Vec<String>,
}

impl Found {
    fn join(mut self, other: Found) -> Found {
        self.shown += other.shown;
        self.ran += other.ran;
        self.not_run.extend(other.not_run);
        self.faults.extend(other.faults);
        self
    }

    /// Runs a command that shows nothing; `reason` is why not.
    fn run(&mut self, page: &str, command: &str, reason: Option<&str>, folder: &Path) {
        // A form with words to fill in: its verb must exist.
        let is_to_fill = |word: &str| {
            !word.is_empty()
                && word.chars().all(|c| c.is_ascii_uppercase())
                && !word.starts_with('-')
        };
        let to_fill = command.split(|c: char| !c.is_ascii_alphanumeric()).any(is_to_fill);
        let verb = command.split_whitespace().nth(1).unwrap_or_default();
        let command = match to_fill || command.contains('…') {
            true if verb.starts_with(|c: char| c.is_ascii_lowercase()) => {
                format!("nestnet {verb} --help")
            }
            true => return,
            false => command.to_owned(),
        };
        if let Some(reason) = reason {
            if !REASONS.contains(&reason) {
                self.faults.push(format!("{command}\nan unknown reason: {reason}"));
            }
            self.not_run.push(format!("{page}: {command}: {reason}"));
            return;
        }
        self.ran += 1;
        self.faults.extend(fault(&command, folder).map(|fault| format!("{page}: {fault}")));
    }
}

/// The reason that a line gives not to run what it has.
fn reason(line: &str) -> Option<&str> {
    line.split_once("<!-- not run: ")?.1.split_once(" -->").map(|(reason, _)| reason)
}

/// The page with what its commands print now, all in one folder, and what was found.
fn as_run(name: &str, page: &str) -> (String, Found) {
    let folder = tempfile::tempdir().unwrap();
    // Commands that read a file of the repository are said from its root.
    std::os::unix::fs::symlink(root().join("docs"), folder.path().join("docs")).expect("a link");
    let (mut text, mut found) = (String::new(), Found::default());
    // The language of the block that is open, and why it is not run.
    let (mut block, mut before) = (None, None);
    for line in page.lines() {
        let command = line.strip_prefix("$ ");
        match (block, command) {
            (None, _) if line.trim_start().starts_with("```") => {
                block = Some((line.trim_start().trim_start_matches('`'), before));
            }
            (Some(_), _) if line.trim_start() == "```" => block = None,
            (Some(("console", _)), Some(command)) => {
                found.shown += 1;
                text.push_str(&format!("{line}\n{}", output(command, folder.path())));
                continue;
            }
            (Some(("console", _)), None) => continue,
            (Some(("sh", why)), _) if line.starts_with("nestnet ") => {
                let command = line.split("  #").next().unwrap_or(line).trim();
                found.run(name, command, why, folder.path());
            }
            (Some(_), _) => {}
            (None, _) => {
                let spans = line.split('`').skip(1).step_by(2);
                for command in spans.filter(|span| span.starts_with("nestnet ")) {
                    found.run(name, command, reason(line), folder.path());
                }
            }
        }
        before = reason(line);
        text.push_str(&format!("{line}\n"));
    }
    (text, found)
}

fn check(path: &Path) -> Found {
    let page = fs::read_to_string(path).expect("a page");
    let name = path.file_name().expect("a name").to_string_lossy();
    let (run, found) = as_run(&name, &page);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, run).expect("a page that can be written");
    } else {
        assert_eq!(run, page, "{}", path.display());
    }
    found
}

/// All pages, each in a thread.
fn check_all(pages: &[PathBuf]) -> Found {
    let found = std::thread::scope(|scope| {
        let threads: Vec<_> = pages.iter().map(|page| scope.spawn(|| check(page))).collect();
        let found = threads.into_iter().map(|thread| thread.join().expect("a page as it runs"));
        found.fold(Found::default(), Found::join)
    });
    for command in &found.not_run {
        eprintln!("not run: {command}");
    }
    assert!(found.faults.is_empty(), "{}", found.faults.join("\n"));
    found
}

fn pages_in(folder: &str) -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join(folder)).expect("a folder");
    let pages = pages.map(|page| page.expect("a page").path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
    pages.filter(is_page).collect()
}

#[test]
fn the_readme_shows_real_output() {
    let found = check_all(&[root().join("README.md")]);
    assert!(found.shown >= 1 && found.not_run.is_empty());
}

#[test]
fn the_tour_shows_real_output() {
    assert!(check_all(&[root().join("docs/tour.md")]).shown >= 20);
}

#[test]
fn guides_show_real_output() {
    let mut pages = pages_in("docs/how-to");
    pages.push(root().join("docs/getting-started.md"));
    assert!(check_all(&pages).shown >= 20);
}

#[test]
fn commands_of_all_other_pages_run() {
    let others: BTreeSet<&str> =
        OTHER_TESTS.into_iter().chain(["tour.md", "getting-started.md"]).collect();
    let mut pages = pages_in("docs");
    pages.retain(|page| {
        page.file_name().is_some_and(|name| !others.contains(&*name.to_string_lossy()))
    });
    let found = check_all(&pages);
    assert!(found.shown >= 4 && found.ran >= 80, "{} and {}", found.shown, found.ran);
    // Who marks one more says so here.
    assert!(found.not_run.len() <= 60, "{}", found.not_run.join("\n"));
}

/// The examples of all verbs, as the page of their help has them; a long one goes on in the next line.
fn examples(page: &str) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    let mut is_list = false;
    for line in page.lines() {
        is_list = line == "Examples:" || (is_list && line.starts_with("  "));
        if !is_list || line == "Examples:" {
            continue;
        }
        match (line.starts_with("  nestnet "), examples.last_mut()) {
            (false, Some(example)) => example.push_str(&format!(" {}", line.trim())),
            _ => examples.push(line.trim().to_owned()),
        }
    }
    examples
}

#[test]
fn examples_of_the_help_run() {
    let page = fs::read_to_string(root().join("docs/verbs.md")).expect("a page");
    let examples = examples(&page);
    assert!(examples.len() >= 150, "{}", examples.len());
    let folder = tempfile::tempdir().unwrap();
    let (mut needs_files, mut faults) = (Vec::new(), Vec::new());
    for example in &examples {
        // `serve` opens a browser, and `page.rs` tries it.
        if example.starts_with("nestnet serve") || example.contains("--device gpu") {
            continue;
        }
        let mut shell = shell(example, folder.path(), Some(EXAMPLE_LIMIT));
        // Completions are written to the home folder.
        let ended = shell.env("HOME", folder.path()).output().expect("timeout of coreutils");
        let said = String::from_utf8_lossy(&ended.stderr);
        let is_missing = |words: &&str| said.contains(*words);
        if ["No such file or directory", "Directory nonexistent"].iter().any(is_missing) {
            needs_files.push(example.as_str());
        } else if !matches!(ended.status.code(), Some(0 | 1 | 124)) {
            faults.push(format!("{example}\n{said}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // Who adds one more says so here.
    assert!(needs_files.len() <= 18, "{}", needs_files.join("\n"));
}
