//! Which frame does each phase take?

use crate::family::Built;
use std::ops::Index;
use std::sync::Arc;

/// A frame for each phase, each kept once however many phases take it.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    kinds: Vec<Built>,
    /// By phase, its place among the kinds.
    of_phase: Vec<usize>,
}

impl Frames {
    /// The same in all phases.
    pub fn repeated(frame: &Built, phases: usize) -> Self {
        Frames { kinds: vec![frame.clone()], of_phase: vec![0; phases] }
    }

    /// One a phase.
    pub fn list(frames: &[Built]) -> Self {
        let mut kinds: Vec<Built> = Vec::new();
        let mut kind_of = |frame: &Built| {
            let same = |kind: &Built| Arc::ptr_eq(&kind.theory, &frame.theory);
            kinds.iter().position(same).unwrap_or_else(|| {
                kinds.push(frame.clone());
                kinds.len() - 1
            })
        };
        let of_phase = frames.iter().map(&mut kind_of).collect();
        Frames { kinds, of_phase }
    }

    /// How many phases there are.
    pub fn len(&self) -> usize {
        self.of_phase.len()
    }

    pub fn is_empty(&self) -> bool {
        self.of_phase.is_empty()
    }

    /// Phase by phase.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Built> + Clone {
        self.of_phase.iter().map(|&kind| &self.kinds[kind])
    }

    /// By phase, the place of its frame among the kinds.
    pub fn of_phase(&self) -> &[usize] {
        &self.of_phase
    }

    /// Those that phases take, each once with how many do.
    pub fn kinds(&self) -> impl Iterator<Item = (&Built, usize)> {
        self.kinds
            .iter()
            .enumerate()
            .map(|(at, kind)| (kind, self.of_phase.iter().filter(|&&taken| taken == at).count()))
    }
}

impl Index<usize> for Frames {
    type Output = Built;

    fn index(&self, phase: usize) -> &Built {
        &self.kinds[self.of_phase[phase]]
    }
}
