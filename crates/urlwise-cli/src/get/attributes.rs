//! Attributes of gopher items: for people, each item with its blocks indented; for programs, one JSON object per line.

use std::io::Write;

use serde_json::Value;
use urlwise_open::protocol::gopher::{AttributeList, Block, FormField, View};
use urlwise_open::{Entry, ItemAttributes};

use crate::access;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::json::{self, Object};
use crate::ls::{self, Charset};

/// Writes attribute lists as they arrive.
pub(super) fn write(
    attributes: &mut ItemAttributes,
    json: bool,
    out: &mut dyn Write,
    console: &Console,
) -> Result<Status, Failure> {
    let mut end = Status::Ok;
    while let Some(next) = attributes.next() {
        match next {
            Ok(list) => {
                let entry = attributes.entry(&list);
                match json {
                    true => json::write_line(out, &object(entry.as_ref(), &list))?,
                    false => lines(entry.as_ref(), &list, out)?,
                }
            }
            Err(error) => end = access::failed(&error, console),
        }
    }
    access::notes(attributes.notes(), console);
    Ok(end)
}

fn lines(entry: Option<&Entry>, list: &AttributeList, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(entry) = entry {
        ls::line(entry, false, Charset::Latin1, out)?;
    }
    for block in list.blocks().iter().filter(|block| block.name != b"INFO") {
        match block.head.as_slice() {
            b"" => writeln!(out, "  {}", ls::gopher_text(&block.name))?,
            head => writeln!(out, "  {}: {}", ls::gopher_text(&block.name), ls::gopher_text(head))?,
        }
        for line in &block.lines {
            writeln!(out, "    {}", ls::gopher_text(line))?;
        }
    }
    Ok(())
}

/// The entry of the item, with views, form and attributes.
fn object(entry: Option<&Entry>, list: &AttributeList) -> Object {
    let mut object = entry.map(ls::object).unwrap_or_default();
    object.insert("views".into(), list.views().iter().map(view).collect());
    object.insert("form".into(), list.form().map(|form| form.iter().map(field).collect::<Vec<_>>()).into());
    object.insert("attributes".into(), list.blocks().iter().map(attribute).collect());
    object
}

fn view(view: &View) -> Value {
    let mut object = Object::new();
    json::text(&mut object, "type", Some(&view.media_type));
    json::text(&mut object, "language", view.language.as_deref());
    object.insert("size".into(), view.size.into());
    object.into()
}

fn field(field: &FormField) -> Value {
    let mut object = Object::new();
    object.insert("kind".into(), field.kind.name().into());
    json::text(&mut object, "label", Some(&field.label));
    json::text(&mut object, "default", field.default.as_deref());
    object.insert("choices".into(), field.choices.iter().map(|choice| octets(choice)).collect());
    object.into()
}

fn attribute(block: &Block) -> Value {
    let mut object = Object::new();
    json::text(&mut object, "name", Some(&block.name));
    json::text(&mut object, "head", Some(&block.head));
    object.insert("lines".into(), block.lines.iter().map(|line| octets(line)).collect());
    object.into()
}

/// A string; if it is not UTF-8, an object with the octets in hex.
fn octets(octets: &[u8]) -> Value {
    match std::str::from_utf8(octets) {
        Ok(text) => text.into(),
        Err(_) => {
            let mut object = Object::new();
            object.insert("octets".into(), json::hex(octets).into());
            object.into()
        }
    }
}
