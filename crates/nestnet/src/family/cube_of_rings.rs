//! To come.

use super::Family;

/// The rows of this file.
pub static FAMILIES: &[Family] = &[];
