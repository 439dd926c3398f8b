//! The language of messages: how it is chosen, and what it changes.

#![allow(clippy::unwrap_used, reason = "a program that cannot be run must stop the test")]

mod support;

use serde_json::Value;
use support::{Ran, Tree};

/// The heading of a problem in each language.
const EN: &str = "error[host-empty]: the host is missing";
const JA: &str = "エラー[host-empty]：ホストがない";
const ZH: &str = "错误[host-empty]：缺少主机";

/// A run with these variables and no others that choose a language.
fn run(variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
    // Tests run at the same time, each in its own folder.
    let tree = Tree::new(&format!("languages-{:?}", std::thread::current().id()));
    let mut program = tree.program(arguments);
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        program.env_remove(variable);
    }
    Ran::from(program.envs(variables.iter().copied()).output().unwrap())
}

/// The language that `check` speaks.
fn spoken(variables: &[(&str, &str)], options: &[&str]) -> &'static str {
    let ran = run(variables, &[&["check", "--url", "http:///"], options].concat());
    let headings = [EN, JA, ZH].map(|heading| heading.split([':', '：']).nth(1).unwrap().trim());
    let said = headings.iter().zip(["en", "ja", "zh"]).filter(|(heading, _)| ran.stdout.contains(**heading));
    let said: Vec<_> = said.map(|(_, tag)| tag).collect();
    assert_eq!(said.len(), 1, "{variables:?} {options:?}: {}{}", ran.stdout, ran.stderr);
    said[0]
}

#[test]
fn the_first_variable_that_is_set_and_not_empty_chooses() {
    for (variables, language) in [
        (&[][..], "en"),
        (&[("LANG", "ja_JP.UTF-8")], "ja"),
        (&[("LANG", "zh_CN.UTF-8")], "zh"),
        (&[("LANG", "zh_TW.UTF-8")], "zh"),
        (&[("LANG", "zh")], "zh"),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_MESSAGES", "zh_CN.UTF-8")], "zh"),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_MESSAGES", "")], "ja"),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_MESSAGES", "zh_CN.UTF-8"), ("LC_ALL", "C.UTF-8")], "en"),
        (&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", ""), ("LC_MESSAGES", "ja_JP.UTF-8@x")], "ja"),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")], "en"),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "POSIX")], "en"),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "fr_FR.UTF-8")], "en"),
        (&[("LANG", "ja_JP.eucJP")], "en"),
        (&[("LANG", "\u{1b}[31m")], "en"),
    ] {
        assert_eq!(spoken(variables, &[]), language, "{variables:?}");
    }
}

