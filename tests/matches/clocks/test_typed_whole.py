"""A clock and its playing hours in one text, and the time zones that are offered while it is typed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from games.engine.message import Msg
from matches.clocks.control import PRESETS, TimeControl, per_move, time_zone
from matches.clocks.hours import PlayingHours
from matches.clocks.typed import read_whole_clock, suggest_whole_clocks
from matches.clocks.zones import zone_names
from tests.matches.world import catalogue

NOW = datetime(2027, 1, 1, tzinfo=UTC)
BERLIN, NEW_YORK = time_zone("Europe/Berlin"), time_zone("America/New_York")
THREE = per_move(timedelta(days=3))
WORKDAYS = frozenset(range(5))


def read(text: str) -> TimeControl | Msg | None:
    return read_whole_clock(text, zone_names(), NOW)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("3d", THREE),
        ("relaxed", PRESETS["relaxed"]),
        ("none", None),
        (
            "3d from 9:00 to 22:00 Europe/Berlin",
            replace(THREE, hours=PlayingHours(BERLIN, time(9), time(22))),
        ),
        (
            "3 days a move, from 9-22, Mon-Fri, in Berlin",
            replace(THREE, hours=PlayingHours(BERLIN, time(9), time(22), WORKDAYS)),
        ),
        (
            "3d FROM 9 am until midnight weekdays new york",
            replace(THREE, hours=PlayingHours(NEW_YORK, time(9), time(0), WORKDAYS)),
        ),
        (
            "steady from 20:00 to 2:30 Sat, Sun Europe/Berlin",
            replace(
                PRESETS["steady"],  # type: ignore[type-var]
                hours=PlayingHours(BERLIN, time(20), time(2, 30), frozenset({5, 6})),
            ),
        ),
    ],
)
def test_what_is_understood(text: str, clock: TimeControl | None) -> None:
    assert read(text) == clock


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("soon from 9 to 22 Berlin", "unread"),
        ("none from 9 to 22 Berlin", "hours_only"),
        ("3d from dawn till dusk", "time"),
        ("3d from 9 to 22", "zone"),
        ("3d from 9 to 22 Mon-Fri Berlinn", "zone_near"),
        ("3d from 9 to 22 UTC+1", "zone_offset"),
        ("3d from 9:00 to 9:30 Mon Berlin", "hours"),
    ],
)
def test_what_is_refused_with_a_way_out(text: str, why: str) -> None:
    refused = read(text)
    assert isinstance(refused, Msg)
    assert refused.key == f"time_control.refuse.{why}"
    assert catalogue().say(refused)


def test_zones_are_offered_once_the_hours_are_there() -> None:
    assert suggest_whole_clocks("3d from 9:00 to", zone_names()) == ()
    assert suggest_whole_clocks("from 9:00 to 22:00 ber", zone_names()) == ()
    found = suggest_whole_clocks("3d from 9:00 to 22:00 Mon-Fri ber", zone_names())
    assert "3d from 9:00 to 22:00 Mon-Fri Europe/Berlin" in found[:3]
    assert len(suggest_whole_clocks("3d from 9:00 to 22:00", zone_names())) == 25
    for text in found:
        assert isinstance(read(text), TimeControl)


def test_hours_with_several_readings_are_asked_about_and_suggested() -> None:
    asked = read("3d from 9 to 5 Mon-Fri Europe/Berlin")
    assert isinstance(asked, Msg)
    assert asked.key == "time_control.refuse.which"
    found = suggest_whole_clocks("3d from 9-5 Mon-Fri Europe/Ber", zone_names())
    assert found[:3] == (
        "3d from 09:00 to 05:00 Mon-Fri Europe/Berlin",
        "3d from 09:00 to 17:00 Mon-Fri Europe/Berlin",
        "3d from 21:00 to 05:00 Mon-Fri Europe/Berlin",
    )
    assert all(isinstance(read(each), TimeControl) for each in found)
