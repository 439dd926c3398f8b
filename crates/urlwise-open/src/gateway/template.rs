//! Gateway templates: variables are inserted into the parts of a URL and cannot leave them.

use super::{GatewayError, REFERENCE, known};
use crate::language::{message, words};
use crate::protocol::setting_shown;
use std::borrow::Cow;
use std::ops::Range;
use urlwise::build::{self, nearest};
use urlwise::grammar::Production;
use urlwise::{Language, Message, Words};
use urlwise::{Profile, Scheme, Url};

/// A URL with variables, in pieces.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pieces: Vec<TemplatePiece>,
    /// The parts of the URL, at the offsets they have if every variable is one octet long.
    parts: Vec<TemplatePart>,
}

#[derive(Clone, Debug)]
enum TemplatePiece {
    Text(String),
    Value(Insert),
}

/// A variable and where it goes.
#[derive(Clone, Debug)]
struct Insert {
    variable: Variable,
    /// `{+name}`: as it is written.
    as_written: bool,
    slot: PartSlot,
}

/// How octets are encoded in a part.
#[derive(Clone, Copy, Debug)]
struct PartSlot {
    rule: &'static Production,
    /// The part contains slashes that divide it.
    is_path: bool,
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    Url,
    Scheme,
    Schemepart,
    Path,
    Port,
    Gtype,
    /// A part, by its name.
    Part(&'static str),
}

/// A part and its range. Parts divided only by slashes count as one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TemplatePart {
    name: &'static str,
    span: Range<usize>,
}

/// The name of a [`TemplatePart`] that contains slashes.
const PATH: &str = "path";

/// Why no URL can be made.
pub(super) struct TemplateError {
    pub(super) what: Message,
    pub(super) help: Words,
    pub(super) reference: &'static str,
    /// It could be made but must not be.
    pub(super) refused: bool,
}

/// The octet that stands for a variable while the template is parsed.
fn mark(name: &str) -> &'static str {
    if matches!(name, "port" | "article") { "1" } else { "x" }
}

/// `{` always begins a variable, because no URL contains it.
fn cut(text: &str) -> Result<Vec<(&str, Option<&str>)>, GatewayError> {
    let mut rest = text;
    let mut pieces = Vec::new();
    loop {
        let (before, after) = match rest.split_once('{') {
            Some((before, after)) => (before, Some(after)),
            None => (rest, None),
        };
        if before.contains('}') {
            let help = words!("write `%7D` for a literal brace");
            return Err(GatewayError::new(words!("unmatched `}`"), help));
        }
        let Some(after) = after else {
            pieces.push((before, None));
            return Ok(pieces);
        };
        let Some((name, after)) = after.split_once('}') else {
            let help = words!("close it with `}`, or write `%7B` for a literal brace");
            return Err(GatewayError::new(
                message!(
                    "`{text}` starts a variable but has no closing `}`",
                    text = format!("{{{}", setting_shown(after))
                ),
                help,
            ));
        };
        pieces.push((before, Some(name)));
        rest = after;
    }
}

/// Where in the template an octet of the URL stands in which each variable is one octet.
fn in_template(pieces: &[(&str, Option<&str>)], at: usize) -> usize {
    let (mut marked, mut place) = (0, 0);
    for (text, name) in pieces {
        if at <= marked + text.len() {
            break;
        }
        marked += text.len();
        place += text.len();
        if let Some(name) = name {
            marked += 1;
            place += name.len() + "{}".len();
        }
    }
    place + (at - marked)
}

