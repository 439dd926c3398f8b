//! Any request, any answers, in any pieces: the NNTP machine never panics, keeps its contract, sends nothing but whole commands,
//! and comes to the same whole and in pieces; and whatever article came of it is shown without controls.
//!
//! The input is: flags, what is wanted, how the answers end, the length of the pieces, then parts separated by `FE`: the group or
//! Message-ID, the number, the answers, each ended by `FD`.

use urlwise::Profile;
use urlwise_open::article;
use urlwise_open::protocol::nntp::{
    NntpGoal, NntpItem, NntpLimits, NntpLogin, NntpMachine, NntpRequest, NntpSettings, StartTls,
};
use urlwise_open::protocol::{End, plan};
use urlwise_open::testing::{DialogueRecord, Network, hold};

fn limits() -> NntpLimits {
    NntpLimits::default().with(|limits| {
        limits.reply = 200;
        limits.line = 400;
        limits.list_lines = 50;
        limits.headers = (20, 500);
        limits.descriptions = 500;
        limits.heads = 10;
    })
}

const PASSWORD: &str = "s3cret";

fn contains(octets: &[u8], word: &[u8]) -> bool {
    octets.windows(word.len()).any(|window| window == word)
}

pub(crate) fn run(input: &[u8]) {
    let [flags, goal, end, piece, rest @ ..] = input else { return };
    let mut parts = rest.splitn(3, |octet| *octet == 0xfe);
    let mut part = || parts.next().unwrap_or_default();
    let (name, number, answers) = (part().to_vec(), part().to_vec(), part());
    let goal = match goal & 7 {
        0 => NntpGoal::Groups { wildmat: None },
        1 => NntpGoal::Groups { wildmat: Some(name.clone()) },
        2 => NntpGoal::Group { name: name.clone(), last: None },
        3 | 4 => NntpGoal::Group { name: name.clone(), last: Some(u64::from(*goal >> 3)) },
        5 => NntpGoal::Number { group: name.clone(), number },
        _ => NntpGoal::Message { id: name.clone() },
    };
    let has_password = flags & 2 != 0;
    let names_password = rest.split(|octet| *octet == 0xfe).take(2).any(|part| contains(part, PASSWORD.as_bytes()));
    let login = (flags & 1 != 0).then(|| NntpLogin::new(b"joe", has_password.then(|| PASSWORD.as_bytes().to_vec())));
    let request = NntpRequest::new(goal).with(|request| {
        request.login = login;
        request.list = flags & 4 != 0;
    });
    let settings = NntpSettings::default().with(|settings| {
        settings.start_tls = if flags & 8 != 0 { StartTls::Required } else { StartTls::ForLogin };
        settings.limits = limits();
    });
    let ends = [Some(End::Closed), Some(End::Unauthenticated), Some(End::Broken), None];
    let network = Network::default().with(|network| {
        network.end = ends[usize::from(end & 3)];
        network.answer = (end & 4 != 0).then_some(b"told");
    });
    let machine = || {
        let machine = NntpMachine::new(request.clone(), settings);
        if flags & 16 != 0 { machine.over_tls() } else { machine }
    };
    // One answer a command; what is left over comes with the last one.
    let run = |piece| {
        let mut lines =
            answers.split_inclusive(|octet| *octet == 0xfd).map(|line| line.strip_suffix(b"\xfd").unwrap_or(line));
        hold(
            &mut machine(),
            |_| lines.next().unwrap_or_default().to_vec(),
            network.with(|network| network.piece = piece),
        )
    };
    let whole = run(usize::MAX);
    let pieces = run(usize::from(*piece) + 1);
    // Octets that come with the reply to STARTTLS are refused; those that come later are part of the handshake.
    let met_tls = |held: &DialogueRecord<NntpItem>| {
        held.handshakes > 0 || held.fault.as_ref().is_some_and(|fault| fault.rule() == "S-28")
    };
    assert!(whole == pieces || met_tls(&whole) || met_tls(&pieces));

    assert_eq!(plan(machine()).is_ok(), whole.connects == 1);
    for command in &whole.sent {
        let line = command.strip_suffix(b"\r\n").expect("a command ends its line");
        assert!(!line.iter().any(|octet| matches!(octet, b'\r' | b'\n' | 0)));
    }
    let told = whole.fault.iter().map(ToString::to_string).chain(whole.shown.iter().cloned());
    for text in told {
        assert!(!text.contains(char::is_control), "{text:?}");
        // What the URL says is not secret, even if it is the same.
        assert!(flags & 1 == 0 || !has_password || names_password || !text.contains(PASSWORD), "{text}");
    }
    for item in &whole.entries {
        let urls = match item {
            NntpItem::Group(group) => {
                [group.nntp_url("nntp://h.example/", Profile::Rfc1738), group.news_url(Profile::Rfc1738)]
            }
            NntpItem::Article(article) => {
                [article.nntp_url("nntp://h.example/", &name, Profile::Rfc1738), article.news_url()]
            }
            _ => [None, None],
        };
        for url in urls.iter().flatten() {
            assert!(!url.as_str().contains(char::is_control));
        }
    }
    let text = article::to_text(&whole.data);
    assert!(!text.contains(|c| !matches!(c, '\n' | '\t') && urlwise::is_harmful(c)), "{text:?}");
}
