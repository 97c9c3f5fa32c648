//! Which questions are timed, on which networks, by which of our methods and of which peers?

use super::input::{Input, MAX_MEMORY, network};
use super::works;
use anyhow::{Context, Result, bail, ensure};
use nestnet::measure::Watch;
use nestnet::measure::connectivity::{edge_connectivity, vertex_connectivity};
use nestnet::measure::distance::exhaustive;
use nestnet::measure::load::{ChannelLoad, channel_load, channel_load_by_classes};
use nestnet::measure::orbit::{channel_classes, node_classes, orbits_of};
use nestnet::measure::search::levels_from;
use nestnet::measure::sweep::{Source, sweep};
use nestnet::measures::{Analysis, Limits, Unanswered};
use nestnet::{Budget, Csr, Distances, How, Network, Node, Orbit, build};
use num_traits::ToPrimitive;
use std::collections::VecDeque;

/// How many nodes peers search from where all would take them minutes.
pub const SAMPLED: u64 = 256;

/// What is asked; its name is that of the job in `peers.py`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Build it and count nodes by their distance from node 0.
    Search,
    /// Count all pairs by their distance.
    Histogram,
    /// The same; peers search from [`SAMPLED`] nodes and their time is scaled up.
    Sampled,
    /// Edge betweenness of all links.
    Betweenness,
    /// Edge connectivity.
    Links,
    /// Vertex connectivity.
    Nodes,
    /// Every route of the router that is used where none is named.
    Routes,
    /// Whether those can deadlock, with a certificate that is checked.
    Deadlock,
    /// The best broadcast from node 0, checked.
    Broadcast,
    /// The automorphism group.
    Automorphisms,
    /// λ₂ of the Laplacian.
    Eigenvalue,
    /// A bisection with few links; peers need not find as good ones.
    Cut,
    /// All networks of about as many nodes, and which of them none beats.
    Design,
}

impl Question {
    /// Its name in `peers.py`.
    pub fn job(self) -> &'static str {
        match self {
            Question::Search => "search",
            Question::Histogram => "histogram",
            Question::Sampled => "sampled",
            Question::Betweenness => "betweenness",
            Question::Links => "links",
            Question::Nodes => "nodes",
            Question::Routes => "routes",
            Question::Deadlock => "deadlock",
            Question::Broadcast => "broadcast",
            Question::Automorphisms => "automorphisms",
            Question::Eigenvalue => "eigenvalue",
            Question::Cut => "cut",
            Question::Design => "design",
        }
    }

    /// By how much two answers may differ, relative to the larger.
    pub fn tolerance(self) -> f64 {
        match self {
            Question::Betweenness | Question::Automorphisms => 1e-9,
            // Six digits of the residual are asked for.
            Question::Eigenvalue => 1e-5,
            _ => 0.0,
        }
    }
}

/// A peer, and whether it takes so long that it is only tried when asked to.
#[derive(Clone, Copy, Debug)]
pub struct Rival {
    /// Its name.
    pub name: &'static str,
    /// Whether it takes minutes.
    pub slow: bool,
}

const fn quick(name: &'static str) -> Rival {
    Rival { name, slow: false }
}

const fn slow(name: &'static str) -> Rival {
    Rival { name, slow: true }
}

/// One question to one network.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// What is asked.
    pub question: Question,
    /// Of which network.
    pub spec: &'static str,
    /// Our methods, and how many times faster than the best peer each shall be.
    pub methods: &'static [(How, Option<u32>)],
    /// The peers that can answer.
    pub rivals: &'static [Rival],
}

impl Job {
    /// Its network, written out where the job begins with that.
    pub fn input(&self) -> Result<Input> {
        let searched = self.methods.iter().any(|(how, _)| *how == How::Exhaustive);
        Input::new(self.spec, self.question != Question::Search && searched)
    }
}

/// Jobs that make one table.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// What they have in common.
    pub title: &'static str,
    /// What a reader must know to judge.
    pub about: &'static str,
    /// The rows.
    pub jobs: &'static [Job],
}

const THEOREM: &[(How, Option<u32>)] = &[(How::Theorem, None)];

