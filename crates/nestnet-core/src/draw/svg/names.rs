//! What are the dots called, where all of that fits?

use crate::draw::font;
use crate::draw::scene::{Dot, Scene};
use crate::{Network, Node};

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
    /// Addresses in the dots, which may be larger for that; else ids; else either beside them; else none.
    pub(super) fn choose(scene: &'a Scene, network: &dyn Network, scale: f64) -> Self {
        let usual = (0.24 * scale).clamp(0.6, 15.0);
        let largest = (0.32 * scale).clamp(usual, 27.0);
        let none = Names { names: Vec::new(), side: Side::Inside, height: 0.0, radius: usual };
        // Nobody reads names this small.
        if largest < 6.0 || scene.dots.iter().any(|dot| dot.node.is_none()) {
            return none;
        }
        let named = |name: &dyn Fn(Node) -> String| -> Vec<(&'a Dot, String)> {
            scene.dots.iter().filter_map(|dot| Some((dot, name(dot.node?)))).collect()
        };
        let addresses = named(&|node| network.address(node).to_string());
        let ids = named(&|node| node.to_string());
        let width = |names: &[(&Dot, String)]| {
            names.iter().map(|(_, name)| font::width(name, 1.0)).fold(0.0, f64::max)
        };
        for names in [addresses, ids] {
            let width = width(&names);
            for radius in [usual, largest] {
                let height = (1.64 * radius / width).min(0.8 * radius).min(9.5);
                if height >= 4.6 {
                    return Names { names, side: Side::Inside, height, radius };
                }
            }
            let height = (0.5 * scale / width).min(8.0);
            if height >= 5.0 {
                return Names {
                    names,
                    side: Side::Beside,
                    height,
                    radius: usual.min(0.16 * scale),
                };
            }
        }
        none
    }
}
