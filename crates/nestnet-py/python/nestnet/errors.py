"""Errors that are those of Python too: of a key or a file that is not there, and of an argument of the wrong type."""

from __future__ import annotations

from ._nestnet import Error, NodeError, SpecError


class NodeKeyError(NodeError, KeyError):
    """A node that a network does not have, asked for as a key: a `NodeError` and a `KeyError`.

    >>> import nestnet as nn
    >>> try:
    ...     nn.ring(5)[99]
    ... except nn.Error as error:
    ...     print(error)
    no node 99: `nodes` lists what there is
    """

    # `KeyError` would put the text between quotes.
    __str__ = Exception.__str__


class LinkKeyError(Error, KeyError):
    """A link that a network does not have, asked for as a key: an `Error` and a `KeyError`."""

    __str__ = Exception.__str__


class MissingFileError(SpecError, FileNotFoundError):
    """A file that is not there: a `SpecError` and a `FileNotFoundError`."""


class ArgumentError(Error, TypeError):
    """An argument of another type than the signature of its function has: an `Error` and a `TypeError`."""
