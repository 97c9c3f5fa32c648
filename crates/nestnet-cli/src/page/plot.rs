//! Plots of the page, drawn by the library. What is in one comes as JSON in the body of a question, since a front is longer
//! than a link may be.

use super::answer::{Answer, ProcessPool, saved};
use crate::Outcome;
use crate::picture::Format;
use anyhow::Context as _;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use nestnet::design::{FrontPoint, Origin, front_plot};
use nestnet::draw::{Chart, Series, chart, chart_of_page};
use nestnet::latency_chart::{LoadPoint, latency_line, latency_plot};
use nestnet::sim::Status;
use serde::Deserialize;
use std::io::{self, Read as _, Write as _};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Below this path plots are drawn, each by the name of its form.
pub const PATH: &str = "/api/plot/";

/// The form for the page itself; others are the ending of a file.
const PAGE: &str = "page";

/// The forms of files, each with its kind; without the feature `raster` the first alone.
pub const FORMS: &[(&str, &str)] = &[
    ("svg", "image/svg+xml"),
    #[cfg(feature = "raster")]
    ("png", "image/png"),
    #[cfg(feature = "raster")]
    ("pdf", "application/pdf"),
    #[cfg(feature = "raster")]
    ("tex", "application/x-tex"),
];

/// No plot has more to say, in bytes.
const LONGEST: usize = 8 << 20;

/// Limit: points of a plot of the page.
const MOST_POINTS: usize = 10_000;

/// No text in a plot is longer, in bytes.
const LONGEST_TEXT: usize = 4096;

/// So many are held in memory at once; others wait.
const READ_AT_ONCE: usize = 8;

/// The verb that draws one.
const VERB: &str = "plot";

/// How wide a plot of the page may be, in pixels.
const WIDTHS: std::ops::RangeInclusive<f64> = 200.0..=4000.0;

/// A text in a plot, which is no longer than can be drawn.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Text(String);

impl TryFrom<String> for Text {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.len() {
            ..=LONGEST_TEXT => Ok(Text(text)),
            length => Err(format!("a text has at most {LONGEST_TEXT} bytes, not {length}")),
        }
    }
}

/// A plot that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// How wide it is on the page, in pixels; files are as wide as those of the command line.
    wide: f64,
    /// What is above it in a file.
    title: Text,
    plot: Plot,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Plot {
    /// A Pareto front over two numbers.
    Front { across: Text, up: Text, points: Vec<Network> },
    /// Latency over load, a line a network.
    Latency { curves: Vec<Line> },
}

/// A network; one without a number in one of the axes is not drawn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Network {
    kind: Origin,
    x: Option<f64>,
    y: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    recommended: bool,
    label: Text,
    tag: Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: Text,
    loads: Vec<Load>,
    /// Where a vertical line stands, and what is said of it.
    vertical: Option<(f64, Text)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    offered: f64,
    packets: u64,
    mean: Option<f64>,
    ci95: Option<f64>,
    status: Text,
    label: Text,
}

impl Plot {
    /// How many points there are; a line has one at least.
    fn points(&self) -> usize {
        match self {
            Plot::Front { points, .. } => points.len(),
            Plot::Latency { curves } => curves.iter().map(|line| line.loads.len().max(1)).sum(),
        }
    }

    /// Points are known by their number, those of lines behind the number of their line.
    fn chart(self, title: &str) -> Result<Chart, String> {
        match self {
            Plot::Front { across, up, points } => {
                let points = points.into_iter().enumerate().map(|(id, of)| {
                    let [x, y] = [of.x, of.y].map(|value| value.unwrap_or(f64::NAN));
                    FrontPoint {
                        bounds: (of.low.unwrap_or(y), of.high.unwrap_or(y)),
                        recommended: of.recommended,
                        tag: of.tag.0,
                        id: id.to_string(),
                        ..FrontPoint::new(of.kind, (x, y), of.label.0)
                    }
                });
                Ok(front_plot(title, [&across.0, &up.0], &points.collect::<Vec<_>>()))
            }
            Plot::Latency { curves } => {
                let lines = curves.into_iter().enumerate().map(|(line, of)| of.series(line));
                Ok(latency_plot(title.to_owned(), lines.collect::<Result<_, _>>()?))
            }
        }
    }
}

