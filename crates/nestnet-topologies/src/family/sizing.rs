//! Arguments near a size: the arithmetic that rows share when they say which of their networks to compare with.

use nestnet_graph::field::prime_power;
use num_traits::ToPrimitive;
use std::collections::HashSet;

/// No more than so many times the degree, or the logarithm of the nodes where that is larger.
const MOST_LINKS: u64 = 3;

/// The largest degree that is still near, for that many nodes.
pub fn most_links(nodes: u64, degree: u64) -> u64 {
    MOST_LINKS.saturating_mul(degree.max(nodes.max(1).ilog2().into()))
}

/// Networks of 2^n nodes.
pub(super) fn cubes(nodes: u64) -> Vec<Vec<u64>> {
    let bits = u64::from(nodes.max(1).ilog2());
    (bits.saturating_sub(1).max(1)..=bits + 1).map(|n| vec![n]).collect()
}

/// The largest integer whose power is at most `number`.
pub(super) fn root(number: u64, power: u32) -> u64 {
    let near = (number as f64).powf(1.0 / f64::from(power)).to_u64().unwrap_or(1).max(1);
    let fits = |base: u64| base.checked_pow(power).is_some_and(|value| value <= number);
    (near.saturating_sub(1).max(1)..=near + 1).rev().find(|&base| fits(base)).unwrap_or(1)
}

/// Sides of `count` dimensions, each at least `least`, equal but for one, whose product is near `nodes`.
pub(super) fn sides(nodes: u64, count: u64, least: u64) -> Vec<Vec<u64>> {
    let Some(power) = u32::try_from(count).ok().filter(|&power| power > 0 && power < 64) else {
        return Vec::new();
    };
    let side = root(nodes, power);
    if side < least {
        return Vec::new();
    }
    let longer = |longer: u64| (0..count).map(|i| side + u64::from(i >= count - longer)).collect();
    (0..=count).map(longer).collect()
}

/// Networks over a field of q elements, with not too large a degree.
pub(super) fn fields(nodes: u64, degree: u64) -> Vec<Vec<u64>> {
    (2..=most_links(nodes, degree).min(256)).map(|q| vec![q]).collect()
}

/// Dragonflies with fewer groups than there could be: of those of nearly balanced groups, of some smaller ones, whose
/// groups are joined by several links, and of those that use all links of the degree, the fewest that are enough. Of the
/// last only those that load all links nearly alike. With no more groups than global links of a router each router would
/// be joined to every group, and nothing is left of the hierarchy: these are not searched.
pub(super) fn dragonflies(least: u128, most: u128, degree: u64) -> Vec<Vec<u64>> {
    /// Of larger degrees not all links are used.
    const LARGEST: u64 = 1 << 10;
    let mut all = Vec::new();
    for h in 1..=degree.min(256) {
        let smaller = (0..4).map(|quarter| h + quarter * h / 4);
        let mut sides: Vec<u64> = smaller.chain(2 * h - 1..=2 * h + 1).collect();
        sides.dedup();
        let full = (degree <= LARGEST).then(|| degree + 1 - h);
        let full = full.filter(|full| !sides.contains(full));
        sides.extend(full);
        sides.retain(|&a| a >= 2);
        for a in sides {
            let groups = least.div_ceil(a.into());
            let fits = a - 1 + h <= degree && groups * u128::from(a) <= most;
            // With a·h + 1 groups it is the usual one.
            if let Some(groups) = u64::try_from(groups).ok().filter(|&groups| groups <= a * h)
                && fits
                && groups > h
                && (full != Some(a) || loads_alike(a, h, groups))
            {
                all.push(vec![a, h, groups]);
            }
        }
    }
    all
}

/// Whether the busier of the local and the global links of a dragonfly carry no more than a ninth above the mean of all,
/// of uniform traffic on minimal routes: an estimate, as if routers were linked at random.
fn loads_alike(a: u64, h: u64, groups: u64) -> bool {
    const LEAST: f64 = 0.9;
    let [a, h, groups] = [a, h, groups].map(|value| value as f64);
    // Links of a router to one other group: with less than one a message goes to another router first.
    let links = h / (groups - 1.0);
    let outside = 1.0 - 1.0 / groups;
    let before_and_after = (1.0 - links).max(0.0) + (1.0 - links.max(1.0) / a).max(0.0);
    let inside = (1.0 - 1.0 / a) / groups + outside * before_and_after;
    let busiest = (outside / h).max(inside / (a - 1.0));
    (outside + inside) / (a - 1.0 + h) >= LEAST * busiest
}

