//! From a request to its answer.

use std::io::{self, Write};
use std::net::TcpStream;

use maud::{Markup, html};
use urlwise::{Scheme, Url, diagnose};
use urlwise_open::article::Article;
use urlwise_open::{Document, Entry, Error, ErrorKind, Menu, Resource};

use crate::guard::{Admission, admit};
use crate::http::body::{Body, send_pieces, send_whole};
use crate::http::fields::{Form as Fields, link};
use crate::http::request::{Method, Request};
use crate::http::response::{Head, Rights, Status, Value};
use crate::kept::Copy;
use crate::opening::{self, Form, Need, PROFILE, Wish, need, without_password};
use crate::pages::document::{self, Facts};
use crate::pages::explain::{self, Place};
use crate::pages::frame::{Frame, STYLE};
use crate::pages::{article, crumbs, draft, form, gopher_plus, handlers, menu, problem, text, threads, welcome};
use crate::server::Shared;
use crate::session::random;

/// The longest text that is shown, in octets.
const LONGEST_TEXT: u64 = 2 << 20;

/// The most entries of a menu that are shown.
const MOST_ENTRIES: usize = 100_000;

/// What a link adds to a page to load it again. Some browsers do not say that they reload a page that they do not store.
const AGAIN: &str = "&again=yes";

/// The longest article that is shown, since it is held in memory.
const LONGEST_ARTICLE: usize = 4 << 20;

const ICON: &str = include_str!("icon.svg");

/// An answer to a request.
struct Reply<'r> {
    shared: &'r Shared,
    request: &'r Request,
    stream: &'r TcpStream,
}

/// Answers a request to the first origin.
pub(crate) fn answer(shared: &Shared, request: &Request, stream: &TcpStream) -> io::Result<()> {
    let reply = Reply { shared, request, stream };
    if request.method == Method::Get {
        match request.path.as_str() {
            "/style.css" => return reply.own("text/css; charset=utf-8", STYLE),
            "/icon.svg" => return reply.own("image/svg+xml", ICON),
            path => {
                if let Some(token) = path.strip_prefix("/start/") {
                    return reply.start(token);
                }
            }
        }
    }
    match admit(request, &shared.names, &shared.session) {
        Admission::Admitted if reply.went_back()? => Ok(()),
        Admission::Admitted => reply.admitted(),
        Admission::FromElsewhere => reply.ask_first(),
        Admission::Refused(why) => reply.refuse(why),
    }
}

/// Answers a request to the second origin: the document of a key, for a frame.
pub(crate) fn foreign(shared: &Shared, request: &Request, stream: &TcpStream) -> io::Result<()> {
    let reply = Reply { shared, request, stream };
    let is_frame = request.method == Method::Get && request.fetch_dest.as_deref().is_none_or(|dest| dest == "iframe");
    let url = request.path.strip_prefix('/').and_then(|key| shared.keys.url(key)).filter(|_| is_frame);
    match url {
        Some(_) if reply.went_back()? => Ok(()),
        Some(url) => reply.with_url(&url, Reply::framed),
        None => reply.refuse("no page of this gateway shows this document"),
    }
}

