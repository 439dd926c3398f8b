//! Long URLs, 500 to 4000 octets, made from a fixed seed: the same in every run and on every machine.

/// How a long URL of one scheme is put together: its beginning, what stands between its words, and its end.
struct Shape {
    start: &'static str,
    between: &'static [&'static str],
    end: &'static str,
}

/// The schemes that know long URLs, and `data` for those that RFC 1738 does not name.
const SHAPES: [Shape; 8] = [
    Shape { start: "ftp://archive:key@ftp.example.com/", between: &["/", "/", "-", "%20"], end: ";type=i" },
    Shape { start: "http://www.example.com/", between: &["/", "-", "%20", "_"], end: "/" },
    Shape { start: "http://www.example.com:8080/cgi-bin/search?q=", between: &["+", "&", "=", "%2F"], end: "" },
    Shape { start: "gopher://gopher.example.org:7070/0", between: &["/", "/", "%20", "."], end: "%09%09+" },
    Shape { start: "wais://wais.example.org:210/library/TEXT/", between: &["%20", "%2F", "-", "."], end: "" },
    Shape { start: "file://localhost/", between: &["/", "/", "_", "%C3%A9"], end: ".txt" },
    Shape { start: "prospero://pfs.example.net:1525/", between: &["/", "/", ":", "%20"], end: ";version=3" },
    Shape { start: "data:text/plain,", between: &["/", "+", ",", "%0A"], end: "==" },
];

const URLS_PER_SHAPE: usize = 3;
const SHORTEST: u64 = 500;
const LONGEST: u64 = 4000;

/// The long URLs, each valid under RFC 1738.
#[must_use]
pub fn urls() -> Vec<String> {
    let mut random = Random(1738);
    (0..URLS_PER_SHAPE).flat_map(|_| &SHAPES).map(|shape| url(shape, &mut random)).collect()
}

fn url(shape: &Shape, random: &mut Random) -> String {
    // The last word may run over by its own length, never by more than 20 octets.
    let length = (SHORTEST + random.below(LONGEST - SHORTEST - 20)) as usize;
    let mut url = String::from(shape.start);
    loop {
        for _ in 0..2 + random.below(9) {
            url.push(char::from(b'a' + random.below(26) as u8));
        }
        if url.len() + shape.end.len() >= length {
            return url + shape.end;
        }
        url.push_str(shape.between[random.below(shape.between.len() as u64) as usize]);
    }
}

/// The generator `SplitMix64`: a few lines, and the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to `bound - 1`; `bound` is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }
}
