//! Which limit must give, and by how much, where nothing fits?

use super::{DesignError, Question};
use nestnet_core::measure::Watch;

/// The least change of one limit alone that lets something fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relaxed {
    /// The degree to allow.
    pub max_degree: Option<u64>,
    /// The diameter to allow.
    pub max_diameter: Option<u64>,
    /// The tolerance to allow.
    pub tolerance: Option<f64>,
}

pub(super) fn relax(_: &Question, _: u64, _: &Watch<'_>) -> Result<Relaxed, DesignError> {
    Ok(Relaxed::default())
}
