"""Many records in one zip file of limited size, which is written in worker threads."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from matches.store.rows import MatchRow

MAX_BYTES: Final = 9_000_000
"""Maximum size of a file: Discord takes 10 MiB from everyone
(https://discord.com/developers/docs/reference#uploading-files)."""
_ROOM: Final = 200
"""Bytes that an entry takes beside its text, in the file and in its list, at most."""
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)


def record_entry(row: MatchRow) -> ZipInfo:
    """Return the name and time of a match's record in a file: zip knows no time before 1980."""
    ended = row.updated
    return ZipInfo(f"{ended.date()} {row.id}.txt", max(ended.timetuple()[:6], _EARLIEST))


class ArchiveFile:
    """A zip file that takes records until it is full."""

    def __init__(self, limit: int = MAX_BYTES) -> None:
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
