//! Who sends to whom, and how much of it?
//!
//! One table, [`TRAFFIC`], is read by every verb that sends messages. A pattern says for each host which share of what
//! it sends goes to which other host, as exact fractions; nobody sends to itself. Where a permutation leaves a host in
//! its place, that host sends nothing. Whoever sends messages to oneself too, as simulators do, draws them by
//! [`Traffic::draw_any`].
//!
//! Digits are those of the network where it is known as a product, most significant first, else the host's number is
//! the one digit. Several hosts at a switch keep their places: the pattern moves the switches.

pub mod goal;
mod groups;
mod matrix;
mod mixed;
mod permutation;
pub mod program;
mod read;

pub use groups::Groups;
pub use matrix::{Matrix, MatrixError};
pub use mixed::Mixed;
pub use permutation::Permutation;
pub use read::{Source, TrafficError, read};

use nestnet_graph::measure::splitmix64;

/// The hosts that send, as far as patterns care.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// How many hosts there are.
    pub hosts: u64,
    /// The digits of a switch, or of a host that is its own switch, most significant first.
    pub sides: Vec<u64>,
    /// How many hosts have the same digits: those of one switch, which are numbered one after the other.
    pub each: u64,
}

impl Ends {
    /// Hosts whose number is their one digit.
    pub fn plain(hosts: u64) -> Self {
        Ends { hosts, sides: vec![hosts], each: 1 }
    }

    /// Hosts with these digits, `each` of them at every switch. A product of sides that is not the number of hosts says
    /// nothing of them.
    pub fn with_sides(hosts: u64, sides: Vec<u64>, each: u64) -> Self {
        let all = sides.iter().try_fold(each, |product, &side| product.checked_mul(side));
        if all == Some(hosts) { Ends { hosts, sides, each } } else { Ends::plain(hosts) }
    }
}

/// A share of what is sent, `part / whole`, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// At most `whole`.
    pub part: u64,
    /// At least 1.
    pub whole: u64,
}

/// Who sends to whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// As it is written.
    pub name: String,
    /// How many hosts there are.
    pub hosts: u64,
    /// The rule.
    pub pattern: Pattern,
}

/// The rule of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// To all others alike.
    Uniform,
    /// To one other each, and no two to the same.
    Permuted(Permutation),
    /// A share to one host, the rest to all others alike. That host sends to all others alike; where messages to oneself
    /// are sent, as any other.
    Hotspot {
        /// Where it is hot.
        host: u64,
        /// How much goes there besides its part of the rest.
        share: Share,
    },
    /// A share to the others of one's group alike, the rest to all outside alike. Who is alone in its group, or has
    /// nobody outside, sends all to where there is somebody.
    Local {
        /// How much stays.
        share: Share,
        /// Who is near whom.
        groups: Groups,
    },
    /// As listed.
    Listed(Matrix),
    /// Several patterns, each with its part.
    Mixed(Mixed),
    /// Several patterns one after the other and again from the first, each for its part of the cycles. Where time does
    /// not matter it is what is sent on average.
    Phases(Mixed),
    /// A pattern whose hosts send in periods, each for itself. Where time does not matter it is that pattern.
    OnOff {
        /// Who sends to whom.
        traffic: Box<Traffic>,
        /// When.
        periods: OnOff,
    },
}

/// Periods in which a host sends, and in which it does not, of random lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnOff {
    /// Cycles of a period in which it sends, on average; at least 1.
    pub on: u64,
    /// Cycles of a period in which it does not, on average; at least 1.
    pub off: u64,
}

impl Traffic {
    /// To all others alike.
    pub fn uniform(hosts: u64) -> Self {
        Traffic { name: "uniform".to_owned(), hosts, pattern: Pattern::Uniform }
    }

    /// Each host to the one that the list names.
    pub fn permutation(name: impl Into<String>, to: Vec<u64>) -> Self {
        let (name, hosts) = (name.into(), to.len() as u64);
        Traffic { name, hosts, pattern: Pattern::Permuted(Permutation::Listed(to.into())) }
    }

    /// All weights are parts of this whole: a host that sends at rate 1 sends `weight / whole` there.
    pub fn whole(&self) -> u128 {
        let others = u128::from(self.hosts.saturating_sub(1).max(1));
        match &self.pattern {
            Pattern::Uniform => others,
            Pattern::Permuted(_) => 1,
            Pattern::Hotspot { share, .. } => others * u128::from(share.whole),
            Pattern::Local { share, groups } => u128::from(share.whole) * groups.multiple(),
            Pattern::Listed(matrix) => matrix.whole(),
            Pattern::Mixed(mixed) | Pattern::Phases(mixed) => mixed.whole(),
            Pattern::OnOff { traffic, .. } => traffic.whole(),
        }
    }

