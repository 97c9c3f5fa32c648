//! How is a question answered? By a process of its own, which is ended when nobody waits for it any longer.

use anyhow::Context as _;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::ffi::OsString;
use std::path::PathBuf;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader,
};
use tokio::process::Command;
use tokio::sync::{Semaphore, mpsc};

/// So many questions are worked at once; others wait.
const AT_ONCE: usize = 3;

/// More than these are sent away.
const WAITING: usize = 60;

/// No answer is longer.
const LONGEST: u64 = 64 << 20;

/// What is said of an error is not longer.
const LONGEST_ERROR: u64 = 64 << 10;

/// Verbs that print bounds where the time is over.
const BOUNDS: [&str; 2] = ["measure", "cut"];

/// The options that limit a question, its seconds and its memory, each with what sets it here.
const LIMITS: [(&str, &str); 2] =
    [("--max-time", "serve --seconds"), ("--max-memory", "serve --max-memory")];

/// So many plots are drawn at once, each within the least memory.
const PLOTS_AT_ONCE: usize = 2;

/// The least memory that a question gets.
const LEAST_MEMORY: u64 = 256 << 20;

/// Where questions are worked.
pub struct ProcessPool {
    /// The words that start this program.
    program: Vec<OsString>,
    /// The arguments that every verb gets.
    limits: Vec<String>,
    time: Duration,
    room: Semaphore,
    queue: Semaphore,
}

/// An answer: its code and its text, which is JSON.
pub struct Answer {
    code: StatusCode,
    text: String,
    /// The command line that gives the same, where there is one.
    command: Option<String>,
}

impl Answer {
    /// The question cannot be asked.
    pub fn refused(why: &str) -> Self {
        let text = json!({ "error": why }).to_string();
        Answer { code: StatusCode::BAD_REQUEST, text, command: None }
    }

    /// It was asked, and there is no answer.
    pub fn failed(code: StatusCode, why: &str) -> Self {
        Answer { code, ..Answer::refused(why) }
    }

    /// It would be answered of a smaller network.
    fn over_limit(why: &str) -> Self {
        let text = json!({ "error": why, "limit": true }).to_string();
        Answer { code: StatusCode::UNPROCESSABLE_ENTITY, text, command: None }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let json = [(CONTENT_TYPE, "application/json")];
        with_command((self.code, json, self.text), self.command.as_deref())
    }
}

/// The header with the command line that gives the same answer, percent-encoded.
const COMMAND: &str = "nestnet-command";

/// A response with the command line that gives the same, where there is one.
fn with_command(response: impl IntoResponse, command: Option<&str>) -> Response {
    let mut response = response.into_response();
    if let Some(command) = command.and_then(|line| HeaderValue::from_str(line).ok()) {
        response.headers_mut().insert(COMMAND, command);
    }
    response
}

