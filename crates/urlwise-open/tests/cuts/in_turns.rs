//! The recorded dialogues over real connections, many at a time: what comes of an answer is what comes of it alone, wherever its
//! packets end.

use std::fmt::Debug;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use urlwise::registry::{NewScheme, Registry, Syntax};
use urlwise_open::protocol::Machine;
use urlwise_open::{Call, Client, Entry, EntryKind, Error, Opener, Options, Outcome, Plan, Resource, run_many};

/// In how many ways the replies of one dialogue are cut in two, at most.
const MOST: usize = 40;

/// Between two pieces: they arrive one after the other, most often.
const PAUSE: Duration = Duration::from_micros(300);

/// What came of a dialogue: its octets, its entries, its error.
type Held = (Vec<u8>, Vec<String>, Option<String>);

/// Holds the dialogue of the next machine with the server of the URL.
struct Plays<M>(Mutex<Vec<M>>);

impl<M> Opener for Plays<M>
where
    M: Machine + Send + 'static,
    M::Entry: Debug + Send,
{
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let machine = self.0.lock().expect("no test panics with it").pop().expect("there is one for each call");
        call.dialogue(machine).open(|entry| Entry::new(format!("{entry:?}").into_bytes(), EntryKind::Document))
    }

    fn plan(&self, _: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        Ok(Plan::new(Vec::new()).into())
    }
}

/// Holds a recorded dialogue once alone and uncut, and then cut in all ways at the same time.
pub(crate) fn hold<M>(name: &str, machine: impl Fn() -> M, replies: &[Vec<u8>], data: &[u8])
where
    M: Machine + Send + 'static,
    M::Entry: Debug + Send,
{
    let octets = replies.iter().map(Vec::len).sum::<usize>().max(data.len());
    let step = octets / MOST + 1;
    let cuts: Vec<usize> = (1..octets).step_by(step).collect();
    let machines = (0..=cuts.len()).map(|_| machine()).collect();
    let mut options = Options::default();
    options.deadlines.first_byte = Duration::from_secs(20);
    options.deadlines.idle = Duration::from_secs(20);
    options.openers.register("x-cut", Arc::new(Plays(Mutex::new(machines)))).expect("it is not known");
    let client = Client::new(options);
    let url = serve(replies.to_vec(), data.to_vec(), cuts.clone());
    let whole = result(&client, &url);
    // What follows the reply before TLS begins is refused, or breaks the handshake.
    if whole.2.as_ref().is_some_and(|error| error.contains("TLS")) {
        return;
    }
    let held = AtomicUsize::new(0);
    run_many(
        32,
        |jobs| cuts.iter().for_each(|cut| jobs.push(*cut)),
        |_: usize| {
            assert_eq!(result(&client, &url), whole, "{name}");
            held.fetch_add(1, Ordering::Relaxed);
        },
    )
    .expect("the system has room");
    assert_eq!(held.into_inner(), cuts.len(), "{name}");
}

fn result(client: &Client, url: &str) -> Held {
    let mut registry = Registry::new();
    registry.register(NewScheme::new("x-cut", Syntax::Internet)).expect("it is not known");
    let url = registry.parse(url).expect("a valid URL");
    let (mut octets, mut entries) = (Vec::new(), Vec::new());
    let end = client.open(&url).and_then(|resource| match resource {
        Resource::Document(mut document) => document.write_to(&mut octets).map(drop),
        Resource::Menu(menu) => {
            for entry in menu {
                entries.push(String::from_utf8(entry?.title).expect("it is printed"));
            }
            Ok(())
        }
        other => panic!("{other:?}"),
    });
    (octets, entries, end.err().map(|error| error.to_string()))
}

/// A server that plays the replies: the first connection uncut, each other one cut in another place.
fn serve(replies: Vec<Vec<u8>>, data: Vec<u8>, cuts: Vec<usize>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let (replies, data) = (Arc::new(replies), Arc::new(data));
    thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().take(1 + cuts.len()).enumerate() {
            let cut = number.checked_sub(1).map_or(0, |number| cuts[number]);
            let (replies, data) = (Arc::clone(&replies), Arc::clone(&data));
            thread::spawn(move || play(stream, &replies, &data, cut));
        }
    });
    format!("x-cut://127.0.0.1:{port}/")
}

fn play(mut stream: TcpStream, replies: &[Vec<u8>], data: &Arc<Vec<u8>>, cut: usize) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut sent = 0;
    for (turn, reply) in replies.iter().enumerate() {
        if turn > 0 && stream.read(&mut [0; 4096])? == 0 {
            return Ok(());
        }
        let reply = with_data(reply, data, cut)?;
        write_cut(&mut stream, &reply, cut.saturating_sub(sent))?;
        sent += reply.len();
    }
    stream.shutdown(Shutdown::Write)?;
    std::io::copy(&mut stream, &mut std::io::sink()).map(drop)
}

fn write_cut(stream: &mut TcpStream, octets: &[u8], cut: usize) -> std::io::Result<()> {
    let (first, second) = octets.split_at(cut.min(octets.len()));
    stream.write_all(first)?;
    if !first.is_empty() && !second.is_empty() {
        thread::sleep(PAUSE);
    }
    stream.write_all(second)
}

/// A reply that names a port for the data connection of ftp names one that is listened to.
fn with_data(reply: &[u8], data: &Arc<Vec<u8>>, cut: usize) -> std::io::Result<Vec<u8>> {
    let text = String::from_utf8_lossy(reply);
    let (extended, passive) = (text.starts_with("229 "), text.starts_with("227 "));
    if !extended && !passive {
        return Ok(reply.to_vec());
    }
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let data = Arc::clone(data);
    thread::spawn(move || {
        let (mut stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        write_cut(&mut stream, &data, cut)?;
        // The reply that all was sent may overtake what was sent.
        stream.shutdown(Shutdown::Write)?;
        std::io::copy(&mut stream, &mut std::io::sink())
    });
    Ok(match extended {
        true => format!("229 ok (|||{port}|)\r\n"),
        false => format!("227 ok (127,0,0,1,{},{})\r\n", port / 256, port % 256),
    }
    .into_bytes())
}
