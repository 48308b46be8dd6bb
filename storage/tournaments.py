"""Tournaments with their entrants and logs, in statements that every database takes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final

from matches.ports import StaleError
from matches.store.tournaments import EntrantRow, TournamentEntry, TournamentPlan, TournamentRow
from storage.rows import Value, from_ms, insert, to_json, to_ms
from storage.transactions import StorePart, Transaction
from tournaments.event import Pairing

_COLUMNS: Final = (
    "id, guild, channel, organiser, title, game, status, plan, pairings, revision, shown, message, created, "
    "updated, deadline, checking"
)
_ENTRANT_COLUMNS: Final = 'tournament, number, "user", name, level, joined, gone, here, team'
_LOG_COLUMNS: Final = 'tournament, n, at, "user", kind, data'
_ADD = insert("tournaments", _COLUMNS)
_ADD_ENTRANT = insert("tournament_entrants", _ENTRANT_COLUMNS)
_ADD_MATCH = insert("tournament_matches", "match, tournament")
_ADD_ENTRY = insert("tournament_log", _LOG_COLUMNS)
_NEXT_ID = "SELECT coalesce(max(id), 0) + 1 FROM tournaments"
_NEXT_ENTRY = "SELECT coalesce(max(n), 0) + 1 FROM tournament_log WHERE tournament = ?"
_SAVE = """
UPDATE tournaments SET organiser = ?, title = ?, status = ?, plan = ?, pairings = ?, deadline = ?,
    checking = ?, revision = ?, updated = ?, wake = 0
WHERE id = ? AND revision = ?
"""
_CLAIM = "UPDATE tournaments SET wake = ? WHERE wake <= ? RETURNING id"
_REST = "UPDATE tournaments SET wake = ? WHERE id = ? AND wake = ?"
_MATCH_OVER = """
UPDATE tournaments SET wake = 0 WHERE id IN (SELECT tournament FROM tournament_matches WHERE match = ?)
"""
_BAR = """
UPDATE tournaments SET wake = 0 WHERE status IN ('open', 'running', 'paused')
    AND id IN (SELECT tournament FROM tournament_entrants WHERE "user" = ?)
"""
_ENDED = """
SELECT t.match FROM tournament_matches AS t JOIN matches AS m ON m.id = t.match
WHERE t.tournament = ? AND m.status NOT IN ('lobby', 'live')
"""
_SHOWN = "UPDATE tournaments SET shown = ?, message = ? WHERE id = ?"
_LATEST = (
    "WHERE guild = ? ORDER BY (CASE WHEN status IN ('over', 'cancelled') THEN 1 ELSE 0 END), id DESC LIMIT ?"
)


class TournamentsPart(StorePart):
    """The statements about tournaments that every database takes."""

    async def create_tournament(self, row: TournamentRow, entry: TournamentEntry) -> TournamentRow:
        """Add a tournament, and return it with its id."""

        return await self._transaction(lambda tx: _create(tx, row, entry))

    async def tournament(self, tournament: int) -> TournamentRow | None:
        """Return a tournament, or None."""
        found = await self._read(lambda tx: _find(tx, "WHERE id = ?", tournament))
        return found[0] if found else None

    async def tournaments_in(self, guild: int, limit: int) -> tuple[TournamentRow, ...]:
        """Return the tournaments of a server."""
        return await self._read(lambda tx: _find(tx, _LATEST, guild, limit))

    async def claim_tournaments(self, now: datetime, again: datetime) -> tuple[int, ...]:
        """Return the tournaments that are to be looked after."""

        def claim(tx: Transaction) -> tuple[int, ...]:
            return tuple(sorted(id_ for (id_,) in tx.execute(_CLAIM, to_ms(again), to_ms(now)).fetchall()))

        return await self._transaction(claim)

    async def rest_tournament(self, tournament: int, claimed: datetime, until: datetime | None) -> None:
        """Leave a tournament alone until a time, or until something changes."""
        await self._execute(_REST, None if until is None else to_ms(until), tournament, to_ms(claimed))

    async def ended_in_tournament(self, tournament: int) -> tuple[str, ...]:
        """Return the matches of pairings without a result that have ended."""
        return tuple(match for (match,) in await self._fetch_all(_ENDED, tournament))

    async def tournaments_to_show(self) -> tuple[TournamentRow, ...]:
        """Return the tournaments whose message doesn't show their latest change."""
        return await self._read(lambda tx: _find(tx, "WHERE shown <> revision ORDER BY id"))

    async def save_tournament(
        self, row: TournamentRow, entries: Sequence[TournamentEntry], following: TournamentRow | None = None
    ) -> None:
        """Save a change. Raises StaleError."""

        def save(tx: Transaction) -> None:
            values = (
                row.organiser,
                row.title,
                row.status,
                to_json(asdict(row.plan)),
                _pairings(row),
                *_times(row),
            )
            where = (row.revision, to_ms(row.updated), row.id, row.revision - 1)
            if tx.execute(_SAVE, *values, *where).rowcount != 1:
                raise StaleError(str(row.id))
            tx.execute("DELETE FROM tournament_entrants WHERE tournament = ?", row.id)
            _put_entrants(tx, row)
            tx.execute("DELETE FROM tournament_matches WHERE tournament = ?", row.id)
            tx.execute_many(_ADD_MATCH, [(match, row.id) for match in _open_matches(row)])
            _log(tx, row.id, entries)
            if following is not None:
                _create(tx, following, TournamentEntry(following.created, None, "season"))

        await self._transaction(save)

    async def note_tournament_shown(self, tournament: int, shown: int, message: int | None) -> None:
        """Record the message of a tournament, and the revision that it shows."""
        await self._execute(_SHOWN, shown, message, tournament)

    async def tournament_log(self, tournament: int) -> tuple[TournamentEntry, ...]:
        """Return the log of a tournament."""
        query = 'SELECT at, "user", kind, data FROM tournament_log WHERE tournament = ? ORDER BY n'
        return tuple(
            TournamentEntry(from_ms(at), user, kind, json.loads(data))
            for at, user, kind, data in await self._fetch_all(query, tournament)
        )


