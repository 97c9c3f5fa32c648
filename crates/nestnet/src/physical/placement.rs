//! Placement: in which rack is a switch with its hosts, and where on the floor is that rack?
//!
//! A switch and the hosts that hang at it are one *unit*, which is not split unless it is larger than a rack; of several
//! switches of a host the first counts, and the others are with the first of their hosts. A switch without hosts is a
//! unit of its own and takes the room of a host. Units fill racks one after the other, in the order
//! of a few simple rules, and racks and units are exchanged as long as that makes cables shorter. What is found is a
//! local optimum; [`least_length`] bounds every placement of these units in these racks from below.

use super::{CostModel, CostModelError, square};
use nestnet_graph::{Budget, Network, Node, index};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// How racks are filled and where they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// By the ids of hosts.
    #[default]
    InOrder,
    /// So that cables are short.
    Optimized,
}

/// Larger networks are placed in order.
const MOST_NODES: u64 = 1 << 18;

/// The most distances that a search for better places looks at, for racks and for units: about a millisecond each.
const MOST_STEPS: usize = 1 << 18;

/// Nodes in racks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    /// The rack of every node, numbered along the rows.
    pub rack: Vec<u32>,
    /// Racks in a row.
    pub row: u64,
    /// How many racks.
    pub racks: u64,
    /// Hosts, and switches without any, in the fullest rack.
    pub fullest: u64,
    /// No placement of these units on this floor has fewer meters of cable.
    pub least_length: f64,
}

/// Places a network whose switches are boxes of their own; `None` where it is too large.
///
/// O(links) memory; O(links log links) time and a constant number of exchanges that are tried.
pub(super) fn place(
    network: &dyn Network,
    cost_model: &CostModel,
    budget: &Budget<'_>,
) -> Result<Option<Placed>, CostModelError> {
    let order = network.order();
    if order > MOST_NODES || order == 0 {
        return Ok(None);
    }
    let links = u128::from(order) * u128::from(network.ports());
    budget.fits("where switches are placed", 16 * links + 32 * u128::from(order))?;
    let units = Units::of(network, cost_model.rack);
    let floors = units.orders().into_iter().flat_map(|order| {
        let racks = fill(&order, &units, cost_model.rack);
        [false, true].map(|snake| Floor::new(&racks, &units, cost_model, snake))
    });
    let shortest = floors.min_by(|a, b| a.length(&units).total_cmp(&b.length(&units)));
    let Some(mut floor) = shortest else { return Ok(None) };
    budget.check()?;
    floor.exchange_racks(&units);
    budget.check()?;
    if floor.exchange_units(&units) {
        floor.exchange_racks(&units);
    }
    let rack = units.of.iter().map(|&unit| floor.rack[index(unit)]).collect();
    Ok(Some(Placed {
        rack,
        row: floor.row,
        racks: floor.racks,
        fullest: floor.load.iter().copied().max().unwrap_or(0),
        least_length: least_length(&units, &floor),
    }))
}

fn small(at: u64) -> u32 {
    u32::try_from(at).expect("fewer racks than nodes")
}

/// Switches with their hosts, and the cables between them.
struct Units {
    /// The unit of every node.
    of: Vec<u32>,
    /// The room that each takes in a rack.
    size: Vec<u64>,
    /// Whether it has hosts.
    hosted: Vec<bool>,
    /// For every unit the others that it has cables to, and how many.
    ends: Vec<Vec<(u32, u32)>>,
    /// Cables that stay within a unit.
    inner: u64,
}

