//! The procedures as they are printed, all the way down, counted by a second implementation that was written from the
//! text of the papers alone: it knows no code of ours but the names under which a user asks for them.
//!
//! The Heawood graph, the digits and the links are made here from Definitions 1 to 6.

use nestnet::broadcasts::run_printed;
use nestnet::family::array::Text;
use nestnet::family::built::AS_PRINTED;
use nestnet::route::Ending;
use nestnet::{Budget, Built, Node, build};
use std::collections::{BTreeMap, BTreeSet};

/// N_plus, N_minus, N_distance.
fn n_plus(x: u64) -> u64 {
    (x + 1) % 14
}

fn n_minus(x: u64) -> u64 {
    (x + 13) % 14
}

fn n_distance(x: u64) -> u64 {
    if x % 2 == 1 { (x + 5) % 14 } else { (x + 14 - 5) % 14 }
}

fn adjacent(x: u64, y: u64) -> bool {
    [n_plus(x), n_minus(x), n_distance(x)].contains(&y)
}

/// How a procedure ends, in the words of the command line.
type End = &'static str;

/// The branches that all routings share: the node that the message is forwarded to, `None` in the last branch.
fn branch(s: u64, d: u64) -> Option<u64> {
    if adjacent(s, d) {
        return Some(d);
    }
    [n_plus(s), n_minus(s), n_distance(s)].into_iter().find(|&n| adjacent(d, n))
}

/// Basic-Routing on one digit of `at`: the value of the digit moves, the message with it if the node has the link.
fn basic(at: &mut [u64], digit: usize, d: u64, linked: &dyn Fn(&[u64], usize) -> bool) -> End {
    while at[digit] != d {
        match branch(at[digit], d) {
            Some(_) if !linked(at, digit) => return "not forwarded",
            Some(next) => at[digit] = next,
            None => return "not forwarded",
        }
    }
    "arrives"
}

/// The digits of an id, lowest first.
fn digits(id: u64, n: usize) -> Vec<u64> {
    (0..n).map(|i| id / 14u64.pow(u32::try_from(i).expect("few digits")) % 14).collect()
}

fn count(built: &Built, expected: &mut dyn FnMut(u64, u64) -> End) -> (usize, usize) {
    count_of(built, AS_PRINTED, expected)
}

fn count_of(
    built: &Built,
    name: &str,
    expected: &mut dyn FnMut(u64, u64) -> End,
) -> (usize, usize) {
    let order = built.network.as_deref().expect("built").order();
    let text = built.procedure(name).expect("a text");
    let (mut served, mut theirs) = (0, 0);
    for from in 0..order {
        for to in (0..order).filter(|&to| to != from) {
            let ours = text.trace(Node(from), Node(to)).expect("a trace").ending;
            let end = expected(from, to);
            assert_eq!(ours.words(), end, "{from} to {to}");
            served += usize::from(ours == Ending::Arrives);
            theirs += usize::from(end == "arrives");
        }
    }
    (served, theirs)
}

fn everywhere(_: &[u64], _: usize) -> bool {
    true
}

#[test]
fn basic_and_folded_routing() {
    for (spec, n, pairs) in [("heawood", 1, 126), ("folded(heawood, 2)", 2, 19_404)] {
        let built = build(spec).expect("a network");
        let counted = count(&built, &mut |from, to| {
            let (mut at, to) = (digits(from, n), digits(to, n));
            for i in (0..n).rev() {
                let end = basic(&mut at, i, to[i], &everywhere);
                if end != "arrives" {
                    return end;
                }
            }
            "arrives"
        });
        assert_eq!(counted, (pairs, pairs), "{spec}");
    }
}

