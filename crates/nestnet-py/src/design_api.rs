//! What is asked of many networks: design, compare, report, and what the papers say.

use crate::data::{Data, object};
use crate::fault::Fault;
use crate::job::{Job, Retained, build, limits};
use crate::measured;
use crate::options::{self, Given};
use nestnet::claim::{Lab, Ledger, judge_all, select};
use nestnet::compare::{
    CompareSettings, Contender, Field, LeftOut, Matched, Options, compared, contender,
    field as add_baselines,
};
use nestnet::design::{
    ClusterQuestion, ClusterReport, DesignQuestion, DesignReport, Question, cluster,
    design as search, recommended,
};
use nestnet::measures::{Analysis, choose};
use nestnet::physical::{BuiltAs, CostModel};
use nestnet::report::report_field;
use nestnet::{Budget, Spec, Watch};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(design, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)?;
    module.add_function(wrap_pyfunction!(report, module)?)?;
    module.add_function(wrap_pyfunction!(claims, module)?)
}

/// The networks that are Pareto-optimal.
#[pyfunction]
fn design(py: Python<'_>, given: Given, job: &Job) -> PyResult<Py<PyAny>> {
    let found = job.run(py, move |budget| match options::design(&given)? {
        DesignQuestion::Nodes(question) => of_nodes(&question, budget),
        DesignQuestion::Hosts(question) => of_hosts(&question, budget),
    })?;
    found.to_python(py)
}

fn of_nodes(question: &Question, budget: &Budget<'_>) -> Result<Data, Fault> {
    let answer = search(question, budget)?;
    let best = recommended(question, &answer);
    let simulated = best.as_ref().and_then(|best| best.row.simulated.as_ref());
    Ok(Data::of(&DesignReport { question, answer: &answer })?.with([
        ("recommended", best.as_ref().map(|best| best.row.figures.spec.to_string()).into()),
        ("why", best.map(|best| best.why).into()),
        ("relaxed", Data::of(&answer.relaxed)?),
        ("answers", Data::None),
        ("unfit", Data::None),
        ("simulated", Data::of(&simulated)?),
        ("bill", Data::None),
    ]))
}

fn of_hosts(question: &ClusterQuestion, budget: &Budget<'_>) -> Result<Data, Fault> {
    let answer = cluster(question, budget)?;
    let recommended = answer.recommended.as_ref();
    Ok(Data::of(&ClusterReport { question, answer: &answer })?.with([
        ("fitting", answer.measured.into()),
        ("recommended", recommended.map(|(at, _)| answer.front[*at].spec.to_string()).into()),
        ("why", recommended.map(|(_, why)| why.as_str()).into()),
        ("relaxed", Data::None),
    ]))
}

/// The networks of a comparison, the baselines behind those that are named, and the files that they read.
fn field(
    specs: &[String],
    by: Option<Matched>,
    cost_model: &CostModel,
    budget: &Budget<'_>,
) -> Result<(Field, Retained), Fault> {
    let (mut networks, mut kept) = (Vec::new(), Retained::new());
    for text in specs {
        let (built, held) = build(text, budget)?;
        networks.push(built);
        kept.extend(held);
    }
    let make = |spec: &Spec| match build(&spec.to_string(), budget) {
        Ok((network, _)) => Ok(network),
        Err(fault) => Err(fault.message),
    };
    Ok((add_baselines(networks, by, cost_model, budget, make), kept))
}

/// Several networks in one table.
#[pyfunction]
fn compare(py: Python<'_>, specs: Vec<String>, given: Given, job: &Job) -> PyResult<Py<PyAny>> {
    let found = job.run(py, move |budget| {
        let (asked, settings) = options::comparison(&given)?;
        let (cost_model, tiles) = (settings.cost_model, settings.tiles());
        let (field, _kept) = field(&specs, asked.by, &cost_model, budget)?;
        let CompareSettings { also, samples, seed, .. } = asked;
        let options = Options { tiles, samples, seed, ..Options::new(limits(budget), cost_model) };
        let options = options.shared_by(field.networks.len());
        let (mut contenders, mut others) = (Vec::new(), Vec::new());
        for (done, built) in field.networks.iter().enumerate() {
            budget.check()?;
            let one = contender(built, &options);
            let mut more = Vec::new();
            if !also.is_empty() {
                let subject = Analysis::new(built, options.limits);
                for question in choose(&also, &subject)? {
                    let facts = question.answer(&subject);
                    for fact in &facts {
                        more.push((fact.key.into(), measured::to_data(fact)?));
                    }
                }
            }
            contenders.push(one);
            others.push(more);
            (budget.watch.progress)((done + 1) as f64 / field.networks.len() as f64);
        }
        budget.check()?;
        comparison(&contenders, others, &field.left_out)
    })?;
    found.to_python(py)
}

