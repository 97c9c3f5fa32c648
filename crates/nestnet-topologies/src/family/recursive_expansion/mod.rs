//! Recursive expansion.
//!
//! # Paper
//! H. Shen, R.-J. Back, "Construction of Large-Size Interconnection Networks with High Performance", 1993.
//!
//! # Definition
//! G_0 is the unit of n_u nodes. G_j has one copy of G_(j-1) for each node of the frame G_f; for each link of the
//! frame, every unit copy of one G_(j-1) is linked to the corresponding unit copy of the other.
//! These links of phase j are dealt out to the pivot set of the phase, a set of unit positions:
//! - `pivots=diameter` (PSS_(sk)): the one position (j-1) mod n_u;
//! - `pivots=degree` (PSS_(sd)): with λ·n_u < r ≤ (λ+1)·n_u, the phases up to λ·n_u as above, and the last r - λ·n_u
//!   phases blocks of npset = min(⌊n_u/(r - λ·n_u)⌋, d_f) consecutive positions, the links dealt out in turn.
//!   With ascending neighbor lists, α's link to β leaves from head + (rank of β among α's neighbors mod npset).
//! - `pivots=[[0, 1], [2, 3], …]` (PSS_(s), Definition 4, and the variable partitioning of Section 7): sets of unit
//!   positions that are given, phase j taking set 1 + (j-1) mod s, the links dealt out in turn among its members;
//! - `pivots=search`: PSS_(sd) with sets that meet Definition 4 in place of consecutive positions, found by a search;
//! - `pivots=single` reads "the nodes with the address j-1" as one node of each copy of G_(j-1), not of each unit.
//!
//! With a list of frames d_f is the largest degree among the frames of the phases that share sets.
//!
//! # Numbering
//! id = u + n_u·(x_1 + n_f·(x_2 + …)): unit position least significant, phase r most significant.
//!
//! # Where we differ
//! RELLN as printed does not run. Digit j is ⌊(i-1)/(n_u·n_f^j)⌋ mod n_f; the unit offset is ⌊(i-1)/n_u⌋·n_u; pivot
//! pointers depend on the phase, not on the node; the phase loop stands outside the node loop and covers every copy
//! of G_j. Ours takes a moment a link, not n_r² in all. Consecutive numbering does not guarantee that a pivot set is
//! connected inside the unit (Definition 4, condition 1): `info` says when it is not, and `pivots=search` finds others.

mod deal;
mod frames;
mod leaps;
mod network;
mod plans;
mod relln;
mod router;
mod routrcn;
mod sets;
mod steps;
mod theory;
mod tour;

use super::{ArgError, Args, Built, Facts, Family, MAX_COUNT, Make, Paper, Param};
use crate::family::Kind;
use crate::family::array::{Arrayed, Stepped};
use crate::family::built::{AS_PRINTED, fits};
use crate::family::paper_formula::{self, PaperFormula};
use frames::Frames;
use nestnet_draw::{Digit, Held, Joints, Plan, Spread};
use nestnet_graph::Network;
use nestnet_graph::radix::{power, short};
use nestnet_graph::theory::Degrees;
use nestnet_routing::Router;
use nestnet_routing::route::{Procedure, UpDownLayers};
use network::Expansion;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use plans::{Plans, chosen, pivots};
use relln::{Relln, Sequence};
use router::{Order, Parts, Pointed, Touring};
use routrcn::{PRINTED_SINGLE, PRINTED_SKETCH, Reading, Routrcn};
use std::sync::Arc;
use steps::Expanding;
use theory::ExpansionTheory;

