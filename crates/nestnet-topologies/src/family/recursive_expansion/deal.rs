//! Which links of a frame are dealt to which of the pivots of a phase? Worked out once for a small frame.

use nestnet_graph::{Network, Node, Port};

/// Frames with at most this many port entries are worth a list: it stays in the nearest caches.
const MAX_ENTRIES: u64 = 1 << 16;

/// A link of a frame as it leaves from one pivot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The port of the frame.
    pub(super) port: Port,
    /// The digit at the other end.
    pub(super) to: u64,
    /// The place of the pivot at the other end in its block.
    pub(super) there: u64,
}

/// All links of a frame, by digit and by the place in the block of pivots from which they leave.
#[derive(Debug)]
pub(super) struct Deal {
    size: u64,
    /// Where the links of each place begin; one more at the end.
    starts: Vec<usize>,
    links: Vec<Link>,
}

impl Deal {
    /// The links dealt out in turn among `size` places; `None` for a large frame.
    pub(super) fn new(frame: &dyn Network, size: u64) -> Option<Self> {
        let (order, ports) = (frame.order(), u64::from(frame.ports()).max(1));
        if order.saturating_mul(ports.max(size)) > MAX_ENTRIES {
            return None;
        }
        let index = |node: u64| usize::try_from(node).expect("a small frame");
        let ranked: Vec<Vec<u64>> = (0..order)
            .map(|at| {
                let mut row = Vec::new();
                frame.for_each_neighbor(Node(at), &mut |_, to| row.push(to.0));
                row.sort_unstable();
                row
            })
            .collect();
        let rank = |at: u64, to: u64| {
            let rank = ranked[index(at)].binary_search(&to).expect("links are symmetric");
            rank as u64 % size
        };
        let (mut starts, mut links) = (vec![0], Vec::new());
        for digit in 0..order {
            let mut row = Vec::new();
            frame.for_each_neighbor(Node(digit), &mut |port, to| row.push((port, to.0)));
            for place in 0..size {
                let dealt = row.iter().filter(|&&(_, to)| rank(digit, to) == place);
                links.extend(dealt.map(|&(port, to)| Link { port, to, there: rank(to, digit) }));
                starts.push(links.len());
            }
        }
        Some(Deal { size, starts, links })
    }

    /// The links of a digit that leave from one place in the block, ports ascending.
    pub(super) fn of(&self, digit: u64, place: u64) -> &[Link] {
        let at = usize::try_from(digit * self.size + place).expect("a small frame");
        &self.links[self.starts[at]..self.starts[at + 1]]
    }
}
