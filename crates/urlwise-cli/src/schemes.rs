//! `urlwise schemes`: lists the schemes of section 3, section 4 and the profile `current`.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::Value;
use unicode_width::UnicodeWidthStr;
use urlwise::registry::Reserved;
use urlwise::{Profile, Scheme};
use urlwise_explain::wrap;
use urlwise_open::{Gateway, Gateways, opens};

use crate::context::Context;
use crate::exit::Outcome;
use crate::json::{self, Object};
use crate::language::{language, words};
use crate::style;

/// The least columns of a port, of the number of an RFC, and of a scheme that has a gateway.
const PORT: usize = 4;
const RFC: usize = 4;
const NAME: usize = 8;

/// Lists every scheme, every reserved name, and the gateways.
pub(crate) fn show(options: &urlwise_open::Options, context: &Context, out: &mut dyn Write) -> io::Result<Outcome> {
    let gateways = &options.gateways;
    if !context.json {
        out.write_all(table(gateways, context).as_bytes())?;
        return Ok(Outcome::Fine);
    }
    for scheme in Scheme::ALL {
        json::write_line(out, &scheme_object(*scheme, gateways))?;
    }
    for reserved in without_syntax() {
        json::write_line(out, &reserved_object(reserved, gateways))?;
    }
    for gateway in gateways.iter().filter(|gateway| is_other(gateway)) {
        json::write_line(out, &other_object(gateway))?;
    }
    Ok(Outcome::Fine)
}

/// The reserved names that are still without a syntax: one that has become a scheme is listed as such.
fn without_syntax() -> impl Iterator<Item = &'static Reserved> {
    let is_scheme = |name: &str| Scheme::from_name(name.as_bytes(), Profile::Current) != Scheme::Other;
    Reserved::ALL.iter().filter(move |reserved| !is_scheme(reserved.name))
}

/// Whether the scheme is neither known nor reserved.
fn is_other(gateway: &Gateway) -> bool {
    let is_reserved = Reserved::ALL.iter().any(|reserved| reserved.name == gateway.scheme());
    Scheme::from_name(gateway.scheme().as_bytes(), Profile::Current) == Scheme::Other && !is_reserved
}

/// The groups of schemes and a note about other names, in lines of at most 60 columns; then the gateways, whose templates may be
/// longer.
fn table(gateways: &Gateways, context: &Context) -> String {
    let language = context.look.language;
    let mut text = String::new();
    let heading = |title| context.look.paint(style::URL, title);
    let columns = |names: String| context.look.paint(style::DIM, names);
    let name = |name, width| context.look.paint(style::LABEL, format!("{name:width$}"));
    // Writing to a String cannot fail.
    let groups = [
        (words!("RFC 1738 schemes, in both profiles"), Scheme::RFC1738),
        (words!("Schemes of later RFCs, only in the profile `current`"), Scheme::LATER),
        (words!("Schemes over TLS, only in the profile `current`"), Scheme::SIBLINGS),
    ];
    let header = [words!("scheme"), words!("port"), words!("section"), words!("open"), words!("title")];
    let header = header.map(|cell| cell.get(language));
    let [of_schemes, of_ports, of_sections, of_opens, _] = header.each_ref().map(|cell| cell.width());
    let names = Scheme::ALL.iter().filter_map(|scheme| scheme.name());
    let width = names.map(str::len).fold(of_schemes, usize::max);
    let ports = of_ports.max(PORT);
    let sections = Scheme::ALL.iter().map(|scheme| short_section(*scheme).len()).fold(of_sections, usize::max);
    let answers = [words!("gate"), words!("yes"), words!("no")].map(|answer| answer.get(language).width());
    let opened = answers.into_iter().fold(of_opens, usize::max);
    let header = row(header.each_ref().map(|cell| &**cell), [width, ports, sections, opened]);
    for (title, schemes) in groups.into_iter().filter(|(_, schemes)| !schemes.is_empty()) {
        let _ = writeln!(text, "{}\n{}", heading(title.get(language)), columns(header.clone()));
        for scheme in schemes {
            let port = scheme.default_port().map_or_else(|| "-".into(), |port| port.to_string());
            let opens = match scheme.name().and_then(|name| gateways.get(name)) {
                Some(_) => words!("gate"),
                None if opens(*scheme) => words!("yes"),
                None => words!("no"),
            };
            let (section, title) = (short_section(*scheme), scheme.title_in(language));
            let cells = [&format!("{port:>ports$}"), section.as_str(), &opens.get(language), &title];
            let _ = writeln!(
                text,
                "{}  {}",
                name(scheme.name().unwrap_or_default(), width),
                row(cells, [ports, sections, opened]),
            );
        }
        text.push('\n');
    }
    let title = words!("Names reserved by section 4 without a syntax").get(language);
    let width = without_syntax().map(|reserved| reserved.name.len()).fold(of_schemes, usize::max);
    let header = row([&words!("scheme").get(language), "RFC", &words!("title").get(language)], [width, RFC]);
    let _ = writeln!(text, "{}\n{}", heading(title), columns(header));
    for reserved in without_syntax() {
        let later = reserved.later.map_or("-", |later| later.trim_start_matches("RFC "));
        let _ = writeln!(text, "{}  {later:RFC$}  {}", name(reserved.name, width), reserved.title_in(language));
    }
    let others = words!("Any other name is read by the generic syntax of section 5.").get(language);
    let experimental = words!("Names that start with `x-` are experimental (section 4).").get(language);
    let _ = writeln!(text, "\n{others}\n{experimental}");
    let width = gateways.iter().map(|gateway| gateway.scheme().len()).fold(of_schemes.max(NAME), usize::max);
    if gateways.iter().len() > 0 {
        let title = words!("Opened through a gateway (from your settings)").get(language);
        let header = row([&words!("scheme").get(language), &words!("gateway").get(language)], [width]);
        let _ = writeln!(text, "\n{}\n{}", heading(title), columns(header));
    }
    for gateway in gateways.iter() {
        let _ = writeln!(text, "{}  {gateway}", name(gateway.scheme(), width));
    }
    text
}