/// Without symmetry that a network declares, and no aim.
const PLAINLY: &[(How, Option<u32>)] = &[(How::Exhaustive, None)];
const BY_SYMMETRY: &[(How, Option<u32>)] = &[(How::Symmetry, None)];
const BOTH: &[(How, Option<u32>)] = &[(How::Exhaustive, None), (How::Symmetry, None)];

/// A job without peers.
const fn alone(
    question: Question,
    spec: &'static str,
    methods: &'static [(How, Option<u32>)],
) -> Job {
    Job { question, spec, methods, rivals: &[] }
}

/// A job without symmetry, against one peer.
const fn against(question: Question, spec: &'static str, rivals: &'static [Rival]) -> Job {
    Job { question, spec, methods: PLAINLY, rivals }
}

const fn by_theorem(spec: &'static str) -> Job {
    Job { question: Question::Histogram, spec, methods: THEOREM, rivals: &[] }
}

/// All that is timed. A new measure is one more section here, one more [`Question`] with its arm in [`answer`], and
/// the peers' side of it in `peers.py`.
pub const SECTIONS: &[Section] = &[
    Section {
        title: "Build and search from one node",
        about: "From the spec (ours) or a list of links in memory (peers) to the breadth-first search from node 0. \
                Ours stores no graph. Memory is the peak of a process that does nothing else. The aim for ours is \
                under 100 MB, and under 300 MB with 50 million nodes.",
        jobs: &[
            Job {
                question: Question::Search,
                spec: "rdn(torus(5, 5), 2)",
                methods: &[(How::Symmetry, Some(10))],
                rivals: &[quick("scipy"), quick("igraph"), quick("networkit")],
            },
            Job {
                question: Question::Search,
                spec: "rdn(torus(3, 3, 3), 2)",
                methods: &[(How::Symmetry, Some(10))],
                rivals: &[quick("scipy"), quick("igraph"), quick("networkit")],
            },
            Job {
                question: Question::Search,
                spec: "re(torus(4, 4), torus(4, 4), 4, pivots=degree)",
                methods: &[(How::Symmetry, Some(10))],
                rivals: &[quick("scipy"), slow("igraph"), quick("networkit")],
            },
            Job {
                question: Question::Search,
                spec: "hsn(hypercube(5), 4)",
                methods: &[(How::Symmetry, Some(10))],
                rivals: &[quick("scipy"), slow("igraph"), quick("networkit")],
            },
            Job {
                question: Question::Search,
                spec: "sn(rsn(hypercube(4), 3), 4, 0)",
                methods: &[(How::Symmetry, Some(10))],
                rivals: &[quick("scipy"), slow("igraph"), quick("networkit")],
            },
            Job {
                question: Question::Search,
                spec: "rdn(ring(5), 3)",
                methods: &[(How::Symmetry, None)],
                rivals: &[slow("scipy")],
            },
        ],
    },
    Section {
        title: "All distances",
        about: "How many ordered pairs of nodes are at each distance. Times with ≈ are of searches from 256 nodes, \
                scaled up to all; igraph only sums distances there. By symmetry and by theorem we begin with the \
                text of the spec, otherwise all begin with the graph in memory.",
        jobs: &[
            Job {
                question: Question::Histogram,
                spec: "rdn(ring(5), 2)",
                methods: &[
                    (How::Exhaustive, None),
                    (How::Symmetry, Some(50)),
                    (How::Theorem, Some(50)),
                ],
                rivals: &[
                    quick("scipy"),
                    quick("igraph"),
                    quick("networkit"),
                    quick("rustworkx"),
                    quick("networkx"),
                ],
            },
            Job {
                question: Question::Sampled,
                spec: "random_regular(65536, 5, 1)",
                methods: &[(How::Exhaustive, Some(100))],
                rivals: &[quick("scipy"), quick("igraph"), quick("networkit")],
            },
            Job {
                question: Question::Sampled,
                spec: "rsn(hypercube(4), 3)",
                methods: &[(How::Exhaustive, Some(100)), (How::Symmetry, Some(100))],
                rivals: &[quick("scipy"), quick("igraph"), quick("networkit")],
            },
        ],
    },
    Section {
        title: "All distances by theorem",
        about: "From the text of the spec to the diameter, the mean and the whole histogram in exact integers, where \
                no search could end. The aim is under 10 ms each.",
        jobs: &[
            by_theorem("rdn(torus(5, 5), 4)"),
            by_theorem("re(torus(4, 4), torus(4, 4), 14)"),
            by_theorem("flooded(heawood, 15)"),
            by_theorem("folded(heawood, 15)"),
            by_theorem("root_folded(heawood, 15)"),
        ],
    },
    Section {
        title: "Load",
        about: "Edge betweenness of every link. By symmetry the time includes finding the classes of channels.",
        jobs: &[Job {
            question: Question::Betweenness,
            spec: "rdn(ring(5), 2)",
            methods: &[(How::Exhaustive, Some(3)), (How::Symmetry, Some(100))],
            rivals: &[quick("igraph"), quick("networkit"), quick("rustworkx"), slow("networkx")],
        }],
    },
    Section {
        title: "Edge connectivity",
        about: "The fewest links without which it falls apart.",
        jobs: &[Job {
            question: Question::Links,
            spec: "rdn(ring(5), 2)",
            methods: &[(How::Exhaustive, Some(3)), (How::Symmetry, Some(100))],
            rivals: &[quick("igraph"), quick("rustworkx"), quick("networkx")],
        }],
    },
    Section {
        title: "Vertex connectivity",
        about: "The fewest nodes without which it falls apart.",
        jobs: &[
            Job {
                question: Question::Nodes,
                spec: "rdn(torus(5, 5), 1)",
                methods: &[(How::Exhaustive, Some(100)), (How::Symmetry, Some(100))],
                rivals: &[slow("igraph"), quick("networkx")],
            },
            Job {
                question: Question::Nodes,
                spec: "rdn(ring(5), 2)",
                methods: &[(How::Exhaustive, Some(100)), (How::Symmetry, Some(100))],
                rivals: &[slow("networkx")],
            },
        ],
    },
    Section {
        title: "Routing",
        about: "The routes between all ordered pairs, hop by hop: their number and the hops of all.",
        jobs: &[
            alone(Question::Routes, "rdn(ring(5), 2)", PLAINLY),
            alone(Question::Routes, "random_regular(2000, 4, 1)", PLAINLY),
        ],
    },
    Section {
        title: "Deadlock",
        about: "The dependencies of all routes, the order that proves that there is no cycle, and the check of it. By \
                symmetry messages to one node of each class are followed, where automorphisms carry routes to routes.",
        jobs: &[
            alone(Question::Deadlock, "random_regular(2000, 4, 1)", PLAINLY),
            alone(Question::Deadlock, "hypercube(11)", BOTH),
            alone(Question::Deadlock, "hypercube(17)", BY_SYMMETRY),
            alone(Question::Deadlock, "rdn(hypercube(8), 1)", BY_SYMMETRY),
        ],
    },
    Section {
        title: "Collectives",
        about: "The best broadcast from node 0 on the usual ports, made and checked.",
        jobs: &[
            alone(Question::Broadcast, "rdn(ring(5), 2)", PLAINLY),
            alone(Question::Broadcast, "rsn(hypercube(4), 3)", PLAINLY),
        ],
    },
    Section {
        title: "Automorphisms",
        about: "The size of the whole group and the classes of nodes, from the links alone. nauty is asked through \
                pynauty, whose graph is made before the clock starts.",
        jobs: &[
            against(Question::Automorphisms, "rdn(ring(5), 2)", &[quick("pynauty")]),
            against(Question::Automorphisms, "rdn(petersen, 1)", &[quick("pynauty")]),
            against(Question::Automorphisms, "random_regular(2000, 4, 1)", &[quick("pynauty")]),
        ],
    },
    Section {
        title: "Eigenvalues",
        about: "The second least eigenvalue of the Laplacian to six digits. Ours also finds the ends of the spectrum \
                of the adjacency matrix; SciPy's is `eigsh` for the two least ones.",
        jobs: &[
            against(Question::Eigenvalue, "rdn(ring(5), 2)", &[quick("scipy")]),
            against(Question::Eigenvalue, "random_regular(5000, 5, 1)", &[quick("scipy")]),
        ],
    },
    Section {
        title: "Cuts",
        about: "The fewest links between two parts that differ by at most one node. METIS is asked through pymetis, \
                best of 96 seeds, and only its exact bisections count; ours must not cut more.",
        jobs: &[
            against(Question::Cut, "rdn(ring(5), 2)", &[quick("pymetis")]),
            against(Question::Cut, "random_regular(5000, 5, 1)", &[quick("pymetis")]),
        ],
    },
    Section {
        title: "Design",
        about: "All networks of as many nodes as this one has, ten percent more or less, with no more links at a node, \
                of up to two constructions, and which of them are Pareto-optimal.",
        jobs: &[alone(Question::Design, "rdn(ring(5), 2)", PLAINLY)],
    },
];

