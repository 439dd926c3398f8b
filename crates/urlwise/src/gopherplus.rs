//! Gopher+ strings: the forms of sections 3.4.4 to 3.4.9, told apart after decoding (D-46).

use alloc::vec::Vec;
use core::fmt;

use crate::display::escape_for_display;

/// What a Gopher+ string asks for. Names are octets, as the server writes them.
///
/// ```
/// use urlwise::{Attributes, GopherPlus};
///
/// assert_eq!(
///     GopherPlus::from_octets(b"!+ABSTRACT +SMELL"),
///     GopherPlus::Attributes(Attributes::Item, vec![b"+ABSTRACT".to_vec(), b"+SMELL".to_vec()]),
/// );
/// assert_eq!(
///     GopherPlus::from_octets(b"+application/postscript Es_ES"),
///     GopherPlus::View { view: b"application/postscript".to_vec(), language: Some(b"Es_ES".to_vec()) },
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GopherPlus {
    /// `+`: the default view (section 3.4.4).
    Default,
    /// `?`: an item with a form to be fetched and filled in (sections 3.4.4 and 3.4.5).
    Form,
    /// `!` or `$`: attributes, all of them where no name is given (sections 3.4.6 and 3.4.7).
    Attributes(Attributes, Vec<Vec<u8>>),
    /// `+view language`: an alternate view (section 3.4.8).
    View {
        /// The view's name, a media type.
        view: Vec<u8>,
        /// The language; `None` where the string names none.
        language: Option<Vec<u8>>,
    },
    /// A filled form: what is sent to the server, values in the form's order (section 3.4.9). To open it does something there.
    FilledForm {
        /// The view asked for, where the `+` is followed by one.
        view: Option<Vec<u8>>,
        /// The values, one for each line of the form.
        values: Vec<Vec<u8>>,
    },
    /// None of these.
    Other,
}

/// Whose attributes are asked for (section 3.4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attributes {
    /// `!`: those of the item.
    Item,
    /// `$`: those of every item of a directory.
    Directory,
}

impl GopherPlus {
    /// The form of a decoded Gopher+ string.
    pub fn from_octets(octets: &[u8]) -> GopherPlus {
        match octets {
            b"+" => GopherPlus::Default,
            b"?" => GopherPlus::Form,
            [mark @ (b'!' | b'$'), names @ ..] if is_plain(names) => {
                let whose = if *mark == b'!' { Attributes::Item } else { Attributes::Directory };
                GopherPlus::Attributes(whose, attribute_names(names))
            }
            [b'+', rest @ ..] => filled_form(rest).or_else(|| view(rest)).unwrap_or(GopherPlus::Other),
            _ => GopherPlus::Other,
        }
    }
}

impl GopherPlus {
    /// The string that has this form, decoded; `None` for [`Other`](GopherPlus::Other), and where a name, a view or a value
    /// holds what would give the string another form.
    ///
    /// ```
    /// use urlwise::GopherPlus;
    ///
    /// let form = GopherPlus::FilledForm { view: None, values: vec![b"red".to_vec()] };
    /// assert_eq!(form.to_octets().unwrap(), b"+\t1\r\n+-1\r\nred\r\n.\r\n");
    /// let form = GopherPlus::FilledForm { view: None, values: vec![b"red\r\n.\r\nQUIT".to_vec()] };
    /// assert_eq!(form.to_octets(), None); // would begin a second request
    /// ```
    pub fn to_octets(&self) -> Option<Vec<u8>> {
        let octets = self.write();
        let is_read_again = *self != GopherPlus::Other && GopherPlus::from_octets(&octets) == *self;
        is_read_again.then_some(octets)
    }

    /// The string, which may have another form; empty for [`Other`](GopherPlus::Other).
    pub(crate) fn write(&self) -> Vec<u8> {
        match self {
            GopherPlus::Default => b"+".to_vec(),
            GopherPlus::Form => b"?".to_vec(),
            GopherPlus::Attributes(whose, names) => {
                let mark: &[u8] = if *whose == Attributes::Item { b"!" } else { b"$" };
                [mark, &names.join(&b' ')[..]].concat()
            }
            GopherPlus::View { view, language } => {
                let language = language.iter().flat_map(|language| [&b" "[..], &language[..]]);
                [&b"+"[..], &view[..]].into_iter().chain(language).collect::<Vec<_>>().concat()
            }
            GopherPlus::FilledForm { view, values } => {
                let view = view.as_deref().unwrap_or_default();
                let lines = values.iter().flat_map(|value| [&value[..], &b"\r\n"[..]]);
                [&b"+"[..], view, FORM_HEAD].into_iter().chain(lines).chain([FORM_END]).collect::<Vec<_>>().concat()
            }
            GopherPlus::Other => Vec::new(),
        }
    }
}

