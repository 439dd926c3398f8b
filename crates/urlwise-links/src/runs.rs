//! Where the octets of a decoded text stand in the document.

/// A run of octets that are written as they are, or the decoded octets of one reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    /// Where it starts in the text.
    pub(crate) text: usize,
    /// Where it starts in the document.
    pub(crate) source: usize,
}

/// Runs in order. A text of nothing but references has one for every few octets, so each takes one octet, not sixteen.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Runs {
    /// How far each run is from the one before: in the text, three bits, and in the document, four bits; where one of them has not enough,
    /// [`LONG`] stands before both, which have seven bits an octet then, the last without the eighth.
    steps: Vec<u8>,
    /// Every [`STRIDE`]th run, and where the steps behind it begin.
    some: Vec<(Run, usize)>,
    count: usize,
    last: Run,
}

/// What stands before a step that one octet cannot tell.
const LONG: u8 = 0x80;

/// How many runs are looked at one after the other.
const STRIDE: usize = 32;

impl Runs {
    /// Adds a run, which starts before no other one.
    pub(crate) fn push(&mut self, run: Run) {
        if self.count.is_multiple_of(STRIDE) {
            self.some.push((run, self.steps.len()));
        } else {
            self.step(run.text - self.last.text, run.source - self.last.source);
        }
        self.count += 1;
        self.last = run;
    }

    fn step(&mut self, text: usize, source: usize) {
        if text < 1 << 3 && source < 1 << 4 {
            self.steps.push((text << 4 | source) as u8);
            return;
        }
        self.steps.push(LONG);
        for mut length in [text, source] {
            while length > 0x7f {
                self.steps.push(0x80 | (length & 0x7f) as u8);
                length >>= 7;
            }
            self.steps.push(length as u8);
        }
    }

    /// The last run of those that `is_before` holds for, which are the first ones, and the one behind it.
    pub(crate) fn around(&self, is_before: impl Fn(&Run) -> bool) -> (Option<Run>, Option<Run>) {
        let behind = self.some.partition_point(|(run, _)| is_before(run));
        let next = self.some.get(behind).map(|(run, _)| *run);
        let Some((mut last, start)) = behind.checked_sub(1).map(|at| self.some[at]) else { return (None, next) };
        let end = self.some.get(behind).map_or(self.steps.len(), |(_, start)| *start);
        let mut steps = self.steps[start..end].iter();
        while let Some((text, source)) = step(&mut steps) {
            let run = Run { text: last.text + text, source: last.source + source };
            if !is_before(&run) {
                return (Some(last), Some(run));
            }
            last = run;
        }
        (Some(last), next)
    }
}

fn step<'o>(steps: &mut impl Iterator<Item = &'o u8>) -> Option<(usize, usize)> {
    match *steps.next()? {
        LONG => Some((length(steps)?, length(steps)?)),
        short => Some((usize::from(short >> 4), usize::from(short & 0xf))),
    }
}

fn length<'o>(steps: &mut impl Iterator<Item = &'o u8>) -> Option<usize> {
    let (mut length, mut shift) = (0, 0);
    loop {
        let octet = *steps.next()?;
        length |= usize::from(octet & 0x7f) << shift;
        shift += 7;
        if octet < 0x80 {
            return Some(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_are_found_as_in_a_list(steps in prop::collection::vec((0usize..20, 0usize..400), 0..200), first in 0usize..1 << 40) {
            let (mut runs, mut list) = (Runs::default(), Vec::new());
            let mut run = Run { text: 0, source: first };
            for (text, source) in steps {
                run = Run { text: run.text + text, source: run.source + source };
                runs.push(run);
                list.push(run);
            }
            for at in 0..=run.text + 1 {
                let behind = list.partition_point(|run| run.text < at);
                let last = behind.checked_sub(1).map(|last| list[last]);
                prop_assert_eq!(runs.around(|run| run.text < at), (last, list.get(behind).copied()));
            }
        }
    }
}
