"""The daily puzzle of a server: when the next one begins, and which it is.

The first begins when its channel is chosen, each other one a day later, at the same time. After a downtime of
some days there is one, not one for each.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from matches.store.lessons import DailyPuzzle

DAY: Final = timedelta(days=1)


def next_due(latest: datetime | None, since: datetime, now: datetime) -> datetime | None:
    """Return when the puzzle began that should be the current one, if it is a new one, else None.

    `latest` is when the last one began, `since` when the channel was chosen: if that was after its day, the
    time of the day is a new one.
    """
    begun = since if latest is None or since >= latest + DAY else latest
    if latest is not None and now < latest + DAY:
        return None
    return begun + max(0, (now - begun) // DAY) * DAY


def next_daily(
    guild: int, shown: Sequence[DailyPuzzle], puzzles: Iterable[tuple[str, str]]
) -> tuple[str, str] | None:
    """Return the game and key of the next daily puzzle of a server; None without puzzles.

    `shown` has those before, the latest first, and `puzzles` all games and keys. None comes twice until all
    were shown. The games take turns as long as they have others, and each server has an order of its own.
    """
    times = Counter(each.puzzle for each in shown)
    rested = {each.game: days for days, each in reversed(list(enumerate(shown)))}

    def order(found: tuple[str, str]) -> tuple[int, int, bytes]:
        game, key = found
        mixed = hashlib.sha256(f"{guild} {key}".encode()).digest()
        return times[key], -rested.get(game, len(shown)), mixed

    return min(puzzles, key=order, default=None)
