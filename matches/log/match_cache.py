"""A cache of the matches in use, so that a move doesn't replay the whole log.

The truth of a match is its log, and the time to replay it grows with its length. So each match in use is kept
in its current position, with the changes since the position last changed: from these its board is drawn. A
cached match is only used for its exact version, and may be dropped at any time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cachetools import LRUCache

from games.engine.game import Fact
from games.engine.match import Change, Match
from matches.log.changes import AUTOMATIC, POSITION_KEPT


@dataclass(frozen=True, slots=True)
class CachedChange:
    """One change of a match: its first and last entry, and what happened in it."""

    first: int
    last: int
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class CachedMatch:
    """A match after its last entry, with the last change of the position and any later ones; never none."""

    match: Match
    changes: tuple[CachedChange, ...]

    def facts(self, first: int) -> tuple[Fact, ...] | None:
        """Return the facts from entry `first` on, or None if no cached change begins there."""
        if all(change.first != first for change in self.changes):
            return None
        return tuple(fact for change in self.changes if change.first >= first for fact in change.facts)


class MatchCache:
    """The most recently used matches, by id."""

    __slots__ = ("_matches",)

    def __init__(self, limit: int) -> None:
        """Make room for `limit` matches. Raises ValueError if that is less than one."""
        if limit < 1:
            raise ValueError("a cache holds at least one match")
        self._matches: LRUCache[str, CachedMatch] = LRUCache(limit)

    def __len__(self) -> int:
        return len(self._matches)

    def newest(self, match_id: str) -> CachedMatch | None:
        """Return a match in any cached version, or None."""
        return self._matches.get(match_id)

    def get(self, match_id: str, version: int) -> CachedMatch | None:
        """Return a match if exactly that version is cached, or None."""
        cached = self.newest(match_id)
        return cached if cached is not None and cached.match.seq == version else None

    def put(self, cached: CachedMatch) -> None:
        """Cache a match, unless a later version is cached; may drop the least recently used one."""
        known = self.newest(cached.match.id)
        if known is None or known.match.seq <= cached.match.seq:
            self._matches[cached.match.id] = cached

    def advance(self, version: int, change: Change, *, shared_from: int | None = None) -> None:
        """Cache a match after a change of `version`, which need not be cached.

        `shared_from` is the first entry of earlier changes that share a board with this one.
        """
        latest = CachedChange(change.entries[0].seq, change.match.seq, change.facts)
        before = self.get(change.match.id, version)
        if any(entry.kind not in POSITION_KEPT | AUTOMATIC for entry in change.entries):
            earlier = () if before is None or shared_from is None else before.changes
            earlier = tuple(each for each in earlier if shared_from is not None and each.first >= shared_from)
            self.put(CachedMatch(change.match, (*earlier, latest)))
        elif before is not None:
            self.put(replace(before, match=change.match, changes=(*before.changes, latest)))

    def drop(self, match_id: str) -> None:
        """Drop a match from the cache."""
        self._matches.pop(match_id, None)
