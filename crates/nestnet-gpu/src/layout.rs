//! Does the host pass what a kernel reads? The fields of its struct, by name, held to `kernels.cu` where this is compiled.

/// The struct of a kernel: its numbers, its arrays, and all of them as the words that a launch passes. The fields must be
/// those of the struct in the source, in the same order, or nothing is compiled.
macro_rules! layout {
    ($name:ident: $numbers:ident { $($number:ident),* $(,)? } $arrays:ident { $($array:ident),* $(,)? }) => {
        /// The numbers of the struct.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $numbers {
            $(pub $number: u64,)*
        }

        /// Something for each of its arrays, such as the address.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $arrays<T> {
            $(pub $array: T,)*
        }

        impl $numbers {
            const FIELDS: &[&str] = &[$(stringify!($number),)* $(stringify!($array),)*];

            /// All fields, in the order of the struct.
            pub fn words(&self, addresses: &$arrays<u64>) -> [u64; Self::FIELDS.len()] {
                [$(self.$number,)* $(addresses.$array,)*]
            }
        }

        impl<T> $arrays<T> {
            /// Something else for each of them, made with its name, unless one of them fails.
            pub fn try_map<U, E>(
                self,
                mut make: impl FnMut(&'static str, T) -> Result<U, E>,
            ) -> Result<$arrays<U>, E> {
                Ok($arrays { $($array: make(stringify!($array), self.$array)?,)* })
            }
        }

        const _: () = assert!(
            $crate::layout::has_fields($crate::SOURCE, stringify!($name), $numbers::FIELDS),
            concat!("the fields are not those of ", stringify!($name), " in kernels.cu")
        );
    };
}
pub(crate) use layout;

/// Whether the struct `typedef struct { … } name;` of a source in C has exactly these fields, in this order. A field is a
/// word before a comma or a semicolon that is in no comment.
pub(crate) const fn has_fields(source: &str, name: &str, fields: &[&str]) -> bool {
    let source = source.as_bytes();
    let Some(end) = end_of(source, name.as_bytes()) else { return false };
    let mut at = end;
    while at > 0 && source[at] != b'{' {
        at -= 1;
    }
    let mut found = 0;
    while at < end {
        if source[at] == b'/' && source[at + 1] == b'/' {
            while source[at] != b'\n' {
                at += 1;
            }
        } else if is_letter(source[at]) {
            let begin = at;
            while is_letter(source[at]) {
                at += 1;
            }
            let word = source.split_at(begin).1.split_at(at - begin).0;
            while source[at].is_ascii_whitespace() {
                at += 1;
            }
            if matches!(source[at], b',' | b';') {
                if found == fields.len() || !is_same(word, fields[found].as_bytes()) {
                    return false;
                }
                found += 1;
            }
        } else {
            at += 1;
        }
    }
    found == fields.len()
}

/// Where the brace before the name of a struct is.
const fn end_of(source: &[u8], name: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at + name.len() + 2 < source.len() {
        if source[at] == b'}' && source[at + 1] == b' ' && source[at + 2 + name.len()] == b';' {
            let word = source.split_at(at + 2).1.split_at(name.len()).0;
            if is_same(word, name) {
                return Some(at);
            }
        }
        at += 1;
    }
    None
}

const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_compared_by_name_and_order() {
        let source = "typedef struct {\n    u64 a, b; // not c, nor d;\n    const u32 *e;\n} One;\n\
                      typedef struct {\n    u64 f;\n} Two;\n";
        for (name, fields, is) in [
            ("One", &["a", "b", "e"][..], true),
            ("One", &["b", "a", "e"], false),
            ("One", &["a", "b"], false),
            ("One", &["a", "b", "e", "f"], false),
            ("One", &["a", "b", "ee"], false),
            ("Two", &["f"], true),
            ("Three", &[], false),
        ] {
            assert_eq!(has_fields(source, name, fields), is, "{name} {fields:?}");
        }
    }
}
