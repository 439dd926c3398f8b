//! The phases of a dialogue: what each sends, what it waits for, and what a refusal means.

use super::command::{authinfo, command};
use super::reply::NntpReply;
use super::request::{NntpGoal, NntpRequest};
use crate::language::{message, words};
use crate::protocol::{Command, Expected, Fault, FaultKind, Hint, masked};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use urlwise::{Message, escape_for_display};

/// One command and its reply, or the greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Greeting,
    StartTls,
    Capabilities,
    ModeReader,
    User,
    Pass,
    /// The descriptions of groups.
    ListNewsgroups,
    ListActive,
    /// The same, for servers that have no other list.
    List,
    Group,
    /// The numbers of the group.
    ListGroup,
    /// The numbers from this one on.
    ListGroupFrom(u64),
    Over,
    Xover,
    /// The headers of the article with this number in the group.
    HeadOf(u64),
    /// The headers of the article that the URL names.
    Head,
    Article,
    /// Whether the article exists.
    Stat,
}

/// The article count of the group in a dry run: enough to show what is requested.
const PLANNED: &[u8] = b"211 1000 1 1000 \r\n";

/// What a URL needs, and what is known so far.
pub(super) struct NntpContext<'a> {
    pub(super) request: &'a NntpRequest,
    /// The articles to list.
    pub(super) range: &'a RangeInclusive<u64>,
}

