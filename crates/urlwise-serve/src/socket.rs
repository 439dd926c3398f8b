//! How programs of the same person find a running gateway: by a socket in the folder of their login session, or in one below that for
//! temporary files, which nobody else can enter. A program writes a URL and ends its half; the gateway answers with an address that shows
//! the URL, once. Nothing secret is written anywhere.

use std::fs;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the socket.
const NAME: &str = "urlwise.sock";

/// The longest URL, and the longest answer.
const LONGEST: u64 = 64 * 1024;

/// How long either side waits for the other.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where the socket is in a folder; `None` if others can enter the folder.
fn path(folder: &Path) -> Option<PathBuf> {
    is_private(folder).then(|| folder.join(NAME))
}

/// Whether a path is absolute and names a folder of this user, not a link to one, that nobody else can enter.
fn is_private(folder: &Path) -> bool {
    let of_user = |metadata: fs::Metadata| {
        metadata.is_dir()
            && metadata.uid() == rustix::process::geteuid().as_raw()
            && metadata.permissions().mode() & 0o077 == 0
    };
    folder.is_absolute() && fs::symlink_metadata(folder).is_ok_and(of_user)
}

/// Whether nobody else can put another folder in the place of one in this folder: others may not write to it, or it is sticky.
fn keeps_entries(folder: &Path) -> bool {
    let is_safe = |metadata: fs::Metadata| {
        let (mode, owner) = (metadata.permissions().mode(), metadata.uid());
        (owner == 0 || owner == rustix::process::geteuid().as_raw()) && (mode & 0o022 == 0 || mode & 0o1000 != 0)
    };
    fs::metadata(folder).is_ok_and(is_safe)
}

/// The folder in which programs of a person find a running gateway: that of the login session, `$XDG_RUNTIME_DIR`, if only its owner can
/// enter it, else `urlwise-UID` in the folder for temporary files, which is made with the mode 0700.
///
/// # Errors
/// The folder in that for temporary files, if it is not that user's alone either.
pub fn session_folder(runtime: Option<&Path>, temporary: &Path) -> Result<PathBuf, PathBuf> {
    if let Some(runtime) = runtime.filter(|folder| is_private(folder)) {
        return Ok(runtime.to_owned());
    }
    let folder = temporary.join(format!("urlwise-{}", rustix::process::geteuid().as_raw()));
    if !keeps_entries(temporary) {
        return Err(folder);
    }
    // If it is there, or cannot be made, that is seen below.
    let _ = fs::DirBuilder::new().mode(0o700).create(&folder);
    if is_private(&folder) { Ok(folder) } else { Err(folder) }
}

/// Asks a running gateway for an address that shows the URL; an empty one stands for the page to begin with. `folder` is the
/// [folder of the session](session_folder). `None` if no gateway answers there.
pub fn running(folder: &Path, url: &str) -> Option<String> {
    let mut stream = UnixStream::connect(path(folder)?).ok()?;
    exchange(&mut stream, url).ok().filter(|address| address.starts_with("http://127.0.0.1:"))
}

fn exchange(stream: &mut UnixStream, url: &str) -> io::Result<String> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(url.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    let mut address = String::new();
    stream.take(LONGEST).read_to_string(&mut address)?;
    Ok(address)
}

/// The socket of a gateway. Its file is removed with it.
#[derive(Debug)]
pub(crate) struct Socket {
    listener: UnixListener,
    file: File,
}

/// The file of a socket, by its place and what is there.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    identity: Identity,
}

/// What tells files at one place apart: numbers are used again, so the time belongs to it.
type Identity = (u64, u64, i64, i64);

