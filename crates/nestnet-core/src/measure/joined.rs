//! Which things have been found alike so far? Union-find.

use super::id;

/// Classes that grow together.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    parent: Vec<u32>,
    size: Vec<u32>,
    classes: usize,
}

impl Joined {
    pub(crate) fn new(members: usize) -> Self {
        Joined { parent: (0..members).map(id).collect(), size: vec![1; members], classes: members }
    }

    pub(crate) fn members(&self) -> usize {
        self.parent.len()
    }

    /// How many classes there are.
    pub(crate) fn classes(&self) -> usize {
        self.classes
    }

    pub(crate) fn find(&mut self, member: u32) -> u32 {
        let mut at = member;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    #[inline]
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        // Most are known to be alike, and stand side by side.
        if self.parent[a as usize] == self.parent[b as usize] {
            return;
        }
        self.join_roots(a, b);
    }

    fn join_roots(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (large, small) =
            if self.size[a as usize] >= self.size[b as usize] { (a, b) } else { (b, a) };
        self.classes -= 1;
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
    }

    pub(crate) fn size(&mut self, member: u32) -> u32 {
        let root = self.find(member);
        self.size[root as usize]
    }
}
