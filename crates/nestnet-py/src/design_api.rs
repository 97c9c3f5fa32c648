//! What is asked of many networks: design, compare, report, and what the papers say.

use crate::data::{Data, object};
use crate::fault::Fault;
use crate::job::{Job, Retained, build, limits};
use crate::measured;
use crate::options::{self, Given};
use nestnet::budget::STEPS_PER_SECOND;
use nestnet::claim::{Lab, Ledger, judge_all};
use nestnet::compare::{
    Contender, LeftOut, Matched, Options, add_baselines, baselines, compared, contender,
};
use nestnet::design::{
    Bounds, ClusterQuestion, ClusterReport, DesignReport, Objective, Question, cluster,
    design as search, recommended,
};
use nestnet::measures::{Analysis, Limits, choose};
use nestnet::physical::{BuiltAs, CostModel};
use nestnet::report::{Topic, report as page_of};
use nestnet::{Budget, Built, Spec, Watch};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Wanted>()?;
    module.add_function(wrap_pyfunction!(design, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)?;
    module.add_function(wrap_pyfunction!(report, module)?)?;
    module.add_function(wrap_pyfunction!(claims, module)?)
}

/// What a design must be.
#[pyclass(frozen, name = "Wanted", module = "nestnet._nestnet")]
#[derive(Clone, Debug)]
pub struct Wanted {
    nodes: Option<u128>,
    hosts: Option<u64>,
    radix: Option<u64>,
    hosts_per_switch: Option<u64>,
    tolerance: f64,
    bounds: Bounds,
    objectives: Vec<String>,
    sort: Option<String>,
    depth: Option<usize>,
    max_base: u64,
    families: Vec<String>,
    /// Of the table of the cost model.
    options: Given,
}

#[pymethods]
impl Wanted {
    #[new]
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (*, nodes, hosts, radix, hosts_per_switch, tolerance, max_vcs, min_throughput, min_bisection, max_price, max_power, max_hops, max_degree, max_diameter, objectives, sort, depth, max_base, families, options))]
    fn new(
        nodes: Option<u128>,
        hosts: Option<u64>,
        radix: Option<u64>,
        hosts_per_switch: Option<u64>,
        tolerance: f64,
        max_vcs: Option<u16>,
        min_throughput: Option<f64>,
        min_bisection: Option<f64>,
        max_price: Option<f64>,
        max_power: Option<f64>,
        max_hops: Option<f64>,
        max_degree: Option<u64>,
        max_diameter: Option<u64>,
        objectives: Vec<String>,
        sort: Option<String>,
        depth: Option<usize>,
        max_base: u64,
        families: Vec<String>,
        options: Given,
    ) -> Self {
        let bounds = Bounds {
            max_vcs,
            min_throughput,
            min_bisection,
            min_worst_case: None,
            max_price,
            max_power,
            max_hops,
            max_degree,
            max_diameter,
        };
        Wanted {
            nodes,
            hosts,
            radix,
            hosts_per_switch,
            tolerance,
            bounds,
            objectives,
            sort,
            depth,
            max_base,
            families,
            options,
        }
    }
}

/// The networks that are Pareto-optimal.
#[pyfunction]
fn design(py: Python<'_>, wanted: &Wanted, job: &Job) -> PyResult<Py<PyAny>> {
    let wanted = wanted.clone();
    let found = job.run(py, move |budget| match (wanted.nodes, wanted.hosts, wanted.radix) {
        (None, Some(hosts), Some(radix)) => of_hosts(&wanted, hosts, radix, budget),
        (Some(nodes), None, None) => of_nodes(&wanted, nodes, budget),
        (None, Some(_), None) => Err(Fault::new("hosts needs radix: how many ports a switch has")),
        _ => Err(Fault::new("either nodes or hosts and radix must be given")),
    })?;
    found.to_python(py)
}

fn objective(name: &str) -> Result<Objective, Fault> {
    name.parse().map_err(|error: String| Fault::new(error))
}

