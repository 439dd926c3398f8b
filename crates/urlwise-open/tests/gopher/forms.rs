//! Forms: the questions of `+ASK`, and answers that make one request and no more (RFC 1738 section 3.4.9).

use crate::recorded::transcript;
use urlwise::GopherPlus;
use urlwise_open::protocol::gopher::{FieldKind, FormField, GopherMachine, GopherRequest, GopherSettings, fill};
use urlwise_open::protocol::{End, Fault, FaultKind, Io, Machine, Step};
use urlwise_open::testing::play;

fn form(lines: &[&str]) -> Vec<FormField> {
    lines.iter().map(|line| FormField::parse(line.as_bytes())).collect()
}

fn survey() -> Vec<FormField> {
    form(&[
        "Note: A little survey",
        "Ask: Your name\tAnonymous",
        "AskP: A secret word",
        "AskL: Any comments",
        "Select: Send mail\t0",
        "Choose: Pick a color\tred\tgreen\tblue",
        "ChooseF: A file to send",
    ])
}

fn answers(answers: &[Option<&str>]) -> Vec<Option<Vec<u8>>> {
    answers.iter().map(|answer| answer.map(|answer| answer.as_bytes().to_vec())).collect()
}

fn lines(form: &[FormField], given: &[Option<&str>]) -> Vec<String> {
    let lines = fill(form, &answers(given)).expect("it is filled");
    lines.into_iter().map(|line| String::from_utf8(line.octets).expect("it is text")).collect()
}

fn refusal(form: &[FormField], given: &[Option<&str>]) -> Fault {
    let fault = fill(form, &answers(given)).expect_err("it is refused");
    assert_eq!(fault.kind(), FaultKind::Refused);
    fault
}

const FILLED: [Option<&str>; 7] = [
    None,
    Some("Me"),
    Some("secret"),
    Some("line one\nline two"),
    Some("yes"),
    Some("green"),
    Some("file body here\r\nsecond\r\n"),
];

#[test]
fn every_kind_of_field_is_read() {
    let survey = survey();
    let kinds: Vec<_> = survey.iter().map(|field| field.kind.name()).collect();
    assert_eq!(kinds, ["note", "line", "secret", "lines", "select", "choose", "file"]);
    assert_eq!((&survey[1].label[..], survey[1].default.as_deref()), (&b"Your name"[..], Some(&b"Anonymous"[..])));
    assert_eq!((survey[4].default.as_deref(), survey[5].choices.len()), (Some(&b"0"[..]), 3));
    let odd = form(&[
        "ASK: x",
        "askf: name\tout.txt",
        "Select: It is: so:1",
        "Select: y",
        "AskX: z\td",
        "no colon",
        "",
        "ChooseF: f\t/etc/passwd",
        "Choose: none",
    ]);
    let kinds: Vec<_> = odd.iter().map(|field| field.kind.name()).collect();
    assert_eq!(kinds, ["line", "file-name", "select", "select", "line", "note", "note", "file", "choose"]);
    assert_eq!((&odd[2].label[..], odd[2].default.as_deref()), (&b"It is: so"[..], Some(&b"1"[..])));
    assert_eq!(odd[3].default.as_deref(), Some(&b"0"[..]));
    assert_eq!(odd[7].default, None, "a server does not choose which file is sent");
    assert_eq!(odd[8].default, None);
}

#[test]
fn the_recorded_form_is_sent_as_recorded() {
    let (sent, answer) = transcript("umn-ask-submit-askl");
    let lines = fill(&survey(), &answers(&FILLED)).unwrap();
    let secret: Vec<_> =
        lines.iter().enumerate().filter(|(_, line)| line.is_secret).map(|(number, _)| number).collect();
    assert_eq!(secret, [1]);
    let values = lines.into_iter().map(|line| line.octets).collect();
    let plus = GopherPlus::FilledForm { view: None, values }.to_octets().unwrap();
    let request = GopherRequest::new(b'0').with(|request| {
        request.selector = b"0/survey".to_vec();
        request.search = Some(vec![]);
        request.plus = Some(plus);
    });
    let machine = GopherMachine::new(request, GopherSettings::default()).with_secrets(secret);
    let held = play(machine, &answer, Some(End::Closed));
    assert_eq!(held.sent.concat(), sent);
    assert!(held.is_done);
}