impl Template {
    /// Parses the template of a scheme.
    pub(super) fn parse(text: &str, scheme: Scheme) -> Result<Template, GatewayError> {
        let pieces = cut(text)?;
        let marked: String = pieces.iter().flat_map(|(text, name)| [*text, name.map_or("", mark)]).collect();
        let url = Url::parse_with(marked.as_str(), Profile::Current).map_err(|error| {
            let problem = error.problem();
            let [start, end] = [problem.span().start, problem.span().end].map(|at| in_template(&pieces, at));
            let cause = message!(
                "{level}[{code}] at {start}..{end}: {message}",
                level = Message::of_each(|language| problem.level().name_in(language)),
                code = problem.code(),
                start = start,
                end = end,
                message = Message::of_each(|language| problem.message_in(language))
            );
            GatewayError::new(
                message!("the template is not a valid URL: {cause}", cause = cause),
                words!("write an absolute URL, as in `http://gateway.example/wais?{url}`"),
            )
        })?;
        let mut template = Template { pieces: Vec::new(), parts: places(&url) };
        let mut at = 0;
        for (text, name) in pieces {
            template.pieces.push(TemplatePiece::Text(text.to_owned()));
            at += text.len();
            if let Some(name) = name {
                template.pieces.push(TemplatePiece::Value(insert(name, scheme, &url, at)?));
                at += 1;
            }
        }
        // A login without a scheme before it is a URL of the scheme that its user names.
        known(&url.scheme_name().to_ascii_lowercase())?;
        Ok(template)
    }

    /// The URL through which this one is opened.
    pub(super) fn fill(&self, url: &Url<&str>) -> Result<Url<String>, TemplateError> {
        let mut text = String::new();
        // The new offset of each octet of the template and of its end.
        let mut moved = Vec::new();
        let mut values = Vec::new();
        for piece in &self.pieces {
            let start = text.len();
            match piece {
                TemplatePiece::Text(octets) => {
                    text.push_str(octets);
                    moved.extend(start..text.len());
                }
                TemplatePiece::Value(insert) if insert.variable == Variable::Path && !has_host(url) => {
                    return Err(TemplateError {
                        what: words!("`{path}` is what follows a host, and this URL has none").into(),
                        help: words!("use `{schemepart}` in the template"),
                        reference: REFERENCE,
                        refused: true,
                    });
                }
                TemplatePiece::Value(insert) => {
                    insert.write(url, &mut text);
                    moved.push(start);
                    values.push((start..text.len(), insert.slot.is_path));
                }
            }
        }
        moved.push(text.len());
        let made = Url::parse_with(text, Profile::Current).map_err(|error| TemplateError {
            what: message!(
                "the expanded template is not a valid URL: {cause}",
                cause = Message::of_each(|language| match language {
                    Language::En => error.problem().to_string(),
                    _ => error.problem().message_in(language).to_string(),
                })
            ),
            help: words!("change the template; `urlwise schemes` shows it"),
            reference: REFERENCE,
            refused: false,
        })?;
        let expected = self
            .parts
            .iter()
            .map(|place| TemplatePart { name: place.name, span: moved[place.span.start]..moved[place.span.end] });
        if !expected.eq(places(&made)) {
            return Err(TemplateError {
                what: words!("a part of this URL would change the structure of the expanded template").into(),
                help: words!("write the variable without `+` or in another place"),
                reference: REFERENCE,
                refused: true,
            });
        }
        let climbs = |(value, is_path): &(Range<usize>, bool)| *is_path && has_dots(made.as_str(), value);
        if values.iter().any(climbs) {
            return Err(TemplateError {
                what: words!("a part of this URL would become a `.` or `..` segment of the expanded template").into(),
                help: words!("use a URL without such segments"),
                reference: "E-15",
                refused: true,
            });
        }
        Ok(made)
    }
}

/// Whether a value is part of a segment that is `.` or `..` in any spelling.
fn has_dots(text: &str, value: &Range<usize>) -> bool {
    let start = text[..value.start].rfind('/').map_or(0, |slash| slash + 1);
    let end = text[value.end..].find(['/', '?']).map_or(text.len(), |length| value.end + length);
    // Some servers decode before they split, and cut names at the `;`.
    let octets = urlwise::decode(&text.as_bytes()[start..end]);
    let mut names =
        octets.split(|octet| b"/\\".contains(octet)).filter_map(|name| name.split(|octet| *octet == b';').next());
    names.any(|name| matches!(name, b"." | b".."))
}

