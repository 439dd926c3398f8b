//! Every form of an ftp URL against vsftpd, proftpd and pure-ftpd, plain and with TLS: what is sent, and what comes of it (RFC
//! 1738 section 3.2.2). Each row is a form that some known client reads otherwise.

use crate::support::{Authority, FtpKind, FtpServer, PLACES, Relay, client_with, fill, require};
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt as _;
use urlwise::build::Draft;
use urlwise::{Profile, Scheme, Url};
use urlwise_open::protocol::ftp::ExplicitTls;
use urlwise_open::{Client, ErrorKind, Resource, Roots};

/// What comes of a URL.
#[derive(Debug)]
enum End {
    /// A document that is this text.
    Text(&'static str),
    /// A list with this name in it.
    Lists(&'static str),
    Fails(ErrorKind),
    /// vsftpd and proftpd refuse it, and the error says what to do; pure-ftpd takes it for the directory of the login.
    NullCwd(Result<&'static str, ErrorKind>),
    /// Another directory at each server: only what is sent counts.
    Anything,
}
use End::{Anything, Fails, Lists, NullCwd, Text};

/// The form, what is sent between login and `QUIT` (but ports and features), and what comes of it.
#[rustfmt::skip]
const FORMS: &[(&str, &str, End)] = &[
    ("/etc/motd", "CWD etc|TYPE I|RETR motd", Text("motd\n")),
    ("/%2Fetc/motd", "CWD /etc|TYPE I|RETR motd", Anything),
    ("//etc/motd", "CWD |CWD etc|TYPE I|RETR motd", NullCwd(Ok("motd\n"))),
    ("/pub//lf.txt", "CWD pub|CWD |TYPE A|RETR lf.txt", NullCwd(Err(ErrorKind::NotFound))),
    ("/pub%2Flf.txt", "TYPE A|RETR pub/lf.txt", Text("line1\nline2\nline3\n")),
    ("/pub/lf.txt;type=a", "CWD pub|TYPE A|RETR lf.txt", Text("line1\nline2\nline3\n")),
    ("/pub/lf.txt;type=i", "CWD pub|TYPE I|RETR lf.txt", Text("line1\nline2\nline3\n")),
    ("/pub/lf.txt;type=I", "CWD pub|TYPE I|RETR lf.txt", Text("line1\nline2\nline3\n")),
    ("/list;type=d", "TYPE A|NLST list", Lists("f1")),
    ("/list/;type=d", "CWD list|TYPE A|NLST", Lists("f1")),
    ("/list/", "CWD list|TYPE A|LIST", Lists("f1")),
    ("/", "TYPE A|LIST", Lists("etc")),
    ("", "TYPE A|LIST", Lists("etc")),
    ("/%3Btype=odd/in.txt", "CWD ;type=odd|TYPE A|RETR in.txt", Text("in.txt\n")),
    ("/pub/x%3By.txt", "CWD pub|TYPE A|RETR x;y.txt", Text("x;y.txt\n")),
    ("/pub/a%20b.txt", "CWD pub|TYPE A|RETR a b.txt", Text("a b.txt\n")),
    ("/pub/a%3Fb.txt", "CWD pub|TYPE A|RETR a?b.txt", Text("a?b.txt\n")),
    ("/pub/a?b.txt", "CWD pub|TYPE A|RETR a?b.txt", Text("a?b.txt\n")),
    ("/pub/a%23b.txt", "CWD pub|TYPE A|RETR a#b.txt", Text("a#b.txt\n")),
    ("/pub/100%25.txt", "CWD pub|TYPE A|RETR 100%.txt", Text("100%.txt\n")),
    ("/pub/../etc/motd", "CWD pub|CWD ..|CWD etc|TYPE I|RETR motd", Text("motd\n")),
    ("/pub/%2E%2E/etc/motd", "CWD pub|CWD ..|CWD etc|TYPE I|RETR motd", Text("motd\n")),
    ("/pub/none", "CWD pub|TYPE I|RETR none", Fails(ErrorKind::NotFound)),
    ("/pub/a%0D%0ADELE%20x", "", Fails(ErrorKind::Refused)),
    ("/pub/a%0AQUIT", "", Fails(ErrorKind::Refused)),
    ("/pub%0D/x", "", Fails(ErrorKind::Refused)),
    ("/pub/a%00b", "", Fails(ErrorKind::Refused)),
];

/// Forms that are not URLs of RFC 1738, whatever other clients make of them.
const NO_URLS: &[&str] =
    &["/pub/lf.txt;type=x", "/pub/x;y.txt", "/pub/lf.txt#frag", "/100%.txt", ";type=a", "/pub/lf.txt;TYPE=A"];

fn open(client: &Client, text: &str, is_list: bool) -> Result<Vec<u8>, urlwise_open::Error> {
    let url = Url::parse_with(text, Profile::Current).unwrap_or_else(|error| panic!("{text}: {error}"));
    if is_list {
        let titles = client.list(&url)?.map(|entry| entry.map(|entry| [&entry.title, &b"\n"[..]].concat()));
        return Ok(titles.collect::<Result<Vec<_>, _>>()?.concat());
    }
    match client.open(&url)? {
        Resource::Document(mut document) => {
            let mut octets = Vec::new();
            match document.read_to_end(&mut octets) {
                Ok(_) => Ok(octets),
                Err(error) => panic!("{text}: {error}"),
            }
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// Opens every form and judges what comes of it; `said` gives what the server heard.
fn judge(kind: FtpKind, client: impl Fn() -> Client, base: &str, said: impl Fn() -> Option<Vec<String>>) {
    for (path, commands, end) in FORMS {
        let text = format!("{base}{path}");
        let client = client();
        let got = open(&client, &text, matches!(end, Lists(_)));
        let end = match end {
            NullCwd(end) if kind == FtpKind::Pureftpd => match end {
                Ok(text) => &Text(text),
                Err(class) => &Fails(*class),
            },
            end => end,
        };
        match (end, &got) {
            (Text(text), Ok(octets)) => assert_eq!(String::from_utf8_lossy(octets), *text, "{kind:?} {path}"),
            (Lists(name), Ok(names)) => {
                let names = String::from_utf8_lossy(names);
                assert!(names.lines().any(|line| line.rsplit('/').next() == Some(name)), "{kind:?} {path}: {names}");
            }
            (Fails(class), Err(error)) => assert_eq!(error.kind(), *class, "{kind:?} {path}: {error}"),
            (NullCwd(_), Err(error)) => {
                assert!(error.to_string().contains("null argument"), "{kind:?} {path}: {error}");
                assert!(error.to_string().contains("skip"), "the help: {error}");
            }
            (Anything, _) => {}
            (end, got) => panic!("{kind:?} {path}: {got:?} is not {end:?}"),
        }
        drop(client);
        let Some(lines) = said() else { continue };
        let before = |line: &str| ["USER", "PASS", "QUIT", "EPSV", "FEAT"].iter().any(|verb| line.starts_with(verb));
        let heard: Vec<_> = lines.iter().map(String::as_str).filter(|line| !before(line)).collect();
        // A list from `MLSD` arrives as octets of unknown type.
        let heard = heard.join("|").replace("MLSD", "LIST").replace("TYPE A|NLST", "NLST");
        let wanted = commands.replace("TYPE A|NLST", "NLST").replace("TYPE A|LIST", "LIST");
        // A refused command ends the dialogue; a refused `RETR` is followed by the question whether the name is a directory.
        let heard = match (&got, heard.rsplit_once("|CWD ")) {
            (Err(_), Some((before, name))) if before.ends_with(&format!("RETR {name}")) => before.to_owned(),
            _ => heard,
        };
        let is_cut = got.is_err() && wanted.starts_with(&heard);
        let plain_list = wanted.replace("LIST", "NLST");
        assert!(heard == wanted || is_cut || heard == plain_list, "{kind:?} {path}: {heard} is not {wanted}");
    }
}

#[test]
fn every_form_is_sent_as_rfc_1738_says_and_nothing_else() {
    for kind in FtpKind::ALL {
        let Some(server) = FtpServer::start(kind, None, fill) else { continue };
        let relay = Relay::start(server.port);
        let heard = std::cell::Cell::new(0);
        let said = || {
            let said = relay.said_to_the_end();
            let new = said[heard.get()..].concat();
            heard.set(said.len());
            let line = |octets: &Vec<u8>| String::from_utf8_lossy(octets).trim_end_matches(['\r', '\n']).to_owned();
            Some(new.iter().map(line).collect())
        };
        judge(kind, || client_with(|_| {}), &format!("ftp://{}localhost:{}", server.login(), relay.port), said);
    }
}

#[test]
fn every_form_and_every_file_comes_over_tls_as_well() {
    if !require(&["openssl"]) {
        return;
    }
    let authority = Authority::new();
    let client = || {
        client_with(|options| {
            options.roots = Roots::Pem(authority.ca());
            options.ftp.explicit_tls = ExplicitTls::Required;
            options.policy = options.policy.clone().allow("ctl-other").expect("it may be allowed");
        })
    };
    for kind in FtpKind::ALL {
        let Some(server) = FtpServer::start(kind, Some(&authority), fill) else { continue };
        judge(kind, client, &format!("ftp://{}localhost:{}", server.login(), server.port), || None);
        let client = client();
        for (folder, name, _) in PLACES.iter().filter(|place| place.2) {
            if kind == FtpKind::Pureftpd && name.iter().any(u8::is_ascii_control) {
                continue; // it reads every control octet of a command as `_`
            }
            let cwds = folder.split('/').filter(|cwd| !cwd.is_empty());
            let (user, password) = server.login().trim_end_matches('@').split_once(':').unwrap_or_default();
            let draft = match user {
                "" => Draft::of(Scheme::Ftp),
                _ => Draft::of(Scheme::Ftp).with("user", user).with("password", password),
            };
            let draft = draft.with("host", "localhost").with("port", server.port.to_string());
            let url = draft.with_all("cwd", cwds).with("name", name).build().expect("a name of octets");
            let octets = fs::read(server.file(folder).join(OsStr::from_bytes(name))).expect("it was written");
            assert!(open(&client, url.as_str(), false).expect("it is there") == octets, "{kind:?} {url:?}");
        }
    }
}

#[test]
fn forms_that_other_clients_guess_at_are_not_valid() {
    for path in NO_URLS {
        assert!(Url::parse(format!("ftp://localhost{path}")).is_err(), "{path}");
    }
}
