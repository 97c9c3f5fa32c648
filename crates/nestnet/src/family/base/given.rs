//! A network given link by link: an edge list from a file, or one that the caller holds in memory.

use crate::family::{ArgError, Args, Built};
use nestnet_core::format::edges::{self, EdgeList, Labels};
use nestnet_core::named::Named;
use nestnet_core::{Csr, Network};
use std::sync::Arc;

pub(super) fn from_file(args: &Args) -> Result<Built, ArgError> {
    let path = args.text("path");
    if let Some(network) = (args.context.given)(path) {
        return Ok(Built::stored_with(network, Vec::new()));
    }
    let fault = |why: String| ArgError::new("path", format!("\"{path}\": {why}"));
    let bytes = (args.context.read)(path).map_err(|error| fault(error.to_string()))?;
    let list = edges::read(bytes.as_slice()).map_err(|error| fault(error.to_string()))?;
    drop(bytes);
    let mut remarks = remarks(&list);
    let EdgeList { mut links, labels, .. } = list;
    let ends = || links.iter().flat_map(|&(u, v)| [u, v]);
    let (first, last) = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
    let wanted = args.optional_integer("nodes");
    // Without node 0, a list that is not said to have one more node counts from 1.
    let from_one = matches!(labels, Labels::Numbers)
        && first == 1
        && wanted.is_none_or(|nodes| nodes <= u64::from(last));
    if from_one {
        links.iter_mut().for_each(|(u, v)| (*u, *v) = (*u - 1, *v - 1));
        remarks.push(
            "the file counts from 1: addresses are its numbers, node ids one less".to_owned(),
        );
    }
    let least = u64::from(last) + u64::from(!from_one);
    let order = wanted.unwrap_or(least);
    if order < least {
        let what = if from_one { "has nodes 1 to" } else { "has node" };
        let message = format!("must be at least {least}: the file {what} {last}");
        return Err(ArgError::new("nodes", message));
    }
    let csr = Csr::from_links(order, &links, args.context.budget.memory);
    let csr = csr.map_err(|error| fault(error.to_string()))?;
    drop(links);
    let network: Arc<dyn Network> = match labels {
        Labels::Names(names) => Arc::new(Named::new(csr, names)),
        Labels::Numbers if from_one => Arc::new(Named::counted_from(csr, 1)),
        Labels::Numbers => Arc::new(csr),
    };
    Ok(Built::stored_with(network, remarks))
}

/// What a reader of the file should know of how it was read.
fn remarks(list: &EdgeList) -> Vec<String> {
    let mut remarks = Vec::new();
    if list.header {
        remarks.push("the first line of the file names its columns".to_owned());
    }
    if list.extra_column {
        remarks.push("the third column of the file is not read: links have no weights".to_owned());
    }
    remarks
}
