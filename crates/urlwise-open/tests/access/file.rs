//! file: documents, directories, and what is neither (S-36, S-37, S-45).

use crate::support::{Folder, client, client_with, document, failure, failure_kind, get, menu, url};
use std::io::Read as _;
use std::time::{Duration, SystemTime};
use urlwise_open::{EntryKind, ErrorKind, Metadata, OpenOptions, Resource, Resume};

fn file_url(folder: &Folder, rest: &str) -> String {
    format!("file://{}/{rest}", folder.path().display())
}

#[test]
fn a_file_is_a_document_with_size_and_media_type() {
    let folder = Folder::new();
    folder.write("a b.txt", "line1\nline2\n");
    let mut document = document(&client(), file_url(&folder, "a%20b.txt"));
    assert_eq!((document.size(), document.media_type()), (Some(12), Some("text/plain")));
    let mut text = String::new();
    document.read_to_string(&mut text).expect("it can be read");
    assert_eq!(text, "line1\nline2\n");
    assert_eq!(document.octets_read(), 12);
    assert!(document.notes().is_empty() && document.redirects().is_empty());
}

#[test]
fn an_empty_file_is_an_empty_document() {
    let folder = Folder::new();
    folder.write("empty", "");
    assert_eq!(document(&client(), file_url(&folder, "empty")).size(), Some(0));
    assert_eq!(get(&client(), file_url(&folder, "empty")), b"");
}

#[test]
fn a_file_longer_than_any_buffer_arrives_octet_for_octet() {
    let folder = Folder::new();
    let octets: Vec<u8> = (0..1_000_003_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    folder.write("long.bin", &octets);
    assert!(get(&client(), file_url(&folder, "long.bin")) == octets);
    let mut small_reads = Vec::new();
    let mut document = document(&client(), file_url(&folder, "long.bin"));
    let mut buffer = [0; 1_000];
    while let Ok(count @ 1..) = document.read(&mut buffer) {
        small_reads.extend_from_slice(&buffer[..count]);
    }
    assert!(small_reads == octets);
}

#[test]
fn localhost_in_any_case_and_no_host_name_the_same_file() {
    let folder = Folder::new();
    folder.write("x", "here");
    for host in ["", "localhost", "LOCALHOST", "LocalHost"] {
        assert_eq!(get(&client(), format!("file://{host}{}/x", folder.path().display())), b"here", "{host}");
    }
}

#[cfg(unix)]
#[test]
fn every_name_of_a_directory_has_a_url_that_opens_it() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new();
    let names: Vec<Vec<u8>> = (1..=255).filter(|octet| *octet != b'/').map(|octet| vec![b'n', octet]).collect();
    for name in &names {
        std::fs::write(folder.path().join(std::ffi::OsStr::from_bytes(name)), name).expect("our folder");
    }
    let client = client();
    let entries: Vec<_> = menu(&client, file_url(&folder, "")).map(|entry| entry.expect("it is there")).collect();
    assert_eq!(entries.iter().map(|entry| entry.title.clone()).collect::<Vec<_>>(), names, "sorted by octets");
    for entry in entries {
        assert_eq!((entry.kind, entry.size), (EntryKind::Document, Some(2)));
        let url = entry.url.expect("every name can be written as a URL");
        assert_eq!(get(&client, url.as_str()), entry.title);
    }
}

#[test]
fn a_directory_lists_kinds_sizes_times_and_types() {
    let folder = Folder::new();
    folder.write("sub dir/inner.txt", "x");
    folder.write("page.html", "<p>");
    let when = SystemTime::UNIX_EPOCH + Duration::from_secs(786_240_000);
    let page = std::fs::File::options().write(true).open(folder.join("page.html")).expect("our file");
    page.set_modified(when).expect("our file");
    // With and without the slash at the end: the same links.
    for address in [file_url(&folder, ""), format!("file://{}", folder.path().display())] {
        let entries: Vec<_> = menu(&client(), address).map(|entry| entry.expect("it is there")).collect();
        let [page, sub] = &entries[..] else { panic!("{entries:?}") };
        assert_eq!((page.kind, page.size), (EntryKind::Document, Some(3)));
        assert_eq!(page.media_type.as_deref(), Some("text/html"));
        assert_eq!(page.modified_text().as_deref(), Some("1994-12-01T00:00:00Z"));
        assert_eq!((sub.kind, sub.size, &sub.media_type), (EntryKind::Menu, None, &None));
        let sub = sub.url.as_ref().expect("it has a URL");
        assert_eq!(sub.as_str(), file_url(&folder, "sub%20dir/"));
        let inner = menu(&client(), sub.as_str()).next().expect("one entry").expect("it is there");
        assert_eq!(get(&client(), inner.url.expect("it has a URL").as_str()), b"x");
    }
}

