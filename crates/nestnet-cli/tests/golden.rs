//! The verbs print what the files in `tests/golden` say, one test for each file. `UPDATE_GOLDEN=1` writes the files anew.
//!
//! This binary has a harness of its own, in which a `#[test]` would not run.

#[path = "cli/schema.rs"]
mod schema;

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
    ("neighbors_array.txt", &["neighbors", "re([path(2), ring(4)], ring(3))", "7", "--array"]),
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
    ("routing-as-printed.json", &["routing", "rdn(ring(3), 1)", "--as-printed", "--json"]),
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
    (
        "resilience_planes.txt",
        &["resilience", "planes(clos(8, 2, 1, 32), 2)", "--fail", "switches", "--at", "5%"],
    ),
    ("grow_rdn.txt", &["grow", "rdn(petersen, 1)"]),
    ("grow_fabric.txt", &["grow", "hosts(torus(4, 4), 2)", "--hosts", "48"]),
    ("grow_fabric.json", &["grow", "clos(8, 2, 2)", "--hosts", "60", "--json"]),
    ("grow_clos.txt", &["grow", "clos(16, 2, 1, 64)", "--switch-ports", "16"]),
    ("grow_ports.txt", &["grow", "hosts(torus(4, 4), 2)", "--hosts", "48", "--switch-ports", "6"]),
    (
        "grow_ports.json",
        &["grow", "hosts(torus(4, 4), 2)", "--hosts", "48", "--switch-ports", "6", "--json"],
    ),
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

