"""Unexpected errors: grouped by place, stored without what they say, shown to operators, told by webhook."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import tomllib
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.main import build
from bot.messages.operation import new_errors_text
from bot.platform.config import Config, ConfigError, load_config
from bot.platform.error_places import OURS, place_of
from bot.platform.error_reports import EVERY, MAX_REPORTED, ErrorReports, ErrorWebhook, post_text
from bot.platform.reader_settings import Reader
from locales import Catalogue
from matches.ports import StoreUnavailableError
from matches.store.operation import MAX_GROUPS, ErrorGroup
from tests.bot.stage import Stage, text_of
from tests.bot.test_places import manager
from tests.fakes import START, FakeClock, MemoryStore
from tests.test_contracts import ROOT

log = logging.getLogger("bot.tests")
WEBHOOK = "https://discord.com/api/webhooks/123456789012345678/" + "Secret-part_" * 5
MINUTE = timedelta(minutes=1)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def reports(clock: FakeClock) -> Iterator[ErrorReports]:
    made = ErrorReports(clock)
    logging.getLogger().addHandler(made)
    yield made
    logging.getLogger().removeHandler(made)


def fail_inside(text: str) -> None:
    """Log an error whose innermost own frame is in our code, below it the library."""
    try:
        Config(database_url=f"postgresql://ann:{text}@[half").secrets  # noqa: B018 - it raises
    except ValueError:
        log.exception("%s failed", text)


async def test_errors_of_one_place_are_one_group(reports: ErrorReports, clock: FakeClock) -> None:
    store = MemoryStore()
    for n in range(5):
        fail_inside(f"ann's secret {n} in C:\\home")
        clock.advance(MINUTE)
    log.error("nothing was raised")
    log.warning("nor is this one", exc_info=KeyError("x"))
    await reports.save(store)
    (group,) = await store.error_groups()
    assert re.fullmatch(r"bot\.platform\.config:Config\.secrets:[0-9]+", group.place)
    assert (group.kind, group.count, group.since, group.latest) == (
        "ValueError",
        5,
        START,
        START + 4 * MINUTE,
    )
    assert "ann" not in repr(group)
    assert "secret " not in repr(group)
    assert "/" not in group.place
    await reports.save(store)
    assert (await store.error_groups())[0].count == 5, "what is stored isn't counted again"


async def test_errors_from_threads_and_forgotten_tasks_count(reports: ErrorReports) -> None:
    store = MemoryStore()
    worker = threading.Thread(target=fail_inside, args=("x",))
    worker.start()
    worker.join()
    asyncio.get_running_loop().call_exception_handler({"message": "never retrieved", "exception": KeyError()})
    await reports.save(store)
    assert {one.kind: one.place for one in await store.error_groups()}["KeyError"] == "logged by asyncio"
    assert len(await store.error_groups()) == 2


async def test_what_cannot_be_stored_waits_and_is_bounded(reports: ErrorReports) -> None:
    store = MemoryStore()
    store.failing = StoreUnavailableError("full")
    fail_inside("x")
    with pytest.raises(StoreUnavailableError):
        await reports.save(store)
    fail_inside("x")
    for n in range(MAX_GROUPS + 50):
        logging.getLogger(f"lib.{n}").error("x", exc_info=KeyError())
    fail_inside("x")
    store.failing = None
    await reports.save(store)
    groups = await store.error_groups()
    assert len(groups) == MAX_GROUPS
    assert {one.count for one in groups} == {1}, "the oldest were dropped, one of them with its counts"


def test_a_trace_without_a_frame_of_ours_has_no_place() -> None:
    assert place_of(None) == ""
    with pytest.raises(ValueError, match="invalid literal") as raised:
        int("x")
    assert place_of(raised.value.__traceback__) == ""


def test_all_our_packages_are_known() -> None:
    setting = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    assert set(setting["root_packages"]) - {"tests", "deploy"} <= OURS


# --- the webhook --------------------------------------------------------------------------------------


class Channel:
    """A webhook that can fail."""

    def __init__(self, clock: FakeClock) -> None:
        self.texts: list[str] = []
        self.error: Exception | None = None
        self.tries = 0
        reader = Reader(Catalogue(strict=True))
        self.webhook = ErrorWebhook(
            WEBHOOK, clock, lambda groups, more: new_errors_text(groups, more, reader), self.post
        )

    async def post(self, address: str, text: str) -> None:
        assert address == WEBHOOK
        self.tries += 1
        if self.error is not None:
            raise self.error
        self.texts.append(text)


def group(n: int, clock: FakeClock, count: int = 1) -> ErrorGroup:
    return ErrorGroup(f"bot.app:f:{n}", "KeyError", count, clock.now(), clock.now(), "1.0")


async def test_a_new_group_is_told_once_and_others_wait(clock: FakeClock) -> None:
    store, channel = MemoryStore(), Channel(clock)
    await channel.webhook.tick(store)
    await store.note_errors((group(1, clock, 3),))
    await channel.webhook.tick(store)
    (text,) = channel.texts
    assert "one new kind" in text
    assert "`bot.app:f:1`: `KeyError`, 3 times" in text
    clock.advance(MINUTE)
    await store.note_errors((group(1, clock), group(2, clock)))
    await store.note_errors((group(2, clock), group(3, clock)))
    await channel.webhook.tick(store)
    assert len(channel.texts) == 1
    clock.advance(EVERY - MINUTE)
    await Channel(clock).webhook.tick(store)
    groups = {one.place: one.told for one in await store.error_groups()}
    assert groups == {"bot.app:f:1": START, "bot.app:f:2": START + EVERY, "bot.app:f:3": START + EVERY}
    clock.advance(5 * EVERY)
    await channel.webhook.tick(store)
    assert len(channel.texts) == 1, "another process has told it"


async def test_a_restart_tells_no_sooner(clock: FakeClock) -> None:
    store = MemoryStore()
    for n in range(4):
        channel = Channel(clock)
        await store.note_errors((group(n, clock),))
        await channel.webhook.tick(store)
        assert len(channel.texts) == (n == 0)
        clock.advance(MINUTE)


async def test_many_groups_are_one_message_that_fits(clock: FakeClock) -> None:
    store, channel = MemoryStore(), Channel(clock)
    long = [ErrorGroup("m" * 300 + f":{n}", "K" * 300, 7, START, START, "1") for n in range(MAX_GROUPS)]
    await store.note_errors(long)
    await channel.webhook.tick(store)
    (text,) = channel.texts
    assert len(text) <= 2000
    assert text.startswith(f"**Dominium**: {MAX_GROUPS} new kinds")
    assert f"And {MAX_GROUPS - MAX_REPORTED} more" in text
    clock.advance(2 * EVERY)
    await channel.webhook.tick(store)
    assert len(channel.texts) == 1


@pytest.mark.parametrize(
    "error", [aiohttp.ClientError(WEBHOOK), TimeoutError(), OSError(WEBHOOK), ValueError(WEBHOOK)]
)
async def test_a_failing_webhook_disturbs_nothing(
    clock: FakeClock, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    store, channel = MemoryStore(), Channel(clock)
    channel.error = error
    await store.note_errors((group(1, clock),))
    for _ in range(3):
        await channel.webhook.tick(store)
    assert channel.tries == 1, "it is left alone for a while"
    assert "Secret-part" not in caplog.text
    assert [record.exc_info for record in caplog.records] == [None]
    clock.advance(EVERY)
    channel.error = None
    await channel.webhook.tick(store)
    assert len(channel.texts) == 1


@pytest.mark.parametrize("status", [204, 302, 404, 429, 500])
async def test_a_text_is_posted_without_pings(status: int) -> None:
    bodies: list[Any] = []

    async def take(request: web.Request) -> web.Response:
        bodies.append(await request.json())
        return web.Response(status=status, headers={"Location": "http://127.0.0.1:1/"})

    app = web.Application()
    app.router.add_post("/hook", take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        if status < 400:
            await post_text(address, "@everyone")
        else:
            with pytest.raises(aiohttp.ClientResponseError):
                await post_text(address, "@everyone")
    finally:
        await runner.cleanup()
    assert bodies == [{"content": "@everyone", "allowed_mentions": {"parse": []}}]


# --- settings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["discord.com", "ptb.discord.com", "discordapp.com"])
def test_a_webhook_is_read_and_a_secret(host: str) -> None:
    address = WEBHOOK.replace("discord.com", host)
    config = load_config({"DOMINIUM_ERROR_WEBHOOK": address})
    assert config.error_webhook == address
    assert {address, address.rpartition("/")[2]} <= set(config.secrets)
    assert "Secret" not in repr(config)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/api/webhooks/1/" + "Secret" * 9,
        WEBHOOK.replace("https", "http"),
        WEBHOOK.replace("discord.com", "discord.com.example.org"),
        WEBHOOK + "\u0301",
        WEBHOOK + "/slack",
        "Secret",
    ],
)
def test_another_address_is_refused_and_not_shown(address: str) -> None:
    with pytest.raises(ConfigError, match="DOMINIUM_ERROR_WEBHOOK") as refused:
        load_config({"DOMINIUM_ERROR_WEBHOOK": address})
    assert "Secret" not in str(refused.value)


# --- the bot ------------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_the_owner_sees_what_failed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.inbound.commands.operator.is_owner", lambda client, user: user == stage.dan.id)
    manager(stage, stage.dan)

    async def broken(*_: object) -> None:
        Config(database_url="postgresql://ann:her words@[half").secrets  # noqa: B018 - it raises

    monkeypatch.setattr(stage.bot.context.service.queries, "mine", broken)
    for _ in range(2):
        assert text_of(await stage.ann.slash(stage.channel, "matches mine")).startswith(
            "Something went wrong"
        )
    shown = text_of(await stage.dan.slash(stage.channel, "server operator", do="status"))
    assert re.search(r"`bot\.platform\.config:Config\.secrets:\d+`: `ValueError`, 2 times", shown)
    assert "her words" not in shown
    await stage.restart()
    assert "Config.secrets" in text_of(await stage.dan.slash(stage.channel, "server operator", do="status"))
    assert "Latest errors" not in text_of(
        await stage.ann.slash(stage.channel, "server operator", do="status")
    )
    cleared = text_of(await stage.dan.slash(stage.channel, "server operator", do="clear errors"))
    assert cleared == "One kind of error was removed."
    assert "Latest errors" not in text_of(
        await stage.dan.slash(stage.channel, "server operator", do="status")
    )
    stage.expected = stage.env.errors
    assert ["Invalid IPv6 URL" in str(error) for error in stage.expected] == [True, True]


@pytest.mark.slow
async def test_the_pollers_store_them(stage: Stage) -> None:
    fail_inside("x")
    await stage.later(seconds=61)
    assert [one.count for one in await stage.bot.context.store.error_groups()] == [1]


def test_a_closed_bot_listens_no_longer() -> None:
    root, before = logging.getLogger(), list(logging.getLogger().handlers)

    async def live() -> None:
        client = build(Config())
        root.addHandler(client.errors)
        await client.close()

    asyncio.run(live())
    assert root.handlers == before
