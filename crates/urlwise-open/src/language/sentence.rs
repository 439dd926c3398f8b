//! Sentences that errors, faults, gateways and the policy put together in the same way.

use urlwise::Message;

use super::message;

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

/// References with the word for a section.
pub(crate) fn of_reference(text: &'static str) -> Message {
    let pieces = text.split(", ").map(|piece| match piece.split_once(" section ") {
        Some((document, number)) => message!("{document} section {number}", document = document, number = number),
        None => Message::from(piece),
    });
    let joined = pieces.reduce(|before, piece| message!("{before}, {piece}", before = before, piece = piece));
    joined.unwrap_or_else(|| "".into())
}