fn of_nodes(wanted: &Wanted, nodes: u128, budget: &Budget<'_>) -> Result<Data, Fault> {
    let usual = Question::new(nodes);
    let settings = options::cost(&wanted.options, BuiltAs::Rack)?;
    let tiles = settings.tiles();
    let mut objectives = Vec::new();
    for name in &wanted.objectives {
        let one = objective(name)?;
        if !objectives.contains(&one) {
            objectives.push(one);
        }
    }
    if objectives.is_empty() {
        objectives = match tiles {
            Some(_) => Objective::CHIP.to_vec(),
            None => usual.objectives.clone(),
        };
    }
    if let Some(of_chips) = objectives.iter().find(|one| tiles.is_none() && one.is_of_chips()) {
        return Err(Fault::new(format!("`{of_chips}` is known of chips only: plant=\"chip\"")));
    }
    let sort = match &wanted.sort {
        Some(name) => objective(name)?,
        None if tiles.is_some() => Objective::Energy,
        None => usual.sort,
    };
    let question = Question {
        tolerance: wanted.tolerance,
        max_degree: wanted.bounds.max_degree,
        max_diameter: wanted.bounds.max_diameter,
        max_vcs: wanted.bounds.max_vcs,
        objectives,
        sort,
        depth: wanted.depth.unwrap_or(2),
        max_base: wanted.max_base,
        families: wanted.families.clone(),
        cost_model: settings.cost_model,
        tiles,
        ..usual
    };
    let answer = search(&question, budget)?;
    let best = recommended(&question, &answer);
    Ok(Data::of(&DesignReport { question: &question, answer: &answer })?.with([
        ("recommended", best.as_ref().map(|best| best.row.figures.spec.to_string()).into()),
        ("why", best.map(|best| best.why).into()),
        ("relaxed", Data::of(&answer.relaxed)?),
    ]))
}

fn of_hosts(wanted: &Wanted, hosts: u64, radix: u64, budget: &Budget<'_>) -> Result<Data, Fault> {
    let question = ClusterQuestion {
        tolerance: wanted.tolerance,
        each: wanted.hosts_per_switch,
        limits: wanted.bounds,
        depth: wanted.depth.unwrap_or(1),
        max_base: wanted.max_base,
        families: wanted.families.clone(),
        cost_model: options::cost(&wanted.options, BuiltAs::Cluster)?.cost_model,
        ..ClusterQuestion::new(hosts, radix)
    };
    let answer = cluster(&question, budget)?;
    let recommended = answer.recommended.as_ref();
    Ok(Data::of(&ClusterReport { question: &question, answer: &answer })?.with([
        ("fitting", answer.measured.into()),
        ("recommended", recommended.map(|(at, _)| answer.front[*at].spec.to_string()).into()),
        ("why", recommended.map(|(_, why)| why.as_str()).into()),
        ("relaxed", Data::None),
    ]))
}

/// The networks of a comparison, the baselines behind those that are named.
struct Field {
    networks: Vec<Built>,
    left_out: Vec<LeftOut>,
    _kept: Retained,
}

fn field(
    specs: &[String],
    with_baselines: bool,
    cost_model: &CostModel,
    budget: &Budget<'_>,
) -> Result<Field, Fault> {
    let (mut networks, mut kept) = (Vec::new(), Retained::new());
    for text in specs {
        let (built, held) = build(text, budget)?;
        networks.push(built);
        kept.extend(held);
    }
    let first = networks.first().filter(|_| with_baselines);
    let near = first.map(|first| baselines(first, Matched::Hosts, cost_model, budget));
    let make = |spec: &Spec| match build(&spec.to_string(), budget) {
        Ok((network, _)) => Ok(network),
        Err(fault) => Err(fault.message),
    };
    let left_out = near.map_or_else(Vec::new, |near| add_baselines(&mut networks, near, make));
    Ok(Field { networks, left_out, _kept: kept })
}