/// Both loops inside the while. 0_j is defined as an address of j low zeros, so that the last call of the first loop leaves
/// digit i; beside a digit, as the calls have it, it can be read as digit j set to 0.
#[test]
fn root_folded_routing() {
    // With one dimension i = -1 is met at once: nothing is ever sent.
    for (name, n, pairs) in [
        (AS_PRINTED, 1, 0),
        (AS_PRINTED, 2, 1260),
        ("as-printed-zeros", 1, 0),
        ("as-printed-zeros", 2, 1764),
    ] {
        let built = build(&format!("root_folded(heawood, {n})")).expect("a network");
        let counted = count_of(&built, name, &mut |from, to| {
            let (mut at, d) = (digits(from, n), digits(to, n));
            let mut i = Some(n - 1);
            while let Some(equal) = i.filter(|&i| d[i] == at[i]) {
                i = equal.checked_sub(1);
                let Some(i) = i else { break };
                let zeros = if name == AS_PRINTED { i + 1 } else { i };
                let up = (0..zeros).map(|j| (j, 0));
                let down = (0..=i).rev().map(|j| (j, d[j]));
                for (j, wanted) in up.chain(down) {
                    let end = basic(&mut at, j, wanted, &everywhere);
                    if end != "arrives" {
                        return end;
                    }
                }
            }
            if at == d { "arrives" } else { "stays" }
        });
        assert_eq!(counted, (pairs, pairs), "{name}, {n}");
    }
}

/// N_0(i) is the node of level 0 with links of level i, of Definition 4 address i-1.
#[test]
fn sigma_routing() {
    for (n, pairs) in [(1, 0), (2, 27)] {
        let built = build(&format!("re_heawood({n})")).expect("a network");
        // Digit i moves at the nodes whose lowest digit is i-1, the lowest anywhere.
        let linked = |at: &[u64], i: usize| i == 0 || at[0] == i as u64 - 1;
        let counted = count(&built, &mut |from, to| {
            let (mut at, d) = (digits(from, n), digits(to, n));
            for i in (0..n).rev() {
                let mut turns = BTreeSet::new();
                while at[i] != d[i] {
                    if i == 0 {
                        return "undefined";
                    }
                    let port = i as u64 - 1;
                    if !turns.insert(at[i]) {
                        return "endless";
                    }
                    if !linked(&at, i) {
                        return "not forwarded";
                    }
                    let end = basic(&mut at, i, port, &linked);
                    if end != "arrives" {
                        return end;
                    }
                    match branch(at[i], d[i]) {
                        Some(next) => at[i] = next,
                        None => return "not forwarded",
                    }
                }
            }
            "arrives"
        });
        assert_eq!(counted, (pairs, pairs), "{n}");
    }
}

/// Each of the three ports of level 2, addresses 0, 3 and 11, has one link of each Heawood graph of the level.
#[test]
fn sigma_two_routing() {
    let built = build("re_heawood2(2)").expect("a network");
    // Chords at port 0, even ring links at 3, odd ones at 11.
    let port_of = |a: u64, b: u64| match (n_distance(a) == b, a.min(b), a.max(b)) {
        (true, ..) => 0,
        (_, 0, 13) => 11,
        (_, low, _) if low % 2 == 0 => 3,
        _ => 11,
    };
    let counted = count(&built, &mut |from, to| {
        let (mut at, d) = (digits(from, 2), digits(to, 2));
        if at[1] != d[1] {
            let port = if [0, 3, 11].contains(&d[1]) { d[1] } else { 0 };
            while at[1] != port {
                match branch(at[1], port) {
                    Some(next) if port_of(at[1], next) == at[0] => at[1] = next,
                    _ => return "not forwarded",
                }
            }
            if at[1] != d[1] {
                return "endless";
            }
        }
        if at[0] == d[0] { "arrives" } else { "undefined" }
    });
    assert_eq!(counted, (9, 9));
}