/// The rows of this folder.
pub static ROWS: &[Family] = &[Family {
    name: "re",
    paper: Paper::RecursiveExpansion,
    about: "Recursive expansion: r times, a copy for each node of the frame, linked as the frame is, unit by unit, at the pivots of the phase. A list of frames gives one a phase; the largest degree d_f among them bounds all pivot sets.",
    params: &[
        Param { kind: Kind::Networks, ..Param::network("frame", "the frame, or a list of them") },
        Param::network("unit", "the network at phase 0"),
        Param {
            optional: true,
            ..Param::integer("r", 0, MAX_COUNT, "the number of phases; not with a list of frames")
        },
        Param::word(
            "pivots",
            &["diameter", "degree", "single"],
            "one unit position a phase, blocks of them, one node of each copy, or sets of positions by Definition 4",
        )
        .or_sets("search"),
        Param::integer(
            "nodes",
            1,
            u64::MAX,
            "in place of r, the size n_r that is wanted: as many phases as Algorithm RE takes for it",
        )
        .or_none(),
    ],
    examples: &[
        "re(ring(4), ring(3), 3)",
        "re(torus(4, 4), torus(4, 4), 3, pivots=degree)",
        "re([ring(4), complete(3), path(2)], ring(5))",
        "re(complete(4), ring(6), 2, pivots=[[0, 1, 2], [3, 4, 5]])",
        "re(ring(4), torus(3, 3), 3, pivots=search)",
        "re([ring(4), complete(3), path(2)], ring(5), pivots=[[3], [1]])",
        "re(ring(4), ring(3), nodes=150)",
    ],
    make: Make::Build(build),
    facts: Facts {
        grows_by: Some("r"),
        // Expansions of expansions are lists of frames.
        left_out: |expansion| expansion.is_nested_in_itself(),
        quickly: Some(build_quickly),
        says: Some(says),
        ..Facts::NONE
    },
}];

/// Lemmas 1 to 3, for one frame: equations 2 and 4 with PSS_(sk), 3 and 5 with PSS_(sd).
fn says(args: &Args) -> Vec<PaperFormula> {
    let (unit, (frames, is_list)) = (args.network("unit"), args.networks("frame"));
    let frame = &frames[0];
    let (Ok(Some(r)), false) = (phases(args), is_list) else { return Vec::new() };
    let mut all = Vec::new();
    if let Some(copies) = paper_formula::power(&frame.order(), r) {
        let nodes = PaperFormula::is("nodes", "Lemma 1, equation 1", copies * unit.order());
        all.push(nodes.judged("shen-back-1993.lemma-1"));
    }
    let (Some(n_u), true) = (unit.order().to_u64(), r > 0 && args.sets("pivots").is_none()) else {
        return all;
    };
    let lambda = (r - 1) / n_u;
    let last = r - lambda * n_u;
    let [d_u, d_f] = [unit, frame].map(|part| BigUint::from(part.theory.degrees().max));
    let exact = |part: &Built| part.theory.diameter().and_then(|known| known.exact().cloned());
    let diameters = exact(unit).zip(exact(frame));
    match args.word("pivots") {
        "diameter" => {
            let degree = d_u + d_f * (lambda + 1);
            let degree = PaperFormula::at_most("degree", "Lemma 2, equation 2", degree);
            all.push(degree.judged("shen-back-1993.lemma-2-sk"));
            if let Some((k_u, k_f)) = diameters {
                let value = k_u * (r + 1) + k_f * r;
                let diameter = PaperFormula::is("diameter", "Lemma 3, equation 4", value);
                all.push(diameter.judged("shen-back-1993.lemma-3-sk"));
            }
        }
        "degree" => {
            let share = n_u / last;
            let degree = d_u + &d_f * lambda + (&d_f + share - 1u8) / share;
            let degree = PaperFormula::at_most("degree", "Lemma 2, equation 3", degree);
            all.push(degree.judged("shen-back-1993.lemma-2-sd"));
            // k_f (d_f r - (d_f-1) λ n_u) - (d_f-1)(r - λ n_u), for frames that have links.
            if let (Some((k_u, k_f)), true) = (diameters, d_f > BigUint::ZERO) {
                let rest = &d_f - 1u8;
                let through = k_f * (&d_f * r - &rest * (lambda * n_u));
                let value = k_u * (r + 1) + through - rest * last;
                let diameter = PaperFormula::is("diameter", "Lemma 3, equation 5", value);
                all.push(diameter.judged("shen-back-1993.lemma-3-sd"));
            }
        }
        _ => {}
    }
    all
}

/// Of more phases only bounds are worked out quickly: a theory that sees its unit walks all ways through the pivots,
/// which double with every phase.
const MAX_TOURED_PHASES: u64 = 2;

