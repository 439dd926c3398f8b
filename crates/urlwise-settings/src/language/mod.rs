//! The languages of messages: as in crate `urlwise`, English stands in the code, and every other language is a folder of tables, one
//! file per subject. A row begins with the English text. A row that is missing, or whose placeholders are not those of the English
//! text, does not compile.

pub(crate) mod ja;
pub(crate) mod zh;

urlwise::define_words!($ crate::language);

#[cfg(test)]
#[path = "../../../urlwise/src/language/checks.rs"]
mod checks;

#[cfg(test)]
fn tables() -> checks::Tables {
    checks::Tables::new(ja::PHRASES, zh::PHRASES)
}
