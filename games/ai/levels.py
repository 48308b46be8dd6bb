"""Name of a level to the player behind it. The names are stored with matches: they stay for ever."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from games.ai.player import Player
from games.ai.random import RandomPlayer

LEVELS: Mapping[str, Player] = MappingProxyType({"random": RandomPlayer()})
"""Weakest first. The text of a level is `ai.level.{name}`."""
