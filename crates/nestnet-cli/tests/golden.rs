//! The verbs print what the files in `tests/golden` say, one test for each file. `UPDATE_GOLDEN=1` writes the files anew.
//!
//! This binary has a harness of its own, in which a `#[test]` would not run.

use libtest_mimic::{Arguments, Failed, Trial, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// A file, and the command that prints it.
const GOLDEN: &[(&str, &[&str])] = &[
    ("help.txt", &["--help"]),
    ("info_rdn.txt", &["info", "rdn(torus(5,5),2)"]),
    ("info_rdn.json", &["info", "rdn(torus(5,5),2)", "--json"]),
    ("info_dual_cube.txt", &["info", "dual_cube(4)"]),
    ("info_dual_cube.json", &["info", "dual_cube(n=4)", "--json"]),
    ("info_mesh.txt", &["info", "mesh(3, 4, 5)"]),
    ("info_mesh.json", &["info", "mesh(3, 4, 5)", "--json"]),
    ("info_large.txt", &["info", "rdn(torus(5, 5), 4)"]),
    ("info_large.json", &["info", "rdn(torus(5, 5), 4)", "--json"]),
    ("info_single.txt", &["info", "ring(1)"]),
    ("neighbors.txt", &["neighbors", "rdn(ring(5), 1)", "7"]),
    ("neighbors.json", &["neighbors", "rdn(ring(5), 1)", "(0,1,2)", "--json"]),
    ("neighbors_none.json", &["neighbors", "hypercube(0)", "-", "--json"]),
    ("families_rdn.txt", &["families", "rdn"]),
    ("families_rdn.json", &["families", "rdn", "--json"]),
    ("families_file.txt", &["families", "file"]),
    ("edges.txt", &["edges", "petersen"]),
    (
        "measure.txt",
        &["measure", "rdn(ring(3), 1)", "--only", "size,structure,distances,quality,connectivity"],
    ),
    ("measure_large.json", &["measure", "rdn(torus(5, 5), 4)", "--only", "distances,cr", "--json"]),
    ("measure_disconnected.txt", &["measure", "rcr(1, 1, 3)", "--only", "structure,distances"]),
    ("measure_single.txt", &["measure", "ring(1)", "--only", "distances,connectivity"]),
    ("measure_list.txt", &["measure", "--list"]),
    ("route.txt", &["route", "rdn(petersen, 1)", "3", "157"]),
    (
        "route.json",
        &["route", "rsn(hypercube(2), 2)", "(00,01)", "14", "--router", "paper", "--json"],
    ),
    ("route_huge.txt", &["route", "rdn(hypercube(3), 4)", "0", "9223372036854775807"]),
    (
        "route_valiant.json",
        &["route", "ccc(3)", "0", "23", "--router", "valiant", "--choice", "7", "--json"],
    ),
    (
        "route_faults.txt",
        &["route", "torus(4, 4)", "0", "10", "--faults", "(1,0);(3,0);(0,0)-(0,1)"],
    ),
    ("routing.txt", &["routing", "rdn(petersen, 1)"]),
    ("routing.json", &["routing", "rdn(ring(3), 1)", "--json"]),
    ("routing_sampled.txt", &["routing", "rdn(torus(5, 5), 3)", "--sample", "100", "--seed", "1"]),
    ("routing_faults.txt", &["routing", "torus(6, 6)", "--random-faults", "0.1"]),
    ("paths.txt", &["paths", "rdn(petersen, 1)", "3", "157"]),
    ("paths.json", &["paths", "rsn(hypercube(2), 2)", "(00,01)", "11", "--json"]),
    ("claims.txt", &["claims", "--only", "li-2009.table-2-ccc"]),
    ("compare.txt", &["compare", "rdn(ring(3), 1)", "torus(3, 6)", "random_regular(18, 3, 1)"]),
    ("compare.json", &["compare", "rdn(ring(3), 1)", "torus(3, 6)", "--json"]),
    ("cut.txt", &["cut", "rdn(ring(3), 1)", "--side"]),
    ("throughput.txt", &["throughput", "fat_tree(4)"]),
    (
        "throughput_worst.json",
        &["throughput", "hosts(dragonfly(2, 1), 2)", "--traffic", "worst", "--json"],
    ),
    ("throughput_list.txt", &["throughput", "--list"]),
    ("broadcast.txt", &["broadcast", "rdn(ring(3), 2)", "0"]),
    (
        "broadcast.json",
        &["broadcast", "rsn(hypercube(2), 2)", "(00,01)", "--ports", "all", "--json"],
    ),
    ("broadcast_steps.txt", &["broadcast", "petersen", "3", "--steps"]),
    ("broadcast_goal.txt", &["broadcast", "ring(4)", "0", "--export", "goal", "--bytes", "8"]),
    ("broadcast_best.txt", &["broadcast", "heawood", "0", "--ports", "one"]),
    ("deadlock.txt", &["deadlock", "rdn(ring(3), 1)"]),
    ("deadlock.json", &["deadlock", "rdn(ring(3), 1)", "--json"]),
    ("deadlock_order.txt", &["deadlock", "ring(4)", "--order"]),
    ("resilience.txt", &["resilience", "petersen", "--trials", "200", "--at", "5%,20%"]),
    ("grow_rdn.txt", &["grow", "rdn(petersen, 1)"]),
    ("grow_fabric.txt", &["grow", "hosts(torus(4, 4), 2)", "--hosts", "48"]),
    ("grow_fabric.json", &["grow", "clos(8, 2, 2)", "--hosts", "60", "--json"]),
    ("collective_rails.txt", &["collective", "allreduce", "rails(4, 2, 4, 0, 4)"]),
    ("grow_torus.txt", &["grow", "torus(4, 6)"]),
    ("grow_large.json", &["grow", "rdn(torus(5, 5), 2)", "--json"]),
    (
        "design.json",
        &[
            "design",
            "--nodes",
            "18",
            "--depth",
            "1",
            "--max-base",
            "4",
            "--max-degree",
            "4",
            "--json",
        ],
    ),
    ("run_fft.txt", &["run", "fft", "rsn(hypercube(2), 3)"]),
    ("run_sort.json", &["run", "sort", "hcn(4)", "--seed", "7", "--json"]),
    ("run_scan.txt", &["run", "scan", "dual_cube(4)"]),
    ("run_transpose.txt", &["run", "transpose", "dual_cube(4)"]),
    ("emulate.txt", &["emulate", "rsn(hypercube(2), 3)"]),
    ("emulate.json", &["emulate", "rsn(mesh(2, 3), 2)", "--json"]),
    ("emulate_one.txt", &["emulate", "rsn(complete(5), 2)", "--dimension", "2"]),
    ("embed.txt", &["embed", "hypercube(4)", "hcn(2)", "--map"]),
    ("embed.json", &["embed", "ring(16)", "hypercube(4)", "--json"]),
    ("deadlock_assign.json", &["deadlock", "random_regular(50, 3, 1)", "--assign", "--json"]),
    ("collective.txt", &["collective", "allreduce", "hypercube(4)"]),
    (
        "collective_scatter.txt",
        &["collective", "scatter", "rdn(ring(3), 1)", "--root", "7", "--ports", "all"],
    ),
    (
        "collective.json",
        &[
            "collective",
            "all-to-all",
            "torus(4, 4)",
            "--bytes",
            "64kB",
            "--alpha",
            "2e-6",
            "--json",
        ],
    ),
    ("collective_steps.txt", &["collective", "gather", "rdn(ring(3), 1)", "--steps"]),
    (
        "collective_steps.json",
        &["collective", "reduce", "petersen", "--root", "3", "--steps", "--json"],
    ),
    (
        "collective.goal",
        &["collective", "allreduce", "ring(4)", "--algorithm", "ring", "--export", "goal"],
    ),
    (
        "collective_msccl.xml",
        &["collective", "allreduce", "hypercube(2)", "--algorithm", "ring", "--export", "msccl"],
    ),
];

/// A picture, and the command that draws it without `-o`.
const DRAWN: &[(&str, &[&str])] = &[
    ("draw_petersen.svg", &["draw", "petersen"]),
    ("draw_route.svg", &["draw", "rdn(ring(3), 1)", "--route", "0", "(1,2,1)"]),
    (
        "draw_broadcast.svg",
        &["draw", "heawood", "--broadcast", "0", "--step", "2", "--theme", "dark"],
    ),
    ("draw_folded.svg", &["draw", "rsn(hypercube(2), 3)", "--fold", "2"]),
];

fn main() -> ExitCode {
    let printed =
        GOLDEN.iter().map(|&(file, args)| Trial::test(file, || is_golden(file, print(args)?)));
    let drawn =
        DRAWN.iter().map(|&(file, args)| Trial::test(file, || is_golden(file, draw(args)?)));
    let mut trials: Vec<Trial> = printed.chain(drawn).collect();
    trials.push(Trial::test("every_file_has_its_command", every_file_has_its_command));
    run(&Arguments::from_args(), trials).exit_code()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// What `nestnet` prints.
fn print(args: &[&str]) -> Result<String, Failed> {
    // The help is as wide as the terminal says.
    let mut command = Command::new(env!("CARGO_BIN_EXE_nestnet"));
    let output = command.args(args).env_remove("COLUMNS").output()?;
    let stderr = String::from_utf8(output.stderr)?;
    assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{args:?}");
    Ok(String::from_utf8(output.stdout)?)
}

/// The picture that `nestnet` draws.
fn draw(args: &[&str]) -> Result<String, Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("picture.svg");
    print(&[args, &["-o", &path.to_string_lossy()]].concat())?;
    Ok(fs::read_to_string(path)?)
}

fn is_golden(file: &str, found: String) -> Result<(), Failed> {
    let path = folder().join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::write(&path, &found)?;
    }
    if fs::read_to_string(path).unwrap_or_default() != found {
        return Err(format!("UPDATE_GOLDEN=1 accepts this:\n{found}").into());
    }
    Ok(())
}

fn every_file_has_its_command() -> Result<(), Failed> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(folder())? {
        files.insert(entry?.file_name().into_string().map_err(|_| "a name in UTF-8")?);
    }
    let rows = || GOLDEN.iter().chain(DRAWN);
    let named: BTreeSet<String> = rows().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(named.len(), rows().count(), "two commands write one file");
    assert_eq!(files, named);
    Ok(())
}
