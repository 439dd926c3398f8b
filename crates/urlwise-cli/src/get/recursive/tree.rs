//! Where the documents of a tree are saved: one folder per host, one per segment, names that are safe (S-41, S-57).
//!
//! Two URLs never get one name: the second of them gets a name with a number made of its URL, which is the same in every run.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use urlwise::{Locator, NormalForm, Part, Url};

use super::super::name::{self, LONGEST};
use crate::console::shown;
use crate::exit::os_message;
use crate::language::said;

/// The longest path below the folder of a host, in octets. Documents beyond it lie in the folder of the host itself.
const LONGEST_PATH: usize = 1_000;

/// The names given so far.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    /// By path below the root in lower case, since some systems ignore case: a number made of what has the name.
    taken: HashMap<String, Taken>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Folder(u64),
    File(u64),
}

impl Tree {
    pub(super) fn new(root: PathBuf) -> Tree {
        Tree { root, taken: HashMap::new() }
    }

    /// The file for a URL. Creates the folders above it; says why if that is not possible.
    pub(super) fn place(&mut self, url: &Url<&str>) -> Result<PathBuf, String> {
        let normal = url.normalize(NormalForm::Scheme);
        let number = number(normal.as_str().as_bytes());
        let mut segments = segments(url);
        if segments.iter().map(|segment| segment.len() + 1).sum::<usize>() > LONGEST_PATH {
            let last = segments.pop().map(|last| name::numbered(&last, number));
            segments = last.into_iter().collect();
        }
        let last = segments.pop().unwrap_or_else(|| name::safe(&[]));
        let mut path = String::new();
        let mut prefix = Vec::new();
        for segment in std::iter::once(host(url)).chain(segments) {
            prefix.extend_from_slice(segment.as_bytes());
            prefix.push(b'/');
            self.enter(&mut path, &segment, self::number(&prefix))?;
        }
        let below = self.file(&path, &last, number);
        Ok(self.root.join(below))
    }

    /// Gives back the place of a file that was not written.
    pub(super) fn free(&mut self, place: &Path) {
        let below = place.strip_prefix(&self.root).ok().and_then(Path::to_str);
        self.taken.remove(&below.unwrap_or_default().to_lowercase());
    }

    /// Enters the folder of this name below `path`, creating it if needed.
    fn enter(&mut self, path: &mut String, segment: &str, number: u64) -> Result<(), String> {
        for name in [fitting(segment, number), name::numbered(segment, number)] {
            let below = if path.is_empty() { name } else { format!("{path}/{name}") };
            let folder = self.root.join(&below);
            let is_free = match self.taken.get(&below.to_lowercase()) {
                Some(taken) => *taken == Taken::Folder(number),
                None => fs::symlink_metadata(&folder).map_or(true, |found| !found.is_file()),
            };
            if !is_free {
                continue;
            }
            make(&folder)?;
            self.taken.insert(below.to_lowercase(), Taken::Folder(number));
            *path = below;
            return Ok(());
        }
        let name = shown(self.root.join(path.as_str()));
        Err(said!("there is no free name for the folder {name}", name = name))
    }

    /// The path of a file in the folder `path`.
    fn file(&mut self, path: &str, last: &str, number: u64) -> String {
        let below = format!("{path}/{}", fitting(last, number));
        let is_free = match self.taken.get(&below.to_lowercase()) {
            Some(taken) => *taken == Taken::File(number),
            None => fs::symlink_metadata(self.root.join(&below)).map_or(true, |found| !found.is_dir()),
        };
        let below = if is_free { below } else { format!("{path}/{}", name::numbered(last, number)) };
        self.taken.insert(below.to_lowercase(), Taken::File(number));
        below
    }
}

/// The name, or a shorter one with a number.
fn fitting(name: &str, number: u64) -> String {
    if name.len() > LONGEST { name::numbered(name, number) } else { name.to_owned() }
}

/// Creates a folder. Links are not followed: they may lead anywhere (S-42).
fn make(folder: &Path) -> Result<(), String> {
    let why = match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => said!("something else has that name"),
        Err(_) => match fs::create_dir(folder) {
            Ok(()) => return Ok(()),
            Err(error) => os_message(&error),
        },
    };
    Err(said!("cannot create the folder {name}: {why}", name = shown(folder), why = why))
}

