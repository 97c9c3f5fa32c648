//! Where do the links of a phase lead from a position of the unit? Looked up by the digit of the phase.

use nestnet_graph::radix::Divisor;

/// The links of one phase at one position: each adds to a node what depends on nothing but its digit.
#[derive(Debug)]
pub(super) struct Leap {
    by_stride: Divisor,
    by_n_f: Divisor,
    /// Where the links of each digit begin; one more at the end.
    starts: Vec<usize>,
    /// What a link adds to the node, modulo 2^64.
    steps: Vec<u64>,
}

impl Leap {
    /// With the steps of each digit, ascending.
    pub(super) fn new(
        by_stride: Divisor,
        by_n_f: Divisor,
        digits: impl Iterator<Item = Vec<u64>>,
    ) -> Self {
        let (mut starts, mut steps) = (vec![0], Vec::new());
        for digit in digits {
            steps.extend(digit);
            starts.push(steps.len());
        }
        Leap { by_stride, by_n_f, starts, steps }
    }

    /// The other ends of its links at a node.
    #[inline]
    pub(super) fn for_each(&self, at: u64, mut visit: impl FnMut(u64)) {
        let (_, digit) = self.by_n_f.divide(self.by_stride.divide(at).0);
        let digit = usize::try_from(digit).expect("few digits");
        for &step in &self.steps[self.starts[digit]..self.starts[digit + 1]] {
            visit(at.wrapping_add(step));
        }
    }
}
