//! One sentence about a URL: what it names and how it is accessed.

use std::fmt::{self, Display, Formatter};

use urlwise::{
    Attributes, Encoded, File, Ftp, Gopher, GopherPlus, Hostport, Language, Locator, Login, News, NewsKind, Nntp,
    Prospero, Telnet, Typecode, Url, Wais, WaisForm, Words, escape_for_display, is_shown_as_written, write_for_display,
};

use super::parts;
use crate::language::{filled, list, list_with_and, words};

/// The sentence. It never contains the password, and harmful characters are escaped.
pub(crate) fn meaning<'u>(url: &'u Url<&'u str>, language: Language) -> impl Display + 'u {
    by(move |f| sentence(url, language, f))
}

/// What a function writes.
struct By<F>(F);

fn by<F: Fn(&mut Formatter<'_>) -> fmt::Result>(write: F) -> By<F> {
    By(write)
}

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for By<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

fn sentence(url: &Url<&str>, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let is_tls = url.scheme().is_tls();
    let at = |hostport| At { hostport, language };
    match url.locator() {
        Locator::Ftp(ftp) => self::ftp(ftp, is_tls, language, f),
        Locator::Http(http) => {
            let request = if is_tls { words!("GET over TLS") } else { words!("GET") };
            let sentence = filled!(
                language,
                "The resource `{path}` of the http server {host}, fetched by {request}.",
                path = http.selector(),
                host = at(http.hostport()),
                request = request.get(language),
            );
            write!(f, "{sentence}")
        }
        Locator::Gopher(gopher) => self::gopher(gopher, is_tls, language, f),
        Locator::Mailto(mailto) => {
            let sentence = filled!(
                language,
                "The mail address {local} at the domain {domain}; a mail program writes a message to it.",
                local = Quoted(mailto.local()),
                domain = Quoted(mailto.domain()),
            );
            write!(f, "{sentence}")
        }
        Locator::News(news) => self::news(news, is_tls, language, f),
        Locator::Nntp(nntp) => self::nntp(nntp, is_tls, language, f),
        Locator::Telnet(telnet) => self::telnet(telnet, is_tls, language, f),
        Locator::Wais(wais) => self::wais(wais, language, f),
        Locator::File(file) => self::file(file, language, f),
        Locator::Prospero(prospero) => self::prospero(prospero, language, f),
        Locator::Other(other) => match other.login().map(|login| at(login.hostport())) {
            Some(host) => {
                let sentence = filled!(
                    language,
                    "A resource on {host}, with a scheme that RFC 1738 does not define.",
                    host = host
                );
                write!(f, "{sentence}")
            }
            None => words!("A resource with a scheme that RFC 1738 does not define.").write(language, f),
        },
        // A scheme of a later RFC: its definition has a title.
        _ => {
            let title = &*url.scheme().title_in(language);
            let what = by(|f| match is_tls {
                true => write!(f, "{}", filled!(language, "{title} over TLS", title = title)),
                false => f.write_str(title),
            });
            match url.host() {
                Some(host) => {
                    write!(f, "{}", filled!(language, "{title}, from the host {host}.", title = what, host = host))
                }
                None => write!(f, "{}", filled!(language, "{title}.", title = what)),
            }
        }
    }
}

/// So many directories or fields of a URL are named; the others are counted.
const NAMED: usize = 20;

/// A decoded part, in which the escapes of some characters stay.
fn legible(part: Encoded<'_>, kept: &[u8]) -> String {
    escape_for_display(&parts::legible(part.as_str().as_bytes(), kept)).to_string()
}

/// A decoded part in backticks, safe to display.
struct Quoted<'a>(Encoded<'a>);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let written = self.0.as_str();
        f.write_str("`")?;
        match is_shown_as_written(written.as_bytes()) && !written.as_bytes().contains(&b'%') {
            // What most parts are.
            true => f.write_str(written)?,
            false => write_for_display(&self.0.decode(), f)?,
        }
        f.write_str("`")
    }
}

/// What stands for a part that is there and has no characters: two backticks would look like a mistake.
pub(crate) const EMPTY: Words = words!("<empty>");

/// A decoded part in backticks, or the word for an empty one.
struct Named<'a>(Encoded<'a>, Language);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { EMPTY.write(self.1, f) } else { Quoted(self.0).fmt(f) }
    }
}

/// The host, and the port if it is given.
struct At<'a> {
    hostport: Hostport<'a>,
    language: Language,
}

impl Display for At<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let host = self.hostport.host();
        match (self.hostport.port(), self.hostport.port_or_default()) {
            (Some(written), Some(port)) if !written.is_empty() => {
                write!(f, "{}", filled!(self.language, "{host} (port {port})", host = host, port = port))
            }
            _ => host.fmt(f),
        }
    }
}

