"""Who sits where in a match, and what its state forbids: pure functions of its row."""

from __future__ import annotations

from games.engine.game import Seat
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
