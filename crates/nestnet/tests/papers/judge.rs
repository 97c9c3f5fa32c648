//! What does another judge say? `ibdmchk` of Debian's `ibutils` looks for credit loops in the files of a subnet, which
//! we write of our networks, routes and virtual channels: its verdict must be ours, free and cycle alike.

use nestnet::format::infiniband::Subnet;
use nestnet::route::assign::{self, Grain};
use nestnet::route::deadlock::{certify, check};
use nestnet::route::{Router, VcLimited};
use nestnet::{Budget, Network, build, routers};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Where the virtual channels come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lanes {
    /// The router's own map.
    Own,
    /// The same, folded into so many.
    Folded(u16),
    /// Assigned, falling along the route.
    Assigned,
    /// A lane for each target, as few as are found.
    ByTarget,
    /// The same, folded into so many.
    ByTargetFolded(u16),
    /// A lane for each pair.
    ByPair,
}

/// The judge's verdict, or what it said instead.
fn judge(network: &dyn Network, router: &dyn Router) -> Result<bool, String> {
    let subnet =
        Subnet::new(network, router, &Budget::UNLIMITED).map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let file = |name: &str| BufWriter::new(File::create(path(name)).expect("a file"));
    subnet.write_links(file("opensm-subnet.lst")).expect("links");
    subnet.write_forwarding(file("opensm.fdbs")).expect("forwarding tables");
    subnet.write_levels(file("path_sl.txt")).expect("service levels");
    subnet.write_lanes(file("sl2vl.txt")).expect("virtual lanes");
    // No multicast.
    drop(file("opensm.mcfdbs"));
    let said = run(folder.path());
    let free = said.contains("no credit loops found");
    let stuck = said.contains("credit loops in routing");
    // It may crash behind its verdict, so that only what it prints counts.
    if free == stuck || said.contains("Unassigned") || said.contains("unassigned") {
        return Err(format!("no verdict:\n{said}"));
    }
    Ok(free)
}

fn run(folder: &Path) -> String {
    let files = [
        ("-s", "opensm-subnet.lst"),
        ("-f", "opensm.fdbs"),
        ("-m", "opensm.mcfdbs"),
        ("-c", "path_sl.txt"),
        ("-d", "sl2vl.txt"),
    ];
    let mut command = Command::new("ibdmchk");
    for (option, name) in files {
        command.arg(option).arg(folder.join(name));
    }
    let output = command.current_dir(folder).output();
    let output = output.expect("ibdmchk is missing: apt-get install ibutils");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// The router of a spec with those lanes.
fn routed(network: &Arc<dyn Network>, own: Arc<dyn Router>, lanes: Lanes) -> Arc<dyn Router> {
    let layer = |grain| {
        let layered = assign::layer(network, &own, grain, &Budget::UNLIMITED);
        Arc::new(layered.expect("memoryless").expect("few lanes"))
    };
    match lanes {
        Lanes::Own => own,
        Lanes::Folded(vcs) => Arc::new(VcLimited::new(own, vcs)),
        Lanes::Assigned => {
            assign::assign(network, &own, &Budget::UNLIMITED).expect("lanes are found").router
        }
        Lanes::ByTarget => layer(Grain::Target),
        Lanes::ByTargetFolded(vcs) => Arc::new(VcLimited::new(layer(Grain::Target), vcs)),
        Lanes::ByPair => layer(Grain::Pair),
    }
}

#[test]
fn the_other_judge_agrees() {
    use Lanes::*;
    const CASES: &[(&str, &[(Lanes, bool)])] = &[
        ("ring(5)", &[(Own, true), (Folded(1), false), (ByTarget, true), (ByPair, true)]),
        ("hypercube(4)", &[(Own, true), (Folded(1), true)]),
        ("torus(4, 4)", &[(Own, true), (Folded(1), false), (Assigned, true), (ByPair, true)]),
        ("torus(5, 5)", &[(Own, true), (Folded(1), false), (ByTarget, true)]),
        ("petersen", &[(Own, true), (Folded(1), false), (ByPair, true)]),
        ("rdn(ring(3), 1)", &[(Own, true), (Folded(1), false), (Assigned, true), (ByPair, true)]),
        ("rdn(petersen, 1)", &[(Own, true), (Folded(1), false), (Assigned, true)]),
        ("rdn(torus(3, 3), 1)", &[(Own, true), (Folded(1), false)]),
        ("ccc(3)", &[(Own, true), (Folded(1), false), (ByPair, true)]),
        (
            "random_regular(30, 3, 1)",
            &[(Own, true), (Folded(1), false), (ByTargetFolded(2), false)],
        ),
        ("slimfly(5)", &[(Own, true), (Folded(1), false)]),
        ("hosts(ring(5), 2)", &[(Own, true), (Folded(1), false)]),
        ("hosts(rdn(ring(3), 1), 2)", &[(Own, true), (Folded(1), false)]),
        ("fat_tree(4)", &[(Own, true), (Folded(1), true)]),
    ];
    const SLOW: &[(&str, &[(Lanes, bool)])] = &[
        ("rdn(ring(3), 2)", &[(Own, true), (Folded(1), false)]),
        ("random_regular(200, 3, 1)", &[(ByPair, true), (Folded(1), false)]),
        ("rdn(torus(5, 5), 1)", &[(ByPair, true), (Folded(1), false)]),
    ];
    let slow = if crate::slow() { SLOW } else { &[] };
    let mut faults = Vec::new();
    for (spec, maps) in CASES.iter().chain(slow) {
        let built = build(spec).expect("a spec");
        let network = built.network.clone().expect("a small network");
        let name = routers::default_name(&built);
        let own = routers::find(&built, name).expect("a router");
        for &(lanes, free) in *maps {
            let router = routed(&network, own.clone(), lanes);
            let certificate = certify(&*network, &*router, &Budget::UNLIMITED).expect("a verdict");
            check(&*network, &*router, &certificate, &Budget::UNLIMITED)
                .expect("a true certificate");
            let ours = certificate.is_free();
            let theirs = judge(&*network, &*router);
            if theirs != Ok(ours) || ours != free {
                let vcs = certificate.vcs;
                faults.push(format!(
                    "{spec} {lanes:?} ({vcs} lanes): expected {free}, ours {ours}, theirs {theirs:?}"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Two virtual channels, ascending moves on one and descending on the other, as published; and the repaired map.
#[test]
fn the_other_judge_sees_the_cycle_in_the_published_cube_of_rings() {
    let built = build("rcr(2, 3, 2)").expect("a spec");
    let network = built.network.clone().expect("a small network");
    for (name, lanes, free) in [
        ("walk", Lanes::Own, false),
        ("walk", Lanes::Assigned, true),
        ("shortest", Lanes::ByPair, true),
    ] {
        let own = routers::find(&built, name).expect("a router");
        let router = routed(&network, own, lanes);
        let ours = certify(&*network, &*router, &Budget::UNLIMITED).expect("a verdict").is_free();
        assert_eq!((ours, judge(&*network, &*router)), (free, Ok(free)), "{name} {lanes:?}");
    }
}
