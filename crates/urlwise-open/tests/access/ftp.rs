//! ftp against vsftpd, proftpd and pure-ftpd.

use crate::support::{
    FtpKind, FtpServer, PLACES, Relay, client, client_with, document, failure, fill, get, menu, options, require, url,
};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::{Arc, Mutex};
use urlwise::build::Draft;
use urlwise::{Scheme, Url};
use urlwise_open::protocol::ftp::FileMethod;
use urlwise_open::{
    Client, EntryKind, ErrorKind, Metadata, Observe, OpenOptions, Peer, PlanLine, Prompt, Realm, Resource, Resume,
    Secret, Seen, ServerLogin,
};

fn start(kind: FtpKind) -> Option<FtpServer> {
    require(&["openssl"]).then(|| FtpServer::start(kind, None, fill)).flatten()
}

/// The URL that a draft makes for one place of the tree.
fn built(server: &FtpServer, port: u16, folder: &str, name: &[u8]) -> Url<String> {
    let cwds = folder.split('/').filter(|cwd| !cwd.is_empty());
    let draft = match server.login() {
        "" => Draft::of(Scheme::Ftp),
        _ => Draft::of(Scheme::Ftp).with("user", "urluser").with("password", "s3cret"),
    };
    let draft = draft.with("host", "localhost").with("port", port.to_string());
    draft.with_all("cwd", cwds).with("name", name).build().expect("a name of octets")
}

#[test]
fn every_file_is_had_octet_for_octet_by_the_url_that_is_built_for_it() {
    let client = client_with(|options| {
        options.policy = options.policy.clone().allow("ctl-other").expect("it may be allowed");
    });
    for server in FtpKind::ALL.into_iter().filter_map(start) {
        for (folder, name, can_be_asked_for) in PLACES {
            let url = built(&server, server.port, folder, name);
            if !can_be_asked_for {
                assert_eq!(client.open(&url).map(|_| ()).map_err(|error| error.kind()), Err(ErrorKind::Refused));
                continue;
            }
            if server.kind == FtpKind::Pureftpd && name.iter().any(u8::is_ascii_control) {
                // It reads every control octet of a command as `_`.
                assert_eq!(failure(&client, url.as_str()).kind(), ErrorKind::NotFound);
                continue;
            }
            let octets = fs::read(server.file(folder).join(OsStr::from_bytes(name))).expect("it was written");
            assert!(get(&client, url.as_str()) == octets, "{:?} {url:?}", server.kind);
        }
    }
}

#[test]
fn the_dry_run_the_relay_and_rfc_1738_agree() {
    for server in FtpKind::ALL.into_iter().filter_map(start) {
        for (path, text) in [
            ("/etc/motd", "motd\n"),
            ("/pub/sub%20dir/x%20y.txt", "x y.txt\n"),
            ("/pub%2Flf.txt;type=i", "line1\nline2\nline3\n"),
            ("/pub/ff%FF.bin;type=a", "ff\u{fffd}.bin\n"),
            ("/pub/../etc/motd", "motd\n"),
        ] {
            let relay = Relay::start(server.port);
            let url = url(format!("ftp://{}localhost:{}{path}", server.login(), relay.port));
            let client = Client::new(options());
            assert_eq!(String::from_utf8_lossy(&get(&client, url.as_str())), text, "{:?} {path}", server.kind);
            let plan = client.plan(&url).expect("a harmless URL");
            drop(client);
            let said = relay.said_to_the_end();
            let planned: Vec<Vec<u8>> = plan
                .lines()
                .iter()
                .filter_map(|line| match line {
                    PlanLine::Send(command) => Some(command.octets().to_vec()),
                    _ => None,
                })
                .collect();
            assert_eq!(said, [planned], "{:?} {path}", server.kind);
        }
    }
}

#[derive(Debug, Default)]
struct Watch(Mutex<Vec<String>>);

impl Observe for Watch {
    fn observe(&self, _: &Peer<'_>, seen: Seen<'_>) {
        self.0.lock().expect("no test panics with it").push(format!("{}: {seen}", seen.kind()));
    }
}