/// Whether every two routers of a dragonfly are linked.
pub(super) fn is_complete_dragonfly(integers: &[u64]) -> bool {
    match *integers {
        [a, h, groups, ..] => h >= a.saturating_mul(groups.saturating_sub(1)),
        [a, ..] => a == 1,
        [] => false,
    }
}

/// Twisted tori of sides a ≤ b ≤ 2a, the narrowest first, each with a shift of a and of half the other side; of short sides
/// with every shift, up to half of the side, beyond which they are mirror images.
pub(super) fn twisted_tori(least: u128, most: u128, degree: u64) -> Vec<Vec<u64>> {
    /// So many lengths of the shorter side are tried.
    const SIDES: u64 = 24;
    /// Sides up to this length are short.
    const SHORT: u64 = 8;
    let Some(first) = u64::try_from(least.div_ceil(2)).ok().filter(|_| degree >= 4) else {
        return Vec::new();
    };
    let side = root(first, 2).max(3);
    let mut all = Vec::new();
    for a in side..side.saturating_add(SIDES) {
        let longer = u64::try_from(least.div_ceil(a.into())).unwrap_or(u64::MAX).max(a);
        if longer > a.saturating_mul(2) || u128::from(a) * u128::from(longer) > most {
            continue;
        }
        let mut shifts = match longer {
            ..=SHORT => (0..=longer / 2).collect(),
            _ => vec![a % longer, longer / 2],
        };
        shifts.dedup();
        all.extend(shifts.into_iter().map(|shift| vec![a, longer, shift]));
    }
    all
}

/// Lifts of the complete graph of that degree, with nearly as many nodes.
pub(super) fn lifts(nodes: u64, degree: u64) -> Vec<Vec<u64>> {
    let size = nodes / degree.saturating_add(1).max(1);
    let sizes = size.max(2)..=size.saturating_add(1);
    sizes.filter(|_| degree > 2 && degree < 1 << 32).map(|n| vec![degree, n, 1]).collect()
}

/// Pairs of odd primes whose graph of Lubotzky, Phillips and Sarnak has the size.
pub(super) fn ramanujan(least: u128, most: u128, degree: u64) -> Vec<Vec<u64>> {
    let is_prime = |value: &u64| value % 2 == 1 && prime_power(*value) == Some((*value, 1));
    let group = |q: u64| u128::from(q) * (u128::from(q) * u128::from(q) - 1);
    let fields = (3..1 << 16).take_while(|&q| group(q) / 2 <= most);
    let fields: Vec<u64> = fields.filter(|&q| group(q) >= least).filter(is_prime).collect();
    let primes: Vec<u64> = (3..=degree.saturating_sub(1).min(1 << 10)).filter(is_prime).collect();
    let mut all = Vec::new();
    for q in fields {
        let squares: HashSet<u64> = (1..q).map(|e| e * e % q).collect();
        for &p in primes.iter().take_while(|&&p| 4 * p < q * q).filter(|&&p| p != q) {
            let order = group(q) / if squares.contains(&(p % q)) { 2 } else { 1 };
            if (least..=most).contains(&order) {
                all.push(vec![p, q]);
            }
        }
    }
    all
}

/// Dragonfly+ of switches of one even radix, half of whose ports lead down: the fewest groups that are enough.
pub(super) fn dragonflies_plus(least: u128, most: u128, degree: u64) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for half in 1..=degree.min(512) / 2 {
        let group = u128::from(half) * u128::from(half);
        // As many groups at least as all global links of a spine lead to others.
        let groups = least.div_ceil(group).max(u128::from(half) + 1);
        if groups * group <= most && groups <= group + 1 {
            let groups = u64::try_from(groups).unwrap_or(u64::MAX);
            all.push(vec![half, half, half, groups]);
        }
    }
    all
}

/// HammingMeshes of square boards of 1, 4 and 16 accelerators, as many columns of boards as rows or one more.
pub(super) fn hamming_meshes(least: u128, most: u128, degree: u64) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for side in [1, 2, 4u64] {
        let Ok(boards) = u64::try_from(least.div_ceil(u128::from(side * side))) else { continue };
        let rows = root(boards, 2);
        let columns = boards.div_ceil(rows);
        let hosts = u128::from(side * side) * u128::from(rows) * u128::from(columns);
        if hosts <= most && columns <= degree / 2 {
            all.push(vec![side, side, columns, rows]);
        }
    }
    all
}

