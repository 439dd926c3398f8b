//! Holds the library to `data/broken.tsv`, `data/messages.txt` and `data/answers.txt` (described in `data/README.md`), and the table to its own form.

#![allow(clippy::unwrap_used, reason = "a table that cannot be read must stop the test")]

use std::collections::BTreeSet;
use std::ops::Range;

use urlwise::{Level, Profile, Url, Verdict, diagnose, problem_codes, repair, verdict};

const TABLE: &str = include_str!("data/broken.tsv");

const MESSAGES: &str = include_str!("data/messages.txt");

const ANSWERS: &str = include_str!("data/answers.txt");

/// The refusals that are not problem codes, as `data/README.md` lists them.
const REFUSALS: [&str; 21] = [
    "backslash",
    "control-character",
    "curly-quote",
    "defanged",
    "empty-line",
    "escaped-url",
    "fragment-ambiguous",
    "host-differs",
    "host-not-idna",
    "host-not-utf8",
    "html-entity",
    "hyphen-ambiguous",
    "invisible-character",
    "nested-scheme",
    "scheme-mistyped",
    "second-url",
    "shortened",
    "text-around",
    "unc-path",
    "windows-path",
    "wrapper-inside",
];

struct Row {
    place: String,
    profile: Profile,
    text: Vec<u8>,
    errors: Vec<(String, String, Vec<Range<usize>>)>,
    verdict: String,
    answer: String,
    readings: Vec<String>,
}

fn rows() -> Vec<Row> {
    let lines = TABLE.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(index, line)| row(&format!("line {}", index + 1), line)).collect()
}

fn row(place: &str, line: &str) -> Row {
    let columns: Vec<&str> = line.split('\t').collect();
    let [profile, text, count, problems, verdict, answer, readings, why] = columns[..] else {
        panic!("{place}: {} columns", columns.len())
    };
    assert!(!why.is_empty(), "{place}");
    let errors: Vec<_> = absent_or(problems).map_or(Vec::new(), |list| list.split("; ").map(error).collect());
    assert_eq!(count.parse::<usize>().unwrap(), errors.len(), "{place}");
    Row {
        place: place.to_owned(),
        profile: profile.parse().unwrap(),
        text: octets(text),
        errors,
        verdict: verdict.to_owned(),
        answer: answer.to_owned(),
        readings: absent_or(readings).map_or(Vec::new(), |list| list.split(' ').map(str::to_owned).collect()),
    }
}

fn absent_or(column: &str) -> Option<&str> {
    (column != "-").then_some(column)
}

/// `code section start..end,start..end`.
fn error(text: &str) -> (String, String, Vec<Range<usize>>) {
    let [code, section, spans] = text.split(' ').collect::<Vec<_>>()[..] else { panic!("{text}") };
    let span = |span: &str| {
        let (start, end) = span.split_once("..").unwrap();
        start.parse().unwrap()..end.parse().unwrap()
    };
    (code.to_owned(), section.to_owned(), spans.split(',').map(span).collect())
}

/// What a text with escapes stands for.
fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        assert!(c == ' ' || c.is_ascii_graphic(), "{text}");
        if c != '\\' {
            octets.push(c as u8);
            continue;
        }
        match rest.next().unwrap() {
            '\\' => octets.push(b'\\'),
            't' => octets.push(b'\t'),
            'n' => octets.push(b'\n'),
            'r' => octets.push(b'\r'),
            'x' => {
                let hex: String = rest.by_ref().take(2).collect();
                octets.push(u8::from_str_radix(&hex, 16).unwrap());
            }
            'u' => {
                assert_eq!(rest.next(), Some('{'), "{text}");
                let hex: String = rest.by_ref().take_while(|&c| c != '}').collect();
                let c = char::from_u32(u32::from_str_radix(&hex, 16).unwrap()).unwrap();
                octets.extend(c.to_string().bytes());
            }
            other => panic!("{text}: an unknown escape: {other}"),
        }
    }
    octets
}

#[test]
fn the_table_is_large_and_no_text_is_answered_twice() {
    let mut seen = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for row in rows() {
        texts.insert(row.text.clone());
        assert!(seen.insert((row.profile.to_string(), row.text)), "{}: answered before", row.place);
    }
    assert!(seen.len() >= 320 && texts.len() >= 300, "only {} rows of {} texts", seen.len(), texts.len());
}

