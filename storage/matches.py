"""Matches, seats, the log and the requests served: read in one hop, changed in one transaction.

A change is refused whole if its request was served before, or if the match has moved on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from matches import outbox_drafts as drafts
from matches.ports import RepeatedError, StaleError
from matches.store.rows import Commit, ImportRow, Logged, MatchRow, Request, Status
from storage.channels import mirrored_in
from storage.clocks import hide, replace_deadlines, start_heartbeat
from storage.follows import note_news
from storage.moderation import note_moderation
from storage.pings import apply_turns
from storage.plans import drop_orphans, put_plan
from storage.rows import (
    MATCH_COLUMNS,
    SEAT_COLUMNS,
    insert,
    logged_values,
    marks,
    match_values,
    seat_values,
    to_json,
    to_logged,
    to_ms,
)
from storage.seats import drop_offers, record_holders
from storage.standing import record_result
from storage.tournaments import note_match_over
from storage.transactions import StorePart, Transaction


class ImportsPart(StorePart):
    """The statements about imports that every database takes."""

    async def import_of(self, match_id: str) -> ImportRow | None:
        """Return what came with the record of a match, or None if it wasn't imported."""
        found = await self._fetch_all(
            "SELECT owner, checksum, headers FROM imports WHERE match = ?", match_id
        )
        return to_import(found[0]) if found else None

    async def imported(self, owner: int, checksum: str) -> str | None:
        """Return the match that a person has imported from the record with a checksum, or None."""
        found = await self._fetch_all(
            "SELECT match FROM imports WHERE owner = ? AND checksum = ?", owner, checksum
        )
        return str(found[0][0]) if found else None

    async def count_imports(self, owner: int) -> int:
        """Return how many records a person has imported."""
        found = await self._fetch_all("SELECT count(*) FROM imports WHERE owner = ?", owner)
        return int(found[0][0])

    async def size_of_imports(self, owner: int) -> int:
        """Return how many characters a person's imported records take up: logs, options, headers."""
        found = await self._fetch_all(
            "SELECT (SELECT coalesce(sum(length(headers)), 0) FROM imports WHERE owner = ?)"
            " + (SELECT coalesce(sum(length(CAST(matches.options AS TEXT))), 0) FROM matches"
            " JOIN imports ON imports.match = matches.id WHERE imports.owner = ?)"
            " + (SELECT coalesce(sum(length(entries.data)), 0) FROM entries"
            " JOIN imports ON imports.match = entries.match WHERE imports.owner = ?)",
            *(owner, owner, owner),
        )
        return int(found[0][0])


def record_import(tx: Transaction, commit: Commit) -> None:
    """Write what came with the record of a new match, within its transaction."""
    if (came := commit.imported) is not None:
        tx.execute(
            "INSERT INTO imports (match, owner, checksum, headers) VALUES (?, ?, ?, ?)",
            *(commit.row.id, came.owner, came.checksum, to_json(dict(came.headers))),
        )


def to_import(row: Sequence[Any]) -> ImportRow:
    """From owner, checksum, headers."""
    owner, checksum, headers = row
    return ImportRow(owner, checksum, json.loads(headers))


_INSERT_MATCH = insert("matches", MATCH_COLUMNS)
_INSERT_SEAT = insert("seats", f"match, {SEAT_COLUMNS}")
_SEATS = f"SELECT {SEAT_COLUMNS} FROM seats WHERE match = ? ORDER BY seat"  # noqa: S608 - our own columns
_SHOWCASE = "SELECT channel FROM showcases WHERE guild = ? AND kind = 'matches'"
LOG = 'SELECT seq, kind, seat, data, at, "user" FROM entries WHERE match = ? AND seq > ? ORDER BY seq'
_REQUEST = "SELECT id, match, version, revision FROM requests WHERE id = ?"
_INSERT_ENTRY = insert("entries", 'match, seq, kind, seat, data, at, "user"')


