//! What a URL names, as a page.

use std::io::{self, Write};

use maud::{Markup, html};
use urlwise::{Scheme, Url};
use urlwise_open::article::Article;
use urlwise_open::protocol::Note;
use urlwise_open::{Document, Entry, EntryKind, Error, ErrorKind, Menu, Resource};

use super::lines::Lines;
use super::{AGAIN, Reply};
use crate::answers;
use crate::foreign::Framed;
use crate::http::body::Body;
use crate::http::fields::{Form as Fields, link, link_with};
use crate::http::response::{Head, Rights, Status};
use crate::language::{marked, said};
use crate::opening::{self, Form, Need, Wish, need, without_password};
use crate::pages::document::{self, Facts, Place};
use crate::pages::frame::Frame;
use crate::pages::{article, crumbs, draft, form, gopher_plus, menu, problem, text, threads};

/// The longest text that is shown, in octets.
const LONGEST_TEXT: usize = 2 << 20;

/// The most entries of a menu that are shown.
const MOST_ENTRIES: usize = 100_000;

/// The longest article that is shown, in octets: it is held in memory.
const LONGEST_ARTICLE: usize = 4 << 20;

/// The URL as the title of a page has it.
fn named(url: &Url<&str>) -> String {
    crumbs::shortened(&text::url(url))
}

