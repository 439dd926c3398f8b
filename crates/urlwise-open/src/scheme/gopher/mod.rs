//! gopher and gophers: the machine of [`protocol::gopher`](crate::protocol::gopher) over a connection (RFC 1738 section 3.4).
//!
//! Most URLs take one request. Forms and views take more: their attributes are requested first (`!`), and from servers that do
//! not know names after `!`, all attributes.

mod probe;

use super::context::Context;
use super::opener::{Call, Opener as Opens, Outcome};
use super::options::ViewChoice;
use super::plan::Plan;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{listed, message, words};
use crate::net::driver::Dialogue;
use crate::net::endpoint::Endpoint;
use crate::probe::Probe;
use crate::protocol::gopher::{AttributeList, GopherMachine, GopherRequest, View};
use crate::protocol::{Begin, Shape};
use crate::resource::attributes::{ItemAttributes, entry};
use crate::resource::form::{FilledForm, Form, no_form, with_plus};
use crate::resource::local_lines::LocalLines;
use crate::resource::{Body, Document, Entries, History, Menu, Resource};
use urlwise::{Attributes as Whose, GopherPlus, Locator, Url};

/// All attributes of the item.
const ALL: &[u8] = b"!";

/// Opens gopher and gophers URLs.
pub(crate) struct GopherOpener;

impl Opens for GopherOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let visit = GopherVisit::of(call)?;
        let opened = match (&call.options().filled, &call.options().view) {
            (Some(filled), _) => visit.submit(filled),
            (None, Some(view)) => visit.wished(view),
            (None, None) => visit.open(),
        };
        opened.map(Outcome::Here)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let visit = GopherVisit::of(call)?;
        let listed = match visit.plus {
            None | Some(GopherPlus::Default) if call.options().details => visit.details(),
            _ => visit.open(),
        };
        listed.map(Outcome::Here)
    }

    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        probe::probe(&GopherVisit::of(call)?).map(Outcome::Here)
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let GopherVisit { request, endpoint, .. } = GopherVisit::of(call)?;
        let plan = |request| {
            Plan::of_machine(GopherMachine::new(request, call.context.gopher), &endpoint, call.options().steps)
        };
        let planned = match &call.options().view {
            Some(view) => {
                check_view(call.url(), &request)?;
                let views = plan(GopherRequest { plus: Some(ALL.to_vec()), ..request.clone() })?;
                match view.gopher_plus() {
                    Some(plus) => views.then(plan(GopherRequest { plus: Some(plus), ..request })?),
                    // Only the list of views says what is asked next.
                    None => views,
                }
            }
            None => plan(request)?,
        };
        Ok(Outcome::Here(planned))
    }
}

/// One URL, and everything needed to request it.
struct GopherVisit<'v, 'c> {
    call: &'v Call<'c>,
    endpoint: Endpoint,
    request: GopherRequest,
    plus: Option<GopherPlus>,
}

/// An answer that has begun.
struct GopherAnswer {
    dialogue: Dialogue<GopherMachine>,
    begin: Begin,
    max_size: Option<u64>,
    /// Keep the line ends of texts.
    raw: bool,
}

impl GopherAnswer {
    fn of(mut dialogue: Dialogue<GopherMachine>, context: &Context) -> Result<GopherAnswer, Error> {
        let begin = dialogue.begun()?;
        Ok(GopherAnswer { dialogue, begin, max_size: context.max_size, raw: context.raw })
    }

    fn is_plus(&self) -> bool {
        self.dialogue.machine().is_plus()
    }

    fn document(self, url: Url<String>) -> Result<Document, Error> {
        let Begin { size, media_type, .. } = self.begin;
        let body: Box<dyn Body> = match self.dialogue.machine().is_text() && !self.raw {
            true => Box::new(LocalLines::new(self.dialogue)),
            false => Box::new(self.dialogue),
        };
        Document::new(body, size, self.max_size, media_type, History::of(url))
    }

