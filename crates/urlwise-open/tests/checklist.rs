//! Every line of the security checklist has a test that names its number: `security_NN_...`, or several numbers in one name.
//!
//! The numbers are those of docs/client-security.md, which comments and messages write as S-NN.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const LAST: u32 = 58;

#[test]
fn every_line_of_the_checklist_has_a_test_that_names_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates lie side by side");
    let mut named = BTreeSet::new();
    collect(crates, &mut named);
    let missing: Vec<u32> = (1..=LAST).filter(|number| !named.contains(number)).collect();
    assert_eq!(missing, [] as [u32; 0], "no test names these lines");
}

/// The numbers in the names of all tests below a folder.
fn collect(folder: &Path, named: &mut BTreeSet<u32>) {
    for entry in fs::read_dir(folder).expect("it is our source").map(|entry| entry.expect("it is our source")) {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, named);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("it is our source");
            let lines = text.lines().map(str::trim_start);
            for name in lines.filter_map(|line| line.strip_prefix("fn security_")) {
                named.extend(name.split('_').map_while(|word| word.parse::<u32>().ok()));
            }
        }
    }
}
