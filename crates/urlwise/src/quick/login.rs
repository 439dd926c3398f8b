//! The login and the host of the common Internet syntax (section 3.1), where there is nothing to report about them.

use crate::class;
use crate::code::Code;
use crate::encoded;
use crate::grammar::USER;
use crate::host::HostKind;
use crate::layout::{self, Slot};
use crate::quick::host;
use crate::reader::{Reader, Sink, Until};

/// Whether a scheme's logins have a user (D-26).
#[derive(Clone, Copy)]
pub(crate) enum Users {
    Allowed,
    /// Reported as this code, and read all the same.
    Forbidden(Code),
}

/// Reads a login if one comes next that has nothing to report; otherwise changes nothing.
#[inline(always)]
pub(crate) fn plain<S: Sink>(r: &mut Reader<'_, S>, users: Users, ends: Until) -> bool {
    match S::REPORTS {
        true => plain_name(r, ends),
        false => plain_hostport(r, ends) || (matches!(users, Users::Allowed) && plain_login(r, ends)),
    }
}

/// Reads a host name without a port if one comes next about which there is not even a note: it has several labels.
fn plain_name<S: Sink>(r: &mut Reader<'_, S>, ends: Until) -> bool {
    let start = r.at;
    let end = host::plain(r.octets, start);
    let is_plain = (1..=MAX_LABEL).contains(&(end - start)) && r.ends_at(end, ends);
    if !is_plain || !r.octets[start..end].contains(&b'.') {
        return false;
    }
    r.layout.slots[layout::HOST] = Slot::new(start, end);
    r.at = end;
    true
}

/// Reads a user, a password and a host if they come next and have nothing to report; otherwise changes nothing.
fn plain_login<S: Sink>(r: &mut Reader<'_, S>, ends: Until) -> bool {
    let start = r.at;
    let user = plain_run(r, start);
    let password = match r.octets.get(user) {
        Some(b':') => user + 1..plain_run(r, user + 1),
        _ => user..user,
    };
    // A `?` may stand in a user; where it ends the login, a closer look is needed.
    if matches!(ends, Until::Either(..)) || r.octets.get(password.end) != Some(&b'@') {
        return false;
    }
    r.at = password.end + 1;
    if !plain_hostport(r, ends) {
        r.at = start;
        return false;
    }
    r.layout.slots[layout::USER] = Slot::new(start, user);
    if password.start > user {
        r.layout.slots[layout::PASSWORD] = Slot::new(password.start, password.end);
    }
    true
}

/// Where the plain characters and escapes of a user or password end.
fn plain_run<S: Sink>(r: &Reader<'_, S>, start: usize) -> usize {
    let plain = r.plain(USER.class);
    let mut end = class::skip(r.octets, start, plain);
    while encoded::escape_at(r.octets, end).is_some() {
        end = class::skip(r.octets, end + 3, plain);
    }
    end
}

/// Reads a host and port if they come next and have nothing to report; otherwise leaves everything to the
/// [full reader](crate::common::login), which knows the whole grammar. Most hosts of most URLs pass here, at a few instructions an octet.
#[inline(always)]
fn plain_hostport<S: Sink>(r: &mut Reader<'_, S>, ends: Until) -> bool {
    let start = r.at;
    let end = host::plain(r.octets, start);
    if (1..=MAX_LABEL).contains(&(end - start)) {
        if r.ends_at(end, ends) {
            r.layout.slots[layout::HOST] = Slot::new(start, end);
            r.at = end;
            return true;
        }
        if r.octets[end] != b':' {
            return false;
        }
    }
    plain_number_or_port(r, end, ends)
}

/// The same, where no name comes next, or one that ends at `end` and is followed by something.
#[inline(never)]
fn plain_number_or_port<S: Sink>(r: &mut Reader<'_, S>, mut end: usize, ends: Until) -> bool {
    let start = r.at;
    let mut kind = HostKind::Name;
    if end == start {
        end = host::plain_number(r.octets, start);
        kind = HostKind::Ipv4;
    }
    if end == start || end - start > MAX_LABEL {
        return false;
    }
    let mut at = end;
    if !r.ends_at(end, ends) {
        let Some((port, digits_end)) = host::plain_port(r.octets, end) else {
            return false;
        };
        if !r.ends_at(digits_end, ends) {
            return false;
        }
        r.layout.set_port(port);
        r.layout.slots[layout::PORT] = Slot::new(end + 1, digits_end);
        at = digits_end;
    }
    r.at = at;
    r.layout.slots[layout::HOST] = Slot::new(start, end);
    r.layout.set_host_kind(kind);
    true
}

/// Labels have at most this many octets (RFC 1034, D-18).
pub(crate) const MAX_LABEL: usize = 63;

