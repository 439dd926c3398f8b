//! Real servers, started for one test on free ports of loopback and ended with it.

#[path = "ports.rs"]
mod ports;

use super::{Folder, find, run};
pub(super) use ports::free_port;
use std::cell::Cell;
use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A process that ends with the test.
pub(crate) struct Daemon(Child);

impl Daemon {
    /// Starts `command` and waits until `port` answers; `None` if it ended instead (the port was taken meanwhile).
    pub(crate) fn start(command: &mut Command, port: u16) -> Option<Daemon> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Daemon(command.spawn().expect("it starts")).listening(port)
    }

    /// Waits until another port answers, too; servers open one after the other. `None` if it ended instead.
    fn listening(mut self, port: u16) -> Option<Daemon> {
        let deadline = Instant::now() + Duration::from_secs(60);
        while Instant::now() < deadline {
            if self.0.try_wait().expect("our child").is_some() {
                return None;
            }
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Some(self);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("nothing listens on port {port}");
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts something on a free port; ports can be taken between the look and the start, so a few are tried.
pub(crate) fn on_free_port(start: impl Fn(u16) -> Option<Daemon>) -> (Daemon, u16) {
    for _ in 0..10 {
        let port = free_port();
        if let Some(daemon) = start(port) {
            return (daemon, port);
        }
    }
    panic!("the server does not start");
}

/// A certificate authority and a certificate of `localhost` and 127.0.0.1. Needs openssl.
pub(crate) struct Authority {
    folder: Folder,
}

impl Authority {
    pub(crate) fn new() -> Authority {
        let folder = Folder::new();
        let file = |name| folder.text(name);
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout"];
        let (ca, ca_key, leaf_key) = (file("ca.pem"), file("ca-key.pem"), file("key.pem"));
        let (request, certificate, extensions) = (file("leaf.csr"), file("cert.pem"), file("ext"));
        fs::write(
            &extensions,
            "basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n",
        )
        .expect("our folder");
        let call = |head: &[&str], tail: &[&str]| run("openssl", &[head, &key, tail].concat());
        call(&["req", "-x509", "-days", "2"], &[&ca_key, "-out", &ca, "-subj", "/CN=test authority"]);
        call(&["req", "-new"], &[&leaf_key, "-out", &request, "-subj", "/CN=localhost"]);
        #[rustfmt::skip]
        run("openssl", &[
            "x509", "-req", "-in", &request, "-CA", &ca, "-CAkey", &ca_key, "-CAcreateserial", "-days", "2",
            "-extfile", &extensions, "-out", &certificate,
        ]);
        Authority { folder }
    }

    /// The authority's own certificate.
    pub(crate) fn ca(&self) -> std::path::PathBuf {
        self.folder.join("ca.pem")
    }

    /// The server's certificate.
    pub(crate) fn certificate(&self) -> std::path::PathBuf {
        self.folder.join("cert.pem")
    }

    /// The authority's own key.
    pub(crate) fn ca_key(&self) -> std::path::PathBuf {
        self.folder.join("ca-key.pem")
    }

    /// The server's key.
    pub(crate) fn key(&self) -> std::path::PathBuf {
        self.folder.join("key.pem")
    }
}

/// nginx with one server, plain and (with an authority) TLS.
pub(crate) struct Nginx {
    pub(crate) port: u16,
    pub(crate) tls_port: u16,
    root: Folder,
    _daemon: Daemon,
}

impl Nginx {
    /// `locations` is configuration for the server block, in which `PORT` and `TLS_PORT` stand for the ports.
    pub(crate) fn start(authority: Option<&Authority>, locations: &str) -> Nginx {
        let root = Folder::new();
        for name in ["www", "tmp"] {
            fs::create_dir(root.join(name)).expect("our folder");
        }
        let tls_port = Cell::new(0);
        let (daemon, port) = on_free_port(|port| {
            tls_port.set(free_port());
            let config = Nginx::config(&root, authority, port, tls_port.get(), locations);
            fs::write(root.join("nginx.conf"), config).expect("our folder");
            let mut command = Command::new(find("nginx").expect("it is required before"));
            command.args(["-p", &root.text(""), "-c", &root.text("nginx.conf"), "-e", &root.text("error.log")]);
            let daemon = Daemon::start(&mut command, port)?;
            if authority.is_some() { daemon.listening(tls_port.get()) } else { Some(daemon) }
        });
        Nginx { port, tls_port: tls_port.get(), root, _daemon: daemon }
    }

    fn config(root: &Folder, authority: Option<&Authority>, port: u16, tls_port: u16, locations: &str) -> String {
        let tls = authority.map_or_else(String::new, |authority| {
            format!(
                "listen 127.0.0.1:{tls_port} ssl; listen 127.0.0.2:{tls_port} ssl; ssl_certificate {}; ssl_certificate_key {};",
                authority.certificate().display(),
                authority.key().display()
            )
        });
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {}/{name};\n", root.text("tmp")))
            .concat();
        let locations = locations.replace("TLS_PORT", &tls_port.to_string()).replace("PORT", &port.to_string());
        let locations = locations.replace("FOLDER/", &root.text(""));
        format!(
            "daemon off; master_process off; pid {pid}; events {{ worker_connections 64; }}
            http {{
                access_log off; absolute_redirect off;
                {temporary}
                types {{ text/plain txt; text/html html; }} default_type application/octet-stream;
                gzip on; gzip_min_length 1; gzip_types text/plain;
                server {{
                    listen 127.0.0.1:{port}; {tls} server_name localhost; root {www};
                    merge_slashes off;
                    {locations}
                }}
            }}",
            pid = root.text("nginx.pid"),
            www = root.text("www"),
        )
    }

    pub(crate) fn write(&self, name: &str, octets: impl AsRef<[u8]>) {
        self.root.write(&format!("www/{name}"), octets);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn tls_url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.tls_port)
    }
}

/// gophernicus behind socat, which is its inetd.
pub(crate) struct Gophernicus {
    pub(crate) port: u16,
    root: Folder,
    _daemon: Daemon,
}

impl Gophernicus {
    pub(crate) const PROGRAMS: &[&str] = &["gophernicus", "socat"];

    /// Serves what is written into it.
    pub(crate) fn start() -> Gophernicus {
        let root = Folder::new();
        fs::create_dir(root.join("gopher")).expect("our folder");
        let program = find("gophernicus").expect("it is required before");
        let (daemon, port) = on_free_port(|port| {
            let server =
                format!("{} -h 127.0.0.1 -p {port} -r {} -nu -nm -nv -ns", program.display(), root.text("gopher"));
            // It refuses to run as root.
            let user = if is_root(root.path()) { ",su=nobody" } else { "" };
            let mut command = Command::new(find("socat").expect("it is required before"));
            command
                .arg(format!("TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork"))
                .arg(format!("EXEC:\"{server}\",nofork{user}"));
            Daemon::start(&mut command, port)
        });
        Gophernicus { port, root, _daemon: daemon }
    }

    pub(crate) fn write(&self, name: &str, octets: impl AsRef<[u8]>) {
        self.root.write(&format!("gopher/{name}"), octets);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("gopher://127.0.0.1:{}{path}", self.port)
    }
}

/// pygopherd: classic gopher and Gopher+, plain and TLS on one port.
pub(crate) struct Pygopherd {
    pub(crate) port: u16,
    root: Folder,
    _daemon: Daemon,
}

impl Pygopherd {
    pub(crate) const PROGRAMS: &[&str] = &["pygopherd"];

    /// Serves what is written into its folder.
    pub(crate) fn start(authority: Option<&Authority>) -> Option<Pygopherd> {
        let stock = fs::read_to_string("/etc/pygopherd/pygopherd.conf").ok()?;
        let root = Folder::new();
        fs::create_dir(root.join("gopher")).expect("our folder");
        let (daemon, port) = on_free_port(|port| {
            let mut config = String::new();
            for line in stock.lines() {
                let changed = match line.split_once(" = ").map(|(name, _)| name) {
                    Some("port") => format!("port = {port}\ninterface = 127.0.0.1\nservername = 127.0.0.1"),
                    Some("usechroot") => "usechroot = no".to_owned(),
                    Some("root") => format!("root = {}", root.text("gopher")),
                    Some("pidfile") => format!("pidfile = {}", root.text("pid")),
                    Some("servertype") => "servertype = ThreadingTCPServer".to_owned(),
                    Some("setuid" | "setgid") => continue,
                    Some("detach") => "detach = no".to_owned(),
                    Some("enable_tls") => authority.map_or_else(
                        || "enable_tls = no".to_owned(),
                        |authority| {
                            format!(
                                "enable_tls = yes\ntls_certfile = {}\ntls_keyfile = {}",
                                authority.certificate().display(),
                                authority.key().display()
                            )
                        },
                    ),
                    Some("logmethod") => "logmethod = none".to_owned(),
                    // The connection that waits for it to listen makes it list its folder, which is empty then.
                    Some("cachetime") => "cachetime = 0".to_owned(),
                    _ => line.to_owned(),
                };
                config += &changed;
                config.push('\n');
            }
            fs::write(root.join("pygopherd.conf"), config).expect("our folder");
            let mut command = Command::new(find("pygopherd").expect("it is required before"));
            command.arg(root.text("pygopherd.conf"));
            Daemon::start(&mut command, port)
        });
        Some(Pygopherd { port, root, _daemon: daemon })
    }

    pub(crate) fn write(&self, name: &str, octets: impl AsRef<[u8]>) {
        self.root.write(&format!("gopher/{name}"), octets);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("gopher://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn tls_url(&self, path: &str) -> String {
        format!("gophers://localhost:{}{path}", self.port)
    }
}

/// socat that puts TLS in front of a port.
pub(crate) struct TlsFront {
    pub(crate) port: u16,
    _daemon: Daemon,
}

impl TlsFront {
    pub(crate) fn start(authority: &Authority, behind: u16) -> TlsFront {
        TlsFront::showing(&authority.certificate(), &authority.key(), behind)
    }

    pub(crate) fn showing(certificate: &Path, key: &Path, behind: u16) -> TlsFront {
        let (daemon, port) = on_free_port(|port| {
            let mut command = Command::new(find("socat").expect("it is required before"));
            command
                .arg(format!(
                    "OPENSSL-LISTEN:{port},bind=127.0.0.1,cert={},key={},verify=0,reuseaddr,fork",
                    certificate.display(),
                    key.display()
                ))
                .arg(format!("TCP:127.0.0.1:{behind}"));
            Daemon::start(&mut command, port)
        });
        TlsFront { port, _daemon: daemon }
    }
}

#[cfg(unix)]
pub(super) fn is_root(ours: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(ours).expect("our folder").uid() == 0
}

#[cfg(not(unix))]
pub(super) fn is_root(_: &Path) -> bool {
    false
}
