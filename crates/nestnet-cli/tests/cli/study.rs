//! A study loses nothing: whatever ends it, what is collected in the end is byte for byte that of an undisturbed run.

use crate::{Ended, NESTNET, nestnet};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A study of cheap points: two of each network, and four for each seed. More than 20 links, so that none is exact.
pub fn text(specs: usize, seeds: usize) -> String {
    let specs: Vec<String> =
        (0..specs).map(|n| format!("\"torus({}, {})\"", 4 + n % 5, 3 + n / 5)).collect();
    format!(
        "title = \"Cheap\"\nspecs = [{}]\nseeds = {seeds}\n\
         [measure]\nkeys = [\"diameter\", \"average_distance\", \"girth\"]\n\
         [simulate]\nloads = [0.1, 0.3]\ncycles = 800\nwarmup = 200\n\
         [resilience]\nfaults = [0.05, 0.2]\ntrials = 20\n",
        specs.join(", ")
    )
}

pub struct Sweep {
    folder: tempfile::TempDir,
}

impl Sweep {
    pub fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("sweep.toml"), text).unwrap();
        Sweep { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command of a run into that store.
    pub fn command(&self, store: &str, more: &[&str]) -> Command {
        let mut command = Command::new(NESTNET);
        command.arg("study").arg(self.path("sweep.toml")).arg("--dir").arg(self.path(store));
        command.args(more);
        command
    }

    pub fn run(&self, store: &str, more: &[&str]) -> Ended {
        self.command(store, more).output().unwrap().into()
    }

    /// The collected files of a store.
    pub fn collected(&self, store: &str) -> Vec<Vec<u8>> {
        let name = self.path(&format!("{store}-collected"));
        let mut command = Command::new(NESTNET);
        command.args(["study", "collect"]).arg(self.path("sweep.toml"));
        let ended: Ended = command
            .arg("--dir")
            .arg(self.path(store))
            .arg("-o")
            .arg(&name)
            .output()
            .unwrap()
            .into();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let file = |ending: &str| fs::read(format!("{}.{ending}", name.display())).unwrap();
        ["csv", "parquet", "html"].map(file).to_vec()
    }

    /// All answers of a store.
    pub fn answers(&self, store: &str) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.path(store)).into_iter().flatten().flatten();
        let mut all: Vec<PathBuf> = folders
            .filter(|folder| folder.path().is_dir())
            .flat_map(|folder| fs::read_dir(folder.path()).unwrap().flatten())
            .map(|file| file.path())
            .collect();
        all.sort();
        all
    }
}

/// Numbers that look random.
fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state >> 33
}

fn slow() -> bool {
    std::env::var_os("SLOW_TESTS").is_some_and(|value| value == "1")
}

