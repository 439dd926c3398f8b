//! The rules of `check --open`.

use urlwise::{Level, Words};

use crate::language::words;

/// A rule about links that are opened.
#[derive(Debug)]
pub(crate) struct LinkRule {
    pub(crate) id: &'static str,
    pub(crate) level: Level,
    /// When it reports something: a clause.
    pub(crate) when: Words,
    pub(crate) help: Words,
}

/// The number in the rule book of what all of them follow.
pub(crate) const DECISION: &str = "D-104";

/// The rule about comments that are not needed.
pub(crate) const UNUSED: &str = "suppression-unused";

/// The rules of `check --open`, and the one about comments.
pub(crate) static LINK_RULES: [LinkRule; 6] = [
    LinkRule {
        id: UNUSED,
        level: Level::Warning,
        when: words!("a comment `urlwise: ignore[RULE]` ignores nothing, or names a rule that does not exist"),
        help: words!("remove it"),
    },
    LinkRule {
        id: "link-dead",
        level: Level::Error,
        when: words!(
            "nobody can open the link: the server that is responsible for it says so, or the file does not exist"
        ),
        help: words!("correct the link, or remove it"),
    },
    LinkRule {
        id: "link-moved",
        level: Level::Warning,
        when: words!("the server says that the target moved permanently to another URL"),
        help: words!("replace the link by the new URL"),
    },
    LinkRule {
        id: "link-unknown",
        level: Level::Warning,
        when: words!("it is not known whether the link works: the server did not answer, or only some can open it"),
        help: words!("try it in a browser"),
    },
    LinkRule {
        id: "link-refused",
        level: Level::Warning,
        when: words!("the policy does not allow the link to be opened"),
        help: words!("lift the rule by `--allow` if the link is good"),
    },
    LinkRule {
        id: "link-skipped",
        level: Level::Note,
        when: words!("the link was not opened"),
        help: words!("check it by hand"),
    },
];
