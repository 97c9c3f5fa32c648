//! What are the dots called, where all of that fits?

use super::Labels;
use crate::font;
use crate::scene::{Dot, Scene};
use nestnet_graph::{Network, Node};

/// What the dots are called, where all of that fits.
pub(super) struct Names<'a> {
    pub(super) names: Vec<(&'a Dot, String)>,
    pub(super) side: Side,
    pub(super) height: f64,
    /// Of the dots.
    pub(super) radius: f64,
}

/// Where names stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Inside,
    Beside,
}

impl<'a> Names<'a> {
    /// Addresses in the dots, which may be larger for that; else ids; else either beside them; else none. Those that can
    /// be read in a narrow print, where everything is `enlarged` for that, come before those that need a closer look. What
    /// is folded has the number of its nodes, where that is to be written. Where the print is known, no digit is lower than
    /// `least`. Labels that are asked for are as large as fits, also where that is smaller.
    pub(super) fn choose(
        scene: &'a Scene,
        network: Option<&dyn Network>,
        labels: Labels,
        [scale, enlarged]: [f64; 2],
        least: Option<f64>,
    ) -> Self {
        let usual = (0.24 * scale).clamp(0.6, 15.0);
        let largest = (0.32 * scale).clamp(usual, 27.0);
        let none = Names { names: Vec::new(), side: Side::Inside, height: 0.0, radius: usual };
        let counted = scene.dots.iter().all(|dot| dot.nodes.is_some());
        let known = counted || (network.is_some() && scene.dots.iter().all(|d| d.node.is_some()));
        // Nobody reads names this small.
        if largest < 6.0 || labels == Labels::None || !known {
            return none;
        }
        let named = |name: &dyn Fn(Node) -> String| -> (Vec<(&'a Dot, String)>, f64) {
            let of = |dot: &Dot| match dot.nodes {
                Some(nodes) => Some(nodes.to_string()),
                None => dot.node.map(name),
            };
            let dots = scene.dots.iter();
            let names: Vec<_> = dots.filter_map(|dot| Some((dot, of(dot)?))).collect();
            let widths = names.iter().map(|(_, name)| font::width(name, 1.0));
            let widest = widths.fold(0.0, f64::max);
            (names, widest)
        };
        let addresses = named(&|node| {
            network.map_or_else(|| node.to_string(), |network| network.address(node).to_string())
        });
        let ids = named(&|node| node.to_string());
        let sides = |width: f64| {
            let inside = [usual, largest].map(|radius| {
                let height = (1.64 * radius / width).min(0.8 * radius).min(9.5 * enlarged);
                (Side::Inside, height, radius, 4.6)
            });
            let height = (0.5 * scale / width).min(8.0 * enlarged);
            let beside = (Side::Beside, height, usual.min(0.16 * scale), 5.0);
            inside.into_iter().chain([beside])
        };
        let wanted = match labels {
            Labels::Addresses => vec![&addresses],
            Labels::Ids => vec![&ids],
            Labels::Automatic | Labels::None => vec![&addresses, &ids],
        };
        for closer in [enlarged, 1.0] {
            for (names, widest) in &wanted {
                let is_read = |height: f64, usual: f64| height >= least.unwrap_or(usual * closer);
                let fits = sides(*widest).find(|(_, height, _, usual)| is_read(*height, *usual));
                if let Some((side, height, radius, _)) = fits {
                    return Names { names: names.clone(), side, height, radius };
                }
            }
        }
        let asked = wanted.into_iter().next().filter(|_| labels != Labels::Automatic);
        let Some((names, widest)) = asked else { return none };
        let highest = sides(*widest).max_by(|one, other| one.1.total_cmp(&other.1));
        highest.map_or(none, |(side, height, radius, _)| {
            let names = names.clone();
            Names { names, side, height, radius }
        })
    }
}
