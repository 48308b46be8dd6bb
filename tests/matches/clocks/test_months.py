"""Months of matches with clocks, and whatever stops them: the service agrees with the literal model.

The model is played again from the beginning at every look, minute by minute, because a downtime or a vacation
may stop clocks in the past.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from games.engine.game import Seat
from games.engine.match import Entry, Kind, Match
from games.engine.rulings import seconds_given
from matches.clocks.control import TimeControl, time_zone
from matches.clocks.hours import PlayingHours
from matches.clocks.timekeeper import ClockFace
from matches.outbox.messages import BoardMessage
from matches.outbox_drafts import draft
from matches.people.moderation import Ruling, SeatHeld
from matches.results import Person, Played, Refused
from matches.seats import SeatChange
from matches.spans import END_OF_TIME, Span
from matches.store.clocks import Vacation
from matches.store.rows import MatchRow, Post
from matches.store.seats import SeatOffer
from storage.rows import from_ms, to_ms
from tests.fakes import FakeClock, MemoryStore
from tests.matches.clocks.model import MINUTE, START, LiteralClocks, at
from tests.matches.world import World
from tests.soak import examples

PEOPLE = [Person(n, f"P{n}") for n in range(1, 7)]
TICKS = timedelta(milliseconds=100)
"""Changes of the same moment get times a millisecond apart; the model counts whole minutes."""
HORIZON = 60 * 24 * 20
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe")
TABLES = (("focus", 2), ("focus", 4), ("toy", 3), ("dominance", 2), ("domination", 3), ("domination", 6))
CONTROLS = st.builds(
    lambda bank, increment, extra, hours, acts, follows, vacations: TimeControl(
        bank * MINUTE,
        min(increment, bank + extra) * MINUTE,
        (bank + extra) * MINUTE,
        hours,
        vacations,
        acts,
        follows,
    ),
    st.sampled_from((5, 60, 1440, 4320)),
    st.sampled_from((0, 1, 60, 1440, 5000)),
    st.sampled_from((0, 30, 1000)),
    st.none()
    | st.builds(
        PlayingHours,
        st.sampled_from(ZONES).map(time_zone),
        st.sampled_from((time(8), time(22), time(0))),
        st.sampled_from((time(20), time(3, 30), time(0))),
        st.sampled_from((frozenset(range(7)), frozenset({0, 2, 6}))),
    ),
    st.sampled_from(("claim", "automatic")),
    st.sampled_from(("default", "loss")),
    st.booleans(),
)
WHO = st.integers(0, 5)
WAITS = st.sampled_from((1, 7, 59, 600, 1441, 5000))


@dataclass(frozen=True)
class Happened:
    """A change of the match: when, who is to act then, and what it did to turns."""

    minute: int
    to_act: frozenset[int]
    new_turn: frozenset[int]
    takeback: int | None = None
    refilled: frozenset[int] = frozenset()
    given: tuple[tuple[int, int], ...] = ()
    """Seats and minutes."""


class Months(RuleBasedStateMachine):
    """One match, its people, and everything that may come between."""

    @initialize(control=CONTROLS, table=st.sampled_from(TABLES), seen=st.sampled_from((0, 3, 700)))
    def begin(self, control: TimeControl, table: tuple[str, int], seen: int) -> None:
        """A match begins, and its board stands some minutes later."""
        self.runner = asyncio.Runner()
        self.clock = FakeClock(START)
        self.store = MemoryStore(self.clock)
        self.world = World(self.store, self.clock)
        self.control, self.minute = control, 0
        game, seats = table
        done = self.runner.run(self.world.match(*PEOPLE[:seats], game=game, clock=control))
        self.people = [PEOPLE[(seat.user or 0) - 1] for seat in done.row.seats]  # some games seat by lot
        self.id, self.seats = done.row.id, seats
        self.history = [Happened(0, _to_act(done.row, done.match), frozenset())]
        self.ends = [done.match.seq]
        self.everyone: list[tuple[int, int | None]] = [(0, None)]
        self.paused: int | None = None
        self.away: dict[int, list[tuple[int, int]]] = {}
        """The vacations of people, by their ids."""
        self.wait(seen)
        self.board()

    def teardown(self) -> None:
        if hasattr(self, "runner"):
            self.runner.run(self.store.close())
            self.runner.close()

    # --- helpers ------------------------------------------------------------------------------------------

    def wait(self, minutes: int) -> None:
        """Let time pass in which people can play."""
        self.minute += minutes
        self.clock.set(at(self.minute))

    def board(self) -> None:
        """Post a board, which ends the time in which nobody could see the match."""

        async def post() -> None:
            number = await self.store.outbox_add(draft(BoardMessage(0, 1), self.id), self.clock.now())
            await self.store.outbox_sent(number, Post(1000 + number, 10, self.id, "board", 1))

        self.runner.run(post())
        start, end = self.everyone[-1]
        if end is None:
            self.everyone[-1] = (start, self.minute)

    def match(self) -> tuple[MatchRow, Match]:
        seen = self.runner.run(self.world.queries.current(self.id))
        assert not isinstance(seen, Refused)
        return seen.row, seen.match

    def note(self, answer: object) -> None:
        """Write down what a change did to turns."""
        if not isinstance(answer, Played) or answer.repeated:
            return
        entries = answer.match.log[answer.first : answer.last + 1]
        back = [int(entry.data) for entry in entries if entry.kind is Kind.TAKEBACK]
        moved = _moved(entries) if answer.match.game.actions_are_moves else frozenset()
        takeback = None if not back else self.ends.index(max(end for end in self.ends if end <= back[0]))
        refilled = frozenset(int(e.seat) for e in entries if e.kind is Kind.SUBSTITUTE and e.seat is not None)
        given = tuple((seat, seconds // 60) for seat, seconds in seconds_given(entries).items())
        to_act = _to_act(answer.row, answer.match)
        self.history.append(Happened(self.minute, to_act, moved, takeback, refilled, given))
        self.ends.append(answer.match.seq)
        if answer.match.talk.paused and self.paused is None:
            self.paused = self.minute
        elif not answer.match.talk.paused and self.paused is not None:
            self.everyone.insert(0, (self.paused, self.minute))
            self.paused = None

    def stopped(self, until: int) -> dict[int, set[int]]:
        """Return the minutes in which the clock of each seat stands."""
        spans = [*self.everyone, *([(self.paused, None)] if self.paused is not None else [])]
        shared = {m for start, end in spans for m in range(start, until if end is None else end)}
        own = self.away if self.control.vacations else {}
        return {
            seat: shared | {m for start, end in own.get(person.id, ()) for m in range(start, end)}
            for seat, person in enumerate(self.people)
        }

    def model(self, stopped: dict[int, set[int]]) -> LiteralClocks:
        """Return the literal clocks, from the beginning until now."""
        first, *rest = self.history
        model = LiteralClocks(self.control, self.seats, first.to_act)
        for each in rest:
            model.wait(each.minute, stopped)
            if each.takeback is not None:
                model.take_back(each.takeback, each.to_act)
            else:
                model.entry(each.to_act, each.new_turn & each.to_act, each.refilled, dict(each.given))
        model.wait(self.minute, stopped)
        return model

    def face(self) -> ClockFace | None:
        row = self.runner.run(self.world.queries.row(self.id))
        assert row is not None
        return self.runner.run(self.world.service.time_up.face(row))

    # --- what people do -----------------------------------------------------------------------------------

    @rule(minutes=WAITS, who=WHO)
    def move(self, minutes: int, who: int) -> None:
        """One who is to act moves."""
        self.wait(minutes)
        row, match = self.match()
        if to_act := sorted(_to_act(row, match)):
            person = self.people[to_act[who % len(to_act)]]
            seat = Seat(self.people.index(person))
            view = match.game.view(match.state, seat)
            text = match.game.format(view, next(match.game.actions(view, seat)))
            for _ in range(2):  # the second time in spite of a warning
                answer = self.runner.run(
                    self.world.play.submit(self.id, person.id, text, request=self.world.new)
                )
                self.note(answer)
                if isinstance(answer, Played):
                    break
            assert isinstance(answer, Played)

    @rule(minutes=WAITS, who=WHO)
    def undo(self, minutes: int, who: int) -> None:
        """Someone takes back, if that is free."""
        self.wait(minutes)
        person = self.people[who % self.seats]
        self.note(
            self.runner.run(self.world.service.undo.take_back(self.id, person.id, request=self.world.new))
        )

    @rule(minutes=WAITS, who=WHO)
    def undo_by_consent(self, minutes: int, who: int) -> None:
        """Someone asks to take back, and all agree."""
        self.undo(minutes, who)
        _, match = self.match()
        for person in self.people if match.talk.asked is not None else ():
            answer = self.runner.run(
                self.world.service.undo.agree(
                    self.id,
                    person.id,
                    request=self.world.new,
                    asked=match.talk.asked.seq if match.talk.asked else 0,
                )
            )
            self.note(answer)

    @rule(minutes=WAITS, who=WHO)
    def change_hands(self, minutes: int, who: int) -> None:
        """Someone gives their seat to somebody who wasn't there, and a whole bank with it."""
        self.wait(minutes)
        row, match = self.match()
        seat, new = who % self.seats, Person(100 + len(self.history), "N")
        if match.ending or seat not in match.playing or row.status != "live":
            return
        giver = self.people[seat]
        offer = SeatOffer(self.id, seat, giver.id, row.version, new.id, own=True)
        self.runner.run(self.world.service.seats.offer(row, offer))
        done = self.runner.run(
            self.world.service.seats.give(self.id, seat, giver.id, new, request=self.world.new)
        )
        assert isinstance(done, SeatChange), done
        self.people[seat] = new
        self.note(done.played)

    @rule(minutes=WAITS, who=WHO, giver=WHO)
    def take_back_behind_a_change(self, minutes: int, who: int, giver: int) -> None:
        """Some move, a seat changes hands, and what was played before is taken back."""
        for _ in range(1 + who % 2):
            self.move(minutes, who)
        self.change_hands(1, giver)
        for seat in range(self.seats):
            self.undo_by_consent(1, who + seat)

    @rule(minutes=WAITS, who=WHO, more=st.sampled_from((1, 90, 3000)))
    def more_time(self, minutes: int, who: int, more: int) -> None:
        """A moderator gives a seat time."""
        self.wait(minutes)
        row, match = self.match()
        seat = who % self.seats
        if match.ending or seat not in match.playing:
            return
        ruling = Ruling(row.place.guild or 0, 77, "a quarrel", self.world.new)
        held = SeatHeld(seat, row.seats[seat].user)
        done = self.runner.run(self.world.service.moderation.give_time(self.id, ruling, held, more * 60))
        assert isinstance(done, MatchRow), done
        _, match = self.match()
        self.note(Played(done, match, match.seq, match.seq, ()))

    @rule(minutes=WAITS)
    def pause(self, minutes: int) -> None:
        """All agree to a pause."""
        for person in self.people:
            self.wait(minutes if person is self.people[0] else 1)
            self.note(
                self.runner.run(self.world.service.pauses.ask(self.id, person.id, request=self.world.new))
            )

    @rule(minutes=WAITS, who=WHO)
    def resume(self, minutes: int, who: int) -> None:
        """Someone ends a pause."""
        self.wait(minutes)
        person = self.people[who % self.seats]
        self.note(
            self.runner.run(self.world.service.pauses.resume(self.id, person.id, request=self.world.new))
        )

    @rule(minutes=WAITS, who=WHO, length=st.sampled_from((1, 90, 3000)))
    def vacation(self, minutes: int, who: int, length: int) -> None:
        """Someone is away from now on."""
        self.wait(minutes)
        seat = who % self.seats
        span = Span(at(self.minute), at(self.minute + length))
        self.runner.run(self.store.add_vacation(Vacation(self.people[seat].id, span)))
        self.world.service.heartbeat._core.timekeeper.forget()
        self.away.setdefault(self.people[seat].id, []).append((self.minute, self.minute + length))

    @rule(minutes=WAITS, who=WHO)
    def claim(self, minutes: int, who: int) -> None:
        """Someone claims: a time is up exactly if the model says so, and of another side."""
        self.wait(minutes)
        row, match = self.match()
        claimant = who % self.seats
        stopped = self.stopped(self.minute + 1)
        model = self.model(stopped)
        late = [s for s in sorted(_to_act(row, match)) if model.left(s) == 0 and s != claimant]
        answer = self.runner.run(
            self.world.service.time_up.claim(self.id, self.people[claimant].id, request=self.world.new)
        )
        allowed = not match.ending and claimant in match.playing
        others = [s for s in late if match.setup.teams[s] != match.setup.teams[claimant]]
        assert isinstance(answer, Played) == bool(allowed and others)
        self.note(answer)

    # --- what happens to them -----------------------------------------------------------------------------

    @rule(minutes=WAITS)
    def sweep(self, minutes: int) -> None:
        """The bot looks after the clocks."""
        self.wait(minutes)
        for done in self.runner.run(self.world.service.time_up.tick()):
            self.note(done)

    @rule(minutes=st.sampled_from((2, 45, 3000)))
    def downtime(self, minutes: int) -> None:
        """The bot is away, and comes back without any memory."""
        heartbeat = self.world.service.heartbeat
        at_now, db = to_ms(self.clock.now()), self.store.db
        if db.execute("SELECT 1 FROM heartbeat WHERE at = ?", (at_now,)).fetchone():
            self.runner.run(heartbeat.beat())
        db.execute("INSERT OR REPLACE INTO heartbeat (one, at) VALUES (1, ?)", (at_now,))
        start = self.minute
        self.wait(minutes)
        self.world.restart()
        measured = self.runner.run(self.world.service.heartbeat.beat()) is not None
        assert measured == bool(self.deadlines()), "where no clock may run it doesn't matter"
        self.everyone.insert(0, (start, self.minute))

    @rule()
    def restart(self) -> None:
        """The bot is killed, and back at once."""
        before = self.face()
        self.world.restart()
        assert self.face() == before

    @rule(minutes=WAITS, length=st.sampled_from((1, 400)))
    def lose_the_channel(self, minutes: int, length: int) -> None:
        """The match can't be seen for a while."""
        self.wait(minutes)
        if self.match()[1].ending:
            return
        self.runner.run(self.world.channels.mark_unreachable(self.id, "permission"))
        self.everyone.append((self.minute, None))
        self.wait(length)
        self.runner.run(self.world.channels.mark_reachable(self.id))
        self.board()
        self.world.service.heartbeat._core.timekeeper.forget()

    # --- what holds ---------------------------------------------------------------------------------------

    @invariant()
    def clocks_show_what_the_model_counts(self) -> None:
        if not hasattr(self, "runner"):
            return
        face = self.face()
        if face is None:
            assert self.match()[1].ending is not None
            return
        stopped = self.stopped(self.minute + HORIZON + 1)
        model = self.model(stopped)
        for seat, reading in face.readings.items():
            assert abs(reading.left - model.left(seat) * MINUTE) < TICKS, seat
            if seat not in face.to_act:
                assert reading.deadline is None
            elif reading.left:
                awaited = model.deadline(seat, stopped, self.minute + HORIZON)
                if awaited is not None:
                    assert reading.deadline is not None
                    assert abs(reading.deadline - at(awaited)) < TICKS
                else:
                    assert reading.deadline is None or reading.deadline >= at(self.minute + HORIZON) - TICKS

    def deadlines(self) -> dict[int, datetime]:
        """The stored deadlines of the match, by seat."""
        found = self.store.db.execute("SELECT seat, due FROM deadlines WHERE match = ?", (self.id,))
        return {seat: from_ms(due) for seat, due in found}

    @invariant()
    def what_is_stored_is_never_too_late(self) -> None:
        """The stored deadline is that of the clock, or earlier: then the sweep looks again."""
        if not hasattr(self, "runner") or (face := self.face()) is None:
            return
        overdue = self.runner.run(self.store.overdue(END_OF_TIME - timedelta(days=1)))
        stored = self.deadlines()
        for seat, due in face.deadlines().items():
            assert self.id in overdue
            assert stored.get(seat, END_OF_TIME) <= due or -1 in stored


def _to_act(row: MatchRow, match: Match) -> frozenset[int]:
    return frozenset(int(seat) for seat in match.to_act if seat >= 0)


def _moved(entries: Any) -> frozenset[int]:
    moves: list[Entry] = [entry for entry in entries if entry.kind in (Kind.PLAY, Kind.DEFAULT)]
    return frozenset(int(entry.seat) for entry in moves if entry.seat is not None)


Months.TestCase.settings = settings(
    max_examples=examples(6),
    stateful_step_count=14,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking months takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestMonths = Months.TestCase
