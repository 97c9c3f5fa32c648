//! Arguments that are made of a table of options: a row is a flag with its help, its default and its allowed values.

use crate::text::with_flags;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use nestnet::collective;
use nestnet::collectives::{Ask, COLLECTIVE_OPTIONS};
use nestnet::compare::{COMPARE_OPTIONS, CompareSettings};
use nestnet::design::{self, DesignSettings};
use nestnet::fault_survey::{FAULT_OPTIONS, FaultModel};
use nestnet::options::{Kind, LIMITS, LimitSettings, Setting, Usual, apply};
use nestnet::physical::floorplan::Floorplan;
use nestnet::physical::{BuiltAs, COST_OPTIONS, CostModel, CostSettings};
use nestnet::sim;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// A table that arguments are made of.
pub trait Table {
    /// What it sets.
    type Of: 'static;
    /// Its rows.
    fn rows() -> impl Iterator<Item = &'static Setting<Self::Of>> + Clone;
    /// What they start from.
    fn usual() -> Self::Of;
    /// An argument with the others that it needs and those that it cannot be given with.
    fn related(_: &str, arg: Arg) -> Arg {
        arg
    }
    /// What its rows are listed under, unless it is "Options".
    const HEADING: Option<&'static str> = None;
    /// Whether every verb has them.
    const GLOBAL: bool = false;
}

/// The options of the simulator.
pub struct Simulator;

impl Table for Simulator {
    type Of = sim::Settings;
    fn rows() -> impl Iterator<Item = &'static Setting<Self::Of>> + Clone {
        sim::OPTIONS.iter()
    }
    fn usual() -> Self::Of {
        sim::Settings::default()
    }
}

/// How networks are built.
pub struct Cost;

impl Table for Cost {
    type Of = CostSettings;
    fn rows() -> impl Iterator<Item = &'static Setting<Self::Of>> + Clone {
        COST_OPTIONS.iter()
    }
    fn usual() -> Self::Of {
        CostSettings::of(BuiltAs::Rack)
    }
    const HEADING: Option<&'static str> = Some("How it is built");
}

/// What is asked of a design.
pub struct Design;

impl Table for Design {
    type Of = DesignSettings;
    fn rows() -> impl Iterator<Item = &'static Setting<Self::Of>> + Clone {
        design::options()
    }
    fn usual() -> Self::Of {
        DesignSettings::default()
    }
    fn related(key: &str, arg: Arg) -> Arg {
        let is_in = |rows: &[Setting<DesignSettings>]| rows.iter().any(|row| row.key == key);
        match key {
            "nodes" => arg.required_unless_present("hosts"),
            "hosts" => arg.requires("radix").conflicts_with("nodes"),
            _ if key == "radix" || is_in(&design::HOST_OPTIONS) => {
                arg.requires("hosts").conflicts_with("nodes")
            }
            _ if is_in(&design::NODE_OPTIONS) => arg.conflicts_with("hosts"),
            _ => arg,
        }
    }
}

/// What is asked of a comparison.
pub struct Compare;

impl Table for Compare {
    type Of = CompareSettings;
    fn rows() -> impl Iterator<Item = &'static Setting<Self::Of>> + Clone {
        COMPARE_OPTIONS.iter()
    }
    fn usual() -> Self::Of {
        CompareSettings::default()
    }
    fn related(key: &str, arg: Arg) -> Arg {
        if key == "match_nodes" { arg.conflicts_with("match") } else { arg }
    }
}

/// How a collective is planned.
pub struct Collective;

impl Table for Collective {
    type Of = Ask;
    fn rows() -> impl Iterator<Item = &'static Setting<Self::Of>> + Clone {
        COLLECTIVE_OPTIONS.iter()
    }
    fn usual() -> Self::Of {
        Ask::of(collective::Collective::Broadcast)
    }
    fn related(key: &str, arg: Arg) -> Arg {
        if key == "bandwidth" { arg.conflicts_with("beta") } else { arg }
    }
}

/// What fails, and what is measured of the rest.
pub struct Faults;

impl Table for Faults {
    type Of = FaultModel;
    fn rows() -> impl Iterator<Item = &'static Setting<Self::Of>> + Clone {
        FAULT_OPTIONS.iter()
    }
    fn usual() -> Self::Of {
        FaultModel::default()
    }
}

/// The limits of every verb.
pub struct Limits;

impl Table for Limits {
    type Of = LimitSettings;
    fn rows() -> impl Iterator<Item = &'static Setting<Self::Of>> + Clone {
        LIMITS.iter()
    }
    fn usual() -> Self::Of {
        LimitSettings::default()
    }
    const GLOBAL: bool = true;
}

