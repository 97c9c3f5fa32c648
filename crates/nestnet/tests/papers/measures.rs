//! Every field of every instance that was computed independently, by each method that applies.

use nestnet::measures::{Analysis, Answer, Fact, Limits, MEASURES, Sampling};
use nestnet::{Budget, Built, How, Watch, build};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Larger instances are searched from every node only when slow tests are asked for.
const MAX_ORDER: u64 = 5000;

fn subject(built: &Built, how: Option<How>) -> Analysis<'_> {
    let budget = Budget { memory: 4 << 30, ..Budget::UNLIMITED };
    let limits = Limits { how, budget };
    Analysis::new(built, limits)
}

/// The answers of one row, by key, as the oracle writes them; what has no answer is omitted.
fn answers(subject: &Analysis<'_>, row: &str) -> BTreeMap<&'static str, Value> {
    let measure = MEASURES.iter().find(|measure| measure.name == row).expect("a row");
    let plain = |fact: &Fact| {
        let number = |text: String| text.parse::<Value>().expect("a number");
        Some(match fact.answer.as_ref().ok()? {
            Answer::Integer(value) => number(value.to_string()),
            Answer::Known(known) => number(known.exact()?.to_string()),
            Answer::Truth(truth) => Value::Bool(*truth),
            Answer::Histogram { counts, .. } => {
                Value::Array(counts.iter().map(|count| number(count.to_string())).collect())
            }
            _ => return None,
        })
    };
    let facts = (measure.find)(subject, measure.keys);
    facts.iter().filter_map(|fact| Some((fact.key, plain(fact)?))).collect()
}

/// Keys that differ from the oracle; a key that one of the two lacks is not compared.
fn differences(instance: &Value, answers: &BTreeMap<&'static str, Value>) -> Vec<String> {
    let differs = |(key, ours): (&&str, &Value)| {
        let oracle = instance.get(*key)?;
        (ours != oracle).then(|| format!("{key}: {ours}, oracle {oracle}"))
    };
    answers.iter().filter_map(differs).collect()
}

#[test]
fn distances_agree_by_every_method() {
    let slow = crate::slow();
    let mut failures = Vec::new();
    let mut methods = [0; 3];
    for instance in crate::oracle_instances() {
        let spec = instance["spec"].as_str().expect("a spec");
        let built = build(spec).unwrap_or_else(|error| panic!("{error}"));
        let order = built.network.as_ref().expect("small").order();
        for (how, taken) in
            [How::Theorem, How::Symmetry, How::Exhaustive].into_iter().zip(&mut methods)
        {
            if how == How::Exhaustive && order > MAX_ORDER && !slow {
                continue;
            }
            let answers = answers(&subject(&built, Some(how)), "distances");
            let found = answers.contains_key("distance_histogram");
            *taken += u32::from(found);
            if how == How::Exhaustive && !found {
                failures.push(format!("{spec}: no answer by exhaustive search"));
            }
            let mut differences = differences(&instance, &answers);
            if how == How::Exhaustive {
                // The diameter alone takes another way.
                let known = subject(&built, Some(how)).diameter().diameter.clone();
                let known = known.map(|known| known.exact().expect("exact").to_string());
                let oracle = instance["diameter"].as_u64().map(|diameter| diameter.to_string());
                if known != oracle {
                    differences.push(format!("diameter alone: {known:?}, oracle {oracle:?}"));
                }
            }
            failures.extend(differences.iter().map(|text| format!("{spec} by {how}: {text}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // Each method must have been walked often, or this test says little.
    assert!(methods.iter().all(|&taken| taken > 150), "{methods:?}");
}

#[test]
fn every_row_agrees() {
    let slow = crate::slow();
    let mut failures = Vec::new();
    let mut compared = BTreeMap::<&str, u32>::new();
    for instance in crate::oracle_instances() {
        let spec = instance["spec"].as_str().expect("a spec");
        let built = build(spec).unwrap_or_else(|error| panic!("{error}"));
        let order = built.network.as_ref().expect("small").order();
        let mut rows = vec!["size", "structure"];
        if order <= 700 || (slow && order <= MAX_ORDER) {
            rows.extend(["connectivity", "symmetry"]);
        }
        for row in rows {
            let answers = answers(&subject(&built, None), row);
            for key in answers.keys().filter(|key| instance.get(**key).is_some()) {
                *compared.entry(*key).or_default() += 1;
            }
            let differences = differences(&instance, &answers);
            failures.extend(differences.iter().map(|text| format!("{spec}: {text}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    for key in [
        "nodes",
        "links",
        "connected",
        "components",
        "girth",
        "vertex_connectivity",
        "edge_connectivity",
    ] {
        assert!(compared.get(key).is_some_and(|&count| count > 100), "{key}: {compared:?}");
    }
}

#[test]
fn published_mean_distances() {
    let mean = |spec: &str, how| {
        let built = build(spec).unwrap();
        let found = subject(&built, Some(how)).distances().histogram.clone();
        let (numerator, denominator) = found.expect("a histogram").0.mean().expect("pairs");
        nestnet::distances::ratio(&numerator, &denominator)
    };
    for (spec, how, expected) in [
        ("rdn(ring(5), 2)", How::Theorem, 8.881776355271),
        ("rdn(ring(5), 2)", How::Exhaustive, 8.881776355271),
        ("rsn(hypercube(4), 3)", How::Symmetry, 9.347390282566),
        ("rsn(hypercube(2), 4)", How::Symmetry, 10.688754156742),
        ("rdn(torus(5, 5), 2)", How::Theorem, 14.019204486145),
        ("rdn(torus(5, 5), 2)", How::Symmetry, 14.019204486145),
        ("rdn(torus(3, 3, 3), 2)", How::Theorem, 12.425242977406),
        ("rdn(ring(5), 3)", How::Theorem, 19.259800385196),
    ] {
        assert!((mean(spec, how) - expected).abs() < 1e-11, "{spec} by {how}");
    }
}

#[test]
fn published_eigenvalues() {
    let row = MEASURES.iter().find(|measure| measure.name == "spectrum").expect("a row");
    for (spec, lambda2, digits) in [
        ("torus(10, 10, 10)", 0.382, 3),
        ("hypercube(10)", 2.0, 6),
        ("ccc(7)", 0.1237, 4),
        ("star_graph(6)", 1.0, 6),
        ("debruijn(2, 10)", 0.162, 3),
        ("dual_cube(5)", 0.5858, 4),
        ("slimfly(19)", 19.0, 6),
        ("polarfly(31)", 26.43, 2),
        ("dragonfly(8, 4)", 2.4966, 4),
        ("dragonfly(12, 6)", 3.6197, 4),
        ("hyperx(10, 10, 10)", 10.0, 6),
        ("rsn(heawood, 2)", 0.5167, 4),
        ("rdn(heawood, 1)", 0.5167, 4),
        ("hcn(5)", 0.6561, 4),
        ("hfn(5)", 0.7639, 4),
        ("wk(4, 5)", 0.0036, 4),
        ("wk(10, 3)", 0.0756, 4),
    ] {
        let built = build(spec).unwrap();
        let facts = (row.find)(&subject(&built, None), &["lambda2"]);
        let found = facts.iter().find(|fact| fact.key == "lambda2").expect("the key");
        let Ok(Answer::Number(found)) = found.answer else { panic!("{spec}: {found:?}") };
        let half = 0.5 * 10f64.powi(-digits);
        assert!((found - lambda2).abs() <= half * 1.01, "{spec}: {found}, published {lambda2}");
    }
}

#[test]
fn bounds_by_theorem_stay_where_nothing_can_be_searched() {
    let built = build("re(torus(5, 5), torus(5, 5), 25)").unwrap();
    let known = subject(&built, None).diameter().diameter.clone().expect("bounds");
    assert!(known.low < known.high && known.how == How::Theorem);
}

/// How often a row asks whether to stop, for some of its keys, once the network is written out.
fn polls(spec: &str, row: &str, keys: &[&'static str]) -> u64 {
    let measure = MEASURES.iter().find(|measure| measure.name == row).expect("a row");
    assert!(keys.iter().all(|key| measure.keys.contains(key)), "{keys:?} of {row}");
    let count = AtomicU64::new(0);
    let stop = || {
        count.fetch_add(1, Ordering::Relaxed);
        false
    };
    let built = build(spec).unwrap();
    let mut subject = subject(&built, None);
    subject.limits.budget.watch = Watch { stop: &stop, ..Watch::SILENT };
    subject.csr().expect("it is small");
    let before = count.load(Ordering::Relaxed);
    let facts = (measure.find)(&subject, keys);
    let found: Vec<&str> = facts.iter().map(|fact| fact.key).collect();
    assert_eq!(found, keys, "{spec}");
    count.load(Ordering::Relaxed) - before
}

#[test]
fn one_key_pays_for_itself_only() {
    for (spec, row, one, other) in [
        ("rdn(ring(5), 1)", "load", "channel_load", "forwarding_index"),
        ("rdn(ring(5), 1)", "structure", "components", "girth"),
        ("sn(ring(16), 2, 0)", "connectivity", "vertex_connectivity", "edge_connectivity"),
        ("sn(ring(16), 2, 0)", "spectrum", "lambda2", "spectral_gap"),
        ("random_regular(300, 4, 1)", "quality", "links_per_node", "cost"),
    ] {
        let alone = polls(spec, row, &[one]);
        let both = polls(spec, row, &[one, other]);
        assert!(alone < both, "{spec}: {one} {alone}, with {other} {both}");
    }
    assert_eq!(polls("rdn(ring(5), 1)", "structure", &["components", "connected"]), 0);
    // What two keys share is found once.
    let both = polls(
        "sn(ring(16), 2, 0)",
        "connectivity",
        &["vertex_connectivity", "maximally_fault_tolerant"],
    );
    assert_eq!(both, polls("sn(ring(16), 2, 0)", "connectivity", &["vertex_connectivity"]));
}

#[test]
fn what_takes_too_long_is_bounded_declined_or_sampled() {
    let built = build("random_regular(3000, 4, 1)").unwrap();
    let exact = subject(&built, Some(How::Exhaustive));
    let diameter = exact.distances().diameter.clone().unwrap().low;
    let (numerator, denominator) = exact.distances().histogram.clone().unwrap().0.mean().unwrap();
    let mean = nestnet::distances::ratio(&numerator, &denominator);
    let hurried = || {
        let mut subject = subject(&built, None);
        subject.limits.budget.steps = 1_000_000;
        subject
    };
    let row = MEASURES.iter().find(|measure| measure.name == "distances").expect("a row");
    let answer = |subject: &Analysis<'_>, key: &str| {
        let facts = (row.find)(subject, row.keys);
        facts.into_iter().find(|fact| fact.key == key).expect("the key").answer
    };
    let Ok(Answer::Known(known)) = answer(&hurried(), "diameter") else { panic!("no bounds") };
    assert!(known.low <= diameter && diameter <= known.high && known.low < known.high);
    assert_eq!(known.how, How::Bounds);
    let why = answer(&hurried(), "average_distance").unwrap_err();
    assert!(why.to_string().contains("seconds"), "{why}");
    let sampling = Sampling { sources: 20, seed: 1 };
    let sampled = answer(&hurried().sampled(sampling), "average_distance");
    let Ok(Answer::Sampled(sampled)) = sampled else { panic!("{sampled:?}") };
    assert_eq!((sampled.sources, sampled.seed), (20, 1));
    assert!(
        sampled.margin > 0.0 && (sampled.mean - mean).abs() < 2.0 * sampled.margin,
        "{sampled:?} for {mean}"
    );
    assert!(answer(&hurried().sampled(sampling), "distance_histogram").is_err());
    // What is known exactly at no cost is not sampled.
    let built = build("rdn(ring(5), 2)").unwrap();
    let proven = answer(&subject(&built, None).sampled(sampling), "average_distance");
    assert!(matches!(proven, Ok(Answer::Mean { how: How::Theorem, .. })), "{proven:?}");
}