impl fmt::Debug for GopherPlus {
    /// The answers of a form are counted, not shown: one of them may be a secret (`AskP`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GopherPlus::Default => f.write_str("Default"),
            GopherPlus::Form => f.write_str("Form"),
            GopherPlus::Attributes(whose, names) => {
                write!(f, "Attributes({whose:?}")?;
                names.iter().try_for_each(|name| write!(f, ", `{}`", escape_for_display(name)))?;
                f.write_str(")")
            }
            GopherPlus::View { view, language } => {
                write!(f, "View(`{}`", escape_for_display(view))?;
                language.iter().try_for_each(|language| write!(f, ", `{}`", escape_for_display(language)))?;
                f.write_str(")")
            }
            GopherPlus::FilledForm { values, .. } => write!(f, "FilledForm({} values)", values.len()),
            GopherPlus::Other => f.write_str("Other"),
        }
    }
}

/// Whether a decoded Gopher+ string has one of the forms of the RFC.
pub(crate) fn is_known(octets: &[u8]) -> bool {
    GopherPlus::from_octets(octets) != GopherPlus::Other
}

/// Names and views stand on one line and hold no delimiter of a request.
fn is_plain(octets: &[u8]) -> bool {
    !octets.iter().any(u8::is_ascii_control)
}

/// The RFC separates names by a blank; the Gopher+ paper lets each begin with `+` and puts nothing between them.
fn attribute_names(names: &[u8]) -> Vec<Vec<u8>> {
    let words = names.split(|&octet| octet == b' ').filter(|word| !word.is_empty());
    words.map(<[u8]>::to_vec).collect()
}

fn view(rest: &[u8]) -> Option<GopherPlus> {
    if !is_plain(rest) {
        return None;
    }
    let mut words = rest.split(|&octet| octet == b' ');
    let (view, language) = (words.next()?, words.next());
    if view.is_empty() || language.is_some_and(<[u8]>::is_empty) || words.next().is_some() {
        return None;
    }
    Some(GopherPlus::View { view: view.to_vec(), language: language.map(<[u8]>::to_vec) })
}

const FORM_HEAD: &[u8] = b"\t1\r\n+-1\r\n";
const FORM_END: &[u8] = b".\r\n";

/// `[view] HT 1 CRLF +-1 CRLF value CRLF ... . CRLF`, and nothing after it.
fn filled_form(rest: &[u8]) -> Option<GopherPlus> {
    let at = rest.iter().position(|&octet| octet == b'\t')?;
    let (view, block) = rest.split_at(at);
    let mut lines = block.strip_prefix(FORM_HEAD)?;
    if !is_plain(view) {
        return None;
    }
    let mut values = Vec::new();
    loop {
        let end = lines.windows(2).position(|two| two == b"\r\n")?;
        let (line, after) = (&lines[..end], &lines[end + 2..]);
        if line == b"." {
            return after
                .is_empty()
                .then(|| GopherPlus::FilledForm { view: (!view.is_empty()).then(|| view.to_vec()), values });
        }
        if line.iter().any(|octet| matches!(octet, b'\r' | b'\n')) {
            return None;
        }
        values.push(line.to_vec());
        lines = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filled_form_of_section_3_4_9_gives_its_values() {
        let form = GopherPlus::from_octets(b"+\t1\r\n+-1\r\nred\r\n\r\n.\r\n");
        let values = alloc::vec![b"red".to_vec(), b"".to_vec()];
        assert_eq!(form, GopherPlus::FilledForm { view: None, values });
    }

    #[test]
    fn nothing_may_follow_the_dot_of_a_filled_form() {
        assert!(!is_known(b"+\t1\r\n+-1\r\nred\r\n.\r\nQUIT\r\n"));
        assert!(!is_known(b"+\t1\r\n+-1\r\nred\n.\r\n.\r\n"));
        assert!(!is_known(b"+\t1\r\n+-1\r\nred"));
    }

    #[test]
    fn a_bare_mark_asks_for_all_attributes() {
        let all = |whose| GopherPlus::Attributes(whose, Vec::new());
        assert_eq!(GopherPlus::from_octets(b"!"), all(Attributes::Item));
        assert_eq!(GopherPlus::from_octets(b"$"), all(Attributes::Directory));
    }

    #[test]
    fn strings_of_no_form_are_other() {
        for octets in [&b""[..], b"x", b"++ ", b"+a b c", b"!\r\nQUIT", b"??"] {
            assert_eq!(GopherPlus::from_octets(octets), GopherPlus::Other, "{octets:?}");
        }
    }
}
