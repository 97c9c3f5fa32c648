//! Where is a part? As indexing says, but without the length in the message: so it need not be loaded for every part.

#[inline(always)]
pub(super) fn at<T>(parts: &[T], index: usize) -> &T {
    parts.get(index).unwrap_or_else(|| is_none())
}

/// The same, to change it.
#[inline(always)]
pub(super) fn at_mut<T>(parts: &mut [T], index: usize) -> &mut T {
    parts.get_mut(index).unwrap_or_else(|| is_none())
}

#[cold]
#[inline(never)]
fn is_none() -> ! {
    panic!("an index of the simulator leads nowhere")
}