#[test]
fn security_14_a_secret_answer_is_not_shown() {
    let plus = b"+\t1\r\n+-1\r\nMe\r\ns3cret\r\n\r\nmore\r\n.\r\n".to_vec();
    let request = GopherRequest::new(b'0').with(|request| request.plus = Some(plus));
    let shown = |secrets: Vec<usize>| {
        let mut machine = GopherMachine::new(request.clone(), GopherSettings::default()).with_secrets(secrets);
        let mut input = urlwise_open::protocol::Input::none();
        assert!(matches!(machine.next(&mut input), Step::Io(Io::Connect)));
        let Step::Io(Io::Send(command)) = machine.next(&mut input) else { panic!("it sends") };
        command.to_string()
    };
    assert_eq!(shown(vec![1]), r"\t+\t1\r\n+-1\r\nMe\r\n***\r\n\r\nmore\r\n.\r\n");
    assert_eq!(shown(vec![3, 1, 2]), r"\t+\t1\r\n+-1\r\nMe\r\n***\r\n\r\n***\r\n.\r\n");
    assert_eq!(shown(vec![usize::MAX, 9]), r"\t+\t1\r\n+-1\r\nMe\r\ns3cret\r\n\r\nmore\r\n.\r\n");
    let fault = refusal(&survey(), &[None, None, Some("s3\r\ncret")]);
    assert!(!format!("{fault} {fault:?}").contains("s3"), "{fault:?}");
    let debug = format!("{:?}", fill(&survey(), &answers(&FILLED)).unwrap());
    assert!(debug.contains("Me") && !debug.contains("secret"), "{debug}");
}

#[test]
fn defaults_fill_unanswered_questions() {
    let form = form(&["Note: n", "Ask: a\tx", "Select: s:1", "Choose: c\tred\tblue", "AskF: f\tout"]);
    assert_eq!(lines(&form, &[]), ["x", "1", "red", "out"]);
    assert_eq!(lines(&form, &[None, Some(""), Some("no"), Some("2"), Some("y")]), ["", "0", "blue", "y"]);
}

#[test]
fn a_question_without_answer_and_default_is_named() {
    let fault = refusal(&survey(), &[]);
    assert!(fault.help().unwrap().to_string().contains("A secret word"), "{fault}");
    let odd = form(&["Ask: \x1b[31mred?"]);
    assert!(!refusal(&odd, &[]).to_string().contains('\x1b'));
}

#[test]
fn lines_are_counted() {
    let form = form(&["AskL: a"]);
    assert_eq!(lines(&form, &[Some("")]), ["0"]);
    assert_eq!(lines(&form, &[Some("x")]), ["1", "x"]);
    assert_eq!(lines(&form, &[Some("x\r\n\r\ny\r\n")]), ["3", "x", "", "y"]);
}

#[test]
fn choices_are_chosen_by_text_or_number_and_by_nothing_else() {
    let colours = form(&["Choose: c\tRed\tgreen \t2"]);
    for (given, chosen) in [("Red", "Red"), ("red", "Red"), ("1", "Red"), ("green", "green "), ("2", "2"), ("3", "2")] {
        assert_eq!(lines(&colours, &[Some(given)]), [chosen], "{given}");
    }
    for odd in ["", "0", "4", "-1", "blue", "99999999999999999999"] {
        refusal(&colours, &[Some(odd)]);
    }
    let select = form(&["Select: s"]);
    for (given, said) in [("yes", "1"), (" Y", "1"), ("1", "1"), ("on", "1"), ("no", "0"), ("0", "0"), ("FALSE", "0")] {
        assert_eq!(lines(&select, &[Some(given)]), [said], "{given}");
    }
    refusal(&select, &[Some("maybe")]);
}

#[test]
fn security_4_5_an_answer_cannot_start_a_request_or_end_the_form() {
    for kind in ["Ask", "AskP", "AskF"] {
        let form = form(&[&format!("{kind}: a")]);
        for odd in ["a\r\nQUIT", "a\nb", "a\rb", "a\0b", ".", "\n"] {
            refusal(&form, &[Some(odd)]);
        }
        assert_eq!(lines(&form, &[Some("..")]), [".."]);
    }
    for kind in ["AskL", "ChooseF"] {
        let form = form(&[&format!("{kind}: a")]);
        for odd in ["a\n.\nb", ".", "a\rb\n", "\0"] {
            refusal(&form, &[Some(odd)]);
        }
    }
    // A server's default is checked like a person's answer.
    refusal(&[FormField::parse(b"Ask: a\tx\ry")], &[]);
    refusal(&form(&["Choose: a\t."]), &[]);
    refusal(&form(&["Choose: a\tx\ry"]), &[]);
}

#[test]
fn nothing_can_be_asked_behind_a_file() {
    let odd = form(&["ChooseF: a", "Note: n", "Ask: b\tx"]);
    refusal(&odd, &[Some("text"), None, Some("x")]);
    assert_eq!(lines(&form(&["ChooseF: a", "Note: n"]), &[Some("text")]), ["text"]);
}

#[test]
fn kinds_have_names_of_their_own() {
    let kinds = [
        FieldKind::Note,
        FieldKind::Line,
        FieldKind::Secret,
        FieldKind::Lines,
        FieldKind::FileName,
        FieldKind::Select,
        FieldKind::Choose,
        FieldKind::File,
    ];
    let names: std::collections::BTreeSet<_> = kinds.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), kinds.len());
}
