//! `check --open`: what relative links name on this machine, and what they name only on a site.

use crate::links::{found, open, verdicts};
use crate::support::*;

#[test]
fn a_page_of_the_repository_on_its_site_is_no_dead_file() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("owner/name/.git")).unwrap();
    std::fs::create_dir_all(folder.path("owner/name/docs")).unwrap();
    let links = "[1](../../issues) [2](../../wiki/Home) [3](../../gone.md) [4](../issues) [5](issues)\n";
    folder.file("owner/name/README.md", links);
    folder.file("owner/name/docs/a.md", "[6](../../../releases/latest)\n");
    let objects = verdicts(&open(&folder, &["--json", "--offline", "owner/name"]));
    for (target, verdict, cause) in [
        ("../../issues", "skipped", "repository-page"),
        ("../../wiki/Home", "skipped", "repository-page"),
        ("../../../releases/latest", "skipped", "repository-page"),
        ("../../gone.md", "dead", "not-found"),
        ("../issues", "dead", "not-found"),
        ("issues", "dead", "not-found"),
    ] {
        assert_eq!(found(&objects, target), (verdict.to_owned(), Some(cause.to_owned())), "{target}");
    }
    let why = objects["../../issues"]["message"].as_str().unwrap_or_default();
    let base = why.split('`').nth(1).unwrap_or_default().to_owned();
    assert!(base.starts_with("--base-url "), "{why:?}");

    // What the message says opens the page.
    let options = ["--json", "--offline", "--root-dir", "owner/name", "owner/name/README.md"];
    let output = open(&folder, &[&base.split(' ').collect::<Vec<_>>()[..], &options].concat());
    assert_eq!(verdicts(&output)["../../issues"]["url"], "https://github.com/OWNER/NAME/issues");
}

#[test]
fn fragments_of_files_that_a_text_links_to_are_known_if_it_is_read_as_one_with_fragments() {
    let folder = Folder::new();
    folder.file("NOTES", "# Own\n\n[1](#own) [2](#gone) [3](OTHER#title) [4](OTHER#gone) [5](icon.svg#a)\n");
    folder.file("OTHER", "# Title\n");
    folder.file("icon.svg", "<svg><g id=b></svg>");
    let objects = verdicts(&open(&folder, &["--json", "--offline", "--as", "markdown", "NOTES"]));
    for (target, verdict) in [
        ("#own", "alive"),
        ("#gone", "dead"),
        ("OTHER#title", "alive"),
        ("OTHER#gone", "dead"),
        ("icon.svg#a", "alive"),
    ] {
        assert_eq!(found(&objects, target).0, verdict, "{target}");
    }
}
