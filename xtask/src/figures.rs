//! Which figures of the papers can be drawn, and by which commands?

use anyhow::{Context, Result};
use nestnet::draw::{Fold, Options, Theme};
use nestnet::family::Paper;
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
enum OnTop {
    Nothing,
    Folded(u16),
    Plan(&'static str, u16),
    Route(u64, u64),
    Step(u64, u64),
}

use OnTop::{Folded, Nothing, Plan, Route, Step};
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

const FIGURES: &[Figure] = &[
    figure(
        RecursiveExpansion,
        "2",
        "a ring of 4 as the frame, a ring of 3 as the unit, three phases: 192 nodes of degree 4",
        "re(ring(4), ring(3), 3)",
        Nothing,
    ),
    figure(
        RecursiveExpansion,
        "6",
        "tori of 4 nodes in tori of 4 nodes, two phases",
        "re(torus(2, 2), torus(2, 2), 2)",
        Nothing,
    ),
    figure(Heawood, "1", "the Heawood graph", "heawood", Nothing),
    figure(Heawood, "2", "its broadcast from node 0, the last step", "heawood", Step(0, 3)),
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
        "to which dimensions the nodes of the network II are linked, here of three: by color",
        "re_heawood2(3)",
        Nothing,
    ),
    figure(
        Heawood,
        "8",
        "the flooded Heawood network of three dimensions",
        "flooded(heawood, 3)",
        Nothing,
    ),
    figure(DualNet, "2", "RDN(3, 1) upon a ring of 3", "rdn(ring(3), 1)", Nothing),
    figure(DualNet, "3", "RDN(3, 2) upon a ring of 3", "rdn(ring(3), 2)", Nothing),
    figure(
        DualNet,
        "4",
        "a longest shortest path: cross link, through a cluster, cross link, through a cluster",
        "rdn(ring(3), 2)",
        Route(0, 76),
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
    figure(CubeOfRings, "1", "the generation seed GS(2, 2)", "rcr(2, 2, 0)", Nothing),
    figure(CubeOfRings, "2", "RCR(2, 2, 1), after one expansion", "rcr(2, 2, 1)", Nothing),
    figure(CubeOfRings, "3", "RCR(2, 2, 2), after two", "rcr(2, 2, 2)", Nothing),
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
];

/// The page and all pictures, each with its path from the root.
pub fn files() -> Result<Vec<(String, String)>> {
    let mut page = String::from(
        "# Figures\n\n\
         The figures of the papers, drawn from their constructions. This page and its pictures are written by \
         `cargo xtask generate`.\n",
    );
    let mut files = Vec::new();
    let mut paper = None;
    for figure in FIGURES {
        if paper != Some(figure.paper) {
            paper = Some(figure.paper);
            let _ = writeln!(page, "\n## {}", figure.paper.title());
        }
        let file = format!("{}-fig-{}.svg", figure.paper.key(), figure.number);
        let (number, about) = (figure.number, figure.about);
        let _ = writeln!(page, "\n### Fig. {number}\n\nFig. {number}: {about}.\n");
        let _ = writeln!(page, "```\n{}\n```\n", figure.command());
        let _ = writeln!(page, "![Fig. {number}: {about}](figures/{file})");
        let svg = figure.draw().with_context(|| format!("{file}: {}", figure.spec))?;
        files.push((format!("docs/figures/{file}"), svg));
    }
    files.push(("docs/figures.md".to_owned(), page));
    Ok(files)
}

impl Figure {
    fn command(&self) -> String {
        let more = match self.on_top {
            Nothing => String::new(),
            Folded(level) => format!(" --fold {level}"),
            Plan(name, 0) => format!(" --plan {name}"),
            Plan(name, level) => format!(" --plan {name} --fold {level}"),
            Route(from, to) => format!(" --route {from} {to}"),
            Step(from, step) => format!(" --broadcast {from} --step {step}"),
        };
        format!("nestnet draw \"{}\"{more} -o figure.svg", self.spec)
    }

    fn draw(&self) -> Result<String> {
        let built = build(self.spec)?;
        let mut request = Request { theme: Theme::Automatic, ..Request::default() };
        let folded = |level| Options { fold: Fold::Level(level), ..Options::default() };
        match self.on_top {
            Nothing => {}
            Folded(level) => request.options = folded(level),
            Plan(name, level) => {
                request.plan = Some(name.to_owned());
                request.options = folded(level);
            }
            Route(from, to) => {
                request.show = Show::Route { from: Node(from), to: Node(to), router: None };
            }
            Step(from, step) => request.show = Show::Broadcast { from: Node(from), step },
        }
        Ok(draw(&built, self.spec, &request, Limits::default())?.svg)
    }
}
