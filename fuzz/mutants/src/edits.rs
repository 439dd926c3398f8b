//! Insertions into a text, nested as the expressions are that they wrap.

use crate::Written;

/// A text to insert, and the mutants it is of.
#[derive(Default)]
pub struct Edits {
    pieces: Vec<Piece>,
    wraps: usize,
}

struct Piece {
    at: usize,
    /// Octets of the old text that it stands for.
    replaces: usize,
    /// At one place ends come before beginnings, inner ends before outer ones, and outer beginnings before inner ones.
    order: (u8, isize),
    wrap: usize,
    text: Vec<(String, Vec<u32>)>,
}

impl Edits {
    /// Begins what wraps octets that belong together.
    pub fn wrap(&mut self) -> usize {
        self.wraps += 1;
        self.wraps
    }

    /// Before an expression of this length.
    pub fn before(&mut self, wrap: usize, at: usize, length: usize, text: Vec<(String, Vec<u32>)>) {
        self.pieces.push(Piece { at, replaces: 0, order: (2, -(length as isize)), wrap, text });
    }

    /// After an expression of this length.
    pub fn after(&mut self, wrap: usize, at: usize, length: usize, text: Vec<(String, Vec<u32>)>) {
        self.pieces.push(Piece { at, replaces: 0, order: (0, length as isize), wrap, text });
    }

    /// Says that an error anywhere in these octets may be of these mutants.
    pub fn blame(&mut self, from: usize, to: usize, mutants: Vec<u32>) {
        let wrap = self.wrap();
        self.before(wrap, from, to - from, vec![(String::new(), mutants)]);
        self.after(wrap, to, to - from, vec![]);
    }

    pub fn instead(&mut self, wrap: usize, at: usize, replaces: usize, text: Vec<(String, Vec<u32>)>) {
        self.pieces.push(Piece { at, replaces, order: (3, 0), wrap, text });
    }

    /// The new text, and where in it the mutants are.
    pub fn apply(mut self, old: &str) -> (String, Vec<Written>) {
        self.pieces.sort_by_key(|piece| (piece.at, piece.order));
        let mut new = String::with_capacity(old.len() * 4);
        let mut places: Vec<Written> = Vec::new();
        let mut wraps: Vec<Written> =
            (0..=self.wraps).map(|_| Written { from: usize::MAX, to: 0, mutants: Vec::new() }).collect();
        let mut read = 0;
        for piece in self.pieces {
            new.push_str(&old[read..piece.at]);
            read = piece.at + piece.replaces;
            let wrap = &mut wraps[piece.wrap];
            wrap.from = wrap.from.min(new.len());
            for (text, mutants) in piece.text {
                let (from, to_write) = (new.len(), !text.is_empty());
                new.push_str(&text);
                wrap.mutants.extend(&mutants);
                if to_write && !mutants.is_empty() {
                    places.push(Written { from, to: new.len(), mutants });
                }
            }
            wrap.to = new.len();
        }
        new.push_str(&old[read..]);
        places.extend(wraps.into_iter().filter(|wrap| !wrap.mutants.is_empty()));
        (new, places)
    }
}
