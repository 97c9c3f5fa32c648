//! Which commit is this? Git says it in a clone, and cargo writes it into a package; without either it is omitted.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = packaged().or_else(cloned).unwrap_or_default();
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = if commit.is_empty() { version } else { format!("{version} ({commit})") };
    println!("cargo::rustc-env=NESTNET_VERSION={version}");
}

/// So many digits name a commit of any repository.
const DIGITS: usize = 12;

/// What cargo wrote beside the manifest of a package.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let digits: String = rest.chars().skip_while(|c| !c.is_ascii_hexdigit()).take(DIGITS).collect();
    digits.chars().all(|c| c.is_ascii_hexdigit()).then_some(digits)
}

/// What git says, where this is a clone of ours and not a folder inside another repository.
fn cloned() -> Option<String> {
    let root = git(&["rev-parse", "--show-toplevel"])?;
    if !Path::new(&root).join("crates/nestnet-cli/build.rs").exists() {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        // Every commit and checkout writes one of them.
        if let Some(path) = git(&["rev-parse", "--git-path", file])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", &format!("--short={DIGITS}"), "HEAD"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
