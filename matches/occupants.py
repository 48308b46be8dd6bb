"""Who sits where in a match or a study, and what its state forbids: pure functions of its row.

A study is a match whose owner always sits in the seat that is to act; the other seats are open. So whatever
asks for a person's seat gets the right one, and nobody else is ever waited for, called or asked. It has no
clock, no draw offers and no plans, and its result never counts.
"""

from __future__ import annotations

from dataclasses import replace

from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.results import Person, Refused
from matches.store.rows import MatchRow, Occupant, SeatRow

NAME_LENGTH = 80
"""Maximum length of a stored name, in characters."""


def why_not_open(row: MatchRow) -> Msg | None:
    """Return why a row is no longer a lobby; None if it is one."""
    match row.status:
        case "lobby":
            return None
        case "live":
            return msg("lobby.refuse.live", id=row.id)
        case "closed":
            return msg("lobby.refuse.closed", id=row.id)
        case "expired":
            return msg("lobby.refuse.expired", id=row.id)
        case _:
            return msg("lobby.refuse.over", id=row.id)


def why_read_only(row: MatchRow) -> Refused | None:
    """Return that nothing can be done in a match that was imported from a record; None in other matches."""
    return Refused(msg("match.refuse.imported", match=row.id)) if row.provenance.source == "import" else None


def occupied_seat(seat: int, who: Person, occupant: Occupant = "person") -> SeatRow:
    """Return a seat with its occupant, whose name is put on one line."""
    return SeatRow(seat, occupant, who.id, " ".join(who.name.split())[:NAME_LENGTH])


def person_seats(row: MatchRow) -> frozenset[Seat]:
    """Return the seats that people hold."""
    return frozenset(Seat(seat.seat) for seat in row.seats if seat.occupant == "person")


def is_full(row: MatchRow) -> bool:
    """Return whether a person or a computer has each seat: none is open or kept for a guest."""
    return all(seat.occupant in ("person", "computer") for seat in row.seats)


def people(row: MatchRow) -> frozenset[int]:
    """Return the users of a match: its host, and those who have a seat."""
    return frozenset(
        {s.user for s in row.seats if s.occupant == "person" and s.user is not None} | {row.host}
    )


def seat_of(row: MatchRow, user: int, occupant: Occupant = "person") -> int | None:
    """Return the seat that a person holds; with "invited" the one that is reserved for them."""
    return next((s.seat for s in row.seats if s.occupant == occupant and s.user == user), None)


def is_study(row: MatchRow) -> bool:
    """Return whether one person plays all sides."""
    return row.provenance.source == "study"


def why_not_in_study(row: MatchRow) -> Msg | None:
    """Return why something that needs others can't be done in a study; None in other matches."""
    return msg("match.refuse.study") if is_study(row) else None


def seats_in(match: Match, owner: Person) -> tuple[SeatRow, ...]:
    """Return the seats of a study: its owner in the first seat that is to act."""
    at = min(match.to_act)
    return tuple(
        occupied_seat(seat, owner) if seat == at else SeatRow(seat, "open")
        for seat in range(match.setup.seats)
    )


def reseated(row: MatchRow, match: Match) -> MatchRow:
    """Return the row of a study with its owner in the seat that is to act; once it's over, as it was."""
    owner = next((seat for seat in row.seats if seat.user is not None), None)
    if not is_study(row) or match.ending is not None or owner is None or owner.user is None:
        return row
    return replace(row, seats=seats_in(match, Person(owner.user, owner.name)))
