"""The levels of Two Domains, by how well they see what their actions are worth.

Best play loses nothing; docs/computers.md says how much win probability each level gives away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.engine.judgement import Judgement

LEVELS: Final[Mapping[str, Judgement]] = {
    "beginner": Judgement(oversight=100, error=0.46),
    "easy": Judgement(oversight=80, error=0.165),
    "average": Judgement(oversight=42, error=0.087),
    "hard": Judgement(oversight=10, error=0.046),
}
"""By name, weakest first."""