#[test]
fn security_14_what_is_watched_is_what_goes_out_but_for_the_password() {
    let Some(server) = start(FtpKind::Proftpd) else { return };
    let relay = Relay::start(server.port);
    let watch = Arc::new(Watch::default());
    let client = client_with(|options| options.observer = Some(Arc::<Watch>::clone(&watch)));
    let at = |path: &str| format!("ftp://urluser:s3cret@localhost:{}{path}", relay.port);
    get(&client, at("/pub/m1.bin"));
    get(&client, at("/pub/-l"));
    let seen = watch.0.lock().expect("no test panics with it").clone();
    let sent: Vec<_> = seen.iter().filter_map(|line| line.strip_prefix("send: ")).collect();
    let said: Vec<_> = relay.said()[0].iter().map(|line| urlwise::escape_for_display(line).to_string()).collect();
    assert_eq!(said.join("").replace("s3cret", "***"), sent.join(""));
    assert!(!seen.concat().contains("s3cret") && seen.iter().any(|line| line == "receive: 230 User urluser logged in"));
    assert!(seen.iter().any(|line| line.starts_with("data: ")) && !seen.concat().contains("m1.bin\n"), "{seen:?}");
}

#[test]
fn logins_come_from_options_and_from_people_too() {
    #[derive(Debug)]
    struct Person;
    impl Prompt for Person {
        fn password(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
            (realm.host() == "localhost" && user == b"urluser").then(|| Secret::new("s3cret"))
        }
    }
    let Some(server) = start(FtpKind::Proftpd) else { return };
    let at = |login: &str| format!("ftp://{login}localhost:{}/etc/motd", server.port);
    let given =
        client_with(|options| options.credentials.login = Some(ServerLogin::of("urluser").with_password("s3cret")));
    assert_eq!(get(&given, at("")), b"motd\n");
    let plan = given.plan(&url(at(""))).expect("a harmless URL").to_string();
    assert!(plan.contains("USER urluser") && plan.contains("PASS ***") && !plan.contains("anonymous"), "{plan}");
    let asking = client_with(|options| options.credentials.prompt = Some(Arc::new(Person)));
    assert_eq!(get(&asking, at("urluser@")), b"motd\n");
}

#[test]
fn a_broken_transfer_resumes_where_it_broke() {
    for server in FtpKind::ALL.into_iter().filter_map(start) {
        let octets = fs::read(server.file("pub/m1.bin")).expect("it was written");
        let client = client();
        let metadata = client.metadata(&url(server.url("/pub/m1.bin"))).expect("it is there");
        assert_eq!((metadata.size, metadata.modified.is_some()), (Some(4_000_000), true), "{:?}", server.kind);
        let open = |metadata: &Metadata| {
            let resume = Some(Resume::new(3_999_000, metadata.clone()));
            let mut options = OpenOptions::default();
            options.resume = resume;
            match client.open_with(&url(server.url("/pub/m1.bin")), &options).expect("it opens") {
                Resource::Document(mut document) => {
                    let mut rest = Vec::new();
                    document.write_to(&mut rest).expect("it arrives");
                    (document.offset(), rest)
                }
                other => panic!("not a document: {other:?}"),
            }
        };
        assert!(open(&metadata) == (3_999_000, octets[3_999_000..].to_vec()), "{:?}", server.kind);
        let other = metadata.with_size(4_000_001);
        assert!(open(&other) == (0, octets), "{:?}: another file is sent from its beginning", server.kind);
    }
}

#[test]
fn texts_have_crlf_on_the_wire_and_local_line_ends_here() {
    for server in FtpKind::ALL.into_iter().filter_map(start) {
        assert_eq!(get(&client(), server.url("/pub/lf.txt;type=a")), b"line1\nline2\nline3\n");
        let raw = client_with(|options| options.ftp.raw = true);
        assert_eq!(get(&raw, server.url("/pub/lf.txt;type=a")).len(), 21, "three octets more");
        assert_eq!(get(&client(), server.url("/pub/lf.txt;type=i")).len(), 18);
    }
}

