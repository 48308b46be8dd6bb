"""Rows to try a store with: short makers with defaults for everything a test doesn't care about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from games.engine.game import Seat
from games.engine.match import Entry, Kind
from matches.outbox.messages import BoardMessage, read_message
from matches.outbox.queue import Draft
from matches.store.rows import (
    Commit,
    Conditions,
    LobbyState,
    Logged,
    MatchRow,
    Place,
    Provenance,
    Publicity,
    SeatHolder,
    SeatRow,
)
from tests.fakes import START

SECRET = "5ec2e7" * 10 + "cafe"
ANN, BEN = 180_000_000_000_000_001, 180_000_000_000_000_002
PARTS = {
    field.name: part
    for part, kind in (
        ("lobby", LobbyState),
        ("conditions", Conditions),
        ("publicity", Publicity),
        ("provenance", Provenance),
    )
    for field in fields(kind)
}
SEATS = (SeatRow(0, "person", ANN, "Ann"), SeatRow(1, "person", BEN, "Ben"))


def changed(row: MatchRow, **changes: Any) -> MatchRow:
    """The row with other fields: its own, or those of the part that has them."""
    for name, value in changes.items():
        part = PARTS.get(name)
        whole = {name: value} if part is None else {part: replace(getattr(row, part), **{name: value})}
        row = replace(row, **whole)
    return row


def lobby(match_id: str = "F-001", **changes: Any) -> MatchRow:
    """A match that waits for its players."""
    row = MatchRow(
        id=match_id,
        game="focus",
        status="lobby",
        place=Place(guild=1, channel=20),
        host=100,
        seats=(SeatRow(0, "person", 100, "Ann"), SeatRow(1, "open")),
        options={"fast": True, "länge": [1, 2.5, None], "nested": {"a": "ü"}},
        secret=SECRET,
        created=START,
        updated=START,
    )
    return changed(row, **changes)


def entry(seq: int, data: str = "a1a2", at: datetime = START) -> Logged:
    """A log entry; the first starts the match."""
    kind = Kind.PLAY if seq else Kind.START
    return Logged(Entry(seq, kind, Seat(seq % 2) if seq else None, data), at, 100 + seq % 2 if seq else None)


def draft(
    match_id: str = "F-001", lane: str = "home", *, payload: Mapping[str, Any] | None = None, **changes: Any
) -> Draft:
    """A board to be posted; with a payload what is read from that, which may be no board."""
    message = BoardMessage(0, 1) if payload is None else read_message("board", payload)
    return replace(Draft(message, match_id, lane), **changes)


def after(row: MatchRow, entries: int = 0, **changes: Any) -> MatchRow:
    """The row of the next revision, with so many entries more."""
    return changed(row, revision=row.revision + 1, version=row.version + entries, **changes)


def move(row: MatchRow, request: str | None = None, at: datetime = START, entries: int = 1) -> Commit:
    """The commit of a move on a row, with its board in the outbox."""
    new = after(row, entries, status="live", updated=at)
    return Commit(
        row=new,
        at=at,
        entries=tuple(entry(seq, at=at) for seq in range(row.version + 1, new.version + 1)),
        outbox=(draft(row.id, f"{row.place.home}", payload={"first": new.version, "last": new.version}),),
        request=request,
    )


def over(match_id: str = "F-1", **changes: Any) -> Commit:
    """A match of Ann and Ben that is over."""
    row = lobby(match_id, status="over", host=ANN, seats=SEATS, version=1, agreed=(ANN, BEN))
    log = (entry(0), Logged(entry(1).entry, START, ANN))
    held = (SeatHolder(match_id, 0, 0, "person", START, ANN, "Ann"),)
    return Commit(changed(row, **changes), START, log, holders=held)