/// A command line as one types it, percent-encoded for a header.
fn command_line(args: &[String]) -> String {
    let words = args.iter().map(|word| quoted(word));
    let line = std::iter::once("nestnet".to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    super::escaped(&line)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // An option keeps its name outside of the quotes.
    match word.split_once('=').filter(|(name, _)| name.starts_with("--")) {
        Some((name, value)) => format!("{name}={}", quoted(value)),
        None => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

impl ProcessPool {
    /// With files below `root` alone, so many seconds for each question, and its part of the memory.
    pub fn new(root: Option<PathBuf>, seconds: u32, memory: u64) -> anyhow::Result<Self> {
        let root = root.map_or_else(|| "-".to_owned(), |root| root.to_string_lossy().into_owned());
        let memory = (memory / (AT_ONCE as u64 + 1)).max(LEAST_MEMORY);
        ProcessPool::within(&root, seconds, memory, AT_ONCE)
    }

    /// For plots, which read no file: a question that takes long does not hold them up.
    pub fn of_plots(seconds: u32) -> anyhow::Result<Self> {
        ProcessPool::within("-", seconds, LEAST_MEMORY, PLOTS_AT_ONCE)
    }

    fn within(root: &str, seconds: u32, memory: u64, at_once: usize) -> anyhow::Result<Self> {
        let program = crate::launcher().context("cannot find this program")?;
        let [max_time, max_memory] = LIMITS.map(|(option, _)| option);
        let limits = vec![
            format!("--served={root}"),
            format!("{max_time}={seconds}"),
            format!("{max_memory}={memory}"),
        ];
        Ok(ProcessPool {
            program,
            limits,
            // The verb ends by itself; this is for one that does not.
            time: Duration::from_secs(u64::from(seconds) + 5),
            room: Semaphore::new(at_once),
            queue: Semaphore::new(WAITING),
        })
    }

    /// Runs a verb, and sends line by line how far it is, what was found so far and, last, its answer or why there is
    /// none. Whoever stops reading drops the process.
    pub fn stream(self: Arc<Self>, args: Vec<String>) -> Response {
        let command = command_line(&args);
        let (sender, lines) = mpsc::channel(LINES);
        let work = async move {
            let answer = self.answer(args, Some(&sender)).await;
            let last = match answer.code {
                StatusCode::OK => format!("{{\"answer\":{}}}", answer.text),
                _ => answer.text,
            };
            // Whoever went away does not read it.
            let _ = sender.send(last).await;
        };
        let body = Body::new(Lines { work: Some(Box::pin(work)), lines });
        with_command(([(CONTENT_TYPE, "application/x-ndjson")], body), Some(&command))
    }

    /// Runs a verb. Whoever stops waiting drops this, and with it the process.
    pub async fn run(&self, args: Vec<String>) -> Answer {
        self.answer(args, None).await
    }

    async fn answer(&self, args: Vec<String>, reports: Option<&Reports>) -> Answer {
        let command = command_line(&args);
        match self.ended(args, Bytes::new(), reports).await {
            Ok(ended) => Answer { command: Some(command), ..ended.answer() },
            Err(refusal) => refusal,
        }
    }

    /// Runs a verb that prints a file, which the browser saves under a name.
    pub async fn file(&self, args: Vec<String>, kind: &'static str) -> Response {
        let command = command_line(&args);
        match self.bytes(args, Bytes::new()).await {
            Ok(bytes) => with_command(saved(kind, bytes), Some(&command)),
            Err(refusal) => refusal.into_response(),
        }
    }

    /// What a verb prints that reads something, whatever it is; or why there is nothing.
    pub async fn bytes(&self, args: Vec<String>, input: Bytes) -> Result<Vec<u8>, Answer> {
        let ended = self.ended(args, input, None).await?;
        let is_done = ended.code == Some(0) && !ended.is_too_long();
        if is_done { Ok(ended.said) } else { Err(ended.answer()) }
    }

    /// Runs a verb to its end, once there is room for it; or why it was not.
    async fn ended(
        &self,
        args: Vec<String>,
        input: Bytes,
        reports: Option<&Reports>,
    ) -> Result<Ended, Answer> {
        let unavailable = |why| Answer::failed(StatusCode::SERVICE_UNAVAILABLE, why);
        let crowded = |_| unavailable("too many questions at once: ask again in a moment");
        let _waits = self.queue.try_acquire().map_err(crowded)?;
        let ending = |_| unavailable("the page is ending");
        let _works = self.room.acquire().await.map_err(ending)?;
        match tokio::time::timeout(self.time, self.work(args, input, reports)).await {
            Ok(Ok(ended)) => Ok(ended),
            Ok(Err(error)) => {
                let why = format!("it could not be run: {error}");
                Err(Answer::failed(StatusCode::INTERNAL_SERVER_ERROR, &why))
            }
            Err(_) => Err(Answer::over_limit("it took too long")),
        }
    }

    async fn work(
        &self,
        args: Vec<String>,
        input: Bytes,
        reports: Option<&Reports>,
    ) -> std::io::Result<Ended> {
        let (verb, rest) = args.split_at(args.len().min(1));
        let (program, first) = self.program.split_first().ok_or(std::io::ErrorKind::NotFound)?;
        let mut child = Command::new(program)
            .args(first)
            .args(verb)
            .args(&self.limits)
            .args(reports.map(|_| "--report-progress"))
            .args(rest)
            .env_remove(super::TOKEN)
            .stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (mut said, mut wrong) = (Vec::new(), Vec::new());
        let read_out = async {
            match stdout {
                Some(pipe) => pipe.take(LONGEST + 1).read_to_end(&mut said).await,
                None => Ok(0),
            }
        };
        let read_error = async {
            match stderr {
                Some(pipe) => read_errors(pipe, &mut wrong, reports).await,
                None => Ok(()),
            }
        };
        let write_in = async move {
            if let Some(mut pipe) = stdin {
                // Whoever does not read it to its end says why.
                let _ = pipe.write_all(&input).await;
            }
        };
        // All at once, or a full pipe would hold the process.
        let ((), (out, error)) = both(write_in, both(read_out, read_error)).await;
        out?;
        error?;
        if said.len() as u64 > LONGEST {
            return Ok(Ended { code: None, has_bounds: false, said, wrong });
        }
        let code = child.wait().await?.code();
        let has_bounds = BOUNDS.iter().any(|known| verb == [*known]) && !said.is_empty();
        Ok(Ended { code, has_bounds, said, wrong })
    }
}

/// A file that is saved, never shown as a page of ours.
pub fn saved(kind: &'static str, bytes: Vec<u8>) -> Response {
    ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, "attachment")], bytes).into_response()
}