impl Units {
    fn of(network: &dyn Network, room: u64) -> Self {
        let (order, hosts) = (network.order(), network.hosts());
        let usize_of = |at: u64| usize::try_from(at).expect("it is small");
        let mut of = vec![u32::MAX; usize_of(order)];
        let mut size: Vec<u64> = Vec::new();
        let mut hosted = Vec::new();
        let fresh = |size: &mut Vec<u64>, hosted: &mut Vec<bool>, has_hosts: bool| {
            size.push(0);
            hosted.push(has_hosts);
            u32::try_from(size.len() - 1).expect("fewer units than nodes")
        };
        // The unit that takes the next host of a switch; where one is full, another follows.
        let mut open: BTreeMap<u64, u32> = BTreeMap::new();
        for host in 0..hosts {
            let mut switch = None;
            network.for_each_neighbor(Node(host), &mut |_, to| {
                if to.0 >= hosts {
                    switch.get_or_insert(to.0);
                }
            });
            let found = switch.and_then(|switch| open.get(&switch).copied());
            let unit = match found.filter(|&unit| size[index(unit)] < room) {
                Some(unit) => unit,
                None => {
                    let unit = fresh(&mut size, &mut hosted, true);
                    if let Some(switch) = switch {
                        // A switch stands with the first of its hosts.
                        if of[usize_of(switch)] == u32::MAX {
                            of[usize_of(switch)] = unit;
                        }
                        open.insert(switch, unit);
                    }
                    unit
                }
            };
            of[usize_of(host)] = unit;
            size[index(unit)] += 1;
        }
        for switch in hosts..order {
            let mut host = None;
            network.for_each_neighbor(Node(switch), &mut |_, to| {
                if to.0 < hosts {
                    host.get_or_insert(to.0);
                }
            });
            if of[usize_of(switch)] != u32::MAX {
                continue;
            }
            if let Some(host) = host {
                of[usize_of(switch)] = of[usize_of(host)];
            } else {
                let unit = fresh(&mut size, &mut hosted, false);
                size[index(unit)] = 1;
                of[usize_of(switch)] = unit;
            }
        }
        let mut ends = vec![Vec::new(); size.len()];
        let mut inner = 0;
        for from in 0..order {
            let unit = of[usize_of(from)];
            network.for_each_neighbor(Node(from), &mut |port, to| {
                // A server brings the links inside it.
                if network.level(Node(from), port) < network.server_levels() {
                    return;
                }
                let other = of[usize_of(to.0)];
                match other == unit {
                    true => inner += u64::from(from < to.0),
                    false => ends[index(unit)].push((other, 1)),
                }
            });
        }
        for list in &mut ends {
            list.sort_unstable();
            list.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 += if same { next.1 } else { 0 };
                same
            });
        }
        Units { of, size, hosted, ends, inner }
    }

    fn count(&self) -> usize {
        self.size.len()
    }

    /// Orders in which racks are filled: by id, with what has no hosts in the middle, and by breadth-first search.
    fn orders(&self) -> Vec<Vec<u32>> {
        let all = 0..u32::try_from(self.count()).expect("fewer units than nodes");
        let (with, without): (Vec<u32>, Vec<u32>) =
            all.clone().partition(|&unit| self.hosted[index(unit)]);
        let half = with.len() / 2;
        let middle = [&with[..half], &without[..], &with[half..]].concat();
        let mut searched = Vec::with_capacity(self.count());
        let mut seen = vec![false; self.count()];
        for start in all {
            let mut queue = VecDeque::from([start]);
            while let Some(unit) = queue.pop_front() {
                if !std::mem::replace(&mut seen[index(unit)], true) {
                    searched.push(unit);
                    queue.extend(self.ends[index(unit)].iter().map(|end| end.0));
                }
            }
        }
        vec![[with, without].concat(), middle, searched]
    }
}

/// Which units are in each rack: one after the other, a new rack where the next does not fit.
fn fill(order: &[u32], units: &Units, room: u64) -> Vec<Vec<u32>> {
    let mut racks: Vec<Vec<u32>> = Vec::new();
    let mut free = 0;
    for &unit in order {
        let size = units.size[index(unit)];
        match racks.last_mut().filter(|_| size <= free) {
            Some(rack) => {
                rack.push(unit);
                free -= size;
            }
            None => {
                racks.push(vec![unit]);
                free = room.saturating_sub(size);
            }
        }
    }
    racks
}

/// Racks on a floor.
struct Floor {
    /// The rack of each unit, numbered along the rows.
    rack: Vec<u32>,
    /// What is in each rack.
    load: Vec<u64>,
    /// Where each rack stands: its place in the row, and its row.
    stand: Vec<[u32; 2]>,
    row: u64,
    racks: u64,
    room: u64,
    along: f64,
    across: f64,
    inside: f64,
    overhead: f64,
    /// Meters between every two racks, row by row; empty where there are more than [`MOST_IN_TABLE`].
    between: Vec<f64>,
}

/// Racks whose distances are worth a table: it takes much less time than the search that reads it.
const MOST_IN_TABLE: u64 = 160;

