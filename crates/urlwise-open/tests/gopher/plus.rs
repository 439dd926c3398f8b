//! What a Gopher+ server answers: headers, lengths, views and errors.

use urlwise_open::protocol::gopher::{GopherLimits, GopherMachine, GopherRequest, GopherSettings};
use urlwise_open::protocol::{End, FaultKind, Shape, plan};
use urlwise_open::testing::play;

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

#[test]
fn gopher_plus_errors_are_told_apart_by_code_and_name_an_administrator_only_if_there_is_one() {
    for (first, kind, code, said) in [
        ("1 joe", FaultKind::NotFound, Some(1), r#"the item is not available: "why" (Gopher+ section 2.3)"#),
        ("2 joe", FaultKind::Server, Some(2), r#"the server is busy; try again later: "why" (Gopher+ section 2.3)"#),
        ("3 joe", FaultKind::Server, Some(3), r#"the item has moved: "why" (Gopher+ section 2.3)"#),
        ("4 joe", FaultKind::Server, Some(4), r#"the server reports an error: "why" (Gopher+ section 2.3)"#),
        ("joe>", FaultKind::Server, None, r#"the server reports an error: "why" (Gopher+ section 2.3)"#),
        ("1 <joe", FaultKind::NotFound, Some(1), r#"the item is not available: "why" (Gopher+ section 2.3)"#),
        (
            "<joe>",
            FaultKind::Server,
            None,
            r#"the server reports an error: "why" (Gopher+ section 2.3); contact the administrator, <joe>"#,
        ),
    ] {
        let fault = plus(b'0', b"+", format!("--2\r\n{first}\r\nwhy\r\n").as_bytes()).fault.expect("an error");
        assert_eq!((fault.kind(), fault.server_code(), fault.to_string().as_str()), (kind, code, said));
    }
}

#[test]
fn a_header_that_is_cut_is_no_attribute() {
    for header in [&b"+"[..], b"-", b"+-", b"+-1", b"+12", b"+12\r", b"--2\r"] {
        let cut = plus(b'0', b"!", header).fault.unwrap_or_else(|| panic!("{header:?}"));
        assert_eq!(cut.kind(), FaultKind::Partial, "{header:?}");
        assert_eq!(
            cut.to_string(),
            "the connection closed in the middle of the Gopher+ header (Gopher+ section 2.3); ask again"
        );
        // A document of such octets is possible.
        let document = plus(b'0', b"+", header);
        assert_eq!((document.is_done, &document.data[..]), (true, header), "{header:?}");
    }
    for answer in [&b""[..], b"+x", b"5", b"+-x", b"+INFO", b"+12\r\r", b"+INFO: 0a\tb\tc\t1\r\n", b"+x\r\n"] {
        let classic = plus(b'0', b"!", answer);
        assert_eq!((classic.is_done, &classic.data[..]), (true, answer), "{answer:?}");
    }
}

#[test]
fn a_length_up_to_the_limit_is_read() {
    let limits = GopherLimits::default().with(|limits| limits.total = Some(5));
    let settings = GopherSettings::default().with(|settings| settings.limits = limits);
    let request = GopherRequest::new(b'9').with(|request| request.plus = Some(b"+".to_vec()));
    let held = play(GopherMachine::new(request, settings), b"+5\r\n12345", Some(End::Closed));
    assert_eq!((held.is_done, &held.data[..]), (true, &b"12345"[..]));
}

#[test]
fn an_answer_tells_whether_it_is_of_gopher_plus_and_whether_it_is_text() {
    let told = |gtype, string: Option<&[u8]>, answer: &[u8]| {
        let request = GopherRequest::new(gtype).with(|request| request.plus = string.map(<[u8]>::to_vec));
        let mut machine = GopherMachine::new(request, GopherSettings::default());
        assert!(!machine.is_plus() && !machine.is_text(), "nothing has come");
        let server = urlwise_open::testing::says(answer);
        assert!(urlwise_open::testing::hold(&mut machine, server, urlwise_open::testing::Network::default()).is_done);
        (machine.is_plus(), machine.is_text())
    };
    assert_eq!(told(b'0', None, b"a\r\n"), (false, true));
    assert_eq!(told(b'9', None, b"a\r\n"), (false, false));
    assert_eq!(told(b'1', None, b".\r\n"), (false, false));
    assert_eq!(told(b'0', Some(b"+"), b"+-1\r\na\r\n.\r\n"), (true, true));
    assert_eq!(told(b'9', Some(b"+"), b"+-1\r\na\r\n.\r\n"), (true, true), "its lines end as those of a text");
    assert_eq!(told(b'0', Some(b"+"), b"+3\r\na\r\n"), (true, false), "octets that are counted are kept");
    assert_eq!(told(b'0', Some(b"+"), b"+-2\r\na\r\n"), (true, false));
    assert_eq!(told(b'1', Some(b"+"), b"+-1\r\n.\r\n"), (true, false), "a menu has a reader of its own");
    assert_eq!(told(b'0', Some(b"!"), b"+-1\r\n+INFO:\r\n.\r\n"), (true, false), "and so have attributes");
    assert_eq!(told(b'0', Some(b"+"), b"a\r\n"), (false, true), "no header");
}

#[test]
fn the_dry_run_says_what_is_asked_of_gopher_plus() {
    let expected = |string: &[u8]| {
        let request = GopherRequest::new(b'0').with(|request| request.plus = Some(string.to_vec()));
        let lines = plan(GopherMachine::new(request, GopherSettings::default())).expect("it may be sent");
        lines.iter().filter(|line| line.kind() == "expect").map(ToString::to_string).collect::<String>()
    };
    for (string, data) in [
        (&b"+"[..], "the data; or"),
        (b"!", "the attributes; or"),
        (b"$", "the attributes; or"),
        (b"?", "the attributes with the form; its answers require another request; or"),
    ] {
        assert!(expected(string).contains(&format!("then {data} `-`")), "{}", expected(string));
    }
}
