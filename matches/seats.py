"""Seats that change hands during a match: given away, taken over, held by a computer until someone comes.

What a seat knows goes with it. So nobody gets a second seat, and nobody who held one gets another. Computers
stand in for people whose time is up; these may come back, twice at most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal, TypeAlias

from games.ai.players_by_level import Levels
from games.engine import match as engine
from games.engine.game import Seat
from games.engine.match import Entry, Kind, Match
from games.engine.message import Msg, Who, msg
from matches import occupants
from matches import outbox_drafts as drafts
from matches.absence.time_up import vanished
from matches.core import Core, LoadedMatch, Reseated, stale, unknown_match
from matches.lobby import lobby_rules
from matches.lobby.admission import Admission, seated
from matches.log.changes import BOARD_KEPT, BY_CLOCK
from matches.occupants import why_not_in_study
from matches.results import Person, Played, Refused
from matches.store.moderation import ModerationRow
from matches.store.rows import MatchRow, SeatHolder, SeatRow
from matches.store.seats import SeatOffer

VANISHED = timedelta(days=7)
"""Time for which someone keeps a match waiting until others may have their seat filled."""
Why: TypeAlias = Literal["gift", "taken", "computer", "time", "back"]
"""Why a seat changed hands: given, taken over, left to a computer, out of time, its person came back."""
_Check: TypeAlias = Callable[[LoadedMatch], Msg | None]
MOST_RETURNS: Final = 2
"""Number of times that a person may come back to a seat that a computer took because their time was up."""


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A seat that has changed hands, and the person who may come back to it, if anyone may."""

    played: Played
    back: int | None


@dataclass(frozen=True, slots=True)
class Rights:
    """What the caller knows about a request: who makes it, and where the seat's person is."""

    moderator: bool = False
    """Whether a moderator of the server makes it."""
    left: bool = False
    """Whether the seat's person has left the server."""