/// The parts of a URL, with those divided by slashes as one.
fn places(url: &Url<impl AsRef<str>>) -> Vec<TemplatePart> {
    let mut places: Vec<TemplatePart> = Vec::new();
    for part in url.borrow().parts().filter(|part| !part.is_divided()) {
        let name = if is_path(part.name()) { PATH } else { part.name() };
        match places.last_mut() {
            Some(last) if last.name == name => last.span.end = part.span().end,
            _ => places.push(TemplatePart { name, span: part.span() }),
        }
    }
    places
}

/// Whether a part contains segments, or is a segment.
fn is_path(name: &str) -> bool {
    matches!(name, "cwds" | "name" | "segments" | "urlpath")
}

/// The variable of this name at this offset of the marked template.
fn insert(name: &str, scheme: Scheme, target: &Url<&str>, at: usize) -> Result<Insert, GatewayError> {
    let (name, as_written) = name.strip_prefix('+').map_or((name, false), |name| (name, true));
    let variable = variable(name, scheme)?;
    let part = target.parts().filter(|part| !part.is_divided()).find(|part| part.span().contains(&at));
    let Some(part) = part else {
        let what = message!("`{variable}` is not inside a part of the URL", variable = braced(name));
        return Err(GatewayError::new(what, words!("write the scheme and the delimiters literally")));
    };
    // Nothing but the variable.
    let whole = part.span() == (at..at + 1);
    let fits = match part.name() {
        "user" | "password" => false,
        "host" if target.scheme().base() != Scheme::News => {
            whole && variable == Variable::Part("host") && scheme.base() != Scheme::News
        }
        "port" => whole && variable == Variable::Port,
        _ => true,
    };
    let kind = build::parts(target.scheme()).find(|kind| kind.contract_name() == part.name());
    match kind {
        Some(kind) if fits => {
            let slot = PartSlot { rule: kind.value_rule().unwrap_or(kind.rule()), is_path: is_path(part.name()) };
            Ok(Insert { variable, as_written, slot })
        }
        _ => {
            let what = message!(
                "`{variable}` is not allowed in the {part} of the gateway's URL",
                variable = braced(name),
                part = Message::of_each(|language| part.label_in(language))
            );
            let help =
                words!("write host and login literally; only `{host}` and `{port}` may replace a whole host or port");
            Err(GatewayError::new(what, help))
        }
    }
}

/// The variables of a scheme, each with its name.
fn variables(scheme: Scheme) -> Vec<(&'static str, Variable)> {
    let mut variables =
        vec![("url", Variable::Url), ("scheme", Variable::Scheme), ("schemepart", Variable::Schemepart)];
    let kinds = build::parts(scheme);
    let has = |name| kinds.clone().any(|kind| kind.name() == name);
    if has("host") && scheme.base() != Scheme::News {
        variables.push((PATH, Variable::Path));
    }
    for kind in kinds.filter(|kind| !kind.is_list()) {
        match kind.name() {
            "user" | "password" | "schemepart" => {}
            "port" => variables.push(("port", Variable::Port)),
            "gtype" => variables.push(("gtype", Variable::Gtype)),
            name => variables.push((name, Variable::Part(kind.contract_name()))),
        }
    }
    variables
}

fn variable(name: &str, scheme: Scheme) -> Result<Variable, GatewayError> {
    let variables = variables(scheme);
    if let Some((_, variable)) = variables.iter().find(|(known, _)| *known == name) {
        return Ok(*variable);
    }
    if matches!(name, "user" | "password") {
        let what = message!(
            "`{variable}` is not a variable: a login is only for the host of the URL, not for the gateway",
            variable = braced(name)
        );
        return Err(GatewayError::new(what, words!("put the login of the gateway into a netrc file")));
    }
    let names = || variables.iter().map(|(name, _)| *name);
    let list: Vec<_> = names().map(braced).collect();
    let list = list.join(" ");
    let help = match nearest(name, names()) {
        Some(near) => message!("use one of {list}; did you mean `{near}`?", list = list, near = braced(near)),
        None => message!("use one of {list}", list = list),
    };
    let variable = braced(&setting_shown(name));
    let what = match scheme.name() {
        Some(scheme) => {
            message!("`{variable}` is not a variable of {scheme} URLs", variable = variable, scheme = scheme)
        }
        None => message!("`{variable}` is not a variable of such URLs", variable = variable),
    };
    Err(GatewayError::new(what, help))
}

