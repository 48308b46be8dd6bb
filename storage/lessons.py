"""How far people have come in the lessons of each game, and their first answers to puzzles."""

from __future__ import annotations

from typing import Final

from matches.store.lesson_store import LessonProgress, PuzzleResult
from storage.parts import StorePart
from storage.rows import from_ms, to_ms

_NOTE: Final = """
INSERT INTO lessons ("user", game, step, nth, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT ("user", game) DO UPDATE SET step = excluded.step, nth = excluded.nth, at = excluded.at
WHERE excluded.nth > lessons.nth
"""
_OF: Final = 'SELECT "user", game, step, nth, at FROM lessons WHERE "user" = ? ORDER BY game'
_NOTE_PUZZLE: Final = """
INSERT INTO puzzles ("user", puzzle, game, solved, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT ("user", puzzle) DO NOTHING
"""
_PUZZLES: Final = 'SELECT "user", puzzle, game, solved, at FROM puzzles WHERE "user" = ? ORDER BY at, puzzle'


class LessonsPart(StorePart):
    """The statements about lessons and puzzles that every database takes."""

    async def note_lesson(self, progress: LessonProgress) -> None:
        """Keep the progress, unless the person has come further already."""
        row = (progress.user, progress.game, progress.step, progress.nth, to_ms(progress.at))
        await self._execute(_NOTE, *row)

    async def lessons_of(self, user: int) -> tuple[LessonProgress, ...]:
        """Return a person's progress in each game."""
        rows = await self._fetch_all(_OF, user)
        return tuple(LessonProgress(who, game, step, nth, from_ms(at)) for who, game, step, nth, at in rows)

    async def note_puzzle(self, result: PuzzleResult) -> None:
        """Keep the first answer of a person to a puzzle."""
        row = (result.user, result.puzzle, result.game, int(result.solved), to_ms(result.at))
        await self._execute(_NOTE_PUZZLE, *row)

    async def puzzles_of(self, user: int) -> tuple[PuzzleResult, ...]:
        """Return a person's first answers, the latest last."""
        rows = await self._fetch_all(_PUZZLES, user)
        return tuple(
            PuzzleResult(who, game, puzzle, bool(solved), from_ms(at))
            for who, puzzle, game, solved, at in rows
        )
