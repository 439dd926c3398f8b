//! The dry run: what would be said to whom, written by the machines that say it.

use crate::error::Error;
use crate::net::endpoint::Endpoint;
use crate::protocol::{self, Command, Machine, Note, Question};
use core::fmt;
use std::borrow::Cow;
use urlwise::{Url, escape_for_display};

/// The dialogue of one URL, without having been held. `Display` gives one line for each, `kind: text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan(Vec<PlanLine>);

/// One line of a [`Plan`]. `Display` gives its text, every octet from outside escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanLine {
    /// The scheme is routed, or a handler leads on: what follows is for this URL.
    Gateway {
        /// Its password is masked.
        url: String,
    },
    /// A connection.
    Connect {
        /// The host as written in the URL, without the brackets of an IPv6 literal; or that of the proxy.
        host: String,
        /// The port in force.
        port: u16,
        /// With TLS from the first octet.
        tls: bool,
    },
    /// Datagrams go there, each with a header of ARDP before its part of what is sent next.
    Datagrams {
        /// As in [`Connect`](PlanLine::Connect).
        host: String,
        /// The UDP port in force.
        port: u16,
    },
    /// Exactly these octets are sent.
    Send(Command),
    /// This would have to come back.
    Expect(Cow<'static, str>),
    /// A further connection, for data, at a port that the server names.
    Data {
        /// As in [`Connect`](PlanLine::Connect).
        host: String,
    },
    /// A TLS handshake on the connection that was made last.
    Tls,
    /// A person is asked.
    Ask(Question),
    /// What is to be said of the URL before anything is connected.
    Note(Note),
    /// Nothing can be connected before this is known: a phrase.
    Need(&'static str),
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
    /// A mail is put together, and goes nowhere.
    Compose {
        /// Who it is to: the decoded addr-spec.
        to: String,
        /// Its subject, if the URL has one.
        subject: Option<String>,
        /// Lines of its body.
        lines: usize,
    },
}

impl Plan {
    /// A dialogue of these lines, for [openers](crate::Opener). Their texts hold nothing that would have to be escaped.
    pub fn new(lines: Vec<PlanLine>) -> Plan {
        Plan(lines)
    }

    /// The dialogue in its order.
    pub fn lines(&self) -> &[PlanLine] {
        &self.0
    }

    pub(crate) fn of_machine<M: Machine>(machine: M, endpoint: &Endpoint) -> Result<Plan, Error> {
        let lines = protocol::plan(machine)?;
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
        Ok(Plan(lines.into_iter().map(line).collect()))
    }

    /// The same dialogue where nobody has said with whom: `what` is needed first.
    pub(crate) fn needing(mut self, what: &'static str) -> Plan {
        for line in &mut self.0 {
            if matches!(line, PlanLine::Connect { .. }) {
                *line = PlanLine::Need(what);
            }
        }
        self
    }

    /// A program that is run and reads `input`.
    #[cfg(feature = "mail")]
    pub(crate) fn of_program(program: &std::path::Path, arguments: &[&str], input: &[u8]) -> Plan {
        let program = program.as_os_str().as_encoded_bytes().to_vec();
        let words = std::iter::once(program).chain(arguments.iter().map(|word| word.as_bytes().to_vec())).collect();
        let sent = Command::new(input.to_vec());
        let lines = std::iter::once(PlanLine::Run { words }).chain(sent.lines().map(PlanLine::Send));
        Plan(lines.chain([PlanLine::Expect(Cow::Borrowed("status 0, the program accepted it"))]).collect())
    }

    /// The same dialogue, to which a gateway or a handler leads.
    pub(crate) fn through(mut self, target: &Url<&str>) -> Plan {
        self.0.insert(0, PlanLine::Gateway { url: target.masked().to_string() });
        self
    }

    /// This dialogue, and another after it.
    pub(crate) fn then(mut self, next: Plan) -> Plan {
        self.0.extend(next.0);
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
}

impl fmt::Display for PlanLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanLine::Gateway { url } => f.write_str(url),
            PlanLine::Connect { host, port, tls } => {
                write!(f, "{} port {port}", escape_for_display(host.as_bytes()))?;
                f.write_str(if *tls { ", with TLS from the first octet" } else { "" })
            }
            PlanLine::Datagrams { host, port } => {
                write!(f, "{} port {port}, by UDP (ARDP)", escape_for_display(host.as_bytes()))
            }
            PlanLine::Data { host } => {
                write!(f, "{}, at the port the server gave, for data", escape_for_display(host.as_bytes()))
            }
            PlanLine::Tls => f.write_str("a TLS handshake on that connection"),
            PlanLine::Ask(question) => write!(f, "{question}"),
            PlanLine::Note(note) => note.fmt(f),
            PlanLine::Send(command) => command.fmt(f),
            PlanLine::Expect(what) => f.write_str(what),
            PlanLine::Need(what) => f.write_str(what),
            PlanLine::Read { path } => escape_for_display(path).fmt(f),
            PlanLine::Run { words } => words.iter().enumerate().try_for_each(|(index, word)| {
                f.write_str(if index > 0 { " " } else { "" })?;
                escape_for_display(word).fmt(f)
            }),
            PlanLine::Compose { to, subject, lines } => {
                write!(f, "a draft to {}", escape_for_display(to.as_bytes()))?;
                if let Some(subject) = subject {
                    write!(f, ", subject \"{}\"", escape_for_display(subject.as_bytes()))?;
                }
                match lines {
                    0 => f.write_str(", without a body"),
                    1 => f.write_str(", a body of one line"),
                    lines => write!(f, ", a body of {lines} lines"),
                }
            }
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.0 {
            writeln!(f, "{}: {line}", line.kind())?;
        }
        Ok(())
    }
}