#[test]
fn what_is_missing_is_not_found_and_the_path_is_named() {
    let folder = Folder::new();
    folder.write("x", "");
    let error = failure(&client(), file_url(&folder, "no%1Bsuch"));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains(r"no\x1bsuch"), "{error}");
    assert_eq!(failure_kind(&client(), file_url(&folder, "x/inside")), ErrorKind::NotFound);
    assert_eq!(failure_kind(&client(), file_url(&folder, "x/")), ErrorKind::NotFound);
}

#[cfg(unix)]
#[test]
fn security_37_devices_pipes_and_sockets_are_refused_without_waiting() {
    use std::os::unix::{fs::symlink, net::UnixListener};
    let folder = Folder::new();
    crate::support::run("mkfifo", &[&folder.text("pipe")]);
    let _socket = UnixListener::bind(folder.join("socket")).expect("our folder");
    symlink("/dev/zero", folder.join("link to a device")).expect("our folder");
    symlink(folder.join("pipe"), folder.join("link to a pipe")).expect("our folder");
    for name in ["pipe", "socket", "link%20to%20a%20device", "link%20to%20a%20pipe"] {
        assert_eq!(failure_kind(&client(), file_url(&folder, name)), ErrorKind::Refused, "{name}");
    }
    assert_eq!(failure_kind(&client(), "file:///dev/zero"), ErrorKind::Refused);
    let kinds: Vec<_> = menu(&client(), file_url(&folder, "")).map(|entry| entry.expect("it is there").kind).collect();
    assert_eq!(kinds, [EntryKind::Unknown; 4]);
}

#[cfg(unix)]
#[test]
fn links_to_files_are_followed_and_broken_ones_listed() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.write("real.txt", "real");
    symlink("real.txt", folder.join("link")).expect("our folder");
    symlink("nowhere", folder.join("broken")).expect("our folder");
    assert_eq!(get(&client(), file_url(&folder, "link")), b"real");
    let entries: Vec<_> = menu(&client(), file_url(&folder, "")).map(|entry| entry.expect("it is there")).collect();
    assert_eq!(entries.len(), 3);
    assert_eq!((entries[0].kind, entries[0].size), (EntryKind::Unknown, None));
    assert_eq!(entries[1].kind, EntryKind::Document);
}

#[test]
fn security_37_45_reads_are_bounded_by_the_greatest_size() {
    let folder = Folder::new();
    folder.write("ten", "0123456789");
    let limited = |max| client_with(|options| options.max_size = Some(max));
    assert_eq!(get(&limited(10), file_url(&folder, "ten")), b"0123456789");
    let error = failure(&limited(9), file_url(&folder, "ten"));
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(error.url(), Some(&*file_url(&folder, "ten")));
}

#[test]
fn a_directory_of_more_entries_than_allowed_is_the_limit_error() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.write(name, "");
    }
    let limited = |max| client_with(|options| options.max_entries = max);
    assert_eq!(menu(&limited(3), file_url(&folder, "")).count(), 3);
    assert_eq!(failure_kind(&limited(2), file_url(&folder, "")), ErrorKind::Limit);
}

#[test]
fn a_document_is_listed_by_itself() {
    let folder = Folder::new();
    folder.write("x.txt", "four");
    let entries: Vec<_> =
        menu(&client(), file_url(&folder, "x.txt")).map(|entry| entry.expect("it is there")).collect();
    assert_eq!((entries.len(), entries[0].kind, entries[0].size), (1, EntryKind::Document, Some(4)));
}

#[test]
fn dot_segments_are_names_like_any_other() {
    let folder = Folder::new();
    folder.write("sub/x", "inner");
    folder.write("x", "outer");
    assert_eq!(get(&client(), file_url(&folder, "sub/../x")), b"outer");
    assert_eq!(get(&client(), file_url(&folder, "sub/%2E%2E/x")), b"outer");
}

