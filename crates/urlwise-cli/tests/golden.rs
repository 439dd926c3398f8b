//! Every text of the tables, held to golden files: the message, help and section of each problem code and audit rule, the sentence about
//! each kind of URL, and what is said of each broken text. `SNAPSHOTS=overwrite` writes them anew: read the difference before you
//! commit it.

#![allow(clippy::unwrap_used, reason = "a table that cannot be read must stop the test")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use snapbox::{Assert, Data, data::DataFormat};
#[cfg(all(feature = "serve", target_os = "linux"))]
use support::Ran;
use support::Tree;
use urlwise::audit::{Audit, Provenance};
use urlwise::{Language, Profile, Url, Verdict};
use urlwise_explain::meant::{Meant, refusal_in};
use urlwise_explain::{Explanation, Look, snippets};
use urlwise_open::{Cause, Client, ErrorKind, Options, policy};
use urlwise_readings::guard::{Guard, HostPattern, ReasonCode};
use urlwise_readings::vectors::{HostName, vectors};
use urlwise_readings::{Reader, Readings};

#[track_caller]
fn holds(name: &str, text: String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let golden = Data::read_from(&path, Some(DataFormat::Text)).raw();
    Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(Data::text(text).raw(), golden);
}

/// Pairs of texts, one each of those that differ only in what is filled in.
fn distinct(said: BTreeSet<(String, String)>) -> String {
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for (english, translated) in said {
        if seen.insert(translated.chars().filter(|c| !c.is_ascii()).collect::<String>()) {
            text += &format!("{english}\n  {translated}\n");
        }
    }
    text
}

/// A text in English and in a language.
fn pair<D: std::fmt::Display>(language: Language, text: impl Fn(Language) -> D) -> (String, String) {
    (text(Language::En).to_string(), text(language).to_string())
}

/// The other languages, by the English texts.
#[test]
fn every_code_in_every_language() {
    for language in Language::ALL.iter().filter(|language| **language != Language::En) {
        let mut text = String::new();
        for code in urlwise::problem_codes() {
            let (message, help) = (code.message_in(*language), code.help_in(*language));
            text += &format!("{}\n  {}\n  {message}\n  {}\n  {help}\n", code.code, code.message, code.help);
        }
        for rule in urlwise::audit::RULES {
            let [message, help] = rule.templates_in(*language);
            text += &format!("\n{}  {message}\n  {help}\n", rule.display_in(*language));
        }
        // The rest are those of `check` alone, as it prints them.
        let tree = Tree::new("golden-codes");
        let all = tree.run(&["check", "--explain", "all"]).stdout;
        let is_known = |name: &&str| {
            urlwise::problem_codes().any(|code| code.code == *name)
                || urlwise::audit::RULES.iter().any(|rule| rule.id == *name)
        };
        let rest: Vec<_> =
            all.lines().filter_map(|line| line.split(' ').next()).filter(|name| !is_known(name)).collect();
        assert!(rest.contains(&"link-dead"), "{rest:?}");
        for code in rest {
            let page = tree.run(&["--lang", language.tag(), "check", "--explain", code]);
            assert_eq!(page.status, 0, "{}", page.stderr);
            text += &format!("\n{}", page.stdout);
        }
        holds(&format!("codes.{}.txt", language.tag()), text);
    }
}

/// The kinds of errors, the causes of verdicts on links and the rules of the policy, by the English texts.
#[test]
fn every_code_of_access_in_every_language() {
    for language in Language::ALL.iter().copied().filter(|language| *language != Language::En) {
        let mut text = String::new();
        for kind in ErrorKind::ALL {
            text += &format!("{}\n  {}\n  {}\n", kind.name(), kind.meaning(), kind.meaning_in(language));
        }
        text += "\n";
        for cause in Cause::ALL {
            text += &format!("{}\n  {}\n  {}\n", cause.name(), cause.meaning(), cause.meaning_in(language));
        }
        for rule in policy::RULES {
            text += &format!(
                "\n{} ({})\n  {}\n  {}\n",
                rule.id,
                rule.reference_in(language),
                rule.when,
                rule.when_in(language)
            );
            if !rule.allowable {
                text += &format!("  {}\n  {}\n", rule.reason, rule.reason_in(language));
            }
        }
        holds(&format!("access.{}.txt", language.tag()), text);
    }
}

