//! Messages in other languages than English. What the tables hold is tested where they are.

#![cfg(all(feature = "ja", feature = "zh"))]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use urlwise::audit::{self, Audit, Provenance, Severity};
use urlwise::{
    ChangeKind, Citation, FilledWords, Language, Level, MessageValue, Problem, Profile, Scheme, Section, Url, Words,
    diagnose, problem_codes, registry::Reserved, repair, translated,
};

/// Every text of the tests that has problems.
fn texts() -> BTreeSet<String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut texts = BTreeSet::new();
    for file in fs::read_dir(data.join("cases")).expect("there are cases") {
        for line in fs::read_to_string(file.expect("there are cases").path()).expect("cases are text").lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("cases are JSON");
            texts.extend(case["url"].as_str().map(str::to_owned));
        }
    }
    let broken = fs::read_to_string(data.join("broken.tsv")).expect("there are broken texts");
    texts.extend(broken.lines().filter_map(|line| line.split('\t').nth(1)).map(str::to_owned));
    texts
}

fn each_problem(mut with: impl FnMut(&Problem<'_>)) {
    let texts = texts();
    assert!(texts.len() > 500, "{}", texts.len());
    for text in &texts {
        for profile in Profile::ALL {
            diagnose(text, *profile).problems().iter().for_each(&mut with);
        }
    }
}

/// A text without what is quoted or written in capitals, such as names of characters and BNF.
fn words(text: &str) -> Vec<&str> {
    let plain = text.split('`').step_by(2);
    let words = plain.flat_map(|piece| piece.split(|c: char| !c.is_ascii_alphanumeric() && c != '-'));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).collect()
}

/// What keeps its English name.
const NAMES: &[&str] = &[
    "http", "ftp", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero", "finger", "hsoname",
    "cwd", "wtype", "wpath", "url-path", "url-", "x", "https", "ftps", "gophers", "telnets", "nntps", "snews",
];

#[test]
fn a_message_holds_no_english_words_whatever_fills_it() {
    each_problem(|problem| {
        for language in [Language::Ja, Language::Zh] {
            let help = problem.help_in(language).map(|help| help.to_string()).unwrap_or_default();
            for text in [problem.message_in(language).to_string(), help] {
                let english: Vec<_> = words(&text).into_iter().filter(|word| !NAMES.contains(word)).collect();
                // Schemes are quoted from the text.
                assert!(english.is_empty() || problem.code() == "user-forbidden", "{}: {text}", problem.code());
            }
        }
    });
}

#[test]
fn each_language_helps_where_english_does_and_says_it_in_its_own_words() {
    each_problem(|problem| {
        assert_eq!(problem.message().to_string(), problem.message_in(Language::En).to_string());
        for language in [Language::Ja, Language::Zh] {
            assert_eq!(problem.help().is_some(), problem.help_in(language).is_some());
            assert_ne!(problem.message().to_string(), problem.message_in(language).to_string());
        }
    });
}

#[test]
fn octets_are_listed_as_each_language_lists_them() {
    let message = |text: &str, language: Language| {
        let diagnosis = diagnose(text, Profile::Rfc1738);
        diagnosis.problems()[0].message_in(language).to_string()
    };
    assert_eq!(message("http://host.dom/a b", Language::Ja), "スペース（20）はhttpのパスでは使えない");
    assert_eq!(message("http://host.dom/a b", Language::Zh), "http路径中不允许出现空格（20）");
    for (text, english, japanese, chinese) in [
        ("ho^st|", "`^` (5E) and `|` (7C) are", "`^`（5E）と`|`（7C）は", "`^`（5E）和`|`（7C）"),
        (
            "h^|{",
            "`^` (5E), `|` (7C) and `{` (7B) are",
            "`^`（5E）、`|`（7C）、`{`（7B）は",
            "`^`（5E）、`|`（7C）和`{`（7B）",
        ),
        (
            "h^|{}",
            "`^` (5E), `|` (7C), `{` (7B) and others are",
            "`^`（5E）、`|`（7C）、`{`（7B）などは",
            "`^`（5E）、`|`（7C）、`{`（7B）等",
        ),
        ("h\u{200b}", "ZERO WIDTH SPACE (U+200B) is", "ZERO WIDTH SPACE（U+200B）は", "ZERO WIDTH SPACE（U+200B）"),
    ] {
        let url = format!("http://{text}/");
        assert_eq!(message(&url, Language::En), format!("{english} not allowed in a host"));
        assert_eq!(message(&url, Language::Ja), format!("{japanese}ホストでは使えない"));
        assert_eq!(message(&url, Language::Zh), format!("主机中不允许出现{chinese}"));
    }
}

