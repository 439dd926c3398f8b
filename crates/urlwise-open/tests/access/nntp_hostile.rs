//! News servers of a few lines, over sockets: what only time and memory can show.

use crate::support::{client_with, document, failure, menu};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use urlwise_open::{Client, ErrorKind, Hint, NewsServer};

/// Answers the greeting, which is an empty command, and each command by `answer`; closes when it writes nothing.
fn serve(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            answer("", &mut stream);
            let lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
            for line in lines.map_while(Result::ok) {
                answer(&line, &mut stream);
            }
        }
    });
    port
}

fn say(stream: &mut TcpStream, octets: &[u8]) {
    // A client that has seen enough closes early.
    let _ = stream.write_all(octets);
}

fn client(port: u16, max_size: Option<u64>, as_text: bool) -> Client {
    client_with(|options| {
        options.news.server = Some(NewsServer::parse(&format!("127.0.0.1:{port}")).expect("a server"));
        options.news.as_text = as_text;
        options.max_size = max_size;
        options.deadlines.first_byte = Duration::from_millis(300);
        options.deadlines.idle = Duration::from_millis(300);
    })
}

#[test]
fn security_48_a_server_that_never_speaks_is_not_waited_for() {
    for silent_at in ["", "CAPABILITIES", "ARTICLE <a@b.c>"] {
        let port = serve(move |command, stream| match command {
            command if command == silent_at => {}
            "" => say(stream, b"200 \r\n"),
            _ => say(stream, b"500 \r\n"),
        });
        let start = Instant::now();
        assert_eq!(failure(&client(port, None, false), "news:a@b.c").kind(), ErrorKind::Timeout, "{silent_at}");
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn security_45_49_an_endless_article_is_bounded() {
    let port = serve(|command, stream| match command {
        "" => say(stream, b"200 \r\n"),
        command if command.starts_with("ARTICLE") => {
            say(stream, b"220 0 <a@b.c>\r\nSubject: x\r\n\r\n");
            let line = b"all work and no play\r\n".repeat(1000);
            // Until the client has enough.
            while stream.write_all(&line).is_ok() {}
        }
        _ => say(stream, b"500 \r\n"),
    });
    for as_text in [false, true] {
        let error = failure(&client(port, Some(100_000), as_text), "news:a@b.c");
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    }
    // Only so much is held in memory to be decoded, whatever may be received.
    let error = failure(&client(port, None, true), "news:a@b.c");
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(error.hint(), Some(Hint::Raw));
}

#[test]
fn security_46_what_a_server_says_reaches_no_terminal_raw() {
    let port = serve(|command, stream| match command {
        "" => say(stream, b"200 \x1b]0;banner\x07\r\n"),
        "CAPABILITIES" => say(stream, b"101 \r\n\x1b[31m\r\nREADER\r\n.\r\n"),
        command if command.starts_with("GROUP good") => say(stream, b"211 1 1 1 \x1b[2J\r\n"),
        command if command.starts_with("OVER") => say(
            stream,
            b"224 \x1b[2J\r\n1\t\x1b]0;title\x07 =?utf-8?q?=1B[31m=C2=9B?=\t\x9b31m\t\x1b\t<a\x1b@b>\t\t1\t1\r\n.\r\n",
        ),
        _ => say(stream, b"411 \x1b[31mno \xe2\x80\xae\r\n"),
    });
    let client = client(port, None, false);
    // The test's own client asserts that no control is in the error.
    assert!(failure(&client, "news:bad.group").to_string().contains(r"\x1b[31mno \u{202e}"));
    let entries: Vec<_> = menu(&client, "news:good").map(|entry| entry.expect("a line")).collect();
    assert_eq!(
        entries[0].title,
        "\x1b]0;title\x07 \x1b[31m\u{9b}".as_bytes(),
        "octets, to be escaped where they are shown"
    );
    assert_eq!((entries[0].modified, entries[0].also.len()), (None, 0));
}

/// An article of so many octets as it is received, the lines of its text 50 octets each.
fn article(length: usize) -> Vec<u8> {
    let mut article = b"Subject: x\r\n\r\n".to_vec();
    while article.len() + 50 <= length {
        article.extend_from_slice(&[b'a'; 48]);
        article.extend_from_slice(b"\r\n");
    }
    let rest = length - article.len();
    article.extend(std::iter::repeat_n(b'b', rest.saturating_sub(2)));
    article.extend_from_slice(b"\r\n");
    article
}

#[test]
fn security_45_an_article_is_decoded_up_to_the_greatest_size_and_not_beyond() {
    const MOST: u64 = 10 << 20;
    let end = |length: u64, max_size: Option<u64>| {
        let octets = article(length as usize);
        let port = serve(move |command, stream| match command {
            "" => say(stream, b"200 \r\n"),
            command if command.starts_with("ARTICLE") => {
                say(stream, &[b"220 0 <a@b.c>\r\n", &octets[..], b".\r\n"].concat());
            }
            _ => say(stream, b"500 \r\n"),
        });
        let read = document(&client(port, max_size, true), "news:a@b.c").write_to(&mut std::io::sink());
        read.map(drop).map_err(|error| (error.kind(), error.hint()))
    };
    assert_eq!(end(300_000, Some(300_000)), Ok(()));
    assert_eq!(end(300_000, Some(299_999)), Err((ErrorKind::Limit, Some(Hint::MaxSize))));
    assert_eq!(end(300_000, None), Ok(()));
    assert_eq!(end(MOST + 500_000, Some(MOST)), Err((ErrorKind::Limit, Some(Hint::MaxSize))));
    assert_eq!(end(MOST + 500_000, Some(MOST + 1)), Err((ErrorKind::Limit, Some(Hint::Raw))));
}

#[test]
fn an_entry_of_a_list_has_what_the_overview_says() {
    let port = serve(|command, stream| match command {
        "" => say(stream, b"200 \r\n"),
        "CAPABILITIES" => say(stream, b"101 \r\nREADER\r\nOVER\r\n.\r\n"),
        command if command.starts_with("GROUP") => say(stream, b"211 2 1 2 a.group\r\n"),
        command if command.starts_with("OVER") => say(
            stream,
            b"224 \r\n1\tfirst\tJoe\tThu, 01 Dec 1994 00:00:00 GMT\t<a@b>\t<x@y> <z@y>\t120\t7\r\n\
              2\tsecond\tJim\t\t\t\t\t\r\n.\r\n",
        ),
        _ => say(stream, b"500 \r\n"),
    });
    let entries: Vec<_> =
        menu(&client(port, None, false), "news:a.group").map(|entry| entry.expect("a line")).collect();
    let [first, second] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!((first.message_id.as_deref(), first.number), (Some(&b"a@b"[..]), Some(1)));
    assert_eq!(first.references, [b"x@y".to_vec(), b"z@y".to_vec()]);
    assert_eq!((first.size, first.lines, first.from.as_deref()), (Some(120), Some(7), Some(&b"Joe"[..])));
    assert_eq!(first.media_type.as_deref(), Some("message/rfc822"));
    assert_eq!((second.message_id.as_deref(), second.references.len()), (None, 0));
}

/// Environment variables are read by a process of its own: this test, once more.
#[test]
fn the_news_server_of_the_environment_is_the_one_that_is_named_there() {
    const NAME: &str = "nntp_hostile::the_news_server_of_the_environment_is_the_one_that_is_named_there";
    const EXPECTED: &str = "URLWISE_TEST_NEWS_SERVER";
    if let Ok(expected) = std::env::var(EXPECTED) {
        let expected = (expected != "none").then_some(expected);
        assert_eq!(NewsServer::from_env().map(|server| server.to_string()), expected);
        return;
    }
    for (variable, expected) in
        [(Some(" news.example:1119 \n"), "news.example:1119"), (Some(" "), "none"), (Some(""), "none"), (None, "none")]
    {
        let mut command = std::process::Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", NAME]).env(EXPECTED, expected).env_remove("NNTPSERVER");
        command.envs(variable.map(|value| ("NNTPSERVER", value)));
        let output = command.output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{variable:?}: {text}");
    }
}
