//! The verbs, one a file: its arguments, and what it prints.

pub mod collective;
pub mod cut;
pub mod deadlock;
pub mod edges;
pub mod families;
pub mod info;
pub mod measure;
pub mod neighbors;
pub mod paths;
pub mod route;
pub mod routing;