/// Folded Clos networks of any taper.
pub(super) fn folded_clos(least: u128, most: u128, degree: u64) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for half in 1..=degree.min(512) / 2 {
        let radix = 2 * half;
        let tapers = (1..radix).filter(|taper| radix.is_multiple_of(1 + taper));
        for (taper, levels) in
            tapers.flat_map(|taper| (2..=4u32).map(move |levels| (taper, levels)))
        {
            let down = radix - radix / (1 + taper);
            let hosts = u128::from(down) * 2 * u128::from(half).pow(levels - 1);
            if (least..=most).contains(&hosts) {
                let integers = [radix, levels.into(), taper];
                all.push(if taper == 1 { integers[..2].to_vec() } else { integers.to_vec() });
            }
        }
    }
    all
}

/// Leaves and spines: for every number of hosts on a leaf the fewest leaves, with a spine for one to four hosts.
pub(super) fn leaves_and_spines(least: u128, most: u128, degree: u64) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for hosts in 1..degree.min(512) {
        let leaves = least.div_ceil(hosts.into());
        let Ok(leaves) = u64::try_from(leaves) else { continue };
        let spines =
            (1..=4u64).filter(|taper| hosts.is_multiple_of(*taper)).map(|taper| hosts / taper);
        let spines = spines.filter(|spines| hosts + spines <= degree && leaves <= degree);
        if u128::from(leaves) * u128::from(hosts) <= most && leaves >= 2 {
            all.extend(spines.map(|spines| vec![leaves, spines, hosts]));
        }
    }
    all
}

/// Polarity graphs over any field with any supernode that reach the size.
pub(super) fn polarity_stars(least: u128, most: u128, degree: u64) -> Vec<Vec<u64>> {
    let mut all = Vec::new();
    for q in 2..=degree.min(512) {
        for d in 0..=degree.saturating_sub(q + 1).min(512) {
            let points = u128::from(q * q + q + 1);
            let sizes = [points * u128::from(2 * d + 2), points * u128::from(2 * d + 1)];
            if sizes.iter().any(|size| (least..=most).contains(size)) {
                all.push(vec![q, d]);
            }
        }
    }
    all
}

/// Words of k letters out of d, of which each has up to 2d neighbors.
pub(super) fn words(nodes: u64, degree: u64) -> Vec<Vec<u64>> {
    let letters = (2..=degree.min(64)).filter(|letters| *letters >= degree / 2);
    let of = |letters: u64| {
        let length = u64::from(nodes.max(1).ilog(letters));
        (length.saturating_sub(1).max(1)..=length + 1).map(move |length| vec![letters, length])
    };
    letters.flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_exact() {
        for number in [1, 7, 8, 9, 26, 27, 63, 64, 1 << 60] {
            for power in 1..5 {
                let found = root(number, power);
                assert!(found.pow(power) <= number && (found + 1).pow(power) > number);
            }
        }
    }

    /// 24 at a switch of 64 ports: every group is joined to every other by several links.
    #[test]
    fn dragonflies_may_have_few_groups() {
        let found = dragonflies(170, 190, 40);
        assert!(found.iter().any(|one| one[2] < one[0] * one[1]), "{found:?}");
        for one in &found {
            let [a, h, groups] = one[..] else { panic!("{one:?}") };
            assert!((170..=190).contains(&(a * groups)) && a - 1 + h <= 40, "{one:?}");
            assert!(groups > h, "{one:?}");
        }
        // Global links would be the bottleneck.
        assert!(loads_alike(17, 16, 18) && !loads_alike(27, 3, 7));
        assert!(is_complete_dragonfly(&[4, 4, 2]) && !is_complete_dragonfly(&[4, 3, 2]));
        assert!(dragonflies(1 << 20, 1 << 21, u64::MAX).iter().all(|one| one[2] >= 2));
    }

    /// 104 nodes are 13 points of degree 4, a field of 3, with supernodes of 8 nodes of degree 3; no other field has a
    /// number of points that divides 104.
    #[test]
    fn polarity_stars_reach_the_size_within_the_degree() {
        assert_eq!(polarity_stars(104, 104, 7), [[3, 3]]);
        assert!(polarity_stars(104, 104, 6).is_empty());
        // Paley supernodes have one node less.
        assert_eq!(polarity_stars(65, 65, 6), [[3, 2]]);
    }
}