/// Of texts of more than 4,096 octets nothing is guessed, and that is all.
#[test]
fn each_mistake_in_a_long_text_is_answered() {
    for row in rows() {
        for length in [4096, 4097] {
            let padding = "a".repeat(length - row.text.len());
            for text in [[&row.text, padding.as_bytes()].concat(), [padding.as_bytes(), &row.text].concat()] {
                let answer = verdict(&text, row.profile);
                let diagnosis = diagnose(&text, row.profile);
                assert_eq!(format!("{:?}", diagnosis.verdict()), format!("{answer:?}"), "{}: {length}", row.place);
            }
        }
    }
}

#[test]
fn errors_are_known_and_stand_in_their_text_in_order() {
    let codes: Vec<_> = problem_codes().collect();
    for row in rows() {
        for (code, section, spans) in &row.errors {
            let known = codes.iter().find(|known| known.code == code);
            let known = known.unwrap_or_else(|| panic!("{}: no problem code is named {code}", row.place));
            assert_eq!(known.level(row.profile), Level::Error, "{}: {code}", row.place);
            assert!(section == "Appendix" || section.starts_with(|c: char| c.is_ascii_digit()), "{}", row.place);
            assert!(spans.iter().all(|span| span.start <= span.end && span.end <= row.text.len()), "{}", row.place);
            assert!(spans.windows(2).all(|pair| pair[0].end < pair[1].start), "{}: join the spans", row.place);
        }
    }
}

#[test]
fn every_error_of_the_language_that_a_text_can_show_has_a_row() {
    let rows = rows();
    for profile in Profile::ALL {
        let found: BTreeSet<&str> = rows
            .iter()
            .filter(|row| row.profile == *profile)
            .flat_map(|row| row.errors.iter().map(|(code, ..)| code.as_str()))
            .collect();
        let missing: Vec<_> = problem_codes()
            .filter(|code| code.level(*profile) == Level::Error && !found.contains(code.code))
            .map(|code| code.code)
            // 4 GiB of text, the errors of schemes that a program registers, and what D-29 makes data.
            .filter(|name| !["url-length", "scheme-check"].contains(name))
            .filter(|name| *profile == Profile::Rfc1738 || *name != "ftp-typecode")
            .collect();
        assert!(missing.is_empty(), "{profile}: no row shows {missing:?}");
    }
}

#[test]
fn every_answer_has_its_form_and_every_url_that_is_promised_is_valid() {
    for row in rows() {
        let is_valid = |url: &str| Url::parse_with(url, row.profile).is_ok();
        // A suggestion may need the later grammar, such as an address in brackets.
        let is_good = |url: &String| is_valid(url) || Url::parse_with(url.as_str(), Profile::Current).is_ok();
        assert!(row.readings.iter().all(is_good), "{}: {:?}", row.place, row.readings);
        match row.verdict.as_str() {
            "valid" => assert!(row.errors.is_empty() && row.answer == "-", "{}", row.place),
            "repair" => assert!(is_valid(&row.answer) && row.readings.is_empty(), "{}: {}", row.place, row.answer),
            "refuse" => {
                let is_known =
                    REFUSALS.contains(&row.answer.as_str()) || problem_codes().any(|code| code.code == row.answer);
                assert!(is_known && !row.errors.is_empty(), "{}: {}", row.place, row.answer);
            }
            other => panic!("{}: {other}", row.place),
        }
    }
}