fn ftp(ftp: Ftp<'_>, is_tls: bool, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let name = ftp.name().filter(|name| !name.is_empty());
    let what = by(|f| {
        let words = match (name, ftp.typecode()) {
            (Some(_), Some(Typecode::Directory)) => words!("The directory listing of {name}"),
            (Some(_), Some(Typecode::Ascii)) => words!("The file {name}, as text,"),
            (Some(_), Some(Typecode::Image)) => words!("The file {name}, as binary,"),
            (Some(_), None) => words!("The file {name}"),
            (None, _) => words!("A directory listing"),
        };
        write!(f, "{}", words.filled(language, |_, f| name.map_or(Ok(()), |name| Quoted(name).fmt(f))))
    });
    let protocol = if is_tls { words!("FTP over TLS") } else { words!("FTP") };
    let cwds = by(|f| {
        let [then, empty] =
            [words!(", then to "), words!("an empty name (a null argument)")].map(|text| text.get(language));
        let mut cwds = ftp.cwds();
        for (number, cwd) in cwds.by_ref().take(NAMED).enumerate() {
            f.write_str(if number > 0 { &then } else { "" })?;
            match cwd.is_empty() {
                true => f.write_str(&empty)?,
                false => Quoted(cwd).fmt(f)?,
            }
        }
        match cwds.count() {
            0 => Ok(()),
            more => write!(f, "{}", filled!(language, ", then to {count} more", count = more)),
        }
    });
    let is_listed = name.is_none() || ftp.typecode() == Some(Typecode::Directory);
    let sentence = match (ftp.cwds().next().is_some(), is_listed) {
        (false, true) => words!("{what} by {protocol} from {host}: {login}, list."),
        (false, false) => words!("{what} by {protocol} from {host}: {login}, retrieve."),
        (true, true) => words!("{what} by {protocol} from {host}: {login}, change directory to {cwds}, list."),
        (true, false) => words!("{what} by {protocol} from {host}: {login}, change directory to {cwds}, retrieve."),
    };
    let sentence = sentence.filled(language, |name, f| match name {
        "what" => what.fmt(f),
        "protocol" => protocol.write(language, f),
        "host" => At { hostport: ftp.login().hostport(), language }.fmt(f),
        "login" => login(ftp.login(), language, f),
        _ => cwds.fmt(f),
    });
    write!(f, "{sentence}")
}

fn login(login: Login<'_>, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let Some(user) = login.user() else { return words!("log in as `anonymous`").write(language, f) };
    let words = match (user.is_empty(), login.password().map(Encoded::is_empty)) {
        (false, None) => words!(
            "log in as {user} (the URL has no password: the program should ask for one if the server requires it)"
        ),
        (false, Some(true)) => words!("log in as {user} with an empty password"),
        (false, Some(false)) => words!("log in as {user} with the password in the URL"),
        (true, None) => {
            words!(
                "log in with an empty user name (the URL has no password: the program should ask for one if the server requires it)"
            )
        }
        (true, Some(true)) => words!("log in with an empty user name and an empty password"),
        (true, Some(false)) => words!("log in with an empty user name and the password in the URL"),
    };
    write!(f, "{}", words.filled(language, |_, f| Quoted(user).fmt(f)))
}

fn news(news: News<'_>, is_tls: bool, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let what = by(|f| match news.kind() {
        NewsKind::All => words!("All available newsgroups").write(language, f),
        NewsKind::Group(group) => write!(f, "{}", filled!(language, "The newsgroup `{group}`", group = group)),
        NewsKind::Article { unique, host } => {
            let id = by(|f| write!(f, "{}@{}", legible(unique, b"@>"), escape_for_display(&host.decode())));
            write!(f, "{}", filled!(language, "The news article with the Message-ID `<{id}>`", id = id))
        }
    });
    match news.server() {
        Some(server) => {
            let server = news_server(server, is_tls, language);
            write!(f, "{}", filled!(language, "{what}, on {server}.", what = what, server = server))
        }
        None => {
            let sentence =
                filled!(language, "{what}, on the news server that the client is configured to use.", what = what);
            write!(f, "{sentence}")
        }
    }
}

fn nntp(nntp: Nntp<'_>, is_tls: bool, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let group = nntp.group();
    let what = by(|f| match nntp.article() {
        Some(number) => {
            let what = filled!(language, "Article {number} of the newsgroup `{group}`", number = number, group = group);
            write!(f, "{what}")
        }
        None => write!(f, "{}", filled!(language, "The newsgroup `{group}`", group = group)),
    });
    let server = news_server(At { hostport: nntp.hostport(), language }, is_tls, language);
    write!(f, "{}", filled!(language, "{what} on {server}.", what = what, server = server))
}