#[test]
fn the_plan_of_a_file_reads_nothing() {
    let plan = client().plan(&url("file:///no/such%0Afile")).expect("nothing is opened");
    assert_eq!(plan.to_string().lines().next(), Some(r"read: /no/such\nfile"));
}

#[test]
fn a_resource_says_what_it_is_in_its_debug_text() {
    let folder = Folder::new();
    folder.write("x", "");
    let resource = client().open(&url(file_url(&folder, "x"))).expect("it opens");
    assert!(matches!(resource, Resource::Document(_)));
    assert!(format!("{resource:?}").contains("final_url"));
}

#[cfg(unix)]
#[test]
fn security_37_special_files_are_read_on_demand_within_size_and_time() {
    let folder = Folder::new();
    crate::support::run("mkfifo", &[&folder.text("pipe")]);
    let special = |change: &dyn Fn(&mut urlwise_open::Options)| {
        client_with(|options| {
            options.special_files = true;
            change(options);
        })
    };
    let ten = special(&|options| options.max_size = Some(10));
    assert_eq!(failure_kind(&ten, "file:///dev/zero"), ErrorKind::Limit);
    assert_eq!(get(&ten, "file:///dev/null"), b"");
    let short = special(&|options| options.timeout = Some(Duration::from_millis(200)));
    assert_eq!(failure_kind(&short, "file:///dev/zero"), ErrorKind::Timeout);
    let impatient = special(&|options| options.deadlines.first_byte = Duration::from_millis(200));
    assert_eq!(failure_kind(&impatient, file_url(&folder, "pipe")), ErrorKind::Timeout);
    let path = folder.join("pipe");
    let writer = std::thread::spawn(move || {
        use std::io::Write as _;
        std::thread::sleep(Duration::from_millis(100));
        let mut pipe = std::fs::File::options().write(true).open(path).expect("our pipe");
        pipe.write_all(b"slow").expect("it is read");
        std::thread::sleep(Duration::from_millis(100));
        pipe.write_all(b" words").expect("it is read");
    });
    assert_eq!(get(&special(&|_| {}), file_url(&folder, "pipe")), b"slow words");
    writer.join().expect("it wrote");
}

#[test]
fn a_partial_file_is_continued_if_it_is_still_the_same() {
    let folder = Folder::new();
    folder.write("x.txt", "0123456789");
    let address = url(file_url(&folder, "x.txt"));
    let client = client();
    let metadata = client.metadata(&address).expect("it is there");
    assert_eq!((metadata.size, metadata.media_type.as_deref()), (Some(10), Some("text/plain")));
    assert!(metadata.modified.is_some());
    let rest = |offset, metadata: &Metadata| {
        let mut options = OpenOptions::default();
        options.resume = Some(Resume::new(offset, metadata.clone()));
        let Ok(Resource::Document(mut document)) = client.open_with(&address, &options) else { panic!("a document") };
        let mut octets = String::new();
        document.read_to_string(&mut octets).expect("it can be read");
        (document.offset(), octets)
    };
    let whole = (0, "0123456789".to_owned());
    assert_eq!(rest(4, &metadata), (4, "456789".to_owned()));
    assert_eq!(rest(10, &metadata), (10, String::new()), "all of it is there");
    assert_eq!(rest(11, &metadata), whole, "more is there than there is");
    assert_eq!(rest(4, &metadata.clone().with_size(11)), whole, "it was longer");
    assert_eq!(rest(4, &Metadata::default().with_size(10)), whole, "nobody knows of when it was");
}

/// The memory of this process is a file that has no octets where it begins.
#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_octets_cannot_be_read_is_an_error() {
    assert_eq!(failure_kind(&client(), "file:///proc/self/mem"), ErrorKind::Read);
}

#[cfg(unix)]
#[test]
fn security_37_a_pipe_whose_writer_is_silent_ends_with_the_deadline() {
    let folder = Folder::new();
    crate::support::run("mkfifo", &[&folder.text("pipe")]);
    let _writer = std::fs::File::options().read(true).write(true).open(folder.join("pipe")).expect("our pipe");
    let impatient = client_with(|options| {
        options.special_files = true;
        options.deadlines.first_byte = Duration::from_millis(200);
    });
    assert_eq!(failure_kind(&impatient, file_url(&folder, "pipe")), ErrorKind::Timeout);
}
