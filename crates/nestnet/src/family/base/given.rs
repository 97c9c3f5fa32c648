//! A network given link by link: an edge list from a file.

use crate::family::{ArgError, Args, Built};
use nestnet_core::Csr;
use nestnet_core::format::edges;

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
    let csr = Csr::from_links(order, &links, args.context.budget.memory);
    csr.map(Built::stored).map_err(|error| fault(error.to_string()))
}
