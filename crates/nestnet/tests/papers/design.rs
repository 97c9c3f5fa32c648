//! The search for networks that are Pareto-optimal: against brute force, against `measure`, and against the papers.

use nestnet::design::{ClusterQuestion, Objective, Question, Row, cluster, design};
use nestnet::family::{Family, Kind, Make, Param, families};
use nestnet::figures::Range;
use nestnet::measure::Watch;
use nestnet::measures::Limits;
use nestnet::network::sorted_neighbors;
use nestnet::theory::Bounded;
use nestnet::{Budget, Figures, How, Node, build, figures};
use std::collections::BTreeSet;

fn front(question: &Question) -> Vec<Row> {
    design(question, &Budget::UNLIMITED).expect("a sound question").front
}

fn measured(spec: &str) -> Figures {
    let limits = Limits { how: None, budget: Budget::UNLIMITED };
    figures(&build(spec).unwrap(), limits)
}

/// Degree, diameter, average distance and links for each node.
fn values(figures: &Figures) -> [f64; 4] {
    let exact = |range: Option<Range>| range.and_then(Range::exact).expect("measured");
    let diameter = figures.diameter.as_ref().and_then(Bounded::exact).expect("measured");
    let diameter: u64 = diameter.try_into().expect("small");
    [
        figures.degree as f64,
        diameter as f64,
        exact(figures.average_range()),
        figures.links_per_host(),
    ]
}

#[test]
fn the_table_of_the_dual_net_paper_is_on_the_pareto_front() {
    let question = Question { max_degree: Some(8), ..Question::new(3_000_000) };
    let front = front(&question);
    let row = front.iter().find(|row| row.figures.spec.to_string() == "rdn(torus(5, 5), 2)");
    let figures = &row.expect("RDN(5², 2)").figures;
    assert_eq!((figures.degree, &figures.nodes), (6, &3_125_000u32.into()));
    assert_eq!(figures.diameter, Some(Bounded::theorem(22u8)));
    assert_eq!(format!("{:.2}", figures.cr().unwrap().low), "1.30");
    // Nesting finds better ones.
    let better = |row: &&Row| row.figures.cr().is_some_and(|cr| cr.high < 1.29);
    assert!(front.iter().any(|row| better(&row)));
}

#[test]
fn every_row_can_be_rebuilt_and_measured() {
    for nodes in [24, 60] {
        let question = Question { max_degree: Some(6), max_base: 9, ..Question::new(nodes) };
        let front = front(&question);
        assert!(!front.is_empty());
        for row in front {
            let figures = measured(&row.figures.spec.to_string());
            assert_eq!(values(&row.figures), values(&figures), "{}", figures.spec);
            assert_eq!(row.figures.connectivity.exact(), figures.connectivity.exact());
            assert_eq!(row.figures.routing, figures.routing);
        }
    }
}

/// Sixteen hosts are fewer than a base may have nodes, and a network of switches is no base.
#[test]
fn small_networks_of_switches_are_found() {
    let question = Question { families: vec!["fat_tree".to_owned()], ..Question::new(16) };
    let specs: Vec<String> =
        front(&question).iter().map(|row| row.figures.spec.to_string()).collect();
    assert_eq!(specs, ["fat_tree(4)"]);
}

/// What `measure` says of each row of a cluster, by exhaustive search.
#[test]
fn every_row_of_a_cluster_can_be_rebuilt_and_measured() {
    use nestnet::design::PaidPorts;
    use nestnet::measures::{Analysis, Answer};
    use nestnet::throughput::{Ask, throughput};

    let paid = PaidPorts::Used;
    let question = ClusterQuestion { max_base: 12, paid, ..ClusterQuestion::new(200, 16) };
    let answer = cluster(&question, &Budget::UNLIMITED).expect("a sound question");
    assert!(answer.front.len() > 5, "{}", answer.front.len());
    let kinds: BTreeSet<&str> = answer.front.iter().map(|row| row.origin.name()).collect();
    assert!(kinds.contains("base") && kinds.contains("baseline"), "{kinds:?}");
    for row in &answer.front {
        let built = build(&row.spec.to_string()).unwrap();
        let limits = Limits { how: Some(How::Exhaustive), budget: Budget::UNLIMITED };
        let subject = Analysis::new(&built, limits);
        let number = |key: &str| match subject.answer(key).unwrap() {
            Answer::Integer(value) => value.to_string().parse().unwrap(),
            Answer::Number(value) => value,
            Answer::Known(known) => known.exact().unwrap().to_string().parse().unwrap(),
            Answer::Mean { numerator, denominator, .. } => {
                nestnet::distances::ratio(&numerator, &denominator)
            }
            other => panic!("{key}: {other:?}"),
        };
        let same = |key: &str, value: f64| {
            assert!((number(key) - value).abs() < 1e-9, "{}: {key}", row.spec);
        };
        same("hosts", row.hosts as f64);
        same("nodes", (row.hosts + row.switches) as f64);
        // Elsewhere hosts have links among themselves.
        if row.spec.name == "hosts" {
            same("links", (row.hosts + row.links) as f64);
        }
        same("degree_max", row.ports_used as f64);
        same("host_average_distance", row.mean_hops);
        same("host_diameter", row.host_diameter as f64);
        // What its routing carries, followed host by host.
        let routing = row.routing.as_deref().expect("a row has a routing");
        let router = if routing == "spread" { "all_paths" } else { routing };
        let theta = |traffic: &str| {
            let ask = Ask { traffic, router, gap: None, ..Ask::default() };
            let found = throughput(&built, &ask, &Budget::UNLIMITED).unwrap();
            match row.planes {
                1 => found.theta.value,
                // A host sends at the rate of as many links.
                planes => (found.network_theta.unwrap().value / planes as f64).min(1.0),
            }
        };
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{}: {a} {b}", row.spec);
        close(theta("uniform"), row.throughput);
        if let Some(worst) = row.worst_case {
            close(theta("worst"), worst);
        }
        assert!(row.deadlock_free, "{}", row.spec);
    }
}

