//! What repair does and what it leaves to people, as data.

/// One kind of change. Sections and decisions are named as the language's problems name them; a decision may be empty.
#[derive(Debug)]
pub(super) struct FixRule {
    pub(super) code: &'static str,
    pub(super) section: &'static str,
    pub(super) decision: &'static str,
    pub(super) message: &'static str,
}

pub(super) static BLANKS: FixRule = FixRule {
    code: "blanks-around",
    section: "2.2",
    decision: "D-14",
    message: "white space around a URL is no part of it",
};
pub(super) static WRAPPER: FixRule = FixRule {
    code: "wrapper",
    section: "Appendix",
    decision: "D-67",
    message: "`<` and `>` stand around a URL, not in it",
};
pub(super) static PREFIX: FixRule = FixRule {
    code: "prefix",
    section: "Appendix",
    decision: "D-07",
    message: "`URL:` belongs to the wrapper, not to the URL",
};
pub(super) static WHITE_SPACE: FixRule = FixRule {
    code: "wrapped-blanks",
    section: "Appendix",
    decision: "D-68",
    message: "white space inside of a wrapper is no part of the URL",
};
pub(super) static LINE_END: FixRule = FixRule {
    code: "line-end",
    section: "Appendix",
    decision: "D-68",
    message: "a line end and the blanks around it are no part of a URL",
};
pub(super) static FRAGMENT: FixRule = FixRule {
    code: "fragment",
    section: "2.2",
    decision: "D-08",
    message: "a fragment follows a URL and is no part of it",
};
pub(super) static HOST: FixRule = FixRule {
    code: "host-idna",
    section: "3.1",
    decision: "D-72",
    message: "a host name outside US-ASCII is written as IDNA has it",
};

/// The problems of the language whose fix has one reading, and what the fix does. All others are left to people: a fix may
/// be a good proposal (`%25` for a lone `%`, a login taken away) and still a guess.
pub(super) static FIXES: [FixRule; 11] = [
    FixRule {
        code: "bnf-char",
        section: "2.2",
        decision: "D-10",
        message: "an octet that may not stand raw is written as its escape",
    },
    FixRule { code: "slashes-missing", section: "3.1", decision: "", message: "`//` stands before a host" },
    FixRule {
        code: "file-short",
        section: "3.10",
        decision: "D-64",
        message: "`//` and an empty host stand before the path of a file",
    },
    FixRule { code: "host-dot", section: "3.1", decision: "D-20", message: "no dot ends a host" },
    FixRule { code: "port-empty", section: "3.1", decision: "D-22", message: "without a port the colon goes as well" },
    FixRule {
        code: "path-missing",
        section: "5",
        decision: "",
        message: "a `/` stands between a host and what follows it",
    },
    FixRule { code: "http-query-slash", section: "3.3", decision: "D-37", message: "a `/` stands before the search" },
    FixRule {
        code: "http-search-char",
        section: "3.3",
        decision: "D-38",
        message: "what is reserved in a search is written as its escape",
    },
    FixRule {
        code: "ftp-semicolon",
        section: "3.2.2",
        decision: "D-29",
        message: "a `;` that begins no typecode is written as its escape",
    },
    FixRule { code: "ftp-type-case", section: "3.2.2", decision: "D-03", message: "`;type=` is written in lower case" },
    FixRule {
        code: "news-all-escaped",
        section: "3.6",
        decision: "D-58",
        message: "the `*` for all newsgroups has no escape",
    },
];

/// One kind of text that is refused although the language has no problem that says why.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: &'static str,
    pub(super) section: &'static str,
    pub(super) decision: &'static str,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
}

pub(super) static NESTED: Refusal = Refusal {
    code: "wrapper-inside",
    section: "Appendix",
    decision: "D-67",
    message: "a second bracket stands inside of a wrapper",
    help: "the first `>` ends a wrapper: give the text of one URL",
};
pub(super) static HYPHEN: Refusal = Refusal {
    code: "hyphen-ambiguous",
    section: "Appendix",
    decision: "D-69",
    message: "a hyphen ends a line: it may be part of the URL, or only mark the break",
    help: "write the URL on one line, with the hyphen or without it",
};
pub(super) static EMPTY_LINE: Refusal = Refusal {
    code: "empty-line",
    section: "Appendix",
    decision: "D-68",
    message: "an empty line: what follows may be another text",
    help: "give the text of one URL, or write `<` and `>` around it",
};
pub(super) static SECOND_URL: Refusal = Refusal {
    code: "second-url",
    section: "Appendix",
    decision: "D-68",
    message: "a line begins with a scheme: another URL, or the rest of this one",
    help: "give one URL at a time, or write `<` and `>` around it",
};
pub(super) static FRAGMENT_OR_LOGIN: Refusal = Refusal {
    code: "fragment-ambiguous",
    section: "2.2",
    decision: "D-08",
    message: "`#` before an `@`: a fragment may begin here, or a name or password holds it",
    help: "in a name or password write `%23`",
};
pub(super) static BACKSLASH: Refusal = Refusal {
    code: "backslash",
    section: "2.2",
    decision: "D-10",
    message: "a backslash: some programs read it as `/`, others as a character",
    help: "write `/` or `%5C`",
};
pub(super) static HOST_NOT_UTF8: Refusal = Refusal {
    code: "host-not-utf8",
    section: "3.1",
    decision: "D-10",
    message: "the host holds octets that are not UTF-8, so nobody knows its characters",
    help: "write the host in UTF-8 or in its `xn--` form",
};
pub(super) static HOST_NOT_IDNA: Refusal = Refusal {
    code: "host-not-idna",
    section: "3.1",
    decision: "D-72",
    message: if cfg!(feature = "idna") {
        "the host has no form in US-ASCII: IDNA does not allow it"
    } else {
        "the host is not US-ASCII, and this program is built without IDNA (feature `idna`)"
    },
    help: "write the host in its `xn--` form",
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    static RULES: [&FixRule; 7] = [&BLANKS, &WRAPPER, &PREFIX, &WHITE_SPACE, &LINE_END, &FRAGMENT, &HOST];
    static REFUSALS: [&Refusal; 8] =
        [&NESTED, &HYPHEN, &EMPTY_LINE, &SECOND_URL, &FRAGMENT_OR_LOGIN, &BACKSLASH, &HOST_NOT_UTF8, &HOST_NOT_IDNA];

    #[test]
    fn the_documentation_lists_every_change_and_every_refusal() {
        let documentation = include_str!("mod.rs");
        for FixRule { code, message, decision, .. } in RULES.into_iter().chain(&FIXES) {
            let row = format!("/// | `{code}` | {message} | {decision} |");
            assert!(documentation.contains(&row), "{row}");
        }
        for row in REFUSALS {
            assert!(documentation.contains(&format!("/// | `{}` | ", row.code)), "{}", row.code);
        }
    }

    #[test]
    fn a_fix_names_the_section_and_the_decision_of_its_problem() {
        for rule in &FIXES {
            let row = crate::problem_codes().find(|row| row.code == rule.code).unwrap();
            assert_eq!((row.section, row.decision.unwrap_or("")), (rule.section, rule.decision), "{}", rule.code);
        }
    }

    #[test]
    fn no_code_of_repair_is_one_of_the_language() {
        let own = RULES.map(|rule| rule.code).into_iter().chain(REFUSALS.map(|row| row.code));
        for code in own {
            assert!(crate::problem_codes().all(|row| row.code != code), "{code}");
        }
    }
}
