//! Algorithm RE(n_r, R), step by step: which phases, which pivot sets, and what each phase makes.
//!
//! # Definition
//! 1. Choose a frame and a unit by the requirements R, so that n_u·n_f^(r-1) < n_r ≤ n_u·n_f^r.
//! 2. Form the pivot sets P_1, …, P_s in the unit.
//! 3. For i = 1 to r: a copy of G_(i-1) for each node of the frame, and for each of its links one between any two
//!    corresponding units of the two copies, at the pivot set of the phase.
//!
//! # Where we differ
//! Which frame and unit meet R the text leaves to whoever asks; they are given, and r follows from n_r. No r fits where
//! even the unit is n_f times too large.

use super::frames::Frames;
use super::plans::{Pivot, Plans};
use super::sets::Members;
use crate::family::Built;
use crate::family::array::{Step, Stepped};
use num_bigint::BigUint;
use num_traits::One;

/// More phases are not listed.
const MAX_PHASES: usize = 1 << 8;

/// The r of step 1 for a network of at least `nodes` nodes; `None` where none fits.
pub(super) fn phases(nodes: u64, frame: &BigUint, unit: &BigUint) -> Option<u64> {
    let nodes = BigUint::from(nodes);
    if *unit >= nodes {
        return (nodes * frame > *unit).then_some(0);
    }
    if frame.is_one() {
        return None;
    }
    let (mut r, mut order) = (0, unit.clone());
    while order < nodes {
        order *= frame;
        r += 1;
    }
    Some(r)
}

/// What the algorithm was given, and what it chose.
#[derive(Debug)]
pub(super) struct Expanding {
    pub unit: Built,
    pub frames: Frames,
    pub plans: Plans,
    /// n_r, where it was given.
    pub wanted: Option<u64>,
}

/// `(4, 2, 2)-ring(4)`.
fn named(part: &Built) -> String {
    let degree = part.theory.degrees().max;
    let diameter = part.theory.diameter().and_then(|known| known.exact().cloned());
    let diameter = diameter.map_or_else(|| "?".to_owned(), |exact| exact.to_string());
    format!("({}, {degree}, {diameter})-{}", part.order(), part.spec())
}

/// A pivot set as the definition writes it.
fn written(pivot: &Pivot) -> String {
    match pivot {
        Pivot::At(u) => Members(vec![*u]).to_string(),
        Pivot::Node(u) => format!("{} of one unit in each copy", Members(vec![*u])),
        several => Members(several.members().unwrap_or_default()).to_string(),
    }
}

impl Stepped for Expanding {
    fn steps(&self) -> Option<Vec<Step>> {
        if self.frames.len() > MAX_PHASES {
            return None;
        }
        let (n_u, r) = (self.unit.order(), self.frames.len());
        let mut links = self.unit.theory.degrees().links;
        let mut nodes = n_u.clone();
        let mut names: Vec<String> = self.frames.iter().map(named).collect();
        names.dedup();
        let frames = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let unit = named(&self.unit);
        let mut first = format!("frame {frames} and unit {unit}: r = {r}");
        if let (Some(wanted), Some(frame)) = (self.wanted, self.frames.iter().next()) {
            let power = |r: usize| &n_u * (0..r).map(|_| frame.order()).product::<BigUint>();
            let (below, above) = (power(r - 1), power(r));
            first = format!("{first}, since {below} < {wanted} <= {above}");
        }
        let mut steps = vec![Step::new("1".to_owned(), first, nodes.clone(), links.clone())];
        let sets: Vec<String> = self.plans.pivots.iter().map(written).collect();
        // Sets that are taken again are one set.
        let mut different: Vec<&String> = Vec::new();
        for set in &sets {
            if !different.contains(&set) {
                different.push(set);
            }
        }
        let numbered = (1..).zip(&different).map(|(i, set)| format!("P_{i} = {set}"));
        let second = numbered.collect::<Vec<_>>().join(", ");
        steps.push(Step::new("2".to_owned(), second, nodes.clone(), links.clone()));
        for (i, (frame, pivot)) in (1..).zip(self.frames.iter().zip(&self.plans.pivots)) {
            let units = match pivot {
                Pivot::Node(_) => BigUint::one(),
                _ => &nodes / &n_u,
            };
            let added = frame.theory.degrees().links * &units;
            let set = different.iter().position(|&set| *set == written(pivot)).unwrap_or(0) + 1;
            let does = format!(
                "{} copies of G_{}, {added} links between units at P_{set}",
                frame.order(),
                i - 1
            );
            links = links * frame.order() + added;
            nodes *= frame.order();
            steps.push(Step::new(format!("3, i = {i}"), does, nodes.clone(), links.clone()));
        }
        Some(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn phases_are_those_of_step_1() {
        let r = |nodes, frame: u64, unit: u64| phases(nodes, &frame.into(), &unit.into());
        // Figure 2 has 3·4^3 = 192 nodes: 48 < n_r <= 192 gives three phases.
        for (nodes, expected) in [(192, 3), (49, 3), (48, 2), (193, 4), (3, 0), (4, 1)] {
            assert_eq!(r(nodes, 4, 3), Some(expected), "{nodes}");
        }
        assert_eq!((r(5, 4, 16), r(4, 4, 16)), (Some(0), None));
        assert_eq!((r(17, 1, 16), r(16, 1, 16)), (None, None));
        assert_eq!(r(u64::MAX, 2, 1), Some(64));
    }

    #[test]
    fn the_last_step_is_the_network() {
        for spec in [
            "re(ring(4), ring(3), nodes=100)",
            "re(ring(4), ring(4), 2, pivots=degree)",
            "re([ring(4), complete(3), path(2)], ring(5), pivots=[[3], [1]])",
            "re(ring(4), torus(3, 3), 3, pivots=search)",
            "re(ring(5), path(3), 2, pivots=single)",
        ] {
            let built = build(spec).unwrap();
            let steps = built.steps().unwrap().steps().unwrap();
            let last = steps.last().unwrap();
            let degrees = built.theory.degrees();
            assert_eq!((&last.nodes, &last.links), (&built.order(), &degrees.links), "{spec}");
            assert_eq!(steps.len(), 2 + usize::from(built.network.unwrap().levels()) - 1, "{spec}");
        }
    }

    #[test]
    fn figure_2_step_by_step() {
        let built = build("re(ring(4), ring(3), nodes=192)").unwrap();
        let steps = built.steps().unwrap().steps().unwrap();
        let does: Vec<&str> = steps.iter().map(|step| step.does.as_str()).collect();
        let expected = [
            "frame (4, 2, 2)-ring(4) and unit (3, 2, 1)-ring(3): r = 3, since 48 < 192 <= 192",
            "P_1 = {0}, P_2 = {1}, P_3 = {2}",
            "4 copies of G_0, 4 links between units at P_1",
            "4 copies of G_1, 16 links between units at P_2",
            "4 copies of G_2, 64 links between units at P_3",
        ];
        assert_eq!(does, expected);
        let sizes: Vec<(String, String)> =
            steps.iter().map(|s| (s.nodes.to_string(), s.links.to_string())).collect();
        let expected = [("3", "3"), ("3", "3"), ("12", "16"), ("48", "80"), ("192", "384")];
        assert_eq!(sizes, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
