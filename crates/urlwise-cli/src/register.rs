//! `urlwise register` and `unregister`: which schemes the desktop opens with urlwise. A desktop entry names the program, and
//! `mimeapps.list` puts it before others. Both are files of the person, and nothing else is written or run.

mod entry;
mod mimeapps;

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use urlwise::{Message, Scheme};
use urlwise_explain::secret;

use crate::browser::folder;
use crate::cli::{Register, Unregister};
use crate::exit::{Failure, Outcome, os_message};
use crate::language::{language, list, message, said};
use crate::whole_file;

/// Makes urlwise open schemes.
pub(crate) fn register(register: &Register, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let place = Place::of_person()?;
    let chosen = match (register.schemes.is_empty(), register.yes) {
        (false, _) => named(&register.schemes)?,
        (true, true) => {
            bases().filter(|base| place.other_program(base).is_none() && !is_left_to_others(base)).collect()
        }
        (true, false) => asked(&place, out)?,
    };
    let program = std::env::current_exe()
        .map_err(|error| Failure::Input(said!("cannot find this program: {why}", why = os_message(&error))))?;
    let Some(program) = program.to_str() else {
        return Err(Failure::Input(said!("a desktop entry cannot name a program whose path is not UTF-8")));
    };
    let known = place.registered()?;
    let schemes: Vec<&str> = names()
        .filter(|name| known.iter().any(|known| known == name) || chosen.contains(&base(name).unwrap_or_default()))
        .collect();
    let new = schemes.iter().filter(|name| chosen.contains(&base(name).unwrap_or_default()));
    let list = new.fold(place.list.now.clone(), |list, scheme| mimeapps::with(&list, scheme));
    let entry = match schemes.is_empty() {
        true => None,
        false => Some(entry::text(program, &schemes).map_err(Failure::Input)?.into_bytes()),
    };
    let changes = [place.entry.change(entry), place.list.change(Some(list))];
    apply(&changes, register.dry_run, out)
}

/// Makes urlwise open schemes no longer.
pub(crate) fn unregister(unregister: &Unregister, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let place = Place::of_person()?;
    let chosen = match unregister.schemes.is_empty() {
        true => bases().collect(),
        false => named(&unregister.schemes)?,
    };
    let known = place.registered()?;
    let goes = |name: &&str| chosen.contains(&base(name).unwrap_or_default());
    let list = names().filter(goes).fold(place.list.now.clone(), |list, scheme| mimeapps::without(&list, scheme));
    let rest: Vec<String> = known.iter().filter(|name| !goes(&name.as_str())).cloned().collect();
    let entry = String::from_utf8_lossy(&place.entry.now);
    let entry = (!rest.is_empty()).then(|| entry::with_schemes(&entry, &rest).into_bytes());
    let list = Some(list).filter(|list| !list.is_empty());
    let changes = [place.list.change(list), place.entry.change(entry)];
    apply(&changes, unregister.dry_run, out)
}

/// The schemes that can be registered: all that urlwise opens, except those that browsers open themselves, and files.
fn names() -> impl Iterator<Item = &'static str> {
    let opened = |scheme: &&Scheme| !matches!(scheme.base(), Scheme::Http | Scheme::File | Scheme::Other);
    Scheme::ALL.iter().filter(opened).filter_map(|scheme| scheme.name())
}

/// The schemes that others are read like.
fn bases() -> impl Iterator<Item = &'static str> {
    names().filter(|name| base(name) == Some(name))
}

/// The scheme that a name is read like, if it can be registered.
fn base(name: &str) -> Option<&'static str> {
    let scheme = Scheme::ALL.iter().find(|scheme| scheme.name() == Some(name))?;
    let base = scheme.base().name()?;
    names().any(|known| known == base).then_some(base)
}

/// Whether a scheme is registered only where that is said: a draft is handed to the mail program by its links, and would come back.
fn is_left_to_others(base: &str) -> bool {
    base == "mailto"
}

