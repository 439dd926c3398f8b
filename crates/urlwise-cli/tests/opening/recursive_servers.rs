//! `get --recursive`: trees of real servers, and of recorded answers of Prospero (S-57).

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::prospero::server::Prospero;
use crate::real::nginx;
use crate::recursive::{files, mirror, saved};
use crate::servers::{gophernicus, vsftpd};
use crate::support::*;

#[test]
fn a_tree_of_nginx_is_saved_whole() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("root/a b/c")).unwrap();
    folder.file("root/a b/x;y.txt", "x");
    folder.file("root/a b/c/caf\u{e9}", "c");
    folder.file("root/big", document(300_000));
    let Some(nginx) = nginx(&folder) else { return };
    let output = mirror(&folder, &[&format!("http://127.0.0.1:{}/", nginx.port)]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let names = saved(&folder);
    for name in ["a b/c/caf\u{e9}", "a b/c/index", "a b/index", "a b/x;y.txt", "big", "index"] {
        assert!(names.contains(&name.to_owned()), "{name}: {names:?}");
    }
    assert!(names.len() == 6, "{names:?}");
}

#[test]
fn a_tree_of_vsftpd_is_saved_whole_by_the_lines_of_list() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("home/pub/sub dir")).unwrap();
    folder.file("home/pub/a b.txt", "line\n");
    folder.file("home/pub/sub dir/c", "c");
    let old = std::time::UNIX_EPOCH + Duration::from_secs(786_297_600);
    fs::File::options().write(true).open(folder.path("home/pub/sub dir/c")).unwrap().set_modified(old).unwrap();
    std::os::unix::fs::symlink("sub dir", folder.path("home/pub/link")).unwrap();
    std::os::unix::fs::symlink("..", folder.path("home/pub/sub dir/up")).unwrap();
    let Some((_server, port)) = vsftpd(&folder) else { return };
    let url = format!("ftp://127.0.0.1:{port}/pub/");
    let listed = folder.urlwise(["ls", "--json", &url]);
    let entries: Vec<Value> = text(&listed.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let entry = entries.iter().find(|entry| entry["title"] == "a b.txt").unwrap();
    assert_eq!((&entry["kind"], &entry["size"]), (&"document".into(), &5.into()), "{entry}");
    assert!(entry["modified"].as_str().unwrap().starts_with("20"), "{entry}");
    let output = mirror(&folder, &["--depth", "3", "--json", &url]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let names = saved(&folder);
    for name in ["pub/a b.txt", "pub/sub dir/c", "pub/link/c"] {
        assert!(names.contains(&name.to_owned()), "{name}: {names:?}");
    }
    let file = files(&folder.path("to")).into_iter().find(|name| name.ends_with("/pub/sub dir/c")).unwrap();
    assert_eq!(fs::metadata(folder.path("to").join(file)).unwrap().modified().unwrap(), old, "the date of MDTM");
    // The directory without its slash is the same tree.
    let again = Folder::new();
    assert_eq!(code(&mirror(&again, &["--depth", "3", url.trim_end_matches('/')])), 0);
    assert_eq!(saved(&again), names);
}

#[test]
fn a_tree_of_gophernicus_is_saved_whole() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("root/docs")).unwrap();
    folder.file("root/a.txt", "a\n");
    folder.file("root/docs/b.txt", "b\n");
    let Some((_server, port)) = gophernicus(&folder) else { return };
    let output = mirror(&folder, &[&format!("gopher://127.0.0.1:{port}/")]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let names = saved(&folder);
    for name in ["a.txt", "docs/b.txt"] {
        assert!(names.contains(&name.to_owned()), "{name}: {names:?} {}", text(&output.stderr));
    }
}

/// A directory `top` with a file, a directory with a file and a link back, a name with `..`, and a union that leads back to `top`.
fn prospero_tree() -> Prospero {
    let port = Arc::new(AtomicU16::new(0));
    let own = Arc::clone(&port);
    let server = Prospero::telling(move |request| {
        let request = text(request);
        let link = |kind: &str, target: &str, name: &str, at: &str| {
            let port = own.load(Ordering::Relaxed);
            format!("LINK {kind} {target} {name} INTERNET-D 127.0.0.1({port}) ASCII {at} 0\n")
        };
        let asks = |what: &str| request.lines().any(|line| line.starts_with(what));
        let about = |name: &str| request.lines().any(|line| line.split(' ').any(|word| word == name));
        let answer = if asks("GET-OBJECT-INFO CONTENTS") {
            "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA contents\n".to_owned()
        } else if asks("GET-OBJECT-INFO") {
            match ["top", "sub", "more"].into_iter().any(about) {
                true => "NONE-FOUND\n".to_owned(),
                false => "ATTRIBUTE OBJECT FIELD ACCESS-METHOD PROSPERO-CONTENTS '' '' '' ''\n".to_owned(),
            }
        } else if about("top") {
            link("L", "FILE", "a.txt", "top/a.txt")
                + &link("L", "DIRECTORY", "sub", "sub")
                + &link("U", "DIRECTORY", "more", "more")
                + &link("L", "FILE", "out", "top/../../../out")
        } else if about("sub") {
            link("L", "FILE", "b.txt", "top/sub/b.txt") + &link("L", "DIRECTORY", "up", "top")
        } else if about("more") {
            link("L", "FILE", "c.txt", "more/c.txt") + &link("U", "DIRECTORY", "back", "top")
        } else {
            "FAILURE NOT-A-DIRECTORY\n".to_owned()
        };
        answer.into_bytes()
    });
    port.store(server.port, Ordering::Relaxed);
    server
}

#[test]
fn security_57_a_tree_of_prospero_is_saved_with_safe_names_and_its_circles_end() {
    let (folder, server) = (Folder::new(), prospero_tree());
    let output = mirror(&folder, &["--depth", "9", &format!("prospero://127.0.0.1:{}/top", server.port)]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(saved(&folder), ["more/c.txt", "top/%2E%2E/%2E%2E/%2E%2E/out", "top/a.txt", "top/sub/b.txt"]);
    assert_eq!(files(&folder.0).len(), saved(&folder).len(), "nothing lies outside the tree");
}
