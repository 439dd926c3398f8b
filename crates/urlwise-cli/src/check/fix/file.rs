//! Files that are read as a whole and replaced at once.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::LONGEST;

/// All octets of a regular file; otherwise why not.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| error.to_string();
    let metadata = fs::symlink_metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err("not a regular file".into());
    }
    let mut text = Vec::new();
    File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut text)).map_err(failed)?;
    if text.len() as u64 > LONGEST {
        return Err(format!("longer than {} MiB", LONGEST >> 20));
    }
    Ok(text)
}

/// Replaces a file whose content is `old`: it is written beside it with the same mode and owner, and renamed. A reader of the
/// file sees the old content or the new one, and nothing in between.
pub(super) fn replace(path: &Path, old: &[u8], new: &[u8]) -> Result<(), String> {
    let failed = |error: io::Error| error.to_string();
    // A file that may not be written is not replaced either.
    drop(OpenOptions::new().write(true).open(path).map_err(failed)?);
    let metadata = fs::symlink_metadata(path).map_err(failed)?;
    let beside = beside(path)?;
    let written = write(&beside, &metadata, new).map_err(failed).and_then(|()| match read(path)? == old {
        true => fs::rename(&beside, path).map_err(failed),
        false => Err("it changed while it was read".into()),
    });
    if written.is_err() {
        // The reason is the one that counts.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A name in the same folder that only this run uses.
fn beside(path: &Path) -> Result<PathBuf, String> {
    let name = path.file_name().ok_or("it has no name")?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".urlwise-{}", std::process::id()));
    Ok(path.with_file_name(hidden))
}

fn write(path: &Path, like: &Metadata, content: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(content)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};

        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            fchown(&file, Some(like.uid()), Some(like.gid()))?;
        }
    }
    // After the owner: changing that may take bits away.
    file.set_permissions(like.permissions())?;
    file.sync_all()
}