    /// Visits every host to which `from` sends, ascending, with the weight of what goes there.
    pub fn for_each(&self, from: u64, visit: &mut dyn FnMut(u64, u128)) {
        let others = (0..self.hosts).filter(|&to| to != from);
        match &self.pattern {
            Pattern::Uniform => others.for_each(|to| visit(to, 1)),
            Pattern::Permuted(permutation) => {
                let to = permutation.target(from);
                if to != from {
                    visit(to, 1);
                }
            }
            Pattern::Hotspot { host, .. } if *host == from => {
                let whole = self.whole() / u128::from(self.hosts.saturating_sub(1).max(1));
                others.for_each(|to| visit(to, whole));
            }
            Pattern::Hotspot { host, share } => {
                let hot = u128::from(share.part) * u128::from(self.hosts - 1);
                let rest = u128::from(share.whole - share.part);
                for to in others {
                    let weight = if to == *host { hot + rest } else { rest };
                    if weight > 0 {
                        visit(to, weight);
                    }
                }
            }
            Pattern::Local { share, groups } => groups.for_each(from, *share, visit),
            Pattern::Listed(matrix) => matrix.row(from).iter().for_each(|&(to, w)| visit(to, w)),
            Pattern::Mixed(mixed) | Pattern::Phases(mixed) => mixed.for_each(from, visit),
            Pattern::OnOff { traffic, .. } => traffic.for_each(from, visit),
        }
    }

    /// To whom `from` sends one message, drawn with what `below` gives: a number below its argument, each as likely.
    /// `None` where it sends nothing.
    pub fn draw(&self, from: u64, below: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        match &self.pattern {
            Pattern::Uniform => other(self.hosts, from, below),
            Pattern::Permuted(permutation) => {
                Some(permutation.target(from)).filter(|&to| to != from)
            }
            Pattern::Hotspot { host, share } => {
                if *host != from && below(share.whole) < share.part {
                    return Some(*host);
                }
                other(self.hosts, from, below)
            }
            Pattern::Local { share, groups } => groups.draw(from, *share, below),
            Pattern::Listed(matrix) => matrix.draw(from, below),
            Pattern::Mixed(mixed) | Pattern::Phases(mixed) => mixed.pick(below).draw(from, below),
            Pattern::OnOff { traffic, .. } => traffic.draw(from, below),
        }
    }

    /// The same with messages to oneself, where the pattern has them: who sends to all alike is one of all, a permutation
    /// may leave a host in its place, the hot host has its share too, and a matrix may have rates from a host to itself.
    pub fn draw_any(&self, from: u64, below: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        match &self.pattern {
            Pattern::Uniform => (self.hosts > 0).then(|| below(self.hosts)),
            Pattern::Permuted(permutation) => Some(permutation.target(from)),
            Pattern::Hotspot { host, share } => match below(share.whole) < share.part {
                true => Some(*host),
                false => Some(below(self.hosts)),
            },
            Pattern::Listed(matrix) => matrix.draw_any(from, below),
            Pattern::Mixed(mixed) | Pattern::Phases(mixed) => {
                mixed.pick(below).draw_any(from, below)
            }
            Pattern::OnOff { traffic, .. } => traffic.draw_any(from, below),
            Pattern::Local { .. } => self.draw(from, below),
        }
    }

    /// After how many cycles it repeats, where it changes with time.
    pub fn period(&self) -> Option<u64> {
        match &self.pattern {
            Pattern::Phases(phases) => Some(phases.total()),
            Pattern::OnOff { traffic, .. } => traffic.period(),
            _ => None,
        }
    }

    /// When hosts send, where the pattern says that.
    pub fn periods(&self) -> Option<OnOff> {
        match &self.pattern {
            Pattern::OnOff { periods, .. } => Some(*periods),
            _ => None,
        }
    }

    /// Where each host sends, if it is one place each.
    pub fn as_permutation(&self) -> Option<&Permutation> {
        match &self.pattern {
            Pattern::Permuted(permutation) => Some(permutation),
            _ => None,
        }
    }
}

/// Any host but `from`.
fn other(hosts: u64, from: u64, below: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
    let to = (hosts > 1).then(|| below(hosts - 1))?;
    Some(to + u64::from(to >= from))
}

