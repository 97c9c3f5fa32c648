//! How are many bits written down? Sixteen digits for a word, which is shorter and quicker than a list of numbers.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// All words in one text.
pub fn serialize<S: Serializer>(words: &[u64], to: S) -> Result<S::Ok, S::Error> {
    let digits = |word: u64| (0..16).rev().map(move |at| DIGITS[(word >> (4 * at) & 15) as usize]);
    let text = words.iter().flat_map(|&word| digits(word)).map(char::from).collect::<String>();
    to.serialize_str(&text)
}

/// The words of a text.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
    let text = String::deserialize(from)?;
    let word = |digits: &[u8]| {
        let digits = str::from_utf8(digits).ok().filter(|digits| digits.len() == 16)?;
        u64::from_str_radix(digits, 16).ok()
    };
    let words: Option<Vec<u64>> = text.as_bytes().chunks(16).map(word).collect();
    words.ok_or_else(|| D::Error::custom("expected words of sixteen hexadecimal digits"))
}

#[cfg(test)]
mod tests {
    fn read(json: &str) -> Result<Vec<u64>, serde_json::Error> {
        super::deserialize(&mut serde_json::Deserializer::from_str(json))
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        let words = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];
        let mut json = Vec::new();
        super::serialize(&words, &mut serde_json::Serializer::new(&mut json)).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert!(json.starts_with("\"000000000000000000000000000000010123456789abcdef"), "{json}");
        assert_eq!(read(&json).unwrap(), words);
        assert!(read("\"\"").unwrap().is_empty());
        for broken in
            ["\"0\"", "\"000000000000000g\"", "\"00000000000000000\"", "[0]", "\"äääääääää\""]
        {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}
