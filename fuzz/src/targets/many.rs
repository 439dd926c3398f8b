//! Any answers to several calls at a time, which one event loop drives: of each comes what comes of it alone, and with one client for
//! all, whose connections are kept from one to the next, none of them panics, waits for ever or says what it must not.
//!
//! The input is: flags, then a part for each call that `FD` parts: the URL, what is done, and answers that `FE` parts.

use crate::calls;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread;
use urlwise_open::testing::offline;
use urlwise_open::{Client, run_many};

/// The most calls of an input.
const MOST: usize = 8;

/// What one call is, and where its result goes.
struct Job {
    number: usize,
    call: Call,
    /// Of all calls; `None` for its own.
    client: Option<Arc<Client>>,
    results: Sender<(usize, thread::Result<Outcome>)>,
}

#[derive(Clone)]
struct Call {
    which: u8,
    flags: u8,
    answers: Vec<Vec<u8>>,
}

type Outcome = (Vec<u8>, Option<String>);

impl Call {
    fn of(part: &[u8]) -> Option<Call> {
        let [which, flags, rest @ ..] = part else { return None };
        Some(Call { which: *which, flags: *flags, answers: calls::answers(rest) })
    }

    fn make(&self, client: Option<&Client>) -> Outcome {
        let own = client.is_none().then(|| Client::new(calls::options(self.flags)));
        let client = client.or(own.as_ref()).expect("one of them");
        let url = calls::url(self.which);
        let (outcome, sent) = offline(self.answers.clone(), || calls::call(client, &url, self.flags));
        if own.is_some() {
            calls::keeps_secrets(&sent);
        }
        outcome
    }

    /// Whether its time decides what comes of it: datagrams are waited for, and a session has turns.
    fn is_timed(&self) -> bool {
        let url = calls::url(self.which);
        ["prospero", "telnet"].contains(&url.scheme_name())
    }
}

/// The event loop of all inputs: what it holds from the earlier ones is part of what is tried.
static JOBS: LazyLock<Mutex<Sender<Job>>> = LazyLock::new(|| {
    let (sender, receiver): (Sender<Job>, Receiver<Job>) = mpsc::channel();
    thread::spawn(move || {
        let feed = |jobs: &urlwise_open::Jobs<'_, Job>| receiver.iter().for_each(|job| jobs.push(job));
        let work = |job: Job| {
            let result = panic::catch_unwind(AssertUnwindSafe(|| job.call.make(job.client.as_deref())));
            // The other end has gone only if another call of the input has failed.
            let _ = job.results.send((job.number, result));
        };
        run_many(MOST, feed, work).expect("an event loop");
    });
    Mutex::new(sender)
});

pub(crate) fn run(input: &[u8]) {
    if calls::holds(input, calls::SECRET) {
        return;
    }
    let [flags, rest @ ..] = input else { return };
    let calls: Vec<_> = rest.split(|octet| *octet == 0xfd).filter_map(Call::of).take(MOST).collect();
    let client = (flags & 1 != 0).then(|| Arc::new(Client::new(calls::options(*flags))));
    let (results, received) = mpsc::channel();
    let jobs = JOBS.lock().expect("no input has failed before");
    for (number, call) in calls.iter().cloned().enumerate() {
        let job = Job { number, call, client: client.clone(), results: results.clone() };
        jobs.send(job).expect("the event loop runs");
    }
    drop((jobs, results));
    let mut came = 0;
    for (number, result) in received {
        came += 1;
        let outcome = result.unwrap_or_else(|panic| panic::resume_unwind(panic));
        let call = &calls[number];
        if client.is_none() && !call.is_timed() {
            assert_eq!(outcome, call.make(None), "call {number}");
        }
    }
    assert_eq!(came, calls.len());
}
