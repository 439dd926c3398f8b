//! The changes that repair makes and the ambiguities that it refuses, as data.

use crate::language::{Words, words};

/// One kind of change. Sections and decisions are written as in problems; a decision may be empty.
#[derive(Debug)]
pub(super) struct FixRule {
    pub(super) code: &'static str,
    pub(super) section: &'static str,
    pub(super) decision: &'static str,
    pub(super) message: Words,
}

pub(super) static BLANKS: FixRule = FixRule {
    code: "blanks-around",
    section: "2.2",
    decision: "D-14",
    message: words!("white space around a URL is not part of it"),
};
pub(super) static WRAPPER: FixRule = FixRule {
    code: "wrapper",
    section: "Appendix",
    decision: "D-67",
    message: words!("`<` and `>` delimit a URL and are not part of it"),
};
pub(super) static PREFIX: FixRule = FixRule {
    code: "prefix",
    section: "Appendix",
    decision: "D-07",
    message: words!("`URL:` introduces a URL and is not part of it"),
};
pub(super) static WHITE_SPACE: FixRule = FixRule {
    code: "wrapped-blanks",
    section: "Appendix",
    decision: "D-68",
    message: words!("white space inside `<` and `>` is not part of the URL"),
};
pub(super) static LINE_END: FixRule = FixRule {
    code: "line-end",
    section: "Appendix",
    decision: "D-68",
    message: words!("line ends and the spaces around them are not part of a URL"),
};
pub(super) static FRAGMENT: FixRule = FixRule {
    code: "fragment",
    section: "2.2",
    decision: "D-08",
    message: words!("a fragment follows a URL and is not part of it"),
};
pub(super) static HOST: FixRule = FixRule {
    code: "host-idna",
    section: "3.1",
    decision: "D-72",
    message: words!("a host name outside US-ASCII is encoded with IDNA"),
};

pub(super) static INVISIBLE_AROUND: FixRule = FixRule {
    code: "invisible-around",
    section: "2.2",
    decision: "D-79",
    message: words!("an invisible character at either end of the text is not part of the URL"),
};
pub(super) static QUOTES: FixRule = FixRule {
    code: "quotes",
    section: "2.2",
    decision: "D-76",
    message: words!("quotation marks and brackets around a URL are not part of it"),
};
pub(super) static LINK: FixRule = FixRule {
    code: "markdown-link",
    section: "Appendix",
    decision: "D-76",
    message: words!("the label and the brackets of a Markdown link are not part of the URL"),
};
pub(super) static LABEL: FixRule = FixRule {
    code: "label",
    section: "Appendix",
    decision: "D-76",
    message: words!("a word and a colon before a URL are not part of it"),
};
pub(super) static LIST_MARK: FixRule = FixRule {
    code: "list-mark",
    section: "Appendix",
    decision: "D-76",
    message: words!("the marker of a list item or a quoted line is not part of the URL"),
};
pub(super) static DEBRIS: FixRule = FixRule {
    code: "tag-end",
    section: "2.2",
    decision: "D-76",
    message: words!("the end of a tag or quotation is not part of the URL"),
};
pub(super) static JSON_ESCAPE: FixRule = FixRule {
    code: "json-escape",
    section: "2.2",
    decision: "D-84",
    message: words!("JSON may write a backslash before a slash; it is not part of the URL"),
};
pub(super) static DRIVE: FixRule = FixRule {
    code: "drive-letter",
    section: "3.10",
    decision: "D-85",
    message: words!("a drive letter and its `:` are the first segment of the path, and `/` separates names"),
};
pub(super) static ADDRESS_BRACKETS: FixRule = FixRule {
    code: "address-brackets",
    section: "3.5",
    decision: "D-76",
    message: words!("the `<` and `>` around an address are not part of it"),
};
pub(super) static MESSAGE_ID_BRACKETS: FixRule = FixRule {
    code: "message-id-brackets",
    section: "3.6",
    decision: "D-76",
    message: words!("the `<` and `>` around a Message-ID are not part of it"),
};

/// The fix of `bnf-char` for an escape in a part that has none, such as a newsgroup.
pub(super) static UNESCAPED: FixRule = FixRule {
    code: "bnf-char",
    section: "2.2",
    decision: "D-10",
    message: words!("a character of a part without escapes is written as it is"),
};

