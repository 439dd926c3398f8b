//! What a person sees in the browser and on the desktop: pages and pictures of URLs as files, `open`, `register` and `unregister`.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{Ran, Tree};

#[test]
fn a_page_is_complete_and_leads_nowhere() {
    let ran = Tree::new("page").run(&["explain", "--html", "ftp://joe:s3cret@host.dom/%2Fetc/a b;type=a"]);
    assert_eq!((ran.status, &*ran.stderr), (1, ""), "the URL is not valid");
    for expected in [
        "<!DOCTYPE html>",
        "default-src 'none'",
        "<dt>cwd</dt><dd><code>%2Fetc</code> = <b>/etc</b></dd>",
        "<mark> </mark>",
        "Repaired: <code>ftp://joe:***@host.dom/%2Fetc/a%20b;type=a</code>",
        "<th scope=\"row\"><span>RFC 1738</span>, <span>RFC 3986</span>, <span>curl</span></th>",
        "<th scope=\"row\"><span>WHATWG</span></th>",
        "bnf-char",
        "<style>",
    ] {
        assert!(ran.stdout.contains(expected), "{expected} in {}", ran.stdout);
    }
    for harm in ["s3cret", "href=", "src=", "<script", "<form", "<link", "url(", "@import"] {
        assert!(!ran.stdout.contains(harm), "{harm} in {}", ran.stdout);
    }
    let valid = Tree::new("valid").run(&["explain", "--html", "gopher://host.dom/0a"]);
    assert_eq!(valid.status, 0);
    assert!(valid.stdout.contains("id=\"dialogue\"") && valid.stdout.contains("<dt>send</dt>"), "{}", valid.stdout);
}

#[test]
fn a_page_or_a_picture_is_of_one_url_and_masks_passwords() {
    let tree = Tree::new("one");
    for (arguments, says) in [
        (&["explain", "--svg", "D-31"][..], "an entry of the rule books"),
        (&["explain", "--html", "bnf-char"], "an entry of the rule books"),
        (&["explain", "--html", "a:b", "c:d"], "of one URL"),
        (&["explain", "--svg", "--json", "a:b"], "leave out --json"),
        (&["explain", "--html", "--show-secrets", "a:b"], "--show-secrets"),
        (&["explain", "--html", "--svg", "a:b"], "cannot be used with"),
    ] {
        let ran = tree.run(arguments);
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
    let ran = tree.feed(&["explain", "--svg", "-"], "ftp://joe:s3cret@host.dom/a\n");
    assert!(ran.stdout.starts_with("<svg ") && ran.stdout.contains("***") && !ran.stdout.contains("s3cret"));
}

/// The picture of the README.
#[test]
fn the_picture_in_the_docs_is_what_the_program_draws() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/parts.svg");
    let drawn = Tree::new("picture").run(&["explain", "--svg", "ftp://myname@host.dom/%2Fetc/motd;type=a"]).stdout;
    if std::env::var_os("SNAPSHOTS").is_some() {
        fs::write(path, &drawn).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), drawn);
}

/// A folder that only its owner can enter.
fn session(tree: &Tree) -> std::path::PathBuf {
    let folder = tree.path("run");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    folder
}

/// The origin of an address, after it was found to be one that opens a session.
#[track_caller]
fn origin(address: &str) -> String {
    let (origin, token) = address.trim().split_once("/start/").unwrap();
    assert!(origin.starts_with("http://127.0.0.1:") && token.len() == 32, "{address}");
    origin.to_owned()
}

