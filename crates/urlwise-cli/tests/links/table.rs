//! A table of links with their verdicts: all of them in one document, opened by the program, against real servers.

use std::fmt::Write as _;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::servers::{
    Authority, Folder, FtpKind, FtpServer, Gophernicus, Inn, Listener, Nginx, Prospero, Telnetd, TlsFront, fill,
    require, run,
};
use crate::support::{code, command, text};
use crate::waisd::{playing, recorded};

/// Lines of link, verdict, cause, status and last URL.
const TABLE: &str = include_str!("table.tsv");
/// What nginx answers besides files and [`STATUSES`].
const LOCATIONS: &str = include_str!("locations.conf");
/// Statuses that nginx gives to both methods, below `/s/`.
const STATUSES: &[u16] = &[
    200, 204, 206, 304, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 414, 416, 418, 421, 423, 425, 429,
    451, 500, 501, 502, 503, 504, 505, 507, 511, 520, 530, 599, 999,
];
/// Statuses that it gives to HEAD alone, below `/head/`.
const HEAD_STATUSES: &[u16] = &[400, 403, 404, 405, 406, 500, 501];

/// A line of the table, with the URLs of the servers.
struct Row {
    link: String,
    verdict: String,
    cause: Option<String>,
    status: Option<u64>,
    final_url: Option<String>,
}

/// The servers, which end with the test, and what the names in braces stand for.
struct Servers {
    names: Vec<(&'static str, String)>,
    authority: Authority,
    inn: Inn,
    folder: Folder,
    _nginx: Vec<Nginx>,
    _fronts: Vec<TlsFront>,
    _gophernicus: Gophernicus,
    _ftp: FtpServer,
    _telnetd: Telnetd,
}

impl Servers {
    /// `None` if something is not installed, after saying what.
    fn start() -> Option<Servers> {
        if !(require(&["nginx", "openssl"]) && require(Gophernicus::PROGRAMS) && require(Telnetd::PROGRAMS)) {
            return None;
        }
        let authority = Authority::new();
        let ftp = FtpServer::start(FtpKind::Vsftpd, None, fill)?;
        let article = b"From: t <t@example.net>\r\nNewsgroups: local.test\r\nSubject: s\r\nMessage-ID: <one@example.net>\r\n\r\nHi.";
        let inn = Inn::start(&authority, &[article.to_vec()])?;
        let telnetd = Telnetd::start()?;
        let closed = closed_port();
        let nginx: Vec<_> = (0..9).map(|number| nginx((number == 0).then_some(&authority), closed)).collect();
        let fronts = [self_signed(&authority), expired(&authority)]
            .map(|(certificate, key)| TlsFront::showing(&certificate, &key, nginx[0].port));
        let gophernicus = gophernicus();
        let folder = folder();

        let local = |scheme: &str, port: u16| format!("{scheme}://127.0.0.1:{port}");
        let fetch = recorded("fetch-small");
        let missing = recorded("fetch-bad-docid-nofile");
        // The client asks for the object, for its methods and for its links.
        let missing_object = ["15-missing-object", "15-missing-object", "03-list-missing-directory"];
        let mut names = vec![
            ("{web}", local("http", nginx[0].port)),
            ("{slow}", local("http", nginx[8].port)),
            ("{tls}", nginx[0].tls_url("")),
            ("{tls-name}", local("https", nginx[0].tls_port).replace("127.0.0.1", "127.0.0.2")),
            ("{tls-plain}", local("https", nginx[0].port).replace("127.0.0.1", "localhost")),
            ("{self-signed}", format!("https://localhost:{}", fronts[0].port)),
            ("{expired}", format!("https://localhost:{}", fronts[1].port)),
            ("{closed}", local("http", closed)),
            ("{ftp}", ftp.url("")),
            ("{ftp-login}", ftp.url("").replace("//", "//joe:s3cret@")),
            ("{ftp-closed}", local("ftp", closed)),
            ("{gopher}", gophernicus.url("")),
            ("{gopher-error}", replying("3'/x' does not exist\t\terror.host\t1\r\n.\r\n")),
            ("{gopher-plus}", replying("--1\r\n1 Joe <joe@h.example>\r\nNo such item\r\n.\r\n")),
            ("{nntp}", inn.url("").trim_end_matches('/').to_owned()),
            ("{telnet}", telnetd.url().trim_end_matches('/').to_owned()),
            ("{telnet-silent}", local("telnet", hanging_up(Duration::from_secs(60)))),
            ("{telnet-closing}", local("telnet", hanging_up(Duration::ZERO))),
            ("{telnet-closed}", local("telnet", closed)),
            ("{wais}", local("wais", playing(vec![fetch[0].clone(), fetch[2].clone()]))),
            ("{wais-search}", local("wais", playing(recorded("search-hits")))),
            ("{wais-none}", local("wais", playing(recorded("search-nohits")))),
            ("{wais-missing}", local("wais", playing(missing))),
            ("{wais-nodb}", local("wais", playing(recorded("search-unknown-db")))),
            ("{prospero}", local("prospero", Prospero::playing(&["16-none-found", "01-list-small"]).port)),
            ("{prospero-missing}", local("prospero", Prospero::playing(&missing_object).port)),
            ("{prospero-denied}", local("prospero", Prospero::playing(&["40-object-not-authorized"]).port)),
            ("{file}", format!("file://{}", folder.path().display())),
        ];
        let busy = ["{busy1}", "{busy2}", "{busy3}", "{busy4}", "{busy5}", "{busy6}", "{busy7}"];
        names.extend(busy.into_iter().zip(&nginx[1..]).map(|(name, nginx)| (name, local("http", nginx.port))));
        Some(Servers {
            names,
            authority,
            inn,
            folder,
            _nginx: nginx,
            _fronts: fronts.into(),
            _gophernicus: gophernicus,
            _ftp: ftp,
            _telnetd: telnetd,
        })
    }

