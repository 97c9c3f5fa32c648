//! What a study makes of its file: which points, under which names, and what becomes of their answers.

use super::*;
use nestnet_graph::measure::sweep::{Source, Sweeper, Swept, Threads};
use nestnet_graph::{Csr, Interrupted, Watch};
use nestnet_sim::{Device, DeviceCycles, Model, SimError};
use nestnet_topologies::Context;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const TEXT: &str = r#"
    specs = ["petersen", "ring( 10 )", "ring(10)"]
    seeds = [3, 1, 3]
    [measure]
    keys = ["diameter", "nodes", "average_distance"]
    [cost]
    [throughput]
    traffics = ["uniform", "worst"]
    [simulate]
    loads = { from = 0.1, to = "30%", step = 0.1 }
    faults = ["0%", "10%"]
    cycles = 50
    warmup = 20
    [saturation]
    cycles = 30
    warmup = 10
    seeds = 1
    [resilience]
    fail = ["nodes", "links"]
    faults = [0.5]
    trials = 3
"#;

fn study(text: &str) -> Study {
    Study::read(text, &Context::ALONE).unwrap()
}

#[test]
fn every_combination_is_a_point() {
    let study = study(TEXT);
    let of: Vec<(&str, u64)> =
        study.points_of().map(|(question, count)| (question.name(), count)).collect();
    let each = [
        ("measure", 2),
        ("cost", 1),
        ("throughput", 2),
        ("simulate", 12),
        ("saturation", 1),
        ("resilience", 4),
    ];
    assert_eq!(of, each.map(|(name, count)| (name, 2 * count)));
    let names: HashSet<String> = (0..study.points()).map(|at| study.point(at).name()).collect();
    assert_eq!(names.len() as u64, study.points());
    let loads: HashSet<String> = (0..study.points())
        .filter_map(|at| study.point(at).field("load").map(str::to_owned))
        .collect();
    assert_eq!(loads, ["0.1", "0.2", "0.3"].map(str::to_owned).into());
}

#[test]
fn every_router_that_simulate_takes_is_one_of_a_study() {
    for row in nestnet_analysis::routers::ROUTERS {
        for name in [row.name].iter().chain(row.aliases) {
            let text = format!(
                "specs = [\"ring(5)\"]\n[simulate]\nrouters = [\"{name}\"]\nloads = [0.1]\n"
            );
            assert_eq!(study(&text).points(), 1, "{name}");
        }
    }
}

/// A device that simulates nothing, and counts how often it was asked.
#[derive(Debug, Default)]
struct Refusing(AtomicUsize);

impl Device for Refusing {
    fn room(&self) -> Result<u64, SimError> {
        Ok(1 << 30)
    }

    fn start<'d>(&'d self, _: &Model<'_>) -> Result<Box<dyn DeviceCycles + 'd>, SimError> {
        self.0.fetch_add(1, Relaxed);
        Err(SimError::NoHosts)
    }
}

/// Searches by threads, that says of itself that it takes all memory.
#[derive(Debug, Default)]
struct Huge(AtomicUsize);

impl Sweeper for Huge {
    fn sweep(
        &self,
        csr: &Csr,
        sources: &[Source],
        targets: Option<&[u32]>,
        watch: &Watch<'_>,
    ) -> Result<Swept, Interrupted> {
        self.0.fetch_add(1, Relaxed);
        Threads.sweep(csr, sources, targets, watch)
    }

    fn bytes(&self, _: &Csr) -> u128 {
        u128::MAX
    }

    fn steps_at_once(&self) -> u128 {
        1
    }
}

