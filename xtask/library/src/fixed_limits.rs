//! Fixed limits: which constants can a user meet in a refusal?
//!
//! Their comments begin with [`MARK`], say of what there are at most so many, and why.

use crate::root;
use anyhow::{Context, Result};
use nestnet::number_format::grouped;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How the comment of such a constant begins.
const MARK: &str = "/// Limit: ";

/// A constant that a refusal names.
pub struct FixedLimit {
    /// What there is at most, for people.
    pub value: String,
    /// Of what, and why.
    pub what: String,
}

/// All of them, in the order of crates and files.
pub fn all() -> Result<Vec<FixedLimit>> {
    let mut limits = Vec::new();
    for (path, text) in sources(&root().join("crates"))? {
        for text in text.split(MARK).skip(1) {
            limits.push(read(text).with_context(|| path.display().to_string())?);
        }
    }
    Ok(limits)
}

/// The Rust sources of a folder, by their paths.
fn sources(folder: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let mut sources = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            sources.extend(self::sources(&path)?);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path)?;
            sources.insert(path, text);
        }
    }
    Ok(sources)
}

/// What stands behind a mark: the rest of the comment, and the constant.
fn read(text: &str) -> Result<FixedLimit> {
    let (what, constant) = text.split_once("const ").context("a limit without a constant")?;
    let words = what
        .split_whitespace()
        .filter(|&word| !matches!(word, "///" | "pub" | "pub(super)" | "pub(crate)"));
    let value = constant.split_once(" = ").and_then(|(_, value)| value.split_once(';'));
    let (value, _) = value.context("a limit without a value")?;
    Ok(FixedLimit {
        value: written(value).with_context(|| format!("`{value}` is no value of a limit"))?,
        what: words.collect::<Vec<_>>().join(" "),
    })
}

/// The value of a constant: a number, a product, or a shift, which is a power of two for people where it is large.
fn written(value: &str) -> Option<String> {
    if let Some((one, bits)) = value.split_once(" << ") {
        let (one, bits): (u128, u32) = (one.parse().ok()?, bits.parse().ok()?);
        let bits = bits + one.trailing_zeros();
        return match one.is_power_of_two() {
            true if bits > 20 => Some(format!("2^{bits}")),
            true => Some(grouped(&(1u128 << bits).to_string())),
            false => None,
        };
    }
    if let Some((base, power)) = value.split_once("u128.pow(") {
        return Some(format!("{base}^{}", power.strip_suffix(')')?));
    }
    let number = |text: &str| match text.strip_prefix("0x") {
        _ if text == "u32::MAX as u64" => Some(u32::MAX.into()),
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => text.replace('_', "").parse::<u128>().ok(),
    };
    let product = value.split(" * ").map(number).product::<Option<u128>>()?;
    Some(grouped(&product.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marked_constant_is_a_limit() {
        let text = "links of a thing: more\n/// take long.\npub const MAX_LINKS: u64 = 1 << 24;\n";
        let limit = read(text).unwrap();
        assert_eq!(
            (limit.value.as_str(), limit.what.as_str()),
            ("2^24", "links of a thing: more take long.")
        );
        let values =
            ["1 << 12", "64 * 64", "100_000", "0xbfff", "10u128.pow(6)", "u32::MAX as u64", "f()"];
        let written: Vec<_> = values.iter().map(|value| written(value)).collect();
        let expected = ["4,096", "4,096", "100,000", "49,151", "10^6", "4,294,967,295"];
        let expected = expected.iter().map(|text| Some((*text).to_owned())).chain([None]);
        assert_eq!(written, expected.collect::<Vec<_>>());
    }

    #[test]
    fn constants_in_texts_are_limits() {
        let sources = sources(&root().join("crates")).unwrap();
        let marked: Vec<&str> = sources
            .values()
            .flat_map(|text| text.split(MARK).skip(1))
            .filter_map(|text| text.split_once("const ")?.1.split(':').next())
            .collect();
        for (path, text) in &sources {
            for after in text.split('{').skip(1) {
                let is_of_name = |c: char| c.is_ascii_uppercase() || c == '_';
                let (name, rest) = after.split_at(after.find(|c| !is_of_name(c)).unwrap_or(0));
                let is_limit = name.starts_with("MAX_") || name.starts_with("MOST_");
                if is_limit && rest.starts_with([':', '}']) {
                    assert!(marked.contains(&name), "{}: {name}", path.display());
                }
            }
        }
    }
}
