//! Which of the networks on a front should one take, and what are the others better at?

use super::ClusterRow;

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
/// nearest to it.
pub(super) fn recommend(front: &[ClusterRow]) -> Option<(usize, String)> {
    /// Full but for what nobody would pay for.
    const FULL: f64 = 0.95;
    let carried = |row: &ClusterRow| row.throughput.min(1.0);
    let most = front.iter().map(carried).fold(0.0, f64::max);
    let enough = if most >= FULL { FULL } else { most * FULL };
    let able = || front.iter().enumerate().filter(|(_, row)| carried(row) >= enough);
    let cheaper = |a: &(usize, &ClusterRow), b: &(usize, &ClusterRow)| {
        let price = a.1.price_per_host.total_cmp(&b.1.price_per_host);
        price.then(a.1.mean_hops.total_cmp(&b.1.mean_hops))
    };
    let (at, row) = able().min_by(cheaper)?;
    let rate = match most >= FULL {
        true => "carry uniform traffic at the full rate or nearly so".to_owned(),
        false => format!("carry the most uniform traffic, at least {enough:.2} of the full rate"),
    };
    let next = able().filter(|&(other, _)| other != at).min_by(cheaper);
    let next = next.map(|(_, next)| {
        let more = (next.price_per_host / row.price_per_host - 1.0) * 100.0;
        format!("; the next, {}, is {more:.1} % dearer", next.spec)
    });
    Some((
        at,
        format!(
            "the cheapest of {} networks on the front that {rate}{}",
            able().count(),
            next.unwrap_or_default()
        ),
    ))
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