/// Its theory alone.
fn build_quickly(args: &Args) -> Result<Built, ArgError> {
    let theory = match phases(args)? {
        Some(r) if r > MAX_TOURED_PHASES => Ingredients::of(&args.unseen())?.theory(),
        _ => Ingredients::of(args)?.theory(),
    };
    Ok(Built::new(theory, None))
}

/// The number of phases, given or by step 1 of Algorithm RE; none with a list of frames.
fn phases(args: &Args) -> Result<Option<u64>, ArgError> {
    let Some(nodes) = args.optional_integer("nodes") else { return Ok(args.optional_integer("r")) };
    let (frames, is_list) = args.networks("frame");
    if is_list || args.optional_integer("r").is_some() {
        return Err(ArgError::new("nodes", "cannot be given with r or with a list of frames"));
    }
    let (n_f, n_u) = (frames[0].order(), args.network("unit").order());
    let r = steps::phases(nodes, &n_f, &n_u).ok_or_else(|| {
        let message =
            format!("cannot be {nodes}: no r has {n_u}*{n_f}^(r-1) < {nodes} <= {n_u}*{n_f}^r");
        ArgError::new("nodes", message)
    })?;
    Ok(Some(r))
}

/// What an expansion is made of.
struct Ingredients {
    unit: Built,
    /// Of every phase.
    frames: Frames,
    plans: Plans,
    order: BigUint,
}

impl Ingredients {
    fn of(args: &Args) -> Result<Self, ArgError> {
        let unit = args.network("unit").clone();
        let frames = frames(args)?;
        let mut order = unit.order();
        for (frame, times) in frames.kinds() {
            order *= power(&frame.order(), times as u64)?;
        }
        let order = short(order)?;
        let plans = match args.sets("pivots") {
            Some(sets) => chosen(sets, &unit, &frames)?,
            None => pivots(args.word("pivots"), &unit, &frames)?,
        };
        Ok(Ingredients { unit, frames, plans, order })
    }

    fn theory(self) -> ExpansionTheory {
        ExpansionTheory::new(self.unit, self.frames, self.plans, self.order)
    }
}

fn frames(args: &Args) -> Result<Frames, ArgError> {
    let (given, is_list) = args.networks("frame");
    // The links of a frame are dealt to pivots one by one; of a trunk it is not said how.
    let has_trunks = |degrees: Degrees| degrees.cables > degrees.links;
    if given.iter().any(|frame| has_trunks(frame.theory.degrees())) {
        return Err(ArgError::new("frame", "cannot have links of several cables"));
    }
    match (phases(args)?, is_list) {
        (None, true) => Ok(Frames::list(given)),
        (Some(r), false) => {
            let bits = given[0].order().bits().saturating_sub(1).saturating_mul(r);
            if bits > nestnet_graph::radix::MAX_BITS {
                return Err(ArgError::new(
                    "r",
                    format!("is too large: {}", nestnet_graph::radix::TooLong),
                ));
            }
            Ok(Frames::repeated(&given[0], usize::try_from(r).expect("at most 2^17 phases")))
        }
        (None, false) => Err(ArgError::whole("needs r, the number of phases, or a list of frames")),
        (Some(_), true) => {
            Err(ArgError::new("r", "cannot be given with a list of frames, one a phase"))
        }
    }
}

