//! INN: innd for readers by NNTP and STARTTLS, and beside it nnrpd with TLS from the first octet.

use super::daemon::{Daemon, is_root, on_free_port};
use super::{Authority, Folder, run};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Where Debian puts its programs.
const PROGRAMS: &str = "/usr/lib/news/bin";

/// An instance of its own, with these groups and a user for what is private.
pub(crate) struct Inn {
    pub(crate) port: u16,
    pub(crate) tls_port: u16,
    _root: Folder,
    _daemons: [Daemon; 2],
}

const GROUPS: [(&str, &str); 6] = [
    ("local.test", "A group for tests"),
    ("local.test.binaries", ""),
    ("local.empty", "Nothing here"),
    ("local.c++", ""),
    ("private.staff", "Needs a login"),
    ("0day", "No URL can name it"),
];

impl Inn {
    /// The user who may read what is private, and their password.
    pub(crate) const LOGIN: (&str, &str) = ("reader", "s3cret");

    /// Starts the server and posts `articles`. Says why it cannot, and gives `None`.
    #[expect(clippy::print_stderr, reason = "the test runner keeps it and shows it beside the test's name")]
    pub(crate) fn start(authority: &Authority, articles: &[Vec<u8>]) -> Option<Inn> {
        let root = Folder::new();
        let why = if !Path::new(PROGRAMS).join("innd").is_file() {
            "INN is not installed"
        } else if !is_root(root.path()) {
            "only root can start INN"
        } else {
            return Some(Inn::run(root, authority, articles));
        };
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{why}");
        eprintln!("skipped: {why}");
        None
    }

    fn run(root: Folder, authority: &Authority, articles: &[Vec<u8>]) -> Inn {
        let (user, group) = news_user();
        let own = |program: &str| {
            let mut command = Command::new(Path::new(PROGRAMS).join(program));
            command.env("INNCONF", root.join("etc/inn.conf")).current_dir(root.join("db"));
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        set_up(&root, authority, 0);
        for (program, arguments) in [("makehistory", &[][..]), ("makedbz", &["-i", "-o", "-s", "1000"])] {
            give_to(&root, user, group);
            let made = own(program).args(arguments).uid(user).gid(group).status().expect("it starts");
            assert!(made.success(), "{program}");
        }
        let (server, port) = on_free_port(|port| {
            set_up(&root, authority, port);
            give_to(&root, user, group);
            Daemon::start(own("innd").arg("-f"), port)
        });
        let (with_tls, tls_port) = on_free_port(|port| {
            let mut command = own("nnrpd-ssl");
            command.args(["-D", "-f", "-S", "-4", "127.0.0.1", "-p", &port.to_string()]).uid(user).gid(group);
            Daemon::start(&mut command, port)
        });
        let inn = Inn { port, tls_port, _root: root, _daemons: [server, with_tls] };
        inn.post(articles);
        inn
    }

    /// Posts articles as a reader does, over a connection of its own.
    fn post(&self, articles: &[Vec<u8>]) {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let mut replies = BufReader::new(stream.try_clone().expect("a socket"));
        let mut say = |octets: &[u8], expected: &str| {
            let mut writer = &stream;
            writer.write_all(octets).expect("it reads");
            let mut reply = String::new();
            replies.read_line(&mut reply).expect("it answers");
            assert!(reply.starts_with(expected), "{}: {reply}", String::from_utf8_lossy(octets));
        };
        let (user, password) = Inn::LOGIN;
        say(b"", "200");
        say(format!("AUTHINFO USER {user}\r\n").as_bytes(), "381");
        say(format!("AUTHINFO PASS {password}\r\n").as_bytes(), "281");
        for article in articles {
            say(b"POST\r\n", "340");
            say(&[article, &b"\r\n.\r\n"[..]].concat(), "240");
        }
        say(b"QUIT\r\n", "205");
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("nntp://127.0.0.1:{}/{path}", self.port)
    }

    pub(crate) fn tls_url(&self, path: &str) -> String {
        format!("nntps://localhost:{}/{path}", self.tls_port)
    }
}

/// The user that INN runs as, and its group.
fn news_user() -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").expect("every system has it");
    let line = users.lines().find(|line| line.starts_with("news:")).expect("the package makes the user");
    let numbers: Vec<u32> = line.split(':').skip(2).take(2).map(|word| word.parse().expect("a number")).collect();
    (numbers[0], numbers[1])
}

/// The user that INN runs as must own its files.
fn give_to(root: &Folder, user: u32, group: u32) {
    fn all(path: &Path, user: u32, group: u32) {
        chown(path, Some(user), Some(group)).expect("root may");
        // Sockets and locks of a server come and go.
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => all(&entry.path(), user, group),
                false => chown(entry.path(), Some(user), Some(group)).expect("root may"),
            }
        }
    }
    all(root.path(), user, group);
}

