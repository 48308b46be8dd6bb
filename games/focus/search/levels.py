"""The levels of Focus, by the work they may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.engine.search import Budget, Level

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level(
        Budget("alpha-beta", 300, depth=1), Budget("best-reply", 300, depth=1), 5, oversight=80, slack=20
    ),
    "easy": Level(
        Budget("alpha-beta", 600, depth=2), Budget("best-reply", 600, depth=2), 5, oversight=50, slack=10
    ),
    "average": Level(
        Budget("alpha-beta", 3_000, depth=3), Budget("best-reply", 3_000, depth=3), 5, oversight=15, slack=5
    ),
    "hard": Level(Budget("alpha-beta", 40_000), Budget("best-reply", 40_000), 10),
    "expert": Level(Budget("alpha-beta", 250_000), Budget("best-reply", 250_000), 30),
}
"""By name, weakest first."""
