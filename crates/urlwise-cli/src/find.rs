//! `urlwise find`: finds URLs in text.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::Style;
use urlwise::find::{Finder, Hit};
use urlwise::{Profile, Scheme};
use urlwise_explain::secret;
use urlwise_settings::Config;

use crate::cli::{Find, Order, Walking};
use crate::config;
use crate::console;
use crate::context::Context;
use crate::document::{Documents, Seen};
use crate::exit::{Failure, Outcome};
use crate::json::{self, Object};
use crate::language::{about, said};
use crate::lock::locked;
use crate::position::Position;
use crate::style;
use crate::walk::{self, Out, Places, Source, Walk};

/// Searches and writes the results.
pub(crate) fn run(
    find: &Find,
    profile: Option<Profile>,
    context: &Context,
    out: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    let config = config::of(&find.walking)?;
    let walk = paths(&find.paths, &find.walking, !find.no_code, &config)?;
    let schemes = Schemes::of(&find.schemes, &config)?;
    if !find.quiet {
        schemes.say_unknown();
    }
    let search = Search {
        find,
        walk: &walk,
        context,
        finder: Finder::new().profile(profile.or(config.profile()).unwrap_or_default()),
        schemes,
        raw_paths: find.null && !io::stdout().is_terminal(),
        found: AtomicBool::new(false),
        unique: Mutex::default(),
    };
    let visitor = || Visitor { search: &search, printer: Printer::new(context), count: 0, unique: HashMap::new() };
    let walked = walk::walk(&walk, visitor, out)?;
    search.write_unique(out)?;
    // Like ripgrep: an unreadable file decides the status, unless --quiet found a hit.
    Ok(match (walked.failed, search.found.into_inner()) {
        (true, found) if !(found && find.quiet) => Outcome::Unreadable,
        (_, true) => Outcome::Fine,
        (_, false) => Outcome::Findings,
    })
}

/// What to walk. By default, standard input if it is redirected, otherwise the current folder. `code` says whether the code of documents
/// is searched, too.
pub(crate) fn paths(paths: &[PathBuf], options: &Walking, code: bool, config: &Config) -> Result<Walk, Failure> {
    let paths = match paths {
        [] if is_redirected() => vec![PathBuf::from("-")],
        [] => vec![PathBuf::from("./")],
        paths => paths.to_vec(),
    };
    Ok(Walk {
        paths,
        hidden: options.hidden || config.hidden(),
        no_ignore: options.no_ignore || config.no_ignore(),
        sorted: options.sort == Order::Path,
        threads: options.threads,
        documents: Documents::of(options, code)?,
        search_zip: options.search_zip,
    })
}

/// Whether standard input is a pipe, a socket or a file.
#[cfg(unix)]
pub(crate) fn is_redirected() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;

    let stdin = io::stdin().as_fd().try_clone_to_owned();
    let kind = stdin.and_then(|stdin| std::fs::File::from(stdin).metadata()).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_file() || kind.is_socket())
}

/// Whether standard input is not a terminal.
#[cfg(not(unix))]
pub(crate) fn is_redirected() -> bool {
    !io::stdin().is_terminal()
}

/// The schemes to find; empty means all.
pub(crate) struct Schemes(Vec<String>);

impl Schemes {
    /// From the command line, otherwise from the configuration file.
    pub(crate) fn of(names: &[String], config: &Config) -> Result<Schemes, Failure> {
        let named: Result<Vec<_>, _> = names.iter().map(|name| scheme(name)).collect();
        match named {
            Ok(named) if named.is_empty() => Ok(Schemes(config.schemes(scheme)?)),
            Ok(named) => Ok(Schemes(named)),
            Err(message) => Err(Failure::Input(about("--scheme", message))),
        }
    }

    /// Says which ones no URL is found by, unless it has the prefix `URL:` (D-67).
    pub(crate) fn say_unknown(&self) {
        let is_unknown = |name: &&String| Scheme::from_name(name.as_bytes(), Profile::Current).name().is_none();
        self.0.iter().filter(is_unknown).for_each(|name| console::message(&rarely_found(name)));
    }

