//! Starts the real servers that the tests use, for people and browsers: `servers FOLDER`.
//!
//! They serve what is in the folder: `gopher/` by gophernicus, `http/` by nginx, `ftp/` by vsftpd, and the articles in `news/` by INN.
//! telnetd serves a shell that repeats lines, and Gopher+ is a recorded server (tests/wire/gopher). A line "NAME URL" is printed
//! for each, then "ready". A server that is not installed is left out; with `CI=true` that is an error. All end when the
//! standard input does.

#![allow(clippy::print_stdout, reason = "its output is where they are")]

#[cfg(unix)]
#[path = "../tests/gopher/recorded.rs"]
mod recorded;
#[cfg(unix)]
#[path = "../tests/gopher/replayed.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod replayed;
#[cfg(unix)]
#[path = "../tests/access/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the tests use all of it")]
mod support;

#[cfg(unix)]
fn main() -> std::io::Result<()> {
    use std::path::PathBuf;

    use support::{Authority, FtpKind, FtpServer, Gophernicus, Inn, Nginx, Telnetd, require};

    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| std::io::Error::other("usage: servers FOLDER"))?;
    let files = |name: &str| files(&folder.join(name));

    let gopher = require(Gophernicus::PROGRAMS).then(Gophernicus::start);
    if let Some(gopher) = &gopher {
        for (path, file) in files("gopher")? {
            gopher.write(&path, std::fs::read(file)?);
        }
        println!("gopher {}", gopher.url("/"));
    }

    println!("gopherplus {}", replayed::Replayed::start(&["umn"]).url("/"));

    let types = "autoindex on; types { text/plain txt; text/html html; image/svg+xml svg; }";
    let http = require(&["nginx"]).then(|| Nginx::start(None, types));
    if let Some(http) = &http {
        for (path, file) in files("http")? {
            http.write(&path, std::fs::read(file)?);
        }
        println!("http {}", http.url("/"));
    }

    let tree = files("ftp")?;
    let ftp = FtpServer::start(FtpKind::Vsftpd, None, |root| {
        for (path, file) in &tree {
            root.write(&format!("home/{path}"), std::fs::read(file).expect("it was listed"));
        }
    });
    if let Some(ftp) = &ftp {
        println!("ftp {}", ftp.url("/"));
    }

    let articles: Vec<_> = files("news")?.into_iter().map(|(_, file)| std::fs::read(file)).collect::<Result<_, _>>()?;
    let news = require(&["openssl"]).then(|| Inn::start(&Authority::new(), &articles)).flatten();
    if let Some(news) = &news {
        println!("nntp {}", news.url(""));
    }

    let telnet = require(Telnetd::PROGRAMS).then(Telnetd::start).flatten();
    if let Some(telnet) = &telnet {
        println!("telnet {}", telnet.url());
    }

    println!("ready");
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).map(drop)
}

/// The files below a folder by their paths from there, in order.
#[cfg(unix)]
fn files(folder: &std::path::Path) -> std::io::Result<Vec<(String, std::path::PathBuf)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type()?.is_dir() {
            true => files
                .extend(self::files(&entry.path())?.into_iter().map(|(path, file)| (format!("{name}/{path}"), file))),
            false => files.push((name, entry.path())),
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(not(unix))]
fn main() {
    println!("the servers run on Unix alone");
}
