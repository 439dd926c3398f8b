//! The user's settings: where they are read from, and mistakes in them.

use crate::support::*;

/// A user's home folder; runs the program as that user.
struct User(Folder);

impl User {
    fn with(file: &str, text: &str) -> User {
        let user = User(Folder::new());
        let path = user.0.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        user
    }

    fn run(&self, arguments: &[&str]) -> std::process::Output {
        let mut program = command(arguments);
        program.env("HOME", self.0.path("home")).env_remove("XDG_CONFIG_HOME").env("LC_ALL", "C.UTF-8");
        program.current_dir(&self.0.0).output().unwrap()
    }

    /// The dry run of a wais URL.
    fn plan(&self, arguments: &[&str]) -> String {
        text(&self.run(&[&["get", "--dry-run", "wais://h.example/d"], arguments].concat()).stdout)
    }
}

const FILE: &str = "home/.config/urlwise/config.toml";
const ROUTED: &str = "[gateway]\nwais = \"http://gateway.example/wais?{url}\"\n";

#[test]
fn settings_are_read_from_the_users_folder() {
    let user = User::with(FILE, ROUTED);
    assert!(user.plan(&[]).starts_with("gateway  http://gateway.example/wais?wais%3A%2F%2Fh.example%2Fd\n"));
    assert!(user.plan(&["--no-settings"]).starts_with("connect  h.example port 210\n"));
    let elsewhere = command(["get", "--dry-run", "wais://h.example/d"])
        .env("HOME", user.0.path("home"))
        .env("XDG_CONFIG_HOME", user.0.path("other"))
        .output()
        .unwrap();
    assert!(text(&elsewhere.stdout).starts_with("connect"));
}

#[test]
fn a_named_file_replaces_the_default() {
    let user = User::with(FILE, ROUTED);
    user.0.file("mine.toml", "[gateway]\nwais = \"gopher://g.example/7{database}\"\n");
    user.0.file("empty.toml", "");
    assert!(user.plan(&["--settings", "mine.toml"]).starts_with("gateway  gopher://g.example/7d\n"));
    assert!(user.plan(&["--settings", "empty.toml"]).starts_with("connect  h.example port 210\n"));
    let output = user.run(&["get", "--dry-run", "wais://h.example/d", "--settings", "none.toml"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("cannot read none.toml"));
}

#[test]
fn mistakes_are_reported_with_line_and_column() {
    for (settings, place, why) in [
        ("[gateway]\nwais = 1\n", "2:8", "invalid type"),
        ("[gatewy]\n", "1:2", "unknown field `gatewy`, expected"),
        ("[gateway]\nwais = \"http://g.example/{databse}\"\n", "2:8", "did you mean `{database}`?"),
        ("[gateway]\n\"w s\" = \"http://g.example/\"\n", "2:9", "not a valid scheme name"),
        ("[gateway\n", "1:9", "unclosed table"),
    ] {
        let user = User::with(FILE, settings);
        for command in
            [&["get", "--dry-run", "http://h.example/"][..], &["explain", "x:y"], &["ls", "file:///"], &["schemes"]]
        {
            let output = user.run(command);
            let shown = text(&output.stderr);
            assert_eq!((code(&output), output.stdout.len()), (2, 0), "{settings} {command:?} {shown}");
            assert!(shown.contains(&format!("config.toml:{place}: ")) && shown.contains(why), "{settings} {shown}");
        }
        // Commands that open nothing do not read them.
        assert_eq!(code(&user.run(&["parse", "x:y"])), 0, "{settings}");
        assert_eq!(code(&user.run(&["explain", "--no-settings", "x:y"])), 0, "{settings}");
    }
}

#[cfg(unix)]
#[test]
fn security_53_settings_that_others_may_write_are_refused_whole() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    let user = User::with(FILE, ROUTED);
    for (mode, expected) in [(0o602, 2), (0o646, 2), (0o664, 0), (0o600, 0)] {
        std::fs::set_permissions(user.0.path(FILE), std::fs::Permissions::from_mode(mode)).unwrap();
        let output = user.run(&["get", "--dry-run", "wais://h.example/d"]);
        assert_eq!(code(&output), expected, "{mode:o}");
        assert_eq!(text(&output.stderr).contains("`chmod go-w`"), expected == 2, "{mode:o}");
    }
    // Only root can give files away.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for (mode, owner, group, why) in [
        (0o664, 0, 65_534, "is writable by others"),
        (0o600, 65_534, 0, "belongs to another user"),
        (0o664, 65_534, 65_534, "belongs to another user"),
    ] {
        chown(user.0.path(FILE), Some(owner), Some(group)).unwrap();
        std::fs::set_permissions(user.0.path(FILE), std::fs::Permissions::from_mode(mode)).unwrap();
        // Nothing in it is read, so a mistake in it is not reported.
        std::fs::write(user.0.path(FILE), "[nonsense").unwrap();
        let output = user.run(&["get", "--dry-run", "wais://h.example/d"]);
        let shown = text(&output.stderr);
        assert!(code(&output) == 2 && shown.contains(why) && shown.lines().count() == 1, "{shown}");
    }
    chown(user.0.path(FILE), Some(0), Some(65_534)).unwrap();
    std::fs::set_permissions(user.0.path(FILE), std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::write(user.0.path(FILE), ROUTED).unwrap();
    assert_eq!(code(&user.run(&["get", "--dry-run", "wais://h.example/d"])), 0);
}

#[test]
fn schemes_lists_gateways() {
    let settings = "[gateway]\nwais = \"http://gateway.example/wais?{url}\"\nmid = \"http://g.example/{+schemepart}\"\n\
        x-odd = \"ftp://me:s3cret@g.example/{+path}\"\n";
    let user = User::with(FILE, settings);
    let shown = text(&user.run(&["schemes"]).stdout);
    for line in [
        "wais       210  3.9      gate  Wide Area Information Servers",
        "Opened through a gateway (from your settings)",
        "wais      http://gateway.example/wais?{url}",
        "mid       http://g.example/{+schemepart}",
        "x-odd     ftp://me:***@g.example/{+path}",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
    let lines = text(&user.run(&["schemes", "--json"]).stdout);
    let routed: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|object: &serde_json::Value| !object["gateway"].is_null())
        .collect();
    let statuses: Vec<_> =
        routed.iter().map(|object| (object["scheme"].as_str().unwrap(), object["status"].as_str().unwrap())).collect();
    assert_eq!(statuses, [("wais", "defined"), ("mid", "reserved"), ("x-odd", "other")]);
    assert!(routed.iter().all(|object| object["opens"] == true) && !lines.contains("s3cret"), "{lines}");
}
