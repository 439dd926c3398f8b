//! The state of one audit: the URL that the checks read and the findings that they report.

use alloc::vec::Vec;
use core::ops::Range;

use super::finding::{Detail, Finding, Told};
use super::provenance::Provenance;
use super::rules::{COUNT, Rule};
use super::settings::Audit;
use super::severity::Severity;
use crate::language::Words;
use crate::layout::Layout;
use crate::scheme::Scheme;
use crate::scheme::secret::{EachSecret, Secrets};
use crate::url::Url;

pub(super) struct Auditor<'a, 'u> {
    audit: &'a Audit,
    pub(super) url: &'a Url<&'u str>,
    pub(super) octets: &'u [u8],
    pub(super) base: Scheme,
    pub(super) provenance: Provenance,
    found: Vec<Finding<'u>>,
    /// The passwords, looked for as far as the findings need them.
    secrets: Option<(Secrets, EachSecret<'u>)>,
    counts: [u8; COUNT],
}

impl<'a, 'u> Auditor<'a, 'u> {
    pub(super) fn new(audit: &'a Audit, url: &'a Url<&'u str>, provenance: Provenance) -> Self {
        let (octets, base) = (url.text().as_bytes(), url.scheme().base());
        Auditor { audit, url, octets, base, provenance, found: Vec::new(), secrets: None, counts: [0; COUNT] }
    }

    pub(super) fn layout(&self) -> &'a Layout {
        self.url.layout()
    }

    /// The span of a part, if it is present.
    pub(super) fn slot(&self, slot: usize) -> Option<Range<usize>> {
        self.layout().slots[slot].range()
    }

    /// The first of several rules for the same octets, most specific first, that is not silenced.
    pub(super) fn first(&self, rules: &[&'static Rule]) -> Option<&'static Rule> {
        rules.iter().copied().find(|rule| self.speaks(rule))
    }

    fn speaks(&self, rule: &Rule) -> bool {
        !self.audit.is_silent(rule) && rule.applies_to(self.base)
    }

    /// Reports a finding with the severity of its rule in this scheme.
    pub(super) fn report(&mut self, rule: &'static Rule, span: Range<usize>, part: Words, detail: Detail<'u>) {
        self.report_as(rule.severity_in(self.base), rule, span, part, detail);
    }

    /// Reports a finding whose severity depends on more than the scheme.
    pub(super) fn report_as(
        &mut self,
        severity: Severity,
        rule: &'static Rule,
        span: Range<usize>,
        part: Words,
        detail: Detail<'u>,
    ) {
        if !self.speaks(rule) || self.counts[rule.index] == Audit::MOST {
            return;
        }
        let Some(severity) = self.audit.severity_or(rule, severity) else { return };
        self.counts[rule.index] += 1;
        let (secrets, search) = self.secrets.get_or_insert_with(|| (Secrets::default(), EachSecret::of(self.octets)));
        secrets.grow(search, span.start);
        self.found.push(Finding::told(self.octets, rule, span, secrets, Told { severity, part, detail }));
    }

    /// All findings, in the order of their octets.
    pub(super) fn finish(mut self) -> Vec<Finding<'u>> {
        self.found.sort_by_key(|finding| (finding.span().start, finding.rule().index));
        self.found
    }
}