/// No answer depends on where it was found: what a device cannot do threads do, and limits are those of threads.
#[test]
fn answers_do_not_depend_on_devices() {
    let text = "specs = [\"random_regular(40, 3, 1)\"]\n[measure]\nkeys = [\"average_distance\"]\n\
                [simulate]\nloads = [0.2]\ncycles = 50\nwarmup = 20\n";
    let study = study(text);
    let (simulator, sweeper) = (Refusing::default(), Huge::default());
    let devices = Devices { sweeper: &sweeper, simulator: Some(&simulator) };
    for point in (0..study.points()).map(|number| study.point(number)) {
        let found = point.answer_on(&devices, &Watch::SILENT).unwrap();
        assert_eq!(found, point.answer(&Watch::SILENT).unwrap());
        assert!(!found.is_missing(), "{}", found.json());
    }
    assert!(simulator.0.load(Relaxed) > 0 && sweeper.0.load(Relaxed) > 0);
}

/// A store outlives the program: what names a point must not change unawares.
#[test]
fn names_are_what_they_were() {
    let study = study("specs = [\"ring(5)\"]\n[cost]\n");
    let point = study.point(0);
    let asked =
        "nestnet study\nquestion cost 1\nspec ring(5)\nbytes 4294967296\nsteps 12000000000\n";
    assert_eq!(point.asked(), asked);
    assert_eq!(point.name(), "cd5ff6ff4e293b7eb9cde90173d9e0ae");
}

/// The answer of a point as a value.
fn value(point: &Point<'_>) -> serde_json::Value {
    serde_json::from_str(point.answer(&Watch::SILENT).unwrap().json()).unwrap()
}

