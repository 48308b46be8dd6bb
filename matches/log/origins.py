"""Positions of earlier matches in which others begin, made from the logs of those matches.

A lobby only refers to its position: the log it comes from is over and never changes. The first entry of the
match that starts has the position itself.
"""

from __future__ import annotations

from dataclasses import replace

from cachetools import LRUCache

from games.engine.forks import origin_of
from games.engine.match import Entry, Match, fold
from games.engine.origin import Origin
from matches.ports import Store
from matches.store.rows import OriginRef
from matches.threads import in_thread

_MAX_CACHED = 32
"""Maximum number of positions kept for lobbies."""


class Origins:
    """The positions that lobbies refer to; the latest are cached."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: LRUCache[tuple[str, int], Match] = LRUCache(_MAX_CACHED)

    async def at(self, ref: OriginRef) -> Match:
        """Return the match, without its log, in the position that a lobby refers to.

        Raises LookupError if there is no such entry, CorruptLogError if the log can't be read.
        """
        key = (ref.match, ref.entry)
        if (known := self._known.get(key)) is None:
            log = await self._store.log(ref.match)
            entries = [one.entry for one in log if one.entry.seq <= ref.entry]
            known = self._known[key] = await in_thread(_last, entries, ref)
        return known

    async def origin(self, ref: OriginRef) -> Origin:
        """Return the origin with which a match begins. Raises as `at`."""
        imported = await self._store.import_of(ref.match)
        checksum = "" if imported is None else imported.checksum
        return origin_of(await self.at(ref), ref.match, checksum)


def _last(entries: list[Entry], ref: OriginRef) -> Match:
    match = fold(entries)
    if match.seq != ref.entry:
        raise LookupError(f"there is no entry {ref.entry} of {ref.match!r}")
    return replace(match, log=())
