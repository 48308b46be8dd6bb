"""Limits for what costs much: a burst, then one after each interval, for each person on their own."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.platform.throttle import MAX_BUCKETS, RATES, Costly, Throttle
from tests.bot.stage import Stage, text_of
from tests.fakes import FakeClock


def test_a_burst_is_allowed_then_one_after_each_interval() -> None:
    clock, (burst, interval) = FakeClock(), RATES["film"]
    throttle = Throttle(clock)
    assert [throttle.refuse("film", 1) for _ in range(burst)] == [None] * burst
    soon = int((clock.now() + interval).timestamp())
    for _ in range(2):  # what is refused costs nothing
        why = throttle.refuse("film", 1)
        assert why is not None
        assert dict(why.values) == {"when": f"<t:{soon}:t>"}
    assert throttle.refuse("film", 2) is None, "others aren't held up"
    assert throttle.refuse("position", 1) is None, "nor is anything else"
    clock.advance(interval)
    assert throttle.refuse("film", 1) is None
    assert throttle.refuse("film", 1) is not None
    clock.advance(interval * burst * 2)
    assert [throttle.refuse("film", 1) for _ in range(burst)] == [None] * burst
    assert throttle.refuse("film", 1) is not None, "it never holds more than a burst"


def test_memory_is_bounded_and_every_kind_has_a_rate() -> None:
    throttle = Throttle(FakeClock())
    for user in range(MAX_BUCKETS + 50):
        assert throttle.refuse("hint", user) is None
    assert len(throttle._full_at) == MAX_BUCKETS
    assert set(RATES) == set(get_args(Costly))


@pytest.mark.slow
async def test_too_many_records_are_refused_with_a_time(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    for _ in range(RATES["export"].burst):
        assert stage.bot.context.operation.throttle.refuse("export", stage.ann.id) is None
    said = text_of(await stage.ann.slash(thread, "replay record", match=match))
    assert said.startswith("That's a lot of files in a short time. You can ask for another from <t:")
    other = text_of(await stage.ben.slash(thread, "replay record", match=match))
    assert "a lot of files" not in other


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "command", "options"),
    [
        ("position", "replay position", {"text": "x"}),
        ("hint", "ask hint", {}),
        ("proof", "replay verify", {}),
    ],
)
async def test_each_command_asks_first(
    stage: Stage, kind: Costly, command: str, options: dict[str, str]
) -> None:
    _, thread = await stage.open(stage.ann, stage.ben)
    for _ in range(RATES[kind].burst):
        stage.bot.context.operation.throttle.refuse(kind, stage.ann.id)
    assert "in a short time." in text_of(await stage.ann.slash(thread, command, **options))
