//! Which router does a verb use?

use anyhow::Context as _;
use nestnet::format::routes;
use nestnet::route::ExplicitRoutes;
use nestnet::routers::{default_name, find_within};
use nestnet::{Budget, Built, Router};
use serde::{Deserialize, Serialize};
use std::path::Path;
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
    pub fn find(&self, built: &Built, budget: &Budget<'_>) -> anyhow::Result<Arc<dyn Router>> {
        let name = self.name(built);
        match of_name(built, name, budget) {
            Some(found) => found,
            None => Ok(find_within(built, name, budget)?),
        }
    }
}

/// The router that follows the routes of a file, where `name` is `table(FILE)` and there is that file.
pub fn of_name(
    built: &Built,
    name: &str,
    budget: &Budget<'_>,
) -> Option<anyhow::Result<Arc<dyn Router>>> {
    let path = file_of(name).filter(|_| built.network.is_some())?;
    Some(of_file(built, path, budget).with_context(|| path.to_owned()))
}

/// The file that a router's name has, if it is one and no router.
pub fn file_of(name: &str) -> Option<&str> {
    let inner = name.strip_prefix("table(")?.strip_suffix(')')?.trim();
    let inner = inner.strip_prefix('"').and_then(|path| path.strip_suffix('"')).unwrap_or(inner);
    Path::new(inner).is_file().then_some(inner)
}

/// Bytes in memory for each byte of a file of routes: a short one takes the most.
const ROUTE_BYTES: u128 = 64;

fn of_file(built: &Built, path: &str, budget: &Budget<'_>) -> anyhow::Result<Arc<dyn Router>> {
    let network = built.network.as_ref().context("it has no node ids")?;
    let bytes = std::fs::metadata(path)?.len();
    budget.fits("its routes", u128::from(bytes) * ROUTE_BYTES)?;
    let routes = routes::read(std::fs::read(path)?.as_slice())?;
    Ok(Arc::new(ExplicitRoutes::new(&**network, &routes)?))
}