#[test]
fn a_password_is_masked_in_every_language() {
    for language in Language::ALL {
        let diagnosis = diagnose("ftp://joe:s3 cret@host.dom/", Profile::Rfc1738);
        for problem in diagnosis.problems() {
            let said = problem.message_in(*language).to_string() + &problem.help_in(*language).unwrap().to_string();
            assert!(!said.contains("(20)") && !said.contains("（20）") && !said.contains("%20"), "{said}");
        }
        assert_eq!(diagnosis.problems().len(), 1);
    }
}

#[test]
fn sections_and_levels_are_named_in_each_language() {
    let said = |language| {
        let section =
            [Section("2.2"), Section("Appendix"), Section("RFC 1288")].map(|s| s.display_in(language).to_string());
        let citation = Citation::new("2.2", Some("D-10")).display_in(language);
        format!("{} | {citation:>12} | {}", section.join(" "), Level::Note.name_in(language))
    };
    assert_eq!(said(Language::En), "section 2.2 Appendix RFC 1288 | section 2.2, D-10 | note");
    assert_eq!(said(Language::Ja), "2.2節 付録 RFC 1288 |    2.2節、D-10 | 注記");
    assert_eq!(said(Language::Zh), "第2.2节 附录 RFC 1288 |   第2.2节、D-10 | 说明");
}

#[test]
fn a_language_is_chosen_by_tag_or_locale() {
    for (tag, language) in [
        ("en", Some(Language::En)),
        ("JA", Some(Language::Ja)),
        ("ja-JP", Some(Language::Ja)),
        ("zh-Hant-TW", Some(Language::Zh)),
        ("jam", None),
        ("", None),
        ("C", None),
    ] {
        assert_eq!(Language::from_tag(tag), language, "{tag}");
    }
    for (locale, language) in [
        ("ja_JP.UTF-8", Language::Ja),
        ("ja_JP.utf8@modifier", Language::Ja),
        ("ja", Language::Ja),
        ("ja_JP.eucJP", Language::En),
        ("zh_TW.UTF-8", Language::Zh),
        ("zh_CN.GB18030", Language::En),
        ("C.UTF-8", Language::En),
        ("POSIX", Language::En),
        ("de_DE.UTF-8", Language::En),
        ("", Language::En),
    ] {
        assert_eq!(Language::from_locale(locale), language, "{locale}");
    }
    for language in Language::ALL {
        assert_eq!(Language::from_tag(language.tag()), Some(*language));
    }
    assert_eq!(
        Language::ALL.iter().map(|language| language.name()).collect::<Vec<_>>(),
        ["English", "日本語", "简体中文"]
    );
}

