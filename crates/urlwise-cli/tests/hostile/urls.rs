//! S-1 to S-23: from URL to wire, logins, redirects.

use std::os::unix::fs::PermissionsExt;

use super::Row;
use super::play::*;

pub(crate) static ROWS: &[Row] = &[
    Row {
        number: 1,
        attack: "texts without a scheme, or with one that nothing opens",
        play: || {
            let host = Host::http(document("", "x"));
            for text in [format!("127.0.0.1:{}/x", host.port), host.url("htp", "x"), host.url("x-odd", "x")] {
                assert!([3, 5].contains(&get(&text).code), "{text}");
            }
            assert_eq!(host.connections(), 0);
        },
    },
    Row {
        number: 2,
        attack: "hosts before and behind `@` and a backslash",
        play: || {
            let host = Host::http(document("", "x"));
            assert_eq!(get(&format!("http://evil.example:80@127.0.0.1:{}/", host.port)).code, 0);
            assert!(host.heard().contains(&format!("ost: 127.0.0.1:{}", host.port)), "{}", host.heard());
            assert_eq!(get(&format!("http://127.0.0.1:{}\\@evil.example/", host.port)).code, 3);
            assert_eq!(host.connections(), 1);
        },
    },
    Row {
        number: 3,
        attack: "escapes in a host",
        play: || {
            for url in ["http://a%2Fb/", "http://127.0.0.1%2F@h/x%", "ftp://h%0d%0a/", "gopher://127%2E0.0.1/"] {
                assert_eq!(get(url).code, 3, "{url}");
            }
        },
    },
    Row {
        number: 4,
        attack: "CR, LF and NUL in fields of commands",
        play: || {
            let host = Host::ftp(b"x", &[]);
            for (scheme, rest) in [
                ("ftp", "a%0D%0ADELE%20x"),
                ("ftp", "a%00b"),
                ("ftp", "a%0Ab/x"),
                ("gopher", "0a%0D%0Ab"),
                ("gopher", "7a%09b%0Ac"),
                ("wais", "db?a%0D%0Ab"),
                ("nntp", "a.b%0D%0AQUIT/1"),
                ("prospero", "a%0D%0Ab"),
                ("finger", "joe%0D%0Ax"),
            ] {
                let shown = get(&host.url(scheme, rest));
                assert!([3, 4].contains(&shown.code), "{scheme} {rest}: {} {}", shown.code, shown.all);
            }
            assert_eq!(host.connections(), 0);
        },
    },
    Row {
        number: 5,
        attack: "a line end in a user name that is given by option",
        play: || {
            let host = Host::ftp(b"x", &[]);
            let shown = run(&["get", "--user", "joe\r\nDELE x", &host.url("ftp", "x")]);
            assert_eq!(shown.code, 4, "{}", shown.all);
            assert!(!host.heard().contains("DELE"), "{}", host.heard());
        },
    },
    Row {
        number: 6,
        attack: "a name, user or host that looks like an option",
        play: || {
            let host = Host::ftp(b"x\r\n", &[]);
            assert_eq!(get(&host.url("ftp", "a/-la;type=d")).code, 0);
            assert!(host.heard().contains("CWD a\r\n") && host.heard().contains("NLST -la\r\n"), "{}", host.heard());
            for url in ["ftp://-x:y@h.example/", "telnet://-froot@h.example/"] {
                let shown = get(url);
                assert!(shown.code == 4 && shown.all.contains("host-option"), "{url}: {}", shown.all);
            }
        },
    },
    Row {
        number: 7,
        attack: "a URL, a path and a chain of redirects, each one over its limit",
        play: || {
            let host = Host::new(|talk| {
                talk.head();
                let next = talk.number;
                talk.say(format!("HTTP/1.1 302 Found\r\nLocation: /{next}\r\nContent-Length: 0\r\n\r\n"));
            });
            assert_eq!(get(&host.url("http", &"a".repeat(65_536))).code, 17);
            assert_eq!(get(&host.url("http", &"a/".repeat(1_001))).code, 17);
            assert_eq!(host.connections(), 0);
            assert_eq!(get(&host.url("http", "")).code, 16);
            assert_eq!(host.heard().matches("GET ").count(), 21);
        },
    },
    Row {
        number: 8,
        attack: "ports of other protocols",
        play: || {
            for (port, rule) in [
                (0, "port-zero"),
                (22, "port-foreign"),
                (25, "port-foreign"),
                (110, "port-foreign"),
                (443, "port-reserved"),
                (1023, "port-reserved"),
                (6379, "port-foreign"),
                (11211, "port-foreign"),
            ] {
                let shown = get(&format!("http://127.0.0.1:{port}/"));
                assert!(shown.code == 4 && shown.all.contains(&format!("rule `{rule}`")), "{port}: {}", shown.all);
            }
        },
    },
    Row {
        number: 9,
        attack: "names and numbers of local addresses, where only public ones are wanted",
        play: || {
            let host = Host::http(document("", "x"));
            for name in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "127.000.000.001"] {
                for scheme in ["http", "gopher", "ftp"] {
                    let shown = run(&["get", "--public-only", &format!("{scheme}://{name}:{}/", host.port)]);
                    assert_eq!(shown.code, 4, "{scheme} {name}: {}", shown.all);
                }
            }
            assert_eq!(get(&format!("gopher://127.000.000.010:{}/", host.port)).code, 4);
            assert_eq!(host.connections(), 0);
        },
    },
    Row {
        number: 10,
        attack: "a redirect to another port, which asks for the login",
        play: || {
            let folder = Folder::new("10");
            let other = Host::http(document("", "x"));
            let host = Host::redirecting(&other.url("http", ""));
            let netrc = private(&folder, 0o600);
            assert_eq!(run(&["get", "--netrc-file", &netrc, &host.url("http", "")]).code, 0);
            assert!(host.heard().to_lowercase().contains("authorization: basic"), "{}", host.heard());
            assert!(!other.heard().to_lowercase().contains("authorization"), "{}", other.heard());
        },
    },
    Row {
        number: 11,
        attack: "a login in a redirect",
        play: || {
            let other = Host::http(document("", "x"));
            let host = Host::redirecting(&format!("http://joe:MaRkEr@127.0.0.1:{}/", other.port));
            let shown = run(&["get", "--http-userinfo", &host.url("http", "")]);
            assert!(shown.code == 0 && !shown.all.contains("MaRkEr") && shown.all.contains("note["), "{}", shown.all);
            assert!(!other.heard().to_lowercase().contains("authorization"), "{}", other.heard());
        },
    },
    Row {
        number: 12,
        attack: "a file of logins that others may read, and nobody to ask",
        play: || {
            let folder = Folder::new("12");
            let host = Host::http(document("", "x"));
            assert_eq!(run(&["get", "--netrc-file", &private(&folder, 0o644), &host.url("http", "")]).code, 2);
            let mut alone = std::process::Command::new("setsid");
            alone.args(["--wait", env!("CARGO_BIN_EXE_urlwise"), "get", "--user", "joe", &host.url("http", "")]);
            let alone =
                see(alone.env("XDG_CONFIG_HOME", "/nonexistent").env("LC_ALL", "C").stdin(std::process::Stdio::null()));
            assert_eq!((alone.code, host.connections()), (9, 0), "{}", alone.all);
        },
    },
    Row {
        number: 13,
        attack: "a login in an http URL",
        play: || {
            let host = Host::http(document("", "x"));
            let url = format!("http://joe:MaRkEr@127.0.0.1:{}/", host.port);
            assert_eq!(get(&url).code, 0);
            assert!(!host.heard().to_lowercase().contains("authorization"), "{}", host.heard());
            assert_eq!(run(&["get", "--http-userinfo", &url]).code, 0);
            assert!(host.heard().contains("am9lOk1hUmtFcg==") && !host.heard().contains("MaRkEr"), "{}", host.heard());
        },
    },
    Row {
        number: 14,
        attack: "a server that repeats the password",
        play: || {
            let host = Host::ftp(b"x", &[("PASS", "530 no, MaRkEr is wrong\r\n")]);
            for more in [&[][..], &["--verbose"], &["--json"]] {
                let url = format!("ftp://joe:MaRkEr@127.0.0.1:{}/x", host.port);
                let shown = run(&[&["get", url.as_str()][..], more].concat());
                assert!(shown.code == 9 && !shown.all.contains("MaRkEr"), "{more:?}: {}", shown.all);
            }
        },
    },
    Row {
        number: 15,
        attack: "a redirect that would learn where it came from",
        play: || {
            let other = Host::http(document("", "x"));
            assert_eq!(get(&Host::redirecting(&other.url("http", "")).url("http", "secret-path")).code, 0);
            let heard = other.heard().to_lowercase();
            assert!(!heard.contains("referer") && !heard.contains("secret-path"), "{heard}");
        },
    },
    Row {
        number: 16,
        attack: "a server without TLS that wants the password",
        play: || {
            let host = Host::ftp(b"x", &[]);
            let url = format!("ftp://joe:MaRkEr@127.0.0.1:{}/x", host.port);
            assert_ne!(run(&["get", "--require-tls", &url]).code, 0);
            assert!(host.heard().starts_with("AUTH TLS") && !host.heard().contains("joe"), "{}", host.heard());
            let shown = get(&url);
            assert_eq!(shown.all.matches("note[password-in-clear]").count(), 1, "{}", shown.all);
        },
    },
    Row {
        number: 17,
        attack: "TLS that is refused, or stripped from the reply",
        play: || {
            for refusal in ["500 what?\r\n", "431 later\r\n"] {
                let changes: &'static [_] = Box::leak(Box::new([("AUTH", refusal)]));
                let host = Host::ftp(b"x", changes);
                assert_ne!(run(&["get", "--require-tls", &host.url("ftp", "x")]).code, 0);
                assert!(!host.heard().contains("USER"), "{}", host.heard());
            }
            let plain = Host::http(document("", "x"));
            assert_eq!(get(&plain.url("https", "")).code, 8);
            assert!(!plain.heard().contains("GET"), "{}", plain.heard());
        },
    },
    Row {
        number: 18,
        attack: "an anonymous ftp server that collects names",
        play: || {
            let host = Host::ftp(b"x", &[]);
            let shown = see(command(&["get", &host.url("ftp", "x")]).env("USER", "MaRkEr").env("LOGNAME", "MaRkEr"));
            assert_eq!(shown.code, 0, "{}", shown.all);
            assert!(host.heard().contains("USER anonymous\r\nPASS urlwise@example.com\r\n"), "{}", host.heard());
        },
    },
    Row {
        number: 19,
        attack: "two users of one server",
        play: || {
            let host = Host::ftp(b"x", &[]);
            let url = |user: &str| format!("ftp://{user}@127.0.0.1:{}/x", host.port);
            assert_eq!(run(&["get", &url("joe:a"), &url("joe:b"), &url("jim:a"), &url("jim:a")]).code, 0);
            assert_eq!(host.connections(), 3);
        },
    },
    Row {
        number: 20,
        attack: "redirects to files and to other schemes",
        play: || {
            // Without the rule about files, that about schemes would refuse the first one too.
            for (target, rule) in [
                ("file:///etc/hostname", "file-from-network"),
                ("ftp://127.0.0.1/x", "redirect-scheme"),
                ("gopher://127.0.0.1/", "redirect-scheme"),
                ("mailto:a@b.example", "redirect-scheme"),
            ] {
                let shown = get(&Host::redirecting(target).url("http", ""));
                assert!(shown.code == 4 && shown.all.contains(rule), "{target}: {}", shown.all);
            }
            let menu = "0x\tURL:file:///etc/hostname\t127.0.0.1\t70\r\n.\r\n";
            assert_eq!(run(&["ls", &Host::gopher(menu).url("gopher", "")]).code, 0, "it is shown and not followed");
        },
    },
    Row {
        number: 21,
        attack: "a circle of redirects",
        play: || {
            let host = Host::redirecting("/");
            let shown = get(&host.url("http", ""));
            assert!(shown.code == 16 && shown.all.contains("loop"), "{}", shown.all);
            assert_eq!(host.connections(), 1);
        },
    },
    Row {
        number: 22,
        attack: "control octets and backslashes in Location",
        play: || {
            // The reader of the head refuses all controls but Tab. Of what the rule refuses no URL could be made either, so the
            // words tell which of the two refused.
            for (location, words) in [
                ("http:\\\\127.0.0.1\\x", "read a backslash as a slash"),
                ("\\\\h\\x", "read a backslash as a slash"),
                ("/a\x01b", "not valid HTTP"),
                ("/a\tb", "the control character %09"),
            ] {
                let host = Host::redirecting(location);
                let shown = get(&host.url("http", ""));
                assert!(shown.code == 12 && shown.all.contains(words), "{location:?}: {}", shown.all);
                assert_eq!(host.connections(), 1);
            }
        },
    },
    Row {
        number: 23,
        attack: "a server that ends without an answer",
        play: || {
            let host = Host::new(Talk::head);
            assert_ne!(get(&host.url("http", "")).code, 0);
            assert_eq!(host.connections(), 1, "a request on a fresh connection is made once");
        },
    },
];

/// A file of logins with this mode.
fn private(folder: &Folder, mode: u32) -> String {
    let file = folder.file("netrc", "machine 127.0.0.1 login joe password MaRkEr\n");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    file
}