/// σFH-Basic-Routing calls σH-Basic-Routing(S_i, N_0(i)), which walks to N_0(i), is then at its own target, and leaves it
/// by the branch of N_plus, whose neighbor the target is.
#[test]
fn flooded_routing() {
    for (n, pairs) in [(1usize, 3), (2, 45)] {
        let built = build(&format!("flooded(heawood, {n})")).expect("a network");
        // Step by step: 14 nodes, then 13 for each of the step before.
        let address = |id: u64| -> Vec<u64> {
            if id < 14 { vec![id] } else { vec![(id - 14) / 13, (id - 14) % 13 + 1] }
        };
        let counted = count(&built, &mut |from, to| {
            let full = |id| {
                let mut all = address(id);
                all.resize(n, 0);
                all
            };
            let (mut at, d) = (full(from), full(to));
            let same = at.iter().zip(&d).take_while(|(a, b)| a == b).count();
            for level in (same..n).rev().chain(same..n) {
                if at[level] == d[level] {
                    continue;
                }
                // A digit moves where the digits behind it are 0; a second one where there is a copy.
                if at[level + 1..].iter().any(|&digit| digit != 0) {
                    return "not forwarded";
                }
                if at[level] != 0 {
                    let mut leg = at.clone();
                    let end = basic(&mut leg, level, 0, &everywhere);
                    return if end == "arrives" { "endless" } else { end };
                }
                match branch(0, d[level]) {
                    Some(next) if next == d[level] => at[level] = next,
                    Some(_) => return "endless",
                    None => return "not forwarded",
                }
            }
            "arrives"
        });
        assert_eq!(counted, (pairs, pairs), "{n}");
    }
}

/// Basic-Broadcasting with N_p2(p1) in step 3.2 as its sender: who tells whom.
fn basic_broadcasting(s: u64) -> Vec<Vec<(u64, u64)>> {
    let (p1, m1, d1) = (n_plus(s), n_minus(s), n_distance(s));
    let (m2, d2) = (n_minus(p1), n_distance(p1));
    vec![
        vec![(s, p1), (s, m1), (s, d1)],
        vec![
            (p1, m2),
            (p1, d2),
            (m1, n_plus(m1)),
            (m1, n_distance(m1)),
            (d1, n_minus(d1)),
            (d1, n_plus(d1)),
        ],
        vec![(m2, n_plus(m2)), (m2, n_distance(m2)), (d2, n_plus(d2)), (d2, n_minus(d2))],
    ]
}

/// Who knows in the end when only those that know send.
fn informed(knows: &mut BTreeSet<Vec<u64>>, at: &[u64], digit: usize) {
    for step in basic_broadcasting(at[digit]) {
        let place = |value: u64| {
            let mut node = at.to_vec();
            node[digit] = value;
            node
        };
        let before = knows.clone();
        knows.extend(
            step.into_iter().filter(|&(a, _)| before.contains(&place(a))).map(|(_, b)| place(b)),
        );
    }
}

fn ours(spec: &str, root: u64) -> u64 {
    ours_by(spec, root, AS_PRINTED)
}

fn ours_by(spec: &str, root: u64, name: &str) -> u64 {
    let built = build(spec).expect("a network");
    let printed = run_printed(&built, Node(root), name, &Budget::UNLIMITED);
    printed.expect("a text").account.reached
}

#[test]
fn folded_broadcasting() {
    for (n, reached) in [(1usize, 10), (2, 19), (3, 28)] {
        for root in [0, 5, 13] {
            let at = digits(root, n);
            let mut knows = BTreeSet::from([at.clone()]);
            for i in (0..n).rev() {
                informed(&mut knows, &at, i);
            }
            assert_eq!(knows.len() as u64, reached);
            assert_eq!(ours(&format!("folded(heawood, {n})"), root), reached, "{n} from {root}");
        }
    }
}

