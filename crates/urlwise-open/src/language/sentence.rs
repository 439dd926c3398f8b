//! Sentences that errors, faults, gateways and the policy put together in the same way.

use urlwise::{Message, Words};

use super::{message, words};

/// A sentence, the rule of the policy, the reference and the help.
pub(crate) fn cited(
    sentence: Message,
    rule: Option<&'static str>,
    reference: &'static str,
    help: Option<Message>,
) -> Message {
    let reference = of_reference(reference);
    let sentence = match rule {
        Some(rule) => {
            message!("{sentence} (rule `{rule}`, {reference})", sentence = sentence, rule = rule, reference = reference)
        }
        None => message!("{sentence} ({reference})", sentence = sentence, reference = reference),
    };
    helped(sentence, help)
}

/// A sentence and the help.
pub(crate) fn helped(sentence: Message, help: Option<Message>) -> Message {
    match help {
        Some(help) => message!("{sentence}; {help}", sentence = sentence, help = help),
        None => sentence,
    }
}

/// References with the words that are not names.
pub(crate) fn of_reference(text: &'static str) -> Message {
    if let Some(words) = REFERENCES.iter().find(|words| words.en() == text) {
        return (*words).into();
    }
    listed(text.split(", ").map(|piece| match (piece.split_once(" section "), piece.strip_suffix(" appendix")) {
        (Some((document, number)), _) => message!("{document} section {number}", document = document, number = number),
        (None, Some(document)) => message!("{document} appendix", document = document),
        (None, None) => Message::from(piece),
    }))
}

/// References without the number of a section.
const REFERENCES: &[Words] = &[
    words!("Prospero 5 answers"),
    words!("Prospero 5 contents"),
    words!("Prospero 5 failures"),
    words!("Prospero 5 quoting"),
    words!("WAIS messages"),
    words!("WAIS diagnostics"),
    words!("WAIS packet header"),
    words!("WAIS field encoding"),
    words!("ARDP (Prospero protocol, 1993)"),
    words!("item type i, in use without a document"),
    words!("`URL:` selectors, in use without a document"),
];

/// Pieces with commas between them.
pub(crate) fn listed(pieces: impl IntoIterator<Item = Message>) -> Message {
    let pieces = pieces.into_iter();
    let joined = pieces.reduce(|before, piece| message!("{before}, {piece}", before = before, piece = piece));
    joined.unwrap_or_else(|| "".into())
}
