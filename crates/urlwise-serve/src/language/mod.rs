//! The languages of pages: as in crate `urlwise`, English stands in the code, and every other language is a folder of tables, one file
//! per subject. A row begins with the English text. A row that is missing, or whose placeholders are not those of the English text,
//! does not compile.

pub(crate) mod ja;
pub(crate) mod zh;

urlwise::define_words!($ crate::language);

/// A text in a language, with what is filled in: `said!(language, "{count} entries.", count = 2)`.
macro_rules! said {
    ($language:expr, $en:expr) => {
        &*$crate::language::words!($en).get($language)
    };
    ($language:expr, $en:expr, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::language::filled!($language, $en, $($name = $value),+).text()
    };
}
pub(crate) use said;

/// A text in a language with markup in it: `marked!(language, "Look for it at {link}.", link = html! { a href="/" { "x" } })`. What it
/// has between backticks is code.
macro_rules! marked {
    ($language:expr, $en:expr, $($name:ident = $value:expr),+ $(,)?) => {{
        const _: () = urlwise::Words::assert_placeholders($en, &[$(stringify!($name)),+]);
        $crate::pages::text::marked(&$crate::language::words!($en).get($language), &[$((stringify!($name), $value)),+])
    }};
}
pub(crate) use marked;

#[cfg(test)]
#[path = "../../../urlwise/src/language/checks.rs"]
mod checks;

#[cfg(test)]
fn tables() -> checks::Tables {
    checks::Tables::new(ja::PHRASES, zh::PHRASES)
}
