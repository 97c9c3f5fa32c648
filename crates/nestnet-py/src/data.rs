//! Results as plain data, and what Python gets of them: integers of any length, fractions, frozen objects.

use nestnet::BigUint;
use nestnet::distances::ratio;
use num_traits::ToPrimitive;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

/// A value on its way to Python.
#[derive(Clone, Debug)]
pub enum Data {
    /// `None`.
    None,
    /// `bool`.
    Truth(bool),
    /// `int`.
    Integer(BigUint),
    /// `float`.
    Number(f64),
    /// `fractions.Fraction`.
    Fraction(BigUint, BigUint),
    /// `str`.
    Text(String),
    /// `tuple`.
    List(Vec<Data>),
    /// `dict`.
    Map(Vec<(Data, Data)>),
    /// A class of `nestnet.results` with its fields.
    Object(&'static str, Vec<(&'static str, Data)>),
}

/// An object of `nestnet.results`: `object!("Bounded", low = …, high = …)`.
macro_rules! object {
    ($class:literal, $($key:ident = $value:expr),+ $(,)?) => {
        $crate::data::Data::Object(
            $class,
            vec![$((stringify!($key), $crate::data::Data::from($value))),+],
        )
    };
}
pub(crate) use object;

impl Data {
    /// A list of anything.
    pub fn list<T: Into<Data>>(items: impl IntoIterator<Item = T>) -> Self {
        Data::List(items.into_iter().map(Into::into).collect())
    }

    /// The same object of another class.
    pub fn named(self, class: &'static str) -> Self {
        match self {
            Data::Object(_, fields) => Data::Object(class, fields),
            other => other,
        }
    }

    /// The same in Python.
    pub fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Data::None => Ok(py.None()),
            Data::Truth(value) => value.into_py_any(py),
            Data::Integer(value) => integer(py, value),
            Data::Number(value) => value.into_py_any(py),
            Data::Fraction(numerator, denominator) => {
                let class = py.import("fractions")?.getattr("Fraction")?;
                let parts = (integer(py, numerator)?, integer(py, denominator)?);
                Ok(class.call1(parts)?.unbind())
            }
            Data::Text(text) => Ok(PyString::new(py, text).into_any().unbind()),
            Data::List(items) => {
                let items: PyResult<Vec<_>> = items.iter().map(|item| item.to_python(py)).collect();
                Ok(PyTuple::new(py, items?)?.into_any().unbind())
            }
            Data::Map(entries) => {
                let dict = PyDict::new(py);
                for (key, value) in entries {
                    dict.set_item(key.to_python(py)?, value.to_python(py)?)?;
                }
                Ok(dict.into_any().unbind())
            }
            Data::Object(class, fields) => {
                let class = py.import("nestnet.results")?.getattr(*class)?;
                let named = PyDict::new(py);
                let known = class.getattr("__dataclass_fields__")?;
                for (key, value) in fields {
                    if known.contains(key)? {
                        named.set_item(*key, value.to_python(py)?)?;
                    } else {
                        let shape = py.import("nestnet.results.shape")?;
                        let name = class.getattr("__name__")?;
                        shape.getattr("DROPPED")?.call_method1("add", ((name, *key),))?;
                    }
                }
                Ok(class.call((), Some(&named))?.unbind())
            }
        }
    }
}

/// An integer of any length; text would end at some thousand digits.
fn integer(py: Python<'_>, value: &BigUint) -> PyResult<Py<PyAny>> {
    if let Some(value) = value.to_u64() {
        return value.into_py_any(py);
    }
    let bytes = PyBytes::new(py, &value.to_bytes_be());
    let class = py.get_type::<pyo3::types::PyInt>();
    Ok(class.call_method1("from_bytes", (bytes, "big"))?.unbind())
}

macro_rules! counts {
    ($($kind:ty),+) => {
        $(impl From<$kind> for Data {
            fn from(value: $kind) -> Self {
                Data::Integer(BigUint::from(value))
            }
        })+
    };
}
counts!(u8, u16, u32, u64, u128, usize);

impl From<&BigUint> for Data {
    fn from(value: &BigUint) -> Self {
        Data::Integer(value.clone())
    }
}

impl From<BigUint> for Data {
    fn from(value: BigUint) -> Self {
        Data::Integer(value)
    }
}

impl From<bool> for Data {
    fn from(value: bool) -> Self {
        Data::Truth(value)
    }
}

impl From<f64> for Data {
    fn from(value: f64) -> Self {
        Data::Number(value)
    }
}

impl From<&str> for Data {
    fn from(value: &str) -> Self {
        Data::Text(value.to_owned())
    }
}

impl From<String> for Data {
    fn from(value: String) -> Self {
        Data::Text(value)
    }
}

impl<T: Into<Data>> From<Option<T>> for Data {
    fn from(value: Option<T>) -> Self {
        value.map_or(Data::None, Into::into)
    }
}

impl<T: Into<Data>> From<Vec<T>> for Data {
    fn from(value: Vec<T>) -> Self {
        Data::list(value)
    }
}

/// A mean as a fraction, or as a number where the denominator is nothing.
pub fn mean(numerator: &BigUint, denominator: &BigUint) -> Data {
    if denominator.bits() == 0 {
        return Data::Number(ratio(numerator, denominator));
    }
    Data::Fraction(numerator.clone(), denominator.clone())
}
