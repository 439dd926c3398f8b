//! What is tried: commands, texts and documents that are made to be slow.

/// Each command in each format, one a line; `scripts/bench-lists --hostile` measures them.
pub(crate) fn commands() -> impl Iterator<Item = Vec<&'static str>> {
    include_str!("commands.txt").lines().map(|line| line.split(' ').collect())
}

/// How a command gets a text.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Takes {
    /// As lines of its input.
    Lines,
    /// Twice, as lines of its input.
    Twice,
    /// As a file that it is given.
    File,
    /// As its input, of which each URL is reported by itself.
    Each,
}

/// Commands that do not answer each line.
pub(crate) const OTHERS: [(&str, Takes); 5] = [
    ("same", Takes::Twice),
    ("same --json", Takes::Twice),
    ("check --fix", Takes::File),
    ("check --diff", Takes::File),
    ("find --json", Takes::Each),
];

/// One part, many parts, one mistake at many places, many mistakes, many findings: a start, a unit that is repeated, and an end, which most
/// do not have; with escapes for a backslash, for octets that are not printed, and for the number of the unit.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    pub(crate) name: &'static str,
    pub(crate) start: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) end: &'static str,
    /// How many times a document has to be read: twice where what is defined at its end decides what is a link at its start.
    pub(crate) readings: u8,
}

pub(crate) fn texts() -> impl Iterator<Item = Text> {
    include_str!("texts.tsv").lines().skip(1).map(Text::of_row)
}

/// Documents to be read as a format. Each link is reported for itself, or is too long for its line.
pub(crate) fn documents() -> impl Iterator<Item = (&'static str, Text)> {
    let rows = include_str!("documents.tsv").lines().skip(1);
    let rows = rows.map(|row| row.split_once('\t').unwrap()).map(|(format, row)| (format, Text::of_row(row)));
    // Blocks as long as are read as Markdown, and some of the lengths that take most.
    let blocks = [
        ("references without definitions", "", "[a] ", 16_000),
        ("definitions without ends", "", r"[a]: <b\x0A", 12_500),
        ("references in brackets", "", "[[a]] ", 13_000),
        ("code behind references", "", "[a]`", 16_000),
        ("labels without ends", r"|a|\x0A|-|\x0A|", "[^", 600),
        ("sites without hosts", "", "www.", 4_000),
        ("lines with brackets", "", r"_][\x0A", 4_000),
        ("an item with tags", "- ", "[]!<b>", 800),
        ("a cell with escapes", r"|a|\x0A|-|\x0A|", r"\\#", 8_000),
    ];
    rows.chain(blocks.map(|(name, start, unit, count)| {
        let unit = format!(r"{start}{}\x0A\x0A# a\x0A\x0A", unit.repeat(count)).leak();
        ("markdown", Text { name, start: "", unit, end: "", readings: 1 })
    }))
}

impl Text {
    fn of_row(row: &'static str) -> Text {
        let mut columns = row.split('\t');
        let mut required = || columns.next().unwrap();
        let (name, start, unit) = (required(), required(), required());
        let end = columns.next().unwrap_or_default();
        Text { name, start, unit, end, readings: columns.next().map_or(1, |readings| readings.parse().unwrap()) }
    }

    /// Of about this length, and of one unit at least.
    pub(crate) fn of(&self, length: usize) -> Vec<u8> {
        let first = octets(self.unit, 0);
        let count = (length / first.len()).max(1);
        let units = match self.unit.contains(r"\N") {
            true => (0..count).flat_map(|number| octets(self.unit, number)).collect(),
            false => first.repeat(count),
        };
        [octets(self.start, 0), units, octets(self.end, 0)].concat()
    }
}

/// A unit without its escapes, `\xHH`, `\\`, and `\N`, six digits of its number.
fn octets(unit: &str, number: usize) -> Vec<u8> {
    let mut pieces = unit.split('\\');
    let mut octets = pieces.next().unwrap().as_bytes().to_vec();
    while let Some(piece) = pieces.next() {
        let behind = match piece.split_at_checked(1) {
            Some(("x", hex)) => {
                octets.push(u8::from_str_radix(&hex[..2], 16).unwrap());
                &hex[2..]
            }
            Some(("N", behind)) => {
                octets.extend(format!("{number:06}").into_bytes());
                behind
            }
            _ => {
                octets.push(b'\\');
                pieces.next().unwrap()
            }
        };
        octets.extend(behind.as_bytes());
    }
    octets
}

#[test]
fn units_are_read_without_their_escapes() {
    assert_eq!(octets(r#"|%z\x01\xC3(a"#, 0), b"|%z\x01\xC3(a");
    assert_eq!(octets(r#""\\"#, 0), b"\"\\");
    assert_eq!(octets(r"a:\N@", 12), b"a:000012@");
    let text = texts().find(|text| text.name == "wide characters").unwrap();
    assert_eq!(text.of(12), "\u{4e2d}".repeat(4).as_bytes());
}
