"""The levels of Dominion, by the work they may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.engine.search import Level

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level.of(600, 1, seconds=2, oversight=80, slack=25),
    "easy": Level.of(3_000, 2, seconds=2, oversight=30, slack=10),
    "average": Level.of(8_000, 3, seconds=5, oversight=12),
    "hard": Level.of(40_000, seconds=10),
    "expert": Level.of(250_000, seconds=20),
}
"""By name, weakest first."""
