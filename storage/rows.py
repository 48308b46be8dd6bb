"""Convert between the rows of `matches.ports` and the columns of SQL, each way in one place.

A time is a whole number of milliseconds since 1970, UTC; JSON is compact ASCII text.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence, Sized
from dataclasses import asdict, astuple
from datetime import UTC, datetime, timedelta
from typing import Any

from games.engine.game import Seat
from games.engine.match import Entry, Kind
from matches.outbox.messages import read_message
from matches.outbox.queue import Draft, OutboxRow
from matches.store.rows import (
    NO_TERMS,
    Conditions,
    LobbyState,
    Logged,
    MatchRow,
    OriginRef,
    Place,
    Post,
    Provenance,
    Publicity,
    SeatRow,
    Terms,
    Watch,
)

Value = int | str | None
Columns = dict[str, Value]

_KINDS = {kind.value: kind for kind in Kind}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)

MATCH_COLUMNS = (
    "id, game, status, guild, channel, thread, host, options, secret, created, updated, version, revision, "
    "use_thread, lobby_message, reminded, expires, result, previous, unreachable, "
    "public, agreed, clock, hints, source, origin, delay, rated, starts_full, terms"
)
SEAT_COLUMNS = 'seat, occupant, "user", name, level'
OUTBOX_COLUMNS = 'id, kind, match, lane, payload, "user", nonce, created, due, tries, error'
POST_COLUMNS = "message, channel, match, kind, seq"


def to_ms(when: datetime) -> int:
    """Return milliseconds since 1970, rounded down. Raises ValueError for a time without a zone."""
    if when.tzinfo is None:
        raise ValueError("a time without a zone can't be stored")
    return (when - _EPOCH) // _MS


def from_ms(count: int) -> datetime:
    """Return the time, in UTC."""
    return _EPOCH + count * _MS


def ms_or_none(when: datetime | None) -> int | None:
    """Return the same of a time that may be missing."""
    return None if when is None else to_ms(when)


def time_or_none(count: int | None) -> datetime | None:
    """Return the same of a column that may be NULL."""
    return None if count is None else from_ms(count)


def to_json(value: object) -> str:
    """Return JSON on one line. Raises TypeError or ValueError for what JSON can't hold, such as NaN."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def marks(values: Sized) -> str:
    """Return a place for each value, for a list in parentheses; NULL, which nothing equals, for none."""
    return ", ".join("?" * len(values)) or "NULL"


def insert(table: str, columns: str) -> str:
    """Return the statement that adds a row with these columns, with a place for each value."""
    return f"INSERT INTO {table} ({columns}) VALUES ({marks(columns.split(','))})"  # noqa: S608 - our own columns


def match_values(row: MatchRow) -> Columns:
    """Return a match as its columns, in the order of MATCH_COLUMNS."""
    return {
        "id": row.id,
        "game": row.game,
        "status": row.status,
        "guild": row.place.guild,
        "channel": row.place.channel,
        "thread": row.place.thread,
        "host": row.host,
        "options": to_json(row.options),
        "secret": row.secret,
        "created": to_ms(row.created),
        "updated": to_ms(row.updated),
        "version": row.version,
        "revision": row.revision,
        "use_thread": int(row.lobby.use_thread),
        "lobby_message": row.lobby.message,
        "reminded": int(row.lobby.reminded),
        "expires": ms_or_none(row.lobby.expires),
        "result": None if row.result is None else to_json(row.result),
        "previous": row.provenance.previous,
        "unreachable": row.unreachable,
        "public": int(row.publicity.public),
        "agreed": to_json(row.publicity.agreed),
        "clock": None if row.conditions.clock is None else to_json(row.conditions.clock),
        "hints": int(row.conditions.hints),
        "source": row.provenance.source,
        "origin": None if row.provenance.origin is None else to_json(asdict(row.provenance.origin)),
        "delay": row.conditions.delay,
        "rated": None if row.conditions.rated is None else int(row.conditions.rated),
        "starts_full": int(row.lobby.starts_full),
        "terms": None if row.lobby.terms == NO_TERMS else to_json(astuple(row.lobby.terms)),
    }


def seat_values(seats: Iterable[SeatRow]) -> list[tuple[Value, ...]]:
    """Return seats as SEAT_COLUMNS, in their order."""
    return sorted((one.seat, one.occupant, one.user, one.name, one.level) for one in seats)


