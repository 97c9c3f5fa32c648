//! Every generator on many networks, judged by the checker; and the checker judged by schedules that were spoiled.

use super::*;
use nestnet_graph::measure::Watch;
use nestnet_graph::measure::search::is_connected;
use nestnet_graph::{Budget, Csr, Network, Node, OverBudget, Port};
use nestnet_routing::route::Searched;
use nestnet_seed::samples::{any_graph, complete, cube, path, petersen, ring, torus};
use proptest::prelude::*;
use std::sync::Arc;

const MEMORY: u64 = 1 << 28;
const BUDGET: &Budget<'static> = &Budget { memory: MEMORY, ..Budget::UNLIMITED };
const WATCH: &Watch<'static> = &Watch::SILENT;

/// A graph in which only the first nodes are hosts.
#[derive(Clone, Debug)]
pub struct Switched {
    pub graph: Csr,
    pub hosts: u64,
}

impl Network for Switched {
    fn order(&self) -> u64 {
        self.graph.order()
    }

    fn ports(&self) -> u32 {
        self.graph.ports()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        self.graph.neighbor(at, port)
    }

    fn hosts(&self) -> u64 {
        self.hosts
    }
}

pub fn model(ports: Ports) -> Model {
    Model { ports, repeats: Repeats::Forbidden }
}

pub fn verdict(
    network: &dyn Network,
    model: Model,
    goal: Goal,
    schedule: &Schedule,
) -> Result<Cost, Violation> {
    let verdict = check(network, model, goal, schedule.stream(), BUDGET);
    // By counts where they decide, it is the same.
    let anew = check_anew(network, model, goal, || schedule.stream(), BUDGET);
    assert_eq!(verdict, anew);
    verdict
}

/// What every generator makes of a network: a name, the goal, the ports, the schedule.
pub fn all_of(network: &Arc<Switched>) -> Vec<(&'static str, Goal, Ports, Schedule)> {
    let hosts = network.hosts();
    let net: &dyn Network = &**network;
    let root = Node(hosts / 2);
    let mut made = Vec::new();
    for ports in [Ports::One, Ports::All] {
        let spread = spread(net, root, ports, BUDGET).unwrap();
        let gossip = gossip(net, ports, BUDGET).unwrap();
        let router = Searched::new(network.clone()).unwrap();
        made.extend([
            ("scatter", Goal::Scatter { root }, ports, scatter(net, root, ports, BUDGET).unwrap()),
            ("gather", Goal::Gather { root }, ports, gather(net, root, ports, BUDGET).unwrap()),
            (
                "reduce",
                Goal::Reduce { root, blocks: 1 },
                ports,
                reduce(net, root, ports, BUDGET).unwrap(),
            ),
            ("tree", Goal::Allreduce { blocks: 1 }, ports, there_and_back(net, spread.clone())),
            ("spread", Goal::Broadcast { root }, ports, spread),
            (
                "gossip both ways",
                Goal::Allreduce { blocks: hosts },
                ports,
                there_and_back(net, gossip.clone()),
            ),
            ("gossip", Goal::Allgather, ports, gossip),
            ("routed", Goal::AllToAll, ports, all_to_all(net, &router, ports, BUDGET).unwrap()),
        ]);
        if hosts == net.order()
            && let Some(cycle) = cycle(&network.graph, WATCH).unwrap()
        {
            let around = around(net, &cycle, ports, BUDGET).unwrap();
            made.push((
                "ring both ways",
                Goal::Allreduce { blocks: hosts },
                ports,
                there_and_back(net, around.clone()),
            ));
            made.push(("ring", Goal::Allgather, ports, around));
        }
    }
    if let Ok(cube) = Cube::within(net, BUDGET) {
        let allgather = cube.allgather(BUDGET).unwrap();
        made.extend([
            (
                "halving",
                Goal::Allreduce { blocks: hosts },
                Ports::One,
                there_and_back(net, allgather.clone()),
            ),
            ("doubling", Goal::Allgather, Ports::One, allgather),
            ("exchange", Goal::Allreduce { blocks: 1 }, Ports::One, cube.allreduce()),
            ("exchange", Goal::AllToAll, Ports::One, cube.all_to_all(BUDGET).unwrap()),
        ]);
    }
    made
}

