//! Is each pattern what its name says?

use super::*;
use nestnet_graph::Csr;
use nestnet_graph::budget::Budget;
use std::collections::BTreeMap;

fn of(text: &str, ends: &Ends) -> Traffic {
    let groups = || Ok(Groups::new(vec![vec![1], vec![0], vec![3], vec![2], vec![]]));
    let file = |_: &str| Ok("0 1 0.5\n0 2 .25 # near\n2,0,1\n1 1 9\n".to_owned());
    let source = Source { ends, file: &file, groups: &groups, memory: 1 << 20 };
    read(text, &source).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn targets(text: &str, ends: &Ends) -> Vec<u64> {
    let traffic = of(text, ends);
    (0..ends.hosts).map(|from| traffic.as_permutation().unwrap().target(from)).collect()
}

#[test]
fn permutations_are_what_their_names_say() {
    let eight = Ends::plain(8);
    assert_eq!(targets("tornado", &eight), [3, 4, 5, 6, 7, 0, 1, 2]);
    assert_eq!(targets("neighbor", &eight), [1, 2, 3, 4, 5, 6, 7, 0]);
    assert_eq!(targets("shift(3)", &eight), targets("tornado", &eight));
    assert_eq!(targets("bit-complement", &eight), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(targets("bit_reverse", &eight), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(targets("shuffle", &eight), [0, 2, 4, 6, 1, 3, 5, 7]);
    let nine = Ends::plain(9);
    assert_eq!(targets("transpose", &nine), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
    // 5 × 2 switches of two hosts: 2 on in the first digit, nothing in the second, which has two values.
    let torus = Ends::with_sides(20, vec![5, 2], 2);
    let moved: Vec<u64> = (0..20).map(|host| (host + 8) % 20).collect();
    assert_eq!(targets("tornado", &torus), moved);
    assert_eq!(targets("neighbor", &torus)[..4], [6, 7, 4, 5]);
    assert_eq!(Ends::with_sides(20, vec![5, 3], 2), Ends::plain(20));
}

#[test]
fn every_permutation_is_one() {
    for hosts in [1u64, 2, 4, 16, 64, 1024] {
        let ends = Ends::plain(hosts);
        for row in TRAFFIC {
            let text = match row.name {
                "shift" => "shift(18446744073709551615)",
                "permutation" => "permutation(5)",
                "uniform" | "hotspot" | "locality" | "matrix" | "mix" | "phases" | "onoff" => {
                    continue;
                }
                name => name,
            };
            let mut to = match read(text, &Source::alone(&ends)) {
                Ok(_) => targets(text, &ends),
                Err(TrafficError::Hosts { .. }) => continue,
                Err(error) => panic!("{error}"),
            };
            to.sort_unstable();
            assert!(to.into_iter().eq(0..hosts), "{text} of {hosts}");
        }
    }
}

#[test]
fn seeds_draw_different_permutations_again() {
    let ends = Ends::plain(50);
    assert_eq!(targets("permutation(1)", &ends), targets("permutation", &ends));
    assert_ne!(targets("permutation(1)", &ends), targets("permutation(2)", &ends));
}

/// What each pattern sends adds up, leaves out oneself, and is what is drawn.
#[test]
fn shares_add_up_and_are_drawn_as_often() {
    let ends = Ends::plain(5);
    let mixes =
        ["mix(0.8*uniform, 0.2*hotspot(1, 3))", "mix(3*shift(1),1 * locality(1/4), .5*shift(2))"];
    let timed = ["phases(300*uniform, 100*mix(1*shift(1), 2*shift(2)))", "onoff(shift(1), 3, 9)"];
    let plain = ["uniform", "shift(2)", "hotspot(20%, 3)", "locality(1/4)", "locality(0.9)"];
    for text in plain.into_iter().chain(mixes).chain(timed) {
        let traffic = of(text, &ends);
        let mut below = stream(7);
        for from in 0..5 {
            let mut shares = BTreeMap::new();
            traffic.for_each(from, &mut |to, weight| {
                assert!(to != from && weight > 0 && shares.insert(to, weight).is_none());
            });
            assert_eq!(shares.values().sum::<u128>(), traffic.whole(), "{text} from {from}");
            const DRAWS: u64 = 40_000;
            let mut drawn = BTreeMap::new();
            for _ in 0..DRAWS {
                *drawn.entry(traffic.draw(from, &mut below).unwrap()).or_insert(0u64) += 1;
            }
            for (to, weight) in shares {
                let expected = weight as f64 / traffic.whole() as f64;
                let seen = drawn.remove(&to).unwrap_or(0) as f64 / DRAWS as f64;
                assert!(
                    (seen - expected).abs() < 0.02,
                    "{text}: {from} to {to}: {seen} {expected}"
                );
            }
            assert!(drawn.is_empty(), "{text}: {from} also sends to {drawn:?}");
        }
    }
}

#[test]
fn a_mix_has_each_pattern_with_its_weight() {
    let traffic = of("mix(0.8*uniform,0.2*hotspot( 1,3 ))", &Ends::plain(5));
    assert_eq!(traffic.name, "mix(0.8*uniform, 0.2*hotspot( 1,3 ))");
    let mut row = Vec::new();
    traffic.for_each(0, &mut |to, weight| row.push((to, weight as f64 / traffic.whole() as f64)));
    let expected = [(1, 0.2), (2, 0.2), (3, 0.4), (4, 0.2)];
    assert!(row.iter().zip(expected).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-12));
    assert_eq!(row.len(), 4);
    // Who has nothing to send in one pattern sends less.
    let fixed = of("mix(1*uniform, 1*shift(5))", &Ends::plain(5));
    let mut sum = 0;
    fixed.for_each(2, &mut |_, weight| sum += weight);
    assert_eq!(2 * sum, fixed.whole());
}

#[test]
fn patterns_of_time_are_read_and_others_refused() {
    let ends = Ends::plain(6);
    let traffic = of("phases( 30*uniform,20 * shift(1) )", &ends);
    assert_eq!(traffic.name, "phases(30*uniform, 20 * shift(1))");
    assert_eq!((traffic.period(), traffic.periods()), (Some(50), None));
    let inside = of("onoff(phases(30*uniform, 20*shift(1)), 5, 15)", &ends);
    assert_eq!((inside.period(), inside.periods()), (Some(50), Some(OnOff { on: 5, off: 15 })));
    assert_eq!((of("uniform", &ends).period(), of("uniform", &ends).periods()), (None, None));
    for wrong in [
        "phases",
        "phases(uniform)",
        "phases(0*uniform)",
        "phases(1.5*uniform)",
        "phases(1*phases(1*uniform))",
        "phases(1*onoff(uniform, 1, 1))",
        "mix(1*phases(1*uniform))",
        "onoff",
        "onoff(uniform)",
        "onoff(uniform, 0, 3)",
        "onoff(uniform, 3, 0)",
        "onoff(onoff(uniform, 1, 1), 1, 1)",
        "onoff(uniform, 1, 1, 1)",
    ] {
        assert!(read(wrong, &Source::alone(&ends)).is_err(), "{wrong}");
    }
}

#[test]
fn a_matrix_is_read_as_triples_or_as_rows() {
    let traffic = of("matrix(a, b.txt)", &Ends::plain(5));
    assert_eq!((traffic.name.as_str(), traffic.whole()), ("matrix(a, b.txt)", 100));
    let row = |traffic: &Traffic, from| {
        let mut row = Vec::new();
        traffic.for_each(from, &mut |to, weight| row.push((to, weight)));
        row
    };
    assert_eq!(row(&traffic, 0), [(1, 50), (2, 25)]);
    assert_eq!(row(&traffic, 1), []);
    assert_eq!(traffic.draw(1, &mut stream(1)), None);
    let dense = Matrix::read("0 1\n0.5,9\n", 2).unwrap();
    assert_eq!((dense.row(0), dense.row(1)), (&[(1, 10)][..], &[(0, 5)][..]));
    for (text, error) in [
        ("0 1", "2 fields"),
        ("0 9 1", "`9` is no host"),
        ("0 1 -1", "`-1` is no rate"),
        ("0 1 1e3", "no rate"),
        ("0 0 1", "nobody"),
        ("", "nobody"),
        ("1 2 3 4 5", "1 rows of rates for 5 hosts"),
    ] {
        let said = Matrix::read(text, 5).unwrap_err().to_string();
        assert!(said.contains(error), "{text}: {said}");
    }
}

#[test]
fn what_cannot_be_is_said() {
    let six = Ends::plain(6);
    for (text, error) in [
        ("unifrom", "unknown traffic `unifrom`: there are uniform, transpose"),
        ("transpose", "needs a square number of hosts, and there are 6"),
        ("shuffle", "needs a power of two of hosts, and there are 6"),
        ("shift", "s must be an integer, not ``"),
        ("shift(-1)", "s must be an integer, not `-1`"),
        ("uniform(3)", "takes uniform, and `3` is too much"),
        ("hotspot(150%)", "share must be a share such as 10%"),
        ("hotspot(10%, 6)", "host must be an integer from 0 to 5, not `6`"),
        ("shift(3", "unknown traffic `shift(3`"),
        ("mix", "weights must be positive"),
        (
            "mix(uniform)",
            "a part must be a weight and a pattern such as 0.8*uniform, not `uniform`",
        ),
        ("mix(0*uniform)", "weights must be positive"),
        ("mix(1*unifrom)", "unknown traffic `unifrom`"),
        ("mix(1*uniform, )", "a part must be"),
        ("mix(1*mix(1*uniform))", "a part must be a pattern that is no mix"),
        ("matrix", "FILE must be the name of a file"),
        ("matrix(x)", "no file can be read here"),
    ] {
        let said = read(text, &Source::alone(&six)).unwrap_err().to_string();
        assert!(said.contains(error), "{text}: {said}");
    }
}

#[test]
fn near_are_those_that_the_innermost_links_join() {
    let ring = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], 1 << 20).unwrap();
    let groups = Groups::of(&ring, &Budget::default()).unwrap();
    assert_eq!(groups, Groups::new(vec![vec![1, 3], vec![0, 2], vec![1, 3], vec![0, 2]]));
    let tight = Budget { memory: 1, ..Budget::default() };
    assert!(Groups::of(&ring, &tight).is_err());
}
