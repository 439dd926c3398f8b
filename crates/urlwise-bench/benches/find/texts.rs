//! The texts to search: four kinds, made from a seed, the same in every run and on every machine. The URLs in them are those of
//! the sets, of all ten schemes and of https.

use urlwise::find::Finder;
use urlwise_bench::long::Random;
use urlwise_bench::sets;

/// A text, and how many URLs were put into it.
pub(crate) struct Text {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) urls: usize,
}

/// Writes the next piece of a text of one kind.
type Kind = fn(&mut Writer<'_>);

/// How long each text is, or a little more: 1 MiB.
const LENGTH: usize = 1 << 20;

pub(crate) fn all() -> Vec<Text> {
    let kinds: [(&str, Kind); 4] = [("prose", prose), ("mail", mail), ("html", html), ("source", source)];
    let urls = urls();
    let text = |(name, write): (&'static str, Kind)| {
        let mut writer =
            Writer { text: String::with_capacity(LENGTH * 2), random: Random(1738), urls: &urls, written: 0 };
        while writer.text.len() < LENGTH {
            write(&mut writer);
        }
        Text { name, text: writer.text, urls: writer.written }
    };
    kinds.into_iter().map(text).collect()
}

/// The URLs of the sets of valid ones, short ones only, and https beside http. What ends with punctuation would lose it in a text,
/// and groups without a dot are words there.
fn urls() -> Vec<String> {
    let sets =
        sets::all().into_iter().filter(|set| set.valid == Some(true) && set.name != "other" && set.name != "mixed");
    let urls = sets.flat_map(|set| set.urls);
    let urls = urls.flat_map(|url| match url.strip_prefix("http:") {
        Some(rest) => vec![format!("https:{rest}"), url],
        None => vec![url],
    });
    let is_whole = |url: &String| {
        let text = format!("{url}\n");
        url.len() < 100 && Finder::new().hits(text.as_bytes()).next().is_some_and(|hit| hit.span() == (0..url.len()))
    };
    urls.filter(is_whole).collect()
}

struct Writer<'a> {
    text: String,
    random: Random,
    urls: &'a [String],
    /// How many URLs.
    written: usize,
}

const SYLLABLES: [&str; 32] = [
    "re", "so", "ta", "in", "com", "mu", "ni", "ca", "tion", "ver", "al", "pre", "the", "an", "ic", "ly", "ment",
    "ing", "ed", "or", "un", "per", "for", "ma", "no", "li", "st", "er", "de", "con", "e", "a",
];

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn put(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    fn word(&mut self) -> &mut Self {
        for _ in 0..1 + self.below(3) {
            let syllable = self.pick(&SYLLABLES);
            self.put(syllable);
        }
        self
    }

    /// Words with blanks between, broken to lines after `columns`, each of which begins with `margin`.
    fn words(&mut self, count: usize, margin: &str, columns: usize) -> &mut Self {
        for i in 0..count {
            let column = self.text.len() - self.text.rfind('\n').map_or(0, |at| at + 1);
            match column > columns {
                true => self.put("\n").put(margin),
                false if i > 0 => self.put(" "),
                false => self,
            };
            self.word();
        }
        self
    }

    fn number(&mut self, bound: usize) -> &mut Self {
        let number = self.below(bound);
        self.put(&format!("{number:02}"))
    }

    fn url(&mut self) -> &mut Self {
        let url = &self.urls[self.below(self.urls.len())];
        self.written += 1;
        self.text.push_str(url);
        self
    }

    /// A URL of http or https, as pages hold them.
    fn link(&mut self) -> &mut Self {
        let links: Vec<&String> = self.urls.iter().filter(|url| url.starts_with("http")).collect();
        let link = links[self.below(links.len())];
        self.written += 1;
        self.text.push_str(link);
        self
    }
}

/// Paragraphs, a colon in some sentences, a URL in one of ten paragraphs.
fn prose(w: &mut Writer<'_>) {
    for _ in 0..3 + w.below(5) {
        let words = 6 + w.below(16);
        w.words(words, "", 72);
        match w.below(8) {
            0 => w.put(": ").words(5, "", 72).put(". "),
            1 => w.put("? "),
            _ => w.put(". "),
        };
    }
    if w.below(10) == 0 {
        w.put("See ").url().put(" for more.");
    }
    w.put("\n\n");
}

