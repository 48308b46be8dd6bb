"""How a person stands against the computers of a game, and which of them suits them best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.context import Context
from games.engine import registry
from games.engine.game import Json
from matches.standing.computer_ratings import chances, computer_ratings, likely_strength, suggested
from matches.standing.weng_lin import START
from matches.store.standing_rows import EVERYWHERE, Rating
from matches.store.standing_store import Ladder

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
    rules = registry.get(game)
    family = rules.family(rules.seats[0] if seats is None else seats, options or {})
    strengths = computer_ratings(game, family)
    if not strengths:
        return LevelOdds({})
    rating = (await ctx.store.ratings_of(user)).get(Ladder(game, family, EVERYWHERE))
    finished = reversed(await ctx.store.over_of(user, "", _LOOKED_AT))
    likely = likely_strength(game, family, user, rating, finished)
    if likely == START:
        return LevelOdds(strengths)
    found = chances(game, family, likely)
    return LevelOdds(strengths, found, suggested(game, family, likely, ctx.service.levels.names(game)))
