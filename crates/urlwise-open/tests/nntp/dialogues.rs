//! The dialogues that this machine held with INN, and the request of each.

use urlwise::{Profile, Url};
use urlwise_open::protocol::nntp::{NntpGoal, NntpRequest};

/// The request of a URL of news.
pub(crate) fn request(url: &str) -> NntpRequest {
    let url = Url::parse_with(url, Profile::Current).expect("a valid URL");
    NntpRequest::from_url(&url).expect("a URL of news")
}

/// Each by its name; the file in `tests/wire/nntp` has `urlwise-` before it.
pub(crate) fn own() -> Vec<(&'static str, NntpRequest)> {
    let some = NntpGoal::Groups { wildmat: Some(b"local.*,!local.test*".to_vec()) };
    let last = NntpGoal::Group { name: b"local.test".to_vec(), last: Some(2) };
    vec![
        ("groups", request("news:*")),
        ("some-groups", NntpRequest::new(some)),
        ("group", request("news:local.test")),
        ("last", NntpRequest::new(last)),
        ("empty", request("news:local.empty")),
        ("number", request("nntp://h/local.test/6")),
        ("id", request("news:a%2Fb%3Fc%23d%25e+f@example.net")),
        ("head", request("news:utf8@example.net").with(|request| request.list = true)),
        ("missing", request("news:none@example.net")),
        ("no-group", request("news:no.such.group")),
        ("denied", request("news:private.staff")),
    ]
}
