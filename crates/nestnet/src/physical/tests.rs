//! Are bills what counting by hand gives?

use super::materials::Cables;
use super::*;
use nestnet_graph::{Csr, Watch};
use proptest::prelude::*;
use std::sync::Mutex;

fn grid(side: u32) -> Csr {
    let at = |x: u32, y: u32| x * side + y;
    let mut links = Vec::new();
    for x in 0..side {
        for y in 0..side {
            if x + 1 < side {
                links.push((at(x, y), at(x + 1, y)));
            }
            if y + 1 < side {
                links.push((at(x, y), at(x, y + 1)));
            }
        }
    }
    Csr::from_links(u64::from(side * side), &links, 1 << 20).unwrap()
}

#[test]
fn products_are_packed_in_blocks() {
    let grid = grid(8);
    let cost_model = CostModel { board: 4, rack: 16, ..CostModel::default() };
    let by_blocks = Packing::new(&grid, &[8, 8], &cost_model);
    let by_ids = Packing::new(&grid, &[], &cost_model);
    assert_eq!((by_blocks.in_rack(), by_ids.in_rack()), (16, 16));
    let of = |packing| bill(&grid, &packing, &cost_model, &Budget::default()).unwrap();
    // Four racks of 4 by 4: two borders of eight links, each along a row or across rows.
    let blocks = of(by_blocks);
    assert_eq!(blocks.links, [0, 64, 32, 8, 8]);
    assert_eq!((blocks.racks, blocks.rows, blocks.boards), (4, 2, 16));
    assert_eq!(of(by_ids).links[3..].iter().sum::<u64>(), 24);
    assert_eq!(blocks.links.iter().sum::<u64>(), grid.links());
    assert_eq!(blocks.by_level, [blocks.links]);
}

/// Round prices, so that a bill can be written out.
const ROUND: CostModel = CostModel {
    chip: 1,
    board: 1,
    rack: 1,
    row: 2,
    placement: Placement::InOrder,
    along: 1.0,
    across: 10.0,
    inside: 0.5,
    overhead: 2.0,
    copper: Cable { price: 1.0, price_per_meter: 0.5, power: 0.0, reach: 5.0 },
    active: Cable { price: 0.0, price_per_meter: 0.0, power: 0.0, reach: 0.0 },
    fiber: Cable { price: 7.0, price_per_meter: 0.25, power: 3.0, reach: f64::INFINITY },
    nic: None,
    nic_links: 1,
    switch_ports: 0,
    breakout: 1,
    switch_price: 0.0,
    switch_power: 0.0,
    port_price: 100.0,
    port_power: 2.0,
};

fn assert_close(found: [f64; 4], expected: [f64; 4]) {
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    assert!(found.iter().zip(&expected).all(close), "{found:?}, not {expected:?}");
}

#[test]
fn a_bill_written_out() {
    // A rack a node and two racks a row: 0 1 / 2 3 / 4.
    let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20).unwrap();
    let packing = Packing::new(&ring, &[], &ROUND);
    let found = bill(&ring, &packing, &ROUND, &Budget::default()).unwrap();
    assert_eq!(found.links, [0, 0, 0, 2, 3]);
    assert_eq!((found.boards, found.racks, found.rows, found.in_rack), (5, 5, 3, 1));
    assert_eq!((found.copper, found.fiber), (2, 3));
    // Two cables to the next rack, two to the next rack of the next row, one two rows on in the same column.
    let meters = [3.0, 3.0, 13.0, 13.0, 22.0];
    let cables = 2.0 * (1.0 + 1.5) + 2.0 * (7.0 + 3.25) + (7.0 + 5.5);
    // Two ports at each of five nodes.
    let (price, power) = (10.0 * 100.0 + cables, 10.0 * 2.0 + 3.0 * 3.0);
    assert_close(
        [found.length, found.longest, found.price, found.power],
        [meters.iter().sum(), 22.0, price, power],
    );
    assert_eq!(found.inside_racks(), 0.0);
}

/// A network of which only the first nodes are hosts.
#[derive(Debug)]
pub(super) struct Switched {
    pub(super) links: Csr,
    pub(super) hosts: u64,
}

impl Network for Switched {
    fn order(&self) -> u64 {
        self.links.order()
    }

    fn ports(&self) -> u32 {
        self.links.ports()
    }

    fn neighbor(&self, at: Node, port: nestnet_graph::Port) -> Option<Node> {
        self.links.neighbor(at, port)
    }

    fn hosts(&self) -> u64 {
        self.hosts
    }
}

