//! One sentence about a URL: what it names and how it is accessed.

use std::fmt;

use urlwise::{
    Attributes, Encoded, Ftp, Gopher, GopherPlus, Hostport, Locator, Login, NewsKind, Typecode, Url, WaisForm,
    escape_for_display,
};

use super::parts;

/// The sentence. It never contains the password, and harmful characters are escaped.
pub(crate) fn meaning<'u>(url: &'u Url<&'u str>) -> impl fmt::Display + 'u {
    Meaning(url)
}

struct Meaning<'a>(&'a Url<&'a str>);

impl fmt::Display for Meaning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tls = if self.0.scheme().is_tls() { " over TLS" } else { "" };
        match self.0.locator() {
            Locator::Ftp(ftp) => self::ftp(ftp, tls, f),
            Locator::Http(http) => {
                let selector = http.selector();
                write!(f, "The resource `{selector}` of the http server {}, fetched by GET{tls}.", At(http.hostport()))
            }
            Locator::Gopher(gopher) => self::gopher(gopher, tls, f),
            Locator::Mailto(mailto) => write!(
                f,
                "The mail address {} at the domain {}; a mail program writes a message to it.",
                Quoted(mailto.local()),
                Quoted(mailto.domain())
            ),
            Locator::News(news) => {
                match news.kind() {
                    NewsKind::All => f.write_str("All available newsgroups")?,
                    NewsKind::Group(group) => write!(f, "The newsgroup `{group}`")?,
                    NewsKind::Article { unique, host } => write!(
                        f,
                        "The news article with the Message-ID `<{}@{}>`",
                        legible(unique, b"@>"),
                        escape_for_display(&host.decode())
                    )?,
                }
                match news.server() {
                    Some(server) => write!(f, ", on the news server {server}{tls}."),
                    None => f.write_str(", on the news server that the client is configured to use."),
                }
            }
            Locator::Nntp(nntp) => {
                match nntp.article() {
                    Some(number) => {
                        write!(f, "Article {number} of the newsgroup `{}`", nntp.group())?;
                    }
                    None => write!(f, "The newsgroup `{}`", nntp.group())?,
                }
                write!(f, " on the news server {}{tls}.", At(nntp.hostport()))
            }
            Locator::Telnet(telnet) => {
                write!(f, "An interactive session with {} by Telnet{tls}", At(telnet.login().hostport()))?;
                match telnet.login().user() {
                    Some(user) if user.is_empty() => f.write_str("; the user name is empty")?,
                    Some(user) => {
                        write!(
                            f,
                            "; the user name {} is advice for the user and is not sent automatically",
                            Quoted(user)
                        )?;
                    }
                    None => {}
                }
                f.write_str(".")
            }
            Locator::Wais(wais) => {
                match (wais.form(), wais.search(), wais.wtype()) {
                    (WaisForm::Index, Some(words), _) => write!(f, "The search for {} in the", Named(words))?,
                    (WaisForm::Doc, _, Some(wtype)) => write!(f, "A document of the type {} in the", Named(wtype))?,
                    _ => f.write_str("The searchable")?,
                }
                write!(f, " database {} of the WAIS server {}.", Named(wais.database()), At(wais.hostport()))
            }
            Locator::File(file) => {
                let mut segments = file.segments().peekable();
                let is_directory = file.segments().last().is_some_and(Encoded::is_empty);
                f.write_str(if is_directory { "The directory `" } else { "The file `" })?;
                while let Some(segment) = segments.next() {
                    let last = segments.peek().is_none();
                    if !(last && is_directory) {
                        write!(f, "/{}", legible(segment, parts::RESERVED))?;
                    } else {
                        f.write_str("/")?;
                    }
                }
                match file.host() {
                    Some(host) if !file.is_local() => {
                        write!(f, "` on the host {host}; a file URL does not say how to fetch it from there.")
                    }
                    _ => f.write_str("` on this machine."),
                }
            }
            Locator::Prospero(prospero) => {
                match prospero.hsoname() {
                    name if name.is_empty() => f.write_str("The unnamed object")?,
                    name => write!(f, "The object `{}`", legible(name, parts::RESERVED))?,
                }
                write!(f, " of the Prospero directory server {}", At(prospero.hostport()))?;
                for (i, (name, value)) in prospero.fields().enumerate() {
                    f.write_str(if i == 0 { ", with " } else { " and " })?;
                    write!(f, "{} = ", Named(name))?;
                    match value {
                        Some(value) => write!(f, "{}", Named(value))?,
                        None => f.write_str(EMPTY)?,
                    }
                }
                f.write_str("; the server says how to retrieve it.")
            }
            Locator::Other(other) => match other.login() {
                Some(login) => {
                    write!(f, "A resource on {}, with a scheme that RFC 1738 does not define.", At(login.hostport()))
                }
                None => f.write_str("A resource with a scheme that RFC 1738 does not define."),
            },
            // A scheme of a later RFC: its definition has a title.
            _ => {
                write!(f, "{}{tls}", self.0.scheme().title())?;
                match self.0.host() {
                    Some(host) => write!(f, ", from the host {host}."),
                    None => f.write_str("."),
                }
            }
        }
    }
}

