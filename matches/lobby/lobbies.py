"""Lobbies from their creation to the start of the match. `lobby_rules` has the rules."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from games.ai.players_by_level import Levels
from games.engine.dice import SECRET_BYTES, Sealed
from games.engine.game import AnyGame, Json, Setup
from games.engine.match import CorruptLogError, begin
from games.engine.message import Msg, msg
from matches import occupants
from matches import outbox_drafts as drafts
from matches.clocks.control import TimeControl, from_json, to_json
from matches.core import ATTEMPTS, Core, stale, unknown_match
from matches.ids import create_with_new_id
from matches.lobby import lobby_rules
from matches.lobby.admission import Admission
from matches.outbox.queue import Draft
from matches.ports import RepeatedError, StaleError
from matches.results import Lobby, Person, Played, Refused
from matches.store.rows import (
    Commit,
    Conditions,
    LobbyState,
    MatchRow,
    OriginRef,
    Place,
    Provenance,
    Request,
    SeatRow,
    Terms,
)

log = logging.getLogger(__name__)


class Lobbies:
    """What people do before a match starts."""

    def __init__(
        self,
        core: Core,
        levels: Levels,
        admission: Admission,
        *,
        lobby_life: timedelta,
        remind_before: timedelta,
        max_hosted: int,
    ) -> None:
        """Lobbies expire after `lobby_life`, but no sooner than `remind_before` after someone has joined.

        A person can host `max_hosted` lobbies at a time.
        """
        self._core = core
        self._levels = levels
        self._admission = admission
        self._lobby_life = lobby_life
        self._remind_before = remind_before
        self._max_hosted = max_hosted

    async def create(
        self,
        host: Person,
        place: Place,
        game: str,
        *,
        request: str,
        seats: int | None = None,
        options: Mapping[str, Json] | None = None,
        invited: Sequence[Person] = (),
        use_thread: bool = True,
        previous: str | None = None,
        clock: TimeControl | None = None,
        rated: bool = False,
        origin: OriginRef | None = None,
        starts_full: bool = False,
    ) -> Lobby | Refused:
        """Open a lobby with its host in the first seat.

        `seats` defaults to the smallest number with room for host and guests, options to their defaults.
        `previous` is the match of which this is the rematch, `clock` that to play with, `rated` whether the
        result is to count for ratings, `origin` the position to begin in, which fits seats and options.
        With `starts_full` it is to start once it is full, unless its host changes something.
        Raises StoreError if no id can be found.
        """
        out = {} if origin is None else dict.fromkeys(origin.out, self._levels.names(game)[0])
        prepared = lobby_rules.prepare(host, game, seats, options or {}, invited, out)
        if isinstance(prepared, Msg):
            return await self._unless_served(request, Refused(prepared))
        if (why := await self._admission.why_not_open(place.guild, host.id, prepared[2])) is not None:
            return await self._unless_served(request, Refused(why))
        agreed = Conditions(None if clock is None else to_json(clock), rated=rated and origin is None)
        lobby = LobbyState(use_thread=use_thread, starts_full=starts_full)
        source = Provenance(origin=origin, previous=previous)
        return await self.open(host, place, *prepared, request, agreed, lobby, source)

    async def open_seated(
        self,
        host: int,
        place: Place,
        game: str,
        seats: tuple[SeatRow, ...],
        *,
        request: str,
        options: Mapping[str, Json],
        clock: dict[str, Any] | None,
        rated: bool,
    ) -> Lobby | Refused:
        """Open a lobby in which everyone has sat down already, as in a tournament.

        Who may sit down with whom is up to the caller. Raises StoreError if no id can be found.
        """
        judged = lobby_rules.check_setup(game, len(seats), options)
        if isinstance(judged, Msg):
            return await self._unless_served(request, Refused(judged))
        return await self.open(
            Person(host, ""), place, *judged, seats, request, Conditions(clock, rated=rated)
        )

    async def open(
        self,
        host: Person,
        place: Place,
        game: AnyGame,
        setup: Setup,
        seats: tuple[SeatRow, ...],
        request: str,
        conditions: Conditions,
        lobby: LobbyState | None = None,
        provenance: Provenance | None = None,
    ) -> Lobby | Refused:
        """Open a lobby with these seats; refused for those who host too many. Repeated, return the first one.

        Who may sit down with whom is up to the caller. Raises StoreError if no id can be found.
        """
        async with self._core.locks.hold(f"user/{host.id}"):
            hosted = [
                row for row in await self._core.store.by_user(host.id, ("lobby",)) if row.host == host.id
            ]
            if len(hosted) >= self._max_hosted:
                many = Refused(msg("lobby.refuse.many", n=self._max_hosted))
                return await self._unless_served(request, many)
            now, entropy = self._core.now(), self._core.entropy

            def opened(match_id: str) -> Commit:
                row = MatchRow(
                    id=match_id,
                    game=game.key,
                    status="lobby",
                    place=place,
                    host=host.id,
                    seats=seats,
                    options=dict(setup.options),
                    secret=entropy.token(SECRET_BYTES).hex(),
                    created=now,
                    updated=now,
                    lobby=replace(lobby or LobbyState(), expires=now + self._lobby_life),
                    conditions=conditions,
                    provenance=provenance or Provenance(),
                )
                return Commit(row, now, (), drafts.lobby(row), request)

            try:
                return Lobby(await create_with_new_id(self._core.store, entropy, game.code, opened))
            except RepeatedError as error:
                return await self.lobby_of(error.request)

    async def join(
        self, match_id: str, who: Person, *, request: str, seat: int | None = None
    ) -> Lobby | Refused:
        """Take a seat or accept an invitation; the last one calls the host.

        Joining shortly before a lobby expires extends it.
        """

        if (why := await self._admission.why_not_join_lobby(match_id, who.id)) is not None:
            return await self._unless_served(request, Refused(why))

        def change(row: MatchRow) -> MatchRow | Msg:
            after = lobby_rules.join(row, who, seat)
            if isinstance(after, Msg) or after.lobby.expires is None:
                return after
            expires = max(after.lobby.expires, self._core.now() + self._remind_before)
            return replace(after, lobby=replace(after.lobby, expires=expires))

        return await self._change(
            match_id, request, change, notices=lambda row, before: drafts.lobby_full(row)
        )

    async def leave(self, match_id: str, who: int, *, request: str) -> Lobby | Refused:
        """Leave or decline an invitation. If the host leaves, another person hosts, or the lobby closes."""
        return await self._change(match_id, request, lambda row: lobby_rules.leave(row, who))

    async def leave_or_close(self, match_id: str, who: int, *, request: str) -> bool:
        """Leave a lobby, or close it as a host without a seat; return whether either was done."""
        left = await self.leave(match_id, who, request=request)
        if isinstance(left, Refused):
            left = await self.close(match_id, who, request=f"{request}:close")
        return not isinstance(left, Refused)

    async def invite(
        self, match_id: str, who: int, guests: Sequence[Person], *, request: str
    ) -> Lobby | Refused:
        """Keep a seat for each guest, and notify them; host only."""
        called = [guest.id for guest in guests]
        if (why := await self._admission.why_not_call(match_id, who, called)) is not None:
            return await self._unless_served(request, Refused(why))
        return await self._change(
            match_id,
            request,
            lambda row: lobby_rules.invite(row, guests),
            host=who,
            notices=lambda row, before: drafts.invitation(row, called),
        )

    async def add_computer(
        self, match_id: str, who: int, *, request: str, level: str = "random", seat: int | None = None
    ) -> Lobby | Refused:
        """Seat a computer player of one of the game's levels; host only."""
        return await self._change(
            match_id,
            request,
            lambda row: lobby_rules.add_computer(row, level, seat, self._levels),
            host=who,
        )

    async def remove(self, match_id: str, who: int, seat: int, *, request: str) -> Lobby | Refused:
        """Clear a seat of a person, an invitation or a computer; host only."""
        return await self._change(match_id, request, lambda row: lobby_rules.remove(row, seat), host=who)

    async def swap(self, match_id: str, who: int, a: int, b: int, *, request: str) -> Lobby | Refused:
        """Swap the occupants of two seats; host only."""
        return await self._change(match_id, request, lambda row: lobby_rules.swap(row, a, b), host=who)

    async def configure(
        self,
        match_id: str,
        who: int,
        *,
        request: str,
        seats: int | None = None,
        options: Mapping[str, Json] | None = None,
    ) -> Lobby | Refused:
        """Change the number of seats or some options; host only."""
        return await self._change(
            match_id, request, lambda row: lobby_rules.configure(row, seats, options or {}), host=who
        )

    async def set_clock(
        self, match_id: str, who: int, clock: TimeControl | None, *, request: str
    ) -> Lobby | Refused:
        """Choose the clock to play with; None for none. Host only."""
        return await self.change_clock(match_id, who, lambda now: clock, request=request)

    async def change_clock(
        self,
        match_id: str,
        who: int,
        change: Callable[[TimeControl | None], TimeControl | None],
        *,
        request: str,
    ) -> Lobby | Refused:
        """Replace the clock to play with by what `change` makes of the current one; host only."""

        def changed(agreed: Conditions) -> Conditions:
            clock = change(None if agreed.clock is None else from_json(agreed.clock))
            return replace(agreed, clock=None if clock is None else to_json(clock))

        return await self._agree(match_id, who, changed, request, notices=drafts.clock_changed)

    async def allow_hints(self, match_id: str, who: int, *, allowed: bool, request: str) -> Lobby | Refused:
        """Choose whether players may ask for hints; host only."""
        return await self._agree(match_id, who, lambda agreed: replace(agreed, hints=allowed), request)

    async def set_rated(self, match_id: str, who: int, *, rated: bool, request: str) -> Lobby | Refused:
        """Choose whether the result is to count for ratings; host only, while nobody else has sat down."""
        return await self._change(match_id, request, lambda row: lobby_rules.set_rated(row, rated), host=who)

    async def set_terms(self, match_id: str, who: int, terms: Terms, *, request: str) -> Lobby | Refused:
        """Choose whom the lobby is for; host only. Those who have sat down stay."""
        return await self._change(match_id, request, lambda row: lobby_rules.set_terms(row, terms), host=who)

    async def set_delay(self, match_id: str, who: int, delay: int, *, request: str) -> Lobby | Refused:
        """Choose by how many turns others see the match late, one of `spectating.DELAYS`; host only."""
        return await self._agree(match_id, who, lambda agreed: replace(agreed, delay=delay), request)

    async def close(self, match_id: str, who: int, *, request: str) -> Lobby | Refused:
        """Close a lobby that has not started; host only."""
        return await self._change(match_id, request, lobby_rules.close, host=who)

    async def start(self, match_id: str, who: int, *, request: str, lots: bool = True) -> Played | Refused:
        """Start the match if all seats are taken; host only. Without `lots` seats stay as they are."""
        async with self._core.locks.hold(match_id) as held:
            for _ in range(ATTEMPTS):
                row = await self._core.store.match(match_id)
                if row is None:
                    return unknown_match(match_id)
                excluded = await self._admission.why_excluded(row.place.guild, who)
                judged = excluded or lobby_rules.check_start(row, who)
                if isinstance(judged, Msg):
                    return await self._core.answer(request, Refused(judged))
                sealed = Sealed(bytes.fromhex(row.secret), row.id, lobby_rules.salt(request, row))
                agreed = replace(row.conditions, rated=lobby_rules.is_rated(row))
                lobby = replace(row.lobby, expires=None)
                live = replace(row, status="live", lobby=lobby, conditions=agreed)
                if lots and lobby_rules.draws_lots(row, *judged):
                    live = replace(live, seats=lobby_rules.shuffled_seats(row, sealed.dice(0)))
                try:
                    noted = lobby_rules.strengths_of(live) if live.conditions.rated else None
                    source = row.provenance.origin
                    origin = None if source is None else await self._core.origins.origin(source)
                    change = begin(*judged, sealed, row.conditions.clock, origin, noted)
                except (LookupError, CorruptLogError):
                    log.exception("match %s can't begin in its position", row.id)
                    return await self._core.answer(request, Refused(msg("match.fork.lost", match=row.id)))
                try:
                    return await self._core.commit_change(live, None, change, request, who, held)
                except RepeatedError as error:
                    return await self._core.repeat_answer(error.request)
                except StaleError:
                    continue
            return stale()

    async def _agree(
        self,
        match_id: str,
        host: int,
        change: Callable[[Conditions], Conditions],
        request: str,
        notices: Callable[[MatchRow, MatchRow], tuple[Draft, ...]] = lambda row, before: (),
    ) -> Lobby | Refused:
        """Change what the players of a lobby agree on by sitting down; host only."""

        def changed(row: MatchRow) -> MatchRow:
            return replace(row, conditions=change(row.conditions))

        return await self._change(match_id, request, changed, host=host, notices=notices)

    async def _change(
        self,
        match_id: str,
        request: str,
        change: Callable[[MatchRow], MatchRow | Msg],
        *,
        host: int | None = None,
        notices: Callable[[MatchRow, MatchRow], tuple[Draft, ...]] = lambda row, before: (),
    ) -> Lobby | Refused:
        """Change a lobby; if `host` is given, refuse unless that user is its host.

        `notices` drafts further messages about the lobby as it is then, and was before.
        """
        async with self._core.locks.hold(match_id):
            for _ in range(ATTEMPTS):
                row = await self._core.store.match(match_id)
                if row is None:
                    return unknown_match(match_id)
                after = self._changed(row, change, host)
                if isinstance(after, Refused):
                    return await self._unless_served(request, after)
                try:
                    outbox = (*drafts.lobby(after, row), *notices(after, row))
                    await self._core.store.commit(Commit(after, after.updated, (), outbox, request))
                except RepeatedError as error:
                    return await self.lobby_of(error.request)
                except StaleError:
                    continue
                return Lobby(after)
            return stale()

    def _changed(
        self, row: MatchRow, change: Callable[[MatchRow], MatchRow | Msg], host: int | None
    ) -> MatchRow | Refused:
        if (why := occupants.why_not_open(row)) is not None:
            return Refused(why)
        if host is not None and host != row.host:
            return Refused(msg("lobby.refuse.host"))
        after = change(row)
        if isinstance(after, Msg):
            return Refused(after)
        lobby = replace(after.lobby, starts_full=after.lobby.starts_full and host is None)
        return replace(after, revision=row.revision + 1, updated=self._core.now(), lobby=lobby)

    async def _unless_served(self, request: str, refused: Refused) -> Lobby | Refused:
        """Return the refusal, or the first answer if the request was served before."""
        served = await self._core.store.request(request)
        return refused if served is None else await self.lobby_of(served)

    async def lobby_of(self, served: Request) -> Lobby | Refused:
        """Return the lobby that a request has opened or changed, as it is now."""
        row = await self._core.store.match(served.match)
        return unknown_match(served.match) if row is None else Lobby(row, repeated=True)
