//! Runs that save a document under one name, one after the other and ended in any way, against what should then be there.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;

const DOCUMENT: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const NAME: &str = "x";
const PARTIAL: &str = "x.part";
const DESCRIPTION: &str = "x.part.json";

#[derive(Clone, Debug)]
struct Run {
    force: bool,
    resume: Resumes,
    /// Whether it starts over what it resumes.
    restarts: bool,
    /// Whether it describes the file before anything arrives.
    describes: bool,
    /// How many octets arrive at a time.
    pieces: Vec<usize>,
    end: End,
}

#[derive(Clone, Copy, Debug)]
enum End {
    Published,
    /// Interrupted, and described or not.
    Left(bool),
    Killed,
}

fn run() -> impl Strategy<Value = Run> {
    let resume = prop::sample::select(&[Resumes::Nothing, Resumes::Own, Resumes::Any][..]);
    let end = prop::sample::select(&[End::Published, End::Left(true), End::Left(false), End::Killed][..]);
    let pieces = prop::collection::vec(0..12_usize, 0..4);
    (any::<bool>(), resume, any::<bool>(), any::<bool>(), pieces, end).prop_map(
        |(force, resume, restarts, describes, pieces, end)| Run { force, resume, restarts, describes, pieces, end },
    )
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn save(folder: &Path, run: &Run) {
    let before = files(folder);
    let target = Target::new(folder.join(NAME), run.force, run.resume, false);
    let info = PartialInfo { url: "ftp://h.dom/x".into(), metadata: urlwise_open::Metadata::default() };
    let opened = match target.look() {
        Ok(Existing::Nothing) => target.begin(),
        Ok(Existing::Partial(part)) => Ok(part),
        Ok(Existing::Foreign(length)) => {
            assert_eq!(before[PARTIAL].len() as u64, length);
            target.adopt(&info)
        }
        Ok(Existing::File(length)) => {
            assert_eq!(before[NAME].len() as u64, length);
            return;
        }
        Err(refusal) => Err(refusal),
    };
    let Ok(mut part) = opened else {
        return assert_eq!(files(folder), before, "a run that is refused changes nothing");
    };
    if part.length() > 0 {
        assert_eq!(before[PARTIAL].len() as u64, part.length(), "it goes on where it ended");
    }
    if run.restarts {
        part.restart().unwrap();
    }
    if run.describes {
        part.describe(&info).unwrap();
    }
    for piece in &run.pieces {
        let at = usize::try_from(part.length()).unwrap();
        part.append(&DOCUMENT[at..DOCUMENT.len().min(at + piece)]).unwrap();
    }
    let whole = &DOCUMENT[..usize::try_from(part.length()).unwrap()];
    match run.end {
        End::Published => {
            part.publish(None).unwrap();
            let after = files(folder);
            assert_eq!(after, BTreeMap::from([(NAME.to_owned(), whole.to_vec())]), "the document and nothing else");
            return;
        }
        End::Left(is_described) => {
            let message = part.leave(is_described.then_some(&info), None);
            let after = files(folder);
            assert_eq!(message.is_some(), !whole.is_empty());
            assert_eq!(after.get(PARTIAL).map(Vec::as_slice), (!whole.is_empty()).then_some(whole));
            assert!(!is_described || after.contains_key(DESCRIPTION) != whole.is_empty(), "{after:?}");
        }
        End::Killed => {
            let is_named = part.is_named;
            drop(part);
            let after = files(folder);
            assert!(if is_named { after[PARTIAL] == whole } else { after == before }, "{after:?}");
        }
    }
    assert_eq!(files(folder).get(NAME), before.get(NAME), "only a whole document gets the name");
}

proptest! {
    #![proptest_config(crate::testing::at_least(2_000))]

    #[test]
    fn security_42_43_any_runs_one_after_the_other_leave_what_was_there_or_the_document(runs in prop::collection::vec(run(), 1..6)) {
        static CASES: AtomicUsize = AtomicUsize::new(0);
        let number = CASES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("urlwise-save-{}-{number}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        runs.iter().for_each(|run| save(&folder, run));
        fs::remove_dir_all(&folder).unwrap();
    }
}
