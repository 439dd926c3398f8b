//! prospero URLs against recorded answers of a real server, and a hostile one.

use crate::support::*;

#[allow(dead_code, reason = "the tests of the access crate make more of its servers")]
#[path = "../../../urlwise-open/tests/access/support/prospero.rs"]
pub(crate) mod server;

use server::Prospero;

#[test]
fn the_json_has_what_the_server_says_about_entries() {
    let server = Prospero::playing(&["16-none-found", "37-gopher-gateway-wait-180-and-ack"]);
    let output = urlwise(&["ls", "--json", &format!("prospero://127.0.0.1:{}/GOPHER-GW/x", server.port)]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    let entries: Vec<serde_json::Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len(), 10);
    assert_eq!((&entries[0]["kind"], &entries[0]["url"]), (&"info".into(), &serde_json::Value::Null));
    assert_eq!((&entries[1]["kind"], &entries[1]["type"]), (&"document".into(), &"text/plain".into()));
    assert_eq!(entries[6]["description"], "Use the account name \"guest\" to log in");
    let (best, also) = (&entries[9]["url"], &entries[9]["also"]);
    assert_eq!(best, "ftp://FTP.EXAMPLE/pub/notes.txt;type=a");
    assert_eq!(also.as_array().unwrap(), &["gopher://GOPHER.EXAMPLE/0ftp:FTP.EXAMPLE@/pub/notes.txt"]);
}

#[test]
fn a_long_list_shows_every_url_of_an_entry() {
    let server = Prospero::playing(&["16-none-found", "37-gopher-gateway-wait-180-and-ack"]);
    let output = urlwise(&["ls", "--long", &format!("prospero://127.0.0.1:{}/GOPHER-GW/x", server.port)]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let both = "document  Via ftp  <URL:ftp://FTP.EXAMPLE/pub/notes.txt;type=a>\n          \
                also <URL:gopher://GOPHER.EXAMPLE/0ftp:FTP.EXAMPLE@/pub/notes.txt>\n";
    assert!(text(&output.stdout).ends_with(both), "{}", text(&output.stdout));
}

#[test]
fn a_document_is_saved_from_where_the_server_redirects() {
    let gopher = answering(b"Hello from gopher.\r\n.\r\n", 1);
    let server = Prospero::telling(move |_| {
        format!("ATTRIBUTE OBJECT FIELD ACCESS-METHOD GOPHER INTERNET-D 127.0.0.1({gopher}) ASCII about 0\n")
            .into_bytes()
    });
    let folder = Folder::new();
    let url = format!("prospero://127.0.0.1:{}/x", server.port);
    let output = folder.urlwise(["get", "-o", "saved", "--json", &url]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&line["url"], &line["final_url"]),
        (&url.into(), &format!("gopher://127.0.0.1:{gopher}/0about").into())
    );
    assert_eq!(folder.read("saved"), b"Hello from gopher.\n");
}

#[test]
fn a_dry_run_shows_what_a_run_sends() {
    let server = Prospero::playing(&["05-object-access-method-native-file", "24-contents-text"]);
    let url = format!("prospero://127.0.0.1:{}/AFTP/pub/notes.txt", server.port);
    let plan = text(&urlwise(&["get", "--dry-run", &url]).stdout);
    assert!(server.asked().is_empty(), "something was sent");
    let output = urlwise(&["get", "-v", &url]);
    assert_eq!((code(&output), output.stdout.as_slice()), (0, &b"First line of the notes.\nSecond line.\n"[..]));
    let sent: Vec<_> = server.asked().iter().map(|datagram| text(&datagram[9..])).collect();
    let is_text = |line: &&str| line.starts_with("send ") && !line.contains("ARDP packet");
    let planned: String = plan.lines().filter(is_text).map(|line| line[5..].trim_start()).collect();
    assert_eq!(planned.replace("\\n", "\n"), sent.concat());
    // --verbose shows each of these lines too.
    for line in plan.lines().filter(is_text) {
        assert!(text(&output.stderr).contains(line[5..].trim_start()), "{line}");
    }
}

#[test]
fn failures_have_exit_codes() {
    let circle = Prospero::telling(|_| b"FORWARDED INTERNET-D '' ASCII x 0\n".to_vec());
    let missing = Prospero::telling(|request| match text(request).contains("LIST") {
        true => b"FAILURE NOT-A-DIRECTORY\n".to_vec(),
        false => b"FAILURE NOT-FOUND\n".to_vec(),
    });
    let private = Prospero::playing(&["40-object-not-authorized", "03-list-missing-directory"]);
    let local = Prospero::telling(|_| b"ATTRIBUTE OBJECT FIELD ACCESS-METHOD LOCAL '' '' '' '/etc/passwd'\n".to_vec());
    for (port, expected) in [(circle.port, 16), (missing.port, 10), (private.port, 9), (local.port, 5)] {
        let output = urlwise(&["get", &format!("prospero://127.0.0.1:{port}/x")]);
        assert_eq!(code(&output), expected, "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    for url in
        ["prospero://127.0.0.1/x%0ADELETE%20y", "prospero://127.0.0.1/%00", "prospero://127.0.0.1/x;OBJECT-VERSION=b"]
    {
        assert_eq!(code(&urlwise(&["get", url])), 4, "{url}");
    }
}

#[test]
fn control_characters_of_a_directory_are_escaped() {
    let server = Prospero::telling(|request| match text(request).contains("LIST") {
        true => b"WARNING MESSAGE '\x1b]0;warned\x07'\n\
                  LINK L FILE '\x1b[31mred\n\xe2\x80\xae' INTERNET-D h ASCII 'a\x1bb' 0\n\
                  LINK L EXTERNAL x INTERNET-D h ASCII x 0\n\
                  ATTRIBUTE CACHED FIELD ACCESS-METHOD '\x1bX' '' '' '' ''\n"
            .to_vec(),
        false => b"NONE-FOUND\n".to_vec(),
    });
    let url = format!("prospero://127.0.0.1:{}/x", server.port);
    for arguments in [vec!["ls", &url], vec!["ls", "--json", &url]] {
        let output = urlwise(&arguments);
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("it is text");
        assert!(shown.contains("warned") && shown.contains("red"), "{shown}");
        assert!(!shown.chars().any(|c| c != '\n' && urlwise::is_harmful(c)), "{shown:?}");
    }
}
