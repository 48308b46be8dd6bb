"""How far people have come in the lessons of each game, their first answers to puzzles, and daily puzzles."""

from __future__ import annotations

from typing import Final

from matches.store.lessons import DailyPuzzle, DailySolver, LessonProgress, PuzzleCount, PuzzleResult
from storage.leaderboards import NOT_PRIVATE
from storage.rows import from_ms, to_ms
from storage.transactions import StorePart, Transaction

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
_COUNT: Final = """
INSERT INTO puzzle_counts (game, puzzle, tries, solves) VALUES (?, ?, 1, ?)
ON CONFLICT (game, puzzle) DO UPDATE
SET tries = puzzle_counts.tries + 1, solves = puzzle_counts.solves + excluded.solves
"""
_COUNTS: Final = "SELECT puzzle, tries, solves FROM puzzle_counts WHERE game = ? ORDER BY puzzle"
_ONE_COUNT: Final = "SELECT puzzle, tries, solves FROM puzzle_counts WHERE game = ? AND puzzle = ?"
_ANSWER_DAILY: Final = """
INSERT INTO daily_answers (guild, n, "user", streak, at)
SELECT d.guild, d.n, p."user", CASE WHEN p.solved = 0 THEN 0 ELSE 1 + coalesce((
    SELECT a.streak FROM daily_answers AS a WHERE a.guild = d.guild AND a.n = d.n - 1 AND a."user" = p."user"
), 0) END, ?
FROM daily_puzzles AS d JOIN puzzles AS p ON p.puzzle = d.puzzle
WHERE d.guild = ? AND d.n = ? AND d.puzzle = ? AND p."user" = ?
    AND NOT EXISTS (SELECT 1 FROM daily_puzzles AS l WHERE l.guild = d.guild AND l.n > d.n)
ON CONFLICT (guild, n, "user") DO NOTHING
"""
_ADD_DAILY: Final = """
INSERT INTO daily_puzzles (guild, n, game, puzzle, due) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (guild, n) DO NOTHING
"""
_NO_MESSAGE: Final = "UPDATE showcases SET message = NULL, shown = '' WHERE guild = ? AND kind = 'puzzle'"
_DAILY: Final = (
    "SELECT guild, n, game, puzzle, due FROM daily_puzzles WHERE guild = ? ORDER BY n DESC LIMIT ?"
)
_SOLVERS: Final = f"""
SELECT r."user", r.streak FROM daily_answers AS r
WHERE r.guild = ? AND r.n = ? AND r.streak > 0 AND {NOT_PRIVATE} ORDER BY r.at, r."user"
"""  # noqa: S608 - our own text
_STREAK: Final = 'SELECT streak FROM daily_answers WHERE guild = ? AND n = ? AND "user" = ?'
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

    async def note_puzzle(self, result: PuzzleResult, daily: tuple[int, int] | None = None) -> None:
        """Keep the first answer of a person to a puzzle, for the daily one as well if it is that."""
        user, puzzle, game, solved = result.user, result.puzzle, result.game, int(result.solved)

        def note(tx: Transaction) -> None:
            if tx.execute(_NOTE_PUZZLE, user, puzzle, game, solved, to_ms(result.at)).rowcount:
                tx.execute(_COUNT, game, puzzle, solved)
            if daily is not None:
                tx.execute(_ANSWER_DAILY, to_ms(result.at), *daily, puzzle, user)

        await self._transaction(note)

    async def puzzles_of(self, user: int) -> tuple[PuzzleResult, ...]:
        """Return a person's first answers, the latest last."""
        rows = await self._fetch_all(_PUZZLES, user)
        return tuple(
            PuzzleResult(who, game, puzzle, bool(solved), from_ms(at))
            for who, puzzle, game, solved, at in rows
        )

    async def puzzle_counts(self, game: str) -> tuple[PuzzleCount, ...]:
        """Return how people have fared with the puzzles of a game."""
        return tuple(PuzzleCount(*row) for row in await self._fetch_all(_COUNTS, game))

    async def puzzle_count(self, game: str, puzzle: str) -> PuzzleCount:
        """Return how people have fared with a puzzle."""
        row = await self._fetch_one(_ONE_COUNT, game, puzzle)
        return PuzzleCount(puzzle, 0, 0) if row is None else PuzzleCount(*row)

    async def add_daily_puzzle(self, row: DailyPuzzle) -> bool:
        """Make a puzzle the current one of its server; False if there is one of that number."""

        def add(tx: Transaction) -> bool:
            added = (
                tx.execute(_ADD_DAILY, row.guild, row.n, row.game, row.puzzle, to_ms(row.due)).rowcount > 0
            )
            if added:
                tx.execute(_NO_MESSAGE, row.guild)
            return added

        return await self._transaction(add)

    async def daily_puzzles(self, guild: int, limit: int) -> tuple[DailyPuzzle, ...]:
        """Return daily puzzles of a server, the latest first."""
        rows = await self._fetch_all(_DAILY, guild, limit)
        return tuple(DailyPuzzle(of, n, game, puzzle, from_ms(due)) for of, n, game, puzzle, due in rows)

    async def daily_solvers(self, guild: int, n: int) -> tuple[DailySolver, ...]:
        """Return who has solved a daily puzzle and isn't private, in that order."""
        return tuple(DailySolver(*row) for row in await self._fetch_all(_SOLVERS, guild, n))

    async def daily_streak(self, guild: int, n: int, user: int) -> int:
        """Return how many days in a row a person has solved the daily puzzle of a server."""
        row = await self._fetch_one(_STREAK, guild, n, user)
        return 0 if row is None else int(row[0])