class MatchesPart(StorePart):
    """The statements about matches that every database takes."""

    async def match(self, match_id: str) -> MatchRow | None:
        """Return a match by its id, or None."""
        found = await self._find_matches("WHERE id = ?", match_id)
        return found[0] if found else None

    async def by_status(self, status: Status, limit: int = 1000) -> tuple[MatchRow, ...]:
        """Return matches of one status, oldest change first."""
        return await self._find_matches("WHERE status = ? ORDER BY updated, n LIMIT ?", status, limit)

    async def unreachable(self, why: str) -> tuple[MatchRow, ...]:
        """Return the matches that are unreachable for a reason, oldest first."""
        return await self._find_matches("WHERE unreachable = ? AND unreachable <> '' ORDER BY n", why)

    async def expiring(self, now: datetime, limit: int = 100) -> tuple[MatchRow, ...]:
        """Return lobbies whose `expires` is not after `now`, longest due first."""
        return await self._find_matches(
            "WHERE status = 'lobby' AND expires IS NOT NULL AND expires <= ? ORDER BY expires, n LIMIT ?",
            to_ms(now),
            limit,
        )

    async def by_place(self, channel: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Return matches whose thread, or whose channel if they have no thread, this is; newest first."""
        return await self._find_matches(
            f"WHERE coalesce(thread, channel) = ? AND status IN ({marks(statuses)}) "
            "ORDER BY created DESC, n DESC",
            *(channel, *statuses),
        )

    async def by_user(self, user: int, statuses: Sequence[Status] = ("live",)) -> tuple[MatchRow, ...]:
        """Return matches where the user sits, is invited, or is the host; latest change first."""
        return await self._find_matches(
            "WHERE n IN (SELECT n FROM matches WHERE host = ? UNION ALL SELECT h.n FROM seats AS s "  # noqa: S608 - our own text
            'JOIN matches AS h ON h.id = s.match WHERE s."user" = ?) '
            f"AND status IN ({marks(statuses)}) ORDER BY updated DESC, n DESC",
            *(user, user, *statuses),
        )

    async def create(self, commit: Commit) -> None:
        """Add a new match at revision 0. RepeatedError, StaleError as in the protocol."""
        await self._transaction(lambda tx: _create(tx, commit))

    async def commit(self, commit: Commit) -> None:
        """Apply a change. RepeatedError, StaleError as in the protocol."""
        await self._transaction(lambda tx: _commit(tx, commit))

    async def log(self, match_id: str, after: int = -1) -> tuple[Logged, ...]:
        """Return the log entries with a number above `after`, in order."""
        return await self._read(lambda tx: tuple(map(to_logged, tx.execute(LOG, match_id, after).fetchall())))

    async def request(self, request_id: str) -> Request | None:
        """Return what a request did, or None if it wasn't served."""
        row = await self._fetch_one(_REQUEST, request_id)
        return None if row is None else Request(*row)


def _refuse_repeated(tx: Transaction, commit: Commit) -> None:
    if commit.request is not None and (row := tx.execute(_REQUEST, commit.request).fetchone()) is not None:
        raise RepeatedError(Request(*row))


def _refuse_stale(commit: Commit, revision: int, version: int) -> None:
    """Raise StaleError unless a change is the next revision and its entries continue the log."""
    row = commit.row
    if row.revision != revision + 1 or row.version != version + len(commit.entries):
        raise StaleError(f"match {row.id} has moved on")
    if any(one.entry.seq != seq for seq, one in enumerate(commit.entries, version + 1)):
        raise StaleError(f"the entries do not follow on the log of match {row.id}")


def _create(tx: Transaction, commit: Commit) -> None:
    _refuse_repeated(tx, commit)
    row = commit.row
    if tx.execute("SELECT 1 FROM matches WHERE id = ?", row.id).fetchone() is not None:
        raise StaleError(f"the id {row.id} is taken")
    _refuse_stale(commit, -1, -1)
    with tx.pipeline():
        tx.execute(_INSERT_MATCH, *match_values(row).values())
        tx.execute_many(_INSERT_SEAT, [(row.id, *seat) for seat in seat_values(row.seats)])
        _append(tx, commit)


def _commit(tx: Transaction, commit: Commit) -> None:
    row = commit.row
    # One round trip for all that is read; after the lock, what the last holder wrote is seen.
    with tx.pipeline():
        held = tx.execute(f"SELECT {MATCH_COLUMNS}, n FROM matches WHERE id = ?{tx.FOR_CHANGE}", row.id)  # noqa: S608 - our own text
        sitting = tx.execute(_SEATS, row.id)
        shown = tx.execute(_SHOWCASE, row.place.guild) if row.status == "over" else None
        _refuse_repeated(tx, commit)
    old = held.fetchone()
    if old is None:
        raise StaleError(f"there is no match {row.id}")
    new = match_values(row)
    before = dict(zip(new, old, strict=False))
    _refuse_stale(commit, before["revision"], before["version"])
    # Only what changed is written, so that a move touches no index.
    changed = [column for column, value in new.items() if before[column] != value]
    seats = seat_values(row.seats)
    moved, status_changed = seats != sitting.fetchall(), "status" in changed
    showcase = None if shown is None else shown.fetchone()
    with tx.pipeline():
        tx.execute(
            f"UPDATE matches SET {', '.join(f'{column} = ?' for column in changed)} WHERE n = ?",  # noqa: S608 - our own columns
            *(*(new[column] for column in changed), old[-1]),
        )
        if moved:
            tx.execute("DELETE FROM seats WHERE match = ?", row.id)
            tx.execute_many(_INSERT_SEAT, [(row.id, *seat) for seat in seats])
        _append(tx, commit)
        if commit.plan is not None:
            put_plan(tx, commit.plan)
        if moved or status_changed or commit.plan is not None:
            drop_orphans(tx, row)
        if status_changed and row.status not in ("lobby", "live"):
            note_match_over(tx, row.id)
        if showcase is not None and status_changed:
            tx.enqueue(drafts.finished(row.id, showcase[0]), commit.at)
    if commit.result is not None:
        record_result(tx, commit.result)


def _append(tx: Transaction, commit: Commit) -> None:
    """Write what follows the row: the log entries, the messages, the request."""
    row = commit.row
    _record_change(tx, commit)
    tx.wake(row.id)
    if commit.turns:
        apply_turns(tx, row.id, commit.turns, commit.at)
    if commit.passed or row.is_final:
        note_news(tx, commit)
    _complete_change(tx, commit)


def _record_change(tx: Transaction, commit: Commit) -> None:
    """Write the log entries of a change, its clocks, who holds the seats, and its messages."""
    match_id, at = commit.row.id, to_ms(commit.at)
    for one in commit.entries:
        tx.execute(_INSERT_ENTRY, *logged_values(match_id, one))
    if commit.deadlines is not None:
        if commit.deadlines:
            start_heartbeat(tx, at)
        replace_deadlines(tx, match_id, commit.deadlines)
    if commit.unseen:
        hide(tx, match_id, at)
    if commit.holders:
        record_holders(tx, commit)
    record_import(tx, commit)
    if commit.holders or commit.row.is_final:
        drop_offers(tx, commit)
    for draft in commit.outbox:
        tx.enqueue(draft, commit.at)
    for channel in mirrored_in(tx, match_id) if commit.mirrors else ():
        tx.enqueue(drafts.mirror(match_id, channel), commit.at)


def _complete_change(tx: Transaction, commit: Commit) -> None:
    """Write the row of the moderators' log that a change carries, and the request that it has served."""
    row = commit.row
    if commit.moderation is not None:
        note_moderation(tx, commit.moderation)
    if commit.request is not None:
        tx.execute(
            "INSERT INTO requests (id, match, version, revision) VALUES (?, ?, ?, ?)",
            *(commit.request, row.id, row.version, row.revision),
        )
