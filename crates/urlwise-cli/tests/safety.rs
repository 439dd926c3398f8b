//! What must hold for every command, whatever it is given: the lines 14, 46 and 47 of the project's list of client
//! security, bounded output, quiet ends.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Instant;

use serde_json::Value;

fn program<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_urlwise"));
    program.args(arguments).env("LC_ALL", "C.UTF-8").env("COLUMNS", "80").env_remove("CLICOLOR_FORCE");
    program.env("XDG_CONFIG_HOME", "/nonexistent").stdin(Stdio::null());
    program
}

fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    program(arguments).output().unwrap()
}

/// Runs the program with this standard input.
fn feed(arguments: &[&str], input: Vec<u8>) -> Output {
    let mut child =
        program(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The program may end before it has read everything.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn all_of(output: &Output) -> Vec<u8> {
    [output.stdout.as_slice(), output.stderr.as_slice()].concat()
}

const MARKER: &str = "MaRkEr";

/// URLs, broken ones and texts around URLs, all with the marker as password.
fn with_passwords() -> Vec<String> {
    let texts = [
        "ftp://jim:MaRkEr@127.0.0.1:1/x",
        "ftp://jim:MaRkEr@host.dom/a b;type=x",
        "telnet://jim:MaRkEr@host.dom/",
        "irc://jim:MaRkEr@host.dom/x",
        "http://jim:MaRkEr@127.0.0.1:1/",
        "gopher://jim:MaRkEr@127.0.0.1:1/",
        "file://jim:MaRkEr@localhost/",
        "FTP://jim:MaRkEr@host.dom:99999/",
        "URL:ftp://jim:MaRkEr@host.dom/",
        "htp://jim:MaRkEr@host.dom/",
        "ws:/jim:MaRkEr@host.dom/x",
        "wss:jim:MaRkEr@host.dom/x",
        "<ftp://jim:MaRkEr@host.dom/>",
        "//jim:MaRkEr@host.dom/",
        "ftp://jim:Ma@RkEr@host.dom/",
        "ftp://jim:MaRkEr/x@host.dom/",
        "ftp://jim:MaRkEr\u{e9}\u{e9}@host.dom/",
        "http://host.dom/ftp://jim:MaRkEr@host.dom/",
        "gopher://host.dom/1ftp://jim:MaRkEr@host.dom/",
        "http://host.dom/ftp%3A%2F%2Fjim%3AMaRkEr%40host.dom",
        "http://host.dom/?u=ftp%253A%252F%252Fjim%253AMaRkEr%2540host.dom",
        "http%3A//jim%3AMaRkEr%40host.dom/",
        "http://jim%3AMaRkEr%40host.dom/",
    ];
    texts.map(str::to_owned).into()
}

/// Client security 14. The JSON of `explain`, `parse` and `build` contains every part as written, so it is left
/// out here.
#[test]
fn no_command_shows_a_password() {
    let commands: [&[&str]; 33] = [
        &[],
        &["compare"],
        &["compare", "--profile", "current", "--color", "always"],
        &["explain"],
        &["explain", "--color", "always", "--ascii"],
        &["--profile", "current"],
        &["parse"],
        &["parse", "--profile", "current", "--color", "always"],
        &["parse", "--file"],
        &["same", "x:y"],
        &["same", "--json", "x:y"],
        &["same", "--profile", "current", "x:y"],
        &["completions"],
        &["build"],
        &["build", "ftp"],
        &["build", "--set", "port=x"],
        &["build", "--set", "nosuch=x"],
        &["build", "--remove", "nosuch"],
        &["encode", "--part"],
        &["schemes"],
        &["find"],
        &["find", "--config"],
        &["find", "--scheme"],
        &["check"],
        &["check", "--notes", "--color", "always", "--ascii", "--url"],
        &["check", "--json", "--notes", "--url", "hello", "--url"],
        &["check", "--format", "sarif", "--notes", "--url"],
        &["explain", "--json"],
        &["compare", "--json"],
        &["guard", "--allow-scheme", "ftp"],
        &["guard", "--json"],
        &["get", "--json"],
        &["ls"],
    ];
    for url in with_passwords() {
        // Commands that open URLs must not resolve names here; URLs nested in those that they open are not theirs
        // to read.
        let is_nested = ["host.dom/ftp", "host.dom/1ftp", "host.dom/?u"].iter().any(|inner| url.contains(inner));
        for command in commands.iter().filter(|command| !is_nested || !matches!(command[..], ["get" | "ls", ..])) {
            let output = run(command.iter().copied().chain([url.as_str()]));
            let text = String::from_utf8(all_of(&output)).unwrap();
            for part in [MARKER, "RkEr"] {
                assert!(!text.contains(part), "{command:?} {url} shows the password:\n{text}");
            }
            assert!(!text.is_empty(), "{command:?} {url} says nothing");
        }
    }
}

/// A login without slashes is a URL of an unknown scheme to the standards. Those who ask a reader that sees the password, and those who
/// want a file, show none.
#[test]
fn security_14_a_login_without_a_scheme_is_masked_where_a_reader_sees_its_password_or_a_file_is_missing() {
    let commands: [&[&str]; 9] = [
        &["compare", "--readers", "curl,urlsplit,rfc1738"],
        &["compare", "--readers", "urlsplit,curl", "--json"],
        &["guard"],
        &["guard", "--json"],
        &["check"],
        &["check", "--fix"],
        &["find"],
        &["parse", "--file"],
        &["guard", "--file"],
    ];
    for (url, commands) in [
        ("u:MaRkEr@h.example/", &commands[..]),
        ("u:MaRkEr@h.example", &commands[..]),
        ("foo:/u:MaRkEr@h.example/", &commands[..4]),
    ] {
        for command in commands {
            let text = String::from_utf8(all_of(&run(command.iter().copied().chain([url])))).unwrap();
            assert!(!text.contains("RkEr") && text.contains("u:***@h.example"), "{command:?} {url}:\n{text}");
        }
    }
    for url in ["mailto:joe@h.example", "news:1@h.example"] {
        // `check` takes them for URLs.
        for command in commands.iter().filter(|command| command[0] != "check") {
            let text = String::from_utf8(all_of(&run(command.iter().copied().chain([url])))).unwrap();
            assert!(text.contains(url), "{command:?}:\n{text}");
        }
    }
    let shown = run(["compare", "--readers", "curl", "--show-secrets", "u:MaRkEr@h.example/"]);
    assert!(String::from_utf8(shown.stdout).unwrap().starts_with("u:MaRkEr@h.example/\n"));
}

/// These commands write complete URLs to standard output, including passwords.
#[test]
fn commands_that_write_urls_show_no_password_elsewhere() {
    for url in with_passwords() {
        let url = url.as_str();
        for command in
            [&["normalize", url][..], &["repair", url], &["resolve", "http://host.dom/", url], &["resolve", url, "a b"]]
        {
            let text = String::from_utf8(run(command).stderr).unwrap();
            assert!(!text.contains("RkEr"), "{command:?} shows the password:\n{text}");
        }
    }
}

#[test]
fn only_show_secrets_shows_a_password() {
    for command in [&["explain"][..], &["parse"], &["explain", "--json"], &["compare", "--json"]] {
        for url in with_passwords().iter().filter(|url| url.contains(MARKER)) {
            let output = run(command.iter().copied().chain(["--show-secrets", url]));
            assert!(String::from_utf8(output.stdout).unwrap().contains(MARKER), "{command:?} {url}");
        }
    }
}

fn is_harmful(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Octets 01 to FF raw and as escapes, C1 and bidi controls as characters.
fn odd_octets() -> Vec<Vec<u8>> {
    let mut odd: Vec<Vec<u8>> = (1..=255).map(|octet| vec![octet]).collect();
    odd.extend(['\u{9b}', '\u{202e}', '\u{2066}', '\u{200f}'].map(|c| c.to_string().into_bytes()));
    odd.extend((0..=255).map(|octet| format!("%{octet:02X}").into_bytes()));
    odd.extend(["%C2%9B31m", "%E2%80%AE"].map(|escapes| escapes.as_bytes().to_vec()));
    odd.push(b"\x1b]0;x\x07".to_vec());
    odd
}

/// These octets in every part of a URL, each text terminated by NUL, and the number of texts.
fn odd_urls() -> (Vec<u8>, usize) {
    let odd = odd_octets();
    let places = [
        ["", "://host.dom/"],
        ["ftp://", ":x@host.dom/"],
        ["http://h", ".dom/x"],
        ["http://host.dom:", "/"],
        ["gopher://host.dom/", ""],
        ["mailto:", "@host.dom"],
        ["news:", ""],
        ["nntp://host.dom/a.b/", ""],
        ["prospero://host.dom/x;", "=1"],
        ["foo:", "bar"],
    ];
    let mut input = Vec::new();
    for [before, after] in places {
        for octets in &odd {
            input.extend([before.as_bytes(), octets, after.as_bytes(), b"\0"].concat());
        }
    }
    (input, places.len() * odd.len())
}

/// Client security 46.
#[test]
fn controls_are_escaped_in_all_output() {
    let (input, count) = odd_urls();
    let commands = [
        &["explain"][..],
        &["explain", "--json"],
        &["parse"],
        &["parse", "--json"],
        &["explain", "--ascii"],
        &["normalize"],
        &["normalize", "--json"],
        &["repair"],
        &["repair", "--json"],
        &["compare"],
        &["compare", "--json"],
        &["resolve", "http://host.dom/"],
        &["resolve", "--json", "http://host.dom/"],
        &["build", "--set", "port=x"],
        &["build", "--json", "--set", "host=x"],
        &["encode", "--json", "--part", "ftp.name"],
        &["decode", "--json", "--part", "other.schemepart"],
    ];
    for command in commands {
        let output = feed(&[command, &["--null", "--file", "-"]].concat(), input.clone());
        let text = String::from_utf8(all_of(&output)).unwrap();
        let harmful = text.lines().find(|line| line.chars().any(is_harmful));
        assert_eq!(harmful, None, "{command:?}");
        // A URL and its refusal are one line each.
        assert!(text.lines().count() >= count);
        assert!(!command.contains(&"--ascii") || text.is_ascii());
    }
}

/// Client security 46, for commands that search texts.
#[test]
fn controls_in_texts_are_escaped() {
    let (input, _) = odd_urls();
    for command in [
        &["find"][..],
        &["find", "--json"],
        &["find", "--unique"],
        &["check", "--notes", "--text"],
        &["check", "--notes", "--null"],
        &["check", "--notes", "--null", "--ascii"],
        &["check", "--notes", "--null", "--json"],
        &["check", "--notes", "--null", "--format", "sarif"],
        &["check", "--notes", "--null", "--format", "github"],
    ] {
        let output = feed(command, input.clone());
        let text = String::from_utf8(all_of(&output)).unwrap();
        let harmful = text.lines().find(|line| line.chars().any(is_harmful));
        assert_eq!(harmful, None, "{command:?}");
        assert!(text.lines().count() > 200, "{command:?}");
        assert!(!command.contains(&"--ascii") || text.is_ascii());
    }
}

/// Client security 47.
#[test]
fn json_keeps_every_octet() {
    let octets: Vec<u8> = (1..=255).collect();
    let escapes: String = (0..=255).map(|octet| format!("%{octet:02X}")).collect();
    let input = [b"ftp://host.dom/", &octets[..], b"\0ftp://host.dom/", escapes.as_bytes(), b"\0"].concat();
    let output = feed(&["parse", "--json", "--null"], input);
    let lines: Vec<Value> = output
        .stdout
        .split_inclusive(|&octet| octet == b'\n')
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let hex = |octets: &[u8]| octets.iter().map(|octet| format!("{octet:02x}")).collect::<String>();
    assert_eq!(lines[0]["url"], Value::Null);
    assert_eq!(lines[0]["url_octets"], hex(&[b"ftp://host.dom/", &octets[..]].concat()));
    assert_eq!(lines[1]["url"], format!("ftp://host.dom/{escapes}"));
    assert_eq!(lines[1]["parts"]["name"]["octets"], hex(&(0..=255).collect::<Vec<u8>>()));
}

#[cfg(unix)]
#[test]
fn arguments_may_be_any_octets() {
    use std::os::unix::ffi::OsStrExt;

    let output = run([OsStr::new("parse"), OsStr::new("--json"), OsStr::from_bytes(b"news:\xFF\x01")]);
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["url_octets"], "6e6577733aff01");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn encoded_octets_decode_to_the_same_octets() {
    let octets: Vec<u8> = (0..=255).collect();
    for part in ["ftp.name", "http.segment", "wais.wpath", "other.schemepart", "prospero.fieldvalue"] {
        let encoded = feed(&["encode", "--whole", "--part", part], octets.clone());
        assert!(encoded.stdout.is_ascii() && encoded.status.success(), "{part}");
        let decoded = feed(&["decode", "--whole", "--part", part], encoded.stdout);
        assert_eq!(decoded.stdout, octets, "{part}");
    }
}

#[cfg(unix)]
#[test]
fn parts_for_build_may_be_any_octets() {
    use std::os::unix::ffi::OsStrExt;

    let name = OsStr::from_bytes(b"name=\xFF=\n");
    let output = run([OsStr::new("build"), OsStr::new("ftp"), OsStr::new("host=h.dom"), name]);
    assert_eq!(output.stdout, b"ftp://h.dom/%FF=%0A\n");
    let output = run([OsStr::new("build"), OsStr::new("file"), OsStr::new("--path"), OsStr::from_bytes(b"/\xFF")]);
    assert_eq!(output.stdout, b"file:///%FF\n");
}

/// A megabyte of one part, of many parts, and of problems only. The time limit is generous for slow machines.
#[test]
fn explanations_are_bounded_and_linear() {
    let megabyte = 1 << 20;
    let texts = [
        format!("http://host.dom/{}", "a".repeat(megabyte)),
        format!("ftp://host.dom/{}", "a/".repeat(megabyte / 2)),
        format!("http://host.dom/{}", "a ".repeat(megabyte / 2)),
        format!("http://host.dom/{}", " ".repeat(megabyte)),
        format!("prospero://host.dom/x{}", ";a=b".repeat(megabyte / 4)),
        format!("foo:{}", "//a:b@".repeat(megabyte / 6)),
        format!("mailto:{}", "a@".repeat(megabyte / 2)),
        "\u{4e2d}".repeat(megabyte / 3),
    ];
    for text in texts {
        let begin: String = text.chars().take(20).collect();
        let start = Instant::now();
        let output = feed(&["explain"], text.into_bytes());
        assert!(output.status.code().is_some_and(|code| code < 2), "{begin}");
        assert!(output.stdout.len() < 40_000, "{begin}: {} octets", output.stdout.len());
        assert!(start.elapsed().as_secs() < 60, "{begin}: {:?}", start.elapsed());
    }
}

#[test]
fn a_line_that_is_too_long_is_reported_with_its_location_and_the_others_are_answered() {
    let input = [b"news:*\n".as_slice(), &vec![b'a'; (4 << 20) + 1], b"\nnews:*\n"].concat();
    let message = "line 2 is longer than 4 MiB; is it a list with one URL per line?";
    for (command, first, is_said) in [
        (&["parse"][..], "url     news:*\n", true),
        (&["explain"], "<stdin>:1\n", true),
        (&["normalize"], "news:*\n", true),
        (&["repair"], "news:*\n", true),
        (&["compare"], "news:*\n", true),
        (&["guard"], "refused  news:*\n", true),
        (&["resolve", "http://h.dom/"], "news:*\n", true),
        (&["decode", "--part", "ftp.name"], "news:*\n", true),
        (&["check", "--format", "github"], "::error title=url-length", false),
        (&["check", "--format", "json"], "{\"code\":\"url-length\"", false),
    ] {
        let output = feed(command, input.clone());
        let (out, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(1), "{command:?}: {errors}");
        assert!(out.starts_with(first), "{command:?}: {out}");
        let said = format!("urlwise: <stdin>: {message}\n");
        assert_eq!(errors.matches(&said).count(), usize::from(is_said), "{command:?}: {errors}");
        assert!(is_said || out.contains(message), "{command:?}: {out}");
        assert!(!is_said || out.matches(first.trim_end()).count() == 2 || command == ["explain"], "{command:?}: {out}");
    }
    for (command, object) in
        [("parse", 1), ("guard", 1), ("repair", 1), ("compare", 1), ("explain", 1), ("normalize", 1)]
    {
        let output = feed(&[command, "--json"], input.clone());
        let line = String::from_utf8(output.stdout).unwrap().lines().nth(object).unwrap().to_owned();
        assert!(
            line.starts_with("{\"url\":null,\"valid\":false,\"problems\":[{\"code\":\"url-length\""),
            "{command}: {line}"
        );
        assert!(line.ends_with("\"path\":null,\"line\":2}"), "{command}: {line}");
    }
    for (arguments, expected) in
        [(&["build", "--set", "host=h.dom"][..], 2), (&["build", "--json", "--set", "host=h.dom"], 3)]
    {
        let input = [
            b"http://a.dom/\n".as_slice(),
            &input[b"news:*\n".len()..input.len() - b"news:*\n".len()],
            b"http://b.dom/",
        ];
        let output = feed(arguments, input.concat());
        assert_eq!(
            (output.status.code(), output.stdout.split(|octet| *octet == b'\n').count() - 1),
            (Some(1), expected)
        );
    }
    let output = feed(&["same"], input);
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stderr).unwrap()),
        (Some(2), format!("urlwise: <stdin>: {message}\n"))
    );
}

