//! Texts that are URLs, or nearly so, made by the same table. A seed and a number make the same text each time.

use crate::grammar::{Element, Grammar};

/// Other rules, of which URLs are made that the rules of the RFC would hardly make by chance.
const FAVOURED: &[&str] = &[
    r#"url = httpurl | ftpurl | newsurl | nntpurl | telneturl | gopherurl | waisurl | mailtourl | fileurl | prosperourl | otherurl"#,
    r#"encoded822addr = 1*xchar | local822 "@" domain822 | local822 "%40" domain822"#,
    r#"local822 = word822 *[ "." word822 ]"#,
    r#"word822 = 1*uchar | "%22" *[ uchar | ";" | "%20" | "%09" | "%5C%22" | "%5c%5C" | "%0D%0A%20" ] "%22""#,
    r#"domain822 = sub822 *[ "." sub822 ]"#,
    r#"sub822 = 1*alphadigit | "%5B" *[ uchar | "%5C%5D" ] "%5D""#,
    r#"escape = "%" hex hex | "%09" | "%0A" | "%0d" | "%00" | "%20" | "%22" | "%25" | "%2F" | "%3a" | "%3C" | "%40" | "%7E" | "%7F" | "%E9""#,
    r#"port = digits | "0" digits | "65535" | "65536" | "065535" | "4294967317""#,
    r#"hostnumber = group822 "." group822 "." group822 "." group822"#,
    r#"group822 = digits | "0" | "255" | "256" | "0255" | "4294967296""#,
    r#"ip-schemepart = "//" login [ "/" urlpath ] | "///" urlpath"#,
];

/// What is put into a text, or in the place of an octet of it.
const PUT: &[&[u8]] = &[
    b":",
    b"/",
    b"//",
    b"?",
    b"@",
    b"#",
    b"%",
    b";",
    b"&",
    b"=",
    b".",
    b"..",
    b"-",
    b"_",
    b"+",
    b"*",
    b"~",
    b" ",
    b"\\",
    b"|",
    b"<",
    b">",
    b"\"",
    b"[",
    b"]",
    b"^",
    b"`",
    b"{",
    b"}",
    b"'",
    b",",
    b"!",
    b"$",
    b"(",
    b")",
    b"\0",
    b"\t",
    b"\n",
    b"\r",
    b"\x7f",
    b"\x80",
    b"\xc3\xa9",
    b"\xff",
    b"0",
    b"9",
    b"a",
    b"Z",
    b"%0",
    b"%09",
    b"%0A",
    b"%0d",
    b"%2F",
    b"%40",
    b"%zz",
    b";type=",
    b";type=a",
    b";TYPE=i",
    b"localhost",
    b"127.0.0.1",
    b"http:",
    b"URL:",
    b":80",
    b":0",
];

/// Makes texts.
#[derive(Debug)]
pub struct Generator {
    grammar: Grammar,
    url: usize,
    seed: u64,
}

impl Generator {
    /// Of this seed.
    pub fn new(seed: u64) -> Generator {
        let grammar = Grammar::amended(None, FAVOURED);
        Generator { url: grammar.place("url"), grammar, seed }
    }

    /// Writes the text of this number.
    pub fn write(&self, number: u64, text: &mut Vec<u8>) {
        let mut random = Random(Random(self.seed).next() ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        text.clear();
        self.derive(self.grammar.rule(self.url), text, &mut random);
        // Half of the texts are URLs by the table, the others nearly so.
        for _ in 0..random.below(6).saturating_sub(2) {
            let at = random.below(text.len() + 1);
            match random.below(6) {
                0 => drop(text.splice(at..(at + 1).min(text.len()), [])),
                1 | 2 => drop(text.splice(at..at, PUT[random.below(PUT.len())].iter().copied())),
                3 => drop(text.splice(at..(at + 1).min(text.len()), PUT[random.below(PUT.len())].iter().copied())),
                4 => {
                    if let Some(octet) = text.get_mut(at) {
                        *octet ^= 0x20;
                    }
                }
                _ => text.truncate(at),
            }
        }
    }

    fn derive(&self, element: &Element, text: &mut Vec<u8>, random: &mut Random) {
        match element {
            Element::Literal(literal) => text.extend_from_slice(literal),
            Element::One(octets) => text.push(one_of(octets, random)),
            Element::Rule(place) => self.derive(self.grammar.rule(*place), text, random),
            Element::Sequence(elements) => elements.iter().for_each(|element| self.derive(element, text, random)),
            Element::Alternatives(elements) => self.derive(&elements[random.below(elements.len())], text, random),
            Element::Optional(element) => {
                if random.below(3) != 0 {
                    self.derive(element, text, random);
                }
            }
            Element::Repeated(least, _, element) => {
                for _ in 0..(*least).max(times(random)) {
                    self.derive(element, text, random);
                }
            }
            Element::Run { least, octets, escapes, .. } => {
                for _ in 0..(*least).max(times(random)) {
                    if *escapes && random.below(8) == 0 {
                        self.derive(self.grammar.rule(self.grammar.place("escape")), text, random);
                    } else {
                        text.push(one_of(octets, random));
                    }
                }
            }
        }
    }
}

/// Few, but now and then as many as the longest label or host has octets.
fn times(random: &mut Random) -> usize {
    match random.below(400) {
        0 => 60 + random.below(8),
        1 => 250 + random.below(10),
        _ => random.below(4),
    }
}

fn one_of(octets: &[bool; 256], random: &mut Random) -> u8 {
    loop {
        // Most of the sets are letters and digits, most of the questions about other characters.
        let octet = match random.below(2) {
            0 => random.next().to_le_bytes()[0] & 0x7f,
            _ => b"aZ09$-_.+!*'(),;/?:@&="[random.below(22)],
        };
        if octets[usize::from(octet)] {
            return octet;
        }
    }
}

/// Numbers without a pattern: `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        let product = u128::from(self.next()) * end as u128;
        usize::try_from(product >> 64).expect("it is below `end`")
    }
}
