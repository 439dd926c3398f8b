//! Any octets from a browser: a request is read the same in any pieces, agrees with a plain look at its lines, and is answered only
//! if it names this machine, holds the cookie of the session and comes from no other site.
//!
//! The input is: the length of the pieces, then octets, in which `FE` stands for the cookie and `FF` for a head that is admitted.

use std::sync::LazyLock;

use urlwise_serve::testing::{Door, Received, field, link_about};

const PORT: u16 = 1738;
static DOOR: LazyLock<Door> = LazyLock::new(|| Door::new(PORT).expect("random numbers"));
static COOKIE: LazyLock<String> = LazyLock::new(|| DOOR.cookie());

pub(crate) fn run(input: &[u8]) {
    let [piece, rest @ ..] = input else { return };
    let mut octets = Vec::with_capacity(rest.len() + 256);
    for octet in rest {
        match octet {
            0xfe => octets.extend_from_slice(COOKIE.as_bytes()),
            0xff => {
                octets.extend_from_slice(format!("Host: localhost:{PORT}\r\nCookie: {}\r\n", *COOKIE).as_bytes());
            }
            octet => octets.push(*octet),
        }
    }
    let whole = DOOR.receive([&octets[..]]);
    let received = DOOR.receive(octets.chunks(usize::from(*piece) + 1));
    match &whole {
        // Nothing is read behind a request, so what follows it may not have been seen.
        Received::Rejected("400 Bad Request") if received != whole => {
            assert!(matches!(received, Received::Request { .. }), "{received:?}");
        }
        _ => assert_eq!(received, whole),
    }
    if let Received::Request { path, query, body, is_admitted } = &whole {
        check(&octets, path, query, body, *is_admitted);
    }

    // A query or form is what it was made of, and no more.
    let text = String::from_utf8_lossy(rest);
    let link = link_about(&text);
    let (_, query) = link.split_once('?').expect("a query");
    assert_eq!(field(query.as_bytes(), "url").as_deref(), Some(text.as_bytes()));
    assert!(field(rest, "url").is_none_or(|value| value.len() < rest.len()));
}

/// Reads the lines of the request once more.
fn check(octets: &[u8], path: &str, query: &str, body: &[u8], is_admitted: bool) {
    let head =
        octets.strip_suffix(body).and_then(|head| head.strip_suffix(b"\r\n\r\n")).expect("head, body and nothing else");
    let head = String::from_utf8_lossy(head);
    let mut lines = head.split("\r\n").skip_while(|line| line.is_empty());
    let first = lines.next().unwrap_or_default();
    let target = first.split(' ').nth(1).unwrap_or_default();
    let (before, behind) = target.split_once('?').unwrap_or((target, ""));
    // A whole URL names its host too, and may end there.
    let (named, before) = match before.starts_with('/') {
        true => (None, before),
        false => {
            let rest = before.split_once("//").expect("an absolute form").1;
            let end = rest.find('/').unwrap_or(rest.len());
            (Some(rest[..end].to_ascii_lowercase()), if end < rest.len() { &rest[end..] } else { "/" })
        }
    };
    assert_eq!((path, query), (before, behind), "{first:?}");
    assert!(path.starts_with('/') && !path.starts_with("//"), "{first:?}");
    let fields: Vec<(String, &str)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim_matches([' ', '\t'])))
        .collect();
    let all =
        |wanted: &str| fields.iter().filter(|(name, _)| name == wanted).map(|(_, value)| *value).collect::<Vec<_>>();
    assert!(all("transfer-encoding").is_empty() && all("content-length").len() <= 1, "{head:?}");
    assert_eq!(all("content-length").first().map_or(0, |length| length.parse().expect("a number")), body.len());
    assert_eq!(all("host").len(), 1, "{head:?}");
    if is_admitted {
        let host = all("host")[0].to_ascii_lowercase();
        let names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{PORT}"));
        assert!(names.contains(&host) && named.is_none_or(|named| names.contains(&named)), "{head:?}");
        assert!(all("cookie").iter().any(|cookie| cookie.contains(&*COOKIE)), "{head:?}");
        let site = all("sec-fetch-site");
        assert!(matches!(site[..], [] | ["same-origin" | "none"]), "{head:?}");
        assert!(site == ["same-origin"] || first.starts_with("GET ") || first.starts_with("HEAD "), "{head:?}");
        let is_ours = |origin: &&str| {
            let host = origin.strip_prefix("http://").map(str::to_ascii_lowercase);
            *origin == "null" && site == ["same-origin"] || host.is_some_and(|host| names.contains(&host))
        };
        assert!(all("origin").iter().all(is_ours), "{head:?}");
    }
}
