//! Bills under any cost model: every link is counted once, and prices add up as prices do.

use nestnet::compare::{Options, bill_of, contender, cost_model_of};
use nestnet::family::families;
use nestnet::measures::Limits;
use nestnet::physical::{Bill, Cable, CostModel, Nic, Parts, Speed};
use nestnet::{Budget, Built, build};
use num_traits::ToPrimitive;
use proptest::prelude::*;

/// Any sensible prices: cables of some kind reach everywhere.
pub fn cost_model() -> impl Strategy<Value = CostModel> {
    let cable = || {
        let reach = prop_oneof![Just(0.0), Just(2.0), Just(5.0), Just(1000.0)];
        let price = prop_oneof![Just(1.0), Just(50.0), Just(2000.0), Just(100_000.0)];
        (price, 0u32..100, reach).prop_map(|(price, meter, reach)| Cable {
            price,
            price_per_meter: meter.into(),
            power: 3.0,
            reach,
        })
    };
    let nic = proptest::option::of(
        (0u32..3000).prop_map(|price| Nic { price: price.into(), power: 5.0 }),
    );
    let board = prop_oneof![Just(1u64), Just(4)];
    (cable(), cable(), cable(), nic, board, 0u32..5000, 0u32..900).prop_map(
        |(copper, active, fiber, nic, board, switch, port)| CostModel {
            board,
            rack: 32,
            copper,
            active,
            fiber: Cable { reach: f64::INFINITY, ..fiber },
            nic,
            switch_price: switch.into(),
            port_price: port.into(),
            ..CostModel::default()
        },
    )
}

/// The examples of all families that are small, and hosts on some.
fn network() -> impl Strategy<Value = &'static str> {
    let more = ["hosts(petersen, 3)", "hosts(torus(3, 4), 1)", "hosts(rdn(ring(3), 1), 2)"];
    let examples = families().flat_map(|family| family.examples).copied();
    let small = |spec: &&str| build(spec).is_ok_and(|built| built.order() <= 300u32.into());
    proptest::sample::select(examples.chain(more).filter(small).collect::<Vec<_>>())
}

fn bill(built: &Built, model: &CostModel) -> Bill {
    bill_of(built, model, &Budget::UNLIMITED).expect("it can be built")
}

/// All prices doubled, which no rounding changes.
fn doubled(model: &CostModel) -> CostModel {
    let cable = |cable: Cable| Cable {
        price: 2.0 * cable.price,
        price_per_meter: 2.0 * cable.price_per_meter,
        ..cable
    };
    CostModel {
        copper: cable(model.copper),
        active: cable(model.active),
        fiber: cable(model.fiber),
        nic: model.nic.map(|nic| Nic { price: 2.0 * nic.price, ..nic }),
        switch_price: 2.0 * model.switch_price,
        port_price: 2.0 * model.port_price,
        ..*model
    }
}

/// The same with one price more expensive.
fn more_expensive(model: &CostModel) -> Vec<CostModel> {
    let cable = |cable: Cable| Cable { price: cable.price + 100.0, ..cable };
    let meter = |cable: Cable| Cable { price_per_meter: cable.price_per_meter + 10.0, ..cable };
    vec![
        CostModel { copper: cable(model.copper), ..*model },
        CostModel { active: meter(model.active), ..*model },
        CostModel { fiber: meter(model.fiber), ..*model },
        CostModel { nic: model.nic.map(|nic| Nic { price: nic.price + 9.0, ..nic }), ..*model },
        CostModel { switch_price: model.switch_price + 70.0, ..*model },
        CostModel { port_price: model.port_price + 7.0, ..*model },
    ]
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn every_cable_is_counted_once(spec in network(), model in cost_model()) {
        let built = build(spec).expect("an example");
        let bill = bill(&built, &model);
        let links: u64 = bill.links.iter().sum();
        prop_assert_eq!(built.theory.degrees().cables, links.into(), "{}", spec);
        let by_level: u64 = bill.by_level.iter().flatten().sum();
        prop_assert_eq!(by_level, links, "{}", spec);
        // All but what is on a board is a cable.
        let cables: u64 = bill.links[2..].iter().sum();
        prop_assert_eq!(bill.copper + bill.active + bill.fiber, cables, "{}", spec);
    }

    #[test]
    fn prices_add_up(spec in network(), model in cost_model()) {
        let built = build(spec).expect("an example");
        let once = bill(&built, &model);
        let twice = bill(&built, &doubled(&model));
        let mut expected = once.clone();
        expected.price *= 2.0;
        for item in &mut expected.items {
            (item.price, item.unit_price) = (2.0 * item.price, 2.0 * item.unit_price);
        }
        prop_assert_eq!(twice, expected, "{}", spec);
        for model in more_expensive(&model) {
            let more = bill(&built, &model);
            prop_assert!(more.price >= once.price, "{}: {:?}", spec, model);
            prop_assert_eq!((more.length, more.links), (once.length, once.links), "{}", spec);
        }
        // What may be longer is an offer more, and takes none away.
        let longer = Cable { reach: 2.0 * model.copper.reach + 1.0, ..model.copper };
        let more = bill(&built, &CostModel { copper: longer, ..model });
        prop_assert!(more.price <= once.price, "{}: {} and {}", spec, more.price, once.price);
    }

    #[test]
    fn no_bill_is_below_its_bound(spec in network(), model in cost_model()) {
        let built = build(spec).expect("an example");
        // No search looks at networks with servers, which bring along what is inside them.
        if built.network.as_ref().is_some_and(|network| network.server_levels() > 0) {
            return Ok(());
        }
        let number = |count: num_bigint::BigUint| count.to_f64().expect("small");
        let parts = Parts {
            nodes: number(built.order()),
            hosts: number(built.theory.hosts()),
            links: number(built.theory.degrees().links),
            switch_links: 0.0,
        };
        let (least, price) = (model.least_price(&parts), bill(&built, &model).price);
        prop_assert!(least <= price, "{}: {} dollars, bound {}", spec, price, least);
    }
}

