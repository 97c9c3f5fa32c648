//! Percent-encoding: how does a text get into a link, and out of it?

/// A text in a link.
pub fn escaped(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'(' | b')' | b',' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// A text as it was before [`escaped`]; what is not escaped is as it is.
pub fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().iter();
    let mut plain = Vec::new();
    while let Some(&byte) = bytes.next() {
        let digits = bytes.as_slice().get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        // A sign is read as part of a number, and is none of a code.
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|_| byte == b'%') {
            Some(code) => {
                plain.push(code);
                bytes.nth(1);
            }
            None => plain.push(byte),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_the_page_survives_a_link() {
        assert_eq!(escaped("rdn(torus(5, 5), 4)"), "rdn(torus(5,%205),%204)");
        assert_eq!(escaped("file(\"a&b#c\")"), "file(%22a%26b%23c%22)");
        for text in ["", "rdn(torus(5, 5), 4)", "a%2", "100 %", "+/=é\u{1f600}"] {
            assert_eq!(unescaped(&escaped(text)), text.as_bytes());
        }
        assert_eq!(unescaped("%+1%4a%é%"), "%+1J%é%".as_bytes());
    }
}
