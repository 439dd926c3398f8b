//! Runs of the program, and servers that say what a script says.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// What a run of the program showed.
pub(crate) struct Shown {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    /// Both outputs, readable.
    pub(crate) all: String,
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urlwise"));
    command.args(arguments).env("XDG_CONFIG_HOME", "/nonexistent").stdin(Stdio::null());
    for variable in [
        "http_proxy",
        "https_proxy",
        "HTTPS_PROXY",
        "all_proxy",
        "ALL_PROXY",
        "NETRC",
        "NNTPSERVER",
        "LC_ALL",
        "LC_MESSAGES",
        "LANG",
    ] {
        command.env_remove(variable);
    }
    command
}

pub(crate) fn see(command: &mut Command) -> Shown {
    let output = command.output().unwrap();
    let all = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned();
    // A program that was killed by a signal, as by an abort, has no code.
    Shown { code: output.status.code().unwrap_or(-1), out: output.stdout, all }
}

pub(crate) fn run(arguments: &[&str]) -> Shown {
    see(&mut command(arguments))
}

pub(crate) fn get(url: &str) -> Shown {
    run(&["get", url])
}

/// A folder that is gone when the row ends.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("urlwise-hostile-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str, octets: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), octets).unwrap();
        self.0.join(name).display().to_string()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Shown {
        see(command(arguments).current_dir(&self.0))
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A server on loopback, and what it heard: one text for each connection.
pub(crate) struct Host {
    pub(crate) port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

/// One connection of a [`Host`].
pub(crate) struct Talk {
    reader: BufReader<TcpStream>,
    heard: Arc<Mutex<Vec<String>>>,
    /// Counted from 0.
    pub(crate) number: usize,
}

impl Talk {
    /// The next line, without its end; `None` at the end.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        if self.reader.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        locked(&self.heard)[self.number].push_str(&line);
        Some(line.trim_end().to_owned())
    }

    /// Reads up to an empty line.
    pub(crate) fn head(&mut self) {
        while self.line().is_some_and(|line| !line.is_empty()) {}
    }

    /// Whether the client still listens.
    pub(crate) fn say(&mut self, octets: impl AsRef<[u8]>) -> bool {
        self.reader.get_mut().write_all(octets.as_ref()).is_ok()
    }

    /// Reads whatever comes, until the client ends.
    pub(crate) fn listen(&mut self) {
        while self.line().is_some() {}
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Host {
    /// A server that treats every connection alike.
    pub(crate) fn new(talk: impl Fn(&mut Talk) + Send + Sync + 'static) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let (log, talk) = (Arc::clone(&heard), Arc::new(talk));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let number = {
                    let mut log = locked(&log);
                    log.push(String::new());
                    log.len() - 1
                };
                let (heard, talk) = (Arc::clone(&log), Arc::clone(&talk));
                let _ = stream.set_read_timeout(Some(Duration::from_secs(20)));
                thread::spawn(move || talk(&mut Talk { reader: BufReader::new(stream), heard, number }));
            }
        });
        Host { port, heard }
    }

    /// Answers the head of each http request with these octets, and ends.
    pub(crate) fn http(answer: impl Into<Vec<u8>>) -> Host {
        let answer = answer.into();
        Host::new(move |talk| {
            talk.head();
            talk.say(&answer);
        })
    }

    /// Redirects to a location, with a cookie.
    pub(crate) fn redirecting(location: &str) -> Host {
        Host::http(format!(
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"
        ))
    }

    /// Answers one line, as gopher and finger servers do, and ends.
    pub(crate) fn gopher(answer: impl Into<Vec<u8>>) -> Host {
        let answer = answer.into();
        Host::new(move |talk| {
            talk.line();
            talk.say(&answer);
        })
    }

    /// An ftp server with one file. `changes` are other replies, by the beginning of the command; `greeting` is one of them.
    /// In replies, `PORT` and `P1,P2` stand for the port of its data connections.
    pub(crate) fn ftp(data: &'static [u8], changes: &'static [(&'static str, &'static str)]) -> Host {
        Host::new(move |talk| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            let filled = |reply: &str| {
                reply.replace("PORT", &port.to_string()).replace("P1,P2", &format!("{},{}", port / 256, port % 256))
            };
            let reply = |line: &str, usual: &'static str| {
                changes.iter().find(|(begin, _)| line.starts_with(begin)).map_or(usual, |(_, reply)| reply)
            };
            talk.say(reply("greeting", "220 here\r\n"));
            while let Some(line) = talk.line() {
                let usual = match line.split(' ').next().unwrap_or_default() {
                    "USER" => "331 who?\r\n",
                    "PASS" => "230 in\r\n",
                    "EPSV" => "229 go (|||PORT|)\r\n",
                    "PASV" => "227 go (127,0,0,1,P1,P2)\r\n",
                    "RETR" | "NLST" | "MLSD" | "LIST" => "150 go\r\n",
                    "TYPE" | "CWD" => "250 so be it\r\n",
                    "QUIT" => return,
                    _ => "502 what?\r\n",
                };
                let said = filled(reply(&line, usual));
                let is_transfer = ["RETR", "NLST", "MLSD", "LIST"].iter().any(|verb| line.starts_with(verb));
                if !talk.say(&said) || !is_transfer || !said.starts_with('1') {
                    continue;
                }
                let Ok((mut stream, _)) = listener.accept() else { return };
                let _ = stream.write_all(data);
                drop(stream);
                talk.say(reply("done", "226 done\r\n"));
            }
        })
    }

    pub(crate) fn url(&self, scheme: &str, rest: &str) -> String {
        format!("{scheme}://127.0.0.1:{}/{rest}", self.port)
    }

    pub(crate) fn connections(&self) -> usize {
        locked(&self.heard).len()
    }

    /// Everything that was heard.
    pub(crate) fn heard(&self) -> String {
        locked(&self.heard).concat()
    }
}

/// A document of http.
pub(crate) fn document(headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len()).into_bytes()
}

/// A TLS server of `openssl` with its own certificate, whose plain side is its standard input and output; `None` without
/// the program.
pub(crate) fn tls(folder: &Folder) -> Option<(std::process::Child, u16)> {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let (key, certificate) = (folder.0.join("key.pem"), folder.0.join("cert.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout"])
        .args([&key, &PathBuf::from("-out"), &certificate])
        .stderr(Stdio::null())
        .status();
    made.ok().filter(std::process::ExitStatus::success)?;
    let server = Command::new("openssl")
        .args(["s_server", "-quiet", "-naccept", "1", "-accept", &format!("127.0.0.1:{port}")])
        .args([&PathBuf::from("-key"), &key, &PathBuf::from("-cert"), &certificate])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // It accepts one connection, so looking whether it listens would use that up.
    for _ in 0..100 {
        thread::sleep(Duration::from_millis(50));
        if TcpListener::bind(("127.0.0.1", port)).is_err() {
            return Some((server, port));
        }
    }
    None
}

/// All that the other side says until it ends.
pub(crate) fn rest(mut reader: impl Read) -> String {
    let mut octets = Vec::new();
    let _ = reader.read_to_end(&mut octets);
    String::from_utf8_lossy(&octets).into_owned()
}
