//! A compressed document, whole, cut or with octets changed, over http: what is read without an error is what was compressed.
//!
//! The input is: how it is compressed and what is changed, two octets of the place of the change, the new octet, the document.

use std::io::Write;
use urlwise::{Profile, Url};
use urlwise_open::testing::offline;
use urlwise_open::{Client, Options, Resource};

pub(crate) fn run(input: &[u8]) {
    let [flags, high, low, octet, document @ ..] = input else { return };
    let place = usize::from(u16::from_be_bytes([*high, *low]));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(u32::from(flags & 7)));
    encoder.write_all(document).expect("memory can be written to");
    let mut body = encoder.finish().expect("memory can be written to");
    let place = place % (body.len() + 1);
    match flags >> 3 & 3 {
        1 => body.truncate(place),
        2 => {
            if let Some(changed) = body.get_mut(place) {
                *changed = *octet;
            }
        }
        3 => body.insert(place, *octet),
        _ => {}
    }
    let head = match flags & 32 {
        0 => "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n".to_owned(),
        _ => format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", body.len()),
    };
    let url = Url::parse_with("http://h.example/a", Profile::Current).expect("a URL");
    let mut options = Options::default();
    options.compressed = true;
    let mut written = Vec::new();
    let (result, _) = offline(vec![[head.as_bytes(), &body].concat()], || match Client::new(options).open(&url)? {
        Resource::Document(mut found) => found.write_to(&mut written),
        other => panic!("an http URL is a document: {other:?}"),
    });
    if result.is_ok() {
        assert_eq!(written, document);
    } else {
        assert!(flags >> 3 & 3 != 0, "nothing was changed: {result:?}");
        // The octets of a broken document are its beginning, unless one of them was changed.
        assert!(flags >> 3 & 3 != 1 || document.starts_with(&written));
    }
}
