//! Security behaviours that only the complete program can show.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"));
    program.args(arguments).env("LC_ALL", "C.UTF-8").env("XDG_CONFIG_HOME", "/nonexistent").stdin(Stdio::null());
    change(&mut program);
    program.output().unwrap()
}

/// A temporary folder.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn security_47_json_keeps_every_octet_and_has_no_raw_control() {
    for octet in 0..=255_u8 {
        let escape = format!("%{octet:02X}");
        let output = run(&["parse", "--json", &format!("ftp://h.example/a{escape}b")], |_| {});
        let line = output.stdout.strip_suffix(b"\n").unwrap();
        assert!(line.iter().all(|octet| !octet.is_ascii_control()), "{escape}");
        let object: Value = serde_json::from_slice(line).unwrap();
        let name = &object["parts"]["name"];
        let decoded = match (&name["decoded"], &name["octets"]) {
            (Value::String(text), Value::Null) => text.as_bytes().to_vec(),
            (Value::Null, Value::String(hex)) => unhex(hex),
            other => panic!("{escape}: {other:?}"),
        };
        assert_eq!(decoded, [b'a', octet, b'b'], "{escape}");
    }
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// Settings that would redirect URLs if they were the user's.
const ROUTED: &str = "gateway.http = \"http://evil.example/?{url}\"\ngateway.ftp = \"http://evil.example/?{url}\"\n";

#[test]
fn security_53_files_in_the_current_folder_do_not_change_what_is_opened() {
    let folder = Folder(std::env::temp_dir().join(format!("urlwise-checklist-{}", std::process::id())));
    fs::create_dir_all(&folder.0).unwrap();
    let plan = |name: &str| {
        let output = run(&["get", "--dry-run", "http://h.example/", "ftp://h.example/x"], |program| {
            program.current_dir(&folder.0).env("HOME", "/no/such/folder").env_remove("NETRC");
            // A relative path would be in the current folder.
            program.env("XDG_CONFIG_HOME", ".");
        });
        assert!(output.status.success(), "{name}: {output:?}");
        output.stdout
    };
    let before = plan("nothing");
    for (name, text) in [
        ("urlwise.toml", "profile = \"rfc1738\"\nproxy = \"http://evil.example\"\n"),
        (".urlwise.toml", "proxy = \"http://evil.example\"\n"),
        ("config.toml", ROUTED),
        ("urlwise/config.toml", ROUTED),
        (".config/urlwise/config.toml", ROUTED),
        (".netrc", "machine h.example login evil password evil\n"),
        (".curlrc", "proxy = evil.example\n"),
        (".wgetrc", "http_proxy = evil.example\n"),
    ] {
        fs::create_dir_all(folder.0.join(name).parent().unwrap()).unwrap();
        fs::write(folder.0.join(name), text).unwrap();
        assert_eq!(plan(name), before, "{name}");
    }
}
