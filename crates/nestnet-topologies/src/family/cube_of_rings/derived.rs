//! Networks that the paper derives from cubes of rings: by expansion step by step (Fig. 4), by contraction of cube
//! planes (Definitions 6 and 7), and from the group of Property 4.
//!
//! # Where we differ
//! - The figure of the expansion is lost; the text says that [A; b] becomes [0A; b] and [1A; b], and that position b then
//!   flips bits f(i·b + x, k+i). Each step goes from the links of the one before.
//! - The group is (A; b) ∘ (B; c) = (A + S^b B; b + c), S the shift of k+j bits that moves those of one position to those
//!   of the next; it is one only where r·k is a multiple of k+j. The proof multiplies from the left. Single bits then flip
//!   the same k bits at every position, and ring elements shift the word, (0; 1) ∘ (A; b) = (SA; b + 1): the links are not
//!   those of the RCR, though the network is the RCR with every node renamed to its inverse. From the right the links are
//!   those of the RCR. Bits from the left with the ring neighbors [A; b±1] that the proof writes down are 2^j copies of the
//!   seed (`side=mixed`).

use super::rule::{Positions, Rule};
use crate::family::{ArgError, Args, Built};
use nestnet_graph::Csr;
use std::sync::Arc;

/// Limit: nodes of a derived cube of rings, which is written out.
const MAX_NODES: u64 = 1 << 20;

/// Each link once, from its lower end, ascending.
type Links = Vec<(u64, u64)>;

/// The links of nodes of which each names all its neighbors.
fn links_from(nodes: u64, mut name: impl FnMut(u64, &mut Vec<u64>)) -> Links {
    let (mut links, mut row) = (Links::new(), Vec::new());
    for at in 0..nodes {
        name(at, &mut row);
        row.retain(|&to| to > at);
        row.sort_unstable();
        row.dedup();
        links.extend(row.drain(..).map(|to| (at, to)));
    }
    links
}

fn parameters(args: &Args) -> Result<(u64, u64, u64), ArgError> {
    let [k, r, j] = ["k", "r", "j"].map(|name| args.integer(name));
    let nodes = (k + j < 64).then(|| 1u64 << (k + j)).and_then(|corners| corners.checked_mul(r));
    match nodes.filter(|&nodes| nodes <= MAX_NODES) {
        Some(_) => Ok((k, r, j)),
        None => Err(ArgError::whole(format!("is written out only up to {MAX_NODES} nodes"))),
    }
}

fn stored(nodes: u64, links: &Links, remarks: Vec<String>) -> Result<Built, ArgError> {
    /// Enough for the most nodes, with all the links that there can be.
    const MEMORY: u64 = 1 << 31;
    let narrow = |at: u64| u32::try_from(at).expect("at most 2^20 nodes");
    let links: Vec<(u32, u32)> = links.iter().map(|&(a, b)| (narrow(a), narrow(b))).collect();
    let csr = Csr::from_links(nodes, &links, MEMORY)
        .map_err(|error| ArgError::whole(format!("cannot be written out: {error}")))?;
    Ok(Built::stored_with(Arc::new(csr), remarks))
}

/// The cube links of all nodes, and the ring links.
fn links_of(k: u64, r: u64, j: u64) -> (Links, Links) {
    let rule = Rule { k, r, j, positions: Positions::Cyclic };
    let nodes = r << (k + j);
    let cubes = links_from(nodes, |at, row| {
        let (corner, b) = (at / r, at % r);
        let flips = rule.flips(b).into_iter().flatten();
        row.extend(flips.map(|bit| (corner ^ 1 << bit) * r + b));
    });
    let rings = links_from(nodes, |at, row| {
        let (corner, b) = (at / r, at % r);
        row.extend([1, r - 1].map(|step| corner * r + (b + step) % r));
    });
    (cubes, rings)
}