/// Our answer by one method: the numbers that peers must give too.
pub fn answer(job: &Job, how: How, given: &Input) -> Result<Vec<f64>> {
    match job.question {
        Question::Search => search(job.spec),
        Question::Histogram | Question::Sampled if how == How::Exhaustive => {
            floats(&exhaustive(given.csr()?, &Watch::SILENT)?.histogram)
        }
        Question::Histogram | Question::Sampled => distances(job.spec, how),
        Question::Betweenness => betweenness(given, how),
        Question::Links => {
            let classes = classes(given, how)?;
            let found = edge_connectivity(given.csr()?, classes.as_deref(), &Watch::SILENT)?;
            Ok(vec![found.value.into()])
        }
        Question::Nodes => {
            let classes = classes(given, how)?;
            let found = vertex_connectivity(given.csr()?, classes.as_deref(), &Watch::SILENT)?;
            Ok(vec![found.value.into()])
        }
        Question::Routes => works::routes(given),
        Question::Deadlock => works::deadlock(given, how),
        Question::Broadcast => works::broadcast_steps(given),
        Question::Automorphisms => Ok(works::automorphisms(given.csr()?)?),
        Question::Eigenvalue => works::eigenvalue(given.csr()?),
        Question::Cut => works::cut(given.csr()?),
        Question::Design => works::designs(given),
    }
}

