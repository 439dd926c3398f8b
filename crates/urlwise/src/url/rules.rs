//! The rules of a scheme that a program [registers](crate::registry).

use core::ops::Range;

use super::Url;
use crate::class;
use crate::code::Code;
use crate::grammar::SCHEME;
use crate::language::Words;
use crate::layout::Slot;
use crate::level::Level;
use crate::raw_problem::RawProblem;
use crate::reader::{Outcome, Reader, Sink};
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

/// What a check reports about a URL: where, what is wrong, and a help.
///
/// The texts are constants, so that a [`Problem`](crate::Problem) stays plain data; each is one line without a full stop.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    span: Range<usize>,
    message: &'static str,
    help: &'static str,
}

impl Objection {
    /// An objection to the octets of `span`, as [`Part::span`](crate::Part::span) gives them; an empty span is a place where
    /// something is missing. What lies outside the text is cut off.
    pub const fn new(span: Range<usize>, message: &'static str) -> Self {
        Objection { span, message, help: "" }
    }

    /// With a help: how to fix it, as an imperative.
    pub const fn with_help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }
}

/// A scheme's own check: looks at a URL whose syntax is in order, and may object. See [`NewScheme::with_check`](crate::registry::NewScheme::with_check).
pub type Check = fn(&Url<&str>) -> Result<(), Objection>;

/// What reading a URL asks of its scheme.
#[derive(Clone, Copy)]
pub(crate) struct SchemeRules {
    pub(crate) check: Option<Check>,
    pub(crate) default_port: Option<u16>,
    pub(crate) syntax: Syntax,
}

impl SchemeRules {
    /// Reads a whole text that begins with the scheme's name and a colon.
    pub(crate) fn read<S: Sink>(&self, r: &mut Reader<'_, S>) -> Outcome {
        let end = class::skip(r.octets, 0, class::SCHEME);
        r.at = end + 1;
        r.layout.set_scheme(Scheme::Other);
        r.layout.scheme_name = Slot::new(0, end);
        if r.octets[..end].iter().any(u8::is_ascii_uppercase) {
            r.report(Code::SchemeCase, 0..end, &SCHEME)?;
        }
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
    let Err(objection) = check(&Url::from_layout(text, *r.layout)) else {
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
