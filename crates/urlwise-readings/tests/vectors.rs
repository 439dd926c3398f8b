//! 285 texts that eleven programs read differently, as measured: `data/README.md` tells how. The two rivals must read them as
//! they did then; where our reading is another than that of the measured grammar, `data/rfc1738.tsv` proves it.

use std::collections::{BTreeMap, BTreeSet};
use urlwise::{Profile, Url};
use urlwise_readings::guard::Guard;
use urlwise_readings::vectors::{self, Vector};
use urlwise_readings::{Difference, Reader, Readings, finding};

/// One text with its class, its verdict, and the cells of the three readers of this crate.
struct Measured {
    text: String,
    class: String,
    verdict: String,
    cells: [String; 3],
}

/// The rows of a table without its comments, the heading first; fields are JSON strings without their quotes.
fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(&path).expect("the data is there");
    let field = |field: &str| serde_json::from_str(&format!("\"{field}\"")).expect("a JSON string");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(field).collect()).collect()
}

fn measured() -> Vec<Measured> {
    let rows = rows("url-confusion.tsv");
    let column = |name: &str| rows[0].iter().position(|heading| heading == name).expect("the column is there");
    let [text, class, verdict] = ["url", "class", "verdict"].map(column);
    let cells = ["rfc1738-grammar", "fluent-uri-0.4.1", "url-2.5.8"].map(column);
    let measured = |row: &Vec<String>| Measured {
        text: row[text].clone(),
        class: row[class].clone(),
        verdict: row[verdict].clone(),
        cells: cells.map(|cell| row[cell].clone()),
    };
    rows[1..].iter().map(measured).collect()
}

/// A reading as the table writes it: the host, with the port where the reader reports one.
fn cell(text: &str, reader: Reader) -> String {
    let reading = reader.read(text.as_bytes(), Profile::Rfc1738);
    let Some(parts) = reading.parts() else { return "ERR".to_owned() };
    // The table does not show an empty port.
    let port = parts.port.as_deref().filter(|port| !port.is_empty()).map(|port| format!(":{port}")).unwrap_or_default();
    match parts.host.as_deref() {
        None | Some("") => "-".to_owned(),
        Some(host) => format!("{host}{port}"),
    }
}

#[test]
fn there_are_285_vectors_and_each_class_is_documented() {
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    for vector in measured() {
        *classes.entry(vector.class).or_default() += 1;
    }
    assert_eq!(classes.values().sum::<usize>(), 285);
    let documented: Vec<&str> = include_str!("../src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.split('`').next())
        .collect();
    let mut told: Vec<&str> = documented.clone();
    told.sort_unstable();
    assert_eq!(told, classes.keys().collect::<Vec<_>>(), "the table in the documentation");
}

#[test]
fn the_rivals_read_every_vector_as_measured() {
    for vector in measured() {
        let found = [Reader::Rfc3986, Reader::Whatwg].map(|standard| cell(&vector.text, standard));
        assert_eq!(found, [vector.cells[1].clone(), vector.cells[2].clone()], "{:?}", vector.text);
    }
}

#[test]
fn our_reading_is_that_of_the_measured_grammar_or_proven() {
    let proofs: BTreeMap<String, (String, String)> =
        rows("rfc1738.tsv")[1..].iter().map(|row| (row[0].clone(), (row[1].clone(), row[2].clone()))).collect();
    let mut used = 0;
    for vector in measured() {
        let ours = cell(&vector.text, Reader::Rfc1738);
        let proof = proofs.get(&vector.text);
        if ours == vector.cells[0] {
            assert_eq!(proof, None, "{:?} needs no proof", vector.text);
            continue;
        }
        let (claimed, why) = proof.unwrap_or_else(|| panic!("{:?}: {ours} is not {}", vector.text, vector.cells[0]));
        assert_eq!((claimed, why.is_empty()), (&ours, false), "{:?}", vector.text);
        used += 1;
    }
    assert_eq!(used, proofs.len(), "every proof is about a vector");
}

#[test]
fn every_conflict_of_hosts_is_refused_or_found() {
    for vector in measured().iter().filter(|vector| vector.verdict == "conflict") {
        for profile in [Profile::Rfc1738, Profile::Current] {
            if let Ok(url) = Url::parse_with(vector.text.as_str(), profile) {
                assert!(finding(&url).is_some(), "{:?} under {profile:?}", vector.text);
            }
        }
    }
}

fn generated() -> Vec<Vector> {
    let [trusted, hostile] = ["good.example", "evil.example"].map(|name| name.parse().expect("a name"));
    vectors::vectors(&trusted, &hostile).collect()
}

#[test]
fn every_measured_text_is_a_vector_of_its_class() {
    let all = generated();
    for measured in measured() {
        let found = all.iter().find(|vector| vector.text() == measured.text);
        assert_eq!(found.map(Vector::family), Some(measured.class.as_str()), "{:?}", measured.text);
    }
    let classes: BTreeSet<_> = measured().into_iter().map(|measured| measured.class).collect();
    assert!(all.iter().all(|vector| classes.contains(vector.family())));
    assert!(all.len() > 300, "{}", all.len());
}

/// Of what the guard lets pass, all readers that accept it see one host, and nobody else's if only one host is allowed.
#[test]
fn every_vector_is_refused_or_read_alike() {
    let trusting = Guard::new().allow_hosts(["good.example".parse().expect("a host")]);
    let mut passed = 0;
    for vector in generated() {
        let octets = vector.text().as_bytes();
        let readings = Readings::by(octets, Profile::Current, Reader::ALL);
        if Guard::new().check(octets).is_ok() {
            for difference in [Difference::Scheme, Difference::Host, Difference::Port] {
                assert!(!readings.differs().contains(difference), "{}", vector.name());
            }
            passed += 1;
        }
        let verdict = trusting.check(octets);
        if verdict.is_ok() {
            assert!(
                verdict.hosts().all(|(_, host)| host.is_none_or(|host| host == "good.example")),
                "{}",
                vector.name()
            );
        }
    }
    assert!((20..80).contains(&passed), "{passed}");
}

#[test]
fn what_deceived_programs_in_2026_is_refused() {
    let reported: Vec<_> = generated().into_iter().filter(|vector| vector.reports().count() > 0).collect();
    let pairs = [&[Reader::Urlsplit, Reader::Urllib3][..], &[Reader::Urlsplit, Reader::Whatwg], Reader::STANDARDS];
    for vector in &reported {
        let octets = vector.text().as_bytes();
        let verdict = Guard::new().check(octets);
        assert!(!verdict.is_ok(), "{}: {verdict:?}", vector.name());
        for readers in pairs {
            assert!(!Guard::new().readers(readers).check(octets).is_ok(), "{} {readers:?}", vector.name());
        }
    }
    let families: BTreeSet<_> = reported.iter().map(Vector::family).collect();
    let expected = ["backslash", "control", "ipv4", "ipv6", "percent-host", "unicode", "userinfo"];
    assert_eq!(families.into_iter().collect::<Vec<_>>(), expected);
    // The project of each report is in the guide.
    let guide = include_str!("../../../docs/guard.md");
    for report in reported.iter().flat_map(Vector::reports) {
        let number = report.split(" (").next().unwrap_or_default();
        assert!(guide.contains(number), "{number}");
    }
}
