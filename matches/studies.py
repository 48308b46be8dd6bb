"""Studies: one person plays all sides of a match in direct messages, and goes back as they like.

A study is a match whose owner always sits in the seat that is to act; the other seats are open. So whatever
asks for a person's seat gets the right one, and nobody else is ever waited for, called or asked. It has no
clock, no draw offers and no plans, and its result never counts.
"""

from __future__ import annotations

from dataclasses import replace

from games.engine.match import Match
from games.engine.message import Msg, msg
from matches import seating
from matches.results import Person
from matches.store.rows import MatchRow, SeatRow


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
        seating.occupied_seat(seat, owner) if seat == at else SeatRow(seat, "open")
        for seat in range(match.setup.seats)
    )


def reseated(row: MatchRow, match: Match) -> MatchRow:
    """Return the row of a study with its owner in the seat that is to act; once it's over, as it was."""
    owner = next((seat for seat in row.seats if seat.user is not None), None)
    if not is_study(row) or match.ending is not None or owner is None or owner.user is None:
        return row
    return replace(row, seats=seats_in(match, Person(owner.user, owner.name)))
