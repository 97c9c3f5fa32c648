//! What becomes of a test that needs what is not there?

/// What happens to tools that are not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// They are installed where we may, and named where we may not.
    Install,
    /// What needs them is left out.
    DoWithout,
}