fn all_hosts(graph: Csr) -> Arc<Switched> {
    let hosts = graph.order();
    Arc::new(Switched { graph, hosts })
}

pub fn samples() -> Vec<Arc<Switched>> {
    let graphs = [
        path(1),
        path(2),
        path(5),
        ring(3),
        ring(6),
        complete(5),
        cube(3),
        torus(3, 4),
        petersen(),
    ];
    let mut samples: Vec<_> = graphs.into_iter().map(all_hosts).collect();
    samples.push(Arc::new(Switched { graph: torus(3, 3), hosts: 5 }));
    samples.push(Arc::new(Switched { graph: path(6), hosts: 2 }));
    samples
}

#[test]
fn every_generator_passes_the_checker() {
    for network in samples() {
        for (name, goal, ports, schedule) in all_of(&network) {
            let cost = verdict(&*network, model(ports), goal, &schedule);
            let cost = cost.unwrap_or_else(|error| panic!("{name} on {network:?}: {error}"));
            assert_eq!(cost.repeats, 0);
            assert!(schedule.steps.iter().all(|step| !step.is_empty()), "{name} on {network:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..nestnet_seed::config() })]

    #[test]
    fn every_generator_passes_on_random_networks(graph in any_graph(9), switches in 0..4u64) {
        prop_assume!(is_connected(&graph));
        let hosts = graph.order().saturating_sub(switches).max(1);
        let network = Arc::new(Switched { graph, hosts });
        for (name, goal, ports, schedule) in all_of(&network) {
            let cost = verdict(&*network, model(ports), goal, &schedule);
            prop_assert!(cost.is_ok(), "{name} {ports:?}: {cost:?}");
        }
    }
}

#[test]
fn a_spoiled_schedule_is_caught_by_name() {
    for network in samples() {
        for (name, goal, ports, schedule) in all_of(&network) {
            let caught = |spoiled: &Schedule| {
                let found = verdict(&*network, model(ports), goal, spoiled);
                found.expect_err(&format!("{name} on {network:?} was spoiled"))
            };
            for step in 0..schedule.steps.len() {
                for place in 0..schedule.steps[step].len() {
                    spoil(&*network, &schedule, step, place, &caught);
                }
            }
        }
    }
}

/// Spoils one transfer in all ways.
fn spoil(
    network: &dyn Network,
    schedule: &Schedule,
    step: usize,
    place: usize,
    caught: &dyn Fn(&Schedule) -> Violation,
) {
    let transfer = schedule.steps[step][place];
    let Transfer { from, port, block } = transfer;
    let to = network.neighbor(from, port).unwrap();
    let number = step as u64 + 1;

    let mut removed = schedule.clone();
    removed.steps[step].remove(place);
    let found = caught(&removed);
    let names_the_block = match found {
        Violation::Missing { block: missing, .. }
        | Violation::NotHeld { block: missing, .. }
        | Violation::Incomplete { block: missing, .. }
        | Violation::Repeats { block: missing, .. }
        | Violation::CountedTwice { block: missing, .. } => missing == block,
        _ => false,
    };
    assert!(names_the_block, "{transfer:?} removed: {found}");

    let mut doubled = schedule.clone();
    doubled.steps[step].push(transfer);
    assert_eq!(caught(&doubled), Violation::LinkTwice { step: number, from, to });

    let mut later = schedule.clone();
    later.steps.push(vec![transfer]);
    let last = later.steps.len() as u64;
    let found = caught(&later);
    assert!(
        found == Violation::Repeats { step: last, from, to, block }
            || found == Violation::CountedTwice { step: last, from, to, block },
        "{transfer:?} doubled: {found}"
    );

    let mut moved = schedule.clone();
    for wrong in [network.ports(), u32::MAX] {
        moved.steps[step][place].port = Port(wrong);
        assert_eq!(caught(&moved), Violation::NoLink { step: number, from, port: Port(wrong) });
    }
    moved.steps[step][place] = Transfer { from: Node(network.order()), port, block };
    assert_eq!(caught(&moved), Violation::NoNode { step: number, node: Node(network.order()) });

    let mut unheld = schedule.clone();
    unheld.steps[step][place].block = u64::MAX;
    assert!(matches!(caught(&unheld), Violation::NoBlock { step, .. } if step == number));
}

#[test]
fn steps_are_as_the_theory_says() {
    let steps = |schedule: &Schedule| schedule.steps.len();
    for dimensions in 1..6 {
        let network = cube(dimensions);
        let n = 1usize << dimensions;
        let d = dimensions as usize;
        let tree = spread(&network, Node(5 % n as u64), Ports::One, BUDGET).unwrap();
        assert_eq!(steps(&tree), d, "binomial");
        let scattered = scatter(&network, Node(0), Ports::One, BUDGET).unwrap();
        assert_eq!(steps(&scattered), n - 1);
        let all = scatter(&network, Node(0), Ports::All, BUDGET).unwrap();
        assert_eq!(steps(&all), (n - 1).div_ceil(d), "balanced branches");
        let exchange = Cube::within(&network, BUDGET).unwrap();
        assert_eq!(steps(&exchange.allreduce()), d);
        assert_eq!(steps(&exchange.allgather(BUDGET).unwrap()), n - 1);
        assert_eq!(steps(&exchange.all_to_all(BUDGET).unwrap()), d * n / 2);
    }
    let line = path(9);
    assert_eq!(steps(&scatter(&line, Node(0), Ports::One, BUDGET).unwrap()), 8);
    assert_eq!(steps(&scatter(&line, Node(4), Ports::All, BUDGET).unwrap()), 4);
    assert_eq!(middle(&line), Node(4));
    assert!(matches!(Cube::within(&ring(6), BUDGET), Err(PlanError::NoCube)));
}

#[test]
fn cycles_are_found_where_they_are_known() {
    for graph in [ring(50), torus(5, 5), torus(7, 9), cube(4), cube(9), complete(30), torus(20, 31)]
    {
        let order = graph.order();
        let found = cycle(&graph, WATCH).unwrap().unwrap_or_else(|| panic!("{order} nodes"));
        let mut seen = found.clone();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..u32::try_from(order).unwrap()));
        assert!(around(&graph, &found, Ports::One, BUDGET).is_ok());
    }
    assert_eq!(cycle(&path(4), WATCH), Ok(None));
    assert_eq!(cycle(&petersen(), WATCH), Ok(None));
}

#[test]
fn what_cannot_be_planned_says_why() {
    let apart = all_hosts(Csr::from_links(4, &[(0, 1), (2, 3)], MEMORY).unwrap());
    let no_path = Err(PlanError::NoPath { from: Node(0), node: Node(2) });
    assert_eq!(scatter(&*apart, Node(0), Ports::One, BUDGET), no_path);
    assert_eq!(reduce(&*apart, Node(0), Ports::All, BUDGET), no_path);
    assert!(matches!(gossip(&*apart, Ports::One, BUDGET), Err(PlanError::NoPath { .. })));
    let router = Searched::new(apart.clone()).unwrap();
    assert!(matches!(all_to_all(&*apart, &router, Ports::One, BUDGET), Err(PlanError::Walk(_))));
    let no_node = Err(PlanError::NoNode { node: Node(9) });
    assert_eq!(scatter(&ring(4), Node(9), Ports::One, BUDGET), no_node);
    let too_much = gossip(&ring(100), Ports::One, &Budget { memory: 1000, ..*BUDGET });
    assert!(matches!(too_much, Err(PlanError::Budget(OverBudget::Memory { limit: 1000, .. }))));
}