/// 64 hosts on switches of 8 ports take three levels, or two planes of two levels on half of the speed.
#[test]
fn planes_save_a_level() {
    use nestnet::compare::bill_of;
    use nestnet::physical::CostModel;

    let question = ClusterQuestion { depth: 0, ..ClusterQuestion::new(64, 8) };
    let answer = cluster(&question, &Budget::UNLIMITED).expect("a sound question");
    let spec = "planes(clos(16, 2, 1, 64), 2)";
    let row = answer.front.iter().find(|row| row.spec.to_string() == spec).expect(spec);
    assert_eq!((row.planes, row.hosts, row.switches, row.links), (2, 64, 24, 128));
    assert_eq!((row.throughput, row.worst_case, row.failures_survived), (1.0, Some(1.0), 1));
    assert!(answer.references.iter().any(|row| row.spec.to_string() == "clos(8, 3, 1, 64)"));
    let built = build(spec).unwrap();
    let bill =
        bill_of(&built, &question.of_plane(2).unwrap().priced(), &Budget::UNLIMITED).unwrap();
    let count =
        |name: &str| bill.items.iter().find(|item| item.item == name).map(|item| item.count);
    assert_eq!(count("switch of 8 ports, each broken out into 2 links"), Some(24));
    assert_eq!((count("NIC"), count("port")), (Some(64), None));
    assert_eq!(bill.price_per_host(), row.price_per_host);
    // Prices of one's own say nothing of slower links.
    let own = CostModel { port_price: 1.0, ..question.cost_model };
    assert!(ClusterQuestion { cost_model: own, ..question.clone() }.of_plane(2).is_none());
    let racks = CostModel { rack: 16, ..question.cost_model };
    assert_eq!(
        ClusterQuestion { cost_model: racks, ..question }.of_plane(2).unwrap().cost_model.rack,
        16
    );
}

/// 96 hosts take six leaves of 16, and a complete network of ten switches 100 hosts, four of which nobody asked for: a
/// price a host is that of all that is built for each host that was asked for.
#[test]
fn partly_filled_leaves_are_cheaper_than_hosts_that_nobody_wants() {
    use nestnet::compare::bill_of;

    for (hosts, spec, switches, price) in
        [(96, "clos(36, 2, 1, 96)", 9, 3905.0), (56, "clos(36, 2, 1, 56)", 6, 4102.0)]
    {
        let question = ClusterQuestion { depth: 0, ..ClusterQuestion::new(hosts, 36) };
        let answer = cluster(&question, &Budget::UNLIMITED).expect("a sound question");
        let (at, _) = answer.recommended.expect("something fits");
        let row = &answer.front[at];
        assert_eq!((&*row.spec.to_string(), row.hosts, row.switches), (spec, hosts, switches));
        assert_eq!((row.throughput, row.worst_case), (1.0, Some(1.0)));
        assert!((row.price_per_host - price).abs() < 1.0, "{}", row.price_per_host);
        assert!(answer.front.iter().any(|row| row.hosts > hosts), "none has too many");
        for row in &answer.front {
            let built = build(&row.spec.to_string()).unwrap();
            let cost_model = question.priced_in(row.planes);
            let bill = bill_of(&built, &cost_model, &Budget::UNLIMITED).unwrap();
            let each = [bill.price, bill.power].map(|sum| sum / hosts as f64);
            assert_eq!([row.price_per_host, row.power_per_host], each, "{}", row.spec);
        }
    }
}

