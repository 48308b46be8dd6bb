"""How a person stands against the computers of a game, and which of them suits them best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from bot.context import Context
from games.engine import registry
from games.engine.game import Json
from matches.standing.ratings import START, chances, computer_ratings, likely_strength, suggested
from matches.store.rows import MatchRow
from matches.store.standing import EVERYWHERE, Ladder, Rating

_Played: TypeAlias = tuple[Mapping[Ladder, Rating], tuple[MatchRow, ...]]
"""A person's ratings, and their latest matches that are over, the latest first."""
_LOOKED_AT: Final = 50
"""Number of finished matches from which a person's strength follows, besides their rating."""


@dataclass(frozen=True, slots=True)
class LevelOdds:
    """The strength of a game's computers by level, and a person's chances against them, if anything is known.

    `even` is the level that they beat nearest to half of the time.
    """

    strengths: Mapping[str, Rating]
    chances: Mapping[str, float] = field(default_factory=dict)
    even: str | None = None


async def level_odds(
    ctx: Context, user: int, game: str, seats: int | None = None, options: Mapping[str, Json] | None = None
) -> LevelOdds:
    """Return a person's odds against the computers of a game; by default in its smallest match."""
    return _odds(ctx, user, await _played(ctx, user), game, seats, options)


async def odds_of_all(ctx: Context, user: int) -> dict[str, LevelOdds]:
    """Return a person's odds in the smallest match of every game."""
    played = await _played(ctx, user)
    return {game.key: _odds(ctx, user, played, game.key) for game in registry.all_games()}


async def _played(ctx: Context, user: int) -> _Played:
    return await ctx.store.ratings_of(user), await ctx.store.over_of(user, "", _LOOKED_AT)


def _odds(
    ctx: Context,
    user: int,
    played: _Played,
    game: str,
    seats: int | None = None,
    options: Mapping[str, Json] | None = None,
) -> LevelOdds:
    """Return a person's odds by what they have played."""
    rules = registry.get(game)
    family = rules.family(rules.seats[0] if seats is None else seats, options or {})
    strengths = computer_ratings(game, family)
    if not strengths:
        return LevelOdds({})
    ratings, finished = played
    rating = ratings.get(Ladder(game, family, EVERYWHERE))
    likely = likely_strength(game, family, user, rating, reversed(finished))
    if likely == START:
        return LevelOdds(strengths)
    found = chances(game, family, likely)
    return LevelOdds(strengths, found, suggested(game, family, likely, ctx.service.levels.names(game)))
