//! The checker against a slow reference version that follows the definition of every goal, on random schedules.

use super::*;
use crate::tests::{Switched, all_of, model, samples, verdict};
use crate::{Repeats, Schedule};
use nestnet_graph::{Node, OverBudget, Port};
use nestnet_seed::samples::{Careless, any_graph, complete, path, ring};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Parts = BTreeSet<u64>;
type Held = BTreeMap<(u64, u64), Parts>;
type Arrivals = BTreeMap<(u64, u64), Vec<(Node, Parts)>>;

/// What everybody has at first: of every block at every node, whose parts. A copy has the one part 0.
fn start(network: &dyn Network, goal: Goal) -> (Held, u64) {
    let hosts = network.hosts();
    let one = BTreeSet::from([0]);
    let blocks = match goal {
        Goal::Broadcast { .. } => 1,
        Goal::Scatter { .. } | Goal::Gather { .. } | Goal::Allgather => hosts,
        Goal::Reduce { blocks, .. } | Goal::Allreduce { blocks } => blocks,
        Goal::AllToAll => hosts * hosts,
    };
    let mut held = Held::new();
    for block in 0..blocks {
        match goal {
            Goal::Broadcast { root } | Goal::Scatter { root } => {
                held.insert((root.0, block), one.clone());
            }
            Goal::Gather { .. } | Goal::Allgather => {
                held.insert((block, block), one.clone());
            }
            Goal::AllToAll => {
                held.insert((block / hosts, block), one.clone());
            }
            Goal::Reduce { .. } | Goal::Allreduce { .. } => {
                for host in 0..hosts {
                    held.insert((host, block), BTreeSet::from([host]));
                }
            }
        }
    }
    (held, blocks)
}

