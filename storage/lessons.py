"""How far people have come in the lessons of each game."""

from __future__ import annotations

from typing import Final

from matches.store.lesson_store import LessonProgress
from storage.parts import StorePart
from storage.rows import from_ms, to_ms

_NOTE: Final = """
INSERT INTO lessons ("user", game, step, nth, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT ("user", game) DO UPDATE SET step = excluded.step, nth = excluded.nth, at = excluded.at
WHERE excluded.nth > lessons.nth
"""
_OF: Final = 'SELECT "user", game, step, nth, at FROM lessons WHERE "user" = ? ORDER BY game'


class LessonsPart(StorePart):
    """The statements about lessons that every database takes."""

    async def note_lesson(self, progress: LessonProgress) -> None:
        """Keep the progress, unless the person has come further already."""
        row = (progress.user, progress.game, progress.step, progress.nth, to_ms(progress.at))
        await self._execute(_NOTE, *row)

    async def lessons_of(self, user: int) -> tuple[LessonProgress, ...]:
        """Return a person's progress in each game."""
        rows = await self._fetch_all(_OF, user)
        return tuple(LessonProgress(who, game, step, nth, from_ms(at)) for who, game, step, nth, at in rows)
