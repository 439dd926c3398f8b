//! Counts the instructions and allocations of a program with valgrind's tool callgrind.
//!
//! Instructions are repeatable where times are not: the same program on the same input counts the same whatever else
//! the machine does. Allocations are counted as calls of the C library's allocator, so that those of a parser in C++
//! count as well.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::ops::Sub;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run of a program cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions executed, outside the kernel.
    pub instructions: u64,
    /// Calls that allocate: `malloc` and its kin.
    pub allocations: u64,
}

impl Sub for Counts {
    type Output = Self;

    /// What the longer of two runs cost more, which leaves out starting and ending the program.
    fn sub(self, shorter: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_sub(shorter.instructions),
            allocations: self.allocations.saturating_sub(shorter.allocations),
        }
    }
}

/// Whether valgrind is installed.
#[must_use]
pub fn is_there() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a program under callgrind; `profile` is a file that callgrind writes and this function removes.
///
/// # Errors
/// If valgrind cannot be started, if the program fails under it, or if the profile has no total.
pub fn run<A: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = A>,
    profile: &Path,
) -> io::Result<Counts> {
    let mut out_file = OsStr::new("--callgrind-out-file=").to_owned();
    out_file.push(profile);
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(out_file)
        .arg(program)
        .args(arguments)
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(io::Error::other(format!("valgrind: {}: {said}", output.status)));
    }
    let text = std::fs::read_to_string(profile)?;
    std::fs::remove_file(profile)?;
    read(&text).ok_or_else(|| io::Error::other("the profile of callgrind has no line `totals:`"))
}

/// The functions of the C library that allocate. `operator new` of C++ calls `malloc`.
const ALLOCATORS: [&str; 6] = ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "memalign"];

/// Reads a profile in callgrind's format: a name is written once as `fn=(7) malloc` and later as `fn=(7)`, and a line
/// `calls=COUNT PLACE` follows the `cfn=` line that names the callee.
fn read(profile: &str) -> Option<Counts> {
    let mut names = HashMap::new();
    let mut called = "";
    let mut counts = None;
    let mut allocations = 0;
    for line in profile.lines() {
        if let Some(count) = line.strip_prefix("totals: ") {
            counts = count.trim().parse().ok();
        } else if let Some(calls) = line.strip_prefix("calls=") {
            if names.get(called).is_some_and(|name| ALLOCATORS.contains(name)) {
                allocations += calls.split(' ').next()?.parse::<u64>().ok()?;
            }
        } else if let Some(function) = line.strip_prefix("cfn=").or_else(|| line.strip_prefix("fn=")) {
            let (id, name) = function.split_once(' ').unwrap_or((function, ""));
            if !name.is_empty() {
                names.insert(id, name);
            }
            called = id;
        }
    }
    Some(Counts { instructions: counts?, allocations })
}
