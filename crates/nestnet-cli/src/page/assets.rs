//! The files of the page, which are part of this program.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

/// Path, kind and content.
const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("../../web/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("../../web/style.css")),
    ("/icon.svg", "image/svg+xml", include_str!("../../web/icon.svg")),
    ("/main.js", SCRIPT, include_str!("../../web/main.js")),
    ("/ask.js", SCRIPT, include_str!("../../web/ask.js")),
    ("/state.js", SCRIPT, include_str!("../../web/state.js")),
    ("/spec.js", SCRIPT, include_str!("../../web/spec.js")),
    ("/canvas.js", SCRIPT, include_str!("../../web/canvas.js")),
    ("/explore.js", SCRIPT, include_str!("../../web/explore.js")),
    ("/watch.js", SCRIPT, include_str!("../../web/watch.js")),
    ("/decide.js", SCRIPT, include_str!("../../web/decide.js")),
    ("/plot.js", SCRIPT, include_str!("../../web/plot.js")),
    ("/check.js", SCRIPT, include_str!("../../web/check.js")),
    ("/vendor/d3-zoom.js", SCRIPT, include_str!("../../web/vendor/d3-zoom.js")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All of them.
pub fn routes() -> Router {
    FILES.iter().fold(Router::new(), |router, &(path, kind, content)| {
        router.route(path, get(move || async move { ([(CONTENT_TYPE, kind)], content) }))
    })
}
