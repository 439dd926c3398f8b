//! An interactive session: what a telnet URL names (RFC 1738 section 3.8).

use crate::credentials::Login;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::net::deadlines::Clock;
use crate::net::driver::undoable;
use crate::net::duplex::Duplex;
use crate::net::endpoint::Endpoint;
use crate::net::tcp::Received;
use crate::net::transcript::{Peer, Seen, Watch};
use crate::protocol::telnet::{Function, Mode, TelnetMachine, Window};
use crate::protocol::{Event, Input, Io, Machine, Note, Step};
use crate::resource::History;
use core::fmt;
use std::time::{Duration, Instant};
use urlwise::{Url, escape_for_display};

/// Octets read at a time: all that TLS can hold decrypted, and more.
const ROOM: usize = 64 * 1024;

/// While so many octets wait to be sent, nothing is read: a server that asks and does not listen to the answers costs no memory.
const UNSENT: usize = 256 * 1024;

/// How long to wait for octets at a time while others wait to be sent.
const ALTERNATE: Duration = Duration::from_millis(20);

/// A session with a server, both sides of which may speak at any time.
///
/// What is typed goes in by [`keys`](Session::keys) or [`lines`](Session::lines), what the server writes comes out by
/// [`hear`](Session::hear), which also moves what is typed; so it is called again and again. The options of Telnet are
/// answered on the way. The text is for a terminal and obeys nobody: it may hold any octets.
///
/// A session has no idle deadline, as a person may think for as long as they like, until
/// [nothing more is typed](Session::end_of_input). Other deadlines, and [`Cancel`](crate::Cancel), hold.
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
    /// How long a server may be silent that nothing more is said to, and how long it may not listen.
    idle: Duration,
    /// Since when the server has taken nothing of what waits to be sent.
    unheard: Option<Instant>,
    /// Since when nothing has come, once nothing more is typed.
    silent: Option<Instant>,
    login: Option<Login>,
    from: History,
    watch: Watch,
    room: Vec<u8>,
    text: Vec<u8>,
    /// The machine has said its last word.
    is_over: bool,
    /// The system's words about a connection that broke.
    broken: Option<String>,
}

