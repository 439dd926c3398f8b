//! telnet sessions: at a terminal with real telnetd and a real login, and by pipes (client security 14, 40, 46, 48, 50).

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::pty::Pty;
use crate::support::*;
use crate::telnetd::{Telnetd, User};

const ESCAPE: &str = "\x1d";
const MARKER: &str = "MaRkEr";

/// Starts a server that sends `octets` and closes after it has received a line. Returns its URL.
fn saying(octets: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(octets);
            let mut octet = [0];
            while matches!(stream.read(&mut octet), Ok(1)) && octet != *b"\n" {}
        }
    });
    format!("telnet://127.0.0.1:{port}/")
}

#[test]
fn a_user_logs_in_and_out() {
    let Some(server) = Telnetd::with_login() else { return };
    let user = User::new(MARKER);
    let mut pty = Pty::start(&["get", &server.url(&format!("{}:{MARKER}@", user.0))]);
    let told = pty.until("--show-secrets shows the password");
    assert!(told.contains("not encrypted") && told.contains("escape key is Ctrl-]"), "{told}");
    assert!(told.contains(&format!("suggests the user `{}`", user.0)) && !told.contains(MARKER), "{told}");
    pty.until("login: ");
    pty.wait_until(Pty::is_raw);
    pty.keys(format!("{}\r", user.0));
    pty.until("Password: ");
    pty.keys(format!("{MARKER}\r"));
    pty.until("$ ");
    pty.keys("echo $((6*7)) $(id -un) $TERM; stty size\r");
    let said = pty.until("33 91");
    assert!(said.contains(&format!("42 {} xterm", user.0)) && !said.contains(MARKER), "{said}");
    pty.resize(120, 40);
    // The new size is sent before the next keys.
    thread::sleep(Duration::from_millis(300));
    pty.keys("stty size\r");
    pty.until("40 120");
    // Keys that would end or stop a local program go to the server.
    pty.keys("sleep 30\r");
    thread::sleep(Duration::from_millis(300));
    pty.keys("\x03");
    pty.until("^C");
    pty.keys("echo still $((40+2))\r");
    pty.until("still 42");
    pty.keys("exit\r");
    pty.until("the server closed the session");
    let (status, _) = pty.end();
    assert!(status.success() && pty.is_as_before());
}

#[test]
fn security_40_only_keys_text_and_the_window_size_are_sent() {
    let Some(server) = Telnetd::start() else { return };
    let mut pty = Pty::start(&["get", &server.url("alice@")]);
    let begin = pty.until("? ");
    assert!(begin.contains("user= TERM=xterm\r\n33 91\r\n"), "USER or TERM was sent: {begin:?}");
    pty.wait_until(Pty::is_raw);
    pty.keys("tea \u{e9}\r");
    pty.until("you said: tea M-CM-)\r\n");
    pty.keys("secret\r");
    pty.until("Password: ");
    pty.keys(format!("{MARKER}\r"));
    let shown = pty.until("that has 6");
    assert!(!shown.contains(MARKER), "{shown}");
    // In a session the terminal belongs to the server.
    pty.keys("title\r");
    pty.until("\x1b]0;owned\x07done");
    pty.keys("wait\r");
    thread::sleep(Duration::from_millis(300));
    pty.keys("\x03");
    let shown = pty.until("interrupted");
    assert!(shown.ends_with("wait\r\n^Cinterrupted"), "the mark that telnetd sends with it is not text: {shown:?}");
    pty.keys("bye\r");
    pty.until("so long");
    assert!(pty.end().0.success() && pty.is_as_before());
}

