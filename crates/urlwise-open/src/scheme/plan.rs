//! The dry run: what would be sent where, from the machines that send it.

use crate::error::Error;
use crate::language::{filled, words};
use crate::net::endpoint::Endpoint;
use crate::protocol::{self, Command, Machine, Note, Planned, Question, hidden, shown, without_passwords};
use core::fmt;
use urlwise::{Language, Message, NestedSecrets, Url, Words, escape_for_display, padded, write_for_display};

/// The dialogue that one URL would cause. `Display` writes one line for each step, `kind: text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    lines: Vec<PlanLine>,
    is_cut: bool,
}

/// One line of a [`Plan`]. `Display` writes its text, with every octet from outside escaped. There may be others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanLine {
    /// A gateway or an opener names another URL: what follows is for this one.
    Gateway {
        /// Its password is masked.
        url: String,
    },
    /// A connection.
    Connect {
        /// The host as written in the URL, without the brackets of an IPv6 literal; or that of the proxy.
        host: String,
        /// The port, or the default port of the scheme.
        port: u16,
        /// With TLS from the first octet.
        tls: bool,
    },
    /// Datagrams are sent there, each with an ARDP header before its part of what is sent next.
    Datagrams {
        /// As in [`Connect`](PlanLine::Connect).
        host: String,
        /// The UDP port.
        port: u16,
    },
    /// Exactly these octets are sent.
    Send(Command),
    /// This is the expected answer.
    Expect(Message),
    /// A second connection, for data, at a port that the server names.
    Data {
        /// As in [`Connect`](PlanLine::Connect).
        host: String,
    },
    /// A TLS handshake on the last connection.
    Tls,
    /// A person is asked.
    Ask(Question),
    /// A note about the URL before anything is connected.
    Note(Note),
    /// Nothing can be connected before this is known: a phrase.
    Need(Message),
    /// A file or directory of this machine is read.
    Read {
        /// Its path, in the octets of the system.
        path: Vec<u8>,
    },
    /// A program of this machine is run, without a shell.
    Run {
        /// Its name or path, and its arguments, each by itself, in the octets of the system.
        words: Vec<Vec<u8>>,
    },
    /// A draft of a mail is made and not sent.
    Compose {
        /// Whom it is to: decoded addr-specs, that of the URL first.
        to: Vec<String>,
        /// Who gets a copy; often nobody.
        cc: Vec<String>,
        /// Its subject, if the URL has one.
        subject: Option<String>,
        /// The number of lines of its body.
        lines: usize,
    },
}

impl Plan {
    /// A dialogue of these lines, for [openers](crate::Opener). Their texts must not contain anything that needs escaping.
    pub fn new(lines: Vec<PlanLine>) -> Plan {
        Plan { lines, is_cut: false }
    }

    /// The lines in order.
    pub fn lines(&self) -> &[PlanLine] {
        &self.lines
    }

    /// Whether more would follow than [asked for](crate::OpenOptions::steps), as the last line says.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The dialogue of a machine, of at most this many lines.
    pub(crate) fn of_machine<M: Machine>(machine: M, endpoint: &Endpoint, most: Option<usize>) -> Result<Plan, Error> {
        let Planned { lines, is_cut } = protocol::plan_within(machine, most.unwrap_or(usize::MAX))?;
        let line = |line| match line {
            protocol::DialogueLine::Connect => {
                let hop = endpoint.hop();
                let tls = endpoint.is_tls() && endpoint.proxy.is_none();
                PlanLine::Connect { host: hop.host, port: hop.port, tls }
            }
            protocol::DialogueLine::Inquire(url) => PlanLine::Datagrams {
                host: url.host().map(|host| host.as_str().to_owned()).unwrap_or_default(),
                port: url.port_or_default().unwrap_or(endpoint.port),
            },
            protocol::DialogueLine::Send(command) => PlanLine::Send(command),
            protocol::DialogueLine::Expect(what) => PlanLine::Expect(what),
            protocol::DialogueLine::OpenData => PlanLine::Data { host: endpoint.host.clone() },
            protocol::DialogueLine::StartTls | protocol::DialogueLine::SecureData => PlanLine::Tls,
            protocol::DialogueLine::Ask(question) => PlanLine::Ask(question),
            protocol::DialogueLine::Note(note) => PlanLine::Note(note),
        };
        Ok(Plan { lines: lines.into_iter().map(line).collect(), is_cut })
    }

