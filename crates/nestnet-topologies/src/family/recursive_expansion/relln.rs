//! RELLN: the array A_Gr, row by row, as printed and repaired.
//!
//! # Definition
//! Row i has: 0 its place in the unit, 1..r its places in the frames, r+1 its pivot set in the last phases, r+2 the
//! pointer into the pivot set at the set's first node, r+3.. its neighbors in the unit and then those of all phases, and
//! last the pointer to the next free column.
//!
//! # Where we differ
//! As printed the unit offset is ⌈i/n_u⌉·n_u, one unit too far; the phase loop stands inside the node loop and takes its
//! pivots from the node, so that a link is entered n_r/n_u times, more often where a head runs into the next unit, and
//! the columns overflow; and only the first copy of each G_j is wired. Repaired: ⌊(i-1)/n_u⌋·n_u, pivots by the phase,
//! each phase once, in every copy. The set in column r+1 is ⌈(1 + (i-1) mod n_u)/npset⌉ as printed; repaired it is 0
//! where there is no such set.
//! The digit in column j+1 is 1 + ⌈(i-1)/(n_f·n_f^j)⌉ mod n_f as printed, as far as the scan can be read (it has
//! n_f n_j^i, in which n_j is no size of anything that the listing has); it must be ⌊(i-1)/(n_u·n_f^j)⌋.

use crate::family::array::{Array, Arrayed, Text};
use nestnet_graph::network::sorted_neighbors;
use nestnet_graph::{Network, Node};
use std::sync::Arc;

/// Larger arrays are not built: as printed it takes the square of this.
const MAX_ROWS: u64 = 1 << 12;

/// What RELLN is given.
#[derive(Debug)]
pub(super) struct Relln {
    pub frame: Arc<dyn Network>,
    pub unit: Arc<dyn Network>,
    pub r: u64,
}

/// The array while it is built.
struct Work {
    array: Array,
    /// The first column of links between units, the last column, and that of the pivot pointer.
    links: usize,
    last: usize,
    pivot: usize,
}

impl Work {
    /// Column `column` of row i, from 1; `None` where there is no such node.
    fn cell(&mut self, i: u64, column: usize) -> Option<&mut u64> {
        let row = usize::try_from(i.checked_sub(1)?).ok()?;
        self.array.rows.get_mut(row)?.get_mut(column)
    }

    /// Enters `to`, whether or not there is such a node, into the row of `from`.
    fn append(&mut self, from: u64, to: u64) {
        let (links, last) = (self.links, self.last);
        let Some(pointer) = self.cell(from, last) else {
            self.array.nowhere += 1;
            return;
        };
        let free = links + usize::try_from(*pointer).unwrap_or(usize::MAX - links);
        *pointer += 1;
        if free >= last {
            self.array.overflows += 1;
        } else if let Some(cell) = self.cell(from, free) {
            *cell = to;
        }
    }

    /// One link between two units, from the pivots that are pointed at, which then move on.
    fn join(&mut self, heads: [u64; 2], size: u64) {
        let column = self.pivot;
        let [a, b] = heads.map(|head| head + self.cell(head, column).map_or(0, |cell| *cell));
        self.append(a, b);
        self.append(b, a);
        for head in heads {
            if let Some(cell) = self.cell(head, column) {
                *cell = (*cell + 1) % size;
            }
        }
    }
}

