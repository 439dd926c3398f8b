//! The table of section 5, read from its own text.
//!
//! Nothing here knows a scheme, a character or a rule: all of that stands in `section5.bnf`, as the RFC prints it with one rule to a
//! line, and in the few [amendments](AMENDMENTS) by which the decisions change it.

use std::collections::HashMap;

/// Section 5 of RFC 1738, without its comments and page breaks.
const SECTION_5: &str = include_str!("section5.bnf");

/// Rules that a decision changes, or divides so that a part has a name: the decision, and the rule as it is read. What has no rule
/// of that name in the RFC is added.
pub const AMENDMENTS: &[(&str, &str)] = &[
    // A schemepart that can be read as one of an IP-based protocol is read as one.
    ("D-06", "schemepart = ip-schemepart | *xchar"),
    // The `/` is a literal.
    (
        "D-51",
        r#"gopherurl = "gopher://" hostport [ "/" [ gtype [ selector [ "%09" search [ "%09" gopher+_string ] ] ] ] ]"#,
    ),
    // The prose divides at the first `%09`.
    ("D-43", "selector = *?xchar"),
    // A gopher search may hold any character, and ends at the next `%09`.
    ("D-45", "gophersearch = *?xchar"),
    (
        "D-45",
        r#"gopherurl = "gopher://" hostport [ "/" [ gtype [ selector [ "%09" gophersearch [ "%09" gopher+_string ] ] ] ] ]"#,
    ),
    // Names for parts: section 3.6 calls what stands before the `@` `unique`.
    ("D-58", r#"grouppart = all | group | article"#),
    ("D-58", r#"all = "*""#),
    ("D-59", r#"article = unique "@" host"#),
    ("D-59", r#"unique = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ]"#),
    ("D-61", r#"nntpurl = "nntp://" hostport "/" group [ "/" number ]"#),
    ("D-61", "number = digits"),
];

/// What a rule, or a part of one, derives.
#[derive(Debug)]
pub enum Element {
    /// These octets.
    Literal(Vec<u8>),
    /// Another rule, by its place in the table.
    Rule(usize),
    /// One of these octets.
    One(Box<[bool; 256]>),
    /// All of these, in order.
    Sequence(Vec<Element>),
    /// The first of these with which the rest fits.
    Alternatives(Vec<Element>),
    /// This, or nothing.
    Optional(Box<Element>),
    /// At least so many; the longest that fits is tried first, or the shortest.
    Repeated(usize, Order, Box<Element>),
    /// `Repeated`, of single octets and, perhaps, of escapes.
    Run {
        /// How many at least; an escape counts one.
        least: usize,
        /// Which length is tried first.
        order: Order,
        /// By octet, whether it may stand there.
        octets: Box<[bool; 256]>,
        /// Whether `%` and two hex digits may.
        escapes: bool,
    },
}

/// Which of several readings comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that takes most.
    Longest,
    /// The one that takes least.
    Shortest,
}

/// The rules of a table, by their places.
#[derive(Debug)]
pub struct Grammar {
    names: Vec<String>,
    rules: Vec<Element>,
}

impl Grammar {
    /// Section 5 with the amendments, but not those of one decision, and with more rules or others.
    pub fn amended(without: Option<&str>, more: &[&'static str]) -> Grammar {
        let amendments = AMENDMENTS.iter().filter(|(decision, _)| Some(*decision) != without).map(|(_, rule)| *rule);
        Grammar::of(SECTION_5.lines().chain(amendments).chain(more.iter().copied()))
    }

    /// Of rules, one to a line; a later one takes the place of an earlier one of the same name.
    fn of<'l>(lines: impl IntoIterator<Item = &'l str>) -> Grammar {
        let mut texts: Vec<(&str, &str)> = Vec::new();
        for line in lines {
            let (name, text) = line.split_once(" = ").expect("a rule is `name = elements`");
            match texts.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = text,
                None => texts.push((name, text)),
            }
        }
        let places: HashMap<&str, usize> = texts.iter().enumerate().map(|(at, (name, _))| (*name, at)).collect();
        let rules = texts.iter().map(|(_, text)| alternatives(&mut tokens(text), &places)).collect();
        let mut grammar = Grammar { names: texts.iter().map(|(name, _)| (*name).to_owned()).collect(), rules };
        grammar.join_runs();
        grammar
    }

    /// The place of a rule.
    pub fn place(&self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| panic!("no rule {name}"))
    }

    /// The rule at a place.
    pub fn rule(&self, place: usize) -> &Element {
        &self.rules[place]
    }

    /// The names of the rules, by their places.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Replaces alternatives of single octets by sets, and repetitions of single octets and escapes by runs. They mean the same, and
    /// are read faster.
    fn join_runs(&mut self) {
        for at in 0..self.rules.len() {
            let mut rule = std::mem::replace(&mut self.rules[at], Element::Sequence(Vec::new()));
            self.join_runs_of(&mut rule);
            self.rules[at] = rule;
        }
    }

    fn join_runs_of(&self, element: &mut Element) {
        match element {
            Element::Literal(_) | Element::Rule(_) | Element::One(_) | Element::Run { .. } => {}
            Element::Alternatives(elements) => {
                let (mut octets, mut escapes) = (Box::new([false; 256]), false);
                let are_octets = elements.iter().all(|one| self.add_octets(one, &mut octets, &mut escapes));
                if are_octets && !escapes {
                    *element = Element::One(octets);
                } else {
                    elements.iter_mut().for_each(|element| self.join_runs_of(element));
                }
            }
            Element::Sequence(elements) => {
                elements.iter_mut().for_each(|element| self.join_runs_of(element));
            }
            Element::Optional(element) => self.join_runs_of(element),
            Element::Repeated(least, order, repeated) => {
                let (mut octets, mut escapes) = (Box::new([false; 256]), false);
                if self.add_octets(repeated, &mut octets, &mut escapes) {
                    *element = Element::Run { least: *least, order: *order, octets, escapes };
                } else {
                    self.join_runs_of(repeated);
                }
            }
        }
    }

    /// Adds what the element derives; `false` if that is more than single octets and escapes.
    fn add_octets(&self, element: &Element, octets: &mut [bool; 256], escapes: &mut bool) -> bool {
        match element {
            Element::Literal(literal) => match literal[..] {
                [octet] => {
                    octets[usize::from(octet)] = true;
                    true
                }
                _ => false,
            },
            Element::One(one) => {
                octets.iter_mut().zip(&**one).for_each(|(known, more)| *known |= more);
                true
            }
            Element::Rule(place) if self.names[*place] == "escape" => {
                *escapes = true;
                true
            }
            Element::Rule(place) => self.add_octets(&self.rules[*place], octets, escapes),
            Element::Alternatives(elements) => elements.iter().all(|element| self.add_octets(element, octets, escapes)),
            Element::Sequence(elements) => match &elements[..] {
                [element] => self.add_octets(element, octets, escapes),
                _ => false,
            },
            Element::Optional(_) | Element::Repeated(..) | Element::Run { .. } => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Literal(Vec<u8>),
    Name(String),
    Repeat(usize, Order),
    Open,
    Close,
    Or,
}

/// The tokens of a rule, the last one first.
fn tokens(mut text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    loop {
        text = text.trim_start();
        let Some(first) = text.chars().next() else { break };
        let (token, length) = match first {
            '[' => (Token::Open, 1),
            ']' => (Token::Close, 1),
            '|' => (Token::Or, 1),
            '"' => {
                let end = text[1..].find('"').expect("a literal ends");
                (Token::Literal(text[1..=end].into()), end + 2)
            }
            '<' => {
                let end = text.find('>').expect("a literal ends");
                (Token::Literal(text[1..end].into()), end + 1)
            }
            '0'..='9' | '*' => {
                let star = text.find('*').expect("a number begins a repetition");
                let least = if star == 0 { 0 } else { text[..star].parse().expect("a number") };
                match text[star + 1..].starts_with('?') {
                    true => (Token::Repeat(least, Order::Shortest), star + 2),
                    false => (Token::Repeat(least, Order::Longest), star + 1),
                }
            }
            _ => {
                let end = text.find([' ', ']']).unwrap_or(text.len());
                (Token::Name(text[..end].to_owned()), end)
            }
        };
        tokens.push(token);
        text = &text[length..];
    }
    tokens.reverse();
    tokens
}

fn alternatives(tokens: &mut Vec<Token>, places: &HashMap<&str, usize>) -> Element {
    let mut found = vec![sequence(tokens, places)];
    while tokens.last() == Some(&Token::Or) {
        tokens.pop();
        found.push(sequence(tokens, places));
    }
    match found.len() {
        1 => found.remove(0),
        _ => Element::Alternatives(found),
    }
}

fn sequence(tokens: &mut Vec<Token>, places: &HashMap<&str, usize>) -> Element {
    let mut found = Vec::new();
    while let Some(token) = tokens.pop_if(|token| !matches!(token, Token::Or | Token::Close)) {
        found.push(element(token, tokens, places));
    }
    match found.len() {
        1 => found.remove(0),
        _ => Element::Sequence(found),
    }
}

fn element(token: Token, tokens: &mut Vec<Token>, places: &HashMap<&str, usize>) -> Element {
    match token {
        Token::Literal(literal) => Element::Literal(literal),
        Token::Name(name) => Element::Rule(*places.get(&name[..]).unwrap_or_else(|| panic!("no rule {name}"))),
        Token::Open => Element::Optional(Box::new(group(tokens, places))),
        Token::Repeat(least, order) => {
            // Behind a number of times, brackets group and make nothing optional.
            let repeated = match tokens.pop().expect("something is repeated") {
                Token::Open => group(tokens, places),
                token => element(token, tokens, places),
            };
            Element::Repeated(least, order, Box::new(repeated))
        }
        Token::Close | Token::Or => panic!("a sequence ends before these"),
    }
}

/// What stands in brackets, up to their end.
fn group(tokens: &mut Vec<Token>, places: &HashMap<&str, usize>) -> Element {
    let inner = alternatives(tokens, places);
    assert_eq!(tokens.pop(), Some(Token::Close));
    inner
}
