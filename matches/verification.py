"""Check a match, or the record of one: rules, draws, secret, checksum."""

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
from matches.imports import MAX_ENTRIES
from matches.rows import MatchRow
from matches.waiting import OnePerPerson

MAX_BYTES: Final = MAX_LENGTH
"""Maximum size of a record that people send, in bytes."""
PATIENCE: Final = 10.0
"""Seconds after which checking a record is given up: an evil one could take hours."""
_MOST_ERRORS: Final = 5
"""Maximum number of wrong draws that are named."""


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


def check_record(
    text: str, *, seconds: float = PATIENCE, now: Callable[[], float] = monotonic
) -> tuple[Record, Proof]:
    """Check a record, as text or as JSON.

    Raises RecordError for an invalid one, TooLateError if it takes more than `seconds`.
    """
    end = now() + seconds
    record = read_any(text, ReadingLimits(MAX_ENTRIES, lambda: now() > end))
    return record, _proof(record.match, ())


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
    """Checks matches and records in a worker thread, one at a time: an evil one takes some seconds."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._turn = asyncio.Lock()
        self.callers = OnePerPerson()

    async def match(self, row: MatchRow) -> Proof:
        """Check a match as it is kept."""
        entries = [logged.entry for logged in await self._core.store.log(row.id)]
        async with self._turn:
            return await asyncio.to_thread(check_log, row.id, entries, row.secret)

    async def record(self, text: str) -> tuple[Record, Proof]:
        """Check a record. Raises as `check_record`."""
        async with self._turn:
            return await asyncio.to_thread(check_record, text)

    async def difference(self, row: MatchRow, record: Record) -> int | None:
        """Return the first entry in which a record differs from our log; None if there is none."""
        ours = [logged.entry for logged in await self._core.store.log(row.id)]
        at = await asyncio.to_thread(first_difference, ours, record.entries)
        unfinished = record.match.ending is None and at == len(record.entries)
        return None if unfinished else at


def first_difference(ours: Sequence[Entry], theirs: Sequence[Entry]) -> int | None:
    """Return the first entry in which two logs differ; None if they are the same."""
    for at, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            return at
    return None if len(ours) == len(theirs) else min(len(ours), len(theirs))