fn news_server(host: impl Display, is_tls: bool, language: Language) -> impl Display {
    let words = if is_tls { words!("the news server {host} over TLS") } else { words!("the news server {host}") };
    words.filled(language, move |_, f| host.fmt(f))
}

fn telnet(telnet: Telnet<'_>, is_tls: bool, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let protocol = if is_tls { words!("Telnet over TLS") } else { words!("Telnet") };
    let user = telnet.login().user();
    let sentence = match user {
        None => words!("An interactive session with {host} by {protocol}."),
        Some(user) if user.is_empty() => {
            words!("An interactive session with {host} by {protocol}; the user name is empty.")
        }
        Some(_) => words!(
            "An interactive session with {host} by {protocol}; the user name {user} is advice for the user and is not sent automatically."
        ),
    };
    let sentence = sentence.filled(language, |name, f| match (name, user) {
        ("protocol", _) => protocol.write(language, f),
        ("user", Some(user)) => Quoted(user).fmt(f),
        _ => At { hostport: telnet.login().hostport(), language }.fmt(f),
    });
    write!(f, "{sentence}")
}

fn wais(wais: Wais<'_>, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let (sentence, asked) = match (wais.form(), wais.search(), wais.wtype()) {
        (WaisForm::Index, Some(search), _) => {
            (words!("The search for {words} in the database {database} of the WAIS server {host}."), search)
        }
        (WaisForm::Doc, _, Some(wtype)) => {
            (words!("A document of the type {type} in the database {database} of the WAIS server {host}."), wtype)
        }
        _ => (words!("The searchable database {database} of the WAIS server {host}."), wais.database()),
    };
    let sentence = sentence.filled(language, |name, f| match name {
        "database" => Named(wais.database(), language).fmt(f),
        "host" => At { hostport: wais.hostport(), language }.fmt(f),
        _ => Named(asked, language).fmt(f),
    });
    write!(f, "{sentence}")
}

fn file(file: File<'_>, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let is_directory = file.segments().next_back().is_some_and(Encoded::is_empty);
    let path = by(|f| {
        file.segments().try_for_each(|segment| {
            f.write_str("/")?;
            write_for_display(&parts::legible(segment.as_str().as_bytes(), parts::RESERVED), f)
        })
    });
    match (is_directory, file.host().filter(|_| !file.is_local())) {
        (true, None) => write!(f, "{}", filled!(language, "The directory `{path}` on this machine.", path = path)),
        (false, None) => write!(f, "{}", filled!(language, "The file `{path}` on this machine.", path = path)),
        (_, Some(host)) => {
            let sentence = match is_directory {
                true => words!(
                    "The directory `{path}` on the host {host}; a file URL does not say how to fetch it from there."
                ),
                false => {
                    words!("The file `{path}` on the host {host}; a file URL does not say how to fetch it from there.")
                }
            };
            let sentence = sentence.filled(language, |name, f| if name == "path" { path.fmt(f) } else { host.fmt(f) });
            write!(f, "{sentence}")
        }
    }
}

fn prospero(prospero: Prospero<'_>, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let what = by(|f| match prospero.hsoname() {
        name if name.is_empty() => words!("The unnamed object").write(language, f),
        name => {
            write!(f, "{}", filled!(language, "The object `{name}`", name = legible(name, parts::RESERVED)))
        }
    });
    let fields = by(|f| {
        let empty = EMPTY.get(language);
        let named = |part: Encoded<'_>, f: &mut Formatter<'_>| match part.is_empty() {
            true => f.write_str(&empty),
            false => Quoted(part).fmt(f),
        };
        let mut fields = prospero.fields();
        let first: Vec<_> = fields.by_ref().take(NAMED).collect();
        let first = first.iter().map(|(name, value)| {
            by(|f| {
                named(*name, f)?;
                f.write_str(" = ")?;
                match value {
                    Some(value) => named(*value, f),
                    None => f.write_str(&empty),
                }
            })
        });
        match fields.count() {
            0 => list_with_and(first, language, f),
            more => {
                list(first, [words!(", "); 2], language, f)?;
                write!(f, "{}", filled!(language, " and {count} more", count = more))
            }
        }
    });
    let sentence = match prospero.fields().next() {
        None => words!("{what} of the Prospero directory server {host}; the server says how to retrieve it."),
        Some(_) => {
            words!("{what} of the Prospero directory server {host}, with {fields}; the server says how to retrieve it.")
        }
    };
    let sentence = sentence.filled(language, |name, f| match name {
        "what" => what.fmt(f),
        "host" => At { hostport: prospero.hostport(), language }.fmt(f),
        _ => fields.fmt(f),
    });
    write!(f, "{sentence}")
}

