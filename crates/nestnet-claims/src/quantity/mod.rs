//! What a claim can be about: the one table of quantities that the ledger measures.
//!
//! Every key of the measures is one, asked of a network; the others are here.

mod error;
mod programs;
mod routes;
mod row;
mod shape;

pub use error::QuantityError;
pub(super) use row::spelled;
pub use row::{Given, Quantity, Source, Takes};

use nestnet_analysis::measures::MEASURES;
use std::sync::LazyLock;

/// The quantity of that name.
pub fn find(name: &str) -> Option<&'static Quantity> {
    QUANTITIES.iter().find(|quantity| quantity.name == name)
}

/// The quantity that may have been meant.
pub fn closest(name: &str) -> Option<&'static str> {
    /// A longer word is no slip of the pen, and takes long to compare.
    const MAX_WORD: usize = 40;
    let names = QUANTITIES.iter().map(|quantity| quantity.name);
    (name.len() <= MAX_WORD).then(|| nestnet_topologies::family::closest(name, names))?
}

/// All quantities.
pub static QUANTITIES: LazyLock<Vec<Quantity>> = LazyLock::new(|| {
    let keys = MEASURES.iter().flat_map(|measure| {
        measure.keys.iter().map(|key| Quantity {
            name: key,
            takes: &[Takes::Network],
            about: measure.about,
            command: "nestnet measure '{0}' --only {name}",
            source: Source::Key(key),
            by_rule_above: None,
        })
    });
    let others = [shape::ROWS, routes::ROWS, programs::ROWS].concat();
    keys.chain(others).collect()
});