fn set_up(root: &Folder, authority: &Authority, port: u16) {
    let folders = [
        "etc/filter",
        "db",
        "run",
        "log/OLD",
        "http",
        "articles",
        "overview",
        "incoming/tmp",
        "incoming/bad",
        "outgoing",
        "archive",
        "innfeed",
    ];
    for folder in folders {
        fs::create_dir_all(root.join(folder)).expect("our folder");
    }
    for file in
        ["storage.conf", "control.ctl", "expire.ctl", "moderators", "distrib.pats", "distributions", "localgroups"]
    {
        // What the package has not, INN does without.
        if let Ok(octets) = fs::read(Path::new("/etc/news").join(file)) {
            root.write(&format!("etc/{file}"), octets);
        }
    }
    let at = |name: &str| root.text(name);
    root.write("etc/inn.conf", inn_conf(root, port));
    let users = at("etc/users");
    root.write(
        "etc/readers.conf",
        format!(
            "auth \"local\" {{\n hosts: \"localhost, 127.0.0.1, stdin\"\n auth: \"ckpasswd -f {users}\"\n default: \"<anonymous>\"\n}}\n\
             access \"anon\" {{\n users: \"<anonymous>\"\n newsgroups: \"*,!private.*\"\n access: RPA\n addcanlockuser: none\n}}\n\
             access \"known\" {{\n users: \"*,!<anonymous>\"\n newsgroups: \"*\"\n access: RPA\n addcanlockuser: none\n}}\n"
        ),
    );
    root.write("etc/incoming.conf", "streaming: true\nmax-connections: 8\n");
    root.write("etc/newsfeeds", "ME:!*/!local::\n");
    root.write("etc/control.ctl.local", "");
    root.write("db/active.times", "");
    let (user, password) = Inn::LOGIN;
    let output = Command::new("openssl").args(["passwd", "-1", password]).output().expect("it is required before");
    root.write("etc/users", [user.as_bytes(), b":", &output.stdout].concat());
    for (name, from) in [("etc/cert.pem", authority.certificate()), ("etc/key.pem", authority.key())] {
        root.write(name, fs::read(from).expect("openssl wrote it"));
    }
    fs::set_permissions(root.join("etc/key.pem"), fs::Permissions::from_mode(0o600)).expect("our file");
    if port == 0 {
        let control = ["control", "control.cancel", "control.newgroup", "control.rmgroup", "junk"];
        let quiet = control.map(|name| format!("{name} 0000000000 0000000001 n\n")).concat();
        let open = GROUPS.map(|(name, _)| format!("{name} 0000000000 0000000001 y\n")).concat();
        root.write("db/active", quiet + &open);
        let about = GROUPS.iter().filter(|(_, about)| !about.is_empty());
        root.write("db/newsgroups", about.map(|(name, about)| format!("{name}\t{about}\n")).collect::<String>());
    }
    run("chmod", &["755", &at("")]);
}

fn inn_conf(root: &Folder, port: u16) -> String {
    let paths = [
        ("etc", "etc"),
        ("db", "db"),
        ("run", "run"),
        ("log", "log"),
        ("http", "http"),
        ("spool", ""),
        ("articles", "articles"),
        ("overview", "overview"),
        ("incoming", "incoming"),
        ("outgoing", "outgoing"),
        ("archive", "archive"),
        ("tmp", "incoming/tmp"),
        ("filter", "etc/filter"),
    ];
    // The machine that tests run on is busy: INN serves no reader on one that is, and lets all other programs go first.
    let paths = paths.map(|(name, path)| format!("path{name}: {}\n", root.text(path).trim_end_matches('/'))).concat();
    format!(
        "domain: example.net\npathhost: news.example.net\nfromhost: example.net\norganization: \"A loopback test site\"\n\
         mta: \"/bin/true\"\nmailcmd: /bin/true\novmethod: tradindexed\nhismethod: hisv6\nenableoverview: true\n\
         pathnews: /usr/lib/news\npathbin: {PROGRAMS}\n{paths}bindaddress: 127.0.0.1\nport: {port}\nnnrpdpostport: {port}\n\
         artcutoff: 0\nnnrpdloadlimit: 0\nnicekids: 0\ndoinnwatch: false\nrunasuser: news\nrunasgroup: news\n\
         tlscertfile: {cert}\ntlskeyfile: {key}\n",
        cert = root.text("etc/cert.pem"),
        key = root.text("etc/key.pem"),
    )
}
