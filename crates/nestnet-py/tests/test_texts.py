"""What `help` says of the fields of results."""

import dataclasses

import pytest
from nestnet import results
from nestnet.results import Result

CLASSES = [one for one in vars(results).values() if isinstance(one, type) and issubclass(one, Result)]


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.__name__)
def test_every_field_has_a_description(one):
    if not dataclasses.is_dataclass(one):
        return
    docs = "\n".join(base.__doc__ or "" for base in one.__mro__ if issubclass(base, Result))
    fields = [field.name for field in dataclasses.fields(one)]
    assert [name for name in fields if f"- ``{name}``: " not in docs] == []
