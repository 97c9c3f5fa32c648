//! File formats, one a file; readers and writers over `impl Read` and `impl Write` only.

pub mod edges;
pub mod goal;
pub mod infiniband;
pub mod msccl;
pub mod routes;
pub mod schedule;