/// What the audit says of a valid URL, in English and in another language.
fn findings(text: &str, profile: Profile, language: Language) -> Vec<String> {
    let Ok(url) = Url::parse_with(text, profile) else {
        return Vec::new();
    };
    let findings = Audit::new().check(&url, Provenance::Text);
    let each = findings.iter().flat_map(|finding| {
        let message = format!("{}\n  {}\n", finding.message(), finding.message_in(language));
        [message, format!("{}\n  {}\n", finding.help(), finding.help_in(language))]
    });
    each.collect()
}

/// What is said of the changes or the refusal, and of the suggestions.
fn repairs(text: &str, profile: Profile, language: Language) -> Vec<String> {
    let verdict = urlwise::verdict(text, profile);
    let mut said = Vec::new();
    match &verdict {
        Verdict::Valid { .. } => {}
        Verdict::Repaired(repaired) => {
            let changes = repaired.changes().iter();
            said.extend(changes.map(|change| format!("{}\n  {}\n", change.message(), change.message_in(language))));
        }
        Verdict::Refused(refused) => {
            said.push(format!("{}\n  {}\n", refused.message(), refused.message_in(language)));
            let help = refused.help().zip(refused.help_in(language));
            said.extend(help.map(|(english, help)| format!("{english}\n  {help}\n")));
        }
    }
    let suggestions = verdict.suggestions().iter();
    said.extend(suggestions.map(|meant| format!("{}\n  {}\n", meant.why(), meant.why_in(language))));
    said
}

/// The texts of the case table.
fn cases() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise/tests/data/cases");
    let mut texts = BTreeSet::new();
    for file in fs::read_dir(folder).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            texts.extend(case["url"].as_str().map(str::to_owned));
        }
    }
    texts
}

/// What each kind of URL names, by the English sentences.
#[test]
fn the_sentence_about_every_kind_of_url_in_every_language() {
    let mut cases = cases();
    cases.extend("23456789TghsdP;:Mi+?".chars().map(|gtype| format!("gopher://h.dom/{gtype}x")));
    cases.insert("gopher://h.dom/1x%09%09+%09%0D%0Aa%09b".to_owned());
    for language in Language::ALL.iter().filter(|language| **language != Language::En) {
        let mut said = BTreeSet::new();
        for text in &cases {
            let explanation = Explanation::of(text.as_bytes(), None, true);
            let readings = explanation.readings();
            for reading in [Some(readings.judged()), readings.other()].into_iter().flatten() {
                let sentence = explanation.meaning_in(reading, 2000, *language);
                let both = explanation.meaning(reading, 2000).zip(sentence);
                said.extend(both.map(|(english, sentence)| format!("{english}\n  {sentence}\n")));
            }
        }
        assert!(said.len() > 300, "{}", said.len());
        holds(&format!("sentences.{}.txt", language.tag()), said.into_iter().collect());
    }
}

/// Texts whose explanations say, all together, everything that is said.
const EXPLAINED: &[&str] = &[
    "",
    "ftp://jim:s3cret@host.dom:2121/%2Fetc//motd;type=a",
    "ftp://host.dom:21/a/b/c/d/e/f;type=d",
    "ftp://:@host.dom/a/a/a/a/motd;type=i",
    "http://host.dom/a b c",
    "http://user:s3cret@host.dom/",
    "www.host.dom/a",
    "http//host.dom",
    "<http://host.dom/>",
    "URL:ftp://host.dom/\u{3002}",
    "http://host.dom/a#b",
    "gopher://host.dom/0a#b",
    "http://good.example\\@evil.example/",
    "gopher://host.dom:25/0a%0D%0AHELO%20x",
    "ftp://user?@127.0.0.1/a%00",
    "https://host.dom/",
    "https://h/{a}",
    "telnets://joe@host.dom/",
    "x-foo://host.dom/",
    "c:\\dir\\file",
    "file:///etc/motd",
    "news:comp.lang.c",
    "mailto:joe@host.dom",
    "prospero://host.dom//pros/name;a=b",
    "wais://host.dom/db?words",
    "http://h/\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a\u{e9}a",
    "http://h/\u{e9} \\{^|`<\"",
    "http://[h]:x/%zz",
];