fn comparison(
    contenders: &[Contender],
    others: Vec<Vec<(Data, Data)>>,
    left_out: &[LeftOut],
) -> Result<Data, Fault> {
    let mut rows = Vec::new();
    for (row, also) in compared(contenders).iter().zip(others) {
        let sampled = row.contender.sampled.as_ref().map(|sampled| sampled.mean);
        let bill = row.contender.bill.as_ref().ok();
        let figures = &row.contender.figures;
        rows.push(Data::of(row)?.with([
            // A column of numbers has it with a fraction.
            ("switches", (&figures.nodes - &figures.hosts).into()),
            ("average_distance_sampled", sampled.into()),
            ("price", bill.map(|bill| bill.price).into()),
            ("power", bill.map(|bill| bill.power).into()),
            ("racks", bill.map(|bill| bill.racks).into()),
            ("cable_length", bill.map(|bill| bill.length).into()),
            ("least_cable_length", bill.and_then(|bill| bill.least_length).into()),
            ("cable_lengths", Data::of(&bill.map(|bill| &bill.cable_lengths))?),
            ("items", Data::of(&bill.map(|bill| &bill.items))?),
            ("also", Data::Map(also)),
        ]));
    }
    Ok(object!("Comparison", rows = Data::List(rows), left_out = Data::of(left_out)?))
}

/// One page about networks, as HTML.
#[pyfunction]
fn report(
    py: Python<'_>,
    specs: Vec<String>,
    with_baselines: bool,
    options: Given,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let found = job.run(py, move |budget| {
        let settings = options::cost(&options, BuiltAs::Rack)?;
        if settings.tiles().is_some() {
            return Err(Fault::new(
                "`cost_model=chip`: a page prices racks and clusters, not chips",
            ));
        }
        let cost_model = settings.cost_model;
        let by = with_baselines.then_some(Matched::Hosts);
        let (field, _kept) = field(&specs, by, &cost_model, budget)?;
        let page = report_field(&field, specs.len(), cost_model, limits(budget), &|_| ());
        budget.check()?;
        let specs = field.networks[..specs.len()].iter().map(|built| built.spec().to_string());
        Ok(object!("Page", specs = Data::list(specs), html = page))
    })?;
    found.to_python(py)
}

/// What the papers say, measured.
#[pyfunction]
#[pyo3(signature = (paper, only, verdict, slow, job))]
fn claims(
    py: Python<'_>,
    paper: Option<String>,
    only: Vec<String>,
    verdict: Option<String>,
    slow: bool,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let found = job.run(py, move |budget| {
        let mut ledgers = match &paper {
            Some(paper) => vec![Ledger::of(paper)?],
            None => Ledger::all()?,
        };
        let verdict = verdict.as_deref().map(str::parse).transpose()?;
        select(&mut ledgers, &only, verdict)?;
        let total: usize = ledgers.iter().map(|ledger| ledger.claims.len()).sum();
        let finished = AtomicUsize::new(0);
        let watch = Watch { progress: &|_| (), ..budget.watch };
        let lab = Lab::new(Budget { watch, ..*budget });
        let done = || {
            let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
            (budget.watch.progress)(finished as f64 / total.max(1) as f64);
        };
        let mut rows = Vec::new();
        for ledger in &ledgers {
            let claims: Vec<_> = ledger.claims.iter().collect();
            let judged = judge_all(&claims, slow, &lab, &done);
            budget.check()?;
            for judged in &judged {
                rows.push(Data::of(judged)?.with([("paper", ledger.key.as_str().into())]));
            }
        }
        Ok(object!("Claims", rows = Data::List(rows)))
    })?;
    found.to_python(py)
}
