//! A refused text, as the guesses look at it.

use alloc::string::String;
use core::ops::Range;

use crate::word;

/// The text as far as it was repaired, and what prevents the rest.
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

impl<'a> Text<'a> {
    /// The name before the first colon, and what follows it.
    pub(super) fn split(&self) -> Option<(&'a str, &'a str)> {
        self.text.split_once(':')
    }

    pub(super) fn is_scheme(&self, names: &[&str]) -> bool {
        self.split().is_some_and(|(name, _)| names.iter().any(|known| name.eq_ignore_ascii_case(known)))
    }

    /// The span of what stands between `//` and the next `/`, `?` or `#`.
    pub(super) fn authority(&self) -> Option<Range<usize>> {
        let start = self.text.find("://")? + 3;
        let end = word::position_of(&self.text.as_bytes()[start..], *b"/?#");
        Some(start..end.map_or(self.text.len(), |length| start + length))
    }

    /// The text with another authority.
    pub(super) fn with_authority(&self, authority: &str) -> Option<String> {
        let span = self.authority()?;
        self.replaced(span, authority)
    }

    pub(super) fn replaced(&self, span: Range<usize>, by: &str) -> Option<String> {
        let mut text = String::with_capacity(self.text.len() + by.len());
        text.push_str(self.text.get(..span.start)?);
        text.push_str(by);
        text.push_str(self.text.get(span.end..)?);
        (text != self.text).then_some(text)
    }

    /// The octets that prevent the repair.
    pub(super) fn culprit(&self) -> &'a str {
        self.text.get(self.span.clone()).unwrap_or_default()
    }

    /// Whether a login may end behind the culprit: then it is unclear where the host begins.
    pub(super) fn is_in_login(&self) -> bool {
        self.authority().is_some_and(|authority| {
            self.span.start <= authority.end && self.text[authority.start..].contains('@')
                || self.text[authority].contains('@')
        })
    }
}
