"""Long work: in a thread, with an end that others wait for, and one of a kind at a time for each person.

What strangers have sent, and long matches, may not hold up everyone else. Before Python 3.13 a future that
gets a StopIteration never ends (github.com/python/cpython/issues/112182), so it becomes an error of ours.
What hangs is given up, and nobody waits behind it for ever; its thread ends on its own, if it does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
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


@dataclass(eq=False, kw_only=True)
class Run:
    """Something in progress that has an end."""

    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self, seconds: float) -> bool:
        """Wait for the end for a number of seconds at most; return whether it has ended."""
        try:
            async with asyncio.timeout(seconds):
                await self.ended.wait()
        except TimeoutError:
            pass
        return self.ended.is_set()


class OnePerPerson:
    """Who waits for an answer that costs much: one at a time for each."""

    def __init__(self) -> None:
        self._users: set[int] = set()

    @contextmanager
    def hold(self, user: int) -> Iterator[bool]:
        """Note that a person waits; the value is whether they didn't before."""
        if user in self._users:
            yield False
            return
        self._users.add(user)
        try:
            yield True
        finally:
            self._users.discard(user)
