//! Results in JSON: integers of any length as plain digits, values that print themselves as text.
//!
//! A result implements [`Serialize`] with the keys of JSON. The name of a struct is the name of its class in Python.

use num_bigint::BigUint;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt::Display;

/// A measured number with at most six places behind the point.
///
/// ```
/// assert_eq!(nestnet_graph::json::rounded(0.123_456_78), 0.123_457);
/// ```
pub fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// An integer of any length; what it holds must print as one.
///
/// It is a `u64` where it fits. A longer one is plain digits in JSON; a `serde_json::Value` holds all of them only in a
/// program that turns on `arbitrary_precision` of that crate. A serializer that is not for people gets the digits as a
/// text, in a newtype struct called [`INTEGER`].
///
/// ```
/// use nestnet_graph::json::Integer;
///
/// let long = Integer("1267650600228229401496703205376");
/// assert_eq!(serde_json::to_string(&long).unwrap(), "1267650600228229401496703205376");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Integer<T>(pub T);

/// What the newtype struct of a long [`Integer`] is called.
pub const INTEGER: &str = "Integer";

impl<T: Display> Serialize for Integer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = self.0.to_string();
        if let Ok(value) = digits.parse() {
            return serializer.serialize_u64(value);
        }
        if !serializer.is_human_readable() {
            return serializer.serialize_newtype_struct(INTEGER, &digits);
        }
        RawValue::from_string(digits).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// An integer of any length.
pub fn integer<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    Integer(value).serialize(serializer)
}

/// What a value prints.
pub fn text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// No answer, and why.
#[derive(Clone, Copy, Debug)]
pub struct Missing<T>(pub T);

impl<T: Display> Serialize for Missing<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::fields!(
            serializer,
            "Missing",
            /// Why there is no answer.
            none: String = self.0.to_string(),
        )
    }
}

/// An answer, or why there is none.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a, T, E>(pub &'a Result<T, E>);

impl<T: Serialize, E: Display> Serialize for Found<'_, T, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Ok(answer) => answer.serialize(serializer),
            Err(error) => Missing(error).serialize(serializer),
        }
    }
}

/// How many there are of each kind.
pub fn counts(counts: &BTreeMap<u64, BigUint>) -> BTreeMap<u64, Integer<&BigUint>> {
    counts.iter().map(|(&kind, count)| (kind, Integer(count))).collect()
}

/// Serializes a struct whose fields are not written as they are held, and says what they are: `docs/schemas` is made of
/// these declarations (`xtask/library/src/declared.rs`).
///
/// A field of the struct is `key = self.field`, and has its type and its description; what is computed says both:
///
/// ```
/// # use serde::{Serialize, Serializer};
/// struct Sum {
///     /// The numbers.
///     of: Vec<u64>,
/// }
///
/// impl Serialize for Sum {
///     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         nestnet_graph::fields!(
///             serializer,
///             "Sum",
///             of = self.of,
///             /// Their sum.
///             sum: u64 = self.of.iter().sum(),
///             /// The first, where there is any.
///             [first]: u64 = self.of.first(),
///         )
///     }
/// }
///
/// assert_eq!(serde_json::to_string(&Sum { of: vec![] }).unwrap(), r#"{"of":[],"sum":0}"#);
/// ```
///
/// A key in brackets takes an option, and is omitted where that is `None`. `fields!(in open, …)` puts fields into a
/// struct that was begun; `..figures: Figures` is all that a `fields` of that type puts there.
#[macro_export]
macro_rules! fields {
    (@each $fields:ident,) => {};
    (@each $fields:ident, ..$all:ident: $kind:ty $(, $($rest:tt)*)?) => {
        let all: &$kind = &$all;
        all.fields(&mut $fields)?;
        $crate::fields!(@each $fields, $($($rest)*)?);
    };
    (@each $fields:ident, $(#[$about:meta])* [$key:ident] $(: $kind:ty)? = $value:expr $(, $($rest:tt)*)?) => {
        match &$value {
            Some(value) => {
                let value $(: &$kind)? = value;
                $fields.serialize_field(stringify!($key), value)?
            }
            None => $fields.skip_field(stringify!($key))?,
        }
        $crate::fields!(@each $fields, $($($rest)*)?);
    };
    (@each $fields:ident, $(#[$about:meta])* $key:ident $(: $kind:ty)? = $value:expr $(, $($rest:tt)*)?) => {
        {
            let value $(: &$kind)? = &$value;
            $fields.serialize_field(stringify!($key), value)?;
        }
        $crate::fields!(@each $fields, $($($rest)*)?);
    };
    (in $fields:ident, $($rest:tt)+) => {{
        $crate::fields!(@each $fields, $($rest)+);
    }};
    ($serializer:expr, $name:literal, $($rest:tt)+) => {{
        use serde::ser::SerializeStruct as _;
        // How many there are only makes room.
        let mut fields = $serializer.serialize_struct($name, 1)?;
        $crate::fields!(@each fields, $($rest)+);
        fields.end()
    }};
}

/// Says as what a type is serialized that is no struct, or not always one: `written_as!(Width: f64, Bounds)`, besides the
/// structs of its `fields!`. `docs/schemas` is made of it.
#[macro_export]
macro_rules! written_as {
    ($kind:ty: $($form:ty),+ $(,)?) => {
        const _: fn() = || {
            fn is_written<T: serde::Serialize>() {}
            is_written::<$kind>();
            $(is_written::<$form>();)+
        };
    };
}

/// Serializes values as what they print.
#[macro_export]
macro_rules! serialize_as_text {
    ($($kind:ty),+) => {
        $(impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })+
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{json, to_value};

    struct Both(Option<u8>);

    impl Serialize for Both {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            fields!(serializer, "Both", where = self.0, [more]: u8 = self.0)
        }
    }

    #[test]
    fn integers_of_any_length_are_plain_digits() {
        let long = "9".repeat(100);
        assert_eq!(serde_json::to_string(&Integer(&long)).unwrap(), long);
        assert_eq!(serde_json::to_string(&Integer("-5")).unwrap(), "-5");
        assert_eq!(to_value(Integer(u64::MAX)).unwrap(), json!(u64::MAX));
        assert!(serde_json::to_string(&Integer("five")).is_err());
        let kinds = BTreeMap::from([(3, BigUint::from(1u8) << 70u8)]);
        let text = serde_json::to_string(&counts(&kinds)).unwrap();
        assert_eq!(text, r#"{"3":1180591620717411303424}"#);
    }

    #[test]
    fn what_is_omitted_is_not_null() {
        assert_eq!(to_value(Both(Some(1))).unwrap(), json!({ "where": 1, "more": 1 }));
        assert_eq!(to_value(Both(None)).unwrap(), json!({ "where": null }));
    }
}