/// The name of the folder of the URL's host, with the port if it is not that of the scheme.
fn host(url: &Url<&str>) -> String {
    let host = url.host().map(|host| host.as_str().to_lowercase()).filter(|host| !host.is_empty());
    let host = host.unwrap_or_else(|| "localhost".into());
    match url.port_or_default().filter(|port| url.default_port() != Some(*port)) {
        Some(port) => name::safe(format!("{host}_{port}").as_bytes()),
        None => name::safe(host.as_bytes()),
    }
}

/// The segments of the URL's path, decoded and safe. The last one is `index` if it is empty, and has the search.
fn segments(url: &Url<&str>) -> Vec<String> {
    let mut segments: Vec<Vec<u8>> = match url.locator() {
        Locator::Ftp(ftp) => {
            let cwds = ftp.cwds().decode().into_iter().map(Cow::into_owned);
            cwds.chain([ftp.name().map(|name| name.decode().into_owned()).unwrap_or_default()]).collect()
        }
        _ => {
            let mut spans = url.parts().filter(Part::names_document).map(|part| part.span());
            let path = spans.next().map(|first| first.start..spans.last().unwrap_or(first).end);
            let path = path.and_then(|path| url.as_str().get(path)).unwrap_or_default();
            let path = path.strip_prefix('/').unwrap_or(path);
            path.split('/').map(|segment| urlwise::decode(segment.as_bytes()).into_owned()).collect()
        }
    };
    let search = match url.locator() {
        Locator::Http(http) => http.search(),
        Locator::Gopher(gopher) => gopher.search(),
        _ => None,
    };
    if let (Some(search), Some(last)) = (search, segments.last_mut()) {
        if last.is_empty() {
            last.extend_from_slice(name::safe(&[]).as_bytes());
        }
        last.push(b'?');
        last.extend_from_slice(&search.decode());
    }
    segments.iter().map(|segment| name::safe(segment)).collect()
}