impl Line {
    fn series(self, line: usize) -> Result<Series, String> {
        let loads = self.loads.into_iter().enumerate().map(|(id, of)| {
            let status = Status::ALL.into_iter().find(|known| known.to_string() == of.status.0);
            Ok(LoadPoint {
                offered: of.offered,
                packets: of.packets,
                mean: of.mean.unwrap_or(f64::INFINITY),
                ci95: of.ci95,
                status: status.ok_or_else(|| format!("no status is called `{}`", of.status.0))?,
                label: of.label.0,
                id: format!("{line} {id}"),
            })
        });
        let mut loads = loads.collect::<Result<Vec<LoadPoint>, String>>()?;
        loads.sort_by(|a, b| a.offered.total_cmp(&b.offered));
        let mut series = latency_line(self.name.0, loads.into_iter());
        series.vertical = self.vertical.map(|(at, said)| (at, said.0));
        Ok(series)
    }
}

/// The plot that a body asks for, in a form.
fn drawn(form: &str, body: &[u8]) -> Result<Vec<u8>, String> {
    let Question { wide, title, plot } =
        serde_json::from_slice(body).map_err(|error| format!("no plot: {error}"))?;
    if !WIDTHS.contains(&wide) {
        let (low, high) = (WIDTHS.start(), WIDTHS.end());
        return Err(format!("`wide` is from {low} to {high} pixels, not {wide}"));
    }
    if plot.points() > MOST_POINTS {
        return Err(format!("a plot has at most {MOST_POINTS} points, not {}", plot.points()));
    }
    if form == PAGE {
        return Ok(chart_of_page(&plot.chart("")?, wide).into_bytes());
    }
    let of_file = || -> anyhow::Result<Vec<u8>> {
        let format = Format::of(std::path::Path::new(&format!("plot.{form}")))?;
        let plot = plot.chart(&title.0).map_err(anyhow::Error::msg)?;
        format.convert(&chart(&Chart { theme: format.theme(), ..plot }))
    };
    of_file().context("the plot is not drawn").map_err(|error| format!("{error:#}"))
}

/// The form of a plot that the page asks for, which is read from stdin.
#[derive(clap::Args)]
pub struct Args {
    /// `page`, or the ending of a file
    form: String,
}

/// Draws one plot: the verb of the page alone, so that a plot has the limits of any verb.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut body = Vec::new();
    io::stdin().lock().take(LONGEST as u64).read_to_end(&mut body)?;
    let plot = drawn(&args.form, &body).map_err(anyhow::Error::msg)?;
    let mut out = io::stdout().lock();
    out.write_all(&plot)?;
    out.flush()?;
    Ok(Outcome::Done)
}

/// Where plots are drawn, and so many questions that are read and answered at once.
struct Plots {
    pool: ProcessPool,
    room: Semaphore,
}

