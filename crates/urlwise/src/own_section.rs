//! The section of RFC 1738 that a problem names: that of the scheme if it says so itself (D-87).

use crate::class;
use crate::code::Code;
use crate::grammar::Production;
use crate::raw_problem::RawProblem;
use crate::scheme::Scheme;

/// The section for a finding in a text of this scheme.
pub(crate) fn of(finding: &RawProblem, octets: &[u8], scheme: Option<Scheme>) -> &'static str {
    let Some(scheme) = scheme.map(Scheme::base).filter(|scheme| *scheme != Scheme::Other) else {
        return finding.section;
    };
    let of_rule = finding.rule.map_or(finding.section, Production::section);
    let first = octets.get(finding.start as usize).copied();
    match finding.code {
        Code::SlashesMissing | Code::UserForbidden | Code::PathMissing | Code::NewsGroup => scheme.syntax_section(),
        // There is no `//` in news; what follows an `@` is a host by the rules of Message-IDs.
        _ if scheme == Scheme::News && of_rule == "3.1" => scheme.syntax_section(),
        // An octet that may stand in other parts of URLs is refused by the rule of this part.
        Code::BnfChar if first.is_some_and(is_of_urls) => match (scheme, of_rule) {
            (Scheme::Nntp, "3.6") => scheme.syntax_section(),
            _ => of_rule,
        },
        _ => finding.section,
    }
}

/// Whether an octet may stand in some part of a URL, or begins an escape.
fn is_of_urls(octet: u8) -> bool {
    octet == b'%' || class::is(octet, class::XCHAR)
}
