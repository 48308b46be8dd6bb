"""Anything in any order: Hypothesis plays with the service, crashes it, repeats and races its requests.

Whatever happens, a log can be replayed, a change has its message exactly once, no request counts twice.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from matches.ports import Store
from matches.results import Lobby, Person, Played, Refused, Warned
from matches.store.rows import Place
from storage import open_store
from tests.matches.machine import PEOPLE, PERSON, QUIET, WHICH, MatchMachine, decisions
from tests.matches.world import DIRECT, SERVER
from tests.soak import examples


class Anything(MatchMachine):
    """Four people, a handful of matches, one service after another."""

    @initialize(place=st.sampled_from([SERVER, DIRECT]))
    def begin(self, place: Place) -> None:
        """Two matches are on already, one of people and one with a computer."""
        for people, seats in ((PEOPLE[:3], 3), (PEOPLE[1:2], 2)):
            row = self.runner.run(
                self.world.open_lobby(*people, place=place, seats=seats, options={"rounds": 3})
            )
            self.matches.append(row.id)
            self.start(5 * len(self.matches) - 5, True)
            assert self.row(row.id).status == "live"

    # --- lobbies ------------------------------------------------------------------------------------------

    @rule(
        host=PERSON,
        guest=PERSON,
        seats=st.sampled_from([None, 2, 3, 4]),
        pairs=st.booleans(),
        direct=st.booleans(),
    )
    def create(self, host: Person, guest: Person, seats: int | None, pairs: bool, direct: bool) -> None:
        request, place = self.world.new, DIRECT if direct else SERVER
        invited = [] if guest == host else [guest]
        if len(self.matches) < 8:
            self.ask(
                request,
                lambda: self.world.lobbies.create(
                    host,
                    place,
                    "toy",
                    request=request,
                    seats=seats,
                    options={"pairs": pairs},
                    invited=invited,
                ),
            )

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, who=PERSON, seat=st.sampled_from([None, 0, 1, 2, 3]))
    def join(self, number: int, who: Person, seat: int | None) -> None:
        id_, request = self.lobby(number), self.world.new
        self.ask(request, lambda: self.world.lobbies.join(id_, who, request=request, seat=seat))

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, who=PERSON)
    def leave(self, number: int, who: Person) -> None:
        id_, request = self.lobby(number), self.world.new
        self.ask(request, lambda: self.world.lobbies.leave(id_, who.id, request=request))

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, seats=st.integers(1, 4), rounds=st.integers(1, 4), a=st.integers(0, 3))
    def arrange(self, number: int, seats: int, rounds: int, a: int) -> None:
        id_ = self.lobby(number)
        host = self.row(id_).host
        one, two, three, four = (self.world.new for _ in range(4))
        self.ask(
            one,
            lambda: self.world.lobbies.configure(
                id_, host, request=one, seats=seats, options={"rounds": rounds}
            ),
        )
        self.ask(two, lambda: self.world.lobbies.swap(id_, host, a, seats, request=two))
        self.ask(three, lambda: self.world.lobbies.remove(id_, host, a, request=three))
        self.ask(four, lambda: self.world.lobbies.add_computer(id_, host, request=four, seat=a))

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, fill=st.booleans())
    def start(self, number: int, fill: bool) -> None:
        id_ = self.lobby(number)
        host = self.row(id_).host
        for seat in self.row(id_).seats if fill else ():
            if seat.occupant == "invited":
                guest, accept = Person(seat.user or 0, seat.name), self.world.new
                self.ask(accept, lambda g=guest, r=accept: self.world.lobbies.join(id_, g, request=r))  # type: ignore[misc]  # early binding
            elif seat.occupant == "open":
                add = self.world.new
                self.ask(add, lambda r=add: self.world.lobbies.add_computer(id_, host, request=r))  # type: ignore[misc]  # early binding
        request = self.world.new
        self.ask(request, lambda: self.world.lobbies.start(id_, host, request=request))

    # --- play ---------------------------------------------------------------------------------------------

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, pick=WHICH)
    def move(self, number: int, pick: int) -> None:
        id_, request = self.which(number), self.world.new
        who, moves = self.mover(id_, pick)
        text = moves[pick % len(moves)]
        self.ask(request, lambda: self.world.play.submit(id_, who, text, request=request))

    @precondition(lambda self: self.matches)
    @rule(
        number=WHICH, who=PERSON, text=st.sampled_from(["card 99", "card", "hello", "?card 2", "", "x" * 999])
    )
    def talk(self, number: int, who: Person, text: str) -> None:
        id_, request = self.which(number), self.world.new
        before = self.row(id_)
        answer = self.ask(request, lambda: self.world.play.submit(id_, who.id, text, request=request))
        assert not isinstance(answer, Played)
        assert self.row(id_) == before

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, pick=WHICH)
    def late(self, number: int, pick: int) -> None:
        """A button of the position before."""
        id_, request, before = self.which(number), self.world.new, self.row(self.which(number))
        who, moves = self.mover(id_, pick)
        answer = self.ask(
            request,
            lambda: self.world.play.submit(id_, who, moves[0], request=request, version=before.version + 1),
        )
        assert isinstance(answer, Refused)
        assert self.row(id_) == before

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, who=PERSON, what=st.sampled_from(["resign", "offer_draw", "decline_draw", "abort"]))
    def declare(self, number: int, who: Person, what: str) -> None:
        id_, request = self.which(number), self.world.new
        self.ask(request, lambda: getattr(self.world.play, what)(id_, who.id, request=request))

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, pick=WHICH)
    def race(self, number: int, pick: int) -> None:
        """The same person's two moves at once, and the first of them twice."""
        id_, one, two = self.which(number), self.world.new, self.world.new
        who, moves = self.mover(id_, pick)
        submit = self.world.play.submit

        async def all_at_once() -> tuple[object, object, object]:
            return await asyncio.gather(
                submit(id_, who, moves[0], request=one),
                submit(id_, who, moves[-1], request=two),
                submit(id_, who, moves[0], request=one),
            )

        first, second, again = self.runner.run(all_at_once())
        self.note(one, first)
        self.note(two, second)
        assert isinstance(first, Played) == isinstance(again, Played)
        assert not (isinstance(again, Played) and not again.repeated)

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, pick=WHICH, steps=st.integers(0, 9))
    def interrupt(self, number: int, pick: int, steps: int) -> None:
        """Cancel a move at any point; sent again, it counts once."""
        id_, request = self.which(number), self.world.new
        who, moves = self.mover(id_, pick)

        def submit() -> Coroutine[Any, Any, object]:
            return self.world.play.submit(id_, who, moves[0], request=request)

        async def cut() -> None:
            task = asyncio.create_task(submit())
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

        before = self.row(id_).version
        self.runner.run(cut())
        answer = self.runner.run(submit())
        if isinstance(answer, Played):
            assert answer.first == before + 1
            entries = answer.match.log[answer.first : answer.last + 1]
            self.counted.setdefault(id_, {})[request] = decisions(entries)

    @precondition(lambda self: self.calls)
    @rule(number=WHICH)
    def repeat(self, number: int) -> None:
        """Repeat a request that changed something: it gets the same answer, and nothing changes."""
        call, answer = self.calls[number % len(self.calls)]
        if isinstance(answer, Refused | Warned):
            return  # nothing was written: it is judged by what is there now
        id_ = answer.row.id if isinstance(answer, Played | Lobby) else self.matches[0]
        before = self.row(id_)
        again = self.runner.run(call())
        if isinstance(answer, Played):
            assert isinstance(again, Played)
            assert again.repeated
            assert (again.first, again.last, again.facts) == (answer.first, answer.last, answer.facts)
            assert again.match == answer.match
        if isinstance(answer, Lobby):
            assert isinstance(again, Lobby)
            assert again.repeated
        if isinstance(answer, Played | Lobby):
            assert self.row(id_) == before

    @precondition(lambda self: self.matches)
    @rule(number=WHICH)
    def computers(self, number: int) -> None:
        for done in self.runner.run(self.world.computers.run(self.which(number))):
            self.note(f"ai:{done.row.id}:{done.first}", done)

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, who=PERSON)
    def rematch(self, number: int, who: Person) -> None:
        request, service = self.world.new, self.world.service
        if len(self.matches) < 9:
            id_ = self.which(number)
            answer = self.runner.run(service.rematches.open(id_, who, request=request))
            self.note(request, answer)

    @precondition(lambda self: self.matches)
    @rule(number=WHICH, who=PERSON, on=st.sampled_from([True, True, False]))
    def only_move(self, number: int, who: Person, on: bool) -> None:
        """Let people's only moves be played for them, or no longer."""
        id_, plans = self.which(number), self.world.service.plans
        for done in self.runner.run(plans.run(id_)):
            self.note(f"plan:{done.row.id}:{done.first}", done)
        self.runner.run(plans.set_only_move(id_, who.id, on=on))

    # --- time and crashes ---------------------------------------------------------------------------------

    @rule(hours=st.sampled_from([1, 2, 5]))
    def wait(self, hours: int) -> None:
        for done in self.runner.run(self.world.pass_time(hours=hours)):
            if isinstance(done, Played):
                self.note(f"ai:{done.row.id}:{done.first}", done)

    @rule()
    def crash(self) -> None:
        """The next service knows only what the store does."""
        self.world.restart()


class AnythingOnAFile(Anything):
    """The same on a real file, which is closed and opened again by a crash."""

    async def open(self) -> Store:
        self.folder = tempfile.TemporaryDirectory()
        return await open_store(Path(self.folder.name) / "m.db", clock=self.clock)

    @rule()
    def crash(self) -> None:
        self.runner.run(self.world.store.close())
        path = Path(self.folder.name) / "m.db"
        self.world.store = self.runner.run(open_store(path, clock=self.clock))
        self.world.restart()

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


TestAnything = pytest.mark.slow(Anything.TestCase)
TestAnything.settings = settings(
    max_examples=examples(15), stateful_step_count=40, deadline=None, suppress_health_check=QUIET
)
TestAnythingOnAFile = pytest.mark.slow(AnythingOnAFile.TestCase)
TestAnythingOnAFile.settings = settings(
    max_examples=examples(3), stateful_step_count=25, deadline=None, suppress_health_check=QUIET
)
