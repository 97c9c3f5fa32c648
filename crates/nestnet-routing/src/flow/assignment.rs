//! Whom to pair with whom so that the weights add up the most?

use nestnet_graph::{Interrupted, Watch};

/// The permutation π of `0..n` with the largest sum of `weight(i, π(i))`, and that sum; weights are not negative.
///
/// Shortest augmenting paths with potentials (R. Jonker, A. Volgenant, 1987); O(n³). Exact for whole numbers below 2^53
/// and otherwise but for rounding.
///
/// ```
/// use nestnet_graph::Watch;
/// use nestnet_routing::flow::best_assignment;
///
/// let weights = [[1.0, 5.0], [2.0, 3.0]];
/// let found = best_assignment(2, |row, column| weights[row][column], &Watch::SILENT)?;
/// assert_eq!(found, (vec![1, 0], 7.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_assignment(
    n: usize,
    weight: impl Fn(usize, usize) -> f64,
    watch: &Watch<'_>,
) -> Result<(Vec<usize>, f64), Interrupted> {
    const NONE: usize = usize::MAX;
    // Costs are negated weights; potentials keep all reduced costs at least 0.
    let mut column_price: Vec<f64> = vec![0.0; n];
    let mut row_price: Vec<f64> =
        (0..n).map(|row| -(0..n).map(|column| weight(row, column)).fold(0.0, f64::max)).collect();
    let mut row_of = vec![NONE; n];
    let mut column_of = vec![NONE; n];
    // Rows that get their best column at once.
    for row in 0..n {
        watch.check()?;
        let best = (0..n)
            .find(|&column| row_of[column] == NONE && -weight(row, column) - row_price[row] <= 0.0);
        if let Some(column) = best {
            (row_of[column], column_of[row]) = (row, column);
        }
    }
    let mut distance = vec![0.0; n];
    let mut parent = vec![0; n];
    for start in 0..n {
        if column_of[start] != NONE {
            continue;
        }
        watch.check()?;
        let mut order = Vec::new();
        distance.fill(f64::INFINITY);
        // The columns that are not finished.
        let mut open: Vec<usize> = (0..n).collect();
        let (mut row, mut here) = (start, 0.0);
        let (end, longest) = loop {
            // A column is free as long as a row is, so that one is open.
            let (mut nearest, mut least) = (0, f64::INFINITY);
            for (place, &column) in open.iter().enumerate() {
                let reduced = -weight(row, column) - row_price[row] - column_price[column];
                let length: f64 = here + reduced;
                if length < distance[column] {
                    distance[column] = length;
                    parent[column] = row;
                }
                if distance[column] < least {
                    (nearest, least) = (place, distance[column]);
                }
            }
            let column = open.swap_remove(nearest);
            here = least;
            if row_of[column] == NONE {
                break (column, here);
            }
            order.push(column);
            row = row_of[column];
        };
        for &column in &order {
            let slack = longest - distance[column];
            column_price[column] -= slack;
            row_price[row_of[column]] += slack;
        }
        row_price[start] += longest;
        let mut column = end;
        loop {
            let row = parent[column];
            row_of[column] = row;
            let before = std::mem::replace(&mut column_of[row], column);
            if row == start {
                break;
            }
            column = before;
        }
    }
    let sum = (0..n).map(|row| weight(row, column_of[row])).sum();
    Ok((column_of, sum))
}
