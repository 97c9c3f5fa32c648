//! RELLN: the array A_Gr, row by row, as printed and repaired.
//!
//! # Definition
//! Row i has: 0 its place in the unit, 1..r its places in the frames, r+1 its pivot set in the last phases, r+2 the
//! pointer into the pivot set at the set's first node, r+3.. its neighbors in the unit and then those of all phases, and
//! last the pointer to the next free column.
//!
//! With PSS_(sk) all r phases are as the first λ·n_u phases of PSS_(sd) are (Section 5, first paragraph); there are no
//! sets of several nodes, and columns r+1 and r+2 are omitted. With a sequence of frames (Section 7) G_f is that of the
//! phase: n_f^j is read as the number of copies of the unit in G_j, n_f before it as the order of the frame of phase j+1,
//! d_f in npset as the largest degree among the frames of the last phases, and in the number of columns as that of all.
//!
//! # As printed
//! One loop over i has everything inside it: row i gets its columns 0..r+d_u+2 and its two pointers, both 0, when i is
//! reached, and only then the links "for node i" are entered, over all phases, into any rows. So
//! - entries reach rows that have no pointers yet. The text says nothing of their content; taken as 0;
//! - what was entered into row k before i = k stays in its columns, but its pointers start at 0 again: later entries
//!   are written over those.
//!
//! An entry at a pointer of (λ+1)·d_f or more has no column. By hand for `re(complete(4), ring(5), 1)`: λ = 0, three
//! columns, npset = 3, and heads 1, 4, 7, 10, 13 for (i-1) mod 5 = 0..4, of which the loop (head ≤ n_u = 5) takes 1, at
//! i = 1, 6, 11, 16, and 4, at i = 2, 7, 12, 17. Each turn makes one entry in each of the nodes 1, 2, 3 or 4, 5, 6 from
//! the first of each unit copy on, where 6 is 1 of the next copy, and beyond the last one 4 times no node. Row k counts
//! the entries up to i = k-1, and from 0 again those from i = k on, by the place of k in its copy:
//!
//! | copy | 1 | 2 | 3 | 4 | 5 | beyond 3 |
//! |---|---|---|---|---|---|---|
//! | 1 | 0, 4 | 1, 3 | 1, 3 | 1, 3 | 1, 3 | 1 |
//! | 2 | 2, 6 | 2, 2 | 2, 2 | 2, 2 | 2, 2 | 3 |
//! | 3 | 4, 4 | 3, 1 | 3, 1 | 3, 1 | 3, 1 | 1 + 1 |
//! | 4 | 6, 2 | 4, 0 | 4, 0 | 4, 0 | 4, 0 | 3 + 4 |
//!
//! That is 13 entries without a column, and 4 for no node.
//!
//! # Where we differ
//! As printed the unit offset is ⌈i/n_u⌉·n_u, one unit too far; the phase loop stands inside the node loop and takes its
//! pivots from the node, so that a link is entered n_r/n_u times, more often where a head runs into the next unit, and
//! the columns overflow; and only the first copy of each G_j is wired. Repaired: ⌊(i-1)/n_u⌋·n_u, all rows before the
//! links, pivots by the phase, each phase once, in every copy. The set in column r+1 is ⌈(1 + (i-1) mod n_u)/npset⌉ as
//! printed; repaired it is 0 where there is no such set.
//! The digit in column j+1 is 1 + ⌈(i-1)/(n_f·n_f^j)⌉ mod n_f as printed, as far as the scan can be read (it has
//! n_f n_j^i, in which n_j is no size of anything that the listing has); it must be ⌊(i-1)/(n_u·n_f^j)⌋.

use super::frames::Frames;
use crate::family::array::{Array, Arrayed, Text};
use nestnet_graph::network::sorted_neighbors;
use nestnet_graph::{Network, Node};
use std::sync::Arc;

/// Larger arrays are not built: as printed it takes the square of this.
const MAX_ROWS: u64 = 1 << 12;

/// More columns are not filled; only frames of one node have so many phases in so few rows.
const MAX_PHASES: u64 = 1 << 12;

/// Which pivot sets the phases have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sequence {
    /// PSS_(sd).
    Degree,
    /// PSS_(sk).
    Diameter,
}

/// What RELLN is given.
#[derive(Debug)]
pub(super) struct Relln {
    unit: Arc<dyn Network>,
    /// By phase.
    frames: Vec<Arc<dyn Network>>,
    sequence: Sequence,
}

impl Relln {
    /// `None` without phases, and where a part has no ids.
    pub(super) fn new(
        unit: Option<Arc<dyn Network>>,
        frames: &Frames,
        sequence: Sequence,
    ) -> Option<Self> {
        let frames = frames.iter().map(|frame| frame.network.clone());
        let frames: Vec<_> = frames.collect::<Option<_>>()?;
        (!frames.is_empty()).then_some(Relln { unit: unit?, frames, sequence })
    }
}

