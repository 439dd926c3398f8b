//! Findings of the audit that are one mistake (D-87).

use std::ops::Range;

use urlwise::audit::{Audit, Finding};

/// A finding, and where the same mistake is made again in its part: it has the places of a [`Problem`](urlwise::Problem).
///
/// ```
/// use urlwise::Url;
/// use urlwise::audit::{Audit, Provenance};
/// use urlwise_explain::alike::Alike;
///
/// let url = Url::parse("http://host.dom/%41a/b/%42c")?;
/// let findings = Audit::new().check(&url, Provenance::Given);
/// let alike = Alike::of(&findings);
/// assert_eq!((findings.len(), alike.len()), (2, 1));
/// assert_eq!((alike[0].first().code(), alike[0].spans().collect::<Vec<_>>()), ("enc-needless", vec![16..19, 23..26]));
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Alike<'f, 'u> {
    first: &'f Finding<'u>,
    again: Vec<Range<usize>>,
    are_all: bool,
}

impl<'f, 'u> Alike<'f, 'u> {
    /// The mistakes among findings, each where it was found first.
    pub fn of(findings: &'f [Finding<'u>]) -> Vec<Self> {
        let mut mistakes: Vec<Self> = Vec::new();
        for finding in findings {
            // What is alike often follows at once.
            match mistakes.iter_mut().rev().find(|known| known.first.is_like(finding)) {
                Some(known) => known.again.push(finding.span()),
                None => mistakes.push(Alike { first: finding, again: Vec::new(), are_all: true }),
            }
        }
        let most = usize::from(Audit::MOST);
        if findings.len() >= most {
            let of_rule = |one: &Self| findings.iter().filter(|other| other.rule() == one.first.rule()).count();
            for mistake in &mut mistakes {
                mistake.are_all = of_rule(mistake) < most;
            }
        }
        mistakes
    }

    /// The finding at the first place.
    pub fn first(&self) -> &'f Finding<'u> {
        self.first
    }

    /// The places, in octets of the URL, in the order in which they were found.
    pub fn spans(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        std::iter::once(self.first.span()).chain(self.again.iter().cloned())
    }

    /// How many places there are: at least one.
    pub fn places(&self) -> usize {
        1 + self.again.len()
    }

    /// Whether there are no others: of each rule, an audit looks for [`MOST`](Audit::MOST).
    pub fn are_all(&self) -> bool {
        self.are_all
    }
}

#[cfg(test)]
mod tests {
    use urlwise::audit::Provenance;
    use urlwise::{Profile, Url};

    use super::*;

    #[test]
    fn one_rule_in_one_part_is_one_mistake_whichever_octets_it_is_made_with() {
        let places = |text: &str| {
            let url = Url::parse_with(text, Profile::Current).unwrap();
            let findings = Audit::new().check(&url, Provenance::Given);
            let alike = Alike::of(&findings);
            alike.iter().map(|one| (one.first().code(), one.places(), one.are_all())).collect::<Vec<_>>()
        };
        assert_eq!(places("http://a.dom/%41/%42/%2F/%43"), [("enc-needless", 3, true), ("enc-delimiter", 1, true)]);
        // Another part, and another severity: most of a segment is escaped.
        assert_eq!(places("ftp://%41bc@a.dom/%41bc"), [("enc-needless", 1, true); 2]);
        assert_eq!(places("http://a.dom/%41bc/%42"), [("enc-needless", 1, true); 2]);
        let many = |count: usize| places(&format!("http://a.dom/%2F/{}", "%41/".repeat(count)));
        assert_eq!(many(63), [("enc-delimiter", 1, true), ("enc-needless", 63, true)]);
        assert_eq!(many(64), [("enc-delimiter", 1, true), ("enc-needless", 64, false)]);
        assert_eq!(many(65), many(64));
    }
}