/// An answer in JSON, and the commands behind it in a folder of their own, of which the last prints it. It may be no.
///
/// Together with the rows above that end in `.json` they are held to the schemas in `docs/schemas`.
const ANSWERED: &[(&str, &[&[&str]])] = &[
    ("broadcast_hosts.json", &[&["broadcast", "fat_tree(4)", "3", "--json"]]),
    (
        "broadcast_no.json",
        &[&["broadcast", "rdn(ring(3), 2)", "0", "--algorithm", "as-printed", "--json"]],
    ),
    ("broadcast_steps.json", &[&["broadcast", "petersen", "3", "--steps", "--json"]]),
    ("claims.json", &[&["claims", "--only", "li-2009.table-2-ccc", "--json"]]),
    ("claims_list.json", &[&["claims", "yeh-parhami-1996", "--list", "--json"]]),
    ("claims-quantities.json", &[&["claims", "--quantities", "--json"]]),
    ("claims_misprint.json", &[&["claims", "li-2009", "--verdict", "misprint", "--json"]]),
    (
        "claims_readings.json",
        &[&[
            "claims",
            "--only",
            "sun-2000.property-1-4-second-form,sun-2000.property-1-4-proof-one-bit",
            "--json",
        ]],
    ),
    ("collective_allgather.json", &[&["collective", "allgather", "petersen", "--json"]]),
    ("collective_allreduce.json", &[&["collective", "allreduce", "hypercube(4)", "--json"]]),
    ("collective_app.json", &[&["collective", "stencil(4, 4)", "torus(4, 4)", "--json"]]),
    ("collective_hosts.json", &[&["collective", "allreduce", "fat_tree(4)", "--json"]]),
    (
        "collective_one.json",
        &[&["collective", "all-to-all", "leaf_spine(1, 1, 16)", "--bytes", "16MB", "--json"]],
    ),
    (
        "collective_ring.json",
        &[&["collective", "allreduce", "ring(8)", "--bytes", "1000000", "--json"]],
    ),
    (
        "compare_also.json",
        &[&["compare", "rdn(ring(3), 1)", "hypercube(4)", "--also", "girth", "--json"]],
    ),
    (
        "compare_chip.json",
        &[&["compare", "mesh(8, 8)", "torus(8, 8)", "--cost-model", "chip", "--json"]],
    ),
    ("compare_large.json", &[&["compare", "rdn(torus(5, 5), 4)", "petersen", "--json"]]),
    ("compare_matched.json", &[&["compare", "petersen", "--match-nodes", "--json"]]),
    ("compare_single.json", &[&["compare", "ring(1)", "--json"]]),
    ("cut.json", &[&["cut", "petersen", "--json"]]),
    ("cut_side.json", &[&["cut", "rdn(ring(3), 1)", "--side", "--json"]]),
    ("deadlock_hosts.json", &[&["deadlock", "hosts(torus(4, 4), 40)", "--json"]]),
    ("deadlock_cycle.json", &[&["deadlock", "random_regular(80, 4, 1)", "--vcs", "1", "--json"]]),
    ("deadlock_order.json", &[&["deadlock", "ring(4)", "--order", "--json"]]),
    (
        "design_bases.json",
        &[&["design", "--nodes", "8", "--depth", "0", "--max-base", "4", "--no-report", "--json"]],
    ),
    (
        "design_hosts.json",
        &[&["design", "--hosts", "16", "--radix", "8", "--depth", "0", "--json"]],
    ),
    (
        "design_objectives.json",
        &[&[
            "design",
            "--nodes",
            "24",
            "--max-degree",
            "4",
            "--objective",
            "vcs,cost",
            "--depth",
            "1",
            "--json",
        ]],
    ),
    (
        "design_unknown.json",
        &[&[
            "design",
            "--depth",
            "0",
            "--max-base",
            "4",
            "--family",
            "ring",
            "--nodes",
            "1e6",
            "--json",
        ]],
    ),
    (
        "draw.json",
        &[&["draw", "rdn(ring(3), 1)", "--route", "0", "(1,2,1)", "-o", "rdn.svg", "--json"]],
    ),
    ("embed_map.json", &[&["embed", "hypercube(4)", "hcn(2)", "--map", "--json"]]),
    ("emulate_one.json", &[&["emulate", "rsn(complete(5), 2)", "--dimension", "2", "--json"]]),
    ("export.json", &[&["export", "hosts(ring(5), 1)", "-o", "ring.mtx", "--json"]]),
    ("families.json", &[&["families", "--json"]]),
    ("import.json", &[&["export", "ring(5)", "-o", "ring.gml"], &["import", "ring.gml", "--json"]]),
    ("info_cube.json", &[&["info", "hypercube(200)", "--json"]]),
    ("info_hosts.json", &[&["info", "hosts(ring(4), 2)", "--json"]]),
    ("info_open.json", &[&["info", "rcr(2, 1, 2)", "--json"]]),
    ("info_ring.json", &[&["info", "ring(3)", "--json"]]),
    ("info_single.json", &[&["info", "ring(1)", "--json"]]),
    ("measure_bisection.json", &[&["measure", "petersen", "--only", "bisection", "--json"]]),
    ("measure_disconnected.json", &[&["measure", "rcr(1, 1, 3)", "--json"]]),
    ("measure_exact.json", &[&["measure", "ring(200)", "--exact", "--json"]]),
    ("measure_hypercube.json", &[&["measure", "hypercube(60)", "--json"]]),
    ("measure_random.json", &[&["measure", "random_regular(200, 3, 1)", "--json"]]),
    (
        "measure_searched.json",
        &[&["measure", "torus(5, 5)", "--only", "distances,size", "--how", "exhaustive", "--json"]],
    ),
    ("measure_single.json", &[&["measure", "ring(1)", "--json"]]),
    (
        "measure_none.json",
        &[&[
            "measure",
            "kautz(3, 7)",
            "--only",
            "distance_histogram",
            "--how",
            "theorem",
            "--json",
        ]],
    ),
    ("report.json", &[&["report", "ring(3)", "-o", "report.html", "--json"]]),
    (
        "resilience.json",
        &[&["resilience", "petersen", "--trials", "20", "--at", "5%,20%", "--json"]],
    ),
    (
        "resilience_nodes.json",
        &[&["resilience", "petersen", "ring(5)", "--trials", "20", "--fail", "nodes", "--json"]],
    ),
    ("route_large.json", &[&["route", "rdn(torus(5, 5), 4)", "0", "5", "--json"]]),
    ("route_none.json", &[&["route", "path(3)", "0", "2", "--faults", "1", "--json"]]),
    (
        "routing_faults.json",
        &[&["routing", "torus(4, 4)", "--faults", "5", "--faults", "1-2", "--json"]],
    ),
    (
        "routing-as-printed_none.json",
        &[&["routing", "re(complete(3), ring(3), 2)", "--as-printed", "--json"]],
    ),
    (
        "routing_none.json",
        &[&["routing", "star(2000000)", "--faults", "0", "--sample", "3", "--json"]],
    ),
    (
        "simulate.json",
        &[&[
            "simulate", "ring(5)", "--load", "0.1", "--cycles", "300", "--warmup", "100", "--json",
        ]],
    ),
    (
        "simulate_curve.json",
        &[&[
            "simulate", "ring(5)", "--load", "0.1,0.9", "--cycles", "300", "--warmup", "100",
            "--json",
        ]],
    ),
    (
        "simulate_curves.json",
        &[&[
            "simulate",
            "ring(8)",
            "--load",
            "0.5",
            "--router",
            "shortest,valiant",
            "--cycles",
            "300",
            "--warmup",
            "100",
            "--json",
        ]],
    ),
    (
        "simulate_nothing.json",
        &[&["simulate", "ring(5)", "--load", "0", "--cycles", "20", "--json"]],
    ),
    (
        "simulate_random_failures.json",
        &[&[
            "simulate",
            "torus(5, 5)",
            "--load",
            "0.1",
            "--cycles",
            "2000",
            "--fail-rate",
            "1e-5",
            "--json",
        ]],
    ),
    (
        "simulate_late_failure.json",
        &[&["simulate", "torus(4, 4)", "--load", "0.1", "--fail", "0-1@9000", "--json"]],
    ),
    (
        "simulate_short.json",
        &[&["simulate", "ring(8)", "--load", "0.2", "--warmup", "0", "--cycles", "300", "--json"]],
    ),
    (
        "simulate_classes.json",
        &[&[
            "simulate",
            "torus(4, 4)",
            "--classes",
            "0.2:1,0.3,0.5:4",
            "--priority",
            "class",
            "--load",
            "0.5",
            "--warmup",
            "300",
            "--cycles",
            "1000",
            "--json",
        ]],
    ),
    (
        "simulate_two_routers.json",
        &[&[
            "simulate",
            "torus(4, 4)",
            "--warmup",
            "300",
            "--cycles",
            "600",
            "--load",
            "0.1,0.2",
            "--router",
            "paper,valiant",
            "--json",
        ]],
    ),
    ("measure-list.json", &[&["measure", "--list", "--json"]]),
    ("throughput-list.json", &[&["throughput", "--list", "--json"]]),
    ("throughput_mesh.json", &[&["throughput", "mesh(4, 4)", "--traffic", "worst", "--json"]]),
    (
        "design_chip.json",
        &[&[
            "design",
            "--nodes",
            "16",
            "--max-degree",
            "4",
            "--max-vcs",
            "2",
            "--cost-model",
            "chip",
            "--family",
            "mesh",
            "--no-report",
            "--json",
        ]],
    ),
    (
        "design_in_order.json",
        &[&[
            "design",
            "--hosts",
            "64",
            "--radix",
            "16",
            "--depth",
            "0",
            "--breakout",
            "2",
            "--placement",
            "in-order",
            "--no-report",
            "--json",
        ]],
    ),
    (
        "simulate-goal.json",
        &[
            &["collective", "allreduce", "ring(4)", "--export", "goal", "-o", "ring.goal"],
            &["simulate", "ring(4)", "--goal", "ring.goal", "--json"],
        ],
    ),
    (
        "simulate_failure.json",
        &[&["simulate", "torus(4, 4)", "--load", "0.1", "--fail", "0-1@4000", "--json"]],
    ),
    (
        "simulate_ugal.json",
        &[&[
            "simulate",
            "torus(4, 4)",
            "--router",
            "ugal",
            "--vcs",
            "2",
            "--load",
            "0.1",
            "--json",
        ]],
    ),
    ("study.json", &[&["study", "study.toml", "--dir", "store", "--json"]]),
    (
        "study_collect.json",
        &[
            &["study", "study.toml", "--dir", "store"],
            &["study", "collect", "study.toml", "--dir", "store", "-o", "collected", "--json"],
        ],
    ),
    ("tables.json", &[&["tables", "ring(5)", "-o", "ring.routes", "--json"]]),
    ("throughput_loads.json", &[&["throughput", "petersen", "--loads", "--json"]]),
    ("view.json", &[&["view", "ring(5)", "--json"]]),
    ("view_cluster.json", &[&["view", "rdn(ring(5), 1)", "--json"]]),
    ("view_large.json", &[&["view", "rdn(torus(5, 5), 4)", "--json"]]),
];

