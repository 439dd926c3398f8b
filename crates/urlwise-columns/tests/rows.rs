//! What the columns of single rows hold.

use urlwise::{NormalForm, Profile, Url};
use urlwise_columns::{Column, Optional, Reader, Scratch, Values};

fn read(names: &[&str], rows: &[Option<&[u8]>], profile: Profile) -> Vec<Values<i32>> {
    let columns: Vec<Column> = names.iter().map(|name| name.parse().expect(name)).collect();
    Reader::new(&columns, profile).read(&Optional(rows)).expect("the rows are small")
}

/// A value of any type as text; `-` for null.
fn cell(values: &Values<i32>, row: usize) -> String {
    let text = |octets: Option<&[u8]>| octets.map(|octets| String::from_utf8_lossy(octets).into_owned());
    let cell = match values {
        Values::Text(strings) | Values::Octets(strings) => text(strings.get(row)),
        Values::Numbers(numbers) => numbers.get(row).map(|number| number.to_string()),
        Values::Flags(flags) => flags.get(row).map(|flag| flag.to_string()),
        _ => None,
    };
    cell.unwrap_or_else(|| "-".into())
}

/// The cells of one text, with spaces between.
fn cells(names: &[&str], text: &[u8], profile: Profile) -> String {
    let table = read(names, &[Some(text)], profile);
    table.iter().map(|values| cell(values, 0)).collect::<Vec<_>>().join(" ")
}

#[test]
fn common_parts_are_those_of_the_url() {
    let names =
        ["scheme", "user", "password", "host", "host_kind", "port", "path", "query", "fragment", "valid", "problem"];
    for (url, expected) in [
        ("FTP://u:p@Host.dom:2121/a/b;type=i#f", "FTP u p Host.dom name 2121 /a/b;type=i - f true -"),
        ("http://127.0.0.1?", "- - - - - - - - - false http-query-slash"),
        ("http://127.0.0.1/?#", "http - - 127.0.0.1 ipv4 80 /   true -"),
        ("file:///etc/motd", "file - -  name - /etc/motd - - true -"),
        ("mailto:joe@host.dom", "mailto - - - - - joe@host.dom - - true -"),
        ("news:id@host.dom", "news - - - - - id@host.dom - - true -"),
        ("wais://h.dom/db?words", "wais - - h.dom name 210 /db words - true -"),
        ("x-other:a?b", "x-other - - - - - a?b - - true -"),
    ] {
        assert_eq!(cells(&names, url.as_bytes(), Profile::Rfc1738), expected, "{url}");
    }
    let current = cells(&names, b"https://[::1]?q", Profile::Current);
    assert_eq!(current, "https - - [::1] ipv6 443  q - true -");
}

#[test]
fn typed_parts_have_their_own_names_in_every_scheme_or_in_one() {
    let names = ["cwds", "ftp.name", "nntp.group", "gtype", "selector", "http.path", "segments"];
    for (url, expected) in [
        ("ftp://h.dom/a/%2Fb/c", "a/%2Fb c - - - - -"),
        ("nntp://h.dom/comp.lang.c/12", "- - comp.lang.c - - - -"),
        ("news:comp.lang.c", "- - - - - - -"),
        ("gopher://h.dom/0/x", "- - - 0 /x - -"),
        ("http://h.dom/a//b", "- - - - - a//b a//b"),
        ("file:///a/b", "- - - - - - a/b"),
    ] {
        assert_eq!(cells(&names, url.as_bytes(), Profile::Rfc1738), expected, "{url}");
    }
}

#[test]
fn every_part_of_the_contract_is_a_column_by_its_name() {
    let contract = include_str!("../../../docs/json.md");
    let parts = contract.split("\n## parts\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a chapter");
    let mut names: Vec<String> = Vec::new();
    for row in parts.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let [_, scheme, parts, _] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else { panic!("{row}") };
        let prefix = if scheme == "any other" { String::new() } else { format!("{scheme}.") };
        names.extend(parts.split(' ').map(|part| format!("{prefix}{part}")));
    }
    names.extend(parts.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next()).map(str::to_owned));
    assert!(names.len() > 100, "{names:?}");
    // An object; its parts are columns of their own.
    names.retain(|name| name != "ip");
    for name in names {
        assert_eq!(name.parse::<Column>().map(|column| column.to_string()), Ok(name));
    }
}

