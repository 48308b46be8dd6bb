"""Replay a log into a match, the facts of some of its entries, or a position in which others begin.

This takes up to a fifth of a millisecond an entry, so that long logs are replayed in a worker thread. A lobby
only refers to its position: the log it comes from is over and never changes. The first entry of the match
that starts has the position itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from cachetools import LRUCache

from games.engine.forks import origin_of
from games.engine.game import Fact
from games.engine.match import Entry, Match, fold, walk
from games.engine.origin import Origin
from matches.log.changes import change_spans, since_position
from matches.log.match_cache import CachedChange, CachedMatch
from matches.long_work import in_thread, long_in_thread
from matches.ports import Store
from matches.store.rows import Logged, OriginRef

T = TypeVar("T")
MAX_INLINE = 30
"""Maximum number of entries that are replayed on the event loop."""
_MAX_CACHED = 32
"""Maximum number of positions kept for lobbies."""


async def replay_log(log: Sequence[Logged], version: int) -> CachedMatch:
    """Return the match after entry `version`, with its latest changes.

    Raises LookupError if the log is too short, CorruptLogError if no match can have written it.
    """
    return await _off_loop(version, lambda: _cached(log, version))


async def replay_range(log: Sequence[Entry], first: int, last: int) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match after entry `last`, and the facts from entry `first` on. Raises as `replay_log`."""
    return await _off_loop(last, lambda: _range(log, first, last))


async def replay_change(log: Sequence[Logged], last: int) -> tuple[Match, tuple[Fact, ...], int]:
    """Return the match after the change that ends with entry `last`, its facts, and its first entry.

    Raises as `replay_log`.
    """
    return await _off_loop(last, lambda: _change(log, last))


async def _off_loop(size: int, work: Callable[[], T]) -> T:
    return await long_in_thread(work) if size > MAX_INLINE else work()


def _cached(log: Sequence[Logged], version: int) -> CachedMatch:
    spans = since_position(change_spans(log, version))
    match, facts = _replay([logged.entry for logged in log], spans[0].first if spans else 0, version)
    start = spans[0].first
    changes = tuple(
        CachedChange(span.first, span.last, _joined(facts[span.first - start : span.last + 1 - start]))
        for span in spans
    )
    return CachedMatch(match, changes)


def _change(log: Sequence[Logged], last: int) -> tuple[Match, tuple[Fact, ...], int]:
    first = change_spans(log, last)[-1].first
    return (*_range([logged.entry for logged in log], first, last), first)


def _range(log: Sequence[Entry], first: int, last: int) -> tuple[Match, tuple[Fact, ...]]:
    match, facts = _replay(log, first, last)
    return match, _joined(facts)


def _replay(log: Sequence[Entry], first: int, last: int) -> tuple[Match, list[tuple[Fact, ...]]]:
    """Return the match after entry `last`, and the facts of each entry from `first` on."""
    facts: list[tuple[Fact, ...]] = []
    match: Match | None = None
    for match, happened in walk(entry for entry in log if entry.seq <= last):
        if match.seq >= first:
            facts.append(happened)
    if match is None or match.seq != last:
        raise LookupError(f"there is no entry {last}")
    return match, facts


def _joined(facts: Sequence[tuple[Fact, ...]]) -> tuple[Fact, ...]:
    return tuple(fact for each in facts for fact in each)


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
