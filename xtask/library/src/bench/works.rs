//! Our side of the jobs that are more than a measure: routes, deadlock, collectives, automorphisms, eigenvalues, cuts
//! and design.

use super::input::{Input, network};
use anyhow::{Context, Result, ensure};
use nestnet::broadcasts::{self, Algorithm, broadcast};
use nestnet::design::{self, design};
use nestnet::measure::bisection::{Search, bisection, check_cut};
use nestnet::measure::spectrum::spectrum;
use nestnet::measure::symmetry::symmetry;
use nestnet::measure::{Interrupted, Watch};
use nestnet::route::deadlock::{certify, check};
use nestnet::route::{Entry, Faults, Header, Hop, survey};
use nestnet::{Budget, Built, Csr, How, Node, Router, routers};
use num_traits::ToPrimitive;
use std::sync::Arc;

/// The same hops, and nothing said of symmetry.
#[derive(Debug)]
struct Plain(Arc<dyn Router>);

impl Router for Plain {
    fn vcs(&self) -> u16 {
        self.0.vcs()
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        self.0.next(at, header)
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        self.0.fill(to, row);
    }
}

fn router(built: &Built) -> Result<Arc<dyn Router>> {
    Ok(routers::find(built, routers::default_name(built))?)
}

/// How many ordered pairs are routed, and the hops of all.
pub fn routes(given: &Input) -> Result<Vec<f64>> {
    let (network, router) = (network(&given.built)?, router(&given.built)?);
    let found = survey(&*network, &*router, &Faults::default(), &Budget::UNLIMITED)?;
    ensure!(found.arrived == found.pairs, "a route does not arrive");
    let hops: u128 = (0u128..).zip(found.histogram()).map(|(d, n)| d * u128::from(n)).sum();
    Ok(vec![found.pairs as f64, hops as f64])
}

/// Certified and checked: whether it is free, its channels and its dependencies.
pub fn deadlock(given: &Input, how: How) -> Result<Vec<f64>> {
    let (network, router) = (network(&given.built)?, router(&given.built)?);
    let router = if how == How::Symmetry { router } else { Arc::new(Plain(router)) };
    let found = certify(&*network, &*router, &Budget::UNLIMITED)?;
    ensure!(found.how == how, "it was certified by {}", found.how);
    check(&*network, &*router, &found, &Budget::UNLIMITED)?;
    let free = f64::from(u8::from(found.is_free()));
    Ok(vec![free, found.channels as f64, found.dependencies as f64])
}

/// The best broadcast from node 0, made and checked: its steps.
pub fn broadcast_steps(given: &Input) -> Result<Vec<f64>> {
    let ports = broadcasts::default_ports(&given.built);
    let found = broadcast(&given.built, Node(0), Algorithm::Best, ports, &Budget::UNLIMITED)?;
    Ok(vec![found.cost.steps as f64])
}

/// How many automorphisms there are, as a power of ten, and how many classes of nodes.
pub fn automorphisms(csr: &Csr) -> Result<Vec<f64>, Interrupted> {
    let found = symmetry(csr, &Watch::SILENT)?;
    Ok(vec![log10(&found.automorphisms.to_string()), found.nodes.count as f64])
}

/// By the first digits of a number, because it may be beyond all floats.
fn log10(digits: &str) -> f64 {
    let (first, rest) = digits.split_at(digits.len().min(17));
    first.parse::<f64>().unwrap_or(f64::NAN).log10() + rest.len() as f64
}

/// λ₂ of the Laplacian.
pub fn eigenvalue(csr: &Csr) -> Result<Vec<f64>> {
    let found = spectrum(csr, &Watch::SILENT)?.context("it has no two nodes")?;
    Ok(vec![found.lambda2.value])
}

/// The links of a bisection, by multilevel partitioning and local search alone.
pub fn cut(csr: &Csr) -> Result<Vec<f64>> {
    let search = Search { max_memory: 0, ..Search::default() };
    let found = bisection(csr, &search, &Watch::SILENT);
    let judged = check_cut(csr, &found.side).context("a side of another network")?;
    ensure!(judged.balanced && judged.links == found.high, "the parts are no bisection");
    Ok(vec![found.high as f64])
}

/// How many networks of as many nodes were judged, and how many none beats.
pub fn designs(given: &Input) -> Result<Vec<f64>> {
    let nodes = given.built.order().to_u128().context("too many nodes")?;
    let max_degree = Some(given.built.theory.degrees().max);
    let question = design::Question { max_degree, ..design::Question::new(nodes) };
    let found = design(&question, &Budget::UNLIMITED)?;
    Ok(vec![found.candidates as f64, found.front.len() as f64])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten() {
        assert_eq!(log10("1"), 0.0);
        assert_eq!(log10("120"), 120f64.log10());
        assert_eq!(log10(&format!("1{}", "0".repeat(400))), 400.0);
    }
}
