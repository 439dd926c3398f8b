//! Columns by name, and templates: text with the names of columns in braces.

use std::str::FromStr;

use urlwise_columns::Column;

/// The column of this name.
pub(super) fn named(name: &str) -> Result<Column, String> {
    name.parse::<Column>().map_err(|error| {
        if !error.is_name() {
            return error.to_string();
        }
        let (name, suffix) =
            name.split_once(':').map_or((name, String::new()), |(name, suffix)| (name, format!(":{suffix}")));
        let distance = |known: &str| strsim::osa_distance(known, &name.to_ascii_lowercase());
        let near = Column::names().map(|known| (distance(known), known)).filter(|(distance, _)| *distance <= 2).min();
        match near {
            Some((_, near)) if !name.is_empty() => format!("{error}; did you mean `{near}{suffix}`?"),
            _ => error.to_string(),
        }
    })
}

/// A text with columns in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The text before each column.
    before: Vec<String>,
    columns: Vec<Column>,
    /// The text after the last one.
    after: String,
}

impl Template {
    /// The columns, in order.
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The text before a column; behind the last one, the rest.
    pub(crate) fn text(&self, index: usize) -> &str {
        self.before.get(index).unwrap_or(&self.after)
    }

    /// Whether a text that is not a URL has a line: one of the columns says something about it.
    pub(crate) fn shows_invalid(&self) -> bool {
        self.columns.iter().any(Column::is_of_any_text)
    }
}

impl FromStr for Template {
    type Err = String;

    fn from_str(template: &str) -> Result<Template, String> {
        let (mut before, mut columns, mut text) = (Vec::new(), Vec::new(), String::new());
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(doubled) = rest.strip_prefix(brace) {
                text.push_str(brace);
                rest = doubled;
            } else if brace == "{" {
                let end = rest.find('}').ok_or("a `{` is not closed; write `{{` for a brace")?;
                columns.push(named(&rest[..end])?);
                before.push(std::mem::take(&mut text));
                rest = &rest[end + 1..];
            } else {
                return Err("a `}` closes nothing; write `}}` for a brace".to_owned());
            }
        }
        text.push_str(rest);
        if columns.is_empty() {
            return Err("no column in braces, as in `{host}`".to_owned());
        }
        Ok(Template { before, columns, after: text })
    }
}

#[cfg(test)]
mod tests {
    use super::Template;

    #[test]
    fn text_and_columns_take_turns() {
        let template: Template = "{{{scheme}://{host}}}".parse().unwrap();
        let columns: Vec<_> = template.columns().iter().map(ToString::to_string).collect();
        assert_eq!(columns, ["scheme", "host"]);
        assert_eq!([template.text(0), template.text(1), template.text(2)], ["{", "://", "}"]);
    }

    #[test]
    fn braces_that_do_not_match_and_unknown_columns_are_refused() {
        for (template, expected) in [
            ("{host", "a `{` is not closed; write `{{` for a brace"),
            ("{host}}", "a `}` closes nothing; write `}}` for a brace"),
            ("host", "no column in braces, as in `{host}`"),
            ("{{host}}", "no column in braces, as in `{host}`"),
            ("{hots}", "unknown column `hots`; did you mean `host`?"),
            ("{}", "unknown column ``"),
        ] {
            assert_eq!(template.parse::<Template>(), Err(expected.to_owned()), "{template}");
        }
    }
}
