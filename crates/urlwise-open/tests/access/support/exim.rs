//! exim, which takes every mail and puts it into one file.

use super::daemon::{Daemon, free_port, is_root, on_free_port};
use super::{Authority, Folder, find, require};
use std::cell::Cell;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// The user and group that own nothing, on every Debian.
const NOBODY: u32 = 65_534;

/// exim with three ports: one that takes mail of everybody, with STARTTLS and without; one with TLS from the first octet,
/// where `LOGIN` is offered; and one that wants STARTTLS and a login by `PLAIN`. The login is `urluser` with `s3cret`.
pub(crate) struct Exim {
    pub(crate) port: u16,
    pub(crate) tls_port: u16,
    pub(crate) login_port: u16,
    root: Folder,
    _daemon: Daemon,
}

impl Exim {
    /// Says why it cannot start, and gives `None`.
    #[expect(clippy::print_stderr, reason = "the test runner keeps it and shows it beside the test's name")]
    pub(crate) fn start(authority: &Authority) -> Option<Exim> {
        if !require(&["exim4"]) {
            return None;
        }
        let root = Folder::new();
        if !is_root(root.path()) {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "only root can start exim4");
            eprintln!("skipped: only root can start exim4");
            return None;
        }
        for name in ["spool", "log", "box"] {
            fs::create_dir(root.join(name)).expect("our folder");
            chown(root.join(name), Some(NOBODY), Some(NOBODY)).expect("we are root");
        }
        for (name, file) in [("key.pem", authority.key()), ("cert.pem", authority.certificate())] {
            fs::copy(file, root.join(name)).expect("openssl wrote it");
            fs::set_permissions(root.join(name), fs::Permissions::from_mode(0o644)).expect("our file");
        }
        let ports = Cell::new((0, 0));
        let (daemon, port) = on_free_port(|port| {
            ports.set((free_port(), free_port()));
            root.write("exim.conf", config(&root, port, ports.get().0, ports.get().1));
            let mut command = Command::new(find("exim4").expect("it is required before"));
            command.args(["-C", &root.text("exim.conf"), "-bdf", "-oP", &root.text("pid")]);
            Daemon::start(&mut command, port)
        });
        let (tls_port, login_port) = ports.get();
        Some(Exim { port, tls_port, login_port, root, _daemon: daemon })
    }

    /// A program that takes mail as sendmail does, and hands it to this server's box.
    pub(crate) fn sendmail(&self) -> PathBuf {
        let exim = find("exim4").expect("it is required before");
        let script = format!("#!/bin/sh\nexec {} -C {} \"$@\"\n", exim.display(), self.root.text("exim.conf"));
        self.root.write("sendmail", script);
        self.root.join("sendmail")
    }

    /// The mails in the box, once there are so many: each with the headers that the delivery added.
    pub(crate) fn mails(&self, count: usize) -> Vec<String> {
        let mut mails = Vec::new();
        for _ in 0..1_000 {
            let octets = fs::read(self.root.join("box/mbox")).unwrap_or_default();
            let text = String::from_utf8(octets).expect("only UTF-8 is sent");
            // exim writes `From ` before each mail, and an empty line behind it.
            mails = text.split("\n\nFrom ").map(str::to_owned).filter(|mail| !mail.is_empty()).collect();
            if mails.len() >= count && text.ends_with("\n\n") {
                return mails;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let log = fs::read_to_string(self.root.join("log/mainlog")).unwrap_or_default();
        panic!("{} of {count} mails arrived: {log}", mails.len());
    }
}

fn config(root: &Folder, port: u16, tls_port: u16, login_port: u16) -> String {
    let (exim, root) = (find("exim4").expect("it is required before"), root.text(""));
    format!(
        "exim_path = {exim}
keep_environment =
exim_user = nobody
exim_group = nogroup
never_users = root
primary_hostname = localhost
spool_directory = {root}spool
log_file_path = {root}log/%slog
local_interfaces = 127.0.0.1
daemon_smtp_ports = {port} : {login_port} : {tls_port}
tls_on_connect_ports = {tls_port}
tls_advertise_hosts = *
tls_certificate = {root}cert.pem
tls_privatekey = {root}key.pem
smtputf8_advertise_hosts = *
acl_smtp_rcpt = acl_rcpt
acl_smtp_data = accept
acl_not_smtp = accept
host_lookup =
rfc1413_query_timeout = 0s
trusted_users = root : nobody
begin acl
acl_rcpt:
  deny condition = ${{if eq{{$received_port}}{{{login_port}}}}}
       !authenticated = *
  deny local_parts = nobody.here
       message = no such mailbox
  accept
begin routers
all:
  driver = accept
  transport = box
begin transports
box:
  driver = appendfile
  file = {root}box/mbox
  user = nobody
  group = nogroup
  envelope_to_add
  return_path_add
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${{if and{{{{eq{{$auth2}}{{urluser}}}}{{eq{{$auth3}}{{s3cret}}}}}}}}
  server_set_id = $auth2
  server_advertise_condition = ${{if and{{{{def:tls_in_cipher}}{{eq{{$received_port}}{{{login_port}}}}}}}}}
login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = ${{if and{{{{eq{{$auth1}}{{urluser}}}}{{eq{{$auth2}}{{s3cret}}}}}}}}
  server_set_id = $auth1
  server_advertise_condition = ${{if and{{{{def:tls_in_cipher}}{{eq{{$received_port}}{{{tls_port}}}}}}}}}
",
        exim = exim.display(),
    )
}