impl Floor {
    /// Racks one after the other; where they snake, every other row runs back.
    fn new(filled: &[Vec<u32>], units: &Units, cost_model: &CostModel, snake: bool) -> Self {
        let racks = filled.len() as u64;
        let row = if cost_model.row == 0 { square(racks) } else { cost_model.row };
        let mut floor = Floor {
            rack: vec![0; units.count()],
            load: vec![0; filled.len()],
            stand: (0..racks).map(|at| [at % row, at / row].map(small)).collect(),
            row,
            racks,
            room: cost_model.rack,
            along: cost_model.along,
            across: cost_model.across,
            inside: cost_model.inside,
            overhead: cost_model.overhead,
            between: Vec::new(),
        };
        if racks <= MOST_IN_TABLE {
            let mut between = Vec::new();
            for (a, b) in (0..racks).flat_map(|a| (0..racks).map(move |b| (a, b))) {
                between.push(floor.meters(small(a), small(b)));
            }
            floor.between = between;
        }
        for (at, rack) in (0u64..).zip(filled) {
            let start = at / row * row;
            // The last row may be shorter.
            let width = row.min(racks - start);
            let turned = snake && (at / row) % 2 == 1;
            let place = if turned { start + width - 1 - (at - start) } else { at };
            let place = small(place);
            for &unit in rack {
                floor.rack[index(unit)] = place;
                floor.load[index(place)] += units.size[index(unit)];
            }
        }
        floor
    }

    /// Meters of a cable.
    fn meters(&self, a: u32, b: u32) -> f64 {
        if let Some(&meters) = self.between.get(index(a) * self.load.len() + index(b)) {
            return meters;
        }
        if a == b {
            return self.inside;
        }
        let [[at, row], [at_to, row_to]] = [a, b].map(|rack| self.stand[index(rack)]);
        self.overhead
            + f64::from(at.abs_diff(at_to)) * self.along
            + f64::from(row.abs_diff(row_to)) * self.across
    }

    /// Meters of all cables.
    fn length(&self, units: &Units) -> f64 {
        let mut ends = 0.0;
        for (list, &rack) in units.ends.iter().zip(&self.rack) {
            let meters = |(other, width): &(u32, u32)| {
                f64::from(*width) * self.meters(rack, self.rack[index(*other)])
            };
            ends += list.iter().map(meters).sum::<f64>();
        }
        ends / 2.0 + units.inner as f64 * self.inside
    }

    /// Exchanges whole racks while that makes cables shorter.
    fn exchange_racks(&mut self, units: &Units) {
        let racks = self.load.len();
        let mut cables: Vec<BTreeMap<u32, f64>> = vec![BTreeMap::new(); racks];
        for (list, &rack) in units.ends.iter().zip(&self.rack) {
            for &(other, width) in list {
                let to = self.rack[index(other)];
                if to != rack {
                    *cables[index(rack)].entry(to).or_default() += f64::from(width);
                }
            }
        }
        let cables: Vec<Vec<(u32, f64)>> =
            cables.into_iter().map(|ends| ends.into_iter().collect()).collect();
        let count = u32::try_from(racks).expect("fewer racks than nodes");
        let mut place: Vec<u32> = (0..count).collect();
        let mut left = MOST_STEPS;
        let gain = |place: &[u32], at: u32, to: u32, but: u32| -> f64 {
            let (from, to) = (place[index(at)], place[index(to)]);
            let ends = cables[index(at)].iter().filter(|end| end.0 != but);
            ends.map(|&(other, width)| {
                let other = place[index(other)];
                width * (self.meters(from, other) - self.meters(to, other))
            })
            .sum()
        };
        loop {
            let mut better = false;
            for a in 0..count {
                for b in a + 1..count {
                    let steps = cables[index(a)].len() + cables[index(b)].len();
                    let Some(rest) = left.checked_sub(steps + 1) else {
                        return self.move_racks(&place);
                    };
                    left = rest;
                    if gain(&place, a, b, b) + gain(&place, b, a, a) > GAIN {
                        place.swap(index(a), index(b));
                        better = true;
                    }
                }
            }
            if !better {
                return self.move_racks(&place);
            }
        }
    }

    /// Puts what is in each rack to its new place.
    fn move_racks(&mut self, place: &[u32]) {
        let mut load = vec![0; self.load.len()];
        for (old, &new) in place.iter().enumerate() {
            load[index(new)] = self.load[old];
        }
        self.load = load;
        for rack in &mut self.rack {
            *rack = place[index(*rack)];
        }
    }

