//! Groups and their descriptions: RFC 3977 sections 7.6.3 and 7.6.6.

use crate::protocol::digits::number;
use urlwise::{Locator, NewsKind, Profile, Url};

/// One group of a list, in the octets of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Group {
    /// Its name.
    pub name: Vec<u8>,
    /// Its description; `None` if the server does not have one.
    pub description: Option<Vec<u8>>,
}

impl Group {
    /// Parses a line of `LIST ACTIVE`, without its end; `None` if it is malformed.
    pub(super) fn of_active(line: &[u8]) -> Option<Group> {
        let mut words = line.split(|octet| matches!(octet, b' ' | b'\t')).filter(|word| !word.is_empty());
        let name = words.next()?.to_vec();
        let (_high, _low, _status) = (number::<u64>(words.next()?)?, number::<u64>(words.next()?)?, words.next()?);
        Some(Group { name, description: None })
    }

    /// The URL of the group at the server in `base`, which has the scheme and the last slash: `nntp://host.dom/`. `None` for a
    /// name that no URL can express.
    pub fn nntp_url(&self, base: &str, profile: Profile) -> Option<Url<String>> {
        self.url(base, profile)
    }

    /// The URL of the group on any server.
    pub fn news_url(&self, profile: Profile) -> Option<Url<String>> {
        self.url("news:", profile)
    }

    fn url(&self, base: &str, profile: Profile) -> Option<Url<String>> {
        let name = std::str::from_utf8(&self.name).ok()?;
        let url = Url::parse_with(format!("{base}{name}"), profile).ok()?;
        // A name with `@` or `/` in it would be read as an article.
        let is_group = match url.locator() {
            Locator::News(news) => news.kind() == NewsKind::Group(name),
            Locator::Nntp(nntp) => nntp.group() == name,
            _ => false,
        };
        is_group.then_some(url)
    }
}

/// Descriptions of groups, until the groups arrive. One allocation for all: there may be a hundred thousand.
#[derive(Debug, Default)]
pub(super) struct Descriptions {
    octets: Vec<u8>,
    /// The start of each line, the end of the name, and the end of the line; in the order of the names once sorted.
    places: Vec<[u32; 3]>,
    is_sorted: bool,
}

impl Descriptions {
    /// Adds a line of `LIST NEWSGROUPS`; false if the list is full. Ignores a line without a description.
    pub(super) fn take(&mut self, line: &[u8], most: usize) -> bool {
        let name = line.iter().position(|octet| matches!(octet, b' ' | b'\t')).unwrap_or(line.len());
        let text = line[name..].trim_ascii();
        if text.is_empty() {
            return true;
        }
        let start = self.octets.len();
        let ends = [start, start + name, start + name + text.len()];
        let places = (self.places.len() + 1) * size_of::<[u32; 3]>();
        let Ok(place) = ends.map(u32::try_from).into_iter().collect::<Result<Vec<_>, _>>() else { return false };
        if ends[2] + places > most {
            return false;
        }
        self.octets.extend_from_slice(&line[..name]);
        self.octets.extend_from_slice(text);
        self.places.extend(<[u32; 3]>::try_from(place));
        self.is_sorted = false;
        true
    }

    /// The description of the group of that name; any one of several.
    pub(super) fn of(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let octets = &self.octets;
        let part = |from: u32, to: u32| octets.get(from as usize..to as usize).unwrap_or_default();
        if !self.is_sorted {
            self.places.sort_unstable_by_key(|[start, end, _]| part(*start, *end));
            self.is_sorted = true;
        }
        let found = self.places.binary_search_by_key(&name, |[start, end, _]| part(*start, *end)).ok()?;
        let [_, start, end] = *self.places.get(found)?;
        Some(part(start, end).to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::{Descriptions, Group};
    use urlwise::{Profile, Url};

    #[test]
    fn a_line_of_active_has_four_words() {
        let name = |line: &[u8]| Group::of_active(line).map(|group| group.name);
        assert_eq!(name(b"local.test 0000000004 0000000001 y").as_deref(), Some(&b"local.test"[..]));
        assert_eq!(name(b"a\t1  2 =b.c extra").as_deref(), Some(&b"a"[..]));
        for line in [&b""[..], b"a", b"a 1 2", b"a x 2 y", b"a -1 2 y"] {
            assert_eq!(name(line), None, "{line:?}");
        }
    }

    #[test]
    fn descriptions_are_found_by_name_and_bounded() {
        let mut descriptions = Descriptions::default();
        for line in
            [&b"local.test\tA group  for tests "[..], b"a.b c d", b"local.t\t\tx", b"none\t", b"\tnameless", b"alone"]
        {
            assert!(descriptions.take(line, 1000));
        }
        assert_eq!(descriptions.of(b"local.test").as_deref(), Some(&b"A group  for tests"[..]));
        assert_eq!(descriptions.of(b"a.b").as_deref(), Some(&b"c d"[..]));
        assert_eq!(descriptions.of(b"local.t").as_deref(), Some(&b"x"[..]));
        for name in [&b"none"[..], b"alone", b"local", b"zzz"] {
            assert_eq!(descriptions.of(name), None);
        }
        assert!(descriptions.take(b"later\tone", 1000) && descriptions.of(b"later").is_some());
        assert!(!descriptions.take(b"more\tthan there is room for", 100));
        // The octets of the name and of its description, and their three places.
        for (most, is_taken) in [(3 + 12, true), (3 + 12 - 1, false)] {
            assert_eq!(Descriptions::default().take(b"a\tbc", most), is_taken, "{most}");
        }
        let mut two = Descriptions::default();
        assert!(two.take(b"a\tb", 2 + 12) && !two.take(b"c\td", 2 * (2 + 12) - 1) && two.take(b"c\td", 2 * (2 + 12)));
    }

    #[test]
    fn every_group_has_the_urls_that_can_be_written() {
        let group = |name: &[u8]| Group { name: name.to_vec(), description: None };
        let url = group(b"local.c++").nntp_url("nntp://h/", Profile::Rfc1738).map(Url::into_inner);
        assert_eq!(url.as_deref(), Some("nntp://h/local.c++"));
        let url = group(b"local.c++").news_url(Profile::Rfc1738).map(Url::into_inner);
        assert_eq!(url.as_deref(), Some("news:local.c++"));
        for name in [&b"\xff"[..], b"a@b", b"*", b"a/1", b"1a"] {
            assert_eq!(group(name).news_url(Profile::Rfc1738), None, "{name:?}");
        }
    }
}
