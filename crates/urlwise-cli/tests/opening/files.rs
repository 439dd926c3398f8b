//! Saving files (client security 42 to 46).

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::support::*;

#[test]
fn a_file_arrives_octet_for_octet() {
    let folder = Folder::new();
    let all: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let url = file_url(&folder.file("all", &all));
    let output = urlwise(&["get", &url]);
    assert_eq!((code(&output), output.stdout), (0, all));
    assert!(output.stderr.is_empty());
}

#[test]
fn security_42_existing_files_are_not_overwritten_without_force() {
    let folder = Folder::new();
    let url = file_url(&folder.file("from", "new"));
    assert_eq!(code(&folder.urlwise(["get", "-o", "to", &url])), 0);
    assert_eq!(folder.read("to"), b"new");
    folder.file("to", "mine");
    let refused = folder.urlwise(["get", "-o", "to", &url]);
    assert_eq!((code(&refused), folder.read("to")), (14, b"mine".to_vec()));
    assert!(text(&refused.stderr).contains("--force"));
    assert_eq!(code(&folder.urlwise(["get", "--force", "-o", "to", &url])), 0);
    assert_eq!(folder.read("to"), b"new");
    assert_eq!(folder.names(), ["from", "to"]);
}

#[test]
fn security_42_an_existing_name_is_refused_before_any_request() {
    let folder = Folder::new();
    folder.file("x", "mine");
    let server = Server::new(|_, head, stream| give(stream, head, b"new", "\"1\"", 3));
    assert_eq!(code(&folder.urlwise(["get", "-O", &server.url("/x")])), 14);
    assert!(server.requests().is_empty());
}

#[test]
fn security_42_links_are_not_followed() {
    let folder = Folder::new();
    let url = file_url(&folder.file("from", "new"));
    for name in ["to", "to.part"] {
        symlink(folder.path("elsewhere"), folder.path(name)).unwrap();
        for more in [&[][..], &["--continue"]] {
            let arguments = [&["get", "-o", "to"], more, &[url.as_str()]].concat();
            let output = folder.urlwise(&arguments);
            assert_eq!(code(&output), 14, "{arguments:?}: {}", text(&output.stderr));
        }
        // --force overwrites the link and not its target, and does not accept a link as a partial file.
        let forced = folder.urlwise(["get", "--force", "-o", "to", &url]);
        assert_eq!(code(&forced), if name == "to" { 0 } else { 14 });
        assert!(!folder.path("elsewhere").exists());
        let _ = fs::remove_file(folder.path("to"));
        let _ = fs::remove_file(folder.path("to.part"));
    }
}

/// Another program creates the file during the transfer.
#[test]
fn security_42_a_file_created_during_the_transfer_is_left_alone() {
    let folder = Folder::new();
    let to = folder.path("x");
    let server = Server::new(move |_, head, stream| {
        give(stream, head, b"new", "\"1\"", 2);
        fs::write(&to, "mine").unwrap();
        stream.write_all(b"w").unwrap();
    });
    let output = folder.urlwise(["get", "-O", &server.url("/x")]);
    assert_eq!((code(&output), folder.read("x")), (14, b"mine".to_vec()));
    assert!(text(&output.stderr).contains("the complete document is in x.part"), "{}", text(&output.stderr));
    assert_eq!(folder.read("x.part"), b"new");
}