/// What peers answer to a question that they are only asked in part.
pub fn expected_of_sample(given: &Input) -> Result<Vec<f64>> {
    let csr = given.csr()?;
    let source = |i: u64| u32::try_from(i * csr.order() / SAMPLED);
    let sources: Result<Vec<Source>, _> =
        (0..SAMPLED).map(|i| source(i).map(|node| Source { node, weight: 1 })).collect();
    let swept = sweep(csr, &sources?, &Watch::SILENT)?;
    let total: u128 = (0u128..).zip(swept.pairs).map(|(distance, pairs)| distance * pairs).sum();
    Ok(vec![total as f64])
}

/// Builds it and searches from node 0.
pub fn search(spec: &str) -> Result<Vec<f64>> {
    let built = build(spec).map_err(|error| anyhow::anyhow!("{error}"))?;
    let levels = levels_from(&*network(&built)?, Node(0), &Watch::SILENT)?;
    Ok(levels.sizes.into_iter().map(|size| size as f64).collect())
}

/// From the text of the spec to the histogram and the diameter, which must fit together.
fn distances(spec: &str, how: How) -> Result<Vec<f64>> {
    let built = build(spec).map_err(|error| anyhow::anyhow!("{error}"))?;
    let budget = Budget { memory: MAX_MEMORY, ..Budget::UNLIMITED };
    let limits = Limits { how: Some(how), budget };
    let subject = Analysis::new(&built, limits);
    let found = subject.distances();
    let Some((histogram, by)) = &found.histogram else {
        bail!(
            "{spec}: no histogram by {how}: {}",
            found.why.clone().unwrap_or(Unanswered::NotKnown)
        );
    };
    ensure!(*by == how, "{spec}: the histogram came by {by}");
    let order = built.order();
    ensure!(histogram.pairs() == &order * &order, "{spec}: pairs are missing");
    let diameter = found.diameter.as_ref().and_then(|known| known.exact());
    ensure!(diameter == Some(&histogram.longest().into()), "{spec}: not the diameter");
    ensure!(histogram.mean().is_some(), "{spec}: no mean");
    floats(histogram)
}

