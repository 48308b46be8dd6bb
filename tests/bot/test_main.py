"""The process of the bot: what ends it, what is said then, and what is closed in any case."""

from __future__ import annotations

import asyncio
import signal
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

import discord
import pytest

from bot import main
from bot.app import Dominium, intents
from bot.main import kind, serve
from bot.platform.config import Config, ConfigError, load_config
from bot.sharded import ShardedDominium
from games.ai.players_by_level import Levels

SHARED = {"DATABASE_URL": "postgresql://localhost/x"}
ONE_OF_TWO = SHARED | {"PROCESSES": "2", "_DOMINIUM_PROCESS": "1"}


def closed(code: int) -> discord.ConnectionClosed:
    """The end of a session, with a close code of the gateway."""
    socket: Any = SimpleNamespace(close_code=code)
    return discord.ConnectionClosed(socket, shard_id=0)


class Client:
    """A client that starts as a test says."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.started: list[str] = []
        self.closed = 0
        self.begun = asyncio.Event()

    async def start(self, token: str) -> None:
        self.started.append(token)
        self.begun.set()
        if self.error is not None:
            raise self.error
        await asyncio.Event().wait()

    async def close(self) -> None:
        self.closed += 1


@pytest.fixture(autouse=True)
def _process_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """What serving changes in a whole process isn't changed in that of the tests."""
    monkeypatch.setattr(main, "gc", mock.Mock())
    monkeypatch.setattr("bot.main.sys.setswitchinterval", lambda _seconds: None)


async def ended(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> Client:
    """Serve until an error; it is raised once the client is closed."""
    client = Client(error)
    monkeypatch.setattr(main, "build", lambda _config: client)
    try:
        await serve(Config(token="secret"))
    finally:
        assert (client.started, client.closed) == (["secret"], 1)
    return client


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (discord.LoginFailure(), "Discord refuses DISCORD_TOKEN"),
        (closed(4004), "Discord no longer accepts DISCORD_TOKEN"),
        (closed(4010), "close code 4010"),
        (closed(4011), "SHARDS=auto"),
        (closed(4012), "update the program"),
        (closed(4013), "close code 4013"),
        (discord.PrivilegedIntentsRequired(None), "the Message Content Intent is not switched on"),
    ],
)
async def test_what_an_operator_has_to_set_right_is_said(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        await ended(monkeypatch, error)


@pytest.mark.parametrize("error", [closed(4009), OSError("no network")])
async def test_what_may_pass_is_let_through(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    with pytest.raises(type(error)):
        await ended(monkeypatch, error)


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_it_in_good_order(monkeypatch: pytest.MonkeyPatch, which: signal.Signals) -> None:
    client, handlers = Client(), dict[int, Any]()
    monkeypatch.setattr(main, "build", lambda _config: client)
    monkeypatch.setattr(asyncio.get_running_loop(), "add_signal_handler", handlers.__setitem__)
    serving = asyncio.create_task(serve(Config(token="secret")))
    await client.begun.wait()
    handlers[which]()
    await serving
    assert client.closed == 1


async def test_one_of_several_hears_whether_its_supervisor_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    client, heard = Client(), list[object]()

    async def heed(fd: int, of: object, serving: asyncio.Task[None]) -> None:
        heard.extend((fd, of))
        await client.begun.wait()
        serving.cancel()

    monkeypatch.setattr(main, "build", lambda _config: client)
    monkeypatch.setattr(main, "_heed_supervisor", heed)
    await serve(load_config(SHARED | {"DISCORD_TOKEN": "secret", "_DOMINIUM_SUPERVISOR": "7"}))
    assert heard == [7, client]
    assert client.closed == 1


async def test_what_an_operator_may_watch() -> None:
    bot = Dominium(Config(token="", thinkers=1), cast("Any", None))
    thinker = bot._make_thinker(Levels())
    bot.own_shards.begin(4, (0, 1, 2))
    before = bot.counters.readings()
    bot.own_shards.hear((1, 2))
    after = bot.counters.readings()
    assert (before["gateway connected"], after["gateway connected"]) == (False, True)
    assert (after["shards served"], before["shards heard"], after["shards heard"]) == (3, 0, 2)
    assert (after["computer jobs waiting"], after["computer processes"]) == (0, 0)
    assert "gateway latency" in after
    await thinker.close()


@pytest.mark.parametrize("content", [False, True])
def test_discord_is_asked_for_no_more_events_than_are_needed(*, content: bool) -> None:
    wanted = {name for name, on in intents(Config(message_content=content)) if on}
    assert wanted == {"guilds", "guild_messages", "dm_messages"} | ({"message_content"} if content else set())


@pytest.mark.parametrize(
    ("settings", "several"),
    [
        ({}, False),
        ({"SHARDS": "1"}, False),
        ({"SHARDS": "2"}, True),
        ({"SHARDS": "auto"}, True),
        (SHARED, False),
        (ONE_OF_TWO, True),
        (SHARED | {"SHARD_IDS": "0"}, True),
    ],
)
def test_shards_take_a_client_of_their_own(settings: dict[str, str], *, several: bool) -> None:
    assert kind(load_config(settings)) is (ShardedDominium if several else Dominium)


async def test_processes_that_share_a_database_have_names_there(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str | None] = []

    async def opened(_place: object, *, clock: object, name: str | None) -> object:
        names.append(name)
        return "store"

    monkeypatch.setattr(main, "open_either", opened)
    monkeypatch.setattr(main, "kind", lambda _config: lambda _config, opened, entropy: opened)
    monkeypatch.setattr("bot.main.socket.gethostname", lambda: "house")
    monkeypatch.setattr("bot.main.os.getpid", lambda: 42)
    for settings in (SHARED, ONE_OF_TWO):
        assert await cast("Any", main.build(load_config(settings)))() == "store"
    assert names == [None, "house:42"]


async def test_metrics_are_served_while_the_bot_is(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[object] = []

    class Server:
        def __init__(self, *_parts: object) -> None:
            return

        async def start(self, host: str, port: int) -> tuple[str, int]:
            served.append((host, port))
            return host, port

        async def close(self) -> None:
            served.append("closed")

    monkeypatch.setattr("bot.platform.operator_server.OperatorServer", Server)
    client: Any = SimpleNamespace(counters=None, outbox_state=None)
    async with main.operator_server(Config(metrics=("127.0.0.1", 9464)), client) as address:
        assert address == ("127.0.0.1", 9464)
        assert served == [address]
    assert served[1:] == ["closed"]
    async with main.operator_server(Config(), client) as address:
        assert address is None
