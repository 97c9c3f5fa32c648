"""How far a call may go, and what is shown while it runs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Any

from ._nestnet import Error, Job, options


def _most_of_memory() -> int:
    """Four fifths of the memory of this machine, or of what a container is granted."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        most = 4 << 30
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
            granted = file.read().strip()
        if granted.isdigit():
            most = min(most, int(granted))
    except OSError:
        pass
    return most // 5 * 4


class _Values:
    """What is allowed, and whether progress is shown."""

    __slots__ = ("max_memory", "max_time", "progress")

    def __init__(self, max_time: float, max_memory: int, progress: bool) -> None:
        self.max_time = max_time
        self.max_memory = max_memory
        self.progress = progress


# What the table of limits says, as the command line reads it.
_SECONDS = next(float(row["default"]) for row in options()["limits"] if row["key"] == "max_time")
_DEFAULT = _Values(_SECONDS, _most_of_memory(), True)
_CURRENT: ContextVar[_Values | None] = ContextVar("nestnet_limits", default=None)


def _changed(
    values: _Values, max_time: float | None, max_memory: int | None, progress: bool | None
) -> _Values:
    if max_time is not None and not max_time > 0:
        raise Error("expected a number of seconds above 0")
    if max_memory is not None and max_memory < 0:
        raise Error("expected a number of bytes")
    return _Values(
        values.max_time if max_time is None else float(max_time),
        values.max_memory if max_memory is None else min(int(max_memory), 2**64 - 1),
        values.progress if progress is None else progress,
    )


class limits:
    """Limits of all calls within a block: seconds, bytes, and whether progress is shown.

    >>> import nestnet as nn
    >>> with nn.limits(max_time=5):
    ...     nn.network("petersen").diameter
    2
    """

    def __init__(
        self,
        *,
        max_time: float | None = None,
        max_memory: int | None = None,
        progress: bool | None = None,
    ) -> None:
        before = _CURRENT.get() or _DEFAULT
        self._values = _changed(before, max_time, max_memory, progress)
        self._token: Token[_Values | None] | None = None

    def __enter__(self) -> limits:
        self._token = _CURRENT.set(self._values)
        return self

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _CURRENT.reset(self._token)


def set_limits(
    *,
    max_time: float | None = None,
    max_memory: int | None = None,
    progress: bool | None = None,
) -> None:
    """Changes the limits of all calls from here on, in every thread."""
    global _DEFAULT
    _DEFAULT = _changed(_DEFAULT, max_time, max_memory, progress)


class _Bar:
    """A progress bar that appears once the work has taken a moment, if tqdm is there."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.start = time.monotonic()
        self.bar: Any = None
        self.tried = False

    def __call__(self, part: float) -> None:
        if time.monotonic() - self.start < 0.5:
            return
        if not self.tried:
            self.tried = True
            try:
                import warnings

                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    from tqdm.auto import tqdm

                    self.bar = tqdm(
                        total=1.0,
                        desc=self.what,
                        leave=False,
                        disable=None,
                        bar_format="{desc} {bar} {percentage:.0f} %, {remaining} left",
                    )
            except Exception:
                # A bar is no part of the answer.
                self.bar = None
        if self.bar is not None and part > self.bar.n:
            self.bar.update(min(part, 1.0) - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


@contextmanager
def working(what: str) -> Iterator[Job]:
    """What a call may use, with a bar that is gone when it ends."""
    values = _CURRENT.get() or _DEFAULT
    if not values.progress:
        yield Job(values.max_memory, values.max_time)
        return
    bar = _Bar(what)
    try:
        yield Job(values.max_memory, values.max_time, bar)
    finally:
        bar.close()


def quick() -> Job:
    """The same without a bar, for what is mostly done at once."""
    values = _CURRENT.get() or _DEFAULT
    return Job(values.max_memory, values.max_time)