#[test]
fn what_the_contract_derives_from_parts_is_what_the_getters_say() {
    let names =
        ["host-kind", "http.host_kind", "port_number", "ftp.port_number", "kind", "form", "file.local", "local"];
    for (url, expected) in [
        ("http://127.0.0.1/", "ipv4 ipv4 80 - - - - -"),
        ("ftp://h.dom/", "name - 21 21 - - - -"),
        ("ftp://h.dom:2121/", "name - 2121 2121 - - - -"),
        ("news:*", "- - - - all - - -"),
        ("news:comp.lang.c", "- - - - group - - -"),
        ("news:a@b", "- - - - article - - -"),
        ("wais://h.dom/db", "name - 210 - - database - -"),
        ("wais://h.dom/db?words", "name - 210 - - index - -"),
        ("wais://h.dom/db/TEXT/1", "name - 210 - - doc - -"),
        ("file:///etc/motd", "name - - - - - true -"),
        ("file://LocalHost/etc/motd", "name - - - - - true -"),
        ("file://h.dom/etc/motd", "name - - - - - false -"),
        ("mailto:joe@h.dom", "- - - - - - - joe"),
        ("no url", "- - - - - - - -"),
    ] {
        assert_eq!(cells(&names, url.as_bytes(), Profile::Rfc1738), expected, "{url}");
    }
    let names = ["user", "password", "host", "host_kind", "port", "urlpath", "schemepart"];
    let cells = cells(&names, b"x-other://u:p@h.dom:1/a", Profile::Rfc1738);
    assert_eq!(cells, "u p h.dom name 1 a //u:p@h.dom:1/a");
}

#[test]
fn a_list_is_split_before_it_is_decoded() {
    let names = ["cwds:decoded", "segments:decoded", "fields:decoded", "name:decoded", "path:decoded"];
    for (url, expected) in [
        ("ftp://h.dom/b/c%2fd/e", "b/c%2Fd - - e /b/c/d/e"),
        ("ftp://h.dom/%2Fetc/a%20b%25/e%2ff", "%2Fetc/a b%25 - - e/f //etc/a b%/e/f"),
        // What is decoded once more, part by part, is what was written: `c%2Fd` and `c/d`.
        ("ftp://h.dom/c%252Fd/c%2Fd/e", "c%252Fd/c%2Fd - - e /c%2Fd/c/d/e"),
        ("http://h.dom/a%2fb/%7Ec", "- a%2Fb/~c - - /a/b/~c"),
        ("prospero://h.dom/x;a%3Db=c%3b;d=%7E", "- - a%3Db=c%3B;d=~ - /x;a=b=c;;d=~"),
    ] {
        assert_eq!(cells(&names, url.as_bytes(), Profile::Rfc1738), expected, "{url}");
    }
}

#[test]
fn forms_give_places_lower_case_and_decoded_octets() {
    let names = [
        "host:start",
        "host:end",
        "port:start",
        "port:end",
        "host:lower",
        "path:decoded",
        "fragment:start",
        "fragment:end",
        "fragment",
    ];
    assert_eq!(cells(&names, b"http://Ho.dom:81/%7Ea#x", Profile::Rfc1738), "7 13 14 16 ho.dom /~a 22 23 x");
    assert_eq!(cells(&names, b"mailto:a@b", Profile::Rfc1738), "- - - - - a@b - - -");
    let table = read(&["path:decoded"], &[Some(b"http://h.dom/%FF")], Profile::Rfc1738);
    let [Values::Octets(strings)] = &table[..] else { panic!("a decoded part may be any octets") };
    assert_eq!(strings.get(0), Some(&b"/\xFF"[..]));
}

#[test]
fn an_invalid_text_is_null_and_has_a_code_and_a_place() {
    let names = ["valid", "problem", "problem:start", "problem:end", "url", "host", "port", "normal:safe", "address"];
    for (text, expected) in [
        (&b"http://h.dom/a b"[..], "false bnf-char 14 15 http://h.dom/a b - - - -"),
        (b"http://h.dom/#a b", "false bnf-char 15 16 http://h.dom/#a b - - - -"),
        (b"", "false scheme-missing 0 0  - - - -"),
        (b"\xFF", "false scheme-missing 0 1 \u{FFFD} - - - -"),
    ] {
        let cells = cells(&names, text, Profile::Rfc1738);
        assert_eq!(cells.split_once(' ').map(|(valid, _)| valid), Some("false"));
        assert_eq!(cells, expected);
    }
}

#[test]
fn the_class_of_an_address_is_that_of_the_host() {
    for (url, expected) in [
        ("http://127.0.0.1/", "loopback"),
        ("http://169.254.169.254/latest/", "metadata"),
        ("http://[::ffff:10.0.0.1]/", "private"),
        ("http://8.8.8.8/", "public"),
        ("http://localhost/", "-"),
        ("news:a@b", "-"),
    ] {
        assert_eq!(cells(&["address"], url.as_bytes(), Profile::Current), expected, "{url}");
    }
}

#[test]
fn normal_forms_are_those_of_the_language() {
    let names = ["normal:safe", "normal:scheme"];
    assert_eq!(
        cells(&names, b"HTTP://Host.dom:80/%7ea#f", Profile::Rfc1738),
        "http://host.dom/%7Ea http://host.dom/%7Ea"
    );
    // One text serves all rows: nothing of a longer one may stay.
    let rows = ["http://Host.dom/a/long/path", "http://h.dom/", "mailto:%61@Host.dom", "news:%2a"];
    let options: Vec<_> = rows.iter().map(|row| Some(row.as_bytes())).collect();
    let table = read(&["normal:scheme"], &options, Profile::Current);
    for (row, text) in rows.iter().enumerate() {
        let url = Url::parse_with(text, Profile::Current).expect(text);
        assert_eq!(cell(&table[0], row), url.normalize(NormalForm::Scheme).as_str());
    }
}