/// A decoded part, in which the escapes of some characters stay.
fn legible(part: Encoded<'_>, kept: &[u8]) -> String {
    escape_for_display(&parts::legible(part.as_str().as_bytes(), kept)).to_string()
}

/// A decoded part in backticks, safe to display.
struct Quoted<'a>(Encoded<'a>);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", escape_for_display(&self.0.decode()))
    }
}

/// What stands for a part that is there and has no characters: two backticks would look like a mistake.
const EMPTY: &str = "<empty>";

/// A decoded part in backticks, or the word for an empty one.
struct Named<'a>(Encoded<'a>);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str(EMPTY) } else { Quoted(self.0).fmt(f) }
    }
}

/// The host, and the port if it is given.
struct At<'a>(Hostport<'a>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.host().fmt(f)?;
        match (self.0.port(), self.0.port_or_default()) {
            (Some(written), Some(port)) if !written.is_empty() => write!(f, " (port {port})"),
            _ => Ok(()),
        }
    }
}

fn ftp(ftp: Ftp<'_>, tls: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let host = At(ftp.login().hostport());
    let name = ftp.name().filter(|name| !name.is_empty());
    match (name, ftp.typecode()) {
        (Some(name), Some(Typecode::Directory)) => write!(f, "The directory listing of {}", Quoted(name))?,
        (Some(name), Some(Typecode::Ascii)) => write!(f, "The file {}, as text,", Quoted(name))?,
        (Some(name), Some(Typecode::Image)) => {
            write!(f, "The file {}, as binary,", Quoted(name))?;
        }
        (Some(name), None) => write!(f, "The file {}", Quoted(name))?,
        (None, _) => f.write_str("A directory listing")?,
    }
    write!(f, " by FTP{tls} from {host}: log in ")?;
    login(ftp.login(), f)?;
    for (i, cwd) in ftp.cwds().enumerate() {
        f.write_str(if i == 0 { ", change directory to " } else { ", then to " })?;
        match cwd.is_empty() {
            true => f.write_str("an empty name (a null argument)")?,
            false => write!(f, "{}", Quoted(cwd))?,
        }
    }
    f.write_str(match (name, ftp.typecode()) {
        (None, _) | (_, Some(Typecode::Directory)) => ", list.",
        _ => ", retrieve.",
    })
}