/// Switches and NICs, and links by cable, of one price whoever asks.
#[test]
fn lines_add_up_to_the_price_of_a_comparison() {
    for spec in [
        "planes(clos(16, 2, 1, 64), 2)",
        "planes(hosts(hyperx(3, 3), 3), 2)",
        "planes(rails(4, 2, 2, 1), 2)",
        "rails(8, 4, 4, 4, 9)",
        "hosts(ring(5), 3)",
        "pgft([2, 4], [1, 2], [1, 3])",
        "hammingmesh(2, 2, 3, 2)",
        "bcube(4, 1)",
        "dcell(3, 1)",
        "torus(3, 3)",
    ] {
        let built = build(spec).unwrap();
        for (ports, links) in [0, 4, 8, 64].into_iter().flat_map(|ports| [(ports, 1), (ports, 2)]) {
            let model = CostModel::broken_out(Speed::Gb400, links).unwrap();
            let model = CostModel { switch_ports: ports * links, ..model };
            let row = contender(&built, &Options::new(Limits::default(), model));
            let found = bill(&built, &model);
            assert_eq!(row.bill.as_ref(), Ok(&found), "{spec}, {ports} ports");
            let sum: f64 = found.items.iter().map(|item| item.price).sum();
            assert_eq!(sum, found.price, "{spec}, {ports} ports");
            // Every link has a part of a cable.
            let breakout = cost_model_of(&built, &model).breakout;
            let cables = found.items.iter().filter(|item| item.meters.is_some());
            let most: u64 = cables
                .map(|item| if item.item.contains(" links") { breakout } else { 1 } * item.count)
                .sum();
            let by_cable = found.copper + found.active + found.fiber;
            let rows = found.items.len() as u64;
            assert!((by_cable..by_cable + rows * breakout).contains(&most), "{spec}: {found:?}");
        }
    }
}

fn count(bill: &Bill, name: &str) -> Option<u64> {
    let mut named = bill.items.iter().filter(|item| item.item.starts_with(name)).peekable();
    named.peek()?;
    Some(named.map(|item| item.count).sum())
}

/// The switch inside a server is no box, and its links are no cables; a NIC has the one link of its rail.
#[test]
fn a_server_brings_its_switch() {
    let boxes = CostModel { switch_ports: 8, ..CostModel::cluster(Speed::Gb400) };
    for (spec, server_switches, planes) in
        [("rails(8, 4, 4, 4, 9)", 8, 1), ("planes(rails(8, 4, 4, 4), 2)", 16, 2)]
    {
        let built = build(spec).unwrap();
        let found = bill(&built, &boxes);
        assert_eq!(found.server_switches, server_switches, "{spec}");
        // Eight leaves and four spines.
        assert_eq!(count(&found, "switch of 8 ports"), Some(12 * planes), "{spec}");
        assert_eq!((count(&found, "NIC"), found.hosts), (Some(32), 32), "{spec}");
        let cables: u64 = found.cable_lengths.iter().map(|row| row.cables).sum();
        assert_eq!(cables, 64 * planes, "{spec}");
        assert!(found.least_length.unwrap() <= found.length, "{spec}");
    }
}

/// Ports of 400 Gb/s, each two links: from a leaf to two hosts, or side by side to a spine.
#[test]
fn links_of_a_port_share_a_cable() {
    let boxes = CostModel { switch_ports: 8, ..CostModel::cluster(Speed::Gb400) };
    let found = bill(&build("planes(clos(16, 2, 1, 64), 2)").unwrap(), &boxes);
    let of = |end: &str| -> u64 {
        let ends = found.items.iter().filter(|item| item.item.ends_with(end));
        ends.map(|item| item.count).sum()
    };
    // Eight leaves a plane with eight hosts and eight links up, two to each of four spines.
    assert_eq!((of(" split into 2 links"), of(" of 2 links side by side")), (64, 64));
    assert_eq!(found.copper + found.active + found.fiber, 256);
    assert_eq!(count(&found, "switch of 8 ports, each broken out into 2 links"), Some(24));
}
