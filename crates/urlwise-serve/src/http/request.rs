//! Requests: a machine without I/O that reads one (RFC 9112).
//!
//! It is stricter than the RFC asks: there are three methods, a body has a `Content-Length` or does not exist, nothing is folded, and a
//! field that matters stands once.

use urlwise::Words;

use super::response::Status;
use crate::language::words;

/// The longest head, in octets: a URL may be long, and every octet of it may be escaped.
pub(crate) const MAX_HEAD: usize = 64 * 1024;

/// The most header fields.
const MAX_FIELDS: usize = 64;

/// The longest body of a form, in octets.
pub(crate) const MAX_BODY: usize = 256 * 1024;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    /// The head of the answer to a GET, alone.
    Head,
    Post,
}

impl Method {
    /// All that are served.
    const ALL: [Method; 3] = [Method::Get, Method::Head, Method::Post];

    /// Its name, in which case matters.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
        }
    }

    /// The method of the page that it asks about: where there is a GET, there is a HEAD (RFC 9110 section 9.1).
    pub(crate) const fn of_page(self) -> Method {
        match self {
            Method::Get | Method::Head => Method::Get,
            Method::Post => Method::Post,
        }
    }
}

/// One request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// The path, as written: it begins with `/`.
    pub(crate) path: String,
    /// What follows the first `?`, as written; empty if nothing does.
    pub(crate) query: String,
    /// Whether chunks may be sent: HTTP/1.1.
    pub(crate) takes_chunks: bool,
    pub(crate) host: String,
    /// The host that the target names too, if it is a whole URL (RFC 9112 section 3.2.2).
    pub(crate) target_host: Option<String>,
    pub(crate) cookie: Option<String>,
    pub(crate) origin: Option<String>,
    pub(crate) fetch_site: Option<String>,
    pub(crate) fetch_dest: Option<String>,
    /// Whether the browser reloads the page.
    pub(crate) is_reload: bool,
    /// The body of a form; empty for GET and HEAD.
    pub(crate) body: Vec<u8>,
}

/// Why a request is not served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rejection {
    pub(crate) status: Status,
    pub(crate) why: Words,
    /// What was asked for, where that decides first: whether the path exists, and takes the method. `None` for what is wrong whatever was
    /// asked for.
    pub(crate) asked: Option<Asked>,
    /// Whether the answer has a head alone (RFC 9110 section 9.3.2).
    pub(crate) is_head: bool,
}

/// What a request asks for: its method, which may be none that is served, the path, and the host of a target that is a whole URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) target_host: Option<String>,
}

pub(crate) const fn rejection(status: Status, why: Words) -> Rejection {
    Rejection { status, why, asked: None, is_head: false }
}

/// Reads one request from octets as they arrive.
#[derive(Debug, Default)]
pub(crate) struct RequestMachine {
    octets: Vec<u8>,
    /// The request whose body is still arriving, where that begins, and its length.
    pending: Option<(Request, usize, usize)>,
}

impl RequestMachine {
    /// Takes octets. `None` while more are needed.
    ///
    /// # Errors
    /// The request is not served; nothing more is read.
    pub(crate) fn receive(&mut self, octets: &[u8]) -> Result<Option<Request>, Rejection> {
        let searched = self.octets.len().saturating_sub(3);
        self.octets.extend_from_slice(octets);
        if self.pending.is_none() {
            let Some(end) = find(&self.octets[searched..], b"\r\n\r\n").map(|at| searched + at + 4) else {
                return match self.octets.len() > MAX_HEAD {
                    true => Err(rejection(Status::HeadTooLarge, words!("the head of the request is too long"))),
                    false => Ok(None),
                };
            };
            if end > MAX_HEAD {
                return Err(rejection(Status::HeadTooLarge, words!("the head of the request is too long")));
            }
            let (request, length) = read_head(&self.octets[..end])?;
            self.pending = Some((request, end, length));
        }
        let Some((_, start, length)) = &self.pending else { return Ok(None) };
        let end = start + length;
        if self.octets.len() < end {
            return Ok(None);
        }
        if self.octets.len() > end {
            return Err(rejection(Status::BadRequest, words!("octets follow the request")));
        }
        let body = self.octets.split_off(*start);
        Ok(self.pending.take().map(|(request, ..)| Request { body, ..request }))
    }
}

