"""Levels of computers: the work that they may do, or how they err, and when they give up.

The levels of a game are in its `game`; `games.ai.players_by_level` makes players of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

Method: TypeAlias = Literal["alpha-beta", "best-reply", "playouts"]
"""How a level searches: `games.ai` has one search for each."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A search and the work that it may do for one decision.

    Work is counted, not timed, so that a level plays alike on every machine.
    """

    method: Method
    work: int
    """Moves made by alpha-beta and best-reply search; playouts by Monte Carlo search."""
    depth: int = 60
    """Maximum number of plies that are looked ahead."""
    settles: bool = True
    """Whether noisy moves, such as recaptures, are played out at the end of each line."""

    def scaled(self, effort: float) -> Budget:
        """Return the budget with its work multiplied, at least 1."""
        return replace(self, work=max(1, round(self.work * effort)))


@dataclass(frozen=True, slots=True)
class Level:
    """How a computer of one level thinks."""

    two: Budget
    """Used where two teams play."""
    more: Budget
    """Used where three or more teams play."""
    seconds: float
    """Time after which the search should be stopped from outside. Games have no clock."""
    oversight: int = 0
    """Percentage of the moves hardest to see that it overlooks, in its own plans and in others' replies."""
    slack: int = 0
    """Loss of evaluation, in hundredths of a piece, that makes no difference to it among its own moves."""

    @classmethod
    def of(
        cls,
        work: int,
        depth: int = 60,
        *,
        seconds: float,
        more: Method = "best-reply",
        settles: bool = True,
        oversight: int = 0,
        slack: int = 0,
    ) -> Level:
        """Return a level with the same work by alpha-beta for two teams and by `more` for others."""
        budget = Budget("alpha-beta", work, depth, settles)
        return cls(budget, replace(budget, method=more), seconds, oversight, slack)


@dataclass(frozen=True, slots=True)
class Manners:
    """When a computer gives up, and when it offers a draw. Turns are its own, one after the other."""

    resigns_below: float = 0.0
    """Share of the match, with its error, below which a turn is hopeless; 0 for one who never resigns."""
    resigns_after: int = 4
    """Number of hopeless turns after which it resigns."""
    offers_after: int = 0
    """Number of even turns without progress after which it offers a draw; 0 for one who never does."""


MANNERS: Final[Mapping[str, Manners]] = {
    "average": Manners(offers_after=20),
    "hard": Manners(0.02, 4, 14),
    "expert": Manners(0.02, 3, 10),
    "perfect": Manners(0.02, 3, 10),
}
"""By level. The weaker ones play on to the end, since beginners like to win on the board."""
LEVELS: Final = ("beginner", "easy", "average", "hard", "expert")
"""The names of the levels that search, weakest first. They are stored with matches."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How well a level sees what its actions are worth; both 0 is best play.

    It chooses by values that are known or estimated (`Oracle`), but doesn't see all of them. How an action
    looks at first sight, and what it is worth, are two oracles; the difference is how hard the action is to
    see.
    """

    oversight: int = 0
    """Percentage of its actions that it judges by their looks alone."""
    error: float = 0.0
    """Standard deviation, in win probability, of its error about actions that are very hard to see.

    It is a fifth of that for actions that are what they look like.
    """
