//! News: which server is used, and how groups and articles are shown.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;

use crate::support::*;

/// Starts a news server. `answer` is called with each command, and with an empty one for the greeting.
fn serve(answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            answer("", &mut stream);
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            for line in lines.map_while(Result::ok) {
                answer(&line, &mut stream);
            }
        }
    });
    port
}

/// A server with one group of two articles; the greeting contains `name`.
fn small(name: &'static str) -> u16 {
    serve(move |command, stream| {
        let article =
            "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nFrom: joe@host.dom\r\n\r\nna\u{ef}ve \x1b[2J\r\n..\r\n.\r\n";
        let answer = match command.split(' ').next().unwrap_or_default() {
            "" => format!("200 {name}\r\n"),
            "CAPABILITIES" => "101 \r\nREADER\r\nOVER\r\n.\r\n".to_owned(),
            "GROUP" => "211 2 7 8 a.b\r\n".to_owned(),
            "OVER" => format!(
                "224 \r\n{}{}.\r\n",
                "7\tFirst\tjoe@host.dom\tSat, 21 Nov 2026 07:00:00 +0000\t<7@host.dom>\t\t430\t1\r\n",
                "8\t=?utf-8?q?Gr=C3=BC=C3=9Fe?=\tann \x1b[31m\tnever\t<a/b@host.dom>\t\t12\t1\r\n",
            ),
            "LIST" if command.ends_with("NEWSGROUPS") => "215 \r\na.b\tabout \x1b b\r\n.\r\n".to_owned(),
            "LIST" => "215 \r\na.b 8 7 y\r\nc.d 0 1 m\r\n.\r\n".to_owned(),
            "ARTICLE" => format!("220 0 <x@y>\r\n{article}"),
            _ => "500 \r\n".to_owned(),
        };
        let _ = stream.write_all(answer.as_bytes());
    })
}

#[test]
fn groups_and_articles_are_listed_a_line_each() {
    let port = small("one");
    let server = format!("127.0.0.1:{port}");
    let groups = urlwise(&["ls", "--news-server", &server, "news:*"]);
    let expected =
        format!("menu      a.b: about \\x1b b  <URL:nntp://{server}/a.b>\nmenu      c.d  <URL:nntp://{server}/c.d>\n");
    assert_eq!((text(&groups.stdout), code(&groups)), (expected, 0));
    let articles = urlwise(&["ls", "--news-server", &server, "news:a.b"]);
    let expected = [
        format!(
            "document        7           430  2026-11-21 07:00Z  First  (joe@host.dom)  <URL:nntp://{server}/a.b/7>\n"
        ),
        format!(
            "document        8            12  -                  Grüße  (ann \\x1b[31m)  <URL:nntp://{server}/a.b/8>\n"
        ),
    ];
    assert_eq!(text(&articles.stdout), expected.concat());
    let long = urlwise(&["ls", "--long", "--news-server", &server, "news:a.b"]);
    let also = ["7@host.dom", "a%2Fb@host.dom"].map(|id| format!("          also <URL:news:{id}>\n"));
    assert_eq!(text(&long.stdout), [&*expected[0], &also[0], &expected[1], &also[1]].concat());
    let json = urlwise(&["ls", "--json", "--last", "2", &format!("nntp://{server}/a.b")]);
    let last: serde_json::Value = serde_json::from_str(text(&json.stdout).lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["number"], &last["title"], &last["also"][0], &last["type"]),
        (&8.into(), &"Grüße".into(), &"news:a%2Fb@host.dom".into(), &"message/rfc822".into())
    );
}

