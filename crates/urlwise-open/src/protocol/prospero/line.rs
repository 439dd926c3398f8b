//! The lines of an answer, recognized by their first word.

use super::attribute::Attribute;
use super::failure::Failure;
use super::token::Tokens;
use crate::protocol::digits::number;

/// A line of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProsperoLine {
    /// An entry of a directory.
    Link(Pointer),
    /// A property of the link before it, or of the requested object.
    Attribute(Attribute),
    /// The object is on another server.
    Forwarded(Target),
    /// The components of a name that the server did not resolve.
    Unresolved,
    /// Nothing was found, which is not a failure.
    NoneFound,
    /// The request failed.
    Failure(Failure),
    /// The server did not understand the request; its message.
    Error(Vec<u8>),
    /// A warning: the rest of the answer is valid; the server's message.
    Warning(Vec<u8>),
    /// The server does not support the requested version; its message.
    VersionNotSupported(Vec<u8>),
    /// A line without a meaning for URLs.
    Silent,
    /// Any other line, or a malformed one.
    Unknown,
}

/// A `LINK` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    pub(super) role: Role,
    /// The kind of its target: `DIRECTORY+FILE`.
    pub(super) kind: Vec<u8>,
    pub(super) name: Vec<u8>,
    pub(super) target: Target,
}

/// The role of a link in its directory. There may be others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// `L`: an entry.
    Normal,
    /// `I`: an entry that listings hide, like a dot file.
    Invisible,
    /// `U`: the entries of its target belong to this directory too.
    Union,
}

/// The target of a link or a forwarding, as tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) host_type: Vec<u8>,
    pub(super) host: Vec<u8>,
    pub(super) name_type: Vec<u8>,
    pub(super) hsoname: Vec<u8>,
    pub(super) version: u64,
}

impl ProsperoLine {
    /// Whether the line is valid without its line feed. Any other may have been cut.
    pub(super) fn may_be_cut(&self) -> bool {
        match self {
            ProsperoLine::NoneFound
            | ProsperoLine::Failure(_)
            | ProsperoLine::Error(_)
            | ProsperoLine::Warning(_)
            | ProsperoLine::VersionNotSupported(_)
            | ProsperoLine::Silent => true,
            ProsperoLine::Link(_)
            | ProsperoLine::Attribute(_)
            | ProsperoLine::Forwarded(_)
            | ProsperoLine::Unresolved
            | ProsperoLine::Unknown => false,
        }
    }

    /// Reads the tokens of a line, at least one.
    pub(super) fn parse(mut tokens: Tokens) -> ProsperoLine {
        let words = |tokens: &[Vec<u8>]| tokens.join(&b' ');
        match tokens[0].as_slice() {
            b"LINK" => pointer(tokens).map_or(ProsperoLine::Unknown, ProsperoLine::Link),
            b"FORWARDED" => {
                tokens.remove(0);
                target(tokens).map_or(ProsperoLine::Unknown, ProsperoLine::Forwarded)
            }
            b"UNRESOLVED" => ProsperoLine::Unresolved,
            b"NONE-FOUND" => ProsperoLine::NoneFound,
            b"FAILURE" => ProsperoLine::Failure(Failure::parse(&tokens[1..])),
            b"ERROR" => ProsperoLine::Error(words(&tokens[1..])),
            b"WARNING" => ProsperoLine::Warning(words(&tokens[1..])),
            b"VERSION-NOT-SUPPORTED" => ProsperoLine::VersionNotSupported(words(&tokens[1..])),
            b"SUCCESS" | b"VERSION" | b"AUTHENTICATED" | b"PARAMETER" | b"ID" => ProsperoLine::Silent,
            // Any other is an attribute, whose depth is in its first word, or unknown.
            _ => Attribute::parse(&tokens).map_or(ProsperoLine::Unknown, ProsperoLine::Attribute),
        }
    }
}

/// `LINK role kind name host-type host name-type hsoname version [DEST-EXP time]`.
fn pointer(mut tokens: Tokens) -> Option<Pointer> {
    let [_, role, kind, ..] = tokens.as_slice() else { return None };
    let role = match role.as_slice() {
        b"L" => Role::Normal,
        b"I" => Role::Invisible,
        b"U" => Role::Union,
        _ => return None,
    };
    let kind = kind.clone();
    let expires = tokens.len().checked_sub(2).is_some_and(|at| tokens[at] == b"DEST-EXP");
    let end = tokens.len() - if expires { 2 } else { 0 };
    let start = end.checked_sub(5).filter(|start| *start > 3)?;
    // Servers do not quote the name of a link that is visible but unreadable.
    if start > 4 && kind != b"NULL" {
        return None;
    }
    let name = tokens[3..start].join(&b' ');
    Some(Pointer { role, kind, name, target: target(tokens.split_off(start))? })
}

/// `host-type host name-type hsoname version`; further tokens are ignored.
fn target(tokens: Tokens) -> Option<Target> {
    let mut tokens = tokens.into_iter();
    Some(Target {
        host_type: tokens.next()?,
        host: tokens.next()?,
        name_type: tokens.next()?,
        hsoname: tokens.next()?,
        version: number(&tokens.next()?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> ProsperoLine {
        ProsperoLine::parse(text.split(' ').map(|token| token.as_bytes().to_vec()).collect())
    }

    fn link(text: &str) -> Option<Pointer> {
        match line(text) {
            ProsperoLine::Link(pointer) => Some(pointer),
            ProsperoLine::Unknown => None,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn links_have_eight_tokens_and_maybe_an_expiry() {
        let plain = link("LINK L FILE a INTERNET-D H(1) ASCII x 3").expect("a link");
        assert_eq!((plain.role, plain.target.version, plain.name.as_slice()), (Role::Normal, 3, &b"a"[..]));
        let expiring = link("LINK U FILE a INTERNET-D H ASCII x 0 DEST-EXP 20301231235959Z").expect("a link");
        assert_eq!((expiring.role, expiring.target.hsoname.as_slice()), (Role::Union, &b"x"[..]));
        let hidden = link("LINK I FILE .a INTERNET-D H ASCII x 0").expect("a link");
        assert_eq!(hidden.role, Role::Invisible);
        for text in [
            "LINK",
            "LINK L FILE",
            "LINK L FILE INTERNET-D H ASCII x 0",
            "LINK X FILE a INTERNET-D H ASCII x 0",
            "LINK L FILE a INTERNET-D H ASCII x y",
            "LINK L FILE a INTERNET-D H ASCII x 0 0",
            "LINK L FILE a b INTERNET-D H ASCII x 0",
        ] {
            assert_eq!(link(text), None, "{text}");
        }
    }

    #[test]
    fn the_unquoted_name_of_an_unreadable_link_is_read_from_the_right() {
        let hidden = link("LINK L NULL visible but unreadable NULL NULL NULL NULL 0").expect("a link");
        assert_eq!(hidden.name, b"visible but unreadable");
        assert_eq!(hidden.target.host, b"NULL");
    }

    #[test]
    fn forwardings_lead_to_a_target() {
        let ProsperoLine::Forwarded(target) = line("FORWARDED INTERNET-D H(2) ASCII x 7 DEST-EXP 20301231235959Z")
        else {
            panic!("forwarded");
        };
        assert_eq!((target.host.as_slice(), target.version), (&b"H(2)"[..], 7));
        assert_eq!(line("FORWARDED INTERNET-D H"), ProsperoLine::Unknown);
    }
}
