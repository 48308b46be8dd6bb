"""What a puzzle asks in a game whose turns have many parts, none of which is clearly best for the match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.engine.message import Msg


@dataclass(frozen=True, slots=True)
class PuzzleChoice:
    """A task within a turn, with the exact chances of all that may carry it out."""

    kind: str
    """Its kind, the text `{game}.puzzle.{kind}`."""
    task: Msg
    """What is asked."""
    moves: tuple[Any, ...]
    """The legal actions that are compared."""
    chance: Callable[[Any], float]
    """Returns the chance that one of them leads to what is asked."""