/// Up by Basic-Routing, which loses the message where a digit is 3 from 0; then the node that is reached alone. With 0_i as
/// digit i set to 0 that is the root; as 0_i is defined the top digit stays.
#[test]
fn root_folded_broadcasting() {
    for name in [AS_PRINTED, "as-printed-zeros"] {
        let climbs = if name == AS_PRINTED { 2 } else { 1 };
        let mut spread = BTreeMap::new();
        for root in 0..196 {
            let mut at = digits(root, 2);
            let mut knows = BTreeSet::from([at.clone()]);
            for i in 0..climbs {
                while at[i] != 0 {
                    let sender = at.clone();
                    match branch(at[i], 0) {
                        Some(next) => {
                            at[i] = next;
                            if knows.contains(&sender) {
                                knows.insert(at.clone());
                            }
                        }
                        None => at[i] = n_plus(at[i]),
                    }
                }
            }
            for i in [1, 0] {
                informed(&mut knows, &at, i);
            }
            let reached = knows.len() as u64;
            assert_eq!(ours_by("root_folded(heawood, 2)", root, name), reached, "from {root}");
            *spread.entry(reached).or_insert(0) += 1;
        }
        // The way up is lost from 96 of the nodes; from the others it adds up to three to the 19 of the root.
        let to_the_root = [(1, 60), (2, 12), (3, 24), (19, 15), (20, 25), (21, 48), (22, 12)];
        // Where the top digit stays, it is lost from 56.
        let to_the_top = [(1, 56), (19, 112), (20, 28)];
        match name {
            AS_PRINTED => assert_eq!(spread, BTreeMap::from(to_the_root)),
            _ => assert_eq!(spread, BTreeMap::from(to_the_top)),
        }
    }
}

/// One call for each dimension at the root, which belongs to two copies, whatever n is.
#[test]
fn flooded_broadcasting() {
    for n in [2, 3] {
        assert_eq!(ours(&format!("flooded(heawood, {n})"), 0), 10 + 9, "{n}");
    }
    assert_eq!(ours("flooded(heawood, 1)", 0), 10);
    // As 0_i is defined the top digit stays: the node of the first copy that is reached is also in one more.
    for root in 0..14 {
        assert_eq!(ours_by("flooded(heawood, 1)", root, "as-printed-zeros"), 10, "from {root}");
        assert_eq!(ours_by("flooded(heawood, 2)", root, "as-printed-zeros"), 10 + 9, "from {root}");
    }
}

/// Every call makes one at every neighbor and starts its counter anew: what is sent repeats.
#[test]
fn sigma_broadcasting_never_ends() {
    for spec in ["re_heawood(1)", "re_heawood(2)", "re_heawood2(2)"] {
        let built = build(spec).expect("a network");
        let network = built.network.as_deref().expect("built");
        let printed = run_printed(&built, Node(5), AS_PRINTED, &Budget::UNLIMITED).expect("a text");
        let before = printed.repeats_after.expect("it never ends");
        assert!(before < printed.account.steps, "{spec}");
        assert_eq!(printed.account.reached, network.order(), "{spec}");
        // Whatever happens between the two equal states happens again, and it is not nothing.
        let again = &printed.account.transfers_per_step[usize::try_from(before).unwrap()..];
        assert!(again.iter().sum::<u64>() > 0, "{spec}");
    }
}

/// What ROUTRCN is given, in indices from 1: neighbors of the frame and the unit, and of every node of the network those in
/// other units, phase by phase.
struct Given {
    n_u: i64,
    n_f: i64,
    r: i64,
    d_f: i64,
    frame: Vec<Vec<i64>>,
    unit: Vec<Vec<i64>>,
    between: Vec<Vec<i64>>,
    /// Whether RELLN has moved pointers into sets, PSS_(sd).
    moved: bool,
}

/// A shortest path, and there is one alone in what is asked here.
fn shortest(rows: &[Vec<i64>], from: i64, to: i64) -> Option<Vec<i64>> {
    let mut paths = vec![vec![from]];
    let mut seen = BTreeSet::from([from]);
    while let Some(path) = paths.first().cloned() {
        paths.remove(0);
        let at = *path.last().expect("a node");
        if at == to {
            return Some(path);
        }
        for &next in &rows[usize::try_from(at).ok()?] {
            if seen.insert(next) {
                paths.push([path.as_slice(), &[next]].concat());
            }
        }
    }
    None
}

impl Given {
    fn delta(&self, m: i64) -> i64 {
        self.n_u * self.n_f.pow(u32::try_from(m - 1).expect("a phase"))
    }

    /// A_Gr[x][m].
    fn digit(&self, x: i64, m: i64) -> i64 {
        if m == 0 { 1 + (x - 1) % self.n_u } else { 1 + (x - 1) / self.delta(m) % self.n_f }
    }

