//! Probing http: HEAD, and GET closed after the headers where the answer to HEAD proves nothing (D-102).

use super::coding::undone;
use super::{HEAD_REFUSED, arrive, login, question, redirect, transfer};
use crate::credentials::ServerLogin;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::driver::Dialogue;
use crate::probe::{Cause, Probe};
use crate::protocol::http::{HttpAnswer, HttpGoal, HttpMachine};
use crate::protocol::{Begin, Note};
use crate::scheme::opener::{Call, Outcome};
use std::time::SystemTime;

/// The statuses that servers also give to HEAD where they would answer GET.
const DOUBTFUL: &[u16] = &[400, 403, 404, 405, 406, 500, 501];

/// The document was not announced by HEAD, but begins.
const HEAD_FAILED: Note = Note::new(
    "head-failed",
    "RFC 9110 section 9.3.2",
    words!("the server answers GET and not HEAD; the document was requested, and dropped unread"),
);

pub(super) fn probe(call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
    let (login, notes) = login(call)?;
    let mut asked = Asked { call, login, notes };
    let limit = call.options().body_limit;
    if limit.is_some() {
        return asked.get(limit);
    }
    let clock = call.clock.clone().halved();
    let question = question(call, HttpGoal::Metadata, asked.login.as_ref())?;
    let (dialogue, begun) = transfer::begin(call.context, question, &clock);
    let answer = dialogue.machine().answer();
    let may_answer_get = match (&begun, answer) {
        (Ok(_), _) => None,
        (Err(_), Some(answer)) => (DOUBTFUL.contains(&answer.status) && !answer.is_challenge).then_some(HEAD_REFUSED),
        (Err(error), None) => is_silent(&dialogue, error).then_some(HEAD_FAILED),
    };
    match may_answer_get {
        Some(note) => {
            let found = asked.get(None)?;
            Ok(match found {
                Outcome::Here(probe) if probe.error.is_none() => Outcome::Here(probe.noting(note)),
                found => found,
            })
        }
        None => asked.judged(dialogue, begun, None),
    }
}

/// Whether the server was reached and did not answer HEAD, or not in http.
fn is_silent(dialogue: &Dialogue<HttpMachine>, error: &Error) -> bool {
    let is_no_answer =
        matches!(error.kind(), ErrorKind::Server | ErrorKind::Protocol | ErrorKind::Partial | ErrorKind::Timeout);
    dialogue.has_connected() && is_no_answer
}

/// A URL that is being asked for.
struct Asked<'a, 'c> {
    call: &'a Call<'c>,
    login: Option<ServerLogin>,
    notes: Vec<Note>,
}

impl Asked<'_, '_> {
    /// Requests the document; `limit` is how much of it is read, if any.
    fn get(&mut self, limit: Option<usize>) -> Result<Outcome<Probe>, Error> {
        let question = question(self.call, HttpGoal::Document, self.login.as_ref())?;
        let (dialogue, begun) = transfer::begin(self.call.context, question, self.call.clock);
        self.judged(dialogue, begun, limit)
    }

    /// What the answer proves; `limit` is how much of a document is wanted, if any.
    fn judged(
        &mut self,
        dialogue: Box<Dialogue<HttpMachine>>,
        begun: Result<Option<Begin>, Error>,
        limit: Option<usize>,
    ) -> Result<Outcome<Probe>, Error> {
        let answer = dialogue.machine().answer();
        let notes = std::mem::take(&mut self.notes);
        let probe = match (begun, answer) {
            (Ok(None), _) => return redirect(dialogue, self.call.url(), notes).map(Outcome::Elsewhere),
            (Ok(Some(_)), Some(answer)) if answer.is_challenge => challenge(answer.status),
            (Ok(Some(begin)), _) => match limit {
                None => Probe { notes: dialogue.leave(), ..Probe::alive() },
                Some(limit) => {
                    let codings = dialogue.machine().unasked_codings();
                    let document = arrive(dialogue, begin, &HttpGoal::Document, self.call.history(), None)?;
                    let (body, mut notes) = document.beginning(limit)?;
                    let body = undone(body, codings, limit);
                    if !body.is_coded {
                        // It says that the coding is still there.
                        notes.retain(|note| note.code != "content-encoding");
                    }
                    Probe { body: Some(body), notes, ..Probe::alive() }
                }
            },
            (Err(error), Some(answer)) => refused(answer, error),
            (Err(error), None) => Probe::from(error),
        };
        let retry_after = answer.and_then(|answer| answer.retry_after).map(|after| after.wait(SystemTime::now()));
        let status = answer.map(|answer| answer.status);
        let notes = notes.into_iter().chain(probe.notes).collect();
        Ok(Outcome::Here(Probe { retry_after, status, notes, ..probe }))
    }
}

/// An answer that only a person in a browser gets past.
fn challenge(status: u16) -> Probe {
    let what = message!("the server answers {status} with a challenge instead of the document", status = status);
    Probe::failed(Cause::Challenge, Error::new(ErrorKind::Server, what).with_reference("D-102"))
}

/// What an answer proves that is not a document. Where it is not even http, its status proves nothing.
fn refused(answer: HttpAnswer, error: Error) -> Probe {
    let has_status = matches!(error.kind(), ErrorKind::Server | ErrorKind::NotFound | ErrorKind::Login);
    let of = |status: u16| STATUSES.iter().find(|(first, last, _)| (*first..=*last).contains(&status));
    let cause = match answer.status {
        _ if answer.is_challenge => Cause::Challenge,
        _ if !has_status => return Probe::from(error),
        503 if answer.retry_after.is_some() => Cause::RateLimit,
        status => of(status).map_or(Cause::Rejected, |(.., cause)| *cause),
    };
    match cause {
        Cause::Challenge => challenge(answer.status),
        _ => Probe::failed(cause, error),
    }
}

/// What statuses prove, by their first and last; the others reject the request.
const STATUSES: &[(u16, u16, Cause)] = &[
    (401, 401, Cause::Login),
    (403, 403, Cause::Forbidden),
    (404, 404, Cause::NotFound),
    (407, 407, Cause::Login),
    (408, 408, Cause::Timeout),
    (410, 410, Cause::Gone),
    (425, 425, Cause::ServerError),
    (429, 429, Cause::RateLimit),
    (451, 451, Cause::Forbidden),
    (500, 599, Cause::ServerError),
    // Not a status of HTTP: what some sites answer to programs.
    (999, 999, Cause::Challenge),
];
