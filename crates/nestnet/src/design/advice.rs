//! Which of the networks on a front should one take, and what are the others better at?

use super::{ClusterRow, Design, Question, Row};

/// A network of the front to take, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recommended<'a> {
    /// The one.
    pub row: &'a Row,
    /// Why.
    pub why: String,
    /// Others, and what each is better at.
    pub others: Vec<(&'a Row, String)>,
}

/// The one to take: on a chip what moves a bit with the least energy of those that carry at least half of the most
/// traffic, elsewhere what comes first.
pub fn recommended<'a>(question: &Question, answer: &'a Design) -> Option<Recommended<'a>> {
    if question.tiles.is_none() {
        let why = format!("the least {} of those that are Pareto-optimal", question.sort);
        let row = answer.front.first()?;
        return Some(Recommended { row, why, others: Vec::new() });
    }
    let carried = |row: &Row| row.cost.throughput.unwrap_or(0.0).min(1.0);
    let energy = |row: &Row| row.cost.energy.unwrap_or(f64::INFINITY);
    let wire = |row: &Row| row.cost.wiring.map_or(f64::INFINITY, |wiring| wiring.longest);
    let most = answer.front.iter().map(carried).fold(0.0, f64::max);
    let able = answer.front.iter().filter(|row| carried(row) >= most / 2.0);
    let row = able.min_by(|a, b| energy(a).total_cmp(&energy(b)))?;
    let why = format!(
        "which moves a bit from tile to tile with the least energy, {:.2} pJ on average, of those that carry at least half of the most traffic; it carries {:.2} of the full rate, and its longest wire is {:.0} mm",
        energy(row),
        carried(row),
        wire(row),
    );
    let best = |order: &dyn Fn(&Row) -> (f64, f64)| {
        answer.front.iter().min_by(|a, b| {
            let (a, b) = (order(a), order(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        })
    };
    let mut others: Vec<(&Row, String)> = Vec::new();
    let mut add = |other: Option<&'a Row>, words: &dyn Fn(&Row) -> String| {
        let Some(other) = other.filter(|other| other.figures.spec != row.figures.spec) else {
            return;
        };
        match others.iter_mut().find(|(known, _)| known.figures.spec == other.figures.spec) {
            Some((_, better)) => *better += &format!(", {}", words(other)),
            None => others.push((other, words(other))),
        }
    };
    add(best(&|row| (wire(row), energy(row))), &|row| format!("longest wire {:.0} mm", wire(row)));
    add(best(&|row| (-carried(row), energy(row))), &|row| {
        format!("throughput {:.2}", carried(row))
    });
    add(best(&|row| (energy(row), wire(row))), &|row| format!("{:.2} pJ a bit", energy(row)));
    Some(Recommended { row, why, others })
}

/// Of networks with the same numbers the one with the shortest name.
pub(super) fn simplest(mut rows: Vec<ClusterRow>) -> Vec<ClusterRow> {
    let worst = |row: &ClusterRow| -> Vec<u64> {
        row.keys().iter().map(|range| range.high.to_bits()).collect()
    };
    rows.sort_by_cached_key(|row| {
        let text = row.spec.to_string();
        (worst(row), text.len(), text)
    });
    rows.dedup_by(|next, kept| worst(next) == worst(kept));
    rows
}

