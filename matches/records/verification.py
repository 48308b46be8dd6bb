"""Check a match, or the record of one: rules, draws, secret, checksum."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from games.engine.dice import commitment
from games.engine.match import CorruptLogError, Entry, Kind, Match, fold, wrong_draws
from games.engine.message import Msg, msg
from games.engine.record import MAX_LENGTH, Record
from matches.core import Core
from matches.records.record_reader import RecordReader
from matches.store.rows import MatchRow
from matches.threads import long_in_thread
from matches.waiting import OnePerPerson

MAX_BYTES: Final = MAX_LENGTH
"""Maximum size of a record that `/replay verify` takes, in bytes."""
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
    """Return whether people may learn all that the log of a match says: it is over, and for good."""
    return row.status in ("over", "aborted") and not row.set_aside and not row.ended_by_moderator


def first_difference(ours: Sequence[Entry], theirs: Sequence[Entry]) -> int | None:
    """Return the first entry in which two logs differ; None if they are the same."""
    for at, (one, other) in enumerate(zip(ours, theirs, strict=False)):
        if one != other:
            return at
    return None if len(ours) == len(theirs) else min(len(ours), len(theirs))
