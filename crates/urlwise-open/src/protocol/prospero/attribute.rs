//! ATTRIBUTE lines: properties of an object or a link.

use super::token::{Tokens, is_sequence};

/// One value of an attribute.
///
/// Several values of one name are several attributes, in the order of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    /// The number of `>`: how many links, each the value of an attribute, it is nested in; 0 for the object or link itself.
    pub(super) depth: usize,
    /// Whose property it is, which decides what value counts.
    pub(super) precedence: Precedence,
    /// The name: `ACCESS-METHOD`, `SIZE`.
    pub(super) name: Vec<u8>,
    /// The tokens of the value without its type, maybe none. Tokens may be empty.
    pub(super) value: Vec<Vec<u8>>,
}

/// Which of several values of one name count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    /// `REPLACEMENT`: of the link, and replaces that of the object.
    Replacement,
    /// `OBJECT` and `LINK`: of the object, or of the link itself.
    Own,
    /// `CACHED`: of the object, cached with the link.
    Cached,
    /// `ADDITIONAL`: of the link, in addition to that of the object.
    Additional,
}

impl Attribute {
    /// Reads the tokens of a line that begins with `ATTRIBUTE` and maybe some `>`; `None` if they are not an attribute.
    pub(super) fn parse(tokens: &Tokens) -> Option<Attribute> {
        let [first, applies_to, nature, name, rest @ ..] = tokens.as_slice() else { return None };
        let depths = first.strip_prefix(b"ATTRIBUTE")?;
        if !depths.iter().all(|octet| *octet == b'>') {
            return None;
        }
        let precedence = match applies_to.as_slice() {
            b"OBJECT" | b"LINK" => Precedence::Own,
            b"REPLACEMENT" => Precedence::Replacement,
            b"CACHED" => Precedence::Cached,
            b"ADDITIONAL" => Precedence::Additional,
            _ => return None,
        };
        let value = match (nature.as_slice(), rest) {
            // Servers usually leave out the type of a field that they know.
            (b"FIELD", [kind, value @ ..]) if !value.is_empty() && is_type_of(name, kind) => value,
            (b"FIELD", value) => value,
            (b"INTRINSIC" | b"APPLICATION", [_, value @ ..]) => value,
            _ => return None,
        };
        Some(Attribute { depth: depths.len(), precedence, name: name.clone(), value: value.to_vec() })
    }

    /// Whether the value is the contents of a document.
    pub(super) fn is_contents(&self) -> bool {
        self.name == b"CONTENTS" && self.value.first().is_some_and(|kind| kind == b"DATA")
    }

    /// The memory of its octets.
    pub(super) fn octets(&self) -> usize {
        self.name.len() + self.value.iter().map(|token| token.len() + size_of::<Vec<u8>>()).sum::<usize>()
    }
}

/// Whether `kind` is the type of the values of this field.
fn is_type_of(name: &[u8], kind: &[u8]) -> bool {
    match name {
        b"FILTER" => kind == b"FILTER",
        b"CLOSURE" => kind == b"LINK",
        _ => is_sequence(kind),
    }
}

/// The values of `name` that count, in the order of the server: a replacement takes precedence over the object's own value, which
/// takes precedence over a cached one. Additional values always count.
pub(super) fn values<'a>(attributes: &'a [Attribute], name: &'a [u8]) -> impl Iterator<Item = &'a [Vec<u8>]> {
    let named = move |attribute: &&Attribute| attribute.depth == 0 && attribute.name == name;
    let best = attributes.iter().filter(named).map(|attribute| attribute.precedence).min();
    let counts = move |attribute: &&Attribute| {
        attribute.precedence == Precedence::Additional || Some(attribute.precedence) == best
    };
    attributes.iter().filter(named).filter(counts).map(|attribute| attribute.value.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(line: &str) -> Option<Attribute> {
        Attribute::parse(&line.split(' ').map(|token| token.as_bytes().to_vec()).collect())
    }

    fn value(line: &str) -> Vec<Vec<u8>> {
        attribute(line).expect("an attribute").value
    }

    #[test]
    fn fields_have_a_type_or_none() {
        assert_eq!(value("ATTRIBUTE CACHED FIELD ACCESS-METHOD AFTP x")[0], b"AFTP");
        assert_eq!(value("ATTRIBUTE LINK FIELD ID SEQUENCE REMOTE 4711")[0], b"REMOTE");
        assert_eq!(value("ATTRIBUTE LINK FIELD FILTER FILTER DIRECTORY CLIENT")[0], b"DIRECTORY");
        assert_eq!(value("ATTRIBUTE LINK FIELD COMMENT SEQUENCE"), [b"SEQUENCE"]);
        assert_eq!(value("ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE x"), [b"x"]);
        assert!(value("ATTRIBUTE LINK APPLICATION NOTHING SEQUENCE").is_empty());
        assert_eq!(value("ATTRIBUTE LINK FIELD CLOSURE LINK a"), [b"a"]);
        assert_eq!(value("ATTRIBUTE LINK FIELD CLOSURE SEQUENCE a")[0], b"SEQUENCE");
    }

    #[test]
    fn only_data_of_the_attribute_contents_is_contents() {
        let is_contents = |line: &str| attribute(line).expect("an attribute").is_contents();
        assert!(is_contents("ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA x"));
        for line in ["CONTENTS SEQUENCE FILE x", "CONTENTS SEQUENCE", "COMMENT SEQUENCE DATA x", "SIZE SEQUENCE x"] {
            assert!(!is_contents(&format!("ATTRIBUTE OBJECT INTRINSIC {line}")), "{line}");
        }
    }

    #[test]
    fn the_memory_of_an_attribute_counts_its_tokens() {
        let tokens = attribute("ATTRIBUTE OBJECT INTRINSIC ABC SEQUENCE de f").expect("an attribute");
        assert_eq!(tokens.octets(), 3 + 2 + 1 + 2 * size_of::<Vec<u8>>());
    }

    #[test]
    fn what_stands_below_a_link_has_a_depth() {
        assert_eq!(attribute("ATTRIBUTE>> LINK APPLICATION WHY SEQUENCE x").map(|found| found.depth), Some(2));
        for line in ["ATTRIBUTE", "ATTRIBUTES LINK FIELD A b", "ATTRIBUTE X FIELD A b", "ATTRIBUTE LINK X A b c"] {
            assert_eq!(attribute(line), None, "{line}");
        }
    }

    #[test]
    fn a_replacement_beats_the_objects_own_which_beats_the_cached() {
        let of =
            |who: &str, value: &str| attribute(&format!("ATTRIBUTE {who} APPLICATION A SEQUENCE {value}")).unwrap();
        let all = [of("CACHED", "c"), of("OBJECT", "o"), of("ADDITIONAL", "a"), of("REPLACEMENT", "r")];
        let heard =
            |attributes: &[Attribute]| values(attributes, b"A").map(|value| value[0].clone()).collect::<Vec<_>>();
        assert_eq!(heard(&all), [b"a", b"r"]);
        assert_eq!(heard(&all[..3]), [b"o", b"a"]);
        assert_eq!(heard(&all[..1]), [b"c"]);
        assert_eq!(heard(&all[2..3]), [b"a"]);
    }
}