fn main() -> ExitCode {
    let printed =
        GOLDEN.iter().map(|&(file, args)| Trial::test(file, || is_golden(file, print(args)?)));
    let drawn =
        DRAWN.iter().map(|&(file, args)| Trial::test(file, || is_golden(file, draw(args)?)));
    let answered = ANSWERED
        .iter()
        .map(|&(file, commands)| Trial::test(file, || is_golden(file, answer(commands)?)));
    let schemas = names().filter(|file| file.ends_with(".json"));
    let schemas = schemas.map(|file| Trial::test(format!("schema::{file}"), || keeps_schema(file)));
    let mut trials: Vec<Trial> = printed.chain(drawn).chain(answered).chain(schemas).collect();
    trials.push(Trial::test("docs/verbs.md", || {
        is_golden("../../../../docs/verbs.md", print(&["man", "--markdown"])?)
    }));
    trials.push(Trial::test("every_file_has_its_command", every_file_has_its_command));
    run(&Arguments::from_args(), trials).exit_code()
}

/// All files.
fn names() -> impl Iterator<Item = &'static str> {
    let printed = GOLDEN.iter().chain(DRAWN).map(|(file, _)| *file);
    printed.chain(ANSWERED.iter().map(|(file, _)| *file))
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

/// What the last command prints; 1 is the answer no.
fn answer(commands: &[&[&str]]) -> Result<String, Failed> {
    let folder = tempfile::tempdir()?;
    let study = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/study.toml");
    fs::copy(study, folder.path().join("study.toml"))?;
    let mut printed = String::new();
    for args in commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nestnet"));
        let output = command.args(*args).current_dir(folder.path()).output()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {stderr}");
        printed = String::from_utf8(output.stdout)?;
    }
    Ok(printed)
}

/// Whether a recorded answer keeps to the schema of its verb, which is the first word of the file's name.
fn keeps_schema(file: &str) -> Result<(), Failed> {
    let verb = file.split(['_', '.']).next().unwrap_or_default();
    let answer = serde_json::from_str(&fs::read_to_string(folder().join(file))?)?;
    match schema::faults(verb, &answer) {
        faults if faults.is_empty() => Ok(()),
        faults => Err(format!("{}; `cargo xtask generate`?", faults.join("; ")).into()),
    }
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
    let named: BTreeSet<String> = names().map(str::to_owned).collect();
    assert_eq!(named.len(), names().count(), "two commands write one file");
    assert_eq!(files, named);
    Ok(())
}
