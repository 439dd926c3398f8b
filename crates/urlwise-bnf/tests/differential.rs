//! What `Url::parse` says under the profile rfc1738 is what the table of section 5 says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use urlwise_bnf::compare::Compared;
use urlwise_bnf::expected::{DIVIDED_BY, Expected, FORBIDDEN_BY};
use urlwise_bnf::generate::Generator;
use urlwise_bnf::grammar::AMENDMENTS;

const SEED: u64 = 1738;
const TEXTS: u64 = 200_000;

#[test]
fn both_readers_agree_on_every_text_and_its_parts() {
    let (generator, expected) = (Generator::new(SEED), Expected::new(None));
    let mut text = Vec::new();
    let mut verdicts: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..TEXTS {
        generator.write(number, &mut text);
        let compared = Compared::of(&expected, &text);
        assert!(compared.agrees(), "text {number}: {}\n {compared:?}", text.escape_ascii());
        *verdicts.entry(compared.expected.err().unwrap_or("URL")).or_default() += 1;
    }
    // The texts are a real test: many are URLs, many are not, and each decision forbids some.
    assert!(verdicts["URL"] > TEXTS / 4 && verdicts["BNF"] > TEXTS / 4, "{verdicts:?}");
    for decision in FORBIDDEN_BY {
        assert!(verdicts.get(decision).is_some_and(|count| *count > 20), "{decision}: {verdicts:?}");
    }
}

#[test]
fn the_table_is_that_of_the_rfc_and_the_decisions_exist() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/decisions.md");
    let decisions = fs::read_to_string(book).expect("the decisions are readable");
    for decision in AMENDMENTS.iter().map(|(decision, _)| decision).chain(FORBIDDEN_BY).chain(DIVIDED_BY) {
        assert!(decisions.contains(&format!("### {decision}\n")), "{decision}");
    }
}

#[test]
fn a_reader_without_an_amendment_is_found_out() {
    let generator = Generator::new(SEED);
    for (decision, _) in AMENDMENTS.iter().filter(|(decision, _)| *decision != "D-51") {
        let wrong = Expected::new(Some(decision));
        let mut text = Vec::new();
        let differs = (0..TEXTS).any(|number| {
            generator.write(number, &mut text);
            !Compared::of(&wrong, &text).agrees()
        });
        assert!(differs, "{decision}");
    }
}