/// The base schemes of some names.
fn named(names: &[String]) -> Result<Vec<&'static str>, Failure> {
    let named = |name: &String| {
        base(&name.to_ascii_lowercase()).ok_or_else(|| {
            Failure::Input(said!(
                "`{name}` is not a scheme to register; these are: {list}",
                name = secret::masked_option(name),
                list = list(bases().map(Message::from))
            ))
        })
    };
    names.iter().map(named).collect()
}

/// Asks about each scheme.
fn asked(place: &Place, out: &mut dyn Write) -> Result<Vec<&'static str>, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::Input(said!("nobody can be asked here: name the schemes, or use --yes")));
    }
    let mut chosen = Vec::new();
    for base in bases() {
        let other = place.other_program(base);
        let question = match &other {
            Some(other) => {
                said!("Open {scheme} URLs with urlwise? (now {program})", scheme = base, program = other.as_str())
            }
            None => said!("Open {scheme} URLs with urlwise?", scheme = base),
        };
        let is_default = other.is_none() && !is_left_to_others(base);
        let choice = if is_default { "[Y/n]" } else { "[y/N]" };
        write!(out, "{question} {choice} ")?;
        out.flush()?;
        let mut answer = String::new();
        if io::stdin().lock().read_line(&mut answer)? == 0 {
            return Err(Failure::Input(said!("nothing was registered")));
        }
        match answer.trim().chars().next() {
            Some('y' | 'Y') => chosen.push(base),
            None if is_default => chosen.push(base),
            Some(_) | None => {}
        }
    }
    Ok(chosen)
}

/// A file that may be written.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    /// What it holds; nothing if it is not there.
    now: Vec<u8>,
    is_there: bool,
}

/// The new content of a file; `None` removes it.
#[derive(Debug)]
struct Change<'k> {
    kept: &'k Kept,
    then: Option<Vec<u8>>,
}

impl Kept {
    fn read(path: PathBuf) -> Result<Kept, Failure> {
        // What a link leads to is written, and the link stays.
        let path = fs::canonicalize(&path).unwrap_or(path);
        match fs::read(&path) {
            Ok(now) => Ok(Kept { path, now, is_there: true }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Kept { path, now: Vec::new(), is_there: false })
            }
            Err(error) => Err(Failure::Input(said!(
                "cannot read {name}: {why}",
                name = secret::masked_path(&path),
                why = os_message(&error)
            ))),
        }
    }

    fn write(&self, content: &[u8]) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        whole_file::replace(&self.path, self.is_there.then_some(self.now.as_slice()), content)
    }

    fn change(&self, then: Option<Vec<u8>>) -> Change<'_> {
        Change { kept: self, then }
    }
}

/// The files of the person, and what the system says.
#[derive(Debug)]
struct Place {
    entry: Kept,
    list: Kept,
    /// The lists of the system, the first one decides.
    others: Vec<PathBuf>,
}

impl Place {
    fn of_person() -> Result<Place, Failure> {
        if cfg!(any(windows, target_os = "macos")) {
            return Err(Failure::Input(said!(
                "desktop entries are for the desktops of `freedesktop.org`, which are not here"
            )));
        }
        let home = |variable: &str, name: &str| folder(variable).or_else(|| folder("HOME").map(|home| home.join(name)));
        let (Some(data), Some(config)) = (home("XDG_DATA_HOME", ".local/share"), home("XDG_CONFIG_HOME", ".config"))
        else {
            return Err(Failure::Input(said!("HOME does not name a folder")));
        };
        let folders = |variable: &str, otherwise: &str| -> Vec<PathBuf> {
            let set = std::env::var_os(variable).filter(|set| !set.is_empty()).unwrap_or_else(|| otherwise.into());
            std::env::split_paths(&set).filter(|folder| folder.is_absolute()).collect()
        };
        let applications = data.join("applications");
        let mut others: Vec<_> =
            folders("XDG_CONFIG_DIRS", "/etc/xdg").iter().map(|dir| dir.join("mimeapps.list")).collect();
        others.push(applications.join("mimeapps.list"));
        for dir in folders("XDG_DATA_DIRS", "/usr/local/share:/usr/share") {
            others.extend(["mimeapps.list", "mimeinfo.cache"].map(|name| dir.join("applications").join(name)));
        }
        let entry = Kept::read(applications.join(entry::NAME))?;
        Ok(Place { entry, list: Kept::read(config.join("mimeapps.list"))?, others })
    }