/// What is drawn of some texts, and said of their pictures.
#[test]
fn explanations_in_every_language() {
    let client = Client::new(Options::default());
    for language in Language::ALL.iter().filter(|language| **language != Language::En) {
        let look = Look { width: 72, language: *language, ..Look::default() };
        let mut text = String::new();
        let long = [&"ftp://h/".to_owned(), &"a/".repeat(400), &"b".repeat(400)].map(String::as_str).concat();
        for explained in EXPLAINED.iter().copied().chain([long.as_str()]) {
            let explanation = Explanation::of(explained.as_bytes(), None, false);
            text += &explanation.text(look, 2, &explanation.dialogue_in(&client, *language));
            #[cfg(feature = "serve")]
            if let Some((before, _)) = explanation.svg_in(*language).split_once("<style") {
                text += &before[before.find(" lang=").unwrap()..];
                text += "\n\n";
            }
        }
        holds(&format!("explanations.{}.txt", language.tag()), text);
    }
}

/// What pages that are files say, a line for each piece of text.
#[cfg(feature = "serve")]
#[test]
fn pages_in_every_language() {
    let client = Client::new(Options::default());
    for language in Language::ALL.iter().filter(|language| **language != Language::En) {
        let mut text = String::new();
        for explained in EXPLAINED {
            let page = urlwise_serve::explanation_in(explained.as_bytes(), None, &client, *language);
            let (_, body) = page.split_once("<body>").unwrap();
            // The dialogue is held with the explanations.
            let body = body.split("<section aria-labelledby=\"dialogue\">").next().unwrap();
            let pieces = body.split('<').filter_map(|piece| Some(piece.split_once('>')?.1));
            for piece in pieces.filter(|piece| !piece.trim().is_empty()) {
                text += piece;
                text += "\n";
            }
            text += "\n";
        }
        holds(&format!("pages.{}.txt", language.tag()), text);
    }
}

/// Addresses of names that the guard refuses, one of each class.
const ADDRESSES: &[&[&str]] = &[
    &[],
    &["10.0.0.1"],
    &["192.0.2.1"],
    &["198.18.0.1"],
    &["0.0.0.0"],
    &["224.0.0.1"],
    &["255.255.255.255"],
    &["250.0.0.1"],
    &["100.64.0.1"],
    &["169.254.0.1"],
];

/// Texts that readers read differently or the guard refuses, besides the vectors.
const ODD: &[&str] = &[
    "x:",
    "http://localhost/",
    "http://metadata.google.internal/",
    "http://a.good.example/",
    "http://h:0/",
    "ftp://@h.dom/",
    "gopher://h.dom/0a?b",
    "http://h.dom/a b",
    "http://h.dom/a|b",
    "http://[::ffff:1.2.3.4]/",
    "h.dom:80",
    "url:http://h.dom/",
];