/// What a gopher item of this type is (RFC 1436 section 3.8 and current practice); a type that is in no table is an item of unknown type.
///
/// ```
/// use urlwise::Language;
///
/// assert_eq!(urlwise_explain::gopher_type(b'0').get(Language::En), "text file");
/// assert_eq!(urlwise_explain::gopher_type(b'Z').get(Language::En), "item of unknown type");
/// ```
pub fn gopher_type(gtype: u8) -> Words {
    match gtype {
        b'0' => words!("text file"),
        b'1' => words!("menu"),
        b'2' => words!("CSO phone book"),
        b'3' => words!("error"),
        b'4' => words!("BinHex file"),
        b'5' => words!("DOS archive"),
        b'6' => words!("uuencoded file"),
        b'7' => words!("search"),
        b'8' => words!("telnet session"),
        b'9' => words!("binary file"),
        b'T' => words!("tn3270 session"),
        b'g' => words!("GIF image"),
        b'I' => words!("image"),
        b'h' => words!("HTML page"),
        b's' | b'<' => words!("sound"),
        b'd' | b'P' => words!("document"),
        b';' => words!("film"),
        b':' => words!("bitmap"),
        b'M' => words!("MIME message"),
        b'i' => words!("informational line"),
        b'+' => words!("duplicate server"),
        _ => words!("item of unknown type"),
    }
}

fn gopher(gopher: Gopher<'_>, is_tls: bool, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let gtype = gopher.gtype().unwrap_or(b'1');
    let kind = gopher_type(gtype).get(language);
    let item = by(|f| match gopher.selector().filter(|selector| !selector.is_empty()) {
        Some(selector) => {
            let item =
                filled!(language, "{kind} with the selector {selector}", kind = kind, selector = Quoted(selector));
            write!(f, "{item}")
        }
        None if gtype == b'1' => words!("top menu").write(language, f),
        None => write!(f, "{}", filled!(language, "unnamed {kind}", kind = kind)),
    });
    let plus = gopher.plus();
    let what = by(|f| asked(plus.as_ref(), &item, language, f));
    let server = by(|f| {
        let server = match is_tls {
            true => words!("the gopher server {host} over TLS"),
            false => words!("the gopher server {host}"),
        };
        write!(f, "{}", server.filled(language, |_, f| At { hostport: gopher.hostport(), language }.fmt(f)))
    });
    match gopher.search().filter(|search| !search.is_empty()) {
        Some(search) => {
            let sentence = filled!(
                language,
                "{what}, for the words {words}, on {server}.",
                what = what,
                words = Quoted(search),
                server = server,
            );
            write!(f, "{sentence}")
        }
        None => write!(f, "{}", filled!(language, "{what} on {server}.", what = what, server = server)),
    }
}

