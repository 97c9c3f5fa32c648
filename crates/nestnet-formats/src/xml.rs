//! How is XML read and written: elements with attributes, and where they stand?

use super::ReadError;
use super::lines::utf8;
use super::mark::Mark;
use nestnet_graph::index;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::borrow::Cow;

/// A text with the place where it is read.
pub(super) struct Xml<'a> {
    text: &'a [u8],
    reader: Reader<&'a [u8]>,
    /// Where the last event begins.
    pub at: usize,
    depth: usize,
}

/// Limit: elements within each other in an XML file: deeper than any file of use.
const MAX_DEPTH: usize = 64;

/// What comes next.
pub(super) enum Item<'a> {
    /// An element begins; `true` where it also ends.
    Open(BytesStart<'a>, bool),
    /// An element ends.
    Close,
    /// Text within one.
    Text(Cow<'a, str>),
    /// The file ends.
    End,
}

impl<'a> Xml<'a> {
    pub fn new(text: &'a [u8], format: &'static str) -> Result<Self, ReadError> {
        let checked = utf8(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), format)?;
        let reader = Reader::from_str(checked);
        Ok(Xml { text: checked.as_bytes(), reader, at: 0, depth: 0 })
    }

    pub fn next(&mut self) -> Result<Item<'a>, ReadError> {
        loop {
            self.at = index(self.reader.buffer_position());
            let event = self.reader.read_event().map_err(|error| {
                let at = Mark::of(self.text, index(self.reader.error_position()));
                ReadError::Markup { at, why: message(&error.to_string()) }
            })?;
            return Ok(match event {
                Event::Start(start) => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        let at = Mark::of(self.text, self.at);
                        return Err(ReadError::TooDeep { at, most: MAX_DEPTH });
                    }
                    Item::Open(start, false)
                }
                Event::Empty(start) => Item::Open(start, true),
                Event::End(_) => {
                    self.depth -= 1;
                    Item::Close
                }
                Event::Text(text) => Item::Text(self.plain(text.into_inner())?),
                Event::CData(text) => Item::Text(text.into_inner()),
                Event::GeneralRef(name) => {
                    let whole = format!("&{};", &*name);
                    let plain = quick_xml::escape::unescape(&whole);
                    let plain = plain.map_err(|error| self.fault(error.to_string()))?;
                    Item::Text(Cow::Owned(plain.into_owned()))
                }
                Event::Eof if self.depth > 0 => {
                    let at = Mark::of(self.text, self.text.len());
                    return Err(ReadError::Ends { at, expected: "the end of an element" });
                }
                Event::Eof => Item::End,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            });
        }
    }

    /// The whole text.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// An attribute of an element.
    pub fn attribute(
        &self,
        start: &'a BytesStart<'_>,
        name: &str,
    ) -> Result<Option<Cow<'a, str>>, ReadError> {
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| self.fault(error.to_string()))?;
            if attribute.key.into_inner() == name {
                return Ok(Some(self.plain(attribute.value)?));
            }
        }
        Ok(None)
    }

    /// An attribute that must be there.
    pub fn needs(
        &self,
        start: &'a BytesStart<'_>,
        name: &'static str,
        expected: &'static str,
    ) -> Result<Cow<'a, str>, ReadError> {
        let value = self.attribute(start, name)?;
        value.ok_or_else(|| ReadError::expected(self.text, self.at, 40, expected))
    }

    /// A text without the marks that mean others.
    fn plain<'t>(&self, text: Cow<'t, str>) -> Result<Cow<'t, str>, ReadError> {
        if !text.contains('&') {
            return Ok(text);
        }
        let plain = quick_xml::escape::unescape(&text);
        let plain = plain.map_err(|error| self.fault(error.to_string()))?;
        Ok(Cow::Owned(plain.into_owned()))
    }

    fn fault(&self, why: String) -> ReadError {
        ReadError::Markup { at: Mark::of(self.text, self.at), why: message(&why) }
    }
}

/// What a parser says, which may repeat the file.
pub(super) fn message(why: &str) -> String {
    why.chars().take(200).map(nestnet_graph::sanitize::visible).collect()
}

/// A text escaped for XML, also within quotes.
pub(super) fn escaped(text: &str) -> String {
    quick_xml::escape::escape(
        text.chars().map(nestnet_graph::sanitize::visible).collect::<String>(),
    )
    .into_owned()
}

/// The same of many texts, most of which need nothing.
pub(super) fn put_escaped(out: &mut Vec<u8>, start: usize) {
    let plain = |byte: &u8| {
        matches!(byte, 0x20..=0x7e) && !matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\'')
    };
    if !out[start..].iter().all(plain) {
        let text = escaped(&String::from_utf8_lossy(&out[start..]));
        out.truncate(start);
        out.extend_from_slice(text.as_bytes());
    }
}
