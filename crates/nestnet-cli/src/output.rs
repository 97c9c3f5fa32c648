//! Where results go that are a file of their own: whether they can is known before the work, and none is left unless it is
//! complete.

use anyhow::{Context as _, bail};
use clap::builder::{PathBufValueParser, TypedValueParser, ValueParserFactory};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::NamedTempFile;

/// How a verb ended, unless it could not answer.
pub enum Outcome {
    /// All that was asked for is there.
    Done,
    /// The answer is no.
    No,
    /// The answer is there, but a file that was asked for could not be written, and it is said why.
    Unwritten,
    /// The user stopped it.
    Interrupted,
}

/// Whether whoever reads our output has seen enough.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// How the names of files begin that are not complete.
const PREFIX: &str = ".nestnet-";

/// A file that an option names as the place of a result; the command line is refused where it cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OutputPath(PathBuf);

impl Deref for OutputPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for OutputPath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl ValueParserFactory for OutputPath {
    type Parser = OutputPathParser;

    fn value_parser() -> OutputPathParser {
        OutputPathParser
    }
}

/// Reads the name of a file, and looks whether it can be written.
#[derive(Clone, Copy, Debug)]
pub struct OutputPathParser;

impl TypedValueParser for OutputPathParser {
    type Value = OutputPath;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        value: &OsStr,
    ) -> Result<OutputPath, clap::Error> {
        let path = PathBufValueParser::new().parse_ref(command, option, value)?;
        let name = option.and_then(Arg::get_long).unwrap_or_default();
        check(&path).map_err(|error| {
            let why = format!("cannot write {} (--{name}): {error:#}\n", path.display());
            clap::Error::raw(ErrorKind::ValueValidation, why)
        })?;
        Ok(OutputPath(path))
    }
}

/// An error where a file cannot be written; nothing is changed. `-` is stdout, where that is one.
pub fn check(path: &Path) -> anyhow::Result<()> {
    if path.as_os_str() == "-" {
        return Ok(());
    }
    match fs::metadata(path) {
        found if is_device(path) => return Ok(found.map(drop)?),
        Ok(found) if found.is_dir() => bail!("it is a folder"),
        // A pipe waits for its reader.
        Ok(found) if !found.is_file() => return Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let is_folder = path.as_os_str().as_encoded_bytes().last().copied().map(char::from);
    if is_folder.is_none_or(std::path::is_separator) {
        bail!("it is no name of a file");
    }
    check_folder(&folder_of(&target(path))?)
}

/// An error where no file can be made in a folder.
pub fn check_folder(folder: &Path) -> anyhow::Result<()> {
    new_file(folder, None).with_context(|| format!("in the folder {}", folder.display()))?;
    Ok(())
}

/// Where the file is: a link is followed, so that it still is one afterwards.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The folder of a file, which must be there.
fn folder_of(path: &Path) -> anyhow::Result<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("there is no folder {}", folder.display());
    }
    Ok(folder.to_owned())
}

/// Lets `write` fill a file; where it says that it was stopped, there is no such file. One that was there is replaced, and
/// the new one may be read and written by the same people.
pub fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    // A device, a pipe or another name for stdout is not to be replaced by a file.
    if is_device(path) || fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return write(&mut File::options().append(true).open(path)?);
    }
    let path = target(path);
    let folder = folder_of(&path)?;
    remove_leftovers(&folder);
    let mut file = new_file(&folder, fs::metadata(&path).ok().as_ref())?;
    unfinished().push(file.path().to_owned());
    let complete = write(&mut Counted(&mut file));
    if let Ok(true) = complete {
        file.flush()?;
        // Once it has its name it must not be removed, and until then it must.
        let mut unfinished = unfinished();
        unfinished.retain(|unfinished| unfinished != file.path());
        file.persist(&path).map_err(|error| error.error)?;
    }
    WRITTEN.store(0, Ordering::Relaxed);
    complete
}

/// Bytes of a file that is not complete.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// How long it takes to remove what is not complete: systems give back so many bytes a second, also when they are busy.
pub fn removal_time() -> Duration {
    const BYTES_A_SECOND: f64 = 2e9;
    Duration::from_secs_f64(WRITTEN.load(Ordering::Relaxed) as f64 / BYTES_A_SECOND)
}

/// Counts bytes as written to a file that is not complete.
#[cfg(test)]
pub fn count_written(bytes: u64) {
    WRITTEN.store(bytes, Ordering::Relaxed);
}

/// Counts what is written.
struct Counted<'a>(&'a mut dyn Write);

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes)?;
        WRITTEN.fetch_add(written as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether a path names a device, also one that represents a file, as `/dev/stdout` may. Files in memory are none.
fn is_device(path: &Path) -> bool {
    path.starts_with("/dev") && !path.starts_with("/dev/shm")
}

/// Writes a file that is there whole or not at all.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = write_file(path, |out| {
        out.write_all(bytes)?;
        Ok(true)
    });
    written.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}

/// Gives a file its bytes at once, in a folder to which others may write: it is begun in `folder`, which must be on the
/// same file system.
pub fn put_file(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = new_file(folder, None)?;
    unfinished().push(file.path().to_owned());
    let wrote = file.write_all(bytes).and_then(|()| file.flush());
    let mut unfinished = unfinished();
    unfinished.retain(|unfinished| unfinished != file.path());
    wrote?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Removes what writers left that were killed. Whoever still writes holds a lock, which ends with the process.
///
/// What cannot be looked at or removed stays: it does no harm.
pub fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let file = File::options().write(true).open(entry.path());
        if file.is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Files that are being written, so that they vanish even where the process ends before they are complete.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all that is not complete: the process is about to end.
pub fn remove_unfinished() {
    for path in unfinished().drain(..) {
        // It may be gone already, or be out of reach by now.
        let _ = fs::remove_file(path);
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that vanishes unless it is given a name, locked as long as it is open; with the owner and the permissions of the
/// one that it replaces, before anything is in it.
fn new_file(folder: &Path, replaced: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file, where a temporary one would be closed to all others.
        let usual = fs::Permissions::from_mode(0o666);
        builder.permissions(replaced.map_or(usual, fs::Metadata::permissions));
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        #[cfg(unix)]
        if let Some(replaced) = replaced {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only a privileged user may give a file away; the mode goes last, since a new owner takes bits of it.
            let [owner, group] = [replaced.uid(), replaced.gid()].map(Some);
            let _ = fchown(file.as_file(), owner, group)
                .or_else(|_| fchown(file.as_file(), None, group));
            file.as_file().set_permissions(replaced.permissions())?;
        }
        // A file system without locks has leftovers.
        let locked = file.as_file().lock().is_ok();
        // Before it was locked, another run may have taken it for one.
        if !locked || file.path().exists() {
            return Ok(file);
        }
    }
}
