"""Unexpected errors, grouped by where they happen."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

from matches.store.operation import MAX_GROUPS, ErrorGroup
from storage.rows import from_ms, to_ms
from storage.transactions import StorePart, Transaction

ERROR_GROUPS: Final = """
SELECT place, kind, count, since, latest, version, told FROM errors ORDER BY latest DESC, place, kind
"""
_ADD = """
INSERT INTO errors (place, kind, count, since, latest, version) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (place, kind) DO UPDATE
SET count = errors.count + excluded.count, latest = excluded.latest, version = excluded.version
"""
_DROP = """
DELETE FROM errors WHERE (place, kind) NOT IN (
    SELECT place, kind FROM errors ORDER BY latest DESC, place, kind LIMIT ?
)
"""


class ErrorsPart(StorePart):
    """The statements about errors that every database takes."""

    async def note_errors(self, groups: Sequence[ErrorGroup], most: int = MAX_GROUPS) -> None:
        """Add what was counted to the groups; keep the latest ones."""

        def note(tx: Transaction) -> None:
            tx.lock("errors", 0)
            for one in groups:
                times = to_ms(one.since), to_ms(one.latest)
                tx.execute(_ADD, one.place, one.kind, one.count, *times, one.version)
            tx.execute(_DROP, most)

        await self._transaction(note)

    async def error_groups(self) -> tuple[ErrorGroup, ...]:
        """Return all groups, those seen latest first."""
        return tuple(map(to_error_group, await self._fetch_all(ERROR_GROUPS)))

    async def errors_reported(self, groups: Collection[ErrorGroup], at: datetime) -> None:
        """Record when operators were notified of these groups."""

        def note(tx: Transaction) -> None:
            tx.lock("errors", 0)
            for one in groups:
                tx.execute(
                    "UPDATE errors SET told = ? WHERE place = ? AND kind = ?", to_ms(at), one.place, one.kind
                )

        await self._transaction(note)

    async def clear_errors(self) -> int:
        """Remove all groups; return how many there were."""
        return await self._execute("DELETE FROM errors")


def to_error_group(row: Sequence[Any]) -> ErrorGroup:
    """From the columns of ERROR_GROUPS."""
    place, kind, count, since, latest, version, told = row
    seen = from_ms(since), from_ms(latest)
    return ErrorGroup(place, kind, count, *seen, version, None if told is None else from_ms(told))
