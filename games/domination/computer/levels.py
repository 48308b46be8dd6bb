"""The computer players of Domination by level. Each sees only what its seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.domination.computer.easy_player import Easy
from games.domination.computer.planning_player import Planning
from games.domination.computer.worth import Mind
from games.engine.game import Player

_AVERAGE: Final = Mind(breaks=False, chain=5, horizon=4.0, share=0.6)
COMPUTERS: Final[Mapping[str, Player]] = {
    "easy": Easy(),
    "average": Planning(_AVERAGE, simple=1),
    "hard": Planning(Mind()),
}
"""The levels, weakest first. Their names are stored with matches."""
