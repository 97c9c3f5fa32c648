//! Every `console` block of the README and of the pages of docs prints what it shows.
//!
//! `UPDATE_GOLDEN=1` writes what is printed now.

use crate::NESTNET;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command prints in a folder.
fn output(command: &str, folder: &Path) -> String {
    let binaries = Path::new(NESTNET).parent().expect("a folder").display();
    let path = format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default());
    // A fresh clone runs the binary through cargo.
    let command = command.replace("cargo run --release -- ", "nestnet ");
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).env("PATH", &path).current_dir(folder);
    let ended: crate::Ended = shell.output().expect("a shell").into();
    format!("{}{}", ended.stdout, ended.stderr)
}

/// The page with what its commands print now, one after the other in one folder, and how many there are.
fn as_run(page: &str) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    let (mut text, mut commands, mut inside) = (String::new(), 0, false);
    for line in page.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) => inside = line == "```console",
            (true, _) if line == "```" => inside = false,
            (true, Some(command)) => {
                commands += 1;
                text.push_str(&format!("{line}\n{}", output(command, folder.path())));
                continue;
            }
            (true, None) => continue,
        }
        text.push_str(&format!("{line}\n"));
    }
    (text, commands)
}

fn check(path: &Path) -> usize {
    let page = fs::read_to_string(path).expect("a page");
    let (run, commands) = as_run(&page);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, run).expect("a page that can be written");
    } else {
        assert_eq!(run, page, "{}", path.display());
    }
    commands
}

#[test]
fn the_readme_shows_real_output() {
    assert!(check(&root().join("README.md")) >= 1);
}

#[test]
fn the_tour_shows_real_output() {
    assert!(check(&root().join("docs/tour.md")) >= 20);
}

#[test]
fn guides_show_real_output() {
    let pages = fs::read_dir(root().join("docs/how-to")).expect("a folder");
    let mut pages: Vec<PathBuf> = pages.map(|page| page.expect("a page").path()).collect();
    pages.push(root().join("docs/getting-started.md"));
    assert!(pages.iter().map(|page| check(page)).sum::<usize>() >= 20);
}
