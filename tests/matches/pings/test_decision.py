"""When someone is pinged, against a model that reads the clock on the wall minute by minute."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.outbox.messages import PingReason
from matches.pings.decision import (
    Ping,
    decide,
    loud,
    next_digest,
    tomorrow_morning,
)
from matches.pings.reminders import Reminder, next_interval, remind
from matches.pings.settings import PingSettings, QuietHours
from matches.store.pings import MAX_REMINDER
from tests.matches.pings import model

ZONES = tuple(map(ZoneInfo, ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe")))
START = datetime(2026, 3, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
BERLIN = ZONES[1]
NIGHT = PingSettings(zone=BERLIN, quiet=QuietHours(time(22), time(7)))

# Around the changes of the clocks in spring and autumn, and any other moment of the year.
moments = st.integers(0, 300 * 24 * 60).map(lambda minutes: START + timedelta(minutes=minutes)) | st.builds(
    lambda day, minutes: datetime(2026, day[0], day[1], tzinfo=UTC) + timedelta(minutes=minutes),
    st.sampled_from(((3, 7), (3, 28), (4, 4), (10, 3), (10, 24), (10, 31))),
    st.integers(0, 3 * 24 * 60),
)
walls = st.builds(time, st.integers(0, 23), st.sampled_from((0, 1, 30, 59)))


@st.composite
def quiet_hours(draw: st.DrawFn) -> QuietHours:
    start, end = draw(walls), draw(walls)
    try:
        return QuietHours(start, end)
    except ValueError:
        return QuietHours(time(22), time(7))


settings = st.builds(
    PingSettings,
    style=st.sampled_from(("every", "looked", "digest", "none")),
    zone=st.sampled_from(ZONES),
    quiet=st.none() | quiet_hours(),
    # Times that a change of the clocks skips are shown by no clock: they have a test of their own.
    digests=st.sets(st.sampled_from((time(0), time(6, 30), time(8), time(18), time(23, 59))), min_size=1).map(
        lambda found: tuple(sorted(found))
    ),
    reminders=st.sets(st.sampled_from((1, 2, 8, 12, 24)), max_size=4).map(
        lambda found: tuple(sorted(found, reverse=True))
    ),
    next_up=st.booleans(),
    alone=st.booleans(),
)
REASONS: tuple[PingReason, ...] = ("turn", "next", "alone", "result", "reminder")


@pytest.mark.slow
@given(settings, st.sampled_from(REASONS), moments, st.booleans(), st.none() | st.integers(1, 100))
def test_a_ping_comes_when_the_wall_says_so(
    chosen: PingSettings, reason: PingReason, now: datetime, unseen: bool, hours: int | None
) -> None:
    deadline = None if hours is None else now + hours * HOUR
    made = decide(chosen, reason, now, unseen=unseen, deadline=deadline)
    wanted = model.ping(chosen, reason, now, unseen=unseen, deadline=deadline)
    assert (None if made is None else (made.at, made.digest)) == wanted
    if made is not None:
        assert made.at >= now
        assert not model.is_quiet(chosen, made.at)


@given(settings, moments, st.integers(1, 200), st.lists(st.integers(0, 300), min_size=1, max_size=30))
def test_reminders_come_once_each_however_rarely_one_looks(
    chosen: PingSettings, began: datetime, hours: int, steps: list[int]
) -> None:
    deadline, now, upto = began + hours * HOUR, began, MAX_REMINDER
    told, found, looked = began, [], []
    for step in steps:
        now += timedelta(minutes=step)
        if now >= deadline:
            break
        looked.append(now)
        if deadline - now > upto or not upto:
            continue  # the store finds no such row
        made = remind(chosen, now, notified=told, deadline=deadline, upto=upto)
        assert made.then < upto or not made.at
        upto = made.then
        if made.at is not None:
            found.append(made.at)
            told = made.at
    assert found == model.reminded(chosen, began, deadline, looked)
    assert len(found) <= len(chosen.reminders)


def test_a_ping_in_the_night_comes_in_the_morning() -> None:
    evening = datetime(2026, 7, 1, 20, 30, tzinfo=UTC)  # half past ten in Berlin
    assert decide(NIGHT, "turn", evening) == Ping(datetime(2026, 7, 2, 5, tzinfo=UTC))
    assert decide(NIGHT, "turn", evening - HOUR) == Ping(evening - HOUR)


def test_a_reminder_in_the_night_waits_unless_time_is_up_by_then() -> None:
    night = datetime(2026, 7, 1, 23, tzinfo=UTC)
    morning = datetime(2026, 7, 2, 5, tzinfo=UTC)
    told = night - 20 * HOUR
    made = remind(NIGHT, night, notified=told, deadline=night + 8 * HOUR, upto=8 * HOUR)
    assert made == Reminder(morning, HOUR)
    made = remind(NIGHT, night, notified=told, deadline=morning, upto=8 * HOUR)
    assert made == Reminder(None, HOUR)


def test_after_a_downtime_one_reminder_stands_for_all_that_were_missed() -> None:
    chosen = PingSettings()
    made = remind(chosen, START, notified=START - 48 * HOUR, deadline=START + HOUR / 2, upto=24 * HOUR)
    assert made == Reminder(START, timedelta())


def test_what_the_ping_itself_has_told_is_not_reminded_of() -> None:
    made = remind(PingSettings(), START, notified=START, deadline=START + 7 * HOUR, upto=MAX_REMINDER)
    assert made == Reminder(None, HOUR)


def test_nobody_is_reminded_who_wants_no_pings() -> None:
    made = remind(PingSettings(style="none"), START, notified=START, deadline=START + HOUR, upto=8 * HOUR)
    assert made == Reminder(None, timedelta())


@pytest.mark.parametrize(("style", "wanted"), [("every", 6), ("looked", 6), ("digest", None), ("none", None)])
def test_reminders_at_intervals(style: str, wanted: int | None) -> None:
    chosen = PingSettings(style=style, interval=6)  # type: ignore[arg-type]  # from the table
    assert next_interval(chosen, START, START) == (None if wanted is None else START + wanted * HOUR)
    assert next_interval(chosen, START, START + 14 * DAY) is None


def test_without_a_clock_one_is_reminded_after_three_days_then_weekly() -> None:
    for since, then in ((0, 3), (1, 3), (3, 10), (10, 17), (89, 96)):
        found = next_interval(PingSettings(), START, START + since * DAY)
        assert found == START + then * DAY
    assert next_interval(PingSettings(), START, START + 90 * DAY) is None
    for chosen in (PingSettings(reminders=()), PingSettings(style="none"), PingSettings(style="digest")):
        assert next_interval(chosen, START, START) is None


def test_a_digest_in_an_hour_that_summer_time_skips_comes_all_the_same() -> None:
    chosen = PingSettings(style="digest", zone=BERLIN, digests=(time(2, 30),))
    found = [datetime(2026, 3, 27, 12, tzinfo=UTC)]
    for _ in range(3):
        found.append(next_digest(chosen, found[-1]))
    assert found[1:] == [
        datetime(2026, 3, 28, 1, 30, tzinfo=UTC),
        datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
        datetime(2026, 3, 30, 0, 30, tzinfo=UTC),
    ]


def test_tomorrow_morning_is_that_of_today_in_the_small_hours() -> None:
    chosen = PingSettings(zone=BERLIN)
    assert tomorrow_morning(chosen, datetime(2026, 7, 1, 20, tzinfo=UTC)) == datetime(
        2026, 7, 2, 6, tzinfo=UTC
    )
    assert tomorrow_morning(chosen, datetime(2026, 7, 1, 23, tzinfo=UTC)) == datetime(
        2026, 7, 2, 6, tzinfo=UTC
    )
    late = PingSettings(zone=BERLIN, quiet=QuietHours(time(23), time(9)))
    assert tomorrow_morning(late, datetime(2026, 7, 1, 20, tzinfo=UTC)) == datetime(2026, 7, 2, 7, tzinfo=UTC)
    assert loud(late, datetime(2026, 7, 2, 6, tzinfo=UTC)) == datetime(2026, 7, 2, 7, tzinfo=UTC)
