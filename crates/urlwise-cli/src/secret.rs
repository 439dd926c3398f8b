//! Passwords stay out of everything that people see, unless `--show-secrets` asks for them.
//!
//! The language knows where they stand ([`urlwise::secrets`]) and quotes none of them; here texts are shown without them.

use std::ops::Range;

/// The mask for a password.
pub(crate) const MASK: &str = "***";

/// The octets of a text that are not to be shown, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Secrets {
    spans: Vec<Range<usize>>,
    show: bool,
}

impl Secrets {
    /// All passwords of a text; none where they are to be shown.
    pub(crate) fn of(octets: &[u8], show: bool) -> Self {
        Secrets { spans: if show { Vec::new() } else { urlwise::secrets(octets) }, show }
    }

    /// A text made from it that is fit to be shown already, with its own secrets masked if these are.
    pub(crate) fn masked_text(&self, text: &str) -> String {
        let secrets = Secrets::of(text.as_bytes(), self.show);
        let mut masked = String::new();
        let mut at = 0;
        // Secrets start and end at ASCII characters.
        for secret in &secrets.spans {
            masked.push_str(&text[at..secret.start]);
            masked.push_str(MASK);
            at = secret.end;
        }
        masked + &text[at..]
    }

    /// The secret that begins at `at`, or around it.
    pub(crate) fn at(&self, at: usize) -> Option<&Range<usize>> {
        let secret = self.spans.get(self.spans.partition_point(|secret| secret.end <= at))?;
        secret.contains(&at).then_some(secret)
    }

    /// Whether some of these octets are secret.
    pub(crate) fn touch(&self, span: &Range<usize>) -> bool {
        let next = self.spans.get(self.spans.partition_point(|secret| secret.end <= span.start));
        next.is_some_and(|secret| secret.start < span.end.max(span.start + 1))
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Whether a span is all secret.
    pub(crate) fn cover(&self, span: &Range<usize>) -> bool {
        self.at(span.start).is_some_and(|secret| span.end <= secret.end)
    }

    /// A span of the text with its secrets masked, fit to be shown.
    pub(crate) fn shown(&self, octets: &[u8], span: Range<usize>) -> String {
        let mut text = String::new();
        let mut at = span.start;
        let first = self.spans.partition_point(|secret| secret.end <= span.start);
        for secret in self.spans[first..].iter().take_while(|secret| secret.start < span.end) {
            push(&mut text, octets, at..secret.start);
            text.push_str(MASK);
            at = secret.end;
        }
        push(&mut text, octets, at..span.end);
        text
    }
}

fn push(text: &mut String, octets: &[u8], span: Range<usize>) {
    text.push_str(&urlwise::escape_for_display(octets.get(span).unwrap_or_default()).to_string());
}

/// Octets of the command line or of a rewritten URL, fit to be shown.
pub(crate) fn masked(octets: &[u8], show: bool) -> String {
    Secrets::of(octets, show).shown(octets, 0..octets.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn shows(text: &str, expected: &str) {
        assert_eq!(masked(text.as_bytes(), false), expected);
        assert_eq!(masked(text.as_bytes(), true), text);
    }

    #[test]
    fn a_password_is_masked_and_an_empty_one_is_not() {
        shows("ftp://jim:s3cret@h.dom/x", "ftp://jim:***@h.dom/x");
        shows("ftp://jim:@h.dom/x", "ftp://jim:@h.dom/x");
        shows("ftp://jim@h.dom:21/a:b@c", "ftp://jim@h.dom:21/a:b@c");
    }

    #[test]
    fn the_password_of_a_url_in_another_text_is_masked() {
        shows("URL:ftp://jim:s3cret@h.dom/x", "URL:ftp://jim:***@h.dom/x");
        shows("http://a.dom/ftp://jim:s3cret@h.dom/x", "http://a.dom/ftp://jim:***@h.dom/x");
        shows("a://b:c@d/e://f:g@h", "a://b:***@d/e://f:***@h");
    }

    #[test]
    fn a_password_with_raw_slashes_or_at_signs_is_masked_whole() {
        shows("ftp://jim:s3@cret@h.dom/x", "ftp://jim:***@h.dom/x");
        shows("ftp://jim:s3/cr@et@h.dom/x", "ftp://jim:***@h.dom/x");
    }

    #[test]
    fn ports_and_addresses_are_no_passwords() {
        shows("http://h.dom:80/a@b", "http://h.dom:80/a@b");
        shows("http://[::1]/a@b", "http://[::1]/a@b");
    }
}
