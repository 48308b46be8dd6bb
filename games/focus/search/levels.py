"""The levels of Focus, by the work they may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.engine.search import Level

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": Level.of(400, 1, settles=False, seconds=2, oversight=90, slack=30),
    "easy": Level.of(1_000, 2, settles=False, seconds=2, oversight=60, slack=12),
    "average": Level.of(8_000, 3, seconds=5, oversight=15),
    "hard": Level.of(60_000, seconds=10),
    "expert": Level.of(600_000, seconds=20),
}
"""By name, weakest first."""
