"""How far people have come in the lessons, and their answers to puzzles: part of the protocol of a Store."""

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


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """What a person's first answer to a puzzle was worth."""

    user: int
    game: str
    puzzle: str
    """The puzzle's key."""
    solved: bool
    at: datetime


class LessonStore(Protocol):
    """Rows of progress: one for each person and game, and one for each person and puzzle."""

    async def note_lesson(self, progress: LessonProgress) -> None:
        """Keep the progress, unless the person has come further already."""
        ...

    async def lessons_of(self, user: int) -> tuple[LessonProgress, ...]:
        """Return a person's progress in each game, by the games' keys."""
        ...

    async def note_puzzle(self, result: PuzzleResult) -> None:
        """Keep the first answer of a person to a puzzle; later ones change nothing."""
        ...

    async def puzzles_of(self, user: int) -> tuple[PuzzleResult, ...]:
        """Return a person's first answers to puzzles, the latest last."""
        ...
