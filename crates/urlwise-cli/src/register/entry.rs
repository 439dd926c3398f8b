//! The desktop entry of urlwise, by the Desktop Entry Specification.

use crate::language::said;

/// The name of the file, by which `mimeapps.list` knows the program.
pub(super) const NAME: &str = "urlwise.desktop";

/// The first line: what it is not in is not ours.
const MARK: &str = "# Written by `urlwise register`; `urlwise unregister` removes it.\n";

/// The key of the types.
const TYPES: &str = "MimeType=";

/// What stands before the name of a scheme in a list of types.
pub(super) const HANDLER: &str = "x-scheme-handler/";

/// The entry of a program for these schemes, or why there cannot be one.
pub(super) fn text(program: &str, schemes: &[&str]) -> Result<String, String> {
    if program.contains('=') {
        return Err(said!("a desktop entry cannot name a program with `=` in its path: {program}", program = program));
    }
    if program.contains(char::is_control) {
        return Err(said!("a desktop entry cannot name a program with control characters in its path"));
    }
    let types = types(schemes);
    let exec = value(&argument(program));
    Ok([
        MARK,
        "[Desktop Entry]\nType=Application\nName=urlwise\nGenericName=URL Browser\n",
        "Comment=Open URLs of RFC 1738 in your browser\n",
        "TryExec=",
        &value(program),
        "\nExec=",
        &exec,
        " open -- %u\nTerminal=false\nNoDisplay=true\nCategories=Network;\n",
        TYPES,
        &types,
        "\n",
    ]
    .concat())
}

/// The schemes of an entry; `None` if it is not ours.
pub(super) fn schemes(text: &str) -> Option<Vec<&str>> {
    let rest = text.strip_prefix(MARK)?;
    let types = rest.lines().find_map(|line| line.strip_prefix(TYPES)).unwrap_or_default();
    Some(types.split(';').filter_map(|name| name.strip_prefix(HANDLER)).collect())
}

/// An entry of ours with other schemes.
pub(super) fn with_schemes(text: &str, schemes: &[String]) -> String {
    let line = |line: &str| match line.starts_with(TYPES) {
        true => [TYPES, &types(schemes), "\n"].concat(),
        false => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

fn types(schemes: &[impl AsRef<str>]) -> String {
    schemes.iter().map(|scheme| [HANDLER, scheme.as_ref(), ";"].concat()).collect()
}

/// A word of the key Exec: quoted, and a percent sign doubled, which begins a field otherwise.
fn argument(word: &str) -> String {
    let mut quoted = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '`' | '$' | '\\' => quoted.extend(['\\', c]),
            '%' => quoted.push_str("%%"),
            _ => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A value of type string: its backslashes begin escapes, so that they are doubled again.
fn value(text: &str) -> String {
    text.replace('\\', "\\\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_any_name_is_one_word() {
        for (program, exec, try_exec) in [
            ("/usr/bin/urlwise", "\"/usr/bin/urlwise\"", "/usr/bin/urlwise"),
            ("/my programs/url wise", "\"/my programs/url wise\"", "/my programs/url wise"),
            ("/a$b`c\"d", "\"/a\\\\$b\\\\`c\\\\\"d\"", "/a$b`c\"d"),
            // The examples of the specification: four backslashes for one.
            ("/a\\b", "\"/a\\\\\\\\b\"", "/a\\\\b"),
            ("/100%u", "\"/100%%u\"", "/100%u"),
            ("/caf\u{e9};x", "\"/caf\u{e9};x\"", "/caf\u{e9};x"),
        ] {
            let text = text(program, &["gopher", "wais"]).expect("an entry");
            assert!(text.contains(&format!("\nExec={exec} open -- %u\n")), "{text}");
            assert!(text.contains(&format!("\nTryExec={try_exec}\n")), "{text}");
            assert_eq!(schemes(&text), Some(vec!["gopher", "wais"]));
            assert_eq!(with_schemes(&text, &["wais".to_owned()]), super::text(program, &["wais"]).expect("an entry"));
        }
        assert!(text("/a=b", &["gopher"]).is_err() && text("/a\nb", &["gopher"]).is_err());
    }

    #[test]
    fn an_entry_that_others_wrote_is_not_ours() {
        assert_eq!(schemes("[Desktop Entry]\nMimeType=x-scheme-handler/gopher;\n"), None);
        assert_eq!(schemes(""), None);
    }
}
