//! What is asked of many networks: design, compare, report, and what the papers say.

use crate::data::{Data, mean, object};
use crate::fault::Fault;
use crate::job::{Job, Kept, build, limits};
use crate::measured;
use nestnet::budget::STEPS_PER_SECOND;
use nestnet::claim::{Case, Judged, JudgedReading, Lab, Ledger, judge_all};
use nestnet::compare::{
    COLUMNS, Contender, LeftOut, Matched, Options, add_baselines, baselines, best, contender,
};
use nestnet::design::{Bounds, ClusterQuestion, Objective, Question, cluster, design as search};
use nestnet::figures::{Figures, Range};
use nestnet::measures::{Analysis, Limits, choose};
use nestnet::physical::{CostModel, Speed};
use nestnet::report::{Topic, report as page_of};
use nestnet::{BigUint, Budget, Built, Spec, Watch};
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
    sort: String,
    depth: Option<usize>,
    max_base: u64,
    families: Vec<String>,
}

#[pymethods]
impl Wanted {
    #[new]
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (*, nodes, hosts, radix, hosts_per_switch, tolerance, max_vcs, min_throughput, min_bisection, max_price, max_power, max_hops, max_degree, max_diameter, objectives, sort, depth, max_base, families))]
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
        sort: String,
        depth: Option<usize>,
        max_base: u64,
        families: Vec<String>,
    ) -> Self {
        let bounds = Bounds {
            max_vcs,
            min_throughput,
            min_bisection,
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
        }
    }
}

/// The networks that no other beats.
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
    let mut objectives = Vec::new();
    for name in &wanted.objectives {
        let one = objective(name)?;
        if !objectives.contains(&one) {
            objectives.push(one);
        }
    }
    let question = Question {
        tolerance: wanted.tolerance,
        max_degree: wanted.bounds.max_degree,
        max_diameter: wanted.bounds.max_diameter,
        max_vcs: wanted.bounds.max_vcs,
        objectives: if objectives.is_empty() { usual.objectives.clone() } else { objectives },
        sort: objective(&wanted.sort)?,
        depth: wanted.depth.unwrap_or(2),
        max_base: wanted.max_base,
        families: wanted.families.clone(),
        ..usual
    };
    let answer = search(&question, budget)?;
    let size = BigUint::from(nodes);
    let front = answer.front.iter().map(|row| {
        let mut fields = figures(&row.figures);
        fields.push(("match", row.figures.size_match(&size).into()));
        fields.push(("ties", row.ties.into()));
        fields.push(("kind", row.origin.name().into()));
        Data::Object("Candidate", fields)
    });
    let first = answer.front.first();
    let relaxed = answer.relaxed.as_ref().map(|relaxed| {
        object!(
            "Relaxed",
            max_degree = relaxed.max_degree,
            max_diameter = relaxed.max_diameter,
            tolerance = relaxed.tolerance,
        )
    });
    Ok(object!(
        "Design",
        candidates = answer.candidates,
        fitting = answer.fitting,
        front = Data::list(front),
        recommended = first.map(|row| row.figures.spec.to_string()),
        why = first.map(|_| format!("the least {} of those that nothing beats", wanted.sort)),
        relaxed = relaxed,
    ))
}

fn of_hosts(wanted: &Wanted, hosts: u64, radix: u64, budget: &Budget<'_>) -> Result<Data, Fault> {
    let question = ClusterQuestion {
        tolerance: wanted.tolerance,
        each: wanted.hosts_per_switch,
        limits: wanted.bounds,
        depth: wanted.depth.unwrap_or(1),
        max_base: wanted.max_base,
        families: wanted.families.clone(),
        ..ClusterQuestion::new(hosts, radix)
    };
    let answer = cluster(&question, budget)?;
    let front = answer.front.iter().map(|row| {
        object!(
            "ClusterCandidate",
            spec = row.spec.to_string(),
            kind = row.origin.name(),
            hosts = row.hosts,
            switches = row.switches,
            radix = row.radix,
            hosts_per_switch = row.hosts_per_switch,
            links = row.links,
            price_per_host = row.price_per_host,
            power_per_host = row.power_per_host,
            throughput = row.throughput,
            mean_hops = row.mean_hops,
            host_diameter = row.host_diameter,
            failures_survived = row.failures_survived,
            vcs = row.vcs,
        )
    });
    let recommended = answer.recommended.as_ref();
    Ok(object!(
        "Design",
        candidates = answer.candidates,
        fitting = answer.measured,
        front = Data::list(front),
        recommended = recommended.map(|(at, _)| answer.front[*at].spec.to_string()),
        why = recommended.map(|(_, why)| why.as_str()),
        relaxed = Data::None,
    ))
}

