"""A process with the leases of some shards, all else written into a journal, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Generator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

from bot.app import Dominium
from bot.platform.config import load_config
from bot.platform.shards import Guilds, Shards
from bot.sharded import LOOK_EVERY, ShardedDominium
from matches.ports import StoreError
from tests.fakes import FakeClock
from tests.month.virtual_time import VirtualLoop

BUCKETS = 3


class Done:
    """What a call returns that may be awaited: the result is there at once."""

    def __init__(self, result: Any) -> None:
        self._result = result

    def __await__(self) -> Generator[None, None, Any]:
        yield from ()
        return self._result


class Written:
    """Something of which every call is written into a journal. What a call returns may be given."""

    def __init__(self, journal: list[str], name: str, returned: Mapping[str, Any] | None = None) -> None:
        self._journal, self._name, self._returned = journal, name, returned or {}

    def __getattr__(self, name: str) -> Any:
        return Written(self._journal, f"{self._name}.{name}", self._returned)

    def __call__(self, *args: object) -> Done:
        told = (str(each) for each in args if not callable(each))
        self._journal.append(" ".join((self._name, *told)))
        return Done(self._returned.get(self._name))


@dataclass(frozen=True)
class Turn:
    """What a renewal brings."""

    held: frozenset[int]
    asked: frozenset[int] = frozenset()
    taken: Mapping[int, float] = field(default_factory=dict)
    others: float = 0.0


class FakeLeases:
    """Leases that come and go as a test says."""

    seconds = 5.0

    def __init__(self, journal: list[str]) -> None:
        self.turn = Turn(frozenset({1, 3}))
        self.count = 4
        self.broken = False
        self.renewed: list[tuple[set[int], set[int]]] = []
        """What was preferred, and what was given back."""
        self._journal = journal

    async def agree(self, count: int, *, exact: bool = True) -> int:
        self._journal.append(f"agree {count} {exact}")
        return self.count

    async def renew(self, prefers: Collection[int], give_back: Collection[int] = ()) -> Turn:
        self.renewed.append((set(prefers), set(give_back)))
        if self.broken:
            raise StoreError("the database is away")
        turn, given = self.turn, frozenset(give_back)
        turn = replace(turn, held=turn.held - given, asked=turn.asked - given)
        self.turn = replace(turn, taken={})
        return turn

    async def note_silence(self, shard: int, start: int, end: int) -> None:
        self._journal.append(f"silence {shard} {end - start}")

    async def turn_to_identify(self, bucket: int) -> float:
        return 10.0 + bucket

    async def leave(self) -> None:
        self._journal.append("leave")


class House:
    """A bot without a connection, whose parts only write down what is asked of them."""

    def __init__(self, *, leases: bool = True, **settings: str) -> None:
        self.journal: list[str] = []
        self.leases = FakeLeases(self.journal)
        shared = {"DATABASE_URL": "postgresql://localhost/x"} if leases else {}
        self.bot = bot = ShardedDominium(load_config(shared | {"SHARDS": "4"} | settings), cast("Any", None))
        loop = asyncio.get_running_loop()
        bot.own_shards = Shards(loop.time)
        self.matches = {"F-1": SimpleNamespace(id="F-1", place=SimpleNamespace(guild=1 << 22))}
        store = SimpleNamespace(
            outbox_awaited=self._written("store.outbox_awaited", ["u7"]),
            leases=self.leases if leases else None,
            news=self._written("news"),
        )
        bot.context = cast(
            "Any",
            SimpleNamespace(
                store=store,
                clock=FakeClock(),
                discord=SimpleNamespace(guilds=Guilds(bot, bot.own_shards)),
                service=SimpleNamespace(
                    queries=SimpleNamespace(row=self._row),
                    **{part: self._written(part) for part in ("computers", "erasures", "heartbeat", "plans")},
                ),
                preferences=self._written("preferences"),
                maps=self._written("maps"),
            ),
        )
        for part in ("publisher", "inbox", "missed", "thread_care"):
            setattr(bot, f"_{part}", self._written(part))
        self.sessions: dict[int, Any] = {}
        self._patch(bot)

    def _written(self, name: str, returned: Any = None) -> Any:
        return Written(self.journal, name, {name: returned})

    def _patch(self, bot: Any) -> None:
        bot._inbox.leave = self._leave
        bot.launch_shard = self._launch
        bot.get_shard = self.sessions.get
        limits = {"max_concurrency": BUCKETS}
        bot._connection._remove_guild = lambda guild: bot._connection._guilds.pop(guild.id)
        bot.http.get_bot_gateway = lambda: Done((6, "wss://gateway.example", limits))
        bot._greet = self._greet

    async def _row(self, match: str) -> Any:
        return self.matches.get(match)

    def _leave(self, fits: Callable[[int | None], bool]) -> None:
        if left := [shard for shard in range(4) if fits(shard << 22)]:
            self.journal.append(f"inbox.leave {left}")

    async def _greet(self, guilds: Iterable[Any]) -> None:
        self.journal.append(f"greet {[each.id for each in guilds]}")

    async def _launch(self, gateway: object, shard: int, *, initial: bool = False) -> None:
        self.journal.append(f"launch {shard}{' first' * initial}")
        self.sessions[shard] = Written(self.journal, f"session {shard}")
        await asyncio.sleep(0)

    def taken(self) -> list[str]:
        """Return what was written since the last time."""
        journal = self.journal[:]
        self.journal.clear()
        return journal

    async def begin(self) -> list[str]:
        """Begin the sessions, and return what was done."""
        await self.bot.setup_hook()
        assert self.taken() == ["news.start"]
        await self.bot.launch_shards()
        await self.rest()
        done = self.taken()
        for shard in sorted(self.bot._begun):
            await self.bot.on_shard_connect(shard)
            self.bot.own_shards.hear((shard,))
        self.journal.clear()
        return done

    async def rest(self) -> None:
        """Let everything be done that is due."""
        loop: Any = asyncio.get_running_loop()
        await loop.idle()

    async def renew(self, turn: Turn) -> list[str]:
        """Let the next renewal bring something, and return what is done."""
        self.leases.turn = turn
        await asyncio.sleep(LOOK_EVERY)
        await self.rest()
        return self.taken()


def play(story: Callable[[House], Awaitable[None]], **settings: Any) -> None:
    """Let a story happen in virtual time."""

    async def run() -> None:
        house = House(**settings)
        try:
            await story(house)
        finally:
            for task in tuple(house.bot._tasks):
                task.cancel()

    async def nothing(self: Dominium) -> None:
        """What a bot with one shard does."""

    with (
        mock.patch.object(Dominium, "setup_hook", nothing),
        mock.patch.object(Dominium, "close", nothing),
        asyncio.Runner(loop_factory=VirtualLoop) as runner,
    ):
        runner.run(run())
