//! A network given link by link: a file of any format that is read, or one that the caller holds in memory.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Plan, stress};
use nestnet_formats as format;
use nestnet_formats::StoreError;
use nestnet_graph::Watch;

pub(super) fn from_file(args: &Args) -> Result<Built, ArgError> {
    let path = args.text("path");
    if let Some(network) = (args.context.given)(path) {
        return Ok(Built::imported(network, Vec::new()));
    }
    let fault = |why: String| ArgError::new("path", format!("\"{path}\": {why}"));
    let bytes = (args.context.read)(path).map_err(|error| fault(error.to_string()))?;
    let asked = match args.optional_text("format") {
        Some(name) => {
            let asked = format::find(name).filter(|format| format.read.is_some());
            Some(asked.ok_or_else(|| ArgError::new("format", unknown(name)))?)
        }
        None => None,
    };
    let wanted = args.optional_integer("nodes");
    let format = asked.unwrap_or_else(|| format::of_file(path, &bytes));
    let reading = format::read(format, &bytes, wanted).map_err(|error| fault(error.to_string()))?;
    drop(bytes);
    let stored = reading.network(wanted, &args.context.budget);
    let (network, remarks) = stored.map_err(|error| match error {
        StoreError::TooFew { .. } => ArgError::new("nodes", error),
        error => fault(error.to_string()),
    })?;
    let remarks = remarks.iter().map(ToString::to_string).collect();
    /// Larger ones are laid out when somebody draws them.
    const MAX_LAID_OUT: u64 = 300;
    let is_small = network.order() <= MAX_LAID_OUT;
    let points = if is_small { stress::layout(&*network, &Watch::SILENT) } else { Ok(None) };
    let built = Built::imported(network, remarks);
    Ok(match points {
        Ok(Some(points)) => built.placed(Plan::given(points.len() as u64, || points)),
        _ => built,
    })
}

/// That there is no such format, and which there are.
fn unknown(name: &str) -> String {
    let known = format::FORMATS.iter().filter(|format| format.read.is_some());
    let known: Vec<&str> = known.map(|format| format.name).collect();
    format!("\"{name}\" is not one that is read: {}", known.join(", "))
}
