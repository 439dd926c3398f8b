//! What stands before the text of a Markdown document: settings for the program that makes a page of it.

/// The length of the front matter: lines of YAML between two `---`, or of TOML between two `+++`, at the start of a document. GitHub shows them
/// as a table, and generators of sites take them away; nobody reads them as Markdown.
///
/// A line `---` is also a rule of Markdown. So the first line behind it that says anything must be a key, as `title: x` or `title = "x"`.
pub(crate) fn length(source: &str) -> usize {
    let text = source.strip_prefix('\u{feff}').unwrap_or(source);
    let (fence, sign) = match text.as_bytes() {
        [b'-', b'-', b'-', ..] => ("---", ':'),
        [b'+', b'+', b'+', ..] => ("+++", '='),
        _ => return 0,
    };
    let mut length = source.len() - text.len();
    let mut has_key = false;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        length += line.len();
        let line = line.trim_end();
        match (number, line) {
            (0, _) if line == fence => {}
            (0, _) => return 0,
            _ if line == fence => return if has_key { length } else { 0 },
            _ if has_key || line.is_empty() || line.starts_with('#') => {}
            _ if is_key(line, sign) => has_key = true,
            _ => return 0,
        }
    }
    0
}

/// Whether a line begins with a key and its sign, or with the name of a table of TOML.
fn is_key(line: &str, sign: char) -> bool {
    let is_in_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '"' | '\'');
    match line.split_once(sign) {
        Some((key, value)) => {
            let is_over = sign == '=' || value.is_empty() || value.starts_with([' ', '\t']);
            !key.trim_end().is_empty() && key.chars().all(is_in_key) && is_over
        }
        None => sign == '=' && line.starts_with('['),
    }
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn settings_between_fences_are_front_matter_and_rules_are_not() {
        for front in [
            "---\ntitle: x\n---\n",
            "---\n# note\n\nlong key:\n  - a\n---\t\n",
            "\u{feff}---\r\ntitle: x\r\n---\r\n",
            "+++\ntitle = \"x\"\n+++\n",
            "+++\n[extra]\na=1\n+++\n",
            "---\n\"quoted\": x\n\n# more\n---\n",
        ] {
            assert_eq!(length(&format!("{front}text\n---\n")), front.len(), "{front:?}");
        }
        assert_eq!(length("---\ntitle: x\n---"), 16, "at the end of a document");
        for none in [
            "",
            "---\n",
            "---\n---\n",
            "---\ntitle: x\n",
            "---\ntitle: x\n---x\n----\n +++\n",
            "---\nSome text.\n---\n",
            "---\nhttp://host.dom/: x\n---\n",
            "---\na:b\n---\n",
            "---\n: x\n---\n",
            "---\n[a](b)\n---\n",
            "+++\ntitle: x\n+++\n",
            "----\ntitle: x\n----\n",
            "\n---\ntitle: x\n---\n",
            " ---\ntitle: x\n---\n",
        ] {
            assert_eq!(length(none), 0, "{none:?}");
        }
    }
}
