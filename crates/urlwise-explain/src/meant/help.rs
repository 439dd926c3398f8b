//! The one `help:` below the problems of a text.

use std::borrow::Cow;
use std::ops::Range;

use urlwise::{Change, Language, RepairError, Repaired, Suggestion, Verdict, Words};
use urlwise_readings::Reader;

use super::{Meant, QUOTED, asked_about, cited, diff, done, placed, shown, why};
use crate::drawn::FRAMED;
use crate::language::{filled, list_with_and, listed, words};
use crate::secret::{self, Secrets};
use crate::style::{self, FRAME, Look};
use crate::wrap;
use diff::Side;

/// More reasons than this are counted.
const REASONS: usize = 6;

/// What stands below the problems of a text.
pub struct Help {
    /// All its lines.
    pub text: String,
    /// The decisions that it cites.
    pub cited: Vec<&'static str>,
}

impl Meant<'_> {
    /// The repaired URL as a diff with all changes; otherwise what may have been meant, and why there is no repaired URL.
    /// `None` if there is nothing to say. `drawn` are the codes of the problems above it.
    pub fn help(&self, drawn: &[&str], look: Look) -> Option<Help> {
        match &self.verdict {
            Verdict::Repaired(repaired) => Some(self.written(repaired, drawn, look)),
            Verdict::Valid { .. } => match self.suggestions() {
                [] => None,
                suggestions => Some(Help { text: self.asked(suggestions, look), cited: Vec::new() }),
            },
            Verdict::Refused(refused) => Some(Help {
                text: self.kept(refused, drawn, look),
                cited: refused.decision().filter(|_| !drawn.contains(&refused.code())).into_iter().collect(),
            }),
        }
    }

    /// That nothing is repaired and nothing suggested; `None` if something is. `drawn` are the codes of the problems above it.
    pub fn unchanged_in(&self, drawn: &[&str], language: Language) -> Option<String> {
        let refused = self.refused().filter(|refused| refused.suggestions().is_empty())?;
        Some(unchanged(refused, drawn.contains(&refused.code()), language))
    }

    /// Why there is no URL, with the section and the decision, and what to do about it; `None` if the problems say it.
    pub fn objection_in(&self, drawn: &[&str], language: Language) -> Option<(String, Option<Cow<'static, str>>)> {
        let refused = self.objection(drawn)?;
        let reason = cited(&refused.message_in(language), refused.section(), refused.decision(), language);
        Some((reason, refused.help_in(language)))
    }

    /// One reading.
    fn written(&self, repaired: &Repaired<'_>, drawn: &[&str], look: Look) -> Help {
        let url = repaired.url().as_str().as_bytes();
        let secrets = |octets: &[u8]| Secrets::of_url(octets, self.show_secrets);
        let (before, after) = (secrets(self.input), secrets(url));
        let changes: Vec<_> = placed(repaired.changes()).collect();
        let has_secrets = !(before.is_empty() && after.is_empty());
        let is_masked =
            |(change, now): &Placed<'_, '_>| has_secrets && (before.touch(&change.span()) || after.touch(now));
        // Two equal lines would say that nothing is changed.
        let are_masked = changes.iter().all(is_masked);
        let language = look.language;
        let words = match are_masked {
            true => words!("only the password changes; `urlwise repair` prints the URL"),
            false => words!("write it like this; `urlwise repair` prints the URL"),
        };
        let mut text = title(&words.get(language), look);
        let kinds = kinds(&changes, is_masked, drawn);
        let more = kinds.len() > REASONS;
        let kinds = &kinds[..kinds.len().min(REASONS)];
        let cited = kinds.iter().filter_map(|kind| kind[0].0.decision()).collect();
        let reasons: Vec<_> = kinds.iter().map(|kind| reason(kind, &before, &after, language)).collect();
        if !are_masked {
            text += &diff::draw(
                &Side {
                    octets: self.input,
                    changed: changes.iter().map(|(change, _)| change.span()).collect(),
                    secrets: before,
                },
                &Side { octets: url, changed: changes.iter().map(|(_, now)| now.clone()).collect(), secrets: after },
                look,
            );
        }
        for reason in &reasons {
            text += &note(NOTE, reason, look);
        }
        if more {
            text += &note(NOTE, &words!("and more; `urlwise repair` lists all changes").get(language), look);
        }
        Help { text, cited }
    }

    /// Only guesses.
    fn asked(&self, suggestions: &[Suggestion], look: Look) -> String {
        let language = look.language;
        let urls: Vec<_> = suggestions.iter().map(|suggestion| self.suggested(suggestion, language)).collect();
        let mut text = title(&asked_about(&urls, language), look);
        if let [one] = suggestions {
            let url = one.url().as_bytes();
            let (was, now) = diff::differing(self.input, url);
            let side = |octets, changed| Side {
                octets,
                changed: vec![changed],
                secrets: Secrets::of_url(octets, self.show_secrets),
            };
            text += &diff::draw(&side(self.input, was), &side(url, now), look);
        }
        for (suggestion, url) in suggestions.iter().zip(&urls) {
            let why = match suggestions {
                [_] => suggestion.why_in(language).into_owned(),
                _ => filled!(language, "{url}: {why}", url = url, why = suggestion.why_in(language)).text(),
            };
            text += &note(NOTE, &why, look);
        }
        text
    }

    /// No reading, or several.
    fn kept(&self, refused: &RepairError, drawn: &[&str], look: Look) -> String {
        let is_drawn = drawn.contains(&refused.code());
        let language = look.language;
        let mut text = match refused.suggestions() {
            [] => title(&unchanged(refused, is_drawn, language), look),
            suggestions => self.asked(suggestions, look),
        };
        if let Some((reason, help)) = self.objection_in(drawn, language) {
            text += &note(NOTE, &reason, look);
            if let Some(help) = help {
                text += &note(HELP, &help, look);
            }
        }
        // A URL for one host that a program opens at another is what people have to know before they choose.
        let disagreement = match self.host {
            Some(host) => urlwise_readings::disagreement_about(self.input, host, self.profile, &self.readers),
            None => urlwise_readings::disagreement_by(self.input, self.profile, &self.readers),
        };
        if let Some(readings) = disagreement {
            let words = match *self.readers == *Reader::STANDARDS {
                true => words!("standards disagree about this text: {readings}"),
                false => words!("readers disagree about this text: {readings}"),
            };
            let disagreement = words.filled(language, |_, f| write!(f, "{}", readings.in_language(language)));
            text += &note(NOTE, &disagreement.to_string(), look);
        }
        text
    }
}

