"""Whatever is done in whatever order, closing and opening included: both databases give the same answers.

Rows of the outbox are compared and named by their rank: PostgreSQL leaves gaps in their ids after refusals.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from matches.outbox.messages import BoardMessage
from matches.outbox.queue import OutboxRow
from matches.ports import RepeatedError, StaleError, Store
from matches.store.rows import Commit, Place, Post, SeatRow, Status, Watch
from storage import SqliteStore, check_file, open_store
from storage.postgres import open_postgres
from tests.fakes import START, FakeClock
from tests.soak import examples
from tests.storage.rows import draft, entry, lobby

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

NOWHERE = 10**6
"""The id of no row."""
IDS = st.sampled_from(["F-1", "F-2", "F-3"])
SMALL = st.integers(1, 4)
TIMES = st.integers(0, 3).map(lambda hours: START + timedelta(hours=hours))
STATUSES: st.SearchStrategy[Status] = st.sampled_from(["lobby", "live", "over"])
SEATS = st.lists(SMALL, max_size=3).map(
    lambda users: tuple(SeatRow(seat, "person", user, f"p{user}") for seat, user in enumerate(users))
)
PLACES = st.builds(Place, st.just(1), SMALL, st.none() | SMALL)
REQUESTS = st.none() | st.sampled_from(["r1", "r2", "r3", "r4"])
SHIFT = st.sampled_from([0, 0, 0, 0, 1, -1])


def _comparable(answer: Any) -> Any:
    if isinstance(answer, tuple):
        return tuple(_comparable(one) for one in answer)
    return replace(answer, id=0, nonce="") if isinstance(answer, OutboxRow) else answer


class SameAnswers(RuleBasedStateMachine):
    """Two stores side by side: one in a file, one in the database that `emptied` gives."""

    def __init__(self, emptied: Callable[[], str], folder: Path) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        self.clock = FakeClock()
        self.runner = asyncio.Runner()
        self.served: Store = self.runner.run(open_postgres(emptied(), clock=self.clock))
        self.file: SqliteStore = self.runner.run(self._open())

    def _open(self) -> Any:
        return open_store(self.folder / "store.sqlite3", clock=self.clock)

    def teardown(self) -> None:
        assert check_file(self.folder / "store.sqlite3") == ()
        self.runner.run(self.file.close())
        self.runner.run(self.served.close())
        self.runner.close()
        shutil.rmtree(self.folder)

    def same(self, ask: Callable[[Store], Awaitable[Any]]) -> Any:
        """Ask both, compare, and give the answer."""

        async def answer(store: Store) -> Any:
            try:
                return _comparable(await ask(store))
            except RepeatedError as error:
                return error.request
            except (StaleError, LookupError) as error:
                return LookupError if isinstance(error, LookupError) else type(error)

        got, expected = self.runner.run(answer(self.file)), self.runner.run(answer(self.served))
        assert got == expected
        return got

    @rule(id_=IDS, seats=SEATS, place=PLACES, host=SMALL, at=TIMES, request=REQUESTS)
    def create(
        self, id_: str, seats: tuple[SeatRow, ...], place: Place, host: int, at: Any, request: str | None
    ) -> None:
        row = lobby(id_, seats=seats, place=place, host=host, created=at, updated=at, expires=at)
        self.same(lambda store: store.create(Commit(row, at, (), (draft(id_, "lobby"),), request)))

    @rule(
        id_=IDS,
        seats=SEATS,
        place=PLACES,
        status=STATUSES,
        at=TIMES,
        request=REQUESTS,
        entries=st.integers(0, 3),
        off=st.tuples(SHIFT, SHIFT, SHIFT),
        lanes=st.lists(st.sampled_from("abc"), max_size=2),
        mirrors=st.booleans(),
    )
    def commit(
        self,
        id_: str,
        seats: tuple[SeatRow, ...],
        place: Place,
        status: Status,
        at: Any,
        request: str | None,
        entries: int,
        off: tuple[int, int, int],
        lanes: list[str],
        mirrors: bool,
    ) -> None:
        old = self.runner.run(self.file.match(id_)) or lobby(id_)
        version = old.version + entries
        row = replace(
            old,
            seats=seats,
            place=place,
            status=status,
            updated=at,
            revision=old.revision + 1 + off[0],
            version=version + off[1],
        )
        log = tuple(entry(seq + off[2], at=at) for seq in range(old.version + 1, version + 1))
        drafts = tuple(draft(id_, lane) for lane in lanes)
        self.same(lambda store: store.commit(Commit(row, at, log, drafts, request, mirrors=mirrors)))

    @rule(lane=st.sampled_from("abc"), id_=IDS, at=TIMES)
    def add(self, lane: str, id_: str, at: Any) -> None:
        async def queue(store: Store) -> None:
            await store.outbox_add(draft(id_, lane), at)

        self.same(queue)

    @rule(
        number=st.integers(1, 12),
        what=st.sampled_from(["sent", "posted", "retry", "drop", "park", "merge"]),
        at=TIMES,
    )
    def send(self, number: int, what: str, at: Any) -> None:
        post = Post(number, 20, "F-1", "board", number)

        async def send(store: Store) -> Any:
            waiting = [row.id for row in await store.outbox_pending()]
            row, next_row = [*waiting, NOWHERE, NOWHERE][min(number - 1, len(waiting)) :][:2]
            match what:
                case "sent":
                    return await store.outbox_sent(row, None)
                case "posted":
                    return await store.outbox_sent(row, post)
                case "retry":
                    return await store.outbox_retry(row, at, "busy")
                case "drop":
                    return await store.outbox_drop(row, "gone")
                case "park":
                    return await store.outbox_park(row, "F-1", "forbidden")
                case _:
                    return await store.outbox_merge(row, BoardMessage(0, 2), (next_row,))

        self.same(send)

    @rule(id_=IDS, at=TIMES)
    def revive(self, id_: str, at: Any) -> None:
        self.same(lambda store: store.outbox_revive(id_, at))
        self.same(lambda store: store.outbox_hurry(id_, at))
        self.same(lambda store: store.outbox_begin(at))

    @rule(message=SMALL, id_=IDS, kind=st.sampled_from(["board", "lobby"]))
    def post(self, message: int, id_: str, kind: Any) -> None:
        async def add_and_send(store: Store) -> None:
            number = await store.outbox_add(draft(id_, "posts"), START)
            await store.outbox_sent(number, Post(message, 20, id_, kind))

        self.same(add_and_send)
        self.same(lambda store: store.find_post(message))

    @rule(id_=IDS, channel=SMALL, by=SMALL, message=st.none() | SMALL, on=st.booleans())
    def watch(self, id_: str, channel: int, by: int, message: int | None, on: bool) -> None:
        if on:
            self.same(lambda store: store.watch(Watch(id_, channel, by, message)))
        else:
            self.same(lambda store: store.unwatch(id_, channel))

    @rule(scope=st.sampled_from(["guild", "user"]), id_=SMALL, value=st.dictionaries(st.text(), SMALL))
    def save_settings(self, scope: Any, id_: int, value: dict[str, Any]) -> None:
        self.same(lambda store: store.save_settings(scope, id_, value))
        self.same(lambda store: store.settings(scope, id_))

    @rule(channel=SMALL, message=SMALL)
    def see(self, channel: int, message: int) -> None:
        self.same(lambda store: store.mark_read({channel: message}))
        self.same(lambda store: store.channels_to_read())

    @rule()
    def reopen(self) -> None:
        self.runner.run(self.file.close())
        self.file = self.runner.run(self._open())

    @rule(at=TIMES, user=SMALL, status=STATUSES, limit=st.integers(0, 3), id_=IDS)
    def look(self, at: Any, user: int, status: Status, limit: int, id_: str) -> None:
        self.same(lambda store: store.outbox(at, limit))
        self.same(lambda store: store.by_place(user, (status, "live")))
        self.same(lambda store: store.by_user(user, (status,)))
        self.same(lambda store: store.by_status(status, limit))
        self.same(lambda store: store.expiring(at, limit))
        self.same(lambda store: store.log(id_, limit - 1))
        self.same(lambda store: store.posts(id_, "board"))

    @invariant()
    def nothing_differs(self) -> None:
        for id_ in ("F-1", "F-2", "F-3"):
            self.same(lambda store, id_=id_: store.match(id_))  # type: ignore[misc]  # a default binds the loop's value
            self.same(lambda store, id_=id_: store.log(id_))  # type: ignore[misc]  # as above
            self.same(lambda store, id_=id_: store.watches(id_))  # type: ignore[misc]  # as above
            self.same(lambda store, id_=id_: store.posts(id_))  # type: ignore[misc]  # as above
        self.same(lambda store: store.outbox_pending())
        self.same(lambda store: store.outbox_awaited())
        self.same(lambda store: store.channels_to_read())


@pytest.mark.slow
def test_both_databases_give_the_same_answers(postgres: PostgresServer, tmp_path: Path) -> None:
    run_state_machine_as_test(
        cast("Any", lambda: SameAnswers(postgres.emptied, tmp_path)),
        settings=settings(
            max_examples=examples(7),
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