fn serve(tree: &Tree) -> (Child, String) {
    let mut program = tree.program(&["serve", "--no-browser", "--idle", "20s"]);
    program.env("XDG_RUNTIME_DIR", tree.path("run")).stdout(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    (child, origin(&address))
}

#[test]
fn open_uses_the_gateway_that_runs_and_the_browser_that_is_named() {
    let tree = Tree::new("open").with("browser", "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.asked\"\n");
    fs::set_permissions(tree.path("browser"), fs::Permissions::from_mode(0o755)).unwrap();
    session(&tree);
    let (mut gateway, own) = serve(&tree);
    let open = |arguments: &[&str]| {
        let mut program = tree.program(arguments);
        program.env("XDG_RUNTIME_DIR", tree.path("run"));
        program.env("BROWSER", format!("/nonexistent:{} --new %s", tree.path("browser").display()));
        Ran::from(program.output().unwrap())
    };
    let printed = open(&["open", "--no-browser", "gopher://host.dom/"]);
    assert_eq!((printed.status, origin(&printed.stdout)), (0, own.clone()));
    assert_eq!((open(&["open", "gopher://host.dom/"])).status, 0);
    let asked = tree.path("browser.asked");
    let start = Instant::now();
    while fs::read_to_string(&asked).unwrap_or_default().lines().count() < 2 {
        assert!(start.elapsed() < Duration::from_secs(10), "the browser was not started");
        std::thread::sleep(Duration::from_millis(20));
    }
    let asked = fs::read_to_string(asked).unwrap();
    let (option, address) = asked.split_once('\n').unwrap();
    assert_eq!((option, origin(address)), ("--new", own));
    // Killed: its socket stays, and another gateway takes the place.
    gateway.kill().unwrap();
    gateway.wait().unwrap();
    assert!(tree.path("run/urlwise.sock").exists());
    let (mut second, own) = serve(&tree);
    assert_eq!(origin(&open(&["open", "--no-browser", "x"]).stdout), own);
    second.kill().unwrap();
    second.wait().unwrap();
}

#[test]
fn a_browser_that_fails_at_once_is_none_and_the_address_is_there_to_be_opened() {
    let tree = Tree::new("headless").with("fails", "#!/bin/sh\nexit 3\n").with("xdg-open", "#!/bin/sh\nexit 4\n");
    for name in ["fails", "xdg-open"] {
        fs::set_permissions(tree.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    session(&tree);
    let environment = |program: &mut Command| {
        program.env("XDG_RUNTIME_DIR", tree.path("run")).env("PATH", tree.path(""));
        program.env("BROWSER", format!("/nonexistent:{}", tree.path("fails").display()));
    };
    let (mut gateway, own) = serve(&tree);
    let mut program = tree.program(&["open", "gopher://host.dom/"]);
    environment(&mut program);
    let ran = Ran::from(program.output().unwrap());
    assert_eq!((ran.status, &*ran.stdout), (2, ""), "{}", ran.stderr);
    for said in ["no browser could be started", "No such file", "it ended with exit code 3", "exit code 4", &own] {
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    gateway.kill().unwrap();
    gateway.wait().unwrap();
    let mut program = tree.program(&["serve", "--idle", "1s"]);
    environment(&mut program);
    let ran = Ran::from(program.output().unwrap());
    assert_eq!((ran.status, ran.stderr.lines().count()), (0, 1), "{}", ran.stderr);
    assert!(ran.stderr.contains("no browser could be started"), "{}", ran.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn open_starts_a_gateway_that_outlives_it() {
    let tree = Tree::new("start");
    session(&tree);
    let url = format!("gopher://host.dom/0{}", std::process::id());
    let mut program = tree.program(&["open", "--no-browser", &url]);
    let ran = Ran::from(program.env("XDG_RUNTIME_DIR", tree.path("run")).output().unwrap());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let mut program = tree.program(&["open", "--no-browser", &url]);
    let again = Ran::from(program.env("XDG_RUNTIME_DIR", tree.path("run")).output().unwrap());
    assert_eq!(origin(&again.stdout), origin(&ran.stdout), "it runs, and is asked");
    let is_it = |entry: &fs::DirEntry| {
        let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        arguments.split(|octet| *octet == 0).any(|argument| argument == url.as_bytes())
    };
    let gateway = fs::read_dir("/proc").unwrap().flatten().find(is_it).expect("it runs");
    let killed = Command::new("kill").arg(gateway.file_name()).status().unwrap();
    assert!(killed.success());
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_session_open_finds_its_gateway_in_a_folder_of_its_own_or_says_that_it_cannot() {
    let tree = Tree::new("sessionless").with("browser", "#!/bin/sh\n");
    fs::set_permissions(tree.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    let program = |arguments: &[&str]| {
        let mut program = tree.program(arguments);
        program.env_remove("XDG_RUNTIME_DIR").env("TMPDIR", tree.path(""));
        program
    };
    let mut gateway = program(&["serve", "--no-browser", "--idle", "20s"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(gateway.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let open = || Ran::from(program(&["open", "--no-browser", "gopher://host.dom/"]).output().unwrap());
    let ran = open();
    assert_eq!((ran.status, origin(&ran.stdout), &*ran.stderr), (0, origin(&address), ""));
    let folders = fs::read_dir(tree.path("")).unwrap().flatten();
    let folder = folders.map(|entry| entry.path()).find(|path| path.join("urlwise.sock").exists()).expect("its folder");
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    gateway.kill().unwrap();
    gateway.wait().unwrap();
    // A folder that others can enter is not used, and the reason is told.
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let ran = open();
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("XDG_RUNTIME_DIR") && ran.stderr.contains("0700"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    let is_it = |entry: &fs::DirEntry| {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let own = format!("TMPDIR={}", tree.path("").display());
        environment.split(|octet| *octet == 0).any(|variable| variable == own.as_bytes())
    };
    let started = fs::read_dir("/proc").unwrap().flatten().find(is_it).expect("it runs");
    assert!(Command::new("kill").arg(started.file_name()).status().unwrap().success());
}

/// The program with the desktop's files in a tree.
fn desktop(tree: &Tree, arguments: &[&str]) -> Ran {
    let mut program = tree.program(arguments);
    program
        .env_remove("XDG_DATA_HOME")
        .env("XDG_DATA_DIRS", tree.path("share"))
        .env("XDG_CONFIG_DIRS", tree.path("etc"));
    Ran::from(program.output().unwrap())
}

const LIST: &str = "# mine\n[Default Applications]\nx-scheme-handler/ftp=other.desktop\ntext/html=firefox.desktop\n\n[Added Associations]\nx=y";

#[test]
fn register_writes_what_the_dry_run_shows_and_unregister_restores_it() {
    let tree = Tree::new("register").with(".config/mimeapps.list", LIST);
    let (entry, list) = (tree.path(".local/share/applications/urlwise.desktop"), tree.path(".config/mimeapps.list"));
    let shown = desktop(&tree, &["register", "gopher", "FTP", "--dry-run"]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    assert!(!entry.exists() && fs::read_to_string(&list).unwrap() == LIST, "nothing is written");
    let ran = desktop(&tree, &["register", "gopher", "FTP"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let written = fs::read_to_string(&entry).unwrap();
    for line in written.lines() {
        assert!(
            shown.stdout.contains(&format!("  +{}\n", urlwise::escape_for_display(line.as_bytes()))),
            "{line} in {}",
            shown.stdout
        );
    }
    assert!(
        written.contains(
            "\nMimeType=x-scheme-handler/ftp;x-scheme-handler/gopher;x-scheme-handler/ftps;x-scheme-handler/gophers;\n"
        ),
        "{written}"
    );
    let now = fs::read_to_string(&list).unwrap();
    assert!(now.contains("\nx-scheme-handler/ftp=urlwise.desktop;other.desktop\n"), "{now}");
    assert!(now.contains("\nx-scheme-handler/gophers=urlwise.desktop\n") && now.ends_with("\nx=y"), "{now}");
    for line in ["-x-scheme-handler/ftp=other.desktop", "+x-scheme-handler/ftp=urlwise.desktop;other.desktop"] {
        assert!(shown.stdout.contains(&format!("  {line}\n")), "{line} in {}", shown.stdout);
    }
    assert_eq!(desktop(&tree, &["register", "ftp"]).stdout, "nothing to do\n");
    assert_eq!(desktop(&tree, &["unregister", "ftp"]).status, 0);
    assert!(
        fs::read_to_string(&entry).unwrap().contains("\nMimeType=x-scheme-handler/gopher;x-scheme-handler/gophers;\n")
    );
    assert_eq!(desktop(&tree, &["unregister"]).status, 0);
    assert_eq!((entry.exists(), fs::read_to_string(&list).unwrap()), (false, LIST.to_owned()));
    assert_eq!(desktop(&tree, &["unregister"]).stdout, "nothing to do\n");
}

#[test]
fn register_takes_unasked_what_no_other_program_opens() {
    let tree = Tree::new("yes")
        .with("share/applications/mimeinfo.cache", "[MIME Cache]\nx-scheme-handler/mailto=mail.desktop;\n");
    assert_eq!(desktop(&tree, &["register", "--yes"]).status, 0);
    let written = fs::read_to_string(tree.path(".local/share/applications/urlwise.desktop")).unwrap();
    assert!(
        written.contains("/prospero;") && written.contains("/telnet;") && !written.contains("/mailto;"),
        "{written}"
    );
    assert!(!written.contains("/http;") && !written.contains("/file;"), "{written}");
    assert_eq!(desktop(&tree, &["unregister"]).status, 0);
    assert!(!tree.path(".config/mimeapps.list").exists(), "it was made, and is gone");
}

#[test]
fn register_leaves_what_it_did_not_write_and_asks_only_people() {
    let mine = "[Desktop Entry]\nName=mine\n";
    let tree = Tree::new("foreign").with(".local/share/applications/urlwise.desktop", mine);
    for (arguments, says) in [
        (&["register", "gopher"][..], "is not an entry that `urlwise register` wrote"),
        (&["unregister"], "is not an entry that `urlwise register` wrote"),
        (&["register", "http"], "`http` is not a scheme to register; these are: ftp, gopher, mailto, news"),
        (&["register"], "name the schemes, or use --yes"),
    ] {
        let ran = desktop(&tree, arguments);
        assert_eq!(ran.status, 2, "{arguments:?}");
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
    assert_eq!(fs::read_to_string(tree.path(".local/share/applications/urlwise.desktop")).unwrap(), mine);
    assert!(!tree.path(".config/mimeapps.list").exists());
}

/// What the desktop itself says.
#[test]
fn the_desktop_takes_the_entry() {
    let tree = Tree::new("desktop").with(".config/mimeapps.list", LIST);
    assert_eq!(desktop(&tree, &["register", "ftp", "wais"]).status, 0);
    let ask = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("HOME", tree.path(""))
            .env("XDG_DATA_DIRS", tree.path("share"))
            .env("XDG_CONFIG_DIRS", tree.path("etc"));
        for variable in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION", "DISPLAY"] {
            command.env_remove(variable);
        }
        command
            .output()
            .ok()
            .map(|output| (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()))
    };
    for scheme in ["ftp", "wais"] {
        // Without the program there is nobody to ask.
        if let Some(answer) = ask("xdg-mime", &["query", "default", &format!("x-scheme-handler/{scheme}")]) {
            assert_eq!(answer, (true, "urlwise.desktop\n".to_owned()));
        }
    }
    let entry = tree.path(".local/share/applications/urlwise.desktop");
    if let Some(answer) = ask("desktop-file-validate", &[&entry.to_string_lossy()]) {
        assert_eq!(answer, (true, String::new()));
    }
}