#[test]
fn a_finding_and_what_fills_it_are_said_in_each_language() {
    let said = |text: &str, code: &str, language| {
        let url = Url::parse(text).expect("it is valid");
        let findings = Audit::new().check(&url, Provenance::Given);
        let finding = findings.iter().find(|finding| finding.code() == code).expect("the rule fires");
        finding.message_in(language).to_string()
    };
    for (text, code, japanese, chinese) in [
        (
            "gopher://host.dom/0GET%20/",
            "gopher-verb",
            "このgopherのURLは`GET`で始まる行を送る。これはHTTPとmemcachedのコマンドである",
            "这个gopher URL会发送以`GET`开头的一行，这是HTTP和memcached的命令",
        ),
        (
            "http://host.dom:465/",
            "port-foreign",
            "ポート465はTLS上のSMTPのもので、そのサーバはhttpの要求を自分のコマンドとして読む",
            "端口465属于TLS上的SMTP，其服务器会把http请求当作自己的命令",
        ),
        (
            "http://xn--bcher-kva.dom/",
            "host-puny",
            "ラベル`xn--bcher-kva`は`b\u{fc}cher`を符号化したものである",
            "标签`xn--bcher-kva`是`b\u{fc}cher`的编码",
        ),
        (
            "wais://host.dom/a%40b",
            "wais-forward",
            "データベースに、`@`を表す`%40`がある。その後のホストに要求を転送するサーバがある",
            "数据库包含`%40`，即`@`：有些服务器把请求转发给其后的主机",
        ),
    ] {
        assert_eq!(said(text, code, Language::Ja), japanese);
        assert_eq!(said(text, code, Language::Zh), chinese);
    }
    assert_eq!(audit::CTL_CRLF.display_in(Language::En).to_string(), audit::CTL_CRLF.to_string());
    let page = audit::CTL_CRLF.display_in(Language::Ja).to_string();
    assert!(page.starts_with("E-05 ctl-crlf：高リスク（RFC 1738の6節）\nhttpのURLでは低\n"), "{page}");
    assert_eq!(Severity::Medium.name_in(Language::Zh), "中");
}

#[test]
fn a_repair_is_explained_in_each_language() {
    let repaired = repair("<http://host.dom/a b>", Profile::Rfc1738).expect("it has one reading");
    let changes = repaired.changes().iter();
    let said: Vec<_> = changes.map(|change| (change.kind(), change.message_in(Language::Ja))).collect();
    let wrapper = "`<`と`>`はURLを区切るもので、URLの一部ではない";
    assert_eq!(said[0], (ChangeKind::Removed, wrapper.into()));
    assert_eq!(ChangeKind::Inserted.name_in(Language::Zh), "插入");

    let refused = repair("http://host.dom/a\u{200b}b", Profile::Rfc1738).expect_err("the character may be meant");
    let said = "ZERO WIDTH SPACE（U+200B）：テキストの中に見えない文字がある";
    assert_eq!(refused.message_in(Language::Ja), said);
    assert_eq!(refused.help_in(Language::Zh).as_deref(), Some("删除它；如果它是名称的一部分，写成转义"));
    let meant: Vec<_> = refused.suggestions().iter().map(|suggestion| suggestion.why_in(Language::Zh)).collect();
    assert_eq!(meant, ["去掉不可见字符，把特殊空格换成普通空格"]);
}

#[test]
fn a_comparison_is_explained_in_each_language() {
    let compare = |a: &str, b: &str, language| {
        let [a, b] = [a, b].map(|text| Url::parse(text).expect("it is valid"));
        a.compare(&b).display_in(language).to_string()
    };
    let same = |language| compare("http://HOST.dom:80/%7Ejim", "http://host.dom/%7ejim", language);
    assert_eq!(
        same(Language::Ja),
        "同じ：ホストでは大文字と小文字を区別しない（3.1節、D-17）。スキームのデフォルトのポートは省略してもよい（3.1節）。\
            エスケープの16進数字では大文字と小文字を区別しない（2.2節、D-12）"
    );
    assert_eq!(compare("ftp://h.dom/a", "ftp://h.dom/a", Language::Zh), "相同：文本相同");
    let user = |language| compare("ftp://@host.dom/a", "ftp://host.dom/a", language);
    assert_eq!(
        user(Language::Ja),
        "ユーザが異なる：その部分は一方のURLにしかない。空の部分と存在しない部分は異なる（3.1節、D-24）"
    );
    assert_eq!(
        user(Language::En),
        "different in the user: only one of the URLs has the part; an empty part is not an absent one (section 3.1, D-24)"
    );
}

