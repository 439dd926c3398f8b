//! The entries of directory lists: `NLST` and `LIST` (RFC 959 section 4.1.3) and `MLSD` (RFC 3659 section 7). The lines of `LIST`
//! have no grammar; [`list_line`](super::list_line) reads the usual forms.

use crate::protocol::digits::number;
use crate::protocol::time::timestamp;
use std::time::SystemTime;
use urlwise::{Locator, Url, grammar};

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FtpItem {
    /// Its name, in the server's octets: never a path on this machine. Escape it before showing it.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: ItemKind,
    /// The size in octets; `None` if the server does not say.
    pub size: Option<u64>,
    /// The last change; `None` if the server does not say.
    pub modified: Option<SystemTime>,
    /// Whether it is in the directory that the URL names, rather than what the URL itself names.
    pub inside: bool,
}

/// The kind of an entry, if the server says it. There will be no others: what else there is counts as unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// The server does not say, or it is something else.
    Unknown,
}

impl FtpItem {
    pub(super) fn new(name: &[u8], kind: ItemKind) -> FtpItem {
        FtpItem { name: name.to_vec(), kind, size: None, modified: None, inside: true }
    }

    /// The URL of the entry, octet for octet, with the login of `list`, the URL of the list. That of a directory ends in a
    /// slash, so that it names a list. `None` if `list` is not an ftp URL.
    ///
    /// ```
    /// use urlwise::Url;
    /// use urlwise_open::protocol::ftp::FtpItem;
    ///
    /// let list = Url::parse("ftp://host.dom/pub/")?;
    /// let item = FtpItem::of_mlsd(b"type=dir;modify=19941201000000; sub dir").expect("facts and a name");
    /// assert_eq!(item.url(&list).map(Url::into_inner).as_deref(), Some("ftp://host.dom/pub/sub%20dir/"));
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    pub fn url<T: AsRef<str>>(&self, list: &Url<T>) -> Option<Url<String>> {
        let list = list.borrow();
        let Locator::Ftp(ftp) = list.locator() else { return None };
        let login = list.schemepart().strip_prefix("//")?.split('/').next()?;
        let mut text = format!("{}://{login}/", list.scheme_name());
        let directory = ftp.name().filter(|name| self.inside && !name.is_empty());
        for segment in ftp.cwds().chain(directory) {
            text.push_str(segment.as_str());
            text.push('/');
        }
        text.push_str(&grammar::FSEGMENT.encode(&self.name));
        if self.kind == ItemKind::Directory {
            text.push('/');
        }
        Url::parse_with(text, list.profile()).ok()
    }

    /// Parses a line of `MLSD`, without its end; `None` if it is malformed.
    pub fn of_mlsd(line: &[u8]) -> Option<FtpItem> {
        let space = line.iter().position(|octet| *octet == b' ')?;
        let (facts, name) = (&line[..space], &line[space + 1..]);
        if name.is_empty() {
            return None;
        }
        let mut item = FtpItem::new(name, ItemKind::Unknown);
        for fact in facts.split(|octet| *octet == b';').filter(|fact| !fact.is_empty()) {
            let equals = fact.iter().position(|octet| *octet == b'=')?;
            let (key, value) = (fact[..equals].to_ascii_lowercase(), &fact[equals + 1..]);
            match &key[..] {
                b"type" => item.kind = ItemKind::of_fact(value),
                b"size" => item.size = number(value),
                b"modify" => item.modified = timestamp(value),
                _ => {}
            }
        }
        Some(item)
    }

    /// Parses a line of `NLST`, without its end; `None` if it is empty. `asked` is the argument of the command, which some
    /// servers put before each name, with a slash.
    pub fn of_nlst(line: &[u8], asked: Option<&[u8]>) -> Option<FtpItem> {
        let name = match asked {
            Some(asked) if line == asked => {
                return Some(FtpItem { inside: false, ..FtpItem::new(line, ItemKind::Unknown) });
            }
            Some(asked) => line.strip_prefix(asked).and_then(|rest| rest.strip_prefix(b"/")).unwrap_or(line),
            None => line,
        };
        (!name.is_empty()).then(|| FtpItem::new(name, ItemKind::Unknown))
    }