#[test]
fn an_article_is_decoded_for_display_and_saved_as_it_was_posted() {
    let folder = Folder::new();
    let server = format!("127.0.0.1:{}", small("one"));
    let get = |more: &[&str]| {
        let arguments = ["get", "--news-server", &server, "news:a%2Fb@host.dom"];
        let output = folder.urlwise(arguments.iter().chain(more));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let posted = "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nFrom: joe@host.dom\r\n\r\nna\u{ef}ve \x1b[2J\r\n.\r\n";
    assert_eq!(get(&[]), "From: joe@host.dom\nSubject: Grüße\n\nna\u{ef}ve \\x1b[2J\n.\n");
    assert_eq!(get(&["--raw"]), posted);
    assert_eq!(get(&["-o", "article"]), "");
    // Not decoded, with local line ends (D-74); unchanged only with --raw.
    assert_eq!(text(&folder.read("article")), posted.replace("\r\n", "\n"));
    get(&["--raw", "-o", "raw"]);
    assert_eq!(text(&folder.read("raw")), posted);
    get(&["-O"]);
    assert_eq!(folder.names(), ["a%2Fb@host.dom", "article", "raw"]);
}

#[test]
fn the_option_comes_before_the_environment_and_no_server_is_guessed() {
    let servers = ["one", "two"].map(|name| format!("127.0.0.1:{}", small(name)));
    let run = |option: Option<&str>, variable: Option<&str>| {
        let mut command = command(["get", "-v", "news:7@host.dom"]);
        if let Some(server) = option {
            command.args(["--news-server", server]);
        }
        command.env_remove("NNTPSERVER");
        if let Some(server) = variable {
            command.env("NNTPSERVER", server);
        }
        let output = command.output().unwrap();
        (code(&output), text(&output.stderr))
    };
    let (end, told) = run(Some(&servers[0]), Some(&servers[1]));
    assert!(end == 0 && told.contains("200 one"), "{told}");
    let (end, told) = run(None, Some(&servers[1]));
    assert!(end == 0 && told.contains("200 two"), "{told}");
    for variable in [None, Some("")] {
        let (end, told) = run(None, variable);
        assert!(end == 5 && told.contains("--news-server") && told.contains("NNTPSERVER"), "{told}");
    }
    // The settings come last.
    let folder = Folder::new();
    folder.file("mine.toml", format!("[news]\nserver = \"{}\"\n", servers[0]));
    let told = |variable: &str| {
        let run = command(["get", "-v", "--settings", "mine.toml", "news:7@host.dom"])
            .current_dir(&folder.0)
            .env("NNTPSERVER", variable)
            .output();
        text(&run.unwrap().stderr)
    };
    assert!(told("").contains("200 one") && told(&servers[1]).contains("200 two"));
    folder.file("mine.toml", "[news]\nserver = \"h/x\"\n");
    assert!(told("").contains("mine.toml:2:10: \"h/x\" is not a valid news server"), "{}", told(""));
    let (end, told) = run(None, Some("not a server"));
    assert!(end == 2 && told.contains("\"not a server\" is not a valid news server"), "{told}");
    assert_eq!(run(Some("h/x"), None).0, 2);
}

#[test]
fn a_dry_run_shows_the_dialogue_and_what_is_missing() {
    let planned = |url: &str, more: &[&str]| {
        let mut command = command(["get", "--dry-run", url]);
        let output = command.args(more).env_remove("NNTPSERVER").output().unwrap();
        (code(&output), text(&output.stdout))
    };
    let (end, shown) = planned("news:a%2Fb@host.dom", &["--news-server", "nntps://news.example"]);
    assert!(
        end == 0 && shown.starts_with("connect  news.example port 563, with TLS from the first octet\n"),
        "{shown}"
    );
    assert!(shown.contains("send     ARTICLE <a/b@host.dom>\\r\\n\n"), "{shown}");
    let (end, shown) = planned("news:a.b", &[]);
    assert!(end == 5 && shown.starts_with("need     a news server") && shown.contains("GROUP a.b"), "{shown}");
    let (end, shown) = planned("nntp://news.example/a.b/7", &["--require-tls"]);
    assert!(end == 0 && shown.find("STARTTLS") < shown.find("CAPABILITIES"), "{shown}");
}

#[test]
#[cfg(target_os = "linux")]
fn security_49_a_hundred_thousand_articles_are_listed_in_little_memory() {
    const ARTICLES: usize = 100_000;
    const MOST: u64 = 8 * 1024;
    let (release, held) = mpsc::channel::<()>();
    let port = serve(move |command, stream| {
        let answer = match command.split(' ').next().unwrap_or_default() {
            "" => "200 \r\n".to_owned(),
            "GROUP" => format!("211 {ARTICLES} 1 {ARTICLES} a.b\r\n"),
            "OVER" => {
                stream.write_all(b"224 \r\n").unwrap();
                let references = "<0123456789abcdef@host.dom> ".repeat(5);
                for number in 1..=ARTICLES {
                    let line = format!(
                        "{number}\t=?utf-8?q?Gr=C3=BC=C3=9Fe_{number}?=\tjoe@host.dom\tSat, 21 Nov 2026 07:00:00 +0000\t\
                         <{number}@host.dom>\t{references}\t430\t1\tXref: host.dom a.b:{number}\r\n"
                    );
                    stream.write_all(line.as_bytes()).unwrap();
                }
                // The list does not end before the reader's memory has been measured.
                held.recv().unwrap();
                ".\r\n".to_owned()
            }
            _ => "500 \r\n".to_owned(),
        };
        let _ = stream.write_all(answer.as_bytes());
    });
    let mut run = command(["ls", &format!("nntp://127.0.0.1:{port}/a.b")]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(run.stdout.take().unwrap()).lines();
    // The rest is in buffers.
    let early = lines.by_ref().take(ARTICLES - 1_000).map(Result::unwrap).count();
    let status = std::fs::read_to_string(format!("/proc/{}/status", run.id())).unwrap();
    release.send(()).unwrap();
    let late: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(run.wait().unwrap().success());
    assert_eq!(early + late.len(), ARTICLES);
    assert!(late.last().unwrap().contains("Grüße 100000"), "the newest comes last");
    let kibibytes = |name: &str| -> u64 {
        let size = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        size.trim().trim_end_matches(" kB").parse().unwrap()
    };
    // The pages of the program's own file do not count: how many there are depends on how it was built.
    let peak = kibibytes("VmHWM:") - kibibytes("RssFile:");
    assert!(peak < MOST, "{peak} KiB");
}