impl Arrayed for Relln {
    fn array(&self, text: Text) -> Option<Array> {
        let (n_u, n_f, r) = (self.unit.order(), self.frame.order(), self.r);
        let power = |j: u64| n_u.checked_mul(n_f.checked_pow(u32::try_from(j).ok()?)?);
        let n_r = power(r).filter(|&rows| rows <= MAX_ROWS && r > 0)?;
        let rows_of = |network: &dyn Network| -> Vec<Vec<u64>> {
            let row = |at| sorted_neighbors(network, Node(at)).iter().map(|to| to.0 + 1).collect();
            (0..network.order()).map(row).collect()
        };
        let (unit, frame) = (rows_of(&*self.unit), rows_of(&*self.frame));
        let widest = |rows: &[Vec<u64>]| rows.iter().map(Vec::len).max().unwrap_or(0) as u64;
        let (d_u, d_f) = (widest(&unit), widest(&frame));
        let lambda = (r - 1) / n_u;
        let size = (n_u / (r - lambda * n_u)).min(d_f).max(1);
        let index = |value: u64| usize::try_from(value).expect("a small array");
        let (links, last) = (index(r + d_u + 3), index(r + d_u + (lambda + 1) * d_f + 3));
        let mut columns = vec!["unit".to_owned()];
        columns.extend((1..=r).map(|j| format!("frame {j}")));
        columns.extend(["set", "pivot"].map(str::to_owned));
        columns.extend((1..=d_u).map(|k| format!("in {k}")));
        columns.extend((1..=(lambda + 1) * d_f).map(|k| format!("out {k}")));
        columns.push("next".to_owned());
        let rows = (1..=n_r).map(|i| {
            let mut row = vec![0; last + 1];
            let place = (i - 1) % n_u;
            row[0] = 1 + place;
            for j in 0..r {
                let digit = match text {
                    Text::Printed => {
                        let divisor = power(j).map_or(u64::MAX, |power| power / n_u * n_f);
                        (i - 1).div_ceil(divisor)
                    }
                    Text::Repaired => (i - 1) / power(j).unwrap_or(u64::MAX),
                };
                row[index(j + 1)] = 1 + digit % n_f;
            }
            let set = (1 + place).div_ceil(size);
            row[index(r + 1)] = match text {
                Text::Repaired if set > r - lambda * n_u => 0,
                _ => set,
            };
            let offset = match text {
                Text::Printed => i.div_ceil(n_u) * n_u,
                Text::Repaired => (i - 1) / n_u * n_u,
            };
            for (cell, to) in row[index(r + 3)..].iter_mut().zip(&unit[index(place)]) {
                *cell = to + offset;
            }
            row
        });
        let rows = rows.collect();
        let array = Array { text, columns, rows, overflows: 0, nowhere: 0 };
        let mut work = Work { array, links, last, pivot: index(r + 2) };
        // All pairs α < β of a frame, in the order of the loops.
        let pairs: Vec<(u64, u64)> = (1..)
            .zip(&frame)
            .flat_map(|(a, row)| row.iter().filter(move |&&b| b > a).map(move |&b| (a, b)))
            .collect();
        let mut phase = |j: u64, copy: u64, by: u64| -> Option<()> {
            let below = power(j - 1)?;
            let single = j <= lambda * n_u;
            for &(alpha, beta) in &pairs {
                let mut head = if single { 1 + by % n_u } else { by % n_u * size + 1 };
                while head <= below {
                    let heads = [alpha, beta].map(|at| copy + (at - 1) * below + head);
                    if single {
                        work.append(heads[0], heads[1]);
                        work.append(heads[1], heads[0]);
                    } else {
                        work.join(heads, size);
                    }
                    head += n_u;
                }
            }
            Some(())
        };
        match text {
            Text::Printed => {
                for i in 1..=n_r {
                    for j in 1..=r {
                        phase(j, 0, i - 1)?;
                    }
                }
            }
            Text::Repaired => {
                for j in 1..=r {
                    let copy = power(j)?;
                    for number in 0..n_r / copy {
                        phase(j, number * copy, j - 1)?;
                    }
                }
            }
        }
        Some(work.array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    fn neighbors(spec: &str, text: Text) -> (Vec<Vec<u64>>, Vec<Vec<u64>>, Array) {
        let built = build(spec).unwrap();
        let network = built.network.clone().unwrap();
        let array = built.array().unwrap().array(text).unwrap();
        let first = array.columns.iter().position(|column| column == "in 1").unwrap();
        let rows = array.rows.iter().map(|row| {
            let mut list = row[first..row.len() - 1].to_vec();
            list.retain(|&to| to > 0);
            list.sort_unstable();
            list
        });
        let wanted = (0..network.order())
            .map(|at| sorted_neighbors(&*network, Node(at)).iter().map(|to| to.0 + 1).collect());
        (rows.collect(), wanted.collect(), array)
    }

    #[test]
    fn the_repaired_array_is_the_network() {
        for spec in [
            "re(complete(4), ring(5), 1, pivots=degree)",
            "re(ring(4), ring(4), 2, pivots=degree)",
            "re(complete(3), ring(3), 4, pivots=degree)",
            "re(complete(3), path(2), 5, pivots=degree)",
            "re(torus(3, 3), torus(3, 3), 2, pivots=degree)",
        ] {
            let (rows, wanted, array) = neighbors(spec, Text::Repaired);
            assert_eq!(rows, wanted, "{spec}");
            assert_eq!((array.overflows, array.nowhere), (0, 0), "{spec}");
        }
    }

    #[test]
    fn the_printed_array_overflows() {
        let (rows, wanted, array) =
            neighbors("re(ring(4), ring(4), 2, pivots=degree)", Text::Printed);
        assert_ne!(rows, wanted);
        // Counted by an independent run of the printed loops.
        assert_eq!((array.overflows, array.nowhere), (1920, 0));
        let (.., array) = neighbors("re(complete(4), ring(5), 1, pivots=degree)", Text::Printed);
        assert_eq!((array.overflows, array.nowhere), (32, 4));
        let (.., array) = neighbors("re(complete(3), ring(3), 4, pivots=degree)", Text::Printed);
        assert_eq!((array.overflows, array.nowhere), (56_781, 81));
    }

    #[test]
    fn nodes_behind_the_last_set_are_in_none() {
        let spec = "re(ring(4), ring(7), 2, pivots=degree)";
        let sets = |text| {
            let (.., array) = neighbors(spec, text);
            let column = array.columns.iter().position(|column| column == "set").unwrap();
            array.rows.iter().take(7).map(|row| row[column]).collect::<Vec<_>>()
        };
        assert_eq!(sets(Text::Printed), [1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(sets(Text::Repaired), [1, 1, 2, 2, 0, 0, 0]);
    }

    #[test]
    fn the_last_unit_is_sent_beyond_the_last_node() {
        let (.., array) = neighbors("re(ring(4), ring(4), 2, pivots=degree)", Text::Printed);
        assert!(array.rows.last().unwrap().iter().any(|&cell| cell > 64));
    }
}
