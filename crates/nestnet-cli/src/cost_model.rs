//! How networks are built: what the options of the cost model say.

use crate::options::{Cost, Given};
use nestnet::physical::floorplan::Floorplan;
use nestnet::physical::{BuiltAs, CostModel, CostSettings};
use serde::{Deserialize, Serialize};

/// The options; each has the default of the library.
#[derive(clap::Args, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CostModelOptions {
    #[command(flatten)]
    given: Given<Cost>,
}

impl CostModelOptions {
    /// What they say, checked.
    pub fn cost_model(&self) -> anyhow::Result<CostModel> {
        Ok(CostSettings::read(BuiltAs::Rack, self.given.iter())?.cost_model)
    }

    /// What they say, checked; a cluster where nothing is said.
    pub fn cost_model_for_cluster(&self) -> anyhow::Result<CostModel> {
        Ok(CostSettings::read(BuiltAs::Cluster, self.given.iter())?.cost_model)
    }

    /// The chip, where it is one, checked.
    pub fn tiles(&self) -> anyhow::Result<Option<Floorplan>> {
        Ok(CostSettings::read(BuiltAs::Rack, self.given.iter())?.tiles())
    }
}