/// Whether the text from `start` on is the name of a host with nothing to report.
pub(crate) fn is_plain_name(octets: &[u8], start: usize) -> bool {
    (1..=MAX_LABEL).contains(&(octets.len() - start)) && host::plain(octets, start) == octets.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;
    use crate::layout::Layout;
    use crate::level::Level;
    use crate::profile::Profile;
    use crate::raw_problem::RawProblem;
    use crate::reader::{FirstError, Report};

    #[test]
    fn what_the_quick_look_takes_the_full_reader_reads_alike() {
        let pieces = [
            "",
            "a",
            "a.b",
            "1",
            "1.2.3.4",
            "1.2.3.256",
            "0.0.0.0",
            ".",
            "-",
            ":",
            ":8",
            ":8080",
            ":00080",
            ":65535",
            ":65536",
            "@",
            "/",
            "?",
            "%41",
            "~",
            "_",
        ];
        let long = ["a".repeat(MAX_LABEL), "a".repeat(MAX_LABEL + 1)];
        let pieces = || pieces.into_iter().chain(long.iter().map(|piece| &**piece));
        let mut taken = 0;
        for first in pieces() {
            for second in pieces() {
                for third in pieces() {
                    let fourths: &[&str] = if first.len() < 9 { &["", "@", "a", ":80", "/"] } else { &[""] };
                    for fourth in fourths {
                        let text = [first, second, third, fourth].concat();
                        taken += usize::from(Profile::ALL.iter().any(|profile| is_taken_alike(&text, *profile)));
                    }
                }
            }
        }
        assert!(taken > 1000, "only {taken} texts");
    }

    /// Whether the quick look takes the text; then the full reader must find the same.
    fn is_taken_alike(text: &str, profile: Profile) -> bool {
        let mut is_taken = false;
        for users in [Users::Allowed, Users::Forbidden(Code::UserForbidden)] {
            for ends in [Until::Octet(b'/'), Until::Either(b'/', b'?')] {
                let mut quick = Layout::new(profile);
                let mut reader = Reader::new(text.as_bytes(), &mut quick, FirstError);
                if !plain(&mut reader, users, ends) {
                    assert_eq!((reader.at, quick.slots), (0, Layout::new(profile).slots), "{text}");
                    continue;
                }
                is_taken = true;
                let at = reader.at;
                let mut full = Layout::new(profile);
                let mut count = |problem: RawProblem| {
                    assert!(problem.level != Level::Error, "{text}: {problem:?}");
                    Ok(())
                };
                let mut reader = Reader::new(text.as_bytes(), &mut full, Report::new(&mut count));
                common::any_login(&mut reader, users, ends).unwrap();
                let found = |layout: &Layout| (layout.slots, layout.port_or_default(), layout.host_kind());
                assert_eq!((at, found(&quick)), (reader.at, found(&full)), "{text}");
            }
        }
        is_taken
    }

    #[test]
    fn what_most_urls_hold_is_taken_by_the_quick_look_wherever_it_stands() {
        let label = "a".repeat(MAX_LABEL);
        let hosts = ["h.dom", "localhost", "1.2.3.4", "h.dom:8080", "1.2.3.4:21", &label, &[&label, ":80"].concat()];
        for host in hosts {
            for login in ["", "jim@", "jim:pw@", "jim:@", "j%41m:p%41w@"] {
                for before in ["", "ftp://"] {
                    let text = [before, login, host, "/a"].concat();
                    let mut layout = Layout::new(Profile::Rfc1738);
                    let mut reader = Reader::new(text.as_bytes(), &mut layout, FirstError);
                    reader.at = before.len();
                    assert!(plain(&mut reader, Users::Allowed, Until::Octet(b'/')), "{text}");
                    assert_eq!(reader.at, text.len() - 2, "{text}");
                }
            }
        }
        // A host name about which there is nothing to report: labels of 63 octets in all.
        let text = ["http://", &label[2..], ".a/"].concat();
        let mut layout = Layout::new(Profile::Rfc1738);
        let mut none = |problem: RawProblem| panic!("{text}: {problem:?}");
        let mut reader = Reader::new(text.as_bytes(), &mut layout, Report::new(&mut none));
        reader.at = "http://".len();
        assert!(plain(&mut reader, Users::Allowed, Until::Octet(b'/')));
    }

    #[test]
    fn about_what_the_quick_look_of_a_report_takes_there_is_not_even_a_note() {
        let pieces = ["", "a", "a.b", "b.a-c", "1", ".", "-", "_", ":", ":80", "@", "/", "?", "%41", "\\"];
        let mut taken = 0;
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    for profile in Profile::ALL {
                        for ends in [Until::Octet(b'/'), Until::Either(b'/', b'?')] {
                            let text = [first, second, third].concat();
                            taken += usize::from(is_reported_alike(&text, *profile, ends));
                        }
                    }
                }
            }
        }
        assert!(taken > 100, "only {taken} texts");
    }

    /// Whether the quick look of a report takes the text; then the full reader must find the same and report nothing.
    fn is_reported_alike(text: &str, profile: Profile, ends: Until) -> bool {
        let mut quick = Layout::new(profile);
        let mut none = |problem: RawProblem| panic!("{text}: {problem:?}");
        let mut reader = Reader::new(text.as_bytes(), &mut quick, Report::new(&mut none));
        if !plain(&mut reader, Users::Allowed, ends) {
            assert_eq!((reader.at, quick.slots), (0, Layout::new(profile).slots), "{text}");
            return false;
        }
        let at = reader.at;
        let mut full = Layout::new(profile);
        let mut reader = Reader::new(text.as_bytes(), &mut full, Report::new(&mut none));
        common::any_login(&mut reader, Users::Allowed, ends).unwrap();
        assert_eq!((at, quick.slots, quick.port), (reader.at, full.slots, full.port), "{text}");
        assert_eq!(quick.host_kind(), full.host_kind(), "{text}");
        true
    }

    #[test]
    fn a_plain_name_is_a_host_to_the_full_reader() {
        let pieces = ["", "a", "1", ".", "-", "_", "%41", "a.b"];
        let mut taken = 0;
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    for fourth in pieces {
                        let text = [first, second, third, fourth].concat();
                        if is_plain_name(text.as_bytes(), 0) {
                            let layout = crate::reader::explain(text.as_bytes(), Profile::Rfc1738, |reader| {
                                common::only_host(reader)?;
                                Ok(())
                            });
                            let layout = layout.unwrap();
                            assert_eq!(layout.slots[layout::HOST], Slot::new(0, text.len()), "{text}");
                            assert_eq!(layout.host_kind(), HostKind::Name, "{text}");
                            taken += 1;
                        }
                    }
                }
            }
        }
        assert!(taken > 100, "only {taken} texts");
    }
}
