//! `urlwise parse`: splits a URL into its parts.

use std::fmt::Write as _;
use std::io::Write;

use serde_json::Value;
use urlwise::{Diagnosis, Part};

use crate::Context;
use crate::exit::Failure;
use crate::json::{self, Object};
use crate::secret::Secrets;
use crate::style;

/// A part cannot contain `<`, so these cannot be mistaken for text.
const ABSENT: &str = "<absent>";
const EMPTY: &str = "<empty>";

/// Writes the parts of one text. Returns whether it is a valid URL.
pub(crate) fn show(diagnosis: &Diagnosis<'_>, context: &Context, out: &mut dyn Write) -> Result<bool, Failure> {
    if context.json {
        json::write_line(out, &json::url(diagnosis))?;
    } else {
        out.write_all(table(diagnosis, context).as_bytes())?;
    }
    Ok(diagnosis.is_valid())
}

/// One row per part: its name, its text and its decoded text; then the problems, and an empty line.
fn table(diagnosis: &Diagnosis<'_>, context: &Context) -> String {
    let octets = diagnosis.octets();
    let mut table = Table { diagnosis, secrets: Secrets::of(octets, context.show_secrets), rows: Vec::new() };
    table.rows.push(("url".into(), table.secrets.shown(octets, 0..octets.len())));
    let scheme =
        diagnosis.scheme_name().map(|name| urlwise::escape_for_display(&name.to_ascii_lowercase()).to_string());
    table.rows.push(("scheme".into(), scheme.unwrap_or_else(|| ABSENT.into())));
    table.parts(&json::parts(diagnosis));

    let width = table.rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    // Writing to a String cannot fail.
    for (name, value) in &table.rows {
        let _ = writeln!(text, "{}  {value}", context.look.paint(style::LABEL, format_args!("{name:width$}")));
    }
    for problem in diagnosis.problems() {
        // `error[code] start..end: message (section and decision); help`
        let line = problem.to_string();
        let level = format!("{}[{}]", problem.level(), problem.code());
        let rest = line.strip_prefix(&format!("{level} at")).unwrap_or(&line);
        let _ = write!(text, "{}{rest}", context.look.paint(style::level(problem.level()), level));
        text.push('\n');
    }
    text.push('\n');
    text
}

struct Table<'d, 'a> {
    diagnosis: &'d Diagnosis<'a>,
    secrets: Secrets,
    rows: Vec<(String, String)>,
}

impl Table<'_, '_> {
    /// The parts in the order of the JSON object; lists have one row per element.
    fn parts(&mut self, parts: &Object) {
        for (name, value) in parts {
            match (name.as_str(), value) {
                ("ip", Value::Object(ip)) => self.parts(ip),
                // Shown with the host and the port.
                ("host_kind" | "port_number", _) => {}
                ("port", Value::Null) => {
                    let default = json::port_or_default(self.diagnosis).map(|port| format!("{port} (default)"));
                    self.row(name, default.unwrap_or_else(|| ABSENT.into()));
                }
                ("kind" | "form", Value::String(kind)) => self.row(name, kind.clone()),
                ("local", Value::Bool(local)) => self.row(name, if *local { "yes" } else { "no" }.into()),
                (_, Value::Null) => self.row(name, ABSENT.into()),
                (_, Value::Array(list)) if list.is_empty() => self.row(name, ABSENT.into()),
                _ => self.part(name),
            }
        }
    }

    fn part(&mut self, name: &str) {
        let diagnosis = self.diagnosis;
        for part in diagnosis.parts().filter(|part| part.name() == name) {
            let value = self.value(&part);
            self.row(part.label(), value);
        }
    }

    fn row(&mut self, name: &str, value: String) {
        self.rows.push((name.into(), value));
    }

    fn value(&self, part: &Part<'_>) -> String {
        let octets = part.octets();
        if octets.is_empty() {
            return EMPTY.into();
        }
        let mut value = self.secrets.shown(self.diagnosis.octets(), part.span());
        if !self.secrets.touch(&part.span()) {
            let decoded = part.decode();
            if *decoded != *octets {
                let _ = write!(value, " = {}", urlwise::escape_for_display(&decoded));
            }
        }
        value
    }
}
