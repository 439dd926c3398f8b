//! urlwise as the bench reads with it: the typed view of the scheme, and every part that the view can name.
//!
//! Paths and fields are asked for as lists that are not walked, as rivals are asked for whole paths: splitting is work that no
//! rival does. What it costs on top is shown as a reader of its own, which walks every list to its end.

use std::hint::black_box;

use urlwise::{Hostport, Locator, Login, Url};

/// Reads a URL and all its parts; whether it is one.
pub(crate) fn read(text: &str) -> bool {
    read_parts::<false>(text)
}

/// The same, and every segment and field by itself.
pub(crate) fn read_walking(text: &str) -> bool {
    read_parts::<true>(text)
}

/// Asks for a list, and walks it if that is wanted.
#[inline(always)]
fn list<const WALK: bool, T>(list: impl Iterator<Item = T>) {
    if WALK { list.for_each(|item| _ = black_box(item)) } else { _ = black_box(list) }
}

#[inline(always)]
fn read_parts<const WALK: bool>(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    black_box(url.scheme());
    match url.locator() {
        Locator::Ftp(ftp) => {
            login(ftp.login());
            list::<WALK, _>(ftp.cwds());
            black_box(ftp.name());
            black_box(ftp.typecode());
        }
        Locator::Http(http) => {
            hostport(http.hostport());
            list::<WALK, _>(http.segments());
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
            list::<WALK, _>(file.segments());
        }
        Locator::Prospero(prospero) => {
            hostport(prospero.hostport());
            black_box(prospero.hsoname());
            list::<WALK, _>(prospero.fields());
        }
        Locator::Other(other) => {
            black_box(other.schemepart());
            if let Some(ip) = other.ip() {
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
    black_box(hostport.port_number());
}
