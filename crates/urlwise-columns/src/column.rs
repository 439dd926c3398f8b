//! What a column holds, and its name.

use std::borrow::Cow;
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
    /// As it was given.
    name: Cow<'static, str>,
    pub(crate) what: What,
    /// The column is null in all other schemes.
    pub(crate) only: Option<Scheme>,
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
    /// The port in force.
    Port,
    HostKind,
    /// What a news URL names.
    NewsKind,
    /// Which of its three forms a wais URL has.
    WaisForm,
    /// Whether a file URL names a file of this machine.
    IsLocal,
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
    /// A part by the name that the machine-readable contract gives it.
    Part(&'static str),
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
    ("host_kind", What::HostKind),
    ("port", What::Port),
    ("port_number", What::Port),
    ("path", What::Place(Place::Path)),
    ("query", What::Place(Place::Query)),
    ("fragment", What::Place(Place::Fragment)),
    ("valid", What::Valid),
    ("problem", What::Problem),
    ("address", What::Address),
    ("kind", What::NewsKind),
    ("form", What::WaisForm),
    #[cfg(feature = "agree")]
    ("agree", What::Agree),
];

/// A name from before columns took theirs from the machine-readable contract.
const OLD_HOST_KIND: &str = "host-kind";

/// Columns whose names contain a colon that does not start a suffix.
const NORMAL: [(&str, NormalForm); 2] = [("normal:safe", NormalForm::Safe), ("normal:scheme", NormalForm::Scheme)];

impl Column {
    /// The column `valid`.
    pub const VALID: Column =
        Column { name: Cow::Borrowed("valid"), what: What::Valid, only: None, suffix: Suffix::Written };

    /// Whether a text that is not a URL can have a value: `url`, `valid`, `problem` and its offsets, `agree`.
    pub fn is_of_any_text(&self) -> bool {
        match self.what {
            What::Url | What::Valid | What::Problem => true,
            #[cfg(feature = "agree")]
            What::Agree => true,
            What::Place(_)
            | What::Port
            | What::HostKind
            | What::NewsKind
            | What::WaisForm
            | What::IsLocal
            | What::Address
            | What::Normal(_) => false,
        }
    }

    /// The type of its values.
    pub fn column_type(&self) -> ColumnType {
        match (&self.what, self.suffix) {
            (_, Suffix::Start | Suffix::End) | (What::Port, _) => ColumnType::Number,
            (What::Url, _) | (_, Suffix::Decoded) => ColumnType::Octets,
            (What::Valid | What::IsLocal, _) => ColumnType::Flag,
            #[cfg(feature = "agree")]
            (What::Agree, _) => ColumnType::Flag,
            (
                What::Place(_)
                | What::HostKind
                | What::NewsKind
                | What::WaisForm
                | What::Address
                | What::Problem
                | What::Normal(_),
                _,
            ) => ColumnType::Text,
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
        let because = |why| UnknownColumn { name: text.to_owned(), why };
        if let Some((name, form)) = NORMAL.iter().find(|(name, _)| *name == text) {
            let (name, what) = (Cow::Borrowed(*name), What::Normal(*form));
            return Ok(Column { name, what, only: None, suffix: Suffix::Written });
        }
        let (name, suffix) = text.split_once(':').unwrap_or((text, ""));
        let (only, what) = what(name).ok_or_else(|| because(if text == OBJECT { Why::Object } else { Why::Name }))?;
        let suffix = Suffix::ALL.into_iter().find(|candidate| candidate.name() == suffix);
        let suffix = suffix.ok_or_else(|| because(Why::Form))?;
        let what = match (what, suffix) {
            (what @ What::Place(_), _) | (what, Suffix::Written) => what,
            (What::Port, Suffix::Start | Suffix::End) => What::Place(Place::Port),
            (What::Problem, Suffix::Start | Suffix::End) => What::Problem,
            (What::Port | What::Problem, _) => return Err(because(Why::OnlyPlaces)),
            _ => return Err(because(Why::NoPart)),
        };
        Ok(Column { name: Cow::Owned(text.trim_end_matches(':').to_owned()), what, only, suffix })
    }
}

/// What a name without a suffix stands for, and in which scheme.
fn what(name: &str) -> Option<(Option<Scheme>, What)> {
    let named = NAMED.iter().find(|(known, _)| *known == name || (name == OLD_HOST_KIND && *known == "host_kind"));
    if let Some((_, what)) = named {
        return Some((None, what.clone()));
    }
    let (only, part) = match name.split_once('.') {
        Some((scheme, part)) => (Some(schemes().find(|candidate| candidate.name() == Some(scheme))?), part),
        None => (None, name),
    };
    if let Some(what) = only.and_then(|scheme| derived(scheme, part)) {
        return Some((only, what));
    }
    let of_one = |candidate: &Scheme| only.is_none_or(|only| only == *candidate);
    let part = schemes().filter(of_one).flat_map(contract_names).find(|known| *known == part)?;
    Some((only, What::Place(Place::Part(part))))
}

/// What the contract gives a scheme beside its parts.
fn derived(scheme: Scheme, name: &str) -> Option<What> {
    let has = |part: &str| contract_names(scheme).any(|known| known == part);
    match (scheme.base(), name) {
        (_, "host_kind") if has("host") => Some(What::HostKind),
        (_, "port_number") if has("port") => Some(What::Port),
        (Scheme::News, "kind") => Some(What::NewsKind),
        (Scheme::Wais, "form") => Some(What::WaisForm),
        (Scheme::File, "local") => Some(What::IsLocal),
        _ => None,
    }
}

/// The name as it was given.
impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

/// No column has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownColumn {
    name: String,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// There is no such column.
    Name,
    /// The name is that of an object of the machine-readable contract.
    Object,
    /// The column exists, but there is no such form.
    Form,
    /// The form exists, and the column, which has only the two that are places.
    OnlyPlaces,
    /// The same of a column that is no part and so has no forms.
    NoPart,
}

