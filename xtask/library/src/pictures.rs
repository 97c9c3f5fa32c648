//! What can a picture show? Some of them, each with its command.

use crate::figures::OnTop::{self, Coarse, Deadlock, Load, Nothing, Route, Step};
use crate::figures::{command, picture};
use anyhow::{Context as _, Result};
use std::fmt::Write as _;

/// Some pictures that show one kind of thing.
struct Part {
    title: &'static str,
    about: &'static str,
    /// Each with its file, what it shows, and its network.
    pictures: &'static [(&'static str, &'static str, &'static str, OnTop)],
}

const PARTS: &[Part] = &[
    Part {
        title: "Clusters in clusters",
        about: "Nodes lie where the construction puts them, and colors are levels of links.",
        pictures: &[
            (
                "dual-net",
                "a dual-net on a ring: clusters of two kinds, each node with one link to the other kind",
                "rdn(ring(5), 1)",
                Nothing,
            ),
            ("swapped", "a recursively swapped cube", "rsn(hypercube(2), 2)", Nothing),
            ("cube-of-rings", "a recursive cube of rings", "rcr(2, 3, 2)", Nothing),
            ("wk", "WK-recursive: five in five", "wk(5, 2)", Nothing),
            (
                "star-product",
                "a ring at each node of the Petersen graph",
                "star_product(petersen, ring(5))",
                Nothing,
            ),
            ("dragonfly", "a dragonfly of nine groups", "dragonfly(4, 2)", Nothing),
            ("slim-fly", "a Slim Fly: two kinds of groups", "slimfly(5)", Nothing),
            ("hypercube", "a cube of cubes", "hypercube(6)", Nothing),
        ],
    },
    Part {
        title: "Hosts and switches",
        about: "Hosts are round, switches are square.",
        pictures: &[
            ("fat-tree", "a fat tree", "fat_tree(4)", Nothing),
            ("bcube", "BCube: servers with a port on each level", "bcube(4, 1)", Nothing),
            ("dcell", "DCell: servers that forward", "dcell(4, 1)", Nothing),
            ("hosts", "three hosts at each switch of a torus", "hosts(torus(3, 4), 3)", Nothing),
            (
                "hosts-dual-net",
                "two hosts at each switch of a dual-net",
                "hosts(rdn(ring(3), 1), 2)",
                Nothing,
            ),
        ],
    },
    Part {
        title: "What happens in it",
        about: "What a route or a step touches stands out, and the rest fades. Of loads the half of a link at a node is what leaves it, on a scale from zero; a load that is the same everywhere has one color.",
        pictures: &[
            ("route", "the route of a message", "rsn(hypercube(2), 2)", Route(0, 15)),
            ("broadcast", "a step of a broadcast", "rdn(ring(5), 1)", Step(0, 4)),
            (
                "deadlock",
                "the deadlock cycle of messages under the published routing of cubes of rings",
                "rcr(2, 2, 2)",
                Deadlock("paper"),
            ),
            ("load-even", "the load of a torus is the same everywhere", "torus(4, 4)", Load),
            ("load", "a mesh is busiest in its middle", "mesh(4, 6)", Load),
        ],
    },
    Part {
        title: "What is too large to draw",
        about: "A cluster is a dot, and all links between two of them one line, which the construction counts.",
        pictures: &[
            ("folded-torus", "9,000,000 nodes in blocks", "torus(3000, 3000)", Nothing),
            (
                "folded-dual-net",
                "19,531,250,000,000 nodes in eight parts",
                "rdn(torus(5, 5), 3)",
                Nothing,
            ),
            (
                "folded-slim-fly",
                "2,036,162 routers: arcs of groups of either kind",
                "slimfly(1009)",
                Nothing,
            ),
            ("folded-fat-tree", "2,000,000 hosts: pods around the core", "fat_tree(200)", Nothing),
            (
                "folded-cube-of-rings",
                "12,582,912 nodes, and bits that more positions flip than others",
                "rcr(4, 6, 17)",
                Coarse(100),
            ),
        ],
    },
];

/// The page and all pictures, each with its path from the root.
pub fn files() -> Result<Vec<(String, String)>> {
    let mut page = String::from(
        "# Pictures\n\n\
         What `nestnet draw` shows. This page and its pictures are written by `cargo xtask generate`; \
         [figures.md](figures.md) has the figures of the papers, [page.md](page.md) what a browser shows.\n",
    );
    let mut files = Vec::new();
    for part in PARTS {
        let _ = writeln!(page, "\n## {}\n\n{}", part.title, part.about);
        for (name, about, spec, on_top) in part.pictures {
            let svg = picture(spec, on_top).with_context(|| format!("{name}: {spec}"))?;
            let _ = write!(
                page,
                "\n```\n{}\n```\n\n![{}](pictures/{name}.svg)\n",
                command(spec, on_top),
                capital(about)
            );
            files.push((format!("docs/pictures/{name}.svg"), svg));
        }
    }
    files.push(("docs/pictures.md".to_owned(), page));
    Ok(files)
}

/// The text with a capital letter in front.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