impl Reply<'_> {
    fn page(&self, status: Status, page: &str) -> io::Result<()> {
        match status {
            Status::Ok => self.shown(Head::page(status), page),
            _ => send_whole(self.stream, Head::page(status), page.as_bytes()),
        }
    }

    /// Sends a page that can be gone back to.
    fn shown(&self, head: Head, page: &str) -> io::Result<()> {
        if let Some(mut copy) = self.copy(&head) {
            copy.push(page.as_bytes());
            copy.finish();
        }
        send_whole(self.stream, head, page.as_bytes())
    }

    /// Under what the answer is kept, so that going back asks no server again: GET of what others wrote.
    fn key(&self) -> Option<String> {
        let Request { method, path, query, .. } = self.request;
        let is_kept = *method == Method::Get && !matches!(path.as_str(), "/" | "/explain" | "/handlers" | "/save");
        is_kept.then(|| [path, "?", query.strip_suffix(AGAIN).unwrap_or(query)].concat())
    }

    fn copy(&self, head: &Head) -> Option<Copy<'_>> {
        self.key().map(|key| self.shared.kept.copy(key, head.clone()))
    }

    /// Sends the answer that was given a moment ago. Whether there is one: not where the browser asks to load the page again.
    fn went_back(&self) -> io::Result<bool> {
        let is_again = self.request.is_reload || self.request.query.ends_with(AGAIN);
        let kept = self.key().filter(|_| !is_again).and_then(|key| self.shared.kept.get(&key));
        kept.map_or(Ok(false), |(head, body)| send_pieces(self.stream, head, &body).map(|()| true))
    }

    /// An answer that is sent as it is made, and can be gone back to.
    fn begin(&self, head: Head) -> Body<'_> {
        let copy = self.copy(&head);
        Body::begin(self.stream, head, self.request.takes_chunks).copied(copy)
    }

    fn own(&self, media_type: &'static str, text: &str) -> io::Result<()> {
        send_whole(self.stream, Head::new(Status::Ok, Rights::Page, media_type).kept(), text.as_bytes())
    }

    fn see(&self, location: Value) -> io::Result<()> {
        send_whole(self.stream, Head::page(Status::SeeOther).with("Location", location), b"")
    }

    fn refuse(&self, why: &str) -> io::Result<()> {
        const HELP: &str = "Run `urlwise serve` and open the address that it prints; it works once.";
        self.page(Status::Forbidden, &problem::refused("No access", why, HELP))
    }

    fn not_found(&self) -> io::Result<()> {
        self.page(
            Status::NotFound,
            &problem::refused("No such page", "there is no page at this address", "Go back to the start."),
        )
    }

    /// Opens the session for who has the token.
    fn start(&self, token: &str) -> io::Result<()> {
        let Some(url) = self.shared.session.redeem(token) else {
            return self.refuse("this address was used before, or is too old");
        };
        let location = url.map_or(Value::fixed("/"), |url| Value::path("/open", &opening::left_out(&url)));
        let head = Head::page(Status::SeeOther).with("Location", location);
        let head = match self.shared.session.set_cookie() {
            Some(cookie) => head.with("Set-Cookie", cookie),
            None => head,
        };
        send_whole(self.stream, head, b"")
    }

    /// A page of somebody else leads here: the person decides, by a link of ours.
    fn ask_first(&self) -> io::Result<()> {
        let fields = Fields::read(self.request.query.as_bytes());
        match (self.request.path.as_str(), fields.text("url")) {
            // Not kept: the address of the question is that of its answer.
            ("/open", Some(url)) => {
                let page = problem::from_elsewhere(&link("/open", url), url);
                send_whole(self.stream, Head::page(Status::Ok), page.as_bytes())
            }
            _ => self.refuse("another page leads here"),
        }
    }

    fn admitted(&self) -> io::Result<()> {
        let fields = match self.request.method {
            Method::Get => Fields::read(self.request.query.as_bytes()),
            Method::Post => Fields::read(&self.request.body),
        };
        let url = fields.text("url").unwrap_or_default().trim();
        match (self.request.method, self.request.path.as_str()) {
            (Method::Get, "/") => self.page(Status::Ok, &welcome::page()),
            (Method::Get, "/open") if url.is_empty() => self.see(Value::fixed("/")),
            (Method::Get, "/open") => self.with_url(url, |reply, url| reply.open(url, Wish::of(&fields))),
            (Method::Get, "/explain") => self.explain(url),
            (Method::Get, "/handlers") => self.handlers(),
            (Method::Get, "/save") => self.with_url(url, Reply::save),
            (Method::Get, "/raw") => self.with_url(url, Reply::picture),
            (Method::Post, "/search" | "/submit") if !self.shared.session.is_form_token(fields.text("token")) => {
                self.refuse("the form is not from a page of this gateway")
            }
            (Method::Post, "/search") => self.with_url(url, |reply, url| reply.search(url, &fields)),
            (Method::Post, "/submit") => self.with_url(url, |reply, url| reply.submit(url, &fields)),
            (Method::Get | Method::Post, _) => self.not_found(),
        }
    }

    /// Goes on with the URL of a text, or shows why it is none.
    fn with_url(&self, text: &str, then: impl FnOnce(&Self, &Url<&str>) -> io::Result<()>) -> io::Result<()> {
        let diagnosis = diagnose(text, PROFILE);
        if let Some(url) = diagnosis.url() {
            return then(self, &url);
        }
        let frame = Frame {
            title: "This is not a valid URL".to_owned(),
            subtitle: crumbs::shortened(&text::masked(text)),
            field: text::visible(&opening::left_out(text)).into_owned(),
            url: text::masked(text),
            commands: vec![text::quoted("explain", &opening::left_out(text))],
            ..Frame::default()
        };
        self.page(Status::BadRequest, &frame.around(&problem::invalid(&diagnosis)))
    }

    /// What a text is, whether it is a URL or not.
    fn explain(&self, input: &str) -> io::Result<()> {
        if input.is_empty() {
            return self.see(Value::fixed("/"));
        }
        self.page(Status::Ok, &explain::page(input.as_bytes(), None, self.shared.opening.client(), Place::Gateway))
    }

    /// The page that offers this gateway to the browser. A port that the next gateway does not have is not offered.
    fn handlers(&self) -> io::Result<()> {
        let nonce = self.shared.is_port_chosen.then(random).transpose()?;
        let rights = nonce.map_or(Rights::Page, Rights::Scripted);
        send_whole(self.stream, Head::page(Status::Ok).allowing(rights), handlers::page(nonce).as_bytes())
    }

    fn frame(&self, url: &Url<&str>, command: &str) -> Frame {
        let crumbs = crumbs::of(url);
        let title = crumbs.last().map_or_else(|| text::url(url), |crumb| crumb.name.clone());
        Frame {
            title: crumbs::shortened(&title),
            subtitle: String::new(),
            field: without_password(url).into_owned(),
            crumbs,
            url: text::url(url),
            again: self.again(url),
            commands: vec![text::command(command, url)],
            ..Frame::default()
        }
    }

    /// The path that loads this page again; empty for one that was sent a form.
    fn again(&self, url: &Url<&str>) -> String {
        if self.key().is_none() {
            return String::new();
        }
        let fields = Fields::read(self.request.query.as_bytes());
        let wish = Wish::of(&fields);
        let list = if wish.is_list { "&list=yes" } else { "" };
        let source = if wish.is_source { "&as=source" } else { "" };
        [&link("/open", &without_password(url)), list, source, AGAIN].concat()
    }

    fn open(&self, url: &Url<&str>, wish: Wish) -> io::Result<()> {
        match need(url) {
            Need::Terminal => {
                let frame = Frame { title: "A session in a terminal".to_owned(), ..self.frame(url, "get") };
                return self.page(Status::Ok, &frame.around(&document::session(url)));
            }
            Need::Words if !wish.is_list => {
                let asked = url.with("search", b"WORDS").ok();
                let commands = asked.iter().map(|url| text::command("ls", &url.borrow())).collect();
                let frame = Frame { subtitle: "A search".to_owned(), commands, ..self.frame(url, "ls") };
                let content = form::search(url, self.shared.session.form_token());
                return self.page(Status::Ok, &frame.around(&content));
            }
            Need::Words | Need::Nothing => {}
        }
        let waiting = self.shared.waiting(self.stream)?;
        match self.shared.opening.open(url, wish, &waiting.cancel) {
            Ok(resource) => self.show(url, resource, wish),
            Err(error) => self.failed(url, &error),
        }
    }

    fn failed(&self, url: &Url<&str>, error: &Error) -> io::Result<()> {
        if error.kind() == ErrorKind::Cancelled {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let frame = Frame { title: "This could not be opened".to_owned(), ..self.frame(url, "get") };
        let content = html! {
            (self.error(error))
            p {
                a class="button" href=(link("/open", &without_password(url))) { "Try again" }
                " " a href=(link("/explain", &without_password(url))) { "Explain this URL" }
            }
        };
        self.page(problem::status(error.kind()), &frame.around(&content))
    }

    fn error(&self, error: &Error) -> Markup {
        problem::error(error, (self.shared.help)(error).as_deref())
    }

    fn show(&self, url: &Url<&str>, resource: Resource, wish: Wish) -> io::Result<()> {
        match resource {
            Resource::Menu(menu) => self.menu(url, menu),
            Resource::Document(document) => self.document(url, document, wish),
            Resource::Attributes(mut attributes) => {
                let mut content = Vec::new();
                while let Some(list) = attributes.next() {
                    match list {
                        Ok(list) if content.len() < MOST_ENTRIES => content.push(gopher_plus::item(&attributes, &list)),
                        Ok(_) => break,
                        Err(error) => content.push(self.error(&error)),
                    }
                }
                let content = html! { @for item in &content { (item) } (problem::notes(attributes.notes())) };
                let frame = Frame { subtitle: "Gopher+ attributes".to_owned(), ..self.frame(url, "get") };
                self.page(Status::Ok, &frame.around(&content))
            }
            Resource::Form(asked) => {
                let title = crumbs::shortened(&text::shown(asked.title()));
                let frame = Frame { title, subtitle: "A form".to_owned(), ..self.frame(url, "get") };
                let content = form::questions(&asked, self.shared.session.form_token());
                self.page(Status::Ok, &frame.around(&content))
            }
            Resource::Draft(mail) => {
                let frame = Frame { title: "A mail to write".to_owned(), ..self.frame(url, "get") };
                self.page(Status::Ok, &frame.around(&draft::markup(&mail)))
            }
            _ => {
                let frame = self.frame(url, "get");
                self.page(Status::Ok, &frame.around(&document::session(url)))
            }
        }
    }

    /// A menu, row by row.
    fn menu(&self, url: &Url<&str>, mut entries: Menu) -> io::Result<()> {
        let scheme = entries.final_url().scheme();
        let columns = menu::Columns::of(&entries.final_url().borrow());
        let mut frame = self.frame(url, "ls");
        frame.subtitle = text::scheme(scheme).to_owned();
        let ((before, after), (table, table_end)) = (frame.halves(), menu::halves(columns));
        let mut body = self.begin(Head::page(Status::Ok));
        write!(body, "{before}{table}")?;
        body.flush()?;
        let (mut count, mut failure, mut is_cut) = (0, None, false);
        let mut thread = Vec::new();
        let rows = |body: &mut Body<'_>, entries: &mut Vec<Entry>| {
            threads::arranged(std::mem::take(entries)).iter().try_for_each(|(depth, entry)| {
                body.write_all(menu::row(entry, *depth, columns).into_string().as_bytes())
            })
        };
        for entry in entries.by_ref() {
            match entry {
                Ok(_) if count == MOST_ENTRIES => {
                    is_cut = true;
                    break;
                }
                Ok(entry) => {
                    count += 1;
                    // An answer may follow far behind what it answers.
                    let is_article = entry.message_id.is_some();
                    thread.push(entry);
                    if !is_article || thread.len() == threads::MOST {
                        rows(&mut body, &mut thread)?;
                        body.show()?;
                    }
                }
                Err(error) => failure = Some(error),
            }
        }
        rows(&mut body, &mut thread)?;
        body.write_all(table_end.as_bytes())?;
        if let Some(error) = &failure {
            body.forget();
            body.write_all(self.error(error).into_string().as_bytes())?;
        }
        body.write_all(menu::end(count, entries.notes(), is_cut).into_string().as_bytes())?;
        body.write_all(after.as_bytes())?;
        body.finish()
    }

    fn document(&self, url: &Url<&str>, mut document: Document, wish: Wish) -> io::Result<()> {
        let how = match opening::form(&mut document, wish) {
            Ok(how) => how,
            Err(error) => return self.failed(url, &error),
        };
        let answered = Some(document.final_url()).filter(|answered| answered.as_str() != url.as_str());
        let facts = Facts {
            media_type: document.media_type().map(str::to_owned),
            size: document.size(),
            final_url: answered.map(|url| url.masked().to_string()),
        };
        let is_page = matches!(how, Form::Page(_));
        let top = html! { (document::tools(url, is_page, wish.is_source)) (document::facts(&facts)) };
        let frame = self.frame(url, "get");
        match how {
            Form::Text => self.text(url, document, &frame, &top),
            Form::Picture(_) => {
                let content = html! { (top) (document::picture(url, &frame.title)) };
                self.page(Status::Ok, &frame.around(&content))
            }
            Form::Article => self.article(url, document, &frame),
            Form::Page(_) => {
                let key = self.shared.keys.add(url.as_str())?;
                let content = html! { (top) (document::framed(self.shared.foreign_port, key.as_str())) };
                let head = Head::page(Status::Ok).allowing(Rights::Framing(self.shared.foreign_port));
                self.shown(head, &frame.around(&content))
            }
            Form::Saved => {
                let content = html! { (top) (document::saved(url)) };
                self.page(Status::Ok, &frame.around(&content))
            }
        }
    }

    /// A text, line by line.
    fn text(&self, url: &Url<&str>, mut octets: Document, frame: &Frame, top: &Markup) -> io::Result<()> {
        let (before, after) = frame.halves();
        let mut body = self.begin(Head::page(Status::Ok));
        write!(body, "{before}{}{}", top.clone().into_string(), document::TEXT.0)?;
        let mut lines = Lines::default();
        let end = loop {
            let there = match octets.fill() {
                Ok(there) => there,
                Err(error) => {
                    body.forget();
                    break Some(self.error(&error));
                }
            };
            let (count, is_end) = (there.len(), there.is_empty());
            lines.receive(there, is_end, &mut |line| {
                body.write_all(text::line(line).into_string().as_bytes())?;
                body.write_all(b"\n")
            })?;
            body.show()?;
            octets.consume_octets(count);
            if is_end {
                break None;
            }
            if octets.octets_read() >= LONGEST_TEXT {
                break Some(document::cut(url, octets.octets_read()));
            }
        };
        body.write_all(document::TEXT.1.as_bytes())?;
        let end = html! { @if let Some(end) = end { (end) } (problem::notes(octets.notes())) };
        body.write_all(end.into_string().as_bytes())?;
        body.write_all(after.as_bytes())?;
        body.finish()
    }

    fn article(&self, url: &Url<&str>, mut document: Document, frame: &Frame) -> io::Result<()> {
        let mut octets = Vec::new();
        loop {
            let there = match document.fill() {
                Ok(there) => there,
                Err(error) => return self.failed(url, &error),
            };
            let count = there.len();
            octets.extend_from_slice(there);
            document.consume_octets(count);
            if count == 0 {
                break;
            }
            if octets.len() > LONGEST_ARTICLE {
                let content = document::saved(url);
                return self.page(Status::Ok, &frame.around(&content));
            }
        }
        let article = Article::read(&octets);
        let subject = article.headers.iter().find(|(name, _)| *name == "Subject").map(|(_, value)| value.clone());
        let title = subject.filter(|subject| !subject.is_empty()).unwrap_or_else(|| frame.title.clone());
        let content = html! {
            (document::tools(url, false, false))
            (article::markup(&article))
            (problem::notes(document.notes()))
        };
        let frame = Frame {
            title: crumbs::shortened(&title),
            subtitle: "Article".to_owned(),
            field: frame.field.clone(),
            crumbs: crumbs::of(url),
            url: frame.url.clone(),
            again: frame.again.clone(),
            commands: frame.commands.clone(),
            ..Frame::default()
        };
        self.page(Status::Ok, &frame.around(&content))
    }

    /// A document, opened for its octets.
    fn octets(&self, url: &Url<&str>, then: impl FnOnce(Document) -> io::Result<()>) -> io::Result<()> {
        let waiting = self.shared.waiting(self.stream)?;
        match self.shared.opening.open(url, Wish::default(), &waiting.cancel) {
            Ok(Resource::Document(document)) => then(document),
            Ok(_) => self.not_found(),
            Err(error) => self.failed(url, &error),
        }
    }

    /// Sends the rest of a document as it comes. What breaks off is seen to break off.
    fn send(&self, url: &Url<&str>, head: Head, mut document: Document) -> io::Result<()> {
        let mut body = self.begin(head);
        match document.write_to(&mut body) {
            Ok(_) => body.finish(),
            Err(error) if body.is_unsent() => self.failed(url, &error),
            Err(error) => Err(error.into()),
        }
    }

    fn save(&self, url: &Url<&str>) -> io::Result<()> {
        self.octets(url, |document| {
            let name = Value::attachment(&(self.shared.file_name)(url));
            let head =
                Head::new(Status::Ok, Rights::Octets, "application/octet-stream").with("Content-Disposition", name);
            self.send(url, head, document)
        })
    }

    /// A picture for a page of ours, if it is one.
    fn picture(&self, url: &Url<&str>) -> io::Result<()> {
        self.octets(url, |mut document| match opening::form(&mut document, Wish::default()) {
            Ok(Form::Picture(media_type)) => {
                self.send(url, Head::new(Status::Ok, Rights::Octets, media_type), document)
            }
            Ok(_) => self.not_found(),
            Err(error) => self.failed(url, &error),
        })
    }

    /// A page of others, for the frame of the second origin.
    fn framed(&self, url: &Url<&str>) -> io::Result<()> {
        self.octets(url, |mut document| match opening::form(&mut document, Wish::default()) {
            Ok(Form::Page(media_type)) => {
                self.send(url, Head::new(Status::Ok, Rights::Foreign(self.shared.port), media_type), document)
            }
            Ok(_) => self.not_found(),
            Err(error) => self.failed(url, &error),
        })
    }

    /// The URL of a search with its words, which the browser then opens.
    fn search(&self, url: &Url<&str>, fields: &Fields) -> io::Result<()> {
        match url.with("search", fields.get("words").unwrap_or_default()) {
            Ok(found) => self.see(Value::path("/open", found.as_str())),
            Err(error) => {
                let page = problem::refused(
                    "This cannot be searched for",
                    &error.to_string(),
                    "Go back and change the words.",
                );
                self.page(Status::BadRequest, &page)
            }
        }
    }

    /// Fills in a form of Gopher+ and sends it, once.
    fn submit(&self, url: &Url<&str>, fields: &Fields) -> io::Result<()> {
        let waiting = self.shared.waiting(self.stream)?;
        if url.scheme().base() != Scheme::Gopher {
            return self.not_found();
        }
        let asked = match self.shared.opening.open(url, Wish::default(), &waiting.cancel) {
            Ok(Resource::Form(asked)) => asked,
            Ok(_) => return self.not_found(),
            Err(error) => return self.failed(url, &error),
        };
        let answers = form::answers(&asked, fields);
        let sent = asked.fill(&answers).and_then(|filled| self.shared.opening.submit(&filled, &waiting.cancel));
        match sent {
            Ok(resource) => self.show(url, resource, Wish::default()),
            Err(error) => self.failed(url, &error),
        }
    }
}

/// Lines of octets that arrive in pieces.
#[derive(Default)]
struct Lines {
    /// The beginning of a line.
    held: Vec<u8>,
}

/// The longest line that is shown as one.
const LONGEST_LINE: usize = 64 * 1024;

impl Lines {
    /// Hands over every line that is complete, and at the end what is left.
    fn receive(&mut self, octets: &[u8], is_end: bool, line: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        for piece in octets.split_inclusive(|octet| *octet == b'\n') {
            self.held.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.held.len() >= LONGEST_LINE {
                self.hand_over(line)?;
            }
        }
        if is_end && !self.held.is_empty() { self.hand_over(line) } else { Ok(()) }
    }

    fn hand_over(&mut self, line: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        let whole = held.strip_suffix(b"\n").unwrap_or(&held);
        line(&text::read(whole.strip_suffix(b"\r").unwrap_or(whole)))
    }
}
