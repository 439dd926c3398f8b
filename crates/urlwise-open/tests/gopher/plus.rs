//! What a Gopher+ server answers: headers, lengths, views and errors.

use urlwise_open::protocol::{FaultKind, Shape};

use crate::rules::plus;

#[test]
fn counted_octets_are_taken_and_the_rest_ignored() {
    let replay = plus(b'0', b"+", b"+3\r\nab\n.\r\nmore");
    assert_eq!((replay.data, replay.is_done), (b"ab\n".to_vec(), true));
    assert_eq!(plus(b'0', b"+", b"+0\r\n.\r\n").data, b"");
}

#[test]
fn fewer_octets_than_counted_are_a_partial_transfer() {
    let replay = plus(b'9', b"+", b"+10\r\nabc");
    assert_eq!(replay.data, b"abc");
    let fault = replay.fault.as_ref().unwrap();
    assert_eq!(fault.kind(), FaultKind::Partial);
    assert_eq!(fault.what().to_string(), "the server announced 10 octets but closed the connection after 3");
    let menu = plus(b'1', b"+", b"+99\r\n1a\tb\tc\t1\r\n1d\te\tf");
    assert_eq!(menu.entries.len(), 1, "half a line is not an entry");
    assert_eq!(menu.fault.as_ref().unwrap().kind(), FaultKind::Partial);
}

#[test]
fn data_up_to_a_dot_keeps_its_doubled_dots() {
    let replay = plus(b'0', b"+", b"+-1\r\n..a\n.\nb\n.\r\n");
    assert_eq!((replay.data, replay.notes), (b"..a\n.\nb\n".to_vec(), vec![]));
}

#[test]
fn missing_closing_dot_is_noted_where_it_was_promised() {
    assert_eq!(plus(b'0', b"+", b"+-1\r\na\n").notes, ["closing-dot-missing"]);
    assert!(plus(b'0', b"+", b"+-2\r\na\n").notes.is_empty());
}

#[test]
fn an_answer_without_a_header_is_classic() {
    for answer in [
        &b"+x\r\n"[..],
        b"+-3\r\n",
        b"+\r\n",
        b"-\r\n",
        b"5\r\n",
        b"+5 \r\n",
        b"++5\r\n",
        b"+-\r\n",
        b"+1",
        b"+123456789012345678901234567890123456789\r\n",
    ] {
        let replay = plus(b'9', b"+", answer);
        assert_eq!((replay.data, replay.notes), (answer.to_vec(), vec!["not-gopher-plus"]), "{answer:?}");
    }
}

#[test]
fn header_may_end_with_lf_alone() {
    assert_eq!(plus(b'9', b"+", b"+2\nabc").data, b"ab");
}

#[test]
fn classic_menu_that_answers_a_gopher_plus_request_is_read_as_a_menu() {
    let replay = plus(b'1', b"+", b"+dup\ta\tb\t1\r\n1a\tb\tc\t1\r\n.\r\n");
    assert_eq!((replay.entries.len(), replay.notes), (2, vec!["not-gopher-plus"]));
}

#[test]
fn view_decides_what_the_answer_is() {
    let begin = |gtype, string: &[u8]| plus(gtype, string, b"+-1\r\n.\r\n").begin.as_ref().unwrap().clone();
    let kind = |gtype, string: &[u8]| (begin(gtype, string).shape, begin(gtype, string).media_type);
    assert_eq!(kind(b'1', b"+"), (Shape::Menu, None));
    assert_eq!(kind(b'1', b"+text/html En_US"), (Shape::Document, Some("text/html".into())));
    assert_eq!(kind(b'1', b"+Application/Gopher-menu En_US"), (Shape::Menu, None));
    let attributes = Some("Application/Gopher+-menu".into());
    assert_eq!(kind(b'1', b"+Application/Gopher+-menu En_US"), (Shape::Document, attributes));
    assert_eq!(kind(b'1', b"$"), (Shape::Document, Some("text/plain".into())));
    assert_eq!(kind(b'g', b"!"), (Shape::Document, Some("text/plain".into())));
    assert_eq!(kind(b'g', b"+"), (Shape::Document, Some("image/gif".into())));
}

#[test]
fn gopher_plus_errors_have_a_code_a_message_and_help() {
    let fault = |answer: &[u8]| plus(b'0', b"+", answer).fault.as_ref().unwrap().clone();
    let gone = fault(b"--1\r\n1 The Admin <a@b.c>\r\nIt is gone.\r\n.\r\n");
    assert_eq!(
        gone.to_string(),
        "the item is not available: \"It is gone.\" (Gopher+ section 2.3); contact the \
         administrator, The Admin <a@b.c>"
    );
    assert_eq!((gone.kind(), gone.server_code()), (FaultKind::NotFound, Some(1)));
    let busy = fault(b"--2\r\n2 busy");
    assert_eq!(
        (busy.kind(), busy.what().to_string().as_str()),
        (FaultKind::Server, "the server is busy; try again later")
    );
    assert_eq!(busy.raw_octets(), Some(&b"busy"[..]));
    let moved = fault(b"--1\r\n3 Admin <a@b.c>\r\n0New\t0/new\tother.dom\t71\r\n.\r\n");
    assert_eq!(
        moved.help().map(ToString::to_string).as_deref(),
        Some("ask host other.dom, port 71 for the selector \"0/new\", type 0")
    );
    assert_eq!(fault(b"-8\r\n99 huh\n..").raw_octets(), Some(&b"huh"[..]));
    assert_eq!(fault(b"--2\r\n").kind(), FaultKind::Server);
    assert_eq!(fault(b"-0\r\nignored").raw_octets(), Some(&b""[..]));
}
