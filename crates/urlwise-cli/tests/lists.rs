//! Long lists are worked on by several threads: the output is that of one thread, octet for octet, and early ends are early.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use support::Tree;

/// What must happen at once may take so long on a busy machine, and what must not happen would take forever.
const PATIENCE: Duration = Duration::from_secs(60);

/// Some hundred kilobytes of URLs of all kinds, every line different, with empty lines among them.
fn list() -> String {
    let kinds = [
        "ftp://jim:s3cret@host.example/a%2Fb/{};type=a",
        "http://host{}.example:8080/a b/and/some/more/of/a/path/that/goes/on/?c",
        "gopher://host.example/7/{}/maps/of/old/cities/and/countries%09old%20maps",
        "mailto:jim{}@host.example",
        "",
        "https://host.example/~{}/a/path/of/a/few/segments/index.html#top",
        "news:comp.infosystems.{}",
        "\u{e9}{}",
        "http://good.example@evil{}.example/",
    ];
    (0..4000).map(|i| kinds[i % kinds.len()].replace("{}", &i.to_string()) + "\n").collect()
}

const COMMANDS: &[&[&str]] = &[
    &["parse"],
    &["parse", "--json"],
    &["parse", "--columns", "url,host,problem"],
    &["parse", "--template", "{url} {path:decoded}", "--unique"],
    &["compare"],
    &["compare", "--json"],
    &["guard"],
    &["guard", "--json"],
    &["explain"],
    &["explain", "--json"],
    &["check", "--notes"],
    &["check", "--notes", "--json"],
    &["check", "--notes", "--format", "sarif"],
    &["normalize"],
    &["normalize", "--json"],
    &["resolve", "http://base.example/a/"],
    &["resolve", "--json", "http://base.example/a/"],
    &["repair"],
    &["repair", "--json"],
];

#[test]
fn any_number_of_threads_writes_the_same() {
    let list = list();
    assert!(list.len() > 2 * (64 << 10), "threads work on long lists only");
    let tree = Tree::new("lists").with("urls", &list);
    for command in COMMANDS {
        let one = tree.run(&[command, &["-f", "urls", "-j", "1"][..]].concat());
        assert!(one.stdout.lines().chain(one.stderr.lines()).count() > 3000, "{command:?}");
        assert_eq!(one.status, 1, "{command:?}");
        for threads in if command.contains(&"parse") { &["2", "7"][..] } else { &["3"] } {
            let several = tree.run(&[command, &["-f", "urls", "--threads", threads][..]].concat());
            assert!(one.stdout == several.stdout, "{command:?} with {threads} threads");
            assert_eq!(
                (one.status, &one.stderr),
                (several.status, &several.stderr),
                "{command:?} with {threads} threads"
            );
        }
        if command.contains(&"explain") {
            continue;
        }
        let piped = tree.feed(command, list.as_str());
        let place = |text: &str| text.replace("<stdin>", "urls").replace("\"path\":null", "\"path\":\"urls\"");
        if !command.contains(&"sarif") {
            assert!(place(&one.stdout) == place(&piped.stdout), "{command:?} from a pipe");
        }
    }
}

