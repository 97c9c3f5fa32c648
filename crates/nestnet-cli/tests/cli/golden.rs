//! The verbs print what the files in `tests/golden` say. `UPDATE_GOLDEN=1` writes the files anew.

use crate::nestnet;
use std::fs;
use std::path::Path;

/// A file and the command that prints it.
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

#[test]
fn verbs_print_their_golden_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let mut stale = Vec::new();
    for (file, args) in GOLDEN {
        let ended = nestnet(*args);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{args:?}");
        if update {
            fs::write(folder.join(file), &ended.stdout).expect("a golden file is written");
        }
        let golden = fs::read_to_string(folder.join(file)).unwrap_or_default();
        if golden != ended.stdout {
            stale.push(format!("{file}, {args:?} prints:\n{}", ended.stdout));
        }
    }
    assert!(stale.is_empty(), "UPDATE_GOLDEN=1 accepts these:\n{}", stale.join("\n"));
}

#[test]
fn every_family_is_listed_and_explained() {
    let all = nestnet(["families"]);
    let object = crate::json(&["families", "--json"]);
    let rows = object["families"].as_array().expect("a list");
    assert_eq!(rows.len(), ::nestnet::family::families().count());
    for row in rows {
        let (name, usage) = (row["name"].as_str().unwrap(), row["usage"].as_str().unwrap());
        assert!(all.stdout.contains(&format!("  {usage}\n")), "{usage}");
        assert_eq!(&crate::json(&["families", name, "--json"]), row);
        let one = nestnet(["families", name]);
        assert_eq!(one.code, Some(0));
        for param in row["params"].as_array().expect("a list") {
            assert!(one.stdout.contains(param["about"].as_str().unwrap()), "{name}");
        }
    }
}
