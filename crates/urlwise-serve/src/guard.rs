//! Where a request comes from: who may ask for what.

use urlwise::Words;

use crate::http::request::{Method, Request};
use crate::language::words;
use crate::session::Session;

/// What may be done with a request whose Host is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It comes from the person, by a page of ours or the address bar.
    Admitted,
    /// A link on another site leads here. The person is asked first.
    FromElsewhere,
    /// It is refused.
    Refused(Refusal),
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) why: Words,
    /// What the person can do.
    pub(crate) help: Words,
}

impl Refusal {
    pub(crate) const fn of_other_site(why: Words) -> Refusal {
        Refusal { why, help: words!("Type or paste the URL on a page of this gateway.") }
    }

    /// For a browser that has to open the session.
    pub(crate) const fn of_session(why: Words) -> Refusal {
        Refusal { why, help: words!("Run `urlwise serve` and open the address that it prints. It works once.") }
    }
}

/// `Origin` cannot take the place of what is missing: from pages that send no referrer it is `null`, as from many others.
const OLD_BROWSER: Refusal = Refusal {
    why: words!("this browser does not say which site sent the form (`Sec-Fetch-Site`), so it could be any"),
    help: words!("Use a browser of 2023 or later, or run the command that the page with the form shows."),
};

/// The port that a URL of http has if it names none.
const PORT_OF_HTTP: u16 = 80;

/// The names that this machine has for itself, with our port: no other name leads a browser here on purpose (DNS rebinding).
#[derive(Debug)]
pub(crate) struct Names {
    port: u16,
}

impl Names {
    pub(crate) fn new(port: u16) -> Names {
        Names { port }
    }

    /// Whether a request is for one of our names: its `Host`, and its target if that names a host. RFC 9112 section 3.2.2 would have
    /// `Host` ignored then; honest clients send the same host twice.
    pub(crate) fn is_for_us(&self, request: &Request) -> bool {
        self.is_host(&request.host) && request.target_host.as_deref().is_none_or(|host| self.is_host(host))
    }

    /// Whether a `Host` is one of ours. Browsers leave out the port of http (RFC 9110 section 4.2.3).
    pub(crate) fn is_host(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| {
            let rest =
                host.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name)).map(|_| &host[name.len()..]);
            rest.is_some_and(|rest| match rest.strip_prefix(':') {
                Some(port) => port == self.port.to_string(),
                None => rest.is_empty() && self.port == PORT_OF_HTTP,
            })
        })
    }

    /// Whether an `Origin` is ours.
    fn is_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }
}

/// Judges a request for anything that belongs to the session.
pub(crate) fn admit(request: &Request, names: &Names, session: &Session) -> Admission {
    let site = request.fetch_site.as_deref();
    // The forms of our pages have no origin to name, since the pages send no referrer; the browser vouches for them by the site.
    let is_form_of_ours = |origin: &str| origin == "null" && site == Some("same-origin");
    let has_other_origin =
        request.origin.as_deref().is_some_and(|origin| !names.is_origin(origin) && !is_form_of_ours(origin));
    match request.method {
        Method::Get | Method::Head => match site {
            Some("cross-site" | "same-site") if request.fetch_dest.as_deref() == Some("document") => {
                Admission::FromElsewhere
            }
            None | Some("same-origin" | "none") if !has_other_origin => known(request, session),
            _ => Admission::Refused(Refusal::of_other_site(words!("a page of another site asked for this"))),
        },
        Method::Post => match site {
            Some("same-origin") if !has_other_origin => known(request, session),
            Some(_) => Admission::Refused(Refusal::of_other_site(words!("a page of another site sent this form"))),
            None => Admission::Refused(OLD_BROWSER),
        },
    }
}

fn known(request: &Request, session: &Session) -> Admission {
    match session.knows(request.cookie.as_deref()) {
        true => Admission::Admitted,
        false => Admission::Refused(Refusal::of_session(words!("this browser has no session here"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_63_only_names_of_this_machine_with_our_port_are_hosts() {
        let names = Names::new(8000);
        for (host, is_ours) in [
            ("127.0.0.1:8000", true),
            ("localhost:8000", true),
            ("LocalHost:8000", true),
            ("[::1]:8000", true),
            ("127.0.0.1", false),
            ("127.0.0.1:8001", false),
            ("127.0.0.1:80000", false),
            ("127.0.0.1:08000", false),
            ("127.0.0.1.evil.example:8000", false),
            ("localhost.evil.example:8000", false),
            ("evil.example:8000", false),
            ("0.0.0.0:8000", false),
            ("127.0.0.2:8000", false),
            ("127.0.0.1:8000:8000", false),
            ("user@127.0.0.1:8000", false),
            ("", false),
            (":8000", false),
        ] {
            assert_eq!(names.is_host(host), is_ours, "{host}");
            assert_eq!(names.is_origin(&format!("http://{host}")), is_ours, "{host}");
        }
        assert!(!names.is_origin("https://127.0.0.1:8000") && !names.is_origin("null"));
    }

    #[test]
    fn security_63_the_port_of_http_may_be_left_out_if_it_is_ours() {
        let names = Names::new(80);
        for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.0.0.1:80", "[::1]:80"] {
            assert!(names.is_host(host) && names.is_origin(&format!("http://{host}")), "{host}");
        }
        for host in ["", "localhost:", "127.0.0.1:8000", "localhost.evil.example", "127.0.0.11", "evil.example"] {
            assert!(!names.is_host(host), "{host}");
        }
    }
}
