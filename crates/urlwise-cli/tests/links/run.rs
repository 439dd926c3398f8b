//! Runs of `check --open`.

use std::collections::BTreeMap;
use std::process::Output;

use serde_json::Value;

use crate::support::{Folder, text};

/// What lets a document name the servers of tests, which are on this machine.
pub(crate) const LOCAL: [&str; 6] =
    ["--no-proxy", "--allow", "local-from-public", "--allow", "port-foreign", "--no-settings"];

/// Runs `check --open` in a folder.
pub(crate) fn open(folder: &Folder, arguments: &[&str]) -> Output {
    folder.urlwise([&["check", "--open"], &LOCAL[..], arguments].concat())
}

/// The objects of `--json`, in order.
pub(crate) fn objects(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The verdict and the cause of each link as it is written, separated by a blank.
pub(crate) fn verdicts(output: &Output) -> BTreeMap<String, String> {
    let verdict = |object: &Value| {
        let text = |name: &str| object[name].as_str().unwrap_or_default().to_owned();
        (text("target"), format!("{} {}", text("verdict"), text("cause")).trim_end().to_owned())
    };
    objects(output).iter().map(verdict).collect()
}

/// A document with these links, one per line.
pub(crate) fn document(folder: &Folder, links: impl IntoIterator<Item = impl AsRef<str>>) {
    let links: String = links.into_iter().map(|link| format!("[x](<{}>)\n", link.as_ref())).collect();
    folder.file("links.md", links);
}
