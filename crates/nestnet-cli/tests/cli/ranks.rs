//! Ranks of MPI do the same units: the bytes are those of one process, and a rank that dies loses only what it was at.

use crate::study::{Sweep, text};
use crate::{Ended, NESTNET, nestnet};
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// `mpirun` with so many ranks of the command line that has them, where there is one.
fn mpirun(ranks: usize) -> Option<Command> {
    let this = cfg!(feature = "mpi").then(|| NESTNET.into());
    let Some(binary) = this.or_else(|| std::env::var_os("NESTNET_MPI")) else {
        println!("ranks are not tried: NESTNET_MPI names no binary with the feature `mpi`");
        return None;
    };
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()]).arg(binary);
    // Tests may run in a container whose memory is not shared as ranks would like it.
    command.env("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
    Some(command)
}

fn ended(mut command: Command) -> Ended {
    command.stdin(Stdio::null()).output().expect("it runs").into()
}

#[test]
fn ranks_make_the_same_study() {
    let sweep = Sweep::new(&text(4, 2));
    assert_eq!(sweep.run("alone", &[]).code, Some(0));
    let alone = sweep.collected("alone");
    for ranks in [1, 2, 4] {
        let Some(mut command) = mpirun(ranks) else { return };
        let store = format!("ranks-{ranks}");
        command.arg("study").arg(sweep.path("sweep.toml")).arg("--dir").arg(sweep.path(&store));
        let ended = ended(command);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        // One of them speaks.
        assert_eq!(ended.stdout.matches("40 points, 40 made").count(), 1, "{}", ended.stdout);
        assert!(sweep.collected(&store) == alone, "{ranks} ranks");
    }
}

#[test]
fn ranks_measure_the_same() {
    let args = ["measure", "random_regular(9000, 3, 1)", "--only", "distances"];
    let alone = nestnet(args);
    for ranks in [1, 2, 4] {
        let Some(mut command) = mpirun(ranks) else { return };
        command.args(args);
        let ended = ended(command);
        assert_eq!((ended.code, &ended.stdout), (Some(0), &alone.stdout), "{}", ended.stderr);
    }
    // What is not searched is not handed out, and said once.
    let Some(mut command) = mpirun(2) else { return };
    command.args(["measure", "torus(5, 5)"]);
    assert_eq!(ended(command).stdout, nestnet(["measure", "torus(5, 5)"]).stdout);
}

#[test]
fn ranks_follow_the_same_routes() {
    let commands: [(&[&str], &[usize]); 4] = [
        (&["deadlock", "random_regular(100, 4, 1)", "--order", "--json"], &[1, 2, 4]),
        (&["deadlock", "ring(9)", "--router", "valiant", "--vcs", "1"], &[2]),
        // The work of one.
        (&["deadlock", "torus(4, 4)", "--assign"], &[2]),
        (&["routing", "torus(9, 9)", "--random-faults", "0.05", "--seed", "3"], &[2]),
    ];
    for (args, all) in commands {
        let alone = nestnet(args);
        for &ranks in all {
            let Some(mut command) = mpirun(ranks) else { return };
            command.args(args);
            let ended = ended(command);
            let same = (ended.code, &ended.stdout) == (alone.code, &alone.stdout);
            assert!(same, "{args:?}\n{}{}", ended.stdout, ended.stderr);
        }
    }
}

/// The processes that another one started.
fn children(parent: u32) -> Vec<u32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |&number: &u32| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        after.split_ascii_whitespace().nth(1).and_then(|text| text.parse().ok()) == Some(parent)
    };
    numbers.filter(is_child).collect()
}

#[test]
fn a_rank_that_dies_ends_the_run_and_loses_little() {
    let sweep = Sweep::new(&text(10, 6).replace("cycles = 800", "cycles = 4000"));
    let Some(mut command) = mpirun(3) else { return };
    command.arg("study").arg(sweep.path("sweep.toml")).arg("--dir").arg(sweep.path("store"));
    let mut run =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut there = 0;
    for _ in 0..1000 {
        sleep(Duration::from_millis(10));
        there = sweep.answers("store").len();
        if there > 3 {
            break;
        }
    }
    assert!(there > 3, "nothing is made");
    let ranks = children(run.id());
    let last = ranks.iter().max().expect("a rank");
    assert!(Command::new("kill").args(["-KILL", &last.to_string()]).status().unwrap().success());
    assert!(!run.wait().unwrap().success());
    let kept = sweep.answers("store").len();
    assert!(kept >= there && kept < 260, "{kept}");
    let ended = sweep.run("store", &[]);
    assert!(ended.stdout.contains(&format!("{kept} were there")), "{kept}: {}", ended.stdout);
}
