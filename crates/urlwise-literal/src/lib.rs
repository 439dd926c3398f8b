//! URL literals, checked at compile time by [`url!`].
//!
//! The macro runs the parser of the crate [`urlwise`] inside the compiler, so there is no second grammar. A procedural
//! macro needs a separate crate, but no further dependencies, since it reads only one string literal.

#![forbid(unsafe_code)]

use proc_macro::{TokenStream, TokenTree};
use urlwise::{Profile, Url};

/// The URL in a string literal, as `urlwise::Url<&'static str>`. An invalid URL does not compile.
///
/// The program must depend on the same version of `urlwise`. The text is checked at compile time and parsed again at
/// run time, which takes a few nanoseconds and cannot fail; in a `static`, use `LazyLock`.
///
/// ```
/// use std::sync::LazyLock;
/// use urlwise::Url;
/// use urlwise_literal::url;
///
/// static HOME: LazyLock<Url<&'static str>> = LazyLock::new(|| url!("gopher://host.dom/"));
/// assert_eq!(HOME.port_or_default(), Some(70));
///
/// // The profile, `rfc1738` by default, comes first.
/// assert_eq!(url!(current, "https://host.dom/~jim").port_or_default(), Some(443));
/// ```
///
/// A space is not allowed in a URL:
///
/// ```compile_fail
/// urlwise_literal::url!("http://host.dom/a b");
/// ```
///
/// A tilde is not allowed in `rfc1738` either:
///
/// ```compile_fail
/// urlwise_literal::url!(rfc1738, "http://host.dom/~jim");
/// ```
#[proc_macro]
pub fn url(input: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    let place = tokens.last().map(TokenTree::span);
    let texts: Vec<String> = tokens.iter().map(ToString::to_string).collect();
    let code = match expression(&texts) {
        Ok(code) => code,
        Err(message) => format!("::core::compile_error!({message:?})"),
    };
    let code: TokenStream = code.parse().expect("a path, a literal and a `match` are Rust");
    // Errors point at the literal.
    let at_literal = |mut token: TokenTree| {
        if let Some(place) = place {
            token.set_span(place);
        }
        token
    };
    code.into_iter().map(at_literal).collect()
}

/// The expression that builds the URL from the tokens of the macro, or the compile error.
fn expression(tokens: &[String]) -> Result<String, String> {
    // As in other macros, a comma may stand behind the last one.
    let tokens = match tokens {
        [first, .., comma] if comma == "," && first != "," => &tokens[..tokens.len() - 1],
        _ => tokens,
    };
    let (profile, literal) = match tokens {
        [literal] => (Profile::Rfc1738, literal),
        [profile, comma, literal] if comma == "," => {
            (profile.parse().map_err(|error: urlwise::UnknownProfile| error.to_string())?, literal)
        }
        _ => return Err(USAGE.into()),
    };
    let text = content(literal)?;
    Url::parse_with(text, profile).map_err(|error| error.to_string())?;
    let profile = match profile {
        Profile::Rfc1738 => "Rfc1738",
        Profile::Current => "Current",
    };
    // The error is unreachable: the same function has parsed the same text.
    Ok(format!(
        "match ::urlwise::Url::parse_with({literal}, ::urlwise::Profile::{profile}) {{
            ::core::result::Result::Ok(url) => url,
            ::core::result::Result::Err(_) => ::core::unreachable!(\"checked by another version of urlwise\"),
        }}"
    ))
}

const USAGE: &str = r#"write `url!("http://host.dom/")` or `url!(current, "https://host.dom/")`"#;

/// The content of a string literal, plain or raw.
fn content(literal: &str) -> Result<&str, String> {
    let raw = literal.strip_prefix('r').map(|rest| rest.trim_matches('#'));
    let quoted = raw.unwrap_or(literal);
    let Some(text) = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return Err(USAGE.into());
    };
    match text.find('\\').map(|at| &text[at + 1..]) {
        Some(behind) if raw.is_none() && !behind.starts_with('\\') => {
            Err("escapes of Rust are not read here: write each character itself, `/` for `\\x2f`".into())
        }
        Some(_) => Err("no URL holds a backslash: write it as `%5C`".into()),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tokens: &[&str]) -> Result<String, String> {
        expression(&tokens.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[track_caller]
    fn refuses(tokens: &[&str], message: &str) {
        let error = of(tokens).unwrap_err();
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn a_valid_url_becomes_an_expression() {
        assert!(of(&["\"news:*\""]).is_ok_and(|code| code.contains("(\"news:*\", ::urlwise::Profile::Rfc1738)")));
        assert!(of(&["r#\"news:*\"#"]).is_ok_and(|code| code.contains("r#\"news:*\"#")));
        assert!(of(&["current", ",", "\"https://h/~\""]).is_ok_and(|code| code.contains("Profile::Current")));
    }

    #[test]
    fn the_compiler_says_what_explain_would() {
        refuses(&["\"http://host.dom/~jim\""], "error[bnf-char] at 16..17");
        refuses(&["\"ftp://jim:s3cret@host.dom:x/\""], "error[port-char]");
        refuses(&["strict", ",", "\"news:*\""], "a profile is `rfc1738` or `current`");
    }

    #[test]
    fn other_tokens_than_a_string_are_refused() {
        for tokens in [&["1"][..], &[], &["b\"news:*\""], &["\"news:*\"suffix"], &["\"news:*\"", "\"news:*\""], &["x"]]
        {
            refuses(tokens, "write `url!(");
        }
        refuses(&["\"news:\\x2a\""], "write each character itself");
        refuses(&["\"news:\\u{2a}\""], "write each character itself");
        for literal in ["\"x-y:\\\\\"", "r\"x-y:\\x2a\""] {
            refuses(&[literal], "write it as `%5C`");
        }
    }

    #[test]
    fn a_comma_may_stand_behind_the_literal() {
        assert!(of(&["\"news:*\"", ","]).is_ok() && of(&["current", ",", "\"news:*\"", ","]).is_ok());
        for tokens in [&[","][..], &[",", ","], &["\"news:*\"", ",", ","], &["current", ","]] {
            assert!(of(tokens).is_err(), "{tokens:?}");
        }
    }
}

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
