//! gopher and gophers: the machine of [`protocol::gopher`](crate::protocol::gopher) over a connection (RFC 1738 section 3.4).
//!
//! Most URLs are one request. These are more: a form is described before it is asked (`!`), so are views before one is wished
//! for; some servers know no names behind `!`, and are asked for all attributes then.

mod attributes;
mod form;

pub use attributes::Attributes;
pub use form::{Filled, Form};

use crate::client::plan::Plan;
use crate::client::wish::{Asks, ViewWish};
use crate::client::{Client, Options};
use crate::error::Error;
use crate::error::class::Class;
use crate::net::deadline::Clock;
use crate::net::driver::Dialogue;
use crate::net::transport::Endpoint;
use crate::protocol::gopher::{AttributeList, Gopher, Item, PlusMark, Request, View};
use crate::protocol::{Begin, Shape};
use crate::resource::{Document, Entries, Entry, EntryKind, Menu, Provenance, Resource};
use form::{no_form, with_plus};
use urlwise::{Attributes as Whose, Gopher as Parts, GopherPlus, Locator, Url};

/// Where to connect a machine for a URL.
fn endpoint(url: &Url<&str>, gopher: Parts<'_>) -> Endpoint {
    // TLS by no standard: from the first octet, no application protocol asked for.
    Endpoint::new(gopher.hostport(), url.scheme().is_tls().then_some(b"".as_slice()))
}

/// The dialogues that a URL means.
pub(crate) fn plan(
    url: &Url<&str>,
    gopher: Parts<'_>,
    view: Option<&ViewWish>,
    options: &Options,
) -> Result<Plan, Error> {
    let endpoint = endpoint(url, gopher);
    let plan = |request| Plan::of_machine(Gopher::new(request, options.gopher), &endpoint);
    let request = Request::from_url(gopher);
    match view {
        Some(view) => {
            check_view(url, &request)?;
            let views = plan(Request { plus: Some(ALL.to_vec()), ..request.clone() })?;
            Ok(views.then(plan(Request { plus: Some(view.gopher_plus()), ..request })?))
        }
        None => plan(request),
    }
}

/// All attributes of the item.
const ALL: &[u8] = b"!";

/// Opens a gopher or gophers URL that has been admitted.
pub(crate) fn open(
    client: &Client,
    url: &Url<&str>,
    gopher: Parts<'_>,
    asks: &Asks,
    clock: &Clock,
) -> Result<Resource, Error> {
    let visit = Visit { client, url, endpoint: endpoint(url, gopher), clock, request: Request::from_url(gopher) };
    let wish = match asks {
        Asks::Open(wish) => wish.view.as_ref(),
        Asks::List | Asks::Facts => None,
    };
    match (gopher.plus(), wish) {
        (_, Some(view)) => visit.wished(view),
        (Some(GopherPlus::Form), None) => visit.form().map(Resource::Form),
        (Some(GopherPlus::Attributes(whose, names)), None) => visit.attributes(whose, names),
        (Some(GopherPlus::View { view, language }), None) => visit.view(&view, language.as_deref()),
        (None | Some(GopherPlus::Default), None) if matches!(asks, Asks::List) && client.options().details => {
            visit.details()
        }
        _ => visit.ask(visit.request.plus.as_deref())?.resource(url.to_owned()),
    }
}

/// Sends the answers of a form that has been admitted.
pub(crate) fn submit(client: &Client, filled: &Filled, clock: &Clock) -> Result<Resource, Error> {
    let url = filled.url().borrow();
    let Locator::Gopher(gopher) = url.locator() else {
        return Err(no_form("the URL of the form is not a gopher URL"));
    };
    let machine =
        Gopher::new(Request::from_url(gopher), client.options().gopher).with_secrets(filled.secrets().to_vec());
    let dialogue = Dialogue::new(machine, endpoint(&url, gopher), clock.clone(), client.shared());
    Answer::of(dialogue, client.options().max_size)?.resource(filled.told().clone())
}

