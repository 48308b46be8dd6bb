"""Read records that people send, within limits, and check them or a match: rules, draws, secret, checksum."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Final

from games.engine.dice import commitment
from games.engine.match import CorruptLogError, Entry, Kind, Match, fold, wrong_draws
from games.engine.message import Msg, msg
from games.engine.record import MAX_LENGTH, ReadingLimits, Record, read_any
from matches.core import Core
from matches.long_work import OnePerPerson, in_thread, long_in_thread
from matches.store.rows import MatchRow

MAX_ENTRIES: Final = 30_000
"""Maximum number of a record's entries."""
PATIENCE: Final = 10.0
"""Seconds after which reading a record is given up: an evil one could take hours."""
MAX_BYTES: Final = MAX_LENGTH
"""Maximum size of a record that `/replay verify` takes, in bytes."""
_MOST_ERRORS: Final = 5
"""Maximum number of wrong draws that are named."""


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


@dataclass(frozen=True, slots=True)
class Proof:
    """What a check has shown; `errors` is empty if everything is proved."""

    match: str
    moves: int
    draws: int
    commit: str
    over: bool
    """Whether the secret is revealed, so that draws were checked."""
    errors: tuple[Msg, ...] = ()


def check_log(match_id: str, entries: Sequence[Entry], secret: str) -> Proof:
    """Check a log as it is kept. It takes as long as replaying it twice.

    The secret, in hex, is compared with the seal; draws are only checked once it is revealed. It is empty if
    it isn't known, as in a match that was imported before its end.
    """
    try:
        final = fold(entries)
    except CorruptLogError as error:
        return Proof(match_id, 0, 0, "", over=False, errors=(msg("verify.log", n=error.seq),))
    errors: list[Msg] = []
    if secret and commitment(bytes.fromhex(secret)) != final.commit:
        errors.append(msg("verify.seal"))
    over = final.log[-1].kind is Kind.REVEAL
    if over:
        errors += (msg("verify.draw", n=entry.seq) for entry, _ in islice(wrong_draws(entries), _MOST_ERRORS))
    return _proof(final, tuple(errors))


def _proof(match: Match, errors: tuple[Msg, ...]) -> Proof:
    return Proof(
        match.id,
        sum(entry.kind in (Kind.PLAY, Kind.DEFAULT) for entry in match.log),
        sum(entry.kind is Kind.CHANCE for entry in match.log),
        match.commit,
        match.log[-1].kind is Kind.REVEAL,
        errors,
    )


class Verification:
    """Checks matches in a worker thread, one at a time, and records that people send."""

    def __init__(self, core: Core, reader: RecordReader) -> None:
        self._core = core
        self._reader = reader
        self._turn = asyncio.Lock()
        self.callers = OnePerPerson()

    async def match(self, row: MatchRow) -> Proof:
        """Check a match as it is kept, up to the version of its row."""
        log = await self._core.store.log(row.id)
        entries = [logged.entry for logged in log if logged.entry.seq <= row.version]
        async with self._turn:
            return await long_in_thread(check_log, row.id, entries, row.secret)

    async def record(self, text: str) -> tuple[Record, Proof]:
        """Check a record, as text or as JSON. Raises as `RecordReader.read`."""
        record = await self._reader.read(text)
        return record, _proof(record.match, ())

    async def difference(self, row: MatchRow, record: Record) -> int | None:
        """Return the first entry in which a record differs from our log; None if there is none."""
        ours = [logged.entry for logged in await self._core.store.log(row.id)]
        at = await long_in_thread(first_difference, ours, record.entries)
        unfinished = record.match.ending is None and at == len(record.entries)
        return None if unfinished else at


def is_unsealed(row: MatchRow) -> bool:
    """Return whether people may learn all that is in the log of a match: it is over, and for good."""
    return row.is_final


def first_difference(ours: Sequence[Entry], theirs: Sequence[Entry]) -> int | None:
    """Return the first entry in which two logs differ; None if they are the same."""
    for at, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            return at
    return None if len(ours) == len(theirs) else min(len(ours), len(theirs))
