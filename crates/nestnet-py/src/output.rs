//! Results that are a file or a text of their own: whole or not at all.

use crate::fault::Fault;
use nestnet::Budget;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What fills a file or a text.
pub type Fill<'a> = dyn FnMut(&mut dyn Write) -> Result<(), Fault> + 'a;

/// The file of that name filled, or the text where there is no name.
pub fn write(
    path: Option<&str>,
    budget: &Budget<'_>,
    fill: &mut Fill<'_>,
) -> Result<Option<String>, Fault> {
    let Some(path) = path else {
        let mut text = Text { bytes: Vec::new(), most: budget.memory };
        fill(&mut text)?;
        return Ok(Some(String::from_utf8_lossy(&text.bytes).into_owned()));
    };
    write_file(Path::new(path), fill)?;
    Ok(None)
}

/// Fills a file; it has its name only once it is complete, and the permissions of one that it replaces from the beginning.
pub fn write_file(path: &Path, fill: &mut Fill<'_>) -> Result<(), Fault> {
    let failed = |error: io::Error| Fault::new(format!("cannot write {}: {error}", path.display()));
    // A link is followed, so that it still is one afterwards.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let part = beside(&target);
    let file = File::create_new(&part).map_err(failed)?;
    let kept = fs::metadata(&target).map(|replaced| replaced.permissions());
    let kept = kept.map_or(Ok(()), |permissions| file.set_permissions(permissions));
    let mut file = BufWriter::new(file);
    let written = kept.map_err(failed).and_then(|()| fill(&mut file));
    let written = written.and_then(|()| file.flush().map_err(failed));
    drop(file);
    let written = written.and_then(|()| fs::rename(&part, &target).map_err(failed));
    if written.is_err() {
        // It was begun by us, and nobody else knows it.
        let _ = fs::remove_file(&part);
    }
    written
}

/// A name in the same folder that no other call takes.
fn beside(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".nestnet-{}-{number}", std::process::id()))
}

/// A text no larger than memory allows.
struct Text {
    bytes: Vec<u8>,
    most: u64,
}

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + bytes.len()) as u64 > self.most {
            let most = self.most;
            return Err(io::Error::other(format!("the text is over the limit of {most} bytes")));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
