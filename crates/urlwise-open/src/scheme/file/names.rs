//! The names of a directory, sorted by octets, in memory that does not grow with it (S-49).
//!
//! A directory has its names in no order. Those that come first are held, as many as there is room for; when they have been
//! given, the directory is read again for those that follow. That costs less than the metadata of the entries, which is read for each.

use super::{failed, name_of};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use std::collections::BinaryHeap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// The octets of memory for names: some 100,000 short ones.
const ROOM: usize = 6 << 20;

/// What a name takes in memory beside its octets.
const BESIDE: usize = size_of::<OsString>() + 24;

/// The names of a directory, in order.
pub(super) struct Names {
    path: PathBuf,
    most: usize,
    room: usize,
    /// The next ones, the last of them first.
    ready: Vec<OsString>,
    /// What was the last of them, if the directory has more.
    last: Option<OsString>,
}

impl Names {
    /// Those of a directory that may have `most` entries.
    pub(super) fn of(path: &Path, most: usize) -> Result<Names, Error> {
        Names::within(ROOM, path, most)
    }

    fn within(room: usize, path: &Path, most: usize) -> Result<Names, Error> {
        let mut names = Names { path: path.to_owned(), most, room, ready: Vec::new(), last: None };
        names.read()?;
        Ok(names)
    }

    /// Reads the directory for the names that come next.
    fn read(&mut self) -> Result<(), Error> {
        let fail = |error| failed(&self.path, error);
        let mut first = First::after(self.last.take(), self.room, std::mem::take(&mut self.ready));
        for (count, entry) in fs::read_dir(&self.path).map_err(fail)?.enumerate() {
            if count == self.most {
                let what = message!(
                    "{path} contains more than {count} entries",
                    path = name_of(&self.path),
                    count = self.most
                );
                return Err(Error::new(ErrorKind::Limit, what)
                    .with_help(words!("raise the limit on entries to get all of them")));
            }
            first.add(entry.map_err(fail)?.file_name());
        }
        (self.ready, self.last) = first.sorted();
        Ok(())
    }
}

impl Iterator for Names {
    type Item = Result<OsString, Error>;

    fn next(&mut self) -> Option<Result<OsString, Error>> {
        if self.ready.is_empty()
            && self.last.is_some()
            && let Err(error) = self.read()
        {
            return Some(Err(error));
        }
        self.ready.pop().map(Ok)
    }
}

/// Of all names that are added those that come first, as many as there is room for.
struct First {
    /// These and all before them have been given.
    after: Option<OsString>,
    /// This one had no room, nor has any that comes after it.
    until: Option<OsString>,
    names: BinaryHeap<OsString>,
    /// Octets of memory.
    room: usize,
    taken: usize,
}

impl First {
    /// The first names that come after one; `memory` is used for them.
    fn after(after: Option<OsString>, room: usize, mut memory: Vec<OsString>) -> First {
        memory.clear();
        First { after, until: None, names: BinaryHeap::from(memory), room, taken: 0 }
    }

    fn add(&mut self, name: OsString) {
        let is_given = self.after.as_ref().is_some_and(|after| name <= *after);
        if is_given || self.until.as_ref().is_some_and(|until| name >= *until) {
            return;
        }
        self.taken += taken(&name);
        self.names.push(name);
        // One name has room, however long it is.
        while self.taken > self.room && self.names.len() > 1 {
            self.until = self.names.pop();
            self.taken -= self.until.as_deref().map_or(0, taken);
        }
    }

    /// The names, the last of them first, and that one if there are more.
    fn sorted(self) -> (Vec<OsString>, Option<OsString>) {
        let mut names = self.names.into_sorted_vec();
        names.reverse();
        let last = self.until.and_then(|_| names.first().cloned());
        (names, last)
    }
}

fn taken(name: &OsStr) -> usize {
    name.len() + BESIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names as they are given when the directory has them in this order each time.
    fn given(directory: &[&str], room: usize) -> Vec<String> {
        let (mut given, mut ready, mut last) = (Vec::new(), Vec::new(), None);
        loop {
            let mut first = First::after(last, room, ready);
            directory.iter().for_each(|name| first.add(name.into()));
            assert!(first.taken <= room || first.names.len() == 1, "{room}: {:?}", first.names);
            assert_eq!(first.taken, first.names.iter().map(|name| taken(name)).sum::<usize>());
            (ready, last) = first.sorted();
            while let Some(name) = ready.pop() {
                given.push(name.into_string().expect("it was one"));
            }
            if last.is_none() {
                return given;
            }
        }
    }

    /// Calls `visit` with every order of the names from `at` on.
    fn orders(names: &mut [&'static str], at: usize, visit: &mut impl FnMut(&[&str])) {
        if at == names.len() {
            return visit(names);
        }
        for other in at..names.len() {
            names.swap(at, other);
            orders(names, at + 1, visit);
            names.swap(at, other);
        }
    }

    #[test]
    fn each_name_is_given_once_and_in_order_however_little_room_there_is() {
        let long = "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc";
        let mut names = ["a", long, "b", "d", "e", "cc"];
        let expected = ["a", "b", "cc", long, "d", "e"];
        orders(&mut names, 0, &mut |order| {
            for room in [0, 1, BESIDE, 2 * BESIDE + 2, 3 * BESIDE + 3, 2 * BESIDE + long.len(), 5 * BESIDE, 10_000] {
                assert_eq!(given(order, room), expected, "{room}: {order:?}");
            }
        });
    }

    #[test]
    fn a_directory_without_names_has_none() {
        assert_eq!(given(&[], 0), [""; 0]);
    }

    /// A new directory with so many files.
    fn directory(name: &str, count: usize) -> PathBuf {
        let path = std::env::temp_dir().join(format!("urlwise-names-{}-{name}", std::process::id()));
        fs::create_dir(&path).expect("a new name");
        for number in 0..count {
            fs::write(path.join(format!("{number}")), "").expect("our directory");
        }
        path
    }

    #[test]
    fn a_directory_with_more_names_than_have_room_is_read_again() {
        let path = directory("again", 300);
        let mut expected: Vec<_> = (0..300).map(|number| number.to_string()).collect();
        expected.sort();
        for room in [0, 20 * BESIDE, ROOM] {
            let names = Names::within(room, &path, 300).expect("there are not more");
            let names: Vec<_> = names.map(|name| name.expect("it is there").into_string().expect("digits")).collect();
            assert!(names == expected, "{room}: {names:?}");
        }
        fs::remove_dir_all(path).expect("ours");
    }

    #[test]
    fn a_directory_that_vanishes_while_it_is_listed_is_an_error() {
        let path = directory("vanishes", 3);
        let mut names = Names::within(0, &path, 3).expect("it is there");
        assert_eq!(names.next().map(|name| name.expect("it was read")), Some("0".into()));
        fs::remove_dir_all(&path).expect("ours");
        let error = names.next().map(|name| name.expect_err("it is gone"));
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::NotFound));
        assert!(names.next().is_none());
    }

    #[test]
    fn a_directory_that_grows_beyond_the_limit_while_it_is_listed_is_an_error() {
        let path = directory("grows", 2);
        let mut names = Names::within(0, &path, 2).expect("there are not more");
        assert!(names.next().is_some_and(|name| name.is_ok()));
        fs::write(path.join("x"), "").expect("our directory");
        let error = names.next().map(|name| name.expect_err("it has too many"));
        assert_eq!(error.map(|error| error.kind()), Some(ErrorKind::Limit));
        fs::remove_dir_all(&path).expect("ours");
    }
}
