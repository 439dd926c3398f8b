//! Inputs made of other inputs. The same seed and number make the same input of the same corpus.

/// Octets that stand between things in URLs, replies and targets' inputs, or at the ends of ranges.
const SPECIAL: &[u8] =
    b"\0\t\n\r !\"#$%&'()*+,-./0149:;<=>?@AFZ[\\]^_`afz{|}~\x7f\x80\xbf\xc2\xc3\xe2\xef\xf0\xfd\xfe\xff";

/// The most changes to one input.
const CHANGES: u64 = 6;

/// What inputs are made of.
pub struct Mutator {
    seed: u64,
    longest: usize,
    corpus: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    /// Inputs of at most `longest` octets. An empty corpus counts as one empty input, no words as one empty word.
    pub fn new(seed: u64, longest: usize, corpus: Vec<Vec<u8>>, words: Vec<Vec<u8>>) -> Mutator {
        let or_empty = |list: Vec<Vec<u8>>| if list.is_empty() { vec![Vec::new()] } else { list };
        Mutator { seed, longest, corpus: or_empty(corpus), words: or_empty(words) }
    }

    /// How many inputs there are to make others of: the first are these.
    pub fn given(&self) -> usize {
        self.corpus.len()
    }

    /// Writes the input of this number.
    pub fn write(&self, number: u64, input: &mut Vec<u8>) {
        input.clear();
        if let Some(given) = usize::try_from(number).ok().and_then(|number| self.corpus.get(number)) {
            input.extend_from_slice(given);
            return;
        }
        let mut random = Random::new(self.seed, number);
        input.extend_from_slice(random.pick::<Vec<u8>>(&self.corpus));
        for _ in 0..=random.below(CHANGES) {
            self.change(input, &mut random);
        }
        input.truncate(self.longest);
    }

    fn change(&self, input: &mut Vec<u8>, random: &mut Random) {
        let at = random.place(input.len() + 1);
        let span = |from: usize, length: usize, random: &mut Random| {
            let most = 1 << random.below(7);
            from..(from + random.place(most + 1)).min(length)
        };
        match random.below(12) {
            0 | 1 => {
                if let Some(octet) = input.get_mut(at) {
                    *octet = *random.pick(SPECIAL);
                }
            }
            2 => {
                if let Some(octet) = input.get_mut(at) {
                    *octet ^= 1 << random.below(8);
                }
            }
            3 => {
                if let Some(octet) = input.get_mut(at) {
                    *octet = random.next().to_le_bytes()[0];
                }
            }
            4 | 5 => input.insert(at, *random.pick(SPECIAL)),
            6 => {
                let span = span(at, input.len(), random);
                input.drain(span);
            }
            7 => {
                let span = span(at, input.len(), random);
                input.extend_from_within(span);
            }
            8 | 9 => {
                let word = random.pick(&self.words);
                input.splice(at..at, word.iter().copied());
            }
            10 => {
                let word = random.pick(&self.words);
                let end = (at + word.len()).min(input.len());
                input.splice(at..end, word.iter().copied());
            }
            _ => {
                // The rest of another input, from anywhere.
                let other = random.pick(&self.corpus);
                let from = random.place(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
        }
    }
}

/// Numbers without a pattern: SplitMix64.
pub struct Random(u64);

impl Random {
    /// The sequence of this seed and number.
    pub fn new(seed: u64, number: u64) -> Random {
        Random(Random(seed).next() ^ number.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        (u128::from(self.next()) * u128::from(end) >> 64) as u64
    }

    /// A place below `end`, which is not 0.
    pub fn place(&mut self, end: usize) -> usize {
        self.below(end as u64) as usize
    }

    /// One of a list that is not empty.
    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.place(list.len())]
    }
}
