//! mailto URLs: drafts are shown, saved, passed to a mailer, or sent after a confirmation (client security 14, 38, 39).

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::support::*;

const DRAFT: &str = "mailto:%22jim%40x%22@h.example?subject=Caf%C3%A9&body=Hello%0D%0A.%0D%0AJoe";
const GATEWAY: &str = "mailto=http://127.0.0.1:1/{url}";
const MARKER: &str = "MaRkEr";

/// Runs the program without a terminal.
fn alone<S: AsRef<str>>(arguments: &[S]) -> Output {
    let mut command = english("setsid");
    command.args(["--wait", env!("CARGO_BIN_EXE_urlwise")]).args(arguments.iter().map(AsRef::as_ref));
    command.stdin(Stdio::null()).output().unwrap()
}

/// Runs the program at a terminal and types `answer` when `question` appears. Returns everything that was shown, and the status.
fn at_terminal(command: &str, question: &str, answer: &str) -> (String, i32) {
    let mut script = english("script")
        .args(["-qec", command, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut shown, mut terminal) = (Vec::new(), script.stdout.take().unwrap());
    while !text(&shown).ends_with(question) {
        let mut octet = [0];
        assert_eq!(terminal.read(&mut octet).unwrap(), 1, "{}", text(&shown));
        shown.extend(octet);
    }
    script.stdin.as_mut().unwrap().write_all(format!("{answer}\n").as_bytes()).unwrap();
    terminal.read_to_end(&mut shown).unwrap();
    (text(&shown), script.wait().unwrap().code().unwrap())
}

/// Starts a mail server that accepts everything, or closes instead of accepting the message. Also returns the lines it received.
fn mail_server(takes: bool) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("smtp://{}", listener.local_addr().unwrap());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // The client may have closed the connection.
            let say = |reply: &str| drop((&stream).write_all(format!("{reply}\r\n").as_bytes()));
            say("220 ready");
            let mut is_data = false;
            for line in BufReader::new(&stream).lines().map_while(Result::ok) {
                log.lock().unwrap().push(line.clone());
                match line.split(' ').next().unwrap_or_default() {
                    "." if is_data && !takes => break,
                    "." => is_data = false,
                    _ if is_data => continue,
                    "DATA" => {
                        is_data = true;
                        say("354 go");
                        continue;
                    }
                    "AUTH" => {
                        say("235 in");
                        continue;
                    }
                    "EHLO" => {
                        say("250-h\r\n250 AUTH PLAIN");
                        continue;
                    }
                    _ => {}
                }
                say("250 \x1b[2Jtaken");
            }
        }
    });
    (name, heard)
}

/// A folder with a program of that name, which records its arguments.
fn with_mailer(folder: &Folder, name: &str, rest: &str) -> PathBuf {
    let words = folder.path("words");
    let program = folder.file(name, format!("#!/bin/sh\nprintf '%s\\n' $# \"$@\" >{}\n{rest}\n", words.display()));
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder.0.clone()
}

fn sending<'a>(server: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["get", "--send", "--from", "Joe <joe@h.example>", "--mail-server", server], more].concat()
}

#[test]
fn a_draft_is_shown_and_not_sent() {
    let output = urlwise(&["get", DRAFT]);
    let expected = "To: \"jim@x\"@h.example\nSubject: Caf\u{e9}\n\nHello\n.\nJoe\n";
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, expected));
    let output = urlwise(&["get", "--dry-run", DRAFT]);
    let expected = "compose  a draft to \"jim@x\"@h.example, subject \"Caf\u{e9}\", a body of 3 lines\n";
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, expected));
    assert_eq!(code(&urlwise(&["ls", DRAFT])), 5);
}

