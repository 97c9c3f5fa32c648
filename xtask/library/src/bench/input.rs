//! What is in memory before the clock starts?

use anyhow::{Context, Result};
use nestnet::{Budget, Built, Csr, Network, build};
use std::sync::Arc;

/// How much memory we may use.
pub const MAX_MEMORY: u64 = 8 << 30;

/// A network of a job, with what is in memory before the clock starts.
pub struct Input {
    /// What its spec means.
    pub built: Built,
    csr: Option<Csr>,
}

impl Input {
    /// Builds it, and writes it out if that is wanted.
    pub fn new(spec: &str, written_out: bool) -> Result<Input> {
        let built = build(spec).map_err(|error| anyhow::anyhow!("{error}"))?;
        let budget = Budget { memory: MAX_MEMORY, ..Budget::UNLIMITED };
        let csr = match written_out {
            true => Some(Csr::from_network(&*network(&built)?, &budget)?),
            false => None,
        };
        Ok(Input { built, csr })
    }

    /// The network written out.
    pub fn csr(&self) -> Result<&Csr> {
        self.csr.as_ref().context("it is not written out")
    }
}

/// The network by rule.
pub fn network(built: &Built) -> Result<Arc<dyn Network>> {
    built.network.clone().context("it has no node ids")
}