/// A stream of numbers below what is asked, for a seed: the same on every machine.
pub fn stream(seed: u64) -> impl FnMut(u64) -> u64 {
    let (key, mut count) = (splitmix64(seed), 0u64);
    move |below: u64| {
        // What would make low numbers likelier is drawn again.
        let whole = u64::MAX - u64::MAX % below.max(1);
        loop {
            count += 1;
            let drawn = splitmix64(key ^ splitmix64(count));
            if drawn < whole {
                return drawn % below.max(1);
            }
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it is.
    pub about: &'static str,
    make: fn(&mut read::Words<'_>) -> Result<Pattern, TrafficError>,
}

/// Every pattern. `worst` is none of them: it depends on the router.
///
/// ```
/// use nestnet_routing::traffic::TRAFFIC;
///
/// let names: Vec<&str> = TRAFFIC.iter().map(|row| row.name).collect();
/// let all = "uniform transpose bit_complement bit_reverse shuffle tornado neighbor shift permutation hotspot locality \
///            matrix mix phases onoff";
/// assert_eq!(names.join(" "), all);
/// ```
pub static TRAFFIC: &[Row] = &[
    Row {
        name: "uniform",
        usage: "uniform",
        about: "each host to all others alike",
        make: |_| Ok(Pattern::Uniform),
    },
    Row {
        name: "transpose",
        usage: "transpose",
        about: "host (i, j) of a square sends to host (j, i); the hosts are a square number",
        make: |words| words.permuted(Permutation::transpose(words.ends)),
    },
    Row {
        name: "bit_complement",
        usage: "bit_complement",
        about: "all bits turned; the hosts are a power of two, as for the next two",
        make: |words| words.permuted(Permutation::bit_complement(words.ends)),
    },
    Row {
        name: "bit_reverse",
        usage: "bit_reverse",
        about: "the bits in reverse order",
        make: |words| words.permuted(Permutation::bit_reverse(words.ends)),
    },
    Row {
        name: "shuffle",
        usage: "shuffle",
        about: "the bits rotated left by one",
        make: |words| words.permuted(Permutation::shuffle(words.ends)),
    },
    Row {
        name: "tornado",
        usage: "tornado",
        about: "each digit of side k goes ceil(k/2) - 1 on, in all dimensions",
        make: |words| Ok(Pattern::Permuted(Permutation::tornado(words.ends))),
    },
    Row {
        name: "neighbor",
        usage: "neighbor",
        about: "each digit goes one on, in all dimensions",
        make: |words| Ok(Pattern::Permuted(Permutation::neighbor(words.ends))),
    },
    Row {
        name: "shift",
        usage: "shift(s)",
        about: "host i to host i + s, round the end",
        make: |words| {
            let by = words.integer("s", None, u64::MAX)?;
            Ok(Pattern::Permuted(Permutation::Shift { hosts: words.ends.hosts, by }))
        },
    },
    Row {
        name: "permutation",
        usage: "permutation(seed)",
        about: "a permutation drawn at random",
        make: |words| {
            let seed = words.integer("seed", Some(1), u64::MAX)?;
            words.listed()?;
            Ok(Pattern::Permuted(Permutation::drawn(words.ends.hosts, seed)))
        },
    },
    Row {
        name: "hotspot",
        usage: "hotspot(share, host)",
        about: "a share to one host, the rest to all others alike; 10% to host 0 unless said; hotspot(3) sends all to host 3",
        make: |words| {
            let share = match words.is_count() {
                true => Share { part: 1, whole: 1 },
                false => words.share(Some(Share { part: 1, whole: 10 }))?,
            };
            let host = words.integer("host", Some(0), words.ends.hosts.saturating_sub(1))?;
            Ok(Pattern::Hotspot { host, share })
        },
    },
    Row {
        name: "locality",
        usage: "locality(share)",
        about: "a share to hosts that links of the innermost level join, or to neighbors where there is one level; the rest to all outside",
        make: |words| {
            let share = words.share(None)?;
            Ok(Pattern::Local { share, groups: words.groups()? })
        },
    },
    Row {
        name: "matrix",
        usage: "matrix(FILE)",
        about: "as a file says: lines `from to rate`, or a row of rates for each host",
        make: |words| Ok(Pattern::Listed(words.matrix()?)),
    },
    Row {
        name: "mix",
        usage: "mix(w*PATTERN, …)",
        about: "several of these, each with its weight, such as mix(0.8*uniform, 0.2*hotspot(3))",
        make: |words| Ok(Pattern::Mixed(words.mixed()?)),
    },
    Row {
        name: "phases",
        usage: "phases(CYCLES*PATTERN, …)",
        about: "several of these one after the other, and again from the first, such as phases(1000*uniform, 500*tornado) or phases(1000*matrix(a.txt), 1000*matrix(b.txt)); their mean where there is no time",
        make: |words| Ok(Pattern::Phases(words.phases()?)),
    },
    Row {
        name: "onoff",
        usage: "onoff(PATTERN, on, off)",
        about: "every host for itself sends and is silent for so many cycles on average, such as onoff(uniform, 20, 60); the load is that of all cycles",
        make: |words| {
            let traffic = Box::new(words.timeless()?);
            let periods = OnOff { on: words.positive("on")?, off: words.positive("off")? };
            Ok(Pattern::OnOff { traffic, periods })
        },
    },
];

#[cfg(test)]
mod tests;
