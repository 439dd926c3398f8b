//! The names that URLs of this run are being saved under, so that two of them are not saved under one name at a time (S-42).

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::lock::locked;

/// Names in use.
#[derive(Default)]
pub(super) struct TakenNames(Mutex<HashSet<PathBuf>>);

/// A name in use until it is dropped.
pub(super) struct TakenName<'n> {
    all: &'n TakenNames,
    name: PathBuf,
}

impl TakenNames {
    /// Takes a name; `None` if it is in use.
    pub(super) fn take(&self, name: &Path) -> Option<TakenName<'_>> {
        let name = name.to_path_buf();
        locked(&self.0).insert(name.clone()).then(|| TakenName { all: self, name })
    }
}

impl Drop for TakenName<'_> {
    fn drop(&mut self) {
        locked(&self.all.0).remove(&self.name);
    }
}