    /// The schemes that the entry names.
    fn registered(&self) -> Result<Vec<String>, Failure> {
        if !self.entry.is_there {
            return Ok(Vec::new());
        }
        let text = str::from_utf8(&self.entry.now).ok();
        match text.and_then(entry::schemes) {
            Some(schemes) => Ok(schemes.into_iter().map(str::to_owned).collect()),
            None => {
                let path = secret::masked_path(&self.entry.path);
                Err(Failure::Input(said!(
                    "{path} is not an entry that `urlwise register` wrote; move it away",
                    path = path
                )))
            }
        }
    }

    /// The entry of another program that opens a scheme now.
    fn other_program(&self, scheme: &str) -> Option<String> {
        let own = mimeapps::default(&self.list.now, scheme).map(<[u8]>::to_vec);
        let of_system = || {
            let read = self.others.iter().filter_map(|path| fs::read(path).ok());
            read.filter_map(|list| mimeapps::default(&list, scheme).map(<[u8]>::to_vec)).next()
        };
        let name = own.or_else(of_system)?;
        (name != entry::NAME.as_bytes()).then(|| urlwise::escape_for_display(&name).to_string())
    }
}

/// Makes the changes, or shows them.
fn apply(changes: &[Change<'_>], is_dry: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut count = 0;
    for Change { kept, then } in changes {
        let is_same = match then {
            Some(then) => (kept.is_there || then.is_empty()) && *then == kept.now,
            None => !kept.is_there,
        };
        if is_same {
            continue;
        }
        count += 1;
        let path = secret::masked_path(&kept.path);
        if is_dry {
            let does = match then {
                Some(_) => message!("write {path}", path = path),
                None => message!("remove {path}", path = path),
            };
            writeln!(out, "{}", does.in_language(language()))?;
            difference(&kept.now, then.as_deref().unwrap_or_default(), out)?;
            continue;
        }
        let did = match then {
            Some(then) => {
                kept.write(then).map_err(|error| {
                    Failure::Input(said!("cannot write {name}: {why}", name = path.as_str(), why = os_message(&error)))
                })?;
                message!("wrote {path}", path = path)
            }
            None => {
                fs::remove_file(&kept.path).map_err(|error| {
                    Failure::Input(said!("cannot remove {name}: {why}", name = path.as_str(), why = os_message(&error)))
                })?;
                message!("removed {path}", path = path)
            }
        };
        writeln!(out, "{}", did.in_language(language()))?;
    }
    match (count, is_dry) {
        (0, _) => writeln!(out, "{}", said!("nothing to do"))?,
        (_, true) => writeln!(out, "{}", said!("run nothing"))?,
        (_, false) => {}
    }
    Ok(Outcome::Fine)
}

/// Writes the lines that go and those that come.
fn difference(now: &[u8], then: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let (now, then): (Vec<_>, Vec<_>) = (lines(now).collect(), lines(then).collect());
    let is_new = |line: &&&[u8]| !now.contains(line);
    let mut rest = then.iter().peekable();
    for line in &now {
        if !then.contains(line) {
            writeln!(out, "  -{}", urlwise::escape_for_display(line))?;
        }
        while let Some(new) = rest.next_if(is_new) {
            writeln!(out, "  +{}", urlwise::escape_for_display(new))?;
        }
        rest.next_if(|kept| *kept == line);
    }
    for new in rest.filter(is_new) {
        writeln!(out, "  +{}", urlwise::escape_for_display(new))?;
    }
    Ok(())
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|octet| *octet == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}
