//! What needs a mount of its own: a disk that is really full, and name servers that never answer. A mount namespace holds
//! both, so nothing outside is touched; where nobody may make one, as in many containers, the tests say that they were skipped.

#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "this is how a test says that it was skipped")]

use std::net::UdpSocket;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::*;

/// The status of a script that could not mount what it needs.
const NOT_MOUNTED: i32 = 99;

/// A shell in a mount namespace of its own, which runs a script in this folder; `None` where nobody may mount anything.
fn shell(folder: &Folder, script: &str) -> Option<Command> {
    let tried = "mount -t tmpfs -o size=64k tmpfs \"$1\"";
    let made = |script: &str| {
        let mut command = english("unshare");
        command.args(["--mount", "sh", "-c", script, "sh"]).arg(folder.path("disk")).stdin(Stdio::null());
        command.arg(env!("CARGO_BIN_EXE_urlwise")).env("XDG_CONFIG_HOME", "/nonexistent").current_dir(&folder.0);
        command
    };
    std::fs::create_dir(folder.path("disk")).unwrap();
    if !made(tried).output().is_ok_and(|output| output.status.success()) {
        println!("skipped: nobody may mount anything here");
        return None;
    }
    Some(made(script))
}

/// Saves what `arguments` name on a disk of 64 KiB, and goes on with it when the disk has grown.
fn filled_and_grown(arguments: &[&str], server: &Server, folder: &Folder) -> Option<[Output; 2]> {
    let script = r#"
        disk=$1 program=$2
        shift 2
        mount -t tmpfs -o size=64k tmpfs "$disk" && cd "$disk" || exit 99
        "$program" get "$@" >../full.out 2>../full.err
        code=$?
        mount -o remount,size=64m "$disk" || exit 99
        (echo "exit $code"; ls; cat ../full.err) >../full
        "$program" get --continue "$@"
        code=$?
        cp -r . ../saved
        exit $code"#;
    let mut command = shell(folder, script)?;
    command.args(arguments.iter().map(|argument| match argument.strip_prefix('/') {
        Some(_) => server.url(argument),
        None => (*argument).to_owned(),
    }));
    let grown = command.output().unwrap();
    if code(&grown) == NOT_MOUNTED {
        println!("skipped: nobody may change what is mounted here");
        return None;
    }
    let full = Command::new("cat").arg(folder.path("full")).output().unwrap();
    Some([full, grown])
}

const LARGE: usize = 4 << 20;
const SMALL: usize = 100_000;

/// Documents by the first letter of their names.
fn documents() -> Server {
    Server::new(|_, head, stream| {
        let length = if path(head).starts_with("/l") { LARGE } else { SMALL };
        give(stream, head, &document(length), "\"1\"", length);
    })
}

#[test]
fn security_43_what_a_full_disk_has_of_a_document_can_be_resumed() {
    for (arguments, name, length) in [
        (&["-O", "/large"][..], "large", LARGE),
        (&["-O", "/small"], "small", SMALL),
        (&["-o", "x", "/small"], "x", SMALL),
        (&["-O", "-i", "../list"], "small", SMALL),
    ] {
        let (folder, server) = (Folder::new(), documents());
        folder.file("list", server.url("/small"));
        let Some([full, grown]) = filled_and_grown(arguments, &server, &folder) else { return };
        let told = text(&full.stdout);
        let names = format!("exit 14\n{name}.part\n{name}.part.json\n");
        assert!(told.starts_with(&names), "{arguments:?}: {told}");
        assert!(told.contains(&format!("cannot write {name}: No space left on device\n")), "{told}");
        assert!(told.contains(&format!("octets are kept in {name}.part; use --continue to resume\n")), "{told}");
        assert_eq!(code(&grown), 0, "{arguments:?}: {}", text(&grown.stderr));
        assert!(folder.read(&format!("saved/{name}")) == document(length), "{arguments:?}");
        let last = server.requests().pop().unwrap().to_ascii_lowercase();
        assert!(last.contains("\r\nrange: bytes="), "it is not requested from its start: {last}");
        assert_eq!(std::fs::read_dir(folder.path("saved")).unwrap().count(), 1, "and nothing else is left");
    }
}

