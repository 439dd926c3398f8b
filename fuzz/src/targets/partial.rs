//! Any octets as `NAME.part.json`: they describe a partial file or nothing. What is read is written on one line and read again the same,
//! whatever its texts hold, and blanks at the end change nothing, but any other octet there does.

use std::time::{Duration, UNIX_EPOCH};

use urlwise_formats::partial::PartialInfo;
use urlwise_open::Metadata;

fn check_written(info: &PartialInfo) {
    let text = info.text();
    assert!(text.starts_with("{\"urlwise\":\"partial\",\"url\":\""), "{text:?}");
    let line = text.strip_suffix("}\n").expect("it is one line");
    assert!(!line.contains(|c: char| c < ' '), "{text:?}");
    assert_eq!(PartialInfo::parse(&text).as_ref(), Some(info));
}

pub(crate) fn run(octets: &[u8]) {
    // The program reads no file that is not UTF-8.
    let Ok(text) = str::from_utf8(octets) else { return };
    if let Some(info) = PartialInfo::parse(text) {
        assert!(text.contains("partial") || text.contains('\\'), "{text:?}");
        assert!(info.metadata.media_type.is_none());
        assert!(info.metadata.modified.is_none_or(|time| time >= UNIX_EPOCH));
        check_written(&info);
        assert_eq!(PartialInfo::parse(&format!("\n\t{text} \r\n")), Some(info));
        for more in ["x", "{}", "\0", "\u{feff}"] {
            assert_eq!(PartialInfo::parse(&format!("{text}{more}")), None, "{more:?}");
        }
    }
    // The same octets as what is described.
    let number = octets.iter().rev().fold(0, |number, octet| number << 8 | u64::from(*octet));
    let (seconds, nanoseconds) = (number >> 2, (number % 1_000_000_000) as u32);
    let mut metadata = Metadata::default();
    metadata.size = (number % 3 > 0).then_some(number);
    metadata.modified = UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds));
    metadata.validator = (number % 5 > 0).then(|| text.chars().rev().collect());
    check_written(&PartialInfo { url: text.to_owned(), metadata });
    // A second has no more nanoseconds than these.
    let more = number.rotate_left(32) % 2_000_000_000;
    let time = format!(r#""modified":{number},"nanoseconds":{more}"#);
    let info = PartialInfo::parse(&format!(r#"{{"urlwise":"partial","url":"",{time}}}"#)).expect("it is one");
    let part = u32::try_from(more).ok().filter(|part| *part < 1_000_000_000);
    let modified = part.and_then(|part| UNIX_EPOCH.checked_add(Duration::new(number, part)));
    assert_eq!(info.metadata.modified, modified, "{time}");
}