/// FNV-1a of 64 bits: a number that is the same in every run and on every system.
fn number(octets: &[u8]) -> u64 {
    octets
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |number, octet| (number ^ u64::from(*octet)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_PATH, Tree};
    use proptest::prelude::*;
    use std::collections::HashSet;
    use std::fs;
    use std::path::{Component, Path, PathBuf};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use urlwise::{Profile, Url};

    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Folder {
            static COUNT: AtomicUsize = AtomicUsize::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("urlwise-tree-{}-{number}", std::process::id()));
            fs::create_dir(&path).expect("our folder");
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Where URLs are saved, one after the other; each file is written.
    fn placed(urls: &[&str]) -> Vec<String> {
        let folder = Folder::new();
        let mut tree = Tree::new(folder.0.clone());
        urls.iter()
            .map(|url| {
                let path = tree.place(&Url::parse_with(*url, Profile::Current).expect(url)).expect("a place");
                fs::write(&path, url).expect("it can be written");
                path.strip_prefix(&folder.0).expect("it is below").to_str().expect("UTF-8").to_owned()
            })
            .collect()
    }

    #[test]
    fn the_path_of_a_url_is_the_path_of_its_file() {
        let urls = [
            ("http://H.example/a/b.txt", "h.example/a/b.txt"),
            ("http://h.example", "h.example/index"),
            ("http://h.example/a/", "h.example/a/index"),
            ("http://h.example:8080/a", "h.example_8080/a"),
            ("http://h.example/a/?x=1", "h.example/a/index%3Fx=1"),
            ("http://h.example/q?x/y", "h.example/q%3Fx%2Fy"),
            ("ftp://u:p@h.example/pub/a%20b;type=i", "h.example/pub/a b"),
            ("gopher://h.example/0/docs/x.txt", "h.example/docs/x.txt"),
            ("file:///etc/motd", "localhost/etc/motd"),
            ("prospero://h.example/a/b;v=1", "h.example/a/b%3Bv=1"),
        ];
        for (url, path) in urls {
            let found = placed(&[url]).remove(0);
            // The version of a prospero object is no part of its name.
            assert_eq!(found, path.replace("%3Bv=1", ""), "{url}");
        }
    }

    #[test]
    fn security_57_two_urls_never_get_one_file() {
        for (first, second) in [
            ("http://h.example/a", "http://h.example/a/b"),
            ("http://h.example/a/b", "http://h.example/a"),
            ("http://h.example/A", "http://h.example/a"),
            ("http://h.example/x/a", "http://h.example/X/a"),
            ("http://h.example/a?b", "http://h.example/a%3Fb"),
            ("http://h.example/", "http://h.example/index"),
            ("gopher://h.example/0/a", "gopher://h.example/9/a"),
            ("http://h.example/a", "https://h.example/a"),
            ("http://h.example/a//b", "http://h.example/a/index/b"),
        ] {
            let both = placed(&[first, second]);
            assert!(!both[0].contains('~') && both[1] != both[0].to_lowercase() && both[1] != both[0], "{both:?}");
            assert_eq!(placed(&[first, second]), both, "the same in every run");
        }
        assert_eq!(
            placed(&["http://h.example/%61", "http://H.example:80/a"]),
            ["h.example/a", "h.example/a"],
            "one URL"
        );
    }

    #[test]
    fn security_57_long_names_and_paths_get_shorter_ones() {
        let name = "a".repeat(300);
        let path = "abc/".repeat(LONGEST_PATH / 4) + "x.txt";
        for (url, other) in [
            (format!("http://h.example/{name}.txt"), format!("http://h.example/{name}b.txt")),
            (format!("http://h.example/{name}/x"), format!("http://h.example/{name}b/x")),
            (format!("http://h.example/{path}"), format!("http://h.example/d/{path}")),
        ] {
            let both = placed(&[&url, &other]);
            assert_ne!(both[0], both[1]);
            for found in &both {
                assert!(found.split('/').all(|part| part.len() <= 245) && found.len() <= LONGEST_PATH + 20, "{found}");
            }
            assert!(!url.ends_with(".txt") || both[0].ends_with(".txt"), "{both:?}");
        }
        let folders = "abc/".repeat(LONGEST_PATH / 4 - 1);
        let longest = placed(&[&format!("http://h.example/{folders}xyz")]).remove(0);
        assert_eq!(longest, format!("h.example/{folders}xyz"));
        let longer = placed(&[&format!("http://h.example/{folders}wxyz")]).remove(0);
        assert!(longer.starts_with("h.example/wxyz~") && longer.split('/').count() == 2, "{longer}");
    }

    #[test]
    fn security_57_folders_and_files_of_an_earlier_run_keep_their_names() {
        let folder = Folder::new();
        fs::create_dir_all(folder.0.join("h.example/a")).expect("our folder");
        fs::write(folder.0.join("h.example/b"), "x").expect("our folder");
        let mut tree = Tree::new(folder.0.clone());
        for (url, start) in [("http://h.example/a", "h.example/a~"), ("http://h.example/b/c", "h.example/b~")] {
            let place = tree.place(&Url::parse(url).expect("a URL")).expect("a place");
            let below = place.strip_prefix(&folder.0).expect("it is below").to_str().expect("UTF-8");
            assert!(below.starts_with(start) && !place.exists(), "{below}");
        }
        let place = tree.place(&Url::parse("http://h.example/b").expect("a URL")).expect("a place");
        assert!(place.ends_with("h.example/b"), "a file of an earlier run is the same document");
    }

    #[cfg(unix)]
    #[test]
    fn security_57_no_folder_is_entered_through_a_link() {
        let (folder, other) = (Folder::new(), Folder::new());
        std::os::unix::fs::symlink(&other.0, folder.0.join("h.example")).expect("our folder");
        let place = Tree::new(folder.0.clone()).place(&Url::parse("http://h.example/a").expect("a URL"));
        assert!(place.expect_err("a link").contains("something else has that name"));
    }

    proptest! {
        #[test]
        fn security_57_every_place_is_below_the_folder(paths in proptest::collection::vec("(/|\\.|%2E|%2F|%5C|%00|a|A|%09|\\?|con|~|-){0,12}", 1..6)) {
            let folder = Folder::new();
            let mut tree = Tree::new(folder.0.clone());
            let mut seen = HashSet::new();
            for path in &paths {
                let url = format!("http://h.example/{path}");
                let Ok(url) = Url::parse_with(url.as_str(), Profile::Current) else { continue };
                let place = tree.place(&url).expect("a place");
                let below = place.strip_prefix(&folder.0).expect("it is below");
                prop_assert!(below.components().all(|part| matches!(part, Component::Normal(_))), "{below:?}");
                prop_assert!(below.components().count() >= 2 && !place.is_dir(), "{below:?}");
                if seen.insert(url.normalize(urlwise::NormalForm::Scheme).as_str().to_owned()) {
                    prop_assert!(!Path::exists(&place), "{below:?} is taken");
                    fs::write(&place, "").expect("it can be written");
                }
            }
        }
    }
}