#[test]
fn the_escape_key_opens_a_prompt_with_help() {
    let Some(server) = Telnetd::start() else { return };
    let mut pty = Pty::start(&["get", &server.url("alice:pw@")]);
    pty.until("? ");
    pty.keys(ESCAPE);
    pty.until("urlwise> ");
    assert!(pty.has_echo(), "the prompt edits lines");
    pty.keys("help\n");
    let help = pty.until("returns to the session");
    for order in ["close", "status", "suspend", "send ayt", "send brk"] {
        assert!(help.contains(order), "{help}");
    }
    pty.until("urlwise> ");
    pty.keys("nonsense\n");
    pty.until("type `help`");
    pty.keys("status\n");
    let status = pty.until("Ctrl-]");
    assert!(status.contains("key by key") && status.contains("91 columns"), "{status}");
    pty.wait_until(Pty::is_raw);
    pty.keys(ESCAPE);
    pty.until("urlwise> ");
    pty.keys("login\n");
    pty.until("the user `alice` and a password");
    pty.wait_until(Pty::is_raw);
    pty.keys(ESCAPE);
    pty.until("urlwise> ");
    pty.keys("send ayt\n");
    pty.until("es]"); // [Yes]
    pty.keys("back\r");
    pty.until("you said: back");
    pty.keys(ESCAPE);
    pty.until("urlwise> ");
    pty.keys("close\n");
    pty.until("session closed");
    assert!(pty.end().0.success() && pty.is_as_before());
}

#[test]
fn a_command_may_follow_the_escape_key_at_once() {
    let Some(server) = Telnetd::start() else { return };
    let mut pty = Pty::start(&["get", &server.url("")]);
    pty.until("? ");
    pty.wait_until(Pty::is_raw);
    pty.keys(format!("{ESCAPE}send ayt\rback\r"));
    pty.until("urlwise> send ayt\r\n");
    pty.until("es]"); // [Yes]
    pty.until("you said: back");
    pty.keys(format!("{ESCAPE}qu"));
    pty.until("urlwise> qu");
    pty.wait_until(Pty::has_echo);
    pty.keys("it\n");
    pty.until("session closed");
    assert!(pty.end().0.success() && pty.is_as_before());
}

#[test]
fn the_escape_key_can_be_changed_or_disabled() {
    let Some(server) = Telnetd::start() else { return };
    let mut pty = Pty::start(&["get", "--escape-key", "~", "--terminal-type", "vt100", &server.url("")]);
    assert!(pty.until("? ").contains("TERM=vt100"));
    pty.keys("a\x1db\r");
    pty.until("you said: a^]b");
    pty.keys("~");
    pty.until("urlwise> ");
    pty.keys("quit\n");
    assert!(pty.end().0.success());
    let mut pty = Pty::start(&["get", "--escape-key", "none", &server.url("")]);
    pty.until("? ");
    pty.keys("a\x1db\r");
    pty.until("you said: a^]b");
    pty.keys("bye\r");
    assert!(pty.end().0.success());
}

#[test]
fn the_terminal_is_restored_however_the_program_ends() {
    let Some(server) = Telnetd::start() else { return };
    for signal in ["-TERM", "-HUP", "-INT", "-QUIT"] {
        let mut pty = Pty::start(&["get", &server.url("")]);
        pty.until("? ");
        pty.wait_until(Pty::is_raw);
        let begin = Instant::now();
        pty.signal(signal);
        let (status, _) = pty.end();
        assert!(pty.is_as_before(), "{signal}");
        assert!(begin.elapsed() < Duration::from_secs(3), "{signal}: {:?}", begin.elapsed());
        // SIGQUIT has its default action.
        assert_eq!(status.code(), if signal == "-QUIT" { None } else { Some(130) }, "{signal}");
    }
    // A session that fails.
    let url = saying(&[b'\xff'; 0]);
    let mut pty = Pty::start(&["get", "--max-time", "1", &url]);
    let (status, shown) = pty.end();
    assert!(status.code() == Some(15) && pty.is_as_before(), "{shown}");
}

#[test]
fn security_50_a_blocked_program_restores_the_terminal() {
    let Some(server) = Telnetd::start() else { return };
    let mut pty = Pty::start(&["get", &server.url("")]);
    pty.until("? ");
    pty.wait_until(Pty::is_raw);
    // More than the terminal buffers while nothing reads from it.
    pty.keys_while_taken(b"a line that is shown, and said again\r");
    pty.signal("-TERM");
    pty.wait_until(Pty::is_as_before);
}