#[test]
fn directories_are_lists_whose_entries_can_be_opened() {
    for server in FtpKind::ALL.into_iter().filter_map(start) {
        let client = client_with(|options| {
            options.policy = options.policy.clone().allow("ctl-other").expect("it may be allowed");
        });
        for path in ["/pub/", "/pub", "/pub/;type=d"] {
            let entries: Vec<_> = menu(&client, server.url(path)).map(|entry| entry.expect("an entry")).collect();
            let named = |name: &[u8]| entries.iter().find(|entry| entry.title == name);
            for (_, name, can_be_asked_for) in PLACES.iter().filter(|place| place.0 == "pub") {
                let Some(entry) = named(name).filter(|_| *can_be_asked_for) else { continue };
                let url = entry.url.as_ref().expect("every name has a URL");
                let octets = fs::read(server.file("pub").join(OsStr::from_bytes(name))).expect("it was written");
                assert!(get(&client, url.as_str()) == octets, "{:?} {url:?}", server.kind);
            }
            let folder = named(b"sub dir").expect("it is listed");
            // vsftpd has no MLSD, and its LIST says as much.
            let has_facts = path != "/pub/;type=d";
            assert_eq!(folder.kind, if has_facts { EntryKind::Menu } else { EntryKind::Unknown }, "{:?}", server.kind);
            let inside: Vec<_> = client.list(folder.url.as_ref().expect("a URL")).expect("it lists").collect();
            assert_eq!(inside.len(), 1, "{inside:?}");
            let binary = named(b"m1.bin").expect("it is listed");
            assert_eq!((binary.size, binary.modified.is_some()), (has_facts.then_some(4_000_000), has_facts));
        }
        let home = menu(&client, server.url("")).filter_map(Result::ok).map(|entry| entry.title);
        assert!(home.collect::<Vec<_>>().contains(&b"etc".to_vec()), "no path is the directory of the login");
    }
}

#[test]
fn missing_files_and_directories_have_different_errors() {
    for server in FtpKind::ALL.into_iter().filter_map(start) {
        for path in ["/pub/none", "/none/lf.txt"] {
            assert_eq!(failure(&client(), server.url(path)).kind(), ErrorKind::NotFound, "{:?} {path}", server.kind);
        }
        let error = failure(&client(), server.url("/pub"));
        assert_eq!(error.kind(), ErrorKind::NoAccess);
        assert!(error.to_string().contains("names a directory") && error.to_string().contains("list it"), "{error}");
    }
}

#[test]
fn the_null_cwd_is_refused_by_two_servers_and_can_be_skipped() {
    for server in FtpKind::ALL.into_iter().filter_map(start) {
        let path = "/pub//lf.txt";
        if server.kind == FtpKind::Pureftpd {
            // Nothing is where the login leads, wherever one is.
            assert_eq!(failure(&client(), server.url(path)).kind(), ErrorKind::NotFound);
            assert_eq!(get(&client(), server.url("/pub//etc/motd")), b"motd\n");
        } else {
            let error = failure(&client(), server.url(path));
            assert!(error.to_string().contains("null argument, which the empty segment 2"), "{error}");
        }
        let skipping = client_with(|options| options.ftp.skip_empty_cwd = true);
        assert_eq!(get(&skipping, server.url(path)).len(), 18);
    }
}

#[test]
fn rejected_logins_are_login_errors_without_a_prompt() {
    let Some(server) = start(FtpKind::Proftpd) else { return };
    for login in ["urluser:wrong@", "urluser@", "nobody-here:x@", "@", ":@"] {
        let error = failure(&client(), format!("ftp://{login}localhost:{}/etc/motd", server.port));
        assert_eq!(error.kind(), ErrorKind::Login, "{login}: {error}");
    }
    let error = failure(&client(), format!("ftp://urluser@localhost:{}/etc/motd", server.port));
    assert!(error.to_string().contains("password of the user"), "{error}");
}

#[test]
fn one_control_connection_serves_what_lies_in_one_directory() {
    let Some(server) = start(FtpKind::Vsftpd) else { return };
    let relay = Relay::start(server.port);
    let client = Client::new(options());
    let fetch = |path: &str| get(&client, format!("ftp://localhost:{}{path}", relay.port));
    fetch("/pub/m1.bin");
    fetch("/pub/-l");
    assert_eq!(failure(&client, format!("ftp://localhost:{}/pub/none", relay.port)).kind(), ErrorKind::NotFound);
    fetch("/pub/sub%20dir/x%20y.txt");
    fetch("/list/f1");
    drop(client);
    let said = relay.said_to_the_end();
    let lines = |number: usize| said[number].concat();
    let wanted: &[u8] = b"USER anonymous\r\nPASS urlwise@example.com\r\nCWD pub\r\nTYPE I\r\nEPSV\r\nRETR m1.bin\r\n\
        EPSV\r\nRETR -l\r\nEPSV\r\nRETR none\r\nCWD none\r\nCWD sub dir\r\nTYPE A\r\nEPSV\r\nRETR x y.txt\r\nQUIT\r\n";
    assert_eq!(String::from_utf8_lossy(&lines(0)), String::from_utf8_lossy(wanted));
    assert_eq!((said.len(), lines(1).starts_with(b"USER anonymous\r\n")), (2, true), "elsewhere only a login leads");
}

