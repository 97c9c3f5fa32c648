//! `nestnet serve`: a local page that asks the verbs and draws their answers.
//!
//! The page is a thin front end. Every question is a verb of this program, run as a process of its own within the limits of
//! any verb, and ended when nobody waits for it; what it prints is sent as it is.

mod answer;
mod asks;
mod connection;
mod guard;
mod percent;
pub mod plot;
mod tables;

use self::percent::escaped;
use crate::Outcome;
use crate::job::Job;
use crate::numbers::counts;
use crate::text;
use answer::ProcessPool;
use anyhow::{Context as _, anyhow, bail};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::middleware;
use axum::routing::get;
use connection::Patient;
use guard::Guard;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use nestnet::draw::{chart_style_sheet, palette};
use std::io::IsTerminal as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet serve
  nestnet serve \"rdn(torus(5, 5), 4)\"
  nestnet serve --port 8080 --no-open
  openssl rand -hex 16 > secret && nestnet serve --listen 0.0.0.0 --token-file secret

Explore a network, cluster by cluster; watch routes, broadcasts and deadlocks; ask for designs; \
look through the claims. Only this machine can reach the page, unless --listen says otherwise, and \
nothing is asked of any other. Ctrl-C ends it.

A token is in the link that is printed. What is given by --token can be read by all users of this machine, in the list \
of its processes, and so can the link that a browser is opened with (--no-open opens none).")]
pub struct Args {
    /// The network to begin with, such as "rdn(torus(5, 5), 4)"
    spec: Option<String>,
    /// The port; 0 takes a free one
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = counts::<u16>(0..=u16::MAX.into()))]
    port: u16,
    /// Let other machines reach it at this address; whoever comes must know the token
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// What one must know to use it [default: what the environment variable NESTNET_TOKEN says, if there is one]
    #[arg(long, value_name = "SECRET", conflicts_with = "token_file")]
    token: Option<String>,
    /// Read the token from the first line of a file
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The folder below which `file("…")` may read; without it no file is read
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// The most seconds that one question may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = counts::<u32>(1..=86400))]
    seconds: u32,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// The shortest secret that is accepted.
const TOKEN_LENGTH: usize = 8;

/// Where a token is that is not given otherwise.
pub const TOKEN: &str = "NESTNET_TOKEN";

/// So many connections at once; others wait.
const CONNECTIONS: usize = 256;

/// Who has not said by then what he wants, or takes nothing of the answer for so long, is sent away.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often we look whether we were asked to end.
const LOOK: Duration = Duration::from_millis(50);

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let token = token(args, job)?;
    if args.listen.is_some() && token.is_none() {
        bail!("--listen needs a token: --token-file FILE, {TOKEN} in the environment, or --token");
    }
    let root = match &args.root {
        Some(folder) => {
            let shown = folder.display();
            Some(folder.canonicalize().with_context(|| format!("--root {shown}"))?)
        }
        None => None,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(serve(args, token, root, job))
}

/// What one must know, where there is something.
fn token(args: &Args, job: &Job) -> anyhow::Result<Option<String>> {
    let (token, named) = match (&args.token, &args.token_file) {
        (Some(token), _) => (token.clone(), "--token"),
        (None, Some(path)) => {
            let path = path.to_string_lossy();
            let text =
                job.read_text(&path).map_err(|error| anyhow!("--token-file {path}: {error}"))?;
            (text.lines().next().unwrap_or_default().trim().to_owned(), "--token-file")
        }
        (None, None) => match std::env::var(TOKEN) {
            Ok(token) if !token.is_empty() => (token, TOKEN),
            Err(std::env::VarError::NotUnicode(_)) => bail!("{TOKEN} is no text"),
            _ => return Ok(None),
        },
    };
    if token.len() < TOKEN_LENGTH {
        bail!("{named}: a token must have at least {TOKEN_LENGTH} characters");
    }
    Ok(Some(token))
}

