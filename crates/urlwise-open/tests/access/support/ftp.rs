//! vsftpd, proftpd and pure-ftpd. Their packages exclude one another, so two of them run from a folder into which
//! `scripts/test` unpacks them: `target/servers`, or what `URLWISE_SERVERS` names.

use super::daemon::{Daemon, is_root, on_free_port};
use super::{Authority, Folder, find, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A server and the way it is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FtpKind {
    Vsftpd,
    /// Data connections must resume the TLS session of the control connection.
    VsftpdReuse,
    /// Its replies to PASV name 192.0.2.7.
    VsftpdLying,
    /// TLS from the first octet.
    VsftpdImplicit,
    Proftpd,
    ProftpdImplicit,
    Pureftpd,
}

impl FtpKind {
    /// The three servers as people run them.
    pub(crate) const ALL: [FtpKind; 3] = [FtpKind::Vsftpd, FtpKind::Proftpd, FtpKind::Pureftpd];

    fn program(self) -> Option<PathBuf> {
        let unpacked = |name: &str| Some(unpacked(name)).filter(|path| path.is_file());
        match self {
            FtpKind::Proftpd | FtpKind::ProftpdImplicit => unpacked("usr/sbin/proftpd"),
            FtpKind::Pureftpd => unpacked("usr/sbin/pure-ftpd"),
            _ => find("vsftpd"),
        }
    }
}

fn unpacked(name: &str) -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/servers");
    std::env::var_os("URLWISE_SERVERS").map_or_else(default, PathBuf::from).join(name)
}

/// One server with a tree of files.
pub(crate) struct FtpServer {
    pub(crate) port: u16,
    pub(crate) kind: FtpKind,
    root: Folder,
    _daemon: Daemon,
}

/// The ports of data connections. By themselves two of the servers take any, also those of servers that other tests are about to start.
const DATA_PORTS: (u16, u16) = (40_000, 60_000);

/// The login of [`FtpServer::login`]; vsftpd knows the users of the system alone, so its tree is for anonymous ones.
const USER: &str = "urluser:s3cret@";

impl FtpServer {
    /// Starts a server that serves `home`, which [`fill`] has filled. Says why it cannot, and gives `None`.
    #[expect(clippy::print_stderr, reason = "the test runner keeps it and shows it beside the test's name")]
    pub(crate) fn start(kind: FtpKind, authority: Option<&Authority>, fill: impl Fn(&Folder)) -> Option<FtpServer> {
        let root = Folder::new();
        let why = match kind.program() {
            None => format!("{kind:?} is not installed"),
            Some(_) if !is_root(root.path()) => format!("only root can start {kind:?}"),
            Some(program) => return Some(FtpServer::run(kind, &program, authority, root, fill)),
        };
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{why}");
        eprintln!("skipped: {why}");
        None
    }

    fn run(
        kind: FtpKind,
        program: &Path,
        authority: Option<&Authority>,
        root: Folder,
        fill: impl Fn(&Folder),
    ) -> FtpServer {
        for folder in ["home", "empty"] {
            fs::create_dir(root.join(folder)).expect("our folder");
        }
        fill(&root);
        // Both halves of the certificate in one file, for pure-ftpd.
        if let Some(authority) = authority {
            let both = [authority.key(), authority.certificate()].map(|file| fs::read(file).expect("openssl wrote it"));
            root.write("both.pem", both.concat());
        }
        let (daemon, port) = on_free_port(|port| {
            let mut command = Command::new(program);
            match kind {
                FtpKind::Proftpd | FtpKind::ProftpdImplicit => proftpd(kind, &root, port, authority, &mut command),
                FtpKind::Pureftpd => pureftpd(&root, port, authority, &mut command),
                _ => vsftpd(kind, &root, port, authority, &mut command),
            }
            Daemon::start(&mut command, port)
        });
        FtpServer { port, kind, root, _daemon: daemon }
    }

    /// The user that the tree belongs to, as a URL writes it.
    pub(crate) fn login(&self) -> &'static str {
        match self.kind {
            FtpKind::Proftpd | FtpKind::ProftpdImplicit | FtpKind::Pureftpd => USER,
            _ => "",
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("ftp://{}localhost:{}{path}", self.login(), self.port)
    }

    /// What the server would send of a file.
    pub(crate) fn file(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join("home").join(path)
    }
}

fn vsftpd(kind: FtpKind, root: &Folder, port: u16, authority: Option<&Authority>, command: &mut Command) {
    let lies = if kind == FtpKind::VsftpdLying { "pasv_address=192.0.2.7\n" } else { "" };
    let tls = authority.map_or_else(String::new, |authority| {
        format!(
            "ssl_enable=YES\nallow_anon_ssl=YES\nforce_local_logins_ssl=NO\nforce_local_data_ssl=NO\nssl_ciphers=HIGH\n\
            rsa_cert_file={}\nrsa_private_key_file={}\nrequire_ssl_reuse={}\nimplicit_ssl={}\n",
            authority.certificate().display(),
            authority.key().display(),
            if kind == FtpKind::VsftpdReuse { "YES" } else { "NO" },
            if kind == FtpKind::VsftpdImplicit { "YES" } else { "NO" },
        )
    });
    let config = format!(
        "listen=YES\nlisten_address=127.0.0.1\nlisten_port={port}\nbackground=NO\nanonymous_enable=YES\nftp_username=ftp\n\
        anon_root={}\nlocal_enable=NO\nascii_download_enable=YES\nsecure_chroot_dir={}\nseccomp_sandbox=NO\nxferlog_enable=NO\n\
        connect_from_port_20=NO\npasv_min_port={}\npasv_max_port={}\n{lies}{tls}",
        root.text("home"),
        root.text("empty"),
        DATA_PORTS.0,
        DATA_PORTS.1,
    );
    root.write("vsftpd.conf", config);
    command.arg(root.text("vsftpd.conf"));
}

