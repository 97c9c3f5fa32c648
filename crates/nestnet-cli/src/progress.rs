//! When is it worth saying how far the work is? Not for what is done in a moment.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What takes no longer needs no bar.
const MOMENT: Duration = Duration::from_millis(500);

/// A program is informed no more often than this.
const PAUSE: Duration = Duration::from_millis(250);

/// Who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A person: a bar.
    Person,
    /// A program, such as the page: objects of JSON, one a line.
    Program,
}

/// How far the work is, on stderr: a bar, if that is a terminal and once the work has taken a while, or lines of JSON.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: AtomicBool,
    reader: Reader,
    /// When a program was informed last, of how far it is and of what was found.
    informed: [Mutex<Option<Instant>>; 2],
}

/// What a program is informed of, each at its own pace.
#[derive(Clone, Copy)]
enum Kind {
    Part,
    Found,
}

impl Progress {
    /// Work of `length` parts, shown by an indicatif template.
    pub fn new(length: u64, template: &str, reader: Reader) -> Self {
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        let bar = bar.with_style(style).with_finish(ProgressFinish::AndClear);
        let informed = [Mutex::new(None), Mutex::new(None)];
        Progress { bar, start: Instant::now(), shown: AtomicBool::new(false), reader, informed }
    }

    /// So many parts are done.
    pub fn set(&self, position: u64) {
        if self.start.elapsed() >= MOMENT && !self.shown.swap(true, Ordering::Relaxed) {
            self.show();
        }
        self.bar.set_position(position);
        if self.is_due(Kind::Part) {
            let part = position as f64 / self.bar.length().unwrap_or(1).max(1) as f64;
            inform(&json!({ "progress": part.min(1.0) }));
        }
    }

    fn show(&self) {
        if self.reader == Reader::Person && io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Shows what was found so far: how many there are, and all of them to a program. They are collected only where
    /// somebody reads them.
    pub fn so_far(&self, found: impl FnOnce() -> (usize, serde_json::Result<Value>)) {
        match self.reader {
            Reader::Program if self.is_due(Kind::Found) => {
                if let (_, Ok(rows)) = found() {
                    inform(&json!({ "so_far": rows }));
                }
            }
            Reader::Person if self.shown.load(Ordering::Relaxed) => {
                self.say(&format!("designing, {} Pareto-optimal so far", found().0));
            }
            _ => {}
        }
    }

    /// Whether a program reads it, and was not informed a moment ago.
    fn is_due(&self, kind: Kind) -> bool {
        if self.reader == Reader::Person {
            return false;
        }
        let [part, found] = &self.informed;
        let last = match kind {
            Kind::Part => part,
            Kind::Found => found,
        };
        // Whoever finds it locked is a moment late.
        let Ok(mut last) = last.try_lock() else { return false };
        let due = last.is_none_or(|last| last.elapsed() >= PAUSE);
        if due {
            *last = Some(Instant::now());
        }
        due
    }

    /// Another piece of work begins.
    pub fn doing(&self, what: &str) {
        self.set(0);
        self.bar.reset_eta();
        self.say(what);
    }

    /// Sets the message of the bar.
    pub fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// One object a line. Where nobody listens, the answer is all that is left to say.
fn inform(what: &Value) {
    let _ = writeln!(io::stderr(), "{what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_shows_no_bar() {
        let progress = Progress::new(10, "{pos}", Reader::Person);
        progress.set(1);
        assert!(!progress.shown.load(Ordering::Relaxed));
        let late = Progress { start: Instant::now() - MOMENT, ..progress };
        late.set(2);
        assert!(late.shown.load(Ordering::Relaxed));
    }
}