/// The problems whose fix is unambiguous, and what the fix does. All others are left to the user: a fix may be a good
/// suggestion (`%25` for a lone `%`, removing a login) and still be a guess.
pub(super) static FIXES: [FixRule; 15] = [
    FixRule {
        code: "bnf-char",
        section: "2.2",
        decision: "D-10",
        message: words!("an octet that is not allowed unencoded is escaped"),
    },
    FixRule { code: "slashes-missing", section: "3.1", decision: "", message: words!("`//` must precede a host") },
    FixRule {
        code: "file-short",
        section: "3.10",
        decision: "D-64",
        message: words!("`//` and an empty host must precede the path of a file"),
    },
    FixRule { code: "host-dot", section: "3.1", decision: "D-20", message: words!("a host does not end with a dot") },
    FixRule {
        code: "port-empty",
        section: "3.1",
        decision: "D-22",
        message: words!("a colon without a port is removed"),
    },
    FixRule {
        code: "http-query-slash",
        section: "3.3",
        decision: "D-37",
        message: words!("a `/` must precede the search"),
    },
    FixRule {
        code: "http-search-char",
        section: "3.3",
        decision: "D-38",
        message: words!("a character that is reserved in a search is escaped"),
    },
    FixRule {
        code: "ftp-semicolon",
        section: "3.2.2",
        decision: "D-29",
        message: words!("a `;` that does not start a typecode is escaped"),
    },
    FixRule { code: "ftp-type-case", section: "3.2.2", decision: "D-03", message: words!("`;type=` is lowercase") },
    FixRule {
        code: "port-char",
        section: "3.1",
        decision: "D-23",
        message: words!("escaped digits of a port are written as digits"),
    },
    FixRule {
        code: "news-group",
        section: "3.6",
        decision: "D-58",
        message: words!("an escaped letter of a newsgroup is written as the letter"),
    },
    FixRule {
        code: "nntp-article",
        section: "3.7",
        decision: "D-61",
        message: words!("escaped digits of an article number are written as digits"),
    },
    FixRule {
        code: "wais-form",
        section: "3.9",
        decision: "D-62",
        message: words!("a character that is reserved in a document-id is escaped"),
    },
    FixRule {
        code: "prospero-field",
        section: "3.11",
        decision: "D-66",
        message: words!("a second `=` in a field is escaped"),
    },
    FixRule {
        code: "news-all-escaped",
        section: "3.6",
        decision: "D-58",
        message: words!("the `*` for all newsgroups is not escaped"),
    },
];

/// One kind of ambiguous text that is refused without a problem of the grammar.
#[derive(Debug)]
pub(super) struct Rejection {
    pub(super) code: &'static str,
    pub(super) section: &'static str,
    pub(super) decision: &'static str,
    pub(super) message: Words,
    pub(super) help: Words,
}

