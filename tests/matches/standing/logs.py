"""Finished matches of the toy game in a line: their logs, their rows, and who held their seats."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from games.engine.game import Seat
from games.engine.match import Entry, Kind
from matches.standing.match_results import result_of
from matches.store.rows import Conditions, Logged, MatchRow, Place, SeatHolder, SeatRow
from matches.store.standing import MatchResult, PersonResult
from tests.fakes import START
from tests.storage.rows import changed

MINUTE = timedelta(minutes=1)


def log(text: str, start: str = "") -> list[Logged]:
    """Entries a minute apart, after the start: "0:play 1:resign=moderator chance reveal"."""
    found = [Logged(Entry(0, Kind.START, None, start), START)]
    for seq, word in enumerate(text.split(), 1):
        seat, _, rest = word.rpartition(":")
        kind, _, data = rest.partition("=")
        entry = Entry(seq, Kind(kind), Seat(int(seat)) if seat else None, data)
        found.append(Logged(entry, START + seq * MINUTE))
    return found


def people(*users: int | None) -> tuple[SeatRow, ...]:
    """Seats with these people in them; None is a computer."""
    return tuple(
        SeatRow(n, "computer", level="easy") if user is None else SeatRow(n, "person", user, f"P{user}")
        for n, user in enumerate(users)
    )


def row(*users: int | None, ranks: tuple[int, ...], **changes: Any) -> MatchRow:
    """A match that is over."""
    made = MatchRow(
        id="W-1",
        game="toy",
        status="over",
        place=Place(900, 10),
        host=1,
        seats=people(*users),
        options={"pairs": False, "rounds": 2},
        secret="00",
        created=START,
        updated=START,
        result={"how": "outcome", "ranks": list(ranks)},
        conditions=Conditions(rated=True),
    )
    return changed(made, **changes)


def holder(seat: int, since: int, user: int | None, at: datetime = START) -> SeatHolder:
    """Who held a seat from an entry on."""
    return SeatHolder("W-1", seat, since, "computer" if user is None else "person", at, user)


def ended_as(
    text: str,
    *users: int | None,
    ranks: tuple[int, ...],
    holders: tuple[SeatHolder, ...] = (),
    start: str = "",
    **changes: Any,
) -> MatchResult:
    """What a match says; it must say something."""
    found = result_of(row(*users, ranks=ranks, **changes), log(text, start), holders)
    assert found is not None
    return found


def by_user(found: MatchResult) -> dict[int, PersonResult]:
    """What it says about each person."""
    return {one.user: one for one in found.people}
