//! What does a network look like? Pictures from addresses, by the construction: cells within cells, levels by color.
//!
//! A [`Plan`] says in which shapes the nodes lie, [`scene`] turns a network and its plan into lines and dots, and
//! [`svg`] writes them. What is too large to draw is folded: a cell becomes a dot, and all links between two cells one
//! line.

pub mod atlas;
mod bend;
mod broadcast;
pub mod bundle;
mod chart;
mod clusters;
mod filled;
mod font;
mod grid;
mod heat;
pub mod hull;
mod layer;
mod merged;
pub mod necklaces;
mod overview;
pub mod palette;
pub mod place;
mod plan;
mod scene;
mod shape;
pub mod stress;
pub mod svg;
mod timeline;
mod trace;
pub mod view;
mod within;

pub use atlas::{Atlas, AtlasError};
pub use broadcast::{Broadcast, Steps};
pub use chart::{Chart, PointLook, Scale, Series, chart, chart_of_page, chart_style_sheet, charts};
pub use grid::Side;
pub use heat::{Heat, heat};
pub use layer::{Digit, Held, Joints, Layer, Spread, Tally};
pub use overview::scene_of_atlas;
pub use plan::{Inside, MAX_GIVEN, Plan};
pub use scene::{
    Dot, Fold, Line, Mark, Marks, Options, Outline, Scene, can_be_readable, is_readable, scene,
};
pub use shape::{Point, Shape, bounds, closest};
pub use svg::{Frame, Labels, Theme};
pub use timeline::{Bar, timeline};
pub use trace::{Failed, around, trace};
pub use view::{Most, View, ViewError, view};

use nestnet_graph::kinds;
use nestnet_graph::measure::Interrupted;
use thiserror::Error;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// More dots than a page takes.
    #[error(
        "{dots} dots are too many to draw, at most {limit}: fold more levels (`fold=`) or raise `max_nodes=`"
    )]
    TooManyDots {
        /// How many there would be.
        dots: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// More lines than a page takes.
    #[error(
        "{lines} lines or more are too many to draw, at most {limit}: fold more levels (`fold=`) or raise `max_links=`"
    )]
    TooManyLines {
        /// How many there would be, at least.
        lines: u128,
        /// How many are allowed.
        limit: u64,
    },
    /// Folding does not help.
    #[error(
        "{nodes} nodes are too many to draw, at most {limit}, and this network has no clusters to fold that are few enough"
    )]
    NoFold {
        /// How many nodes.
        nodes: u64,
        /// How many dots are allowed.
        limit: u64,
    },
    /// Nobody can say how the folded cells are linked.
    #[error(
        "folded like this, the links of {nodes} nodes would have to be counted one by one, which is done up to {limit} nodes: fold more levels (`fold=`)"
    )]
    Uncounted {
        /// How many nodes.
        nodes: u64,
        /// Up to how many are counted.
        limit: u64,
    },
    /// No such level.
    #[error("`fold=` must be from 0 to {most} for this network, not {level}")]
    NoLevel {
        /// What was asked for.
        level: u16,
        /// The highest that leaves something to draw.
        most: u16,
    },
    /// It was stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(DrawError {
    Limit: TooManyDots, TooManyLines, NoFold, Uncounted;
    Invalid: NoLevel;
    inner: Interrupted;
});
