//! What does the file of a study list? Each list as an axis, with the line at fault where it makes no sense.

use super::error::{Fault, StudyError};
use super::file::{File, Given, Names, Part, Parts, PartsOf, Seeds, SeedsOf};
use super::plan::{Axis, Group, MOST_POINTS, Question, Values};
use crate::physical::{BuiltAs, CostSettings};
use nestnet_analysis::fault_survey::FaultModel;
use nestnet_analysis::measures::{MEASURES, Unanswered};
use nestnet_graph::options::{OptionError, find};
use nestnet_routing::resilience::Failing;
use nestnet_sim::{Config, OPTIONS, Settings};
use nestnet_topologies::family::Context;
use num_traits::ToPrimitive;
use std::ops::Range;
use toml::Spanned;

/// Options of the simulator that every point names, in this order: the stores of older studies have them.
const NAMED: [&str; 5] = ["cycles", "warmup", "vcs", "buffer", "packet"];

/// A file under reading.
pub(super) struct Reader<'a> {
    pub text: &'a str,
    pub context: &'a Context<'a>,
}

impl Reader<'_> {
    pub fn at(&self, offset: usize, fault: Fault) -> StudyError {
        let line = self.text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1;
        StudyError::At { line, fault: Box::new(fault) }
    }

    pub fn number(
        &self,
        what: &'static str,
        given: &Option<Spanned<f64>>,
        usual: f64,
        range: Range<f64>,
    ) -> Result<f64, StudyError> {
        let Some(given) = given else { return Ok(usual) };
        let value = *given.get_ref();
        if range.contains(&value) {
            return Ok(value);
        }
        let fault = Fault::Range { what, value, low: range.start, high: range.end };
        Err(self.at(given.span().start, fault))
    }

    fn whole(
        &self,
        what: &'static str,
        given: &Option<Spanned<u64>>,
        usual: u64,
        range: Range<u64>,
    ) -> Result<(&'static str, String), StudyError> {
        let Some(given) = given else { return Ok((what, usual.to_string())) };
        let value = *given.get_ref();
        if range.contains(&value) {
            return Ok((what, value.to_string()));
        }
        let (low, high) = (range.start as f64, (range.end - 1) as f64);
        let fault = Fault::Range { what, value: value as f64, low, high };
        Err(self.at(given.span().start, fault))
    }

    /// Names, each once.
    fn names(
        &self,
        what: &'static str,
        field: &'static str,
        given: Option<&Names>,
        usual: &str,
    ) -> Result<Axis, StudyError> {
        let Some(given) = given else {
            let values = Values::Texts(vec![vec![(field, usual.to_owned())]]);
            return Ok(Axis { name: what, values, at: 0 });
        };
        let mut texts: Vec<Vec<(&'static str, String)>> = Vec::new();
        for name in given.get_ref() {
            let value = name.get_ref().trim().to_owned();
            if value.is_empty() || value.chars().any(char::is_control) {
                return Err(self.at(name.span().start, Fault::Name { name: value }));
            }
            let entry = vec![(field, value)];
            if !texts.contains(&entry) {
                texts.push(entry);
            }
        }
        self.filled(what, Values::Texts(texts), given.span().start)
    }

    fn filled(&self, what: &'static str, values: Values, at: usize) -> Result<Axis, StudyError> {
        let axis = Axis { name: what, values, at };
        if axis.len() == 0 { Err(self.at(at, Fault::Empty { what })) } else { Ok(axis) }
    }

    pub fn part(&self, what: &'static str, part: &Part, at: usize) -> Result<f64, StudyError> {
        let (value, text) = match part {
            Part::Number(value) => (Some(*value), value.to_string()),
            Part::Text(text) => {
                let percent = text.trim().strip_suffix('%').map(str::trim);
                let number = percent.unwrap_or(text.trim()).parse::<f64>().ok();
                let unit = if percent.is_some() { 100.0 } else { 1.0 };
                (number.map(|number| number / unit), format!("{text:?}"))
            }
        };
        let value = value.filter(|value| (0.0..=1.0).contains(value));
        value.ok_or_else(|| self.at(at, Fault::Part { what, value: text }))
    }

    /// Parts of a whole, each once.
    fn parts(
        &self,
        what: &'static str,
        field: &'static str,
        given: Option<&Parts>,
        usual: &[f64],
    ) -> Result<Axis, StudyError> {
        let at = given.map_or(0, |given| given.span().start);
        let mut values = Vec::new();
        match given.map(Spanned::get_ref) {
            None => values.extend(usual),
            Some(PartsOf::List(list)) => {
                for part in list {
                    values.push(self.part(what, part, at)?);
                }
            }
            Some(PartsOf::Steps(steps)) => {
                let [from, to, step] =
                    [&steps.from, &steps.to, &steps.step].map(|part| self.part(what, part, at));
                let (from, to, step) = (from?, to?, step?);
                if step < 1e-6 {
                    let fault = Fault::Range { what, value: step, low: 1e-6, high: 1.0 };
                    return Err(self.at(at, fault));
                }
                // Rounded, so that 0.1 + 0.2 is 0.3.
                let round = |value: f64| (value * 1e9).round() / 1e9;
                let count = ((to - from) / step + 1e-9).floor().to_u32().unwrap_or(0);
                values.extend((0..=count).map(|n| round(from + f64::from(n) * step)));
                values.retain(|value| *value <= to);
            }
        }
        let mut texts: Vec<Vec<(&'static str, String)>> = Vec::new();
        for value in values {
            let entry = vec![(field, value.to_string())];
            if !texts.contains(&entry) {
                texts.push(entry);
            }
        }
        self.filled(what, Values::Texts(texts), at)
    }

    fn seeds(&self, given: Option<&Seeds>) -> Result<Axis, StudyError> {
        let at = given.map_or(0, |given| given.span().start);
        let values = match given.map(Spanned::get_ref) {
            None => Values::Count(1),
            Some(SeedsOf::Count(count)) => Values::Count(*count),
            Some(SeedsOf::List(list)) => {
                let mut list = list.clone();
                list.sort_unstable();
                list.dedup();
                Values::Texts(list.iter().map(|seed| vec![("seed", seed.to_string())]).collect())
            }
        };
        self.filled("seed", values, at)
    }

    fn failing(&self, given: Option<&Names>) -> Result<Axis, StudyError> {
        for name in given.iter().flat_map(|given| given.get_ref()) {
            if Failing::named(name.get_ref().trim()).is_none() {
                let fault = Fault::Failing { name: name.get_ref().clone() };
                return Err(self.at(name.span().start, fault));
            }
        }
        self.names("fail", "fail", given, "links")
    }

    /// The options of the simulator: those that every point names, and what else differs from its default.
    fn machine(&self, given: &[Given]) -> Result<Vec<(&'static str, String)>, StudyError> {
        let mut fixed = Vec::new();
        for key in NAMED {
            let row = find(&OPTIONS, key).map_err(|error| self.at(0, Fault::Option(error)))?;
            let usual = row.default().map_or(Config::default().vcs.to_string(), str::to_owned);
            fixed.push((key, usual));
        }
        for row in &OPTIONS {
            for Given { value, at, .. } in given.iter().filter(|given| given.key == row.key) {
                let mut settings = Settings::default();
                row.set(&mut settings, value).map_err(|why| {
                    let (key, title, value) = (row.key, row.title, value.clone());
                    self.at(*at, Fault::Option(OptionError::Value { key, title, value, why }))
                })?;
                match fixed.iter_mut().find(|(key, _)| *key == row.key) {
                    Some((_, known)) => known.clone_from(value),
                    None if settings != Settings::default() => fixed.push((row.key, value.clone())),
                    None => (),
                }
            }
        }
        Ok(fixed)
    }

    /// The options of the cost model.
    fn cost(&self, given: &[Given]) -> Result<Vec<(&'static str, String)>, StudyError> {
        let at = given.first().map_or(0, |given| given.at);
        let pairs = given.iter().map(|given| (given.key, given.value.as_str()));
        let settings = CostSettings::read(BuiltAs::Rack, pairs)
            .map_err(|error| self.at(at, Fault::Cost(error)))?;
        if settings.tiles().is_some() {
            return Err(self.at(at, Fault::Chip));
        }
        Ok(given.iter().map(|given| (given.key, given.value.clone())).collect())
    }

    /// Rows of the table of measures, each with those of its keys that are asked for.
    fn measures(&self, given: &Names) -> Result<Axis, StudyError> {
        let asked: Vec<&str> = given.get_ref().iter().map(|key| key.get_ref().trim()).collect();
        for (key, spanned) in asked.iter().zip(given.get_ref()) {
            let known = MEASURES.iter().any(|row| row.name == *key || row.keys.contains(key));
            if !known {
                let rows: Vec<&str> = MEASURES.iter().map(|row| row.name).collect();
                let keys = MEASURES.iter().flat_map(|row| row.keys.iter().copied());
                let near =
                    nestnet_topologies::family::closest(key, keys.chain(rows.iter().copied()));
                let fault = Unanswered::Unknown { key: (*key).to_owned(), near, known: rows };
                return Err(self.at(spanned.span().start, Fault::Measure(fault)));
            }
        }
        let rows = MEASURES.iter().filter_map(|row| {
            let whole = asked.contains(&row.name);
            let keys = row.keys.iter().copied().filter(|key| whole || asked.contains(key));
            let keys: Vec<&str> = keys.collect();
            let entry = vec![("measure", row.name.to_owned()), ("keys", keys.join(","))];
            (!keys.is_empty()).then_some(entry)
        });
        self.filled("keys", Values::Texts(rows.collect()), given.span().start)
    }

    pub fn groups(&self, file: &File) -> Result<Vec<Group>, StudyError> {
        let mut groups = Vec::new();
        let mut ask = |question, axes, fixed| groups.push(Group { question, axes, fixed });
        if let Some(measure) = &file.measure {
            ask(Question::Measure, vec![self.measures(&measure.keys)?], Vec::new());
        }
        if let Some(own) = &file.cost {
            ask(Question::Cost, Vec::new(), self.cost(&own.options)?);
        }
        let routers = |own: &Option<Names>, usual: &str| {
            self.names("routers", "router", own.as_ref().or(file.routers.as_ref()), usual)
        };
        let traffics = |own: &Option<Names>| {
            self.names("traffics", "traffic", own.as_ref().or(file.traffics.as_ref()), "uniform")
        };
        let seeds = |own: &Option<Seeds>| self.seeds(own.as_ref().or(file.seeds.as_ref()));
        let faults = |own: &Option<Parts>, usual: &[f64]| {
            self.parts("faults", "rate", own.as_ref().or(file.faults.as_ref()), usual)
        };
        if let Some(own) = &file.throughput {
            let axes = vec![routers(&own.routers, "all_paths")?, traffics(&own.traffics)?];
            ask(Question::Throughput, axes, vec![("bounds", own.bounds.to_string())]);
        }
        if let Some(own) = &file.simulate {
            let loads = own.loads.as_ref().or(file.loads.as_ref());
            let axes = vec![
                routers(&own.routers, "default")?,
                traffics(&own.traffics)?,
                faults(&own.faults, &[0.0])?,
                self.parts("loads", "load", loads, &[0.1])?,
                seeds(&own.seeds)?,
            ];
            let fixed = self.machine(&own.options)?;
            ask(Question::Simulate, axes, fixed);
        }
        if let Some(own) = &file.saturation {
            let axes = vec![
                routers(&own.routers, "default")?,
                traffics(&own.traffics)?,
                seeds(&own.seeds)?,
            ];
            let fixed = self.machine(&own.options)?;
            ask(Question::Saturation, axes, fixed);
        }
        if let Some(own) = &file.resilience {
            let usual = FaultModel::default();
            let axes = vec![
                self.failing(own.fail.as_ref())?,
                faults(&own.faults, &usual.rates)?,
                seeds(&own.seeds)?,
            ];
            let trials = self.whole("trials", &own.trials, usual.trials, 1..1 << 40)?;
            let fixed = vec![
                trials,
                ("throughput", own.throughput.to_string()),
                ("detours", own.detours.to_string()),
            ];
            ask(Question::Resilience, axes, fixed);
        }
        Ok(groups)
    }

    /// An error where there are too many points.
    pub fn count(&self, groups: &[Group], networks: u128) -> Result<(), StudyError> {
        let mut total = 0u128;
        for group in groups {
            total = total.saturating_add(group.each().saturating_mul(networks));
            if total > MOST_POINTS.into() {
                let longest = group.axes.iter().max_by_key(|axis| axis.len());
                let (what, at) = longest.map_or(("specs", 0), |axis| (axis.name, axis.at));
                return Err(self.at(at, Fault::TooMany { what, points: total.to_string() }));
            }
        }
        Ok(())
    }
}
