//! Which of the networks on a Pareto front should one take, and what are the others better at?

use super::{Answer, Answers, ClusterQuestion, ClusterRow, Design, Question, Row};
use crate::carried::ROUNDING;
use nestnet_topologies::spec::Spec;
use std::cmp::Reverse;

/// A network of the Pareto front to take, and why.
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

/// The one to take: on a chip what moves a bit with the least energy of those that carry nearly half of the most traffic
/// or more under their routing, elsewhere what comes first.
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
    let able = answer.front.iter().filter(|row| carried(row) >= most * HALF);
    let row = able.min_by(|a, b| energy(a).total_cmp(&energy(b)))?;
    let by = row.routed.as_ref().map_or(String::new(), |one| {
        let channels = if one.vcs == 1 { "channel" } else { "channels" };
        format!(" by the router {}, free of deadlock with {} virtual {channels}", one.name, one.vcs)
    });
    let why = format!(
        "which moves a bit from tile to tile with the least energy, {:.2} pJ on average, of those that carry {:.0} % of the most traffic or more; it carries {:.3} of the full rate{}, and its longest wire is {:.0} mm",
        energy(row),
        HALF * 100.0,
        carried(row),
        by,
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

/// Full but for what nobody would pay for.
pub(super) const FULL: f64 = 0.95;

/// Half but for that.
const HALF: f64 = 0.45;

/// What is recommended.
const BEST_VALUE: &str = "best value";

/// The fabrics to take: non-blocking, best value, cheapest.
pub(super) fn answers(question: &ClusterQuestion, front: &[ClusterRow]) -> Answers {
    let least = question.limits.min_throughput.unwrap_or(0.0);
    let worst = |row: &ClusterRow| row.worst_case.unwrap_or(0.0);
    let cheapest = |able: &dyn Fn(&ClusterRow) -> bool, rate: &str| {
        let cheaper = |a: &&ClusterRow, b: &&ClusterRow| {
            let price = a.price_per_host.total_cmp(&b.price_per_host);
            price.then(a.mean_hops.total_cmp(&b.mean_hops))
        };
        let mut all: Vec<&ClusterRow> = front.iter().filter(|row| able(row)).collect();
        all.sort_by(cheaper);
        let (best, next) = (*all.first()?, all.get(1));
        let next = next.map(|next| {
            let more = (next.price_per_host / best.price_per_host - 1.0) * 100.0;
            format!("; the next, {}, is {more:.1} % more expensive", next.spec)
        });
        let of = match all.len() {
            1 => "the only network on the Pareto front to".to_owned(),
            many => format!("the cheapest of {many} networks on the Pareto front that"),
        };
        Some((best.spec.clone(), format!("{of} {rate}"), next.unwrap_or_default()))
    };
    let non_blocking = cheapest(
        &|row| worst(row) >= 1.0 - ROUNDING,
        "carry every permutation of the hosts at the full rate",
    );
    let both = "carry uniform traffic at the full rate or nearly so and any permutation at nearly half of it";
    // Where none does, those that come nearest to it.
    let score = |row: &ClusterRow| (row.throughput / FULL).min(worst(row) / HALF).min(1.0);
    let most = front.iter().map(score).fold(0.0, f64::max);
    let best_value = match front.iter().any(is_able) {
        true => cheapest(&is_able, both),
        false => cheapest(
            &|row| score(row) >= most - ROUNDING,
            "come nearest to uniform traffic at the full rate and any permutation at half of it",
        ),
    };
    let rate = match least > 0.0 {
        true => format!("carry uniform traffic at {least} of the full rate"),
        false => "keep within the limits".to_owned(),
    };
    let cheap = cheapest(&|row| row.throughput >= least - ROUNDING, &rate);
    let row_of = |spec: &Spec| front.iter().find(|row| row.spec == *spec);
    let all = [("non-blocking", &non_blocking), (BEST_VALUE, &best_value), ("cheapest", &cheap)];
    let is_same = |answer: &Option<(Spec, String, String)>, spec: &Spec| {
        answer.as_ref().is_some_and(|(of, ..)| of == spec)
    };
    let others = all.map(|(title, one)| Some((title, row_of(&one.as_ref()?.0)?)));
    let given_up = |answer: &Option<(Spec, String, String)>| {
        let (spec, why, next) = answer.clone()?;
        let row = row_of(&spec)?;
        let figures = format!(
            "{:.0} $ a host, uniform {:.3}, worst case {}, bisection {}",
            row.price_per_host,
            row.throughput,
            row.worst_case.map_or("not known".to_owned(), |worst| format!("{worst:.3}")),
            row.bisection_fraction.map_or("not known".to_owned(), |part| format!("{part:.2}")),
        );
        let mut instead = String::new();
        // Beside the best value that is the whole choice; the others are each beside the best value alone.
        let is_best_value = is_same(&best_value, &spec);
        let shown = others
            .iter()
            .flatten()
            .filter(|(title, other)| other.spec != spec && (is_best_value || *title == BEST_VALUE));
        for (title, other) in shown {
            let better = better_at(other, row);
            if !better.is_empty() {
                instead += &format!("; {title} instead: {}", better.join(", "));
            }
        }
        let name = row.plain_name().map_or(String::new(), |name| format!("{name}, "));
        Some(Answer { spec, why: format!("{name}{why}: {figures}{next}{instead}") })
    };
    Answers {
        non_blocking: given_up(&non_blocking),
        best_value: given_up(&best_value),
        cheapest: given_up(&cheap),
    }
}

/// Whether a network carries uniform traffic nearly at the full rate and every permutation at nearly half of it.
fn is_able(row: &ClusterRow) -> bool {
    row.throughput >= FULL && row.worst_case.unwrap_or(0.0) >= HALF
}

/// The others of a Pareto front that are better at something, with what it is: first those that carry as much as the best
/// value is asked for, the cheapest first, then those that are better at most.
pub fn runners_up<'a>(
    front: &'a [ClusterRow],
    recommended: &ClusterRow,
) -> Vec<(&'a ClusterRow, Vec<String>)> {
    let others = front.iter().filter(|row| row.spec != recommended.spec);
    let mut all: Vec<(&ClusterRow, Vec<String>)> = others
        .map(|row| (row, better_at(row, recommended)))
        .filter(|(_, better)| !better.is_empty())
        .collect();
    // Of those that carry as much the price decides alone.
    let rank = |(row, better): &(&ClusterRow, Vec<String>)| match is_able(row) {
        true => Reverse(usize::MAX),
        false => Reverse(better.len()),
    };
    all.sort_by(|a, b| {
        rank(a).cmp(&rank(b)).then(a.0.price_per_host.total_cmp(&b.0.price_per_host))
    });
    all
}