def read_matches(db: sqlite3.Connection, tail: str, values: Sequence[Value]) -> tuple[MatchRow, ...]:
    """Return the matches that `SELECT ... FROM matches {tail}` finds, with their seats."""
    rows = db.execute(f"SELECT {MATCH_COLUMNS} FROM matches {tail}", values).fetchall()  # noqa: S608 - our own text
    if not rows:
        return ()
    seats: dict[str, list[SeatRow]] = {row[0]: [] for row in rows}
    if len(rows) == 1:
        where, wanted = "match = ?", rows[0][0]
    else:
        where, wanted = "match IN (SELECT value FROM json_each(?))", to_json(list(seats))
    query = f"SELECT match, {SEAT_COLUMNS} FROM seats WHERE {where} ORDER BY match, seat"  # noqa: S608 - our own text
    for match, *seat in db.execute(query, (wanted,)):
        seats[match].append(SeatRow(*seat))
    return tuple(to_match(row, tuple(seats[row[0]])) for row in rows)


def to_match(row: Sequence[Any], seats: tuple[SeatRow, ...]) -> MatchRow:
    """From MATCH_COLUMNS and the seats."""
    (id_, game, status, guild, channel, thread, host, options, secret, created, updated, *rest) = row
    (version, revision, use_thread, lobby, reminded, expires, result, previous, unreachable, *shown) = rest
    public, agreed, clock, hints, source, origin, delay, rated, starts_full, terms = shown
    return MatchRow(
        id=id_,
        game=game,
        status=status,
        place=Place(guild, channel, thread),
        host=host,
        seats=seats,
        options=json.loads(options),
        secret=secret,
        created=from_ms(created),
        updated=from_ms(updated),
        version=version,
        revision=revision,
        result=None if result is None else json.loads(result),
        unreachable=unreachable,
        lobby=LobbyState(
            message=lobby,
            expires=time_or_none(expires),
            reminded=bool(reminded),
            use_thread=bool(use_thread),
            starts_full=bool(starts_full),
            terms=NO_TERMS if terms is None else Terms(*json.loads(terms)),
        ),
        conditions=Conditions(
            clock=None if clock is None else json.loads(clock),
            hints=bool(hints),
            rated=None if rated is None else bool(rated),
            delay=delay,
        ),
        publicity=Publicity(bool(public), tuple(json.loads(agreed))),
        provenance=Provenance(source, None if origin is None else to_origin(json.loads(origin)), previous),
    )


def to_origin(data: dict[str, Any]) -> OriginRef:
    """Return an origin from its JSON."""
    return OriginRef(**{**data, "out": tuple(data["out"])})


def logged_values(match: str, one: Logged) -> tuple[Value, ...]:
    """Return a log entry as a row of `entries`."""
    entry = one.entry
    return (match, entry.seq, entry.kind.value, entry.seat, entry.data, to_ms(one.at), one.user)


def to_logged(row: Sequence[Any]) -> Logged:
    """From seq, kind, seat, data, at, user."""
    seq, kind, seat, data, at, user = row
    return Logged(
        Entry(seq, _KINDS.get(kind) or Kind(kind), None if seat is None else Seat(seat), data),
        from_ms(at),
        user,
    )


def draft_values(draft: Draft, at: datetime) -> tuple[Value, ...]:
    """Return a draft as kind, match, lane, payload, user, created, due."""
    now = to_ms(at)
    return (draft.kind, draft.match, draft.lane, to_json(draft.message.to_json()), draft.user, now, now)


def to_outbox(row: Sequence[Any]) -> OutboxRow:
    """From OUTBOX_COLUMNS."""
    id_, kind, match, lane, payload, user, nonce, created, due, tries, error = row
    draft = Draft(read_message(kind, json.loads(payload)), match, lane, user)
    return OutboxRow(id_, draft, nonce, from_ms(created), from_ms(due), tries, error)


def post_values(post: Post) -> tuple[Value, ...]:
    """Return a post as POST_COLUMNS."""
    return (post.message, post.channel, post.match, post.kind, post.seq)


def to_post(row: Sequence[Any]) -> Post:
    """From POST_COLUMNS."""
    return Post(*row)


def to_watch(row: Sequence[Any]) -> Watch:
    """From match, channel, by, message."""
    return Watch(*row)