#[test]
fn every_mistake_is_reported_once_with_its_places_and_section() {
    let mut wrong = Vec::new();
    for row in rows() {
        let diagnosis = diagnose(&row.text, row.profile);
        let errors = diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error);
        let found: Vec<_> =
            errors.map(|error| shown(error.code(), error.section(), &error.spans().collect::<Vec<_>>())).collect();
        let demanded: Vec<_> = row.errors.iter().map(|(code, section, spans)| shown(code, section, spans)).collect();
        if found != demanded {
            wrong.push(format!(
                "{} {} {}\n    demanded {demanded:?}\n    found    {found:?}",
                row.place,
                row.profile,
                row.text.escape_ascii()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

fn shown(code: &str, section: &str, spans: &[Range<usize>]) -> String {
    let spans: Vec<_> = spans.iter().map(|span| format!("{}..{}", span.start, span.end)).collect();
    format!("{code} {section} {}", spans.join(","))
}

#[test]
fn every_text_gets_its_answer() {
    let mut wrong = Vec::new();
    for row in rows() {
        let verdict = verdict(&row.text, row.profile);
        let (kind, answer) = match &verdict {
            Verdict::Valid { .. } => ("valid", "-".to_owned()),
            Verdict::Repaired(repaired) => ("repair", repaired.url().as_str().to_owned()),
            Verdict::Refused(refused) => ("refuse", refused.code().to_owned()),
        };
        let suggested: Vec<_> = verdict.suggestions().iter().map(urlwise::Suggestion::url).collect();
        let misses = row.readings.iter().any(|reading| !suggested.contains(&reading.as_str()));
        if (kind, &answer) != (row.verdict.as_str(), &row.answer) || misses {
            wrong.push(format!(
                "{} {} {}\n    demanded {} {} {:?}\n    found    {kind} {answer} {suggested:?}",
                row.place,
                row.profile,
                row.text.escape_ascii(),
                row.verdict,
                row.answer,
                row.readings,
            ));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn where_no_reading_is_demanded_none_is_invented() {
    let rows = rows().into_iter().filter(|row| row.verdict == "refuse" && row.readings.is_empty());
    let invented = rows.filter_map(|row| {
        let refused = repair(&row.text, row.profile).err()?;
        (!refused.suggestions().is_empty()).then(|| format!("{} {:?}", row.place, refused.suggestions()))
    });
    let invented: Vec<_> = invented.collect();
    assert!(invented.is_empty(), "{}", invented.join("\n"));
}

#[test]
fn every_problem_of_a_text_is_said_in_these_words() {
    let mut wrong = Vec::new();
    for block in MESSAGES.trim_end().split("\n\n") {
        let (head, _) = block.split_once('\n').unwrap();
        let (profile, text) = head.split_once(' ').unwrap();
        let octets = octets(text);
        let profile: Profile = profile.parse().unwrap();
        let diagnosis = diagnose(&octets, profile);
        // Who parses learns of the first error, at its first place.
        let place = |problem: &urlwise::Problem<'_>| (problem.code(), problem.section(), problem.span().start);
        let first = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
        let error = Url::from_octets(&octets, profile).err();
        assert_eq!(error.map(|error| place(&error.problem())), first.map(place), "{head}");
        let said: Vec<_> = diagnosis.problems().iter().map(|problem| format!("\n    {problem}")).collect();
        let said = if said.is_empty() { "\n    nothing".to_owned() } else { said.concat() };
        if format!("{head}{said}") != block {
            wrong.push(format!("{block}\nis{said}"));
        }
    }
    assert!(wrong.is_empty(), "{} texts:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

/// What is made of a text: the URL with each change, or the refusal with its place, and what may have been meant.
fn answer(text: &[u8], profile: Profile) -> String {
    let verdict = verdict(text, profile);
    let mut lines = match &verdict {
        Verdict::Valid { .. } => vec!["valid".to_owned()],
        Verdict::Repaired(repaired) => {
            let change = |change: &urlwise::Change<'_>| {
                format!("{} {} {:?}", change.kind().name(), change.code(), change.span())
            };
            let url = [format!("repaired {}", repaired.url().as_str())];
            url.into_iter().chain(repaired.changes().iter().map(change)).collect()
        }
        Verdict::Refused(refused) => vec![format!("refused {} {:?}", refused.code(), refused.span())],
    };
    lines.extend(verdict.suggestions().iter().map(|meant| format!("meant {} {}", meant.profile(), meant.url())));
    lines.iter().map(|line| format!("\n    {}", line.escape_default())).collect()
}

#[test]
fn every_text_is_answered_with_these_changes_places_and_guesses() {
    let mut wrong = Vec::new();
    for block in ANSWERS.trim_end().split("\n\n") {
        let (head, _) = block.split_once('\n').unwrap();
        let (profile, text) = head.split_once(' ').unwrap();
        let found = answer(&octets(text), profile.parse().unwrap());
        if format!("{head}{found}") != block {
            wrong.push(format!("{head}{found}"));
        }
    }
    assert!(wrong.is_empty(), "{} texts:\n\n{}", wrong.len(), wrong.join("\n\n"));
}
