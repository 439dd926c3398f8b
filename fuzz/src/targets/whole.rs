//! Any answers of a server, the whole way: a client opens, lists or asks about a URL, and what comes is read to its end. It never panics,
//! ends in time, writes what it says it has written, shows no control characters and no password, and sends a password to its host
//! alone.
//!
//! The input is: the URL, what is done, then answers that `FE` parts; one for each connection or datagram.

use crate::calls;
use urlwise_open::Client;
use urlwise_open::testing::offline;

pub(crate) fn run(input: &[u8]) {
    if calls::holds(input, calls::SECRET) {
        return;
    }
    let [which, flags, rest @ ..] = input else { return };
    let url = calls::url(*which);
    let call = || calls::call(&Client::new(calls::options(*flags)), &url, *flags);
    let (_, sent) = offline(calls::answers(rest), call);
    calls::keeps_secrets(&sent);
}
