//! A text, read by the table: every alternative in turn, going back where the rest does not fit.

use crate::grammar::{Element, Grammar, Order};
use std::cell::RefCell;
use std::ops::Range;

/// Where a rule was derived: its place in the table, and the octets.
pub type Derived = (usize, Range<usize>);

/// The first reading of the whole text by a rule, as the derivations of rules within it in the order of their ends; `None` if the
/// text cannot be derived.
pub fn read(grammar: &Grammar, rule: usize, text: &[u8]) -> Option<Vec<Derived>> {
    let reader = Reader { grammar, text, derived: RefCell::new(Vec::new()) };
    let fits = reader.rule(rule, 0, &mut |end| end == text.len());
    fits.then(|| reader.derived.into_inner())
}

struct Reader<'g> {
    grammar: &'g Grammar,
    text: &'g [u8],
    derived: RefCell<Vec<Derived>>,
}

/// Whether the rest fits from there.
type Rest<'r> = &'r mut dyn FnMut(usize) -> bool;

impl Reader<'_> {
    fn rule(&self, place: usize, at: usize, rest: Rest<'_>) -> bool {
        self.element(self.grammar.rule(place), at, &mut |end| {
            self.derived.borrow_mut().push((place, at..end));
            let fits = rest(end);
            if !fits {
                self.derived.borrow_mut().pop();
            }
            fits
        })
    }

    fn element(&self, element: &Element, at: usize, rest: Rest<'_>) -> bool {
        match element {
            Element::Literal(literal) => self.text[at..].starts_with(literal) && rest(at + literal.len()),
            Element::One(octets) => self.text.get(at).is_some_and(|octet| octets[usize::from(*octet)]) && rest(at + 1),
            Element::Rule(place) => self.rule(*place, at, rest),
            Element::Sequence(elements) => self.sequence(elements, at, rest),
            Element::Alternatives(elements) => elements.iter().any(|element| self.element(element, at, rest)),
            Element::Optional(element) => self.element(element, at, rest) || rest(at),
            Element::Repeated(least, Order::Longest, element) => self.repeated(*least, element, at, rest),
            Element::Repeated(_, Order::Shortest, _) => panic!("the amendments have it for runs alone"),
            Element::Run { least, order, octets, escapes } => self.run(*least, *order, octets, *escapes, at, rest),
        }
    }

    fn sequence(&self, elements: &[Element], at: usize, rest: Rest<'_>) -> bool {
        match elements {
            [] => rest(at),
            [first, others @ ..] => self.element(first, at, &mut |end| self.sequence(others, end, rest)),
        }
    }

    fn repeated(&self, least: usize, element: &Element, at: usize, rest: Rest<'_>) -> bool {
        let once_more = self
            .element(element, at, &mut |end| end > at && self.repeated(least.saturating_sub(1), element, end, rest));
        once_more || least == 0 && rest(at)
    }

    fn run(&self, least: usize, order: Order, octets: &[bool; 256], escapes: bool, at: usize, rest: Rest<'_>) -> bool {
        let step = |at: usize| match self.text[at..] {
            [b'%', high, low, ..] if escapes && high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => Some(at + 3),
            [octet, ..] if octets[usize::from(octet)] => Some(at + 1),
            _ => None,
        };
        let ends: Vec<usize> = std::iter::successors(Some(at), |at| step(*at)).skip(least).collect();
        match order {
            Order::Longest => ends.into_iter().rev().any(rest),
            Order::Shortest => ends.into_iter().any(rest),
        }
    }
}
