"""Ratings: strengths by the method of Weng and Lin, how a result changes them, and those of computers.

R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011), algorithm 2,
with partial pairing by Bradley and Terry, from openskill. The scale is that of Elo: someone who is 200 points
stronger is expected to win 76 of 100 matches for two. Every pair of sides is compared, and the average
counts, so that matches of many don't count for more than they show. Results are rounded to thousandths of a
point, the precision of all that is stored.

`changes` is a pure function of a result and of what is known from earlier ones. The store asks it in the
transaction of a match's end, a rebuild for one match after another. The `Ledger` keeps ratings in memory from
nothing but results: the reference that every store agrees with. Results count in the order of their ends,
those of one moment by the ids of their matches.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from math import exp, sqrt

from openskill.models import BradleyTerryPart, BradleyTerryPartRating

from games.engine.strengths import SCALE, strengths
from matches.store.rows import MatchRow
from matches.store.standing import (
    UNIT,
    ComputerResult,
    Ladder,
    MatchResult,
    PersonResult,
    Rating,
    RatingChange,
)

START = Rating(1_500_000, 350_000)
"""The rating of someone of whom nothing is known."""
PROVISIONAL_ABOVE = 210_000
"""A rating is provisional while its standard deviation is larger: for about 15 matches with equals."""

_BETA = SCALE / sqrt(2)
"""Standard deviation of a performance: by it, differences of ratings mean what they mean in Elo."""
_TAU = 4.0
"""Points by which a strength may drift from match to match."""
_ALL = 100
"""A window that compares every pair of sides."""
_MODEL = BradleyTerryPart(mu=START.points, sigma=START.error, beta=_BETA, tau=_TAU, window_size=_ALL)
DAY = timedelta(hours=24)
"""Matches of the same people within this time count less and less."""
WAVE = timedelta(days=14)
"""How long after a timeout that counted others can belong to its wave."""
_LineUp = list[list[PersonResult | ComputerResult]]
"""Who stands for the seats of a match, by side."""


class _Teams(list[list[BradleyTerryPartRating]]):
    """Teams that the model may change in place. Else it copies them, which takes longer than rating."""

    def __deepcopy__(self, memo: object) -> _Teams:
        return self


class _Scratch(threading.local):
    """Ratings of the model that each thread reuses: every new one would draw a unique id."""

    def __init__(self) -> None:
        self._made: list[BradleyTerryPartRating] = []

    def teams(self, sides: Sequence[Sequence[Rating]]) -> _Teams:
        """Return sides as the model takes them, until the next call."""
        while len(self._made) < sum(map(len, sides)):
            self._made.append(_MODEL.rating())
        unused, teams = iter(self._made), _Teams()
        for side in sides:
            team = []
            for rating in side:
                made = next(unused)
                made.mu, made.sigma = rating.points, rating.error
                team.append(made)
            teams.append(team)
        return teams


_SCRATCH = _Scratch()


def updated(sides: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
    """Return the ratings of all members after a match of sides that came to these places; equal is tied.

    Each counts as one more match. Raises ValueError for fewer than two sides or an empty one.
    """
    if len(sides) < 2 or not all(sides) or len(sides) != len(places):
        raise ValueError("a match is between two sides or more, each with a place")
    rated = _MODEL.rate(_SCRATCH.teams(sides), ranks=[float(place) for place in places])
    return [
        [
            Rating(round(new.mu * UNIT), round(new.sigma * UNIT), old.matches + 1)
            for new, old in zip(after, before, strict=True)
        ]
        for after, before in zip(rated, sides, strict=True)
    ]


def expected(one: Rating, other: Rating) -> float:
    """Return the probability that one person beats another in a match for two; a draw counts half."""
    spread = sqrt((one.sigma**2 + other.sigma**2) / UNIT**2 + 2 * _BETA**2)
    return 1 / (1 + exp((other.mu - one.mu) / UNIT / spread))


def is_provisional(rating: Rating) -> bool:
    """Return whether too little is known yet to compare the rating with others."""
    return rating.sigma > PROVISIONAL_ABOVE


@cache
def computer_ratings(game: str, family: str) -> Mapping[str, Rating]:
    """Return the ratings of a game's computer players by level; those that weren't measured are missing."""
    found = strengths(game).get(family, {})
    return {name: Rating(round(one.points * UNIT), round(one.error * UNIT)) for name, one in found.items()}


def likely_strength(
    game: str, family: str, user: int, rating: Rating | None, finished: Iterable[MatchRow]
) -> Rating:
    """Return what a person's rating and their friendly matches against one computer say about their strength.

    `finished` are matches that are over, the oldest first. Unlike a rating it is kept nowhere.
    """
    likely, levels = START if rating is None else rating, computer_ratings(game, family)
    for row in finished:
        if (
            row.game != game
            or row.conditions.rated
            or row.provenance.source != "played"
            or row.provenance.origin is not None
        ):
            continue
        ranks = [] if row.result is None else row.result.get("ranks", [])
        own = [seat.seat for seat in row.seats if seat.user == user]
        met = [seat for seat in row.seats if seat.level in levels]
        if len(ranks) == 2 and len(own) == len(met) == 1:
            places = ranks[own[0]], ranks[met[0].seat]
            ((likely,), _) = updated([[likely], [levels[met[0].level]]], places)
    return likely


def chances(game: str, family: str, likely: Rating) -> dict[str, float]:
    """Return a person's chance against each measured level: the share of the points they may expect."""
    return {name: expected(likely, one) for name, one in computer_ratings(game, family).items()}