/// Cells two columns apart, each but the last as wide as it is wanted.
fn row<const CELLS: usize, const WIDTHS: usize>(cells: [&str; CELLS], widths: [usize; WIDTHS]) -> String {
    let mut row = String::new();
    let widths = widths.into_iter().map(Some).chain([None]);
    for (cell, width) in cells.into_iter().zip(widths) {
        row.push_str(cell);
        if let Some(width) = width {
            wrap::blank(&mut row, width.saturating_sub(cell.width()) + 2);
        }
    }
    row
}

/// `RFC1288` instead of `RFC 1288`, for a narrow column.
fn short_section(scheme: Scheme) -> String {
    scheme.section().replace(' ', "")
}

/// The field `status` of a scheme.
fn status(scheme: Scheme) -> &'static str {
    match (scheme.is_tls(), scheme.since()) {
        (true, _) => "sibling",
        (false, Profile::Rfc1738) => "defined",
        (false, Profile::Current) => "later",
    }
}

fn scheme_object(scheme: Scheme, gateways: &Gateways) -> Object {
    let gateway = scheme.name().and_then(|name| gateways.get(name));
    let profiles = Profile::ALL.iter().copied().filter(|profile| scheme.is_known_by(*profile));
    let mut object = Object::new();
    object.insert("scheme".into(), scheme.name().into());
    object.insert("status".into(), status(scheme).into());
    object.insert("title".into(), scheme.title_in(language()).into());
    object.insert("base".into(), scheme.base().name().into());
    object.insert("default_port".into(), scheme.default_port().into());
    object.insert("section".into(), scheme.section().into());
    object.insert("profiles".into(), profiles.map(Profile::name).collect());
    object.insert("opens".into(), (gateway.is_some() || opens(scheme)).into());
    object.insert("later".into(), Value::Null);
    object.insert("gateway".into(), gateway.map(ToString::to_string).into());
    object
}

fn reserved_object(reserved: &Reserved, gateways: &Gateways) -> Object {
    let gateway = gateways.get(reserved.name);
    let mut object = Object::new();
    object.insert("scheme".into(), reserved.name.into());
    object.insert("status".into(), "reserved".into());
    object.insert("title".into(), reserved.title_in(language()).into());
    object.insert("base".into(), Value::Null);
    object.insert("default_port".into(), Value::Null);
    object.insert("section".into(), "4".into());
    object.insert("profiles".into(), Value::Array(Vec::new()));
    object.insert("opens".into(), (gateway.is_some() || opens(Scheme::Other)).into());
    object.insert("later".into(), reserved.later.into());
    object.insert("gateway".into(), gateway.map(ToString::to_string).into());
    object
}

/// A scheme that is known only because it has a gateway.
fn other_object(gateway: &Gateway) -> Object {
    let mut object = Object::new();
    object.insert("scheme".into(), gateway.scheme().into());
    object.insert("status".into(), "other".into());
    object.insert("title".into(), Value::Null);
    object.insert("base".into(), Value::Null);
    object.insert("default_port".into(), Value::Null);
    object.insert("section".into(), "5".into());
    object.insert("profiles".into(), Value::Array(Vec::new()));
    object.insert("opens".into(), true.into());
    object.insert("later".into(), Value::Null);
    object.insert("gateway".into(), gateway.to_string().into());
    object
}

#[cfg(test)]
mod tests {
    use urlwise::Language;

    use super::*;
    use crate::style::Look;

    fn table_in(language: Language) -> String {
        let look = Look { ascii: true, width: 60, language, ..Look::default() };
        table(
            &Gateways::default(),
            &Context {
                profile: Profile::Rfc1738,
                asked: None,
                all_problems: false,
                json: false,
                show_secrets: false,
                look,
            },
        )
    }

    #[test]
    fn cells_stand_below_their_headings_in_every_language() {
        for language in Language::ALL {
            let text = table_in(*language);
            let title = words!("title").get(*language);
            let mut column = 0;
            let mut seen = 0;
            for line in text.lines() {
                if let Some(before) = line.strip_suffix(&*title) {
                    column = before.width();
                }
                let name = line.split(' ').next().unwrap_or_default();
                let scheme = Scheme::ALL.iter().find(|scheme| scheme.name() == Some(name));
                let reserved = Reserved::ALL.iter().find(|reserved| reserved.name == name);
                let title = scheme.map(|scheme| scheme.title_in(*language));
                let Some(title) = title.or_else(|| reserved.map(|reserved| reserved.title_in(*language))) else {
                    continue;
                };
                let before = line.strip_suffix(&*title).expect("the title comes last");
                assert_eq!(before.width(), column, "{language:?}: {line}");
                seen += 1;
            }
            assert_eq!(
                seen,
                Scheme::ALL.iter().filter(|scheme| scheme.name().is_some()).count() + without_syntax().count()
            );
        }
    }

    #[test]
    fn the_table_has_at_most_60_columns_and_every_name() {
        let text = table_in(Language::En);
        assert_eq!(text.lines().find(|line| line.len() > 60), None);
        let schemes = Scheme::ALL.iter().filter_map(|scheme| scheme.name());
        for name in schemes.chain(Reserved::ALL.iter().map(|reserved| reserved.name)) {
            let named = text.lines().filter(|line| line.split(' ').next() == Some(name));
            assert_eq!(named.count(), 1, "{name}");
        }
        assert!(text.is_ascii());
    }
}
