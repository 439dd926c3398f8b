//! Real servers, which tests start if they are installed.

#![allow(clippy::print_stdout, reason = "this is how a test says that it was skipped")]

#[path = "../../../urlwise-open/tests/access/support/ports.rs"]
mod ports;

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::*;
use ports::free_port;

/// A program that ends with the test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a program can be used; in CI it must be.
pub(crate) fn has(program: &str) -> bool {
    let is_there = Path::new(program).is_file();
    assert!(is_there || std::env::var("CI").is_err(), "{program} is missing");
    if !is_there {
        println!("skipped: {program} is not installed");
    }
    is_there
}

/// Starts a server, and waits until it listens.
pub(crate) fn started(mut command: Command, port: u16) -> Running {
    let server = Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{command:?} does not listen");
        thread::sleep(Duration::from_millis(20));
    }
    server
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// An ftp server of `home` in the folder, and its port.
pub(crate) fn vsftpd(folder: &Folder) -> Option<(Running, u16)> {
    const PROGRAM: &str = "/usr/sbin/vsftpd";
    if !has(PROGRAM) {
        return None;
    }
    if !is_root() {
        println!("skipped: only root can start vsftpd");
        return None;
    }
    fs::create_dir(folder.path("empty")).unwrap();
    let port = free_port();
    let (home, empty) = (folder.path("home"), folder.path("empty"));
    let conf = format!(
        "listen=YES\nlisten_address=127.0.0.1\nlisten_port={port}\nbackground=NO\nanonymous_enable=YES\nftp_username=ftp\n\
         anon_root={}\nlocal_enable=NO\nsecure_chroot_dir={}\nseccomp_sandbox=NO\nxferlog_enable=NO\nconnect_from_port_20=NO\n\
         pasv_min_port=40000\npasv_max_port=60000\n",
        home.display(),
        empty.display()
    );
    let mut command = Command::new(PROGRAM);
    command.arg(folder.file("vsftpd.conf", conf));
    Some((started(command, port), port))
}

/// A gopher server of `root` in the folder, and its port.
pub(crate) fn gophernicus(folder: &Folder) -> Option<(Running, u16)> {
    const PROGRAM: &str = "/usr/sbin/gophernicus";
    const SOCAT: &str = "/usr/bin/socat";
    if !has(PROGRAM) || !has(SOCAT) {
        return None;
    }
    let port = free_port();
    // It refuses to run as root; socat is its inetd.
    let user = if is_root() { ",su=nobody" } else { "" };
    let root = folder.path("root");
    let mut socat = Command::new(SOCAT);
    socat.arg(format!("TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork"));
    socat.arg(format!("EXEC:\"{PROGRAM} -h 127.0.0.1 -p {port} -r {} -nu -nm -nv -ns\",nofork{user}", root.display()));
    Some((started(socat, port), port))
}