#[test]
fn switches_stand_beside_their_hosts_or_in_racks_of_their_own() {
    // Hosts 0 1 | 2 3; switch 4 is that of 0 and 1, switch 5 that of 2 and 3, switches 6 and 7 have none.
    let links = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6), (6, 7)];
    let links = Csr::from_links(8, &links, 1 << 20).unwrap();
    let network = Switched { links, hosts: 4 };
    let cost_model = CostModel { rack: 2, row: 3, ..ROUND };
    let packing = Packing::new(&network, &[], &cost_model);
    let found = bill(&network, &packing, &cost_model, &Budget::default()).unwrap();
    // Switches 6 and 7 are in rack 2, in the row of the others.
    assert_eq!((found.racks, found.rows, found.in_rack), (3, 1, 2));
    assert_eq!(found.links, [2, 0, 3, 2, 0]);
    // In racks 1-4, 3-5 and 6-7; from racks 0 and 1 to rack 2.
    let meters = [0.5, 0.5, 0.5, 2.0 + 2.0, 2.0 + 1.0];
    assert_close(
        [found.length, found.longest, found.inside_racks(), found.power],
        [meters.iter().sum(), 4.0, 5.0 / 7.0, 14.0 * 2.0],
    );
    // A rack each, four of hosts and two of switches, none empty: rows of two.
    let cost_model = CostModel { rack: 1, row: 0, ..ROUND };
    let packing = Packing::new(&network, &[], &cost_model);
    let found = bill(&network, &packing, &cost_model, &Budget::default()).unwrap();
    assert_eq!((found.racks, found.rows), (6, 3));
}

/// As a cluster: a NIC for each host, switches by their ports, a cable for every link to a switch.
#[test]
fn a_host_has_one_interface_and_a_switch_its_ports() {
    let links = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6)];
    let links = Csr::from_links(7, &links, 1 << 20).unwrap();
    let cost_model = CostModel {
        rack: 2,
        row: 3,
        nic: Some(Nic { price: 1000.0, power: 20.0 }),
        switch_price: 5000.0,
        switch_power: 50.0,
        ..ROUND
    };
    let of = |network: &dyn Network| {
        let packing = Packing::new(network, &[], &cost_model);
        bill(network, &packing, &cost_model, &Budget::default()).unwrap()
    };
    let found = of(&Switched { links: links.clone(), hosts: 4 });
    assert_eq!(found.links, [0, 0, 4, 2, 0]);
    let cables = 4.0 * (1.0 + 0.25) + (1.0 + 2.0) + (1.0 + 1.5);
    let price = 4.0 * 1000.0 + 3.0 * 5000.0 + 8.0 * 100.0 + cables;
    let power = 4.0 * 20.0 + 3.0 * 50.0 + 8.0 * 2.0;
    assert_close(
        [found.price, found.power, found.price_per_host(), found.power_per_host()],
        [price, power, price / 4.0, power / 4.0],
    );
    // Hosts that are linked by themselves share a board; only what leads to a switch is a cable.
    let links = Csr::from_links(3, &[(0, 1), (0, 2), (1, 2)], 1 << 20).unwrap();
    let pair = Switched { links, hosts: 2 };
    let near = CostModel { board: 2, ..cost_model };
    let packing = Packing::new(&pair, &[], &near);
    let found = bill(&pair, &packing, &near, &Budget::default()).unwrap();
    assert_eq!((found.links, found.copper), ([0, 1, 2, 0, 0], 2));
    // Where every node is a host it has a router with a port more, beside it.
    let ring = Csr::from_links(3, &[(0, 1), (1, 2), (2, 0)], 1 << 20).unwrap();
    let found = of(&ring);
    let boxes = 3.0 * (1000.0 + 5000.0 + 3.0 * 100.0);
    // Three nodes do not fill racks of two, and take three racks of a row.
    let cables = 2.0 * (1.0 + 1.5) + (1.0 + 2.0);
    assert_close([found.price, 0.0, 0.0, 0.0], [boxes + cables, 0.0, 0.0, 0.0]);
    assert_eq!(found.hosts, 3);
}

#[test]
fn active_copper_is_between_the_others() {
    for speed in Speed::ALL {
        let cost_model = CostModel::cluster(speed);
        let kind = |meters: f64| {
            let mut cables = Cables::default();
            cables.add(meters);
            cables.priced(&cost_model).unwrap().counts
        };
        assert_eq!(kind(1.0), [1, 0, 0], "{speed:?}");
        let longer = (cost_model.copper.reach + cost_model.active.reach) / 2.0;
        assert_eq!(kind(longer), [0, 1, 0], "{speed:?}");
        assert_eq!(kind(30.0), [0, 0, 1], "{speed:?}");
        cost_model.check().unwrap();
    }
}