    /// The directory itself or its parent, which are left out.
    pub(super) fn is_dots(&self) -> bool {
        matches!(&self.name[..], b"." | b"..")
    }
}

impl ItemKind {
    fn of_fact(value: &[u8]) -> ItemKind {
        match &value.to_ascii_lowercase()[..] {
            b"file" => ItemKind::File,
            b"dir" | b"cdir" | b"pdir" => ItemKind::Directory,
            _ => ItemKind::Unknown,
        }
    }
}

/// Whether an `MLSD` line is about the directory itself or its parent, under any name.
pub(super) fn is_self_or_parent(line: &[u8]) -> bool {
    let facts = line.split(|octet| *octet == b' ').next().unwrap_or_default().to_ascii_lowercase();
    facts.split(|octet| *octet == b';').any(|fact| matches!(fact, b"type=cdir" | b"type=pdir"))
}

#[cfg(test)]
mod tests {
    use super::{FtpItem, ItemKind, is_self_or_parent};
    use urlwise::Url;

    fn url(list: &str, item: &FtpItem) -> Option<String> {
        item.url(&Url::parse(list).expect("a valid URL")).map(Url::into_inner)
    }

    #[test]
    fn facts_are_read_and_unknown_ones_passed_over() {
        let item =
            FtpItem::of_mlsd(b"Type=file;Size=18;Modify=19941201000000.5;UNIX.mode=0644;x=; a b;c").expect("good");
        assert_eq!((&item.name[..], item.kind, item.size), (&b"a b;c"[..], ItemKind::File, Some(18)));
        assert!(item.modified.expect("a time").elapsed().expect("past").as_secs() > 0);
        let bare = FtpItem::of_mlsd(b" name").expect("no facts");
        assert_eq!((&bare.name[..], bare.kind, bare.size), (&b"name"[..], ItemKind::Unknown, None));
        assert_eq!(FtpItem::of_mlsd(b"size=-1;type=OS.unix=slink:; x").expect("good").size, None);
        for bad in [&b"type=file;"[..], b"", b"type=file; ", b"nonsense x"] {
            assert_eq!(FtpItem::of_mlsd(bad), None, "{bad:?}");
        }
        assert!(is_self_or_parent(b"type=cdir;modify=1; /pub") && !is_self_or_parent(b"type=dir; type=cdir;"));
    }

    #[test]
    fn security_32_names_in_lists_are_octets_and_become_urls_octet_for_octet() {
        let name = |name: &[u8]| FtpItem::of_nlst(name, None).expect("a name");
        assert_eq!(url("ftp://h/", &name(b"caf\xe9;#?%/..")).as_deref(), Some("ftp://h/caf%E9%3B%23%3F%25%2F.."));
        assert_eq!(url("ftp://h", &name(b"x")).as_deref(), Some("ftp://h/x"));
        assert_eq!(url("ftp://u:p@h:2121//a%2Fb/c", &name(b"-l")).as_deref(), Some("ftp://u:p@h:2121//a%2Fb/c/-l"));
        assert_eq!(url("gopher://h/", &name(b"x")), None);
    }

    #[test]
    fn the_answer_to_nlst_with_a_name_may_repeat_the_name() {
        let list = "ftp://h/a/sub%20dir;type=d";
        let item = |line: &[u8]| FtpItem::of_nlst(line, Some(b"sub dir")).expect("a name");
        for line in [&b"sub dir/x y.txt"[..], b"x y.txt"] {
            assert_eq!(url(list, &item(line)).as_deref(), Some("ftp://h/a/sub%20dir/x%20y.txt"));
        }
        assert_eq!(url(list, &item(b"sub dir")).as_deref(), Some("ftp://h/a/sub%20dir"), "it is a file");
        assert_eq!(FtpItem::of_nlst(b"", None), None);
        assert!(item(b"sub dir/..").is_dots() && item(b".").is_dots() && !item(b"...").is_dots());
    }
}
