"""How far people have come in the lessons: part of the protocol of a Store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """The last step that a person has solved in the lessons of a game."""

    user: int
    game: str
    step: str
    nth: int
    """Its number, from 0, when it was solved."""
    at: datetime


class LessonStore(Protocol):
    """Rows of progress: one for each person and game."""

    async def note_lesson(self, progress: LessonProgress) -> None:
        """Keep the progress, unless the person has come further already."""
        ...

    async def lessons_of(self, user: int) -> tuple[LessonProgress, ...]:
        """Return a person's progress in each game, by the games' keys."""
        ...
