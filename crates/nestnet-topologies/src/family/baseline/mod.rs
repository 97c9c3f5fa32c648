//! Networks of other authors, to compare with: dragonflies, Slim Fly, PolarFly, PolarStar, random and word graphs, folded
//! Clos networks and server-centric networks.

mod bcube;
mod dcell;
mod debruijn;
mod dragonfly;
mod dragonfly_plus;
mod exchanged_hypercube;
mod folded_clos;
mod global_links;
mod hammingmesh;
mod kautz;
mod polarfly;
mod polarstar;
mod rails;
mod random_regular;
mod slimfly;
mod spectralfly;
mod star_graph;
mod twisted_torus;
mod word;
mod xpander;

use super::{Built, Facts, Family, MAX_COUNT, Make, Paper, Param, sizing};
use crate::spec::{Arg, Spec};

/// The largest count of anything; twice as many ports still have a number.
const MAX_SIDE: u64 = 1 << 62;

/// More classes of nodes than these are not listed.
const MAX_CLASSES: u64 = 1 << 12;

/// The largest field that is tabulated.
const MAX_FIELD: u64 = 1 << 16;

/// What the field also calls its rows.
pub(super) static ALSO: &[(&str, &str)] = &[
    ("random", "random_regular"),
    ("expander", "random_regular"),
    ("folded_clos", "clos"),
    ("spine_leaf", "leaf_spine"),
    ("mms", "slimfly"),
    ("erdos_renyi_polarity", "polarfly"),
    ("brown", "polarfly"),
    ("permutation_star", "star_graph"),
    ("doubly_twisted_torus", "twisted_torus"),
    ("twisted_tori", "twisted_torus"),
    ("lift", "xpander"),
    ("megafly", "dragonfly_plus"),
    ("hxmesh", "hammingmesh"),
    ("ramanujan", "spectralfly"),
];

