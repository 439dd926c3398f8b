//! Any request, any replies, any data, in any pieces: the ftp machine never panics, keeps its contract, sends nothing but
//! whole commands, and comes to the same whole and in pieces.
//!
//! The input is: flags, the goal, how data and replies end, the length of the pieces, then parts separated by `FE`: the user,
//! the directory, the name, the data, the replies.

use crate::text::is_clean;
use urlwise::{Typecode, Url};
use urlwise_open::protocol::ftp::{
    ExplicitTls, FileMetadata, FileMethod, FtpGoal, FtpLimits, FtpLogin, FtpMachine, FtpRequest, FtpSettings, Rest,
};
use urlwise_open::protocol::{End, plan};
use urlwise_open::testing::{Network, hold};

fn limits() -> FtpLimits {
    FtpLimits::default().with(|limits| {
        limits.line = 200;
        limits.reply = 1000;
        limits.reply_lines = 20;
        limits.list_lines = 50;
    })
}

pub(crate) fn run(input: &[u8]) {
    let [flags, goal, end, piece, rest @ ..] = input else { return };
    let mut parts = rest.splitn(5, |octet| *octet == 0xfe);
    let mut part = || parts.next().unwrap_or_default();
    let (user, cwd, name, data, replies) = (part(), part(), part(), part(), part());
    let request = FtpRequest::default().with(|request| {
        request.login = FtpLogin::default().with(|login| {
            login.user = (!user.is_empty()).then(|| user.to_vec());
            login.password = Some(b"s3cret".to_vec());
            login.account = None;
        });
        request.cwds = cwd.split(|octet| *octet == b'/').filter(|_| !cwd.is_empty()).map(<[u8]>::to_vec).collect();
        request.name = name.to_vec();
        request.typecode =
            [None, Some(Typecode::Ascii), Some(Typecode::Image), Some(Typecode::Directory)][usize::from(goal & 3)];
        request.goal = [FtpGoal::Open, FtpGoal::List, FtpGoal::Metadata, FtpGoal::Open][usize::from(goal >> 2 & 3)];
        request.rest = (goal & 16 != 0).then(|| Rest::new(3, FileMetadata::new(Some(10), None)));
        request.metadata = goal & 32 != 0;
    });
    let settings = FtpSettings::default().with(|settings| {
        settings.raw = flags & 1 != 0;
        settings.iac_doubling = flags & 2 != 0;
        settings.controls = flags & 4 != 0;
        settings.skip_empty_cwd = flags & 8 != 0;
        settings.epsv = flags & 16 == 0;
        settings.method =
            [FileMethod::Multi, FileMethod::Single, FileMethod::None, FileMethod::Multi][usize::from(flags >> 5 & 3)];
        settings.explicit_tls = if flags & 128 != 0 { ExplicitTls::Offered } else { ExplicitTls::Never };
        settings.limits = limits();
    });
    let ends = [Some(End::Closed), Some(End::Unauthenticated), Some(End::Broken), None];
    let network = Network::default().with(|network| {
        network.data_end = ends[usize::from(end & 3)].unwrap_or(End::Closed);
        network.end = ends[usize::from(end >> 2 & 3)];
        network.answer = (end & 16 != 0).then_some(b"told");
        network.data = data;
    });
    // One reply a command; what is left over comes with the last one.
    let run = |piece| {
        let mut machine = FtpMachine::new(request.clone(), settings.clone());
        let mut lines =
            replies.split_inclusive(|octet| *octet == 0xfd).map(|line| line.strip_suffix(b"\xfd").unwrap_or(line));
        hold(&mut machine, |_| lines.next().unwrap_or_default().to_vec(), network.with(|network| network.piece = piece))
    };
    let whole = run(usize::MAX);
    let pieces = run(usize::from(*piece) + 1);
    // Octets that come with the reply to AUTH TLS are refused; those that come later are part of the handshake.
    assert!(whole == pieces || settings.explicit_tls != ExplicitTls::Never);

    let planned = plan(FtpMachine::new(request.clone(), settings.clone()));
    assert_eq!(planned.is_ok(), whole.connects == 1);
    for command in &whole.sent {
        let line = command.strip_suffix(b"\r\n").expect("a command ends its line");
        assert!(!line.iter().any(|octet| matches!(octet, b'\r' | b'\n' | 0)));
    }
    if let Some(fault) = &whole.fault {
        assert!(is_clean(fault));
    }
    let list = Url::parse("ftp://host.example/a/").expect("an ftp URL");
    for item in whole.entries {
        let url = item.url(&list).expect("every name has a URL");
        assert!(!url.as_str().contains(char::is_control));
    }
}
