//! [`Words`]: a text in every language, checked by the compiler.

use core::fmt;

use super::choice::Language;
use super::{ja, zh};

/// A text of a table, in every language that is built in. `{name}` stands for what is filled in.
///
/// ```
/// use urlwise::{Language, Words};
///
/// static GREETING: Words = Words::new("hello, {name}", "{name}さん、こんにちは", "{name}，你好");
///
/// assert_eq!(GREETING.get(Language::En), "hello, {name}");
/// let greeting = GREETING.filled(Language::En, |name, f| f.write_str(if name == "name" { "joe" } else { "" }));
/// assert_eq!(greeting.to_string(), "hello, joe");
/// ```
///
/// Texts whose placeholders differ do not compile:
///
/// ```compile_fail
/// static GREETING: urlwise::Words = urlwise::Words::new("hello, {name}", "こんにちは", "{name}，你好");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    en: &'static str,
    #[cfg(feature = "ja")]
    ja: &'static str,
    #[cfg(feature = "zh")]
    zh: &'static str,
}

impl Words {
    /// The text in English, Japanese and Chinese.
    ///
    /// # Panics
    /// If not all have the same placeholders; in a `static` or `const` that is an error of compilation.
    #[allow(clippy::similar_names, reason = "they are the tags of languages")]
    pub const fn new(en: &'static str, ja: &'static str, zh: &'static str) -> Words {
        assert!(
            has_placeholders_of(en, ja) && has_placeholders_of(ja, en),
            "Japanese and English fill in different things"
        );
        assert!(
            has_placeholders_of(en, zh) && has_placeholders_of(zh, en),
            "Chinese and English fill in different things"
        );
        Words {
            en,
            #[cfg(feature = "ja")]
            ja,
            #[cfg(feature = "zh")]
            zh,
        }
    }

    /// A text that is the same in every language: code, or a name.
    pub const fn same(text: &'static str) -> Words {
        Words::new(text, text, text)
    }

    /// The text of a language.
    #[inline]
    pub const fn get(&self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            #[cfg(feature = "ja")]
            Language::Ja => self.ja,
            #[cfg(feature = "zh")]
            Language::Zh => self.zh,
        }
    }

    /// The English text.
    #[inline]
    pub const fn en(&self) -> &'static str {
        self.en
    }

    /// The text of a language, with each `{name}` written by `fill`.
    pub fn filled<F>(&self, language: Language, fill: F) -> impl fmt::Display + use<F>
    where
        F: Fn(&str, &mut fmt::Formatter<'_>) -> fmt::Result,
    {
        Filled { template: self.get(language), fill }
    }
}

struct Filled<F> {
    template: &'static str,
    fill: F,
}

impl<F: Fn(&str, &mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Filled<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fill(self.template, f, &self.fill)
    }
}

/// Writes a template; `{name}` is left to `fill`.
pub(crate) fn fill(
    template: &str,
    f: &mut fmt::Formatter<'_>,
    fill: impl Fn(&str, &mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        f.write_str(before)?;
        fill(name, f)?;
        rest = after;
    }
    f.write_str(rest)
}

/// The message and help of a problem code.
pub(crate) const fn problem(code: &str, message: &'static str, help: &'static str) -> [Words; 2] {
    let (ja, zh) = (row(ja::PROBLEMS, code), row(zh::PROBLEMS, code));
    [Words::new(message, ja.1, zh.1), Words::new(help, ja.2, zh.2)]
}

/// The texts of an audit rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RuleTexts {
    pub(crate) when: Words,
    pub(crate) message: Words,
    pub(crate) help: Words,
    pub(crate) page: Words,
}

/// The texts of an audit rule: when it applies, message, help and page.
pub(crate) const fn rule(id: &str, en: [&'static str; 4]) -> RuleTexts {
    let (ja, zh) = (rule_row(ja::RULES, id), rule_row(zh::RULES, id));
    RuleTexts {
        when: Words::new(en[0], ja[0], zh[0]),
        message: Words::new(en[1], ja[1], zh[1]),
        help: Words::new(en[2], ja[2], zh[2]),
        page: Words::new(en[3], ja[3], zh[3]),
    }
}

/// Any other text, by its English words.
pub(crate) const fn phrase(en: &'static str) -> Words {
    Words::new(en, translation(ja::PHRASES, en), translation(zh::PHRASES, en))
}

type ProblemRow = (&'static str, &'static str, &'static str);

const fn row(rows: &[ProblemRow], code: &str) -> ProblemRow {
    let mut i = 0;
    while i < rows.len() {
        if is_same(rows[i].0, code) {
            return rows[i];
        }
        i += 1;
    }
    panic!("a problem code has no translation")
}

const fn rule_row(rows: &[(&str, [&'static str; 4])], id: &str) -> [&'static str; 4] {
    let mut i = 0;
    while i < rows.len() {
        if is_same(rows[i].0, id) {
            return rows[i].1;
        }
        i += 1;
    }
    panic!("an audit rule has no translation")
}

const fn translation(tables: &[&[(&'static str, &'static str)]], en: &str) -> &'static str {
    let mut table = 0;
    while table < tables.len() {
        let mut i = 0;
        while i < tables[table].len() {
            if is_same(tables[table][i].0, en) {
                return tables[table][i].1;
            }
            i += 1;
        }
        table += 1;
    }
    panic!("a text has no translation")
}

const fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && is_at(a.as_bytes(), b.as_bytes(), 0)
}

/// Whether `part` stands in `text` at this place.
const fn is_at(part: &[u8], text: &[u8], at: usize) -> bool {
    if text.len() - at < part.len() {
        return false;
    }
    let mut i = 0;
    while i < part.len() {
        if part[i] != text[at + i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether each placeholder of `a` stands in `b`.
const fn has_placeholders_of(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut start = 0;
    while start < a.len() {
        if a[start] != b'{' {
            start += 1;
            continue;
        }
        let mut end = start;
        while end < a.len() && a[end] != b'}' {
            end += 1;
        }
        if !has(a, start, end, b) {
            return false;
        }
        start = end;
    }
    true
}

/// Whether the octets of `a` from `start` to `end` stand in `b` anywhere.
const fn has(a: &[u8], start: usize, end: usize, b: &[u8]) -> bool {
    let (_, from) = a.split_at(start);
    let (part, _) = from.split_at(end - start);
    let mut at = 0;
    while at < b.len() {
        if b[at] == b'{' && is_at(part, b, at) {
            return true;
        }
        at += 1;
    }
    false
}
