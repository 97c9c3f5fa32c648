//! Results of the libraries as objects: a struct becomes the class of `nestnet.results` that has its name.
//!
//! Keys are those of the command line's JSON, with three differences. `from` and `to` are `source` and `target`, since
//! `from` is a keyword of Python; some other names are older than those of JSON. A mean, and `x` beside `x_exact`, are one fraction. What JSON leaves out is `None`.
//! What a class has no field for is omitted and recorded in `DROPPED`; the tests allow only what `WITHOUT` names.

use crate::data::{Data, mean};
use crate::fault::Fault;
use nestnet::BigUint;
use nestnet::json::INTEGER;
use serde_core::de::value::Error;
use serde_core::ser::{self, Impossible, Serialize, Serializer};
use std::fmt::Display;

impl Data {
    /// A result as it goes to Python.
    pub fn of<T: Serialize + ?Sized>(result: &T) -> Result<Data, Fault> {
        Ok(result.serialize(Objects)?)
    }

    /// The same object with other values of these fields, of which some may be new.
    pub fn with(mut self, more: impl IntoIterator<Item = (&'static str, Data)>) -> Self {
        if let Data::Object(_, fields) = &mut self {
            for (key, value) in more {
                match fields.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, old)) => *old = value,
                    None => fields.push((key, value)),
                }
            }
        }
        self
    }
}

struct Objects;

macro_rules! plain {
    ($($method:ident: $kind:ty),+) => {
        $(fn $method(self, value: $kind) -> Result<Data, Error> {
            Ok(value.into())
        })+
    };
}

macro_rules! never {
    ($($method:ident: $kind:ty),+) => {
        $(fn $method(self, _: $kind) -> Result<Data, Error> {
            Err(ser::Error::custom("no result has such a value"))
        })+
    };
}

impl Serializer for Objects {
    type Ok = Data;
    type Error = Error;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Impossible<Data, Error>;
    type SerializeMap = Entries;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Impossible<Data, Error>;

    plain!(serialize_bool: bool, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32);
    plain!(serialize_u64: u64, serialize_u128: u128, serialize_f64: f64, serialize_str: &str);
    never!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64);
    never!(serialize_f32: f32, serialize_char: char, serialize_bytes: &[u8]);

    fn serialize_none(self) -> Result<Data, Error> {
        Ok(Data::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Data, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Data, Error> {
        Ok(Data::None)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Data, Error> {
        Ok(Data::None)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Data, Error> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Data, Error> {
        let value = value.serialize(self)?;
        Ok(if name == INTEGER { integer(value) } else { value })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<Data, Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, Error> {
        Ok(Items(Vec::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items, Error> {
        Ok(Items(Vec::new()))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items, Error> {
        Ok(Items(Vec::new()))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(ser::Error::custom("no result has such a variant"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, Error> {
        Ok(Entries(Vec::new(), Data::None))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Fields, Error> {
        Ok(Fields { name, fields: Vec::new() })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(ser::Error::custom("no result has such a variant"))
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<Data, Error> {
        Ok(value.to_string().into())
    }
}

/// A tuple.
struct Items(Vec<Data>);

macro_rules! items {
    ($($kind:ident: $method:ident),+) => {
        $(impl ser::$kind for Items {
            type Ok = Data;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.0.push(value.serialize(Objects)?);
                Ok(())
            }

            fn end(self) -> Result<Data, Error> {
                Ok(Data::List(self.0))
            }
        })+
    };
}
items!(SerializeSeq: serialize_element, SerializeTuple: serialize_element, SerializeTupleStruct: serialize_field);

/// A dictionary, and the key whose value comes next.
struct Entries(Vec<(Data, Data)>, Data);

impl ser::SerializeMap for Entries {
    type Ok = Data;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.1 = key.serialize(Objects)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::replace(&mut self.1, Data::None);
        self.0.push((key, value.serialize(Objects)?));
        Ok(())
    }

    fn end(self) -> Result<Data, Error> {
        Ok(Data::Map(self.0))
    }
}

/// An object.
struct Fields {
    name: &'static str,
    fields: Vec<(&'static str, Data)>,
}

impl ser::SerializeStruct for Fields {
    type Ok = Data;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.fields.push((key, value.serialize(Objects)?));
        Ok(())
    }

    fn skip_field(&mut self, key: &'static str) -> Result<(), Error> {
        self.fields.push((key, Data::None));
        Ok(())
    }

    fn end(mut self) -> Result<Data, Error> {
        match self.name {
            "Mean" => {
                if let (Some(Data::Integer(above)), Some(Data::Integer(below))) =
                    (self.take("numerator"), self.take("denominator"))
                {
                    self.put("value", mean(&above, &below));
                }
            }
            // The options of Python, which the libraries do not know.
            "Missing" => {
                if let Some(Data::Text(why)) = self.take("none") {
                    self.fields.insert(0, ("why", Fault::new(why).message.into()));
                }
            }
            _ => (),
        }
        let exact = |key: &'static str| Some((key, key.strip_suffix("_exact")?));
        let exact: Vec<_> = self.fields.iter().filter_map(|(key, _)| exact(key)).collect();
        for (key, value) in exact {
            if let Some(Data::Text(text)) = self.take(key) {
                self.put(value, fraction(&text));
            }
        }
        let has_ends = self.fields.iter().any(|(key, _)| *key == "from");
        for (key, _) in &mut self.fields {
            *key = match *key {
                "where" if self.name == "Claim" => "where_",
                "reading" => "name",
                "from" => "source",
                "to" if has_ends => "target",
                "tub" => "worst_of_any",
                other => other,
            };
        }
        Ok(Data::Object(self.name, self.fields))
    }
}

impl Fields {
    fn take(&mut self, key: &str) -> Option<Data> {
        let at = self.fields.iter().position(|(known, _)| *known == key)?;
        Some(self.fields.remove(at).1)
    }

    fn put(&mut self, key: &str, value: Data) {
        if let Some((_, old)) = self.fields.iter_mut().find(|(known, _)| *known == key) {
            *old = value;
        }
    }
}

/// An integer of any length, by its digits.
fn integer(digits: Data) -> Data {
    match digits {
        Data::Text(text) => text.parse::<BigUint>().map_or(Data::Text(text), Data::from),
        other => other,
    }
}

/// A fraction as JSON has it, such as `2/3`.
fn fraction(text: &str) -> Data {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    match (above.parse(), below.parse()) {
        (Ok(above), Ok(below)) => Data::Fraction(above, below),
        _ => Data::None,
    }
}
