"""The record of a match as text and as a file, and many records in one zip file of limited size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from bot.messages.names import computers_text, occupant_text, plain_name
from bot.messages.outgoing import File
from bot.platform.discord_limits import MAX_FILE_BYTES
from bot.platform.reader_settings import Reader
from games.engine import record
from games.engine.match import Match
from games.engine.message import msg
from matches.store.rows import ImportRow, MatchRow, SeatHolder

_ROOM: Final = 200
"""Bytes that an entry takes beside its text, in the file and in its list, at most."""
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)


def record_file(
    row: MatchRow,
    match: Match,
    reader: Reader,
    holders: Sequence[SeatHolder] = (),
    came: ImportRow | None = None,
) -> File:
    """Return the record as a file; see `record_text`."""
    text = record_text(row, match, reader, holders, came)
    return f"{row.id}.txt", text.encode(), reader.say(msg("bot.record.alt", match=row.id))


def record_text(
    row: MatchRow,
    match: Match,
    reader: Reader,
    holders: Sequence[SeatHolder] = (),
    came: ImportRow | None = None,
) -> str:
    """Return the record, with the players' names in its headers: of each seat all `holders`, in order.

    A match that `came` as a record gets the headers that it came with.
    """
    if came is not None:
        return record.export(match.log, came.headers)
    return record.export(match.log, record_headers(row, reader, holders))


def record_headers(row: MatchRow, reader: Reader, holders: Sequence[SeatHolder] = ()) -> dict[str, str]:
    """Return the headers of a match that was played here: its date, and who held each seat."""
    english = replace(reader, language="en")  # records don't depend on the reader's language
    names = {}
    for seat in row.seats:
        held = [_holder_text(one, english) for one in holders if one.seat == seat.seat]
        now = plain_name(seat.name) if seat.user else occupant_text(seat, english)
        names[f"Seat {seat.seat + 1}"] = ", ".join(held) or now
    return {"Date": row.created.date().isoformat(), **names}


def _holder_text(one: SeatHolder, reader: Reader) -> str:
    """Return who held a seat, and from which entry and date on; the first held it from the start."""
    name = plain_name(one.name) if one.user else computers_text(one.level, 1, reader)
    return name if one.since == 0 else f"{name} (from {one.since}, {one.at.date().isoformat()})"


def record_entry(row: MatchRow) -> ZipInfo:
    """Return the name and time of a match's record in a file: zip knows no time before 1980."""
    ended = row.updated
    return ZipInfo(f"{ended.date()} {row.id}.txt", max(ended.timetuple()[:6], _EARLIEST))


class ArchiveFile:
    """A zip file that takes records until it is full."""

    def __init__(self, limit: int = MAX_FILE_BYTES) -> None:
        self._limit = limit
        self._buffer = BytesIO()
        self._zip = ZipFile(self._buffer, "w", ZIP_DEFLATED)
        self.count = 0
        self.last: MatchRow | None = None
        """The record that was added last."""

    def add(self, records: Sequence[tuple[MatchRow, str]]) -> bool:
        """Add records in order, and return whether all of them have found room."""
        for row, text in records:
            data = text.encode()
            # Compressed text is never larger than the text.
            if self._buffer.tell() + len(data) + _ROOM * (self.count + 2) > self._limit:
                return False
            self._zip.writestr(record_entry(row), data, ZIP_DEFLATED)
            self.count, self.last = self.count + 1, row
        return True

    def finish(self) -> bytes:
        """Return the whole file."""
        self._zip.close()
        return self._buffer.getvalue()
