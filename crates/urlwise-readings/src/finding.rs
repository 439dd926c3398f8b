//! Audit rule E-32: the standards disagree about a URL.

use crate::compare::{Host, Readings};
use crate::difference::Difference;
use crate::language::{message, words};
use crate::plain::{is_plain, plain_host};
use crate::reader::Reader;
use crate::text::Text;
use crate::whatwg;
use urlwise::audit::{Finding, READ_DIFFERENTLY, Severity};
use urlwise::{Message, Profile, Scheme, Url};

/// The finding `read-differently` (E-32) for a valid URL: the standards see different hosts, ports or users, or one of
/// them rejects it. `None` if they agree. Pass it to [`Audit::weigh`](urlwise::audit::Audit::weigh).
///
/// High if the host or port differs, so that one program may check a different host than another opens; medium
/// otherwise. URLs that are certain to be read alike are recognized without parsing them three times.
///
/// ```
/// use urlwise::Url;
/// use urlwise::audit::Severity;
///
/// let url = Url::parse("ftp://user?@host.dom/")?;
/// let finding = urlwise_readings::finding(&url).expect("two hosts");
/// assert_eq!((finding.decision(), finding.severity(), finding.span()), ("E-32", Severity::High, 6..20));
/// assert_eq!(urlwise_readings::finding(&Url::parse("http://host.dom:8080/a?b")?), None);
/// # Ok::<(), urlwise::ParseError>(())
/// ```
pub fn finding<'i, 'a, T: urlwise::Text<'i, 'a>>(url: &'i Url<T>) -> Option<Finding<'a>> {
    finding_by(url, Reader::STANDARDS)
}

/// The same for the readers that a URL passes through. What programs outside of the standards do is left out if programs are
/// named.
///
/// ```
/// use urlwise::Url;
/// use urlwise_readings::{Reader, finding_by};
///
/// let url = Url::parse("http://127.0.0.01/")?;
/// let finding = finding_by(&url, &[Reader::Urlsplit, Reader::Curl]).expect("two hosts");
/// assert_eq!(
///     finding.message().to_string(),
///     "readers disagree about this text: a numeric host is read differently; urlsplit opens 127.0.0.01, curl opens 127.0.0.1"
/// );
/// # Ok::<(), urlwise::ParseError>(())
/// ```
pub fn finding_by<'i, 'a, T: urlwise::Text<'i, 'a>>(url: &'i Url<T>, readers: &[Reader]) -> Option<Finding<'a>> {
    let url = &url.reborrow();
    let are_standards = readers == Reader::STANDARDS;
    if are_standards && is_plain(url) {
        return None;
    }
    let text: &'a str = url.into_inner();
    let readings = Readings::servers(text.as_bytes(), url.profile(), readers);
    let Judgement { severity, detail, help } =
        judge(&readings).or_else(|| are_standards.then(|| guessed(url)).flatten())?;
    let detail = match are_standards {
        true => message!("standards disagree about this text: {detail}", detail = detail),
        false => message!("readers disagree about this text: {detail}", detail = detail),
    };
    let finding = Finding::new(READ_DIFFERENTLY, text, place(url)).with_detail(detail).with_help(help);
    Some(finding.with_severity(severity))
}

/// What to know about a text that is not a valid URL before it is corrected: why the standards disagree, if one of them
/// accepts it and opens another host than the text seems to name (or than a second one opens). One sentence without a
/// final period, safe to display; `None` if no standard opens such a host.
///
/// ```
/// use urlwise::Profile;
///
/// let sentence = urlwise_readings::disagreement(b"http://a.dom\\@b.dom/", Profile::Rfc1738).expect("two hosts").to_string();
/// assert!(sentence.ends_with("WHATWG opens a.dom, RFC 1738 and RFC 3986 reject it"), "{sentence}");
/// assert_eq!(urlwise_readings::disagreement(b"http://a.dom/a b", Profile::Rfc1738), None);
/// ```
///
/// What starts with two slashes or backslashes is read as a link in an http page, nobody else sees a host in it.
///
/// ```
/// use urlwise::Profile;
///
/// let sentence = urlwise_readings::disagreement(b"//a.dom\\@b.dom/", Profile::Rfc1738).expect("two hosts").to_string();
/// assert!(sentence.starts_with("as a link in an http page, "), "{sentence}");
/// assert!(sentence.ends_with("WHATWG opens a.dom, RFC 1738 and RFC 3986 reject it"), "{sentence}");
/// ```
pub fn disagreement(octets: &[u8], profile: Profile) -> Option<Message> {
    disagreement_by(octets, profile, Reader::STANDARDS)
}

/// The same for any readers.
pub fn disagreement_by(octets: &[u8], profile: Profile, readers: &[Reader]) -> Option<Message> {
    // What most texts are.
    if Url::accept(octets, profile).is_some() {
        return None;
    }
    disagree(octets, || host_in(octets, profile), profile, readers)
}

/// Like [`disagreement_by`], for a caller that has diagnosed the text and found it invalid. `named` is the host that the diagnosis
/// has, or empty.
///
/// ```
/// use urlwise::{Profile, diagnose};
/// use urlwise_readings::{Reader, disagreement, disagreement_about};
///
/// let text = b"http://a.dom\\@b.dom/";
/// let diagnosis = diagnose(text, Profile::Rfc1738);
/// let host = diagnosis.parts().find(|part| part.name() == "host").expect("it has one");
/// let told = disagreement_about(text, host.octets(), Profile::Rfc1738, Reader::STANDARDS);
/// assert_eq!(told, disagreement(text, Profile::Rfc1738));
/// ```
pub fn disagreement_about(octets: &[u8], named: &[u8], profile: Profile, readers: &[Reader]) -> Option<Message> {
    disagree(octets, || named, profile, readers)
}

fn disagree<'n>(
    octets: &[u8],
    named: impl FnOnce() -> &'n [u8],
    profile: Profile,
    readers: &[Reader],
) -> Option<Message> {
    if let [b'/' | b'\\', b'/' | b'\\', ..] = octets {
        let link = [b"http:", octets].concat();
        if Url::accept(&link, profile).is_some() {
            return None;
        }
        // Nobody sees a host behind backslashes.
        let named = || if octets.starts_with(b"//") { host_in(&link, profile) } else { b"" };
        let sentence = Readings::servers(&link, profile, readers).other_host(named)?;
        return Some(message!("as a link in an http page, {sentence}", sentence = sentence));
    }
    let are_standards = readers == Reader::STANDARDS;
    // The other standards see a host only where this one does.
    if are_standards && !whatwg::has_authority(octets) {
        return None;
    }
    let servers = || Readings::servers(octets, profile, readers);
    match plain_host(octets).filter(|_| are_standards) {
        Some(host) => {
            let named = named();
            // What most texts are: something is wrong behind the host.
            if named == host { None } else { servers().other_host(|| named) }
        }
        None => servers().other_host(named),
    }
}

impl Readings<'_> {
    /// [`disagreement_by`] of these readers, which have read the text.
    pub fn disagreement(&self) -> Option<Message> {
        if self.octets().starts_with(b"/") || self.octets().starts_with(b"\\") {
            let readers: Vec<_> = self.readers().collect();
            return disagreement_by(self.octets(), self.profile(), &readers);
        }
        let (octets, profile) = (self.octets(), self.profile());
        let is_valid = Url::accept(octets, profile).is_some();
        if is_valid { None } else { self.other_host(|| host_in(octets, profile)) }
    }

    /// Why the readers disagree about the host of a text that is not a valid URL; `named` is the one that people see in it.
    fn other_host<'n>(&self, named: impl FnOnce() -> &'n [u8]) -> Option<Message> {
        let hosts = self.accepted().filter_map(|(_, server)| server.host).filter(|host| !host.is_empty());
        let mut hosts = hosts.peekable();
        hosts.peek()?;
        let seems = Host::of(Text::from(named()));
        let is_other = hosts.any(|host| Host::of(host) != seems);
        is_other.then(|| self.sentence().message())
    }
}