impl NntpContext<'_> {
    /// What `phase` sends; `None` for the greeting, which arrives without a command.
    ///
    /// # Errors
    /// An argument that must not be sent.
    pub(super) fn command(&self, phase: Phase) -> Result<Option<Command>, Fault> {
        let sent = match phase {
            Phase::Greeting => return Ok(None),
            Phase::StartTls => command(&[b"STARTTLS"]),
            Phase::Capabilities => command(&[b"CAPABILITIES"]),
            Phase::ModeReader => command(&[b"MODE", b"READER"]),
            Phase::User => authinfo("USER", self.user(), false),
            Phase::Pass => authinfo("PASS", self.password(), true),
            Phase::ListNewsgroups => self.list(b"NEWSGROUPS"),
            Phase::ListActive => self.list(b"ACTIVE"),
            Phase::List => command(&[b"LIST"]),
            Phase::Group => command(&[b"GROUP", self.group()]),
            Phase::ListGroup => command(&[b"LISTGROUP", self.group()]),
            Phase::ListGroupFrom(start) => command(&[b"LISTGROUP", self.group(), format!("{start}-").as_bytes()]),
            Phase::Over => command(&[b"OVER", self.articles().as_bytes()]),
            Phase::Xover => command(&[b"XOVER", self.articles().as_bytes()]),
            Phase::HeadOf(number) => command(&[b"HEAD", number.to_string().as_bytes()]),
            Phase::Head => command(&[b"HEAD", &self.article()]),
            Phase::Article => command(&[b"ARTICLE", &self.article()]),
            Phase::Stat => command(&[b"STAT", &self.article()]),
        };
        sent.map(Some)
    }

    fn list(&self, what: &[u8]) -> Result<Command, Fault> {
        match &self.request.goal {
            NntpGoal::Groups { wildmat: Some(wildmat) } => command(&[b"LIST", what, wildmat]),
            _ => command(&[b"LIST", what]),
        }
    }

    fn user(&self) -> &[u8] {
        self.request.login.as_ref().map_or(&[], |login| &login.user)
    }

    fn password(&self) -> &[u8] {
        self.request.login.as_ref().and_then(|login| login.password.as_deref()).unwrap_or_default()
    }

    fn group(&self) -> &[u8] {
        match &self.request.goal {
            NntpGoal::Group { name, .. } => name,
            NntpGoal::Number { group, .. } => group,
            NntpGoal::Groups { .. } | NntpGoal::Message { .. } => &[],
        }
    }

    fn articles(&self) -> String {
        format!("{}-{}", self.range.start(), self.range.end())
    }

    /// The article, as an argument of commands.
    fn article(&self) -> Cow<'_, [u8]> {
        match &self.request.goal {
            NntpGoal::Number { number, .. } => Cow::Borrowed(number),
            NntpGoal::Message { id } => Cow::Owned([&b"<"[..], id, b">"].concat()),
            NntpGoal::Groups { .. } | NntpGoal::Group { .. } => Cow::Borrowed(&[]),
        }
    }

    /// The expected reply to the command of `phase`.
    pub(super) fn expected(&self, phase: Phase) -> Expected {
        let (what, reply): (_, &'static [u8]) = match phase {
            Phase::Greeting => (words!("200 or 201, the greeting"), b"200 \r\n"),
            Phase::StartTls => (words!("382, and nothing after it"), b"382 \r\n"),
            Phase::Capabilities => (
                words!("101, the capabilities: READER, OVER, STARTTLS"),
                b"101 \r\nREADER\r\nOVER\r\nSTARTTLS\r\n.\r\n",
            ),
            Phase::ModeReader => (words!("200 or 201"), b"200 \r\n"),
            Phase::User => (words!("381 if a password is required, 281 if not"), b"381 \r\n"),
            Phase::Pass => (words!("281, logged in"), b"281 \r\n"),
            Phase::ListNewsgroups => (words!("215, the descriptions of the groups, one per line"), b"215 \r\n.\r\n"),
            Phase::ListActive | Phase::List => (words!("215, the groups, one per line"), b"215 \r\n.\r\n"),
            Phase::Group => match self.request.goal {
                NntpGoal::Group { .. } => {
                    (words!("211, the number of articles, the first and the last: say 1000, 1 and 1000"), PLANNED)
                }
                _ => (words!("211, the group exists"), PLANNED),
            },
            Phase::ListGroup | Phase::ListGroupFrom(_) => {
                let reply = Cow::Owned(self.planned_numbers());
                return Expected { what: words!("211, the numbers of the articles").into(), reply, closes: false };
            }
            Phase::Over | Phase::Xover => (words!("224, the articles, one per line"), b"224 \r\n.\r\n"),
            Phase::HeadOf(_) | Phase::Head => (words!("221, the headers of the article"), b"221 \r\n.\r\n"),
            Phase::Stat => (words!("223, the article exists"), b"223 0 \r\n"),
            Phase::Article => (words!("220, the article, ended by a line with a single dot"), b"220 \r\n.\r\n"),
        };
        Expected { what: what.into(), reply: Cow::Borrowed(reply), closes: false }
    }

    /// The numbers of a dry run: as many as requested, without gaps.
    fn planned_numbers(&self) -> Vec<u8> {
        let goal = match self.request.goal {
            NntpGoal::Group { last: Some(last), .. } => last,
            _ => 0,
        };
        let end = *self.range.end();
        let numbers = (end.saturating_sub(goal)..end).map(|before| format!("{}\r\n", before + 1));
        format!("211 \r\n{}.\r\n", numbers.collect::<String>()).into_bytes()
    }

    /// The fault when the server refused the command of `phase`.
    pub(super) fn refusal(&self, phase: Phase, reply: &NntpReply) -> Fault {
        const MANY: &str = "RFC 3977 section 3.2.1";
        let refused = |kind, rule, what: Message| {
            // 4yz is temporary, 5yz permanent.
            Fault::new(kind, rule, what).octets(&reply.line).code(reply.code).lasting(reply.code >= 500)
        };
        let user = || escape_for_display(self.user()).to_string();
        match (phase, reply.code) {
            (_, 400) => return refused(FaultKind::Server, MANY, words!("the server closes the connection").into()),
            (Phase::Greeting, _) => {
                let what = words!("the server refuses the connection");
                return refused(FaultKind::Server, "RFC 3977 section 5.1", what.into());
            }
            (Phase::StartTls, _) => {
                let help =
                    words!("nothing was requested without encryption; nntps uses TLS from the start, on another port");
                return refused(FaultKind::Server, "S-17", words!("the server refuses TLS").into()).with_help(help);
            }
            (Phase::User | Phase::Pass, code) => {
                let kind = if code == 400 || code == 403 { FaultKind::Server } else { FaultKind::Login };
                let what = message!("the server rejects the login of the user \"{user}\"", user = user());
                return refused(kind, "RFC 4643 section 2.3", what);
            }
            (Phase::ModeReader, _) => {
                let what = words!("the server does not allow reading");
                return refused(FaultKind::Server, "RFC 3977 section 5.3", what.into());
            }
            (_, 480 | 502) if self.request.login.is_none() => {
                let what = words!("the server requires a login for this");
                return refused(FaultKind::Login, "RFC 4643 section 2.3", what.into())
                    .with_help(words!("give a user name and password, or a netrc file"))
                    .with_hint(Hint::Login);
            }
            (_, 480 | 502) => {
                let what = message!("the server does not allow the user \"{user}\" to read this", user = user());
                return refused(FaultKind::Login, "RFC 4643 section 2.3", what);
            }
            (_, 483) => {
                let what = words!("the server requires TLS for this but does not offer it");
                return refused(FaultKind::Server, MANY, what.into())
                    .with_help(words!("try the scheme `nntps` or `snews`"));
            }
            _ => {}
        }
        let kind = match reply.code {
            411 | 420 | 423 | 430 => FaultKind::NotFound,
            _ => FaultKind::Server,
        };
        let group = || escape_for_display(self.group()).to_string();
        match phase {
            Phase::Group | Phase::ListGroup | Phase::ListGroupFrom(_) => {
                let what = message!("the server does not have the group \"{group}\"", group = group());
                refused(kind, "RFC 3977 section 6.1.1", what).with_help(words!("list the groups with `news:*`"))
            }
            Phase::Article | Phase::Stat | Phase::Head | Phase::HeadOf(_) => {
                let article = escape_for_display(&self.article()).to_string();
                let what = match self.request.goal {
                    NntpGoal::Message { .. } => {
                        message!("the server does not have the article {article}", article = article)
                    }
                    _ => message!(
                        "the group \"{group}\" does not have the article {article}",
                        group = group(),
                        article = article
                    ),
                };
                let fault = refused(kind, "RFC 3977 section 6.2.1", what);
                match kind {
                    FaultKind::NotFound => fault.with_help(words!("it may have expired or be on another server")),
                    _ => fault,
                }
            }
            _ => refused(kind, MANY, words!("the server refuses to send the list").into()),
        }
    }

    /// The fault without the password, which a server may repeat.
    pub(super) fn without_secrets(&self, fault: Fault) -> Fault {
        let words = match (fault.raw_octets(), self.password()) {
            (Some(words), secret @ [_, ..]) => masked(words, secret),
            _ => return fault,
        };
        fault.octets(&words)
    }
}
