//! The articles of a group by thread: an answer follows what it answers, as the headers `References` say (RFC 5536 section 3.2.10).

use std::collections::HashMap;

use urlwise_open::Entry;

/// The most articles that are arranged together; those after them are arranged by themselves.
pub(crate) const MOST: usize = 5000;

/// The articles with their depth in their thread, each thread in the order of its first article.
///
/// An article answers the last of its references that is among them, before it or after it. A reference that would make an article
/// its own answer is passed over.
pub(crate) fn arranged(entries: Vec<Entry>) -> Vec<(usize, Entry)> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::with_capacity(entries.len());
    for (number, entry) in entries.iter().enumerate() {
        if let Some(id) = &entry.message_id {
            numbers.entry(id).or_insert(number);
        }
    }
    let mut answers: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    let mut threads = Threads((0..entries.len()).collect());
    for (number, entry) in entries.iter().enumerate() {
        let known = entry.references.iter().rev().filter_map(|id| numbers.get(id.as_slice()));
        // Nothing is answered yet by this one, so it is the first of a thread: its own if this would be a circle.
        if let Some(&answered) = known.into_iter().find(|answered| threads.first(**answered) != number) {
            answers[answered].push(number);
            threads.0[number] = answered;
        }
    }
    let mut entries: Vec<_> = entries.into_iter().map(Some).collect();
    let mut arranged = Vec::with_capacity(entries.len());
    for number in 0..entries.len() {
        let mut next = vec![(0, threads.first(number))];
        while let Some((depth, number)) = next.pop() {
            // A thread that is there already is left out as a whole.
            let Some(entry) = entries[number].take() else { continue };
            next.extend(answers[number].iter().rev().map(|answer| (depth + 1, *answer)));
            arranged.push((depth, entry));
        }
    }
    arranged
}

/// For each article one before it in its thread; the first of a thread is before itself.
struct Threads(Vec<usize>);

impl Threads {
    /// The first article of the thread of this one. The way there is short for those that ask next.
    fn first(&mut self, number: usize) -> usize {
        let mut first = number;
        while self.0[first] != first {
            first = self.0[first];
        }
        let mut here = number;
        while self.0[here] != first {
            here = std::mem::replace(&mut self.0[here], first);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlwise_open::EntryKind;

    fn article(id: &str, references: &[&str]) -> Entry {
        let mut entry = Entry::new(id.into(), EntryKind::Document);
        entry.message_id = Some(id.into());
        entry.references = references.iter().map(|id| id.as_bytes().to_vec()).collect();
        entry
    }

    fn shown(entries: Vec<Entry>) -> Vec<(usize, String)> {
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        arranged(entries).into_iter().map(|(depth, entry)| (depth, text(&entry.title))).collect()
    }

    #[test]
    fn answers_follow_what_they_answer() {
        let listed = vec![
            article("a", &[]),
            article("b", &[]),
            article("a1", &["a"]),
            article("b1", &["b"]),
            article("a2", &["gone", "a"]),
            article("a11", &["a", "a1"]),
            article("a12", &["a", "a1", "gone"]),
        ];
        let expected = [(0, "a"), (1, "a1"), (2, "a11"), (2, "a12"), (1, "a2"), (0, "b"), (1, "b1")];
        assert_eq!(shown(listed), expected.map(|(depth, id)| (depth, id.to_owned())));
    }

    #[test]
    fn an_answer_may_stand_before_what_it_answers() {
        let listed = vec![
            article("a1", &["a"]),
            article("b", &[]),
            article("a21", &["a", "a2"]),
            article("a2", &["a"]),
            article("a", &[]),
            article("b1", &["b"]),
        ];
        let expected = [(0, "a"), (1, "a1"), (1, "a2"), (2, "a21"), (0, "b"), (1, "b1")];
        assert_eq!(shown(listed), expected.map(|(depth, id)| (depth, id.to_owned())));
    }

    #[test]
    fn security_61_circles_and_doubles_lose_and_repeat_nothing() {
        let listed = vec![
            article("a", &["b", "a"]),
            article("b", &["a"]),
            article("a", &["a"]),
            article("", &[""]),
            article("c", &["c"]),
        ];
        let expected = [(0, "b"), (1, "a"), (2, "a"), (0, ""), (0, "c")];
        assert_eq!(shown(listed), expected.map(|(depth, id)| (depth, id.to_owned())));
        let deep: Vec<_> = (0..MOST).map(|i| article(&i.to_string(), &[&i.saturating_sub(1).to_string()])).collect();
        let depths: Vec<_> = arranged(deep).into_iter().map(|(depth, _)| depth).collect();
        assert!(depths.iter().copied().eq(0..MOST), "{depths:?}");
        // And from the last one back.
        let back: Vec<_> = (0..MOST).map(|i| article(&i.to_string(), &[&(i + 1).to_string()])).collect();
        let depths: Vec<_> = arranged(back).into_iter().map(|(depth, _)| depth).collect();
        assert!(depths.iter().copied().eq(0..MOST), "{depths:?}");
    }
}
