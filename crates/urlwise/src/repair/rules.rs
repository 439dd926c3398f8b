//! The changes that repair makes and the ambiguities that it refuses, as data.

/// One kind of change. Sections and decisions are written as in problems; a decision may be empty.
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
    message: "white space around a URL is not part of it",
};
pub(super) static WRAPPER: FixRule = FixRule {
    code: "wrapper",
    section: "Appendix",
    decision: "D-67",
    message: "`<` and `>` delimit a URL and are not part of it",
};
pub(super) static PREFIX: FixRule = FixRule {
    code: "prefix",
    section: "Appendix",
    decision: "D-07",
    message: "`URL:` introduces a URL and is not part of it",
};
pub(super) static WHITE_SPACE: FixRule = FixRule {
    code: "wrapped-blanks",
    section: "Appendix",
    decision: "D-68",
    message: "white space inside `<` and `>` is not part of the URL",
};
pub(super) static LINE_END: FixRule = FixRule {
    code: "line-end",
    section: "Appendix",
    decision: "D-68",
    message: "line ends and the spaces around them are not part of a URL",
};
pub(super) static FRAGMENT: FixRule = FixRule {
    code: "fragment",
    section: "2.2",
    decision: "D-08",
    message: "a fragment follows a URL and is not part of it",
};
pub(super) static HOST: FixRule = FixRule {
    code: "host-idna",
    section: "3.1",
    decision: "D-72",
    message: "a host name outside US-ASCII is encoded with IDNA",
};

/// The problems whose fix is unambiguous, and what the fix does. All others are left to the user: a fix may be a good
/// suggestion (`%25` for a lone `%`, removing a login) and still be a guess.
pub(super) static FIXES: [FixRule; 11] = [
    FixRule {
        code: "bnf-char",
        section: "2.2",
        decision: "D-10",
        message: "an octet that is not allowed unencoded is escaped",
    },
    FixRule { code: "slashes-missing", section: "3.1", decision: "", message: "`//` must precede a host" },
    FixRule {
        code: "file-short",
        section: "3.10",
        decision: "D-64",
        message: "`//` and an empty host must precede the path of a file",
    },
    FixRule { code: "host-dot", section: "3.1", decision: "D-20", message: "a host does not end with a dot" },
    FixRule { code: "port-empty", section: "3.1", decision: "D-22", message: "a colon without a port is removed" },
    FixRule { code: "path-missing", section: "5", decision: "", message: "a `/` must follow the host" },
    FixRule { code: "http-query-slash", section: "3.3", decision: "D-37", message: "a `/` must precede the search" },
    FixRule {
        code: "http-search-char",
        section: "3.3",
        decision: "D-38",
        message: "a character that is reserved in a search is escaped",
    },
    FixRule {
        code: "ftp-semicolon",
        section: "3.2.2",
        decision: "D-29",
        message: "a `;` that does not start a typecode is escaped",
    },
    FixRule { code: "ftp-type-case", section: "3.2.2", decision: "D-03", message: "`;type=` is lowercase" },
    FixRule {
        code: "news-all-escaped",
        section: "3.6",
        decision: "D-58",
        message: "the `*` for all newsgroups is not escaped",
    },
];

/// One kind of ambiguous text that is refused without a problem of the grammar.
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
    message: "a second `<` inside `<` and `>`",
    help: "pass the text of one URL at a time",
};
pub(super) static HYPHEN: Refusal = Refusal {
    code: "hyphen-ambiguous",
    section: "Appendix",
    decision: "D-69",
    message: "a line ends with a hyphen, which may or may not be part of the URL",
    help: "write the URL on one line, with or without the hyphen",
};
pub(super) static EMPTY_LINE: Refusal = Refusal {
    code: "empty-line",
    section: "Appendix",
    decision: "D-68",
    message: "there is an empty line, which may be the end of the URL",
    help: "pass the text of one URL, or enclose it in `<` and `>`",
};
pub(super) static SECOND_URL: Refusal = Refusal {
    code: "second-url",
    section: "Appendix",
    decision: "D-68",
    message: "a line starts with a scheme: it may be another URL or the rest of this one",
    help: "pass one URL at a time, or enclose it in `<` and `>`",
};
pub(super) static FRAGMENT_OR_LOGIN: Refusal = Refusal {
    code: "fragment-ambiguous",
    section: "2.2",
    decision: "D-08",
    message: "`#` before an `@`: it may start a fragment or be part of a user name or password",
    help: "write `%23` in a user name or password",
};
pub(super) static BACKSLASH: Refusal = Refusal {
    code: "backslash",
    section: "2.2",
    decision: "D-10",
    message: "a backslash, which some programs read as `/` and others as data",
    help: "write `/` or `%5C`",
};
pub(super) static HOST_NOT_UTF8: Refusal = Refusal {
    code: "host-not-utf8",
    section: "3.1",
    decision: "D-10",
    message: "the host contains octets that are not UTF-8, so its characters are unknown",
    help: "write the host in UTF-8 or in its `xn--` form",
};
pub(super) static HOST_NOT_IDNA: Refusal = Refusal {
    code: "host-not-idna",
    section: "3.1",
    decision: "D-72",
    message: if cfg!(feature = "idna") {
        "the host cannot be encoded in US-ASCII: IDNA does not allow it"
    } else {
        "the host is not US-ASCII, and this program was built without IDNA (feature `idna`)"
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
