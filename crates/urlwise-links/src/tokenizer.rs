//! The tokenizer of html5gum. It is generic, so it is compiled for each type of callback: for one, here.

use std::ops::Range;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// Gives each event of a text and its place to `each`, until that says that it wants no more. `switches`: what stands in scripts and the like is
/// not read as HTML.
pub(crate) fn read(text: &[u8], switches: bool, each: &mut dyn FnMut(&CallbackEvent<'_>, Range<usize>) -> bool) {
    let mut wanted = true;
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, span: Span<usize>| {
        // It may make more events before it passes on what this returns.
        wanted = wanted && each(&event, span.start..span.end);
        (!wanted).then_some(())
    });
    emitter.naively_switch_states(switches);
    // A slice can be read without an error.
    let _ = Tokenizer::new_with_emitter(text, emitter).next();
}
