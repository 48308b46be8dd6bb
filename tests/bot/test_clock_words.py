"""Clocks and times in words."""

from __future__ import annotations

import re
from datetime import time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages.clock import agreed_lines, duration, time_left
from games.engine.message import Msg
from locales import Catalogue
from matches.clocks.control import TimeControl, per_move
from matches.clocks.hours import PlayingHours

CATALOGUE = Catalogue(strict=True)
DAY = timedelta(days=1)
UNITS = {"d": DAY, "h": DAY / 24, "min": timedelta(minutes=1)}


def say(message: Msg) -> str:
    return CATALOGUE.say(message)


def test_all_that_was_agreed_on() -> None:
    hours = PlayingHours(ZoneInfo("Europe/Berlin"), time(9), time(17, 30), frozenset({0, 2, 4}))
    control = TimeControl(DAY, hours=hours, vacations=False, acts="automatic", follows="computer")
    assert [say(each) for each in agreed_lines(control)] == [
        "Clock: 24 hours for the whole match.",
        "When time is up, a computer takes the seat automatically, and the player may come back.",
        "Clocks run during playing hours only: Mon, Wed, and Fri, 09:00–17:30 (Europe/Berlin).",
        "Vacations don't stop the clock.",
    ]
    whole = PlayingHours(ZoneInfo("UTC"), time(9), time(9), frozenset({5, 6}))
    said = [say(each) for each in agreed_lines(per_move(DAY, hours=whole))]
    assert said[0] == "Clock: 24 hours a move."
    assert said[2] == "Clocks run during playing hours only: Sat and Sun, all day (UTC)."


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(), "0 seconds"),
        (timedelta(seconds=90), "1 minute 30 seconds"),
        (timedelta(days=2, hours=3, minutes=59), "2 days 3 hours"),
        (timedelta(days=2, minutes=59), "2 days"),
        (timedelta(hours=36), "1 day 12 hours"),
    ],
)
def test_durations(span: timedelta, words: str) -> None:
    assert say(duration(span)) == words


@given(st.timedeltas(timedelta(), timedelta(days=60)))
def test_what_is_left_is_short_and_only_overstated_by_moments(left: timedelta) -> None:
    said = say(time_left(left))
    assert len(said) <= len("under 1 min left")
    found = re.fullmatch(r"(\d+) (d|h|min) left", said)
    if found is None:
        assert (said, left < UNITS["min"]) == ("under 1 min left", True)
        return
    number, unit = int(found[1]), UNITS[found[2]]
    moments = timedelta(seconds=5 if found[2] == "min" else 60)
    assert number * unit <= left + moments < (number + 1) * unit
