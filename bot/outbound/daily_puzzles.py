"""The daily puzzles of servers: which is the current one, when the next begins, and what its message says.

A server's first puzzle begins when its channel is chosen, each other one a day later, at the same time. After
a downtime of some days there is one, not one for each. If two processes begin the same puzzle, the row of one
of them counts. With that row the message of the day before is let go: it stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.context import Context
from bot.messages.outgoing import Outgoing
from bot.messages.puzzles import PuzzlePlace, daily_message, puzzle_place
from bot.platform.puzzle_files import next_daily
from bot.platform.readers import Reader
from matches.store.lesson_store import DailyPuzzle, DailySolver
from matches.store.showcase_store import Showcase
from matches.threads import in_thread

DAY: Final = timedelta(days=1)
_REMEMBERED: Final = 10_000
"""How many puzzles of a server count as shown."""


@dataclass(frozen=True, slots=True)
class Day:
    """The current puzzle of a server, the one before, and who has solved that."""

    case: Showcase
    today: PuzzlePlace
    before: PuzzlePlace | None
    solvers: tuple[DailySolver, ...]


def next_due(latest: datetime | None, since: datetime, now: datetime) -> datetime | None:
    """Return when the puzzle began that should be the current one, if it is a new one, else None.

    `latest` is when the last one began, `since` when the channel was chosen: if that was after its day, the
    time of the day is a new one.
    """
    begun = since if latest is None or since >= latest + DAY else latest
    if latest is not None and now < latest + DAY:
        return None
    return begun + max(0, (now - begun) // DAY) * DAY


async def current_day(ctx: Context, case: Showcase) -> Day | None:
    """Return the current puzzle of a server, and begin the next if it is time; None if there is none."""
    days = await ctx.store.daily_puzzles(case.guild, 2)
    latest = days[0] if days else None
    due = next_due(None if latest is None else latest.due, case.since, ctx.clock.now())
    if due is not None:
        every = await ctx.store.daily_puzzles(case.guild, _REMEMBERED)
        if (found := await in_thread(next_daily, case.guild, every)) is None:
            return None
        game, puzzle = found
        new = DailyPuzzle(case.guild, 1 + (0 if latest is None else latest.n), game, puzzle.key, due)
        if not await ctx.store.add_daily_puzzle(new):
            return None  # another process was first: the next tick goes on
        days, case = (new, *days[:1]), replace(case, message=None, shown="")
    today, *before = [await puzzle_place(ctx.store, each.game, each.puzzle, each.n) for each in days]
    if today is None:  # an update has taken it out: the message stays as it is
        return None
    solvers = await ctx.store.daily_solvers(case.guild, days[1].n) if before else ()
    return Day(case, today, before[0] if before else None, solvers)


async def day_message(ctx: Context, day: Day, reader: Reader) -> Outgoing:
    """Return the message of a server's current puzzle."""
    return await daily_message(ctx.presenter, reader, day.today, day.before, day.solvers)
