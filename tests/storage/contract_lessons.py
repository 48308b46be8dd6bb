"""What every store does with the progress in lessons, answers to puzzles, and daily puzzles."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from matches.ports import Store
from matches.store.lessons import DailyPuzzle, DailySolver, LessonProgress, PuzzleCount, PuzzleResult
from matches.store.servers import Showcase
from matches.store.standing import PRIVATE
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

    async def test_each_puzzle_counts_first_answers(self, store: Store) -> None:
        other = replace(ANSWER, puzzle="a0", solved=False)
        for each in (ANSWER, replace(ANSWER, solved=False), replace(ANSWER, user=8, solved=False), other):
            await store.note_puzzle(each)
        await store.note_puzzle(replace(ANSWER, user=9, game="dominance"))
        assert await store.puzzle_counts("focus") == (PuzzleCount("a0", 1, 0), PuzzleCount("b0", 2, 1))
        assert await store.puzzle_counts("dominance") == (PuzzleCount("b0", 1, 1),)
        assert await store.puzzle_counts("dominion") == ()
        assert await store.puzzle_count("focus", "b0") == PuzzleCount("b0", 2, 1)
        assert await store.puzzle_count("dominance", "a0") == PuzzleCount("a0", 0, 0)

    async def test_answers_at_once_count_once(self, store: Store) -> None:
        await asyncio.gather(*(store.note_puzzle(replace(ANSWER, solved=n % 2 > 0)) for n in range(20)))
        (count,) = await store.puzzle_counts("focus")
        assert count == PuzzleCount("b0", 1, int((await store.puzzles_of(7))[0].solved))

    async def test_a_daily_puzzle_begins_once_and_without_a_message(self, store: Store) -> None:
        case = Showcase(1, 2, 7, START, 55, "x", START, "puzzle")
        panel = replace(case, kind="panel")
        for each in (case, panel):
            await store.save_showcase(each)
        assert await store.daily_puzzles(1, 9) == ()
        days = [daily(n) for n in (1, 2, 3)]
        assert all([await store.add_daily_puzzle(each) for each in days])
        assert await store.add_daily_puzzle(DailyPuzzle(2, 1, "focus", "x0", START))
        assert await store.daily_puzzles(1, 2) == (days[2], days[1])
        assert await store.showcase(1, "puzzle") == replace(case, message=None, shown="")
        assert await store.showcase(1, "panel") == panel
        await store.save_showcase(case)
        assert not await store.add_daily_puzzle(replace(days[2], puzzle="x0"))
        assert await store.showcase(1, "puzzle") == case
        assert await store.daily_puzzles(1, 9) == tuple(reversed(days))

    async def test_a_daily_puzzle_has_its_solvers_and_their_streaks(self, store: Store) -> None:
        for n in (1, 2, 3):
            await store.add_daily_puzzle(daily(n))
            for user, solved in ((9, True), (8, n != 2), (7, n < 3)):
                at = START + timedelta(days=n, hours=10 - user)
                await store.note_puzzle(PuzzleResult(user, "focus", f"p{n}", solved, at), (1, n))
        assert await store.daily_solvers(1, 1) == (DailySolver(9, 1), DailySolver(8, 1), DailySolver(7, 1))
        assert await store.daily_solvers(1, 2) == (DailySolver(9, 2), DailySolver(7, 2))
        assert await store.daily_solvers(1, 3) == (DailySolver(9, 3), DailySolver(8, 1))
        assert [await store.daily_streak(1, 3, user) for user in (9, 8, 7, 6)] == [3, 1, 0, 0]
        await store.save_settings("user", 9, {**PRIVATE, "theme": "dark"})
        assert await store.daily_solvers(1, 3) == (DailySolver(8, 1),)

    async def test_a_daily_puzzle_counts_on_its_day_and_by_the_first_answer(self, store: Store) -> None:
        for n in (1, 2):
            await store.add_daily_puzzle(daily(n))
        solved = PuzzleResult(7, "focus", "p2", True, START)
        await store.note_puzzle(replace(solved, puzzle="p1"), (1, 1))  # over
        await store.note_puzzle(solved, (2, 2))  # of another server
        await store.note_puzzle(replace(solved, user=8), (1, 1))  # another puzzle
        await store.note_puzzle(replace(solved, user=9, solved=False))
        await store.note_puzzle(replace(solved, user=9), (1, 2))  # answered before
        for n in (1, 2):
            assert await store.daily_solvers(1, n) == ()
        await store.note_puzzle(replace(solved, solved=False), (1, 2))
        assert await store.daily_solvers(1, 2) == (DailySolver(7, 1),), "the first answer was right"


def daily(n: int) -> DailyPuzzle:
    """A daily puzzle of server 1."""
    return DailyPuzzle(1, n, "focus", f"p{n}", START + timedelta(days=n))
