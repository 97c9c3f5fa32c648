//! What does a sweep over networks, routers, traffics, loads, seeds and faults find? Points by name, and what they say.
//!
//! A [`Study`] is read from a file of TOML. Every combination of what it lists is a [`Point`]; what determines its answer
//! is its canonical text, [`Point::asked`], and the hash of that is its name. An answer is sealed with a checksum and
//! with that text, so that a torn or edited one, or one to another question, is not taken for it. Where answers are kept
//! is for a front end to decide; [`Table`] and [`Findings`] read them back.
//!
//! ```
//! use nestnet::study::Study;
//! use nestnet::{Context, Watch};
//!
//! let text = r#"
//!     specs = ["petersen", "ring(10)"]
//!     [measure]
//!     keys = ["diameter"]
//!     [resilience]
//!     faults = [0.1, 0.2]
//!     trials = 10
//! "#;
//! let study = Study::read(text, &Context::ALONE).unwrap();
//! assert_eq!(study.points(), 2 + 4);
//! let point = study.point(0);
//! let answer = point.answer(&Watch::SILENT).unwrap();
//! assert!(answer.json().starts_with(r#"{"diameter":{"low":2,"high":2"#));
//! let sealed = point.seal(&answer);
//! assert_eq!(point.open(&sealed), Some(answer));
//! assert_eq!(study.point(1).open(&sealed), None);
//! ```

mod answer;
mod error;
mod file;
mod findings;
mod networks;
mod parse;
mod plan;
mod point;
mod progress;
mod read;
mod table;
#[cfg(test)]
mod tests;

pub use answer::Devices;
pub use error::{Fault, StudyError};
pub use findings::Findings;
pub use plan::{MOST_POINTS, Question, Study};
pub use point::{Answer, Point, hash};
pub use progress::{Collected, Counts, Estimate, Progress};
pub use table::{Column, Kind, Table};
