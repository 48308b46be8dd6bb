"""The matches of pairings: for each a lobby in which everyone sits, started at once."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from datetime import datetime

from matches import occupants
from matches.lobby.lobbies import Lobbies
from matches.results import Person, Refused
from matches.store.rows import MatchRow, Place, SeatRow
from matches.store.tournaments import EntrantRow, TournamentEntry, TournamentRow
from matches.tournaments.tournament_rules import TournamentChange

log = logging.getLogger(__name__)


async def start_matches(
    lobbies: Lobbies, row: TournamentRow, now: datetime
) -> tuple[tuple[MatchRow, ...], bool, TournamentChange]:
    """Start the matches of open pairings, as many at once as each person may have.

    Return them, whether one couldn't be started, and the change by which the tournament has them.
    """
    busy: Counter[int] = Counter()
    waiting = []
    for index in row.event.open:
        if row.matches[index] is None:
            waiting.append(index)
        else:
            busy.update(row.pairings[index].seats)
    started, entries, matches, refused = [], [], list(row.matches), False
    for index in waiting:
        seats = row.pairings[index].seats
        people = [one for one in seats if row.entrant(one).user is not None]
        if any(busy[one] >= row.plan.at_once for one in people):
            continue
        match = await _start_match(lobbies, row, index)
        refused |= match is None
        if match is not None:
            busy.update(seats)
            matches[index] = match.id
            data = {"pairing": index + 1, "match": match.id}
            entries.append(TournamentEntry(now, None, "match", data))
            started.append(match)
    change = TournamentChange(replace(row, matches=tuple(matches)), tuple(entries))
    return tuple(started), refused, change


async def _start_match(lobbies: Lobbies, row: TournamentRow, index: int) -> MatchRow | None:
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