/// One URL, and all it takes to ask about it.
struct Visit<'v> {
    client: &'v Client,
    url: &'v Url<&'v str>,
    endpoint: Endpoint,
    clock: &'v Clock,
    request: Request,
}

/// An answer that has begun.
struct Answer {
    dialogue: Dialogue<Gopher>,
    begin: Begin,
    max_size: Option<u64>,
}

impl Answer {
    fn of(mut dialogue: Dialogue<Gopher>, max_size: Option<u64>) -> Result<Answer, Error> {
        let begin = dialogue.begun()?;
        Ok(Answer { dialogue, begin, max_size })
    }

    fn is_plus(&self) -> bool {
        self.dialogue.machine().is_plus()
    }

    fn document(self, url: Url<String>) -> Result<Document, Error> {
        let Begin { size, media_type, .. } = self.begin;
        Document::new(Box::new(self.dialogue), size, self.max_size, media_type, Provenance::of(url))
    }

    fn resource(self, url: Url<String>) -> Result<Resource, Error> {
        match self.begin.shape {
            Shape::Document => self.document(url).map(Resource::Document),
            Shape::Menu => {
                let menu = url.clone();
                let entries = Entries::new(self.dialogue, move |item| entry(&item, &menu));
                Ok(Resource::Menu(Menu::new(Box::new(entries), Provenance::of(url))))
            }
        }
    }
}