    /// Exchanges units of different racks, and moves them where there is room, while that makes cables shorter. Says
    /// whether any was.
    fn exchange_units(&mut self, units: &Units) -> bool {
        let count = u32::try_from(units.count()).expect("fewer units than nodes");
        let racks = u32::try_from(self.load.len()).expect("fewer racks than nodes");
        // Where every rack has one unit, racks were exchanged already.
        if count == racks {
            return false;
        }
        let mut left = MOST_STEPS;
        let (mut any, mut better) = (false, true);
        while better {
            better = false;
            for a in 0..count {
                for b in a + 1..count {
                    let steps = units.ends[index(a)].len() + units.ends[index(b)].len() + 1;
                    let Some(rest) = left.checked_sub(steps) else { return any };
                    left = rest;
                    let [from, to] = [a, b].map(|unit| self.rack[index(unit)]);
                    let [small, large] = [a, b].map(|unit| units.size[index(unit)]);
                    let fits = self.load[index(from)] - small + large <= self.room
                        && self.load[index(to)] - large + small <= self.room;
                    if from == to || !fits {
                        continue;
                    }
                    let gain = self.gain(units, a, to, b) + self.gain(units, b, from, a);
                    if gain > GAIN {
                        (self.rack[index(a)], self.rack[index(b)]) = (to, from);
                        self.load[index(from)] = self.load[index(from)] - small + large;
                        self.load[index(to)] = self.load[index(to)] - large + small;
                        (any, better) = (true, true);
                    }
                }
                for to in 0..racks {
                    let Some(rest) = left.checked_sub(units.ends[index(a)].len() + 1) else {
                        return any;
                    };
                    left = rest;
                    let (from, size) = (self.rack[index(a)], units.size[index(a)]);
                    let fits = from != to && self.load[index(to)] + size <= self.room;
                    if fits && self.gain(units, a, to, u32::MAX) > GAIN {
                        self.rack[index(a)] = to;
                        self.load[index(from)] -= size;
                        self.load[index(to)] += size;
                        (any, better) = (true, true);
                    }
                }
            }
        }
        any
    }

    /// By how many meters the cables of a unit are shorter in another rack; those to `but`, which changes places with
    /// it, stay as long.
    fn gain(&self, units: &Units, unit: u32, to: u32, but: u32) -> f64 {
        let from = self.rack[index(unit)];
        let ends = units.ends[index(unit)].iter().filter(|end| end.0 != but);
        ends.map(|&(other, width)| {
            let other = self.rack[index(other)];
            f64::from(width) * (self.meters(from, other) - self.meters(to, other))
        })
        .sum()
    }
}

/// An exchange gains more than a rounding error, so that the search ends.
const GAIN: f64 = 1e-6;

/// A lower bound on the meters of cable of any placement of these units in the racks of this floor, by two counts.
///
/// No rack holds more than `m` units. So a unit has at most `m - 1` others in its rack, and at most `m` in each rack at
/// a distance; its cables are no shorter than if its widest links led to the nearest of these. And all units together
/// have no more pairs at a distance than `m²` for each pair of racks that is as far apart. The larger of the two bounds
/// holds. O(links log links + racks log racks).
fn least_length(units: &Units, floor: &Floor) -> f64 {
    let count = units.count() as u64;
    let mut sizes = units.size.clone();
    sizes.sort_unstable();
    // As many of the smallest as fit.
    let most_beside = |taken: u64| {
        let mut free = floor.room.saturating_sub(taken);
        let fit = sizes.iter().take_while(|&&size| {
            let fits = size <= free;
            free = free.saturating_sub(size);
            fits
        });
        fit.count() as u64
    };
    let most = most_beside(0).max(1);
    // Offsets of racks by length: how many racks are at one from any rack, and how many pairs of racks.
    let rows = floor.racks.div_ceil(floor.row);
    let row = floor.row.min(floor.racks);
    let mut offsets = Vec::new();
    for down in 0..rows {
        for over in 0..row {
            if (over, down) != (0, 0) {
                let meters =
                    floor.overhead + over as f64 * floor.along + down as f64 * floor.across;
                let turned = if over > 0 && down > 0 { 2 } else { 1 };
                offsets.push((meters, 2 * turned, turned * (row - over) * (rows - down)));
            }
        }
    }
    let by_length = |list: &mut Vec<(f64, u64)>| list.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut far: Vec<(f64, u64)> =
        offsets.iter().map(|&(meters, racks, _)| (meters, racks * most)).collect();
    by_length(&mut far);
    let mut each = 0.0;
    for (unit, list) in units.ends.iter().enumerate() {
        let mut widths: Vec<u32> = list.iter().map(|end| end.1).collect();
        widths.sort_unstable_by(|a, b| b.cmp(a));
        let beside = most_beside(units.size[unit]).min(count - 1);
        each += shortest(&widths, (floor.inside, beside), &far);
    }
    let mut widths: Vec<u32> = Vec::new();
    for (unit, list) in (0u32..).zip(&units.ends) {
        widths.extend(list.iter().filter(|end| unit < end.0).map(|end| end.1));
    }
    widths.sort_unstable_by(|a, b| b.cmp(a));
    let pairs = |units: u64| units * units.saturating_sub(1) / 2;
    let together = count / most * pairs(most) + pairs(count % most);
    let mut far: Vec<(f64, u64)> =
        offsets.iter().map(|&(meters, _, pairs)| (meters, pairs * most * most)).collect();
    by_length(&mut far);
    let all = shortest(&widths, (floor.inside, together), &far);
    let inner = units.inner as f64 * floor.inside;
    // Sums are rounded in another order than those of a bill.
    (inner + all.max(each / 2.0)) * (1.0 - 1e-12)
}

