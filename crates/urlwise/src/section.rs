//! How messages cite sections and decisions.

use core::fmt;

use crate::display::padded;

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

impl fmt::Display for Section<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0.starts_with(|first: char| first.is_ascii_digit());
        padded(f, |f| f.write_str(if number { "section " } else { "" }).and_then(|()| f.write_str(self.0)))
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
}

impl fmt::Display for Citation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| match self.decision {
            Some(decision) => write!(f, "{}, {decision}", Section(self.section)),
            None => write!(f, "{}", Section(self.section)),
        })
    }
}
