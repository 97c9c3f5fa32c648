//! What becomes of a test that needs a tool that is not installed?

use std::fmt;

/// What happens to tools that are not installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// They are installed where we may, and named where we may not.
    Install,
    /// What needs them is skipped.
    Skip,
}

/// A check that did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The check.
    pub what: String,
    /// What it lacks.
    pub why: String,
}

impl Skipped {
    pub fn new(what: &str, why: impl Into<String>) -> Self {
        Skipped { what: what.to_owned(), why: why.into() }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skipped: {} ({})", self.what, self.why)
    }
}

/// What to print at the end of a run; nothing where nothing was skipped.
pub fn summary(skipped: &[Skipped], missing: Missing) -> String {
    let mut lines: Vec<String> = skipped.iter().map(|one| format!("== {one}")).collect();
    if !skipped.is_empty() && missing == Missing::Skip {
        lines.push("== `cargo xtask test --install` installs what is missing".to_owned());
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_that_did_not_run_is_named_with_its_reason() {
        let skipped = [Skipped::new("lints", "there is no clippy")];
        let named = summary(&skipped, Missing::Skip);
        assert!(named.contains("skipped: lints (there is no clippy)"), "{named}");
        assert!(named.contains("cargo xtask test --install"), "{named}");
        assert!(!summary(&skipped, Missing::Install).contains("--install"));
        assert_eq!(summary(&[], Missing::Skip), "");
    }
}