/// What was given of a table: keys and values, each as it was written.
pub struct Given<T> {
    given: Vec<(&'static str, String)>,
    table: PhantomData<fn() -> T>,
}

impl<T: Table> Given<T> {
    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter().map(|(key, value)| (*key, value.as_str()))
    }

    /// The default with what was given.
    pub fn settings(&self) -> anyhow::Result<T::Of> {
        let mut settings = T::usual();
        apply(T::rows(), &mut settings, self.iter())?;
        Ok(settings)
    }
}

impl<T: Table> clap::Args for Given<T> {
    fn augment_args(command: Command) -> Command {
        command.args(T::rows().map(argument::<T>))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: Table> FromArgMatches for Given<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = T::rows().filter(|row| {
            matches.value_source(row.key).is_some_and(|source| source != ValueSource::DefaultValue)
        });
        let value = |row: &Setting<T::Of>| match row.kind {
            Kind::Flag(_) => matches.get_flag(row.key).to_string(),
            Kind::List { .. } => {
                let names = matches.get_many::<String>(row.key).unwrap_or_default();
                names.map(String::as_str).collect::<Vec<_>>().join(",")
            }
            _ => matches.get_one::<String>(row.key).cloned().unwrap_or_default(),
        };
        let given = given.map(|row| (row.key, value(row))).collect();
        Ok(Given { given, table: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The argument of a row.
fn argument<T: Table>(row: &'static Setting<T::Of>) -> Arg {
    let about = match row.usual {
        Usual::Said(said) => format!("{} [default: {said}]", row.about),
        Usual::Value(_) | Usual::Nothing => row.about.to_owned(),
    };
    let about = with_flags(&about);
    let arg = Arg::new(row.key).long(row.flag()).help(about).global(T::GLOBAL);
    let arg = match T::HEADING {
        Some(heading) => arg.help_heading(heading),
        None => arg,
    };
    let arg = T::related(row.key, arg);
    let read = move |text: &str| row.set(&mut T::usual(), text).map(|()| text.to_owned());
    let arg = match &row.kind {
        Kind::Flag(_) => return arg.action(ArgAction::SetTrue),
        Kind::List { .. } => arg.value_delimiter(',').action(ArgAction::Append).value_parser(read),
        Kind::Names(choices) => {
            arg.value_parser(PossibleValuesParser::new(choices.iter().map(|choice| {
                match choice.about {
                    about if about.starts_with(choice.name) => PossibleValue::new(choice.name),
                    about => PossibleValue::new(choice.name).help(with_flags(about)),
                }
            })))
        }
        // A negative number is read, so that the error says which are wanted.
        _ => arg.allow_hyphen_values(true).value_parser(read),
    };
    let unit = if row.unit.is_empty() { row.key.to_uppercase() } else { row.unit.to_owned() };
    let arg = arg.value_name(unit);
    match row.usual {
        Usual::Value(value) => arg.default_value(value),
        Usual::Said(_) | Usual::Nothing => arg,
    }
}

impl<T: Table> Serialize for Given<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, T: Table> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Map::deserialize(deserializer)?;
        let mut given = Vec::new();
        for row in T::rows() {
            let text =
                read.iter().find(|(name, _)| row.is_called(name)).map(|(_, value)| text(value));
            given.extend(text.filter(|text| !text.is_empty()).map(|text| (row.key, text)));
        }
        Ok(Given { given, table: PhantomData })
    }
}

/// A value as it could be given; nothing for null.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// The options of the cost model; each has the default of the library.
#[derive(clap::Args, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CostModelOptions {
    #[command(flatten)]
    given: Given<Cost>,
}

impl CostModelOptions {
    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter()
    }

    /// What they say, checked.
    pub fn cost_model(&self) -> anyhow::Result<CostModel> {
        Ok(CostSettings::read(BuiltAs::Rack, self.given.iter())?.cost_model)
    }

    /// What they say, checked; a cluster where nothing is said.
    pub fn cost_model_for_cluster(&self) -> anyhow::Result<CostModel> {
        Ok(CostSettings::read(BuiltAs::Cluster, self.given.iter())?.cost_model)
    }

    /// The chip, where it is one, checked.
    pub fn tiles(&self) -> anyhow::Result<Option<Floorplan>> {
        Ok(CostSettings::read(BuiltAs::Rack, self.given.iter())?.tiles())
    }
}