/// Messages: many colons in headers, times and attributions, a few URLs, most of them in a signature.
fn mail(w: &mut Writer<'_>) {
    w.put("From: ").word().put(" ").word().put(" <").word().put("@").word().put(".example>\nDate: Thu, ").number(28);
    w.put(" Dec 1994 ")
        .number(24)
        .put(":")
        .number(60)
        .put(":")
        .number(60)
        .put(" +0100\nMessage-ID: <")
        .number(99_999_999);
    w.put(".AA")
        .number(99)
        .put("@host.example>\nNewsgroups: comp.lang.c,comp.lang.c++\nSubject: Re: ")
        .words(5, "\t", 72);
    w.put("\nReferences: <")
        .number(99_999_999)
        .put("@host.example>\nLines: ")
        .number(99)
        .put("\nX-Mailer: ")
        .word()
        .put("\n\n");
    w.put("On ").number(28).put(" Dec 1994 ").number(24).put(":").number(60).put(", ").word().put(" wrote:\n");
    for _ in 0..1 + w.below(4) {
        w.put("> ").words(20, "> ", 70).put(".\n> > ").words(10, "> > ", 70).put(": ").words(5, "> > ", 70).put("\n\n");
        w.words(30, "", 72).put(".  :-)\n\n");
    }
    if w.below(3) == 0 {
        w.put("I found it under <URL:").url().put(">.\n");
    }
    w.put("-- \n").word().put(" ").word().put("   ").url().put("\n\n");
}

/// Pages: many links in attributes, styles with colons, little text.
fn html(w: &mut Writer<'_>) {
    let tag = w.pick(&["p", "li", "td", "div"]);
    let style = w.pick(&["color:red", "margin:0 auto;padding:2px", "width:100%", "display:none"]);
    w.put("<").put(tag).put(" class=\"").word().put("\" style=\"").put(style).put("\">").words(12, "", 72);
    match w.below(6) {
        0 => w.put(" <a href=\"mailto:").word().put("@host.example\">").words(2, "", 72).put("</a>"),
        1 => w.put(" <a href='").link().put("' target=_blank>").words(3, "", 72).put("</a>"),
        2..=4 => w.put(" <a href=\"").link().put("\">").words(3, "", 72).put("</a>"),
        _ => w.put(" <img src=\"/images/").word().put(".png\" alt=\"").word().put("\">"),
    };
    w.written +=
        usize::from(w.text.ends_with("</a>") && w.text[w.text.rfind("<a ").unwrap_or(0)..].contains("mailto:"));
    w.words(4, "", 72).put("</").put(tag).put(">\n");
}

/// Source code: paths, types and labels with colons, a URL in some comments.
fn source(w: &mut Writer<'_>) {
    w.put("    /// ").words(8, "    /// ", 90).put(".\n");
    if w.below(8) == 0 {
        w.put("    // From ").link().put(", section ").number(9).put(".\n");
    }
    w.put("    pub fn ")
        .word()
        .put("_")
        .word()
        .put("(")
        .word()
        .put(": &std::path::Path, ")
        .word()
        .put(": u32) -> io::Result<");
    w.word().put("> {\n");
    for _ in 0..2 + w.below(6) {
        match w.below(5) {
            0 => w.put("        let ").word().put(": Vec<u8> = ").word().put("::").word().put("();\n"),
            1 => w.put("        if ").word().put(".").word().put("() { return Err(Error::").word().put("); }\n"),
            2 => w
                .put("        ")
                .word()
                .put(" { ")
                .word()
                .put(": ")
                .word()
                .put(", ")
                .word()
                .put(": ")
                .number(99)
                .put(" },\n"),
            3 => w.put("        println!(\"").word().put(": {").word().put(":?}\\n\");\n"),
            _ => w.put("        ").word().put(".").word().put("(").word().put(" + ").number(999).put(");\n"),
        };
    }
    w.put("    }\n\n");
}