fn build(args: &Args) -> Result<Built, ArgError> {
    let Ingredients { unit, frames, plans, order } = Ingredients::of(args)?;
    let mode = args.sets("pivots").map_or_else(|| args.word("pivots"), |_| "sets");
    let network = fits(&order).then(|| Expansion::new(&unit, &frames, &plans)).flatten();
    let network = network.map(Arc::new);
    let routers = [("paper", Order::Published), ("shortest", Order::Shortest)];
    let routers = routers.map(|(name, order)| {
        let router =
            network.clone().and_then(|network| router(network, &unit, &frames, name, order));
        (name, router)
    });
    let listings = [
        (AS_PRINTED, Reading::Letter),
        (PRINTED_SKETCH, Reading::Sketch),
        (PRINTED_SINGLE, Reading::Single),
    ];
    let listings = listings.map(|(name, reading)| {
        let listing = || {
            let parts = parts(&unit, &frames, "paper")?;
            Routrcn::new(network.clone()?, parts, reading)
        };
        (name, listing().map(|listing| Arc::new(listing) as Arc<dyn Procedure>))
    });
    let network = network.map(|network| network as Arc<dyn Network>);
    let plan = plan(&unit, &frames, mode);
    let sequence = match mode {
        "degree" => Some(Sequence::Degree),
        "diameter" => Some(Sequence::Diameter),
        _ => None,
    };
    let relln = sequence
        .and_then(|sequence| Relln::new(unit.network.clone(), &frames, sequence))
        .map(|relln| Arc::new(relln) as Arc<dyn Arrayed>);
    let wanted = args.optional_integer("nodes").filter(|_| !frames.is_empty());
    let expanding =
        Expanding { unit: unit.clone(), frames: frames.clone(), plans: plans.clone(), wanted };
    let theory = ExpansionTheory::new(unit, frames, plans, order);
    let mut built = Built::new(theory, network).routed(routers);
    for (name, listing) in listings {
        built = built.tracing(name, listing);
    }
    let steps: Option<Arc<dyn Stepped>> = Some(Arc::new(expanding));
    Ok(built.placed(plan).arrayed(relln).stepped(steps))
}

/// Units within frames: the copies of each phase lie as the nodes of its frame do.
fn plan(unit: &Built, frames: &Frames, pivots: &str) -> Plan {
    let levels = unit.network.as_ref().map_or(1, |network| network.levels());
    let mut plan = unit.base_plan();
    let mut digits = Vec::new();
    for (phase, frame) in frames.iter().enumerate().take(63) {
        let level = levels.saturating_add(u16::try_from(phase).unwrap_or(u16::MAX));
        let units = plan.nodes_a_cell(0) / unit.base_plan().nodes_a_cell(0).max(1);
        let shape = frame.base_plan();
        let Some(network) = frame.network.clone() else { return plan };
        let layers = shape.layers().len();
        // Each link of the frame is one of every unit, or of one unit alone.
        let (links, spread) =
            if pivots == "single" { (1, Spread::AtZero) } else { (units, Spread::Even) };
        digits.push(Digit { layers, network, links, spread });
        plan = shape.around(&plan, level, Held::Cluster);
    }
    digits.reverse();
    plan.joined(Joints::Digits(digits))
}

/// The routers of that name of the unit and the frames.
fn parts(unit: &Built, frames: &Frames, name: &str) -> Option<Parts> {
    let mut routers: Vec<Arc<dyn Router>> = Vec::new();
    for (j, frame) in frames.iter().enumerate() {
        // A frame that is used again shares its rows.
        let same = j.checked_sub(1).filter(|&i| Arc::ptr_eq(&frames[i].theory, &frame.theory));
        let router = match same {
            Some(i) => routers[i].clone(),
            None => frame.base_router(name)?,
        };
        routers.push(router);
    }
    Some(Parts { unit: unit.base_router(name)?, frames: routers })
}

/// On the routers of that name of the unit and the frames.
fn router(
    network: Arc<Expansion>,
    unit: &Built,
    frames: &Frames,
    name: &str,
    order: Order,
) -> Option<Arc<dyn Router>> {
    let parts = parts(unit, frames, name)?;
    if let Some(touring) = Touring::new(network.clone(), parts.clone(), order) {
        return Some(Arc::new(touring));
    }
    if order == Order::Shortest {
        return None;
    }
    let pointed = Arc::new(Pointed::new(network.clone(), parts)?);
    Some(Arc::new(UpDownLayers::new(network, pointed, None)))
}

#[cfg(test)]
mod tests {
    use crate::{Built, build};
    use nestnet_graph::Node;
    use nestnet_graph::network::sorted_neighbors;
    use nestnet_routing::route::walk;

    fn links(spec: &str) -> Vec<Vec<Node>> {
        let network = build(spec).unwrap_or_else(|error| panic!("{error}")).network.unwrap();
        (0..network.order()).map(|at| sorted_neighbors(&*network, Node(at))).collect()
    }