class Seats:
    """Lets people and computers take over seats."""

    def __init__(self, core: Core, levels: Levels, admission: Admission) -> None:
        """`levels` has the computer players of each game, `admission` decides who may sit down."""
        self._core = core
        self._admission = admission
        self._levels = levels

    async def replace(
        self,
        match_id: str,
        seat: int,
        holder: Person | str,
        *,
        request: str,
        why: Why,
        by: int | None = None,
        returns: bool = True,
        check: _Check = lambda loaded: None,
        act: ModerationRow | None = None,
    ) -> SeatChange | Refused:
        """Let a person, or a computer of a level, take over a seat from whom it belongs to now.

        `by` is recorded in the log. With `returns`, a person who is replaced by a computer may come back.
        `check` may refuse it on the current position, `act` is what a moderator does by it. A computer never
        replaces the last person.
        """
        row = await self._core.store.match(match_id)
        if row is None:
            return unknown_match(match_id)
        held = await self._core.store.holders(match_id)
        if isinstance(holder, Person) and why != "back":
            others = seated(replace(row, seats=row.seats[:seat] + row.seats[seat + 1 :]))
            barred = await self._admission.why_not_join(
                row.place.guild, holder.id, others - {holder.id}, live=True
            )
            if barred is not None:
                answered = await self._core.answer(request, Refused(barred))
                return SeatChange(answered, None) if isinstance(answered, Played) else answered

        def judge(loaded: LoadedMatch) -> Reseated | Refused:
            why_not = _why_not(loaded.row, loaded.match, seat) or check(loaded)
            if why_not is None and loaded.row.seats != row.seats:
                return stale()  # `held` is out of date
            why_not = why_not or self._why_not_holder(loaded.row, loaded.match, seat, holder, held)
            return Refused(why_not) if why_not else self._reseated(loaded, seat, holder, why, returns=returns)

        answer = await self._core.decide(match_id, by, request, judge, act=act)
        if isinstance(answer, Refused):
            return answer
        held = await self._core.store.holders(match_id)
        back = next((one.back for one in held if (one.seat, one.since) == (seat, answer.first)), None)
        return SeatChange(answer, back)

    # --- offers -------------------------------------------------------------------------------------------

    async def offer(self, row: MatchRow, offer: SeatOffer, act: ModerationRow | None = None) -> None:
        """Offer a seat of a match, as `why_not_give` or `why_not_offer` allows it, or as a moderator."""
        notices = drafts.seat_offer(row, offer, "" if act is None else act.reason)
        async with self._core.locks.hold(_offers_of(row.id)):
            await self._core.store.offer_seat(offer, notices, self._core.now(), act)

    async def why_not_offer_to(self, row: MatchRow, match: Match, seat: int, to: Person) -> Msg | None:
        """Return why a moderator can't offer a seat to a person; None if they can."""
        held = await self._core.store.holders(row.id)
        why = _why_not(row, match, seat) or self._why_not_holder(row, match, seat, to, held)
        return why or (msg("match.refuse.seat_asked") if await self._offer_of(row.id, seat, to.id) else None)

    async def close_offer(self, match_id: str, seat: int, to: int | None) -> Refused | None:
        """Withdraw or decline an offer to a person, or to everyone; say why not if it isn't open."""
        async with self._core.locks.hold(_offers_of(match_id)):
            closed = await self._core.store.close_offer(match_id, seat, to)
            return None if closed else Refused(msg("match.refuse.seat_offer"))

    async def _offer_of(self, match_id: str, seat: int, to: int | None) -> SeatOffer | None:
        offers = await self._core.store.seat_offers(match_id)
        return next((one for one in offers if (one.seat, one.to) == (seat, to)), None)

    async def give(
        self, match_id: str, seat: int, giver: int, to: Person, *, request: str
    ) -> SeatChange | Refused:
        """Give a seat to a person who accepts its offer, if its giver still holds it."""
        async with self._core.locks.hold(_offers_of(match_id)):
            offer = await self._offer_of(match_id, seat, to.id)

            def check(loaded: LoadedMatch) -> Msg | None:
                by_moderator = offer is not None and not offer.own
                if not by_moderator and occupants.seat_of(loaded.row, giver) != seat:
                    return msg("match.refuse.seat_given")
                return None if offer is not None and offer.by == giver else msg("match.refuse.seat_offer")

            return await self.replace(match_id, seat, to, request=request, why="gift", by=to.id, check=check)

    async def take(
        self, match_id: str, seat: int, who: Person, *, request: str, offered: int
    ) -> SeatChange | Refused:
        """Take a seat that is offered to everyone; `offered` is the entry after which it was offered.

        It is gone once someone has taken it, or if its person has acted since someone else offered it.
        """
        async with self._core.locks.hold(_offers_of(match_id)):
            offer = await self._offer_of(match_id, seat, None)

            def check(loaded: LoadedMatch) -> Msg | None:
                since = _acts_of(loaded.match, seat, offered if offer is None else offer.entry)
                if any(entry.kind is Kind.SUBSTITUTE and entry.data != "computer" for entry in since):
                    return msg("match.refuse.seat_taken")
                if offer is None:
                    return msg("match.refuse.seat_offer")
                if since and not offer.own and loaded.row.seats[seat].occupant == "person":
                    return msg("match.refuse.seat_here", who=Who(Seat(seat)))
                return None

            return await self.replace(
                match_id, seat, who, request=request, why="taken", by=who.id, check=check
            )

    # --- computers ----------------------------------------------------------------------------------------

    async def fill_in(
        self, match_id: str, seat: int, level: str, *, by: int, request: str, rights: Rights
    ) -> SeatChange | Refused:
        """Let a computer hold a seat until someone takes it over, or its person comes back."""

        def check(loaded: LoadedMatch) -> Msg | None:
            return self.why_not_fill(loaded.row, loaded.match, seat, by, rights)

        return await self.replace(match_id, seat, level, request=request, why="computer", by=by, check=check)

    async def come_back(self, match_id: str, who: Person, *, request: str) -> SeatChange | Refused:
        """Let a person take their seat back from the computer that holds it for them."""
        row = await self._core.store.match(match_id)
        if row is None:
            return unknown_match(match_id)
        seat = kept_seat(row, await self._core.store.holders(match_id), who.id)
        if seat is None:
            answer = await self._core.answer(request, Refused(msg("match.refuse.seat_none_kept")))
            return SeatChange(answer, None) if isinstance(answer, Played) else answer

        def check(loaded: LoadedMatch) -> Msg | None:
            kept = loaded.row.seats[seat].occupant == "computer"
            return None if kept else msg("match.refuse.seat_none_kept")

        return await self.replace(match_id, seat, who, request=request, why="back", by=who.id, check=check)

    # --- who may ------------------------------------------------------------------------------------------

    def why_not_give(self, row: MatchRow, match: Match, giver: int, to: int) -> Msg | None:
        """Return why a person can't offer their seat to another; None if they can."""
        seat = occupants.seat_of(row, giver)
        if seat is None:
            return msg("match.refuse.not_yours")
        if occupants.seat_of(row, to) is not None:
            return msg("match.refuse.seat_has")
        return _why_not(row, match, seat)

    def why_not_offer(self, row: MatchRow, match: Match, seat: int, who: int, rights: Rights) -> Msg | None:
        """Return why a person can't offer a seat to everyone; None if they can."""
        if (why := _why_not(row, match, seat)) is not None:
            return why
        if row.seats[seat].occupant == "computer" and seat not in match.seats.stand_ins:
            return msg("match.refuse.seat_computer")
        if row.seats[seat].user == who or rights.moderator:
            return None
        if who not in occupants.people(row):
            return msg("match.refuse.not_yours")
        if seat in match.seats.stand_ins or self._is_away(row, match, seat, rights):
            return None
        return msg("match.refuse.seat_present", who=Who(Seat(seat)), n=VANISHED.days)

    def why_not_fill(self, row: MatchRow, match: Match, seat: int, who: int, rights: Rights) -> Msg | None:
        """Return why a person can't let a computer play a seat; None if they can."""
        if (why := _why_not(row, match, seat)) is not None:
            return why
        if row.seats[seat].user == who or rights.moderator:
            return None
        if who != row.host:
            return msg("match.refuse.seat_fill", who=Who(Seat(seat)))
        if self._is_away(row, match, seat, rights):
            return None
        return msg("match.refuse.seat_present", who=Who(Seat(seat)), n=VANISHED.days)

    def _is_away(self, row: MatchRow, match: Match, seat: int, rights: Rights) -> bool:
        """Return whether a seat's person has left or vanished, or has kept the match waiting for too long."""
        waited = self._core.now() - row.updated
        if rights.left or Seat(seat) in vanished(match):
            return True
        return seat in match.to_act and waited >= VANISHED

    def _why_not_holder(
        self, row: MatchRow, match: Match, seat: int, holder: Person | str, held: Sequence[SeatHolder]
    ) -> Msg | None:
        """Return why a person or a computer of a level can't have a seat; None if they can."""
        if isinstance(holder, Person):
            if occupants.seat_of(row, holder.id) is not None:
                return msg("match.refuse.seat_has")
            if any(one.user == holder.id and one.seat != seat for one in held):
                return msg("match.refuse.seat_had")
            return None
        if row.seats[seat].occupant == "computer":
            return msg("match.refuse.seat_computer")
        if not self._levels.has(row.game, holder):
            return lobby_rules.refuse_level(row, self._levels)
        others = (row.seats[each] for each in match.playing - {seat})
        return None if any(one.occupant == "person" for one in others) else msg("match.refuse.seat_last")

    def _reseated(
        self, loaded: LoadedMatch, seat: int, holder: Person | str, why: Why, *, returns: bool
    ) -> Reseated | Refused:
        row, old = loaded.row, loaded.row.seats[seat]
        came: Literal["person", "computer"] = "person" if isinstance(holder, Person) else "computer"
        change = engine.substitute(loaded.match, Seat(seat), came, loaded.sealed)
        if isinstance(change, Msg):
            return Refused(change)
        if isinstance(holder, Person):
            new = occupants.occupied_seat(seat, holder)
        else:
            new = SeatRow(seat, "computer", level=holder)
        back = old.user if came == "computer" and returns else None
        was: Literal["person", "computer"] = "computer" if old.occupant == "computer" else "person"
        first = SeatHolder(row.id, seat, 0, was, row.created, old.user, old.name, old.level)
        now, entry = self._core.now(), change.entries[0].seq
        then = SeatHolder(row.id, seat, entry, came, now, new.user, new.name, new.level, why, back)
        seats = tuple(new if one.seat == seat else one for one in row.seats)
        return Reseated(change, seats, (first, then))