#[test]
fn the_option_comes_before_the_locale() {
    let locale = &[("LC_ALL", "ja_JP.UTF-8")];
    for language in ["en", "ja", "zh"] {
        assert_eq!(spoken(locale, &["--lang", language]), language);
    }
    let ran = run(&[], &["--lang", "tlh", "check"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("invalid value 'tlh'") && ran.stderr.contains("[possible values: en, ja, zh]"));
}

#[test]
fn what_programs_read_is_in_english_unless_an_option_says_otherwise() {
    let locale = &[("LC_ALL", "ja_JP.UTF-8")];
    for format in ["json", "sarif", "github", "junit"] {
        assert_eq!(spoken(locale, &["--format", format]), "en", "{format}");
        assert_eq!(spoken(locale, &["--format", format, "--lang", "zh"]), "zh", "{format}");
    }
    for format in ["human", "markdown"] {
        assert_eq!(spoken(locale, &["--format", format]), "ja", "{format}");
    }
    assert_eq!(spoken(locale, &["--json"]), "en");
    assert_eq!(spoken(locale, &["--json", "--lang", "ja"]), "ja");
    for (options, message) in [(&[][..], "the host is missing"), (&["--lang", "ja"], "ホストがない")] {
        let ran = run(locale, &[&["explain", "--json", "http:///"], options].concat());
        assert_eq!(ran.json()[0]["problems"][0]["message"], message);
    }
}

#[test]
fn reasons_of_our_own_are_in_the_language_and_those_of_parsers_in_their_words() {
    let compared = run(&[], &["compare", "--lang", "ja", "http://a@b@c.dom/"]).stdout;
    assert!(compared.contains("RFC 1738は拒否する：最初の`/`の前に2つ目の`@`がある\n"), "{compared}");
    assert!(compared.contains("RFC 3986は拒否する：unexpected character"), "{compared}");
    let json = run(&[], &["compare", "--json", "--lang", "zh", "http://a@b@c.dom/"]).json();
    assert_eq!(json[0]["readings"]["rfc1738"]["error"], "第一个`/`之前有第二个`@`");
    let page = run(&[], &["explain", "--lang", "zh", "hosts-differ"]).stdout;
    assert!(page.contains("各解读方看到的主机不同"), "{page}");
    let page = run(&[], &["explain", "--lang", "ja", "redirect-downgrade"]).stdout;
    assert!(page.contains("（S-20、E-31）"), "{page}");
}

#[test]
fn tables_for_people_speak_and_what_programs_read_does_not() {
    let url = "ftp://joe@h.dom/?x";
    let table = run(&[], &["compare", "--lang", "ja", url]).stdout;
    // The marks and the names take 16 columns: the longest name is that of the fragment.
    assert!(table.contains("\n  ユーザ        joe ") && table.contains("\n* クエリ        <なし> "), "{table}");
    let vectors = run(&[], &["vectors", "--lang", "zh"]).stdout;
    let sentences: Vec<_> = vectors.lines().filter(|line| line.starts_with("    ")).collect();
    assert!(sentences.len() > 100 && sentences[0] == "    所有解读方一致", "{sentences:?}");
    assert!(!vectors.contains("reject") && !vectors.contains("read differently"));
    let parts = run(&[], &["parse", "--lang", "zh", url]).stdout;
    assert!(parts.contains("password  <absent>"), "{parts}");
}

/// An object without its sentences.
fn codes(mut value: Value) -> Value {
    match &mut value {
        Value::Object(object) => {
            object
                .retain(|name, _| !["message", "help", "why", "meaning", "sentence", "text"].contains(&name.as_str()));
            object.values_mut().for_each(|value| *value = codes(value.take()));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| *value = codes(value.take())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    value
}

#[test]
fn codes_and_exit_codes_are_the_same_in_every_language() {
    let urls = ["http:///", "http://h.dom:99999/", "mailto:a b", "gopher://h.dom/", "ftp://h.dom/a;type=x", "x"];
    for command in ["explain", "check", "repair", "parse", "normalize"] {
        let ask = |language: &str| {
            let mut arguments = vec![command, "--json", "--lang", language];
            if command == "check" {
                urls.iter().for_each(|url| arguments.extend(["--url", url]));
            } else {
                arguments.extend(urls);
            }
            let ran = run(&[], &arguments);
            (ran.status, ran.json().into_iter().map(codes).collect::<Vec<_>>())
        };
        let english = ask("en");
        assert!(command == "normalize" || english.1.len() >= 3, "{command}: {english:?}");
        for language in ["ja", "zh"] {
            assert_eq!(ask(language), english, "{command}");
        }
    }
}

/// Of five links to a server that refuses connections not every one is asked for, and the others say why.
#[test]
fn links_that_are_not_asked_for_say_why_in_the_language() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let page: String = (0..5).map(|n| format!("<a href=\"http://{closed}/{n}\">a</a>\n")).collect();
    let tree = Tree::new("links-in-languages").with("a.html", page);
    for (language, words) in [("ja", "別のリンクの結果により"), ("zh", "因另一个链接的结果")] {
        let ran = tree.run(&["check", "--open", "--allow", "local-from-public", "--lang", language, "a.html"]);
        assert!(ran.stdout.contains(words) && !ran.stdout.contains("not asked"), "{}{}", ran.stdout, ran.stderr);
    }
}

/// What programs read, such as `file:line:column` and the name of the program, keeps its own.
#[test]
fn the_colon_behind_headings_kinds_and_links_is_that_of_the_language() {
    let heading = |language: &str| run(&[], &["explain", "--lang", language, "http://h.dom:80x/"]).stdout;
    let tree = Tree::new("colons-in-languages").with("a.md", "[a](#b)\n");
    for (language, [error, note, help], link) in [
        ("en", ["error[port-char]: ", " = note: RFC 1738 section 3.1", " = help: "], "1:5  dead"),
        ("ja", ["エラー[port-char]：", " = 注記：RFC 1738の3.1節", " = ヘルプ："], "1:5  リンク切れ"),
        ("zh", ["错误[port-char]：", " = 说明：RFC 1738第3.1节", " = 帮助："], "1:5  失效"),
    ] {
        let drawn = heading(language);
        assert!([error, note, help].iter().all(|words| drawn.contains(words)), "{drawn}");
        let ran = tree.run(&["check", "--open", "--offline", "--lang", language, "a.md"]);
        let colon = if language == "en" { ": " } else { "：" };
        let line = ran.stdout.lines().find(|line| line.contains(link)).unwrap();
        assert!(line.contains(&format!("  #b{colon}")), "{line}");
    }
}