#[test]
fn a_byte_order_mark_before_a_list_is_not_part_of_its_first_url() {
    let tree =
        Tree::new("lists-mark").with("urls", "\u{feff}http://a.dom/%zz\r\nnews:a.b\r\n").with("mark", "\u{feff}");
    let reports = tree.run(&["check", "--json", "-f", "urls"]).json();
    let report = &reports[0];
    assert_eq!((&report["url"], &report["span"]), (&"http://a.dom/%zz".into(), &serde_json::json!([13, 14])));
    // As in a text, the mark has a place: three octets of the file, and one character.
    assert_eq!((&report["line"], &report["column"], reports.len()), (&1.into(), &17.into(), 1));
    let in_text = &tree.run(&["check", "--json", "--path", "urls"]).json()[0];
    assert_eq!((&in_text["line"], &in_text["column"]), (&report["line"], &report["column"]));
    let github = tree.run(&["check", "--format", "github", "-f", "urls"]).stdout;
    assert!(github.starts_with("::error file=urls,line=1,endLine=1,col=15,endColumn=16,"), "{github}");
    let links = tree.run(&["check", "--open", "--offline", "--json", "-f", "urls"]).json();
    assert_eq!((&links[0]["target"], &links[0]["column"]), (&"http://a.dom/%zz".into(), &4.into()));
    let list = "\u{feff}news:a.b\nnews:c.d\n";
    assert_eq!(tree.feed(&["normalize"], list).stdout, "news:a.b\nnews:c.d\n");
    assert_eq!(tree.run(&["normalize", "-f", "mark"]).stderr, "urlwise: no URL in the input\n");
    // Records that end in NUL, and values of a database, are taken as they are.
    assert_eq!(tree.feed(&["normalize", "--null"], "\u{feff}news:a.b\0").status, 1);
    assert_eq!(tree.feed(&["parse", "--columns", "host", "--escaped"], "\u{feff}http://a.dom/\n").status, 1);
}

#[test]
fn a_list_in_utf_16_is_named_as_the_mistake() {
    let tree = Tree::new("lists-utf-16");
    let text = |to: fn(u16) -> [u8; 2]| "\u{feff}news:a.b\n".encode_utf16().flat_map(to).collect::<Vec<_>>();
    for list in [text(u16::to_le_bytes), text(u16::to_be_bytes)] {
        let run = tree.feed(&["normalize"], list);
        let said = "urlwise: <stdin>: the list seems to be in UTF-16; convert it to UTF-8\n";
        assert!(run.stderr.starts_with(said) && run.status == 1, "{}", run.stderr);
    }
    let other = tree.feed(&["normalize"], b"\xFF\xFEa\n".to_vec());
    assert!(!other.stderr.contains("UTF-16"), "{}", other.stderr);
}

#[test]
fn what_is_said_of_a_line_follows_its_answer() {
    let tree = Tree::new("lists-order").with("urls", list());
    for command in [&["normalize"][..], &["resolve", "http://base.example/a/"], &["repair"]] {
        let [one, several] = ["1", "3"].map(|threads| {
            let all = fs::File::create(tree.path("all")).unwrap();
            let mut program = tree.program(&[command, &["-f", "urls", "-j", threads]].concat());
            program.stdout(all.try_clone().unwrap()).stderr(all);
            assert_eq!(program.status().unwrap().code(), Some(1));
            fs::read_to_string(tree.path("all")).unwrap()
        });
        assert!(one == several, "{command:?}");
        let said: Vec<bool> = one.lines().map(|line| line.starts_with("urlwise: ")).collect();
        let turns = said.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(turns > 2000, "{command:?} turns {turns} times");
    }
}

#[test]
fn one_bad_url_among_many_decides_the_status() {
    let fine = "http://host.example/a\n".repeat(8000);
    for (list, status) in [(fine.clone(), 0), (format!("{fine}http://\n"), 1), (format!("http://\n{fine}"), 1)] {
        let tree = Tree::new("lists-status").with("urls", list);
        assert_eq!(tree.run(&["parse", "-f", "urls", "-j", "3"]).status, status);
        assert_eq!(tree.run(&["compare", "-f", "urls", "-j", "3"]).status, status);
    }
}

#[test]
fn everything_before_a_failure_is_written_and_nothing_behind_it() {
    let fine = "news:a.b\n".repeat(20_000);
    let tree = Tree::new("lists-failure").with("urls", fine);
    for threads in ["1", "3"] {
        let run = tree.run(&["parse", "--json", "-f", "urls", "-f", "none", "-f", "urls", "-j", threads]);
        assert_eq!(run.status, 2);
        assert_eq!(run.stdout.lines().count(), 20_000);
        assert!(run.stderr.starts_with("urlwise: cannot read none: "), "{}", run.stderr);
    }
}

