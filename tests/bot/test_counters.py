"""Counters, and the meter of requests and answers."""

from __future__ import annotations

import pytest

from bot.platform.counters import SLOW, Counters, RequestMeter
from tests.bot.stage import Stage, text_of
from tests.bot.test_places import manager
from tests.fakes import START

CALLBACK = "/api/v10/interactions/{}/aW50ZXJ/callback"


def test_counts_add_up_and_what_is_new_is_reported_once() -> None:
    counters = Counters(START)
    assert counters.snapshot() == counters.take_new() == {}
    counters.add("b")
    counters.add("a", 3)
    assert list(counters.snapshot().items()) == [("a", 3), ("b", 1)]
    assert counters.take_new() == {"a": 3, "b": 1}
    assert counters.take_new() == {}
    counters.add("a")
    assert counters.take_new() == {"a": 1}
    assert counters.snapshot() == {"a": 4, "b": 1}


@pytest.mark.parametrize(
    ("status", "name"),
    [
        (200, ""),
        (404, ""),
        (401, "requests refused"),
        (403, "requests refused"),
        (429, "rate limits met"),
        (500, "errors of Discord"),
        (503, "errors of Discord"),
    ],
)
def test_answers_are_counted_by_their_status(status: int, name: str) -> None:
    counters = Counters(START)
    RequestMeter(counters).answered("/api/v10/users/@me", status)
    assert counters.snapshot() == ({name: 1} if name else {})


@pytest.mark.parametrize(("took", "slow"), [(0.0, 0), (SLOW, 0), (SLOW + 0.1, 1)])
def test_an_answer_is_slow_after_two_seconds(took: float, slow: int) -> None:
    times = iter((10.0, 10.0 + took))
    counters = Counters(START)
    meter = RequestMeter(counters, lambda: next(times))
    meter.interaction_came(7)
    meter.answered(CALLBACK.format(8), 200)
    meter.answered(CALLBACK.format(7), 204)
    meter.answered(CALLBACK.format(7), 400)  # a second answer isn't timed
    assert counters.snapshot().get("slow answers", 0) == slow


async def test_the_counts_of_a_day_are_logged(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "bot.pollers")
    stage.bot.counters.add("slow answers", 2)
    for _ in range(2):
        await stage.bot.pollers.counts()
    found = [record for record in caplog.records if record.message == "counted since the last report"]
    assert ['"slow answers": 2' in record.__dict__["counts"] for record in found] == [True]


async def test_strangers_are_told_nothing(stage: Stage) -> None:
    manager(stage)
    assert (
        text_of(await stage.ann.slash(stage.channel, "server operator", do="status"))
        == "Only the owner of this bot can see that."
    )
