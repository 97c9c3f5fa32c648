//! How does a text become a study? Its lists are read and counted, then its networks built.

use super::error::{Fault, StudyError};
use super::file::File;
use super::plan::Study;
use super::read::Reader;
use nestnet_graph::budget::STEPS_PER_SECOND;
use nestnet_graph::options::{LIMITS, LimitSettings, apply};
use nestnet_topologies::family::Context;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

impl Study {
    /// Reads a study and builds its networks; `context` reads files and says how far building may go.
    pub fn read(text: &str, context: &Context<'_>) -> Result<Self, StudyError> {
        let file: File = toml::from_str(text).map_err(|error| StudyError::Form(Box::new(error)))?;
        let reader = Reader { text, context };
        let seconds = reader.number("seconds", &file.seconds, 60.0, 1e-3..1e9)?;
        let gigabytes = reader.number("gigabytes", &file.gigabytes, 4.0, 1e-3..1e6)?;
        let bytes = (gigabytes * f64::from(1 << 30)).to_u64().unwrap_or(u64::MAX);
        let mut limits = LimitSettings::default();
        if let Some(size) = &file.max_memory {
            let given = [("max_memory", size.get_ref().as_str())];
            apply(&LIMITS, &mut limits, given)
                .map_err(|error| reader.at(size.span().start, Fault::Option(error)))?;
        }
        let budget = (
            limits.memory.unwrap_or(bytes),
            (seconds * 1e3).round().to_u128().unwrap_or(0) * STEPS_PER_SECOND / 1000,
        );
        let groups = reader.groups(&file)?;
        if groups.is_empty() {
            return Err(StudyError::NoQuestion);
        }
        // What is too much is refused before a network is built.
        let specs = file.specs.as_ref().map_or(0, |specs| specs.get_ref().len());
        reader.count(&groups, (specs as u128).max(1))?;
        let networks = reader.networks(&file, budget)?;
        if networks.is_empty() {
            return Err(StudyError::NoNetwork);
        }
        reader.count(&groups, networks.len() as u128)?;
        let mut study = Study {
            title: file.title.clone().unwrap_or_else(|| "A study".to_owned()),
            about: file.about.clone().unwrap_or_default(),
            networks,
            groups,
            texts: BTreeMap::new(),
            files_of_traffic: BTreeMap::new(),
            budget,
        };
        reader.check_routers(&study, &file)?;
        reader.check_traffics(&mut study, &file)?;
        Ok(study)
    }
}