    #[test]
    fn sets_that_are_given_make_the_networks_that_have_a_name() {
        for (sets, named) in [
            (
                "re(ring(4), ring(5), 3, pivots=[[0], [1], [2], [3], [4]])",
                "re(ring(4), ring(5), 3)",
            ),
            ("re(ring(3), path(2), 5, pivots=[[0], [1]])", "re(ring(3), path(2), 5)"),
            (
                "re(complete(4), ring(5), 1, pivots=[[2, 0, 1]])",
                "re(complete(4), ring(5), 1, pivots=degree)",
            ),
            (
                "re(ring(4), ring(4), 2, pivots=[[0, 1], [2, 3]])",
                "re(ring(4), ring(4), 2, pivots=degree)",
            ),
        ] {
            assert_eq!(links(sets), links(named), "{sets}");
        }
    }

    fn inside(built: &Built, from: u64, to: u64, set: &[u64], n_u: u64) {
        let (network, router) = (built.network.clone().unwrap(), built.router("paper").unwrap());
        for choice in 0..router.choices() {
            let route = walk(&*network, &*router, Node(from), Node(to), choice, 100).unwrap();
            let at: Vec<u64> = route.nodes.iter().map(|node| node.0 % n_u).collect();
            assert!(at.iter().all(|u| set.contains(u)), "choice {choice}: {at:?}");
        }
    }

    #[test]
    fn routes_between_pivots_stay_inside_their_set() {
        // Around the ring of 8 the way from 5 to 2 is as short on either side; the region is 2, 3, 4, 5.
        let built = build("re(complete(5), ring(8), 1, pivots=[[2, 3, 4, 5]])").unwrap();
        for (from, to) in [(2, 8 + 5), (5, 4 * 8 + 2), (8 + 5, 3 * 8 + 2)] {
            inside(&built, from, to, &[2, 3, 4, 5], 8);
        }
        // The link from copy 0 to copy 4 leaves from 3: not through 4, although that is shorter.
        let built = build("re(complete(6), ring(5), 1, pivots=[[0, 1, 2, 3]])").unwrap();
        let (network, router) = (built.network.clone().unwrap(), built.router("paper").unwrap());
        let route = walk(&*network, &*router, Node(0), Node(20), 0, 100).unwrap();
        assert_eq!(route.nodes, [0, 1, 2, 3, 20].map(Node));
    }

    #[test]
    fn what_is_searched_meets_the_conditions_where_consecutive_positions_do_not() {
        // Theorem 4(2) with 5×5 tori: r = ⌊25/4⌋ = 6 sets of 4.
        let remarks = |pivots: &str| {
            let built =
                build(&format!("re(torus(5, 5), torus(5, 5), 6, pivots={pivots})")).unwrap();
            assert_eq!(built.theory.degrees().max, 5, "{pivots}");
            built.theory.remarks()
        };
        assert!(remarks("degree")[0].starts_with("the pivot sets of 3 of 6 phases are not"));
        let searched = remarks("search");
        assert_eq!(searched.len(), 1);
        assert!(searched[0].starts_with("pivot sets that meet Definition 4: {0, "), "{searched:?}");
    }

    #[test]
    fn a_set_that_breaks_a_condition_is_named_under_the_argument() {
        let error = build("re(ring(4), ring(6), 2, pivots=[[0, 1], [2, 4]])").unwrap_err();
        let text = error.to_string();
        let words = "re: pivots break condition 1 of Definition 4: inside P_2 = {2, 4} no path joins 2 and 4";
        assert!(text.starts_with(words), "{text}");
        assert!(text.ends_with(&format!("{}{}", " ".repeat(26), "^".repeat(23))), "{text}");
        for (pivots, words) in [
            ("[1, 2]", "pivots must be sets such as [[0, 1], [2, 3]]"),
            ("[[a]]", "pivots must be an integer"),
            ("best", "one of diameter, degree, single, search, or sets such as"),
        ] {
            let error = build(&format!("re(ring(4), ring(6), 2, pivots={pivots})")).unwrap_err();
            assert!(error.message.contains(words), "{error}");
        }
    }
}
