//! Where are the answers of points? Each in a file of its own, which is there whole or not at all.

use crate::output;
use anyhow::Context as _;
use nestnet::study::{Answer, Point};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of answers; several runs may share it.
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// A folder that need not be there.
    pub fn at(folder: &Path) -> Self {
        Store { folder: folder.to_owned() }
    }

    /// A folder to write to, without what killed runs left.
    pub fn create(folder: &Path) -> anyhow::Result<Self> {
        let made = fs::create_dir_all(folder);
        made.with_context(|| format!("cannot make the folder {}", folder.display()))?;
        output::remove_leftovers(folder);
        output::check_folder(folder)?;
        Ok(Store::at(folder))
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, point: &Point<'_>) -> PathBuf {
        self.folder.join(point.stored_as())
    }

    /// The answer of a point, if it is there as it was written.
    pub fn read(&self, point: &Point<'_>) -> Option<Answer> {
        point.open(&fs::read(self.path(point)).ok()?)
    }

    /// Keeps the answer of a point.
    pub fn write(&self, point: &Point<'_>, answer: &Answer) -> anyhow::Result<()> {
        let path = self.path(point);
        let kept = path.parent().map_or(Ok(()), fs::create_dir_all);
        let kept = kept.and_then(|()| output::put_file(&self.folder, &path, &point.seal(answer)));
        kept.with_context(|| format!("cannot write {}", path.display()))
    }

    /// About how many answers are there, without a look into them.
    pub fn count(&self) -> usize {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        folders.map(|folder| fs::read_dir(folder.path()).map_or(0, Iterator::count)).sum()
    }
}
