//! Exact measures, one question a file.

pub mod search;