async fn serve(
    args: &Args,
    token: Option<String>,
    root: Option<PathBuf>,
    job: &Job,
) -> anyhow::Result<Outcome> {
    let address = SocketAddr::new(args.listen.unwrap_or(Ipv4Addr::LOCALHOST.into()), args.port);
    let listener =
        TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr()?;
    let pool = ProcessPool::new(root, args.seconds, job.memory())?;
    let link = link(address, token.as_deref(), args.spec.as_deref());
    let guard = Guard::new(address, token);
    let router = Router::new()
        .merge(files())
        .route(
            "/api/tables",
            get(|| async { ([(CONTENT_TYPE, JSON)], tables::tables().to_string()) }),
        )
        .route("/palette.css", get(|| async { ([(CONTENT_TYPE, STYLE)], style_sheet()) }))
        .merge(plot::routes(ProcessPool::of_plots(args.seconds)?))
        .merge(asks::routes(Arc::new(pool)))
        .layer(middleware::from_fn_with_state(Arc::new(guard), guard::check));
    text::print(&format!("the page is at {link}\nCtrl-C ends it\n"))?;
    if !args.no_open && std::io::stdout().is_terminal() {
        open(&link);
    }
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        if job.is_over() {
            return Ok(if job.is_interrupted() { Outcome::Interrupted } else { Outcome::Done });
        }
        let Ok(next) = tokio::time::timeout(LOOK, accept(&listener, &room)).await else { continue };
        let Some((stream, place)) = next else {
            // Out of sockets: those that are open end sooner or later.
            tokio::time::sleep(LOOK).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(guard::HEADERS)
                .serve_connection(TokioIo::new(Patient::new(stream, PATIENCE)), service)
                .await;
            // Whoever speaks no HTTP, or goes away, is not answered.
            let _ = served;
            drop(place);
        });
    }
}

/// The next visitor, once there is room for one.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = room.clone().acquire_owned().await.ok()?;
    let (stream, _) = listener.accept().await.ok()?;
    Some((stream, place))
}

/// Where the page is, with what it begins with.
fn link(address: SocketAddr, token: Option<&str>, spec: Option<&str>) -> String {
    let token = token.map(|token| format!("?token={}", escaped(token)));
    let spec = spec.map(|spec| format!("#explore?spec={}", escaped(spec)));
    format!("http://{address}/{}{}", token.unwrap_or_default(), spec.unwrap_or_default())
}

/// Opens the browser, if there is one; if not, the link is on the screen.
fn open(link: &str) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let quiet = Command::new(opener).arg(link).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    drop(quiet);
}

/// The files of the page, which are part of this program: path, kind and content.
const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("../../web/index.html")),
    ("/style.css", STYLE, include_str!("../../web/style.css")),
    ("/icon.svg", "image/svg+xml", include_str!("../../web/icon.svg")),
    ("/main.js", SCRIPT, include_str!("../../web/main.js")),
    ("/ask.js", SCRIPT, include_str!("../../web/ask.js")),
    ("/state.js", SCRIPT, include_str!("../../web/state.js")),
    ("/spec.js", SCRIPT, include_str!("../../web/spec.js")),
    ("/canvas.js", SCRIPT, include_str!("../../web/canvas.js")),
    ("/explore.js", SCRIPT, include_str!("../../web/explore.js")),
    ("/watch.js", SCRIPT, include_str!("../../web/watch.js")),
    ("/decide.js", SCRIPT, include_str!("../../web/decide.js")),
    ("/palette.js", SCRIPT, include_str!("../../web/palette.js")),
    ("/plot.js", SCRIPT, include_str!("../../web/plot.js")),
    ("/save.js", SCRIPT, include_str!("../../web/save.js")),
    ("/gallery.js", SCRIPT, include_str!("../../web/gallery.js")),
    ("/check.js", SCRIPT, include_str!("../../web/check.js")),
    ("/vendor/d3-zoom.js", SCRIPT, include_str!("../../web/vendor/d3-zoom.js")),
];

/// The colors of the library, and how its plots are drawn in them.
fn style_sheet() -> String {
    palette::style_sheet() + &chart_style_sheet()
}

const JSON: &str = "application/json";

const STYLE: &str = "text/css; charset=utf-8";

const SCRIPT: &str = "text/javascript; charset=utf-8";

fn files() -> Router {
    FILES.iter().fold(Router::new(), |router, &(path, kind, content)| {
        router.route(path, get(move || async move { ([(CONTENT_TYPE, kind)], content) }))
    })
}

#[cfg(test)]
mod tests {
    use super::{FILES, style_sheet};

    #[test]
    fn all_colors_are_those_of_the_library() {
        let names = style_sheet();
        for used in names.split("var(").skip(1) {
            let name = used.split(')').next().unwrap();
            assert!(names.contains(&format!("{name}:#")), "{name}");
        }
        for (path, _, content) in FILES.iter().filter(|(path, ..)| !path.contains("/vendor")) {
            let is_hex =
                |text: &&str| text.bytes().take(6).filter(u8::is_ascii_hexdigit).count() == 6;
            let own: Vec<&str> = content.split('#').skip(1).filter(is_hex).collect();
            assert!(path.ends_with(".svg") || own.is_empty(), "{path}: {own:?}");
            for used in content.split("var(--").skip(1) {
                let name = used.split([')', '$', ',']).next().unwrap();
                assert!(names.contains(&format!("--{name}")), "{path}: {name}");
            }
        }
    }
}
