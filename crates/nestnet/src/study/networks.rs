//! Which networks is a study about, and do they have what it names? Files are read here, once.

use super::error::{Fault, StudyError};
use super::file::{self, File, Section};
use super::plan::{Network, Study};
use super::point::hash;
use super::read::Reader;
use crate::design::{DesignError, DesignQuestion, design};
use nestnet_analysis::routers;
use nestnet_analysis::throughput::{Ask, read_traffic};
use nestnet_graph::Budget;
use nestnet_routing::flow::Split;
use nestnet_topologies::build::build_with;
use nestnet_topologies::family::Context;
use nestnet_topologies::spec::Spec;
use std::collections::BTreeMap;
use std::sync::Mutex;

impl Reader<'_> {
    pub fn networks(&self, file: &File, budget: (u64, u128)) -> Result<Vec<Network>, StudyError> {
        let mut networks: Vec<Network> = Vec::new();
        let mut add = |text: &str, at: usize| {
            self.context.budget.check()?;
            let network = self.network(text, at)?;
            if !networks.iter().any(|known| known.spec == network.spec) {
                networks.push(network);
            }
            Ok::<(), StudyError>(())
        };
        for spec in file.specs.iter().flat_map(|specs| specs.get_ref()) {
            add(spec.get_ref(), spec.span().start)?;
        }
        if let Some(design) = &file.design {
            let at = design.span().start;
            for spec in self.designed(design.get_ref(), at, budget)? {
                add(&spec, at)?;
            }
        }
        Ok(networks)
    }

    fn network(&self, text: &str, at: usize) -> Result<Network, StudyError> {
        let files = Mutex::new(Vec::new());
        let read = |path: &str| {
            let bytes = (self.context.read)(path)?;
            let entry = (path.to_owned(), hash(&bytes));
            files.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(entry);
            Ok(bytes)
        };
        let context = Context { read: &read, ..*self.context };
        let built = Spec::parse(text).and_then(|spec| build_with(&spec, text, &context));
        let built = built.map_err(|error| self.at(at, Fault::Spec(error)))?;
        let spec = built.spec().to_string();
        let mut files = files.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        files.sort_unstable();
        files.dedup();
        Ok(Network { spec, built, files })
    }

    /// The first networks of a front.
    fn designed(
        &self,
        asked: &Section<file::Design>,
        at: usize,
        (memory, steps): (u64, u128),
    ) -> Result<Vec<String>, StudyError> {
        let given = asked.options.iter().map(|given| (given.key, given.value.as_str()));
        let question =
            DesignQuestion::read(given).map_err(|error| self.at(at, Fault::DesignOption(error)))?;
        let DesignQuestion::Nodes(mut question) = question else {
            return Err(self.at(at, Fault::NoDesign));
        };
        let is_given = |key| asked.options.iter().any(|given| given.key == key);
        if is_given("objectives") && !is_given("sort") {
            question.sort = question.objectives.first().copied().unwrap_or(question.sort);
        }
        let within = Budget { memory, steps, ..self.context.budget };
        let found = match design(&question, &within) {
            Err(DesignError::Interrupted(stopped)) => return Err(stopped.into()),
            found => found.map_err(|error| self.at(at, Fault::Design(error)))?,
        };
        if found.front.is_empty() {
            return Err(self.at(at, Fault::NoDesign));
        }
        let first = found.front.iter().take(asked.limit.unwrap_or(5));
        Ok(first.map(|row| row.figures.spec.to_string()).collect())
    }

    /// An error where no network has a router of that name. That some have none is said at their points.
    pub fn check_routers(&self, study: &Study, file: &File) -> Result<(), StudyError> {
        let lists = [
            file.routers.as_ref(),
            file.throughput.as_ref().and_then(|own| own.routers.as_ref()),
            file.simulate.as_ref().and_then(|own| own.routers.as_ref()),
            file.saturation.as_ref().and_then(|own| own.routers.as_ref()),
        ];
        for router in lists.into_iter().flatten().flat_map(|list| list.get_ref()) {
            let name = router.get_ref().trim();
            // What is made of others is looked at when it is made.
            let special = name == "default" || name.contains('(') || routers::is_made(name);
            let split = Split::named(name).is_some();
            let mut all = study.networks.iter().map(|network| routers::names(&network.built));
            if !special && !split && !all.any(|names| names.iter().any(|known| known == name)) {
                let first = study.networks.first();
                let known = first.map(|network| routers::all_names(&network.built));
                let unknown = routers::unknown(name, known.unwrap_or_default());
                return Err(self.at(router.span().start, Fault::Router(unknown)));
            }
        }
        Ok(())
    }

    /// An error where no network can send so; files that traffics name are read once.
    pub fn check_traffics(&self, study: &mut Study, file: &File) -> Result<(), StudyError> {
        let lists = [
            file.traffics.as_ref(),
            file.throughput.as_ref().and_then(|own| own.traffics.as_ref()),
            file.simulate.as_ref().and_then(|own| own.traffics.as_ref()),
            file.saturation.as_ref().and_then(|own| own.traffics.as_ref()),
        ];
        for traffic in lists.into_iter().flatten().flat_map(|list| list.get_ref()) {
            let name = traffic.get_ref().trim();
            if name == "worst" {
                continue;
            }
            let texts = Mutex::new(BTreeMap::new());
            let read = |path: &str| {
                let text = (self.context.read)(path).map_err(|error| error.to_string());
                let text = text.and_then(|bytes| {
                    String::from_utf8(bytes).map_err(|_| "it is not text".to_owned())
                });
                let mut texts = texts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                texts.insert(path.to_owned(), text.clone());
                text
            };
            let mut first = None;
            let mut some = false;
            for network in &study.networks {
                self.context.budget.check()?;
                let ask = Ask { traffic: name, gap: None, file: &read, ..Ask::default() };
                match read_traffic(&network.built, &ask, &self.context.budget) {
                    Ok(_) => some = true,
                    Err(error) => first = first.or(Some(error)),
                }
            }
            if let Some(error) = first.filter(|_| !some) {
                return Err(self.at(traffic.span().start, Fault::Traffic(error)));
            }
            let texts = texts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            let sum = |text: &Result<String, String>| match text {
                Ok(text) => hash(text.as_bytes()),
                Err(error) => error.clone(),
            };
            let files = texts.iter().map(|(path, text)| (path.clone(), sum(text))).collect();
            study.files_of_traffic.insert(name.to_owned(), files);
            study.texts.extend(texts);
        }
        Ok(())
    }
}
