"""Ratings from nothing but results, in memory: the reference that every store agrees with, and a rebuild.

Results count in the order of their ends, those of one moment by the ids of their matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from datetime import datetime

from matches.standing.counting import DAY, Known, changes
from matches.store.standing_rows import MatchResult, Rating, RatingChange


def in_order(results: Iterable[MatchResult]) -> list[MatchResult]:
    """Return results in the order in which they count."""
    return sorted(results, key=lambda one: (one.at, one.match))


class Ledger:
    """The ratings after all results that were counted so far."""

    def __init__(self) -> None:
        self.ratings: dict[tuple[str, str, int, int], Rating] = {}
        """By game, family, scope and person."""
        self.latest: dict[tuple[str, str, int, int], datetime] = {}
        """When the last match ended that counted for each rating."""
        self._timeouts: dict[int, datetime] = {}
        self._recent: defaultdict[tuple[str, str], deque[tuple[datetime, frozenset[int]]]]
        self._recent = defaultdict(deque)
        self._together: defaultdict[tuple[str, str], Counter[frozenset[int]]] = defaultdict(Counter)

    def count_all(
        self, results: Iterable[MatchResult]
    ) -> Iterator[tuple[MatchResult, tuple[RatingChange, ...]]]:
        """Count results, which come in their order, and yield each with what it changed.

        Raises ValueError for one that comes late.
        """
        before: MatchResult | None = None
        for result in results:
            if before is not None and (result.at, result.match) <= (before.at, before.match):
                raise ValueError(f"{result.match} ended before {before.match}, and comes after it")
            before = result
            yield result, self.count(result)

    def count(self, result: MatchResult) -> tuple[RatingChange, ...]:
        """Count a result that is later than all before, and return what it changed."""
        ladder = (result.game, result.family)
        users = {one.user for one in result.people}
        recent, together = self._recent[ladder], self._together[ladder]
        while recent and recent[0][0] <= result.at - DAY:
            _, people = recent.popleft()
            together[people] -= 1
            if not together[people]:
                del together[people]
        places = ((scope, user) for scope in result.scopes for user in users)
        known = Known(
            {place: self.ratings[(*ladder, *place)] for place in places if (*ladder, *place) in self.ratings},
            {user: self._timeouts[user] for user in users if user in self._timeouts},
            together,
        )
        found = changes(result, known)
        counted = {one.user for one in found if one.counted}
        for change in found:
            if change.counted:
                key = (*ladder, change.scope, change.user)
                self.ratings[key], self.latest[key] = change.after, result.at
        for one in result.people:
            if one.timed_out is not None and one.user in counted:
                self._timeouts[one.user] = max(one.timed_out, self._timeouts.get(one.user, one.timed_out))
        if counted:
            recent.append((result.at, frozenset(counted)))
            together[frozenset(counted)] += 1
        return found
