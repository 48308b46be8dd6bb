"""Work in a thread: what strangers have sent, or long matches, which may not hold up everyone else.

Before Python 3.13 a future that gets a StopIteration never ends (github.com/python/cpython/issues/112182), so
it becomes an error of ours. What hangs is given up, and nobody waits behind it for ever; its thread ends by
itself, if it does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LIMIT: Final = 120.0
"""Seconds after which work is given up that takes a second at most."""
LONG: Final = 900.0
"""Seconds after which work is given up that may take minutes."""


class LostValueError(RuntimeError):
    """Raised for a StopIteration, which is a mistake of ours."""


def guarded(work: Callable[P, T]) -> Callable[P, T]:
    """Return the same function, but for a StopIteration, which becomes a LostValueError."""

    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return work(*args, **kwargs)
        except StopIteration as error:
            raise LostValueError("an iterator had no value") from error

    return run


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of work in a thread. Raises what it raises, TimeoutError after LIMIT seconds."""
    async with asyncio.timeout(LIMIT):
        return await asyncio.to_thread(guarded(work), *args, **kwargs)


async def long_in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the same as `in_thread`, with LONG as its limit."""
    async with asyncio.timeout(LONG):
        return await asyncio.to_thread(guarded(work), *args, **kwargs)
