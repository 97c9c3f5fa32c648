//! The command line from outside: what it prints, and what its exit code says.

mod big;
mod checkpoint;
mod claims;
mod collective;
mod compare;
mod deadlock;
mod design;
mod draw;
mod edges;
mod errata;
mod errors;
mod families;
mod files;
mod front_end;
mod honest;
mod limits;
mod measure;
mod page;
mod procedures;
mod programs;
mod ranks;
mod readme;
mod route;
mod routing;
mod schema;
mod shards;
mod simulate;
mod study;
mod threads;
mod throughput;
mod tools;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

/// The binary under test.
const NESTNET: &str = env!("CARGO_BIN_EXE_nestnet");

/// What every row about a network says.
const FIGURES: [&str; 10] = [
    "spec",
    "nodes",
    "degree",
    "diameter",
    "average_distance",
    "links",
    "cost",
    "cr",
    "moore_efficiency",
    "vcs",
];

/// How a command ended.
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
        }
    }
}

/// Runs `nestnet` with `args`.
fn nestnet(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ended {
    // The help is as wide as the terminal says.
    let mut command = Command::new(NESTNET);
    command.args(args).env_remove("COLUMNS").output().expect("the binary runs").into()
}

/// The schema of what `args` print: that of the verb, or of an option that has another answer.
fn schema_of(args: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let options = args.iter().filter_map(|arg| arg.strip_prefix("--"));
    let mut own = options.map(|option| format!("{}-{option}", args[0]));
    let own = own.find(|name| folder.join(format!("{name}.json")).is_file());
    own.unwrap_or_else(|| args[0].to_owned())
}

/// The one JSON object that `args` print.
fn json(args: &[&str]) -> serde_json::Value {
    let ended = nestnet(args);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{args:?}");
    let object: serde_json::Value = serde_json::from_str(&ended.stdout).expect("one JSON object");
    assert!(object.is_object());
    let faults = schema::faults(&schema_of(args), &object);
    assert!(faults.is_empty(), "{args:?} differs from docs/schemas: {}", faults.join("; "));
    object
}
