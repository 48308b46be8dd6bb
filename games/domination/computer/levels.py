"""The computer players of Domination by level. Each sees only what its seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.domination.computer.beginner import Beginner
from games.domination.computer.benchmark_players import Brawler, Gatherer, Hunter, Keeper
from games.domination.computer.foresight import Foreseeing, Foresight
from games.domination.computer.greedy_player import GreedyPlayer
from games.domination.computer.planning_player import Planning
from games.domination.computer.players import Easy
from games.domination.computer.position_model import Strategy
from games.engine.game import Player

_AVERAGE: Final = Strategy(
    breaks=False, denies=False, max_steps=5, continent_turns=4.0, partial_continent=0.6
)
COMPUTERS: Final[Mapping[str, Player]] = {
    "beginner": Beginner(),
    "easy": Easy(),
    "average": Planning(_AVERAGE, misjudges=30.0),
    "hard": Planning(Strategy()),
    "expert": Foreseeing(Strategy(), Foresight()),
}
"""The levels, weakest first. Their names are stored with matches."""
BENCHMARKS: Final[Mapping[str, Player]] = {
    "greedy": GreedyPlayer(),
    "keeper": Keeper(),
    "gatherer": Gatherer(),
    "hunter": Hunter(),
    "brawler": Brawler(),
}
"""Opponents that levels are measured against."""
