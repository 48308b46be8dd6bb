"""The levels of Dominance, by the work they may do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from games.engine.search import Level

_level = partial(Level.of, more="alpha-beta")  # there are always two

LEVELS: Final[Mapping[str, Level]] = {
    "beginner": _level(400, 1, settles=False, seconds=2, oversight=90, slack=30),
    "easy": _level(1_000, 2, settles=False, seconds=2, oversight=60, slack=12),
    "average": _level(8_000, 3, seconds=5, oversight=15),
    "hard": _level(40_000, seconds=10),
    "expert": _level(400_000, seconds=20),
}
"""By name, weakest first."""