    fn rows(&self) -> Vec<Row> {
        let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
        lines
            .map(|line| {
                let named = self.names.iter().fold(line.to_owned(), |line, (name, url)| line.replace(name, url));
                let fields: Vec<_> = named.split('\t').collect();
                let [link, verdict, cause, status, last] = fields[..] else { panic!("not five fields: {line}") };
                let some = |field: &str| (field != "-").then(|| field.to_owned());
                let status = some(status).map(|status| status.parse().expect("a status"));
                Row { link: link.into(), verdict: verdict.into(), cause: some(cause), status, final_url: some(last) }
            })
            .collect()
    }

    /// Opens a document with the links of these rows, one per line, with a cache.
    fn open(&self, rows: &[Row]) -> (Vec<Value>, i32) {
        let links: String = rows.iter().map(|row| format!("[x](<{}>)\n\n", row.link)).collect();
        self.folder.write("table.md", format!("# Head\n\n{links}"));
        let (roots, news) = (self.authority.ca().display().to_string(), format!("127.0.0.1:{}", self.inn.port));
        let mut program =
            command(["check", "--open", "--json", "--no-proxy", "--cacert", &roots, "--news-server", &news]);
        program.args(["--allow", "local-from-public", "--allow", "port-foreign", "--max-time", "4s", "--cache"]);
        let output = program.arg("table.md").current_dir(self.folder.path()).output().unwrap();
        let shown = text(&output.stdout);
        assert!(!shown.contains("s3cret") && output.stderr.is_empty(), "{}", text(&output.stderr));
        (shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), code(&output))
    }
}

/// nginx with files and [`LOCATIONS`].
fn nginx(authority: Option<&Authority>, closed: u16) -> Nginx {
    let mut locations = LOCATIONS.replace("CLOSED", &closed.to_string());
    locations = locations.replace("SILENT", &hanging_up(Duration::from_secs(60)).to_string());
    locations = locations.replace("MUTE", &hanging_up(Duration::ZERO).to_string());
    for status in STATUSES {
        writeln!(locations, "location = /s/{status} {{ return {status}; }}").unwrap();
    }
    for status in HEAD_STATUSES {
        let head = format!("if ($request_method = HEAD) {{ return {status}; }}");
        writeln!(locations, "location = /head/{status} {{ {head} return 200 ok; }}").unwrap();
    }
    let nginx = Nginx::start(authority, &locations);
    nginx.write("lf.txt", "line1\nline2\nline3\n");
    nginx.write("empty", "");
    nginx.write("a b.txt", "space\n");
    for page in ["page.html", "plain.html", "chunked.html"] {
        nginx.write(page, format!("{}<h1 id=part>Part</h1>\n", "<p>Text</p>\n".repeat(10_000)));
    }
    nginx.write("../users", "joe:{PLAIN}s3cret\n");
    nginx
}

fn gophernicus() -> Gophernicus {
    let server = Gophernicus::start();
    server.write("about.txt", "Hello\n.\n..two dots\nEnd.\n");
    server.write("data.bin", (0..=255).collect::<Vec<u8>>());
    server.write("docs/a b.txt", "space\n");
    server.write("gophermap", "!Test menu\n0About\t/about.txt\n1Docs\t/docs\n");
    server
}

/// The folder of the document, with files beside it.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["plain.md", "a b.md", "a#b.md", "100%.md", "sub/deep.md"] {
        folder.write(name, "# Deep\n");
    }
    folder
}

/// The URLs of a gopher server that answers every line alike.
fn replying(answer: &'static str) -> String {
    Listener::answering_line(answer).gopher_url("")
}

/// A server that says nothing and hangs up after this time.
fn hanging_up(after: Duration) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                thread::sleep(after);
                drop(stream);
            });
        }
    });
    port
}

/// A port that nobody listens on.
pub(crate) fn closed_port() -> u16 {
    // Below those that the system gives out by itself, and nobody listens there.
    (9_000..12_000).find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}

