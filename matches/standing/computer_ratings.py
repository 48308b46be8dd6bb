"""The fixed ratings of computer players, and which of them suits a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from games.engine.strengths import strengths
from matches.standing.weng_lin import START, expected, updated
from matches.store.rows import MatchRow
from matches.store.standing_rows import UNIT, Rating


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
