//! Every `console` block of the README prints what it shows.

use crate::NESTNET;
use std::path::Path;
use std::process::Command;

/// What a prompt line asks for and what is shown under it.
struct Shown {
    command: String,
    output: String,
}

fn shown(readme: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) => inside = line == "```console",
            (true, _) if line == "```" => inside = false,
            (true, Some(command)) => {
                all.push(Shown { command: command.to_owned(), output: String::new() });
            }
            (true, None) => {
                let last = all.last_mut().expect("a block begins with a prompt");
                last.output.push_str(line);
                last.output.push('\n');
            }
        }
    }
    all
}

#[test]
fn the_readme_shows_real_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a README");
    let shown = shown(&readme);
    assert!(shown.len() >= 5);
    let folder = tempfile::tempdir().unwrap();
    let binaries = Path::new(NESTNET).parent().expect("a folder").display();
    let path = format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default());
    for Shown { command, output } in shown {
        // A fresh clone runs the binary through cargo.
        let command = command.replace("cargo run --release -- ", "nestnet ");
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).env("PATH", &path).current_dir(folder.path());
        let ended: crate::Ended = shell.output().expect("a shell").into();
        assert_eq!(format!("{}{}", ended.stdout, ended.stderr), output, "$ {command}");
    }
}
