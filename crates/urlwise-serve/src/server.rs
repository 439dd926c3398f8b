//! The gateway: two origins on loopback, a bounded number of threads, and an eye on browsers that go away.

use std::io::{self, Read};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use urlwise::Language;
use urlwise_open::Cancel;

use crate::answers::Answers;
use crate::foreign::Keys;
use crate::guard::Names;
use crate::http::body::{Connection, send_whole};
use crate::http::request::{Method, NO_PROXY, Rejection, Request, RequestMachine, rejection};
use crate::http::response::{Head, Status};
use crate::kept::Kept;
use crate::language::words;
use crate::opening::Opening;
use crate::options::Options;
use crate::routes;
use crate::session::Session;

/// How long a browser may take to send its request.
const REQUEST_TIME: Duration = Duration::from_secs(10);

/// How often it is checked whether browsers are still there.
const LOOK: Duration = Duration::from_millis(100);

/// The stack of a thread that makes a page.
const STACK: usize = 512 * 1024;

/// A gateway that is bound and does not serve yet.
#[derive(Debug)]
pub struct Gateway {
    shared: Arc<Shared>,
    listeners: Vec<(TcpListener, Site)>,
    idle: Option<Duration>,
    start: String,
    #[cfg(unix)]
    socket: Option<crate::socket::Socket>,
}

/// One of the two origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Site {
    /// Pages of ours.
    Own,
    /// Documents of others that are pages.
    Foreign,
}

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) opening: Opening,
    pub(crate) session: Session,
    pub(crate) names: Names,
    pub(crate) keys: Keys,
    pub(crate) kept: Kept,
    pub(crate) answers: Answers,
    pub(crate) port: u16,
    /// Whether the port is one that was asked for, which the next gateway can have again.
    pub(crate) is_port_chosen: bool,
    pub(crate) foreign_port: u16,
    foreign_names: Names,
    pub(crate) file_name: fn(&urlwise::Url<&str>) -> String,
    pub(crate) help: fn(&urlwise_open::Error) -> Option<String>,
    pub(crate) command_options: crate::options::CommandOptions,
    pub(crate) language: Language,
    most: usize,
    /// How many requests are being served.
    serving: AtomicUsize,
    last: Mutex<Instant>,
    /// Browsers that wait for a page, and what ends the waiting.
    waiting: Mutex<Vec<(u64, TcpStream, Cancel)>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Gateway {
    /// Binds both origins to loopback, on IPv4 and where there is IPv6 on that too.
    ///
    /// # Errors
    /// The port is taken, or there is no loopback.
    pub fn bind(options: Options) -> io::Result<Gateway> {
        let Options { port, client, call, files, first, idle, pages, file_name, help, command_options, language } =
            options;
        let is_port_chosen = port != 0;
        let (own, port) = both(port)?;
        let (foreign, foreign_port) = both(0)?;
        let session = Session::new(port)?;
        let token = session.ticket(first, false)?;
        let start = format!("http://127.0.0.1:{port}/start/{}", token.as_str());
        let shared = Shared {
            opening: Opening::new(client, call, port, files)?,
            session,
            names: Names::new(port),
            keys: Keys::default(),
            kept: Kept::default(),
            answers: Answers::default(),
            port,
            is_port_chosen,
            foreign_port,
            foreign_names: Names::new(foreign_port),
            file_name,
            help,
            command_options,
            language,
            most: pages,
            serving: AtomicUsize::new(0),
            last: Mutex::new(Instant::now()),
            waiting: Mutex::default(),
        };
        let own = own.into_iter().map(|listener| (listener, Site::Own));
        let foreign = foreign.into_iter().map(|listener| (listener, Site::Foreign));
        let listeners = own.chain(foreign).collect();
        Ok(Gateway {
            shared: Arc::new(shared),
            listeners,
            idle,
            start,
            #[cfg(unix)]
            socket: None,
        })
    }

    /// The address that opens the session, once.
    pub fn start_url(&self) -> &str {
        &self.start
    }

    /// An address that opens the session and shows this URL. It works once, for a minute.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn start_url_for(&self, url: &str) -> io::Result<String> {
        self.shared.address(url)
    }

    /// Lets [programs of the same person](crate::running) ask for addresses, by a socket in the [folder of the
    /// session](crate::session_folder). Returns whether it does: not if another gateway does already, and not in a folder that others can enter.
    #[cfg(unix)]
    pub fn listen_for_programs(&mut self, folder: &std::path::Path) -> bool {
        self.socket = crate::socket::Socket::bind(folder);
        self.socket.is_some()
    }

    /// The port of its pages.
    pub fn port(&self) -> u16 {
        self.shared.port
    }

    /// Serves until there was no request during the idle time.
    ///
    /// # Errors
    /// A thread could not be started.
    pub fn run(self) -> io::Result<()> {
        #[cfg(unix)]
        let _file = self.socket.map(|socket| programs(socket, &self.shared)).transpose()?;
        let (shared, listeners, idle) = (self.shared, self.listeners, self.idle);
        *locked(&shared.last) = Instant::now();
        for (listener, site) in listeners {
            let shared = Arc::clone(&shared);
            thread::Builder::new().stack_size(STACK).spawn(move || accept(&listener, site, &shared))?;
        }
        loop {
            thread::sleep(LOOK);
            shared.look();
            let is_idle = shared.serving.load(Ordering::SeqCst) == 0;
            if is_idle && idle.is_some_and(|idle| locked(&shared.last).elapsed() >= idle) {
                return Ok(());
            }
        }
    }
}

