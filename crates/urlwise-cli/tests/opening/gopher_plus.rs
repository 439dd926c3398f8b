//! Gopher+: attributes, details of menus, views, forms. The server replays recordings of Minnesota's gopherd.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::replayed::Replayed;
use crate::support::*;

const MARKER: &str = "MaRkEr";

fn minnesota() -> Replayed {
    Replayed::start(&["umn-", "umnv-"])
}

/// Runs the program without a terminal.
pub(crate) fn alone<S: AsRef<str>>(arguments: &[S]) -> Output {
    let mut command = english("setsid");
    command.args(["--wait", env!("CARGO_BIN_EXE_urlwise")]).args(arguments.iter().map(AsRef::as_ref));
    command.stdin(Stdio::null()).output().unwrap()
}

pub(crate) fn json_lines(octets: &[u8]) -> Vec<serde_json::Value> {
    text(octets).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A gopher server that calls a function for each request line.
pub(crate) fn gopher(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("gopher://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            log.lock().unwrap().push(line.clone());
            // The client may have closed the connection.
            let _ = stream.write_all(&answer(&line));
        }
    });
    (base, asked)
}

#[test]
fn attributes_are_printed_for_people_and_as_data() {
    let server = minnesota();
    let output = urlwise(&["get", &server.url("/00/about.txt%09%09!")]);
    let expected = "\
document           102  2026-11-21 07:23Z  about  <URL:gopher://127.0.0.1:7071/00/about.txt%09%09+>
  ADMIN
    Admin: Test Admin <admin@example.org>
    Mod-Date: Sat Nov 21 07:23:59 2026 <20261121072359>
  VIEWS
    Text/plain En_US: <.1k>
  ABSTRACT
    A short abstract of about.txt,
    in two lines.
";
    assert_eq!((code(&output), text(&output.stdout)), (0, expected.into()), "{}", text(&output.stderr));
    let output = urlwise(&["get", "--json", &server.url("/1%09%09$")]);
    let items = json_lines(&output.stdout);
    assert_eq!(items.len(), 11);
    let survey = &items[8];
    assert_eq!((&survey["title"], &survey["kind"], &survey["size"]), (&"survey".into(), &"form".into(), &102.into()));
    assert_eq!(survey["views"][0], serde_json::json!({"type": "Text/plain", "language": "En_US", "size": 102}));
    assert_eq!(survey["form"][5]["choices"], serde_json::json!(["red", "green", "blue"]));
    assert_eq!(survey["attributes"][1]["lines"][0], "Admin: Test Admin <admin@example.org>");
    let report = &json_lines(&output.stderr)[0];
    assert_eq!((&report["kind"], &report["ok"]), (&"attributes".into(), &true.into()));
}