    /// `single`: the first branch in all phases, which have one pivot each, PSS_(sk).
    fn routrcn(&self, x: i64, y: i64, base_case: bool, single: bool) -> End {
        let (n_u, r) = (self.n_u, self.r);
        let mut x = x;
        let mut pointers: BTreeMap<i64, i64> = BTreeMap::new();
        for _ in 0..5000 {
            let mut m = r;
            while m > 0 && self.digit(x, m) == self.digit(y, m) {
                m -= 1;
            }
            if m == 0 && base_case {
                return "arrives";
            }
            let unit = x - (x - 1) % n_u;
            let column = (m - 1).rem_euclid(n_u);
            if single || m <= r / n_u * n_u {
                let ss = unit + column;
                let tt = (y - (y - 1) % n_u) + column;
                if m == 0 {
                    // Δ = n_u/n_f: ss and tt are one node, and ROUT_f has nothing to send.
                    x = tt;
                    continue;
                }
                let delta = self.delta(m);
                let first = (unit - 1) % delta + column + 1;
                let nodes: Vec<i64> = (0..self.n_f).map(|k| first + k * delta).collect();
                if ss != tt && !(nodes.contains(&ss) && nodes.contains(&tt)) {
                    return "undefined";
                }
                x = tt;
            } else {
                let npset = (n_u / r - r / n_u * n_u).min(self.d_f);
                if npset <= 0 {
                    return "undefined";
                }
                let head = unit + column * npset;
                let alpha = self.digit(head, m);
                let links = self.frame[usize::try_from(alpha).unwrap()].len() as i64;
                let left = if self.moved { links % npset } else { 0 };
                let pointer = pointers.entry(head).or_insert(left);
                let tt = head + *pointer;
                *pointer = (*pointer + 1) % npset;
                if tt >= unit + n_u {
                    return "undefined";
                }
                let delta = self.delta(m);
                let head_g = y / delta * delta + 1;
                let t_first = head_g + head - 1;
                let first = (unit - 1) % delta + column + 1;
                let up = |a: i64| (a + delta - 1) / delta;
                let (s, t) = (up(tt), up(t_first));
                if s > self.n_f || t > self.n_f {
                    return "undefined";
                }
                let path = shortest(&self.frame, s, t).expect("a connected frame");
                let mut at = tt;
                for pair in path.windows(2) {
                    let set =
                        |tau: i64| first + delta * (tau - 1)..first + delta * (tau - 1) + npset;
                    let (here, there) = (set(pair[0]), set(pair[1]));
                    let total = self.between.len() as i64 - 1;
                    let link = here.clone().filter(|&e| e <= total).find_map(|e| {
                        let row = &self.between[usize::try_from(e).unwrap()];
                        let to = row.iter().take(usize::try_from(m).unwrap());
                        Some((e, *{ to }.find(|to| there.contains(to))?))
                    });
                    let Some((leaves, next)) = link else { return "undefined" };
                    if !here.contains(&at) || !self.connects(at, leaves, &here) {
                        return "undefined";
                    }
                    at = next;
                }
                x = at;
            }
        }
        "endless"
    }

    /// Whether a path of the unit joins both inside the set.
    fn connects(&self, from: i64, to: i64, set: &std::ops::Range<i64>) -> bool {
        let start = from - (from - 1) % self.n_u;
        let row = |u: i64| {
            let inside = |v: &&i64| set.contains(&(start + **v - 1));
            let near = &self.unit[usize::try_from(u).unwrap()];
            near.iter().filter(inside).copied().collect()
        };
        let rows: Vec<Vec<i64>> =
            (0..=self.n_u).map(|u| if u == 0 { vec![] } else { row(u) }).collect();
        shortest(&rows, from - start + 1, to - start + 1).is_some()
    }
}

/// Neighbors from 1, ascending; row 0 is not used.
fn rows(spec: &str) -> Vec<Vec<i64>> {
    let network = build(spec).expect("a network").network.expect("built");
    let row = |at: u64| {
        let mut near = Vec::new();
        network.for_each_neighbor(Node(at), &mut |_, to| near.push(to.0 as i64 + 1));
        near.sort_unstable();
        near
    };
    std::iter::once(Vec::new()).chain((0..network.order()).map(row)).collect()
}

