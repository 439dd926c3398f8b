//! A relay that writes down what goes through it: the judge of "exactly these octets".

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Stands before a port of loopback.
pub(crate) struct Relay {
    pub(crate) port: u16,
    said: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Relay {
    pub(crate) fn start(behind: u16) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let said = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&said);
        std::thread::spawn(move || {
            for (number, client) in listener.incoming().enumerate() {
                let Ok(client) = client else { return };
                let server = TcpStream::connect(("127.0.0.1", behind)).expect("the server listens");
                for stream in [&client, &server] {
                    stream.set_nodelay(true).expect("a socket");
                }
                kept.lock().expect("no test panics with it").push(Vec::new());
                let (from_client, to_server) = (clone(&client), clone(&server));
                let log = Arc::clone(&kept);
                std::thread::spawn(move || {
                    pump(from_client, to_server, |octets| {
                        log.lock().expect("no test panics with it")[number].extend_from_slice(octets);
                    });
                });
                std::thread::spawn(move || pump(server, client, |_| {}));
            }
        });
        Relay { port, said }
    }

    /// What clients have said, connection by connection, line by line.
    pub(crate) fn said(&self) -> Vec<Vec<Vec<u8>>> {
        let said = self.said.lock().expect("no test panics with it");
        let lines = |octets: &Vec<u8>| octets.split_inclusive(|octet| *octet == b'\n').map(<[u8]>::to_vec).collect();
        said.iter().map(lines).collect()
    }

    /// Waits until a client has ended its connection by `QUIT`, and gives what was said.
    pub(crate) fn said_to_the_end(&self) -> Vec<Vec<Vec<u8>>> {
        for _ in 0..500 {
            let said = self.said();
            if !said.is_empty() && said.iter().all(|lines| lines.last().is_some_and(|line| line == b"QUIT\r\n")) {
                return said;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("nobody said goodbye: {:?}", self.said());
    }
}

fn clone(stream: &TcpStream) -> TcpStream {
    stream.try_clone().expect("a socket")
}

fn pump(mut from: TcpStream, mut to: TcpStream, mut log: impl FnMut(&[u8])) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        log(&buffer[..count]);
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    // Either may be gone already.
    let _ = to.shutdown(Shutdown::Write);
}
