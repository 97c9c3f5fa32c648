//! The page without a browser: who may ask, what is answered, and that nothing outlives it.

use crate::{NESTNET, json, nestnet};
use serde_json::Value;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A page that is served, until it is dropped.
struct Served {
    child: Child,
    address: String,
    /// What comes behind the address in the link that is printed.
    path: String,
}

impl Served {
    fn start(options: &[&str]) -> Self {
        Served::run(Command::new(NESTNET).args(["serve", "--no-open"]).args(options))
    }

    fn run(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let mut first = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut first).expect("a line");
        let (_, rest) = first.split_once("http://").expect("a link");
        let (address, path) = rest.trim().split_once('/').expect("a path");
        Served { child, address: address.to_owned(), path: format!("/{path}") }
    }

    /// What comes back for some bytes: the code and the body.
    fn send(&self, request: &str) -> (u16, String) {
        let mut wire = TcpStream::connect(&self.address).expect("somebody listens");
        wire.write_all(request.as_bytes()).expect("it is heard");
        let mut answer = String::new();
        wire.read_to_string(&mut answer).expect("an answer");
        let code = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (code, body.to_owned())
    }

    fn get(&self, path: &str, more: &str) -> (u16, String) {
        let host = &self.address;
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n"
        ))
    }

    fn plot(&self, form: &str, body: &str) -> (u16, String) {
        let (host, length) = (&self.address, body.len());
        let head = format!("Host: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n");
        self.send(&format!("POST /api/plot/{form} HTTP/1.1\r\n{head}\r\n{body}"))
    }

    fn ask(&self, path: &str) -> (u16, Value) {
        let (code, body) = self.get(path, "");
        (code, serde_json::from_str(&body).unwrap_or(Value::Null))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_answers_its_own_page_alone() {
    let page = Served::start(&[]);
    let (code, body) = page.get("/", "");
    assert_eq!(code, 200);
    assert!(body.contains("<title>Nestnet</title>") && !body.contains("https://"), "{body}");
    for file in ["/main.js", "/style.css", "/vendor/d3-zoom.js", "/icon.svg"] {
        assert_eq!(page.get(file, "").0, 200, "{file}");
    }
    assert_eq!(page.get("/nothing", "").0, 404);
    assert_eq!(page.get("/api/edges?spec=petersen", "").0, 404);
    assert_eq!(page.get("/api/info?spec=petersen", "Origin: http://evil.example\r\n").0, 403);
    let other = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(page.send(other).0, 403);
    let post = format!("POST / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", page.address);
    assert_eq!(page.send(&post).0, 405);
    // A plot comes as a body, also from no other site.
    let plot = |more: &str, body: &str| {
        let (host, length) = (&page.address, body.len());
        let head =
            format!("Host: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{more}");
        page.send(&format!("POST /api/plot/page HTTP/1.1\r\n{head}\r\n{body}"))
    };
    let front = r#"{"wide": 400, "title": "", "plot": {"front": {"across": "a", "up": "b", "points": []}}}"#;
    let (code, svg) = plot("", front);
    assert!(code == 200 && svg.contains("<svg "), "{svg}");
    assert_eq!(plot("", "{}").0, 422);
    assert_eq!(plot("Origin: http://evil.example\r\n", front).0, 403);
    assert_eq!(page.get("/api/plot/page", "").0, 405);
}

#[test]
fn an_error_says_where_it_is() {
    let page = Served::start(&[]);
    let (code, wrong) = page.ask("/api/view?spec=rdn(rung(5),1)");
    assert_eq!((code, &wrong["at"]), (422, &serde_json::json!([4, 8])), "{wrong}");
    let (code, wrong) = page.ask("/api/view?spec=petersen&output=x");
    assert_eq!(code, 400, "{wrong}");
    let (code, found) = page.ask("/api/view?spec=rdn(torus(5,5),4)&find=1234567890123456789012345");
    assert_eq!(code, 200);
    // Long integers are texts, which a browser does not round.
    assert_eq!(found["nodes"], "762939453125000000000000000");
    assert_eq!(found["found"][0]["id"], "1234567890123456789012345");
}

#[test]
fn files_are_read_only_below_the_root() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("open")).expect("a folder");
    std::fs::write(folder.path().join("open/edges.txt"), "0 1\n1 2\n").expect("a file");
    std::fs::write(folder.path().join("secret.txt"), "0 1\n").expect("a file");
    let root = folder.path().join("open");
    let page = Served::start(&["--root", root.to_str().expect("a plain path")]);
    assert_eq!(page.ask("/api/info?spec=file(%22edges.txt%22)").0, 200);
    for path in ["../secret.txt", "/etc/hostname", "nothing.txt", "."] {
        let (code, wrong) = page.ask(&format!("/api/info?spec=file(%22{path}%22)"));
        assert_eq!(code, 422, "{path}: {wrong}");
    }
    let closed = Served::start(&[]);
    assert_eq!(closed.ask("/api/info?spec=file(%22edges.txt%22)").0, 422);
}