    fn resource(self, url: Url<String>) -> Result<Resource, Error> {
        match self.begin.shape {
            Shape::Document => self.document(url).map(Resource::Document),
            Shape::Menu => {
                let menu = url.clone();
                let entries = Entries::new(self.dialogue, move |item| entry(&item, &menu));
                Ok(Resource::Menu(Menu::new(Box::new(entries), History::of(url))))
            }
        }
    }
}

impl<'v, 'c> GopherVisit<'v, 'c> {
    fn of(call: &'v Call<'c>) -> Result<GopherVisit<'v, 'c>, Error> {
        let Locator::Gopher(gopher) = call.url().locator() else { return Err(call.unfit()) };
        let endpoint = Endpoint::of(call.url())?;
        Ok(GopherVisit { call, endpoint, request: GopherRequest::from_url(gopher), plus: gopher.plus() })
    }

    /// What the URL names.
    fn open(&self) -> Result<Resource, Error> {
        match &self.plus {
            Some(GopherPlus::Form) => self.form().map(Resource::Form),
            Some(GopherPlus::Attributes(whose, names)) => self.attributes(*whose, names.clone()),
            Some(GopherPlus::View { view, language }) => self.view(view, language.as_deref()),
            _ => self.answer(self.request.plus.as_deref(), self.url()),
        }
    }

    /// Submits a form.
    fn submit(&self, filled: &FilledForm) -> Result<Resource, Error> {
        let machine = GopherMachine::new(self.request.clone(), self.call.context.gopher);
        self.hold(machine.with_secrets(filled.secrets().to_vec()))?.resource(filled.told().clone())
    }

    fn url(&self) -> Url<String> {
        self.call.url().to_owned()
    }

    fn hold(&self, machine: GopherMachine) -> Result<GopherAnswer, Error> {
        GopherAnswer::of(self.call.dialogue_with(machine, self.endpoint.clone()), self.call.context)
    }

    fn request(&self, plus: Option<&[u8]>) -> GopherRequest {
        GopherRequest { plus: plus.map(<[u8]>::to_vec), ..self.request.clone() }
    }

    /// Requests the item with this Gopher+ string.
    fn ask(&self, plus: Option<&[u8]>) -> Result<GopherAnswer, Error> {
        self.hold(GopherMachine::new(self.request(plus), self.call.context.gopher))
    }

    /// What the item is with this Gopher+ string, which makes `url` of its URL.
    fn answer(&self, plus: Option<&[u8]>, url: Url<String>) -> Result<Resource, Error> {
        let request = self.request(plus);
        let asks_attributes = request.asks_attributes();
        let answer = self.hold(GopherMachine::new(request, self.call.context.gopher))?;
        if !(asks_attributes && answer.is_plus()) {
            return answer.resource(url);
        }
        let limits = self.call.context.gopher.limits;
        Ok(Resource::Attributes(ItemAttributes::new(answer.document(url)?, Vec::new(), limits)))
    }

    fn attributes_of(&self, answer: GopherAnswer, names: Vec<Vec<u8>>) -> Result<ItemAttributes, Error> {
        let limits = self.call.context.gopher.limits;
        Ok(ItemAttributes::new(answer.document(self.url())?, names, limits))
    }

