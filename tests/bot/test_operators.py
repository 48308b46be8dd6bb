"""What operators see: metrics without names of matches and people, health, and what it costs."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import aiohttp
import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from bot import main
from bot.platform.counters import BOUNDS, Counters, Durations
from bot.platform.metrics import exposition
from bot.platform.operator_server import MOST_LATE, OperatorServer
from matches.ports import StoreError
from matches.store.operation import OutboxState
from tests.bot.acts import move_by
from tests.bot.stage import Stage, best, computer, legal
from tests.fakes import START, FakeClock

LABELS = {"game", "step", "route", "poller", "le", "why", "kind", "event"}
"""Labels with few values."""


def parsed(text: bytes) -> dict[str, Metric]:
    """Metrics by name, as Prometheus reads them."""
    return {metric.name: metric for metric in text_string_to_metric_families(text.decode())}


def value(found: dict[str, Metric], name: str, sample: str = "", **labels: str) -> float:
    """One value of a metric."""
    (only,) = (
        one.value
        for one in found[name].samples
        if one.name == (sample or one.name) and labels.items() <= one.labels.items()
    )
    return only


# --- counting -----------------------------------------------------------------------------------------


def test_a_duration_lies_in_the_bucket_that_ends_with_it() -> None:
    durations = Durations()
    for seconds in (0.0, BOUNDS[0], BOUNDS[0] * 1.01, BOUNDS[-1], 60.0):
        durations.add("draw", seconds)
    (histogram,) = durations.all().values()
    assert histogram.counts == [2, 1, *[0] * (len(BOUNDS) - 3), 1, 1]
    assert histogram.total == pytest.approx(60 + BOUNDS[-1] + BOUNDS[0] * 2.01)


def test_a_round_that_fails_is_no_round() -> None:
    counters = Counters(START)
    with pytest.raises(StoreError), counters.sweep("clocks"):
        raise StoreError
    with counters.sweep("clocks"):
        pass
    assert sum(counters.sweeps.all()["clocks"].counts) == 1


def test_prometheus_reads_what_was_counted() -> None:
    counters = Counters(START)
    counters.took("draw", 0.02)
    counters.took("draw", 20)
    counters.moved("focus", 3)
    counters.add("rate limits met", 2)
    counters.add("sessions resumed")
    counters.add('messages: dropped (board, "403")')
    counters.watch("gateway connected", lambda: True)
    counters.watch("gateway latency", lambda: float("inf"))
    counters.watch("computer jobs waiting", lambda: 4)
    state = OutboxState(5, START, START + timedelta(seconds=30), 2, 1)
    found = parsed(exposition(counters, state, START + timedelta(seconds=90)))
    step = "dominium_step_seconds"
    assert value(found, step, f"{step}_bucket", step="draw", le="0.025") == 1
    assert value(found, step, f"{step}_bucket", step="draw", le="10.0") == 1
    assert value(found, step, f"{step}_bucket", step="draw", le="+Inf") == 2
    assert value(found, step, f"{step}_count") == 2
    assert value(found, step, f"{step}_sum") == pytest.approx(20.02)
    assert value(found, "dominium_moves", game="focus") == 3
    assert value(found, "dominium_rate_limits") == 2
    assert value(found, "dominium_gateway_sessions", kind="resumed") == 1
    assert value(found, "dominium_events", event='messages: dropped (board, "403")') == 1
    assert value(found, "dominium_gateway_connected") == 1
    assert value(found, "dominium_computer_jobs_waiting") == 4
    assert value(found, "dominium_outbox_messages") == 5
    assert value(found, "dominium_outbox_oldest_seconds") == 90
    assert value(found, "dominium_outbox_late_seconds") == 60
    assert value(found, "dominium_outbox_dead_messages", why="parked") == 2
    assert value(found, "dominium_outbox_dead_messages", why="dropped") == 1
    assert "process_cpu_seconds" in found


# --- what a match tells -------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ["reply", "slash"])
async def test_each_step_of_a_move_is_timed_once(open_stage: Stage, route: str) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    counters = stage.bot.counters
    before = {name: sum(each.counts) for name, each in counters.steps.all().items()}
    mover, move = await stage.mover(match), legal(await stage.match(match))[0]
    await move_by(stage, route, match, thread, mover, move)
    after = {name: sum(each.counts) for name, each in counters.steps.all().items()}
    assert {name: count - before.get(name, 0) for name, count in after.items()} == dict.fromkeys(
        ("in", "load", "judge", "commit", "draw", "post"), 1
    )
    assert sum(sum(each.counts) for each in counters.answers.all().values()) == 1
    assert counters.moves == {"focus": 1}


async def test_talk_and_refused_moves_are_no_moves(open_stage: Stage) -> None:
    stage = open_stage
    _, thread = await stage.open(stage.ann, stage.ben)
    before = stage.bot.counters.steps.all()["commit"].counts[:]
    for text in ("hello everyone", "a1-h8", f"{stage.mention} z9-z9"):
        await stage.ann.send(thread, text)
    assert sum(stage.bot.counters.moves.values()) == 0
    assert stage.bot.counters.steps.all()["commit"].counts == before
    assert "in" not in stage.bot.counters.steps.all()


async def test_no_match_and_no_person_is_named(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    await computer(stage.ann, await stage.lobby(match))
    await stage.ann.click(await stage.lobby(match), label="Start")
    await stage.deliver(match)
    thread = stage.home(await stage.row(match))
    if (await stage.match(match)).to_act == {0}:
        await stage.ann.send(thread, f"{stage.mention} {best(await stage.match(match))}")
    await stage.later()
    text = exposition(stage.bot.counters, await stage.bot.outbox_state(), START)
    found = parsed(text)
    assert value(found, "dominium_moves", game="focus") >= 1
    assert {"outbox", "matches", "clocks", "pings"} <= stage.bot.counters.sweeps.all().keys()
    assert {label for each in found.values() for one in each.samples for label in one.labels} <= LABELS | {
        "version"
    }
    people = [str(person.id) for person in stage.people.values()]
    names = [match, str(stage.guild.id), str(stage.channel.id), str(thread.id), *people, "Ann"]
    assert [name for name in names if name in text.decode()] == []


def test_what_is_off_is_not_even_imported() -> None:
    heavy = {"prometheus_client", "bot.platform.operator_server"}
    code = f"import sys, bot.main; sys.exit(bool({heavy} & {{*sys.modules}}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- the server ---------------------------------------------------------------------------------------


class Told:
    """A server whose store and gateway a test decides about."""

    def __init__(self) -> None:
        self.counters, self.clock = Counters(START), FakeClock()
        self.connected = True
        self.outbox: OutboxState | StoreError | None = OutboxState()
        self.counters.watch("gateway connected", lambda: self.connected)
        self.server = OperatorServer(self.counters, self.clock, self._read)
        self.url = ""

    async def _read(self) -> OutboxState | None:
        if isinstance(self.outbox, StoreError):
            raise self.outbox
        return self.outbox

    async def get(self, path: str) -> tuple[int, str]:
        """Status and text of an answer."""
        async with aiohttp.ClientSession() as session, session.get(f"{self.url}{path}") as answer:
            return answer.status, await answer.text()


@pytest.fixture
async def told() -> AsyncIterator[Told]:
    made = Told()
    address = await made.server.start("127.0.0.1", 0)
    assert address is not None
    made.url = f"http://127.0.0.1:{address[1]}"
    yield made
    await made.server.close()
    await made.server.close()


async def test_it_is_alive_as_long_as_the_loop_answers(told: Told) -> None:
    told.connected, told.outbox = False, StoreError("locked")
    assert await told.get("/healthz") == (200, "dominium: alive\n")
    assert (await told.get("/nothing"))[0] == 404


async def test_it_is_ready_while_people_can_play(told: Told) -> None:
    assert await told.get("/readyz") == (200, "dominium: ready\n")
    told.connected = False
    assert await told.get("/readyz") == (503, "not ready: no events of Discord reach the bot\n")
    told.connected = True
    for lost in (None, StoreError("secret path")):
        told.outbox = lost
        assert await told.get("/readyz") == (503, "not ready: the database can't be used\n")
    since = told.clock.now() - timedelta(seconds=MOST_LATE)
    told.outbox = OutboxState(1, since, since)
    assert (await told.get("/readyz"))[0] == 200
    told.outbox = OutboxState(1, since, since - timedelta(seconds=1))
    assert await told.get("/readyz") == (
        503,
        "not ready: a message has been waiting to be sent for 301 seconds\n",
    )


async def test_metrics_are_served_even_if_the_database_is_not(told: Told) -> None:
    told.counters.moved("focus", 2)
    assert "dominium_outbox_messages 0.0" in (await told.get("/metrics"))[1]
    told.outbox = StoreError("locked")
    status, text = await told.get("/metrics")
    assert status == 200
    assert 'dominium_moves_total{game="focus"} 2.0' in text
    assert "dominium_outbox" not in text


async def test_a_port_in_use_is_one_sentence_and_no_end(told: Told, caplog: pytest.LogCaptureFixture) -> None:
    port = int(told.url.rpartition(":")[2])
    caplog.set_level(logging.INFO)
    assert await OperatorServer(told.counters, told.clock, told._read).start("127.0.0.1", port) is None
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert f"127.0.0.1 port {port} can't be used" in record.message
    assert "the bot runs without" in record.message
    assert (await told.get("/healthz"))[0] == 200


async def test_it_serves_the_bot_only_if_switched_on(stage: Stage) -> None:
    async with main.operator_server(stage.config, stage.bot) as address:
        assert address is None
    config = replace(stage.config, metrics=("127.0.0.1", 0))
    async with main.operator_server(config, stage.bot) as address:
        assert address is not None
        url = f"http://127.0.0.1:{address[1]}"
        async with aiohttp.ClientSession() as session, session.get(f"{url}/readyz") as answer:
            assert await answer.text() == "dominium: ready\n"
    with pytest.raises(aiohttp.ClientConnectorError):
        async with aiohttp.ClientSession() as session, session.get(f"{url}/readyz"):
            pass
