"""Which daily puzzle a server gets next, and when."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.engine import registry
from matches.daily_puzzles import DAY, next_daily, next_due
from matches.store.lessons import DailyPuzzle
from tests.fakes import START
from tests.soak import SOAK

COUNTS = {key: (60 if SOAK else 6) + 3 * nth for nth, key in enumerate(registry.KEYS)}
EVERY = [(key, f"{key}-{n}") for key, count in COUNTS.items() for n in range(count)]


def test_when_the_next_one_begins() -> None:
    hour = timedelta(hours=1)
    assert next_due(None, START, START + hour) == START
    assert next_due(START, START, START + 23 * hour) is None
    assert next_due(START, START, START + 24 * hour) == START + DAY
    assert next_due(START, START, START + 80 * hour) == START + 3 * DAY
    assert next_due(START, START + 5 * hour, START + 30 * hour) == START + DAY, "the channel was changed"
    since = START + 50 * hour
    assert next_due(START, since, since + hour) == since, "it was off for days"


@pytest.mark.parametrize("guild", [1, 2])
def test_none_comes_twice_until_all_were_shown(guild: int) -> None:
    past = list[DailyPuzzle]()
    for n in range(1, len(EVERY) + 2):
        found = next_daily(guild, past, EVERY)
        assert found is not None
        past.insert(0, DailyPuzzle(guild, n, *found, START))
    assert len({each.puzzle for each in past[1:]}) == len(EVERY)
    assert past[0].puzzle in {each.puzzle for each in past[1:]}
    games = [each.game for each in reversed(past)]
    for at in range(min(COUNTS.values()) - 1):
        assert games[at] != games[at + 1], "the games take turns"


def test_each_server_has_an_order_of_its_own() -> None:
    firsts = [next_daily(guild, (), EVERY) for guild in range(1, 20)]
    assert any(each != firsts[0] for each in firsts)


def test_without_puzzles_there_is_none() -> None:
    assert next_daily(1, (), ()) is None
