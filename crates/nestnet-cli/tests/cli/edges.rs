//! Writing links: complete or not at all, and quiet when nobody reads on.

use crate::{NESTNET, nestnet};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// The names in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_file_holds_what_stdout_would() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links.txt");
    for spec in ["rdn(torus(3, 3), 1)", "dual_cube(4)"] {
        // The second one replaces the first.
        let ended = nestnet(["edges", spec, "-o", path.to_str().unwrap()]);
        assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(0), "", ""));
        let links = fs::read_to_string(&path).unwrap();
        assert_eq!(links, nestnet(["edges", spec]).stdout);
        assert_eq!(names(folder.path()), ["links.txt"]);
        // Read back, it is the same network.
        let read = format!("file(\"{}\")", path.display());
        assert_eq!(nestnet(["edges", &read]).stdout, links);
    }
}

#[test]
fn a_missing_folder_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing/links.txt");
    let ended = nestnet(["edges", "ring(3)", "-o", path.to_str().unwrap()]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("there is no folder"), "{}", ended.stderr);
    assert!(names(folder.path()).is_empty());
}

#[test]
fn too_many_links_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links.txt");
    let ended = nestnet(["edges", "hypercube(60)", "-o", path.to_str().unwrap()]);
    assert_eq!(ended.code, Some(2));
    assert_eq!(
        ended.stderr,
        "error: hypercube(60) has 34,587,645,138,205,409,280 links, over the limit of 2,000,000,000: --max-links raises it\n"
    );
    assert!(names(folder.path()).is_empty());
    assert_eq!(nestnet(["edges", "ring(5)", "--max-links", "5"]).code, Some(0));
    assert_eq!(nestnet(["edges", "ring(5)", "--max-links", "4"]).code, Some(2));
}

#[test]
fn a_reader_may_stop_early() {
    for args in [["edges", "hypercube(24)"].as_slice(), &["neighbors", "star(10000000)", "0"]] {
        let mut child = Command::new(NESTNET)
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut start = [0; 4];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        let ended: crate::Ended = child.wait_with_output().unwrap().into();
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target.txt"), folder.path().join("link.txt"));
    fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    assert_eq!(nestnet(["edges", "ring(3)", "-o", link.to_str().unwrap()]).code, Some(0));
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "0 1\n0 2\n1 2\n");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_who_may_read_it() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("links.txt"), folder.path().join("link.txt"));
    std::os::unix::fs::symlink(&path, &link).unwrap();
    for (mode, name) in [(0o600, &path), (0o640, &path), (0o666, &link), (0o444, &link)] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let before = fs::metadata(&path).unwrap();
        assert_eq!(nestnet(["edges", "ring(3)", "-o", name.to_str().unwrap()]).code, Some(0));
        let after = fs::metadata(&path).unwrap();
        assert_eq!(after.mode() & 0o7777, mode, "{mode:o}");
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "0 1\n0 2\n1 2\n");
        fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links.txt");
    let mut child = Command::new(NESTNET)
        .args(["edges", "hypercube(30)", "--max-links", "100000000000", "-o"])
        .arg(&path)
        .spawn()
        .unwrap();
    let start = Instant::now();
    while names(folder.path()).is_empty() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!names(folder.path()).is_empty(), "it has begun to write");
    assert!(!path.exists(), "the file appears only when it is complete");
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(names(folder.path()).is_empty());
}
