"""Seats change hands at any time, among everything else: the log, the seats and their holders agree."""

from __future__ import annotations

from collections.abc import Awaitable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from games.engine.match import Match, fold
from matches.results import Person, Played, Refused
from matches.seats import Rights, SeatChange
from matches.store.seats import SeatOffer
from tests.matches.machine import PEOPLE, PERSON, QUIET, WHICH
from tests.matches.test_machine import Anything
from tests.soak import examples

HEIRS = [*PEOPLE, Person(5, "P5"), Person(6, "P6")]


class Seats(Anything):
    """Anything, with seats given, taken, filled in and taken back."""

    async def changed(self, doing: Awaitable[SeatChange | Refused]) -> Played | Refused:
        """Return the change of the match."""
        answer = await doing
        return answer.played if isinstance(answer, SeatChange) else answer

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, seat=st.integers(0, 3), heir=st.sampled_from(HEIRS))
    def give(self, number: int, seat: int, heir: Person) -> None:
        id_, request = self.which(number), self.world.new
        row = self.row(id_)
        giver = row.seats[seat % len(row.seats)].user or 0
        seats, at = self.world.service.seats, seat % len(row.seats)
        if row.status == "live":
            self.runner.run(seats.offer(row, SeatOffer(id_, at, giver, row.version, heir.id)))
        self.ask(request, lambda: self.changed(seats.give(id_, at, giver, heir, request=request)))

    @precondition(lambda self: self.matches)
    @rule(
        number=WHICH,
        seat=st.integers(0, 3),
        who=st.sampled_from(HEIRS),
        own=st.booleans(),
        back=st.integers(0, 4),
    )
    def take(self, number: int, seat: int, who: Person, own: bool, back: int) -> None:
        id_, request = self.which(number), self.world.new
        row, seats = self.row(id_), self.world.service.seats
        offered = max(0, row.version - back)
        if row.status == "live" and back:
            self.runner.run(seats.offer(row, SeatOffer(id_, seat % len(row.seats), 1, offered, own=own)))
        self.ask(
            request,
            lambda: self.changed(seats.take(id_, seat, who, request=request, offered=offered)),
        )

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, seat=st.integers(0, 3), moderator=st.booleans(), who=PERSON)
    def fill_in(self, number: int, seat: int, moderator: bool, who: Person) -> None:
        id_, request = self.which(number), self.world.new
        seats, rights = self.world.service.seats, Rights(moderator)
        self.ask(
            request,
            lambda: self.changed(
                seats.fill_in(id_, seat, "random", by=who.id, request=request, rights=rights)
            ),
        )

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, who=st.sampled_from(HEIRS))
    def come_back(self, number: int, who: Person) -> None:
        id_, request = self.which(number), self.world.new
        seats = self.world.service.seats
        self.ask(request, lambda: self.changed(seats.come_back(id_, who, request=request)))

    def folded(self, match_id: str) -> Match:
        """The match as its log has it."""
        return fold([one.entry for one in self.runner.run(self.world.store.log(match_id))])

    @invariant()
    def holders_agree_with_the_seats(self) -> None:
        for id_ in self.matches:
            row = self.row(id_)
            if row.version < 0:
                continue
            held = self.runner.run(self.world.store.holders(id_))
            latest = {one.seat: one for one in held}
            for seat, one in latest.items():
                now = row.seats[seat]
                assert (one.occupant, one.user, one.level) == (now.occupant, now.user, now.level)
            match = self.folded(id_)
            filled = {seat for seat, one in latest.items() if one.occupant == "computer"}
            assert match.seats.stand_ins == filled
            pairs = {(one.user, one.seat) for one in held if one.user is not None}
            assert len({user for user, _ in pairs}) == len(pairs), "nobody has held two seats"
            people = {one.seat for one in row.seats if one.occupant == "person"}
            assert not match.seats.stand_ins & match.playing or people

    @invariant()
    def every_change_is_told_once(self) -> None:
        """Who comes into a match in direct messages is told from there on, who leaves until then."""
        for id_ in self.matches:
            row = self.row(id_)
            drafts = [
                draft
                for draft in self.runner.run(self.world.drafts(id_))
                if "first" in draft.message.to_json()
            ]
            direct = [seat.user for seat in row.seats if seat.occupant == "person"]
            for user in [None] if row.place.guild is not None else direct:
                if row.version < 0:
                    assert not drafts
                    continue
                told = [draft.message.to_json() for draft in drafts if draft.user == user]
                assert told[-1]["last"] == row.version
                if user is None:
                    assert [part["first"] for part in told] == [0, *(part["last"] + 1 for part in told[:-1])]


TestSeats = pytest.mark.slow(Seats.TestCase)
TestSeats.settings = settings(
    max_examples=examples(9), stateful_step_count=40, deadline=None, suppress_health_check=QUIET
)
