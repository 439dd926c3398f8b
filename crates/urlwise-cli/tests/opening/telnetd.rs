//! inetutils telnetd behind socat, with a program that echoes lines or with a real login.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::support::Folder;

/// The program that runs instead of a login.
const SHELL: &str = include_str!("../../../urlwise-open/tests/access/support/telnet.sh");

pub(crate) struct Telnetd {
    pub(crate) port: u16,
    _folder: Folder,
    socat: Child,
}

impl Telnetd {
    /// Starts a server that runs [`SHELL`]; `None` if that is not possible, after printing why.
    pub(crate) fn start() -> Option<Telnetd> {
        Telnetd::serving(|folder| format!("--accept-env=USER -E \"{}/shell %U\"", folder.0.display()))
    }

    /// Starts a server that runs the login of this system.
    pub(crate) fn with_login() -> Option<Telnetd> {
        Telnetd::serving(|_| String::new())
    }

    #[expect(clippy::print_stderr, reason = "the test runner keeps it and shows it beside the test's name")]
    fn serving(options: impl Fn(&Folder) -> String) -> Option<Telnetd> {
        let in_ci = std::env::var_os("CI").is_some_and(|ci| ci == "true");
        for program in ["/usr/sbin/telnetd", "/usr/bin/socat", "/usr/bin/setsid"] {
            if !fs::exists(program).unwrap() {
                assert!(!in_ci, "{program} is not installed");
                eprintln!("skipped: {program} is not installed");
                return None;
            }
        }
        let folder = Folder::new();
        if fs::metadata(&folder.0).unwrap().uid() != 0 {
            eprintln!("skipped: telnetd runs as root alone");
            return None;
        }
        let mode = || fs::Permissions::from_mode(0o755);
        fs::set_permissions(&folder.0, mode()).unwrap();
        let serve = format!("#!/bin/sh\nexec /usr/sbin/telnetd -h {}\n", options(&folder));
        for file in [folder.file("shell", SHELL), folder.file("serve", serve)] {
            fs::set_permissions(file, mode()).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let socat = Command::new("socat")
            .arg(format!("TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork"))
            .arg(format!("EXEC:{},nofork", folder.path("serve").display()))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Telnetd { port, _folder: folder, socat };
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "socat does not listen");
            thread::sleep(Duration::from_millis(10));
        }
        Some(server)
    }

    /// The URL of the server, with `login` before the host.
    pub(crate) fn url(&self, login: &str) -> String {
        format!("telnet://{login}127.0.0.1:{}/", self.port)
    }
}

impl Drop for Telnetd {
    fn drop(&mut self) {
        let _ = self.socat.kill();
        let _ = self.socat.wait();
    }
}

/// A user of this system, removed at the end of the test.
pub(crate) struct User(pub(crate) String);

impl User {
    pub(crate) fn new(password: &str) -> User {
        let user = User(format!("urlwise{}", std::process::id()));
        let made = Command::new("/usr/sbin/useradd").args(["-M", "-d", "/tmp", "-s", "/bin/sh", &user.0]).status();
        assert!(made.unwrap().success());
        let mut change = Command::new("/usr/sbin/chpasswd").stdin(Stdio::piped()).spawn().unwrap();
        change.stdin.take().unwrap().write_all(format!("{}:{password}\n", user.0).as_bytes()).unwrap();
        assert!(change.wait().unwrap().success());
        user
    }
}

impl Drop for User {
    fn drop(&mut self) {
        // Not reported: processes of the user may end a moment later.
        let _ = Command::new("/usr/sbin/userdel").args(["-f", &self.0]).stderr(Stdio::null()).status();
    }
}