/// The cheapest of those that carry uniform traffic at the full rate, or nearly so; where none does, of those that come
/// nearest to it. Of those that cost alike the one with the shortest paths.
pub(super) fn recommend(front: &[ClusterRow]) -> Option<(usize, String)> {
    /// Full but for what nobody would pay for.
    const FULL: f64 = 0.95;
    /// Prices that differ by less are alike: cables are not known to the percent.
    const ALIKE: f64 = 1.02;
    let carried = |row: &ClusterRow| row.throughput.min(1.0);
    let most = front.iter().map(carried).fold(0.0, f64::max);
    let enough = if most >= FULL { FULL } else { most * FULL };
    let able = || front.iter().enumerate().filter(|(_, row)| carried(row) >= enough);
    let cheaper = |a: &(usize, &ClusterRow), b: &(usize, &ClusterRow)| {
        let price = a.1.price_per_host.total_cmp(&b.1.price_per_host);
        price.then(a.1.mean_hops.total_cmp(&b.1.mean_hops))
    };
    let (cheapest, least) = able().min_by(cheaper)?;
    let nearer = |a: &(usize, &ClusterRow), b: &(usize, &ClusterRow)| {
        a.1.mean_hops.total_cmp(&b.1.mean_hops).then(cheaper(a, b))
    };
    let alike = able().filter(|(_, row)| row.price_per_host <= least.price_per_host * ALIKE);
    let (at, row) = alike.min_by(nearer)?;
    let rate = match most >= FULL {
        true => "carry uniform traffic at the full rate or nearly so".to_owned(),
        false => format!("carry the most uniform traffic, at least {enough:.2} of the full rate"),
    };
    let count = able().count();
    let more = |one: &ClusterRow, other: &ClusterRow| {
        (other.price_per_host / one.price_per_host - 1.0) * 100.0
    };
    if at != cheapest {
        let why = format!(
            "of {count} networks on the front that {rate}, the one with the fewest hops among those that cost within 2 % of the cheapest, {}, which saves {:.1} %",
            least.spec,
            -more(row, least),
        );
        return Some((at, why));
    }
    let next = able().filter(|&(other, _)| other != at).min_by(cheaper);
    let next = next.map(|(_, next)| {
        format!("; the next, {}, is {:.1} % more expensive", next.spec, more(row, next))
    });
    let next = next.unwrap_or_default();
    Some((at, format!("the cheapest of {count} networks on the front that {rate}{next}")))
}

/// What a network on the front does better than the recommended one, in words.
pub fn better_at(row: &ClusterRow, recommended: &ClusterRow) -> Vec<String> {
    let mut words = Vec::new();
    let saved = (1.0 - row.price_per_host / recommended.price_per_host) * 100.0;
    if saved >= 0.1 {
        words.push(format!("{saved:.1} % cheaper"));
    }
    if row.throughput.min(1.0) > recommended.throughput.min(1.0) + 1e-9 {
        words.push(format!("throughput {:.2}", row.throughput.min(1.0)));
    }
    if row.mean_hops < recommended.mean_hops - 1e-9 {
        words.push(format!("{:.2} hops", row.mean_hops));
    }
    if row.failures_survived > recommended.failures_survived {
        words.push(format!("survives {} failures", row.failures_survived));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Origin;
    use nestnet_topologies::spec::Spec;

    fn row(name: &str, price: f64, throughput: f64, mean_hops: f64) -> ClusterRow {
        ClusterRow {
            spec: Spec::parse(name).unwrap(),
            origin: Origin::Nested,
            hosts: 1,
            switches: 1,
            radix: 1,
            hosts_per_switch: None,
            links: 0,
            price_per_host: price,
            power_per_host: 1.0,
            throughput,
            mean_hops,
            host_diameter: 2,
            failures_survived: 0,
            vcs: None,
        }
    }

    #[test]
    fn the_cheapest_that_carries_enough_is_recommended() {
        let slow = row("slow", 10.0, 0.2, 3.0);
        let dear = row("dear", 150.0, 2.0, 2.0);
        let cheap = row("cheap", 100.0, 0.96, 4.0);
        let (at, why) = recommend(&[slow.clone(), dear.clone(), cheap.clone()]).unwrap();
        assert_eq!(at, 2);
        assert!(why.starts_with("the cheapest of 2 networks"), "{why}");
        assert!(why.ends_with("; the next, dear, is 50.0 % more expensive"), "{why}");
        // One percent more for shorter ways; a part of 1/101 is saved without.
        let near = row("near", 101.0, 1.0, 3.0);
        let (at, why) = recommend(&[cheap.clone(), near, dear]).unwrap();
        assert_eq!(at, 1);
        assert!(why.ends_with("of the cheapest, cheap, which saves 1.0 %"), "{why}");
        assert_eq!(better_at(&slow, &cheap), ["90.0 % cheaper", "3.00 hops"]);
        assert_eq!(recommend(&[slow]).map(|(at, _)| at), Some(0));
        assert_eq!(recommend(&[]), None);
    }
}
