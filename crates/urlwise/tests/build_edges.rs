//! Drafts at the edge of what is a URL: what stays of them without a part, and which part is refused.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use urlwise::build::{BuildError, Draft};
use urlwise::{Locator, Profile, Url};

#[test]
fn what_a_part_brings_is_there_while_it_stays() {
    for url in ["gopher://h.dom/1%09%09+", "gopher://h.dom/1/x%09%09+", "gopher://h.dom/1%09a%09+"] {
        let mut draft = Url::parse(url).unwrap().edit();
        draft.remove("gtype").unwrap();
        assert!(matches!(draft.build(), Err(BuildError::Missing { needs: "gtype", .. })), "{url}");
        draft.set("gtype", b"1").unwrap();
        assert_eq!(draft.build().map(|url| url.to_string()), Ok(url.into()));
    }
}

#[test]
fn a_path_that_begins_with_two_slashes_gets_an_empty_host() {
    let url = Url::parse_with("file:/x", Profile::Current).unwrap();
    for (segments, built) in [
        (&["", "a", "b"][..], "file:////a/b"),
        (&["", ""], "file:////"),
        (&["", "", ""], "file://///"),
        (&["a", "", "b"], "file:/a//b"),
        (&["a b"], "file:/a%20b"),
    ] {
        let mut draft = url.edit();
        draft.set_all("segment", segments).unwrap();
        let read = draft.build().unwrap();
        assert_eq!(read.as_str(), built);
        let Locator::File(file) = read.locator() else { panic!("{read}") };
        let read_again: Vec<_> = file.segments().map(|segment| segment.decode().into_owned()).collect();
        assert!(read_again.iter().eq(segments.iter().map(|segment| segment.as_bytes())), "{read}");
    }
}

#[test]
fn a_part_that_is_read_as_none_is_the_one_that_is_refused() {
    for (draft, span, message) in [
        (
            Draft::new("ftp", Profile::Current).with("host", "h.dom").with("name", "a").with("typecode", ""),
            13..19,
            "`;type=` does not end with a typecode",
        ),
        (
            Draft::new("news", Profile::Current).with("server", "h.dom").with("group", ""),
            13..13,
            "the newsgroup is missing",
        ),
    ] {
        let BuildError::Refused(refused) = draft.build().unwrap_err() else { panic!("{draft:?}") };
        let problem = refused.problem();
        assert_eq!((problem.span(), problem.message().to_string().as_str()), (span, message));
    }
}

#[test]
fn an_asterisk_as_a_newsgroup_is_refused_with_the_part_that_stands_for_all() {
    let help = |draft: Draft| match draft.build() {
        Err(BuildError::Refused(refused)) => refused.problem().help().map(|help| help.to_string()).unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    for profile in [Profile::Rfc1738, Profile::Current] {
        assert!(help(Draft::new("news", profile).with("group", "*")).contains("give the part `all`"));
        assert!(!help(Draft::new("news", profile).with("group", "comp.*")).contains("`all`"));
    }
    assert!(help(Draft::new("news", Profile::Current).with("server", "h.dom").with("group", "*")).contains("`all`"));
    assert_eq!(Draft::new("news", Profile::Rfc1738).with("all", "*").build().unwrap().as_str(), "news:*");
}