def _create(tx: Transaction, row: TournamentRow, entry: TournamentEntry) -> TournamentRow:
    tx.lock("tournaments", 0)
    made = replace(row, id=int(tx.execute(_NEXT_ID).fetchone()[0]))
    tx.execute(_ADD, *_values(made))
    tx.execute("UPDATE tournaments SET wake = 0 WHERE id = ?", made.id)
    _put_entrants(tx, made)
    _log(tx, made.id, (entry,))
    return made


def note_match_over(tx: Transaction, match: str) -> None:
    """Wake the tournament that waits for the result of a match, if one does."""
    tx.execute(_MATCH_OVER, match)


def note_bar(tx: Transaction, user: int) -> None:
    """Wake the tournaments of a person who may no longer play somewhere."""
    tx.execute(_BAR, user)


def _open_matches(row: TournamentRow) -> list[str]:
    return [
        match for index in row.event.open for match in row.matches[index : index + 1] if match is not None
    ]


def _times(row: TournamentRow) -> tuple[Value, Value]:
    return None if row.deadline is None else to_ms(row.deadline), int(row.checking)


def _values(row: TournamentRow) -> tuple[Value, ...]:
    """Return a tournament as its columns."""
    about = (row.id, row.guild, row.channel, row.organiser, row.title, row.game, row.status)
    counts = (row.revision, row.shown, row.message, to_ms(row.created), to_ms(row.updated))
    return (*about, to_json(asdict(row.plan)), _pairings(row), *counts, *_times(row))


def _pairings(row: TournamentRow) -> str:
    matches = (*row.matches, *(None,) * (len(row.pairings) - len(row.matches)))
    return to_json(
        [
            (one.round, one.table, one.seats, one.points, one.played, match)
            for one, match in zip(row.pairings, matches, strict=True)
        ]
    )


def _put_entrants(tx: Transaction, row: TournamentRow) -> None:
    rows = [
        (
            *(row.id, one.number, one.user, one.name, one.level, one.joined),
            *(int(one.left), int(one.here), one.team),
        )
        for one in row.entrants
    ]
    tx.execute_many(_ADD_ENTRANT, rows)


def _log(tx: Transaction, tournament: int, entries: Sequence[TournamentEntry]) -> None:
    first = int(tx.execute(_NEXT_ENTRY, tournament).fetchone()[0])
    rows = [
        (tournament, first + n, to_ms(one.at), one.user, one.kind, to_json(dict(one.data)))
        for n, one in enumerate(entries)
    ]
    tx.execute_many(_ADD_ENTRY, rows)


def _find(tx: Transaction, tail: str, *values: Value) -> tuple[TournamentRow, ...]:
    """Return the tournaments that `SELECT ... FROM tournaments {tail}` finds, with their entrants."""
    found = tx.execute(f"SELECT {_COLUMNS} FROM tournaments {tail}", *values).fetchall()  # noqa: S608 - our own text
    query = f"SELECT {_ENTRANT_COLUMNS} FROM tournament_entrants WHERE tournament = ? ORDER BY number"  # noqa: S608
    return tuple(_to_row(row, tx.execute(query, row[0]).fetchall()) for row in found)


def _to_row(row: Sequence[Any], entrants: Sequence[Sequence[Any]]) -> TournamentRow:
    """From _COLUMNS, and entrants from _ENTRANT_COLUMNS."""
    id_, guild, channel, organiser, title, game, status, plan, pairings, revision, shown, message, *times = (
        row
    )
    made, agreed = json.loads(pairings), json.loads(plan)
    agreed |= {"teams": tuple(agreed.get("teams", ())), "sides": tuple(agreed.get("sides", ()))}
    return TournamentRow(
        id_,
        guild,
        channel,
        organiser,
        title,
        game,
        status,
        TournamentPlan(**agreed),
        from_ms(times[0]),
        from_ms(times[1]),
        tuple(
            EntrantRow(number, user, name, level, joined, bool(gone), bool(here), team)
            for _, number, user, name, level, joined, gone, here, team in entrants
        ),
        tuple(
            Pairing(number, table, tuple(seats), None if points is None else tuple(points), played)
            for number, table, seats, points, played, _ in made
        ),
        tuple(match for *_, match in made),
        revision,
        shown,
        message,
        None if times[2] is None else from_ms(times[2]),
        bool(times[3]),
    )