/// What is wrong with the first bad step, all of it; or the cost.
fn slow(
    network: &dyn Network,
    model: Model,
    goal: Goal,
    schedule: &Schedule,
) -> Result<Cost, Vec<Violation>> {
    let hosts = network.hosts();
    let sums = matches!(goal, Goal::Reduce { .. } | Goal::Allreduce { .. });
    let (mut held, blocks) = start(network, goal);
    let mut uses: BTreeMap<(u64, u32), u64> = BTreeMap::new();
    let rounds = rounds(network, schedule);
    let mut cost = Cost { rounds, ..Cost::default() };
    for (step, transfers) in (1..).zip(&schedule.steps) {
        let mut wrong = Vec::new();
        let (mut links, mut senders, mut receivers) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut arrivals = Arrivals::new();
        for &Transfer { from, port, block } in transfers {
            if from.0 >= network.order() {
                wrong.push(Violation::NoNode { step, node: from });
                continue;
            }
            let to = (port.0 < network.ports()).then(|| network.neighbor(from, port)).flatten();
            let Some(to) = to else {
                wrong.push(Violation::NoLink { step, from, port });
                continue;
            };
            if block >= blocks {
                wrong.push(Violation::NoBlock { step, from, block, blocks });
                continue;
            }
            let Some(part) = held.get(&(from.0, block)) else {
                wrong.push(Violation::NotHeld { step, from, block });
                continue;
            };
            if !links.insert((from, port)) {
                wrong.push(Violation::LinkTwice { step, from, to });
            }
            if model.ports == Ports::One && !senders.insert(from) {
                wrong.push(Violation::SendsTwice { step, node: from });
            }
            if model.ports == Ports::One && !receivers.insert(to) {
                wrong.push(Violation::ReceivesTwice { step, node: to });
            }
            *uses.entry((from.0, port.0)).or_default() += 1;
            arrivals.entry((to.0, block)).or_default().push((from, part.clone()));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        for ((to, block), parts) in arrivals {
            let own = held.get(&(to, block)).cloned().unwrap_or_default();
            let to = Node(to);
            // Once for everything different that arrives; all others repeat it or what is there.
            let news: BTreeSet<&BTreeSet<u64>> =
                parts.iter().map(|(_, part)| part).filter(|part| **part != own).collect();
            if model.repeats == Repeats::Forbidden && news.len() < parts.len() {
                wrong.extend(parts.iter().map(|&(from, _)| Violation::Repeats {
                    step,
                    from,
                    to,
                    block,
                }));
            }
            let disjoint = news.iter().map(|part| part.len()).sum::<usize>()
                == news.iter().flat_map(|part| part.iter()).collect::<BTreeSet<_>>().len();
            let fits = news.iter().all(|part| part.is_disjoint(&own) || part.is_superset(&own));
            if sums && !(disjoint && fits) {
                wrong.extend(parts.iter().map(|&(from, _)| Violation::CountedTwice {
                    step,
                    from,
                    to,
                    block,
                }));
            }
            cost.repeats += (parts.len() - news.len()) as u64;
            let all = news.into_iter().flatten().copied().chain(own).collect();
            held.insert((to.0, block), all);
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        cost.steps += 1;
        cost.transfers += transfers.len() as u64;
    }
    let steps = cost.steps;
    let mut wrong = Vec::new();
    let mut want = |node: u64, block: u64| {
        let node = Node(node);
        let parts = held.get(&(node.0, block));
        if !sums && parts.is_none() {
            wrong.push(Violation::Missing { steps, node, block });
        }
        let lacking = (0..hosts).filter(|host| parts.is_none_or(|parts| !parts.contains(host)));
        if sums {
            wrong.extend(lacking.map(Node).map(|without| Violation::Incomplete {
                steps,
                node,
                block,
                without,
            }));
        }
    };
    for block in 0..blocks {
        match goal {
            Goal::Scatter { .. } => want(block, block),
            Goal::Gather { root } | Goal::Reduce { root, .. } => want(root.0, block),
            Goal::AllToAll => want(block % hosts, block),
            Goal::Broadcast { .. } | Goal::Allgather | Goal::Allreduce { .. } => {
                (0..hosts).for_each(|host| want(host, block));
            }
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    (cost.blocks, cost.load) = (cost.transfers, cost.steps as f64);
    cost.busiest = uses.into_values().max().unwrap_or(0);
    cost.link_load = cost.busiest as f64;
    let count = |node: u64| held.range((node, 0)..(node + 1, 0)).count() as u64;
    cost.held = (0..network.order()).map(count).max().unwrap_or(0);
    Ok(cost)
}

/// Steps that need a message of their own, by looking at all that arrived.
fn rounds(network: &dyn Network, schedule: &Schedule) -> u64 {
    let mut rounds = 0;
    let mut links = BTreeSet::new();
    let mut arrived = BTreeSet::new();
    for step in &schedule.steps {
        let used: BTreeSet<_> = step.iter().map(|t| (t.from, t.port)).collect();
        let is_new = |t: &Transfer| arrived.contains(&(t.from, t.block));
        if rounds == 0 || used != links || step.iter().any(is_new) {
            rounds += 1;
            arrived.clear();
            links = used;
        }
        let ends = step.iter().filter(|t| t.from.0 < network.order() && t.port.0 < network.ports());
        arrived.extend(ends.filter_map(|t| Some((network.neighbor(t.from, t.port)?, t.block))));
    }
    rounds
}

/// The same cost, or a violation that the reference version finds too.
fn same(network: &dyn Network, model: Model, goal: Goal, schedule: &Schedule) -> bool {
    match (verdict(network, model, goal, schedule), slow(network, model, goal, schedule)) {
        (Ok(fast), Ok(slow)) => fast == slow,
        (Err(fast), Err(slow)) => slow.contains(&fast),
        _ => false,
    }
}

fn goals(root: u64) -> [Goal; 9] {
    let root = Node(root);
    [
        Goal::Broadcast { root },
        Goal::Scatter { root },
        Goal::Gather { root },
        Goal::Reduce { root, blocks: 1 },
        Goal::Reduce { root, blocks: 2 },
        Goal::Allgather,
        Goal::Allreduce { blocks: 1 },
        Goal::Allreduce { blocks: 3 },
        Goal::AllToAll,
    ]
}

/// Mostly sensible transfers, from dice: what is sent is mostly there, and the link mostly exists.
fn sensible(network: &dyn Network, goal: Goal, dice: &[Vec<[u8; 3]>]) -> Schedule {
    let (mut held, blocks) = start(network, goal);
    let mut steps = Vec::new();
    for step in dice {
        let mut transfers = Vec::new();
        let before: Vec<(u64, u64)> = held.keys().copied().collect();
        for &[what, port, wild] in step {
            let Some(&(node, block)) = before.get(usize::from(what) % before.len().max(1)) else {
                continue;
            };
            let (mut from, mut port) = (Node(node), Port(u32::from(port) % (network.ports() + 1)));
            let mut block = block;
            match wild {
                0 => from = Node(u64::from(what) % (network.order() + 1)),
                1 => block = u64::from(what) % (blocks + 1),
                _ => port.0 %= network.ports().max(1),
            }
            transfers.push(Transfer { from, port, block });
            if from.0 < network.order()
                && let Some(to) = network.neighbor(from, port)
            {
                held.entry((to.0, block)).or_default();
            }
        }
        steps.push(transfers);
    }
    Schedule { steps }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..nestnet_seed::config() })]

    #[test]
    fn random_schedules_get_the_verdict_of_the_reference_checker(
        graph in any_graph(5),
        switches in 0..3u64,
        root in 0..5u64,
        one_port in any::<bool>(),
        forbidden in any::<bool>(),
        dice in proptest::collection::vec(
            proptest::collection::vec(any::<[u8; 3]>(), 0..4), 0..12),
    ) {
        let order = graph.order();
        let network = Switched { graph, hosts: order.saturating_sub(switches).max(1) };
        let model = Model {
            ports: if one_port { Ports::One } else { Ports::All },
            repeats: if forbidden { Repeats::Forbidden } else { Repeats::Allowed },
        };
        for goal in goals(root % order) {
            let schedule = sensible(&network, goal, &dice);
            prop_assert!(
                same(&network, model, goal, &schedule),
                "{goal:?} {schedule:?}: {:?}, by definition {:?}",
                verdict(&network, model, goal, &schedule),
                slow(&network, model, goal, &schedule),
            );
        }
    }

    /// What happens at the same time has no order.
    #[test]
    fn the_order_within_a_step_does_not_matter(
        graph in any_graph(5),
        dice in proptest::collection::vec(
            proptest::collection::vec(any::<[u8; 3]>(), 0..6), 0..6),
    ) {
        let model = Model { ports: Ports::All, repeats: Repeats::Allowed };
        for goal in goals(0) {
            let schedule = sensible(&graph, goal, &dice);
            let mut other = schedule.clone();
            other.steps.iter_mut().for_each(|step| step.reverse());
            let (one, other) =
                (verdict(&graph, model, goal, &schedule), verdict(&graph, model, goal, &other));
            prop_assert_eq!(one.is_ok(), other.is_ok());
            if let (Ok(one), Ok(other)) = (one, other) {
                prop_assert_eq!(one, other);
            }
        }
    }
}

fn send(from: u64, port: u32, block: u64) -> Transfer {
    Transfer { from: Node(from), port: Port(port), block }
}

fn steps<const N: usize>(steps: [&[Transfer]; N]) -> Schedule {
    Schedule { steps: steps.iter().map(|step| step.to_vec()).collect() }
}

#[test]
fn each_violation_says_what_and_where() {
    let (ring, path) = (ring(4), path(3));
    let broadcast = Goal::Broadcast { root: Node(0) };
    let one = model(Ports::One);
    let said = |network: &dyn Network, goal, schedule: Schedule| {
        verdict(network, one, goal, &schedule).expect_err("it is wrong").to_string()
    };
    assert_eq!(said(&ring, broadcast, steps([&[send(9, 0, 0)]])), "step 1: there is no node 9");
    assert_eq!(
        said(&path, broadcast, steps([&[send(0, 1, 0)]])),
        "step 1: node 0 has no link at port 1"
    );
    assert_eq!(
        said(&path, broadcast, steps([&[send(0, 7, 0)]])),
        "step 1: node 0 has no link at port 7"
    );
    assert_eq!(
        said(&ring, broadcast, steps([&[], &[send(0, 0, 5)]])),
        "step 2: node 0 sends block 5, and there are 1"
    );
    assert_eq!(
        said(&ring, broadcast, steps([&[send(0, 0, 0), send(1, 1, 0)]])),
        "step 1: node 1 sends block 0, which it does not hold"
    );
    assert_eq!(
        said(&ring, broadcast, steps([&[send(0, 0, 0), send(0, 1, 0)]])),
        "step 1: node 0 sends twice, and it has one port"
    );
    assert_eq!(
        said(&ring, Goal::Allgather, steps([&[send(0, 0, 0), send(2, 0, 2)]])),
        "step 1: node 1 receives twice, and it has one port"
    );
    assert_eq!(
        said(&ring, broadcast, steps([&[send(0, 0, 0), send(0, 0, 0)]])),
        "step 1: the link from 0 to 1 carries two blocks"
    );
    assert_eq!(
        said(&ring, broadcast, steps([&[send(0, 0, 0)], &[send(0, 0, 0)]])),
        "step 2: node 0 sends block 0 to 1, which holds it already"
    );
    assert_eq!(
        said(&path, Goal::Allreduce { blocks: 1 }, steps([&[send(0, 0, 0)], &[send(0, 0, 0)]])),
        "step 2: node 0 sends its part of sum 0 to 1, which has some of it"
    );
    assert_eq!(
        said(&path, broadcast, steps([&[send(0, 0, 0)]])),
        "after 1 steps node 2 does not hold block 0"
    );
    assert_eq!(
        said(&path, Goal::Reduce { root: Node(0), blocks: 1 }, steps([&[send(1, 0, 0)]])),
        "after 1 steps node 0 has sum 0 without the part of node 2"
    );
    assert_eq!(
        said(&path, Goal::Gather { root: Node(3) }, steps([])),
        "step 0: there is no node 3"
    );
}

#[test]
fn parts_that_arrive_together_are_added_whatever_their_order() {
    // Node 0 has its own part; 1 and 2 bring theirs at once, or the same sum twice.
    let network = complete(4);
    let reduce = Goal::Reduce { root: Node(0), blocks: 1 };
    let together = steps([&[send(1, 0, 0), send(2, 0, 0), send(3, 0, 0)]]);
    let cost = verdict(&network, model(Ports::All), reduce, &together).unwrap();
    assert_eq!((cost.steps, cost.transfers, cost.repeats), (1, 3, 0));
    // 1 and 2 exchange, then both send the sum of two to 0.
    let twice = steps([&[send(1, 1, 0), send(2, 1, 0)], &[send(1, 0, 0), send(2, 0, 0)]]);
    let allowed = Model { ports: Ports::All, repeats: Repeats::Allowed };
    assert_eq!(
        verdict(&network, allowed, reduce, &twice),
        Err(Violation::Incomplete { steps: 2, node: Node(0), block: 0, without: Node(3) })
    );
    assert_eq!(
        verdict(&network, model(Ports::All), reduce, &twice),
        Err(Violation::Repeats { step: 2, from: Node(2), to: Node(0), block: 0 })
    );
}

/// What the check says that it takes is what it asks its budget for.
#[test]
fn its_bytes_are_enough_and_no_more() {
    let network = path(3);
    for goal in [Goal::Allreduce { blocks: 3 }, Goal::AllToAll, Goal::Broadcast { root: Node(0) }] {
        let need = check_bytes(&network, goal);
        let within = |memory: u128| {
            let budget = Budget { memory: memory.try_into().unwrap(), ..Budget::UNLIMITED };
            check(&network, model(Ports::All), goal, Schedule::default().stream(), &budget)
        };
        assert!(matches!(within(need - 1), Err(Violation::Budget(_))), "{goal:?}");
        assert!(!matches!(within(need), Err(Violation::Budget(_))), "{goal:?}");
    }
}

/// A broadcast to a hundred nodes in a ring: a word at each node for the block, two words for who has sent and two for
/// who has received, and eight bytes for each of two hundred channels.
#[test]
fn its_bytes_by_hand() {
    let network = ring(100);
    let goal = Goal::Broadcast { root: Node(0) };
    let holds = Bits::bytes(100, 1);
    let busy = Bits::bytes(1, 100);
    assert_eq!((holds, busy), (800, 16));
    // What arrives in a round is kept too, with a list of it that is twice as long.
    assert_eq!(check_bytes(&network, goal), 800 + 3 * 800 + 2 * 16 + 8 * 200);
    // All to all: a bit for each of 10,000 blocks at every node; or eight bytes and a bit a block and eight a node.
    let exact = check_bytes(&network, Goal::AllToAll);
    let row = 8 * 10_000u128.div_ceil(64);
    assert_eq!(exact, (1 + 3) * 100 * row + 2 * 16 + 8 * 200);
    let quick = check_anew_bytes(&network, Goal::AllToAll);
    assert_eq!(quick, 8 * 10_000 + 8 * 100 + 3 * row + 2 * 16 + 8 * 200);
}

/// A rule need not know where its ports end.
#[test]
fn a_port_beyond_the_last_is_no_link() {
    let goal = Goal::Broadcast { root: Node(0) };
    let over = |port| Schedule { steps: vec![vec![send(0, port, 0)]] };
    assert!(verdict(&Careless, model(Ports::All), goal, &over(0)).is_ok());
    let found = verdict(&Careless, model(Ports::All), goal, &over(1));
    assert_eq!(found, Err(Violation::NoLink { step: 1, from: Node(0), port: Port(1) }));
}

#[test]
fn too_much_memory_is_refused_at_once() {
    let network = path(3);
    let none = Schedule::default();
    let budget = Budget { memory: 1000, ..Budget::UNLIMITED };
    let asks = |goal| check(&network, model(Ports::All), goal, none.stream(), &budget).unwrap_err();
    assert!(matches!(
        asks(Goal::Reduce { root: Node(0), blocks: u64::MAX }),
        Violation::Budget(OverBudget::Memory { limit: 1000, .. })
    ));
    assert!(matches!(
        asks(Goal::Allreduce { blocks: 1 << 20 }),
        Violation::Budget(OverBudget::Memory { limit: 1000, .. })
    ));
}

#[test]
fn a_stream_is_judged_as_the_schedule_in_memory() {
    let network = path(40);
    let mut at = 0;
    let stream = |out: &mut Vec<Transfer>| {
        if at < 39 {
            out.push(send(at, u32::from(at > 0), 0));
        }
        at += 1;
        at <= 39
    };
    let schedule = Schedule::collect(stream);
    assert_eq!(schedule.steps.len(), 39);
    let goal = Goal::Broadcast { root: Node(0) };
    let cost = verdict(&network, model(Ports::One), goal, &schedule).unwrap();
    assert_eq!((cost.steps, cost.transfers, cost.busiest, cost.held), (39, 39, 1, 1));
}

#[test]
fn a_block_that_is_not_held_is_caught() {
    for network in samples() {
        for (name, goal, ports, schedule) in all_of(&network) {
            let (held, blocks) = start(&*network, goal);
            let mut held: BTreeSet<(u64, u64)> = held.into_keys().collect();
            for (number, step) in schedule.steps.iter().enumerate() {
                for (place, &Transfer { from, .. }) in step.iter().enumerate() {
                    let Some(block) = (0..blocks).find(|&block| !held.contains(&(from.0, block)))
                    else {
                        continue;
                    };
                    let mut spoiled = schedule.clone();
                    spoiled.steps[number][place].block = block;
                    let step = number as u64 + 1;
                    assert_eq!(
                        verdict(&*network, model(ports), goal, &spoiled),
                        Err(Violation::NotHeld { step, from, block }),
                        "{name} on {network:?}"
                    );
                }
                held.extend(step.iter().map(|&Transfer { from, port, block }| {
                    (network.neighbor(from, port).expect("a link").0, block)
                }));
            }
        }
    }
}

/// What generators make for sums and for an all-to-all is judged without bits.
#[test]
fn counts_decide_what_generators_make() {
    let mut decided = 0;
    for network in samples() {
        for (name, goal, ports, schedule) in all_of(&network) {
            let exchanges = name.contains("exchange") && matches!(goal, Goal::Allreduce { .. });
            let stream = &mut schedule.stream();
            let budget = &Budget::UNLIMITED;
            match judged(&*network, model(ports), goal, Method::Quick, stream, budget) {
                Ok(_) => decided += 1,
                Err(Fault::Undecided) => assert!(exchanges, "{name} {goal:?} on {network:?}"),
                Err(Fault::Violation(violation)) => panic!("{name}: {violation}"),
            }
        }
    }
    assert!(decided > 20, "{decided}");
}

/// n sums at n hosts take n² words and not n³ bits.
#[test]
fn counts_take_less_than_bits() {
    let network = ring(1250);
    let sums = Goal::Allreduce { blocks: 1250 };
    assert!(check_anew_bytes(&network, sums) < 14_000_000);
    assert!(check_bytes(&network, sums) > 240_000_000);
    assert!(check_anew_bytes(&network, Goal::AllToAll) < 14_000_000);
}
