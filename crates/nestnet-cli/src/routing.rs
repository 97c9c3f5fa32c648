//! Which router does a verb use?

use crate::job::Job;
use nestnet::files::find_router;
use nestnet::routers::default_name;
use nestnet::{Budget, Built, Router};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The router of a verb.
#[derive(clap::Args, Serialize, Deserialize)]
pub struct RouterOptions {
    /// The router: `shortest`, `paper`, `balanced`, `ecmp`, `optimized`, `valiant`, `table` or one around another, such as
    /// `valiant(paper)`; `optimized(TRAFFIC, K)` is made for a traffic, with at most K paths a pair of switches;
    /// `table(FILE)` follows the routes of a file [default: `balanced` for a network from a file, else `shortest` where
    /// there is one, else `paper`]
    #[arg(long, value_name = "NAME")]
    router: Option<String>,
}

impl RouterOptions {
    /// The name that is asked for, if one is.
    pub fn asked(&self) -> Option<&str> {
        self.router.as_deref()
    }

    /// The name of the router.
    pub fn name<'a>(&'a self, built: &Built) -> &'a str {
        self.router.as_deref().unwrap_or_else(|| default_name(built))
    }

    /// The router itself.
    pub fn find(
        &self,
        built: &Built,
        job: &Job,
        budget: &Budget<'_>,
    ) -> anyhow::Result<Arc<dyn Router>> {
        let read = |path: &str| job.read_file(path);
        Ok(find_router(built, self.name(built), &read, budget)?)
    }
}