/// The seed GS(k, r), and j expansions: two copies of what is there, from which cube links go and to which others come.
pub(super) fn expanded(args: &Args) -> Result<Built, ArgError> {
    let (k, r, j) = parameters(args)?;
    let (mut cubes, mut rings) = links_of(k, r, 0);
    let mut remarks = vec![format!(
        "seed: {} nodes, {} ring links, {} cube links",
        r << k,
        rings.len(),
        cubes.len()
    )];
    for i in 1..=j {
        let copy = r << (k + i - 1);
        let twice = |links: &Links| -> Links {
            let copied = links.iter().map(|&(a, b)| (a + copy, b + copy));
            links.iter().copied().chain(copied).collect()
        };
        rings = twice(&rings);
        let before = twice(&cubes);
        cubes = links_of(k, r, i).0;
        let stay = before.iter().filter(|link| cubes.binary_search(link).is_ok()).count();
        remarks.push(format!(
            "expansion {i}: {} nodes; of {} cube links {stay} stay, {} go, {} come",
            2 * copy,
            before.len(),
            before.len() - stay,
            cubes.len() - stay
        ));
        let go = before.iter().filter(|link| cubes.binary_search(link).is_err());
        let come = cubes.iter().filter(|link| !before.contains(link));
        if 2 * copy <= MAX_LISTED {
            remarks.push(format!("  go: {}", listed(go, k + i, r)));
            remarks.push(format!("  come: {}", listed(come, k + i, r)));
        }
    }
    cubes.append(&mut rings);
    stored(r << (k + j), &cubes, remarks)
}

/// Of larger networks the links that an expansion moves are counted, not listed.
const MAX_LISTED: u64 = 1 << 6;

