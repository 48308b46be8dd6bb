"""The levels of Focus, by the work they may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.engine.search import Budget, Level

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level(
        Budget("alpha-beta", 400, depth=1, settles=False),
        Budget("best-reply", 400, depth=1, settles=False),
        seconds=2,
        oversight=90,
        slack=30,
    ),
    "easy": Level(
        Budget("alpha-beta", 1_000, depth=2, settles=False),
        Budget("best-reply", 1_000, depth=2, settles=False),
        seconds=2,
        oversight=60,
        slack=12,
    ),
    "average": Level(
        Budget("alpha-beta", 8_000, depth=3),
        Budget("best-reply", 8_000, depth=3),
        seconds=5,
        oversight=15,
    ),
    "hard": Level(Budget("alpha-beta", 60_000), Budget("best-reply", 60_000), seconds=10),
    "expert": Level(Budget("alpha-beta", 600_000), Budget("best-reply", 600_000), seconds=20),
}
"""By name, weakest first."""