def suggested(game: str, family: str, likely: Rating, levels: Iterable[str]) -> str | None:
    """Return which of these levels a person beats about half of the time; None if none is measured."""
    known = computer_ratings(game, family)
    return min(
        (level for level in levels if level in known),
        key=lambda level: abs(known[level].mu - likely.mu),
        default=None,
    )


@dataclass(frozen=True, slots=True)
class Known:
    """What a result is judged by, as of just before it.

    `ratings` are those of its game and family by scope and person; `timeouts` are the latest that counted,
    of any game, by person; `together` is in how many matches of this game and family, within a DAY,
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
    line_ups = _line_ups(counting, result.computers)
    found = []
    for scope in result.scopes:
        full = _compared(line_ups, scope, known)
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
        full = replace(before, matches=full.matches)
        return RatingChange(one.user, scope, before, full, one.why, nth)
    if nth > 1:
        full = Rating(_part(before.mu, full.mu, nth), _part(before.sigma, full.sigma, nth), full.matches)
    return RatingChange(one.user, scope, before, full, one.why, nth)


def _line_ups(people: Sequence[PersonResult], computers: Sequence[ComputerResult]) -> list[_LineUp]:
    """Return the sides as they are compared, so that each person stands in one of these comparisons.

    In the first, each seat stands with the one who began it, else with the first who counts. Others who held
    it are compared in their place.
    """
    if not people:
        return []
    standing: dict[int, PersonResult | ComputerResult] = {one.seat: one for one in computers}
    in_turn = sorted(people, key=lambda each: (each.seat, each.since))
    rest = [one for one in in_turn if standing.setdefault(one.seat, one) is not one]
    return [_by_sides(standing), *(_by_sides(standing | {one.seat: one}) for one in rest)]


def _by_sides(seats: Mapping[int, PersonResult | ComputerResult]) -> _LineUp:
    sides: dict[int, list[PersonResult | ComputerResult]] = {}
    for _, each in sorted(seats.items()):
        sides.setdefault(each.side, []).append(each)
    return list(sides.values())


def _compared(line_ups: Sequence[_LineUp], scope: int, known: Known) -> dict[int, Rating]:
    """Return the rating of each person after the whole comparison of the sides in which they first stand."""
    found: dict[int, Rating] = {}
    for sides in line_ups:
        ratings = [[_strength(each, scope, known) for each in side] for side in sides]
        rated = updated(ratings, [side[0].place for side in sides])
        for side, after in zip(sides, rated, strict=True):
            for one, rating in zip(side, after, strict=True):
                if isinstance(one, PersonResult):
                    found.setdefault(one.user, rating)
    return found


def _strength(one: PersonResult | ComputerResult, scope: int, known: Known) -> Rating:
    return Rating(one.mu, one.sigma) if isinstance(one, ComputerResult) else known.rating(scope, one.user)


def _part(before: int, after: int, nth: int) -> int:
    """Return the value after an nth of a change, rounded towards the value before."""
    change = after - before
    return before + (abs(change) // nth) * (1 if change > 0 else -1)


def in_order(results: Iterable[MatchResult]) -> list[MatchResult]:
    """Return results in the order in which they count."""
    return sorted(results, key=lambda one: (one.at, one.match))


class _Counted:
    """What results of one game and family have left, by scope and person, and who has met within a DAY."""

    def __init__(self) -> None:
        self.ratings: dict[tuple[int, int], Rating] = {}
        self.latest: dict[tuple[int, int], datetime] = {}
        self.recent: deque[tuple[datetime, frozenset[int]]] = deque()
        self.together: Counter[frozenset[int]] = Counter()


class Ledger:
    """The ratings after all results that were counted so far."""

    def __init__(self) -> None:
        self._counted: defaultdict[tuple[str, str], _Counted] = defaultdict(_Counted)
        self._timeouts: dict[int, datetime] = {}

    def ratings(self) -> Iterator[tuple[Ladder, int, Rating, datetime]]:
        """Yield each person's rating on each ladder, with when the last match ended that counted for it."""
        for (game, family), counted in self._counted.items():
            for (scope, user), rating in counted.ratings.items():
                yield Ladder(game, family, scope), user, rating, counted.latest[scope, user]

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
        here = self._counted[result.game, result.family]
        recent, together = here.recent, here.together
        while recent and recent[0][0] <= result.at - DAY:
            _, people = recent.popleft()
            together[people] -= 1
            if not together[people]:
                del together[people]
        found = changes(result, Known(here.ratings, self._timeouts, together))
        counted = set()
        for change in found:
            if change.counted:
                key = (change.scope, change.user)
                here.ratings[key], here.latest[key] = change.after, result.at
                counted.add(change.user)
        for one in result.people:
            if one.timed_out is not None and one.user in counted:
                self._timeouts[one.user] = max(one.timed_out, self._timeouts.get(one.user, one.timed_out))
        if counted:
            recent.append((result.at, frozenset(counted)))
            together[frozenset(counted)] += 1
        return found