/// The rows of this file.
pub static ROWS: &[Family] = &[
    Family::built(
        Paper::Baseline,
        "dragonfly",
        "The dragonfly of routers: groups of a fully linked routers with h global ports each, as many cables between every two groups as fit, by the relative arrangement, and the ports that are left over spread over pairs of groups in turn; 2 to a·h+1 groups, balanced with a·h+1, one link between every two. With no more groups than h every router has links to every other group, spread over as many of its routers as can be, of several cables where they are fewer; a·h is then below 2^20.",
        &[
            Param::integer("a", 1, MAX_SIDE, "the number of routers in a group"),
            Param::integer("h", 1, MAX_SIDE, "the number of global ports of a router"),
            Param::integer("groups", 2, u64::MAX, "the number of groups, at most a·h+1, which it is if omitted").or_none(),
        ],
        &[
            "dragonfly(8, 4)",
            "dragonfly(4, 2, groups=5)",
            "dragonfly(4, 4, groups=6)",
            "dragonfly(4, 5, groups=3)",
        ],
        dragonfly::build,
    )
    .with(Facts {
        // A complete graph.
        left_out: |dragonfly| sizing::is_complete_dragonfly(dragonfly.integers),
        near: Some(|nodes, degree| {
            // Balanced, a = 2h, or nearly so: a router has a-1 links in its group and h out of it.
            let most = sizing::most_links(nodes, degree).min(512);
            let of = |h: u64| (2 * h - 1..=2 * h + 1).map(move |a| vec![a, h]);
            (1..=most.div_ceil(2)).flat_map(of).collect()
        }),
        sized: Some(sizing::dragonflies),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "rails",
        "Servers of g accelerators around a switch of their own, accelerator i of every server on rail i: a leaf of each rail for every u servers, and spines above all leaves.",
        &[
            Param::integer("servers", 1, MAX_SIDE, "the number of servers"),
            Param::integer("g", 1, MAX_SIDE, "the number of accelerators of a server, and of rails"),
            Param::integer("u", 1, MAX_SIDE, "the number of servers at a leaf"),
            Param::integer("spines", 0, MAX_SIDE, "the number of spines; 0 with one leaf a rail"),
            Param::integer("width", 1, MAX_SIDE, "cables between an accelerator and the switch of its server, 1 if omitted").or_none(),
        ],
        &["rails(4, 2, 2, 1)", "rails(5, 3, 2, 2, 4)", "rails(3, 2, 4, 0)"],
        rails::build,
    )
    .with(Facts { searched: false, ..Facts::NONE }),
    Family::built(
        Paper::Baseline,
        "dragonfly_plus",
        "Dragonfly+: groups of leaf and spine switches, every leaf of a group linked to every spine; spines have up to h global links each, as many between every two groups as fit, and leaves have hosts.",
        &[
            Param::integer("leaves", 1, MAX_SIDE, "the number of leaf switches in a group"),
            Param::integer("spines", 1, MAX_SIDE, "the number of spine switches in a group"),
            Param::integer("h", 1, MAX_SIDE, "the number of global ports of a spine"),
            Param::integer("groups", 2, MAX_SIDE, "the number of groups, spines·h+1 if omitted").or_none(),
            Param::integer("hosts", 1, MAX_SIDE, "the number of hosts on a leaf, as many as spines if omitted").or_none(),
        ],
        &["dragonfly_plus(2, 2, 2)", "dragonfly_plus(3, 2, 2, groups=4, hosts=1)"],
        dragonfly_plus::build,
    )
    .with(Facts {
        sized: Some(sizing::dragonflies_plus),
        // Where every node is drawn takes longer than the rest.
        quickly: Some(dragonfly_plus::quickly),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "slimfly",
        "Slim Fly: the McKay-Miller-Širáň graph over the field of q elements, 2q² routers of diameter 2.",
        &[Param::integer("q", 3, MAX_FIELD, "a prime power")],
        &["slimfly(5)", "slimfly(19)"],
        slimfly::build,
    )
    .with(Facts { near: Some(sizing::fields), ..Facts::NONE }),
    Family::built(
        Paper::Baseline,
        "polarfly",
        "PolarFly: the points of the projective plane over the field of q elements, linked where their product is 0; diameter 2.",
        &[Param::integer("q", 2, MAX_FIELD, "a prime power")],
        &["polarfly(7)"],
        polarfly::build,
    )
    .with(Facts { near: Some(sizing::fields), ..Facts::NONE }),
    Family::built(
        Paper::Baseline,
        "polarstar",
        "PolarStar: the star product of the polarity graph over the field of q elements with an Inductive-Quad or Paley graph of degree d; diameter 3.",
        &[
            Param::integer("q", 2, MAX_FIELD, "a prime power"),
            Param::integer("d", 0, polarstar::MAX_DEGREE, "the degree of the supernode: 0 or 3 modulo 4, for paley 2d+1 a prime power and d even"),
            Param::word("supernode", &["iq", "paley"], "which supernode"),
            Param::word("loops", &["yes", "no"], "whether the loops of the polarity graph become links"),
        ],
        &["polarstar(3, 3)", "polarstar(2, 4)", "polarstar(3, 2, supernode=paley)"],
        polarstar::build,
    )
    .with(Facts {
        sized: Some(sizing::polarity_stars),
        quickly: Some(polarstar::quickly),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "random_regular",
        "A random network of n nodes of degree d, the same for the same seed; connected from degree 3 on.",
        &[
            Param::integer("n", 1, 1 << 32, "the number of nodes"),
            Param::integer("d", 0, (1 << 32) - 1, "the degree"),
            Param::integer("seed", 0, u64::MAX, "which of them"),
        ],
        &["random_regular(64, 5, 1)"],
        random_regular::build,
    )
    .with(Facts {
        near: Some(|nodes, degree| {
            let exists = degree < nodes && (nodes * (degree % 2)).is_multiple_of(2) && degree > 2;
            if exists { vec![vec![nodes, degree, 1]] } else { Vec::new() }
        }),
        ..Facts::NONE
    }),
    Family {
        name: "jellyfish",
        paper: Paper::Baseline,
        about: "Another name for the random regular network.",
        params: &[
            Param::integer("n", 1, 1 << 32, "the number of switches"),
            Param::integer("d", 0, (1 << 32) - 1, "the links of a switch to others"),
            Param::integer("seed", 0, u64::MAX, "which of them"),
        ],
        examples: &["jellyfish(20, 3, 1)"],
        make: Make::Alias(|args| {
            let integers = ["n", "d", "seed"].map(|name| Arg::new(args.integer(name)));
            Ok(Spec::new("random_regular", integers))
        }),
        facts: Facts::NONE,
    },
    Family::built(
        Paper::Baseline,
        "xpander",
        "Xpander: a random lift of the complete graph, d+1 groups of n nodes with a perfect matching between every two, the same for the same seed; connected from degree 3 on.",
        &[
            Param::integer("d", 0, (1 << 32) - 1, "the degree, one less than the number of groups"),
            Param::integer("n", 1, 1 << 32, "the number of nodes of a group"),
            Param::integer("seed", 0, u64::MAX, "which of them"),
        ],
        &["xpander(5, 8, 1)"],
        xpander::build,
    )
    .with(Facts { near: Some(sizing::lifts), ..Facts::NONE }),
    Family::built(
        Paper::Baseline,
        "spectralfly",
        "SpectralFly: the Ramanujan graph of Lubotzky, Phillips and Sarnak for two odd primes, the Cayley graph of PSL(2, q) where p is a square mod q, else of PGL(2, q), of degree p+1.",
        &[
            Param::integer("p", 3, MAX_FIELD, "an odd prime, one less than the degree"),
            Param::integer("q", 3, MAX_FIELD, "another odd prime, more than 2√p"),
        ],
        &["spectralfly(3, 5)", "spectralfly(11, 7)"],
        spectralfly::build,
    )
    .with(Facts { sized: Some(sizing::ramanujan), ..Facts::NONE }),
    Family {
        name: "lps",
        paper: Paper::Baseline,
        about: "Another name for SpectralFly, after Lubotzky, Phillips and Sarnak.",
        params: &[
            Param::integer("p", 3, MAX_FIELD, "an odd prime, one less than the degree"),
            Param::integer("q", 3, MAX_FIELD, "another odd prime, more than 2√p"),
        ],
        examples: &["lps(5, 7)"],
        make: Make::Alias(|args| {
            let integers = ["p", "q"].map(|name| Arg::new(args.integer(name)));
            Ok(Spec::new("spectralfly", integers))
        }),
        facts: Facts::NONE,
    },
    Family::built(
        Paper::Baseline,
        "debruijn",
        "The undirected de Bruijn graph: words of k letters out of d, neighbors by shifting one letter in.",
        &[
            Param::integer("d", 2, MAX_SIDE, "the number of letters"),
            Param::integer("k", 1, MAX_COUNT, "the length of the words"),
        ],
        &["debruijn(2, 10)"],
        debruijn::build,
    )
    .with(Facts {
        // A complete graph.
        left_out: |words| words.integer(1) == 1,
        near: Some(sizing::words),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "kautz",
        "The undirected Kautz graph: words of k letters out of d+1 without equal neighbors in them, linked by shifting one letter in.",
        &[
            Param::integer("d", 1, MAX_SIDE, "one less than the number of letters"),
            Param::integer("k", 1, MAX_COUNT, "the length of the words"),
        ],
        &["kautz(2, 4)"],
        kautz::build,
    )
    .with(Facts {
        // A link, or a complete graph.
        left_out: |words| words.integer(0) == 1 || words.integer(1) == 1,
        near: Some(sizing::words),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "exchanged_hypercube",
        "The exchanged hypercube EH(s,t): words a b c of s + t + 1 bits; c may always flip, one bit of a where c = 0, one of b where c = 1.",
        &[
            Param::integer("s", 1, MAX_COUNT, "the bits of a"),
            Param::integer("t", 1, MAX_COUNT, "the bits of b"),
        ],
        &["exchanged_hypercube(2, 3)", "exchanged_hypercube(4, 4)"],
        exchanged_hypercube::build,
    ),
    Family::built(
        Paper::Baseline,
        "star_graph",
        "The star graph: permutations of n symbols, linked by exchanging the first with any other.",
        &[Param::integer("n", 1, MAX_COUNT, "the number of symbols")],
        &["star_graph(5)"],
        star_graph::build,
    )
    .with(Facts {
        // A node and a link.
        left_out: |star| star.integer(0) <= 2,
        near: Some(|_, _| (2..=20).map(|n| vec![n]).collect()),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "fat_tree",
        "The fat tree of three levels from switches of k ports: k³/4 hosts, k pods of edge and aggregation switches, and a core.",
        &[Param::integer("k", 2, MAX_SIDE, "the number of ports of a switch, even")],
        &["fat_tree(4)"],
        |args| folded_clos::fat_tree(args).map(folded_clos::built),
    )
    .with(Facts {
        near: Some(|nodes, _| {
            let ports = sizing::root(nodes.saturating_mul(4), 3);
            let around = ports.saturating_sub(2).max(2)..=ports + 2;
            around.filter(|ports| ports.is_multiple_of(2)).map(|ports| vec![ports]).collect()
        }),
        // Where every node is drawn takes longer than the rest.
        quickly: Some(|args| folded_clos::fat_tree(args).map(Built::of)),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "clos",
        "The folded Clos network of 2 to 4 levels from switches of one radix: a leaf has taper times as many hosts as uplinks. With `hosts` the fewest switches that hold so many, with links of several cables; without, all ports used; clos(k, 3) is fat_tree(k).",
        &[
            Param::integer("radix", 2, MAX_SIDE, "the number of ports of a switch, even"),
            Param::integer("levels", 2, 4, "the number of levels of switches"),
            Param::integer("taper", 1, MAX_SIDE, "hosts for each uplink of a leaf, 1 if omitted")
                .or_ratio()
                .or_none(),
            Param::integer("hosts", 1, 1 << 48, "the number of hosts, or the next that fits")
                .or_none(),
        ],
        &["clos(4, 2)", "clos(6, 3, taper=2)", "clos(4, 4)", "clos(8, 3, hosts=32)", "clos(10, 2, taper=[3, 2])"],
        |args| folded_clos::clos(args).map(folded_clos::built),
    )
    .with(Facts {
        all_hosts: Some("hosts"),
        // A fat tree.
        left_out: |clos| clos.integer(1) == 3 && clos.integer(2) <= 1,
        sized: Some(sizing::folded_clos),
        quickly: Some(|args| folded_clos::clos(args).map(Built::of)),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "pgft",
        "The generalized fat tree with parallel links: level i of h has m_(i+1)⋯m_h·w_1⋯w_i nodes, hosts at level 0; between the levels i-1 and i a node has w_i links up and m_i down, each of p_i cables. pgft([32, 32, 4], [1, 32, 2], [1, 1, 16]) has 4,096 hosts on 320 switches of 64 ports.",
        &[
            Param::list("m", 1, MAX_SIDE, "links down of a switch, level by level"),
            Param::list("w", 1, MAX_SIDE, "links up to each level, the first 1"),
            Param::list("p", 1, MAX_SIDE, "cables of a link to each level, the first 1"),
        ],
        &["pgft([2, 2, 4], [1, 2, 2], [1, 1, 1])", "pgft([4, 2, 2], [1, 2, 2], [1, 2, 3])"],
        |args| folded_clos::pgft(args).map(folded_clos::built),
    )
    .with(Facts {
        quickly: Some(|args| folded_clos::pgft(args).map(Built::of)),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "leaf_spine",
        "Leaf and spine: every leaf switch is linked to every spine switch, and has hosts of its own.",
        &[
            Param::integer("leaves", 1, MAX_SIDE, "the number of leaf switches"),
            Param::integer("spines", 1, MAX_SIDE, "the number of spine switches"),
            Param::integer("hosts", 1, MAX_SIDE, "the number of hosts on a leaf"),
        ],
        &["leaf_spine(5, 2, 3)"],
        |args| folded_clos::leaf_spine(args).map(folded_clos::built),
    )
    .with(Facts {
        sized: Some(sizing::leaves_and_spines),
        quickly: Some(|args| folded_clos::leaf_spine(args).map(Built::of)),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "twisted_torus",
        "The twisted torus: an a × b torus whose wrap-around along the side a shifts the other coordinate; with b = 2a and shift = a all links are alike, and the diameter is a.",
        &[
            Param::integer("a", 3, MAX_SIDE, "the nodes along x, whose wrap-around shifts"),
            Param::integer("b", 3, MAX_SIDE, "the nodes along y"),
            Param::integer("shift", 0, MAX_SIDE, "by how much y is shifted, below b"),
        ],
        &["twisted_torus(4, 8, 4)", "twisted_torus(5, 7, 2)"],
        twisted_torus::build,
    )
    .with(Facts {
        // A torus.
        left_out: |torus| torus.integer(2) == 0,
        sized: Some(sizing::twisted_tori),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "hammingmesh",
        "HammingMesh: boards of a rows and b columns of accelerators in a mesh, x columns and y rows of boards; each of the a·y rows and b·x columns of accelerators has a switch that joins the edges of its boards, or a two-level fat tree where its ports exceed the radix.",
        &[
            Param::integer("a", 1, MAX_SIDE, "the rows of accelerators of a board"),
            Param::integer("b", 1, MAX_SIDE, "the columns of accelerators of a board"),
            Param::integer("x", 1, MAX_SIDE, "the columns of boards"),
            Param::integer("y", 1, MAX_SIDE, "the rows of boards"),
            Param::integer("radix", 0, MAX_SIDE, "the ports of a switch, any number if 0 or omitted").or_none(),
        ],
        &["hammingmesh(2, 2, 3, 2)", "hammingmesh(1, 1, 4, 3)", "hammingmesh(2, 2, 5, 2, radix=8)"],
        hammingmesh::build,
    )
    .with(Facts {
        sized: Some(sizing::hamming_meshes),
        // Where every node is drawn takes longer than the rest.
        quickly: Some(hammingmesh::quickly),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "bcube",
        "BCube: servers are words of k+1 digits below n; those that differ in one digit alone share a switch of n ports.",
        &[
            Param::integer("n", 2, MAX_SIDE, "the number of ports of a switch"),
            Param::integer("k", 0, MAX_COUNT, "the highest level"),
        ],
        &["bcube(4, 1)"],
        bcube::build,
    )
    .with(Facts {
        // One switch.
        left_out: |bcube| bcube.integer(1) == 0,
        ..Facts::NONE
    }),
    Family::built(
        Paper::Baseline,
        "dcell",
        "DCell: n servers on a switch, then k times, one copy more than a copy has servers, each two copies joined by one link of two servers.",
        &[
            Param::integer("n", 2, MAX_SIDE, "the number of ports of a switch"),
            Param::integer("k", 0, 64, "the number of levels above the switches"),
        ],
        &["dcell(4, 1)"],
        dcell::build,
    )
    .with(Facts {
        // One switch.
        left_out: |dcell| dcell.integer(1) == 0,
        ..Facts::NONE
    }),
];