fn range(range: Option<Range>) -> Data {
    match range {
        None => Data::None,
        Some(range) => match range.exact() {
            Some(value) => value.into(),
            None => object!("Range", low = range.low, high = range.high, how = "bounds"),
        },
    }
}

fn figures(figures: &Figures) -> Vec<(&'static str, Data)> {
    let average = match (&figures.average_distance, figures.average_range()) {
        (Some(known), _) => {
            let value = mean(&known.numerator, &known.denominator);
            object!("Mean", value = value, how = known.how.to_string())
        }
        (None, bounds) => range(bounds),
    };
    vec![
        ("spec", figures.spec.to_string().into()),
        ("nodes", (&figures.nodes).into()),
        ("hosts", (&figures.hosts).into()),
        ("degree", figures.degree.into()),
        ("diameter", figures.diameter.as_ref().into()),
        ("average_distance", average),
        ("links", (&figures.links).into()),
        ("cost", figures.cost().as_ref().into()),
        ("cr", range(figures.cr())),
        ("moore_efficiency", range(figures.moore_efficiency())),
        ("vcs", figures.routing.as_ref().map(|routing| routing.vcs).into()),
        ("router", figures.routing.as_ref().map(|routing| routing.router).into()),
        ("vertex_connectivity", (&figures.connectivity).into()),
    ]
}

/// The networks of a comparison, the baselines behind those that are named.
struct Field {
    networks: Vec<Built>,
    left_out: Vec<LeftOut>,
    _kept: Kept,
}

fn field(specs: &[String], with_baselines: bool, budget: &Budget<'_>) -> Result<Field, Fault> {
    let (mut networks, mut kept) = (Vec::new(), Kept::new());
    for text in specs {
        let (built, held) = build(text, budget)?;
        networks.push(built);
        kept.extend(held);
    }
    let first = networks.first().filter(|_| with_baselines);
    let near = first.map(|first| baselines(first, Matched::Hosts, &CostModel::default(), budget));
    let make = |spec: &Spec| match build(&spec.to_string(), budget) {
        Ok((network, _)) => Ok(network),
        Err(fault) => Err(fault.message),
    };
    let left_out = near.map_or_else(Vec::new, |near| add_baselines(&mut networks, near, make));
    Ok(Field { networks, left_out, _kept: kept })
}

fn plant(name: &str) -> Result<CostModel, Fault> {
    match name {
        "rack" => Ok(CostModel::default()),
        "cluster" => Ok(CostModel::cluster(Speed::Gb400)),
        "cluster800" => Ok(CostModel::cluster(Speed::Gb800)),
        other => Err(Fault::new(format!(
            "plant must be `rack`, `cluster` or `cluster800`, not `{other}`"
        ))),
    }
}

/// Several networks in one table.
#[pyfunction]
#[pyo3(signature = (specs, match_nodes, also, samples, seed, plant_name, job))]
#[allow(clippy::too_many_arguments)]
fn compare(
    py: Python<'_>,
    specs: Vec<String>,
    match_nodes: bool,
    also: Vec<String>,
    samples: u64,
    seed: u64,
    plant_name: String,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let found = job.run(py, move |budget| {
        let plant = plant(&plant_name)?;
        let field = field(&specs, match_nodes, budget)?;
        // Each network gets its part of the time.
        let steps = budget.steps / field.networks.len().max(1) as u128 / 8;
        let within = Limits { how: None, budget: Budget { steps, ..*budget } };
        let options = Options { limits: within, plant, tiles: None, samples, seed };
        let mut rows: Vec<(Contender, Vec<(Data, Data)>)> = Vec::new();
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
            rows.push((one, more));
            (budget.watch.progress)((done + 1) as f64 / field.networks.len() as f64);
        }
        budget.check()?;
        Ok(comparison(&rows, &field.left_out))
    })?;
    found.to_python(py)
}

