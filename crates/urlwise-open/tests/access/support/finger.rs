//! fingerd behind socat, which is its inetd.

use super::daemon::{Daemon, on_free_port};
use super::{Folder, find};
use std::process::Command;

/// What runs instead of finger.
const PROGRAM: &str = include_str!("finger.sh");

pub(crate) struct Fingerd {
    pub(crate) port: u16,
    _root: Folder,
    _daemon: Daemon,
}

impl Fingerd {
    pub(crate) const PROGRAMS: &[&str] = &["in.fingerd", "socat"];

    pub(crate) fn start() -> Fingerd {
        let root = Folder::new();
        let server = find("in.fingerd").expect("it is required before").display().to_string();
        root.write("finger", PROGRAM);
        // Under inetd, errors go to the client too.
        root.write("serve", format!("#!/bin/sh\nexec 2>&1\nexec {server} -p {}\n", root.text("finger")));
        let (daemon, port) = on_free_port(|port| {
            let mut command = Command::new(find("socat").expect("it is required before"));
            command
                .arg(format!("TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork"))
                .arg(format!("EXEC:{},nofork", root.text("serve")));
            Daemon::start(&mut command, port)
        });
        Fingerd { port, _root: root, _daemon: daemon }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("finger://127.0.0.1:{}{path}", self.port)
    }
}