#[test]
fn routrcn() {
    // By the sketch, and by the sketch with the first branch in all phases.
    for (frame, unit, r, pivots, served, single) in [
        ("complete(3)", "ring(3)", 2, "diameter", 108, Some(270)),
        ("complete(3)", "ring(3)", 2, "degree", 108, None),
        ("ring(3)", "ring(5)", 2, "diameter", 340, Some(780)),
        ("complete(3)", "path(2)", 3, "diameter", 150, Some(366)),
        ("complete(4)", "ring(5)", 1, "degree", 140, None),
        ("complete(5)", "ring(5)", 1, "degree", 180, None),
        ("complete(3)", "ring(5)", 2, "degree", 290, None),
        ("complete(3)", "path(2)", 3, "degree", 150, None),
    ] {
        let spec = format!("re({frame}, {unit}, {r}, pivots={pivots})");
        let (frame, unit, all) = (rows(frame), rows(unit), rows(&spec));
        let n_u = unit.len() as i64 - 1;
        let mut given = Given {
            n_u,
            n_f: frame.len() as i64 - 1,
            r,
            d_f: frame.iter().map(Vec::len).max().unwrap() as i64,
            frame,
            unit,
            between: Vec::new(),
            moved: pivots == "degree",
        };
        let phase = |given: &Given, a: i64, b: i64| {
            (1..=r).rev().find(|&m| given.digit(a, m) != given.digit(b, m)).unwrap_or(0)
        };
        let outside = |(a, row): (usize, &Vec<i64>)| {
            let mut row: Vec<(i64, i64)> = row
                .iter()
                .map(|&b| (phase(&given, a as i64, b), b))
                .filter(|(m, _)| *m > 0)
                .collect();
            row.sort_unstable();
            row.into_iter().map(|(_, b)| b).collect()
        };
        given.between = all.iter().enumerate().map(outside).collect();
        let built = build(&spec).expect("a network");
        let indices = |from, to| (from as i64 + 1, to as i64 + 1);
        let counted = count(&built, &mut |from, to| {
            let (x, y) = indices(from, to);
            given.routrcn(x, y, false, false)
        });
        // There is no base case, so that nothing ever ends.
        assert_eq!(counted, (0, 0), "{spec}");
        let texts =
            [("as-printed-sketch", false, Some(served)), ("as-printed-single", true, single)];
        let order = built.order().to_string().parse::<u64>().unwrap();
        for (name, is_single, served) in texts {
            let text = built.procedure(name);
            assert_eq!(text.is_some(), served.is_some(), "{spec}: {name}");
            let (Some(text), Some(served)) = (text, served) else { continue };
            let mut arriving = 0;
            for (from, to) in (0..order).flat_map(|a| (0..order).map(move |b| (a, b))) {
                let trace = text.trace(Node(from), Node(to)).expect("a trace");
                let (x, y) = indices(from, to);
                let end = given.routrcn(x, y, true, is_single);
                assert_eq!(trace.ending.words(), end, "{spec}, {name}: {from} to {to}");
                let arrives = trace.ending == Ending::Arrives;
                let last = trace.nodes.last();
                assert!(!arrives || last == Some(&Node(to)), "{spec}, {name}: {from} to {to}");
                arriving += usize::from(arrives && from != to);
            }
            assert_eq!(arriving, served, "{spec}, {name}");
        }
    }
}

/// RELLN as its listing stands, statement by statement. A row that does not exist reads as 0 and takes nothing, and what
/// no statement has set is 0. With several frames G_f is that of the phase, n_f^j the copies of the unit in G_j.
struct Listing {
    /// From 1, in row and column.
    a: Vec<Vec<u64>>,
    last: usize,
    overflows: u64,
    nowhere: u64,
}

impl Listing {
    fn get(&self, i: u64, column: u64) -> u64 {
        let (i, column) = (usize::try_from(i).unwrap(), usize::try_from(column).unwrap());
        self.a.get(i).map_or(0, |row| row[column])
    }

