//! Requests: INIT, and SEARCH by words or for one slice of one document.
//!
//! The server keeps nothing between requests, so a document is fetched by searching for its id. Numbers are those of real
//! clients of the time; fields that servers ignore are sent as they did.

use super::document_id::DocumentId;
use super::field::{write_field, write_number};
use super::packet;
use crate::language::message;
use crate::protocol::Command;
use std::ops::Range;
use urlwise::Message;

/// Message types.
pub(super) const INIT: u8 = 20;
pub(super) const INIT_RESPONSE: u8 = 21;
pub(super) const SEARCH: u8 = 22;
pub(super) const SEARCH_RESPONSE: u8 = 23;

/// Field tags.
pub(super) mod tag {
    pub(crate) const REFERENCE_ID: u32 = 2;
    pub(crate) const PROTOCOL_VERSION: u32 = 3;
    pub(crate) const OPTIONS: u32 = 4;
    pub(crate) const PREFERRED_MESSAGE_SIZE: u32 = 5;
    pub(crate) const MAXIMUM_RECORD_SIZE: u32 = 6;
    pub(crate) const RESULT_SET_NAME: u32 = 17;
    pub(crate) const DATABASE_NAMES: u32 = 18;
    pub(crate) const ELEMENT_SET_NAMES: u32 = 19;
    pub(crate) const QUERY_TYPE: u32 = 20;
    pub(crate) const QUERY: u32 = 21;
    pub(crate) const ATTRIBUTE_LIST: u32 = 44;
    pub(crate) const TERM: u32 = 45;
    pub(crate) const OPERATOR: u32 = 46;
    pub(crate) const USER_INFORMATION: u32 = 99;
    pub(crate) const SEED_WORDS: u32 = 106;
    pub(crate) const DATE_FACTOR: u32 = 111;
    pub(crate) const MAX_DOCUMENTS: u32 = 114;
}

/// One version, and only search requested: a server refuses INIT with the bit of PRESENT.
const FIRST_BIT: &[u8] = &[0x80];

/// INIT: requests search and messages of at most `size` octets. It identifies neither the program nor the user.
pub(super) fn init(size: u32) -> Command {
    let mut fields = vec![INIT];
    write_field(tag::PROTOCOL_VERSION, FIRST_BIT, &mut fields);
    write_field(tag::OPTIONS, FIRST_BIT, &mut fields);
    write_number(tag::PREFERRED_MESSAGE_SIZE, size, &mut fields);
    write_number(tag::MAXIMUM_RECORD_SIZE, size, &mut fields);
    command(&fields, &[], message!("INIT: search, messages of up to {count} octets", count = size))
}

/// SEARCH by words.
pub(super) fn search(database: &[u8], words: &[u8], most: u32) -> Command {
    let fields = search_fields([30, 5000, 30], b"", database, b"3");
    let mut information = Vec::new();
    // The field of words must be there even if empty: a server crashes without it.
    write_field(tag::SEED_WORDS, words, &mut information);
    write_number(tag::DATE_FACTOR, 1, &mut information);
    write_number(tag::MAX_DOCUMENTS, most, &mut information);
    let mut user_information = Vec::new();
    write_field(tag::USER_INFORMATION, &information, &mut user_information);
    let told = message!(
        "SEARCH {database} for \"{words}\", at most {most} documents",
        database = urlwise::escape_for_display(database).to_string(),
        words = urlwise::escape_for_display(words).to_string(),
        most = most
    );
    command(&fields, &user_information, told)
}

/// SEARCH for some octets of one document.
pub(super) fn slice(database: &[u8], wtype: &[u8], id: &[u8], range: &Range<u64>) -> Command {
    let mut fields = search_fields([10, 16, 15], b"FOO", database, b"1");
    write_field(tag::ELEMENT_SET_NAMES, b" \x1fDocument Text", &mut fields);
    write_field(tag::REFERENCE_ID, b"3", &mut fields);
    let mut query = Vec::new();
    let mut condition = |attributes: &[u8], term: &[u8]| {
        let first = query.is_empty();
        write_field(tag::ATTRIBUTE_LIST, attributes, &mut query);
        write_field(tag::TERM, term, &mut query);
        if !first {
            write_field(tag::OPERATOR, b"a", &mut query);
        }
    };
    // use, relation, position, structure, truncation, completeness; `ig`: ignore.
    condition(b"un re ig ig ig ig", id);
    // The type must be there: a server crashes on a query without it.
    condition(b"wt re ig ig ig ig", wtype);
    condition(b"wb ro ig ig ig ig", range.start.to_string().as_bytes());
    condition(b"wb rl ig ig ig ig", range.end.to_string().as_bytes());
    let mut user_information = Vec::new();
    write_field(tag::QUERY, &query, &mut user_information);
    let told = message!(
        "SEARCH {database} for octets {start} to {end} of the {wtype} with {id}",
        database = urlwise::escape_for_display(database).to_string(),
        start = range.start,
        end = range.end,
        wtype = urlwise::escape_for_display(wtype).to_string(),
        id = DocumentId::new(id).in_words()
    );
    command(&fields, &user_information, told)
}

/// The beginning of both searches: how many hits make a small, a large and a medium result, which servers ignore, and that the
/// result set of this name is replaced.
fn search_fields(sizes: [u32; 3], result_set: &[u8], database: &[u8], query_type: &[u8]) -> Vec<u8> {
    const REPLACE: u8 = 1;
    let mut fields = vec![SEARCH];
    for size in sizes {
        fields.extend_from_slice(&size.to_be_bytes()[1..]);
    }
    fields.push(REPLACE);
    write_field(tag::RESULT_SET_NAME, result_set, &mut fields);
    write_field(tag::DATABASE_NAMES, database, &mut fields);
    write_field(tag::QUERY_TYPE, query_type, &mut fields);
    fields
}

/// The message: the length of the fields, the fields, the user information, whose end is that of the message.
fn command(fields: &[u8], user_information: &[u8], words: Message) -> Command {
    // The database is the only part without a length; `WaisRequest` bounds it.
    let length = u16::try_from(fields.len()).unwrap_or(u16::MAX);
    let mut message = length.to_be_bytes().to_vec();
    message.extend_from_slice(fields);
    message.extend_from_slice(user_information);
    Command::new(packet::write(&message)).in_words(words)
}