    /// A server without Gopher+ sends its classic answer, and a note says so.
    fn attributes(&self, whose: Whose, names: Vec<Vec<u8>>) -> Result<Resource, Error> {
        let answer = self.ask(self.request.plus.as_deref());
        let has_failed = match &answer {
            Ok(answer) => !answer.is_plus(),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        // Names are hints, which some servers take as part of the selector.
        let answer = match has_failed && !names.is_empty() {
            true => self.ask(GopherPlus::Attributes(whose, Vec::new()).to_octets().as_deref())?,
            false => answer?,
        };
        match answer.is_plus() {
            true => self.attributes_of(answer, names).map(Resource::Attributes),
            false => answer.resource(self.url()),
        }
    }

    /// The attributes of the item; `None` if the server does not support Gopher+ or has none. The answer is read to its end:
    /// a form or a list of views that was cut must not be taken for a whole one.
    fn described(&self) -> Result<Option<AttributeList>, Error> {
        let answer = self.ask(Some(ALL))?;
        if !answer.is_plus() {
            return Ok(None);
        }
        let mut attributes = self.attributes_of(answer, Vec::new())?;
        let first = attributes.next().transpose()?;
        attributes.try_for_each(|list| list.map(drop))?;
        Ok(first)
    }

    fn form(&self) -> Result<Form, Error> {
        let Some(list) = self.described()? else {
            return Err(no_form(words!("the URL names a form, but the server does not support Gopher+")));
        };
        let Some(fields) = list.form() else {
            return Err(no_form(words!("the URL names a form, but the item has none")));
        };
        let title = list.info().map(|item| item.display).unwrap_or_default();
        Form::new(self.url(), title, fields)
    }

    /// Opens the view of the options, whose names need not be the server's own.
    fn wished(&self, wish: &ViewChoice) -> Result<Resource, Error> {
        check_view(self.call.url(), &self.request)?;
        let Some(list) = self.described()? else {
            let what = words!("views require Gopher+, which the server does not support");
            return Err(Error::new(ErrorKind::NotFound, what)
                .with_reference("RFC 1738 section 3.4.8")
                .with_help(words!("request the document without a view")));
        };
        let language = wish.language.as_deref().map(str::as_bytes);
        let views = list.views();
        let is_wished = |view: &&View| {
            view.is(wish.media_type.as_deref().map_or(view.media_type.as_slice(), str::as_bytes), language)
        };
        let Some(view) = views.iter().find(is_wished) else {
            return Err(no_view(&views));
        };
        let plus = view.gopher_plus();
        let url = with_plus(self.call.url(), &plus).ok_or_else(|| no_view(&views))?;
        self.answer(Some(&plus), url)
    }

    /// Opens the view that the URL names by the server's own names. Only if there is no such view, the server is asked for its
    /// views.
    fn view(&self, media_type: &[u8], language: Option<&[u8]>) -> Result<Resource, Error> {
        let error = match self.answer(self.request.plus.as_deref(), self.url()) {
            Ok(resource) => return Ok(resource),
            Err(error) => error,
        };
        if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Server) {
            return Err(error);
        }
        let views = self.described().ok().flatten().map(|list| list.views()).unwrap_or_default();
        let is_there = views.is_empty() || views.iter().any(|view| view.is(media_type, language));
        Err(if is_there { error } else { no_view(&views) })
    }

    /// A menu with the attributes of each item, in one request. A server without Gopher+ sends the menu itself; from one that
    /// fails, or describes the menu and not its items, the menu is requested.
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
                Ok(answer) => return answer.resource(self.url()),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Server) => {}
                Err(error) => return Err(error),
            }
        }
        self.ask(self.request.plus.as_deref())?.resource(self.url())
    }
}

/// The error of a view for a URL that already names attributes, a form or a view.
fn check_view(url: &Url<&str>, request: &GopherRequest) -> Result<(), Error> {
    if matches!(request.plus.as_deref(), None | Some(b"" | b"+")) {
        return Ok(());
    }
    let what = words!("the URL already has a Gopher+ string, so a view cannot be requested");
    Err(Error::new(ErrorKind::Refused, what).with_reference("RFC 1738 section 3.4.8").at_url(url))
}

fn no_view(views: &[View]) -> Error {
    /// Views beyond these are only counted.
    const SHOWN: usize = 20;
    let list = listed(views.iter().take(SHOWN).map(|view| format!("`{view}`").into()));
    let help = match views.len() {
        0 => words!("the server lists none").into(),
        count if count > SHOWN => {
            message!("available views: {list}, {count} more", list = list, count = count - SHOWN)
        }
        _ => message!("available views: {list}", list = list),
    };
    Error::new(ErrorKind::NotFound, words!("the item has no such view"))
        .with_reference("RFC 1738 section 3.4.8")
        .with_help(help)
}
