//! Observing dialogues while they happen: what `get -v` shows (S-14 and S-46).

use crate::language::{message, words};
use crate::net::deadlines::Clock;
use crate::protocol::ardp::Header;
use crate::protocol::{Command, covered, masked, without_passwords};
use std::fmt;
use std::sync::Arc;
use urlwise::{Message, NestedSecrets, escape_for_display};

/// The longest line of a reply that is reported in one piece.
const MAX_LINE: usize = 8 * 1024;

/// Observes every dialogue of a client. Called on the thread that runs the dialogue.
pub trait Observe: Send + Sync + fmt::Debug {
    /// Reports what happened between the client and `peer`.
    fn observe(&self, peer: &Peer<'_>, seen: Seen<'_>);
}

/// The other side of a dialogue. Displays as `host port 21`, escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peer<'a> {
    /// The host as written in the URL, without the brackets of an IPv6 literal.
    pub host: &'a str,
    /// The port.
    pub port: u16,
}

impl Peer<'_> {
    /// What `Display` writes, in every language.
    pub fn message(&self) -> Message {
        let host = escape_for_display(self.host.as_bytes()).to_string();
        message!("{host} port {port}", host = host, port = self.port)
    }
}

impl fmt::Display for Peer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

/// One thing that happened. Displays as text: every octet from outside escaped, `***` for what is secret. There may be others, as
/// there is more to see.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Seen<'a> {
    /// A connection was made.
    Connected,
    /// A connection was made to this proxy, through which the peer is reached.
    ConnectedToProxy(Peer<'a>),
    /// A kept connection serves another URL.
    Reused,
    /// The connection did a TLS handshake.
    Secured,
    /// A data connection was made to this port of the peer.
    Data(u16),
    /// A command or request was sent.
    Sent(&'a Command),
    /// A line of a reply, without its end. Lines of documents and menus are not reported.
    Received(&'a [u8]),
    /// A datagram with this header was received.
    Datagram(&'a Header),
}

impl Seen<'_> {
    /// `connect`, `reuse`, `tls`, `data`, `send` or `receive`.
    pub fn kind(&self) -> &'static str {
        match self {
            Seen::Connected | Seen::ConnectedToProxy(_) => "connect",
            Seen::Reused => "reuse",
            Seen::Secured => "tls",
            Seen::Data(_) => "data",
            Seen::Sent(_) => "send",
            Seen::Received(_) | Seen::Datagram(_) => "receive",
        }
    }
}

impl fmt::Display for Seen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl Seen<'_> {
    /// What `Display` writes, in every language.
    pub fn message(&self) -> Message {
        match self {
            Seen::Connected => words!("connected").into(),
            Seen::ConnectedToProxy(proxy) => message!("connected to the proxy {proxy}", proxy = proxy.message()),
            Seen::Reused => words!("on a connection that was kept").into(),
            Seen::Secured => words!("TLS from here on").into(),
            Seen::Data(port) => message!("data at port {port}", port = *port),
            Seen::Sent(command) => command.message(),
            Seen::Datagram(header) => header.message(),
            Seen::Received(line) => escape_for_display(line).to_string().into(),
        }
    }
}

/// Reports one dialogue to its observer, line by line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    observer: Option<Arc<dyn Observe>>,
    line: Vec<u8>,
    /// Secrets that were sent: a server may repeat them.
    secrets: Vec<Box<[u8]>>,
    /// The passwords of URLs inside the URL that is opened.
    nested: Option<Arc<NestedSecrets>>,
}

impl Watch {
    pub(crate) fn new(observer: Option<Arc<dyn Observe>>) -> Watch {
        Watch { observer, ..Watch::default() }
    }

    /// Of a call, whose URL may have passwords in it.
    pub(crate) fn of(observer: Option<Arc<dyn Observe>>, clock: &Clock) -> Watch {
        Watch { nested: clock.nested(), ..Watch::new(observer) }
    }

    pub(crate) fn see(&mut self, peer: Peer<'_>, seen: Seen<'_>) {
        if let Some(observer) = &self.observer {
            if let Seen::Sent(command) = seen {
                self.secrets.extend(command.secrets().map(Into::into));
            }
            match (seen, &self.nested) {
                (Seen::Sent(command), Some(nested)) => {
                    observer.observe(&peer, Seen::Sent(&command.clone().hiding(nested)));
                }
                _ => observer.observe(&peer, seen),
            }
        }
    }

