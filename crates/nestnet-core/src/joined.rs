//! Which nodes are joined, when links come one after the other?

/// Sets of nodes, each called by its lowest node.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    /// A lower node of the same set, or the node itself.
    above: Vec<u32>,
}

impl Joined {
    /// Every node by itself.
    pub fn apart(nodes: u32) -> Self {
        Joined { above: (0..nodes).collect() }
    }

    /// The lowest node of a node's set.
    pub fn lowest(&mut self, mut at: u32) -> u32 {
        while self.above[at as usize] != at {
            let above = self.above[at as usize];
            self.above[at as usize] = self.above[above as usize];
            at = above;
        }
        at
    }

    /// Makes one set of those of two nodes.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.lowest(a), self.lowest(b));
        self.above[a.max(b) as usize] = a.min(b);
    }

    /// The lowest node of every node's set.
    pub fn all_lowest(mut self) -> Vec<u32> {
        // Lower nodes come first, so that one look is enough.
        for at in 0..self.above.len() {
            self.above[at] = self.above[self.above[at] as usize];
        }
        self.above
    }

    /// The number of every node's set, from 0 on, by their lowest nodes.
    pub fn numbered(self) -> Vec<u32> {
        let mut next = 0;
        let mut numbers = self.all_lowest();
        for at in 0..numbers.len() {
            let lowest = numbers[at] as usize;
            if lowest == at {
                numbers[at] = next;
                next += 1;
            } else {
                numbers[at] = numbers[lowest];
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_called_by_their_lowest_nodes() {
        let mut joined = Joined::apart(7);
        for (a, b) in [(5, 6), (2, 5), (1, 3), (3, 1), (6, 2)] {
            joined.join(a, b);
        }
        assert_eq!((joined.lowest(6), joined.lowest(3), joined.lowest(4)), (2, 1, 4));
        assert_eq!(joined.clone().all_lowest(), [0, 1, 2, 1, 4, 2, 2]);
        assert_eq!(joined.numbered(), [0, 1, 2, 1, 3, 2, 2]);
    }
}
