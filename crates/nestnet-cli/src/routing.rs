//! Which router does a verb use?

use crate::job::Job;
use nestnet::family::{self, Paper};
use nestnet::files::find_router;
use nestnet::routers::default_name;
use nestnet::{Budget, Built, Router};
use serde::{Deserialize, Serialize};
use std::io::{self, Write as _};
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

    /// What to know of the name: where a network is of no paper, `paper` is its shortest routing.
    pub fn note(&self, built: &Built) -> Option<String> {
        let spec = built.spec();
        let paper = family::find(&spec.name).map_or(Paper::Common, |family| family.paper);
        let is_other =
            self.asked() == Some("paper") && paper == Paper::Common && built.paper_is_shortest();
        is_other.then(|| format!("{spec} is of no paper; its router `paper` is `shortest`"))
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

/// Says a note on stderr.
pub fn report_note(note: Option<&str>) {
    if let Some(note) = note {
        // When stderr is closed there is nobody to read it.
        let _ = writeln!(io::stderr(), "note: {note}");
    }
}