/// Answers programs, one after another, until the process ends. The file of the socket is removed with what is returned.
#[cfg(unix)]
fn programs(socket: crate::socket::Socket, shared: &Arc<Shared>) -> io::Result<crate::socket::File> {
    let (listener, file) = socket.split();
    let shared = Arc::clone(shared);
    thread::Builder::new().stack_size(STACK).spawn(move || {
        loop {
            let Ok((stream, _)) = listener.accept() else {
                thread::sleep(LOOK);
                continue;
            };
            *locked(&shared.last) = Instant::now();
            // A program that has gone needs no answer.
            let _ = crate::socket::answer(&stream, |url| shared.address(url));
        }
    })?;
    Ok(file)
}

/// Listeners on loopback with one port.
fn both(port: u16) -> io::Result<(Vec<TcpListener>, u16)> {
    let first = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    let port = first.local_addr()?.port();
    // A machine may have no IPv6, and another program may have the port there.
    let second = TcpListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, port)));
    Ok(([first].into_iter().chain(second).collect(), port))
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, site: Site, shared: &Arc<Shared>) {
    loop {
        // Nobody came, or there are no more descriptors for now.
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(LOOK);
            continue;
        };
        let place = Place::take(shared);
        if place.number >= shared.most {
            let page = crate::pages::problem::refused(
                words!("Too many pages at once"),
                &words!("this gateway serves only so many pages at a time").get(shared.language),
                words!("Try again in a moment."),
                shared.language,
            );
            let connection = Connection { stream: &stream, is_head: false };
            let _ = send_whole(connection, Head::page(Status::Busy), page.as_bytes());
            continue;
        }
        // Without a thread there is no answer, and the browser says so.
        let _ = thread::Builder::new().stack_size(STACK).spawn(move || serve(&stream, site, &place));
    }
}

/// A request that is being served.
struct Place {
    shared: Arc<Shared>,
    /// How many there were before it.
    number: usize,
}

impl Place {
    fn take(shared: &Arc<Shared>) -> Place {
        let number = shared.serving.fetch_add(1, Ordering::SeqCst);
        Place { shared: Arc::clone(shared), number }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *locked(&self.shared.last) = Instant::now();
        self.shared.serving.fetch_sub(1, Ordering::SeqCst);
    }
}

fn serve(stream: &TcpStream, site: Site, place: &Place) {
    let shared = &place.shared;
    let _ = stream.set_nodelay(true);
    // A browser that has gone needs no answer.
    let _ = match receive(stream) {
        Ok(Ok(request)) => {
            let is_head = request.method == Method::Head;
            let connection = Connection { stream, is_head };
            match site {
                Site::Own if shared.names.is_for_us(&request) => routes::answer(shared, &request, connection),
                Site::Foreign if shared.foreign_names.is_for_us(&request) => {
                    routes::foreign(shared, &request, connection)
                }
                Site::Own | Site::Foreign => {
                    let why = match request.target_host {
                        None => words!("the request names another host than this gateway"),
                        Some(_) => NO_PROXY,
                    };
                    reject(stream, site, Rejection { is_head, ..rejection(Status::Misdirected, why) }, shared)
                }
            }
        }
        Ok(Err(rejection)) => reject(stream, site, rejection, shared),
        Err(error) => Err(error),
    };
    end(stream);
}