async fn answer(State(plots): State<Arc<Plots>>, Path(form): Path<String>, body: Body) -> Response {
    let kind = match FORMS.iter().find(|(name, _)| *name == form) {
        Some((_, kind)) => *kind,
        None if form == PAGE => FORMS[0].1,
        None => return Answer::refused(&format!("no plot has the form `{form}`")).into_response(),
    };
    let Ok(_place) = plots.room.acquire().await else {
        return Answer::failed(StatusCode::SERVICE_UNAVAILABLE, "the page is ending")
            .into_response();
    };
    // Whoever is slow to say what he wants is sent away.
    let body = match tokio::time::timeout(super::PATIENCE, to_bytes(body, LONGEST)).await {
        Ok(Ok(body)) => body,
        _ => return Answer::refused("the plot is too long, or did not come").into_response(),
    };
    let is_file = form != PAGE;
    match plots.pool.bytes(vec![VERB.to_owned(), form], body).await {
        Ok(plot) if is_file => saved(kind, plot),
        Ok(plot) => ([(CONTENT_TYPE, kind)], plot).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

/// Where plots are asked for.
pub fn routes(pool: ProcessPool) -> Router {
    let plots = Plots { pool, room: Semaphore::new(READ_AT_ONCE) };
    Router::new().route(&format!("{PATH}{{form}}"), post(answer)).with_state(Arc::new(plots))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: &str = r#"{"wide": 720, "title": "the front", "plot": {"front": {"across": "$ a host", "up": "hops",
        "points": [
            {"kind": "base", "x": 1, "y": 2, "low": 1, "high": 4, "recommended": false, "label": "a: <1>", "tag": ""},
            {"kind": "base", "x": 2, "y": 1, "low": null, "high": null, "recommended": true, "label": "b", "tag": "here"},
            {"kind": "nested", "x": null, "y": null, "low": null, "high": 9, "recommended": false, "label": "c", "tag": ""}
        ]}}}"#;

    const LATENCY: &str = r#"{"wide": 350, "title": "", "plot": {"latency": {"curves": [{"name": "ring(8)",
        "vertical": [0.25, "saturation 0.25"], "loads": [
            {"offered": 0.2, "packets": 9, "mean": 30, "ci95": 9, "status": "ok", "label": "at 0.2"},
            {"offered": 0.1, "packets": 9, "mean": 20, "ci95": null, "status": "ok", "label": "at 0.1"},
            {"offered": 0.3, "packets": 0, "mean": null, "ci95": null, "status": "saturated", "label": "at 0.3"},
            {"offered": 0.4, "packets": 9, "mean": 900, "ci95": 9, "status": "saturated", "label": "at 0.4"}
        ]}]}}}"#;

    fn text(form: &str, body: &str) -> String {
        String::from_utf8(drawn(form, body.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn a_front_of_the_page_has_its_points_by_number_and_no_style_of_its_own() {
        let svg = text(PAGE, FRONT);
        assert!(!svg.contains("<style") && svg.contains("viewBox=\"0 0 720 "), "{svg}");
        for id in ["0", "1"] {
            assert_eq!(svg.matches(&format!("data-id=\"{id}\"")).count(), 1, "{svg}");
        }
        // What has no number is not drawn, and its kind is still in the legend, so that colors stay.
        assert!(!svg.contains("data-id=\"2\"") && svg.contains(">nested<"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("<title>a: &lt;1&gt;</title>") && svg.contains(">here<"), "{svg}");
        assert!(svg.contains(">bounds<") && svg.contains(">recommended<"), "{svg}");
        let file = text("svg", FRONT);
        assert!(file.contains("<style>") && file.contains(">the front<"), "{file}");
    }

    #[test]
    fn an_axis_of_the_smallest_and_the_largest_numbers_is_drawn() {
        for (x, y) in [("5e-324", "1"), ("1e-310", "0"), ("1.7e308", "-1.7e308"), ("0", "0")] {
            let front = FRONT.replace("\"x\": 1, \"y\": 2", &format!("\"x\": {x}, \"y\": {y}"));
            let svg = text("svg", &front.replace("\"x\": 2", "\"x\": 0"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{x} {y}: {svg}");
        }
    }

    #[test]
    fn a_curve_ends_with_the_first_load_that_is_not_accepted() {
        let svg = text(PAGE, LATENCY);
        let ids: Vec<&str> =
            svg.split("data-id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(ids, ["0 1", "0 0", "0 2"], "{svg}");
        assert!(svg.contains(">ring(8), saturation 0.25<"), "{svg}");
        assert!(
            svg.contains(">accepted at saturation<") && svg.contains("above the axis"),
            "{svg}"
        );
    }

    #[test]
    fn every_form_is_drawn_and_what_is_none_is_refused() {
        for (form, _) in FORMS {
            assert!(!drawn(form, FRONT.as_bytes()).unwrap().is_empty(), "{form}");
        }
        for (body, why) in [
            ("{", "no plot"),
            (&*FRONT.replace("720", "1e300"), "pixels"),
            (&*FRONT.replace("nested", "x"), "x"),
            (&*LATENCY.replace("\"ok\"", "\"well\""), "well"),
        ] {
            let error = drawn(PAGE, body.as_bytes()).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        assert!(drawn("gif", FRONT.as_bytes()).is_err());
        // A text, and how many lines there are, has a limit.
        let title = FRONT.replace("the front", &"x".repeat(LONGEST_TEXT + 1));
        assert!(drawn("svg", title.as_bytes()).unwrap_err().contains("at most 4096 bytes"));
        let line = r#"{"name": "a", "loads": [], "vertical": null},"#;
        let lines = LATENCY.replacen(r#"{"name""#, &(line.repeat(MOST_POINTS) + r#"{"name""#), 1);
        assert!(drawn(PAGE, lines.as_bytes()).unwrap_err().contains("at most 10000 points"));
        let point = r#"{"offered": 0.1, "packets": 1, "mean": 1, "ci95": null, "status": "ok", "label": ""},"#;
        let end = r#"{"offered": 0.2"#;
        let long = LATENCY.replacen(end, &(point.repeat(MOST_POINTS) + end), 1);
        assert!(drawn(PAGE, long.as_bytes()).unwrap_err().contains("at most 10000 points"));
    }
}