fn comparison(rows: &[(Contender, Vec<(Data, Data)>)], left_out: &[LeftOut]) -> Data {
    let contenders: Vec<Contender> = rows.iter().map(|(one, _)| one.clone()).collect();
    let marks: Vec<(&str, Vec<bool>)> =
        COLUMNS.iter().map(|column| (column.key, best(column, &contenders))).collect();
    let rows = rows.iter().enumerate().map(|(index, (one, more))| {
        let mut fields = figures(&one.figures);
        let sampled = one.sampled.as_ref().map(|sampled| sampled.mean);
        fields.push(("average_distance_sampled", sampled.into()));
        fields.push(("table_bytes", one.table_bytes.into()));
        fields.push(("levels", one.levels.into()));
        let bill = one.bill.as_ref().ok();
        fields.push(("price", bill.map(|bill| bill.price).into()));
        fields.push(("power", bill.map(|bill| bill.power).into()));
        fields.push(("racks", bill.map(|bill| bill.racks).into()));
        fields.push(("cable_length", bill.map(|bill| bill.length).into()));
        let won = marks.iter().filter(|(_, marks)| marks[index]).map(|(key, _)| *key);
        fields.push(("best", Data::list(won)));
        fields.push(("also", Data::Map(more.clone())));
        Data::Object("Compared", fields)
    });
    let left_out = left_out.iter().map(|one| {
        object!("LeftOut", family = one.family.as_str(), nearest = one.nearest.as_deref())
    });
    object!("Comparison", rows = Data::list(rows), left_out = Data::list(left_out))
}

/// One page about networks, as HTML.
#[pyfunction]
fn report(
    py: Python<'_>,
    specs: Vec<String>,
    with_baselines: bool,
    plant_name: String,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let found = job.run(py, move |budget| {
        let plant = plant(&plant_name)?;
        let field = field(&specs, with_baselines, budget)?;
        let named = &field.networks[..specs.len()];
        let title = match named {
            [built] => built.spec().to_string(),
            many => format!("{} networks", many.len()),
        };
        // What takes longer than a few seconds is left to other questions.
        let share = budget.steps / field.networks.len().max(1) as u128;
        let steps = share.min(4 * STEPS_PER_SECOND);
        let within = Limits { budget: Budget { steps, ..*budget }, ..limits(budget) };
        let options = Options { limits: within, plant, tiles: None, samples: 16, seed: 1 };
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
            rows.extend(judged.iter().map(|judged| claim_data(&ledger.key, judged)));
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

fn claim_data(paper: &str, judged: &Judged<'_>) -> Data {
    let readings = judged.readings.iter().map(|reading: &JudgedReading<'_>| {
        object!(
            "Reading",
            name = reading.reading.name.as_str(),
            verdict = reading.reading.verdict.to_string(),
            measured = reading.found.map(|found| found.to_string()),
            agrees = reading.agrees(),
            repair = reading.reading.repair.as_deref(),
            note = reading.reading.note.as_deref(),
            cases = Data::list(reading.cases.iter().map(case_data)),
            errors = Data::list(reading.errors.iter().map(ToString::to_string)),
        )
    });
    object!(
        "Claim",
        paper = paper,
        id = judged.claim.id.as_str(),
        where_ = judged.claim.place.as_str(),
        says = judged.claim.says.as_str(),
        verdict = judged.claim.verdict().to_string(),
        agrees = judged.agrees(),
        readings = Data::list(readings),
    )
}

fn case_data(case: &Case) -> Data {
    object!(
        "Case",
        given = case.given.as_str(),
        printed = case.printed.to_string(),
        measured = case.measured.to_string(),
        fits = format!("{:?}", case.fit).to_lowercase(),
    )
}
