//! A shortest cycle among channels that cannot be sorted.

use super::graph::Graph;
use nestnet_graph::measure::{Interrupted, Watch};

/// Dependencies that are followed in all before the best cycle so far is taken.
const MAX_FOLLOWED: u64 = 400_000_000;

/// A shortest cycle through the channels of `stuck` that are tried, in ascending order: all of them, unless that would
/// take too long. It begins with its smallest channel. `stuck` must hold a cycle and all that follows it.
pub fn shortest(
    graph: &Graph<'_>,
    stuck: &[usize],
    watch: &Watch<'_>,
) -> Result<Vec<usize>, Interrupted> {
    const NEVER: u32 = u32::MAX;
    let mut search = Search {
        graph,
        seen: vec![NEVER; graph.size()],
        parent: vec![0; graph.size()],
        queue: Vec::new(),
        followed: 0,
    };
    let mut best: Option<Vec<usize>> = None;
    for (round, start) in (0..NEVER).zip(with_successors(graph, stuck)) {
        watch.check()?;
        let most = best.as_ref().map_or(usize::MAX, |cycle| cycle.len() - 1);
        // A cycle of two channels is the shortest possible.
        if most < 2 || (best.is_some() && search.followed > MAX_FOLLOWED) {
            break;
        }
        if let Some(cycle) = search.through(start, round, most) {
            best = Some(cycle);
        }
    }
    let mut cycle = best.unwrap_or_default();
    let smallest = (0..cycle.len()).min_by_key(|&i| cycle[i]).unwrap_or(0);
    cycle.rotate_left(smallest);
    Ok(cycle)
}

/// The channels of `stuck` from which a cycle can be reached, ascending: others are not on one.
fn with_successors(graph: &Graph<'_>, stuck: &[usize]) -> Vec<usize> {
    let mut after = vec![0u32; graph.size()];
    let mut arcs = Vec::new();
    for &channel in stuck {
        arcs.extend(graph.following(channel).map(|next| (next, channel)));
    }
    arcs.sort_unstable();
    arcs.iter().for_each(|&(_, channel)| after[channel] += 1);
    let mut ends: Vec<usize> = stuck.iter().copied().filter(|&c| after[c] == 0).collect();
    while let Some(end) = ends.pop() {
        let first = arcs.partition_point(|&(next, _)| next < end);
        for &(_, before) in arcs[first..].iter().take_while(|&&(next, _)| next == end) {
            after[before] -= 1;
            if after[before] == 0 {
                ends.push(before);
            }
        }
    }
    stuck.iter().copied().filter(|&channel| after[channel] > 0).collect()
}

struct Search<'a> {
    graph: &'a Graph<'a>,
    /// The round in which a channel was seen last.
    seen: Vec<u32>,
    parent: Vec<usize>,
    queue: Vec<usize>,
    followed: u64,
}

impl Search<'_> {
    /// The shortest cycle through `start` of at most so many channels, breadth first.
    fn through(&mut self, start: usize, round: u32, most: usize) -> Option<Vec<usize>> {
        self.queue.clear();
        self.queue.push(start);
        let (mut done, mut length) = (0, 1);
        while done < self.queue.len() && length <= most {
            let end = self.queue.len();
            while done < end {
                let channel = self.queue[done];
                done += 1;
                for next in self.graph.following(channel) {
                    self.followed += 1;
                    if next == start {
                        return Some(self.back(start, channel));
                    }
                    if self.seen[next] != round {
                        self.seen[next] = round;
                        self.parent[next] = channel;
                        self.queue.push(next);
                    }
                }
            }
            length += 1;
        }
        None
    }

    fn back(&self, start: usize, mut channel: usize) -> Vec<usize> {
        let mut cycle = vec![channel];
        while channel != start {
            channel = self.parent[channel];
            cycle.push(channel);
        }
        cycle.reverse();
        cycle
    }
}
