//! What is given away: an archive with the program, its completions and manual, for machines without Rust.

use crate::setup::Skipped;
use crate::{cargo_path, root, target};
use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version in the names of archives.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files of the repository, and their names in the archive.
const FILES: &[(&str, &str)] = &[
    ("README.md", "README.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("docs/getting-started.md", "GETTING-STARTED.md"),
];

/// Shells, and the file that each reads.
const SHELLS: &[(&str, &str)] = &[
    ("bash", "nestnet.bash"),
    ("zsh", "_nestnet"),
    ("fish", "nestnet.fish"),
    ("powershell", "_nestnet.ps1"),
];

/// Builds the program for a target, that of this machine if none is named, and packs it into `target/dist`, with its
/// SHA-256 beside it. On Linux the target is the static one of musl, where that is installed.
pub fn dist(options: &[&str]) -> Result<Option<Skipped>> {
    let triple = match options {
        [] => usual_target()?,
        ["--target", triple] => (*triple).to_owned(),
        _ => bail!("dist takes --target TRIPLE alone, not `{}`", options.join(" ")),
    };
    let binary = build(&triple)?;
    let name = format!("nestnet-{VERSION}-{triple}");
    let folder = target()?.join("dist");
    let packed = folder.join(&name);
    // What an earlier run left is no part of this one.
    let _ = fs::remove_dir_all(&packed);
    fs::create_dir_all(packed.join("completions"))?;
    let program = packed.join(binary.file_name().context("a program has a name")?);
    copy(&binary, &program)?;
    for (from, to) in FILES {
        copy(&root().join(from), &packed.join(to))?;
    }
    let skipped = try_alone(&program, &triple)?;
    for (shell, file) in SHELLS {
        fs::write(
            packed.join("completions").join(file),
            output(&program, &["completions", shell])?,
        )?;
    }
    let manual = packed.join("man/man1");
    output(&program, &["man", "--folder", &manual.to_string_lossy()])?;
    let archive = pack(&folder, &name)?;
    eprintln!("== {}", archive.display());
    Ok(skipped)
}

/// The static target of Linux where it is installed, else that of the compiler.
fn usual_target() -> Result<String> {
    let version = Command::new("rustc").arg("-vV").output().context("cannot run rustc")?;
    let version = String::from_utf8(version.stdout)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc names no host")?;
    let Some(machine) = host.strip_suffix("-unknown-linux-gnu") else { return Ok(host.to_owned()) };
    let musl = format!("{machine}-unknown-linux-musl");
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output()?;
    let sysroot = PathBuf::from(String::from_utf8(sysroot.stdout)?.trim());
    if sysroot.join("lib/rustlib").join(&musl).is_dir() {
        return Ok(musl);
    }
    eprintln!(
        "== {musl} is not installed (`rustup target add {musl}`, and musl-gcc): \
         the program will need the C library of this machine or a later one"
    );
    Ok(host.to_owned())
}

/// Builds the program as it is released.
fn build(triple: &str) -> Result<PathBuf> {
    eprintln!("== nestnet for {triple}");
    let mut command = Command::new(cargo_path());
    command.args([
        "build",
        "--release",
        "--locked",
        "--package",
        "nestnet-cli",
        "--features",
        "full",
        "--target",
        triple,
    ]);
    command.arg("--target-dir").arg(target()?).current_dir(root());
    if !command.status().context("cannot run cargo")?.success() {
        bail!("nestnet cannot be built for {triple}");
    }
    let program = if triple.contains("windows") { "nestnet.exe" } else { "nestnet" };
    Ok(target()?.join(triple).join("release").join(program))
}

/// Whether the program answers without anything around it: no variables, and on Linux, where it is static, no files.
fn try_alone(program: &Path, triple: &str) -> Result<Option<Skipped>> {
    let mut plain = Command::new(program);
    expect_version(plain.arg("--version").env_clear(), "without variables")?;
    if !triple.ends_with("linux-musl") {
        return Ok(None);
    }
    let empty = target()?.join("dist/alone");
    // What an earlier run left is no part of this one.
    let _ = fs::remove_dir_all(&empty);
    fs::create_dir_all(&empty)?;
    copy(program, &empty.join("nestnet"))?;
    let folder = empty.to_string_lossy().into_owned();
    let jails = [vec!["chroot", &folder], vec!["unshare", "--map-root-user", "--root", &folder]];
    for jail in jails {
        let begin = |with: &[&str]| {
            let mut command = Command::new(jail[0]);
            // No variable but for where these commands are.
            let path = std::env::var_os("PATH").unwrap_or_default();
            command.args(&jail[1..]).args(with).env_clear().env("PATH", path);
            command
        };
        // A name that is not there tells whether we may: these commands end with 127 then.
        let may = begin(&["/none"]).stderr(Stdio::null()).status();
        if may.is_ok_and(|status| status.code() == Some(127)) {
            let how = "in an empty root folder";
            expect_version(&mut begin(&["/nestnet", "--version"]), how)?;
            // Work has limits, for which the machine is asked.
            expect(&mut begin(&["/nestnet", "cut", "petersen"]), how, "petersen")?;
            return Ok(None);
        }
    }
    let why = "neither chroot nor unshare may be used here";
    Ok(Some(Skipped::new("the program alone in a file system", why)))
}

fn expect_version(command: &mut Command, how: &str) -> Result<()> {
    expect(command, how, &format!("nestnet {VERSION}"))
}

/// Whether a command is done and says this first.
fn expect(command: &mut Command, how: &str, first: &str) -> Result<()> {
    let output = command.output().with_context(|| format!("the program does not run {how}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || !text.starts_with(first) {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("the program does not answer {how}: {} {text}{said}", output.status);
    }
    Ok(())
}

/// Packs a folder, and writes its SHA-256 beside the archive, as `sha256sum --check` reads it.
fn pack(folder: &Path, name: &str) -> Result<PathBuf> {
    let file = format!("{name}.tar.gz");
    let status = Command::new("tar").args(["-czf", &file, name]).current_dir(folder).status();
    if !status.context("cannot run tar")?.success() {
        bail!("tar cannot pack {name}");
    }
    let archive = folder.join(&file);
    let digest = Sha256::digest(fs::read(&archive)?);
    let mut line = digest.iter().fold(String::new(), |mut line, byte| {
        let _ = write!(line, "{byte:02x}");
        line
    });
    let _ = writeln!(line, "  {file}");
    fs::write(folder.join(format!("{file}.sha256")), line)?;
    Ok(archive)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

fn output(program: &Path, args: &[&str]) -> Result<Vec<u8>> {
    let output = Command::new(program).args(args).output()?;
    if !output.status.success() {
        bail!("nestnet {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}
