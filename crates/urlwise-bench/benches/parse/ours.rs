//! urlwise as the bench reads with it: the typed view of the scheme, and every part that the view can name.

use std::hint::black_box;

use urlwise::{Hostport, Locator, Login, Profile, Url};

/// Reads a URL and all its parts; whether it is one. Lists (segments, cwds, fields) are divided only when they are walked:
/// `WALKING` says whether to do so, or to take each list whole. `CURRENT` says whether to read by the successors of RFC 1738.
pub(crate) fn read<const WALKING: bool, const CURRENT: bool>(text: &str) -> bool {
    let url = if CURRENT { Url::parse_with(text, Profile::Current) } else { Url::parse(text) };
    let Ok(url) = url else { return false };
    black_box(url.scheme());
    match url.locator() {
        Locator::Ftp(ftp) => {
            login(ftp.login());
            list::<WALKING, _>(ftp.cwds());
            black_box(ftp.name());
            black_box(ftp.typecode());
        }
        Locator::Http(http) => {
            hostport(http.hostport());
            list::<WALKING, _>(http.segments());
            black_box(http.path());
            black_box(http.search());
        }
        Locator::Gopher(gopher) => {
            hostport(gopher.hostport());
            black_box(gopher.gtype());
            black_box(gopher.selector());
            black_box(gopher.search());
            black_box(gopher.gopherplus());
        }
        Locator::Mailto(mailto) => {
            black_box(mailto.address());
            black_box(mailto.local());
            black_box(mailto.domain());
        }
        Locator::News(news) => {
            black_box(news.kind());
            black_box(news.server());
            black_box(news.port());
        }
        Locator::Nntp(nntp) => {
            hostport(nntp.hostport());
            black_box(nntp.group());
            black_box(nntp.article());
        }
        Locator::Telnet(telnet) => login(telnet.login()),
        Locator::Wais(wais) => {
            hostport(wais.hostport());
            black_box(wais.form());
            black_box(wais.database());
            black_box(wais.search());
            black_box(wais.wtype());
            black_box(wais.wpath());
        }
        Locator::File(file) => {
            black_box(file.host());
            list::<WALKING, _>(file.segments());
        }
        Locator::Prospero(prospero) => {
            hostport(prospero.hostport());
            black_box(prospero.hsoname());
            list::<WALKING, _>(prospero.fields());
        }
        Locator::Other(other) => {
            black_box(other.schemepart());
            if let Some(ip) = other.login() {
                login(ip);
            }
            black_box(other.urlpath());
            black_box(other.query());
        }
        _ => {}
    }
    true
}

#[inline(always)]
fn login(login: Login<'_>) {
    black_box(login.user());
    black_box(login.password());
    hostport(login.hostport());
}

#[inline(always)]
fn hostport(hostport: Hostport<'_>) {
    black_box(hostport.host());
    black_box(hostport.port());
    black_box(hostport.port_or_default());
}

#[inline(always)]
fn list<const WALKING: bool, L: Iterator>(list: L) {
    if WALKING {
        list.for_each(seen);
    } else {
        black_box(list);
    }
}

/// Keeps the compiler from leaving out what made the value.
fn seen<T>(value: T) {
    black_box(value);
}
