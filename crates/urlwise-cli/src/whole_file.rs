//! Files that are read and written as a whole: a reader finds all of the old content or all of the new, and nothing in between.

use crate::exit::os_message;
use crate::language::said;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So much is held of a file that is only compared, in octets.
const PIECE: usize = 64 << 10;

/// All octets of a regular file that has so many at most; otherwise why not.
pub(crate) fn read(path: &Path, longest: u64) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| os_message(&error);
    if !fs::symlink_metadata(path).map_err(failed)?.is_file() {
        return Err(said!("not a regular file"));
    }
    let mut text = Vec::new();
    File::open(path).and_then(|file| file.take(longest + 1).read_to_end(&mut text)).map_err(failed)?;
    if text.len() as u64 > longest {
        return Err(said!("longer than {count} MiB", count = longest >> 20));
    }
    Ok(text)
}

/// Replaces a regular file whose content is `old`, or with `None` creates one. The mode and the owner stay. A file that may not be
/// written is not replaced, and neither is one that has changed since it was read.
pub(crate) fn replace(path: &Path, old: Option<&[u8]>, new: &[u8]) -> io::Result<()> {
    let like = match old {
        Some(_) => {
            drop(OpenOptions::new().write(true).open(path)?);
            Some(fs::symlink_metadata(path)?)
        }
        None => None,
    };
    put(path, new, like.as_ref(), || match holds(path, old)? {
        true => Ok(()),
        false => Err(io::Error::other(said!("it changed while it was read"))),
    })
}

/// Writes a file, whether it is there or not. The file is a new one, of the user who runs this.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    put(path, content, None, || Ok(()))
}

/// Whether a path is a regular file with this content, or with `None`, whether nothing is there.
fn holds(path: &Path, content: Option<&[u8]>) -> io::Result<bool> {
    let is_file = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata.is_file(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(content.is_none()),
        Err(error) => return Err(error),
    };
    let Some(mut content) = content.filter(|_| is_file) else { return Ok(false) };
    let mut file = BufReader::with_capacity(PIECE, File::open(path)?);
    loop {
        let piece = file.fill_buf()?;
        match content.strip_prefix(piece) {
            Some(rest) if !piece.is_empty() => content = rest,
            Some(rest) => return Ok(rest.is_empty()),
            None => return Ok(false),
        }
        let length = piece.len();
        file.consume(length);
    }
}

/// Writes a file beside another one, with its mode and owner, and renames it if the check passes.
fn put(path: &Path, content: &[u8], like: Option<&Metadata>, check: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let (beside, file) = create(path, like)?;
    let written = fill(file, content, like).and_then(|()| check()).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one that counts.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// How many files were made by this run.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// A name in the same folder that only this call uses. It does not grow with the name of the file, which may be as long as names can be.
fn beside(path: &Path, number: usize) -> PathBuf {
    path.with_file_name(format!("{}{number}", prefix()))
}

fn prefix() -> String {
    format!(".urlwise-{}-", process::id())
}

/// Whether a name is that of a file which this run writes and renames.
pub(crate) fn is_beside(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".urlwise-") && name.as_encoded_bytes().starts_with(prefix().as_bytes())
}

/// Makes a new file beside another one.
fn create(path: &Path, like: Option<&Metadata>) -> io::Result<(PathBuf, File)> {
    /// Files that were there before belong to someone else: to a run that was killed, for example.
    const MOST_TAKEN: usize = 100;
    if path.file_name().is_none() {
        return Err(io::Error::other(said!("it has no name")));
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if like.is_some() {
        use std::os::unix::fs::OpenOptionsExt;

        // Until it has the mode of the other one, nobody else reads it.
        options.mode(0o600);
    }
    let mut taken = 0;
    loop {
        let beside = beside(path, MADE.fetch_add(1, Ordering::Relaxed));
        match options.open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && taken < MOST_TAKEN => taken += 1,
            file => return file.map(|file| (beside, file)),
        }
    }
}