fn login(login: Login<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(user) = login.user() else { return f.write_str("as `anonymous`") };
    let and = match user.is_empty() {
        true => {
            f.write_str("with an empty user name")?;
            "and"
        }
        false => {
            write!(f, "as {}", Quoted(user))?;
            "with"
        }
    };
    match login.password() {
        None => f.write_str(" (you are asked for the password if the server requires one)"),
        Some(password) if password.is_empty() => write!(f, " {and} an empty password"),
        Some(_) => write!(f, " {and} the password in the URL"),
    }
}

/// The names of item types (RFC 1436 section 3.8 and current practice).
fn gopher_type(gtype: u8) -> &'static str {
    match gtype {
        b'0' => "text file",
        b'1' => "menu",
        b'2' => "CSO phone book",
        b'3' => "error",
        b'4' => "BinHex file",
        b'5' => "DOS archive",
        b'6' => "uuencoded file",
        b'7' => "search",
        b'8' => "telnet session",
        b'9' => "binary file",
        b'T' => "tn3270 session",
        b'g' => "GIF image",
        b'I' => "image",
        b'h' => "HTML page",
        b's' | b'<' => "sound",
        b'd' | b'P' => "document",
        b';' => "film",
        b':' => "bitmap",
        b'M' => "MIME message",
        b'i' => "informational line",
        b'+' => "duplicate server",
        _ => "item of unknown type",
    }
}

fn gopher(gopher: Gopher<'_>, tls: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let kind = gopher_type(gopher.gtype().unwrap_or(b'1'));
    let selector = gopher.selector().filter(|selector| !selector.is_empty());
    match gopher.plus() {
        None => f.write_str("The ")?,
        Some(GopherPlus::Default) => f.write_str("The default view of the ")?,
        Some(GopherPlus::Form) => f.write_str("The form to fill in for the ")?,
        Some(GopherPlus::Attributes(whose, names)) => {
            f.write_str(if names.is_empty() { "All attributes" } else { "The attributes" })?;
            for (i, name) in names.iter().enumerate() {
                write!(f, "{}`{}`", if i == 0 { " " } else { " and " }, escape_for_display(name))?;
            }
            f.write_str(match whose {
                Attributes::Item => " of the ",
                Attributes::Directory => " of every item of the ",
            })?;
        }
        Some(GopherPlus::View { view, language }) => {
            write!(f, "The view `{}`", escape_for_display(&view))?;
            if let Some(language) = language {
                write!(f, " in the language `{}`", escape_for_display(&language))?;
            }
            f.write_str(" of the ")?;
        }
        Some(GopherPlus::FilledForm { values, .. }) => {
            let plural = if values.len() == 1 { "" } else { "s" };
            write!(f, "The answer to a filled-in form with {} value{plural}, sent to the ", values.len())?;
        }
        Some(_) => {
            f.write_str("The answer to an unknown Gopher+ string sent to the ")?;
        }
    }
    match selector {
        Some(selector) => write!(f, "{kind} with the selector {}", Quoted(selector))?,
        None => write!(f, "{} {kind}", if kind == "menu" { "top" } else { "unnamed" })?,
    }
    if let Some(search) = gopher.search().filter(|search| !search.is_empty()) {
        write!(f, ", for the words {},", Quoted(search))?;
    }
    write!(f, " on the gopher server {}{tls}.", At(gopher.hostport()))
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
            meaning(&url).to_string(),
            "The text file with the selector `0/about.txt` on the gopher server host.dom."
        );
        let url = Url::parse("ftp://jim:s3cret@host.dom/%1B%5B2J").unwrap();
        assert_eq!(
            meaning(&url).to_string(),
            "The file `\\x1b[2J` by FTP from host.dom: log in as `jim` with the password in the URL, retrieve."
        );
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
                    let sentence = meaning(&url).to_string();
                    assert!(sentence.ends_with('.') && !sentence.contains(is_harmful), "{sentence}");
                    assert!(!sentence.starts_with("A resource of the scheme"), "{text} has no sentence of its own");
                    count += 1;
                }
            }
        }
        assert!(count > 500, "{count}");
    }
}
