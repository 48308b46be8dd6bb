"""The ground for Hypothesis to play with the service: its world, helpers, and what always holds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant

from games.engine.match import Entry, Kind
from matches.ports import Store
from matches.results import Lobby, Person, Played
from matches.store.rows import MatchRow
from tests.fakes import FakeClock, MemoryStore
from tests.matches.world import World

PEOPLE = [Person(n, f"P{n}") for n in range(1, 5)]
PERSON = st.sampled_from(PEOPLE)
WHICH = st.integers(0, 99)

Call = Callable[[], Coroutine[Any, Any, object]]


def decisions(entries: Iterable[Entry]) -> int:
    """Count the entries that someone decided on; a computer decides its whole turn at once."""
    return sum(entry.kind not in (Kind.CHANCE, Kind.REVEAL) for entry in entries)


class Yielding:
    """A store that lets others in before each of its answers, as a real one does."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            await asyncio.sleep(0)
            return await method(*args, **kwargs)

        return call


QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]


class MatchMachine(RuleBasedStateMachine):
    """A service on a clock of its own, the matches that it was asked for, and what it answered."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.clock = FakeClock()
        self.world = World(self.runner.run(self.open()), self.clock)
        self.world.settings = {"cache": 2, "max_open_per_user": 4}
        self.world.restart()
        self.matches: list[str] = []
        self.calls: list[tuple[Call, object]] = []
        self.counted: dict[str, dict[str, int]] = {}

    async def open(self) -> Store:
        """The store of this run."""
        return Yielding(MemoryStore())

    def teardown(self) -> None:
        """Let go of the store and the loop."""
        self.runner.run(self.world.store.close())
        self.runner.close()

    # --- helpers ------------------------------------------------------------------------------------------

    def which(self, number: int) -> str:
        """Any match, but mostly one that is on."""
        among = [id_ for id_ in self.matches if self.row(id_).status == "live"] if number % 5 else []
        among = among or self.matches
        return among[number % len(among)]

    def lobby(self, number: int) -> str:
        """Any match, but mostly one that is not on yet."""
        among = [id_ for id_ in self.matches if self.row(id_).status == "lobby"] if number % 5 else []
        among = among or self.matches
        return among[number % len(among)]

    def row(self, match_id: str) -> MatchRow:
        row = self.runner.run(self.world.store.match(match_id))
        assert row is not None
        return row

    def ask(self, request: str, call: Call) -> object:
        """Do it, and remember it for a repetition."""
        answer = self.runner.run(call())
        self.note(request, answer)
        self.calls.append((call, answer))
        return answer

    def note(self, request: str, answer: object) -> None:
        if isinstance(answer, Played) and not answer.repeated:
            counted = self.counted.setdefault(answer.row.id, {})
            assert request not in counted
            counted[request] = decisions(answer.match.log[answer.first : answer.last + 1])
        if isinstance(answer, Lobby) and not answer.repeated and answer.row.id not in self.matches:
            self.matches.append(answer.row.id)

    def mover(self, match_id: str, number: int) -> tuple[int, tuple[str, ...]]:
        """Return a person who may move, and their moves; any person without moves if no one may."""
        for person in PEOPLE[number % 4 :] + PEOPLE[: number % 4]:
            moves = self.runner.run(self.world.queries.legal(match_id, person.id))
            if moves:
                return person.id, moves
        return PEOPLE[0].id, ("card 1",)

    # --- what always holds --------------------------------------------------------------------------------

    @invariant()
    def matches_are_sound(self) -> None:
        for id_ in self.matches:
            self.runner.run(self.world.check(id_))
            row = self.row(id_)
            users = [seat.user for seat in row.seats if seat.user is not None]
            assert len(users) == len(set(users))
            assert [seat.seat for seat in row.seats] == list(range(len(row.seats)))
            assert row.status != "lobby" or self.world.queries.seat_of(row, row.host) is not None
        assert len(self.world.play._core.locks) == 0
        assert len(self.world.play._core.cache) <= 2

    @invariant()
    def every_change_is_told_once(self) -> None:
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
                assert [part["first"] for part in told] == [0, *(part["last"] + 1 for part in told[:-1])]
                assert told[-1]["last"] == row.version

    @invariant()
    def no_request_counts_twice(self) -> None:
        for id_ in self.matches:
            log = self.runner.run(self.world.store.log(id_))
            assert decisions(one.entry for one in log) == sum(self.counted.get(id_, {}).values())
