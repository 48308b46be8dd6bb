"""Progress in lessons, answers to puzzles, and daily puzzles: part of the protocol of a Store."""

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


@dataclass(frozen=True, slots=True)
class PuzzleCount:
    """How people have fared with a puzzle: their first answers, and how many of them were right."""

    puzzle: str
    tries: int
    solves: int


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """A daily puzzle of a server."""

    guild: int
    n: int
    """Its number in the server, from 1."""
    game: str
    puzzle: str
    due: datetime
    """When it became the current one."""


@dataclass(frozen=True, slots=True)
class DailySolver:
    """A person who has solved a daily puzzle, for the `streak`th day in a row."""

    user: int
    streak: int


class LessonStore(Protocol):
    """Rows of progress: one for each person and game, one for each person and puzzle, one for each day."""

    async def note_lesson(self, progress: LessonProgress) -> None:
        """Keep the progress, unless the person has come further already."""
        ...

    async def lessons_of(self, user: int) -> tuple[LessonProgress, ...]:
        """Return a person's progress in each game, by the games' keys."""
        ...

    async def note_puzzle(self, result: PuzzleResult, daily: tuple[int, int] | None = None) -> None:
        """Keep the first answer of a person to a puzzle, and count it; later ones change nothing.

        `daily` is the server and the number of a daily puzzle that was answered. It counts there if it is the
        current one, by the person's first answer to the puzzle, wherever that was given.
        """
        ...

    async def puzzles_of(self, user: int) -> tuple[PuzzleResult, ...]:
        """Return a person's first answers to puzzles, the latest last."""
        ...

    async def puzzle_counts(self, game: str) -> tuple[PuzzleCount, ...]:
        """Return how people have fared with the puzzles of a game that someone has answered."""
        ...

    async def puzzle_count(self, game: str, puzzle: str) -> PuzzleCount:
        """Return how people have fared with a puzzle."""
        ...

    async def add_daily_puzzle(self, row: DailyPuzzle) -> bool:
        """Make a puzzle the current one of its server, which has no message for it yet.

        Returns False, doing nothing, if there is one of that number.
        """
        ...

    async def daily_puzzles(self, guild: int, limit: int) -> tuple[DailyPuzzle, ...]:
        """Return at most `limit` daily puzzles of a server, the latest first."""
        ...

    async def daily_solvers(self, guild: int, n: int) -> tuple[DailySolver, ...]:
        """Return who has solved a daily puzzle, in that order, but for those who want to be private."""
        ...

    async def daily_streak(self, guild: int, n: int, user: int) -> int:
        """Return how many daily puzzles of a server in a row, up to `n`, a person has solved."""
        ...