/// Killed without warning at random moments, files torn and edited by hand in between.
#[test]
fn a_study_survives_kills_and_torn_files() {
    let (specs, seeds, kills) = if slow() { (20, 24, 50) } else { (10, 6, 5) };
    let sweep = Sweep::new(&text(specs, seeds));
    let points = specs * (2 + 2 * seeds + 2 * seeds);
    assert!(if slow() { points >= 1900 } else { points >= 250 });
    let ended = sweep.run("calm", &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(sweep.answers("calm").len(), points);
    let calm = sweep.collected("calm");
    let mut state = 7;
    let mut killed = 0;
    let mut torn: HashMap<PathBuf, Vec<u8>> = HashMap::new();
    for round in 0..kills * 4 {
        let mut child = sweep.command("stormy", &[]).stdout(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(splitmix64(&mut state) % 60 + 5));
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        let answers = sweep.answers("stormy");
        // What a kill leaves is whole: every file is as it was written, but for those that were torn by hand since.
        for path in &answers {
            let name = path.strip_prefix(sweep.path("stormy")).unwrap();
            let bytes = fs::read(path).unwrap();
            let whole = bytes == fs::read(sweep.path("calm").join(name)).unwrap();
            assert!(whole || torn.get(path) == Some(&bytes), "{}", path.display());
        }
        if !answers.is_empty() {
            let place = usize::try_from(splitmix64(&mut state)).unwrap() % answers.len();
            let path = &answers[place];
            let bytes = fs::read(path).unwrap();
            let edited = match round % 4 {
                0 => bytes[..bytes.len() / 2].to_vec(),
                1 => String::from_utf8(bytes).unwrap().replace("mean", "maen").into_bytes(),
                2 => Vec::new(),
                _ => [&bytes[..], b"\n"].concat(),
            };
            fs::write(path, &edited).unwrap();
            torn.insert(path.clone(), edited);
        }
        if killed >= kills {
            break;
        }
    }
    assert!(killed >= kills / 2, "only {killed} of {kills} runs were there to be killed");
    let ended = sweep.run("stormy", &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(sweep.collected("stormy") == calm, "another table");
    // Nothing is left of what was being written.
    let left = fs::read_dir(sweep.path("stormy")).unwrap().flatten();
    assert!(left.into_iter().all(|entry| entry.path().is_dir()));
    let again = sweep.run("stormy", &["--resume"]);
    assert!(again.stdout.contains(" 0 made"), "{}", again.stdout);
}

/// A disk that takes only small files, and then takes all.
#[cfg(unix)]
#[test]
fn a_study_survives_a_full_disk() {
    let sweep = Sweep::new(&text(2, 2));
    assert_eq!(sweep.run("calm", &[]).code, Some(0));
    let mut command = Command::new("sh");
    // A block is 512 bytes, as POSIX has it, or 1024; answers are mostly longer than the one or the other.
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh", NESTNET, "study"]);
    command.arg(sweep.path("sweep.toml")).arg("--dir").arg(sweep.path("full"));
    let ended: Ended = command.output().unwrap().into();
    assert_eq!(ended.code, Some(2), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("cannot write"), "{}", ended.stderr);
    for path in sweep.answers("full") {
        let name = path.strip_prefix(sweep.path("full")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), fs::read(sweep.path("calm").join(name)).unwrap());
    }
    assert_eq!(sweep.run("full", &[]).code, Some(0));
    assert!(sweep.collected("full") == sweep.collected("calm"));
}

#[test]
fn threads_and_shards_make_the_same_bytes() {
    let sweep = Sweep::new(&text(4, 2));
    for threads in ["1", "2", "8"] {
        let ended = sweep.run(threads, &["--threads", threads]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    }
    // Two at once, on one store.
    for pair in [["1/4", "3/4"], ["4/4", "2/4"]] {
        let children = pair.map(|shard| {
            let mut command = sweep.command("shards", &["--shard", shard]);
            command.stdout(Stdio::null()).spawn().unwrap()
        });
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
    }
    let first = sweep.collected("1");
    for store in ["2", "8", "shards"] {
        assert!(sweep.collected(store) == first, "{store}");
    }
}

#[test]
fn other_options_are_other_points() {
    let sweep = Sweep::new(&text(1, 1));
    assert!(sweep.run("store", &[]).stdout.contains(" 6 made"));
    fs::write(sweep.path("sweep.toml"), text(1, 1).replace("trials = 20", "trials = 21")).unwrap();
    let ended = sweep.run("store", &[]);
    assert!(ended.stdout.contains(" 2 made, 4 were there"), "{}", ended.stdout);
    let csv = String::from_utf8(sweep.collected("store")[0].clone()).unwrap();
    assert_eq!(csv.lines().count(), 7);
    let line = csv.lines().find(|line| line.contains(",resilience,")).unwrap();
    assert!(line.contains(",21,") || line.ends_with(",21"), "{line}");
}

#[test]
fn a_file_that_is_read_is_part_of_the_question() {
    let sweep = Sweep::new("");
    let links = sweep.path("links.txt");
    let spec =
        format!("specs = ['file(\"{}\")']\n[measure]\nkeys = [\"nodes\"]\n", links.display());
    fs::write(sweep.path("sweep.toml"), spec).unwrap();
    for (text, nodes) in [("0 1\n1 2\n", "3"), ("0 1\n1 2\n2 3\n", "4")] {
        fs::write(&links, text).unwrap();
        assert!(sweep.run("store", &[]).stdout.contains(" 1 made"));
        let csv = String::from_utf8(sweep.collected("store")[0].clone()).unwrap();
        assert!(csv.trim_end().ends_with(&format!(",{nodes}")), "{csv}");
    }
}

#[test]
fn what_cannot_be_studied_is_refused_with_its_line() {
    let cases = [
        (
            "specs = [\"ring(5)\"]\n[measure]\nkeys = [\"diametre\"]\n",
            "line 3: no measure `diametre`: did you mean `diameter`?",
        ),
        ("specs = [\"ring(5)\"]\n\n[measures]\nkeys = []\n", "line 3"),
        ("specs = [\"ring(5)\"]\n[simulate]\nlode = [1]\n", "unknown field `lode`"),
        ("specs = [\n\"ring(5)\",\n\"slimfly(6)\",\n]\n[cost]\n", "line 3: "),
        (
            "specs = [\"ring(5)\"]\nseeds = 1000000000000\n[simulate]\n",
            "line 2: `seed` makes it 1,000,000,000,000 points",
        ),
        (
            "specs = [\"ring(5)\"]\n[simulate]\nloads = [0.1, 1.5]\n",
            "line 3: `loads`: expected parts from 0 to 1",
        ),
        (
            "specs = [\"ring(5)\"]\n[simulate]\nrouters = [\"papr\"]\n",
            "line 3: no network of this study can use it: unknown router `papr`: did you mean `paper`?",
        ),
        ("specs = [\"ring(5)\"]\n[throughput]\ntraffics = [\"tornadoo\"]\n", "line 3: "),
        (
            "specs = [\"ring(5)\"]\n[resilience]\nfail = [\"wires\"]\n",
            "line 3: `wires` does not fail",
        ),
        ("specs = [\"ring(5)\"]\n[resilience]\ntrials = 0\n", "line 3: `trials`: 0 is not from 1"),
        ("specs = []\n[cost]\n", "names no network"),
        ("specs = [\"ring(5)\"]\nloads = []\n[simulate]\n", "line 2: `loads` is empty"),
        ("specs = [\"ring(5)\"]\n", "asks nothing"),
        ("[design]\nnodes = 20\nmax_degree = 1\ndepth = 0\n[cost]\n", "no network fits"),
    ];
    for (text, why) in cases {
        let sweep = Sweep::new(text);
        let ended = sweep.run("store", &[]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{text}");
        assert!(ended.stderr.contains(why), "{text}\n{}", ended.stderr);
        assert!(!sweep.path("store").exists(), "{text}");
    }
}

#[test]
fn what_would_be_done_is_said_and_not_done() {
    let sweep = Sweep::new(&text(2, 2));
    let ended = sweep.run("store", &["--dry-run"]);
    assert!(ended.stdout.starts_with("Cheap: 20 points of 2 networks\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("about "), "{}", ended.stdout);
    assert!(!sweep.path("store").exists());
    let script = sweep.run("store", &["--slurm=12"]).stdout;
    assert!(script.starts_with("#!/bin/sh\n") && script.contains("--array=1-12"), "{script}");
    assert!(script.contains("--shard \"$SLURM_ARRAY_TASK_ID/12\""), "{script}");
    let mut missing = Command::new(NESTNET);
    missing.args(["study", "collect"]).arg(sweep.path("sweep.toml"));
    let ended: Ended = missing.output().unwrap().into();
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("20 of 20 points are not in"), "{}", ended.stderr);
    sweep.run("store", &["--shard", "1/2"]);
    let ended: Ended =
        missing.arg("--partial").arg("--dir").arg(sweep.path("store")).output().unwrap().into();
    assert!(ended.stdout.contains("10 points, 10 missing"), "{}", ended.stdout);
}

/// Parquet has the types and the gaps of the table.
#[test]
fn parquet_says_what_csv_says() {
    let sweep = Sweep::new(&text(2, 1));
    sweep.run("store", &[]);
    let files = sweep.collected("store");
    let csv = String::from_utf8(files[0].clone()).unwrap();
    let path: &Path = &sweep.path("store-collected.parquet");
    let said = parquet_rows(path);
    // Texts with a comma are quoted in CSV; of the others every cell is there.
    let (head, rows) = csv.split_once('\n').unwrap();
    assert_eq!(said.0, head.split(',').collect::<Vec<_>>());
    assert_eq!(said.1.len(), rows.lines().count());
    for (line, row) in rows.lines().zip(&said.1) {
        let plain = line.replace("\"torus(4, 3)\"", "torus").replace("\"torus(5, 3)\"", "torus");
        let plain = plain.replace("\"diameter,average_distance\"", "keys");
        let cells: Vec<&str> = plain.split(',').collect();
        assert_eq!(cells.len(), row.len(), "{plain}");
        for (cell, value) in cells.iter().zip(row) {
            match (cell.parse::<f64>(), value.parse::<f64>()) {
                (Ok(one), Ok(other)) => assert_eq!(one, other),
                _ => assert_eq!(cell.is_empty(), value.is_empty(), "{cell} {value}"),
            }
        }
    }
}

/// The names of the columns, and all cells as texts.
pub fn parquet_rows(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names = schema.columns().iter().map(|column| column.name().to_owned()).collect();
    let cell = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    };
    let rows = reader.get_row_iter(None).unwrap();
    let rows =
        rows.map(|row| row.unwrap().get_column_iter().map(|(_, field)| cell(field)).collect());
    (names, rows.collect())
}

#[test]
fn a_design_is_studied() {
    let sweep = Sweep::new(
        "[design]\nnodes = 20\ndepth = 0\nmax_degree = 4\nlimit = 2\n[measure]\nkeys = [\"diameter\"]\n",
    );
    let ended = sweep.run("store", &["--json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("\"points\":2"), "{}", ended.stdout);
    assert_eq!(nestnet(["study"]).code, Some(2));
}
