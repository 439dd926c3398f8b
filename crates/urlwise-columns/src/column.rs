//! What a column holds, and its name.

use std::fmt;
use std::str::FromStr;
use urlwise::build::PartKind;
use urlwise::{NormalForm, Scheme};

/// One column of a table of URLs, made from its name: see [the list](crate#columns).
///
/// ```
/// use urlwise_columns::{Column, ColumnType};
///
/// let column: Column = "ftp.cwds:decoded".parse()?;
/// assert_eq!(column.column_type(), ColumnType::Octets);
/// assert_eq!(column.to_string(), "ftp.cwds:decoded");
/// assert!("hots".parse::<Column>().is_err());
/// # Ok::<(), urlwise_columns::UnknownColumn>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    pub(crate) what: What,
    pub(crate) suffix: Suffix,
}

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColumnType {
    /// UTF-8 text.
    Text,
    /// Octets that may not be UTF-8.
    Octets,
    /// A number below 2^32.
    Number,
    /// True or false.
    Flag,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    /// The text itself, valid or not.
    Url,
    Place(Place),
    Port,
    HostKind,
    Address,
    Valid,
    Problem,
    Normal(NormalForm),
    #[cfg(feature = "agree")]
    Agree,
}

/// A part that is a slice of the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Scheme,
    User,
    Password,
    Host,
    /// The port as written; the column `port` without a suffix is a number.
    Port,
    Path,
    Query,
    Fragment,
    /// A part by the name that the machine-readable contract gives it, in one scheme or in all.
    Part(Option<Scheme>, &'static str),
}

/// What a column holds of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Suffix {
    /// As written.
    Written,
    /// In lower case (ASCII).
    Lower,
    /// With its escapes decoded.
    Decoded,
    /// Its first octet.
    Start,
    /// The octet after its last.
    End,
}

impl Suffix {
    const ALL: [Suffix; 5] = [Suffix::Written, Suffix::Lower, Suffix::Decoded, Suffix::Start, Suffix::End];

    const fn name(self) -> &'static str {
        match self {
            Suffix::Written => "",
            Suffix::Lower => "lower",
            Suffix::Decoded => "decoded",
            Suffix::Start => "start",
            Suffix::End => "end",
        }
    }
}

/// The columns that are not parts by their own name, by name.
const NAMED: &[(&str, What)] = &[
    ("url", What::Url),
    ("scheme", What::Place(Place::Scheme)),
    ("user", What::Place(Place::User)),
    ("password", What::Place(Place::Password)),
    ("host", What::Place(Place::Host)),
    ("host-kind", What::HostKind),
    ("port", What::Port),
    ("path", What::Place(Place::Path)),
    ("query", What::Place(Place::Query)),
    ("fragment", What::Place(Place::Fragment)),
    ("valid", What::Valid),
    ("problem", What::Problem),
    ("address", What::Address),
    #[cfg(feature = "agree")]
    ("agree", What::Agree),
];

/// Columns whose names contain a colon that does not start a suffix.
const NORMAL: [(&str, NormalForm); 2] = [("normal:safe", NormalForm::Safe), ("normal:scheme", NormalForm::Scheme)];

impl Column {
    /// The column `valid`.
    pub const VALID: Column = Column { what: What::Valid, suffix: Suffix::Written };

    /// Whether a text that is not a URL can have a value: `url`, `valid`, `problem` and its offsets, `agree`.
    pub fn is_of_any_text(&self) -> bool {
        match self.what {
            What::Url | What::Valid | What::Problem => true,
            #[cfg(feature = "agree")]
            What::Agree => true,
            What::Place(_) | What::Port | What::HostKind | What::Address | What::Normal(_) => false,
        }
    }

    /// The type of its values.
    pub fn column_type(&self) -> ColumnType {
        match (&self.what, self.suffix) {
            (_, Suffix::Start | Suffix::End) | (What::Port, _) => ColumnType::Number,
            (What::Url, _) | (_, Suffix::Decoded) => ColumnType::Octets,
            (What::Valid, _) => ColumnType::Flag,
            #[cfg(feature = "agree")]
            (What::Agree, _) => ColumnType::Flag,
            (What::Place(_) | What::HostKind | What::Address | What::Problem | What::Normal(_), _) => ColumnType::Text,
        }
    }

    /// The names of all columns, without suffixes and without those of a single scheme.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let normal = NORMAL.iter().map(|(name, _)| *name);
        let mut parts: Vec<_> = schemes().flat_map(contract_names).collect();
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|part| NAMED.iter().all(|(name, _)| name != part));
        NAMED.iter().map(|(name, _)| *name).chain(normal).chain(parts)
    }
}

