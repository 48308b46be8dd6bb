"""What every store does with the progress in lessons."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches.ports import Store
from matches.store.lesson_store import LessonProgress
from tests.fakes import START

FIRST = LessonProgress(7, "focus", "move", 0, START)


class Lessons:
    """Progress is kept for each person and game, and never goes back."""

    async def test_progress_is_kept_by_person_and_game(self, store: Store) -> None:
        other, game = (
            replace(FIRST, user=8, step="tall", nth=1),
            replace(FIRST, game="dominance", step="spawn"),
        )
        for each in (FIRST, other, game):
            await store.note_lesson(each)
        assert await store.lessons_of(7) == (game, FIRST)
        assert await store.lessons_of(8) == (other,)
        assert await store.lessons_of(9) == ()

    async def test_progress_never_goes_back(self, store: Store) -> None:
        further = replace(FIRST, step="end", nth=10, at=START + timedelta(hours=1))
        for each in (FIRST, further, FIRST, replace(FIRST, step="tall", nth=1)):
            await store.note_lesson(each)
        assert await store.lessons_of(7) == (further,)
