//! The simulator once more, slowly.