/// Links by the addresses of their ends.
fn listed<'a>(links: impl Iterator<Item = &'a (u64, u64)>, bits: u64, r: u64) -> String {
    let width = usize::try_from(bits).expect("at most 2^20 nodes");
    let node = |at: u64| format!("[{:0width$b}; {}]", at / r, at % r);
    let all: Vec<String> = links.map(|&(a, b)| format!("{}-{}", node(a), node(b))).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// The contraction of cube planes: a node for each, two of them joined where any link joins them.
pub(super) fn planes(args: &Args) -> Result<Built, ArgError> {
    let (k, r, j) = parameters(args)?;
    let rule = Rule { k, r, j, positions: Positions::Cyclic };
    let plane = |at: u64| {
        let (corner, b) = (at / r, at % r);
        let flips = rule.flips(b);
        let outside = (0..k + j).filter(|bit| !flips.iter().any(|range| range.contains(bit)));
        let name =
            outside.enumerate().fold(0, |name, (place, bit)| name | (corner >> bit & 1) << place);
        name * r + b
    };
    let (_, rings) = links_of(k, r, j);
    let joined = rings.iter().map(|&(a, b)| (plane(a), plane(b))).filter(|(a, b)| a != b);
    let mut joined: Links = joined.map(|(a, b)| (a.min(b), a.max(b))).collect();
    joined.sort_unstable();
    joined.dedup();
    stored(r << j, &joined, Vec::new())
}

/// The Cayley graph of the group of Property 4 with its Cayley set: k single bits and a step along the ring.
pub(super) fn cayley(args: &Args) -> Result<Built, ArgError> {
    let (k, r, j) = parameters(args)?;
    let m = k + j;
    if m > 0 && !(u128::from(r) * u128::from(k)).is_multiple_of(u128::from(m)) {
        let message = format!("is no group: r·k = {} is no multiple of k+j = {m}", r * k);
        return Err(ArgError::whole(message));
    }
    let shifted = |bits: u64, b: u64| {
        let by = if m == 0 { 0 } else { b * k % m };
        (bits << by | bits >> (m - by)) & ((1 << m) - 1)
    };
    let product = |(a, b): (u64, u64), (c, d): (u64, u64)| (a ^ shifted(c, b), (b + d) % r);
    // The bits that position 0 flips, and a step along the ring with its inverse.
    let mut set: Vec<(u64, u64)> = (j..m).map(|bit| (1 << bit, 0)).collect();
    if r > 1 {
        set.extend([(0, 1), (0, r - 1)]);
    }
    let side = args.word("side");
    let links = links_from(r << m, |at, row| {
        let element = (at / r, at % r);
        row.extend(set.iter().map(|&generator| {
            let left = side == "left" || (side == "mixed" && generator.1 == 0);
            let (a, b) =
                if left { product(generator, element) } else { product(element, generator) };
            a * r + b
        }));
    });
    stored(r << m, &links, Vec::new())
}

#[cfg(test)]
mod tests {
    use crate::build;
    use nestnet_graph::Network;
    use nestnet_graph::Node;
    use nestnet_graph::network::sorted_neighbors;

    fn same(a: &str, b: &str) -> bool {
        let [a, b] = [a, b].map(|spec| build(spec).unwrap().network.unwrap());
        let near = |network: &dyn Network, at| sorted_neighbors(network, Node(at));
        a.order() == b.order() && (0..a.order()).all(|at| near(&*a, at) == near(&*b, at))
    }

    #[test]
    fn expansions_end_in_the_network_of_the_definition() {
        for (k, r, j) in
            [(2, 2, 2), (2, 3, 3), (1, 4, 3), (3, 2, 2), (2, 5, 1), (1, 3, 0), (2, 1, 1)]
        {
            let [expanded, direct] =
                ["rcr_expanded", "rcr"].map(|name| format!("{name}({k}, {r}, {j})"));
            assert!(same(&expanded, &direct), "{expanded}");
        }
    }

    #[test]
    fn the_group_gives_the_network_from_the_right_and_renamed_from_the_left() {
        for (k, r, j) in [(2, 2, 2), (1, 4, 3), (2, 4, 2), (3, 2, 3), (2, 3, 1)] {
            let rcr = format!("rcr({k}, {r}, {j})");
            let left = format!("rcr_cayley({k}, {r}, {j}, side=left)");
            assert!(same(&format!("rcr_cayley({k}, {r}, {j})"), &rcr));
            assert!(!same(&left, &rcr), "{left}");
            // (A; b) has the inverse (S^-b A; -b), and renaming nodes to their inverses gives the links of the RCR.
            let m = k + j;
            let inverse = |Node(at): Node| {
                let (word, back) = (at / r, (r - at % r) % r);
                let by = back * k % m;
                let word = (word << by | word >> (m - by)) & ((1 << m) - 1);
                Node(word * r + back)
            };
            let [left, rcr] = [&left, &rcr].map(|spec| build(spec).unwrap().network.unwrap());
            for at in (0..rcr.order()).map(Node) {
                let mut near: Vec<Node> =
                    sorted_neighbors(&*left, at).into_iter().map(inverse).collect();
                near.sort_unstable();
                assert_eq!(near, sorted_neighbors(&*rcr, inverse(at)), "({k}, {r}, {j}) {at:?}");
            }
        }
        assert!(build("rcr_cayley(2, 3, 2)").unwrap_err().to_string().contains("no group"));
    }

    #[test]
    fn bits_from_the_left_and_ring_neighbors_as_written_are_copies_of_the_seed() {
        for (k, r, j) in [(2, 2, 2), (1, 4, 3), (2, 4, 2), (3, 2, 3)] {
            let mixed = build(&format!("rcr_cayley({k}, {r}, {j}, side=mixed)")).unwrap();
            let seed = build(&format!("rcr({k}, {r}, 0)")).unwrap().network.unwrap();
            let network = mixed.network.clone().unwrap();
            assert!(!mixed.theory.connected(), "({k}, {r}, {j})");
            assert_eq!(network.order(), seed.order() << j);
            // Each part is as large as the seed.
            let reached = nestnet_graph::measure::search::distances_from(&*network, Node(0));
            let reached = reached.iter().filter(|&&d| d != u32::MAX).count() as u64;
            assert_eq!(reached, seed.order(), "({k}, {r}, {j})");
        }
    }

    #[test]
    fn the_contraction_of_planes_is_bounded_only_for_short_rings() {
        let degree = |spec: &str| build(spec).unwrap().theory.degrees().max;
        // Definition 7 asks for at most four, the nodes of a plane.
        assert!(degree("rcr_planes(2, 2, 2)") <= 4);
        assert_eq!(degree("rcr_planes(2, 4, 2)"), 8);
    }
}
