//! Files and folders that are named more than once: each file is read once, however it is reached.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::DirEntry;

/// The paths that are named, through all links. A folder above one of them does without it, since it is read by itself.
#[derive(Default)]
pub(super) struct Named {
    paths: HashSet<PathBuf>,
    /// Their last names: few entries have one of these, and all others are told from them without a look at the disk.
    names: HashSet<OsString>,
}

impl Named {
    /// The paths without those that an earlier one names too. What cannot be found stays, to be reported.
    pub(super) fn distinct(paths: &[PathBuf]) -> (Vec<PathBuf>, Named) {
        let mut named = Named::default();
        if paths.len() < 2 {
            return (paths.to_vec(), named);
        }
        let is_new = |path: &&PathBuf| {
            // Standard input is no path.
            if path.as_path() == Path::new("-") {
                return true;
            }
            let Ok(path) = fs::canonicalize(path) else { return true };
            named.names.extend(path.file_name().map(OsString::from));
            named.paths.insert(path)
        };
        (paths.iter().filter(is_new).cloned().collect(), named)
    }

    /// Whether an entry of a folder is named, too.
    pub(super) fn has(&self, entry: &DirEntry) -> bool {
        self.names.contains(entry.file_name())
            && fs::canonicalize(entry.path()).is_ok_and(|path| self.paths.contains(&path))
    }
}