#[test]
fn what_opens_urls_goes_on_behind_a_line_that_is_too_long() {
    let long = [&vec![b'a'; (4 << 20) + 1], b"\n".as_slice()].concat();
    let input = [b"http://h.dom/\n".as_slice(), &long, b"http://h.dom/\n"].concat();
    let message = "urlwise: <stdin>: line 2 is longer than 4 MiB; is it a list with one URL per line?\n";
    let output = feed(&["get", "--dry-run"], input.clone());
    let (out, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!((output.status.code(), out.matches("GET / HTTP/1.1").count()), (Some(3), 2), "{errors}");
    assert_eq!(errors.matches(message).count(), 1, "{errors}");
    let files = [b"file:///\n".as_slice(), &long, b"file:///\n"].concat();
    let output = feed(&["ls", "--json"], files);
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(3), message));
    let output = feed(&["check", "--open", "--offline", "--file", "-"], input);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && errors.starts_with(message) && errors.contains("2 links"), "{errors}");
}

#[test]
fn a_list_that_is_compressed_is_refused_with_the_way_out() {
    let output = feed(&["parse"], b"\x1F\x8B\x08\0\0\0\0\0\0\x03x\n".to_vec());
    let message =
        "urlwise: <stdin>: the list is compressed by `gzip`; decompress it, as in `zcat list.gz | urlwise ...`\n";
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(2), message.into()));
    assert_eq!(output.stdout, b"");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut child =
        program(["parse", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        let lines = "http://host.dom/\n".repeat(1000);
        // Reads until the program ends.
        while stdin.write_all(lines.as_bytes()).is_ok() {}
    });
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "url      http://host.dom/\n");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(errors, "");
    writer.join().unwrap();
}

#[test]
fn the_manual_has_every_command_and_option() {
    let help = String::from_utf8(run(["--help"]).stdout).unwrap();
    let manual = String::from_utf8(run(["man"]).stdout).unwrap().replace("\\-", "-");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A description may continue on a second line.
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
    for name in names.filter(|name| *name != "help") {
        assert!(manual.contains(&format!(".SH \"URLWISE {}\"", name.to_uppercase())), "{name}");
    }
    for option in
        ["--profile", "--json", "--show-secrets", "--ascii", "--color", "--file", "--null", "--set", "--whole"]
    {
        assert!(manual.contains(option), "{option}");
    }
    assert!(manual.contains(".SH \"EXIT STATUS"));
}

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(["completions", shell]);
        assert!(output.status.success());
        assert!(String::from_utf8(output.stdout).unwrap().contains("show-secrets"), "{shell}");
    }
}
