//! The addresses of the first origin: what is at each, and by which methods it is asked for.

use std::io;

use urlwise::Url;

use super::{ICON, Reply};
use crate::guard::Refusal;
use crate::http::fields::Form as Fields;
use crate::http::request::Method;
use crate::http::response::{Status, Value};
use crate::language::words;
use crate::opening::Wish;
use crate::pages::frame::STYLE;
use crate::pages::welcome;

/// The path before the token that opens a session.
const START: &str = "/start/";

/// What a request says about what it asks for.
pub(super) struct Asked<'r> {
    pub(super) url: &'r [u8],
    /// The key of an answer to a form; empty for what a URL names.
    pub(super) key: &'r str,
    pub(super) fields: &'r Fields,
}

/// Answers what is asked for.
type Answer = fn(&Reply<'_>, &Asked<'_>) -> io::Result<()>;

/// What is at an address.
pub(super) struct Route {
    pub(super) method: Method,
    path: &'static str,
    /// Whether it is for those too who have no session.
    pub(super) is_open: bool,
    pub(super) answer: Answer,
}

impl Route {
    const fn open(path: &'static str, answer: Answer) -> Route {
        Route { method: Method::Get, path, is_open: true, answer }
    }

    const fn get(path: &'static str, answer: Answer) -> Route {
        Route { method: Method::Get, path, is_open: false, answer }
    }

    const fn post(path: &'static str, answer: Answer) -> Route {
        Route { method: Method::Post, path, is_open: false, answer }
    }

    fn is_at(&self, path: &str) -> bool {
        self.path == path || self.path == START && path.starts_with(START)
    }
}

#[allow(clippy::redundant_closure_for_method_calls, reason = "the method itself is of one lifetime only")]
static ROUTES: [Route; 12] = [
    Route::open("/style.css", |reply, _| reply.own("text/css; charset=utf-8", STYLE)),
    Route::open("/icon.svg", |reply, _| reply.own("image/svg+xml", ICON)),
    Route::open(START, |reply, _| reply.start(reply.request.path.strip_prefix(START).unwrap_or_default())),
    Route::get("/", |reply, _| reply.page(Status::Ok, &welcome::page(reply.language()))),
    Route::get("/open", |reply, asked| match asked.url.is_empty() {
        true => reply.see(Value::fixed("/")),
        false => reply.with_url(asked.url, |reply, url| reply.open(url, Wish::of(asked.fields))),
    }),
    Route::get("/explain", |reply, asked| reply.explain(asked.url)),
    Route::get("/handlers", |reply, _| reply.handlers()),
    Route::get("/answer", |reply, asked| {
        reply.with_answer(asked.key, |reply, url| reply.answered(url, Wish::of(asked.fields)))
    }),
    Route::get("/save", |reply, asked| reply.with_either(asked, |reply, url| reply.save(url))),
    Route::get("/raw", |reply, asked| reply.with_either(asked, |reply, url| reply.picture(url))),
    Route::post("/search", |reply, asked| reply.with_form(asked, Reply::search)),
    Route::post("/submit", |reply, asked| reply.with_form(asked, Reply::submit)),
];

/// What is at a path; nothing for paths that do not exist.
pub(super) fn at(path: &str) -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(move |route| route.is_at(path))
}

impl Reply<'_> {
    /// Calls `then` with the URL that a key or the request itself names.
    fn with_either(
        &self,
        asked: &Asked<'_>,
        then: impl FnOnce(&Reply<'_>, &Url<&str>) -> io::Result<()>,
    ) -> io::Result<()> {
        match asked.key.is_empty() {
            true => self.with_url(asked.url, then),
            false => self.with_answer(asked.key, then),
        }
    }

    /// Calls `then` if the form is of a page of ours.
    fn with_form(
        &self,
        asked: &Asked<'_>,
        then: impl FnOnce(&Self, &Url<&str>, &Fields) -> io::Result<()>,
    ) -> io::Result<()> {
        if !self.shared.session.is_form_token(asked.fields.text("token")) {
            return self.refuse(Refusal::of_session(words!("the form is not from a page of this gateway")));
        }
        self.with_url(asked.url, |reply, url| then(reply, url, asked.fields))
    }
}
