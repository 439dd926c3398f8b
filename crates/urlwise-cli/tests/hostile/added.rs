//! S-56: what people add to requests.

use super::Row;
use super::play::*;

pub(crate) static ROWS: &[Row] = &[Row {
    number: 56,
    attack: "header fields that smuggle, and redirects that collect them",
    play: || {
        let thief = Host::http(document("", "x"));
        let host = Host::redirecting(&thief.url("http", ""));
        for field in
            ["X-A: b\r\nX-B: c", "Host: h", "Content-Length: 1", "transfer-encoding: chunked", "Range: bytes=1-"]
        {
            assert_eq!(run(&["get", "-H", field, &host.url("http", "")]).code, 2, "{field}");
        }
        assert_eq!(run(&["get", "-A", "a\nb", &host.url("http", "")]).code, 2);
        assert_eq!(host.connections(), 0);
        let shown = run(&["get", "-v", "-H", "Authorization: Bearer s3cret", &host.url("http", "")]);
        assert_eq!((shown.code, shown.all.contains("s3cret")), (0, false), "{}", shown.all);
        assert!(host.heard().contains("s3cret") && !thief.heard().contains("s3cret"), "{}", thief.heard());
    },
}];