#[test]
fn security_43_a_full_disk_stops_parallel_downloads_and_is_in_the_way_of_none_afterwards() {
    let (folder, server) = (Folder::new(), documents());
    let names = ["/l1", "/s1", "/l2", "/s2", "/l3", "/s3", "/l4", "/s4"];
    let arguments = [&["-O", "--parallel", "8"], &names[..]].concat();
    let Some([full, grown]) = filled_and_grown(&arguments, &server, &folder) else { return };
    let told = text(&full.stdout);
    assert!(told.starts_with("exit 14\n"), "{told}");
    assert_eq!(told.matches(": cannot write ").count(), names.len(), "each has its error: {told}");
    assert_eq!(told.matches("No space left on device\n").count(), names.len(), "{told}");
    assert_eq!(code(&grown), 0, "{}\nbefore: {told}", text(&grown.stderr));
    for name in names {
        let length = if name.starts_with("/l") { LARGE } else { SMALL };
        assert!(folder.read(&format!("saved{name}")) == document(length), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path("saved")).unwrap().count(), names.len(), "and nothing else is left");
}

/// A name server that never answers, if port 53 is for us.
fn silent_server() -> Option<UdpSocket> {
    let silent = UdpSocket::bind("127.0.0.53:53").or_else(|_| UdpSocket::bind("127.0.0.77:53"));
    if silent.is_err() {
        println!("skipped: port 53 is not for everybody");
    }
    silent.ok()
}

/// The program, which asks that server for names.
fn asking(silent: &UdpSocket, folder: &Folder, arguments: &str) -> Option<Command> {
    let server = silent.local_addr().unwrap().ip();
    folder.file("resolv.conf", format!("nameserver {server}\noptions timeout:30 attempts:1\n"));
    folder.file("nsswitch.conf", "hosts: files dns\n");
    // The shell becomes the program, so a signal reaches it.
    let script = format!(
        "mount --bind resolv.conf /etc/resolv.conf && mount --bind nsswitch.conf /etc/nsswitch.conf || exit 99
        exec env --default-signal=INT \"$2\" {arguments}"
    );
    shell(folder, &script)
}

/// What the program does that has asked that server in vain, if it has.
fn output_without_names(folder: &Folder, arguments: &str) -> Option<Output> {
    let silent = silent_server()?;
    let output = asking(&silent, folder, arguments)?.output().unwrap();
    silent.set_nonblocking(true).unwrap();
    let is_asked = silent.recv(&mut [0; 512]).is_ok();
    if !is_asked {
        println!("skipped: this system asks elsewhere for names");
    }
    is_asked.then_some(output)
}

#[test]
fn security_48_a_host_that_is_not_resolved_in_time_is_said_not_to_be() {
    let arguments = "get --connect-timeout 1s http://slow.dom/";
    let Some(output) = output_without_names(&Folder::new(), arguments) else { return };
    let told = text(&output.stderr);
    assert!(told.contains("slow.dom port 80: timed out: host not resolved after 1 s"), "{told}");
}

#[test]
fn security_50_a_name_server_that_never_answers_does_not_delay_the_end() {
    let Some(silent) = silent_server() else { return };
    silent.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let runs = ["get http://slow.dom/", "ls ftp://slow.dom/", "check --open links"];
    for (number, arguments) in runs.into_iter().enumerate() {
        let folder = Folder::new();
        folder.file("links", "http://slow.dom/\n");
        let Some(mut command) = asking(&silent, &folder, arguments) else { return };
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if let Err(error) = silent.recv(&mut [0; 512]) {
            let _ = kill_process(Pid::from_child(&child), Signal::KILL);
            let output = child.wait_with_output().unwrap();
            assert_eq!(number, 0, "{arguments} asks nobody: {error}, {output:?}");
            println!("skipped: this system asks elsewhere for names");
            return;
        }
        thread::sleep(Duration::from_millis(100));
        let begin = Instant::now();
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let output = child.wait_with_output().unwrap();
        let elapsed = begin.elapsed();
        assert_eq!(code(&output), 130, "{arguments}: {output:?}");
        assert!(elapsed < Duration::from_secs(3), "{arguments}: {elapsed:?}");
        // What was asked twice, as for both kinds of address, is not the next run's.
        silent.set_nonblocking(true).unwrap();
        while silent.recv(&mut [0; 512]).is_ok() {}
        silent.set_nonblocking(false).unwrap();
    }
}

#[test]
fn links_of_which_no_name_can_be_resolved_are_unknown_with_a_warning() {
    let folder = Folder::new();
    folder.file("links", "http://slow.dom/\nhttp://other.dom/\n");
    let arguments = "check --open --connect-timeout 1s -f links";
    let Some(output) = output_without_names(&folder, arguments) else { return };
    let told = text(&output.stderr);
    assert!(told.contains("no server was reached: is there a network?"), "{told}");
    assert!(told.contains("2 unknown") && code(&output) == 0, "{output:?}");
}
