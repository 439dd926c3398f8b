//! The rules of a scheme that a program [registers](crate::registry).

use super::{Check, Url};
use crate::class;
use crate::code::Code;
use crate::grammar::SCHEME;
use crate::language::Words;
use crate::layout::{Layout, Slot};
use crate::level::Level;
use crate::mistakes;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reader::{FirstError, Outcome, Reader, Sink, Stop};
use crate::scheme::{Scheme, other};

/// How the scheme-specific part of a registered scheme is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// The common Internet syntax of section 3.1: `"//" login [ "/" urlpath ]`. Anything else is not a URL of the scheme.
    Internet,
    /// `*xchar`: no parts are read, not even behind `//`.
    Opaque,
}

/// What reading a URL asks of its scheme.
#[derive(Clone, Copy)]
pub(crate) struct SchemeRules {
    pub(crate) check: Option<Check>,
    pub(crate) default_port: Option<u16>,
    pub(crate) syntax: Syntax,
    /// Whether RFC 1808 lets relative references be resolved against its URLs.
    pub(crate) has_references: bool,
}

/// How [`Layout::registered`] says by which rules a URL was read.
const INTERNET: u8 = 1;
const OPAQUE: u8 = 2;
const HAS_REFERENCES: u8 = 4;

impl<T: AsRef<str>> Url<T> {
    /// The rules of the registered scheme that it was read by; `None` for all other URLs.
    pub(crate) fn rules(&self) -> Option<SchemeRules> {
        let registered = self.layout().registered;
        (registered != 0).then(|| SchemeRules {
            check: self.check,
            default_port: self.layout().registered_port(),
            syntax: if registered & OPAQUE == 0 { Syntax::Internet } else { Syntax::Opaque },
            has_references: registered & HAS_REFERENCES != 0,
        })
    }
}

impl SchemeRules {
    /// Reads a text that begins with the scheme's name and a colon, to its end or to its first error.
    pub(crate) fn layout_of(self, octets: &[u8], profile: Profile) -> Result<Layout, RawProblem> {
        if u32::try_from(octets.len()).is_err() {
            return Err(RawProblem::TOO_LONG);
        }
        self.accept(octets, profile).ok_or_else(|| {
            let first = mistakes::first(octets, profile, |reader| self.read(reader));
            // Both readers are one program; only the check could change its mind.
            first.unwrap_or(RawProblem::TOO_LONG)
        })
    }

    /// The same without the reason; the text is not too long.
    pub(crate) fn accept(self, octets: &[u8], profile: Profile) -> Option<Layout> {
        let mut layout = Layout::new(profile);
        match self.read(&mut Reader::new(octets, &mut layout, FirstError)) {
            Ok(()) => Some(layout),
            Err(Stop) => None,
        }
    }

    /// Reads a whole text that begins with the scheme's name and a colon.
    pub(crate) fn read<S: Sink>(&self, r: &mut Reader<'_, S>) -> Outcome {
        let end = class::skip(r.octets, 0, class::SCHEME);
        r.at = end + 1;
        r.layout.set_scheme(Scheme::Other);
        r.layout.scheme_name = Slot::new(0, end);
        if r.octets[..end].iter().any(u8::is_ascii_uppercase) {
            r.report(Code::SchemeCase, 0..end, &SCHEME)?;
        }
        let syntax = if self.syntax == Syntax::Opaque { OPAQUE } else { INTERNET };
        r.layout.registered = if self.has_references { syntax | HAS_REFERENCES } else { syntax };
        if let Some(port) = self.default_port {
            r.layout.register_port(port);
        }
        match self.syntax {
            Syntax::Internet => other::internet(r)?,
            Syntax::Opaque => other::opaque(r)?,
        }
        match self.check {
            // Otherwise an error has been reported already.
            Some(check) if r.errors() == 0 => objection(r, check),
            _ => Ok(()),
        }
    }
}

/// Asks a check, and reports what it has to say.
fn objection<S: Sink>(r: &mut Reader<'_, S>, check: Check) -> Outcome {
    // No rule takes an octet outside US-ASCII, so what was read without an error is text.
    let text = core::str::from_utf8(r.octets).unwrap_or_default();
    let Err(objection) = check(&Url::from_layout(text, *r.layout).checked_by(Some(check))) else {
        return Ok(());
    };
    let start = objection.span.start.min(text.len());
    let end = objection.span.end.clamp(start, text.len());
    r.sink.put(RawProblem {
        code: Code::SchemeCheck,
        level: Level::Error,
        start: start as u32,
        end: end as u32,
        rule: None,
        section: Code::SchemeCheck.row().section,
        detail: Words::same(objection.message),
        help: objection.help,
    })
}
