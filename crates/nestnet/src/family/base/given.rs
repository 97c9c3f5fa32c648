//! A network given link by link: an edge list from a file.

use crate::family::{ArgError, Args, Built};
use nestnet_core::format::edges;
use nestnet_core::measure::search::is_connected;
use nestnet_core::theory::{Degrees, Theory};
use nestnet_core::{Csr, Network};
use num_bigint::BigUint;
use std::sync::Arc;

/// What can be counted in a stored network.
#[derive(Debug)]
pub struct StoredTheory {
    order: u64,
    degrees: Degrees,
    connected: bool,
}

impl Theory for StoredTheory {
    fn order(&self) -> BigUint {
        self.order.into()
    }

    fn degrees(&self) -> Degrees {
        self.degrees.clone()
    }

    fn connected(&self) -> bool {
        self.connected
    }
}

/// A stored network and what can be counted in it.
pub fn stored(csr: Csr) -> Built {
    let theory = StoredTheory {
        order: csr.order(),
        degrees: Degrees::measured(&csr),
        connected: is_connected(&csr),
    };
    Built::new(theory, Some(Arc::new(csr)))
}

pub(super) fn from_file(args: &Args) -> Result<Built, ArgError> {
    let path = args.text("path");
    let fault = |why: String| ArgError::new("path", format!("\"{path}\": {why}"));
    let bytes = (args.context.read)(path).map_err(|error| fault(error.to_string()))?;
    let links = edges::read(bytes.as_slice()).map_err(|error| fault(error.to_string()))?;
    let last = links.iter().map(|&(u, v)| u.max(v)).max().unwrap_or(0);
    let least = u64::from(last) + 1;
    let order = args.optional_integer("nodes").unwrap_or(least);
    if order < least {
        let message = format!("must be at least {least}: the file has node {last}");
        return Err(ArgError::new("nodes", message));
    }
    let csr = Csr::from_links(order, &links, args.context.max_memory);
    csr.map(stored).map_err(|error| fault(error.to_string()))
}
