//! When is it worth saying how far the work is? Not for what is done in a moment.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What takes no longer needs no bar.
const MOMENT: Duration = Duration::from_millis(500);

/// A bar on stderr, if that is a terminal and once the work has taken a while.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: AtomicBool,
}

impl Progress {
    /// Work of `length` parts, shown by an indicatif template.
    pub fn new(length: u64, template: &str) -> Self {
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        let bar = bar.with_style(style).with_finish(ProgressFinish::AndClear);
        Progress { bar, start: Instant::now(), shown: AtomicBool::new(false) }
    }

    /// So many parts are done.
    pub fn set(&self, position: u64) {
        if self.start.elapsed() >= MOMENT && !self.shown.swap(true, Ordering::Relaxed) {
            self.show();
        }
        self.bar.set_position(position);
    }

    fn show(&self) {
        if io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_shows_no_bar() {
        let progress = Progress::new(10, "{pos}");
        progress.set(1);
        assert!(!progress.shown.load(Ordering::Relaxed));
        let late = Progress { start: Instant::now() - MOMENT, ..progress };
        late.set(2);
        assert!(late.shown.load(Ordering::Relaxed));
    }
}