#[test]
fn others_come_only_with_a_token() {
    let refused = nestnet(["serve", "--listen", "127.0.0.1", "--no-open"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let short = nestnet(["serve", "--no-open", "--token", "short"]);
    assert_eq!(short.code, Some(2), "{}", short.stderr);
    let page = Served::start(&["--listen", "127.0.0.1", "--token", "long enough"]);
    assert_eq!(page.get("/", "").0, 401);
    let page = Served::start(&["--listen", "127.0.0.1", "--token", "longenough"]);
    assert_eq!(page.get("/?token=longenough", "").0, 200);
    assert_eq!(page.get("/", "Cookie: nestnet_token=longenough\r\n").0, 200);
}

#[test]
fn a_token_can_have_any_characters_and_come_from_a_file_or_the_environment() {
    let token = "ab+/cd== 1&\"%";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("secret");
    std::fs::write(&file, format!("{token}\n")).expect("a file");
    let file = file.to_str().expect("a plain path");
    let by_environment = || {
        let mut command = Command::new(NESTNET);
        command.args(["serve", "--no-open", "--listen", "127.0.0.1"]).env("NESTNET_TOKEN", token);
        Served::run(&mut command)
    };
    for page in [
        Served::start(&["--token", token]),
        Served::start(&["--listen", "127.0.0.1", "--token-file", file]),
        by_environment(),
    ] {
        assert_eq!(page.get("/", "").0, 401);
        assert_eq!(page.get(&page.path, "").0, 200, "{}", page.path);
        assert_eq!(
            page.get(&format!("/api/info{}&spec=petersen", page.path.trim_start_matches('/')), "")
                .0,
            200
        );
    }
    for args in [["--token-file", "/no/such/file"], ["--token-file", "/dev/null"]] {
        let refused = nestnet(["serve", "--no-open"].iter().chain(&args));
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains("--token-file"), "{}", refused.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_link_of_another_address_of_this_machine_is_answered() {
    let page = Served::start(&["--listen", "127.0.0.2", "--token", "longenough"]);
    assert!(page.address.starts_with("127.0.0.2:"));
    assert_eq!(page.get(&page.path, "").0, 200);
    let other =
        "GET /?token=longenough HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert_eq!(page.send(other).0, 403);
}

#[test]
fn headers_are_no_longer_than_is_said() {
    let page = Served::start(&[]);
    let header = |length: usize| format!("X: {}\r\n", "x".repeat(length));
    assert_eq!(page.get("/", &header(50_000)).0, 200);
    assert_eq!(page.get("/", &header(100_000)).0, 431);
    assert_eq!(page.get("/", &header(5_000).repeat(20)).0, 431);
}

/// Who asks and never reads is sent away, and makes room for others.
#[test]
fn who_never_reads_is_sent_away() {
    let page = Served::start(&[]);
    let mut wire = TcpStream::connect(&page.address).expect("somebody listens");
    wire.set_write_timeout(Some(std::time::Duration::from_secs(60))).expect("a time");
    let request = format!("GET /vendor/d3-zoom.js HTTP/1.1\r\nHost: {}\r\n\r\n", page.address);
    let begin = std::time::Instant::now();
    // The page reads on until what it writes is no longer taken; then it hangs up.
    let ended = loop {
        if let Err(error) = wire.write_all(request.as_bytes()) {
            break error.kind();
        }
    };
    let is_ended = matches!(ended, ErrorKind::BrokenPipe | ErrorKind::ConnectionReset);
    assert!(is_ended, "{ended:?} after {:?}", begin.elapsed());
}

#[test]
fn who_may_not_ask_is_answered_once() {
    let page = Served::start(&["--token", "longenough"]);
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", page.address);
    let mut wire = TcpStream::connect(&page.address).expect("somebody listens");
    wire.write_all(request.repeat(3).as_bytes()).expect("it is heard");
    let mut answers = Vec::new();
    // It may end with a reset, since two questions are not read.
    let _ = wire.read_to_end(&mut answers);
    let answers = String::from_utf8(answers).expect("text");
    assert_eq!(answers.matches("HTTP/1.1 401").count(), 1, "{answers}");
    assert_eq!(answers.matches("HTTP/1.1").count(), 1, "{answers}");
}

#[test]
fn a_plot_cannot_end_the_page() {
    let page = Served::start(&["--seconds", "20"]);
    let front = |title: &str, x: &str| {
        let point = |x: &str| {
            format!(
                r#"{{"kind": "base", "x": {x}, "y": 1, "low": null, "high": null, "recommended": false, "label": "", "tag": ""}}"#
            )
        };
        let points = format!("{}, {}", point("0"), point(x));
        format!(
            r#"{{"wide": 400, "title": "{title}", "plot": {{"front": {{"across": "a", "up": "b", "points": [{points}]}}}}}}"#
        )
    };
    for x in ["5e-324", "1e-310", "1.7e308", "-1.7e308", "1"] {
        let (code, svg) = page.plot("svg", &front("a plot", x));
        assert!(code == 200 && svg.contains("<svg "), "{x}: {code} {svg}");
    }
    let (code, wrong) = page.plot("svg", &front(&"x".repeat(4 << 20), "1"));
    assert!(code == 422 && wrong.contains("4096 bytes"), "{code} {wrong}");
    assert_eq!(page.plot("gif", &front("", "1")).0, 400);
}

#[test]
fn a_view_leads_down_to_a_node_of_any_size() {
    let spec = "rdn(torus(5, 5), 4)";
    let mut path = String::new();
    for _ in 0..40 {
        let view = json(&["view", spec, &path, "--json"]);
        if view["shown"] == 0 {
            assert_eq!(view["neighbors"].as_array().map(Vec::len), Some(8));
            let id = view["node"]["id"].as_str().expect("an id");
            let back = json(&["view", spec, "--find", id, "--json"]);
            assert_eq!(back["found"][0]["path"], view["path"]);
            return;
        }
        let spots = view["spots"].as_array().expect("spots");
        path = spots[spots.len() / 2]["path"].as_str().expect("a path").to_owned();
    }
    panic!("no node after 40 steps: {path}");
}

#[test]
fn a_path_that_leads_nowhere_is_reported() {
    for args in [["view", "ring(5)", "5"], ["view", "ring(5)", "0.0"], ["view", "ring(5)", "x"]] {
        let ended = nestnet(args);
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.stderr.contains("no cell"), "{}", ended.stderr);
    }
    let ended = nestnet(["view", "ring(5)", "--find", "5"]);
    assert!(ended.stderr.contains("give an id from 0 to 4"), "{}", ended.stderr);
}
