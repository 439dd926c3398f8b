//! The articles of a group by thread: an answer follows what it answers, as the headers `References` say (RFC 5536 section 3.2.10).

use std::collections::HashMap;

use urlwise_open::Entry;

/// The most articles that are arranged together; those after them are arranged by themselves.
pub(crate) const MOST: usize = 5000;

/// The articles with their depth in their thread, each thread in the order of its first article.
///
/// An article answers the last of its references that is listed before it. So nothing can be its own answer.
pub(crate) fn arranged(entries: Vec<Entry>) -> Vec<(usize, Entry)> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::with_capacity(entries.len());
    let mut answers: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    let mut firsts = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        match entry.references.iter().rev().find_map(|id| numbers.get(id.as_slice())) {
            Some(&answered) => answers[answered].push(number),
            None => firsts.push(number),
        }
        if let Some(id) = &entry.message_id {
            numbers.entry(id).or_insert(number);
        }
    }
    let mut entries: Vec<_> = entries.into_iter().map(Some).collect();
    let mut arranged = Vec::with_capacity(entries.len());
    let mut next: Vec<(usize, usize)> = firsts.into_iter().rev().map(|number| (0, number)).collect();
    while let Some((depth, number)) = next.pop() {
        next.extend(answers[number].iter().rev().map(|answer| (depth + 1, *answer)));
        arranged.extend(entries[number].take().map(|entry| (depth, entry)));
    }
    arranged
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
    fn security_61_circles_and_doubles_lose_and_repeat_nothing() {
        let listed = vec![
            article("a", &["b", "a"]),
            article("b", &["a"]),
            article("a", &["a"]),
            article("", &[""]),
            article("c", &["c"]),
        ];
        let expected = [(0, "a"), (1, "b"), (1, "a"), (0, ""), (0, "c")];
        assert_eq!(shown(listed), expected.map(|(depth, id)| (depth, id.to_owned())));
        let deep: Vec<_> = (0..MOST).map(|i| article(&i.to_string(), &[&i.saturating_sub(1).to_string()])).collect();
        let depths: Vec<_> = arranged(deep).into_iter().map(|(depth, _)| depth).collect();
        assert!(depths.iter().copied().eq(0..MOST), "{depths:?}");
    }
}