/// No digit of a number is lost on its way into the table, and no store has another order of its keys.
#[test]
fn answers_keep_every_digit_and_their_order() {
    let study = study("specs = [\"hypercube(100)\"]\n[measure]\nkeys = [\"average_distance\"]\n");
    let point = study.point(0);
    let answer = point.answer(&Watch::SILENT).unwrap();
    let (numerator, denominator) =
        ("2535301200456458802993406410752", "50706024009129176059868128215");
    let mean = format!(
        r#""value":50.0,"numerator":{numerator},"denominator":{denominator},"how":"theorem""#
    );
    assert_eq!(answer.json(), format!(r#"{{"average_distance":{{{mean}}}}}"#));
    let mut table = Table::new();
    table.push(&point, &point.open(&point.seal(&answer)).unwrap());
    assert_eq!(table.cell(0, "measure.average_distance.numerator"), Some(numerator));
    assert_eq!(table.cell(0, "measure.average_distance.value"), Some("50.0"));
}

/// Options that are not given, or as their defaults, leave the name of a point as it is.
#[test]
fn options_of_the_simulator_and_of_the_cost_model_are_those_of_the_tables() {
    let plain = "specs = [\"ring(5)\"]\n[simulate]\nloads = [0.1]\ncycles = 50\nwarmup = 20\n";
    let asked = |more: &str| study(&format!("{plain}{more}")).point(0).asked();
    let usual = asked("");
    assert!(usual.contains("cycles 50\nwarmup 20\nvcs 4\nbuffer 8\npacket 1\nbytes"), "{usual}");
    assert_eq!(asked("routing_delay = 1\nswitching = \"wormhole\"\n"), usual);
    let slow = asked("st_delay = 9\ninput_speedup = 2\nlatency = [1, 3]\n");
    assert!(slow.contains("packet 1\nst_delay 9\ninput_speedup 2\nlatency 1, 3\n"), "{slow}");
    let latency = |more: &str| {
        let study = study(&format!("{plain}{more}"));
        value(&study.point(0))["latency"]["mean"].as_f64().unwrap()
    };
    assert!(latency("st_delay = 9\n") > latency("") + 8.0);
    let price = |more: &str| {
        let study = study(&format!("specs = [\"ring(5)\"]\n[cost]\n{more}"));
        value(&study.point(0))["price_per_host"].as_f64().unwrap()
    };
    assert!(
        price("cost_model = \"cluster\"\nnic = [5000, 1]\n") > price("cost_model = \"cluster\"\n")
    );
    for (text, said) in [
        ("[simulate]\nst_delays = 1\n", "unknown field `st_delays`, expected one of `routers`"),
        ("[simulate]\nseed = 1\n", "unknown field `seed`"),
        (
            "[simulate]\nvc_delay = 0\n",
            "line 3: vc_delay (the delay of virtual channels): expected a number from 1",
        ),
        ("[saturation]\nloads = [1]\n", "unknown field `loads`"),
        ("[cost]\ncost_model = \"chip\"\n", "line 3: a study prices racks"),
        ("[cost]\nprice = 1\n", "unknown field `price`, expected one of `cost_model`"),
    ] {
        let error = Study::read(&format!("specs = [\"ring(5)\"]\n{text}"), &Context::ALONE);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let limited = study("max_time = 2\nmax_memory = \"1GiB\"\nspecs = [\"ring(5)\"]\n[cost]\n");
    assert!(limited.point(0).asked().ends_with("bytes 1073741824\nsteps 400000000\n"));
}

#[test]
fn answers_are_the_same_again_and_say_something() {
    let study = study(TEXT);
    let mut table = Table::new();
    for number in 0..study.points() {
        let point = study.point(number);
        let answer = point.answer(&Watch::SILENT).unwrap();
        assert_eq!(point.answer(&Watch::SILENT).unwrap(), answer, "{}", point.asked());
        assert!(value(&point).as_object().is_some_and(|object| !object.is_empty()));
        // Petersen is not a product: all that can be refused here is a load with no path left.
        let json = answer.json();
        assert!(!answer.is_missing() || point.field("rate") == Some("0.1"), "{json}");
        let sealed = point.seal(&answer);
        assert_eq!(point.open(&sealed), Some(answer.clone()));
        table.push(&point, &answer);
    }
    let findings = Findings::of(&table);
    let page = findings.page("A page", "about");
    assert!(page.contains("<svg") && page.contains("ring(10)") && page.contains("class=\"pb "));
    assert!(findings.text().contains("petersen") && findings.markdown().contains("| petersen |"));
    assert_eq!(table.csv().lines().count() as u64, study.points() + 1);
}

/// No byte of a sealed answer can be lost, added or changed without being noticed.
#[test]
fn a_torn_or_edited_answer_is_noticed() {
    let study = study("specs = [\"ring(5)\"]\n[measure]\nkeys = [\"average_distance\"]\n");
    let point = study.point(0);
    let sealed = point.seal(&point.answer(&Watch::SILENT).unwrap());
    for at in 0..sealed.len() {
        assert_eq!(point.open(&sealed[..at]), None, "torn at {at}");
        let mut edited = sealed.clone();
        edited[at] ^= 1;
        assert_eq!(point.open(&edited), None, "edited at {at}");
        let mut longer = sealed.clone();
        longer.insert(at, b' ');
        assert_eq!(point.open(&longer), None, "longer at {at}");
    }
}

#[test]
fn what_was_stopped_is_no_answer() {
    let study = study(TEXT);
    let stopped = Watch { stop: &|| true, progress: &|_| () };
    assert!((0..study.points()).all(|at| study.point(at).answer(&stopped).is_err()));
}

#[test]
fn faults_have_their_line() {
    for (text, line) in [
        ("\nspecs = [\"rnig(5)\"]\n[cost]", "line 2"),
        ("specs = [\"ring(5)\"]\nseconds = -1\n[cost]", "line 2"),
        ("specs = [\"ring(5)\"]\n[simulate]\nvcs = 65\n", "line 3"),
        ("specs = [\"ring(5)\"]\n[throughput]\nrouters = [\n\"a\\nb\"]\n", "line 4"),
        ("[design]\nnodes = 9\nobjectives = [\"prize\"]\n[cost]", "did you mean `price`"),
        ("specs = [\"ring(5)\"]\n[simulate]\nloads = { from = 0, to = 1, step = 0 }\n", "line 3"),
    ] {
        let error = Study::read(text, &Context::ALONE).unwrap_err().to_string();
        assert!(error.contains(line), "{text}\n{error}");
    }
}
