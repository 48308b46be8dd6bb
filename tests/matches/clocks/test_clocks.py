"""The computed clocks agree with a literal model, minute by minute."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise, takewhile
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.clocks.control import PRESETS, TimeControl, from_json, per_move, time_zone, to_json
from matches.clocks.fold import Gift, advance, begin, read, take_back
from matches.clocks.hours import PlayingHours
from matches.clocks.stops import Stops
from matches.spans import END_OF_TIME, Span, measure, spend, union, without
from tests.matches.clocks.model import MINUTE, START, LiteralClocks, at, within
from tests.soak import examples

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Europe/Lisbon")
TIMES = st.builds(time, st.integers(0, 23), st.sampled_from((0, 1, 15, 30, 59)))
DAY = 24 * 60
HORIZON = 3 * DAY


@st.composite
def hours_of_play(draw: st.DrawFn) -> PlayingHours:
    """Playing hours of any zone, often around the hours of a change of the clocks."""
    days = draw(st.frozensets(st.integers(0, 6), min_size=1))
    opens, closes = draw(TIMES), draw(TIMES)
    try:
        return PlayingHours(ZoneInfo(draw(st.sampled_from(ZONES))), opens, closes, days)
    except ValueError:
        return PlayingHours(ZoneInfo(draw(st.sampled_from(ZONES))), opens, opens, days)


CONTROLS = st.builds(
    lambda bank, increment, extra, hours: TimeControl(
        bank * MINUTE, min(increment, bank + extra) * MINUTE, (bank + extra) * MINUTE, hours
    ),
    st.integers(1, 2000),
    st.integers(0, 600),
    st.integers(0, 600),
    st.none() | hours_of_play(),
)
SPANS = st.lists(st.tuples(st.integers(0, 6 * DAY), st.integers(0, DAY)), max_size=4)


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, frozenset[int], list[tuple[int, str, frozenset[int], int]]]:
    """Seats, those to act first, and entries: minutes since the last one, kind, those to act, any number."""
    seats = draw(st.integers(2, 6))
    acting = st.frozensets(st.integers(0, seats - 1), min_size=1)
    kinds = st.sampled_from(("move", "move", "move", "turn", "refill", "give", "undo"))
    entries = st.lists(
        st.tuples(st.integers(0, 900), kinds, acting, st.integers(0, 99)), min_size=1, max_size=12
    )
    return seats, draw(acting), draw(entries)


def minutes(spans: list[tuple[int, int]]) -> set[int]:
    return {minute for start, length in spans for minute in range(start, start + length)}


def as_spans(spans: list[tuple[int, int]]) -> tuple[Span, ...]:
    return tuple(Span(at(start), at(start + length)) for start, length in spans)


@settings(max_examples=examples(40), deadline=None)
@given(control=CONTROLS, history=histories(), everyone=SPANS, one=SPANS)
def test_clocks_agree_with_the_literal_model(
    control: TimeControl,
    history: tuple[int, frozenset[int], list[tuple[int, str, frozenset[int], int]]],
    everyone: list[tuple[int, int]],
    one: list[tuple[int, int]],
) -> None:
    seats, first, entries = history
    stops = Stops(as_spans(everyone), {0: as_spans(one)})
    stopped = {seat: minutes(everyone) | (minutes(one) if seat == 0 else set()) for seat in range(seats)}
    clocks, model = begin(control, seats, first, START), LiteralClocks(control, seats, first)
    acting, minute = [first], 0
    arrived: dict[int, int] = {}
    gifts: list[Gift] = []
    for seq, (wait, kind, chosen, number) in enumerate(entries, start=1):
        minute += wait
        model.wait(minute, stopped)
        for seat in range(seats):
            clock = read(control, clocks, stops, seat, at(minute))
            assert clock.left == model.left(seat) * MINUTE
            if seat not in acting[-1]:
                assert clock.deadline is None
            elif model.left(seat):
                awaited = model.deadline(seat, stopped, minute + HORIZON)
                assert (clock.deadline if awaited is not None else None) == (awaited and at(awaited))
                assert awaited is not None or clock.deadline is None or clock.deadline > at(minute + HORIZON)
                stands = minute in stopped[seat]
                assert clock.runs == (
                    not stands and (control.hours is None or within(control.hours, at(minute)))
                )
            else:
                assert (clock.deadline is not None and clock.deadline <= at(minute)) == model.is_up(
                    seat, stopped
                )
        to = number % seq
        to_act = acting[to] if kind == "undo" else chosen
        if kind == "undo":
            clocks = take_back(
                control,
                clocks,
                stops,
                to=to,
                seq=seq,
                at=at(minute),
                back=to_act,
                arrived=arrived,
                gifts=gifts,
            )
            model.take_back(to, to_act)
        else:
            new_turn = to_act & acting[-1] if kind == "turn" else frozenset()
            refilled = frozenset({number % seats, number % 7 % seats}) if kind == "refill" else frozenset()
            given = {number % seats: number} if kind == "give" and number else {}
            arrived |= dict.fromkeys(refilled, seq)
            gifts += [Gift(seq, seat, more * MINUTE) for seat, more in given.items()]
            clocks = advance(
                control,
                clocks,
                stops,
                seq=seq,
                at=at(minute),
                to_act=to_act,
                new_turn=new_turn,
                refilled=refilled,
                given={gift.seat: gift.time for gift in gifts if gift.seq == seq},
            )
            model.entry(to_act, new_turn, refilled, given)
        acting.append(to_act)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(hours=hours_of_play(), start=st.integers(-40, 400), count=st.integers(1, 3))
def test_playing_hours_are_what_the_wall_shows(hours: PlayingHours, start: int, count: int) -> None:
    """In the days around each change of the clocks, and on others."""
    first = START + start * 24 * 60 * MINUTE
    end = first + count * 24 * 60 * MINUTE
    windows = list(takewhile(lambda span: span.start < end, hours.windows(first)))
    assert all(one.end <= other.start for one, other in pairwise(windows))
    minute = first
    while minute < end:
        inside = any(span.start <= minute < span.end for span in windows)
        assert inside == within(hours, minute), minute
        minute += MINUTE


SUMMER = {  # the days of 2027 on which clocks change, and how long a day from noon to noon is around them
    ("Europe/Berlin", date(2027, 3, 27)): 23.0,
    ("Europe/Berlin", date(2027, 10, 30)): 25.0,
    ("America/New_York", date(2027, 3, 13)): 23.0,
    ("America/New_York", date(2027, 11, 6)): 25.0,
    ("Australia/Lord_Howe", date(2027, 10, 2)): 23.5,
    ("Australia/Lord_Howe", date(2027, 4, 3)): 24.5,
}


@pytest.mark.parametrize(("where", "length"), SUMMER.items())
def test_a_night_of_playing_hours_when_the_clocks_change(where: tuple[str, date], length: float) -> None:
    zone, day = ZoneInfo(where[0]), where[1]
    noon = datetime.combine(day, time(12), zone).astimezone(UTC)
    hours = PlayingHours(zone, time(12), time(12), frozenset({day.weekday()}))
    spans = takewhile(lambda span: span.start < noon + timedelta(days=3), hours.windows(noon))
    assert measure(spans, noon, noon + timedelta(days=3)) == timedelta(hours=length)


def test_three_days_a_move_are_three_days_at_every_move() -> None:
    control = per_move(timedelta(days=3))
    clocks = begin(control, 2, frozenset({0}), START)
    for seq in range(1, 50):
        then = START + seq * timedelta(days=2)
        clocks = advance(control, clocks, Stops(), seq=seq, at=then, to_act=frozenset({seq % 2}))
        clock = read(control, clocks, Stops(), seq % 2, then)
        assert (clock.left, clock.deadline) == (timedelta(days=3), then + timedelta(days=3))


@pytest.mark.parametrize(
    ("hour", "runs"), [(11, False), (12, True), (14, True), (15, False), (16, True), (18, False), (19, False)]
)
def test_a_clock_runs_from_the_first_moment_of_playing_hours_and_not_at_their_end(
    hour: int, runs: bool
) -> None:
    hours = PlayingHours(ZoneInfo("UTC"), time(12), time(18))
    control = TimeControl(timedelta(days=9), timedelta(), timedelta(days=9), hours)
    began = datetime(2027, 3, 1, 8, tzinfo=UTC)
    stops = Stops((Span(began.replace(hour=15), began.replace(hour=16)),))
    clocks = begin(control, 2, frozenset({0}), began)
    assert read(control, clocks, stops, 0, began.replace(hour=hour)).runs is runs


@pytest.mark.parametrize("given", [1, 3])
def test_time_that_was_given_in_or_after_a_turn_that_is_taken_back_counts_once(given: int) -> None:
    hour = timedelta(hours=1)
    control, gift = per_move(2 * hour), Gift(given, 0, 8 * hour)
    clocks = begin(control, 2, frozenset({0}), START)
    for seq in (1, 2, 3):
        clocks = advance(
            control,
            clocks,
            Stops(),
            seq=seq,
            at=START + seq * hour / 2,
            to_act=frozenset({0 if seq < 2 else 1}),
            given={0: gift.time} if seq == given else {},
        )
    then = START + 10 * hour
    clocks = take_back(control, clocks, Stops(), to=0, seq=4, at=then, back=frozenset({0}), gifts=(gift,))
    assert read(control, clocks, Stops(), 0, then).left == 9 * hour, "an hour was used"


def test_who_takes_back_at_once_earns_no_time() -> None:
    control = per_move(timedelta(hours=2))
    clocks = begin(control, 2, frozenset({0}), START)
    seq, now = 0, START
    for _ in range(4):
        now += timedelta(minutes=29)
        clocks = advance(control, clocks, Stops(), seq=seq + 1, at=now, to_act=frozenset({1}))
        clocks = take_back(
            control, clocks, Stops(), to=seq, seq=seq + 2, at=now + timedelta(seconds=1), back=frozenset({0})
        )
        seq += 2
    assert read(control, clocks, Stops(), 0, now + timedelta(seconds=1)).left == timedelta(
        minutes=4, seconds=3
    )
    assert read(control, clocks, Stops(), 1, now).left == timedelta(hours=2)


def test_a_downtime_that_is_noticed_late_is_given_back() -> None:
    control = per_move(timedelta(hours=10))
    clocks = begin(control, 2, frozenset({0, 1}), START)
    later = START + timedelta(hours=11)
    assert read(control, clocks, Stops(), 0, later).left == timedelta()
    known = Stops((Span(START + timedelta(hours=2), START + timedelta(hours=5)),))
    clock = read(control, clocks, known, 0, later)
    assert (clock.left, clock.deadline) == (timedelta(hours=2), START + timedelta(hours=13))


def test_a_pause_without_an_end_has_no_deadline() -> None:
    control = per_move(timedelta(hours=10), hours=PlayingHours(ZoneInfo("Europe/Lisbon"), time(8), time(20)))
    clocks = begin(control, 2, frozenset({0}), START)
    clock = read(control, clocks, Stops((Span(START + MINUTE),)), 0, START + timedelta(days=400))
    assert (clock.left, clock.runs, clock.deadline) == (timedelta(hours=10) - MINUTE, False, None)


@given(CONTROLS)
def test_a_clock_is_kept_as_json(control: TimeControl) -> None:
    assert from_json(json.loads(json.dumps(to_json(control)))) == control


@pytest.mark.parametrize("part", ["acts", "follows"])
def test_a_clock_with_one_unknown_word_is_refused(part: str) -> None:
    control = PRESETS["steady"]
    assert control is not None
    with pytest.raises(ValueError, match="unknown words"):
        from_json({**to_json(control), part: "never"})


@pytest.mark.parametrize("name", [name for name, control in PRESETS.items() if control])
def test_what_is_offered_can_be_kept(name: str) -> None:
    control = PRESETS[name]
    assert control is not None
    assert from_json(to_json(control)) == control


@pytest.mark.parametrize(
    "name", ["", "Europe", "Mars/Base", "../etc/passwd", "/etc/passwd", "x" * 300, "a\0b"]
)
def test_no_such_time_zone(name: str) -> None:
    with pytest.raises(ValueError, match="time zone"):
        time_zone(name)


@given(SPANS, SPANS)
def test_spans_are_sets_of_minutes(some: list[tuple[int, int]], holes: list[tuple[int, int]]) -> None:
    covered = list(union(as_spans(some)))
    assert sum((span.end - span.start for span in covered), timedelta()) == len(minutes(some)) * MINUTE
    left = list(without(covered, as_spans(holes)))
    rest = len(minutes(some) - minutes(holes))
    assert measure(left, START, END_OF_TIME) == rest * MINUTE
    if rest:
        ends = spend(left, START, rest * MINUTE)
        assert ends == at(max(minutes(some) - minutes(holes)) + 1)
    assert spend(left, START, (rest + 1) * MINUTE) is None