#[cfg(feature = "agree")]
#[test]
fn agree_is_false_where_readers_disagree() {
    assert_eq!(cells(&["agree"], b"http://host.dom/a", Profile::Current), "true");
    assert_eq!(cells(&["agree"], b"http://host.dom/a?b#c", Profile::Current), "true");
    assert_eq!(cells(&["agree"], b"http://host.dom/a?b#c", Profile::Rfc1738), "false");
    assert_eq!(cells(&["agree"], br"http://127.0.0.1\@1.1.1.1", Profile::Current), "false");
}

#[test]
fn a_bad_row_and_a_null_row_leave_the_others_alone() {
    let good: Option<&[u8]> = Some(b"http://h.dom/a");
    for other in [None, Some(&b""[..]), Some(b"\xFF\x00"), Some(b"http://h.dom/\n"), Some(&[b'a'; 100_000])] {
        let table = read(&["host", "port", "valid", "path:start"], &[good, other, good], Profile::Current);
        for values in &table {
            assert_eq!(cell(values, 0), cell(values, 2));
            assert_ne!(cell(values, 0), "-");
        }
        assert_eq!(cell(&table[0], 1), "-");
        assert_eq!(cell(&table[2], 1), if other.is_none() { "-" } else { "false" });
    }
}

/// Programs that write parts as they are rely on it.
#[test]
fn no_octet_of_a_url_is_a_backslash_a_control_or_outside_us_ascii() {
    let urls = [
        "ftp://u:p@h.dom:21/a/b;type=i",
        "http://h.dom:80/a?b#c",
        "https://[::1]/a?b",
        "gopher://h.dom/0a%09b",
        "mailto:a@h.dom",
        "news:a.b",
        "news:a@h.dom",
        "nntp://h.dom/a.b/1",
        "telnet://u:p@h.dom:23/",
        "wais://h.dom/a?b",
        "wais://h.dom/a/b/c",
        "file:///a/b",
        "prospero://h.dom/a;b=c",
        "x-other://u@h.dom/a?b#c",
        "finger://h.dom/a",
        "data:a,b",
    ];
    for profile in [Profile::Rfc1738, Profile::Current] {
        let reader = Reader::new(&[Column::VALID], profile);
        let mut count = 0;
        for (url, octet) in urls.iter().flat_map(|url| (0..=255).map(move |octet| (url.as_bytes(), octet))) {
            for at in 0..=url.len() {
                let text = [&url[..at], &[octet], &url[at..]].concat();
                if reader.row(&text).is_url() {
                    assert!(matches!(octet, b' '..=b'~') && octet != b'\\', "{}", text.escape_ascii());
                    count += 1;
                }
            }
        }
        assert!(count > 1000, "{count}");
    }
}

#[test]
fn a_null_row_has_null_cells_and_a_cell_has_the_octets_that_its_column_holds() {
    let columns: Vec<Column> =
        ["host:lower", "host:decoded", "port", "valid", "url"].iter().map(|name| name.parse().expect(name)).collect();
    let reader = Reader::new(&columns, Profile::Current);
    let cells = |text: Option<&[u8]>| {
        let (mut scratch, mut cells) = (Scratch::default(), Vec::new());
        let row = text.map(|text| reader.row(text));
        reader.cells(row.as_ref(), &mut scratch, |number, cell| {
            assert_eq!(number, cells.len());
            let octets = cell.as_ref().and_then(|cell| cell.octets(text.unwrap_or_default()));
            cells.push(match octets {
                Some(octets) => String::from_utf8_lossy(octets).into_owned(),
                None => format!("{cell:?}"),
            });
        });
        cells.join(" ")
    };
    assert_eq!(cells(None), "None None None None None");
    assert_eq!(cells(Some(b"ftp://H.dom/a")), "h.dom H.dom Some(Number(21)) Some(Flag(true)) ftp://H.dom/a");
    assert_eq!(cells(Some(b"a b")), "None None None Some(Flag(false)) a b");
}

#[test]
fn rows_may_be_read_in_parts() {
    let rows = ["http://a.dom/", "http://b.dom/", "http://c.dom/"];
    let reader = Reader::new(&["host".parse().expect("a column")], Profile::Current);
    let table = reader.read_rows::<i64>(&rows[..], 1..9).expect("the rows are small");
    let [Values::Text(hosts)] = &table[..] else { panic!("hosts are text") };
    assert_eq!((&hosts.offsets[..], &hosts.octets[..]), (&[0, 5, 10][..], &b"b.domc.dom"[..]));
    assert_eq!(reader.read_rows::<i64>(&rows[..], 3..3), reader.read(&rows[..0]));
}