    pub(crate) fn contains(&self, hit: &Hit<'_>) -> bool {
        let name = || hit.as_str().split(':').next().unwrap_or_default();
        self.0.is_empty() || self.0.iter().any(|scheme| scheme.eq_ignore_ascii_case(name()))
    }
}

/// What is said of a scheme that is asked for and unknown: it may be mistyped.
fn rarely_found(name: &str) -> String {
    let known = Scheme::ALL.iter().filter_map(|scheme| scheme.name());
    // Of two that are as near, one that begins alike.
    let distance = |known: &str| (strsim::damerau_levenshtein(known, name), !known.starts_with(&name[..1]));
    let near = known.map(|known| (distance(known), known)).min();
    let near = near.filter(|((distance, _), _)| *distance <= name.len() / 3);
    match near {
        Some((_, near)) => said!(
            "URLs of the scheme `{name}` are found only as in `<URL:{name}:...>`; did you mean `{near}`?",
            name = name,
            near = near
        ),
        None => said!("URLs of the scheme `{name}` are found only as in `<URL:{name}:...>`", name = name),
    }
}

/// Checks the name of a scheme and converts it to lower case.
fn scheme(name: &str) -> Result<String, String> {
    let is_scheme = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
    match name.is_empty() || !name.bytes().all(is_scheme) {
        true => Err(said!(
            "`{name}` is not a valid scheme name; use only letters, digits, `+`, `-` and `.` (section 2.1)",
            name = secret::masked_option(name)
        )),
        false => Ok(name.to_ascii_lowercase()),
    }
}

/// What all threads share.
struct Search<'a> {
    find: &'a Find,
    walk: &'a Walk,
    context: &'a Context,
    finder: Finder<'static>,
    schemes: Schemes,
    /// Paths are written unescaped, for programs.
    raw_paths: bool,
    found: AtomicBool,
    /// How often each URL was found.
    unique: Mutex<HashMap<String, usize>>,
}

impl Search<'_> {
    /// Each URL once, sorted.
    fn write_unique(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let unique = locked(&self.unique);
        let mut urls: Vec<_> = unique.iter().collect();
        urls.sort_unstable();
        for (url, count) in urls {
            if self.context.json {
                let mut object = Object::new();
                object.insert("url".into(), url.as_str().into());
                if self.find.count {
                    object.insert("count".into(), (*count).into());
                }
                json::write_line(out, &object)?;
                continue;
            }
            if self.find.count {
                write!(out, "{count} ")?;
            }
            write!(out, "{}{}", urlwise::escape_for_display(url.as_bytes()), if self.find.null { '\0' } else { '\n' })?;
        }
        Ok(())
    }

    /// The path and its separator; nothing for standard input.
    fn name(&self, path: Option<&Path>) -> Vec<u8> {
        let Some(path) = path else { return Vec::new() };
        let mut name = match self.raw_paths {
            true => path.as_os_str().as_encoded_bytes().to_vec(),
            false => self.context.look.paint(style::LABEL, secret::masked_path(path)).to_string().into_bytes(),
        };
        name.push(if self.find.null { 0 } else { b':' });
        name
    }

    fn push_json(&self, seen: &Seen<'_>, path: Option<&Path>, place: Position, before: usize, out: &mut Vec<u8>) {
        let (hit, span) = (seen.hit, seen.span());
        let mut object = Object::new();
        json::path(&mut object, path);
        object.insert("line".into(), place.line.into());
        object.insert("column".into(), place.column.into());
        object.insert("span".into(), vec![before + span.start, before + span.end].into());
        object.insert("form".into(), hit.form().name().into());
        object.insert("url".into(), hit.as_str().into());
        object.insert("fragment".into(), hit.fragment().into());
        let alternative = hit.alternative().map(|reference| reference.split('#').next().unwrap_or_default());
        object.insert("alternative".into(), alternative.into());
        object.insert("valid".into(), hit.is_valid().into());
        if let Some(target) = seen.target() {
            object.insert("target".into(), target.into());
        }
        json::push_line(out, &object);
    }
}

