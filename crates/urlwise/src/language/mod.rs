//! The languages of messages.
//!
//! English stands in the code. Every other language is a folder of tables here, one file per subject: a row begins with the code of
//! its problem, or with the English text. A row that is missing, or whose placeholders are not those of the English text, does not
//! compile.

mod choice;
mod columns;
mod composed;
pub(crate) mod ja;
mod packed;
pub(crate) mod zh;

pub use choice::Language;
pub use columns::{FilledWords, Words};
pub(crate) use columns::{RuleTexts, fill, problem, rule};
pub use composed::{Message, MessageValue};

crate::define_words!($ crate::language);

#[cfg(test)]
mod tests {
    use super::{Language, ja, zh};
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::string::{String, ToString};
    use std::vec::Vec;

    /// A text of the tables: in English, and in another language.
    type Pair = (String, &'static str);

    fn pairs(
        problems: &[(&str, &'static str, &'static str)],
        rules: &[(&str, [&'static str; 4])],
        phrases: &[&[(&str, &'static str)]],
    ) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (id, translated) in rules {
            let rule = crate::audit::rule(id).unwrap_or_else(|| panic!("no rule is {id}"));
            let [message, help] = rule.templates_in(Language::En);
            let en = [rule.when, &message, &help, rule.page].map(str::to_string);
            pairs.extend(en.into_iter().zip(translated.iter().copied()));
        }
        for &(code, message, help) in problems {
            let row =
                crate::problem_codes().find(|row| row.code == code).unwrap_or_else(|| panic!("no code is {code}"));
            pairs.extend([(row.message.to_string(), message), (row.help.to_string(), help)]);
        }
        pairs.extend(phrases.iter().copied().flatten().map(|(en, text)| (en.to_string(), *text)));
        pairs
    }

    fn japanese() -> Vec<Pair> {
        pairs(ja::PROBLEMS, ja::RULES, ja::PHRASES)
    }

    fn chinese() -> Vec<Pair> {
        pairs(zh::PROBLEMS, zh::RULES, zh::PHRASES)
    }

    /// A text without the code in backticks and without placeholders, each of which becomes a `_`.
    fn plain(text: &str) -> String {
        let words =
            text.split('`').enumerate().map(|(i, piece)| if i % 2 == 1 { "_" } else { piece }).collect::<String>();
        let mut pieces = words.split('{');
        let mut plain = pieces.next().unwrap_or_default().to_string();
        for piece in pieces {
            plain += "_";
            plain += piece.split_once('}').map_or("", |(_, behind)| behind);
        }
        plain
    }

    fn is_wide(c: char) -> bool {
        matches!(c, '\u{3000}'..='\u{9FFF}' | '\u{FF00}'..='\u{FFEF}')
    }

    #[test]
    fn punctuation_is_wide_and_nothing_is_spaced() {
        for (en, text) in japanese().iter().chain(&chinese()) {
            let plain: Vec<char> = plain(text).chars().collect();
            for pair in plain.windows(2) {
                let is_edge = is_wide(pair[0]) != is_wide(pair[1]);
                let is_narrow = pair.iter().any(|c| " ,.;:!?()".contains(*c));
                assert!(!is_edge || !is_narrow, "{text}");
            }
            assert_eq!(text.ends_with(['。', '.']) && *text != "。", en.ends_with('.') && *en != " ...", "{text}");
        }
    }

    #[test]
    fn japanese_is_plain_and_chinese_is_simplified() {
        for (_, text) in japanese() {
            for polite in ["です", "ます", "ません", "ください", "でしょう"] {
                assert!(!text.contains(polite), "{text}");
            }
            assert!(!plain(text).contains(['；', '，']), "{text}");
        }
        for (_, text) in chinese() {
            assert!(!text.contains(|c| matches!(c, '\u{3040}'..='\u{30FF}' | '「' | '」')), "{text}");
            let traditional = "們個這來說時為與從機檔網頁號碼類選擇轉義變數據庫單雙開關閉錯誤執請輸長負責語連結處當區種層組織號傳統該應試對話";
            assert!(!text.contains(|c| traditional.contains(c)), "{text}");
        }
    }

    /// What is the same in every language and is not written in backticks.
    const NAMES: &[&str] = &[
        "http",
        "ftp",
        "gopher",
        "mailto",
        "news",
        "nntp",
        "telnet",
        "wais",
        "file",
        "prospero",
        "finger",
        "hsoname",
        "cwd",
        "wtype",
        "wpath",
        "url-path",
        "url-",
        "localhost",
        "subject",
        "body",
        "memcached",
        "shell",
        "x",
    ];

    /// What the pages of audit rules quote without backticks: URLs, commands and names of programs.
    #[rustfmt::skip]
    const NAMES_OF_PAGES: &[&str] = &[
        "flushall", "get", "set", "user", "group", "ls", "etc", "motd", "host", "inner", "dom", "joe", "relay", "dev", "xn--", "a", "b",
        "https", "urlwise-open", "freeWAIS",
    ];

    #[test]
    fn no_english_word_is_left() {
        for (en, text) in japanese().iter().chain(&chinese()) {
            let plain = plain(text);
            let words = plain.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            for word in words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())) {
                let is_name = NAMES.contains(&word) || (en.ends_with('.') && NAMES_OF_PAGES.contains(&word));
                assert!(is_name, "{word} in {text}, which is {en}");
            }
        }
    }

    #[test]
    fn code_in_backticks_is_the_same_in_every_language() {
        for (en, text) in japanese().iter().chain(&chinese()) {
            let code =
                |text: &str| -> BTreeSet<String> { text.split('`').skip(1).step_by(2).map(str::to_string).collect() };
            assert_eq!(code(text), code(en), "{text}");
        }
    }

    fn source() -> String {
        fn files(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).expect("it is our source") {
                let path = entry.expect("it is our source").path();
                match path.is_dir() {
                    true if path.ends_with("language") => {}
                    true => files(&path, found),
                    false => found.push(path),
                }
            }
        }
        let mut found = Vec::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        let text: String = found.iter().map(|path| fs::read_to_string(path).expect("it is our source")).collect();
        // Long texts are written on several lines.
        text.split("\\\n").map(str::trim_start).collect()
    }

    #[test]
    fn no_translation_is_left_behind() {
        let source = source();
        for (table, name) in [(ja::PHRASES, "ja"), (zh::PHRASES, "zh")] {
            let mut seen = BTreeSet::new();
            for (en, _) in table.iter().copied().flatten() {
                let written = en.replace('\\', "\\\\").replace('"', "\\\"");
                assert!(
                    source.contains(&std::format!("\"{written}\"")),
                    "{name} translates {en:?}, which nothing says"
                );
                assert!(seen.insert(en), "{name} translates {en:?} twice");
            }
        }
        for table in [ja::PROBLEMS, zh::PROBLEMS] {
            let codes: Vec<_> = table.iter().map(|row| row.0).collect();
            assert_eq!(codes, crate::problem_codes().map(|row| row.code).collect::<Vec<_>>());
        }
        for table in [ja::RULES, zh::RULES] {
            let ids: Vec<_> = table.iter().map(|row| row.0).collect();
            assert_eq!(ids, crate::audit::RULES.iter().map(|rule| rule.id).collect::<Vec<_>>());
        }
    }

    /// The rows of the glossary: English terms, Japanese, Chinese.
    fn terms() -> Vec<[String; 3]> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/glossary.md");
        let glossary = fs::read_to_string(path).expect("it is our glossary");
        let (_, table) =
            glossary.split_once("| English | Japanese | Chinese |\n|---|---|---|\n").expect("there is a table");
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        let cells =
            |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
        rows.map(|line| cells(line).try_into().expect("rows have three cells")).collect()
    }

    /// Whether a term stands in an English text as a word, in the singular or plural.
    fn says(en: &str, term: &str) -> bool {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-');
        en.match_indices(term).any(|(at, _)| {
            let behind = en[at + term.len()..].strip_prefix('s').unwrap_or(&en[at + term.len()..]);
            !is_word(en[..at].chars().next_back()) && !is_word(behind.chars().next())
        })
    }

    /// English terms in another sense, and the texts that they stand in.
    const FREE: &[(&str, &str)] = &[
        ("host", "Each segment of an ftp path"),   // in an example
        ("escape", "RFC 1738 gives `.` and `..`"), // to leave a directory
        ("article", "Section 6 speaks of"),        // a command
    ];

    #[test]
    fn one_term_stands_for_one_thing() {
        let terms = terms();
        assert!(terms.len() > 40, "{}", terms.len());
        let mut wrong = Vec::new();
        for (pairs, column) in [(japanese(), 1), (chinese(), 2)] {
            for (en, text) in pairs {
                let mut rest = plain(&en).to_ascii_lowercase();
                // Longer terms come first: a host name is not a host.
                for term in &terms {
                    if !says(&rest, &term[0]) {
                        continue;
                    }
                    rest = rest.replace(&term[0], "_");
                    let is_said = term[column].split(", ").any(|word| text.contains(word));
                    let is_free = FREE.iter().any(|(free, start)| *free == term[0] && en.starts_with(start));
                    if !is_said && !is_free {
                        wrong.push(std::format!("{}: {en:?} is {text:?}, without {}", term[0], term[column]));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