/// A search for nodes pays for at most the nodes that were asked for, and for all that there are.
#[test]
fn nodes_beyond_those_wanted_do_not_share_the_price() {
    use nestnet::compare::bill_of;

    let objectives = vec![Objective::Price, Objective::Diameter];
    let question = Question { objectives, depth: 0, max_degree: Some(4), ..Question::new(30) };
    let front = front(&question);
    let mut wider = 0;
    for row in &front {
        let built = build(&row.figures.spec.to_string()).unwrap();
        let bill = bill_of(&built, &question.cost_model, &Budget::UNLIMITED).unwrap();
        wider += u32::from(bill.hosts > 30);
        let price = bill.price / bill.hosts.min(30) as f64;
        assert_eq!(row.cost.price, Some(price), "{}", row.figures.spec);
    }
    assert!(front.len() > 1 && wider > 0, "{wider} of {}", front.len());
}

/// One switch is non-blocking.
#[test]
fn one_switch_is_a_fabric_without_a_cut() {
    let question = ClusterQuestion { depth: 0, ..ClusterQuestion::new(24, 24) };
    let answer = cluster(&question, &Budget::UNLIMITED).expect("a sound question");
    let (at, why) = answer.recommended.expect("something fits");
    let row = &answer.front[at];
    assert_eq!(row.spec.to_string(), "hosts(complete(1), 24)");
    assert_eq!((row.hosts, row.switches, row.plain_name()), (24, 1, Some("one switch")));
    assert!(why.starts_with("one switch, the cheapest"), "{why}");
    assert_eq!(
        (row.throughput, row.worst_case, row.bisection_fraction),
        (1.0, Some(1.0), Some(1.0))
    );
}

/// A taper that is no whole number has its folded Clos network too.
#[test]
fn a_taper_may_be_a_ratio() {
    use nestnet::design::Bounds;

    let limits = Bounds { max_taper: Some(1.5), ..Bounds::default() };
    let question = ClusterQuestion { depth: 0, limits, ..ClusterQuestion::new(64, 16) };
    let answer = cluster(&question, &Budget::UNLIMITED).expect("a sound question");
    let spec = "clos(16, 2, [3, 2], 64)";
    let row = answer.references.iter().find(|row| row.spec.to_string() == spec).expect(spec);
    assert!(row.bisection_fraction.is_some_and(|part| part >= 2.0 / 3.0), "{row:?}");
}

/// Planes are found under their own name, and under that of what they are planes of.
#[test]
fn planes_can_be_asked_for() {
    let names = |hosts, family: &str| {
        let families = vec![family.to_owned()];
        let question = ClusterQuestion { depth: 0, families, ..ClusterQuestion::new(hosts, 8) };
        let answer = cluster(&question, &Budget::UNLIMITED).expect("a sound question");
        let names = answer.front.iter().map(|row| row.spec.name.clone());
        (names.collect::<BTreeSet<String>>(), answer.unfit)
    };
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    // One plane takes a level more, and is dominated.
    for family in ["clos", "planes"] {
        assert_eq!(names(64, family), (set(&["planes"]), Vec::new()), "{family}");
    }
    assert_eq!(names(16, "clos"), (set(&["clos"]), Vec::new()));
    let (found, unfit) = names(8, "planes");
    assert!(found.is_empty() && unfit[0].why.contains("as few levels"), "{unfit:?}");
    let usual = Question { families: vec!["planes".to_owned()], ..Question::new(16) };
    assert!(design(&usual, &Budget::UNLIMITED).is_err());
}

/// A chip of 16 tiles has no network of 15.
#[test]
fn every_tile_of_a_chip_has_its_place() {
    use nestnet::physical::floorplan::Floorplan;

    let tiles = Some(Floorplan::default());
    let question = Question { tiles, depth: 0, max_degree: Some(4), ..Question::new(16) };
    assert_eq!(question.sizes(), 16..=17);
    let answer = design(&question, &Budget::UNLIMITED).unwrap();
    assert!(!answer.front.is_empty());
    assert!(answer.front.iter().all(|row| row.figures.hosts >= 16u8.into()));
}