/// Writes the lines for people. What is the same in all of them is made once: printing can take longer than searching.
#[derive(Clone)]
struct Printer {
    /// The path of the text and its separator.
    name: Vec<u8>,
    /// What starts and ends the style of the place and that of the URL.
    dim: [String; 2],
    bold: [String; 2],
    show_secrets: bool,
}

impl Printer {
    fn new(context: &Context) -> Printer {
        let styled = |style: Style| match context.look.color {
            true => [style.render().to_string(), style.render_reset().to_string()],
            false => [String::new(), String::new()],
        };
        Printer {
            name: Vec::new(),
            dim: styled(style::DIM),
            bold: styled(style::URL),
            show_secrets: context.show_secrets,
        }
    }

    fn push(&self, url: &[u8], place: Position, out: &mut Vec<u8>) {
        let [[dim, undim], [bold, unbold]] = [&self.dim, &self.bold];
        out.extend_from_slice(&self.name);
        out.extend_from_slice(dim.as_bytes());
        json::push_number(place.line, out);
        out.push(b':');
        json::push_number(place.column, out);
        out.push(b':');
        out.extend_from_slice(undim.as_bytes());
        out.push(b' ');
        out.extend_from_slice(bold.as_bytes());
        match is_plain(url) {
            true => out.extend_from_slice(url),
            false => out.extend_from_slice(secret::masked(url, self.show_secrets).as_bytes()),
        }
        out.extend_from_slice(unbold.as_bytes());
        out.push(b'\n');
    }
}

/// Whether a URL is shown as it is: without an `@` there is no password, and no octet has to be escaped.
fn is_plain(url: &[u8]) -> bool {
    // Without a branch, many octets are compared at once.
    url.iter().fold(true, |plain, octet| plain & (octet.is_ascii_graphic() & (*octet != b'@') & (*octet != b'\\')))
}

/// One thread.
struct Visitor<'s> {
    search: &'s Search<'s>,
    printer: Printer,
    /// URLs in this text.
    count: usize,
    unique: HashMap<String, usize>,
}

impl walk::Look for Visitor<'_> {
    fn begin(&mut self, source: &Source<'_>) {
        self.printer.name = self.search.name(source.path);
        self.count = 0;
    }

    fn block(&mut self, source: &Source<'_>, start: Position, block: &[u8], out: &mut Out<'_>) -> bool {
        let Visitor { search, printer, count, unique } = self;
        let Search { find, walk, finder, schemes, .. } = search;
        let mut places = Places::from(start);
        walk.each(*finder, source, block, |seen| {
            let hit = seen.hit;
            if !schemes.contains(hit) {
                return true;
            }
            *count += 1;
            if find.quiet {
                search.found.store(true, Ordering::Relaxed);
                return false;
            }
            if find.unique {
                match unique.get_mut(hit.as_str()) {
                    Some(count) => *count += 1,
                    None => drop(unique.insert(hit.as_str().to_owned(), 1)),
                }
            } else if !find.count {
                let place = places.of(block, seen.span().start);
                match search.context.json {
                    true => search.push_json(seen, source.path, place, places.offset(), out.octets()),
                    false => printer.push(hit.reference().as_bytes(), place, out.octets()),
                }
                out.relieve();
            }
            true
        })
    }

    fn end(&mut self, source: &Source<'_>, out: &mut Vec<u8>) {
        if self.count == 0 {
            return;
        }
        self.search.found.store(true, Ordering::Relaxed);
        if self.search.find.count && !self.search.find.unique && !self.search.find.quiet {
            if self.search.context.json {
                let mut object = Object::new();
                json::path(&mut object, source.path);
                object.insert("count".into(), self.count.into());
                json::push_line(out, &object);
            } else {
                out.extend_from_slice(&self.printer.name);
                json::push_number(self.count, out);
                out.push(b'\n');
            }
        }
    }

    fn part(&self) -> Option<Self> {
        Some(Visitor { search: self.search, printer: self.printer.clone(), count: 0, unique: HashMap::new() })
    }

    fn join(&mut self, part: Self) {
        self.count += part.count;
    }
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        let mut all = locked(&self.search.unique);
        for (url, count) in self.unique.drain() {
            *all.entry(url).or_default() += count;
        }
    }
}
