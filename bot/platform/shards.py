"""Which shards of Discord's gateway this process serves, and which of them it hears.

A shard is a fixed share of all servers, shard 0 has the direct messages as well:
https://discord.com/developers/docs/topics/gateway#sharding. Most bots have one, and serve it alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Final

_GUILD_BITS: Final = 22
"""The low bits of a server's id, which don't count for its shard."""


class Shards:
    """The shards of one process. Before `begin`, it serves the only one."""

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        """`seconds` is a clock that only goes forward."""
        self._seconds = seconds
        self.count = 1
        self.held: frozenset[int] = frozenset({0})
        """Those that this process serves."""
        self.heard: frozenset[int] = frozenset()
        """Those of them whose session goes on, so that what people do there reaches us."""
        self.serving = asyncio.Event()
        """Set once any was heard."""
        self._until: float | None = None
        """When the right to serve them ends, unless it is renewed; None for never."""

    def begin(self, count: int, held: Iterable[int]) -> None:
        """Serve some of `count` shards from now on."""
        self.count, self.held = count, frozenset(held)

    def renewed(self, held: Iterable[int], until: float) -> None:
        """Serve these shards until a time of the clock that only goes forward."""
        self.held, self._until = frozenset(held), until

    def hear(self, shards: Iterable[int]) -> None:
        """Note that the sessions of these go on."""
        self.heard |= frozenset(shards)
        self.serving.set()

    def lose(self, shards: Iterable[int]) -> None:
        """Note that nothing of these reaches us."""
        self.heard -= frozenset(shards)

    def now(self) -> float:
        """Return the seconds of the clock that only goes forward."""
        return self._seconds()

    @property
    def in_time(self) -> bool:
        """Whether nobody else can have taken over meanwhile: what is sent now is sent once."""
        return self._until is None or self._seconds() < self._until

    @property
    def overdue(self) -> float:
        """For how many seconds the right to serve has ended; 0 while it hasn't."""
        return 0.0 if self._until is None else max(0.0, self._seconds() - self._until)

    @property
    def leads(self) -> bool:
        """Whether this process does what is done once for all servers."""
        return 0 in self.held and self.in_time

    @property
    def settled(self) -> bool:
        """Whether all that it serves is heard, so that it knows all their servers."""
        return self.held <= self.heard

    def of(self, guild: int | None) -> int:
        """Return the shard of a server; that of direct messages for None."""
        return 0 if guild is None else (guild >> _GUILD_BITS) % self.count

    def serves(self, guild: int | None) -> bool:
        """Return whether this process serves a server; None for direct messages."""
        return self.of(guild) in self.held