/// A search that ends before all candidates are made has the folded Clos networks, with planes.
#[test]
fn a_search_that_is_stopped_early_has_what_everybody_builds() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let begun = AtomicBool::new(false);
    let (stop, progress) =
        (|| begun.load(Ordering::Relaxed), |_: f64| begun.store(true, Ordering::Relaxed));
    let watch = Watch { stop: &stop, progress: &progress };
    let question = ClusterQuestion::new(64, 8);
    let answer = cluster(&question, &Budget { watch, ..Budget::UNLIMITED }).expect("some rows");
    assert!(!answer.finished && answer.recommended.is_some());
    let specs: Vec<String> = answer.front.iter().map(|row| row.spec.to_string()).collect();
    for spec in ["clos(8, 3, 1, 64)", "planes(clos(16, 2, 1, 64), 2)"] {
        let is_there = specs.iter().any(|one| one == spec);
        let is_known = answer.references.iter().any(|row| row.spec.to_string() == spec);
        assert!(is_there || is_known, "{spec}: {specs:?}");
    }
}

/// The words that a row takes, written as an argument; nothing for the one that optional.
fn words(family: &Family) -> Vec<String> {
    let word = family.params.iter().find_map(|param| match param.kind {
        Kind::Word(words) => Some((param.name, words)),
        _ => None,
    });
    let mut all = vec![String::new()];
    if let Some((name, words)) = word {
        all.extend(words[1..].iter().map(|word| format!(", {name}={word}")));
    }
    all
}

/// All lists of `length` integers up to `most`.
fn lists(length: usize, most: u64) -> Vec<Vec<String>> {
    let longer = |lists: Vec<Vec<String>>| {
        let one = |list: Vec<String>| {
            (0..=most).map(move |value| [list.clone(), vec![value.to_string()]].concat())
        };
        lists.into_iter().flat_map(one).collect()
    };
    (0..length).fold(vec![Vec::new()], |lists, _| longer(lists))
}

/// A small network.
#[derive(Clone)]
struct Small {
    spec: String,
    order: u64,
}

/// Whether a construction is the outermost.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Yes,
    No,
}

/// The networks of at most `most` nodes that another may depend on, each once: names of the same links are one.
fn different(specs: Vec<String>, most: u64) -> Vec<Small> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for spec in specs {
        let Ok(built) = build(&spec) else { continue };
        let order = u64::try_from(built.order()).unwrap_or(u64::MAX);
        let theory = &built.theory;
        if !(2..=most).contains(&order) || !theory.connected() || theory.hosts() != theory.order() {
            continue;
        }
        let network = built.network.expect("it is small");
        let links = (0..order).map(|id| sorted_neighbors(&*network, Node(id)));
        if seen.insert(links.collect::<Vec<_>>()) {
            all.push(Small { spec, order });
        }
    }
    all
}

fn required(family: &Family) -> usize {
    let integer = |param: &&Param| matches!(param.kind, Kind::Integer { .. }) && !param.keyed;
    family.params.iter().filter(integer).count()
}

/// The rows that are searched.
fn searched() -> impl Iterator<Item = &'static Family> {
    families().filter(|family| matches!(family.make, Make::Build(_)) && family.facts.searched)
}

/// Every network that depends on no other, by trying all arguments.
fn simple(most: u64) -> Vec<Small> {
    let mut all = Vec::new();
    for family in searched() {
        let has = |wanted: fn(Kind) -> bool| family.params.iter().any(|p| wanted(p.kind));
        if has(|kind| matches!(kind, Kind::Network | Kind::Fabric | Kind::Networks | Kind::Text))
            || family.name == "random_regular"
        {
            continue;
        }
        let args = if has(|kind| matches!(kind, Kind::Integers { .. })) {
            (1..=3).flat_map(|length| lists(length, most)).collect()
        } else {
            lists(required(family), most)
        };
        for args in args {
            for word in words(family) {
                let args = args.join(", ");
                all.push(format!("{}({args}{word})", family.name).replace("()", ""));
            }
        }
    }
    different(all, most)
}

/// Every construction on `inner`, and those with a frame too.
fn constructed(inner: &[Small], frames: &[Small], most: u64, last: Last) -> Vec<Small> {
    let mut all = Vec::new();
    for family in searched() {
        let networks = |p: &&Param| matches!(p.kind, Kind::Network | Kind::Networks);
        let firsts = match family.params.iter().filter(networks).count() {
            0 => continue,
            1 => vec![None],
            _ => frames.iter().map(Some).collect(),
        };
        let most_words = if last == Last::Yes { usize::MAX } else { 1 };
        let integers = lists(required(family).max(1), if required(family) > 1 { 4 } else { most });
        for (first, base) in firsts.iter().flat_map(|f| inner.iter().map(move |b| (f, b))) {
            // Every construction has two copies or more, and an expansion one for each node of its frame.
            let copies = first.as_ref().map_or(2, |frame| frame.order);
            let nested = first.is_some() && base.spec.starts_with("re(");
            if copies * base.order > most || nested {
                continue;
            }
            let start = first.as_ref().map_or(String::new(), |frame| format!("{}, ", frame.spec));
            for integers in &integers {
                for word in words(family).into_iter().take(most_words) {
                    let integers = integers.join(", ");
                    let base = &base.spec;
                    all.push(format!("{}({start}{base}, {integers}{word})", family.name));
                }
            }
        }
    }
    different(all, most)
}

