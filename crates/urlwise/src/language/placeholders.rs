//! [`Placeholders`]: what a text fills in, as the compiler sees it.

use super::phrases::is_same;

/// No text has more.
const MOST: usize = 12;

/// The names of the `{name}` of a text.
pub(super) struct Placeholders<'t> {
    names: [&'t [u8]; MOST],
    count: usize,
}

impl<'t> Placeholders<'t> {
    /// # Panics
    /// If a brace is not closed, or there are too many; in a `const` that is an error of compilation.
    pub(super) const fn of(text: &'t str) -> Placeholders<'t> {
        let mut found = Placeholders { names: [&[]; MOST], count: 0 };
        let mut rest = text.as_bytes();
        loop {
            match rest {
                [a, b, c, d, behind @ ..] if *a != b'{' && *b != b'{' && *c != b'{' && *d != b'{' => rest = behind,
                [b'{', name @ ..] => {
                    let mut end = 0;
                    while name[end] != b'}' {
                        end += 1;
                    }
                    let (name, behind) = name.split_at(end);
                    found.names[found.count] = name;
                    found.count += 1;
                    rest = behind;
                }
                [_, behind @ ..] => rest = behind,
                [] => return found,
            }
        }
    }

    /// These names.
    ///
    /// # Panics
    /// If there are too many; in a `const` that is an error of compilation.
    pub(super) const fn named(names: &[&'t str]) -> Placeholders<'t> {
        let mut found = Placeholders { names: [&[]; MOST], count: names.len() };
        let mut i = 0;
        while i < names.len() {
            found.names[i] = names[i].as_bytes();
            i += 1;
        }
        found
    }

    /// Whether each of these names, however often, is one of the other ones.
    pub(super) const fn are_in(&self, other: &Placeholders<'_>) -> bool {
        let mut i = 0;
        while i < self.count {
            let mut place = 0;
            while place < other.count && !is_same(self.names[i], other.names[place]) {
                place += 1;
            }
            if place == other.count {
                return false;
            }
            i += 1;
        }
        true
    }
}

/// Whether a text has any placeholder.
#[rustfmt::skip]
pub(super) const fn has_placeholder(text: &str) -> bool {
    let mut rest = text.as_bytes();
    loop {
        match rest {
            [b'{', ..] | [_, b'{', ..] | [_, _, b'{', ..] | [_, _, _, b'{', ..] | [_, _, _, _, b'{', ..]
            | [_, _, _, _, _, b'{', ..] | [_, _, _, _, _, _, b'{', ..] | [_, _, _, _, _, _, _, b'{', ..] => return true,
            [_, _, _, _, _, _, _, _, behind @ ..] => rest = behind,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Placeholders, has_placeholder};

    #[test]
    fn a_placeholder_is_seen_wherever_it_stands() {
        for before in 0..20 {
            for behind in 0..20 {
                let text = "x".repeat(before) + "{name}" + &"x".repeat(behind);
                assert!(has_placeholder(&text), "{text}");
                assert_eq!(Placeholders::of(&text).count, 1, "{text}");
                let without = text.replace(['{', '}'], "");
                assert!(!has_placeholder(&without), "{without}");
            }
        }
    }

    #[test]
    fn names_are_in_others_that_have_all_of_them() {
        let are_in = |these: &str, others: &str| Placeholders::of(these).are_in(&Placeholders::of(others));
        assert!(are_in("", "") && are_in("", "{a}"));
        assert!(are_in("{b}, {a} and {b}", "{a} {b}"));
        assert!(!are_in("{a}", ""));
        for missing in ["{b} {c}", "{a} {c}", "{a} {b}"] {
            assert!(!are_in("{a} {b} {c}", missing), "{missing}");
            assert!(are_in(missing, "{a} {b} {c}"), "{missing}");
        }
    }
}