/// What a cluster costs, by its list: two servers on one switch, each with a cable of a meter and a half.
#[test]
fn two_servers_and_a_switch_by_the_list() {
    let links = Csr::from_links(3, &[(0, 2), (1, 2)], 1 << 20).unwrap();
    let pair = Switched { links, hosts: 2 };
    let of = |speed| {
        let cost_model = CostModel::cluster(speed);
        let packing = Packing::new(&pair, &[], &cost_model);
        let found = bill(&pair, &packing, &cost_model, &Budget::default()).unwrap();
        let longer = [4.5, 30.0].map(|meters| {
            let mut cables = Cables::default();
            cables.add(meters);
            let items = cables.priced(&cost_model).unwrap().items;
            (items[0].price, items[0].power)
        });
        (found, longer)
    };
    let (found, longer) = of(Speed::Gb400);
    // Cables, NICs, the box and its two ports.
    let price = 2.0 * (80.0 + 60.0) + 2.0 * 1600.0 + 3000.0 + 2.0 * 450.0;
    assert_close(
        [found.price, found.power, found.length, found.racks as f64],
        [price, 2.0 * 25.0 + 150.0 + 2.0 * 10.0, 3.0, 1.0],
    );
    assert_eq!(longer, [(475.0, 10.0), (1690.0, 20.0)]);
    let (found, longer) = of(Speed::Gb800);
    let price = 2.0 * (150.0 + 120.0) + 2.0 * 2500.0 + 4000.0 + 2.0 * 800.0;
    assert_close(
        [found.price, found.power, found.length, found.racks as f64],
        [price, 2.0 * 40.0 + 200.0 + 2.0 * 18.0, 3.0, 1.0],
    );
    assert_eq!(longer, [(810.0, 20.0), (2720.0, 32.0)]);
    // A speed is called what it is.
    for speed in Speed::ALL {
        let gigabits: f64 = format!("{speed:?}").trim_start_matches("Gb").parse().unwrap();
        assert_eq!(speed.bits_a_second(), gigabits * 1e9);
    }
}

/// Five nodes of at most four ports are 20 channels; three switches take four bytes each.
#[test]
fn a_bill_takes_what_it_says_and_tells_when_it_is_done() {
    let links = Csr::from_links(5, &[(0, 2), (1, 2), (2, 3), (2, 4)], 1 << 20).unwrap();
    let network = Switched { links, hosts: 2 };
    let packing = Packing::new(&network, &[], &ROUND);
    let seen = Mutex::new(Vec::new());
    let progress = |part: f64| seen.lock().unwrap().push(part);
    let of = |memory: u64, steps: u128| {
        let watch = Watch { progress: &progress, ..Watch::SILENT };
        bill(&network, &packing, &ROUND, &Budget { memory, steps, watch }).map(|found| found.hosts)
    };
    let refused = of(12, 19);
    assert!(matches!(refused, Err(CostModelError::Budget(OverBudget::Steps { need: 20, .. }))));
    let refused = of(11, 20);
    assert!(matches!(refused, Err(CostModelError::Budget(OverBudget::Memory { need: 12, .. }))));
    assert_eq!(of(12, 20), Ok(2));
    assert_eq!(*seen.lock().unwrap(), [1.0]);
}

#[test]
fn cables_are_of_what_is_cheaper_and_reaches() {
    let cost_model = CostModel::default();
    let mut cables = Cables::default();
    [5.0, 5.1, 5.1].into_iter().for_each(|meters| cables.add(meters));
    let found = cables.priced(&cost_model).unwrap();
    assert_eq!((found.counts, found.longest), ([1, 0, 2], 5.1));
    let [copper, fiber] = &found.items[..] else { panic!("{:?}", found.items) };
    assert_eq!((copper.item.as_str(), copper.meters), ("passive copper cable (DAC)", Some(5.0)));
    assert_eq!((fiber.item.as_str(), fiber.meters), ("active optical cable (AOC)", Some(7.0)));
    assert_close(
        [copper.price, fiber.price, fiber.unit_price, fiber.power],
        [40.0 + 80.0, 2.0 * (376.0 + 25.5), 376.0 + 25.5, 6.0],
    );
    let rows = found.lengths.iter().map(|row| (row.up_to, row.cables));
    assert_eq!(rows.collect::<Vec<_>>(), [(5.0, 1), (7.0, 2)]);
    cables.add(230.0);
    let far = cables.priced(&cost_model).unwrap().items.pop().unwrap();
    assert_eq!((far.item.as_str(), far.meters), ("two transceivers and fiber", Some(300.0)));
    let near = CostModel { fiber: Cable { reach: 10.0, ..cost_model.fiber }, ..cost_model };
    let error = cables.priced(&near).unwrap_err();
    assert_eq!(error, CostModelError::TooFar { meters: 230.0, reach: 10.0 });
}

