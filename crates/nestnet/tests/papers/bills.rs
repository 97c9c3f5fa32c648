//! Bills under any cost model: every link is counted once, and prices add up as prices do.

use nestnet::compare::bill_of;
use nestnet::family::families;
use nestnet::physical::{Bill, Cable, CostModel, Nic, Parts};
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