/// What is said of texts that readers read differently, and why the guard refuses them, by the English texts.
#[test]
fn readings_in_every_language() {
    let name = |text: &str| text.parse::<HostName>().unwrap();
    let texts: Vec<_> =
        vectors(&name("good.example"), &name("evil.example")).map(|one| one.text().to_owned()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).chain(ODD.iter().copied()).collect();
    let guards = [
        Guard::new(),
        Guard::new().readers(&[Reader::Whatwg]),
        Guard::new().readers(&[Reader::Curl]).allow_hosts(["good.example".parse().unwrap()]),
    ];
    let names: Vec<_> = ["a", "\u{e9}.example"].iter().filter_map(|text| text.parse::<HostName>().err()).collect();
    let patterns = [
        "*.1.2.3.4",
        "a:80",
        "a*.b",
        "127.1",
        "[x]",
        "[::1%25a]",
        "-a.b",
        "",
        "1.2.3",
        "\u{e9}",
        "a b",
        "<a",
        "a&b",
        "\"a",
    ];
    let patterns: Vec<_> = patterns.iter().filter_map(|text| text.parse::<HostPattern>().err()).collect();
    assert_eq!((names.len(), patterns.len()), (2, 14));
    for language in Language::ALL.iter().copied().filter(|language| *language != Language::En) {
        let mut said = BTreeSet::new();
        for text in &texts {
            for readers in [Reader::STANDARDS, Reader::ALL, &[Reader::Go]] {
                let readings = Readings::by(text.as_bytes(), Profile::Rfc1738, readers);
                said.insert(pair(language, |language| readings.sentence().message_in(language)));
                if let Some(cause) = readings.cause() {
                    said.insert(pair(language, |language| cause.why_in(language)));
                    said.insert(pair(language, |language| cause.help_in(language)));
                }
                let url = Profile::ALL.iter().find_map(|profile| Url::parse_with(*text, *profile).ok());
                if let Some(found) = url.and_then(|url| urlwise_readings::finding_by(&url, readers)) {
                    said.insert(pair(language, |language| found.message_in(language).to_string()));
                    said.insert(pair(language, |language| found.help_in(language).to_string()));
                }
            }
            if let Some(link) = urlwise_readings::disagreement(text.as_bytes(), Profile::Rfc1738) {
                said.insert(pair(language, |language| link.in_language(language).to_string()));
            }
            for reason in guards.iter().flat_map(|guard| guard.check(text.as_bytes()).reasons().to_vec()) {
                said.insert(pair(language, |language| reason.display_in(language).to_string()));
            }
        }
        for addresses in ADDRESSES {
            let addresses: Vec<_> = addresses.iter().map(|address| address.parse().unwrap()).collect();
            let verdict = Guard::new().check_resolved(b"http://h.example/", |_, _| Ok::<_, String>(addresses));
            said.insert(pair(language, |language| verdict.reasons()[0].display_in(language).to_string()));
        }
        said.extend(ReasonCode::ALL.iter().map(|code| pair(language, |language| code.about_in(language))));
        said.extend(names.iter().map(|error| pair(language, |language| error.message_in(language))));
        said.extend(patterns.iter().map(|error| pair(language, |language| error.message_in(language).to_string())));
        holds(&format!("readings.{}.txt", language.tag()), distinct(said));
    }
}

/// What is said of the repair of each broken text.
#[test]
fn what_was_meant_in_every_language() {
    let broken = include_str!("../../urlwise/tests/data/broken.tsv");
    let more = ["ftp://joe:s3cr et@host.dom/", "URL:ftp://joe:s3cret@host.dom/", "https://h/{a}", "//a.dom\\@b.dom/"];
    let texts = broken.lines().filter_map(|line| line.split('\t').nth(1)).chain(more);
    let texts: BTreeSet<_> = texts.collect();
    for language in Language::ALL.iter().copied().filter(|language| *language != Language::En) {
        let mut said = BTreeSet::new();
        for text in &texts {
            let meant = Meant::of(text.as_bytes(), Profile::Rfc1738, false).by(&[Reader::Curl, Reader::Go]);
            said.insert(pair(language, |language| meant.line_in(language).unwrap_or_default()));
            said.insert(pair(language, |language| meant.objection_line_in(&[], language).unwrap_or_default()));
            if let Some(refused) = meant.refused() {
                said.insert(pair(language, |language| refusal_in(b"x", refused, &meant, language)));
            }
            let look = |language| Look { language, width: 120, ..Look::default() };
            let help = |meant: &Meant<'_>, language| meant.help(&[], look(language)).map(|help| help.text);
            said.insert(pair(language, |language| help(&meant, language).unwrap_or_default()));
            // What was diagnosed before is not read again, and means the same.
            let diagnosis = urlwise::diagnose(text, Profile::Rfc1738);
            let diagnosed = Meant::of_diagnosis(&diagnosis, false).by(&[Reader::Curl, Reader::Go]);
            assert_eq!(help(&diagnosed, language), help(&meant, language), "{text}");
        }
        for (more, are_all) in [(1, true), (2, true), (1, false), (2, false)] {
            said.insert(pair(language, |language| snippets::places_in(more, are_all, language)));
        }
        holds(&format!("meant.{}.txt", language.tag()), distinct(said));
    }
}

