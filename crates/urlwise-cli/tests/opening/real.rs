//! Transfers from a real server, nginx, to confirm what the small servers of these tests assume.

#![allow(clippy::print_stdout, reason = "this is how a test says that it was skipped")]

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::*;

const LENGTH: usize = 8 << 20;

pub(crate) struct Nginx {
    process: Child,
    pub(crate) port: u16,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves the folder slowly enough that a transfer can be interrupted. `None` if nginx is not installed, unless all servers are
/// required.
pub(crate) fn nginx(folder: &Folder) -> Option<Nginx> {
    nginx_with(folder, "")
}

/// The same with more directives of its server.
pub(crate) fn nginx_with(folder: &Folder, directives: &str) -> Option<Nginx> {
    let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
        .into_iter()
        .find(|path| fs::metadata(path).is_ok());
    let Some(program) = program else {
        assert!(std::env::var("CI").is_err(), "nginx is missing");
        println!("skipped: nginx is not installed");
        return None;
    };
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let work = folder.0.display();
    let temporary =
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|kind| format!("{kind}_temp_path {work}/{kind};"));
    folder.file(
        "conf",
        format!(
            "daemon off; master_process off; pid {work}/pid; error_log {work}/error;\nevents {{ }}\nhttp {{ access_log off; types {{ text/html html; }} {} \
             server {{ listen 127.0.0.1:{port}; root {work}/root; limit_rate 4m; autoindex on; {directives} }} }}\n",
            temporary.concat()
        ),
    );
    let mut command = Command::new(program);
    let error = folder.path("error");
    command.arg("-e").arg(&error).arg("-c").arg(folder.path("conf")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut nginx = Nginx { process: command.spawn().unwrap(), port };
    let deadline = Instant::now() + Duration::from_secs(20);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = nginx.process.try_wait().unwrap();
        assert!(ended.is_none() && Instant::now() < deadline, "{}", fs::read_to_string(&error).unwrap_or_default());
        thread::sleep(Duration::from_millis(10));
    }
    Some(nginx)
}

#[test]
fn security_31_43_50_a_transfer_from_nginx_is_interrupted_and_resumed() {
    let folder = Folder::new();
    fs::create_dir(folder.path("root")).unwrap();
    fs::create_dir(folder.path("to")).unwrap();
    folder.file("root/x", document(LENGTH));
    let Some(nginx) = nginx(&folder) else { return };
    let url = format!("http://127.0.0.1:{}/x", nginx.port);
    let get = |more: &[&str]| {
        command([&["get", "-O", "--output-dir", "to"], more, &[&url]].concat()).current_dir(&folder.0).spawn()
    };
    let mut begun = get(&["-q"]).unwrap();
    let part = folder.path("to/x.part");
    while fs::metadata(&part).map_or(0, |part| part.len()) < 1 << 20 {
        assert!(begun.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
        thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &begun.id().to_string()]).status().unwrap().success());
    assert_eq!(begun.wait().unwrap().code(), Some(130));
    let there = fs::metadata(&part).unwrap().len();
    assert!(there < LENGTH as u64);
    let summary = folder.urlwise(["get", "-O", "--output-dir", "to", "--continue", "--json", &url]);
    assert_eq!(code(&summary), 0, "{}", text(&summary.stderr));
    assert!(folder.read("to/x") == document(LENGTH));
    let summary: serde_json::Value = serde_json::from_slice(&summary.stdout).unwrap();
    assert_eq!(summary["bytes"], LENGTH as u64 - there);
    // A document that has changed is not resumed.
    fs::write(&part, &document(LENGTH)[..there as usize]).unwrap();
    fs::remove_file(folder.path("to/x")).unwrap();
    fs::write(folder.path("to/x.part.json"), format!("{{\"urlwise\":\"partial\",\"url\":\"{url}\",\"size\":{LENGTH},\"modified\":null,\"nanoseconds\":null,\"validator\":\"\\\"other\\\"\"}}")).unwrap();
    let whole = folder.urlwise(["get", "-O", "--output-dir", "to", "--continue", "--json", &url]);
    let whole: serde_json::Value = serde_json::from_slice(&whole.stdout).unwrap();
    assert_eq!((&whole["bytes"], &whole["ok"]), (&LENGTH.into(), &true.into()));
    assert!(folder.read("to/x") == document(LENGTH));
}