impl Visit<'_> {
    /// Asks for the item with this Gopher+ string.
    fn ask(&self, plus: Option<&[u8]>) -> Result<Answer, Error> {
        let request = Request { plus: plus.map(<[u8]>::to_vec), ..self.request.clone() };
        let options = self.client.options();
        let machine = Gopher::new(request, options.gopher);
        let dialogue = Dialogue::new(machine, self.endpoint.clone(), self.clock.clone(), self.client.shared());
        Answer::of(dialogue, options.max_size)
    }

    fn attributes_of(&self, answer: Answer, names: Vec<Vec<u8>>) -> Result<Attributes, Error> {
        let limits = self.client.options().gopher.limits;
        Ok(Attributes::new(answer.document(self.url.to_owned())?, names, limits))
    }

    /// A server without Gopher+ gives its classic answer, and a note says so.
    fn attributes(&self, whose: Whose, names: Vec<Vec<u8>>) -> Result<Resource, Error> {
        let mut answer = self.ask(self.request.plus.as_deref())?;
        if !answer.is_plus() && !names.is_empty() {
            // Names are hints, which some servers take for a part of the selector.
            answer = self.ask(GopherPlus::Attributes(whose, Vec::new()).to_octets().as_deref())?;
        }
        match answer.is_plus() {
            true => self.attributes_of(answer, names).map(Resource::Attributes),
            false => answer.resource(self.url.to_owned()),
        }
    }

    /// What the server says of the item; `None` if it speaks no Gopher+, or says nothing.
    fn described(&self) -> Result<Option<AttributeList>, Error> {
        let answer = self.ask(Some(ALL))?;
        match answer.is_plus() {
            true => self.attributes_of(answer, Vec::new())?.next().transpose(),
            false => Ok(None),
        }
    }

    fn form(&self) -> Result<Form, Error> {
        let Some(list) = self.described()? else {
            return Err(no_form("the URL names a form, but the server does not support Gopher+"));
        };
        let Some(fields) = list.form() else {
            return Err(no_form("the URL names a form, but the item has none"));
        };
        let title = list.info().map(|item| item.display).unwrap_or_default();
        Form::new(self.url.to_owned(), title, fields)
    }

    /// A view that a person wishes for, by names that need not be the server's own.
    fn wished(&self, wish: &ViewWish) -> Result<Resource, Error> {
        check_view(self.url, &self.request)?;
        let Some(list) = self.described()? else {
            let what = "views require Gopher+, which the server does not support";
            return Err(Error::new(Class::NotFound, what)
                .ground("RFC 1738 section 3.4.8")
                .help("request the document without a view"));
        };
        let (media_type, language) = (wish.media_type.as_bytes(), wish.language.as_deref().map(str::as_bytes));
        let views = list.views();
        let Some(view) = views.iter().find(|view| view.is(media_type, language)) else {
            return Err(no_view(&views));
        };
        let plus = view.gopher_plus();
        let url = with_plus(self.url, &plus).ok_or_else(|| no_view(&views))?;
        self.ask(Some(&plus))?.resource(url)
    }

    /// A view that the URL names by the server's own names. Only where there is no such view is it asked for those that are.
    fn view(&self, media_type: &[u8], language: Option<&[u8]>) -> Result<Resource, Error> {
        let error = match self.ask(self.request.plus.as_deref()) {
            Ok(answer) => return answer.resource(self.url.to_owned()),
            Err(error) => error,
        };
        if !matches!(error.class(), Class::NotFound | Class::Server) {
            return Err(error);
        }
        let views = self.described().ok().flatten().map(|list| list.views()).unwrap_or_default();
        let is_there = views.is_empty() || views.iter().any(|view| view.is(media_type, language));
        Err(if is_there { error } else { no_view(&views) })
    }

    /// A menu with what the server says of each item, in one request. A server without Gopher+ gives the menu itself; one that
    /// wants nothing of it, or tells of the menu and not of its items, is asked for the menu.
    fn details(&self) -> Result<Resource, Error> {
        const OF_EACH: &[u8] = b"$";
        let is_menu = self.request.gtype == b'1' && self.request.search.as_deref().unwrap_or_default().is_empty();
        if is_menu {
            match self.ask(Some(OF_EACH)) {
                Ok(answer) if answer.is_plus() => {
                    let mut attributes = self.attributes_of(answer, Vec::new())?;
                    if !attributes.is_about_itself(&self.request.selector)? {
                        return Ok(Resource::Attributes(attributes));
                    }
                }
                Ok(answer) => return answer.resource(self.url.to_owned()),
                Err(error) if matches!(error.class(), Class::NotFound | Class::Server) => {}
                Err(error) => return Err(error),
            }
        }
        self.ask(self.request.plus.as_deref())?.resource(self.url.to_owned())
    }
}

/// A URL that names attributes, a form or a view has no other view.
fn check_view(url: &Url<&str>, request: &Request) -> Result<(), Error> {
    if matches!(request.plus.as_deref(), None | Some(b"" | b"+")) {
        return Ok(());
    }
    let what = "the URL already has a Gopher+ string, so a view cannot be requested";
    Err(Error::new(Class::Refused, what).ground("RFC 1738 section 3.4.8").at(url.masked()))
}

fn no_view(views: &[View]) -> Error {
    /// More are counted.
    const SHOWN: usize = 20;
    let mut names: Vec<String> = views.iter().take(SHOWN).map(|view| format!("`{view}`")).collect();
    if views.len() > SHOWN {
        names.push(format!("{} more", views.len() - SHOWN));
    }
    let help = if names.is_empty() {
        "the server lists none".into()
    } else {
        format!("available views: {}", names.join(", "))
    };
    Error::new(Class::NotFound, "the item has no such view").ground("RFC 1738 section 3.4.8").help(help)
}

/// A menu line as an entry, its link untrusted.
fn entry(item: &Item, menu: &Url<String>) -> Entry {
    let item_type = item.item_type();
    let kind = match item.plus {
        Some(PlusMark::Form) => EntryKind::Form,
        _ => item_type.opens.into(),
    };
    Entry {
        url: item.url(menu),
        media_type: item_type.media_type.map(str::to_owned),
        ..Entry::new(item.display.clone(), kind)
    }
}
