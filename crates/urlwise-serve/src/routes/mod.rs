//! From a request to its answer.

mod forms;
mod lines;
mod octets;
mod show;
mod table;

use std::io;

use urlwise::{Language, Url, Words, diagnose};

use crate::answers::Answer;
use crate::foreign::Framed;
use crate::guard::{Admission, Refusal, admit};
use crate::http::body::{Body, Connection, send_pieces, send_whole};
use crate::http::fields::{Form as Fields, link};
use crate::http::request::{Method, Request};
use crate::http::response::{Head, Rights, Status, Value, list};
use crate::kept::Copy;
use crate::language::{said, words};
use crate::opening::{self, PROFILE};
use crate::pages::explain::{self, Place};
use crate::pages::frame::Frame;
use crate::pages::{crumbs, handlers, problem, text};
use crate::server::Shared;
use crate::session::random;
use table::{Asked, Route};

/// What a link adds to a page to load it again. Some browsers do not say that they reload a page that they do not store.
const AGAIN: &str = "&again=yes";

const ICON: &str = include_str!("../icon.svg");

/// The title of a page about a request that is not served.
pub(crate) const REFUSED: Words = words!("This request is refused");

/// An answer to a request.
struct Reply<'r> {
    shared: &'r Shared,
    request: &'r Request,
    connection: Connection<'r>,
    /// The answer to a form that it is about, and its key; `None` for what a URL names.
    answer: Option<(&'r str, &'r Answer)>,
}

/// Answers a request to the first origin.
pub(crate) fn answer(shared: &Shared, request: &Request, connection: Connection<'_>) -> io::Result<()> {
    let reply = Reply { shared, request, connection, answer: None };
    let route = table::at(&request.path).find(|route| route.method == request.method.of_page());
    let Some(route) = route else { return reply.unrouted() };
    if route.is_open {
        return reply.routed(route);
    }
    match admit(request, &shared.names, &shared.session) {
        Admission::Admitted if reply.went_back()? => Ok(()),
        Admission::Admitted => reply.routed(route),
        Admission::FromElsewhere => reply.ask_first(),
        Admission::Refused(refusal) => reply.refuse(refusal),
    }
}

/// The methods by which a path of the first origin is asked for; none for one that does not exist.
pub(crate) fn methods(path: &str) -> Vec<Method> {
    table::at(path).flat_map(|route| served(route.method)).copied().collect()
}

/// The methods by which a page of this method is asked for.
fn served(page: Method) -> &'static [Method] {
    match page {
        Method::Get | Method::Head => &[Method::Get, Method::Head],
        Method::Post => &[Method::Post],
    }
}

/// Nothing is at this address.
pub(crate) fn not_found(language: Language) -> (Head, String) {
    let why = words!("there is no page at this address").get(language);
    let page = problem::refused(words!("No such page"), &why, words!("Go back to the start."), language);
    (Head::page(Status::NotFound), page)
}

/// What is at this address is asked for by other methods, which `Allow` names (RFC 9110 section 10.2.1).
pub(crate) fn other_method(asked: &str, methods: &[Method], language: Language) -> (Head, String) {
    let allowed = list(methods);
    let asked = crumbs::shortened(asked);
    let why =
        said!(language, "the method {asked} is not for this address, only {allowed}", asked = asked, allowed = allowed);
    let page = problem::refused(REFUSED, &why, words!("Go back to the start."), language);
    (Head::page(Status::MethodNotAllowed).with("Allow", Value::methods(methods)), page)
}

/// The method by which documents of the second origin are asked for.
const OF_FOREIGN: Method = Method::Get;

/// The same, for every path of the second origin.
pub(crate) fn methods_of_foreign() -> Vec<Method> {
    served(OF_FOREIGN).to_vec()
}