/// A complete head, and the length of the body.
fn read_head(octets: &[u8]) -> Result<(Request, usize), Rejection> {
    // The parser would take a line feed alone for the end of a line, which others do not.
    let is_bare = |at: &usize| octets[*at] == b'\n' && (*at == 0 || octets[at - 1] != b'\r');
    if (0..octets.len()).any(|at| is_bare(&at)) {
        return Err(rejection(Status::BadRequest, words!("a line of the head ends in a line feed alone")));
    }
    let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut head = httparse::Request::new(&mut fields);
    match head.parse(octets) {
        Ok(httparse::Status::Complete(length)) if length == octets.len() => {}
        Err(httparse::Error::TooManyHeaders) => {
            return Err(rejection(Status::HeadTooLarge, words!("the request has too many fields")));
        }
        Err(httparse::Error::Version) => {
            return Err(rejection(Status::Version, words!("only HTTP/1.0 and HTTP/1.1 are served")));
        }
        Ok(_) | Err(_) => return Err(rejection(Status::BadRequest, words!("the head of the request is malformed"))),
    }
    read_fields(&head).map_err(|rejection| Rejection { is_head: head.method == Some("HEAD"), ..rejection })
}

fn read_fields(head: &httparse::Request<'_, '_>) -> Result<(Request, usize), Rejection> {
    let Target { host: target_host, path, query } = Target::read(head.path.unwrap_or_default())?;
    let name = head.method.unwrap_or_default();
    let asked = |rejection| {
        let (method, path, target_host) = (name.into(), path.into(), target_host.map(str::to_owned));
        Rejection { asked: Some(Asked { method, path, target_host }), ..rejection }
    };
    let Some(method) = Method::ALL.into_iter().find(|method| name == method.name()) else {
        return Err(asked(rejection(Status::MethodNotAllowed, words!("only GET, HEAD and POST are served"))));
    };
    let fields = Fields(head.headers);
    if fields.any("transfer-encoding") {
        return Err(rejection(Status::NotImplemented, words!("a body needs a `Content-Length` and nothing else")));
    }
    if fields.any("expect") || fields.any("upgrade") {
        return Err(rejection(Status::ExpectationFailed, words!("the request expects what is not served")));
    }
    let length = match (method, fields.one("content-length")?) {
        (Method::Get | Method::Head, None | Some("0")) => 0,
        (Method::Get | Method::Head, Some(_)) => {
            return Err(rejection(Status::BadRequest, words!("a GET or HEAD has no body")));
        }
        (Method::Post, None) => {
            return Err(asked(rejection(Status::LengthRequired, words!("a POST needs a `Content-Length`"))));
        }
        (Method::Post, Some(length)) => read_length(length)?,
    };
    if method == Method::Post {
        let media_type = fields.one("content-type")?.unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            let why = words!("a form is sent as `application/x-www-form-urlencoded`");
            return Err(asked(rejection(Status::UnsupportedType, why)));
        }
    }
    let text = |name| fields.one(name).map(|value| value.map(str::to_owned));
    let request = Request {
        method,
        path: path.to_owned(),
        query: query.to_owned(),
        takes_chunks: head.version == Some(1),
        host: text("host")?.ok_or(rejection(Status::BadRequest, words!("the request has no `Host`")))?,
        target_host: target_host.map(str::to_owned),
        cookie: text("cookie")?,
        origin: text("origin")?,
        fetch_site: text("sec-fetch-site")?,
        fetch_dest: text("sec-fetch-dest")?,
        is_reload: text("cache-control")?.is_some_and(|value| value == "no-cache" || value == "max-age=0"),
        body: Vec::new(),
    };
    Ok((request, length))
}

/// The target of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target<'t> {
    /// Of a whole URL; `None` for a path.
    host: Option<&'t str>,
    path: &'t str,
    query: &'t str,
}

