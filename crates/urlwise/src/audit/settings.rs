//! [`Audit`]: the severity of each rule, from the table or set by the caller.

use alloc::string::String;
use core::fmt;

use super::rules::{COUNT, Rule, rule};
use super::severity::Severity;
use crate::display::{escape_for_display, padded};
use crate::scheme::Scheme;

/// Checks URLs against all rules, with the severities of the table or overrides.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Indexed by rule.
    settings: [Setting; COUNT],
}

/// The setting of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    /// Not set: use the table.
    Table,
    Silent,
    Set(Severity),
}

impl Default for Audit {
    fn default() -> Self {
        Audit::new()
    }
}

impl Audit {
    /// The maximum number of findings per rule and URL.
    pub const MOST: u8 = 64;

    /// An audit with the severities of the table.
    pub const fn new() -> Self {
        Audit { settings: [Setting::Table; COUNT] }
    }

    /// Sets the severity of a rule, given by id or number, or silences it with `None`. The severity then applies in
    /// every scheme.
    ///
    /// # Errors
    /// If no rule has that name; nothing is changed.
    pub fn set(&mut self, name: &str, severity: Option<Severity>) -> Result<&mut Self, UnknownRule> {
        let rule = rule(name).ok_or_else(|| UnknownRule(name.into()))?;
        self.settings[rule.index] = severity.map_or(Setting::Silent, Setting::Set);
        Ok(self)
    }

    /// The severity of the rule in URLs of this scheme; `None` if the rule is silenced.
    pub fn severity(&self, rule: &Rule, scheme: Scheme) -> Option<Severity> {
        self.severity_or(rule, rule.severity_in(scheme))
    }

    /// Whether the rule is silenced.
    pub(super) fn is_silent(&self, rule: &Rule) -> bool {
        self.settings[rule.index] == Setting::Silent
    }

    pub(super) fn severity_or(&self, rule: &Rule, otherwise: Severity) -> Option<Severity> {
        match self.settings[rule.index] {
            Setting::Table => Some(otherwise),
            Setting::Silent => None,
            Setting::Set(severity) => Some(severity),
        }
    }
}

/// The name is neither the id nor the number of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            let name = escape_for_display(self.0.as_bytes());
            write!(f, "no audit rule is named `{name}`; rules have ids and numbers, such as `port-foreign` and `E-03`")
        })
    }
}

impl core::error::Error for UnknownRule {}