/// A variable as templates write it.
fn braced(name: &str) -> String {
    format!("{{{name}}}")
}

impl Insert {
    /// Appends the encoded value.
    fn write(&self, url: &Url<&str>, text: &mut String) {
        let value = self.variable.value(url);
        let PartSlot { rule, is_path } = self.slot;
        if !rule.has_escapes() {
            // A host is never encoded: one that needs encoding makes the URL invalid.
            text.push_str(&value.written);
            return;
        }
        if !self.as_written {
            let octets = if value.is_encoded {
                urlwise::decode(value.written.as_bytes())
            } else {
                value.written.as_bytes().into()
            };
            octets
                .iter()
                .for_each(|&octet| push(text, octet, octet.is_ascii_alphanumeric() || b"-_.".contains(&octet)));
            return;
        }
        for (at, octet) in value.written.bytes().enumerate() {
            let is_escape = || {
                let digits = value.written.as_bytes().get(at + 1..at + 3);
                digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
            };
            let stays = match octet {
                b'%' => is_escape(),
                b'/' if is_path => true,
                _ => rule.allows(octet, Profile::Current),
            };
            push(text, octet, stays);
        }
    }
}

/// Appends an octet, encoded unless it may stay raw.
fn push(text: &mut String, octet: u8, stays: bool) {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    if stays && octet.is_ascii() {
        text.push(char::from(octet));
    } else {
        text.extend(['%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
    }
}

/// The value of a variable in a URL.
struct Value<'u> {
    /// Empty where the part is absent.
    written: Cow<'u, str>,
    /// Whether escapes in `written` stand for octets.
    is_encoded: bool,
}

impl Variable {
    fn value<'u>(self, url: &'u Url<&str>) -> Value<'u> {
        let part = |name| url.parts().find(|part| part.name() == name);
        let text = |written| Value { written, is_encoded: false };
        match self {
            Variable::Url => text(without_login(url, 0)),
            Variable::Schemepart => text(without_login(url, url.scheme_name().len() + 1)),
            Variable::Scheme => text(url.scheme_name().to_ascii_lowercase().into()),
            Variable::Path => text(path(url).into()),
            Variable::Port => text(url.port_or_default().map(|port| port.to_string()).unwrap_or_default().into()),
            Variable::Gtype if part("gtype").is_none() => text("1".into()),
            Variable::Gtype => Variable::Part("gtype").value(url),
            Variable::Part(name) => {
                let part = part(name);
                let written = part.as_ref().map_or("", |part| &url.as_str()[part.span()]);
                Value { written: written.into(), is_encoded: part.is_some_and(|part| part.is_encoded()) }
            }
        }
    }
}

/// The text from an offset on, without the user and the password.
fn without_login<'u>(url: &'u Url<&str>, from: usize) -> Cow<'u, str> {
    let text = url.as_str();
    let start = |name| url.parts().find(|part| part.name() == name).map(|part| part.span().start);
    match (start("user"), start("host")) {
        (Some(user), Some(host)) => [&text[from..user], &text[host..]].concat().into(),
        _ => text[from..].into(),
    }
}

/// Whether a host, which may be empty, is written in the URL.
fn has_host(url: &Url<&str>) -> bool {
    url.parts().any(|part| part.name() == "host")
}

/// What follows the host and its slash, to the search of http and the type of ftp.
fn path<'u>(url: &'u Url<&str>) -> &'u str {
    let text = url.as_str();
    let spans = |name: &str| url.parts().filter(move |part| part.name() == name).last().map(|part| part.span());
    let Some(behind) = spans("port").or_else(|| spans("host")).map(|span| span.end) else {
        return "";
    };
    let Some(start) = text[behind..].starts_with('/').then_some(behind + 1) else {
        return "";
    };
    let end = ["name", "path", "urlpath"].into_iter().find_map(spans).map_or(text.len(), |span| span.end);
    &text[start..end]
}
