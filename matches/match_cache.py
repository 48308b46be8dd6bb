"""The matches in use, as they stand, so that a move costs one entry of the log and not all of them.

A match is its log, replayed, and replaying takes time that grows with the log. Each match in use is therefore
kept as it stands after its last entry, with its latest changes: since the position last changed. That is
what a board is drawn from. A cached match is used only for the version it has; it may be dropped at any time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cachetools import LRUCache

from games.engine.game import Fact
from games.engine.match import Change, Match
from matches.changes import POSITION_KEPT


@dataclass(frozen=True, slots=True)
class CachedChange:
    """One change of a match: its first and last entry, and what happened in it."""

    first: int
    last: int
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class CachedMatch:
    """A match as it stands. `changes` are that of the position and the talk since then; never empty."""

    match: Match
    changes: tuple[CachedChange, ...]

    def facts(self, first: int) -> tuple[Fact, ...] | None:
        """Return what happened from entry `first` on, or None if no cached change begins there."""
        if all(change.first != first for change in self.changes):
            return None
        return tuple(fact for change in self.changes if change.first >= first for fact in change.facts)


class MatchCache:
    """The most recently used matches by id."""

    __slots__ = ("_matches",)

    def __init__(self, limit: int) -> None:
        """Make room for `limit` matches. ValueError if that is less than one."""
        if limit < 1:
            raise ValueError("a cache holds at least one match")
        self._matches: LRUCache[str, CachedMatch] = LRUCache(limit)

    def __len__(self) -> int:
        return len(self._matches)

    def newest(self, match_id: str) -> CachedMatch | None:
        """Return a match as it was cached last, whatever its version."""
        return self._matches.get(match_id)

    def get(self, match_id: str, version: int) -> CachedMatch | None:
        """Return a match if exactly that version of it is cached."""
        cached = self.newest(match_id)
        return cached if cached is not None and cached.match.seq == version else None

    def put(self, cached: CachedMatch) -> None:
        """Keep a match, unless a later version of it is cached; the least recently used one makes room."""
        known = self.newest(cached.match.id)
        if known is None or known.match.seq <= cached.match.seq:
            self._matches[cached.match.id] = cached

    def advance(self, version: int, change: Change, *, told_with: int | None = None) -> None:
        """Keep a match after a change of `version`, which need not be cached.

        `told_with` is the first entry of earlier changes that are told together with this one.
        """
        latest = CachedChange(change.entries[0].seq, change.match.seq, change.facts)
        before = self.get(change.match.id, version)
        if change.entries[0].kind not in POSITION_KEPT:
            held = () if before is None or told_with is None else before.changes
            held = tuple(each for each in held if told_with is not None and each.first >= told_with)
            self.put(CachedMatch(change.match, (*held, latest)))
        elif before is not None:
            self.put(replace(before, match=change.match, changes=(*before.changes, latest)))

    def drop(self, match_id: str) -> None:
        """Forget a match."""
        self._matches.pop(match_id, None)