pub(super) static NESTED: Rejection = Rejection {
    code: "wrapper-inside",
    section: "Appendix",
    decision: "D-67",
    message: words!("there is a second `<` between `<` and `>`"),
    help: words!("pass the text of one URL at a time"),
};
pub(super) static HYPHEN: Rejection = Rejection {
    code: "hyphen-ambiguous",
    section: "Appendix",
    decision: "D-69",
    message: words!("a line ends with a hyphen, which may or may not be part of the URL"),
    help: words!("write the URL on one line, with or without the hyphen"),
};
pub(super) static EMPTY_LINE: Rejection = Rejection {
    code: "empty-line",
    section: "Appendix",
    decision: "D-68",
    message: words!("there is an empty line, which may be the end of the URL"),
    help: words!("pass the text of one URL, or enclose it in `<` and `>`"),
};
pub(super) static SECOND_URL: Rejection = Rejection {
    code: "second-url",
    section: "Appendix",
    decision: "D-78",
    message: words!("the text contains more than one URL"),
    help: words!("pass one URL at a time, or enclose it in `<` and `>`"),
};
pub(super) static FRAGMENT_OR_DATA: Rejection = Rejection {
    code: "fragment-ambiguous",
    section: "2.2",
    decision: "D-86",
    message: words!("`#` may start a fragment or be part of a name, a user name or a password"),
    help: words!("write `%23` for a `#` that is part of the URL, or end the URL before it"),
};
pub(super) static TEXT_AROUND: Rejection = Rejection {
    code: "text-around",
    section: "Appendix",
    decision: "D-77",
    message: words!("the URL has other text around it"),
    help: words!("pass only the URL; `find` extracts URLs from text"),
};
pub(super) static NESTED_SCHEME: Rejection = Rejection {
    code: "nested-scheme",
    section: "2.1",
    decision: "D-83",
    message: words!("the URL starts with two schemes"),
    help: words!("keep one of them"),
};
pub(super) static ESCAPED_URL: Rejection = Rejection {
    code: "escaped-url",
    section: "2.2",
    decision: "D-81",
    message: words!("the delimiters of the URL are percent-encoded"),
    help: words!("decode the text before you use it as a URL"),
};
pub(super) static DEFANGED: Rejection = Rejection {
    code: "defanged",
    section: "2.2",
    decision: "D-82",
    message: words!("the text is defanged, so that nobody opens it by mistake"),
    help: words!("follow the URL only if you know why it was defanged"),
};
pub(super) static WINDOWS_PATH: Rejection = Rejection {
    code: "windows-path",
    section: "3.10",
    decision: "D-85",
    message: words!("the text is a Windows path, not a URL"),
    help: words!("write a file URL, with `/` between the names"),
};
pub(super) static UNC_PATH: Rejection = Rejection {
    code: "unc-path",
    section: "3.10",
    decision: "D-85",
    message: words!("the text is the name of a network share, not a URL"),
    help: words!("write a file URL with the server as its host"),
};
pub(super) static SCHEME_MISTYPED: Rejection = Rejection {
    code: "scheme-mistyped",
    section: "2.1",
    decision: "D-81",
    message: words!("the text starts with what looks like a mistyped scheme"),
    help: words!("write the scheme and `:`, then `//` if a host follows"),
};
pub(super) static INVISIBLE: Rejection = Rejection {
    code: "invisible-character",
    section: "2.2",
    decision: "D-79",
    message: words!("an invisible character inside the text"),
    help: words!("remove it, or write its escape if it is part of a name"),
};
pub(super) static CONTROL: Rejection = Rejection {
    code: "control-character",
    section: "2.2",
    decision: "D-79",
    message: words!("there is a control character inside the text: programs may cut the URL there, or obey it"),
    help: words!("remove it"),
};
pub(super) static CURLY_QUOTE: Rejection = Rejection {
    code: "curly-quote",
    section: "2.2",
    decision: "D-79",
    message: words!("a typographic quotation mark, which may have replaced an ASCII one or be part of the name"),
    help: words!("write the mark you mean, or its escape"),
};
pub(super) static SHORTENED: Rejection = Rejection {
    code: "shortened",
    section: "2.2",
    decision: "D-79",
    message: words!("the text contains an ellipsis: part of the URL was left out"),
    help: words!("copy the whole URL"),
};
pub(super) static HTML_ENTITY: Rejection = Rejection {
    code: "html-entity",
    section: "2.2",
    decision: "D-80",
    message: words!("an HTML character reference, which may stand for a character or be meant literally"),
    help: words!("decode the HTML before you use the text as a URL"),
};
pub(super) static TOO_MANY_CHANGES: Rejection = Rejection {
    code: "too-many-changes",
    section: "2.2",
    decision: "D-87",
    message: words!("the text would need thousands of changes, so it is unlikely to be one URL"),
    help: words!("pass one URL at a time"),
};
pub(super) static HOST_DIFFERS: Rejection = Rejection {
    code: "host-differs",
    section: "3.1",
    decision: "D-75",
    message: words!("parsers of other standards see a different host in this text than in the repaired URL"),
    help: words!("write the host so that every parser sees the same one, and escape `?` and `@` in a login"),
};
pub(super) static BACKSLASH: Rejection = Rejection {
    code: "backslash",
    section: "2.2",
    decision: "D-10",
    message: words!("a backslash, which some programs read as `/` and others as data"),
    help: words!("write `/` or `%5C`"),
};
pub(super) static HOST_NOT_UTF8: Rejection = Rejection {
    code: "host-not-utf8",
    section: "3.1",
    decision: "D-10",
    message: words!("the host contains octets that are not UTF-8, so its characters are unknown"),
    help: words!("write the host in UTF-8 or in its `xn--` form"),
};
pub(super) static HOST_NOT_IDNA: Rejection = Rejection {
    code: "host-not-idna",
    section: "3.1",
    decision: "D-72",
    message: words!(if cfg!(feature = "idna") {
        "the host cannot be encoded in US-ASCII as a name: IDNA does not allow it"
    } else {
        "the host is not US-ASCII, and this program was built without IDNA (feature `idna`)"
    }),
    help: words!("write the host in its `xn--` form"),
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;

    static RULES: [&FixRule; 17] = [
        &BLANKS,
        &WRAPPER,
        &PREFIX,
        &WHITE_SPACE,
        &LINE_END,
        &FRAGMENT,
        &HOST,
        &INVISIBLE_AROUND,
        &QUOTES,
        &LINK,
        &LABEL,
        &LIST_MARK,
        &DEBRIS,
        &JSON_ESCAPE,
        &DRIVE,
        &ADDRESS_BRACKETS,
        &MESSAGE_ID_BRACKETS,
    ];
    static REFUSALS: [&Rejection; 22] = [
        &NESTED,
        &HYPHEN,
        &EMPTY_LINE,
        &SECOND_URL,
        &FRAGMENT_OR_DATA,
        &BACKSLASH,
        &HOST_NOT_UTF8,
        &HOST_NOT_IDNA,
        &TEXT_AROUND,
        &NESTED_SCHEME,
        &ESCAPED_URL,
        &DEFANGED,
        &WINDOWS_PATH,
        &UNC_PATH,
        &SCHEME_MISTYPED,
        &INVISIBLE,
        &CONTROL,
        &CURLY_QUOTE,
        &SHORTENED,
        &HTML_ENTITY,
        &HOST_DIFFERS,
        &TOO_MANY_CHANGES,
    ];

    #[test]
    fn the_documentation_lists_every_change_and_every_refusal() {
        let documentation = include_str!("mod.rs");
        for FixRule { code, message, decision, .. } in RULES.into_iter().chain(&FIXES) {
            let row = format!("/// | `{code}` | {} | {decision} |", message.en());
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