/// Every message and help about the texts of the case table and of the table of broken texts.
#[test]
fn every_message_in_every_language() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlwise/tests/data");
    let mut texts = cases();
    let broken = fs::read_to_string(data.join("broken.tsv")).unwrap();
    texts.extend(broken.lines().filter_map(|line| line.split('\t').nth(1)).map(str::to_owned));
    for language in Language::ALL.iter().filter(|language| **language != Language::En) {
        let mut said = BTreeSet::new();
        for text in &texts {
            for profile in Profile::ALL {
                for problem in urlwise::diagnose(text, *profile).problems() {
                    said.insert(format!("{}\n  {}\n", problem.message(), problem.message_in(*language)));
                    let helps = problem.help().zip(problem.help_in(*language));
                    said.extend(helps.map(|(english, help)| format!("{english}\n  {help}\n")));
                }
                said.extend(findings(text, *profile, *language));
                said.extend(repairs(text, *profile, *language));
            }
        }
        assert!(said.len() > 300, "{}", said.len());
        holds(&format!("messages.{}.txt", language.tag()), said.into_iter().collect());
    }
}

/// What the commands that open URLs say, without any server. `HERE` is the folder, in which they run one after the other.
#[cfg(all(feature = "serve", target_os = "linux"))]
#[rustfmt::skip]
const OPENED: &[&[&str]] = &[
    &["get", "http:///"],
    &["get", "--head", "--insecure", "ftp://h.dom/a#b"],
    &["get", "http://h.dom:25/"],
    &["get", "news:comp.infosystems"],
    &["get", "--answer", "name=joe", "gopher://h.dom/"],
    &["get", "--output", "new", "telnet://h.dom/"],
    &["get", "--output", "new", "file://localhostHERE/site/"],
    &["get", "--output", "new", "file://localhostHERE/hello", "file://localhostHERE/hello"],
    &["get", "--output", "hello", "file://localhostHERE/longer"],
    &["get", "--output", "hello", "--continue", "file://localhostHERE/hello"],
    &["get", "--output", "hello", "--continue", "file://localhostHERE/longer"],
    &["get", "--output", "hello", "--continue", "--trust-partial", "file://localhostHERE/longer"],
    &["get", "--output", "left", "file://localhostHERE/hello"],
    &["get", "--output", "left", "--continue", "file://localhostHERE/hello"],
    &["get", "--output", "left", "--continue", "--trust-partial", "file://localhostHERE/hello"],
    &["get", "--send", "mailto:joe@h.dom"],
    &["get", "--send", "--from", "jim@h.dom", "mailto:joe@h.dom"],
    &["get", "--send", "--from", "jim@h.dom", "--sendmail=no-such-program", "mailto:joe@h.dom"],
    &["get", "--send", "--from", "jim@h.dom", "--mail-server", "smtp://h.dom", "http://h.dom/"],
    &["get", "--send", "--from", "jim", "mailto:joe@h.dom"],
    &["get", "--to", "joe@h.dom", "--gateway", "mailto=http://h.dom/{url}", "mailto:jim@h.dom"],
    &["get", "--gateway", "wais", "wais://h.dom/db"],
    &["get", "--user", "joe:s3cret", "http://h.dom/"],
    &["get", "--recursive", "--output-dir", "tree", "mailto:joe@h.dom"],
    &["get", "--recursive", "--output-dir", "tree", "--max-files", "1", "file://localhostHERE/site/"],
    &["get", "--json", "http:///"],
    &["ls", "mailto:joe@h.dom"],
    &["serve", "--no-browser", "--user", "joe"],
    &["register", "http"],
    &["register"],
    &["unregister", "--dry-run"],
];

#[test]
#[cfg(all(feature = "serve", target_os = "linux"))]
fn what_commands_that_open_urls_say_in_every_language() {
    let said = |language: Language| {
        let tree = Tree::new(&format!("golden-opened-{}", language.tag()));
        let tree = tree.with("hello", "hello\n").with("longer", "hello, world\n").with("left.part", "hel");
        let tree = tree.with("site/a", "a").with("site/b", "b");
        let here = fs::canonicalize(tree.path("")).unwrap().to_str().unwrap().trim_end_matches('/').to_owned();
        let mut text = String::new();
        for command in OPENED {
            let arguments: Vec<_> = command.iter().map(|argument| argument.replace("HERE", &here)).collect();
            let mut program = tree.program(&["--lang", language.tag()]);
            program.args(arguments).env_remove("NNTPSERVER");
            let ran = Ran::from(program.output().unwrap());
            let shown = [ran.stdout, ran.stderr].concat().replace(&here, "HERE");
            text += &format!("$ urlwise {}\n{shown}[{}]\n\n", command.join(" "), ran.status);
        }
        text
    };
    let seconds = |text: String| text.lines().map(without_seconds).collect::<String>();
    for language in Language::ALL {
        holds(&format!("opened.{}.txt", language.tag()), seconds(said(*language)));
    }
}