/// The host that people see in a text, or nothing.
fn host_in(octets: &[u8], profile: Profile) -> &[u8] {
    let diagnosis = urlwise::diagnose(octets, profile);
    diagnosis.parts().find(|part| part.name() == "host").map(|part| part.octets()).unwrap_or_default()
}

/// How bad a difference is, what it is, and what to write instead.
struct Judgement {
    severity: Severity,
    detail: Message,
    help: Message,
}

fn judge(readings: &Readings<'_>) -> Option<Judgement> {
    let differs = readings.differs();
    let has = |difference| differs.contains(difference);
    let severity = match () {
        () if has(Difference::Host) || has(Difference::Port) => Severity::High,
        () if has(Difference::User) || has(Difference::Ok) => Severity::Medium,
        () if readings.spell_hosts_differently() => {
            return Some(Judgement {
                severity: Severity::Medium,
                detail: words!("they write the same address in different ways, so comparing the text fails").into(),
                help: words!("write the address in its shortest form, which `urlwise compare` shows for WHATWG").into(),
            });
        }
        () => return None,
    };
    let help = readings.cause()?.help_words().into();
    Some(Judgement { severity, detail: readings.sentence().message(), help })
}

/// What programs outside the three standards do with an unknown scheme: some prepend `http://` to a text that starts
/// with a host and a port, some remove `URL:` (D-04, D-07).
fn guessed(url: &Url<&str>) -> Option<Judgement> {
    if url.scheme() != Scheme::Other {
        return None;
    }
    let (name, rest) = (url.scheme_name(), url.schemepart());
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_port = (1..=5).contains(&digits) && matches!(rest.as_bytes().get(digits), None | Some(b'/' | b'?'));
    if is_port && (name.contains('.') || name.eq_ignore_ascii_case("localhost")) {
        return Some(Judgement {
            severity: Severity::High,
            detail: message!("programs that guess a missing scheme read `{name}` as the host", name = name),
            help: message!("write the scheme: `http://{name}:{port}`", name = name, port = &rest[..digits]),
        });
    }
    let within = rest
        .split_once(':')
        .is_some_and(|(scheme, _)| Scheme::from_name(scheme.as_bytes(), Profile::Current) != Scheme::Other);
    (name.eq_ignore_ascii_case("url") && within).then(|| Judgement {
        severity: Severity::High,
        detail: words!("some programs remove `URL:` and open the rest").into(),
        help: words!("write the URL without `URL:`").into(),
    })
}

