//! The languages of messages.
//!
//! English stands in the code. Every other language is a folder of tables here, one file per subject: a row begins with the code of
//! its problem, or with the English text. A row that is missing, or whose placeholders are not those of the English text, does not
//! compile.

mod choice;
mod columns;
mod composed;
pub(crate) mod ja;
#[cfg(all(feature = "std", any(feature = "ja", feature = "zh")))]
mod kept;
mod packed;
mod phrases;
mod placeholders;
pub(crate) mod zh;

pub use choice::Language;
pub use columns::{FilledWords, Words};
pub(crate) use columns::{RuleTexts, fill, problem, rule};
pub use composed::{Message, MessageValue};
pub use phrases::Phrases;

crate::define_words!($ crate::language);

#[cfg(test)]
mod checks;

/// Problems and rules have tables of their own beside the phrases.
#[cfg(test)]
fn tables() -> checks::Tables {
    use std::string::ToString;
    use std::vec::Vec;

    type Problems = &'static [(&'static str, &'static str, &'static str)];
    type Rules = &'static [(&'static str, [&'static str; 4])];

    let more = |problems: Problems, rules: Rules| {
        let mut pairs: Vec<checks::Pair> = Vec::new();
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
        pairs
    };
    let mut tables = checks::Tables::new(ja::PHRASES, zh::PHRASES);
    tables.japanese.extend(more(ja::PROBLEMS, ja::RULES));
    tables.chinese.extend(more(zh::PROBLEMS, zh::RULES));
    tables
}

#[cfg(test)]
mod tests {
    use super::{Words, ja, zh};
    use std::panic::catch_unwind;
    use std::vec::Vec;

    #[test]
    fn texts_that_do_not_fill_in_the_same_do_not_compile() {
        assert!(Words::length(["a", "b", "c"]) < Words::length(["{a}", "b{a}", "c{a}"]));
        for texts in
            [["{a}", "b", "c"], ["a", "{a}", "c"], ["a", "b", "{a}"], ["{a}", "{a}", "{b}"], ["{a}", "{b}", "{a}"]]
        {
            assert!(catch_unwind(|| Words::length(texts)).is_err(), "{texts:?}");
        }
    }

    #[test]
    fn values_that_are_not_those_of_a_text_do_not_compile() {
        Words::assert_placeholders("{a} or {b}", &["b", "a"]);
        for names in [&["a"][..], &["a", "b", "c"], &["a", "c"], &[]] {
            assert!(catch_unwind(|| Words::assert_placeholders("{a} or {b}", names)).is_err(), "{names:?}");
        }
    }

    #[test]
    fn every_problem_and_every_rule_is_translated_in_its_order() {
        for table in [ja::PROBLEMS, zh::PROBLEMS] {
            let codes: Vec<_> = table.iter().map(|row| row.0).collect();
            assert_eq!(codes, crate::problem_codes().map(|row| row.code).collect::<Vec<_>>());
        }
        for table in [ja::RULES, zh::RULES] {
            let ids: Vec<_> = table.iter().map(|row| row.0).collect();
            assert_eq!(ids, crate::audit::RULES.iter().map(|rule| rule.id).collect::<Vec<_>>());
        }
    }
}
