//! What do the papers say of the families in a spec? The ledgers, as a part of the page.

use super::html::{prose, safe, table};
use nestnet_analysis::measures::Analysis;
use nestnet_claims::{Claim, Ledger, Verdict};
use nestnet_topologies::family::find;
use nestnet_topologies::spec::{Literal, Spec};
use std::fmt::Write as _;

/// The names of all families in a spec.
fn names<'a>(spec: &'a Spec, found: &mut Vec<&'a str>) {
    found.push(&spec.name);
    for arg in &spec.args {
        values(&arg.value, found);
    }
}

fn values<'a>(value: &'a Literal, found: &mut Vec<&'a str>) {
    match value {
        Literal::Spec(inner) => names(inner, found),
        Literal::List(items) => items.iter().for_each(|item| values(&item.value, found)),
        _ => (),
    }
}

/// Whether a claim is measured on a network of this family.
fn touches(claim: &Claim, family: &str) -> bool {
    let call = format!("{family}(");
    let mentions = |text: &str| {
        text.match_indices(&call)
            .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    claim
        .readings
        .iter()
        .flat_map(|reading| reading.check.iter().chain(&reading.repaired))
        .any(|check| mentions(&check.measured) || mentions(&check.printed))
}

pub(super) fn claims(spec: &Spec, _: &Analysis<'_>) -> String {
    let mut families = Vec::new();
    names(spec, &mut families);
    let mut text = String::new();
    let mut seen = Vec::new();
    for name in families {
        let Some(paper) = find(name).map(|family| family.paper.key()) else { continue };
        let Ok(ledger) = Ledger::of(paper) else { continue };
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        let of_family = ledger.claims.iter().filter(|claim| touches(claim, name));
        let of_family: Vec<&Claim> = of_family.collect();
        let rows = |wanted: &dyn Fn(Verdict) -> bool| -> Vec<Vec<String>> {
            let chosen = of_family.iter().filter(|claim| wanted(claim.verdict()));
            chosen.map(|claim| claim_row(claim)).collect()
        };
        let head = ["verdict", "where", "statement", "true instead"].map(str::to_owned);
        let fails = rows(&|verdict| verdict == Verdict::Fails);
        let others = rows(&|verdict| verdict != Verdict::Fails);
        let _ = writeln!(
            text,
            "<p><code>{name}</code>, {}: {} statements are measured, {} fail. <span class=soft><code>nestnet claims {paper}</code> measures them again.</span></p>",
            safe(&ledger.title),
            of_family.len(),
            fails.len()
        );
        let says =
            |rows: &[Vec<String>]| table(&head, rows).replace("<table>", "<table class=says>");
        if !fails.is_empty() {
            text.push_str(&says(&fails));
        }
        if !others.is_empty() {
            let _ = write!(
                text,
                "<details><summary>{} that hold, are bounds or open</summary>\n{}</details>\n",
                others.len(),
                says(&others)
            );
        }
    }
    text
}

fn claim_row(claim: &Claim) -> Vec<String> {
    let verdict = claim.verdict();
    let repair = claim.readings[0].repair.as_deref().unwrap_or_default();
    vec![
        format!("<span class={verdict}>{verdict}</span>"),
        safe(&claim.place),
        prose(&claim.says),
        prose(repair),
    ]
}
