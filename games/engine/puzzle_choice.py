"""What a puzzle asks in a game whose turns have many parts, where a single part is hardly ever best alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class PuzzleChoice:
    """A decision that stands alone, such as the only attack of a turn."""

    task: str
    """Names the question, the text `{game}.puzzle.task.{task}`."""
    moves: tuple[Any, ...]
    """The legal actions that are compared; none if nothing can be asked here."""
    rest: Callable[[Any, int], Any] | None = None
    """Returns what its seat plays after it, given its view, up to the end of its turn.

    None if the turn goes on as a computer plays it.
    """


NO_CHOICE: Final = PuzzleChoice("", ())