/// All schemes, those without rules of their own too.
pub(crate) fn schemes() -> impl Iterator<Item = Scheme> {
    Scheme::ALL.iter().copied().chain([Scheme::Other])
}

fn contract_names(scheme: Scheme) -> impl Iterator<Item = &'static str> {
    scheme.parts().iter().filter(|part| part.is_allowed()).map(PartKind::contract_name)
}

impl FromStr for Column {
    type Err = UnknownColumn;

    fn from_str(text: &str) -> Result<Column, UnknownColumn> {
        let unknown = || UnknownColumn(text.to_owned());
        if let Some((_, form)) = NORMAL.iter().find(|(name, _)| *name == text) {
            return Ok(Column { what: What::Normal(*form), suffix: Suffix::Written });
        }
        let (name, suffix) = text.split_once(':').unwrap_or((text, ""));
        let suffix = Suffix::ALL.into_iter().find(|candidate| candidate.name() == suffix).ok_or_else(unknown)?;
        let what = what(name).ok_or_else(unknown)?;
        let what = match (what, suffix) {
            (what @ What::Place(_), _) | (what, Suffix::Written) => what,
            (What::Port, Suffix::Start | Suffix::End) => What::Place(Place::Port),
            (What::Problem, Suffix::Start | Suffix::End) => What::Problem,
            _ => return Err(unknown()),
        };
        Ok(Column { what, suffix })
    }
}

fn what(name: &str) -> Option<What> {
    if let Some((_, what)) = NAMED.iter().find(|(known, _)| *known == name) {
        return Some(what.clone());
    }
    let (scheme, part) = match name.split_once('.') {
        Some((scheme, part)) => (Some(schemes().find(|candidate| candidate.name() == Some(scheme))?), part),
        None => (None, name),
    };
    let of_one = |candidate: &Scheme| scheme.is_none_or(|scheme| scheme == *candidate);
    let part = schemes().filter(of_one).flat_map(contract_names).find(|known| *known == part)?;
    Some(What::Place(Place::Part(scheme, part)))
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = match &self.what {
            What::Place(Place::Part(Some(scheme), part)) => format!("{}.{part}", scheme.name().unwrap_or_default()),
            What::Place(Place::Part(None, part)) => (*part).to_owned(),
            What::Place(Place::Port) => "port".to_owned(),
            What::Normal(form) => {
                NORMAL.iter().find(|(_, known)| known == form).map_or("", |(name, _)| name).to_owned()
            }
            what => NAMED.iter().find(|(_, known)| known == what).map_or("", |(name, _)| name).to_owned(),
        };
        if self.suffix != Suffix::Written {
            name.push(':');
            name.push_str(self.suffix.name());
        }
        f.pad(&name)
    }
}

/// No column has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownColumn(String);

impl UnknownColumn {
    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown column `{}`", urlwise::escape_for_display(self.0.as_bytes()))
    }
}

impl std::error::Error for UnknownColumn {}

#[cfg(test)]
mod tests {
    use super::{Column, ColumnType, Suffix};

    #[test]
    fn every_name_is_read_as_the_column_that_is_displayed_so() {
        let mut count = 0;
        for name in Column::names() {
            let column: Column = name.parse().expect(name);
            assert_eq!(column.to_string(), name);
            for suffix in Suffix::ALL {
                let name = format!("{name}:{}", suffix.name());
                if let Ok(column) = name.parse::<Column>() {
                    assert_eq!(column.to_string(), name.trim_end_matches(':'), "{name}");
                    count += 1;
                }
            }
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn a_form_is_refused_where_it_means_nothing() {
        for name in [
            "valid:start",
            "url:lower",
            "host-kind:decoded",
            "port:decoded",
            "normal",
            "normal:end",
            "problem:lower",
            "host:",
            "",
        ] {
            let read = name.parse::<Column>();
            assert_eq!(read.is_ok(), name == "host:", "{name}");
        }
        assert_eq!(
            "gopher.cwds".parse::<Column>().map_err(|error| error.to_string()),
            Err("unknown column `gopher.cwds`".into())
        );
        assert!("nosuch.host".parse::<Column>().is_err());
    }

    #[test]
    fn types_follow_from_what_and_form() {
        for (name, expected) in [
            ("url", ColumnType::Octets),
            ("host", ColumnType::Text),
            ("host:lower", ColumnType::Text),
            ("path:decoded", ColumnType::Octets),
            ("port", ColumnType::Number),
            ("port:start", ColumnType::Number),
            ("problem:end", ColumnType::Number),
            ("problem", ColumnType::Text),
            ("valid", ColumnType::Flag),
            ("normal:scheme", ColumnType::Text),
            ("http.search", ColumnType::Text),
        ] {
            assert_eq!(name.parse::<Column>().map(|column| column.column_type()), Ok(expected), "{name}");
        }
    }
}