#[test]
fn security_42_of_concurrent_runs_one_creates_the_file() {
    let folder = Folder::new();
    let server = Server::new(|number, head, stream| give(stream, head, format!("{number:04}").as_bytes(), "\"1\"", 4));
    let url = server.url("/x");
    let codes: Vec<i32> = thread::scope(|scope| {
        let runs: Vec<_> = (0..8).map(|_| scope.spawn(|| code(&folder.urlwise(["get", "-O", &url])))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert!(codes.iter().all(|code| [0, 14].contains(code)), "{codes:?}");
    assert_eq!(folder.read("x").len(), 4);
    // A run that finishes later keeps its document as a partial file.
    assert!(folder.names().iter().all(|name| name.starts_with("x")), "{:?}", folder.names());
}

#[test]
fn security_43_a_partial_file_that_was_replaced_is_left_alone() {
    let folder = Folder::new();
    let part = folder.path("x.part");
    // It is long enough to have a name from the start.
    let new = document(1 << 20);
    let server = Server::new(move |number, head, stream| {
        give(stream, head, &new, "\"1\"", 2);
        // Wait until the beginning has been written.
        while fs::metadata(&part).map_or(0, |part| part.len()) < 2 {
            thread::yield_now();
        }
        fs::remove_file(&part).unwrap();
        fs::write(&part, "another's").unwrap();
        if number == 0 {
            stream.write_all(&new[2..]).unwrap();
        }
    });
    for (expected, more) in [(14, "new"), (13, "cut")] {
        let _ = fs::remove_file(folder.path("x.part"));
        let output = folder.urlwise(["get", "-O", &server.url("/x")]);
        assert_eq!(code(&output), expected, "{more}: {}", text(&output.stderr));
        assert_eq!(folder.read("x.part"), b"another's", "{more}");
        assert!(!folder.path("x").exists());
    }
}

/// A short document is a file without a name where the system has such files.
#[test]
fn security_43_a_partial_file_that_another_program_creates_is_left_alone() {
    for (whole, expected) in [(true, 14), (false, 13)] {
        let folder = Folder::new();
        let (to, part) = (folder.path("x"), folder.path("x.part"));
        let (made, is_made) = mpsc::channel();
        let server = Server::new(move |_, head, stream| {
            give(stream, head, b"new", "\"1\"", 2);
            // The file is created before the octets arrive, or not at all.
            thread::sleep(Duration::from_millis(300));
            let another = OpenOptions::new().write(true).create_new(true).open(&part);
            made.send(another.is_ok()).unwrap();
            let _ = another.map(|mut another| another.write_all(b"another's").unwrap());
            if whole {
                fs::write(&to, "mine").unwrap();
                stream.write_all(b"w").unwrap();
            }
        });
        let output = folder.urlwise(["get", "-O", &server.url("/x")]);
        let errors = text(&output.stderr);
        assert_eq!(code(&output), expected, "{errors}");
        assert_eq!(folder.path("x").exists(), whole);
        if is_made.recv().unwrap() {
            assert!(errors.contains("another transfer is writing to x.part"), "{errors}");
            assert_eq!(folder.read("x.part"), b"another's");
        } else {
            assert_eq!(folder.read("x.part"), if whole { &b"new"[..] } else { b"ne" });
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn security_43_a_short_document_is_in_no_folder_until_it_is_complete() {
    let folder = Folder::new();
    let path = folder.0.clone();
    let (seen, names) = mpsc::channel();
    let server = Server::new(move |_, head, stream| {
        give(stream, head, b"new", "\"1\"", 2);
        thread::sleep(Duration::from_millis(300));
        seen.send(fs::read_dir(&path).unwrap().count()).unwrap();
        stream.write_all(b"w").unwrap();
    });
    assert_eq!(code(&folder.urlwise(["get", "-O", &server.url("/x")])), 0);
    assert_eq!(folder.read("x"), b"new");
    assert_eq!(names.recv().unwrap(), usize::from(!has_nameless_files(&folder)));
}

/// Whether the file system of this folder has files without a name.
#[cfg(target_os = "linux")]
fn has_nameless_files(folder: &Folder) -> bool {
    use rustix::fs::{Mode, OFlags, open};

    open(&folder.0, OFlags::TMPFILE | OFlags::RDWR, Mode::RUSR).is_ok()
}

#[test]
fn security_43_an_answer_without_a_document_leaves_nothing() {
    let folder = Folder::new();
    for answer in
        [&b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"[..], b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"]
    {
        let url = format!("http://127.0.0.1:{}/x", answering(answer, 1));
        assert_ne!(code(&folder.urlwise(["get", "-O", &url])), 0);
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}

#[test]
fn security_44_modes_are_those_of_the_umask() {
    let folder = Folder::new();
    let from = folder.file("from", "x");
    fs::set_permissions(&from, fs::Permissions::from_mode(0o4777)).unwrap();
    let program = env!("CARGO_BIN_EXE_urlwise");
    let script = format!("umask 027; {program} get -o to '{}'", file_url(&from));
    assert!(english("sh").args(["-c", &script]).current_dir(&folder.0).status().unwrap().success());
    assert_eq!(fs::metadata(folder.path("to")).unwrap().mode() & 0o7777, 0o640);
}

#[test]
fn security_45_no_more_than_the_limit_is_written() {
    let folder = Folder::new();
    let declared = Server::new(|_, head, stream| give(stream, head, &document(5000), "\"1\"", 5000));
    let undeclared = Server::new(|_, _, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        let _ = stream.write_all(&document(5000));
    });
    assert_eq!(code(&folder.urlwise(["get", "-O", "--max-size", "1k", &declared.url("/declared")])), 17);
    assert_eq!(code(&folder.urlwise(["get", "-O", "--max-size", "1k", &undeclared.url("/x")])), 17);
    assert_eq!((folder.names().len(), folder.read("x.part")), (2, document(1024)));
    assert_eq!(code(&folder.urlwise(["get", "-O", "--max-size", "5000", &undeclared.url("/y")])), 0);
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new();
    let url = file_url(&folder.file("from", "x"));
    assert_eq!(folder.urlwise(["get", "-o", "-", &url, &url]).stdout, b"xx");
    assert_eq!(folder.names(), ["from"]);
}

#[test]
fn devices_and_pipes_are_written_to_as_they_are() {
    let folder = Folder::new();
    let url = file_url(&folder.file("from", "octets"));
    assert_eq!(code(&folder.urlwise(["get", "-o", "/dev/null", &url])), 0);
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let pipe = folder.path("pipe");
    let reader = thread::spawn(move || fs::read(pipe).unwrap());
    assert_eq!(code(&folder.urlwise(["get", "-o", "pipe", &url])), 0);
    assert_eq!(reader.join().unwrap(), b"octets");
    assert_eq!(folder.names(), ["from", "pipe"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_a_write_error() {
    let folder = Folder::new();
    let url = file_url(&folder.file("from", "x"));
    let output = folder.urlwise(["get", "-o", "no/such/folder/x", &url]);
    assert_eq!(code(&output), 14, "{}", text(&output.stderr));
    assert_eq!(code(&folder.urlwise(["get", "-O", "--output-dir", "from/below", &url])), 14);
}

#[test]
fn a_full_disk_is_a_write_error() {
    let folder = Folder::new();
    let url = file_url(&folder.file("from", "x"));
    let output = folder.urlwise(["get", "-o", "/dev/full", &url]);
    assert_eq!(code(&output), 14, "{}", text(&output.stderr));
    let menu = file_url(&folder.0);
    for arguments in [["get", &url], ["get", &format!("{menu}/")], ["ls", &menu], ["get", "mailto:a@b.example"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command(arguments).stdout(full).output().unwrap();
        let told = text(&output.stderr);
        assert_eq!((code(&output), told.lines().count()), (14, 1), "{arguments:?}: {told}");
    }
}

#[test]
fn a_menu_is_not_saved_as_a_document() {
    let folder = Folder::new();
    let url = format!("{}/", file_url(&folder.0));
    let output = folder.urlwise(["get", "-O", &url]);
    assert_eq!(code(&output), 5, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("urlwise ls") && folder.names().is_empty());
}