fn reject(stream: &TcpStream, site: Site, rejected: Rejection, shared: &Shared) -> io::Result<()> {
    let names = match site {
        Site::Own => &shared.names,
        Site::Foreign => &shared.foreign_names,
    };
    let target_host = rejected.asked.as_ref().and_then(|asked| asked.target_host.as_deref());
    // What a method may do elsewhere is not said here.
    let rejected = match target_host.is_none_or(|host| names.is_host(host)) {
        true => rejected,
        false => Rejection { is_head: rejected.is_head, ..rejection(Status::Misdirected, NO_PROXY) },
    };
    let Rejection { status, why, asked, is_head } = rejected;
    let language = shared.language;
    let methods = asked.map(|asked| match site {
        Site::Own => (asked.method, routes::methods(&asked.path)),
        Site::Foreign => (asked.method, routes::methods_of_foreign()),
    });
    let (head, page) = match methods {
        Some((_, methods)) if methods.is_empty() => routes::not_found(language),
        Some((method, methods)) if methods.iter().all(|known| known.name() != method) => {
            routes::other_method(&method, &methods, language)
        }
        _ => {
            let help = words!("Open the address that `urlwise serve` prints.");
            (Head::page(status), crate::pages::problem::refused(routes::REFUSED, &why.get(language), help, language))
        }
    };
    send_whole(Connection { stream, is_head }, head, page.as_bytes())
}

/// Ends a connection so that what was sent arrives, although the browser may have sent more than was read.
fn end(mut stream: &TcpStream) {
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(LOOK));
    let mut rest = [0; 4096];
    for _ in 0..16 {
        if !matches!(stream.read(&mut rest), Ok(1..)) {
            break;
        }
    }
}

/// Reads a request, all of it within its time.
fn receive(mut stream: &TcpStream) -> io::Result<Result<Request, Rejection>> {
    let end = Instant::now() + REQUEST_TIME;
    let mut machine = RequestMachine::default();
    let mut room = [0; 8192];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let late = || rejection(Status::RequestTimeout, words!("the request did not arrive in time"));
        if left.is_zero() {
            return Ok(Err(late()));
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut room) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => match machine.receive(&room[..count]) {
                Ok(None) => {}
                Ok(Some(request)) => return Ok(Ok(request)),
                Err(rejection) => return Ok(Err(rejection)),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Ok(Err(late()));
            }
            Err(error) => return Err(error),
        }
    }
}

/// A page that a browser waits for.
pub(crate) struct Waiting<'s> {
    shared: &'s Shared,
    number: u64,
    /// Ends everything that is waited for when the browser goes away.
    pub(crate) cancel: Cancel,
}

impl Shared {
    /// An address that opens the session and shows a URL, once, for a minute; the page to begin with if it is empty.
    fn address(&self, url: &str) -> io::Result<String> {
        let token = self.session.ticket(Some(url.to_owned()).filter(|url| !url.is_empty()), true)?;
        Ok(format!("http://127.0.0.1:{}/start/{}", self.port, token.as_str()))
    }

    /// Watches the browser's connection as long as the page is made.
    pub(crate) fn waiting(&self, stream: &TcpStream) -> io::Result<Waiting<'_>> {
        stream.set_read_timeout(Some(Duration::from_millis(1)))?;
        let (cancel, stream) = (Cancel::new(), stream.try_clone()?);
        let mut waiting = locked(&self.waiting);
        let number = waiting.last().map_or(0, |(number, ..)| number + 1);
        waiting.push((number, stream, cancel.clone()));
        Ok(Waiting { shared: self, number, cancel })
    }

    /// Ends what no browser waits for any longer.
    fn look(&self) {
        for (_, stream, cancel) in locked(&self.waiting).iter() {
            let is_there = match stream.peek(&mut [0]) {
                Ok(count) => count > 0,
                Err(error) => {
                    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
                    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
                }
            };
            if !is_there {
                cancel.request();
            }
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        locked(&self.shared.waiting).retain(|(number, ..)| *number != self.number);
    }
}
