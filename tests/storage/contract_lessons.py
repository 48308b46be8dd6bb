"""What every store does with the progress in lessons, and with answers to puzzles."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from matches.ports import Store
from matches.store.lesson_store import LessonProgress, PuzzleResult
from tests.fakes import START

FIRST = LessonProgress(7, "focus", "move", 0, START)

ANSWER = PuzzleResult(7, "focus", "b0", True, START)


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

    async def test_first_answers_to_puzzles_count_and_later_ones_change_nothing(self, store: Store) -> None:
        later = replace(ANSWER, puzzle="a0", game="dominance", solved=False, at=START + timedelta(hours=1))
        for each in (later, ANSWER, replace(ANSWER, user=8, solved=False)):
            await store.note_puzzle(each)
        for each in (later, ANSWER):
            await store.note_puzzle(replace(each, solved=not each.solved, at=START + timedelta(hours=2)))
        assert await store.puzzles_of(7) == (ANSWER, later)
        assert await store.puzzles_of(8) == (replace(ANSWER, user=8, solved=False),)
        assert await store.puzzles_of(9) == ()