#[test]
fn by_one_path_one_login_serves_a_whole_server() {
    let Some(server) = start(FtpKind::Proftpd) else { return };
    let relay = Relay::start(server.port);
    let client = client_with(|options| options.ftp.method = FileMethod::None);
    for path in ["/pub/lf.txt", "/etc/motd", "/list/f1"] {
        get(&client, format!("ftp://urluser:s3cret@localhost:{}{path}", relay.port));
    }
    assert_eq!(relay.said().len(), 1);
}

#[test]
fn security_19_two_users_share_no_connection() {
    let Some(server) = start(FtpKind::Proftpd) else { return };
    let relay = Relay::start(server.port);
    let client = Client::new(options());
    let at = |login: &str| format!("ftp://{login}localhost:{}/etc/motd", relay.port);
    get(&client, at("urluser:s3cret@"));
    assert_eq!(failure(&client, at("")).kind(), ErrorKind::Login, "there are no anonymous users");
    assert_eq!(failure(&client, at("urluser:s3cre@")).kind(), ErrorKind::Login);
    get(&client, at("urluser:s3cret@"));
    assert_eq!(relay.said().len(), 3, "the last one is the first one's");
    let other = Client::new(options());
    get(&other, at("urluser:s3cret@"));
    assert_eq!(relay.said().len(), 4, "another client, another connection");
}

#[test]
fn security_24_a_lying_address_is_ignored() {
    let Some(server) = start(FtpKind::VsftpdLying) else { return };
    let client = client_with(|options| {
        options.ftp.epsv = false;
        options.deadlines.connect = std::time::Duration::from_secs(3);
    });
    assert_eq!(get(&client, server.url("/etc/motd")), b"motd\n");
}

#[test]
fn sizes_are_known_before_the_octets_if_the_server_sends_them() {
    let Some(server) = start(FtpKind::Vsftpd) else { return };
    let document = document(&client(), server.url("/pub/m1.bin"));
    assert_eq!(document.size(), Some(4_000_000));
    let small = client_with(|options| options.max_size = Some(3_999_999));
    assert_eq!(failure(&small, server.url("/pub/m1.bin")).kind(), ErrorKind::Limit);
}

#[test]
fn a_document_that_is_not_read_to_its_end_gives_no_connection_back() {
    let Some(server) = start(FtpKind::Vsftpd) else { return };
    let relay = Relay::start(server.port);
    let client = Client::new(options());
    let at = |path: &str| url(format!("ftp://localhost:{}{path}", relay.port));
    let Ok(Resource::Document(mut document)) = client.open(&at("/pub/m1.bin")) else { panic!("it is a file") };
    document.fill().expect("some octets");
    drop(document);
    assert_eq!(get(&client, at("/pub/-l").as_str()), b"-l\n");
    assert_eq!(relay.said().len(), 2);
}

#[test]
fn a_dry_run_has_the_steps_that_are_asked_for_and_says_whether_others_follow() {
    let skipping = || client_with(|options| options.ftp.skip_empty_cwd = true);
    let in_one = || client_with(|options| options.ftp.method = FileMethod::Single);
    let (few, many) = ("/a/b/c/d".to_owned(), format!("{}c/d", "/a//b".repeat(30)));
    for (client, path) in
        [(client(), &few), (client(), &many), (skipping(), &many), (in_one(), &many), (skipping(), &few)]
    {
        let url = url(format!("ftp://h.example{path}"));
        let whole = client.plan(&url).expect("nothing is opened");
        let count = whole.lines().len();
        for steps in [0, 1, 7, count / 2, count - 1, count, 10_000] {
            let mut options = OpenOptions::default();
            options.steps = Some(steps);
            let plan = client.plan_with(&url, &options).expect("nothing is opened");
            let is_cut = steps < count;
            assert_eq!(plan.is_cut(), is_cut, "{steps} of {count}");
            let shown = plan.lines().len() - usize::from(is_cut);
            assert_eq!(plan.lines()[..shown], whole.lines()[..steps.min(count)]);
            let last = plan.lines().last().map(ToString::to_string);
            assert_eq!(last.is_some_and(|last| last == "more of the same, to the end"), is_cut);
        }
    }
}