#[test]
fn a_draft_is_saved_as_a_message_file() {
    let folder = Folder::new();
    let output = folder.urlwise(["get", "-O", "--json", DRAFT]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&line["kind"], &line["media_type"]), (&"draft".into(), &"message/rfc822".into()));
    assert_eq!(line["saved_as"], "%22jim@x%22@h.example.eml");
    let message = text(&folder.read("%22jim@x%22@h.example.eml"));
    let expected =
        "X-Unsent: 1\r\nTo: \"jim@x\"@h.example\r\nSubject: =?utf-8?b?Q2Fmw6k=?=\r\n\r\nHello\r\n.\r\nJoe\r\n";
    assert_eq!(message, expected);
    assert_eq!(code(&folder.urlwise(["get", "-O", DRAFT])), 14, "nothing is overwritten");
    assert_eq!(code(&folder.urlwise(["get", "-o", "x.eml", "mailto:a@b.example"])), 0);
    assert_eq!(text(&folder.read("x.eml")), "X-Unsent: 1\r\nTo: a@b.example\r\n\r\n");
}

/// Options with three recipients beside that of the URL, some of them twice.
const ADDED: [&str; 10] = [
    "--to",
    "ann@h.example",
    "--cc",
    "\"a,b\"@h.example",
    "--cc",
    "bob@h.example",
    "--cc",
    "ann@H.example",
    "--to",
    "jim@h.example",
];

fn with_added<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &ADDED, &["mailto:jim@h.example?subject=x"]].concat()
}

#[test]
fn added_recipients_are_shown_saved_and_handed_to_a_mailer() {
    let output = urlwise(&with_added(&["get"]));
    let expected = "To: jim@h.example, ann@h.example\nCc: \"a,b\"@h.example, bob@h.example\nSubject: x\n";
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, expected));
    let output = urlwise(&with_added(&["get", "--dry-run"]));
    let expected =
        "a draft to jim@h.example, ann@h.example, cc \"a,b\"@h.example, bob@h.example, subject \"x\", without a body";
    assert_eq!(text(&output.stdout), format!("compose  {expected}\n"));
    let output = urlwise(&with_added(&["get", "--dry-run", "--json"]));
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["text"], expected);
    let folder = Folder::new();
    assert_eq!(code(&folder.urlwise(with_added(&["get", "-o", "x.eml"]))), 0);
    let message = "X-Unsent: 1\r\nTo: jim@h.example,\r\n ann@h.example\r\n\
                   Cc: \"a,b\"@h.example,\r\n bob@h.example\r\nSubject: x\r\n\r\n";
    assert_eq!(text(&folder.read("x.eml")), message);
    let path = with_mailer(&folder, "xdg-email", "");
    let path = format!("{}:/usr/bin:/bin", path.display());
    let output = command(with_added(&["get", "--compose"])).env("PATH", path).output().unwrap();
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let url = "mailto:jim@h.example?to=ann@h.example&cc=%22a,b%22@h.example,%20bob@h.example&subject=x";
    assert_eq!(text(&folder.read("words")), format!("1\n{url}\n"));
}

#[test]
fn added_recipients_get_the_mail_once_each() {
    let (server, heard) = mail_server(true);
    let output = alone(&with_added(&sending(&server, &["--yes", "-v"])));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let all = ["jim@h.example", "ann@h.example", "\"a,b\"@h.example", "bob@h.example"];
    let heard = heard.lock().unwrap();
    let recipients: Vec<_> = heard.iter().filter(|line| line.starts_with("RCPT")).cloned().collect();
    assert_eq!(recipients, all.map(|address| format!("RCPT TO:<{address}>")));
    assert!(heard.contains(&" bob@h.example".to_owned()), "{heard:?}");
    let shown = text(&output.stderr);
    assert!(shown.contains(&format!("sent to {}: 250", all.join(", "))), "{shown}");
    assert!(shown.contains("RCPT TO:<bob@h.example>"), "{shown}");
    let output =
        urlwise(&with_added(&["get", "--dry-run", "--send", "--from", "joe@h.example", "--sendmail=/bin/true"]));
    let planned = format!("\nrun      /bin/true -i -f joe@h.example -- {}\n", all.join(" "));
    assert!(text(&output.stdout).contains(&planned), "{}", text(&output.stdout));
}