/// The one name of the contract that is an object: what is read of an unknown scheme with a host.
const OBJECT: &str = "ip";

impl UnknownColumn {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether another name may have been meant; otherwise the error says what is wrong.
    pub fn is_name(&self) -> bool {
        self.why == Why::Name
    }
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| urlwise::escape_for_display(text.as_bytes()).to_string();
        let (name, form) = self.name.split_once(':').unwrap_or((&self.name, ""));
        match self.why {
            Why::Name => write!(f, "unknown column `{}`", shown(&self.name)),
            Why::Object => f.write_str(
                "unknown column `ip`: in the output of --json it is an object, whose fields are columns: `user`, `host`, `port` ...",
            ),
            Why::Form | Why::OnlyPlaces | Why::NoPart => {
                write!(f, "the column `{}` has no form `:{}`", shown(name), shown(form))?;
                f.write_str(match self.why {
                    Why::OnlyPlaces => ", only `:start` and `:end`",
                    Why::NoPart => "; only parts of a URL have forms",
                    _ => "; the forms of parts are `:lower`, `:decoded`, `:start` and `:end`",
                })
            }
        }
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
            "host_kind:decoded",
            "port_number:lower",
            "file.local:lower",
            "mailto.host_kind",
            "news.port_number:decoded",
            "http.kind",
            "http.form",
            "ip",
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
    fn an_error_says_what_is_wrong_with_a_name_or_its_form() {
        for (name, expected) in [
            (
                "host:upper",
                "the column `host` has no form `:upper`; the forms of parts are `:lower`, `:decoded`, `:start` and `:end`",
            ),
            ("url:lower", "the column `url` has no form `:lower`; only parts of a URL have forms"),
            ("valid:start", "the column `valid` has no form `:start`; only parts of a URL have forms"),
            ("port:lower", "the column `port` has no form `:lower`, only `:start` and `:end`"),
            ("problem:decoded", "the column `problem` has no form `:decoded`, only `:start` and `:end`"),
            (
                "ip",
                "unknown column `ip`: in the output of --json it is an object, whose fields are columns: `user`, `host`, `port` ...",
            ),
            ("hots:lower", "unknown column `hots:lower`"),
        ] {
            assert_eq!(name.parse::<Column>().map_err(|error| error.to_string()), Err(expected.to_owned()));
        }
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
            ("http.port", ColumnType::Text),
            ("http.port_number", ColumnType::Number),
            ("wais.form", ColumnType::Text),
            ("local", ColumnType::Text),
            ("file.local", ColumnType::Flag),
        ] {
            assert_eq!(name.parse::<Column>().map(|column| column.column_type()), Ok(expected), "{name}");
        }
    }
}