fn fill(mut file: File, content: &[u8], like: Option<&Metadata>) -> io::Result<()> {
    file.write_all(content)?;
    if let Some(like) = like {
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
    }
    file.sync_all()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// A folder of one test, and the path of a file in it.
    fn folder(test: &str) -> (PathBuf, PathBuf) {
        let folder = std::env::temp_dir().join(format!("urlwise-whole-{test}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        (folder.clone(), folder.join("file"))
    }

    /// The content of every file there, which is removed.
    fn files(folder: &Path) -> Vec<(OsString, Vec<u8>)> {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
        let mut files: Vec<_> = entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect();
        files.sort();
        fs::remove_dir_all(folder).unwrap();
        files
    }

    #[test]
    fn what_a_file_holds_is_compared_to_its_end() {
        let (folder, path) = folder("holds");
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 7] {
            let content = vec![b'a'; length];
            fs::write(&path, &content).unwrap();
            assert!(holds(&path, Some(&content)).unwrap(), "{length}");
            assert!(!holds(&path, Some(&[&content[..], b"b"].concat())).unwrap(), "{length}");
            assert!(!holds(&path, None).unwrap());
            if let Some((_, shorter)) = content.split_last() {
                assert!(!holds(&path, Some(shorter)).unwrap(), "{length}");
                assert!(!holds(&path, Some(&[shorter, b"b"].concat())).unwrap(), "{length}");
            }
        }
        files(&folder);
        assert!(holds(&path, None).unwrap() && !holds(&path, Some(b"")).unwrap());
    }

    #[test]
    fn a_file_is_replaced_with_its_mode_and_leaves_nothing_beside_it() {
        let (folder, path) = folder("mode");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
        replace(&path, Some(b"old"), b"new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o751);
        assert_eq!(files(&folder), [("file".into(), b"new".to_vec())]);
    }

    #[test]
    fn what_changed_since_it_was_read_is_left_alone() {
        for (name, now, old) in [
            ("other", Some("odd"), Some("old")),
            ("longer", Some("old!"), Some("old")),
            ("shorter", Some("ol"), Some("old")),
            ("new", Some("old"), None),
            ("gone", None, Some("old")),
        ] {
            let (folder, path) = folder(name);
            if let Some(now) = now {
                fs::write(&path, now).unwrap();
            }
            assert!(replace(&path, old.map(str::as_bytes), b"new").is_err(), "{name}");
            let expected: Vec<_> = now.map(|now| ("file".into(), now.as_bytes().to_vec())).into_iter().collect();
            assert_eq!(files(&folder), expected, "{name}");
        }
    }

    #[test]
    fn a_file_is_made_where_there_is_none() {
        let (folder, path) = folder("none");
        replace(&path, None, b"new").unwrap();
        assert_eq!(files(&folder), [("file".into(), b"new".to_vec())]);
    }

    #[test]
    fn a_link_is_not_replaced() {
        let (folder, path) = folder("link");
        let target = folder.join("target");
        fs::write(&target, "old").unwrap();
        symlink(&target, &path).unwrap();
        assert!(replace(&path, Some(b"old"), b"new").is_err());
        assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
        assert_eq!(files(&folder), [("file".into(), b"old".to_vec()), ("target".into(), b"old".to_vec())]);
    }

    #[test]
    fn files_with_the_names_that_are_needed_beside_are_not_touched() {
        let (folder, path) = folder("beside");
        let next = MADE.load(Ordering::Relaxed);
        let mut expected = Vec::new();
        for number in next..next + 50 {
            let other = beside(&path, number);
            fs::write(&other, "theirs").unwrap();
            expected.push((other.file_name().unwrap().to_owned(), b"theirs".to_vec()));
        }
        write(&path, b"new").unwrap();
        expected.push(("file".into(), b"new".to_vec()));
        expected.sort();
        assert_eq!(files(&folder), expected);
    }

    #[test]
    fn a_file_may_have_the_longest_name() {
        let (folder, _) = folder("longest");
        let name = "x".repeat(255);
        write(&folder.join(&name), b"old").unwrap();
        replace(&folder.join(&name), Some(b"old"), b"new").unwrap();
        assert_eq!(files(&folder), [(name.into(), b"new".to_vec())]);
    }

    #[test]
    fn calls_at_the_same_time_do_not_disturb_one_another() {
        let (folder, path) = folder("threads");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..20).for_each(|_| write(&path, b"new").unwrap()));
            }
        });
        assert_eq!(files(&folder), [("file".into(), b"new".to_vec())]);
    }
}
