//! Who is near whom, for traffic that stays near.

use super::Share;
use nestnet_graph::{Budget, Network, Node, OverBudget};
use num_integer::Integer;
use std::collections::VecDeque;
use std::sync::Arc;

/// For every host the others that are near it, ascending. Near is mutual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    near: Arc<[Vec<u64>]>,
    /// A common multiple of what shares are divided by.
    multiple: u128,
}

impl Groups {
    /// From everybody's list.
    pub fn new(near: Vec<Vec<u64>>) -> Self {
        let hosts = near.len() as u64;
        let sizes = near.iter().map(|near| near.len() as u64);
        let mut sizes: Vec<u64> = sizes.flat_map(|size| [size, hosts - 1 - size]).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let parts = sizes.into_iter().filter(|&size| size > 0);
        let multiple = parts.fold(1u128, |all, size| all.lcm(&u128::from(size)));
        Groups { near: near.into(), multiple }
    }

    /// The hosts that links of level 0 join, or that are linked where there is but one level.
    pub fn of(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, OverBudget> {
        let hosts = network.hosts();
        let nodes = u128::from(network.order());
        // Marks, and lists that are as long as groups are wide.
        budget.fits("the groups of hosts", nodes.saturating_mul(16))?;
        let index = |node: Node| usize::try_from(node.0).unwrap_or(usize::MAX);
        if network.levels() <= 1 && hosts == network.order() {
            let near = |host| {
                let mut near = Vec::new();
                network.for_each_neighbor(Node(host), &mut |_, to| near.push(to.0));
                near.sort_unstable();
                near
            };
            return Ok(Groups::new((0..hosts).map(near).collect()));
        }
        let mut seen = vec![false; index(Node(network.order()))];
        let mut near = vec![Vec::new(); index(Node(hosts))];
        let mut listed = 0u128;
        for host in (0..hosts).map(Node) {
            if seen[index(host)] {
                continue;
            }
            let mut group = Vec::new();
            let mut queue = VecDeque::from([host]);
            seen[index(host)] = true;
            while let Some(at) = queue.pop_front() {
                group.extend((at.0 < hosts).then_some(at.0));
                network.for_each_neighbor(at, &mut |port, to| {
                    if network.level(at, port) == 0 && !seen[index(to)] {
                        seen[index(to)] = true;
                        queue.push_back(to);
                    }
                });
            }
            group.sort_unstable();
            listed += 8 * (group.len() as u128).pow(2);
            budget.fits("the groups of hosts", listed)?;
            for &one in &group {
                near[index(Node(one))] =
                    group.iter().copied().filter(|&other| other != one).collect();
            }
        }
        Ok(Groups::new(near))
    }

    /// What shares are divided by divides this.
    pub(super) fn multiple(&self) -> u128 {
        self.multiple
    }

    fn near(&self, from: u64) -> &[u64] {
        usize::try_from(from).ok().and_then(|from| self.near.get(from)).map_or(&[], Vec::as_slice)
    }

    /// How much of what `from` sends stays, and how much leaves, in parts of `share.whole`.
    fn split(&self, from: u64, share: Share) -> (u64, u64) {
        let (near, all) = (self.near(from).len(), self.near.len());
        match (near, all - 1 - near) {
            (0, 0) => (0, 0),
            (0, _) => (0, share.whole),
            (_, 0) => (share.whole, 0),
            _ => (share.part, share.whole - share.part),
        }
    }

    pub(super) fn for_each(&self, from: u64, share: Share, visit: &mut dyn FnMut(u64, u128)) {
        let (stays, leaves) = self.split(from, share);
        let near = self.near(from);
        let hosts = self.near.len() as u64;
        let each = |part: u64, of: u64| u128::from(part) * (self.multiple / u128::from(of.max(1)));
        let inside = each(stays, near.len() as u64);
        let outside = each(leaves, hosts - 1 - near.len() as u64);
        let mut next = near.iter().copied().peekable();
        for to in (0..hosts).filter(|&to| to != from) {
            let is_near = next.next_if_eq(&to).is_some();
            let weight = if is_near { inside } else { outside };
            if weight > 0 {
                visit(to, weight);
            }
        }
    }

    pub(super) fn draw(
        &self,
        from: u64,
        share: Share,
        below: &mut dyn FnMut(u64) -> u64,
    ) -> Option<u64> {
        let (stays, leaves) = self.split(from, share);
        if stays + leaves == 0 {
            return None;
        }
        let near = self.near(from);
        if below(share.whole) < stays {
            let at = below(near.len() as u64);
            return usize::try_from(at).ok().and_then(|at| near.get(at)).copied();
        }
        // The number of those outside that come before it is what is drawn; each near host before it moves it on.
        let mut to = below(self.near.len() as u64 - 1 - near.len() as u64);
        let at = near.partition_point(|&one| one < from);
        for &taken in near[..at].iter().chain([&from]).chain(&near[at..]) {
            if to >= taken {
                to += 1;
            }
        }
        Some(to)
    }
}