/// A_Gu or A_Gf: the neighbors of every node, numbers from 1.
fn neighbors(network: &dyn Network) -> Vec<Vec<u64>> {
    let row = |at| sorted_neighbors(network, Node(at)).iter().map(|to| to.0 + 1).collect();
    (0..network.order()).map(row).collect()
}

fn widest(rows: &[Vec<u64>]) -> u64 {
    rows.iter().map(Vec::len).max().unwrap_or(0) as u64
}

fn index(value: u64) -> usize {
    usize::try_from(value).expect("a small array")
}

/// The array while it is built.
struct Work {
    array: Array,
    /// A_Gu.
    unit: Vec<Vec<u64>>,
    /// All pairs α < β of the frame of each phase, in the order of the loops.
    pairs: Vec<Vec<(u64, u64)>>,
    /// n_u·n_f^j, the nodes of a copy of G_j, from j = 0 on.
    copies: Vec<u64>,
    /// How many phases have one pivot each.
    singles: usize,
    /// npset.
    size: u64,
    /// The first column of links of the unit, that of links between units, and the last column.
    inside: usize,
    links: usize,
    last: usize,
}

impl Work {
    /// Column `column` of row i, from 1; `None` where there is no such node.
    fn cell(&mut self, i: u64, column: usize) -> Option<&mut u64> {
        let row = usize::try_from(i.checked_sub(1)?).ok()?;
        self.array.rows.get_mut(row)?.get_mut(column)
    }

    /// How many phases have sets of several pivots, and how many such sets there are.
    fn sets(&self) -> usize {
        self.pairs.len() - self.singles
    }

    /// The columns of row i but those of links between units.
    fn fill(&mut self, i: u64) {
        let n_u = self.copies[0];
        let place = (i - 1) % n_u;
        let set = (1 + place).div_ceil(self.size);
        let sets = self.sets();
        let (text, inside, last) = (self.array.text, self.inside, self.last);
        let row = &mut self.array.rows[index(i - 1)];
        row[0] = 1 + place;
        for (cell, sizes) in row[1..].iter_mut().zip(self.copies.windows(2)) {
            let digit = match text {
                Text::Printed => (i - 1).div_ceil(sizes[1] / n_u),
                Text::Repaired => (i - 1) / sizes[0],
            };
            *cell = 1 + digit % (sizes[1] / sizes[0]);
        }
        if sets > 0 {
            let exists = text == Text::Printed || set <= sets as u64;
            row[inside - 2] = if exists { set } else { 0 };
            row[inside - 1] = 0;
        }
        let offset = match text {
            Text::Printed => i.div_ceil(n_u) * n_u,
            Text::Repaired => (i - 1) / n_u * n_u,
        };
        for (cell, to) in row[inside..].iter_mut().zip(&self.unit[index(place)]) {
            *cell = to + offset;
        }
        row[last] = 0;
    }

    /// Enters `to`, whether or not there is such a node, into the row of `from`.
    fn append(&mut self, from: u64, to: u64) {
        let (links, last) = (self.links, self.last);
        let Some(pointer) = self.cell(from, last) else {
            self.array.nowhere += 1;
            return;
        };
        let free = links + index(*pointer);
        *pointer += 1;
        if free >= last {
            self.array.overflows += 1;
        } else if let Some(cell) = self.cell(from, free) {
            *cell = to;
        }
    }

    /// One link between two units, from the pivots that are pointed at, which then move on.
    fn join(&mut self, heads: [u64; 2]) {
        let (column, size) = (self.inside - 1, self.size);
        let [a, b] = heads.map(|head| head + self.cell(head, column).map_or(0, |cell| *cell));
        self.append(a, b);
        self.append(b, a);
        for head in heads {
            if let Some(cell) = self.cell(head, column) {
                *cell = (*cell + 1) % size;
            }
        }
    }

    /// The links of phase j, from 1, in the copy of G_j behind node `copy`, at the pivots number `by` from 0.
    fn phase(&mut self, j: usize, copy: u64, by: u64) {
        let (n_u, below) = (self.copies[0], self.copies[j - 1]);
        let is_single = j <= self.singles;
        for pair in 0..self.pairs[j - 1].len() {
            let (alpha, beta) = self.pairs[j - 1][pair];
            let mut head = 1 + by % n_u * if is_single { 1 } else { self.size };
            while head <= below {
                let heads = [alpha, beta].map(|at| copy + (at - 1) * below + head);
                if is_single {
                    self.append(heads[0], heads[1]);
                    self.append(heads[1], heads[0]);
                } else {
                    self.join(heads);
                }
                head += n_u;
            }
        }
    }
}