/// Several networks in one table.
#[pyfunction]
#[pyo3(signature = (specs, match_nodes, also, samples, seed, options, job))]
#[allow(clippy::too_many_arguments)]
fn compare(
    py: Python<'_>,
    specs: Vec<String>,
    match_nodes: bool,
    also: Vec<String>,
    samples: u64,
    seed: u64,
    options: Given,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let found = job.run(py, move |budget| {
        let settings = options::cost(&options, BuiltAs::Rack)?;
        let (cost_model, tiles) = (settings.cost_model, settings.tiles());
        let field = field(&specs, match_nodes, &cost_model, budget)?;
        // Each network gets its part of the time.
        let steps = budget.steps / field.networks.len().max(1) as u128 / 8;
        let within = Limits { how: None, budget: Budget { steps, ..*budget } };
        let options = Options { limits: within, cost_model, tiles, samples, seed };
        let (mut contenders, mut others) = (Vec::new(), Vec::new());
        for (done, built) in field.networks.iter().enumerate() {
            budget.check()?;
            let one = contender(built, &options);
            let mut more = Vec::new();
            if !also.is_empty() {
                let subject = Analysis::new(built, within);
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
        rows.push(Data::of(row)?.with([
            ("average_distance_sampled", sampled.into()),
            ("price", bill.map(|bill| bill.price).into()),
            ("power", bill.map(|bill| bill.power).into()),
            ("racks", bill.map(|bill| bill.racks).into()),
            ("cable_length", bill.map(|bill| bill.length).into()),
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
            return Err(Fault::new("plant: a page prices racks and clusters, not chips"));
        }
        let cost_model = settings.cost_model;
        let field = field(&specs, with_baselines, &cost_model, budget)?;
        let named = &field.networks[..specs.len()];
        let title = match named {
            [built] => built.spec().to_string(),
            many => format!("{} networks", many.len()),
        };
        // What takes longer than a few seconds is left to other questions.
        let share = budget.steps / field.networks.len().max(1) as u128;
        let steps = share.min(4 * STEPS_PER_SECOND);
        let within = Limits { budget: Budget { steps, ..*budget }, ..limits(budget) };
        let options = Options { limits: within, cost_model, tiles: None, samples: 16, seed: 1 };
        let mut contenders = Vec::new();
        for built in &field.networks {
            budget.check()?;
            contenders.push(contender(built, &options));
        }
        let about = "What is known, measured exactly.".to_owned();
        let (networks, left_out) = (named, &field.left_out[..]);
        let (contenders, charts) = (&contenders[..], Vec::new());
        let topic = Topic { title, about, networks, contenders, left_out, charts };
        let page = page_of(&topic, within);
        budget.check()?;
        let specs = named.iter().map(|built| built.spec().to_string());
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
        for id in &only {
            let mut ids = ledgers.iter().flat_map(|ledger| &ledger.claims).map(|one| &one.id);
            if !ids.any(|known| names(id, known)) {
                let ids = ledgers.iter().flat_map(|ledger| &ledger.claims);
                let near = nestnet::family::closest(id, ids.map(|claim| claim.id.as_str()));
                let hint = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
                return Err(Fault::new(format!("no claim `{id}`{hint}")));
            }
        }
        for ledger in &mut ledgers {
            ledger.claims.retain_mut(|claim| {
                if let Some(wanted) = &verdict {
                    claim.readings.retain(|reading| reading.verdict.to_string() == *wanted);
                }
                let named = |id: &String| names(id, &claim.id);
                !claim.readings.is_empty() && (only.is_empty() || only.iter().any(named))
            });
        }
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

/// Whether `asked` is the beginning of an id, with or without its paper.
fn names(asked: &str, id: &str) -> bool {
    let short = id.split_once('.').map_or(id, |(_, short)| short);
    id.starts_with(asked) || short.starts_with(asked)
}
