//! `urlwise.toml` and its published schema, which must accept the same files.

#![allow(clippy::unwrap_used, reason = "a tree that cannot be made must stop the test")]

mod support;

use std::path::Path;

use serde_json::Value;
use support::Tree;

/// Files that are read, and how many keys they have.
const GOOD: &[&str] = &[
    "",
    "profile = 'rfc1738'",
    "profile = \"current\"\nhidden = true\nno-ignore = false\nnotes = true\n",
    "schemes = ['ftp', 'HTTP', 'x-a+b.c']",
    "schemes = []",
    "select = ['all']\nignore = ['E-03', 'e-10', 'port-foreign']",
    "select = []",
    "fail-on = 'note'",
    "fail-on = 'unknown'",
    "[severity]\nport-foreign = 'off'\nlink-dead = 'error'\nbnf-char = 'note'\nE-03 = 'warning'\nall = 'note'\n",
    "[exclude]\nurls = ['http://localhost*', 'ftp://{a,b}.example/[xy]?']\nhosts = ['*.internal']\n",
    "[exclude]\n",
];

/// Files that are refused, and what the refusal names.
const BAD: &[(&str, &str)] = &[
    ("profil = 'current'", "unknown field `profil`"),
    ("profile = 'rfc3986'", "unknown variant `rfc3986`"),
    ("profile = 1738", "wanted string"),
    ("hidden = 'yes'", "expected a boolean"),
    ("hidden = 1", "expected a boolean"),
    ("no_ignore = true", "unknown field `no_ignore`"),
    ("schemes = 'ftp'", "expected a sequence"),
    ("schemes = ['ftp:']", "not a valid scheme name"),
    ("schemes = ['']", "not a valid scheme name"),
    ("select = ['port-foriegn']", "did you mean `port-foreign`?"),
    ("select = 'all'", "expected a sequence"),
    ("ignore = ['E-999']", "unknown rule or code `E-999`"),
    ("ignore = [3]", "expected"),
    ("fail-on = 'fatal'", "unknown variant `fatal`"),
    ("severity = 'error'", "expected"),
    ("[severity]\nnonsense-of-all-kinds = 'error'", "unknown rule or code"),
    ("[severity]\nport-foreign = 'high'", "unknown variant `high`"),
    ("[exclude]\nurl = ['x']", "unknown field `url`"),
    ("[exclude]\nhosts = 'x'", "expected a sequence"),
    ("[gateway]\nhttp = 'x'", "unknown field `gateway`"),
];

/// What the program says of a file: the commands that read its keys, until one refuses it.
fn refusal(settings: &str) -> Option<String> {
    let tree = Tree::new("config").with("urlwise.toml", settings).with("a.txt", "text\n");
    let commands: [&[&str]; 2] = [&["find", "a.txt"], &["check", "--open", "--offline", "a.txt"]];
    commands.iter().map(|command| tree.run(command)).find(|run| run.status == 2).map(|run| run.stderr)
}

#[test]
fn the_schema_accepts_what_the_program_accepts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config.schema.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("config.schema.json", schema).unwrap();
    let schema = compiler.compile("config.schema.json", &mut schemas).unwrap();
    let accepts = |settings: &str| {
        let settings: Value = toml::from_str(settings).unwrap();
        schemas.validate(&settings, schema).is_ok()
    };
    for settings in GOOD {
        assert_eq!(refusal(settings), None, "{settings}");
        assert!(accepts(settings), "{settings}");
    }
    for (settings, named) in BAD {
        let message = refusal(settings).unwrap_or_else(|| panic!("accepted: {settings}"));
        assert!(message.contains(named) && message.contains("urlwise.toml:"), "{settings}: {message}");
        assert!(!accepts(settings), "{settings}");
    }
}

#[cfg(unix)]
#[test]
fn what_has_the_name_of_the_settings_and_is_not_a_file_is_an_error() {
    let (folder, link) = (Tree::new("config-folder").with("urlwise.toml/x", ""), Tree::new("config-link"));
    std::os::unix::fs::symlink("nowhere", link.path("urlwise.toml")).unwrap();
    for (tree, why) in [(folder, "urlwise.toml is not a regular file\n"), (link, "No such file or directory")] {
        let run = tree.with("a.txt", "text\n").run(&["check", "a.txt"]);
        assert_eq!(run.status, 2, "{why}");
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
}