def kept_seat(row: MatchRow, held: Sequence[SeatHolder], user: int) -> int | None:
    """Return the seat that a computer holds until a person comes back; None if there is none."""
    latest = {one.seat: one for one in held}  # they come in order
    return next(
        (seat for seat, one in latest.items() if row.seats[seat].occupant == "computer" and one.back == user),
        None,
    )


def _offers_of(match_id: str) -> str:
    """Return the lock under which the offers of a match are read, taken and withdrawn."""
    return f"{match_id}/offers"


def _acts_of(match: Match, seat: int, entry: int) -> list[Entry]:
    """Return what was done in a seat after an entry, but for what the clock did there."""
    by_clock = BY_CLOCK | BOARD_KEPT | {Kind.RULING}
    return [each for each in match.log[entry + 1 :] if each.seat == seat and each.kind not in by_clock]


def _why_not(row: MatchRow, match: Match, seat: int) -> Msg | None:
    """Return why a seat can't change hands at all: there is no such seat, or it doesn't play."""
    if match.ending:
        return msg("match.refuse.over")
    if (why := why_not_in_study(row)) is not None:
        return why
    if not 0 <= seat < len(row.seats):
        return msg("lobby.refuse.seat", seats=len(row.seats))
    return None if Seat(seat) in match.playing else msg("match.refuse.seat_gone", who=Who(Seat(seat)))


class StandIns:
    """Finds a computer for a late seat."""

    def __init__(self, core: Core, seats: Seats, levels: Levels) -> None:
        """`levels` has the computer players of each game."""
        self._core = core
        self._seats = seats
        self._levels = levels

    async def fill_in(self, row: MatchRow, seat: Seat) -> Played | Refused:
        """Let a computer of a middle level take a seat; refused where it would be the last person's."""
        held = await self._core.store.holders(row.id)
        times = sum(one.seat == seat and one.why == "time" for one in held)
        names = self._levels.names(row.game)
        filled = await self._seats.replace(
            row.id,
            seat,
            names[len(names) // 2],
            request=f"late:{row.id}:{row.version}:{seat}",
            why="time",
            returns=times < MOST_RETURNS,
        )
        return filled.played if isinstance(filled, SeatChange) else filled