/// A change, and where its octets stand now.
type Placed<'c, 'a> = (&'c Change<'a>, Range<usize>);

/// Changes with one reason share a note, in the order of the first ones. There are only so many reasons.
///
/// Problems that are drawn have given the reason, unless it is about a password: the diff does not show its changes either.
fn kinds<'p, 'c, 'a>(
    changes: &'p [Placed<'c, 'a>],
    is_masked: impl Fn(&Placed<'c, 'a>) -> bool,
    drawn: &[&str],
) -> Vec<Vec<&'p Placed<'c, 'a>>> {
    struct Kind<'p, 'c, 'a> {
        first: &'c Change<'a>,
        is_drawn: bool,
        noted: Vec<&'p Placed<'c, 'a>>,
    }
    let mut kinds: Vec<Kind<'p, 'c, 'a>> = Vec::new();
    for one in changes {
        let change = one.0;
        let known = kinds.iter().position(|kind| kind.first.is_like(change));
        let kind = known.unwrap_or_else(|| {
            kinds.push(Kind { first: change, is_drawn: drawn.contains(&change.code()), noted: Vec::new() });
            kinds.len() - 1
        });
        if !kinds[kind].is_drawn || is_masked(one) {
            kinds[kind].noted.push(one);
        }
    }
    let mut noted: Vec<_> = kinds.into_iter().map(|kind| kind.noted).filter(|noted| !noted.is_empty()).collect();
    noted.sort_by_key(|noted| noted[0].1.start);
    noted
}

/// The kinds of lines below a help.
const NOTE: Words = words!("note");
const HELP: Words = words!("help");