#[test]
fn each_text_of_a_table_is_there_in_every_language_and_its_own_word_is_the_english_one() {
    fn translated(what: &str, en: &str, get: impl Fn(Language) -> String) {
        assert_eq!(get(Language::En), en, "{what}");
        let is_filled_in = en.starts_with('{') && en.find('}') == Some(en.len() - 1);
        for language in [Language::Ja, Language::Zh] {
            let text = get(language);
            assert_eq!(text == en, en.is_empty() || is_filled_in, "{what} {language:?}: {text}");
            assert_eq!(text.is_empty(), en.is_empty(), "{what} {language:?}");
        }
    }
    for code in problem_codes() {
        translated(code.code, code.message, |language| code.message_in(language).into());
        assert_eq!(code.help_in(Language::En), code.help);
        assert!(Language::ALL.iter().all(|&language| code.help_in(language).is_empty() == code.help.is_empty()));
        if code.code == "slashes-missing" || code.code == "host-dot" {
            translated(code.code, code.help, |language| code.help_in(language).into());
        }
    }
    for rule in audit::RULES {
        translated(rule.id, rule.when, |language| rule.when_in(language).into());
        translated(rule.id, rule.page, |language| rule.page_in(language).into());
    }
    for scheme in Scheme::ALL {
        translated("title", scheme.title(), |language| scheme.title_in(language).into());
        for kind in scheme.parts() {
            let labels = Language::ALL.iter().map(|&language| kind.label_in(language));
            assert!(labels.clone().all(|label| !label.is_empty()) && kind.label_in(Language::En) == kind.label());
            assert!(kind.label() != "user" || labels.collect::<BTreeSet<_>>().len() == 3);
        }
    }
    for reserved in Reserved::ALL {
        translated(reserved.name, reserved.title, |language| reserved.title_in(language).into());
    }
    let (url, other) = (Url::parse("HTTP://H.dom/%61").unwrap(), Url::parse("http://h.dom:80/a").unwrap());
    let comparison = url.compare(&other);
    assert!(comparison.reasons().count() > 3);
    for reason in comparison.reasons() {
        translated(reason.code(), reason.message(), |language| reason.message_in(language).into());
    }
    let part = url.parts().find(|part| part.name() == "host").expect("there is a host");
    translated("host", part.label(), |language| part.label_in(language).into());
}

#[test]
fn words_are_displayed_in_english_and_as_wide_as_asked() {
    const LATE: Words = translated!("late", "\u{9045}\u{3044}", "\u{665a}");
    assert_eq!((format!("{LATE:6}|"), format!("{LATE:?}")), ("late  |".to_owned(), "\"late\"".to_owned()));
    const LATER: Words = translated!("{n} later", "{n}\u{5f8c}", "{n}\u{540e}");
    let filled = FilledWords { words: LATER, language: Language::Ja, values: [("n", &7)] };
    assert_eq!((filled.text(), filled.to_string()), ("7\u{5f8c}".to_owned(), "7\u{5f8c}".to_owned()));
    assert_eq!(format!("{:?} {:?}", MessageValue::from(7_u8), MessageValue::from(LATE)), "7 late");
    assert_eq!(LATER.filled(Language::Zh, |_, f| f.write_str("7")).to_string(), "7\u{540e}");
}

#[test]
fn words_are_the_same_only_if_they_are_in_every_language() {
    const LATE: Words = translated!("late", "\u{9045}\u{3044}", "\u{665a}");
    // The same in English, and as long.
    const DEAD: Words = translated!("late", "\u{6545}\u{4eba}", "\u{6545}");
    const SAME: Words = translated!("late", "\u{9045}\u{3044}", "\u{665a}");
    assert_eq!(LATE, SAME);
    assert_ne!(LATE, DEAD);
    // Other octets, not those of a constant.
    let copy: &'static str = String::from("late").leak();
    assert_eq!(Words::same("late"), Words::same(copy));
    assert_ne!(Words::same("late"), LATE);
    for (one, other) in [("late", "dead"), ("", "x"), ("x", ""), ("late", "later"), ("later", "late")] {
        assert_ne!(Words::same(one), Words::same(other), "{one:?} and {other:?}");
    }
    assert_eq!((Words::NONE, Words::same(String::new().leak())), (Words::same(""), Words::NONE));
}
