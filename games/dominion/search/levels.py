"""The levels of Dominion, by the work they may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.engine.search import Budget, Level

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level(
        Budget("alpha-beta", 600, depth=1),
        Budget("best-reply", 600, depth=1),
        seconds=2,
        oversight=80,
        slack=25,
    ),
    "easy": Level(
        Budget("alpha-beta", 3_000, depth=2),
        Budget("best-reply", 3_000, depth=2),
        seconds=2,
        oversight=30,
        slack=10,
    ),
    "average": Level(
        Budget("alpha-beta", 8_000, depth=3),
        Budget("best-reply", 8_000, depth=3),
        seconds=5,
        oversight=12,
    ),
    "hard": Level(Budget("alpha-beta", 40_000), Budget("best-reply", 40_000), seconds=10),
    "expert": Level(Budget("alpha-beta", 250_000), Budget("best-reply", 250_000), seconds=20),
}
"""By name, weakest first."""