fn proftpd(kind: FtpKind, root: &Folder, port: u16, authority: Option<&Authority>, command: &mut Command) {
    use std::os::unix::fs::PermissionsExt as _;
    let tls = authority.map_or_else(String::new, |authority| {
        format!(
            "LoadModule mod_tls.c\nTLSEngine on\nTLSRequired off\nTLSECCertificateFile {}\nTLSECCertificateKeyFile {}\n\
            TLSOptions NoSessionReuseRequired {}\n",
            authority.certificate().display(),
            authority.key().display(),
            if kind == FtpKind::ProftpdImplicit { "UseImplicitSSL" } else { "" },
        )
    });
    let config = format!(
        "ModulePath {modules}\n{tls}ServerName test\nServerType standalone\nDefaultServer on\nDefaultAddress 127.0.0.1\n\
        UseIPv6 off\nPort {port}\nPidFile {pid}\nScoreboardFile {score}\nDelayEngine off\nSystemLog none\nTransferLog none\n\
        WtmpLog off\nUser nobody\nGroup nogroup\nRequireValidShell off\nAuthOrder mod_auth_file.c\nAuthUserFile {users}\n\
        AuthGroupFile {groups}\nUseEncoding off\nTimesGMT on\nUseReverseDNS off\n",
        modules = unpacked("usr/lib/proftpd").display(),
        pid = root.text("pid"),
        score = root.text("score"),
        users = root.text("users"),
        groups = root.text("groups"),
    );
    root.write("proftpd.conf", config);
    root.write("users", format!("urluser:{}:65534:65534::{}:/bin/false\n", crypted(), root.text("home")));
    root.write("groups", "nogroup:x:65534:urluser\n");
    for file in ["users", "groups"] {
        fs::set_permissions(root.join(file), fs::Permissions::from_mode(0o600)).expect("our file");
    }
    command.args(["-n", "-q", "-c", &root.text("proftpd.conf")]);
}

/// The password as proftpd keeps it.
fn crypted() -> String {
    let output = Command::new("openssl").args(["passwd", "-6", "s3cret"]).output().expect("it is required before");
    String::from_utf8(output.stdout).expect("ASCII").trim().to_owned()
}

fn pureftpd(root: &Folder, port: u16, authority: Option<&Authority>, command: &mut Command) {
    let (users, database) = (root.text("users"), root.text("users.pdb"));
    let stored = format!("urluser:{}:65534:65534::{}/./::::::::::::\n", crypted(), root.text("home"));
    root.write("users", stored);
    run(&unpacked("usr/bin/pure-pw").display().to_string(), &["mkdb", &database, "-f", &users]);
    // Pid and state files have fixed places, which several servers can share.
    let data = format!("{}:{}", DATA_PORTS.0, DATA_PORTS.1);
    command.args([
        "-p",
        &data,
        "-S",
        &format!("127.0.0.1,{port}"),
        "-l",
        &format!("puredb:{database}"),
        "-4",
        "-H",
        "-E",
    ]);
    if authority.is_some() {
        command.args(["-Y", "1", "-2", &root.text("both.pem")]);
    }
}

/// Every name of the tree that is hard for somebody, as octets, and whether it can be asked for: one cannot.
pub(crate) const PLACES: &[(&str, &[u8], bool)] = &[
    ("", b"plain", true),
    ("", b".hidden", true),
    ("etc", b"motd", true),
    ("pub", b"lf.txt", true),
    ("pub", b"a b.txt", true),
    ("pub", b"x;y.txt", true),
    ("pub", b"name;type=a", true),
    ("pub", b"100%.txt", true),
    ("pub", b"a#b.txt", true),
    ("pub", b"a?b.txt", true),
    ("pub", b"caf\xe9.txt", true),
    ("pub", b"caf\xc3\xa9.txt", true),
    ("pub", b"ff\xff.bin", true),
    ("pub", b"-l", true),
    ("pub", b"~x", true),
    ("pub", b"esc\x1b[31mred", true),
    ("pub", b"new\nline", false),
    ("pub", b"empty", true),
    ("pub", b"m1.bin", true),
    ("pub/sub dir", b"x y.txt", true),
    (";type=odd", b"in.txt", true),
    ("list", b"f1", true),
];

/// Writes the tree of [`PLACES`].
pub(crate) fn fill(root: &Folder) {
    use std::os::unix::ffi::OsStrExt as _;
    for (folder, name, _) in PLACES {
        let folder = root.join("home").join(folder);
        fs::create_dir_all(&folder).expect("folders can be made");
        let octets = match *name {
            b"empty" => Vec::new(),
            b"m1.bin" => (0..1_000_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()).collect(),
            b"lf.txt" => b"line1\nline2\nline3\n".to_vec(),
            name => [name, b"\n"].concat(),
        };
        fs::write(folder.join(std::ffi::OsStr::from_bytes(name)), octets).expect("files can be written");
    }
}
