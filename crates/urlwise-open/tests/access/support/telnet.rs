//! telnetd behind socat, which is its inetd.

use super::daemon::{Daemon, is_root, on_free_port};
use super::{Folder, find};
use std::process::Command;

/// What runs instead of a login.
const SHELL: &str = include_str!("telnet.sh");

pub(crate) struct Telnetd {
    pub(crate) port: u16,
    _root: Folder,
    _daemon: Daemon,
}

impl Telnetd {
    pub(crate) const PROGRAMS: &[&str] = &["telnetd", "socat"];

    /// A server that runs [`SHELL`]. `None` where that cannot be: only root opens its terminals.
    #[expect(clippy::print_stderr, reason = "the test runner keeps it and shows it beside the test's name")]
    pub(crate) fn start() -> Option<Telnetd> {
        let root = Folder::new();
        if !is_root(root.path()) {
            eprintln!("skipped: telnetd runs as root alone");
            return None;
        }
        let server = find("telnetd").expect("it is required before").display().to_string();
        root.write("shell", SHELL);
        // socat has quotes of its own, so it starts a script.
        let shell = root.text("shell");
        root.write("serve", format!("#!/bin/sh\nexec {server} -h --accept-env=USER -E \"{shell} %U\"\n"));
        let (daemon, port) = on_free_port(|port| {
            let mut command = Command::new(find("socat").expect("it is required before"));
            command
                .arg(format!("TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork"))
                .arg(format!("EXEC:{},nofork", root.text("serve")));
            Daemon::start(&mut command, port)
        });
        Some(Telnetd { port, _root: root, _daemon: daemon })
    }

    pub(crate) fn url(&self) -> String {
        format!("telnet://127.0.0.1:{}/", self.port)
    }
}