/// Answers a request to the second origin: the document of a key, for a frame.
#[allow(clippy::redundant_closure_for_method_calls, reason = "the method itself is of one lifetime only")]
pub(crate) fn foreign(shared: &Shared, request: &Request, connection: Connection<'_>) -> io::Result<()> {
    let reply = Reply { shared, request, connection, answer: None };
    let is_frame =
        request.method.of_page() == OF_FOREIGN && request.fetch_dest.as_deref().is_none_or(|dest| dest == "iframe");
    let document = request.path.strip_prefix('/').and_then(|key| shared.keys.get(key)).filter(|_| is_frame);
    match document {
        Some(_) if reply.went_back()? => Ok(()),
        Some(Framed::Url(url)) => reply.with_url(url.as_bytes(), Reply::framed),
        Some(Framed::Answer(key)) => reply.with_answer(&key, |reply, url| reply.framed(url)),
        None => reply.refuse(Refusal::of_session(words!("no page of this gateway shows this document"))),
    }
}

impl Reply<'_> {
    /// The language of the pages.
    fn language(&self) -> Language {
        self.shared.language
    }

    fn page(&self, status: Status, page: &str) -> io::Result<()> {
        match status {
            Status::Ok => self.shown(Head::page(status), page),
            _ => send_whole(self.connection, Head::page(status), page.as_bytes()),
        }
    }

    /// Sends a page that can be gone back to.
    fn shown(&self, head: Head, page: &str) -> io::Result<()> {
        if let Some(mut copy) = self.copy(&head) {
            copy.push(page.as_bytes());
            copy.finish();
        }
        send_whole(self.connection, head, page.as_bytes())
    }

    /// The key under which the page is kept, so that going back asks no server again: for GET of what others wrote. The answer to a
    /// form is kept itself.
    fn key(&self) -> Option<String> {
        let Request { method, path, query, .. } = self.request;
        let is_kept = method.of_page() == Method::Get && !matches!(path.as_str(), "/" | "/explain" | "/save");
        (is_kept && self.answer.is_none()).then(|| [path, "?", query.strip_suffix(AGAIN).unwrap_or(query)].concat())
    }

    fn copy(&self, head: &Head) -> Option<Copy<'_>> {
        self.key().map(|key| self.shared.kept.copy(key, head.clone()))
    }

    /// Sends the answer that was given a moment ago, unless the browser asks to load the page again. Returns whether there was one.
    fn went_back(&self) -> io::Result<bool> {
        let is_again = self.request.is_reload || self.request.query.ends_with(AGAIN);
        let kept = self.key().filter(|_| !is_again).and_then(|key| self.shared.kept.get(&key));
        kept.map_or(Ok(false), |(head, body)| send_pieces(self.connection, head, &body).map(|()| true))
    }

    /// An answer that is sent as it is made, and can be gone back to.
    fn begin(&self, head: Head) -> Body<'_> {
        let copy = self.copy(&head);
        Body::begin(self.connection, head, self.request.takes_chunks).copied(copy)
    }

    fn own(&self, media_type: &'static str, text: &str) -> io::Result<()> {
        send_whole(self.connection, Head::new(Status::Ok, Rights::Page, media_type).kept(), text.as_bytes())
    }

    fn see(&self, location: Value) -> io::Result<()> {
        send_whole(self.connection, Head::page(Status::SeeOther).with("Location", location), b"")
    }

    fn refuse(&self, refusal: Refusal) -> io::Result<()> {
        self.refused(Status::Forbidden, words!("No access"), refusal.why, refusal.help)
    }

    fn not_found(&self) -> io::Result<()> {
        let (head, page) = not_found(self.language());
        send_whole(self.connection, head, page.as_bytes())
    }

    fn refused(&self, status: Status, title: Words, why: Words, help: Words) -> io::Result<()> {
        let language = self.language();
        self.page(status, &problem::refused(title, &why.get(language), help, language))
    }

    /// Opens the session if the token is valid, and uses the token up. A HEAD, which programs send that look at links, does neither.
    fn start(&self, token: &str) -> io::Result<()> {
        let session = &self.shared.session;
        let url = if self.connection.is_head { session.look_up(token) } else { session.redeem(token) };
        let Some(url) = url else {
            return self.refuse(Refusal::of_session(words!("this address was used before, or is too old")));
        };
        let location = url.map_or(Value::fixed("/"), |url| Value::path("/open", &opening::left_out(&url)));
        let head = Head::page(Status::SeeOther).with("Location", location);
        let head = match session.set_cookie().filter(|_| !self.connection.is_head) {
            Some(cookie) => head.with("Set-Cookie", cookie),
            None => head,
        };
        send_whole(self.connection, head, b"")
    }

    /// A link on another site leads here: the person decides, by a link of ours.
    fn ask_first(&self) -> io::Result<()> {
        let fields = Fields::read(self.request.query.as_bytes());
        match (self.request.path.as_str(), fields.text("url")) {
            // Not kept: the address of the question is that of its answer.
            ("/open", Some(url)) => {
                let page = problem::from_elsewhere(&link("/open", url), url, self.language());
                send_whole(self.connection, Head::page(Status::Ok), page.as_bytes())
            }
            _ => self.refuse(Refusal::of_other_site(words!("a page of another site leads here"))),
        }
    }

    fn routed(&self, route: &Route) -> io::Result<()> {
        let fields = match self.request.method {
            Method::Get | Method::Head => Fields::read(self.request.query.as_bytes()),
            Method::Post => Fields::read(&self.request.body),
        };
        let url = fields.get("url").unwrap_or_default();
        let url = str::from_utf8(url).map_or(url.trim_ascii(), |url| url.trim().as_bytes());
        let key = fields.text("key").unwrap_or_default();
        (route.answer)(self, &Asked { url, key, fields: &fields })
    }

    /// Nothing is at this address, or something that is asked for by another method.
    fn unrouted(&self) -> io::Result<()> {
        let methods = methods(&self.request.path);
        if methods.is_empty() {
            return self.not_found();
        }
        let (head, page) = other_method(self.request.method.of_page().name(), &methods, self.language());
        send_whole(self.connection, head, page.as_bytes())
    }

    /// Calls `then` with the URL of the form whose answer this key names; otherwise says that the answer is no longer kept.
    fn with_answer(&self, key: &str, then: impl FnOnce(&Reply<'_>, &Url<&str>) -> io::Result<()>) -> io::Result<()> {
        match self.shared.answers.get(key) {
            Some(answer) => {
                let url = answer.url.borrow();
                then(&Reply { answer: Some((key, &answer)), ..*self }, &url)
            }
            None => {
                let why = words!("the answer to the form is not kept any longer");
                let help = words!("Open the form and fill it in again.");
                self.refused(Status::NotFound, words!("No such answer"), why, help)
            }
        }
    }

    /// Calls `then` if the octets are a valid URL; otherwise shows what is wrong with them.
    fn with_url(&self, octets: &[u8], then: impl FnOnce(&Self, &Url<&str>) -> io::Result<()>) -> io::Result<()> {
        let diagnosis = diagnose(octets, PROFILE);
        if let Some(url) = diagnosis.url() {
            return then(self, &url);
        }
        let language = self.language();
        let masked = text::masked_octets(octets);
        // What is not text cannot be typed.
        let typed = str::from_utf8(octets).map(opening::left_out).unwrap_or_default();
        let command = (!typed.is_empty()).then(|| text::command("explain", &[], &typed));
        let frame = Frame {
            language,
            title: said!(language, "This is not a valid URL").to_owned(),
            about: crumbs::shortened(&masked),
            subtitle: crumbs::shortened(&masked),
            field: text::visible(&typed).into_owned(),
            url: masked,
            commands: command.into_iter().collect(),
            ..Frame::default()
        };
        self.page(Status::BadRequest, &frame.around(&problem::invalid(&diagnosis, language)))
    }

    /// What a text is, whether it is a URL or not.
    fn explain(&self, input: &[u8]) -> io::Result<()> {
        if input.is_empty() {
            return self.see(Value::fixed("/"));
        }
        let place = Place::Gateway(&self.shared.command_options, &self.shared.opening, self.shared.help);
        let page = explain::page(input, None, self.shared.opening.client(), place, self.language());
        self.page(Status::Ok, &page)
    }

    /// The page that offers this gateway to the browser. A port that the next gateway does not have is not offered.
    fn handlers(&self) -> io::Result<()> {
        let nonce = self.shared.is_port_chosen.then(random).transpose()?;
        let rights = nonce.map_or(Rights::Page, Rights::Scripted);
        let page = handlers::page(nonce, self.language());
        send_whole(self.connection, Head::page(Status::Ok).allowing(rights), page.as_bytes())
    }
}