impl<'t> Target<'t> {
    /// Reads a path or a whole URL of http (RFC 9112 sections 3.2.1 and 3.2.2). Whose host that is, is judged where `Host` is.
    fn read(target: &'t str) -> Result<Target<'t>, Rejection> {
        const HTTP: &str = "http://";
        let is_http = |start: &&str| start.eq_ignore_ascii_case(HTTP);
        let (host, rest) = match target.get(..HTTP.len()).filter(is_http).map(|_| &target[HTTP.len()..]) {
            Some(rest) => {
                let (host, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
                (Some(host), rest)
            }
            None if target.contains("://") && !target.starts_with('/') => {
                return Err(rejection(Status::Misdirected, NO_PROXY));
            }
            None => (None, target),
        };
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        // The path of a whole URL may be empty.
        let path = if path.is_empty() && host.is_some() { "/" } else { path };
        if !path.starts_with('/') || path.starts_with("//") || target.contains(['#', '\\']) || !target.is_ascii() {
            return Err(rejection(Status::BadRequest, words!("the target of the request is not a path")));
        }
        Ok(Target { host, path, query })
    }
}

/// Why a request is not served whose target is a URL of another server.
pub(crate) const NO_PROXY: Words = words!("the request is for another server, and this gateway is not a proxy");

fn read_length(text: &str) -> Result<usize, Rejection> {
    let is_number = !text.is_empty() && text.len() <= 9 && text.bytes().all(|octet| octet.is_ascii_digit());
    let length = text.parse().ok().filter(|_| is_number);
    let length: usize = length.ok_or(rejection(Status::BadRequest, words!("the `Content-Length` is not a number")))?;
    match length > MAX_BODY {
        true => Err(rejection(Status::BodyTooLarge, words!("the form is too long"))),
        false => Ok(length),
    }
}

struct Fields<'h>(&'h [httparse::Header<'h>]);

impl<'h> Fields<'h> {
    fn values(&self, name: &'static str) -> impl Iterator<Item = &'h [u8]> {
        self.0.iter().filter(move |field| field.name.eq_ignore_ascii_case(name)).map(|field| field.value)
    }

    fn any(&self, name: &'static str) -> bool {
        self.values(name).next().is_some()
    }

    /// The value of a field that may stand once.
    fn one(&self, name: &'static str) -> Result<Option<&'h str>, Rejection> {
        let mut values = self.values(name);
        let (first, second) = (values.next(), values.next());
        if second.is_some() {
            return Err(rejection(Status::BadRequest, words!("a field stands twice")));
        }
        let Some(value) = first else { return Ok(None) };
        let is_plain = value.iter().all(|octet| matches!(octet, b' '..=b'~'));
        let text = str::from_utf8(value).ok().filter(|_| is_plain);
        text.map(Some).ok_or(rejection(Status::BadRequest, words!("a field holds octets that it may not")))
    }
}

fn find(octets: &[u8], wanted: &[u8]) -> Option<usize> {
    octets.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "GET /open?url=a HTTP/1.1\r\nHost: 127.0.0.1:1\r\n";
    const POST: &str = "POST /s HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\n";

    fn whole(octets: &[u8]) -> Result<Option<Request>, Rejection> {
        RequestMachine::default().receive(octets)
    }

    fn status(octets: &[u8]) -> Status {
        whole(octets).expect_err("it is rejected").status
    }

    #[test]
    fn a_request_is_the_same_wherever_it_is_cut() {
        let octets = format!("{POST}Content-Length: 5\r\nCookie: a=b\r\nSec-Fetch-Site: same-origin\r\n\r\na=b&c");
        let expected = whole(octets.as_bytes()).expect("it is served").expect("it is whole");
        assert_eq!((expected.body.as_slice(), expected.cookie.as_deref()), (&b"a=b&c"[..], Some("a=b")));
        assert_eq!((expected.path.as_str(), expected.query.as_str()), ("/s", ""));
        for cut in 1..octets.len() {
            let mut machine = RequestMachine::default();
            assert_eq!(machine.receive(&octets.as_bytes()[..cut]), Ok(None), "{cut}");
            assert_eq!(
                machine.receive(&octets.as_bytes()[cut..]).as_ref().map(Option::as_ref),
                Ok(Some(&expected)),
                "{cut}"
            );
        }
        let get = whole(format!("{HEAD}Cache-Control: max-age=0\r\n\r\n").as_bytes()).expect("served").expect("whole");
        assert!(get.is_reload && get.takes_chunks && get.query == "url=a");
    }

    #[test]
    fn security_60_what_could_hide_a_second_request_is_rejected() {
        let line = |field: &str| format!("{POST}{field}\r\n\r\n");
        for (fields, expected) in [
            ("Content-Length: 1\r\nTransfer-Encoding: chunked", Status::NotImplemented),
            ("Transfer-Encoding: chunked", Status::NotImplemented),
            ("Transfer-Encoding : chunked", Status::BadRequest),
            ("Content-Length: 1\r\nContent-Length: 1", Status::BadRequest),
            ("Content-Length: 1\r\nContent-Length: 2", Status::BadRequest),
            ("Content-Length: +1", Status::BadRequest),
            ("Content-Length: 1, 1", Status::BadRequest),
            ("Content-Length: 0x1", Status::BadRequest),
            ("Content-Length: ", Status::BadRequest),
            ("Content-Length: 99999999999999999999", Status::BadRequest),
            ("Content-Length: 262145", Status::BodyTooLarge),
            ("X: a", Status::LengthRequired),
            ("Content-Length: 1\r\nExpect: 100-continue", Status::ExpectationFailed),
            ("Content-Length: 1\r\nConnection: upgrade\r\nUpgrade: h2c", Status::ExpectationFailed),
            ("Content-Length: 1\r\n Transfer-Encoding: chunked", Status::BadRequest),
            ("Content-Length: 1\nX: a", Status::BadRequest),
            ("Content-Length: 1\r\nX: a\0b", Status::BadRequest),
            ("Content-Length: 1\r\nHost: other", Status::BadRequest),
            ("Content-Length: 1\r\nCookie: a\r\nCookie: b", Status::BadRequest),
            ("Content-Length: 1\r\nContent-Type: text/plain", Status::BadRequest),
        ] {
            assert_eq!(status(line(fields).as_bytes()), expected, "{fields}");
        }
        let two = format!("{HEAD}\r\n{HEAD}\r\n");
        assert_eq!(status(two.as_bytes()), Status::BadRequest);
        for head in [HEAD, &HEAD.replace("GET", "HEAD")] {
            assert_eq!(status(format!("{head}Content-Length: 3\r\n\r\nabc").as_bytes()), Status::BadRequest);
        }
        assert_eq!(status(format!("{POST}Content-Length: 1\r\n\r\nabc").as_bytes()), Status::BadRequest);
    }

    #[test]
    fn security_60_other_methods_targets_and_versions_are_rejected() {
        for (line, expected) in [
            ("CONNECT a:1 HTTP/1.1", Status::BadRequest),
            ("get / HTTP/1.1", Status::MethodNotAllowed),
            ("OPTIONS * HTTP/1.1", Status::BadRequest),
            ("GET https://h/ HTTP/1.1", Status::Misdirected),
            ("GET ftp://h/ HTTP/1.1", Status::Misdirected),
            ("GET http://h//a HTTP/1.1", Status::BadRequest),
            ("GET http://h/#a HTTP/1.1", Status::BadRequest),
            ("GET http://h\\/ HTTP/1.1", Status::BadRequest),
            ("GET http:/h/ HTTP/1.1", Status::BadRequest),
            ("PUT http://h/ HTTP/1.1", Status::MethodNotAllowed),
            ("GET //other/ HTTP/1.1", Status::BadRequest),
            ("GET * HTTP/1.1", Status::BadRequest),
            ("GET /a\\b HTTP/1.1", Status::BadRequest),
            ("GET /#a HTTP/1.1", Status::BadRequest),
            ("GET / HTTP/2.0", Status::Version),
            ("GET /", Status::BadRequest),
            ("GET / HTTP/1.1 x", Status::BadRequest),
        ] {
            assert_eq!(status(format!("{line}\r\nHost: h\r\n\r\n").as_bytes()), expected, "{line}");
        }
        assert_eq!(status(b"GET / HTTP/1.1\r\n\r\n"), Status::BadRequest);
        let text = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Type: text/plain\r\n\r\n";
        assert_eq!(status(text.as_bytes()), Status::UnsupportedType);
    }

    #[test]
    fn security_60_a_target_is_a_path_or_a_whole_url() {
        for (target, host, path, query) in [
            ("/a?b?c", None, "/a", "b?c"),
            ("/open?url=http://x/", None, "/open", "url=http://x/"),
            ("http://h:1/a?b", Some("h:1"), "/a", "b"),
            ("HTTP://[::1]:1", Some("[::1]:1"), "/", ""),
            ("http://h?b", Some("h"), "/", "b"),
            ("http://u@h/a", Some("u@h"), "/a", ""),
            ("http:///a", Some(""), "/a", ""),
        ] {
            let request = whole(format!("HEAD {target} HTTP/1.1\r\nHost: h\r\n\r\n").as_bytes());
            let request = request.expect("it is read").expect("it is whole");
            let found = (request.target_host.as_deref(), request.path.as_str(), request.query.as_str());
            assert_eq!((found, request.method), ((host, path, query), Method::Head), "{target}");
        }
    }

    #[test]
    fn security_61_heads_and_bodies_are_bounded() {
        let long = |length: usize| format!("{HEAD}X: {}\r\n\r\n", "a".repeat(length - HEAD.len() - 7)).into_bytes();
        assert!(matches!(whole(&long(MAX_HEAD)), Ok(Some(_))));
        assert_eq!(status(&long(MAX_HEAD + 1)), Status::HeadTooLarge);
        assert_eq!(status(&vec![b'a'; MAX_HEAD + 1]), Status::HeadTooLarge);
        let many = |count: usize| format!("{HEAD}{}\r\n", "X: a\r\n".repeat(count - 1)).into_bytes();
        assert!(matches!(whole(&many(MAX_FIELDS)), Ok(Some(_))));
        assert_eq!(status(&many(MAX_FIELDS + 1)), Status::HeadTooLarge);
        let body = format!("{POST}Content-Length: {MAX_BODY}\r\n\r\n{}", "a".repeat(MAX_BODY));
        assert!(matches!(whole(body.as_bytes()), Ok(Some(_))));
    }
}