impl Arrayed for Relln {
    fn array(&self, text: Text) -> Option<Array> {
        let (n_u, r) = (self.unit.order(), self.frames.len());
        if r as u64 > MAX_PHASES {
            return None;
        }
        let mut copies = vec![n_u];
        for frame in &self.frames {
            let copy = copies[copies.len() - 1].checked_mul(frame.order());
            copies.push(copy.filter(|&nodes| nodes <= MAX_ROWS)?);
        }
        let n_r = copies[r];
        let unit = neighbors(&*self.unit);
        let frames: Vec<_> = self.frames.iter().map(|frame| neighbors(&**frame)).collect();
        let lambda = (r as u64 - 1) / n_u;
        let singles = match self.sequence {
            Sequence::Degree => index(lambda * n_u),
            Sequence::Diameter => r,
        };
        let degree_of = |frames: &[Vec<Vec<u64>>]| frames.iter().map(|rows| widest(rows)).max();
        let size = match r - singles {
            0 => 1,
            sets => (n_u / sets as u64).min(degree_of(&frames[singles..])?).max(1),
        };
        let (d_u, d_f) = (widest(&unit), degree_of(&frames)?);
        let mut columns = vec!["unit".to_owned()];
        columns.extend((1..=r).map(|j| format!("frame {j}")));
        if singles < r {
            columns.extend(["set", "pivot"].map(str::to_owned));
        }
        let inside = columns.len();
        columns.extend((1..=d_u).map(|k| format!("in {k}")));
        let links = columns.len();
        columns.extend((1..=(lambda + 1) * d_f).map(|k| format!("out {k}")));
        let last = columns.len();
        columns.push("next".to_owned());
        let pairs = frames.iter().map(|rows| {
            let pairs = (1..).zip(rows);
            let above = |(a, row): (u64, &Vec<u64>)| {
                row.iter().filter(|&&b| b > a).map(|&b| (a, b)).collect::<Vec<_>>()
            };
            pairs.flat_map(above).collect()
        });
        let pairs = pairs.collect();
        let rows = vec![vec![0; columns.len()]; index(n_r)];
        let array = Array { text, columns, rows, overflows: 0, nowhere: 0 };
        let mut work = Work { array, unit, pairs, copies, singles, size, inside, links, last };
        match text {
            Text::Printed => {
                for i in 1..=n_r {
                    work.fill(i);
                    for j in 1..=r {
                        work.phase(j, 0, i - 1);
                    }
                }
            }
            Text::Repaired => {
                for i in 1..=n_r {
                    work.fill(i);
                }
                for j in 1..=r {
                    let copy = work.copies[j];
                    for number in 0..n_r / copy {
                        work.phase(j, number * copy, j as u64 - 1);
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

    fn array_of(spec: &str, text: Text) -> (Vec<Vec<u64>>, Vec<Vec<u64>>, Array) {
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
            "re(ring(4), ring(3), 4)",
            "re(complete(3), path(2), 3)",
            "re([ring(4), complete(3), path(2)], ring(5))",
            "re([ring(4), star(5), path(2)], ring(5), pivots=degree)",
            "re([star(4), ring(4), complete(5), path(3)], ring(3), pivots=degree)",
        ] {
            let (rows, wanted, array) = array_of(spec, Text::Repaired);
            assert_eq!(rows, wanted, "{spec}");
            assert_eq!((array.overflows, array.nowhere), (0, 0), "{spec}");
        }
    }

    #[test]
    fn the_printed_array_overflows() {
        let (rows, wanted, _) = array_of("re(ring(4), ring(4), 2, pivots=degree)", Text::Printed);
        assert_ne!(rows, wanted);
        // Counted by hand in the header of this file.
        let (.., array) = array_of("re(complete(4), ring(5), 1, pivots=degree)", Text::Printed);
        assert_eq!((array.overflows, array.nowhere), (13, 4));
    }

    #[test]
    fn nodes_behind_the_last_set_are_in_none() {
        let spec = "re(ring(4), ring(7), 2, pivots=degree)";
        let sets = |text| {
            let (.., array) = array_of(spec, text);
            let column = array.columns.iter().position(|column| column == "set").unwrap();
            array.rows.iter().take(7).map(|row| row[column]).collect::<Vec<_>>()
        };
        assert_eq!(sets(Text::Printed), [1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(sets(Text::Repaired), [1, 1, 2, 2, 0, 0, 0]);
    }

    #[test]
    fn the_last_unit_is_sent_beyond_the_last_node() {
        let (.., array) = array_of("re(ring(4), ring(4), 2, pivots=degree)", Text::Printed);
        assert!(array.rows.last().unwrap().iter().any(|&cell| cell > 64));
    }
}