    /// The same dialogue, in which the passwords of URLs inside this one are masked (S-14).
    pub(crate) fn hiding(mut self, url: &str) -> Plan {
        let nested = NestedSecrets::of(url.as_bytes());
        if nested.is_empty() {
            return self;
        }
        let line = |line| match line {
            PlanLine::Send(command) => PlanLine::Send(command.hiding(&nested)),
            PlanLine::Expect(what) => PlanLine::Expect(hidden(what, &nested)),
            PlanLine::Need(what) => PlanLine::Need(hidden(what, &nested)),
            // Made of hosts, of words of ours, of what is masked already, or masked where it is shown.
            PlanLine::Gateway { .. }
            | PlanLine::Connect { .. }
            | PlanLine::Datagrams { .. }
            | PlanLine::Data { .. }
            | PlanLine::Tls
            | PlanLine::Ask(_)
            | PlanLine::Note(_)
            | PlanLine::Read { .. }
            | PlanLine::Run { .. }
            | PlanLine::Compose { .. } => line,
        };
        self.lines = self.lines.into_iter().map(line).collect();
        self
    }

    /// The same dialogue with an unknown server: `what` is needed first.
    pub(crate) fn needing(mut self, what: Words) -> Plan {
        for line in &mut self.lines {
            if matches!(line, PlanLine::Connect { .. }) {
                *line = PlanLine::Need(what.into());
            }
        }
        self
    }

    /// Running a program that reads `input`.
    #[cfg(feature = "mail")]
    pub(crate) fn of_program(program: &std::path::Path, arguments: &[&str], input: &[u8]) -> Plan {
        let program = program.as_os_str().as_encoded_bytes().to_vec();
        let words = std::iter::once(program).chain(arguments.iter().map(|word| word.as_bytes().to_vec())).collect();
        let mut lines = vec![PlanLine::Run { words }];
        Command::new(input.to_vec()).each_line(|line| lines.push(PlanLine::Send(line)));
        lines.push(PlanLine::Expect(words!("status 0, the program accepted it").into()));
        Plan::new(lines)
    }

    /// The same dialogue, reached through a gateway or an opener.
    pub(crate) fn through(mut self, target: &Url<&str>) -> Plan {
        self.lines.insert(0, PlanLine::Gateway { url: target.masked().to_string() });
        self
    }

    /// This dialogue, and another after it.
    pub(crate) fn then(mut self, next: Plan) -> Plan {
        self.lines.extend(next.lines);
        self.is_cut |= next.is_cut;
        self
    }
}

impl PlanLine {
    /// `gateway`, `connect`, `tls`, `send`, `expect`, `ask`, `note`, `need`, `read`, `run` or `compose`.
    pub fn kind(&self) -> &'static str {
        match self {
            PlanLine::Gateway { .. } => "gateway",
            PlanLine::Connect { .. } | PlanLine::Datagrams { .. } | PlanLine::Data { .. } => "connect",
            PlanLine::Tls => "tls",
            PlanLine::Ask(_) => "ask",
            PlanLine::Note(_) => "note",
            PlanLine::Need(_) => "need",
            PlanLine::Send(_) => "send",
            PlanLine::Expect(_) => "expect",
            PlanLine::Read { .. } => "read",
            PlanLine::Run { .. } => "run",
            PlanLine::Compose { .. } => "compose",
        }
    }

    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + '_ {
        Said { line: self, language }
    }

    /// Writes what `Display` writes, in a language. A line is written where it is wanted: a dialogue may have a thousand.
    ///
    /// ```
    /// use urlwise::{Language, Url};
    /// use urlwise_open::Client;
    ///
    /// let plan = Client::new(Default::default()).plan(&Url::parse("gopher://host.dom/0about.txt")?)?;
    /// let mut text = String::new();
    /// plan.lines()[0].write_in(Language::En, &mut text)?;
    /// assert_eq!(text, "host.dom port 70");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of `f`.
    pub fn write_in(&self, language: Language, f: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            PlanLine::Gateway { url } => write!(f, "{}", Message::from(url.as_str())),
            PlanLine::Connect { host, port, tls: false } => {
                let host = escape_for_display(host.as_bytes());
                write!(f, "{}", filled!(language, "{host} port {port}", host = host, port = port))
            }
            PlanLine::Connect { host, port, tls: true } => {
                let host = escape_for_display(host.as_bytes());
                let words =
                    filled!(language, "{host} port {port}, with TLS from the first octet", host = host, port = port);
                write!(f, "{words}")
            }
            PlanLine::Datagrams { host, port } => {
                let host = escape_for_display(host.as_bytes());
                write!(f, "{}", filled!(language, "{host} port {port}, by UDP (ARDP)", host = host, port = port))
            }
            PlanLine::Data { host } => {
                let host = escape_for_display(host.as_bytes());
                write!(f, "{}", filled!(language, "{host}, at the port the server gave, for data", host = host))
            }
            PlanLine::Tls => words!("a TLS handshake on that connection").write(language, f),
            PlanLine::Ask(question) => question.words().write(language, f),
            PlanLine::Note(note) => write!(f, "{}", note.message_in(language)),
            PlanLine::Send(command) => command.write_in(language, f),
            PlanLine::Expect(what) | PlanLine::Need(what) => what.write(language, f),
            PlanLine::Read { path } => write_for_display(&without_passwords(path), f),
            PlanLine::Run { words } => words.iter().enumerate().try_for_each(|(i, word)| {
                f.write_str(if i > 0 { " " } else { "" })?;
                write_for_display(&without_passwords(word), f)
            }),
            PlanLine::Compose { to, cc, subject, lines } => {
                let mut draft = filled!(language, "a draft to {to}", to = shown(to.join(", "))).text();
                if !cc.is_empty() {
                    draft = filled!(language, "{draft}, cc {cc}", draft = draft, cc = shown(cc.join(", "))).text();
                }
                if let Some(subject) = subject {
                    let subject = shown(subject);
                    draft =
                        filled!(language, "{draft}, subject \"{subject}\"", draft = draft, subject = subject).text();
                }
                match lines {
                    0 => write!(f, "{}", filled!(language, "{draft}, without a body", draft = draft)),
                    1 => write!(f, "{}", filled!(language, "{draft}, a body of one line", draft = draft)),
                    _ => write!(
                        f,
                        "{}",
                        filled!(language, "{draft}, a body of {lines} lines", draft = draft, lines = lines)
                    ),
                }
            }
        }
    }
}

