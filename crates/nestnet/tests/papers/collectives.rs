//! Every collective of every small instance by every algorithm: checked, and never below the bounds.

use nestnet::collective::schedule;
use nestnet::collective::{Algorithm, Collective, Fabric, Moves, PlanError, Ports, Price, Request};
use nestnet::{Budget, Built, Node, build};

/// Slow tests plan for larger instances too.
fn most_nodes() -> u64 {
    if crate::slow() { 300 } else { 60 }
}

fn specs() -> Vec<String> {
    let instances = crate::oracle_instances();
    let small = instances.iter().filter(|instance| {
        instance["nodes"].as_u64().is_some_and(|nodes| nodes <= most_nodes())
            && instance["connected"] != false
    });
    let specs = small.map(|instance| instance["spec"].as_str().expect("a spec").to_owned());
    // Some with nodes that only switch, and some of the smallest.
    let more = ["fat_tree(4)", "bcube(2, 1)", "dcell(2, 1)", "ring(1)", "complete(2)", "ring(3)"];
    specs.chain(more.map(str::to_owned)).collect()
}

/// What is wrong with the plans of one network.
fn faults(spec: &str, built: &Built) -> Vec<String> {
    let network = built.network.as_deref().expect("a small network");
    let router = built.router("shortest").or_else(|| built.router("paper"));
    let mut faults = Vec::new();
    for collective in Collective::ALL {
        for ports in [Ports::One, Ports::All] {
            let request = Request {
                network,
                fabric: Fabric::Direct,
                router: router.as_deref(),
                collective,
                root: Node(network.hosts() - 1),
                ports,
                price: Price { alpha: 1e-6, beta: 1e-10, hop: 0.0 },
                bytes: 1 << 20,
                budget: Budget::UNLIMITED,
            };
            let what = format!("{} on {spec}, {ports:?}", collective.name());
            for algorithm in collective.algorithms(Fabric::Direct) {
                let plan = match request.plan(algorithm) {
                    Ok(plan) => plan,
                    Err(PlanError::NoCycle | PlanError::NoCube) => continue,
                    Err(error) => {
                        faults.push(format!("{what} by {algorithm:?}: {error}"));
                        continue;
                    }
                };
                let least = request.price.beta * request.bytes as f64 * plan.bounds.payloads;
                if plan.cost.steps < plan.bounds.steps
                    || plan.time.rounds < plan.bounds.rounds
                    || plan.time.seconds < least
                {
                    faults.push(format!("{what} by {algorithm:?}: below {:?}", plan.bounds));
                }
                let Moves::Links(made) = &plan.moves else { unreachable!("over links") };
                let mut text = Vec::new();
                schedule::text::write(network, made.stream(), &mut text, || true).unwrap();
                if schedule::text::read(network, text.as_slice()).ok() != Some(made.collect()) {
                    faults.push(format!("{what} by {algorithm:?}: not read as written"));
                }
            }
            if let Err(error) = request.best() {
                faults.push(format!("{what}: {error}"));
            }
        }
    }
    faults
}

#[test]
fn every_small_instance_has_every_collective() {
    let mut planned = 0;
    let mut wrong = Vec::new();
    for spec in specs() {
        let built = build(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        if built.theory.connected() {
            wrong.extend(faults(&spec, &built));
            planned += 1;
        }
    }
    assert!(planned > 20, "only {planned} networks");
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

/// The steps of the best plan.
fn steps(spec: &str, collective: Collective, ports: Ports, bytes: u64) -> (Algorithm, u64, u64) {
    let built = build(spec).unwrap();
    let router = built.router("shortest").unwrap();
    let request = Request {
        network: built.network.as_deref().unwrap(),
        fabric: Fabric::Direct,
        router: Some(&*router),
        collective,
        root: Node(0),
        ports,
        price: Price { alpha: 1e-6, beta: 1e-10, hop: 0.0 },
        bytes,
        budget: Budget::UNLIMITED,
    };
    let best = request.best().unwrap().best;
    (best.algorithm, best.cost.steps, best.bounds.steps)
}

#[test]
fn the_best_depends_on_the_payload() {
    let allreduce = |bytes| steps("hypercube(4)", Collective::Allreduce, Ports::One, bytes).0;
    assert_eq!(allreduce(8), Algorithm::Exchange);
    assert_eq!(allreduce(1 << 24), Algorithm::Halving);
    let ring = |bytes| steps("ring(12)", Collective::Allreduce, Ports::One, bytes).0;
    assert_eq!((ring(8), ring(1 << 24)), (Algorithm::Tree, Algorithm::Ring));
}

#[test]
fn known_optima_are_found() {
    let of = |spec, collective, ports| {
        let (_, steps, bound) = steps(spec, collective, ports, 1 << 20);
        (steps, bound)
    };
    assert_eq!(of("hypercube(5)", Collective::Scatter, Ports::One), (31, 31));
    assert_eq!(of("hypercube(5)", Collective::Scatter, Ports::All), (7, 7));
    assert_eq!(of("hypercube(5)", Collective::Allgather, Ports::One), (31, 31));
    assert_eq!(of("hypercube(5)", Collective::AllToAll, Ports::One), (80, 80));
    assert_eq!(of("torus(5, 5)", Collective::Gather, Ports::One), (24, 24));
    assert_eq!(of("torus(5, 5)", Collective::Allgather, Ports::One), (24, 24));
    assert_eq!(of("complete(8)", Collective::AllToAll, Ports::All), (1, 1));
}