#[test]
fn a_line_that_is_too_long_has_its_place_among_the_others() {
    let fine = "news:a.b\n".repeat(20_000);
    let long = "a".repeat((4 << 20) + 1);
    let tree = Tree::new("lists-long").with("urls", format!("{fine}{long}\n{fine}{long}\n{long}\n{fine}"));
    for threads in ["1", "3"] {
        let run = tree.run(&["parse", "--columns", "problem", "-f", "urls", "-j", threads]);
        assert_eq!(run.status, 1);
        let places = run.stdout.lines().enumerate().filter(|(_, problem)| *problem == "url-length");
        assert_eq!(places.map(|(at, _)| at).collect::<Vec<_>>(), [20_000, 40_001, 40_002]);
        assert_eq!(run.stdout.lines().count(), 60_003);
        let run = tree.run(&["normalize", "-f", "urls", "-j", threads]);
        assert_eq!((run.status, run.stdout.lines().count()), (1, 60_000));
        let said: Vec<_> = run.stderr.lines().filter_map(|line| line.split(' ').nth(3)).collect();
        assert_eq!(said, ["20001", "40002", "40003"]);
    }
}

#[test]
fn a_closed_output_ends_the_program_though_the_input_goes_on() {
    let tree = Tree::new("lists-closed");
    for command in [&["parse"][..], &["check", "--notes"], &["explain", "-j", "3"]] {
        let mut program = tree.program(command);
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut first = [0];
        let (sent, all) = mpsc::channel::<()>();
        thread::spawn(move || {
            // Enough to fill every buffer; then the input stays open, and silent.
            let _ = stdin.write_all("http://host.example:25/a b\n".repeat(40_000).as_bytes());
            let _ = all.recv_timeout(PATIENCE);
        });
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let (ended, end) = mpsc::channel();
        thread::spawn(move || ended.send(child.wait()));
        let status = end.recv_timeout(PATIENCE / 2).expect("the program ends").unwrap();
        assert_eq!(status.code(), Some(0), "{command:?}");
        drop(sent);
    }
}

/// A run that is asked and answers while its input stays open.
struct Conversation {
    child: Child,
    stdin: ChildStdin,
    answers: mpsc::Receiver<String>,
}

impl Conversation {
    fn begin(tree: &Tree, command: &[&str]) -> Conversation {
        let mut child = tree.program(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (answered, answers) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let _ = answered.send(line.unwrap());
            }
        });
        Conversation { child, stdin, answers }
    }

    fn ask(&mut self, lines: &str) {
        self.stdin.write_all(lines.as_bytes()).unwrap();
    }

    fn answer(&self) -> String {
        self.answers.recv_timeout(PATIENCE).expect("an answer while the input is open")
    }

    fn end(mut self) {
        drop(self.stdin);
        self.child.wait().unwrap();
    }
}

#[test]
fn a_line_is_answered_before_the_next_is_written() {
    let tree = Tree::new("lists-prompt");
    for command in [&["parse", "--json"][..], &["compare", "--json"], &["check", "--notes", "--json"]] {
        let mut run = Conversation::begin(&tree, command);
        for number in 0..3 {
            run.ask(&format!("http://host.example:25/{number}\n"));
            let answer = run.answer();
            assert!(answer.contains(&format!("host.example:25/{number}\"")), "{answer}");
        }
        run.end();
    }
}

#[test]
fn a_large_block_is_answered_before_the_next_is_written() {
    // As an engine does that keeps the program running and hands it block after block.
    let tree = Tree::new("lists-blocks");
    for threads in ["1", "3"] {
        let mut run = Conversation::begin(&tree, &["parse", "--columns", "host", "-j", threads]);
        for rows in [1, 1000, 3000, 5000] {
            run.ask(&"http://host.example/a/b\n".repeat(rows));
            for _ in 0..rows {
                assert_eq!(run.answer(), "host.example");
            }
        }
        run.end();
    }
}