/// The octets that are read differently: user, host and port if there are any, otherwise the scheme.
fn place(url: &Url<&str>) -> std::ops::Range<usize> {
    let parts = || {
        url.parts().filter(|part| matches!(part.name(), "user" | "password" | "host" | "port")).map(|part| part.span())
    };
    match (parts().map(|span| span.start).min(), parts().map(|span| span.end).max()) {
        (Some(start), Some(end)) if start < end => start..end,
        _ => 0..url.scheme_name().len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_wrong_behind_a_plain_host_is_no_disagreement_about_it(
            scheme in select(&["ftp", "http", "HTTPS", "wss", "gopher", "mailto", "news", "file", "nntp", "foo", "x-y", "9a", "URL:ftp", " ftp"][..]),
            slashes in select(&["//", "//", "//", "///", "/\\", "\t//"][..]),
            host in select(&[
                "", "h", "H.dom", "h.0x1", "0xa", "a0x", "1.2.3.4", "01", "a--b", "xn--a.dom", "localhost", "h_x", "h.", ".h", "h..a", "-h", "1a.b", "c|", "C",
                "u@h", "h%41", "\u{e9}", "h-", "a.-b",
            ][..]),
            port in select(&["", "", ":", ":80", ":080", ":0", ":99999", ":8a", ":-1"][..]),
            path in select(&["/ ", "/", "/\u{4e2d}", "/\\@b", "\\@b/", "/\t", "/a b@c/", "\u{e9}/", "/[", "/%zz", "#/@b", "?@b ", ""][..]),
        ) {
            let text = format!("{scheme}:{slashes}{host}{port}{path}");
            let octets = text.as_bytes();
            for &profile in Profile::ALL {
                let read = Readings::servers(octets, profile, Reader::STANDARDS).other_host(|| host_in(octets, profile));
                let read = read.filter(|_| whatwg::has_authority(octets));
                prop_assert_eq!(disagree(octets, || host_in(octets, profile), profile, Reader::STANDARDS), read, "{}", text);
            }
        }
    }

    #[test]
    fn a_plain_host_is_one_that_every_standard_reads_as_it_is() {
        for (text, host) in [
            ("http://h/", Some("h")),
            ("x+y://a.b-c:80/ ", Some("a.b-c")),
            ("http://h", None),
            ("http://h:/", Some("h")),
            ("http://h:8a/", None),
            ("http://a.1/", None),
            ("http://a./", None),
            ("http://a--b/", Some("a--b")),
            ("http:///", None),
            ("http:/h/", None),
            ("file://h/", Some("h")),
            ("1x://h/", None),
            ("://h/", None),
            ("h/", None),
        ] {
            assert_eq!(plain_host(text.as_bytes()), host.map(str::as_bytes), "{text}");
        }
    }
}
