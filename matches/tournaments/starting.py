"""The match of a pairing: a lobby in which everyone sits, started at once."""

from __future__ import annotations

import logging

from matches import occupants
from matches.lobby.lobbies import Lobbies
from matches.results import Person, Refused
from matches.store.rows import MatchRow, Place, SeatRow
from matches.store.tournaments import EntrantRow, TournamentRow

log = logging.getLogger(__name__)


async def start_match(lobbies: Lobbies, row: TournamentRow, index: int) -> MatchRow | None:
    """Start the match of a pairing, once: a repeated request finds the one that is there."""
    entrants = [row.entrant(number) for number in row.pairings[index].seats]
    seats = tuple(_seat(seat, one) for seat, one in enumerate(entrants))
    host = next((one.user for one in entrants if one.user is not None), row.organiser)
    request = f"tournament:{row.id}:{index}"
    opened = await lobbies.open_seated(
        host,
        Place(row.guild, row.channel),
        row.game,
        seats,
        request=request,
        options=row.plan.options,
        clock=row.plan.clock,
        rated=row.plan.rated,
    )
    if not isinstance(opened, Refused):
        begun = await lobbies.start(opened.row.id, opened.row.host, request=f"{request}:start", lots=False)
        if not isinstance(begun, Refused):
            return begun.row
        opened = begun
    log.warning("pairing %s of tournament %s can't begin: %s", index + 1, row.id, opened.why.key)
    return None


def _seat(seat: int, one: EntrantRow) -> SeatRow:
    """Return the seat of an entrant in a match."""
    if one.user is None:
        return SeatRow(seat, "computer", level=one.level)
    return occupants.occupied_seat(seat, Person(one.user, one.name))
