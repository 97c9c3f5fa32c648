//! The kind of an error: what may a program do about it?

/// The class of an error, for programs that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text of a network is not understood.
    Spec,
    /// A name that is not known: of a metric, a router, a traffic pattern, a format, a family, a paper or a node.
    Unknown,
    /// An argument out of its range.
    Invalid,
    /// More memory or steps than the limits have; larger limits may give an answer.
    Limit,
    /// Stopped by the caller.
    Stopped,
    /// This network has no such thing: it is not connected, has no cycle, or is too large for node ids.
    Unsupported,
    /// A file is not understood.
    Format,
    /// Bytes could not be written.
    Io,
    /// A result does not pass our own check.
    Internal,
}

/// An error that says its kind.
pub trait HasKind: std::error::Error {
    /// The class of this error; O(1).
    fn kind(&self) -> ErrorKind;
}

impl<E: HasKind> HasKind for Box<E> {
    fn kind(&self) -> ErrorKind {
        (**self).kind()
    }
}

/// Implements [`HasKind`] for an error, beside its definition: one kind for the whole type, or for each variant. A variant
/// without a kind is not compiled.
///
/// Variants of `inner` wrap another error, and their kind is the kind of that: `Budget` as `Budget(error)`, `Walk.error`
/// as `Walk { error, .. }`.
///
/// ```
/// use nestnet_graph::{ErrorKind, HasKind, Interrupted, kinds};
///
/// #[derive(Debug, thiserror::Error)]
/// enum PathError {
///     #[error("there is no path")]
///     NoPath,
///     #[error("step {step}: {error}")]
///     Step { step: u64, error: Interrupted },
/// }
///
/// kinds!(PathError {
///     Unsupported: NoPath;
///     inner: Step.error;
/// });
///
/// assert_eq!(PathError::NoPath.kind(), ErrorKind::Unsupported);
/// assert_eq!(PathError::Step { step: 3, error: Interrupted }.kind(), ErrorKind::Stopped);
/// ```
#[macro_export]
macro_rules! kinds {
    ($error:ident: $kind:ident) => {
        impl $crate::HasKind for $error {
            fn kind(&self) -> $crate::ErrorKind {
                $crate::ErrorKind::$kind
            }
        }
    };
    ($error:ident { $($kind:ident: $($(#[$only:meta])? $variant:ident $(. $field:ident)?),+;)+ }) => {
        impl $crate::HasKind for $error {
            fn kind(&self) -> $crate::ErrorKind {
                match self {
                    $($($(#[$only])? $crate::kinds!(@pattern $kind error $variant $($field)?) => {
                        $crate::kinds!(@value $kind error)
                    })+)+
                }
            }
        }
    };
    (@pattern inner $error:ident $variant:ident) => { Self::$variant($error) };
    (@pattern inner $error:ident $variant:ident $field:ident) => {
        Self::$variant { $field: $error, .. }
    };
    (@pattern $kind:ident $error:ident $variant:ident) => { Self::$variant { .. } };
    (@value inner $error:ident) => { $crate::HasKind::kind($error) };
    (@value $kind:ident $error:ident) => { $crate::ErrorKind::$kind };
}