    fn set(&mut self, i: u64, column: u64, value: u64) {
        let (i, column) = (usize::try_from(i).unwrap(), usize::try_from(column).unwrap());
        if let Some(row) = self.a.get_mut(i) {
            row[column] = value;
        }
    }

    /// The assignment to A[i][r + d_u + 3 + pointer].
    fn enter(&mut self, i: u64, column: u64, value: u64) {
        if i >= self.a.len() as u64 {
            self.nowhere += 1;
        } else if column >= self.last as u64 {
            self.overflows += 1;
        } else {
            self.set(i, column, value);
        }
    }

    /// `is_sd` says whether PSS_(sd) is taken, whose last phases have sets of several nodes.
    fn relln(a_gu: &[Vec<i64>], a_gf: &[Vec<Vec<i64>>], is_sd: bool) -> Self {
        let most = |rows: &[Vec<i64>]| rows.iter().map(Vec::len).max().unwrap() as u64;
        let r = a_gf.len() as u64;
        let n_u = a_gu.len() as u64 - 1;
        let n_f = |j: u64| a_gf[usize::try_from(j - 1).unwrap()].len() as u64 - 1;
        // n_f^j, for one frame.
        let n_f_to = |j: u64| (1..=j).map(n_f).product::<u64>();
        let n_r = n_u * n_f_to(r);
        let (d_u, d_f) = (most(a_gu), a_gf.iter().map(|rows| most(rows)).max().unwrap());
        let lambda = (0..).find(|lambda| lambda * n_u < r && r <= (lambda + 1) * n_u).unwrap();
        let singles = if is_sd { lambda * n_u } else { r };
        let last_frames = &a_gf[usize::try_from(singles).unwrap()..];
        let n_pset = last_frames.iter().map(|rows| most(rows)).max();
        let n_pset = n_pset.map_or(0, |d_f| d_f.min(n_u / (r - singles)));
        let last = r + d_u + (lambda + 1) * d_f + 3;
        let width = usize::try_from(last).unwrap();
        let rows = usize::try_from(n_r).unwrap();
        let a = vec![vec![0; width + 1]; rows + 1];
        let mut all = Listing { a, last: width, overflows: 0, nowhere: 0 };
        for i in 1..=n_r {
            all.set(i, 0, 1 + (i - 1) % n_u);
            for j in 0..r {
                let digit = (i - 1).div_ceil(n_f(j + 1) * n_f_to(j)) % n_f(j + 1);
                all.set(i, j + 1, 1 + digit);
            }
            if n_pset > 0 {
                all.set(i, r + 1, (1 + (i - 1) % n_u).div_ceil(n_pset));
            }
            all.set(i, r + 2, 0);
            all.set(i, last, 0);
            let near = &a_gu[usize::try_from(1 + (i - 1) % n_u).unwrap()];
            for (j, &to) in (r + 3..).zip(near) {
                all.set(i, j, to as u64 + i.div_ceil(n_u) * n_u);
            }
            for j in 1..=r {
                let below = n_u * n_f_to(j - 1);
                for alpha in 1..=n_f(j) {
                    let phase = &a_gf[usize::try_from(j - 1).unwrap()];
                    for &beta in &phase[usize::try_from(alpha).unwrap()] {
                        let beta = beta as u64;
                        if beta <= alpha {
                            continue;
                        }
                        let single = j <= singles;
                        let step = if single { 1 } else { n_pset };
                        let mut head = (i - 1) % n_u * step + 1;
                        while head <= below {
                            let [head_a, head_b] = [alpha, beta].map(|at| (at - 1) * below + head);
                            let pointer_a = if single { 0 } else { all.get(head_a, r + 2) };
                            let pointer_b = if single { 0 } else { all.get(head_b, r + 2) };
                            let (node_a, node_b) = (head_a + pointer_a, head_b + pointer_b);
                            let (free_a, free_b) = (all.get(node_a, last), all.get(node_b, last));
                            all.enter(node_a, r + d_u + 3 + free_a, node_b);
                            all.enter(node_b, r + d_u + 3 + free_b, node_a);
                            all.set(node_a, last, free_a + 1);
                            all.set(node_b, last, free_b + 1);
                            if !single {
                                all.set(head_a, r + 2, (pointer_a + 1) % n_pset);
                                all.set(head_b, r + 2, (pointer_b + 1) % n_pset);
                            }
                            head += n_u;
                        }
                    }
                }
            }
        }
        all
    }
}