/// A line in a language.
struct Said<'l> {
    line: &'l PlanLine,
    language: Language,
}

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| self.line.write_in(self.language, f))
    }
}

impl fmt::Display for PlanLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            for line in &self.lines {
                writeln!(f, "{}: {line}", line.kind())?;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, PlanLine};
    use crate::language::words;
    use crate::protocol::{Command, Question};
    use urlwise::Url;

    #[test]
    fn every_line_has_a_kind_and_a_text() {
        let host = || "h.example\x1b".to_owned();
        let compose = |cc: &[&str], subject: Option<&str>, lines| PlanLine::Compose {
            to: vec!["joe@h.example".to_owned(), "jim@h.example".to_owned()],
            cc: cc.iter().map(ToString::to_string).collect(),
            subject: subject.map(str::to_owned),
            lines,
        };
        let lines = [
            (PlanLine::Connect { host: host(), port: 70, tls: false }, r"connect: h.example\x1b port 70"),
            (
                PlanLine::Connect { host: host(), port: 70, tls: true },
                r"connect: h.example\x1b port 70, with TLS from the first octet",
            ),
            (PlanLine::Datagrams { host: host(), port: 1525 }, r"connect: h.example\x1b port 1525, by UDP (ARDP)"),
            (PlanLine::Data { host: host() }, r"connect: h.example\x1b, at the port the server gave, for data"),
            (PlanLine::Tls, "tls: a TLS handshake on that connection"),
            (PlanLine::Send(Command::new(b"QUIT\r\n".to_vec())), r"send: QUIT\r\n"),
            (PlanLine::Expect(words!("unmatched `}`").into()), "expect: unmatched `}`"),
            (PlanLine::Need(words!("unmatched `}`").into()), "need: unmatched `}`"),
            (PlanLine::Read { path: b"/a\x1b".to_vec() }, r"read: /a\x1b"),
            (PlanLine::Run { words: vec![b"a".to_vec(), b"-b".to_vec(), b"c\n".to_vec()] }, r"run: a -b c\n"),
            (compose(&[], None, 0), "compose: a draft to joe@h.example, jim@h.example, without a body"),
            (
                compose(&["a@b.c", "d@e.f"], None, 1),
                "compose: a draft to joe@h.example, jim@h.example, cc a@b.c, d@e.f, a body of one line",
            ),
            (
                compose(&[], Some("x\ny"), 2),
                r#"compose: a draft to joe@h.example, jim@h.example, subject "x\ny", a body of 2 lines"#,
            ),
        ];
        let (lines, texts): (Vec<_>, Vec<_>) = lines.into_iter().unzip();
        let plan = Plan::new(lines);
        assert_eq!(plan.to_string().lines().collect::<Vec<_>>(), texts);
        assert_eq!(format!("{:>32}|", plan.lines()[0]), r"           h.example\x1b port 70|");
        assert_eq!(PlanLine::Ask(Question::Password).kind(), "ask");
    }

    #[test]
    fn a_gateway_stands_first_what_is_needed_in_place_of_the_connection_and_another_dialogue_behind() {
        let connect = || PlanLine::Connect { host: "h".to_owned(), port: 119, tls: false };
        let plan = Plan::new(vec![connect(), PlanLine::Tls]).needing(words!("unmatched `}`"));
        let plan = plan.then(Plan::new(vec![connect()]));
        let target = Url::parse("ftp://joe:s3cret@g.example/").expect("a URL");
        let kinds: Vec<_> = plan.clone().lines().iter().map(PlanLine::kind).collect();
        assert_eq!(kinds, ["need", "tls", "connect"]);
        let plan = plan.through(&target).to_string();
        assert!(plan.starts_with("gateway: ftp://joe:***@g.example/\nneed: unmatched `}`\ntls: "), "{plan}");
    }
}
