//! One request over a kept connection or a new one (S-19).

use super::RequestPlan;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::net::deadlines::Clock;
use crate::net::driver::Dialogue;
use crate::net::tcp::Connection;
use crate::protocol::Begin;
use crate::protocol::http::HttpMachine;
use crate::scheme::context::Context;
use std::sync::Arc;

/// Sends a request, on a kept connection if there is one, and waits for the beginning of the answer; `None` if none begins. The dialogue
/// stays where it is made: it is large, and a document of it is boxed anyway.
pub(super) fn begin(
    context: &Context,
    question: RequestPlan,
    clock: &Clock,
) -> (Box<Dialogue<HttpMachine>>, Result<Option<Begin>, Error>) {
    let RequestPlan { request, endpoint, key } = question;
    // Neither a public server nor a document must reach a local server through a connection that the user had opened.
    let may_be_kept = context.shared.may_be_kept(clock, &endpoint.host);
    let kept = context.connections.take(&key, |_| may_be_kept.then_some(0), Connection::is_silent);
    let dialogue = |machine| {
        let (connections, key) = (Arc::clone(&context.connections), key.clone());
        Dialogue::new(machine, endpoint.clone(), clock.clone(), context.shared()).keeping(Box::new(
            move |machine: &mut HttpMachine, unread, connection| {
                if machine.leaves_connection(unread) {
                    connections.put(key, connection);
                }
            },
        ))
    };
    if let Some(connection) = kept {
        let mut dialogue = Box::new(dialogue(HttpMachine::new(request.clone()).on_kept_connection()).on(connection));
        let begun = dialogue.begin();
        // Servers close idle connections; GET and HEAD may be sent twice (S-23).
        let is_stale = |error: &Error| !matches!(error.kind(), ErrorKind::Timeout | ErrorKind::Cancelled);
        if dialogue.machine().is_answered() || !begun.as_ref().is_err_and(is_stale) {
            return (dialogue, begun);
        }
    }
    let mut dialogue = Box::new(dialogue(HttpMachine::new(request)));
    let begun = dialogue.begin();
    (dialogue, begun)
}