impl Reply<'_> {
    fn frame(&self, url: &Url<&str>, command: &str) -> Frame {
        let language = self.language();
        let crumbs = crumbs::of(url, language);
        let title = crumbs.last().map_or_else(|| text::url(url), |crumb| crumb.name.clone());
        Frame {
            language,
            title: crumbs::shortened(&title),
            subtitle: String::new(),
            field: without_password(url).into_owned(),
            crumbs,
            url: text::url(url),
            again: self.again(url),
            commands: vec![self.command(command, url)],
            advice: self.answer.map(|(_, answer)| answer.advice.clone()).unwrap_or_default(),
            ..Frame::default()
        }
    }

    /// Where a document of this page is.
    fn place<'p>(&'p self, url: &'p Url<&'p str>) -> Place<'p> {
        Place { url, answer: self.answer.map(|(key, _)| key) }
    }

    /// What was noted while the answer was received, which may have been before.
    fn notes(&self, notes: &[Note]) -> Vec<Note> {
        let before = self.answer.map_or(&[][..], |(_, answer)| &answer.notes);
        [before, notes].concat()
    }

    /// Why the answer to a form broke off, where it did.
    fn broken_off(&self) -> Option<&Error> {
        self.answer.and_then(|(_, answer)| answer.failure.as_ref())
    }

    /// The command that does what this page does.
    fn command(&self, command: &str, url: &Url<&str>) -> String {
        // A form is answered by `get` alone.
        let command = if self.answer.is_none() { command } else { "get" };
        let options = (self.shared.command_options)(command, url.scheme());
        let answers = self.answer.map_or(&[][..], |(_, answer)| &answer.options);
        text::command(command, &[&options, answers].concat(), &without_password(url))
    }

    /// The command that hands a mail to the mail program without asking the desktop who opens its links.
    fn compose(&self, url: &Url<&str>) -> String {
        let options = (self.shared.command_options)("get", url.scheme());
        text::command("get", &[options, vec!["--compose".into()]].concat(), &without_password(url))
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

    pub(super) fn open(&self, url: &Url<&str>, wish: Wish) -> io::Result<()> {
        let language = self.language();
        match need(url) {
            Need::Terminal => {
                let frame = Frame {
                    title: said!(language, "A session in a terminal").to_owned(),
                    about: named(url),
                    again: String::new(),
                    ..self.frame(url, "get")
                };
                let session = document::session(url, &self.command("get", url), language);
                return self.page(Status::Ok, &frame.around(&session));
            }
            Need::Words if !wish.is_list => {
                let asked = url.with("search", b"WORDS").ok();
                let commands = asked.iter().map(|url| self.command("ls", &url.borrow())).collect();
                let subtitle = said!(language, "A search").to_owned();
                let frame = Frame { subtitle, commands, again: String::new(), ..self.frame(url, "ls") };
                let content = form::search(url, self.shared.session.form_token(), language);
                return self.page(Status::Ok, &frame.around(&content));
            }
            Need::Words | Need::Nothing => {}
        }
        let waiting = self.shared.waiting(self.connection.stream)?;
        match self.shared.opening.open(url, wish, &waiting.cancel) {
            Ok(resource) => self.show(url, resource, wish),
            Err(error) => self.failed(url, &error),
        }
    }

    pub(super) fn failed(&self, url: &Url<&str>, error: &Error) -> io::Result<()> {
        if error.kind() == ErrorKind::Cancelled {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        let language = self.language();
        let title = said!(language, "This could not be opened").to_owned();
        let frame = Frame { title, about: named(url), again: String::new(), ..self.frame(url, "get") };
        // What is not there may be listed one step before it.
        let is_missing = error.kind() == ErrorKind::NotFound;
        let above = crumbs::above(url, error.refused_directory(), language);
        let above = above.map(|(name, path)| html! { a href=(path) { (name) } });
        let content = html! {
            (self.error(error))
            @if let (Some(above), true) = (above, is_missing) {
                p {
                    (marked!(
                        language,
                        "It may have been moved or removed. Check the spelling, or look for it at {link}.",
                        link = above
                    ))
                }
            } @else if is_missing {
                p { (said!(language, "It may have been moved or removed. Check the spelling.")) }
            }
            p {
                // Other errors would be the same again.
                @if error.is_transient() || error.kind() == ErrorKind::Resolve {
                    a class="button" href=(link("/open", &without_password(url))) { (said!(language, "Try again")) } " "
                }
                // None of them could be opened here: they say where else the document is.
                @if url.scheme().base() == Scheme::Prospero {
                    a href=(link_with("/open", &without_password(url), "list", "yes")) { (said!(language, "Access methods")) } " "
                }
                a href=(link("/explain", &without_password(url))) { (said!(language, "Explain this URL")) }
            }
        };
        self.page(problem::status(error.kind()), &frame.around(&content))
    }

    fn error(&self, error: &Error) -> Markup {
        problem::error(error, (self.shared.help)(error).as_deref(), self.language())
    }

    /// The answer to a form, which is kept.
    pub(super) fn answered(&self, url: &Url<&str>, wish: Wish) -> io::Result<()> {
        match (self.answer.and_then(|(_, answer)| answer.resource()), self.broken_off()) {
            (Some(resource), _) => self.show(url, resource, wish),
            (None, Some(error)) => self.failed(url, error),
            (None, None) => {
                let content = document::too_long(answers::MOST as u64, self.language());
                self.page(Status::Ok, &self.frame(url, "get").around(&content))
            }
        }
    }

    pub(super) fn show(&self, url: &Url<&str>, resource: Resource, wish: Wish) -> io::Result<()> {
        let language = self.language();
        match resource {
            Resource::Menu(menu) => self.menu(url, menu),
            Resource::Document(document) => self.document(url, document, wish),
            Resource::Attributes(mut attributes) => {
                let mut content = Vec::new();
                while let Some(list) = attributes.next() {
                    match list {
                        Ok(list) if content.len() < MOST_ENTRIES => {
                            content.push(gopher_plus::item(&attributes, &list, language));
                        }
                        Ok(_) => break,
                        Err(error) => content.push(self.error(&error)),
                    }
                }
                let content = html! { @for item in &content { (item) } (problem::notes(attributes.notes(), language)) };
                let frame = self.frame(url, "get");
                // The last step is that of the attributes, the one before it is the item.
                let item = frame.crumbs.iter().rev().nth(1).map(|crumb| crumb.name.clone());
                let title = item.unwrap_or_else(|| frame.title.clone());
                let frame = Frame { title, subtitle: said!(language, "Gopher+ attributes").to_owned(), ..frame };
                self.page(Status::Ok, &frame.around(&content))
            }
            Resource::Form(asked) => {
                let title = crumbs::shortened(&text::shown(asked.title()));
                let subtitle = said!(language, "A form").to_owned();
                let frame = Frame { title, subtitle, ..self.frame(url, "get") };
                let content = form::questions(&asked, self.shared.session.form_token(), language);
                self.page(Status::Ok, &frame.around(&content))
            }
            Resource::Draft(mail) => {
                let title = said!(language, "A mail to write").to_owned();
                let frame = Frame { title, about: named(url), again: String::new(), ..self.frame(url, "get") };
                self.page(Status::Ok, &frame.around(&draft::markup(&mail, &self.compose(url), language)))
            }
            _ => {
                let frame = self.frame(url, "get");
                let session = document::session(url, &self.command("get", url), language);
                self.page(Status::Ok, &frame.around(&session))
            }
        }
    }

    /// A menu, row by row.
    fn menu(&self, url: &Url<&str>, mut entries: Menu) -> io::Result<()> {
        let language = self.language();
        let scheme = entries.final_url().scheme();
        let columns = menu::Columns::of(&entries.final_url().borrow());
        let mut frame = self.frame(url, "ls");
        let is_of_methods = entries.lists_access_methods();
        frame.subtitle = match is_of_methods {
            true => said!(language, "Access methods").to_owned(),
            false => text::scheme(scheme).get(language).into_owned(),
        };
        let ((before, after), (table, table_end)) = (frame.halves(), menu::halves(columns, is_of_methods, language));
        let mut body = self.begin(Head::page(Status::Ok));
        write!(body, "{before}{table}")?;
        body.flush()?;
        let (mut count, mut lines, mut failure, mut is_cut) = (0, 0, None, false);
        let mut thread = Vec::new();
        let rows = |body: &mut Body<'_>, entries: &mut Vec<Entry>| {
            threads::arranged(std::mem::take(entries)).iter().try_for_each(|(depth, entry)| {
                body.write_all(menu::row(entry, *depth, columns, language).into_string().as_bytes())
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
                    lines += usize::from(entry.kind == EntryKind::Info);
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
        if let Some(error) = failure.as_ref().or(self.broken_off()) {
            body.forget();
            body.write_all(self.error(error).into_string().as_bytes())?;
        }
        let end = menu::end(count - lines, &self.notes(entries.notes()), is_cut, language);
        body.write_all(end.into_string().as_bytes())?;
        body.write_all(after.as_bytes())?;
        body.finish()
    }

    fn document(&self, url: &Url<&str>, mut document: Document, wish: Wish) -> io::Result<()> {
        let language = self.language();
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
        let top = html! { (document::tools(self.place(url), is_page, wish.is_source, language)) (document::facts(&facts, language)) };
        let frame = self.frame(url, "get");
        match how {
            Form::Text => self.text(url, document, &frame, &top),
            Form::Picture(_) => {
                let content = html! { (top) (document::picture(self.place(url), &frame.title)) };
                self.page(Status::Ok, &frame.around(&content))
            }
            Form::Article => self.article(url, document, &frame),
            Form::Page(_) => {
                let framed = match self.answer {
                    Some((key, _)) => Framed::Answer(key.to_owned()),
                    None => Framed::Url(url.as_str().to_owned()),
                };
                let key = self.shared.keys.add(framed)?;
                let content = html! { (top) (document::framed(self.shared.foreign_port, key.as_str(), language)) };
                let head = Head::page(Status::Ok).allowing(Rights::Framing(self.shared.foreign_port));
                self.shown(head, &frame.around(&content))
            }
            Form::Saved => {
                let content = html! { (top) (document::saved(self.place(url), language)) };
                self.page(Status::Ok, &frame.around(&content))
            }
        }
    }

    /// A text, line by line.
    fn text(&self, url: &Url<&str>, mut octets: Document, frame: &Frame, top: &Markup) -> io::Result<()> {
        let language = self.language();
        let ((before, after), (begin, end)) = (frame.halves(), document::halves(language));
        let mut body = self.begin(Head::page(Status::Ok));
        write!(body, "{before}{}{begin}", top.clone().into_string())?;
        let (mut lines, mut room) = (Lines::of(octets.charset()), LONGEST_TEXT);
        let line = |body: &mut Body<'_>, line: &str| {
            body.write_all(text::line(line).into_string().as_bytes())?;
            body.write_all(b"\n")
        };
        let last = loop {
            let there = match octets.fill() {
                Ok(there) => there,
                Err(error) => {
                    body.forget();
                    break Some(self.error(&error));
                }
            };
            let is_end = there.is_empty();
            if room == 0 && !is_end {
                break Some(document::cut(self.place(url), LONGEST_TEXT as u64, language));
            }
            let there = &there[..there.len().min(room)];
            let count = there.len();
            room -= count;
            lines.receive(there, &mut |read| line(&mut body, read))?;
            body.show()?;
            octets.consume_octets(count);
            if is_end {
                break self.broken_off().map(|error| self.error(error));
            }
        };
        lines.end(&mut |read| line(&mut body, read))?;
        body.write_all(end.as_bytes())?;
        let last =
            html! { @if let Some(last) = last { (last) } (problem::notes(&self.notes(octets.notes()), language)) };
        body.write_all(last.into_string().as_bytes())?;
        body.write_all(after.as_bytes())?;
        body.finish()
    }

    fn article(&self, url: &Url<&str>, mut document: Document, frame: &Frame) -> io::Result<()> {
        let language = self.language();
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
                let content = document::saved(self.place(url), language);
                return self.page(Status::Ok, &frame.around(&content));
            }
        }
        let article = Article::read(&octets);
        let subject = article.headers.iter().find(|(name, _)| *name == "Subject").map(|(_, value)| value.clone());
        let title = subject.filter(|subject| !subject.is_empty()).unwrap_or_else(|| frame.title.clone());
        let content = html! {
            (document::tools(self.place(url), false, false, language))
            (article::markup(&article, language))
            (problem::notes(document.notes(), language))
        };
        let frame = Frame {
            language,
            title: crumbs::shortened(&title),
            subtitle: said!(language, "Article").to_owned(),
            field: frame.field.clone(),
            crumbs: crumbs::of(url, language),
            url: frame.url.clone(),
            again: frame.again.clone(),
            commands: frame.commands.clone(),
            ..Frame::default()
        };
        self.page(Status::Ok, &frame.around(&content))
    }
}