#[test]
fn brute_force_finds_the_same_front() {
    compare_with_brute_force(8, 0.13, 9);
    if crate::slow() {
        compare_with_brute_force(11, 0.1, 12);
    }
}

/// All networks of about `nodes` nodes, of which the largest have `most`, tried and measured.
fn compare_with_brute_force(nodes: u64, tolerance: f64, most: u64) {
    // Switches, hosts and random networks are not built on, and are not tried here.
    let apart = ["fat_tree", "clos", "leaf_spine", "bcube", "dcell", "random_regular", "file"];
    let rows = families().filter(|family| matches!(family.make, Make::Build(_)));
    let rows = rows.filter(|family| family.facts.searched);
    let rows = rows.map(|family| family.name.to_owned()).filter(|name| !apart.contains(&&**name));
    let families = rows.collect();
    let question = Question { tolerance, max_base: most, families, ..Question::new(nodes.into()) };
    let sizes = question.sizes();
    assert_eq!(*sizes.end(), most.into());
    let bases = simple(most);
    let inner = constructed(&bases, &bases, most, Last::No);
    let once = constructed(&bases, &bases, most, Last::Yes);
    let twice = constructed(&inner, &bases, most, Last::Yes);
    let all = [bases, once, twice].concat();
    let wanted = all.iter().filter(|small| sizes.contains(&small.order.into()));
    let brute: BTreeSet<[u64; 4]> =
        wanted.map(|small| values(&measured(&small.spec)).map(f64::to_bits)).collect();
    assert!(brute.len() > 50, "{}", brute.len());
    // Positive numbers are in the order of their bits.
    let beats = |a: &[u64; 4], b: &[u64; 4]| a.iter().zip(b).all(|(x, y)| x <= y) && a != b;
    let best = brute.iter().filter(|value| !brute.iter().any(|other| beats(other, value)));
    let best: Vec<[f64; 4]> = best.map(|value| value.map(f64::from_bits)).collect();
    let ours = front(&question);
    let ours: BTreeSet<[u64; 4]> =
        ours.iter().map(|row| values(&row.figures).map(f64::to_bits)).collect();
    let ours: Vec<[f64; 4]> = ours.iter().map(|value| value.map(f64::from_bits)).collect();
    let missed = best.iter().filter(|value| !ours.contains(value)).map(|value| {
        let has = |small: &&Small| values(&measured(&small.spec)) == *value;
        all.iter().filter(|small| sizes.contains(&small.order.into())).find(has).map(|s| &s.spec)
    });
    let missed: Vec<Option<&String>> = missed.collect();
    assert_eq!(ours, best, "missed: {missed:?}");
}

#[test]
fn large_questions_are_answered_too() {
    let question =
        Question { max_degree: Some(6), max_base: 9, ..Question::new(1_000_000_000_000) };
    let front = front(&question);
    assert!(front.iter().any(|row| row.figures.cr().is_some_and(|cr| cr.high < 2.0)));
    assert!(front.iter().all(|row| row.figures.size_match(&question.nodes.into()) >= 0.9));
}

#[test]
fn what_does_not_fit_says_which_limit_to_relax() {
    let question = Question {
        max_degree: Some(3),
        max_diameter: Some(4),
        depth: 1,
        max_base: 5,
        ..Question::new(40)
    };
    let answer = design(&question, &Budget::UNLIMITED).unwrap();
    assert!(answer.front.is_empty());
    let relaxed = answer.relaxed.unwrap();
    // Each alone is enough, and the least that is.
    let (degree, diameter) = (relaxed.max_degree.unwrap(), relaxed.max_diameter.unwrap());
    assert!(degree > 3 && diameter > 4);
    assert!(!front(&Question { max_degree: Some(degree), ..question.clone() }).is_empty());
    assert!(front(&Question { max_degree: Some(degree - 1), ..question.clone() }).is_empty());
    assert!(!front(&Question { max_diameter: Some(diameter), ..question.clone() }).is_empty());
    assert!(front(&Question { max_diameter: Some(diameter - 1), ..question.clone() }).is_empty());
}

