"""Faults planted in the bot: the month has to fail for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import discord
import pytest

from bot.inbound.catch_up import CatchUp
from bot.inbound.read_marks import ReadMarks
from bot.outbound import posting
from matches.core import Core
from storage.store import SqliteStore
from tests.month.script import MonthError, Size, play
from tests.soak import SOAK, sampled

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long,
]
SMALL = Size(days=10 if SOAK else 5, tables=12, guilds=4)


async def _nothing(*args: Any, **kwargs: Any) -> None:
    """Do nothing."""


def _catch_up_off() -> AbstractContextManager[Any]:
    return mock.patch.object(CatchUp, "_read", _nothing)


def _marks_run_ahead() -> AbstractContextManager[Any]:
    def take(self: ReadMarks) -> dict[int, int]:
        marks, self._unsaved = self._unsaved, {}
        return {channel: message + (40 << 32) for channel, message in marks.items()}

    return mock.patch.object(ReadMarks, "take_unsaved", take)


def _guild_forgotten() -> AbstractContextManager[Any]:
    original = discord.Client.get_partial_messageable

    def without(self: discord.Client, id: int, **_: Any) -> Any:  # noqa: A002 - discord.py's name
        return original(self, id)

    return mock.patch.object(discord.Client, "get_partial_messageable", without)


def _requests_forgotten() -> AbstractContextManager[Any]:
    numbers: Iterator[int] = iter(range(1 << 30))
    original = Core.decide

    async def decide(self: Core, match: str, user: int | None, request: str, *args: Any, **more: Any) -> Any:
        return await original(self, match, user, f"{request}/{next(numbers)}", *args, **more)

    return mock.patch.object(Core, "decide", decide)


def _never_searched() -> AbstractContextManager[Any]:
    return mock.patch.object(posting.Poster, "_find", _nothing)


def _downtimes_count() -> AbstractContextManager[Any]:
    return mock.patch.object(SqliteStore, "add_downtime", _nothing)


FAULTS = [
    (_catch_up_off, ("downtime",)),
    (_marks_run_ahead, ("downtime",)),
    (_guild_forgotten, ("downtime", "an_outage")),
    (_requests_forgotten, ("crash", "doubled_events")),
    (_never_searched, ("crash",)),
    (_downtimes_count, ("downtime",)),
]


@pytest.mark.parametrize(("fault", "disturbances"), sampled(FAULTS, FAULTS[2:4]))
def test_a_planted_fault_fails_the_month(fault: Any, disturbances: tuple[str, ...]) -> None:
    with fault(), pytest.raises(MonthError) as failed:
        _months(disturbances)
    assert not isinstance(failed.value.__cause__, (NameError, TypeError, AttributeError)), "that is a test's"


def _months(disturbances: tuple[str, ...]) -> None:
    for seed in range(1, 7):
        play(seed, SMALL, disturbances)
