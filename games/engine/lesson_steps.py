"""The steps of lessons, as games have them: see `lessons`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine.fields import Json
from games.engine.values import Seat

MAX_TEXT: Final = 200
"""Maximum length of a step's text, in characters."""
ENOUGH: Final = 1e-9


@dataclass(frozen=True, eq=False)
class LessonStep:
    """One idea: a position, and the task that its text sets."""

    key: str
    """Names its texts, and the progress of people: it never changes its meaning."""
    position: Json
    """As the game's `dump` writes it."""
    seat: Seat
    """The learner's seat, which is to act."""
    seats: int
    accepts: tuple[str, ...] = ()
    """The moves that answer the task, as the log writes them."""
    goal: str = ""
    """The kind of effect that answers it as well."""
    least: float = ENOUGH
    """How much of the effect there has to be."""
    avoid: str = ""
    """The kind of effect that no answer may have; alone it makes every other legal move an answer."""
    rules: int = 0
    """The version of the rules of its position; 0 for the current one."""
