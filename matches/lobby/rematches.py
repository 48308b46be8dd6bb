"""Rematches: who may ask for one, its seats, and its lobby."""

from __future__ import annotations

from dataclasses import replace

from games.engine.message import Msg, msg
from matches import occupants
from matches.core import Core, unknown_match
from matches.lobby import lobby_rules
from matches.lobby.admission import Admission
from matches.lobby.lobbies import Lobbies
from matches.results import Lobby, Person, Refused
from matches.store.rows import LobbyState, MatchRow, Place, Provenance, SeatRow


class Rematches:
    """Opens the lobbies of rematches."""

    def __init__(self, core: Core, lobbies: Lobbies, admission: Admission) -> None:
        self._core = core
        self._lobbies = lobbies
        self._admission = admission

    async def open(
        self, match_id: str, who: Person, *, request: str, place: Place | None = None
    ) -> Lobby | Refused:
        """Open a lobby with the seats rotated by one: the asker and computers sit, the others are invited.

        If there is a rematch already, return that, and accept the asker's invitation to it. `place` defaults
        to that of the match; in direct messages pass the asker's own channel.
        """
        async with self._core.locks.hold(match_id):
            row = await self._core.store.match(match_id)
            if row is None:
                return unknown_match(match_id)
            if (served := await self._core.store.request(request)) is not None:
                return await self._lobbies.lobby_of(served)
            if (why := why_no_rematch(row, who.id)) is not None:
                return Refused(why)
            there = await self._find(row)
            if there is None:
                return await self._open(row, who, request, place or row.place)
        if there.status == "lobby" and occupants.seat_of(there, who.id) is None:
            return await self._lobbies.join(there.id, who, request=request)
        return Lobby(there)

    async def _find(self, row: MatchRow) -> MatchRow | None:
        """Return the rematch of a match if it is in its lobby or being played."""
        for user in {seat.user for seat in row.seats if seat.user is not None}:
            for found in await self._core.store.by_user(user, ("lobby", "live")):
                if found.provenance.previous == row.id:
                    return found
        return None

    async def _open(self, row: MatchRow, who: Person, request: str, place: Place) -> Lobby | Refused:
        judged = lobby_rules.setup_of(row)
        if isinstance(judged, Msg):
            return Refused(judged)
        seats = rotated_seats(row, who.id)
        if (why := await self._admission.why_not_open(place.guild, who.id, seats)) is not None:
            return Refused(why)
        agreed = replace(row.conditions, rated=bool(row.conditions.rated) and row.provenance.origin is None)
        lobby = LobbyState(use_thread=row.lobby.use_thread)
        source = Provenance(origin=row.provenance.origin, previous=row.id)
        return await self._lobbies.open(who, place, *judged, seats, request, agreed, lobby, source)


def why_no_rematch(row: MatchRow, who: int) -> Msg | None:
    """Return why a person can't ask for a rematch of a match; None if they can."""
    if row.version < 0:
        return msg("match.refuse.not_started", id=row.id)
    if (why := occupants.why_not_in_study(row)) is not None:
        return why
    if occupants.seat_of(row, who) is None:
        return msg("match.refuse.not_yours")
    return msg("match.refuse.rematch") if row.status == "live" else None


def rotated_seats(row: MatchRow, asker: int) -> tuple[SeatRow, ...]:
    """Return the seats of a rematch, rotated by one; all people but the asker are invited.

    Those of people who were forgotten are open; their numbers are below zero. Seats that no longer play in
    the position in which it begins stay as they are.
    """
    out = () if row.provenance.origin is None else row.provenance.origin.out
    turning = [number for number in range(len(row.seats)) if number not in out]
    after = dict(zip(turning, turning[1:] + turning[:1], strict=True))
    seats: list[SeatRow] = []
    for number in range(len(row.seats)):
        seat = replace(row.seats[after.get(number, number)], seat=number)
        if seat.user is not None and seat.user < 0:
            seat = SeatRow(number, "open")
        invited = seat.occupant == "person" and seat.user != asker
        seats.append(replace(seat, occupant="invited") if invited else seat)
    return tuple(seats)