#[test]
fn attributes_are_saved_as_the_server_sends_them() {
    let (folder, server) = (Folder::new(), minnesota());
    let output = folder.urlwise(["get", "--output", "about", &server.url("/00/about.txt%09%09!")]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(text(&folder.read("about")).starts_with("+INFO: 0about\t0/about.txt\t"));
}

#[test]
fn ls_long_shows_what_a_menu_does_not_say() {
    let server = minnesota();
    let output = urlwise(&["ls", "--long", &server.url("/")]);
    let shown = text(&output.stdout);
    let expected = "\
document           102  2026-11-21 07:23Z  about  <URL:gopher://127.0.0.1:7071/00/about.txt%09%09+>
          A short abstract of about.txt,
          in two lines.
menu              4096  2026-11-21 07:23Z  bin  ";
    assert!(shown.contains(expected), "{shown}");
    assert!(shown.contains("session   A telnet session  <URL:telnet://guest@127.0.0.1:2323/>\n"), "{shown}");
    let items = json_lines(&urlwise(&["ls", "-l", "--json", &server.url("/")]).stdout);
    assert_eq!(items[2]["description"], "A short abstract of about.txt,\nin two lines.");
    assert_eq!(server.asked(), [r"\t$\r\n", r"\t$\r\n"]);
    let shown = text(&urlwise(&["ls", &server.url("/00/survey%09%09?")]).stdout);
    assert_eq!(shown, format!("form      survey  <URL:{}>\n", server.url("/00/survey%09%09?")));
}

#[test]
fn views_are_chosen_by_option() {
    let server = minnesota();
    let poem = server.url("/00/views/poem");
    let output = urlwise(&["get", "--view", "text/plain", "--language", "de", &poem]);
    assert_eq!((code(&output), text(&output.stdout)), (0, "Deutsches Gedicht\n".into()));
    let output = urlwise(&["get", "--view", "image/gif", &poem]);
    assert_eq!(code(&output), 10);
    assert!(text(&output.stderr).contains("available views: `Text/plain De_DE`, `application/postscript En_US`"));
    assert_eq!(code(&urlwise(&["get", "--view", "text/plain", "file:///etc/passwd"])), 4);
    assert_eq!(text(&urlwise(&["get", "--language", "de", &poem]).stdout), "Deutsches Gedicht\n");
    assert_eq!(code(&urlwise(&["get", "--language", "de", "file:///etc/passwd"])), 4);
    let plan = text(&urlwise(&["get", "--dry-run", "--view", "text/plain", &poem]).stdout);
    assert!(plan.contains(r"0/views/poem\t!\r\n") && plan.contains(r"0/views/poem\t+text/plain\r\n"), "{plan}");
}

const ANSWERS: [&str; 6] = [
    "Your name=Me",
    "2=secret",
    "any comments=line one\nline two",
    "Send mail=yes",
    "Pick a color=2",
    "A file to send=file",
];

const RESULT: &str = "form answers follow\n1: Me\n2: secret\n3: 2\n4: line one\n5: line two\n6: 1\n7: green\n8: file body here\n9: second\n";

fn filled(answers: &[&str]) -> Vec<String> {
    answers.iter().flat_map(|answer| ["--answer".to_owned(), (*answer).to_owned()]).collect()
}

#[test]
fn a_form_is_filled_by_options() {
    let (folder, server) = (Folder::new(), minnesota());
    folder.file("file", "file body here\nsecond\n");
    let url = server.url("/00/survey%09%09?");
    let get = |more: &[&str]| {
        let answers = filled(&ANSWERS);
        folder.urlwise(
            ["get", "--form-url"].iter().chain(more).copied().chain(answers.iter().map(String::as_str)).chain([&*url]),
        )
    };
    let output = get(&[]);
    assert_eq!((code(&output), text(&output.stdout)), (0, RESULT.into()), "{}", text(&output.stderr));
    let stands_for_it = |secret: &str| {
        let answers = format!(
            "Me%0D%0A{secret}%0D%0A2%0D%0Aline%20one%0D%0Aline%20two%0D%0A1%0D%0Agreen%0D%0Afile%20body%20here%0D%0Asecond"
        );
        server.url(&format!("/00/survey%09%09+%091%0D%0A+-1%0D%0A{answers}%0D%0A.%0D%0A"))
    };
    let told = format!("urlwise: the filled-in form is {}\n", stands_for_it("***"));
    assert_eq!(text(&output.stderr), told);
    let open = format!("urlwise: the filled-in form is {}\n", stands_for_it("secret"));
    assert_eq!(text(&get(&["--show-secrets"]).stderr), open);
    // The URL of a filled-in form is sent unchanged.
    assert_eq!(text(&urlwise(&["get", &stands_for_it("secret")]).stdout), RESULT);
}

#[test]
fn security_14_secret_answers_are_not_shown() {
    let (folder, server) = (Folder::new(), minnesota());
    folder.file("file", "file body here\nsecond\n");
    let mut answers = ANSWERS;
    let secret = format!("A secret word={MARKER}");
    answers[1] = &secret;
    for more in [&["-v"][..], &["--json"], &["--form-url", "-v", "--json"], &["-O", "--json"]] {
        let arguments: Vec<String> = ["get".to_owned()]
            .into_iter()
            .chain(more.iter().map(|&option| option.to_owned()))
            .chain(filled(&answers))
            .chain([server.url("/00/survey%09%09?")])
            .collect();
        let output = folder.urlwise(&arguments);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(server.asked().last().unwrap().contains(MARKER), "it was sent");
        assert!(!said.contains(MARKER) && !said.is_empty(), "{more:?}: {said}");
        assert!(folder.names().iter().all(|name| !text(&folder.read(name)).contains(MARKER)), "{more:?}");
    }
}

#[test]
fn without_answers_and_a_terminal_the_questions_are_shown_and_nothing_is_sent() {
    let server = minnesota();
    let url = server.url("/00/survey%09%09?");
    let output = alone(&["get", &url]);
    assert_eq!(code(&output), 4);
    let expected = "
  1. Your name (line), default `Anonymous`
  2. A secret word (secret)
  3. Any comments (lines)
  4. Send mail (select), default `no`
  5. Pick a color (choose): red | green | blue
  6. A file to send (file)
";
    assert!(text(&output.stderr).ends_with(expected), "{}", text(&output.stderr));
    let japanese = text(&alone(&["--lang", "ja", "get", &url]).stderr);
    let question = "\n  1. Your name (line)、デフォルトは`Anonymous`\n";
    assert!(japanese.contains("端末がない。--answer NAME=VALUEで") && japanese.contains(question), "{japanese}");
    for (wrong, status) in [
        ("Yuor name=Me", 4),
        ("7=x", 4),
        ("Your name", 4),
        ("4=perhaps", 4),
        ("5=pink", 4),
        ("1=a\r\nQUIT", 4),
        ("6=/no/such", 18),
    ] {
        let output =
            alone(&["get", "--answer", wrong, "--answer", "2=s", "--answer", "3=", "--answer", "6=/dev/null", &url]);
        assert_eq!(code(&output), status, "{wrong}: {}", text(&output.stderr));
    }
    let output = alone(&["get", "--answer", "1=x", &url]);
    assert_eq!(code(&output), 4, "some have no default");
    assert!(server.asked().iter().all(|request| request == r"0/survey\t!\r\n"), "{:?}", server.asked());
    // An endless file is refused.
    let output = alone(&["get", "--answer", "6=/dev/zero", &url]);
    assert_eq!(code(&output), 18);
}

/// Types each answer when its question appears. Returns everything that was shown.
fn typed(command: &str, answers: &[(&str, &str)]) -> (bool, String) {
    let mut script = english("script")
        .args(["-qec", command, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut terminal, mut keys) = (script.stdout.take().unwrap(), script.stdin.take().unwrap());
    let mut shown = Vec::new();
    let mut seen = 0;
    for (question, answer) in answers {
        while !text(&shown[seen..]).contains(question) {
            let mut octet = [0];
            assert_eq!(terminal.read(&mut octet).unwrap(), 1, "{question}: {}", text(&shown));
            shown.extend(octet);
        }
        seen = shown.len();
        keys.write_all(answer.as_bytes()).unwrap();
    }
    terminal.read_to_end(&mut shown).unwrap();
    (script.wait().unwrap().success(), text(&shown))
}

#[test]
fn a_form_is_filled_at_the_terminal_and_secrets_are_not_shown() {
    let (folder, server) = (Folder::new(), minnesota());
    let file = folder.file("file", "file body here\nsecond\n");
    let command = format!("{} get '{}'", env!("CARGO_BIN_EXE_urlwise"), server.url("/00/survey%09%09?"));
    let file = format!("{}\n", file.display());
    let answers = [
        ("1. Your name [Anonymous]: ", "Me\n"),
        ("2. A secret word: ", "secret\n"),
        ("3. Any comments", "line one\nline two\n\n"),
        ("4. Send mail [no]: ", "y\n"),
        ("3) blue: ", "pink\n"),
        ("not one of the choices\r\n5. Pick a color [red]", "green\n"),
        ("6. A file to send", "/no/such\n"),
        ("No such file or directory\r\n6. A file to send", &file),
    ];
    let (is_good, shown) = typed(&command, &answers);
    assert!(is_good, "{shown}");
    assert!(shown.contains("survey\r\nA little survey\r\n1. "), "{shown}");
    assert!(shown.ends_with(&RESULT.replace('\n', "\r\n")), "{shown}");
    let before = shown.split("form answers follow").next().unwrap();
    assert!(!before.contains("secret\r") && before.contains("Me\r\n"), "{shown}");
}

#[test]
fn empty_answers_mean_the_default() {
    let form =
        b"+-2\r\n+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n Ask: a\tx\r\n Choose: c\tred\tblue\r\n Select: s\t1\r\n Ask: e\r\n";
    let (base, asked) = gopher(|line| if line == "f\t!\r\n" { form.to_vec() } else { b"+-2\r\nthanks\r\n".to_vec() });
    let command = format!("{} get --form-url '{base}/0f%09%09?'", env!("CARGO_BIN_EXE_urlwise"));
    let (is_good, shown) =
        typed(&command, &[("[x]: ", "\n"), ("2) blue: ", "\n"), ("[yes]: ", "\n"), ("4. e: ", "\n")]);
    assert!(is_good && shown.contains("thanks"), "{shown}");
    assert!(shown.contains("%0D%0Ax%0D%0Ared%0D%0A1%0D%0A%0D%0A.%0D%0A"), "{shown}");
    assert_eq!(*asked.lock().unwrap(), ["f\t!\r\n", "f\t+\t1\r\n"]);
}

#[test]
fn security_46_controls_in_forms_are_escaped_everywhere() {
    let odd = "\x1b]0;x\x07\u{9b}31m\u{202e}";
    let form = format!(
        "+-2\r\n+INFO: 0{odd}\tf\t\t\t?\r\n+X{odd}: {odd}\r\n {odd}\r\n+ASK:\r\n Note: {odd}\r\n Ask: {odd}\t{odd}\r\n Choose: c\t{odd}\r\n"
    );
    let (base, _) = gopher(move |_| form.clone().into_bytes());
    let url = |plus: &str| format!("{base}/0f%09%09{plus}");
    for arguments in [
        vec!["get".to_owned(), url("!")],
        vec!["get".to_owned(), "--json".into(), url("!")],
        vec!["ls".to_owned(), "--long".into(), url("$")],
        vec!["ls".to_owned(), "--json".into(), url("$")],
        vec!["get".to_owned(), url("?")],
        vec!["get".to_owned(), "--answer".into(), "9=x".into(), url("?")],
        vec!["get".to_owned(), "--view".into(), "x/y".into(), format!("{base}/0f")],
    ] {
        let output = alone(&arguments);
        let shown = text(&output.stdout) + &text(&output.stderr);
        assert!(
            !shown.is_empty() && !shown.chars().any(|c| c != '\n' && urlwise::is_harmful(c)),
            "{arguments:?} {shown:?}"
        );
    }
    let command = format!("{} get '{}'", env!("CARGO_BIN_EXE_urlwise"), url("?"));
    let (_, shown) = typed(&command, &[("1. ", "\n"), ("2. c", "\n")]);
    let is_shown = |c: char| c != '\n' && c != '\r' && urlwise::is_harmful(c);
    assert!(!shown.chars().any(is_shown), "{shown:?}");
}

#[test]
fn a_form_is_sent_once_even_if_it_fails() {
    let form = b"+-2\r\n+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n Ask: a\r\n";
    let (base, asked) = gopher(|line| match line {
        "f\t!\r\n" => form.to_vec(),
        _ => b"+100\r\nnot all of it".to_vec(),
    });
    let output = urlwise(&["get", "--retry", "3", "--answer", "a=x", &format!("{base}/0f%09%09?")]);
    assert_eq!(code(&output), 13, "{}", text(&output.stderr));
    assert_eq!(*asked.lock().unwrap(), ["f\t!\r\n", "f\t+\t1\r\n"]);
    let filled = format!("{base}/0f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A");
    assert_eq!(code(&urlwise(&["get", "--retry", "3", &filled])), 13);
    assert_eq!(asked.lock().unwrap().len(), 3);
}

#[test]
fn an_answer_may_be_to_a_question_with_an_equals_sign() {
    let form = b"+-2\r\n+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n Ask: 1+1=2?\r\n";
    let (base, _) = gopher(|line| if line == "f\t!\r\n" { form.to_vec() } else { b"+-2\r\nthanks\r\n".to_vec() });
    let url = format!("{base}/0f%09%09?");
    let output = urlwise(&["get", "--form-url", "--answer", "1+1=2?=a=b", &url]);
    assert!(text(&output.stderr).contains("%0D%0Aa=b%0D%0A.%0D%0A"), "{}", text(&output.stderr));
}

#[test]
fn answers_for_a_url_without_a_form_are_refused() {
    let server = minnesota();
    let filled = "/00/survey%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A";
    for url in [server.url("/00/survey"), server.url("/00/survey%09%09+"), server.url(filled), "file:///".into()] {
        for more in [&[][..], &["--dry-run"]] {
            let output = urlwise(&[&["get", "--answer", "1=x"], more, &[&url]].concat());
            assert_eq!(code(&output), 4, "{url}: {}", text(&output.stderr));
            assert!(
                text(&output.stderr).contains("--answer requires the URL of a gopher form"),
                "{url}: {}",
                text(&output.stderr)
            );
        }
    }
    assert!(server.asked().is_empty());
}

#[test]
fn an_entry_without_a_valid_url_is_marked() {
    let menu = b"0Odd\ta\thost.dom\t99999\r\nhLink\tURL:no url\t\t70\r\n3Gone\t\terror.host\t1\r\n2Phones\t\tcso.dom\t105\r\n8Tel\tguest\th.dom\t23\r\n";
    let (base, _) = gopher(|_| menu.to_vec());
    let expected = "\
document  Odd  (cannot be opened: the server's entry does not form a valid URL)
document  Link  (cannot be opened: the server's entry does not form a valid URL)
error     Gone
session   Phones  <URL:gopher://cso.dom:105/2>
session   Tel  <URL:telnet://guest@h.dom/>
";
    assert_eq!(text(&urlwise(&["ls", &base]).stdout), expected);
}