#[test]
fn a_stopped_program_restores_the_terminal_and_changes_it_again() {
    let Some(server) = Telnetd::start() else { return };
    let mut pty = Pty::start(&["get", &server.url("")]);
    pty.until("? ");
    let is_stopped = |pty: &Pty| {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pty.child.id())).unwrap();
        stat.rsplit(") ").next().unwrap().starts_with('T')
    };
    pty.wait_until(Pty::is_raw);
    pty.signal("-TSTP");
    pty.wait_until(is_stopped);
    assert!(pty.is_as_before());
    pty.signal("-CONT");
    pty.wait_until(Pty::is_raw);
    pty.keys("here\r");
    pty.until("you said: here");
    pty.keys(ESCAPE);
    pty.until("urlwise> ");
    pty.keys("suspend\n");
    pty.wait_until(is_stopped);
    assert!(pty.is_as_before());
    pty.resize(50, 20);
    pty.signal("-CONT");
    pty.wait_until(Pty::is_raw);
    thread::sleep(Duration::from_millis(300));
    pty.keys("size\r");
    pty.until("20 50");
    pty.keys("bye\r");
    assert!(pty.end().0.success());
}

#[test]
fn without_negotiation_the_terminal_edits_lines() {
    let url = saying(b"220 here\r\n");
    let mut pty = Pty::start(&["get", &url]);
    pty.until("220 here");
    assert!(pty.has_echo() && !pty.is_raw());
    // The escape key ends a line without Enter.
    pty.keys(ESCAPE);
    pty.until("urlwise> ");
    pty.keys("status\n");
    let status = pty.until("escape key");
    assert!(status.contains("line by line, and this terminal shows them"), "{status}");
    pty.keys("helo x\n");
    let (status, shown) = pty.end();
    assert!(status.success() && pty.is_as_before(), "{shown}");
    assert!(shown.contains("helo x"), "{shown:?}");
}

#[test]
fn in_line_mode_ctrl_c_discards_the_line_and_interrupts_and_ctrl_d_is_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("telnet://127.0.0.1:{}/", listener.local_addr().unwrap().port());
    let told = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"ready").unwrap();
        let mut told = Vec::new();
        while !told.ends_with(b"last\r\n") {
            let mut octet = [0];
            assert_eq!(stream.read(&mut octet).unwrap(), 1);
            told.extend(octet);
        }
        told
    });
    let mut pty = Pty::start(&["get", &url]);
    pty.until("ready");
    pty.keys("not wan\x03\x04");
    thread::sleep(Duration::from_millis(300));
    pty.keys("lost\x08\x7f\x15last\n");
    assert!(pty.end().0.success());
    assert_eq!(told.join().unwrap(), b"\xff\xf4\xff\xf2\x04last\r\n");
}

#[test]
fn a_password_in_line_mode_is_not_echoed() {
    let url = saying(b"\xff\xfb\x01Password: ");
    let mut pty = Pty::start(&["get", &url]);
    pty.until("Password: ");
    pty.wait_until(|pty| !pty.has_echo());
    pty.keys(format!("{MARKER}\n"));
    let (status, shown) = pty.end();
    assert!(status.success() && !shown.contains(MARKER), "{shown}");
}

