//! The verbs, one a file: its arguments, and what it prints.

pub mod broadcast;
pub mod claims;
pub mod collective;
pub mod compare;
pub mod completions;
pub mod cut;
pub mod deadlock;
pub mod design;
pub mod draw;
pub mod edges;
pub mod embed;
pub mod emulate;
pub mod families;
pub mod grow;
pub mod info;
pub mod man;
pub mod measure;
pub mod neighbors;
pub mod paths;
pub mod report;
pub mod route;
pub mod routing;
pub mod run;
pub mod simulate;
pub mod throughput;
