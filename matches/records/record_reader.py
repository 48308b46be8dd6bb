"""Read records that people send, within limits: one at a time for all purposes, in a worker thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final

from games.engine.record import ReadingLimits, Record, read_any
from matches.threads import in_thread

MAX_ENTRIES: Final = 30_000
"""Maximum number of a record's entries."""
PATIENCE: Final = 10.0
"""Seconds after which reading a record is given up: an evil one could take hours."""


def read_within(
    text: str, *, seconds: float = PATIENCE, now: Callable[[], float] = monotonic, entries: int = MAX_ENTRIES
) -> Record:
    """Return the record in a text, as text or as JSON, checked entry by entry.

    Raises RecordError for an invalid one and one of too many entries, TooLateError if it takes more than
    `seconds`.
    """
    end = now() + seconds
    return read_any(text, ReadingLimits(entries, lambda: now() > end))


class RecordReader:
    """Reads records for those who verify and those who import, one after the other."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def read(self, text: str) -> Record:
        """Return the record in a text. Raises as `read_within`."""
        async with self._turn:
            return await in_thread(read_within, text, seconds=PATIENCE, entries=MAX_ENTRIES)