/// How a verb ended, and what it printed.
struct Ended {
    code: Option<i32>,
    /// What the time left open is an answer, which says so itself.
    has_bounds: bool,
    said: Vec<u8>,
    wrong: Vec<u8>,
}

impl Ended {
    fn is_too_long(&self) -> bool {
        self.said.len() as u64 > LONGEST
    }

    /// What it printed as JSON, or why it did not.
    fn answer(self) -> Answer {
        if self.is_too_long() {
            return Answer::over_limit("the answer is too long for a page");
        }
        let is_answered =
            matches!(self.code, Some(0 | 1)) || self.has_bounds && self.code == Some(2);
        if !is_answered {
            let text = complaint(&self.wrong).to_string();
            return Answer { code: StatusCode::UNPROCESSABLE_ENTITY, text, command: None };
        }
        match serde_json::from_slice(&self.said) {
            Ok(value) => {
                Answer { code: StatusCode::OK, text: exact(value).to_string(), command: None }
            }
            Err(_) => Answer::failed(StatusCode::INTERNAL_SERVER_ERROR, "the answer is no JSON"),
        }
    }
}

/// So many lines wait for a slow reader.
const LINES: usize = 16;

/// Where lines go that say how far a question is.
type Reports = mpsc::Sender<String>;

/// The body of an answer that comes line by line; what makes the lines runs as they are read.
struct Lines {
    work: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    lines: mpsc::Receiver<String>,
}

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(work) = &mut self.work
            && work.as_mut().poll(context).is_ready()
        {
            self.work = None;
        }
        let line = ready!(self.lines.poll_recv(context));
        Poll::Ready(line.map(|line| Ok(Frame::data(Bytes::from(line + "\n")))))
    }
}

/// Reads what a verb says on stderr: reports are passed on, the rest is kept, as far as it is not too long.
async fn read_errors(
    pipe: impl AsyncRead + Unpin,
    wrong: &mut Vec<u8>,
    reports: Option<&Reports>,
) -> std::io::Result<()> {
    let Some(reports) = reports else {
        pipe.take(LONGEST_ERROR).read_to_end(wrong).await?;
        return Ok(());
    };
    let mut lines = BufReader::new(pipe.take(LONGEST)).lines();
    while let Some(line) = lines.next_line().await? {
        match report(&line) {
            // Whoever went away does not read it.
            Some(report) => drop(reports.send(report).await),
            None if (wrong.len() + line.len()) as u64 <= LONGEST_ERROR => {
                wrong.extend_from_slice(line.as_bytes());
                wrong.push(b'\n');
            }
            None => {}
        }
    }
    Ok(())
}