fn identity(metadata: &fs::Metadata) -> Identity {
    (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

impl Socket {
    /// Listens in a folder; `None` if another gateway does, if others can enter it, or if it cannot hold a socket.
    pub(crate) fn bind(folder: &Path) -> Option<Socket> {
        let path = path(folder)?;
        let listener = UnixListener::bind(&path).or_else(|_| {
            // One that nobody listens on was left by a gateway that was killed.
            let is_left = fs::symlink_metadata(&path)?.file_type().is_socket() && UnixStream::connect(&path).is_err();
            if !is_left {
                return Err(io::ErrorKind::AddrInUse.into());
            }
            fs::remove_file(&path)?;
            UnixListener::bind(&path)
        });
        let listener = listener.ok()?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).ok()?;
        let file = File { identity: identity(&fs::symlink_metadata(&path).ok()?), path };
        Some(Socket { listener, file })
    }

    /// The two halves: what listens, and the file that is removed when it is dropped.
    pub(crate) fn split(self) -> (UnixListener, File) {
        (self.listener, self.file)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let is_ours = |metadata: fs::Metadata| identity(&metadata) == self.identity;
        if fs::symlink_metadata(&self.path).is_ok_and(is_ours) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Answers one program: `address` makes the address for a URL.
pub(crate) fn answer(mut stream: &UnixStream, address: impl FnOnce(&str) -> io::Result<String>) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut url = String::new();
    let length = stream.take(LONGEST + 1).read_to_string(&mut url)?;
    if length as u64 > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    stream.write_all(address(&url)?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("urlwise-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("a folder");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("its mode");
        folder
    }

    #[test]
    fn security_71_a_folder_that_others_can_enter_holds_no_socket() {
        let folder = folder("entered");
        for mode in [0o701, 0o710, 0o740, 0o777] {
            fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("its mode");
            assert!(Socket::bind(&folder).is_none() && running(&folder, "").is_none(), "{mode:o}");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("its mode");
        let link = folder.with_extension("link");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&folder, &link).expect("a link");
        assert!(Socket::bind(&link).is_none(), "a link may lead elsewhere tomorrow");
        assert!(Socket::bind(Path::new("relative")).is_none());
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(&folder, Some(1), None).expect("root may");
            assert!(Socket::bind(&folder).is_none(), "it belongs to somebody else");
            std::os::unix::fs::chown(&folder, Some(0), None).expect("root may");
        }
        let socket = Socket::bind(&folder).expect("a socket");
        let mode = fs::symlink_metadata(folder.join(NAME)).expect("its file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        drop(socket);
        fs::remove_file(link).and_then(|()| fs::remove_dir_all(folder)).expect("they are there");
    }

    #[test]
    fn security_71_without_a_session_the_folder_is_one_that_nobody_else_can_enter_or_replace() {
        let (runtime, temporary) = (folder("runtime"), folder("temporary"));
        let own = temporary.join(format!("urlwise-{}", rustix::process::geteuid().as_raw()));
        let mode =
            |folder: &Path, mode| fs::set_permissions(folder, fs::Permissions::from_mode(mode)).expect("its mode");
        assert_eq!(session_folder(Some(&runtime), &temporary), Ok(runtime.clone()));
        mode(&runtime, 0o755);
        // Anybody could put another folder in its place.
        mode(&temporary, 0o777);
        assert_eq!(session_folder(Some(&runtime), &temporary), Err(own.clone()));
        assert!(!own.exists());
        mode(&temporary, 0o1777);
        for (runtime, what) in
            [(Some(&*runtime), "others can enter that of the session"), (None, "there is no session")]
        {
            assert_eq!(session_folder(runtime, &temporary), Ok(own.clone()), "{what}");
            assert_eq!(fs::metadata(&own).expect("it was made").permissions().mode() & 0o777, 0o700);
        }
        mode(&own, 0o701);
        assert_eq!(session_folder(None, &temporary), Err(own.clone()), "it was there, and others can enter it");
        fs::remove_dir(&own).expect("it is there");
        std::os::unix::fs::symlink(&runtime, &own).expect("a link");
        mode(&runtime, 0o700);
        assert_eq!(session_folder(None, &temporary), Err(own.clone()), "a link");
        fs::remove_dir_all(temporary).and_then(|()| fs::remove_dir_all(runtime)).expect("they are there");
    }

    #[test]
    fn security_71_a_second_gateway_leaves_the_socket_of_the_first_and_takes_one_that_is_left() {
        let folder = folder("second");
        let first = Socket::bind(&folder).expect("a socket");
        assert!(Socket::bind(&folder).is_none());
        // Killed: nobody listens, and the file is there.
        let (listener, file) = first.split();
        drop(listener);
        let second = Socket::bind(&folder).expect("it takes the place");
        drop(file);
        assert!(folder.join(NAME).exists(), "that of another is not removed");
        drop(second.split());
        assert!(!folder.join(NAME).exists());
        fs::write(folder.join(NAME), "mine").expect("a file");
        assert!(Socket::bind(&folder).is_none());
        assert_eq!(fs::read(folder.join(NAME)).expect("a file"), b"mine");
        fs::remove_dir_all(folder).expect("it is there");
    }

    #[test]
    fn security_71_a_url_without_an_end_gets_no_address() {
        let folder = folder("long");
        let (listener, _file) = Socket::bind(&folder).expect("a socket").split();
        let gateway = std::thread::spawn(move || {
            for _ in 0..2 {
                let (stream, _) = listener.accept().expect("a program");
                let _ = answer(&stream, |_| Ok("http://127.0.0.1:80/start/1".to_owned()));
            }
        });
        let longest = "a".repeat(LONGEST as usize);
        assert!(running(&folder, &longest).is_some());
        assert_eq!(running(&folder, &[&longest, "a"].concat()), None);
        gateway.join().expect("it ends");
        fs::remove_dir_all(folder).expect("it is there");
    }

    #[test]
    fn security_71_what_is_no_address_of_a_gateway_is_not_opened() {
        let folder = folder("liar");
        let (listener, _file) = Socket::bind(&folder).expect("a socket").split();
        let liar = std::thread::spawn(move || {
            for lie in ["https://elsewhere.example/", "", "--option", "http://127.0.0.1:80/start/1"] {
                let (stream, _) = listener.accept().expect("a program");
                answer(&stream, |url| Ok([lie, url].concat())).expect("it listens");
            }
        });
        let answers: Vec<_> = (0..4).map(|_| running(&folder, "x")).collect();
        assert_eq!(answers, [None, None, None, Some("http://127.0.0.1:80/start/1x".to_owned())]);
        liar.join().expect("it ends");
        fs::remove_dir_all(folder).expect("it is there");
    }
}