#[test]
fn security_38_wrong_added_addresses_are_refused_before_anything_is_opened() {
    let url = "mailto:jim@h.example";
    for (arguments, status, why) in [
        (["--to", "a@b.example,c@d.example", url], 2, "--to: \"a@b.example,c@d.example\" is not a mail address: lists"),
        (["--cc", "a@b.example\r\nBcc: x@y.example", url], 2, "0D 0A"),
        (["--cc", "", url], 2, "it is empty"),
        (["--to", "a@b.example", "gopher://h.example/"], 5, "--to requires a mailto URL"),
        (["--cc", "a@b.example", "http://h.example/"], 5, "--cc requires a mailto URL"),
        (["--to", "c@d.example", "mailto:a@b.example?cc=x@y.example"], 4, "mailto-inject"),
        (["--to", "c@d.example", "mailto:a@b.example,x@y.example"], 3, "lists of addresses"),
    ] {
        let output = urlwise(&[&["get"], &arguments[..]].concat());
        assert_eq!(code(&output), status, "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(why), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn security_39_a_mailer_gets_one_argument() {
    let folder = Folder::new();
    let url = "MAILTO:%22%24(id)%22@h.example?&Subject=-x%20%22y%22&body=a%0Ab";
    for name in ["xdg-open", "xdg-email"] {
        let path = with_mailer(&folder, name, "");
        let output =
            command(["get", "--compose", url]).env("PATH", format!("{}:/usr/bin:/bin", path.display())).output();
        assert_eq!(code(&output.unwrap()), 0);
        let expected = "1\nmailto:%22$(id)%22@h.example?subject=-x%20%22y%22&body=a%0D%0Ab\n";
        assert_eq!(text(&folder.read("words")), expected, "{name}");
        fs::remove_file(folder.path("words")).unwrap();
    }
    let run = |path: &str, more: &[&str]| {
        let arguments = [&["get", "--compose", url], more].concat();
        command(arguments).current_dir(&folder.0).env("PATH", path).output().unwrap()
    };
    let planned = run(&folder.0.display().to_string(), &["--dry-run"]);
    let expected = format!("\nrun      {}/xdg-email mailto:%22", folder.0.display());
    assert!(text(&planned.stdout).contains(&expected), "{}", text(&planned.stdout));
    // A program in the current folder is not run.
    for path in ["", ".", "/nowhere:."] {
        let output = run(path, &[]);
        assert_eq!(code(&output), 2, "{}", text(&output.stderr));
    }
    assert!(!folder.path("words").exists());
    let other = Folder::new();
    with_mailer(&other, "xdg-email", "");
    assert_eq!(code(&run(&format!(".:{}:/usr/bin:/bin", other.0.display()), &[])), 0);
    assert!(other.path("words").exists() && !folder.path("words").exists());
    with_mailer(&folder, "xdg-email", "exit 3");
    let output = run(&format!("{}:/usr/bin:/bin", folder.0.display()), &[]);
    assert!(code(&output) == 5 && text(&output.stderr).contains("exit status: 3"), "{}", text(&output.stderr));
}

#[test]
fn security_39_at_a_terminal_a_mailer_is_run_after_a_confirmation() {
    let folder = Folder::new();
    let path = with_mailer(&folder, "xdg-email", "");
    let program = env!("CARGO_BIN_EXE_urlwise");
    let command = format!("env PATH={}:/usr/bin:/bin {program} get --compose mailto:joe@h.example", path.display());
    let question = format!("Pass mailto:joe@h.example to {}/xdg-email? [y/N] ", path.display());
    let (shown, status) = at_terminal(&command, &question, "n");
    assert_eq!((status, folder.path("words").exists()), (4, false), "{shown}");
    let (shown, status) = at_terminal(&command, &question, "y");
    assert_eq!((status, text(&folder.read("words")).as_str()), (0, "1\nmailto:joe@h.example\n"), "{shown}");
}

#[test]
fn security_38_nothing_is_sent_without_confirmation() {
    let (server, heard) = mail_server(true);
    let output = alone(&sending(&server, &[DRAFT]));
    assert_eq!((code(&output), heard.lock().unwrap().len()), (4, 0));
    assert!(text(&output.stderr).contains("--yes"), "{}", text(&output.stderr));
    let output = alone(&sending(&server, &["--yes", DRAFT]));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains(r#"sent to "jim@x"@h.example: 250 \x1b[2Jtaken"#),
        "{}",
        text(&output.stderr)
    );
    let heard = heard.lock().unwrap();
    let recipients: Vec<_> = heard.iter().filter(|line| line.starts_with("RCPT")).collect();
    assert_eq!(recipients, [r#"RCPT TO:<"jim@x"@h.example>"#]);
}

#[test]
fn security_38_the_mail_is_shown_before_the_question() {
    let (server, heard) = mail_server(true);
    let program = env!("CARGO_BIN_EXE_urlwise");
    let command = format!("{program} get --send --from joe@h.example --mail-server {server} '{DRAFT}'");
    for (answer, expected) in [("", 4), ("no", 4), ("maybe", 4), ("yes", 0)] {
        let (shown, status) = at_terminal(&command, "Send this mail? [y/N] ", answer);
        assert_eq!(status, expected, "{shown}");
        for line in [r#"to   "jim@x"@h.example"#, "from joe@h.example", "From: joe@h.example", "Joe\r\n"] {
            assert!(shown.contains(line), "{shown}");
        }
        let asked = shown.split("[y/N]").next().unwrap().contains(&format!("by   {server}"));
        assert!(asked && heard.lock().unwrap().is_empty() != (expected == 0), "{shown}");
    }
}

#[test]
fn a_mail_is_sent_once_even_if_it_fails() {
    let (server, heard) = mail_server(false);
    let output = alone(&sending(&server, &["--yes", "--retry", "3", "mailto:jim@h.example"]));
    assert_eq!(code(&output), 13, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("it may have been sent"), "{}", text(&output.stderr));
    assert_eq!(heard.lock().unwrap().iter().filter(|line| line.starts_with("EHLO")).count(), 1);
}

#[test]
fn security_14_the_password_of_a_mail_server_is_not_echoed() {
    let (server, heard) = mail_server(true);
    let program = env!("CARGO_BIN_EXE_urlwise");
    let server = server.replace("smtp://", "smtp://joe@");
    let command =
        format!("{program} get -v --send --yes --from joe@h.example --mail-server {server} mailto:jim@h.example");
    let host = server.replace("smtp://joe@", "smtp://");
    let (shown, status) = at_terminal(&command, &format!("password of joe at {host}: "), MARKER);
    assert_eq!((status, shown.contains(MARKER)), (0, false), "{shown}");
    assert!(shown.contains(r"AUTH PLAIN ***\r\n") && shown.contains("note[password-in-clear]"), "{shown}");
    assert!(heard.lock().unwrap().contains(&"AUTH PLAIN AGpvZQBNYVJrRXI=".to_owned()));
}

#[test]
fn security_12_without_a_terminal_no_empty_password_is_sent_to_a_mail_server() {
    let (server, heard) = mail_server(true);
    let named = server.replace("smtp://", "smtp://joe@");
    for (server, more) in [(named.as_str(), &[][..]), (&server, &["--user", "joe"])] {
        let output = alone(&sending(server, &[&["--yes", "mailto:jim@h.example"], more].concat()));
        assert_eq!(code(&output), 9, "{}", text(&output.stderr));
    }
    let heard = heard.lock().unwrap().join("\n");
    assert!(heard.contains("EHLO") && !heard.contains("AUTH") && !heard.contains("MAIL"), "{heard}");
}

#[test]
fn missing_and_conflicting_options_are_reported() {
    for (arguments, status, why) in [
        (&["get", "--send", "mailto:a@b.example"][..], 2, "use --from"),
        (
            &["get", "--send", "--from", "x@y.example", "mailto:a@b.example"],
            2,
            "--send requires --mail-server or --sendmail",
        ),
        (&["get", "--send", "--from", "x", "--mail-server", "h", "mailto:a@b.example"], 2, "is not a valid sender"),
        (
            &["get", "--send", "--from", "x@y.example", "--mail-server", "http://h", "mailto:a@b.example"],
            2,
            "is not a valid mail server",
        ),
        (
            &["get", "--send", "--from", "x@y.example", "--mail-server", "h", "http://h.example/"],
            5,
            "requires a mailto URL",
        ),
        (&["get", "--send", "-O", "mailto:a@b.example"], 2, "cannot be used with"),
        (&["get", "--from", "x@y.example", "mailto:a@b.example"], 2, "--send"),
        (
            &["get", "--dry-run", "--send", "--from", "x@y.example", "--mail-server", "h", "mailto:a@b?cc=c@d"],
            4,
            "mailto-inject",
        ),
        (&["get", "mailto:j%C3%B6rg@h.example"], 3, "`ö` (U+00F6) is not allowed in an address"),
        (
            &[
                "get",
                "--send",
                "--yes",
                "--from",
                "x@y.example",
                "--mail-server",
                "h",
                "--gateway",
                GATEWAY,
                "mailto:a@b.example",
            ],
            5,
            "is opened through a gateway",
        ),
        (
            &["get", "--send", "--from", "x@y.example", "--sendmail=no-such-program", "mailto:a@b.example"],
            2,
            "program not found",
        ),
    ] {
        let output = urlwise(arguments);
        assert_eq!(code(&output), status, "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(why), "{arguments:?}: {}", text(&output.stderr));
    }
    let secret = format!("smtps://joe:{MARKER}@h.example");
    let output = urlwise(&["get", "--send", "--from", "x@y.example", "--mail-server", &secret, "mailto:a@b.example"]);
    assert_eq!(code(&output), 2);
    assert!(!text(&output.stderr).contains(MARKER), "{}", text(&output.stderr));
}

#[test]
fn settings_name_the_sender_the_server_and_the_mailer() {
    let (server, heard) = mail_server(true);
    let folder = Folder::new();
    let program = with_mailer(&folder, "compose", "").join("compose");
    let settings = format!(
        "[mail]\nserver = \"{server}\"\nfrom = \"Joe <joe@h.example>\"\ncompose = [\"{}\", \"-x y\"]\n",
        program.display()
    );
    folder.file("config.toml", settings);
    let run = |more: &[&str]| {
        alone(&[&["get", "--settings", &folder.path("config.toml").display().to_string()], more].concat())
    };
    let output = run(&["--send", "--yes", "mailto:jim@h.example"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(heard.lock().unwrap().contains(&"From: Joe <joe@h.example>".to_owned()));
    assert_eq!(code(&run(&["--compose", "mailto:jim@h.example"])), 0);
    assert_eq!(text(&folder.read("words")), "2\n-x y\nmailto:jim@h.example\n");
    // Options override settings.
    let output =
        run(&["--send", "--dry-run", "--from", "jane@h.example", "--sendmail=/bin/true", "mailto:jim@h.example"]);
    let planned = text(&output.stdout);
    assert!(planned.contains("\nrun      /bin/true -i -f jane@h.example -- jim@h.example\n"), "{planned}");
    let output = run(&["--send", "--dry-run", "--sendmail", "mailto:jim@h.example"]);
    assert!(text(&output.stdout).contains("\nrun      /usr/sbin/sendmail -i -f joe@"), "{}", text(&output.stderr));
}

#[test]
fn mistakes_in_mail_settings_are_reported_with_line_and_column() {
    for (settings, place, why) in [
        ("server = \"http://h.example\"", "2:10", "is not a valid mail server"),
        ("server = \"smtps://joe:MaRkEr@h.example\"", "2:10", "must not contain a password"),
        ("from = \"joe\"", "2:8", "is not a valid sender"),
        ("compose = []", "2:11", "use a program name or an absolute path"),
        ("compose = [\"bin/mutt\"]", "2:11", "use a program name or an absolute path"),
        ("compose = \"mutt\"", "2:11", "invalid type"),
        ("sendmail = \"./sendmail\"", "2:12", "use a program name or an absolute path"),
        ("server = \"h.example\"\nsendmail = \"sendmail\"", "3:12", "cannot be used together"),
        ("sever = \"h.example\"", "2:1", "unknown field `sever`"),
    ] {
        let folder = Folder::new();
        folder.file("config.toml", format!("[mail]\n{settings}\n"));
        let output = folder.urlwise(["get", "--dry-run", "--settings", "config.toml", "mailto:a@b.example"]);
        let message = text(&output.stderr);
        assert_eq!(code(&output), 2, "{settings}");
        assert!(message.contains(&format!("config.toml:{place}: ")) && message.contains(why), "{settings}: {message}");
        assert!(!message.contains(MARKER), "{message}");
    }
}