/// A line that says how far a verb is, or what it has found so far, as a browser reads it.
fn report(line: &str) -> Option<String> {
    let value: Value = serde_json::from_str(line).ok()?;
    let is_report = value.get("progress").is_some() || value.get("so_far").is_some();
    is_report.then(|| exact(value).to_string())
}

/// Two things at once, in one task.
async fn both<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    let (mut a, mut b) = (Box::pin(a), Box::pin(b));
    let (mut left, mut right) = (None, None);
    std::future::poll_fn(move |context| {
        if left.is_none()
            && let std::task::Poll::Ready(done) = a.as_mut().poll(context)
        {
            left = Some(done);
        }
        if right.is_none()
            && let std::task::Poll::Ready(done) = b.as_mut().poll(context)
        {
            right = Some(done);
        }
        match (left.take(), right.take()) {
            (Some(left), Some(right)) => std::task::Poll::Ready((left, right)),
            (one, other) => {
                (left, right) = (one, other);
                std::task::Poll::Pending
            }
        }
    })
    .await
}

/// What a verb complains of: JSON on the last line, or whatever it said; with `limit` where that was a limit.
fn complaint(wrong: &[u8]) -> Value {
    let text = String::from_utf8_lossy(wrong);
    let last = text.lines().rev().find_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut said = last.filter(Value::is_object).unwrap_or_else(|| {
        let why = text.trim().trim_start_matches("error: ");
        json!({ "error": if why.is_empty() { "it was ended before it answered" } else { why } })
    });
    // An error of a limit names the option that raises it, which is another one here.
    for (option, here) in LIMITS {
        if let Some(why) = said["error"].as_str().filter(|why| why.contains(option)) {
            said["error"] = Value::String(why.replace(option, here));
            said["limit"] = Value::Bool(true);
        }
    }
    said
}

/// The same, with integers as texts where a browser would round them.
fn exact(value: Value) -> Value {
    /// Integers of so many digits are below 2^53, up to which a browser has all of them.
    const MOST_DIGITS: usize = 15;
    match value {
        Value::Number(number) => {
            let text = number.to_string();
            let long = text.len() > MOST_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
            if long { Value::String(text) } else { Value::Number(number) }
        }
        Value::Array(all) => all.into_iter().map(exact).collect(),
        Value::Object(all) => all.into_iter().map(|(key, value)| (key, exact(value))).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_integers_are_not_rounded() {
        let value: Value =
            serde_json::from_str(r#"{"a":[9007199254740993,12],"b":0.12345678901234567}"#).unwrap();
        let text = exact(value).to_string();
        assert_eq!(text, r#"{"a":["9007199254740993",12],"b":0.12345678901234567}"#);
    }

    #[test]
    fn a_command_can_be_typed() {
        let args = ["view", "--most=5", "--find=(0, 1)", "--", "it's"].map(str::to_owned);
        let said: Vec<String> = args.iter().map(|word| quoted(word)).collect();
        assert_eq!(said, ["view", "--most=5", "--find='(0, 1)'", "--", r"'it'\''s'"]);
        assert!(command_line(&args).starts_with("nestnet%20view%20"));
    }

    #[test]
    fn a_complaint_is_json() {
        let said = b"some words\n{\"error\":\"no\",\"at\":[1,2]}\n";
        assert_eq!(complaint(said), json!({ "error": "no", "at": [1, 2] }));
        assert_eq!(complaint(b"error: no\n"), json!({ "error": "no" }));
        assert!(complaint(b"")["error"].is_string());
        let limit = complaint(b"error: it takes more than 2 GiB of memory (--max-memory)\n");
        let why = "it takes more than 2 GiB of memory (serve --max-memory)";
        assert_eq!(limit, json!({ "error": why, "limit": true }));
        assert_eq!(complaint(b"{\"error\":\"no node `x`\"}\n").get("limit"), None);
    }
}
