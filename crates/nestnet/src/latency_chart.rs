//! The chart of latency over load: how each load is drawn, and where lines and axes end.

use nestnet_draw::{Chart, PointLook, Series};
use nestnet_sim::{Curve, Point, Status};

/// Latency over load, a line for each name, up to the first load that is not accepted after the last that is.
pub fn latency_chart(title: String, curves: &[(String, &Curve)]) -> Chart {
    let line = |(name, curve): &(String, &Curve)| {
        latency_line(name.as_str(), curve.points.iter().map(LoadPoint::from))
    };
    latency_plot(title, curves.iter().map(line).collect())
}

/// The axes around lines of latency over load, whose points look as [`look_of`] has it: those that have not converged are
/// hollow, those of saturated loads are crosses, since their latency grows with the length of the window.
///
/// The axis ends at five times the lowest latency, or above all loads that are accepted; what is higher is an arrow.
pub fn latency_plot(title: String, mut series: Vec<Series>) -> Chart {
    // A line ends with the first load that is not accepted after the last that is.
    for line in &mut series {
        let last = line.looks.iter().rposition(|look| look.is_accepted());
        let shown = last.map_or(1, |last| last + 2);
        line.truncate(shown);
    }
    let points = || series.iter().flat_map(|series| series.points.iter().zip(&series.looks));
    // What has not converged grows with the window, like what is saturated.
    let converged = points().filter(|(_, look)| matches!(look, PointLook::Filled));
    let converged = converged.map(|(point, _)| point.1);
    let lowest = series.iter().filter_map(|series| series.points.first()).map(|point| point.1);
    let lowest = lowest.fold(f64::INFINITY, f64::min);
    let most = lowest.is_finite().then(|| converged.fold(5.0 * lowest, f64::max));
    let key = [
        (PointLook::Hollow, "not converged"),
        (PointLook::Cross, "saturated: grows with the window"),
        (PointLook::Asterisk, "deadlock or stopped"),
    ];
    Chart {
        title,
        across: "offered load, flits per host and cycle".to_owned(),
        up: "mean packet latency, cycles".to_owned(),
        series,
        most,
        key: key.map(|(look, said)| (look, said.to_owned())).to_vec(),
        bars: "95 % interval".to_owned(),
        verticals: "accepted at saturation".to_owned(),
        ..Chart::default()
    }
}

/// How the point of a load is drawn.
pub fn look_of(status: Status) -> PointLook {
    match status {
        Status::Ok => PointLook::Filled,
        Status::Filling | Status::NotConverged => PointLook::Hollow,
        Status::Saturated => PointLook::Cross,
        Status::Deadlock | Status::Stopped => PointLook::Asterisk,
    }
}

/// What a line of latency over load has of a load.
#[derive(Clone, Debug)]
pub struct LoadPoint {
    /// The load.
    pub offered: f64,
    /// How many packets arrived.
    pub packets: u64,
    /// Their mean latency; any number where there were none.
    pub mean: f64,
    /// How far from it the ends of the 95 % interval are, where that is known.
    pub ci95: Option<f64>,
    /// How it ended.
    pub status: Status,
    /// What is shown to whoever points at it; nothing where that is empty.
    pub label: String,
    /// By what a page finds it.
    pub id: String,
}

impl From<&Point> for LoadPoint {
    fn from(point: &Point) -> Self {
        LoadPoint {
            offered: point.offered,
            packets: point.packets,
            mean: point.packet_latency.mean,
            ci95: point.packet_latency.ci95,
            status: point.status,
            label: String::new(),
            id: String::new(),
        }
    }
}

/// A line of [`latency_plot`], by its loads in order.
pub fn latency_line(name: impl Into<String>, loads: impl Iterator<Item = LoadPoint>) -> Series {
    // Where none was sent there is no latency; where none of those that were sent arrived it has no limit.
    let shown: Vec<LoadPoint> =
        loads.filter(|load| load.packets > 0 || !load.status.keeps_up()).collect();
    let mean = |load: &LoadPoint| if load.packets > 0 { load.mean } else { f64::INFINITY };
    let bar = |load: &LoadPoint| {
        let half = load.ci95.unwrap_or(0.0);
        (mean(load) - half, mean(load) + half)
    };
    let points = shown.iter().map(|load| (load.offered, mean(load))).collect();
    let line = Series::line(name, points)
        .between(shown.iter().map(bar).collect())
        .looking(shown.iter().map(|load| look_of(load.status)).collect());
    line.labeled(shown.into_iter().map(|load| (load.label, load.id)))
}