#[test]
fn a_cost_model_that_makes_no_sense_is_refused() {
    let small = CostModel { rack: 8, ..CostModel::default() };
    assert_eq!(small.check(), Err(CostModelError::Sizes { what: "rack", size: 8, inner: 32 }));
    let negative = CostModel { along: -1.0, ..CostModel::default() };
    assert!(negative.check().is_err());
}

#[test]
fn floors_are_square() {
    assert_eq!((square(4), square(6), square(3125)), (2, 2, 56));
}

fn cable() -> impl Strategy<Value = Cable> {
    let reach = prop_oneof![Just(0.0), Just(1.0), Just(3.0), Just(100.0), Just(f64::INFINITY)];
    (0u32..2000, 0u32..2000, reach).prop_map(|(price, meter, reach)| Cable {
        price: price.into(),
        price_per_meter: meter.into(),
        power: 1.0,
        reach,
    })
}

fn cost_model() -> impl Strategy<Value = CostModel> {
    let sizes = (1u64..3, 1u64..4, 1u64..4).prop_map(|(a, b, c)| (a, a * b, a * b * c));
    let nic =
        proptest::option::of((0u32..900).prop_map(|price| Nic { price: price.into(), power: 1.0 }));
    let lengths = [0u32..5, 0u32..5, 0u32..5, 0u32..5];
    let placement = prop_oneof![Just(Placement::InOrder), Just(Placement::Optimized)];
    let prices = (0u32..9000, 0u32..900, 0u64..9);
    (sizes, nic, lengths, [cable(), cable(), cable()], prices, placement).prop_map(
        |((chip, board, rack), nic, lengths, [copper, active, fiber], prices, placement)| {
            let (switch, port, switch_ports) = prices;
            let [along, across, inside, overhead] = lengths.map(f64::from);
            let (switch_price, port_price) = (switch.into(), port.into());
            let fiber = Cable { reach: f64::INFINITY, ..fiber };
            CostModel {
                chip,
                board,
                rack,
                along,
                across,
                inside,
                overhead,
                copper,
                active,
                fiber,
                nic,
                switch_price,
                port_price,
                switch_ports,
                placement,
                ..CostModel::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    /// Whatever the cost model, no network costs less than the bound that is computed from its counts alone.
    #[test]
    fn no_bill_is_below_the_least_price(
        links in nestnet_seed::samples::any_graph(9),
        eighths in 0u64..=8,
        cost_model in cost_model(),
    ) {
        let order = links.order();
        let hosts = (order * eighths).div_ceil(8).clamp(1.min(order), order);
        let network = Switched { links, hosts };
        let packing = Packing::new(&network, &[], &cost_model);
        let found = bill(&network, &packing, &cost_model, &Budget::default()).unwrap();
        let at_a_switch = |from: u32| {
            let ends = network.links.neighbors(from).iter();
            ends.filter(|&&to| from < to && u64::from(to.max(from)) >= hosts).count()
        };
        let switch_links: usize = (0..u32::try_from(order).unwrap()).map(at_a_switch).sum();
        let count = |number: u64| number as f64;
        for known in [0, switch_links] {
            let parts = Parts {
                nodes: count(order),
                hosts: count(hosts),
                links: count(network.links.links()),
                switch_links: known as f64,
            };
            prop_assert!(cost_model.least_price(&parts) <= found.price, "{parts:?}: {}", found.price);
        }
        // Every cable is in one row of the histogram, and every meter of it.
        let cables: u64 = found.cable_lengths.iter().map(|row| row.cables).sum();
        prop_assert_eq!(cables, found.copper + found.active + found.fiber);
        let meters: f64 = found.cable_lengths.iter().map(|row| row.length).sum();
        prop_assert!((meters - found.length).abs() <= 1e-9 * found.length);
        // Placed or not, switches, ports and NICs are the same, and items add up to the price.
        let others = [Placement::InOrder, Placement::Optimized].map(|placement| {
            bill(&network, &packing, &CostModel { placement, ..cost_model }, &Budget::default()).unwrap()
        });
        for other in &others {
            let boxes = |bill: &Bill| {
                let items = bill.items.iter().filter(|item| item.meters.is_none());
                items.map(|item| (item.item.clone(), item.count)).collect::<Vec<_>>()
            };
            prop_assert_eq!(boxes(other), boxes(&found));
            let items = other.items.iter().map(|item| item.count as f64 * item.unit_price);
            let sum: f64 = items.sum();
            prop_assert!((sum - other.price).abs() <= 1e-9 * other.price, "{sum} {}", other.price);
            prop_assert!(other.least_length.is_none_or(|least| least <= other.length));
        }
    }
}
