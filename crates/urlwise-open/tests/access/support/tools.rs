//! Programs of this machine, and folders that go away.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Whether every program is installed. Where not, the test says so and is over; with `CI=true` that is a failure.
#[expect(clippy::print_stderr, reason = "the test runner keeps it and shows it beside the test's name")]
pub(crate) fn require(programs: &[&str]) -> bool {
    for program in programs {
        if find(program).is_none() {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{program} is not installed");
            eprintln!("skipped: {program} is not installed");
            return false;
        }
    }
    true
}

/// Where a program is; servers are not always on the path of a user.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
    places.map(|place| place.join(program)).find(|file| file.is_file())
}

pub(crate) fn run(program: &str, arguments: &[&str]) {
    let program = find(program).expect("it is required before");
    let output = Command::new(&program).args(arguments).stdin(Stdio::null()).output().expect("it starts");
    assert!(output.status.success(), "{program:?} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A folder of its own for one test, readable by every user, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("urlwise-open-{}-{number}", std::process::id()));
        fs::create_dir(&path).expect("a new folder");
        // gophernicus runs as nobody.
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("our folder");
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.join(name).to_str().expect("an ASCII path").to_owned()
    }

    /// Writes a file; a script can be run.
    pub(crate) fn write(&self, name: &str, octets: impl AsRef<[u8]>) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("it is inside")).expect("folders can be made");
        fs::write(&path, &octets).expect("files can be written");
        #[cfg(unix)]
        if octets.as_ref().starts_with(b"#!") {
            fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("our file");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A test that has passed does not fail because its folder cannot be removed.
        let _ = fs::remove_dir_all(&self.0);
    }
}
