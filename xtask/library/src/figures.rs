//! Which figures of the papers can be drawn, and by which commands?

use anyhow::{Context, Result};
use nestnet::draw::{Fold, Options, Theme};
use nestnet::family::Paper;
use nestnet::family::array::Text;
use nestnet::measure::Watch;
use nestnet::measures::Limits;
use nestnet::picture::{Request, Show, draw};
use nestnet::{Node, build};
use std::fmt::Write as _;

/// A figure of a paper.
struct Figure {
    paper: Paper,
    /// Its number.
    number: &'static str,
    /// What it shows.
    about: &'static str,
    spec: &'static str,
    on_top: OnTop,
}

/// What is drawn besides the network, or how.
pub enum OnTop {
    Nothing,
    Folded(u16),
    Plan(&'static str, u16),
    Route(u64, u64),
    RouteBy(u64, u64, &'static str),
    Step(u64, u64),
    Load,
    Deadlock(&'static str),
    /// So many dots at most.
    Coarse(u64),
    /// No picture: a block of text, by a function; a command that shows it, if there is one, and how the block follows
    /// from what that prints.
    Words(fn(&str) -> Result<String>, &'static str, &'static str),
}

use OnTop::{Coarse, Deadlock, Folded, Load, Nothing, Plan, Route, RouteBy, Step, Words};
use Paper::{CubeOfRings, DualNet, Heawood, RecursiveExpansion, Swapped};

const fn figure(
    paper: Paper,
    number: &'static str,
    about: &'static str,
    spec: &'static str,
    on_top: OnTop,
) -> Figure {
    Figure { paper, number, about, spec, on_top }
}

/// How the block with the neighbors of a node follows from `neighbors`.
const LEVELS: &str = "The command prints the links of the node with their levels; level i of the paper, and of the block, is level i - 1 of \
     the command. The block has the addresses alone.";

const FIGURES: &[Figure] = &[
    figure(
        RecursiveExpansion,
        "1a",
        "a link between two copies of a unit of three nodes",
        "re(path(2), ring(3), 1)",
        Nothing,
    ),
    figure(
        RecursiveExpansion,
        "1b",
        "a set of links between two networks of four units, one for every two units that correspond",
        "re([ring(4), path(2)], ring(3))",
        Nothing,
    ),
    figure(
        RecursiveExpansion,
        "2",
        "a ring of 4 as the frame, a ring of 3 as the unit, three phases: 192 nodes of degree 4",
        "re(ring(4), ring(3), 3)",
        Nothing,
    ),
    figure(
        RecursiveExpansion,
        "3",
        "links of a phase at the nodes of its pivot set, four of the five of each unit",
        "re(complete(5), ring(5), 1, pivots=degree)",
        Nothing,
    ),
    figure(
        RecursiveExpansion,
        "4",
        "a route between two nodes: in the unit to the pivot, through the frame, in the unit",
        "re(ring(4), ring(5), 2)",
        RouteBy(2, 52, "paper"),
    ),
    figure(RecursiveExpansion, "5a", "a torus of 4 by 4 nodes", "torus(4, 4)", Nothing),
    figure(RecursiveExpansion, "5b", "a hypercube of 8 nodes", "hypercube(3)", Nothing),
    figure(
        RecursiveExpansion,
        "6",
        "tori of 4 nodes in tori of 4 nodes, two phases, degree 3: pivot sets of two nodes",
        "re(torus(2, 2), torus(2, 2), 2, pivots=degree)",
        Nothing,
    ),
    figure(
        RecursiveExpansion,
        "7",
        "hypercubes of 4 nodes in hypercubes of 4 nodes, four phases: the copies of the last",
        "re(hypercube(2), hypercube(2), 4)",
        Folded(4),
    ),
    figure(
        RecursiveExpansion,
        "8 and 9",
        "the array of a network as RELLN builds it, repaired",
        "re(complete(4), ring(5), 1, pivots=degree)",
        Words(
            array,
            "neighbors \"re(complete(4), ring(5), 1, pivots=degree)\" --array",
            "The command prints it, with a dot for 0.",
        ),
    ),
    figure(
        RecursiveExpansion,
        "10",
        "routing between pivots inside the region of their set",
        "re(complete(5), ring(5), 1, pivots=degree)",
        RouteBy(0, 23, "paper"),
    ),
    figure(
        Heawood,
        "1a",
        "the Heawood graph with other addresses, as the incidence graph of the plane of seven points (scheme I was not seen)",
        "polarstar(2, 0)",
        Nothing,
    ),
    figure(Heawood, "1b", "the Heawood graph, scheme II", "heawood", Nothing),
    figure(Heawood, "2a", "its broadcast from node 0, the first step", "heawood", Step(0, 1)),
    figure(Heawood, "2b", "the second step", "heawood", Step(0, 2)),
    figure(Heawood, "2c", "the third, which completes the tree", "heawood", Step(0, 3)),
    figure(
        Heawood,
        "3",
        "the folded Heawood network of two dimensions",
        "folded(heawood, 2)",
        Nothing,
    ),
    figure(
        Heawood,
        "4",
        "the root-folded Heawood network of two dimensions",
        "root_folded(heawood, 2)",
        Nothing,
    ),
    figure(
        Heawood,
        "5",
        "the recursively expanded Heawood network of two dimensions",
        "re_heawood(2)",
        Nothing,
    ),
    figure(
        Heawood,
        "6",
        "the recursively expanded Heawood network II of two dimensions",
        "re_heawood2(2)",
        Nothing,
    ),
    figure(
        Heawood,
        "7",
        "the dimensions to which each of the 14 nodes is linked in a network II of 15 dimensions",
        "heawood",
        Words(
            dimensions,
            "neighbors \"re_heawood2(15)\" 0",
            "The command prints the links of one node with their levels; the block has those of level 1 and above, one more \
             than the level, for nodes 0 to 13.",
        ),
    ),
    figure(
        Heawood,
        "8",
        "the flooded Heawood network of three dimensions",
        "flooded(heawood, 3)",
        Nothing,
    ),
    figure(
        DualNet,
        "1",
        "the dual-construction: clusters of type 0 and of type 1, every two of different types joined",
        "rdn(ring(3), 1)",
        Folded(1),
    ),
    figure(DualNet, "2", "RDN(3, 1) on a ring of 3", "rdn(ring(3), 1)", Nothing),
    figure(DualNet, "3", "RDN(3, 2) on a ring of 3", "rdn(ring(3), 2)", Nothing),
    figure(
        DualNet,
        "4",
        "a longest shortest path: cross link, through a cluster, cross link, through a cluster",
        "rdn(ring(3), 2)",
        Route(0, 76),
    ),
    figure(DualNet, "5", "the 3-ary 3-cube, a base network", "torus(3, 3, 3)", Nothing),
    figure(
        DualNet,
        "6",
        "RDN(3, 2) with the ids of nodes: t·18² + c·18 + v, each of c and v itself t·3² + c·3 + v; the first cluster, and where its \
         cross links of both levels lead",
        "rdn(ring(3), 2)",
        Words(
            ids,
            "neighbors \"rdn(ring(3), 2)\" 0",
            "The command prints the links of one node with their levels; the block has the ends of those of levels 1 and 2, \
             for nodes 0 to 17.",
        ),
    ),
    figure(
        DualNet,
        "7",
        "the worked example of Algorithm 1, from 0 to 638",
        "rdn(ring(3), 2)",
        RouteBy(0, 638, "paper"),
    ),
    figure(
        DualNet,
        "8a",
        "the broadcast in RDN(3, 2): inside the cluster of the sender",
        "rdn(ring(3), 2)",
        Step(0, 4),
    ),
    figure(DualNet, "8b", "over its cross links to a cluster each", "rdn(ring(3), 2)", Step(0, 7)),
    figure(
        DualNet,
        "8c",
        "back over the cross links of all others",
        "rdn(ring(3), 2)",
        Step(0, 14),
    ),
    figure(Swapped, "1a", "the nucleus Q_2", "hypercube(2)", Nothing),
    figure(Swapped, "1b", "RSN(2, Q_2)", "rsn(hypercube(2), 2)", Nothing),
    figure(Swapped, "1c", "the nucleus K_4", "complete(4)", Nothing),
    figure(Swapped, "1d", "RSN(2, K_4)", "rsn(complete(4), 2)", Nothing),
    figure(Swapped, "1e", "the nucleus M_4", "mesh(4)", Nothing),
    figure(Swapped, "1f", "RSN(2, M_4)", "rsn(mesh(4), 2)", Nothing),
    figure(
        Swapped,
        "2",
        "the clusters of the top level, every two joined by a link",
        "rsn(hypercube(2), 3)",
        Folded(2),
    ),
    figure(
        Swapped,
        "3",
        "the neighbors of one node at levels 2, 3 and 4 of RSN(4, Q_2), which exchange two parts of its address",
        "rsn(hypercube(2), 4)",
        Words(neighbors, "neighbors \"rsn(hypercube(2), 4)\" 44086", LEVELS),
    ),
    figure(
        Swapped,
        "4",
        "the neighbors of one node with x_0 = 0 in a partially linked network",
        "sn(rsn(hypercube(2), 3), 4, 4, mask=1, value=0)",
        Words(
            neighbors,
            "neighbors \"sn(rsn(hypercube(2), 3), 4, 4, mask=1, value=0)\" 2738",
            LEVELS,
        ),
    ),
    figure(CubeOfRings, "1", "the generation seed GS(2, 2)", "rcr(2, 2, 0)", Nothing),
    figure(CubeOfRings, "2", "RCR(2, 2, 1), after one expansion", "rcr(2, 2, 1)", Nothing),
    figure(CubeOfRings, "3", "RCR(2, 2, 2), after two", "rcr(2, 2, 2)", Nothing),
    figure(
        CubeOfRings,
        "4",
        "in the paper the listing of the construction, not seen; here what each expansion does to GS(2, 4): which links stay, \
         go and come",
        "rcr_expanded(2, 4, 3)",
        Words(
            remarks,
            "info \"rcr_expanded(2, 4, 3)\"",
            "The command prints it, with the figures of the network.",
        ),
    ),
    figure(
        CubeOfRings,
        "5a",
        "its cube planes and the rings between them",
        "rcr(2, 2, 2)",
        Plan("planes", 0),
    ),
    figure(
        CubeOfRings,
        "5b",
        "each cube plane as one super node",
        "rcr(2, 2, 2)",
        Plan("planes", 1),
    ),
    figure(
        CubeOfRings,
        "6",
        "in the paper the listing of hop-plane routing, not seen; here one route by one reading of its text, to the nearest \
         plane that has a bit to correct",
        "rcr(2, 4, 3)",
        RouteBy(0, 127, "hop_plane(nearest)"),
    ),
    figure(
        CubeOfRings,
        "7",
        "in the paper three kinds of sets of four nodes, not seen; here three kinds that the text may mean, and a partition of \
         T(5) that uses the first of them, by heap numbers (root 1, children of x 2x and 2x+1)",
        "tree(5)",
        Words(
            partition,
            "",
            "No command prints it. The generator of this page writes it by the rule of \
             [the partition of the tree](proofs.md#rcr-tree); `nestnet claims --only sun-2000.fig-7-partition` judges it.",
        ),
    ),
    figure(
        CubeOfRings,
        "8 and 9",
        "in the paper two conflicts, and the final 4-partition of RCR(2, 2, 2) after the transitive exchange, not seen; here an \
         embedding of T(5) in RCR(2, 2, 2) by our own algorithm, which exchanges along chains and does not follow the \
         partition: the heap number of each node of the tree, the number of its node in the network, and that one's address",
        "rcr(2, 2, 2)",
        Words(
            embedded,
            "embed \"tree(5)\" \"rcr(2, 2, 2)\" --algorithm paper --map",
            "The row `images` of the command is the second column, in the order of heap numbers; number A·2 + b is the node \
             [A; b].",
        ),
    ),
];

/// RELLN's array, repaired.
fn array(spec: &str) -> Result<String> {
    let built = build(spec)?;
    let array = built.array().and_then(|arrayed| arrayed.array(Text::Repaired));
    let array = array.context("it has no array")?;
    let mut out = format!("     {}\n", array.columns.join("  "));
    for (i, row) in array.rows.iter().enumerate() {
        let cells = row.iter().zip(&array.columns);
        let cells = cells.map(|(cell, column)| format!("{cell:>0$}", column.len()));
        let _ = writeln!(out, "{:3}  {}", i + 1, cells.collect::<Vec<_>>().join("  "));
    }
    Ok(out)
}

/// For each place of the unit the levels of its links to the outside.
fn dimensions(_: &str) -> Result<String> {
    let built = build("re_heawood2(15)")?;
    let network = built.network.context("it has ids")?;
    let mut out = String::new();
    for at in (0..14).map(Node) {
        let mut levels = Vec::new();
        network.for_each_neighbor(at, &mut |port, _| {
            levels.extend(Some(network.level(at, port)).filter(|&level| level > 0));
        });
        let levels: Vec<String> = levels.iter().map(|level| (level + 1).to_string()).collect();
        let _ = writeln!(out, "node {at:2}: ({})", levels.join(", "));
    }
    Ok(out)
}

/// The neighbors of one node, level by level.
fn neighbors(spec: &str) -> Result<String> {
    let built = build(spec)?;
    let network = built.network.context("it has ids")?;
    let at = Node(if network.order() > 1 << 12 { 44086 } else { 2738 });
    let mut out = format!("X        {}\n", network.address(at));
    network.for_each_neighbor(at, &mut |port, to| {
        let _ = writeln!(out, "level {}  {}", network.level(at, port) + 1, network.address(to));
    });
    Ok(out)
}

/// The ids of the first cluster, with their addresses, and the ends of its cross links.
fn ids(spec: &str) -> Result<String> {
    let built = build(spec)?;
    let network = built.network.context("it has ids")?;
    let mut out = String::from(" id  address            level 1  level 2\n");
    for at in (0..18).map(Node) {
        let mut ends = [0; 3];
        network.for_each_neighbor(at, &mut |port, to| {
            ends[usize::from(network.level(at, port)).min(2)] = to.0;
        });
        let address = network.address(at).to_string();
        let _ = writeln!(out, "{:3}  {address:<17}  {:7}  {:7}", at.0, ends[1], ends[2]);
    }
    Ok(out)
}

/// What is said of a network.
fn remarks(spec: &str) -> Result<String> {
    Ok(build(spec)?.theory.remarks().join("\n") + "\n")
}

/// The kinds of sets, by the lowest heap number x in them, and the sets of the partition of five levels.
fn partition(_: &str) -> Result<String> {
    const KINDS: &str = "two brothers and the children of the first   {x, x+1, 2x, 2x+1}\n\
                         two brothers and the children of the second  {x, x+1, 2x+2, 2x+3}\n\
                         a node, its children and one child of those  {x, 2x, 2x+1, 4x}\n\n";
    let sets = nestnet::family::cube_of_rings::tree::partition(5);
    let line = |set: &Vec<usize>| set.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let sets: String = sets.iter().map(|set| format!("{{{}}}\n", line(set))).collect();
    Ok(format!("{KINDS}{sets}"))
}

/// Where each node of the largest tree is.
fn embedded(spec: &str) -> Result<String> {
    let built = build(spec)?;
    let network = built.network.clone().context("it has ids")?;
    let height = (network.order() + 1).ilog2();
    let tree_embedding = built.tree_embedding().context("trees are embedded in it")?;
    let images = tree_embedding.embed(Node(0), height, &Watch::SILENT)?.context("it has room")?;
    let line =
        |(x, at): (usize, &Node)| format!("{:2}  {:2}  {}\n", x + 1, at.0, network.address(*at));
    Ok(images.iter().enumerate().map(line).collect())
}

/// What is lost of the figures of the cubes of rings, and how their pictures are read.
const NOT_SEEN: &str = "All figures of this paper are lost in the scan; of the captions those of Figs. 1, 2 and 7 are left. Figs. 1 to 3 and 5 \
     are drawn here from the definition and from what the text says of them. Figs. 4 and 6 are listings of algorithms in the \
     paper, Fig. 7 shows three kinds of sets of nodes, Fig. 8 illustrates two conflicts, and Fig. 9 a partition: what is below \
     in their place is ours, as each caption says.\n\n\
     Node [A; b] of `rcr(k, r, j)` has the number A·r + b, in commands and in pictures. There a link of level 0 is a ring link, one \
     of level 1 a cube link.";

/// The page and all pictures, each with its path from the root.
pub fn files() -> Result<Vec<(String, String)>> {
    let mut page = String::from(
        "# Figures\n\n\
         The figures of the papers, drawn from their constructions. The drawings in the papers were not seen: they are \
         lost in the texts that we have, and what is shown follows the captions and the text. This page and its pictures are written by \
         `cargo xtask generate`.\n",
    );
    let mut files = Vec::new();
    let mut paper = None;
    for figure in FIGURES {
        if paper != Some(figure.paper) {
            paper = Some(figure.paper);
            let _ = writeln!(page, "\n## {}", figure.paper.title());
            if figure.paper == CubeOfRings {
                let _ = writeln!(page, "\n{NOT_SEEN}");
            }
        }
        let file = format!("{}-fig-{}.svg", figure.paper.key(), figure.number);
        let (number, about) = (figure.number, figure.about);
        let _ = writeln!(page, "\n### Fig. {number}\n\nFig. {number}: {about}.\n");
        if let Words(write, command, how) = figure.on_top {
            let words = write(figure.spec).with_context(|| file.clone())?;
            if !command.is_empty() {
                let _ = writeln!(page, "```\nnestnet {command}\n```\n");
            }
            let _ = writeln!(page, "{how}\n\n```\n{words}```");
            continue;
        }
        let _ = writeln!(page, "```\n{}\n```\n", command(figure.spec, &figure.on_top));
        let _ = writeln!(page, "![Fig. {number}: {about}](figures/{file})");
        let svg = picture(figure.spec, &figure.on_top)
            .with_context(|| format!("{file}: {}", figure.spec))?;
        files.push((format!("docs/figures/{file}"), svg));
    }
    files.push(("docs/figures.md".to_owned(), page));
    Ok(files)
}

/// The command that draws a network.
pub fn command(spec: &str, on_top: &OnTop) -> String {
    let more = match *on_top {
        Nothing => String::new(),
        Folded(level) => format!(" --fold {level}"),
        Plan(name, 0) => format!(" --plan {name}"),
        Plan(name, level) => format!(" --plan {name} --fold {level}"),
        Route(from, to) => format!(" --route {from} {to}"),
        RouteBy(from, to, router) => format!(" --route {from} {to} --router \"{router}\""),
        Words(_, command, _) => return format!("nestnet {command}"),
        Step(from, step) => format!(" --broadcast {from} --step {step}"),
        Load => " --load".to_owned(),
        Deadlock(router) => format!(" --deadlock --router {router}"),
        Coarse(dots) => format!(" --max-nodes {dots}"),
    };
    format!("nestnet draw \"{spec}\"{more} -o figure.svg")
}

/// The picture of that command.
pub fn picture(spec: &str, on_top: &OnTop) -> Result<String> {
    let built = build(spec)?;
    let mut request = Request { theme: Theme::Automatic, ..Request::default() };
    let folded = |level| Options { fold: Fold::Level(level), ..Options::default() };
    match *on_top {
        Nothing | Words(..) => {}
        Folded(level) => request.options = folded(level),
        Coarse(dots) => request.options.max_nodes = dots,
        Plan(name, level) => {
            request.plan = Some(name.to_owned());
            request.options = folded(level);
        }
        Route(from, to) => {
            request.show = Show::Route { from: Node(from), to: Node(to), router: None };
        }
        RouteBy(from, to, router) => {
            let router = Some(router.to_owned());
            request.show = Show::Route { from: Node(from), to: Node(to), router };
        }
        Step(from, step) => request.show = Show::Broadcast { from: Node(from), step },
        Load => request.show = Show::Load,
        Deadlock(router) => request.show = Show::Deadlock { router: Some(router.to_owned()) },
    }
    Ok(draw(&built, spec, &request, Limits::default())?.svg)
}
