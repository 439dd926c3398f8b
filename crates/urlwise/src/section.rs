//! How messages cite sections and decisions.

use core::fmt;

use crate::display::padded;
use crate::language::{Language, words};

/// A section as messages cite it: `section 2.1` for `2.1`, and `Appendix` and names of other RFCs as they are.
///
/// ```
/// use urlwise::Section;
///
/// assert_eq!(Section("3.2.2").to_string(), "section 3.2.2");
/// assert_eq!(Section("Appendix").to_string(), "Appendix");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a>(pub &'a str);

impl<'a> Section<'a> {
    /// As messages in a language cite it: `2.1節` in Japanese. Names of RFCs stay as they are.
    pub fn display_in(self, language: Language) -> impl fmt::Display + use<'a> {
        Cited { section: self, decision: None, language }
    }
}

impl fmt::Display for Section<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in(Language::En).fmt(f)
    }
}

/// A section and the decision about it, as messages cite them: `section 2.2, D-10`.
///
/// ```
/// use urlwise::Citation;
///
/// assert_eq!(Citation::new("2.2", Some("D-10")).to_string(), "section 2.2, D-10");
/// assert_eq!(Citation::new("Appendix", None).to_string(), "Appendix");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Citation<'a> {
    /// The section, as in [`Section`].
    pub section: &'a str,
    /// The number of the decision, like `D-10`; `None` if the section says all.
    pub decision: Option<&'a str>,
}

impl<'a> Citation<'a> {
    /// Of a section, and of a decision if there is one.
    pub const fn new(section: &'a str, decision: Option<&'a str>) -> Citation<'a> {
        Citation { section, decision }
    }

    /// As messages in a language cite it: `2.2節、D-10` in Japanese.
    pub fn display_in(self, language: Language) -> impl fmt::Display + use<'a> {
        Cited { section: Section(self.section), decision: self.decision, language }
    }
}

impl fmt::Display for Citation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in(Language::En).fmt(f)
    }
}

struct Cited<'a> {
    section: Section<'a>,
    decision: Option<&'a str>,
    language: Language,
}

impl fmt::Display for Cited<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (section, language) = (self.section.0, self.language);
        padded(f, |f| {
            match section {
                "Appendix" => words!("Appendix").write(language, f)?,
                _ if section.starts_with(|first: char| first.is_ascii_digit()) => {
                    let number = words!("section {number}").filled(language, |_, f| f.write_str(section));
                    write!(f, "{number}")?;
                }
                _ => f.write_str(section)?,
            }
            match self.decision {
                Some(decision) => write!(f, "{}{decision}", words!(", ").get(language)),
                None => Ok(()),
            }
        })
    }
}