/// What a Gopher+ string asks of an item.
fn asked(plus: Option<&GopherPlus>, item: &dyn Display, language: Language, f: &mut Formatter<'_>) -> fmt::Result {
    let words = match plus {
        None => words!("The {item}"),
        Some(GopherPlus::Default) => words!("The default view of the {item}"),
        Some(GopherPlus::Form) => words!("The form to fill in for the {item}"),
        Some(GopherPlus::Attributes(Attributes::Item, names)) if names.is_empty() => {
            words!("All attributes of the {item}")
        }
        Some(GopherPlus::Attributes(Attributes::Item, _)) => words!("The attributes {names} of the {item}"),
        Some(GopherPlus::Attributes(Attributes::Directory, names)) if names.is_empty() => {
            words!("All attributes of every item of the {item}")
        }
        Some(GopherPlus::Attributes(Attributes::Directory, _)) => {
            words!("The attributes {names} of every item of the {item}")
        }
        Some(GopherPlus::View { language: None, .. }) => words!("The view {view} of the {item}"),
        Some(GopherPlus::View { language: Some(_), .. }) => {
            words!("The view {view} in the language {language} of the {item}")
        }
        Some(GopherPlus::FilledForm { values, .. }) if values.len() == 1 => {
            words!("The answer to a filled-in form with 1 value, sent to the {item}")
        }
        Some(GopherPlus::FilledForm { .. }) => {
            words!("The answer to a filled-in form with {count} values, sent to the {item}")
        }
        Some(_) => words!("The answer to an unknown Gopher+ string sent to the {item}"),
    };
    let quoted = |octets: &[u8], f: &mut Formatter<'_>| write!(f, "`{}`", escape_for_display(octets));
    let what = words.filled(language, |name, f| match (name, plus) {
        ("names", Some(GopherPlus::Attributes(_, names))) => {
            list_with_and(names.iter().map(|name| by(move |f| quoted(name, f))), language, f)
        }
        ("view", Some(GopherPlus::View { view, .. })) => quoted(view, f),
        ("language", Some(GopherPlus::View { language: Some(language), .. })) => quoted(language, f),
        ("count", Some(GopherPlus::FilledForm { values, .. })) => values.len().fmt(f),
        _ => item.fmt(f),
    });
    write!(f, "{what}")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;
    use urlwise::{Profile, is_harmful};

    use super::*;

    #[test]
    fn a_sentence_says_what_the_url_names_and_where() {
        let url = Url::parse("gopher://host.dom/00/about.txt").unwrap();
        assert_eq!(
            meaning(&url, Language::En).to_string(),
            "The text file with the selector `0/about.txt` on the gopher server host.dom."
        );
        let url = Url::parse("ftp://jim:s3cret@host.dom/%1B%5B2J").unwrap();
        assert_eq!(
            meaning(&url, Language::En).to_string(),
            "The file `\\x1b[2J` by FTP from host.dom: log in as `jim` with the password in the URL, retrieve."
        );
    }

    #[test]
    fn of_many_directories_and_fields_the_first_are_named_and_the_others_counted() {
        let said = |url: &str| meaning(&Url::parse(url).unwrap(), Language::En).to_string();
        let ftp = |count: usize| said(&format!("ftp://host.dom/{}x", "a/".repeat(count)));
        let named = format!("change directory to `a`{}", ", then to `a`".repeat(NAMED - 1));
        assert!(ftp(NAMED).ends_with(&format!("{named}, retrieve.")), "{}", ftp(NAMED));
        assert!(ftp(NAMED + 1).ends_with(&format!("{named}, then to 1 more, retrieve.")), "{}", ftp(NAMED + 1));
        let prospero = |count: usize| said(&format!("prospero://host.dom/x{}", ";a=b".repeat(count)));
        let named = format!("with `a` = `b`{}", ", `a` = `b`".repeat(NAMED - 2));
        assert!(prospero(NAMED).contains(&format!("{named} and `a` = `b`;")), "{}", prospero(NAMED));
        let named = named + ", `a` = `b`";
        assert!(prospero(NAMED + 30).contains(&format!("{named} and 30 more;")), "{}", prospero(NAMED + 30));
    }

    #[test]
    fn each_language_joins_two_and_more_than_two() {
        let said = |url: &str, language| meaning(&Url::parse(url).unwrap(), language).to_string();
        for (names, english, japanese, chinese) in [
            ("+A", "`+A`", "`+A`", "`+A`"),
            ("+A%20+B", "`+A` and `+B`", "`+A`と`+B`", "`+A`和`+B`"),
            ("+A%20+B%20+C", "`+A`, `+B` and `+C`", "`+A`、`+B`、`+C`", "`+A`、`+B`和`+C`"),
        ] {
            let url = format!("gopher://host.dom/00/x%09%09!{names}");
            for (language, list) in [(Language::En, english), (Language::Ja, japanese), (Language::Zh, chinese)] {
                let sentence = said(&url, language);
                assert_eq!(sentence.matches("`+A`").count(), 1, "{sentence}");
                assert!(sentence.contains(list), "{sentence}");
            }
        }
        let sentence = said("prospero://host.dom/x;a=b;c=d;e=", Language::Ja);
        assert!(sentence.contains("`a` = `b`、`c` = `d`、`e` = <空>を持つ"), "{sentence}");
    }

    #[test]
    fn every_valid_url_of_the_case_table_has_a_sentence_that_is_safe_to_show() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise/tests/data/cases");
        let mut count = 0;
        for file in fs::read_dir(folder).unwrap() {
            for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
                let case: Value = serde_json::from_str(line).unwrap();
                let Some(text) = case["url"].as_str() else { continue };
                for url in Profile::ALL.iter().copied().filter_map(|profile| Url::parse_with(text, profile).ok()) {
                    let sentence = meaning(&url, Language::En).to_string();
                    assert!(sentence.ends_with('.') && !sentence.contains(is_harmful), "{sentence}");
                    assert!(!sentence.starts_with("A resource of the scheme"), "{text} has no sentence of its own");
                    count += 1;
                }
            }
        }
        assert!(count > 500, "{count}");
    }
}