/// What changes with one reason do, and why: "removed `<` and `>`: the `<` and `>` around an address are not part of it".
fn reason(kind: &[&Placed<'_, '_>], before: &Secrets, after: &Secrets, language: Language) -> String {
    const NAMED: usize = 3;
    let is_removal = kind.iter().all(|(change, _)| change.now().is_empty() && !before.touch(&change.span()));
    // What the named ones change; `None` for what is masked. A text may make ten thousand changes, most of them again and again.
    let mut named: Vec<Done<'_>> = Vec::new();
    let mut all: Vec<String> = Vec::new();
    let mut others = false;
    for (change, now) in kind {
        let is_masked = before.touch(&change.span()) || after.touch(now);
        let what = (!is_masked).then(|| (change.was(), change.now()));
        if named.iter().any(|named| are_same(*named, what)) {
            continue;
        }
        let one = match is_removal {
            true => format!("`{}`", shown(change.was(), language)),
            false => done(change, now, before, after, language),
        };
        if all.contains(&one) {
            continue;
        }
        others = all.len() == NAMED;
        if others {
            break;
        }
        named.push(what);
        all.push(one);
    }
    let comma = words!(", ");
    let list = match (others, &all[..]) {
        (true, _) => listed(&all, [comma; 2], language) + &words!(" and others").get(language),
        (false, _) if is_removal => {
            let mut list = String::new();
            // Writing to a String cannot fail.
            let _ = list_with_and(all.iter(), language, &mut list);
            list
        }
        // Not every language joins sentences as it joins nouns.
        (false, [before @ .., last]) if !before.is_empty() => {
            let before = listed(before, [comma; 2], language);
            filled!(language, "{changes} and {change}", changes = before, change = last).text()
        }
        (false, _) => all.concat(),
    };
    let why = why(kind[0].0, language);
    match is_removal {
        true => filled!(language, "removed {list}: {why}", list = list, why = why).text(),
        false => filled!(language, "{done}: {why}", done = list, why = why).text(),
    }
}

/// What a change does: the octets that were there, and those that are there now; `None` if it is not shown.
type Done<'c> = Option<(&'c [u8], &'c str)>;

/// Whether two changes do the same. Octet by octet, since most are few: to call for a comparison takes some processors as long as a
/// hundred of them.
fn are_same(one: Done<'_>, other: Done<'_>) -> bool {
    match (one, other) {
        (Some((was, now)), Some((other_was, other_now))) => {
            was.iter().eq(other_was) && now.bytes().eq(other_now.bytes())
        }
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// That nothing is repaired; `is_drawn` if a problem says why.
fn unchanged(refused: &RepairError, is_drawn: bool, language: Language) -> String {
    match is_drawn {
        true => {
            filled!(language, "`urlwise repair` changes nothing, because of `{code}`", code = refused.code()).text()
        }
        false => words!("`urlwise repair` changes nothing, because the text has more than one reading or none")
            .get(language)
            .into(),
    }
}

fn title(text: &str, look: Look) -> String {
    let help = &HELP.get(look.language);
    let columns = wrap::width_of(help) + 2;
    let mut title = format!("{}{}", look.paint(style::HELP, help), words!(": ").get(look.language));
    wrap::push(&mut title, text, look.width - columns, columns);
    title + "\n"
}

fn note(kind: Words, text: &str, look: Look) -> String {
    let kind = &kind.get(look.language);
    let columns = FRAMED + wrap::width_of(kind);
    let mut note = format!("{} {kind}{}", look.paint(FRAME, " ="), words!(": ").get(look.language));
    wrap::push(&mut note, text, look.width - columns, columns);
    note + "\n"
}

/// A refusal in one line, as `repair` and `get` report it: the text, the reason, the way to write it.
pub fn refusal(input: &[u8], refused: &RepairError, meant: &Meant<'_>) -> String {
    refusal_in(input, refused, meant, Language::En)
}

/// [`refusal`], in a language.
pub fn refusal_in(input: &[u8], refused: &RepairError, meant: &Meant<'_>, language: Language) -> String {
    let text = secret::elided_in(input, meant.show_secrets, QUOTED, language);
    let refused = refused.display_in(language);
    match meant.question_in(language) {
        Some(question) => {
            filled!(language, "{text}: {refused}; {question}", text = text, refused = refused, question = question,)
                .text()
        }
        None => filled!(language, "{text}: {refused}", text = text, refused = refused).text(),
    }
}
