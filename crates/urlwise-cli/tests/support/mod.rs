//! Trees of files for one test each, and runs of the program in them.

#![allow(dead_code, reason = "no test uses all of it")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;

/// A folder that is gone when the test ends. It holds `.git`, so that programs that search upwards take it for the root of a repository.
pub(crate) struct Tree(PathBuf);

impl Tree {
    pub(crate) fn new(name: &str) -> Tree {
        let root = std::env::temp_dir().join(format!("urlwise-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join(".git")).unwrap();
        Tree(root)
    }

    pub(crate) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.0.join(name.as_ref())
    }

    /// With a file, and the folders it stands in.
    pub(crate) fn with(self, name: impl AsRef<OsStr>, content: impl AsRef<[u8]>) -> Tree {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// The program with no standard input.
    pub(crate) fn program(&self, arguments: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"));
        program.args(arguments).current_dir(&self.0).env("LC_ALL", "C.UTF-8").env("COLUMNS", "80");
        program.env("HOME", &self.0).env_remove("CLICOLOR_FORCE").env_remove("XDG_CONFIG_HOME").stdin(Stdio::null());
        program
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.program(arguments).output().unwrap())
    }

    pub(crate) fn feed(&self, arguments: &[&str], input: impl Into<Vec<u8>>) -> Ran {
        let mut program = self.program(arguments);
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().unwrap();
        let (mut stdin, input) = (child.stdin.take().unwrap(), input.into());
        // The program may end before it has read everything.
        let writer = thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran::from(output)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    pub(crate) fn json(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}