/// What a network does better than another one, in words: where two decimals show it.
pub fn better_at(row: &ClusterRow, recommended: &ClusterRow) -> Vec<String> {
    let mut words = Vec::new();
    let saved = (1.0 - row.price_per_host / recommended.price_per_host) * 100.0;
    if saved >= 0.1 {
        words.push(format!("{saved:.1} % cheaper"));
    }
    let shows = |value: f64, other: f64| format!("{value:.2}") != format!("{other:.2}");
    let exceeds = |value: f64, other: f64| value > other && shows(value, other);
    let (uniform, other) = (row.throughput.min(1.0), recommended.throughput.min(1.0));
    if exceeds(uniform, other) {
        words.push(format!("uniform {uniform:.2}, not {other:.2}"));
    }
    if let (Some(worst), Some(other)) = (row.worst_case, recommended.worst_case)
        && exceeds(worst, other)
    {
        words.push(format!("worst case {worst:.2}, not {other:.2}"));
    }
    let (hops, other) = (row.mean_switch_hops(), recommended.mean_switch_hops());
    if exceeds(other, hops) {
        words.push(format!("{hops:.2} switch hops, not {other:.2}"));
    }
    let (failures, other) = (row.failures_survived, recommended.failures_survived);
    if failures > other {
        words.push(format!("tolerates {failures} failures, not {other}"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Bounds, Origin};

    fn row(name: &str, price: f64, throughput: f64, mean_hops: f64) -> ClusterRow {
        ClusterRow {
            spec: Spec::parse(name).unwrap(),
            origin: Origin::Nested,
            hosts: 1,
            switches: 1,
            also: Vec::new(),
            planes: 1,
            radix: 1,
            ports_used: 1,
            hosts_per_switch: None,
            links: 0,
            price_per_host: price,
            power_per_host: 1.0,
            throughput,
            worst_case: None,
            bisection_fraction: None,
            mean_hops,
            host_diameter: 2,
            failures_survived: 0,
            vcs: None,
            routing: None,
            deadlock_free: true,
        }
    }

    fn question() -> ClusterQuestion {
        ClusterQuestion::new(64, 16)
    }

    #[test]
    fn three_answers_for_three_purposes() {
        let row = |name: &str, price, throughput, worst| ClusterRow {
            worst_case: Some(worst),
            ..row(name, price, throughput, 3.0)
        };
        let slow = row("slow", 10.0, 0.2, 0.1);
        let blocking = row("blocking", 50.0, 1.0, 0.0625);
        let value = row("value", 100.0, 0.96, 0.5);
        let full = row("full", 150.0, 1.0, 1.0);
        let front = [slow.clone(), blocking.clone(), value.clone(), full.clone()];
        let found = answers(&question(), &front);
        let spec = |answer: &Option<Answer>| answer.as_ref().unwrap().spec.to_string();
        assert_eq!(spec(&found.non_blocking), "full");
        assert_eq!(spec(&found.best_value), "value");
        assert_eq!(spec(&found.cheapest), "slow");
        let why = found.best_value.unwrap().why;
        assert!(why.contains("the next, full, is 50.0 % more expensive"), "{why}");
        let others = "; non-blocking instead: uniform 1.00, not 0.96, worst case 1.00, not 0.50; cheapest instead: 90.0 % cheaper";
        assert!(why.ends_with(others), "{why}");
        let why = found.cheapest.unwrap().why;
        assert!(
            why.contains("; best value instead: uniform 0.96, not 0.20")
                && !why.contains("non-blocking instead")
        );
        // Where none carries enough, the nearest to it.
        let found = answers(&question(), &[slow.clone(), blocking]);
        assert_eq!((found.non_blocking.is_none(), spec(&found.best_value)), (true, "slow".into()));
        let asked = Bounds { min_throughput: Some(0.9), ..Bounds::default() };
        let found = answers(&ClusterQuestion { limits: asked, ..question() }, &front);
        assert_eq!(spec(&found.cheapest), "blocking");
        assert_eq!(better_at(&slow, &value), ["90.0 % cheaper"]);
        // What carries as much comes first, though another is better at more.
        let quick = ClusterRow { mean_hops: 2.0, ..slow.clone() };
        let front = [quick, value.clone(), full.clone()];
        let names = |(row, _): (&ClusterRow, Vec<String>)| row.spec.to_string();
        let all: Vec<String> = runners_up(&front, &value).into_iter().map(names).collect();
        assert_eq!(all, ["full", "slow"]);
        assert_eq!(answers(&question(), &[]), Answers::default());
    }
}