/// The least sum of widths times lengths, the widest on the shortest; `far` is sorted by length.
fn shortest(widths: &[u32], near: (f64, u64), far: &[(f64, u64)]) -> f64 {
    let at = far.partition_point(|slot| slot.0 < near.0);
    let slots = far[..at].iter().chain([&near]).chain(&far[at..]);
    let (mut sum, mut rest) = (0.0, widths);
    for &(meters, room) in slots {
        let (here, beyond) =
            rest.split_at(rest.len().min(usize::try_from(room).unwrap_or(usize::MAX)));
        sum += meters * here.iter().map(|&width| f64::from(width)).sum::<f64>();
        rest = beyond;
        if rest.is_empty() {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::tests::Switched;
    use super::*;
    use nestnet_graph::Csr;
    use proptest::prelude::*;

    fn model(rack: u64, row: u64) -> CostModel {
        CostModel { board: 1, rack, row, ..CostModel::cluster(super::super::Speed::Gb400) }
    }

    fn placed(network: &Switched, cost_model: &CostModel) -> Placed {
        place(network, cost_model, &Budget::default()).unwrap().unwrap()
    }

    /// Meters of all cables, link by link.
    fn length(network: &Switched, placed: &Placed, cost_model: &CostModel) -> f64 {
        let mut sum = 0.0;
        for (from, &rack) in (0u64..).zip(&placed.rack) {
            network.for_each_neighbor(Node(from), &mut |_, to| {
                if to.0 > from {
                    let other = placed.rack[usize::try_from(to.0).unwrap()];
                    let column = |rack: u32| (u64::from(rack) % placed.row) as f64;
                    let line = |rack: u32| (u64::from(rack) / placed.row) as f64;
                    sum += match rack == other {
                        true => cost_model.inside,
                        false => {
                            cost_model.overhead
                                + cost_model.along * (column(rack) - column(other)).abs()
                                + cost_model.across * (line(rack) - line(other)).abs()
                        }
                    };
                }
            });
        }
        sum
    }

    /// Switches in a ring, numbered by steps of `step`, each with some hosts.
    fn ring(switches: u32, step: u32, each: u32) -> Switched {
        let hosts = switches * each;
        let mut links: Vec<(u32, u32)> =
            (0..hosts).map(|host| (host, hosts + host / each)).collect();
        for at in 0..switches {
            links.push((hosts + at * step % switches, hosts + (at + 1) * step % switches));
        }
        let links = Csr::from_links(u64::from(hosts + switches), &links, 1 << 20).unwrap();
        Switched { links, hosts: hosts.into() }
    }

    /// Exchanges end in a local optimum: of a ring in its own order it is the best there is, of others near it.
    #[test]
    fn a_ring_in_any_numbering_is_placed_nearly_as_a_ring() {
        // Ten racks in two rows of five: a ring needs two cables across and eight to the next rack.
        let best = 40.0 * 1.5 + 8.0 * 2.6 + 2.0 * 4.4;
        for step in [1, 3, 7] {
            let cost_model = model(4, 5);
            let network = ring(10, step, 4);
            let found = placed(&network, &cost_model);
            let meters = length(&network, &found, &cost_model);
            assert!(meters >= best - 1e-9, "step {step}: {meters}");
            if step == 1 {
                assert!((meters - best).abs() < 1e-9, "{meters}");
            } else {
                // Switch by switch, each with its four hosts.
                let rack = (0..40).map(|host| host / 4).chain(0..10).collect();
                let by_id = length(&network, &Placed { rack, ..found.clone() }, &cost_model);
                let gained = (by_id - meters) / (by_id - best);
                assert!(gained > 0.5, "step {step}: {meters} of {by_id}, at best {best}");
            }
            // Two rows of five have eight pairs of racks side by side; the next are two apart.
            let bound = 40.0 * 1.5 + 8.0 * 2.6 + 2.0 * 3.2;
            assert!((found.least_length - bound).abs() < 1e-9, "{}", found.least_length);
        }
    }

    #[test]
    fn a_switch_with_more_hosts_than_a_rack_takes_several() {
        let network = ring(3, 1, 5);
        let found = placed(&network, &model(2, 0));
        assert_eq!((found.racks, found.fullest), (9, 2));
        // Switches are with the first of their hosts.
        assert_eq!([0, 5, 10].map(|host| found.rack[host]), [15, 16, 17].map(|at| found.rack[at]));
    }

    #[test]
    fn a_second_switch_of_hosts_is_with_the_first_of_them() {
        // Two hosts at each of switches 4 and 5, and all four at switch 6, which needs no rack of its own.
        let links = [(0, 4), (1, 4), (2, 5), (3, 5), (0, 6), (1, 6), (2, 6), (3, 6)];
        let links = Csr::from_links(7, &links, 1 << 20).unwrap();
        let found = placed(&Switched { links, hosts: 4 }, &model(2, 0));
        assert_eq!((found.racks, found.fullest), (2, 2));
        assert_eq!([found.rack[4], found.rack[6]], [found.rack[0]; 2]);
        assert_eq!(found.rack[5], found.rack[2]);
    }

    /// Calls with every way to put so many units in so many racks.
    fn every(units: usize, racks: u32, visit: &mut dyn FnMut(&[u32])) {
        let mut rack = vec![0; units];
        loop {
            visit(&rack);
            let Some(at) = rack.iter().position(|&at| at + 1 < racks) else { return };
            rack[at] += 1;
            rack[..at].fill(0);
        }
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// The bound is never above what is found, nor above the best of all placements, and no rack is too full.
        #[test]
        fn the_bound_holds_and_racks_hold_what_they_can(
            links in nestnet_seed::samples::any_graph(9),
            eighths in 0u64..8,
            rack in 1u64..5,
            row in 0u64..4,
            lengths in [0u32..5, 0u32..5, 0u32..5, 0u32..5],
        ) {
            let order = links.order();
            let hosts = (order * eighths / 8).clamp(1.min(order), order);
            let network = Switched { links, hosts };
            let [along, across, inside, overhead] = lengths.map(f64::from);
            let cost_model = CostModel { along, across, inside, overhead, ..model(rack, row) };
            let Some(found) = place(&network, &cost_model, &Budget::default()).unwrap() else {
                return Ok(());
            };
            let units = Units::of(&network, rack);
            let mut load = BTreeMap::new();
            for unit in 0..units.count() {
                let at = units.of.iter().position(|&of| index(of) == unit).unwrap();
                *load.entry(found.rack[at]).or_insert(0) += units.size[unit];
            }
            prop_assert_eq!(load.values().copied().max(), Some(found.fullest));
            prop_assert!(found.fullest <= rack);
            prop_assert!(found.rack.iter().all(|&at| u64::from(at) < found.racks));
            let meters = length(&network, &found, &cost_model);
            prop_assert!(found.least_length <= meters, "{} > {meters}", found.least_length);
            if units.count() > 6 || found.racks > 6 {
                return Ok(());
            }
            let mut best = f64::INFINITY;
            every(units.count(), u32::try_from(found.racks).unwrap(), &mut |racks| {
                let mut load = [0; 6];
                racks.iter().zip(&units.size).for_each(|(&at, size)| load[index(at)] += size);
                if load.iter().all(|&load| load <= rack) {
                    let of = |unit: &u32| racks[index(*unit)];
                    let other = Placed { rack: units.of.iter().map(of).collect(), ..found.clone() };
                    best = best.min(length(&network, &other, &cost_model));
                }
            });
            prop_assert!(found.least_length <= best + 1e-9 && best <= meters + 1e-9);
        }
    }
}
