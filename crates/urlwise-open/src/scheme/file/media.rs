//! Media types by the suffix of a file name: a small table of common types.

/// Suffixes and their media types, sorted by suffix.
const SUFFIXES: &[(&str, &str)] = &[
    ("7z", "application/x-7z-compressed"),
    ("aac", "audio/aac"),
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("bz2", "application/x-bzip2"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("epub", "application/epub+zip"),
    ("flac", "audio/flac"),
    ("gif", "image/gif"),
    ("gz", "application/gzip"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("ico", "image/vnd.microsoft.icon"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("md", "text/markdown"),
    ("mid", "audio/midi"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("mpeg", "video/mpeg"),
    ("mpg", "video/mpeg"),
    ("ogg", "audio/ogg"),
    ("opus", "audio/opus"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("ps", "application/postscript"),
    ("rtf", "application/rtf"),
    ("svg", "image/svg+xml"),
    ("tar", "application/x-tar"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("toml", "application/toml"),
    ("txt", "text/plain"),
    ("wasm", "application/wasm"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("xz", "application/x-xz"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
    ("zst", "application/zstd"),
];

/// The media type for the suffix of `name`, in any case; `None` without a known suffix. `name` may be a path.
pub(crate) fn by_name(name: &[u8]) -> Option<&'static str> {
    let name = name.rsplit(|octet| *octet == b'/').next()?;
    let dot = name.iter().rposition(|octet| *octet == b'.')?;
    // A name that only begins with a dot has no suffix.
    let suffix = std::str::from_utf8(&name[dot + 1..]).ok().filter(|_| dot > 0)?.to_ascii_lowercase();
    let row = SUFFIXES.binary_search_by_key(&suffix.as_str(), |(suffix, _)| suffix).ok()?;
    Some(SUFFIXES[row].1)
}

#[cfg(test)]
mod tests {
    use super::{SUFFIXES, by_name};

    #[test]
    fn every_suffix_is_found() {
        for (suffix, media_type) in SUFFIXES {
            assert_eq!(by_name(format!("a.b.{suffix}").as_bytes()), Some(*media_type));
            assert_eq!(by_name(format!("/d.e/A.{}", suffix.to_uppercase()).as_bytes()), Some(*media_type));
        }
    }

    #[test]
    fn names_without_a_known_suffix_promise_nothing() {
        for name in ["txt", ".txt", "a.", "a.nonsense", "d.txt/a", "a.t\u{e9}xt", ""] {
            assert_eq!(by_name(name.as_bytes()), None, "{name}");
        }
        assert_eq!(by_name(b"a.\xff"), None);
    }
}