#[test]
fn relln() {
    for (frames, unit, degree, overflows, nowhere) in [
        (&["ring(4)", "ring(4)"][..], "ring(4)", true, 1797, 0),
        (&["complete(4)"], "ring(5)", true, 13, 4),
        (&["complete(3)"; 4], "ring(3)", true, 55_829, 81),
        (&["ring(4)", "ring(4)"], "ring(3)", true, 1734, 0),
        (&["complete(3)"; 3], "path(2)", true, 3631, 0),
        (&["complete(3)", "complete(3)"], "star(4)", true, 509, 0),
        (&["ring(4)", "ring(4)"], "ring(3)", false, 1734, 0),
        (&["complete(3)"; 3], "path(2)", false, 3792, 0),
        (&["ring(4)", "star(5)", "path(2)"], "ring(5)", true, 14_450, 0),
        (&["path(2)", "ring(4)", "complete(3)"], "path(2)", true, 2653, 0),
        (&["ring(4)", "complete(3)", "path(2)"], "ring(5)", false, 6255, 0),
    ] {
        let spec = match frames {
            [frame, rest @ ..] if rest.iter().all(|other| other == frame) => {
                format!("{frame}, {unit}, {}", frames.len())
            }
            several => format!("[{}], {unit}", several.join(", ")),
        };
        let pivots = if degree { "degree" } else { "diameter" };
        let spec = format!("re({spec}, pivots={pivots})");
        let a_gf: Vec<_> = frames.iter().map(|frame| rows(frame)).collect();
        let listing = Listing::relln(&rows(unit), &a_gf, degree);
        let built = build(&spec).expect("a network");
        let array = built.array().and_then(|arrayed| arrayed.array(Text::Printed));
        let array = array.expect("a small array");
        let r = frames.len();
        for (i, (ours, theirs)) in array.rows.iter().zip(&listing.a[1..]).enumerate() {
            // With PSS_(sk) nothing needs columns r+1 and r+2.
            let kept = |&(column, _): &(usize, &u64)| degree || ![r + 1, r + 2].contains(&column);
            let theirs: Vec<u64> =
                theirs.iter().enumerate().filter(kept).map(|(_, &cell)| cell).collect();
            assert_eq!(*ours, theirs, "{spec}: node {}", i + 1);
        }
        assert_eq!(array.rows.len() + 1, listing.a.len(), "{spec}");
        assert_eq!((array.overflows, array.nowhere), (listing.overflows, listing.nowhere));
        assert_eq!((array.overflows, array.nowhere), (overflows, nowhere), "{spec}");
    }
}

/// RELLN's second assignment: 1 + ⌈(i-1)/(n_f·n_f^j)⌉ mod n_f as printed, where ⌊(i-1)/(n_u·n_f^j)⌋ is meant.
#[test]
fn relln_keeps_its_printed_digits() {
    let built = build("re(ring(4), ring(3), 2, pivots=degree)").expect("a network");
    let array =
        |text| built.array().and_then(|arrayed| arrayed.array(text)).expect("a small array");
    let (printed, corrected) = (array(Text::Printed), array(Text::Repaired));
    for (i, row) in (1u64..).zip(&printed.rows) {
        assert_eq!(row[1], 1 + (i - 1).div_ceil(4) % 4, "node {i}");
        assert_eq!(row[2], 1 + (i - 1).div_ceil(16) % 4, "node {i}");
    }
    for (i, row) in (1u64..).zip(&corrected.rows) {
        assert_eq!((row[1], row[2]), (1 + (i - 1) / 3 % 4, 1 + (i - 1) / 12 % 4), "node {i}");
    }
}
