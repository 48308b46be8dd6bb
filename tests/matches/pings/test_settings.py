"""What people want of pings: as JSON, as they type it, and what is broken or old."""

from __future__ import annotations

import json
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.clocks.hours import which_words
from matches.pings.settings import (
    PingSettings,
    QuietHours,
    read_settings,
    typed_digests,
    typed_quiet,
    typed_time,
    with_settings,
)
from tests.matches.pings.test_decision import settings


@given(settings)
def test_settings_come_back_from_json(chosen: PingSettings) -> None:
    made = json.loads(json.dumps(with_settings({"theme": "dark"}, chosen)))
    assert made["theme"] == "dark"
    assert read_settings(made) == chosen


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(tuple(PingSettings().to_json())), _VALUES) | _VALUES)
def test_broken_settings_are_read_kindly(found: Any) -> None:
    chosen = read_settings({"pings": found})
    assert read_settings(with_settings({}, chosen)) == chosen


def test_without_settings_every_move_is_told_in_the_thread() -> None:
    chosen = read_settings({})
    assert chosen == PingSettings()
    assert (chosen.style, chosen.where, chosen.quiet) == ("every", "thread", None)


def test_one_broken_value_leaves_the_others() -> None:
    made = PingSettings(style="digest", zone=ZoneInfo("Asia/Tokyo"), interval=4).to_json()
    chosen = read_settings(
        {"pings": made | {"quiet": ["22:00", "99:00"], "where": "fax", "reminders": [8, "x", -1]}}
    )
    assert chosen == PingSettings(style="digest", zone=ZoneInfo("Asia/Tokyo"), interval=4, reminders=(8,))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("8", time(8)),
        ("8:30", time(8, 30)),
        ("20h15", time(20, 15)),
        ("8 pm", time(20)),
        ("12 am", time(0)),
        ("12pm", time(12)),
        ("24:00", time(0)),
        ("24:01", None),
        ("8:60", None),
        ("13 pm", None),
        ("noon", None),
        ("", None),
    ],
)
def test_times_of_day(text: str, wanted: time | None) -> None:
    assert typed_time(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("22-7", QuietHours(time(22), time(7))),
        ("10 pm to 7:30 am", QuietHours(time(22), time(7, 30))),
        ("22:00–07:00", QuietHours(time(22), time(7))),
        ("off", "off"),
        ("None", "off"),
        ("7-7", which_words(((time(7), time(19)), (time(19), time(7))))),
        ("10-6", which_words(((time(10), time(6)), (time(10), time(18)), (time(22), time(6))))),
        ("10 pm-6", QuietHours(time(22), time(6))),
        ("10:00-06:00", QuietHours(time(10), time(6))),
        ("0-23:30", None),
        ("at night", None),
        ("22", None),
    ],
)
def test_quiet_hours(text: str, wanted: object) -> None:
    assert typed_quiet(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("8:00 18:30", (time(8), time(18, 30))),
        ("6 pm, 8 am", (time(8), time(18))),
        ("8 and 18", (time(8), time(18))),
        ("8, 8", (time(8),)),
        ("8, late", None),
        ("1 2 3 4 5 6 7", None),
        ("", None),
    ],
)
def test_digests(text: str, wanted: object) -> None:
    assert typed_digests(text) == wanted
