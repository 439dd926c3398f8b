//! The one `help:` below the problems of a text.

use std::fmt::Write as _;
use std::ops::Range;

use urlwise::{Change, RepairError, Repaired, Suggestion, Verdict};
use urlwise_readings::Reader;

use super::{Meant, QUOTED, diff, done, placed, shown, source, why};
use crate::secret::{self, Secrets};
use crate::style::Look;
use crate::wrap;
use diff::Side;

/// More reasons than this are counted.
const REASONS: usize = 6;
/// The columns before the text of a note, and before that of the title.
const NOTE: usize = 9;
const TITLE: usize = 6;

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

    /// One reading.
    fn written(&self, repaired: &Repaired<'_>, drawn: &[&str], look: Look) -> Help {
        let url = repaired.url().as_str().as_bytes();
        let secrets = |octets: &[u8]| Secrets::of(octets, self.show_secrets);
        let (before, after) = (secrets(self.input), secrets(url));
        let changes: Vec<_> = placed(repaired.changes()).collect();
        // Two equal lines would say that nothing is changed.
        let is_masked = changes.iter().all(|(change, now)| before.touch(&change.span()) || after.touch(now));
        let mut text = match is_masked {
            true => title("only the password changes; `urlwise repair` prints the URL", look),
            false => title("write it like this; `urlwise repair` prints the URL", look),
        };
        // Problems that are drawn have given the reason, unless it is about a password: the diff does not show its changes either.
        let is_reported = |change: &Change<'_>, now: &Range<usize>| {
            drawn.contains(&change.code()) && !before.touch(&change.span()) && !after.touch(now)
        };
        // Changes with one reason share a note, in the order of the first ones. There are only so many reasons.
        let mut kinds: Vec<Vec<&(&Change<'_>, Range<usize>)>> = Vec::new();
        for one in changes.iter().filter(|(change, now)| !is_reported(change, now)) {
            let reason = |(change, _): &(&Change<'_>, Range<usize>)| (change.code(), change.message());
            match kinds.iter_mut().find(|kind| reason(kind[0]) == reason(one)) {
                Some(kind) => kind.push(one),
                None => kinds.push(vec![one]),
            }
        }
        let more = kinds.len() > REASONS;
        kinds.truncate(REASONS);
        let cited = kinds.iter().filter_map(|kind| kind[0].0.decision()).collect();
        let reasons: Vec<_> = kinds.iter().map(|kind| reason(kind, &before, &after)).collect();
        let (was, now) = changes.iter().map(|(change, now)| (change.span(), now.clone())).unzip();
        if !is_masked {
            text += &diff::draw(
                &Side { octets: self.input, changed: was, secrets: before },
                &Side { octets: url, changed: now, secrets: after },
                look,
            );
        }
        for reason in &reasons {
            text += &note("note", reason, look);
        }
        if more {
            text += &note("note", "and more; `urlwise repair` lists all changes", look);
        }
        Help { text, cited }
    }

    /// Only guesses.
    fn asked(&self, suggestions: &[Suggestion], look: Look) -> String {
        let mut text = title(&self.question().unwrap_or_default(), look);
        if let [one] = suggestions {
            let url = one.url().as_bytes();
            let (was, now) = diff::differing(self.input, url);
            let side = |octets, changed| Side {
                octets,
                changed: vec![changed],
                secrets: Secrets::of(octets, self.show_secrets),
            };
            text += &diff::draw(&side(self.input, was), &side(url, now), look);
        }
        for suggestion in suggestions {
            let why = match suggestions {
                [_] => suggestion.why().to_owned(),
                _ => format!("{}: {}", self.suggested(suggestion), suggestion.why()),
            };
            text += &note("note", &why, look);
        }
        text
    }

    /// No reading, or several.
    fn kept(&self, refused: &RepairError, drawn: &[&str], look: Look) -> String {
        let is_drawn = drawn.contains(&refused.code());
        let reason = || format!("{} ({})", refused.message(), source(refused.section(), refused.decision()));
        let mut text = match refused.suggestions() {
            [] if is_drawn => {
                title(&format!("`urlwise repair` changes nothing, because of `{}`", refused.code()), look)
            }
            [] => title("`urlwise repair` changes nothing, because the text has more than one reading or none", look),
            suggestions => self.asked(suggestions, look),
        };
        if !is_drawn {
            text += &note("note", &reason(), look);
            if let Some(help) = refused.help() {
                text += &note("help", &help, look);
            }
        }
        // A URL for one host that a program opens at another is what people have to know before they choose.
        if let Some(readings) = urlwise_readings::disagreement_by(self.input, self.profile, &self.readers) {
            let who = if *self.readers == *Reader::STANDARDS { "standards" } else { "readers" };
            text += &note("note", &format!("{who} disagree about this text: {readings}"), look);
        }
        text
    }
}

/// What changes with one reason do, and why: "removed `<` and `>`: the `<` and `>` around an address are not part of it".
fn reason(kind: &[&(&Change<'_>, Range<usize>)], before: &Secrets, after: &Secrets) -> String {
    const NAMED: usize = 3;
    let is_removal = kind.iter().all(|(change, _)| change.now().is_empty() && !before.touch(&change.span()));
    let mut all: Vec<String> = Vec::new();
    for (change, now) in kind {
        let one = match is_removal {
            true => format!("`{}`", shown(change.was())),
            false => done(change, now, before, after),
        };
        if all.contains(&one) {
            continue;
        }
        if all.len() == NAMED {
            all.push("others".into());
            break;
        }
        all.push(one);
    }
    let verb = if is_removal { "removed " } else { "" };
    let last = all.pop().unwrap_or_default();
    let all = if all.is_empty() { last } else { format!("{} and {last}", all.join(", ")) };
    format!("{verb}{all}: {}", why(kind[0].0))
}

fn title(text: &str, look: Look) -> String {
    let lines = wrap::lines(text, look.width - TITLE);
    let indent = format!("\n{:TITLE$}", "");
    let mut title = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(title, "{}: {}", diff::help(look), lines.join(&indent));
    title
}

fn note(kind: &str, text: &str, look: Look) -> String {
    let lines = wrap::lines(text, look.width - NOTE);
    let indent = format!("\n{:NOTE$}", "");
    format!("{} {kind}: {}\n", diff::note(look), lines.join(&indent))
}

/// A refusal in one line, as `repair` and `get` report it: the text, the reason, the way to write it.
pub fn refusal(input: &[u8], refused: &RepairError, meant: &Meant<'_>) -> String {
    let text = secret::elided(input, meant.show_secrets, QUOTED);
    match meant.question() {
        Some(question) => format!("{text}: {refused}; {question}"),
        None => format!("{text}: {refused}"),
    }
}
