"""Matches that people bring along as records: checked entry by entry, kept like matches that are over.

Such a match belongs to the person who imported it, and only they may look at it until they make it public. It
has an id of its own here. Nothing can be played in it: it's there to be looked at, analysed and continued.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.engine.match import Kind, Match, known_as
from games.engine.message import Msg, msg
from games.engine.record import Record, RecordError
from matches.core import Core, unknown_match
from matches.ids import create_with_new_id
from matches.occupants import NAME_LENGTH
from matches.ports import RepeatedError
from matches.records.verification import RecordReader, is_unsealed
from matches.results import Person, Refused
from matches.store.rows import (
    Commit,
    Conditions,
    ImportRow,
    LobbyState,
    Logged,
    MatchRow,
    Place,
    Provenance,
    SeatRow,
    Status,
)

MAX_CHARACTERS: Final = 1_000_000
"""Maximum length of a record that is imported, in characters."""
MAX_IMPORTS: Final = 100
"""Maximum number of records that a person can import."""
MAX_TOTAL: Final = 10_000_000
"""Number of characters of imported records from which on a person can't import more."""
MAX_HEADERS: Final = 4_000
"""Maximum number of characters of a record's free headers that are kept, names included."""
NOWHERE: Final = Place(None, 0)
"""Where an imported match is played: in no channel."""


@dataclass(frozen=True, slots=True)
class ImportFault:
    """What is wrong with a record, and in which of its lines; `why` is the game's own refusal of a move."""

    line: int
    reason: str
    why: Msg | None = None


class Imports:
    """Imports records."""

    def __init__(self, core: Core, reader: RecordReader) -> None:
        self._core = core
        self._reader = reader

    async def read(self, text: str) -> Record | ImportFault:
        """Check a record, as text or as JSON, in a worker thread, after those sent before it."""
        if len(text) > MAX_CHARACTERS:
            return ImportFault(1, f"there are more than {MAX_CHARACTERS} characters")
        try:
            return await self._reader.read(text)
        except RecordError as error:
            return ImportFault(error.line, error.reason, error.why)

    async def played_here(self, record: Record) -> MatchRow | None:
        """Return the match itself if the record is that of one that was played here; else None.

        Whether the person may see it is up to the caller. It's None for a log that still has secrets:
        people could guess at them.
        """
        row = await self._core.store.match(record.match.id)
        if row is None or row.version != record.match.seq or not is_unsealed(row):
            return None
        log = await self._core.store.log(row.id)
        return row if tuple(one.entry for one in log) == record.entries else None

    async def keep(self, record: Record, owner: Person, *, request: str) -> MatchRow | Refused:
        """Keep a record as a match of its owner; one that they have imported before keeps its id.

        Raises StoreError if no id can be found.
        """
        store = self._core.store
        async with self._core.locks.hold(f"user/{owner.id}"):
            if (known := await store.imported(owner.id, record.checksum)) is not None:
                return await store.match(known) or unknown_match(known)
            if await store.count_imports(owner.id) >= MAX_IMPORTS:
                return Refused(msg("match.import.many", n=MAX_IMPORTS))
            if await store.size_of_imports(owner.id) >= MAX_TOTAL:
                return Refused(msg("match.import.full", n=MAX_TOTAL // 1_000_000))
            try:
                return await create_with_new_id(
                    store,
                    self._core.entropy,
                    record.match.game.code,
                    lambda match_id: self._commit(record, owner, match_id, request),
                )
            except RepeatedError as error:
                return await store.match(error.request.match) or unknown_match(error.request.match)

    def _commit(self, record: Record, owner: Person, match_id: str, request: str) -> Commit:
        match, now = record.match, self._core.now()
        first, *rest = record.entries
        entries = (known_as(first, match_id), *rest)
        status, result = _status(match)
        row = MatchRow(
            id=match_id,
            game=match.game.key,
            status=status,
            place=NOWHERE,
            host=owner.id,
            seats=_seats(record),
            options=dict(match.setup.options),
            secret=rest[-1].data if rest and rest[-1].kind is Kind.REVEAL else "",
            created=now,
            updated=now,
            version=match.seq,
            result=result,
            lobby=LobbyState(use_thread=False),
            conditions=Conditions(rated=False),
            provenance=Provenance("import"),
        )
        logged = tuple(Logged(entry, now) for entry in entries)
        came = ImportRow(owner.id, record.checksum, _kept_headers(record.headers))
        return Commit(row, now, logged, request=request, imported=came)


def _status(match: Match) -> tuple[Status, dict[str, Any] | None]:
    """Return status and result of an imported match; one that isn't over never has a result."""
    if match.ending is None:
        return "over", None
    how, outcome = match.ending.how, match.ending.outcome
    result = {"how": how, "ranks": [] if outcome is None else list(outcome.ranks)}
    return ("aborted" if how == "abort" else "over"), result


def _kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the free headers of a record up to MAX_HEADERS characters, without those that don't fit."""
    kept, room = {}, MAX_HEADERS
    for name, value in headers.items():
        if (size := len(name) + len(value)) <= room:
            kept[name] = value
            room -= size
    return kept


def _seats(record: Record) -> tuple[SeatRow, ...]:
    """Return who sat where by the record's headers: names only, for they are nobody's account here."""
    found = []
    for seat in range(record.match.setup.seats):
        header = f"Seat {seat + 1}"
        name = " ".join(record.headers.get(header, "").split()) or header
        found.append(SeatRow(seat, "person", None, name[:NAME_LENGTH]))
    return tuple(found)
