//! Interactive sessions: what telnet URLs name (RFC 1738 section 3.8).

use crate::credentials::ServerLogin;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::deadlines::Clock;
use crate::net::driver::{out_of_place, unsupported};
use crate::net::duplex::Duplex;
use crate::net::endpoint::Endpoint;
use crate::net::tcp::Received;
use crate::net::transcript::{Peer, Seen, Watch};
use crate::protocol::telnet::{Function, Mode, TelnetMachine, Window};
use crate::protocol::{Event, Input, Io, Machine, Note, Step};
use crate::resource::History;
use core::fmt;
use std::time::{Duration, Instant};
use urlwise::Url;

/// Octets read at a time: more than TLS can hold decrypted.
const ROOM: usize = 64 * 1024;

/// While this many octets are queued, nothing is read: a server that asks and does not read the answers must not cost memory.
const UNSENT: usize = 256 * 1024;

/// How long to wait for octets at a time while others are queued.
const ALTERNATE: Duration = Duration::from_millis(20);

/// A session with a server, in which both sides may send at any time.
///
/// Pass what is typed to [`keys`](Session::keys) or [`lines`](Session::lines), and call [`hear`](Session::hear) again and
/// again: it sends what was typed, answers Telnet options, and returns what the server writes. That text is for a terminal and
/// may contain any octets.
///
/// A session has no idle deadline until [nothing more is typed](Session::end_of_input), because a person may think for as long
/// as they like. Other deadlines and [`Cancel`](crate::Cancel) apply.
///
/// ```no_run
/// use std::time::Duration;
/// use urlwise::Url;
/// use urlwise_open::{Client, Heard, Options, Resource};
///
/// let mut options = Options::default();
/// options.telnet.terminal = None; // lines only
/// let url = Url::parse("telnet://library.example/")?;
/// let Resource::Session(mut session) = Client::new(options).open(&url)? else { panic!("it is a session") };
/// session.lines(b"find maps\nquit\n");
/// session.end_of_input();
/// loop {
///     match session.hear(Duration::from_secs(1))? {
///         Heard::Text(text) => print!("{}", urlwise::escape_for_display(text)),
///         Heard::Nothing => {}
///         Heard::End => break,
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "dropping a session closes it"]
pub struct Session {
    telnet: TelnetMachine,
    duplex: Duplex,
    endpoint: Endpoint,
    clock: Clock,
    /// How long a server may be silent after the end of input, and how long it may read nothing.
    idle: Duration,
    /// Since when the server has read nothing of what is queued.
    unheard: Option<Instant>,
    /// Since when nothing has arrived, after the end of input.
    silent: Option<Instant>,
    login: Option<ServerLogin>,
    from: History,
    watch: Watch,
    room: Vec<u8>,
    text: Vec<u8>,
    /// The machine is done.
    is_over: bool,
    /// The system's message about a connection that broke.
    broken: Option<String>,
}

/// What a server sent. There will be no others: a server speaks, is silent, or has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard<'s> {
    /// Text, at least one octet. Its lines end in CR LF for a terminal; without one, in the line end of this system.
    Text(&'s [u8]),
    /// Nothing yet.
    Nothing,
    /// The server has closed the session.
    End,
}

impl Session {
    pub(crate) fn new(
        telnet: TelnetMachine,
        duplex: Duplex,
        endpoint: Endpoint,
        clock: Clock,
        login: Option<ServerLogin>,
        from: History,
        watch: Watch,
    ) -> Session {
        Session {
            telnet,
            duplex,
            endpoint,
            idle: clock.idle(),
            clock: clock.without_idle(),
            unheard: None,
            silent: None,
            login,
            from,
            watch,
            room: vec![0; ROOM],
            text: Vec::new(),
            is_over: false,
            broken: None,
        }
    }

    /// The user and password that the URL suggests, for display. They are never sent (section 3.8, D-52). `None` if it names no
    /// user.
    pub fn login(&self) -> Option<&ServerLogin> {
        self.login.as_ref()
    }

