//! The scheme from its URL to its answer, over TCP: through the client's policy, to a server of a few lines.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use urlwise::Url;
use urlwise_open::policy::Policy;
use urlwise_open::{Client, EntryKind, ErrorKind, Options, Resource};

/// Starts a server of one dictionary; its port.
fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (mut lines, mut out) = (BufReader::new(stream.try_clone().expect("a socket")).lines(), stream);
            let mut say = |text: &str| out.write_all(text.replace('\n', "\r\n").as_bytes());
            let mut answered = say("220 ready\n");
            while let (Ok(()), Some(Ok(command))) = (&answered, lines.next()) {
                answered = say(match command.as_str() {
                    "SHOW DB" => "110 1 databases present\ntales \"Tales of Type\"\n.\n250 ok\n",
                    "SHOW INFO tales" => "112 information\nFrom the year 1994.\n.\n250 ok\n",
                    "DEFINE tales \"gopher\"" | "DEFINE * \"gopher\"" => {
                        "150 1 definitions\n151 \"gopher\" tales \"Tales of Type\"\nAn animal.\n.\n250 ok\n"
                    }
                    "MATCH tales prefix \"go\"" => {
                        "152 2 matches\ntales \"goal\"\ntales \"gopher hole/x\"\n.\n250 ok\n"
                    }
                    "QUIT" => "221 bye\n",
                    _ => "552 no match\n",
                });
            }
        }
    });
    port
}

fn client(change: impl FnOnce(&mut Options)) -> Client {
    let mut options = Options::default();
    change(&mut options);
    x_dict::client(options).expect("a name that a scheme may have")
}

fn url(text: &str) -> Url<String> {
    x_dict::scheme().parse(text.to_owned()).expect(text)
}

fn get(client: &Client, url: &Url<String>) -> Result<String, urlwise_open::Error> {
    match client.open(url)? {
        Resource::Document(mut document) => {
            let mut octets = Vec::new();
            document.write_to(&mut octets)?;
            Ok(String::from_utf8(octets).expect("text"))
        }
        other => panic!("no document: {other:?}"),
    }
}

#[test]
fn a_word_is_a_document() {
    let port = server();
    for dictionary in ["tales", "*"] {
        let text = get(&client(|_| {}), &url(&format!("x-dict://127.0.0.1:{port}/{dictionary}/gopher")));
        assert_eq!(text.expect("a document"), "From Tales of Type:\n\nAn animal.\n");
    }
    let error = get(&client(|_| {}), &url(&format!("x-dict://127.0.0.1:{port}/tales/url"))).expect_err("no such word");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("no such word"), "{error}");
}

#[test]
fn lists_have_urls_that_open_again() {
    let port = server();
    let client = client(|_| {});
    let list = |text: &str| -> Vec<_> {
        client.list(&url(text)).expect("a menu").map(|entry| entry.expect("whole")).collect()
    };
    let dictionaries = list(&format!("x-dict://127.0.0.1:{port}/"));
    let about = dictionaries[0].url.as_ref().expect("a URL");
    assert_eq!(
        (about.as_str(), dictionaries[0].kind),
        (&*format!("x-dict://127.0.0.1:{port}/tales/"), EntryKind::Document)
    );
    assert_eq!(get(&client, about).expect("a document"), "From the year 1994.\n");
    let links: Vec<_> = list(&format!("x-dict://127.0.0.1:{port}/tales/go"))
        .into_iter()
        .map(|entry| entry.url.expect("a URL").into_inner())
        .collect();
    let of = |word: &str| format!("x-dict://127.0.0.1:{port}/tales/{word}");
    assert_eq!(links, [of("goal"), of("gopher%20hole%2Fx")]);
    assert_eq!(list(&of("zz")).len(), 0);
}

#[test]
fn the_policy_is_that_of_every_scheme() {
    let port = server();
    let address = url(&format!("x-dict://127.0.0.1:{port}/tales/gopher"));
    let public = client(|options| options.policy = Policy::default().public_addresses_only());
    assert_eq!(get(&public, &address).expect_err("loopback").refused_by(), Some("address-local"));
    let mail = url("x-dict://host.example:25/tales/gopher");
    assert_eq!(get(&client(|_| {}), &mail).expect_err("port 25").refused_by(), Some("port-foreign"));
    let small = client(|options| options.max_size = Some(5));
    assert_eq!(get(&small, &address).expect_err("it is longer").kind(), ErrorKind::Limit);
}

#[test]
fn the_program_gets_lists_and_plans() {
    let port = server();
    let run = |arguments: [&str; 2]| {
        let output = Command::new(env!("CARGO_BIN_EXE_x-dict")).args(arguments).output().expect("it runs");
        (output.status.code().expect("it ends"), String::from_utf8(output.stdout).expect("text"))
    };
    let address = |path: &str| format!("x-dict://127.0.0.1:{port}/{path}");
    assert_eq!(run(["get", &address("tales/gopher")]), (0, "From Tales of Type:\n\nAn animal.\n".into()));
    assert!(run(["ls", &address("tales/go")]).1.starts_with("goal                     x-dict://127.0.0.1:"));
    assert!(run(["plan", &address("tales/go")]).1.contains(r#"send: DEFINE tales "go"\r\n"#));
    assert_eq!(run(["get", &address("tales/url")]).0, 1);
    assert_eq!(run(["get", "x-dict://h.example/tales"]).0, 3);
    assert_eq!(run(["get", "x-dict://joe:secret@h.example/tales/url"]).0, 3);
    assert_eq!(run(["put", "x-dict://h.example/tales/url"]).0, 2);
}