    /// Octets of a reply.
    pub(crate) fn hear(&mut self, peer: Peer<'_>, octets: &[u8]) {
        let Some(observer) = &self.observer else { return };
        for piece in octets.split_inclusive(|octet| *octet == b'\n') {
            let room = MAX_LINE.saturating_sub(self.line.len());
            self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                let line = self.secrets.iter().fold(line, |line, secret| masked(&line, secret));
                let line = match &self.nested {
                    Some(nested) => covered(&line, nested.find(&line)),
                    None => without_passwords(&line),
                };
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                observer.observe(&peer, Seen::Received(line.strip_suffix(b"\r").unwrap_or(line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, MAX_LINE, Observe, Peer, Seen, Watch};
    use crate::net::deadlines::Deadlines;
    use crate::protocol::Command;
    use std::sync::{Arc, Mutex};
    use urlwise::Url;

    #[derive(Debug, Default)]
    struct Lines(Mutex<Vec<String>>);

    impl Observe for Lines {
        fn observe(&self, peer: &Peer<'_>, seen: Seen<'_>) {
            self.0.lock().expect("no test panics with it").push(format!("{peer} {}: {seen}", seen.kind()));
        }
    }

    #[test]
    fn security_14_a_server_that_repeats_a_password_does_not_make_us_show_it() {
        let lines = Arc::new(Lines::default());
        let mut watch = Watch::new(Some(Arc::<Lines>::clone(&lines)));
        let peer = Peer { host: "h", port: 21 };
        watch.see(peer, Seen::Sent(&Command::new(b"PASS s3cret\r\n".to_vec()).secret(5..11)));
        watch.hear(peer, b"530 PASS s3c");
        watch.hear(peer, b"ret refused\r\n");
        let lines = lines.0.lock().expect("no test panics with it").concat();
        assert_eq!(lines, r"h port 21 send: PASS ***\r\nh port 21 receive: 530 PASS *** refused");
    }

    #[test]
    fn security_14_passwords_in_urls_of_a_server_are_masked() {
        let lines = Arc::new(Lines::default());
        let mut watch = Watch::new(Some(Arc::<Lines>::clone(&lines)));
        let peer = Peer { host: "h", port: 80 };
        watch.hear(peer, b"Location: http://jim:s3c\"ret@h.example/a?ftp://joe:x@h/\r\n");
        watch.hear(peer, b"Location: http://jim@h.example:80/@\r\n");
        let lines = lines.0.lock().expect("no test panics with it");
        assert_eq!(
            lines[..],
            [
                "h port 80 receive: Location: http://jim:***@h.example/a?ftp://joe:***@h/",
                "h port 80 receive: Location: http://jim@h.example:80/@"
            ]
        );
    }

    #[test]
    fn security_14_passwords_of_urls_in_the_url_are_masked_in_both_directions() {
        let lines = Arc::new(Lines::default());
        let url = Url::parse("ftp://a.dom/http://joe:S3kr@h/").expect("a URL");
        let clock = Clock::start(Deadlines::default()).hiding(&url);
        let mut watch = Watch::of(Some(Arc::<Lines>::clone(&lines)), &clock);
        let peer = Peer { host: "a.dom", port: 21 };
        watch.see(peer, Seen::Sent(&Command::new(b"CWD joe:S3kr@h\r\n".to_vec())));
        watch.hear(peer, b"550 joe:S3kr@h: no such directory\r\n");
        let lines = lines.0.lock().expect("no test panics with it");
        assert_eq!(
            lines[..],
            [r"a.dom port 21 send: CWD joe:***@h\r\n", "a.dom port 21 receive: 550 joe:***@h: no such directory"]
        );
        assert!(Clock::start(Deadlines::default()).nested().is_none(), "most URLs have none");
    }

    #[test]
    fn security_46_lines_are_put_together_bounded_and_escaped() {
        let lines = Arc::new(Lines::default());
        let mut watch = Watch::new(Some(Arc::<Lines>::clone(&lines)));
        let peer = Peer { host: "h", port: 21 };
        for piece in ["220 a", "\x1b[2J\r", "\n331 b\n", "2"] {
            watch.hear(peer, piece.as_bytes());
        }
        watch.hear(peer, &[b'x'; 2 * MAX_LINE]);
        watch.hear(peer, b"\n");
        let lines = lines.0.lock().expect("no test panics with it");
        assert_eq!(lines[..2], [r"h port 21 receive: 220 a\x1b[2J", "h port 21 receive: 331 b"]);
        assert_eq!(lines[2].len(), "h port 21 receive: 2".len() + MAX_LINE - 1);
    }

    #[test]
    fn everything_that_happens_has_a_kind_and_a_text() {
        let lines = Arc::new(Lines::default());
        let mut watch = Watch::new(Some(Arc::<Lines>::clone(&lines)));
        let peer = Peer { host: "h\x1b", port: 21 };
        for seen in [
            Seen::Connected,
            Seen::ConnectedToProxy(Peer { host: "p", port: 3128 }),
            Seen::Reused,
            Seen::Secured,
            Seen::Data(2020),
            Seen::Sent(&Command::new(b"QUIT\r\n".to_vec())),
            Seen::Received(b"221 bye"),
        ] {
            watch.see(peer, seen);
        }
        let lines = lines.0.lock().expect("no test panics with it");
        let texts: Vec<_> = lines.iter().map(|line| line.strip_prefix(r"h\x1b port 21 ").expect("the peer")).collect();
        assert_eq!(
            texts,
            [
                "connect: connected",
                "connect: connected to the proxy p port 3128",
                "reuse: on a connection that was kept",
                "tls: TLS from here on",
                "data: data at port 2020",
                r"send: QUIT\r\n",
                "receive: 221 bye",
            ]
        );
    }
}