#[test]
fn a_session_can_be_piped() {
    let Some(server) = Telnetd::start() else { return };
    let mut child = command(["get", "--json", &server.url("alice:MaRkEr@")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The server echoes what arrives before its echo is refused.
    let mut shown = Vec::new();
    let mut stdout = child.stdout.take().unwrap();
    while !shown.ends_with(b"? ") {
        let mut octet = [0];
        assert_eq!(stdout.read(&mut octet).unwrap(), 1, "{}", text(&shown));
        shown.extend(octet);
    }
    child.stdin.take().unwrap().write_all(b"hello\nsize\ntitle\nbye\n").unwrap();
    stdout.read_to_end(&mut shown).unwrap();
    assert_eq!(text(&shown), "user= TERM=network\n0 0\n? you said: hello\n? 0 0\n? \x1b]0;owned\x07done\n? so long\n");
    let told = text(&child.wait_with_output().unwrap().stderr);
    assert!(told.contains("suggests the user `alice` and a password") && !told.contains(MARKER), "{told}");
    let summary: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!((&summary["kind"], &summary["exit"]), (&"session".into(), &0.into()));
    assert_eq!(summary["bytes"], shown.len());
}

#[test]
fn security_14_the_password_is_shown_only_with_show_secrets() {
    let url = saying(b"hello\r\n").replace("//", &format!("//jim%1B:{MARKER}@"));
    let with =
        |arguments: &[&str]| text(&urlwise(&[&["get", "--idle-timeout", "0.3"], arguments, &[&url]].concat()).stderr);
    assert!(!with(&["-v"]).contains(MARKER));
    let told = with(&["--show-secrets"]);
    assert!(told.contains(&format!("`jim\\x1b` and the password `{MARKER}`")), "{told}");
    assert!(!with(&["-q"]).contains("suggests"));
    let chinese = with(&["--lang", "zh"]);
    assert!(chinese.contains("端口") && chinese.contains("，未加密：网络路径上的任何人都能"), "{chinese}");
    assert!(
        chinese.contains("URL建议使用用户`jim\\x1b`和一个密码，但不会发送") && !chinese.contains(MARKER),
        "{chinese}"
    );
}

#[test]
fn security_46_controls_are_escaped_outside_of_interactive_sessions() {
    let url = saying(b"\x1b]0;owned\x07\x1b[31mred\r\n\xc2\x9b1m");
    let mut pty = Pty::piped(&["get", "-q", "--idle-timeout", "0.5", &url]);
    let (_, shown) = pty.end();
    assert!(shown.contains("\\x1b]0;owned\\x07\\x1b[31mred\r\n\\u{9b}1m"), "{shown:?}");
    assert!(!shown.contains('\x1b') && !shown.contains('\u{9b}'), "{shown:?}");
}

#[test]
fn security_48_after_the_end_of_input_the_server_has_the_idle_deadline() {
    let url = saying(b"");
    let begin = Instant::now();
    let output = urlwise(&["get", "--idle-timeout", "0.3", &url]);
    assert_eq!(code(&output), 15, "{}", text(&output.stderr));
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert!(text(&output.stderr).contains("did not close the session within"), "{}", text(&output.stderr));
}

#[test]
fn sessions_cannot_be_saved_or_listed() {
    let folder = Folder::new();
    for arguments in [&["get", "-O", "telnet://h.invalid/"][..], &["get", "-o", "x", "telnet://h.invalid/"]] {
        let output = folder.urlwise(arguments);
        assert_eq!(code(&output), 5);
        assert!(text(&output.stderr).contains("names a session"), "{}", text(&output.stderr));
    }
    assert_eq!(folder.names(), [] as [String; 0]);
    assert_eq!(code(&urlwise(&["ls", "telnet://h.invalid/"])), 5);
    assert_eq!(code(&urlwise(&["get", "--require-tls", "telnet://h.invalid/"])), 4);
    assert_eq!(code(&urlwise(&["get", "telnet://-froot@h.invalid/"])), 4);
    assert_eq!(code(&urlwise(&["get", "--escape-key", "abc", "telnet://h.invalid/"])), 2);
    assert_eq!(code(&urlwise(&["get", "--terminal-type", "x\u{1b}", "telnet://h.invalid/"])), 2);
}

#[test]
fn a_url_from_standard_input_has_no_session_input() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || listener.accept().unwrap().0.write_all(b"12:00\r\n"));
    let mut child = command(["get"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("telnet://127.0.0.1:{port}/\nnot typed\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((text(&output.stdout), code(&output)), ("12:00\n".into(), 3), "the second line is not a URL");
}

#[test]
fn verbose_shows_the_dialogue() {
    let url = saying(b"\xff\xfd\x18\xff\xfd\x27hello\r\n");
    let shown = text(&urlwise(&["get", "-v", "--idle-timeout", "1", &url]).stderr);
    assert!(shown.contains("send     WONT TERMINAL-TYPE") && shown.contains("WONT NEW-ENVIRON"), "{shown}");
    let mut pty = Pty::start(&["get", "-v", &url]);
    let shown = pty.until("hello");
    assert!(shown.contains("send     WILL TERMINAL-TYPE\r\n") && shown.contains("WONT NEW-ENVIRON\r\n"), "{shown:?}");
}
