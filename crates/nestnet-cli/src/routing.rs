//! Which router does a verb use?

use nestnet::routers::{RouterError, default_name, find_within};
use nestnet::{Budget, Built, Router};
use std::sync::Arc;

/// The router of a verb.
#[derive(clap::Args)]
pub struct RouterOptions {
    /// The router: `shortest`, `paper`, `valiant`, `table` or one around another, such as
    /// `valiant(paper)` [default: `shortest` where there is one, else `paper`]
    #[arg(long, value_name = "NAME")]
    router: Option<String>,
}

impl RouterOptions {
    /// The name of the router.
    pub fn name<'a>(&'a self, built: &Built) -> &'a str {
        self.router.as_deref().unwrap_or_else(|| default_name(built))
    }

    /// The router itself.
    pub fn find(&self, built: &Built, budget: &Budget<'_>) -> Result<Arc<dyn Router>, RouterError> {
        find_within(built, self.name(built), budget)
    }
}