/// Exact up to 2^53, which is enough for every network that peers are asked about.
fn floats(histogram: &Distances) -> Result<Vec<f64>> {
    let floats: Option<Vec<f64>> = histogram.counts().iter().map(ToPrimitive::to_f64).collect();
    floats.context("a count is beyond all floats")
}

/// Classes of nodes, where that is the method.
fn classes(given: &Input, how: How) -> Result<Option<Vec<Orbit>>> {
    if how != How::Symmetry {
        return Ok(None);
    }
    let classes = node_classes(&*network(&given.built)?);
    classes.context("it declares no automorphisms").map(Some)
}

/// The largest betweenness of a link, and the sum of all.
fn betweenness(given: &Input, how: How) -> Result<Vec<f64>> {
    let csr = given.csr()?;
    let load = if how == How::Symmetry {
        let generators = network(&given.built)?.automorphisms();
        let orbits = orbits_of(csr.order(), &generators).context("no automorphisms")?;
        let classes = channel_classes(csr, &generators).context("a link is not kept")?;
        channel_load_by_classes(csr, &orbits, &classes, &Watch::SILENT)?
    } else {
        channel_load(csr, &Watch::SILENT)?
    };
    Ok(both_directions(csr, &load))
}

/// A link carries half of what its two channels carry for ordered pairs.
fn both_directions(csr: &Csr, load: &ChannelLoad) -> Vec<f64> {
    let (mut largest, mut sum) = (0.0f64, 0.0);
    // Nodes and neighbors ascend: the channels that lead up from a node come before those that lead back to it, and
    // in the same order.
    let mut up: Vec<VecDeque<f64>> = vec![VecDeque::new(); csr.offsets().len()];
    let mut loads = load.loads.iter();
    for at in (0u32..).take(csr.offsets().len() - 1) {
        for (&to, load) in csr.neighbors(at).iter().zip(loads.by_ref()) {
            if at < to {
                up[at as usize].push_back(*load);
            } else if let Some(there) = up[to as usize].pop_front() {
                let both = (there + load) / 2.0;
                largest = largest.max(both);
                sum += both;
            }
        }
    }
    vec![largest, sum]
}

#[cfg(test)]
mod tests {
    use super::super::peers::PEERS;
    use super::*;

    #[test]
    fn every_spec_is_good_and_every_rival_known() {
        for job in SECTIONS.iter().flat_map(|section| section.jobs) {
            assert!(build(job.spec).is_ok(), "{}", job.spec);
            assert!(!job.methods.is_empty(), "{}", job.spec);
            for rival in job.rivals {
                assert!(PEERS.contains(&rival.name), "{}", rival.name);
            }
        }
    }

    #[test]
    fn all_methods_give_one_answer() {
        let methods = &[(How::Exhaustive, None), (How::Symmetry, None)];
        for question in [
            Question::Histogram,
            Question::Betweenness,
            Question::Links,
            Question::Nodes,
            Question::Deadlock,
        ] {
            let job = Job { question, spec: "rdn(hypercube(2), 1)", methods, rivals: &[] };
            let given = job.input().unwrap();
            let [a, b] = [How::Exhaustive, How::Symmetry].map(|how| answer(&job, how, &given));
            let (a, b) = (a.unwrap(), b.unwrap());
            assert_eq!(a.len(), b.len());
            assert!(
                a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9),
                "{question:?} {a:?} {b:?}"
            );
        }
    }

    #[test]
    fn betweenness_of_a_path() {
        // 0-1-2-3: the middle link is on the way of 2·2 pairs, the others of 1·3.
        let csr = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3)], 1 << 20).unwrap();
        let load = channel_load(&csr, &Watch::SILENT).unwrap();
        assert_eq!(both_directions(&csr, &load), [4.0, 10.0]);
    }
}
