//! The plot of a Pareto front: a point for each network, by kind, the recommended ones as stars.

use super::Origin;
use nestnet_draw::{Chart, PointLook, Series};

/// A network of a front in a plot.
#[derive(Clone, Debug)]
pub struct FrontPoint {
    /// Of which kind it is.
    pub kind: Origin,
    /// Its numbers across and up; one that is no number is not drawn.
    pub at: (f64, f64),
    /// The bounds of the number that points up.
    pub bounds: (f64, f64),
    /// Whether it is recommended.
    pub recommended: bool,
    /// What is shown to whoever points at it.
    pub label: String,
    /// What is written beside it; nothing where that is empty.
    pub tag: String,
    /// By what a page finds it.
    pub id: String,
}

impl FrontPoint {
    /// One whose numbers are exact.
    pub fn new(kind: Origin, at: (f64, f64), label: impl Into<String>) -> Self {
        FrontPoint {
            kind,
            at,
            bounds: (at.1, at.1),
            recommended: false,
            label: label.into(),
            tag: String::new(),
            id: String::new(),
        }
    }
}

/// The networks of a front by kind, the recommended ones last so that they lie on top. `axes` are what is across and what is
/// up, with their units.
pub fn front_plot(title: &str, axes: [&str; 2], points: &[FrontPoint]) -> Chart {
    let series = |name: &str, look: PointLook, shown: &dyn Fn(&FrontPoint) -> bool| {
        let shown: Vec<&FrontPoint> = points.iter().filter(|point| shown(point)).collect();
        let dots = shown.iter().map(|point| (point.at, point.label.clone())).collect();
        let mut series = Series::dots(name, dots)
            .between(shown.iter().map(|point| point.bounds).collect())
            .looking(vec![look; shown.len()]);
        series.tags = shown.iter().map(|point| point.tag.clone()).collect();
        series.ids = shown.iter().map(|point| point.id.clone()).collect();
        series
    };
    let of_kind = |kind: Origin| {
        series(kind.name(), PointLook::Filled, &|point| !point.recommended && point.kind == kind)
    };
    let recommended = series("recommended", PointLook::Star, &|point| point.recommended);
    let all = Origin::ALL.into_iter().map(of_kind).chain([recommended]);
    Chart {
        title: title.to_owned(),
        across: axes[0].to_owned(),
        up: axes[1].to_owned(),
        series: all.filter(|series| !series.points.is_empty()).collect(),
        bars: "bounds".to_owned(),
        ..Chart::default()
    }
}