/// A certificate that no authority has signed, and its key.
fn self_signed(authority: &Authority) -> (PathBuf, PathBuf) {
    let [certificate, key] = ["self.pem", "self-key.pem"].map(|name| authority.ca().with_file_name(name));
    run(
        "openssl",
        &[
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-keyout",
            &key.display().to_string(),
            "-out",
            &certificate.display().to_string(),
        ],
    );
    (certificate, key)
}

/// A certificate of the authority that was valid in 2020, and its key.
fn expired(authority: &Authority) -> (PathBuf, PathBuf) {
    let beside = |name: &str| authority.ca().with_file_name(name);
    let shown = |name: &str| beside(name).display().to_string();
    let config = format!(
        "[ca]\ndefault_ca=all\n[all]\ndatabase={}\nnew_certs_dir={}\nserial={}\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n",
        shown("index"),
        beside("").display(),
        shown("serial"),
    );
    for (name, content) in [("ca.conf", config.as_str()), ("index", ""), ("serial", "01\n")] {
        fs::write(beside(name), content).unwrap();
    }
    let days = ["-startdate", "20200101000000Z", "-enddate", "20210101000000Z", "-notext"];
    let (ca, ca_key) = (authority.ca().display().to_string(), authority.ca_key().display().to_string());
    let (config, request, extensions) = (shown("ca.conf"), shown("leaf.csr"), shown("ext"));
    let own = [
        "ca",
        "-batch",
        "-config",
        &config,
        "-cert",
        &ca,
        "-keyfile",
        &ca_key,
        "-in",
        &request,
        "-extfile",
        &extensions,
    ];
    run("openssl", &[&own[..], &days, &["-out", &shown("expired.pem")]].concat());
    (beside("expired.pem"), authority.key())
}

/// Where the objects of a run differ from the rows.
fn differing<'r>(rows: impl IntoIterator<Item = &'r Row>, found: &[Value]) -> String {
    let mut differing = String::new();
    for (row, object) in rows.into_iter().zip(found) {
        let text = |name: &str| object[name].as_str().map(str::to_owned);
        let shown = (text("verdict").unwrap(), text("cause"), object["status"].as_u64(), text("final_url"));
        let wanted = (row.verdict.clone(), row.cause.clone(), row.status, row.final_url.clone());
        if shown != wanted {
            writeln!(differing, "{}\n  is {shown:?}\n not {wanted:?}\n  {}", row.link, object["message"]).unwrap();
        }
    }
    differing
}

#[test]
fn every_link_of_the_table_has_its_verdict() {
    let Some(servers) = Servers::start() else { return };
    let rows = servers.rows();
    assert!(rows.len() >= 200, "{} rows", rows.len());
    let start = Instant::now();
    let (found, status) = servers.open(&rows);
    assert_eq!((found.len(), status), (rows.len(), 1));
    let wrong = differing(&rows, &found);
    assert!(wrong.is_empty(), "{wrong}");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    for (index, object) in found.iter().enumerate() {
        assert_eq!(object["line"], 3 + 2 * index, "{object}");
    }

    // What works is in the cache, and the next run says the same of it.
    let works = |row: &Row| matches!(row.verdict.as_str(), "alive" | "moved");
    let working: Vec<Row> = servers.rows().into_iter().filter(works).collect();
    let (found, status) = servers.open(&working);
    assert_eq!((differing(&working, &found), status), (String::new(), 0));
    let cache = fs::read_to_string(servers.folder.join(".urlwise-cache")).unwrap();
    let kept = |url: &str| cache.contains(&format!("\t{url}\t"));
    let is_kept = |row: &Row| kept(row.link.split('#').next().unwrap());
    assert!(
        rows.iter()
            .filter(|row| matches!(row.verdict.as_str(), "unknown" | "refused" | "skipped"))
            .all(|row| !is_kept(row))
    );
}

/// What a server says of a URL that it does not have: of http, ftp, nntp and Gopher+.
const DEAD: [u64; 7] = [404, 410, 550, 411, 423, 430, 1];

#[test]
fn security_58_no_refusal_limit_challenge_failure_or_timeout_is_dead() {
    let lines = TABLE.lines().filter(|line| line.contains('\t'));
    let (mut dead, mut unproven) = (0, 0);
    for line in lines {
        let fields: Vec<_> = line.split('\t').collect();
        match fields[1] {
            "dead" => {
                dead += 1;
                let is_absent =
                    ["not-found", "gone", "no-fragment", "mistyped-scheme", "invalid-url"].contains(&fields[2]);
                let status = fields[3].parse::<u64>().ok();
                let says_so = status.is_none_or(|status| DEAD.contains(&status) || fields[2] == "no-fragment");
                assert!(is_absent && says_so, "{line}");
            }
            "unknown" => unproven += 1,
            _ => {}
        }
    }
    assert!(dead > 40 && unproven > 60, "{dead} {unproven}");
}