/// What was heard of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard<'s> {
    /// Text, at least one octet. For a terminal, its lines end by CR LF; without one, as
    /// this system ends lines.
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
        login: Option<Login>,
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

    /// The user and password that the URL suggests, to be told to the person. They are never sent (section 3.8, D-52). `None` if
    /// it names no user.
    pub fn login(&self) -> Option<&Login> {
        self.login.as_ref()
    }

    /// With whom the session is held.
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

    /// How the terminal is to behave now. May be another after each [`hear`](Session::hear).
    pub fn mode(&self) -> Mode {
        self.telnet.mode()
    }

    /// Keys were typed, one by one; Enter is CR. They go out with the next [`hear`](Session::hear).
    pub fn keys(&mut self, keys: &[u8]) {
        let octets = self.telnet.keys(keys);
        self.duplex.send(&octets);
    }

    /// Text was typed, or came by a pipe, its lines ended by LF or CR LF; any pieces of it.
    pub fn lines(&mut self, text: &[u8]) {
        let octets = self.telnet.lines(text);
        self.duplex.send(&octets);
    }

    /// A function of the server is wanted.
    pub fn function(&mut self, function: Function) {
        self.duplex.send(function.octets());
    }

    /// The terminal has this size now.
    pub fn resize(&mut self, window: Window) {
        if let Some(command) = self.telnet.resize(window) {
            self.watch.see(self.endpoint.peer(), Seen::Sent(&command));
            self.duplex.send(command.octets());
        }
    }

    /// Nothing more will be typed. The connection stays open in both directions, as servers throw the answer away once they know;
    /// but from now on each octet has to come within the idle deadline.
    pub fn end_of_input(&mut self) {
        let octets = self.telnet.end_of_lines();
        self.duplex.send(&octets);
        self.silent = Some(Instant::now());
    }

    /// How many octets wait to be sent. Whoever reads what is typed from a file should wait while these are many.
    pub fn unsent(&self) -> usize {
        self.duplex.unsent()
    }

    /// Whether it is worth a [`hear`](Session::hear) as soon as the connection can be written to.
    pub fn wants_to_send(&self) -> bool {
        self.duplex.has_unsent()
    }

    /// Sends what waits, and gives what the server wrote; waits for that no longer than `wait`. With a zero wait it never blocks.
    ///
    /// # Errors
    /// [`ErrorKind::Partial`] if the connection broke, [`ErrorKind::Limit`] if the server asks too much, [`ErrorKind::Timeout`] if it does
    /// not listen, or a deadline passed, [`ErrorKind::Cancelled`]. What it wrote before is given before.
    pub fn hear(&mut self, wait: Duration) -> Result<Heard<'_>, Error> {
        self.text.clear();
        let end = self.turn(wait).map_err(|error| error.at(self.from.final_url.masked()))?;
        Ok(match end {
            _ if !self.text.is_empty() => Heard::Text(&self.text),
            true => Heard::End,
            false => Heard::Nothing,
        })
    }

    /// One turn; whether the session has ended.
    fn turn(&mut self, wait: Duration) -> Result<bool, Error> {
        if self.is_over {
            return self.drive(Input::none());
        }
        let most = self.clock.wait()?.at_most;
        self.flush()?;
        if !wait.is_zero() {
            let wait = if self.duplex.has_unsent() { wait.min(ALTERNATE) } else { wait };
            self.duplex.wait(wait.min(most)).map_err(|error| {
                let why = crate::error::words(&error);
                Error::new(ErrorKind::Setting, format!("cannot wait for the connection: {why}")).source(error)
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
        // Answers go out at once.
        self.flush()?;
        ended
    }

    /// Hands in what arrived; whether the session has ended. What was written before its end comes first.
    fn drive(&mut self, mut input: Input<'_>) -> Result<bool, Error> {
        loop {
            match self.telnet.next(&mut input) {
                Step::Event(Event::Data(text)) => self.text.extend_from_slice(&text),
                Step::Event(Event::Note(note)) => self.from.notes.push(note),
                Step::Event(Event::Entry(never)) => match never {},
                // What the answer is was known before.
                Step::Event(Event::Begin(_) | Event::Follow(_)) => {}
                Step::Io(Io::Send(command)) => {
                    self.watch.see(self.endpoint.peer(), Seen::Sent(&command));
                    self.duplex.send(command.octets());
                }
                Step::Io(Io::Receive) => return Ok(false),
                // It is there already.
                Step::Io(Io::Connect) => {}
                Step::Io(other) => {
                    self.is_over = true;
                    return Err(undoable(&other).prefixed(&self.endpoint));
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
                        Some(words) => error.prefixed(&format_args!(
                            "{} ({})",
                            self.endpoint,
                            escape_for_display(words.as_bytes())
                        )),
                        None => error.prefixed(&self.endpoint),
                    });
                }
            }
        }
    }

    /// Sends what can be sent. A server need not listen at once, but within the idle deadline.
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
        let what = format!("the server accepted no input for {:?}", self.idle);
        Err(Error::new(ErrorKind::Timeout, what).with_help("the server has stopped reading").prefixed(&self.endpoint))
    }

    /// A server that nothing more is said to may be silent for so long.
    fn endure_silence(&self) -> Result<(), Error> {
        match self.silent {
            Some(since) if since.elapsed() >= self.idle => {
                let what = format!("the input ended, but the server did not close the session within {:?}", self.idle);
                let help = "end the input with the server's command to log out";
                Err(Error::new(ErrorKind::Timeout, what).with_help(help).prefixed(&self.endpoint))
            }
            _ => Ok(()),
        }
    }

    /// Closes the connection. Dropping it does too, but without the word that TLS has for it.
    pub fn close(mut self) {
        self.duplex.flush();
        self.duplex.close();
    }
}

/// To be waited for together with what a person types, by `poll` or its like. Whenever there is something to read, or to write
/// if the session [wants to](Session::wants_to_send), it is time for [`hear`](Session::hear) with a zero wait.
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