    /// The server.
    pub fn peer(&self) -> Peer<'_> {
        self.endpoint.peer()
    }

    /// Whether the session is encrypted.
    pub fn is_tls(&self) -> bool {
        self.duplex.is_tls()
    }

    /// The URL.
    pub fn final_url(&self) -> &Url<String> {
        &self.from.final_url
    }

    /// What should be known about the session so far.
    pub fn notes(&self) -> &[Note] {
        &self.from.notes
    }

    /// How the terminal should behave now. May change with each [`hear`](Session::hear).
    pub fn mode(&self) -> Mode {
        self.telnet.mode()
    }

    /// Queues keys as they were typed; Enter is CR. They are sent by the next [`hear`](Session::hear).
    pub fn keys(&mut self, keys: &[u8]) {
        let octets = self.telnet.keys(keys);
        self.duplex.send(&octets);
    }

    /// Queues text that was typed or read from a pipe, in any pieces, with lines ended by LF or CR LF.
    pub fn lines(&mut self, text: &[u8]) {
        let octets = self.telnet.lines(text);
        self.duplex.send(&octets);
    }

    /// Requests a function of the server.
    pub fn function(&mut self, function: Function) {
        self.duplex.send(function.octets());
    }

    /// Reports the terminal's new size.
    pub fn resize(&mut self, window: Window) {
        if let Some(command) = self.telnet.resize(window) {
            self.watch.see(self.endpoint.peer(), Seen::Sent(&command));
            self.duplex.send(command.octets());
        }
    }

    /// Ends the input. The connection stays open in both directions, because servers discard the rest of the answer when it is
    /// closed; but from now on the idle deadline applies.
    pub fn end_of_input(&mut self) {
        let octets = self.telnet.end_of_lines();
        self.duplex.send(&octets);
        self.silent = Some(Instant::now());
    }

    /// How many octets are queued. A program that reads input from a file should pause while there are many.
    pub fn unsent(&self) -> usize {
        self.duplex.unsent()
    }

    /// Whether to call [`hear`](Session::hear) as soon as the connection is writable.
    pub fn wants_to_send(&self) -> bool {
        self.duplex.has_unsent()
    }

    /// Sends what is queued and returns what the server wrote, after waiting for it no longer than `wait`. With a zero wait it
    /// never blocks.
    ///
    /// # Errors
    /// [`ErrorKind::Partial`] if the connection broke, [`ErrorKind::Limit`] if the server sends too many requests,
    /// [`ErrorKind::Timeout`] if it does not read or a deadline passed, [`ErrorKind::Cancelled`]. Text that arrived before is
    /// returned first.
    pub fn hear(&mut self, wait: Duration) -> Result<Heard<'_>, Error> {
        self.text.clear();
        let end = self.turn(wait).map_err(|error| error.at_url(&self.from.final_url))?;
        Ok(match end {
            _ if !self.text.is_empty() => Heard::Text(&self.text),
            true => Heard::End,
            false => Heard::Nothing,
        })
    }

    /// Runs one turn. Returns whether the session has ended.
    fn turn(&mut self, wait: Duration) -> Result<bool, Error> {
        if self.is_over {
            return self.drive(Input::none());
        }
        let most = self.clock.wait()?.at_most;
        self.flush()?;
        if !wait.is_zero() {
            let wait = if self.duplex.has_unsent() { wait.min(ALTERNATE) } else { wait };
            self.duplex.wait(wait.min(most)).map_err(|error| {
                let why = crate::error::system_words(&error);
                Error::new(ErrorKind::Setting, message!("cannot wait for the connection: {cause}", cause = why))
                    .with_source(error)
            })?;
        }
        if self.duplex.unsent() > UNSENT {
            return Ok(false);
        }
        let mut room = std::mem::take(&mut self.room);
        let ended = match self.duplex.receive(&mut room) {
            None => self.endure_silence().map(|()| false),
            Some(Received::Octets(count)) => {
                self.silent = self.silent.map(|_| Instant::now());
                self.drive(Input::new(&room[..count]))
            }
            Some(Received::End(end, words)) => {
                self.broken = words;
                self.drive(Input::closed(end))
            }
        };
        self.room = room;
        // Answers are sent at once.
        self.flush()?;
        ended
    }

    /// Passes what arrived to the machine. Returns whether the session has ended. Text from before the end comes first.
    fn drive(&mut self, mut input: Input<'_>) -> Result<bool, Error> {
        loop {
            match self.telnet.next(&mut input) {
                Step::Event(Event::Data(text)) => self.text.extend_from_slice(&text),
                Step::Event(Event::Note(note)) => self.from.notes.push(note),
                Step::Event(Event::Entry(never)) => match never {},
                // The shape of the answer was known before.
                Step::Event(Event::Begin(_)) => {}
                Step::Event(event @ Event::Follow(_)) => {
                    self.is_over = true;
                    return Err(out_of_place(&event).prefixed(&self.endpoint));
                }
                Step::Io(Io::Send(command)) => {
                    self.watch.see(self.endpoint.peer(), Seen::Sent(&command));
                    self.duplex.send(command.octets());
                }
                Step::Io(Io::Receive) => return Ok(false),
                // It exists already.
                Step::Io(Io::Connect) => {}
                Step::Io(other) => {
                    self.is_over = true;
                    return Err(unsupported(&other).prefixed(&self.endpoint));
                }
                Step::Done => {
                    self.is_over = true;
                    return Ok(true);
                }
                Step::Fail(fault) => {
                    self.is_over = true;
                    if !self.text.is_empty() {
                        return Ok(false);
                    }
                    let error = Error::from(fault);
                    return Err(match &self.broken {
                        Some(words) => {
                            error.prefixed(message!("{peer} ({words})", peer = &self.endpoint, words = words.as_str()))
                        }
                        None => error.prefixed(&self.endpoint),
                    });
                }
            }
        }
    }

    /// Sends what can be sent. A server need not read at once, but within the idle deadline.
    fn flush(&mut self) -> Result<(), Error> {
        let has_sent = self.duplex.flush();
        if !self.duplex.has_unsent() {
            self.unheard = None;
            return Ok(());
        }
        let since = self.unheard.filter(|_| !has_sent).unwrap_or_else(Instant::now);
        self.unheard = Some(since);
        if since.elapsed() < self.idle {
            return Ok(());
        }
        let what =
            message!("the server accepted no input for {seconds} s", seconds = self.idle.as_secs_f64().to_string());
        Err(Error::new(ErrorKind::Timeout, what)
            .with_reference("S-48")
            .with_help(words!("the server has stopped reading"))
            .prefixed(&self.endpoint))
    }

    /// Checks how long the server has been silent after the end of input.
    fn endure_silence(&self) -> Result<(), Error> {
        match self.silent {
            Some(since) if since.elapsed() >= self.idle => {
                let what = message!(
                    "the input ended, but the server did not close the session within {seconds} s",
                    seconds = self.idle.as_secs_f64().to_string()
                );
                let help = words!("end the input with the server's command to log out");
                Err(Error::new(ErrorKind::Timeout, what)
                    .with_reference("S-48")
                    .with_help(help)
                    .prefixed(&self.endpoint))
            }
            _ => Ok(()),
        }
    }

    /// Closes the connection. Dropping it does too, but without a `close_notify` under TLS.
    pub fn close(mut self) {
        self.duplex.flush();
        self.duplex.close();
    }
}

/// To wait for the server and the keyboard together, by `poll` or the like. Whenever it is readable, or writable if the session
/// [wants to send](Session::wants_to_send), call [`hear`](Session::hear) with a zero wait.
#[cfg(unix)]
impl std::os::fd::AsFd for Session {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.duplex.tcp().as_fd()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("login", &self.login).field("from", &self.from).finish_non_exhaustive()
    }
}