#[test]
fn a_question_may_be_stopped_or_unsound() {
    let watch = Watch { stop: &|| true, ..Watch::SILENT };
    assert!(design(&Question::new(1000), &Budget { watch, ..Budget::UNLIMITED }).is_err());
    assert!(design(&Question::new(0), &Budget::UNLIMITED).is_err());
    let none = Question { objectives: Vec::new(), ..Question::new(10) };
    assert!(design(&none, &Budget::UNLIMITED).is_err());
    let error = "digree".parse::<Objective>().unwrap_err();
    assert!(error.contains("did you mean `degree`?"), "{error}");
    let usual = ClusterQuestion::new(64, 16);
    for (question, why) in [
        (ClusterQuestion { each: Some(0), ..usual.clone() }, "at least one host"),
        (ClusterQuestion { hosts: 1, ..usual.clone() }, "at least 2 hosts"),
        (ClusterQuestion { radix: 1, ..usual.clone() }, "at least 2 ports"),
        (ClusterQuestion { tolerance: 2.0, ..usual.clone() }, "tolerance"),
    ] {
        let error = cluster(&question, &Budget::UNLIMITED).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    // More hosts than a switch has ports for: nothing fits, and nothing fails.
    let question = ClusterQuestion { each: Some(17), depth: 0, ..usual };
    assert!(cluster(&question, &Budget::UNLIMITED).is_ok());
}

#[test]
fn an_alias_searches_what_it_means() {
    let of = |name: &str| {
        let families = vec![name.to_owned()];
        let front = front(&Question { families, depth: 1, max_base: 4, ..Question::new(81) });
        front.iter().map(|row| row.figures.spec.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(of("hyperx"), of("generalized_hypercube"));
    assert!(!of("hyperx").is_empty());
    let unknown = Question { families: vec!["hyperxx".to_owned()], ..Question::new(16) };
    let error = design(&unknown, &Budget::UNLIMITED).unwrap_err().to_string();
    assert!(error.contains("did you mean `hyperx`?"), "{error}");
}

/// Every network of a few families with every number of hosts, measured one by one: the slow reference version.
#[test]
fn the_front_of_a_cluster_has_what_trying_everything_finds() {
    use nestnet::fabric::Fabric;
    use nestnet::measure::connectivity::vertex_connectivity;
    use nestnet::physical::{Packing, bill};
    use nestnet::throughput::uniform;

    let families = ["ring", "complete", "hypercube", "folded_hypercube"];
    let (hosts, radix) = (48, 12);
    let names = families.map(str::to_owned).to_vec();
    let question =
        ClusterQuestion { depth: 0, families: names, ..ClusterQuestion::new(hosts, radix) };
    let answer = cluster(&question, &Budget::UNLIMITED).expect("a sound question");
    let mut all: Vec<(String, [f64; 4])> = Vec::new();
    for each in radix.div_ceil(8)..radix {
        for n in 2..60 {
            for family in families {
                let Ok(base) = build(&format!("{family}({n})")) else { continue };
                let switches = base.network.as_ref().map_or(u64::MAX, |network| network.order());
                let fits = switches.saturating_mul(each) >= hosts
                    && switches.saturating_mul(each) <= hosts + hosts / 10
                    && base.theory.degrees().max + each <= radix;
                if !fits {
                    continue;
                }
                let spec = format!("hosts({family}({n}), {each})");
                let built = build(&spec).unwrap();
                let network = built.network.as_ref().unwrap();
                let cost_model = question.priced();
                let packing = Packing::new(&**network, &[], &cost_model);
                let bill = bill(&**network, &packing, &cost_model, &Budget::UNLIMITED).unwrap();
                let fabric = Fabric::of(&**network, &Budget::UNLIMITED).unwrap();
                let kappa = vertex_connectivity(&fabric.csr, None, &Watch::SILENT).unwrap();
                let theta = uniform(&built, &Budget::UNLIMITED).unwrap().value.min(1.0);
                let figures = measured(&spec);
                let mean = figures.average_range().and_then(Range::exact).unwrap();
                let survives = f64::from(kappa.value) - 1.0;
                all.push((spec, [bill.price / hosts as f64, -theta, mean, -survives]));
            }
        }
    }
    assert!(all.len() > 5, "{all:?}");
    let beats = |a: &[f64; 4], b: &[f64; 4]| {
        a.iter().zip(b).all(|(a, b)| *a <= b + 1e-9) && a.iter().zip(b).any(|(a, b)| *a < b - 1e-9)
    };
    let best = all.iter().filter(|(_, one)| !all.iter().any(|(_, other)| beats(other, one)));
    let round = |values: &[f64; 4]| values.map(|value| format!("{value:.6}"));
    // The routing of a row may carry less than all shortest paths do.
    let round = |values: &[f64; 4]| {
        let [price, _, mean, survives] = round(values);
        [price, mean, survives]
    };
    let found: BTreeSet<[String; 3]> = answer
        .front
        .iter()
        .map(|row| {
            let survives = row.failures_survived as f64;
            round(&[row.price_per_host, 0.0, row.mean_hops, -survives])
        })
        .collect();
    for (spec, values) in best {
        assert!(found.contains(&round(values)), "{spec} is not on the Pareto front");
    }
    let (at, why) = answer.recommended.expect("something is on the Pareto front");
    assert!(
        at < answer.front.len() && (why.contains("cheapest") || why.contains("the only")),
        "{why}"
    );
}

mod limits {
    //! A limit takes rows away that break it, and no others.

    use crate::bills::cost_model;
    use nestnet::Budget;
    use nestnet::design::{Bounds, ClusterQuestion, ClusterRow, cluster};
    use nestnet::physical::{Cable, CostModel, Nic};
    use proptest::prelude::*;

    fn listed(question: &ClusterQuestion) -> Vec<ClusterRow> {
        cluster(question, &Budget::UNLIMITED).expect("a sound question").front
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: if nestnet_seed::slow() { 64 } else { 6 }, ..nestnet_seed::config() })]

        /// Whatever is listed without a limit and keeps within it is listed with it, for every limit and cost model.
        #[test]
        fn no_limit_loses_a_row_that_keeps_it(
            cost_model in cost_model(),
            hosts in 20u64..70,
            radix in 8u64..17,
            which in any::<prop::sample::Index>(),
        ) {
            let question = ClusterQuestion { depth: 0, cost_model, ..ClusterQuestion::new(hosts, radix) };
            let all = listed(&question);
            prop_assume!(!all.is_empty());
            // A limit that some row just keeps.
            let row = &all[which.index(all.len())];
            let limits = [
                Bounds { max_price: Some(row.price_per_host), ..Bounds::default() },
                Bounds { max_power: Some(row.power_per_host), ..Bounds::default() },
                Bounds { max_hops: Some(row.mean_switch_hops()), ..Bounds::default() },
                Bounds { min_throughput: Some(row.throughput.min(1.0)), ..Bounds::default() },
                Bounds { max_diameter: Some(row.max_switch_hops()), ..Bounds::default() },
                Bounds { max_vcs: row.vcs, ..Bounds::default() },
                Bounds { min_worst_case: row.worst_case, ..Bounds::default() },
                Bounds { min_bisection: row.bisection_fraction, ..Bounds::default() },
                Bounds {
                    max_taper: row.bisection_fraction.map(|part| (1.0 / part).max(1.0)),
                    ..Bounds::default()
                },
            ];
            let least = |value: Option<f64>, least: Option<f64>| {
                least.is_none_or(|least| value.is_some_and(|value| value >= least))
            };
            for limits in limits {
                let within = |row: &&ClusterRow| {
                    limits.max_price.is_none_or(|most| row.price_per_host <= most)
                        && limits.max_power.is_none_or(|most| row.power_per_host <= most)
                        && limits.max_hops.is_none_or(|most| row.mean_switch_hops() <= most)
                        && limits.min_throughput.is_none_or(|least| row.throughput >= least)
                        && limits.max_diameter.is_none_or(|most| row.max_switch_hops() <= most)
                        && limits.max_vcs.is_none_or(|most| row.vcs.is_some_and(|vcs| vcs <= most))
                        && least(row.worst_case, limits.min_worst_case)
                        && least(row.bisection_fraction, limits.least_bisection())
                };
                let left = listed(&ClusterQuestion { limits, ..question.clone() });
                for row in all.iter().filter(within) {
                    let is_there = left.iter().any(|other| other.spec == row.spec);
                    prop_assert!(is_there, "{} is lost by {limits:?}", row.spec);
                }
            }
        }
    }

    /// `torus(2, 4)` and `rcr(1, 4, 0)` are one network: a limit that changes the order in which they are measured does
    /// not change which of the two names is listed.
    #[test]
    fn equals_do_not_beat_each_other_by_rounding() {
        let cable =
            |price_per_meter, reach| Cable { price: 1.0, price_per_meter, power: 3.0, reach };
        let cost_model = CostModel {
            board: 1,
            rack: 32,
            copper: cable(0.0, 0.0),
            active: cable(0.0, 0.0),
            fiber: cable(1.0, f64::INFINITY),
            nic: Some(Nic { price: 852.0, power: 5.0 }),
            switch_price: 944.0,
            port_price: 0.0,
            ..CostModel::default()
        };
        let question = ClusterQuestion { depth: 0, cost_model, ..ClusterQuestion::new(72, 13) };
        let limits = Bounds { max_price: Some(1094.475), ..Bounds::default() };
        let limited = ClusterQuestion { limits, ..question.clone() };
        for rows in [listed(&question), listed(&limited)] {
            assert!(rows.iter().any(|row| row.spec.to_string() == "hosts(torus(2, 4), 9)"));
        }
    }

    /// Copper and fiber cost a fortune, active copper a dollar: a bound that knows only the first two loses everything.
    #[test]
    fn active_cables_count_in_the_bound() {
        let dear = Cable { price: 100_000.0, price_per_meter: 0.0, power: 0.0, reach: 0.1 };
        let cluster = CostModel::cluster(nestnet::physical::Speed::Gb400);
        let cost_model = CostModel {
            copper: dear,
            active: Cable { price: 1.0, reach: 1000.0, ..dear },
            fiber: Cable { reach: f64::INFINITY, ..dear },
            ..cluster
        };
        let question = ClusterQuestion { depth: 0, cost_model, ..ClusterQuestion::new(64, 16) };
        let all = listed(&question);
        let limits = Bounds { max_price: Some(5000.0), ..Bounds::default() };
        let left = listed(&ClusterQuestion { limits, ..question });
        let cheap = all.iter().filter(|row| row.price_per_host <= 5000.0).count();
        assert!(cheap > 0 && left.len() >= cheap, "{cheap} and {}", left.len());
    }

    /// Stopped at any moment, a search says so, and lists only what it has measured.
    #[test]
    fn a_search_that_is_stopped_keeps_what_it_measured() {
        use nestnet::Watch;
        use nestnet::design::{DesignError, Question, design};
        use std::sync::atomic::{AtomicU64, Ordering};

        let stopped_after = |looks: u64, ask: &mut dyn FnMut(&Budget<'_>)| {
            let count = AtomicU64::new(0);
            let stop = || count.fetch_add(1, Ordering::Relaxed) >= looks;
            let watch = Watch { stop: &stop, ..Watch::SILENT };
            ask(&Budget { watch, ..Budget::UNLIMITED });
            count.load(Ordering::Relaxed)
        };
        let hosts = ClusterQuestion { depth: 0, ..ClusterQuestion::new(48, 12) };
        let nodes = Question { depth: 0, max_degree: Some(4), ..Question::new(40) };
        let (mut partial, mut whole) = ([0, 0], [0, 0]);
        for (number, partial) in partial.iter_mut().enumerate() {
            let mut ask = |budget: &Budget<'_>| {
                let ended = match number {
                    0 => cluster(&hosts, budget).map(|found| {
                        let sound = |row: &ClusterRow| row.throughput > 0.0 && row.mean_hops >= 2.0;
                        assert!(found.front.iter().all(sound));
                        (found.finished, found.front.len())
                    }),
                    _ => design(&nodes, budget).map(|found| {
                        assert!(found.front.iter().all(|row| row.figures.degree <= 4));
                        (found.finished, found.front.len())
                    }),
                };
                match ended {
                    Ok((false, rows)) => *partial += rows,
                    Ok((true, rows)) => whole[number] = whole[number].max(rows),
                    Err(DesignError::Interrupted(_)) => {}
                    Err(error) => panic!("{error}"),
                }
            };
            let looks = stopped_after(u64::MAX, &mut ask);
            for part in 1..40 {
                stopped_after(looks * part / 40, &mut ask);
            }
        }
        assert!(whole.iter().chain(&partial).all(|&rows| rows > 0), "{whole:?} {partial:?}");
    }
}

/// 128 hosts on switches of 16 ports: a dragonfly that fills most of its switches and carries uniform traffic.
#[test]
fn the_reference_dragonfly_uses_the_ports_of_its_switches() {
    let families = vec!["dragonfly".to_owned()];
    let radix = 16;
    let question = ClusterQuestion { depth: 0, families, ..ClusterQuestion::new(128, radix) };
    let answer = cluster(&question, &Budget::UNLIMITED).expect("a sound question");
    let mut dragonflies =
        answer.references.iter().filter(|row| row.spec.to_string().contains("dragonfly"));
    let row = dragonflies.next().expect("a reference");
    assert!(row.throughput >= 0.95 && row.deadlock_free, "{}", row.spec);
    assert!(4 * row.ports_used >= 3 * radix, "{}: {}", row.spec, row.ports_used);
    let able = answer.front.iter().filter(|row| row.throughput >= 0.95);
    let cheaper = able.filter(|one| one.price_per_host < row.price_per_host);
    assert_eq!(cheaper.filter(|one| one.spec.name == "hosts").count(), 0, "{}", row.spec);
}
