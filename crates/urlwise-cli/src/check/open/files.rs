//! Looks up the files that relative links name.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path};

use urlwise::Url;
use urlwise_links::Format;
use urlwise_open::Cause;

use super::prove::missing;
use super::verdict::{More, Proof, Verdict};
use crate::exit::os_message;
use crate::language::said;

/// A longer file is not read for its fragments.
const LONGEST_FILE: u64 = 16 << 20;

/// What a site calls the pages of a repository beside its files: GitHub, and `-` of GitLab.
const PAGES: [&str; 32] = [
    "-",
    "actions",
    "activity",
    "blob",
    "branches",
    "commit",
    "commits",
    "compare",
    "deployments",
    "discussions",
    "edit",
    "forks",
    "generate",
    "graphs",
    "issues",
    "labels",
    "milestone",
    "milestones",
    "network",
    "packages",
    "projects",
    "pull",
    "pulls",
    "pulse",
    "raw",
    "releases",
    "security",
    "stargazers",
    "tags",
    "tree",
    "watchers",
    "wiki",
];

/// How files are looked up.
pub(super) struct Files {
    /// How all files are read; `None`: each as its name says.
    pub(super) read_as: Option<Format>,
}

impl Files {
    /// Looks a file or folder up. `from`: the URL of the text that links to it.
    pub(super) fn look_up(&self, path: &Path, from: Option<&Url<String>>, fragments: &BTreeSet<String>) -> Proof {
        let unreadable = |error: &io::Error| {
            Proof::of(
                Verdict::Unknown,
                Some(Cause::Unreadable.name()),
                said!("cannot read the file: {why}", why = os_message(error)),
            )
        };
        let from = from.and_then(|from| from.to_file_path().ok());
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return match from.is_some_and(|from| is_page(path, &from)) {
                    true => page(),
                    false => Proof::dead(Cause::NotFound, said!("there is no such file")),
                };
            }
            Err(error) => return unreadable(&error),
        };
        let format = self.format(path, from.as_deref());
        // Lines of other files have no names that are known here.
        if fragments.is_empty() || !format.has_links() || !metadata.is_file() || metadata.len() > LONGEST_FILE {
            return Proof::alive();
        }
        match fs::read(path) {
            Ok(octets) => {
                Proof::alive().with(More { absent: missing(format, &octets, None, fragments), ..More::default() })
            }
            Err(error) => unreadable(&error),
        }
    }

    /// How a file is read that a text links to: as its name says; if that says nothing, as the text, if that has a name like it.
    fn format(&self, path: &Path, from: Option<&Path>) -> Format {
        let own = Format::of_path(path);
        let is_alike = || from.is_some_and(|from| from.extension() == path.extension());
        self.read_as.filter(|_| !own.has_links() && is_alike()).unwrap_or(own)
    }
}

/// Whether a path that a text names leaves the repository of the text, to where sites have its pages: they show `a.md` of it at
/// `/OWNER/NAME/blob/BRANCH/a.md`, so `../../issues` is `/OWNER/NAME/issues`.
fn is_page(path: &Path, from: &Path) -> bool {
    let Some(root) = from.ancestors().skip(1).find(|folder| folder.join(".git").exists()) else { return false };
    // No link goes further up than to the root of the file system.
    let Some(base) = root.ancestors().take(3).last() else { return false };
    let below = path.strip_prefix(base).ok().filter(|_| !path.starts_with(root));
    let first = below.and_then(|below| below.components().next());
    first.is_some_and(|first| PAGES.iter().any(|page| first == Component::Normal(page.as_ref())))
}

/// A page of a repository.
fn page() -> Proof {
    let why = said!(
        "it leaves the repository; on GitHub it names a page of it, which `{example}` opens",
        example = "--base-url https://github.com/OWNER/NAME/blob/BRANCH/"
    );
    Proof::skipped("repository-page", why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_three_folders_is_where_pages_are() {
        // No folder above this one is a repository, unless a machine is odd.
        let root = std::env::temp_dir().join(format!("urlwise-files-{}", std::process::id()));
        let repository = root.join("owner/name");
        fs::create_dir_all(repository.join(".git")).unwrap();
        fs::create_dir_all(repository.join("docs")).unwrap();
        for (path, from, expected) in [
            ("issues", "owner/name/README.md", true),
            ("issues/new", "owner/name/docs/a.md", true),
            ("releases/latest", "owner/name/README.md", true),
            ("-/issues", "owner/name/README.md", true),
            ("other/issues", "owner/name/README.md", false),
            ("owner/issues", "owner/name/README.md", false),
            ("owner/name/issues", "owner/name/README.md", false),
            ("CHANGES.md", "owner/name/README.md", false),
            ("issues", "owner/README.md", false),
        ] {
            assert_eq!(is_page(&root.join(path), &root.join(from)), expected, "{path} {from}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_file_is_read_as_the_text_that_links_to_it_if_their_names_are_alike() {
        let format =
            |read_as, path: &str, from: Option<&str>| Files { read_as }.format(path.as_ref(), from.map(Path::new));
        for (read_as, path, from, expected) in [
            (Some(Format::Markdown), "b", Some("a"), Format::Markdown),
            (Some(Format::Markdown), "b.txt", Some("a.txt"), Format::Markdown),
            (Some(Format::Markdown), "b.svg", Some("a.txt"), Format::Text),
            (Some(Format::Markdown), "b.html", Some("a.html"), Format::Html),
            (Some(Format::Html), "b.md", Some("a"), Format::Markdown),
            (Some(Format::Markdown), "b", None, Format::Text),
            (None, "b", Some("a"), Format::Text),
            (None, "b.md", Some("a"), Format::Markdown),
        ] {
            assert_eq!(format(read_as, path, from), expected, "{path} {from:?}");
        }
    }
}