/// A line without the time that a command took.
#[cfg(all(feature = "serve", target_os = "linux"))]
fn without_seconds(line: &str) -> String {
    match line.split_once("\"seconds\":") {
        Some((before, after)) => format!("{before}\"seconds\":0{}\n", &after[after.find(',').unwrap()..]),
        None => format!("{line}\n"),
    }
}

#[test]
fn every_code_and_rule() {
    let mut text = String::new();
    for code in urlwise::problem_codes() {
        let [strict, current] = [Profile::Rfc1738, Profile::Current].map(|profile| code.level(profile));
        let source = [Some(code.section), code.decision].into_iter().flatten().collect::<Vec<_>>().join(", ");
        text += &format!("{}: {strict}, {current} ({source})\n  {}\n  {}\n", code.code, code.message, code.help);
    }
    for rule in urlwise::audit::RULES {
        text += &format!("\n{rule}");
    }
    holds("codes.txt", text);
}

/// Every URL of the case table under both profiles.
#[test]
fn the_sentence_about_every_kind_of_url() {
    let urls = cases().into_iter().filter(|url| !url.contains('\0'));
    let tree = Tree::new("golden").with("urls", urls.map(|url| format!("{url}\0")).collect::<String>());
    let mut text = String::new();
    let mut count = 0;
    for line in tree.run(&["explain", "--json", "--show-secrets", "-0f", "urls"]).json() {
        let readings = line["readings"].as_array().unwrap();
        let sentences: BTreeSet<_> = readings.iter().filter_map(|reading| reading["meaning"].as_str()).collect();
        count += sentences.len();
        for sentence in sentences {
            text += &format!("{}\n  {sentence}\n", line["url"].as_str().unwrap().escape_debug());
        }
    }
    assert!(count > 500, "{count}");
    holds("sentences.txt", text);
}

/// Every text of the table of broken texts: its problems, and its repaired URL or why there is none.
#[test]
fn what_is_said_of_every_broken_text() {
    let table = include_str!("../../urlwise/tests/data/broken.tsv");
    let mut texts = BTreeSet::new();
    // Texts whose escapes are written out are held to their answers by other tests.
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    texts.extend(rows.map(|row| row[1].to_owned()).filter(|text| !text.contains('\\')));
    let tree =
        Tree::new("golden-broken").with("texts", texts.iter().map(|text| format!("{text}\0")).collect::<String>());
    let mut text = String::new();
    for line in tree.run(&["explain", "--json", "--show-secrets", "-0f", "texts"]).json() {
        text += &format!("{}\n", line["url"].as_str().unwrap());
        for problem in line["problems"].as_array().unwrap() {
            let said = |field: &str| problem[field].as_str().unwrap_or_default().to_owned();
            let source = [said("section"), said("decision")].join(" ");
            text += &format!("  {}[{}] {source}: {}; {}\n", said("level"), said("code"), said("message"), said("help"));
        }
        if let Some(url) = line["repaired"].as_str() {
            text += &format!("  repaired: {url}\n");
        }
        if let Some(refused) = line["refused"].as_object() {
            let said = |field: &str| refused[field].as_str().unwrap_or_default().to_owned();
            let source = [said("section"), said("decision")].join(" ");
            text += &format!("  refused[{}] {source}: {}; {}\n", said("code"), said("message"), said("help"));
        }
        for suggestion in line["suggestions"].as_array().unwrap() {
            let said = |field: &str| suggestion[field].as_str().unwrap().to_owned();
            text += &format!("  suggested: {} ({}): {}\n", said("url"), said("profile"), said("why"));
        }
    }
    holds("broken.txt", text);
}
