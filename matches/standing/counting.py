"""How a result changes ratings: who takes part in the comparison, and how much it counts.

`changes` is a pure function of a result and of what is known from earlier ones. The store asks it in the
transaction of a match's end, a rebuild for one match after another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from matches.standing.weng_lin import START, updated
from matches.store.standing_rows import ComputerResult, MatchResult, PersonResult, Rating, RatingChange

DAY = timedelta(hours=24)
"""Matches of the same people within this time count less and less."""
WAVE = timedelta(days=14)
"""How long after a timeout that counted others can belong to its wave."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a result is judged by, as of just before it.

    `ratings` are those of its game and family by scope and person; `timeouts` are the latest that counted,
    of any game, by person; `together` says in how many matches of this game and family, within a DAY,
    these and no others counted; it has at least those in which any of the people counted.
    """

    ratings: Mapping[tuple[int, int], Rating] = field(default_factory=dict)
    timeouts: Mapping[int, datetime] = field(default_factory=dict)
    together: Mapping[frozenset[int], int] = field(default_factory=dict)

    def rating(self, scope: int, user: int) -> Rating:
        """Return the rating of a person; START if they have none."""
        return self.ratings.get((scope, user), START)


def changes(result: MatchResult, known: Known) -> tuple[RatingChange, ...]:
    """Return how a result changes the ratings of all its people, by scope and seat; empty if unrated."""
    if result.unrated:
        return ()
    judged = [_without_waves(one, known) for one in result.people]
    sides = {one.side for one in judged if one.share != "none"}
    if len(sides.union(one.side for one in result.computers)) < 2:
        judged = [one if one.share == "none" else replace(one, share="none", why="alone") for one in judged]
    counting = [one for one in judged if one.share != "none"]
    nth = 1 + known.together.get(frozenset(one.user for one in counting), 0)
    found = []
    for scope in result.scopes:
        full = _compared(counting, result.computers, scope, known)
        found += [_change(one, full.get(one.user), scope, known, nth) for one in judged]
    return tuple(found)


def _without_waves(one: PersonResult, known: Known) -> PersonResult:
    """Return the result of a person; nothing counts of one that lies in a wave of timeouts.

    A wave begins with a timeout that counts. Others belong to it if the person hadn't moved again since.
    """
    first = known.timeouts.get(one.user)
    if first is None or one.timed_out is None or one.last_move is None or one.share == "none":
        return one
    in_wave = one.last_move <= first and one.timed_out - first <= WAVE
    return replace(one, share="none", why="wave") if in_wave else one


def _change(one: PersonResult, full: Rating | None, scope: int, known: Known, nth: int) -> RatingChange:
    """Return how a person's rating changes; `full` is it after the whole comparison, None without a share."""
    before = known.rating(scope, one.user)
    if full is None:
        return RatingChange(one.user, scope, before, before, one.why, nth)
    if (one.share == "gain" and full.mu < before.mu) or (one.share == "loss" and full.mu > before.mu):
        counted = replace(before, matches=before.matches + 1)
        return RatingChange(one.user, scope, before, counted, one.why, nth)
    after = Rating(_part(before.mu, full.mu, nth), _part(before.sigma, full.sigma, nth), before.matches + 1)
    return RatingChange(one.user, scope, before, after, one.why, nth)


def _compared(
    people: Sequence[PersonResult], computers: Sequence[ComputerResult], scope: int, known: Known
) -> dict[int, Rating]:
    """Return the rating of each person after the whole comparison of the sides.

    Each seat stands with the rating of the one who began it, else of the first who counts. Others who held
    it are compared in their place.
    """
    standing: dict[int, PersonResult | ComputerResult] = {one.seat: one for one in computers}
    for one in sorted(people, key=lambda each: (each.seat, each.since)):
        standing.setdefault(one.seat, one)
    if not people:
        return {}
    found = _rated(standing, scope, known)
    for one in people:
        if one.user not in found:
            found[one.user] = _rated(standing | {one.seat: one}, scope, known)[one.user]
    return found


def _rated(seats: Mapping[int, PersonResult | ComputerResult], scope: int, known: Known) -> dict[int, Rating]:
    """Return the ratings of the people who stand for seats, after all were compared by sides."""
    sides: dict[int, list[PersonResult | ComputerResult]] = {}
    for _, each in sorted(seats.items()):
        sides.setdefault(each.side, []).append(each)
    ordered = list(sides.values())
    ratings = [[_strength(each, scope, known) for each in side] for side in ordered]
    rated = updated(ratings, [side[0].place for side in ordered])
    return {
        one.user: rating
        for side, after in zip(ordered, rated, strict=True)
        for one, rating in zip(side, after, strict=True)
        if isinstance(one, PersonResult)
    }


def _strength(one: PersonResult | ComputerResult, scope: int, known: Known) -> Rating:
    return Rating(one.mu, one.sigma) if isinstance(one, ComputerResult) else known.rating(scope, one.user)


def _part(before: int, after: int, nth: int) -> int:
    """Return the value after an nth of a change, rounded towards the value before."""
    change = after - before
    return before + (abs(change) // nth) * (1 if change > 0 else -1)
