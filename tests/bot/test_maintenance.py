"""Planned maintenance: a small line on boards until it is over, which pings nobody and survives a restart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.platform.maintenance import MAX_AHEAD, Maintenance, Pause, read_time
from bot.platform.reader_settings import Preferences
from tests.bot.acts import last_board
from tests.bot.stage import Stage, legal, text_of
from tests.bot.test_places import manager
from tests.fakes import START, FakeClock, MemoryStore

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("typed", "time"),
    [
        ("2026-11-27 14:00", datetime(2026, 11, 27, 14, tzinfo=UTC)),
        (" 2026-11-27T14:00Z ", datetime(2026, 11, 27, 14, tzinfo=UTC)),
        ("2026-11-27 14:00+01:00", datetime(2026, 11, 27, 13, tzinfo=UTC)),
        ("9999-12-31 23:00-12:00", None),
        ("on Friday", None),
        ("", None),
        ("2026-11-31 14:00", None),
    ],
)
def test_a_time_is_read(typed: str, time: datetime | None) -> None:
    assert read_time(typed) == time


async def test_it_holds_until_it_is_over_or_withdrawn() -> None:
    store, clock = MemoryStore(), FakeClock()
    await store.save_settings("guild", 0, {"commands": "digest"})
    planned = Maintenance(Preferences(store), clock)
    assert await planned.current() is None
    assert not await planned.withdraw()
    pause = Pause(START + 60 * MINUTE, 10)
    await planned.plan(Pause(START + 30 * MINUTE, 5))
    await planned.plan(pause)
    clock.advance(70 * MINUTE - timedelta(seconds=1))
    other = Maintenance(Preferences(store), clock)
    assert await other.current() == pause, "after a restart, too"
    clock.advance(timedelta(seconds=1))
    assert await other.current() is None
    assert not await other.withdraw()
    await other.plan(Pause(clock.now() + MINUTE, 10))
    assert await other.withdraw()
    assert await other.current() is None
    assert await store.settings("guild", 0) == {"commands": "digest"}


@pytest.mark.parametrize(
    ("ahead", "minutes"),
    [(timedelta(), 10), (-MINUTE, 10), (MAX_AHEAD + MINUTE, 10), (MINUTE, 0), (MINUTE, 24 * 60 + 1)],
)
async def test_what_does_not_lie_ahead_is_no_pause(ahead: timedelta, minutes: int) -> None:
    planned = Maintenance(Preferences(MemoryStore()), FakeClock())
    with pytest.raises(ValueError, match="ahead"):
        await planned.plan(Pause(START + ahead, minutes))
    assert await planned.current() is None


# --- the bot ------------------------------------------------------------------------------------------


@pytest.fixture
def owned(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Dan owns the application."""
    manager(stage, stage.dan)
    dan = stage.dan.id
    monkeypatch.setattr("bot.inbound.commands.operator.is_owner", lambda client, user: user == dan)
    return stage


async def operate(stage: Stage, do: str, **options: Any) -> str:
    return text_of(await stage.dan.slash(stage.channel, "server operator", do=do, **options))


async def move(stage: Stage, match: str, thread: Any) -> str:
    """Make a move, and return the text of the new board."""
    mover = await stage.mover(match)
    await mover.send(thread, f"{stage.mention} {legal(await stage.match(match))[0]}")
    return (await last_board(stage, match)).content


@pytest.mark.slow
async def test_boards_have_the_line_until_it_is_over(owned: Stage) -> None:
    stage = owned
    match, thread = await stage.open(stage.ann, stage.ben)
    now = stage.bot.context.clock.now()
    at = (now + timedelta(hours=2)).replace(microsecond=0, second=0)
    before = len(stage.env.http_requests)
    said = await operate(stage, "plan maintenance", when=f"{at:%Y-%m-%d %H:%M}", minutes=15)
    line = f"-# Maintenance is planned for <t:{int(at.timestamp())}:f>, for about 15 minutes."
    assert line in said
    posted = [r for r in stage.env.http_requests[before:] if r.method == "POST" and "/messages" in r.path]
    assert [r for r in posted if "/webhooks/" not in r.path] == [], "nothing is posted on its own"
    board = await move(stage, match, thread)
    assert board.count(line) == 1
    assert "no clock counts that time" in board
    await stage.restart()
    assert line in await move(stage, match, thread)
    assert line in text_of(await stage.ann.slash(stage.channel, "matches mine"))
    assert line in text_of(await stage.ann.click(await last_board(stage, match), label="My view"))
    await stage.later(hours=2.5)
    assert "Maintenance" not in await move(stage, match, thread)
    assert "Maintenance" not in text_of(await stage.ann.slash(stage.channel, "matches mine"))


@pytest.mark.slow
async def test_it_can_be_withdrawn(owned: Stage) -> None:
    stage = owned
    match, thread = await stage.open(stage.ann, stage.ben)
    at = stage.bot.context.clock.now() + timedelta(days=1)
    assert await operate(stage, "withdraw maintenance") == "No maintenance is planned."
    await operate(stage, "plan maintenance", when=f"{at:%Y-%m-%d %H:%M}")
    assert "for about 10 minutes" in await move(stage, match, thread)
    assert (await operate(stage, "withdraw maintenance")).startswith("It is withdrawn.")
    assert "Maintenance" not in await move(stage, match, thread)
    for when in ("tomorrow", "", "2001-01-01 10:00", f"{at + MAX_AHEAD:%Y-%m-%d %H:%M}"):
        said = await operate(stage, "plan maintenance", when=when)
        assert said.startswith(f"`{when}` isn't a time to come.")
    assert await stage.bot.context.operation.maintenance.current() is None


@pytest.mark.slow
async def test_only_the_owner_plans_it(owned: Stage) -> None:
    stage = owned
    at = stage.bot.context.clock.now() + timedelta(days=1)
    said = await stage.ann.slash(
        stage.channel, "server operator", do="plan maintenance", when=f"{at:%Y-%m-%d %H:%M}"
    )
    assert text_of(said) == "Only the owner of this bot can see that."
    assert await stage.bot.context.operation.maintenance.current() is None
