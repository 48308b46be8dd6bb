"""What people type for clocks, playing hours and time zones is understood, and what we write is read back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.message import Msg, msg
from locales import Catalogue
from matches.clocks import words, zones
from matches.clocks.control import MAX_BANK, PRESETS, TimeControl, per_move
from matches.clocks.hours import PlayingHours, read_hours, span_readings
from matches.clocks.typed import format_clock, read_clock
from matches.clocks.zones import NoZone, find_zone, suggest_zones, zone_names
from tests.laws.typed_variants import with_strays
from tests.soak import examples

CATALOGUE = Catalogue(strict=True)
BERLIN = ZoneInfo("Europe/Berlin")
SUMMER = datetime(2026, 7, 1, tzinfo=UTC)


def seconds(low: int, high: int = int(MAX_BANK.total_seconds())) -> st.SearchStrategy[timedelta]:
    rough = st.sampled_from((1, 15, 60, 3_600, 43_200, 86_400)).flatmap(
        lambda unit: st.integers(-(-low // unit), max(-(-low // unit), high // unit)).map(lambda n: n * unit)
    )
    return rough.filter(lambda n: low <= n <= high).map(lambda n: timedelta(seconds=n))


@st.composite
def clocks(draw: st.DrawFn) -> TimeControl:
    bank = draw(seconds(60))
    cap = draw(st.sampled_from((bank, MAX_BANK)) | seconds(int(bank.total_seconds())))
    more = draw(st.sampled_from((bank, cap, timedelta())) | seconds(1, int(cap.total_seconds())))
    return TimeControl(bank, more, cap)


@pytest.mark.slow
@given(clocks())
def test_what_is_written_is_read_back(clock: TimeControl) -> None:
    assert read_clock(format_clock(clock)) == clock


@pytest.mark.slow
@given(clocks())
def test_so_are_the_words(clock: TimeControl) -> None:
    if not clock.increment:  # nothing is ever saved up: the limit isn't told
        clock = replace(clock, cap=MAX_BANK)
    said = CATALOGUE.say(words.clock_words(clock))
    assert read_clock(said) == clock, said
    assert read_clock(said.upper().replace(" ", "  ")) == clock


@pytest.mark.slow
@given(st.text(max_size=120) | st.from_regex(r"[0-9a-z +/,:.]{0,60}", fullmatch=True))
def test_any_text_is_read_or_answered(text: str) -> None:
    read = read_clock(text)
    assert read is None or isinstance(read, TimeControl) or CATALOGUE.say(read)
    zone = find_zone(text, zone_names(), SUMMER)
    assert isinstance(zone, NoZone) or ZoneInfo(zone).key == zone
    hours = read_hours(text, text, text, BERLIN)
    assert isinstance(hours, PlayingHours) or CATALOGUE.say(hours)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_known_by_name_and_label(name: str) -> None:
    label = CATALOGUE.say(words.preset_words(name))
    for text in (name, name.upper(), label, f" {label} "):
        assert read_clock(text) == PRESETS[name]
    assert words.preset_of(PRESETS[name]) == name
    assert len(label) <= 100


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("3d", per_move(timedelta(days=3))),
        ("3 days a move", per_move(timedelta(days=3))),
        ("3 Days / turn.", per_move(timedelta(days=3))),
        ("1.5h per move", per_move(timedelta(minutes=90))),
        ("1d 12h", per_move(timedelta(hours=36))),
        ("1 week", per_move(timedelta(days=7))),
        ("24h + 12h", TimeControl(timedelta(hours=24), timedelta(hours=12))),
        ("24h+12h max 5d", PRESETS["steady"]),
        ("24 hours plus 12 hours each move, at most 5 days", PRESETS["steady"]),
        ("steady: 24 hours and 12 more each move", PRESETS["steady"]),
        ("steady: 2d a move", per_move(timedelta(days=2))),
        ("10 min + 15 s", TimeControl(timedelta(minutes=10), timedelta(seconds=15))),
        ("an evening: 10 minutes and 15 seconds", PRESETS["evening"]),
        ("5 days in total", TimeControl(timedelta(days=5))),
        ("5d + 0", TimeControl(timedelta(days=5))),
        ("no clock", None),
        ("off", None),
    ],
)
def test_ways_to_write_a_clock(text: str, clock: TimeControl | None) -> None:
    assert read_clock(text) == clock


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3", "unread"),
        ("10+15", "unread"),
        ("soon", "unread"),
        ("3 months", "unread"),
        ("99999999999 d", "unread"),
        ("999999999w", "bank"),
        ("30s", "bank"),
        ("0d a move", "bank"),
        ("24h + 12h max 12h", "cap"),
        ("24h + 12h max 90d", "cap"),
        ("1h + 2h max 1h", "more"),
    ],
)
def test_nonsense_gets_a_sentence_with_an_example(text: str, why: str) -> None:
    read = read_clock(text)
    assert read == msg(f"time_control.refuse.{why}")
    text = CATALOGUE.say(read)
    example = text.split("`")[-2]
    assert isinstance(read_clock(example), TimeControl), text


def said(message: Msg) -> str:
    return CATALOGUE.say(message)


def test_clocks_in_words() -> None:
    assert said(words.clock_words(None)) == "no clock"
    assert said(words.clock_words(PRESETS["relaxed"])) == "3 days a move"
    steady = said(words.clock_words(PRESETS["steady"]))
    assert steady == "24 hours and 12 hours more each move, saved up to 5 days"
    assert said(words.span_words(timedelta(days=2, hours=1, seconds=1))) == "2 days 1 hour 1 second"
    assert said(words.span_words(timedelta(hours=47))) == "47 hours"
    for clock in PRESETS.values():
        if clock is not None:
            for acts in ("claim", "automatic"):
                for follows in ("default", "computer", "loss"):
                    assert said(words.time_up_words(replace(clock, acts=acts, follows=follows))).endswith(".")


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (range(7), "every day"),
        (range(5), "Mon–Fri"),
        ((5, 6), "Sat and Sun"),
        ((0,), "Mon"),
        ((4, 5, 6, 0), "Fri–Mon"),
        ((0, 2, 4, 5, 6), "Wed and Fri–Mon"),
        ((6, 0), "Sun and Mon"),
    ],
)
def test_days_in_words_are_read_back(days: tuple[int, ...], text: str) -> None:
    assert said(words.days_words(frozenset(days))) == text
    read = read_hours("9", "21", text, BERLIN)
    assert isinstance(read, PlayingHours)
    assert read.days == frozenset(days)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        *((text, range(7)) for text in ("", "all", "daily", "everyday")),
        *((text, range(5)) for text in ("weekdays", "workdays")),
        *((text, (5, 6)) for text in ("weekend", "weekends")),
    ],
)
def test_sets_of_days_have_names(text: str, days: Iterable[int]) -> None:
    read = read_hours("9", "21", text, BERLIN)
    assert isinstance(read, PlayingHours)
    assert read.days == frozenset(days)


@given(st.sets(st.integers(0, 6), min_size=1))
def test_all_days_in_words_are_read_back(days: set[int]) -> None:
    read = read_hours("", "", said(words.days_words(frozenset(days))), BERLIN)
    assert isinstance(read, PlayingHours)
    assert read.days == days


def test_playing_hours_in_words() -> None:
    evenings = PlayingHours(BERLIN, time(19), time(23, 30), frozenset(range(5)))
    assert said(words.hours_words(evenings)) == "Mon–Fri, 19:00–23:30 (Europe/Berlin)"
    weekend = PlayingHours(BERLIN, days=frozenset({5, 6}))
    assert said(words.hours_words(weekend)) == "Sat and Sun, all day (Europe/Berlin)"


@pytest.mark.parametrize(
    ("text", "at"),
    [("9", (9, 0)), ("09:30", (9, 30)), ("9.30", (9, 30)), ("0930", (9, 30)), ("9 pm", (21, 0)),
     ("12 a.m.", (0, 0)), ("12pm", (12, 0)), ("noon", (12, 0)), ("22h", (22, 0)), ("", (0, 0))],
)  # fmt: skip
def test_times_of_day(text: str, at: tuple[int, int]) -> None:
    read = read_hours(text, "24:00" if at != (0, 0) else "12", "", BERLIN)
    assert isinstance(read, PlayingHours), read
    assert read.opens == time(*at)


@pytest.mark.parametrize(
    ("opens", "closes", "days", "why"),
    [
        ("25", "9", "", msg("time_control.refuse.time")),
        ("9", "9:75", "", msg("time_control.refuse.time")),
        ("13pm", "9", "", msg("time_control.refuse.time")),
        ("9", "21", "someday", msg("time_control.refuse.days")),
        ("9", "21", "m", msg("time_control.refuse.days")),
        ("9", "10", "Mon", msg("time_control.refuse.hours", n=6)),
    ],
)
def test_playing_hours_that_cannot_be(opens: str, closes: str, days: str, why: Msg) -> None:
    assert read_hours(opens, closes, days, BERLIN) == why
    assert CATALOGUE.say(why)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("US/Eastern", "US/Eastern"),
        ("utc", "UTC"),
        ("Louisville", "America/Louisville"),
    ],
)
def test_zones_are_found(text: str, zone: str) -> None:
    assert find_zone(text, zone_names(), SUMMER) == zone


@pytest.mark.parametrize("name", ["localtime", "Factory", "EST5EDT", "posixrules", "Etc/GMT+2", "GMT+0"])
def test_zones_that_are_no_places_are_not(name: str) -> None:
    assert isinstance(find_zone(name, zone_names(), SUMMER), NoZone)


def test_offsets_and_misspellings_get_near_names() -> None:
    def near(text: str, now: datetime = SUMMER) -> NoZone:
        found = find_zone(text, zone_names(), now)
        assert isinstance(found, NoZone)
        return found

    assert near("UTC+2").offset
    assert "Europe/Berlin" in near("UTC+2").near
    assert "Europe/Berlin" not in near("utc +2", SUMMER + timedelta(days=180)).near
    assert near("CET").near[:2] == ("Europe/Paris", "Europe/Berlin")
    assert near("GMT+05:30").near[0] == "Asia/Kolkata"
    assert near("Berln") == NoZone(("Europe/Berlin",))
    assert near("Asia/Berlin") == NoZone(("Europe/Berlin",))
    assert near("+99") == near("") == near("nowhere at all") == NoZone()


@pytest.mark.parametrize(
    ("text", "first", "n"),
    [
        ("new yor", "America/New_York", 1),
        ("são", "Africa/Sao_Tome", 2),
        ("york", "America/New_York", 1),
        ("utc", "UTC", 1),
        ("", "Africa/Abidjan", None),
        ("mars/", None, 0),
        ("est5edt", None, 0),
    ],
)
def test_zones_are_suggested_while_they_are_typed(text: str, first: str | None, n: int | None) -> None:
    found = suggest_zones(text, zone_names())
    assert (found[0] if found else None) == first
    assert n is None or len(found) == n
    assert all(find_zone(name, zone_names(), SUMMER) == name for name in found)


def test_every_zone_is_found_by_its_name() -> None:
    for name in zone_names():
        if name.partition("/")[0] in ("Africa", "America", "Asia", "Australia", "Europe", "Pacific"):
            assert find_zone(name, (name,), SUMMER) == name


CLOCKS = ("3d", "3 days a move", "24h + 12h max 5d", "1d 12h a move", "2 weeks in total", "evening: 2h + 30s")


@pytest.mark.parametrize("text", CLOCKS)
def test_no_clock_is_read_from_a_text_with_a_number_too_many(text: str) -> None:
    assert isinstance(read_clock(text), TimeControl)
    for typed in with_strays(text):
        digits = zip(typed, typed[1:], typed[2:], strict=False)
        if not any(a.isdecimal() and b == "." and c.isdecimal() for a, b, c in digits):  # a fraction counts
            assert isinstance(read_clock(typed), Msg), typed


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Beijing", "Asia/Shanghai"),
        ("nyc", "America/New_York"),
        ("Hawaii", "Pacific/Honolulu"),
        ("Mumbai", "Asia/Kolkata"),
        ("San Francisco", "America/Los_Angeles"),
        ("MÜNCHEN", "Europe/Berlin"),
    ],
)
def test_large_cities_without_a_zone_of_their_own(text: str, zone: str) -> None:
    assert find_zone(text, zone_names(), SUMMER) == zone
    assert suggest_zones(text[:5], zone_names())[:1] == (zone,)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Portland", {"America/New_York", "America/Los_Angeles"}),
        ("Birmingham", {"Europe/London", "America/Chicago"}),
        ("Georgia", {"America/New_York", "Asia/Tbilisi"}),
        ("Hyderabad", {"Asia/Kolkata", "Asia/Karachi"}),
        ("USA", {"America/New_York", "America/Chicago", "America/Los_Angeles"}),
        ("Japan", {"Asia/Tokyo"}),
        ("Pacific time", {"America/Los_Angeles"}),
        ("MEZ", {"Europe/Berlin"}),
        ("PST", {"America/Los_Angeles"}),
        ("UTC+5:30", {"Asia/Kolkata"}),
        ("UTC+14", {"Pacific/Kiritimati"}),
        ("Beijng", {"Asia/Shanghai"}),
        ("Asia/Beijing", {"Asia/Shanghai"}),
    ],
)
def test_names_of_several_zones_and_of_none_are_asked_about(text: str, near: set[str]) -> None:
    found = find_zone(text, zone_names(), SUMMER)
    assert isinstance(found, NoZone)
    assert set(found.near) == near


@pytest.mark.slow
@settings(max_examples=examples(30))
@given(st.integers(-12 * 4, 14 * 4), st.sampled_from(("", "UTC", "GMT", "gmt ")))
def test_an_offset_suggests_zones_that_have_it(quarters: int, start: str) -> None:
    hours, minutes = divmod(abs(quarters) * 15, 60)
    typed = f"{start}{'-' if quarters < 0 else '+'}{hours}" + (f":{minutes:02}" if minutes else "")
    found = find_zone(typed, zone_names(), SUMMER)
    assert isinstance(found, NoZone)
    for zone in found.near:
        assert SUMMER.astimezone(ZoneInfo(zone)).utcoffset() == timedelta(minutes=15 * quarters)
    assert found.near or minutes or hours == 12, typed


def test_every_place_has_a_zone_and_is_needed() -> None:
    here = set(zone_names())
    offered = suggest_zones("", here)
    cities = {name.rpartition("/")[2].replace("_", " ").casefold() for name in offered}
    for name, zone in zones.places():
        assert zone in here
        assert name == "Victoria" or name.casefold() not in cities, "the database has it"
        found = find_zone(name, zone_names(), SUMMER)
        assert found == zone if isinstance(found, str) else zone in found.near


@pytest.mark.parametrize(
    ("opens", "closes", "readings"),
    [
        ("9", "5", ("09:00-05:00", "09:00-17:00", "21:00-05:00")),
        ("9:30", "5:30", ("09:30-05:30", "09:30-17:30", "21:30-05:30")),
        ("10:00", "6:00", ("10:00-06:00", "10:00-18:00", "22:00-06:00")),
        ("12", "8", ("12:00-08:00", "12:00-20:00")),
        ("9", "9", ("09:00-09:00", "09:00-21:00", "21:00-09:00")),
        ("5", "9", ("05:00-09:00",)),
        ("09:00", "05:00", ("09:00-05:00",)),
        ("9 am", "5", ("09:00-05:00",)),
        ("9", "5 pm", ("09:00-17:00",)),
        ("22", "7", ("22:00-07:00",)),
        ("9", "soon", ()),
    ],
)
def test_readings_of_a_span_of_the_day(opens: str, closes: str, readings: tuple[str, ...]) -> None:
    found = span_readings(opens, closes)
    assert tuple(f"{a:%H:%M}-{b:%H:%M}" for a, b in found) == readings


@given(st.integers(0, 24), st.integers(0, 24), st.sampled_from(("", ":00", ":30", " am", "h")))
def test_what_is_offered_for_a_span_can_be_typed(first: int, last: int, mark: str) -> None:
    for opens, closes in span_readings(f"{first}{mark}", f"{last}"):
        typed = f"{opens:%H:%M}", f"{closes:%H:%M}"
        assert span_readings(*typed) == ((opens, closes),)


def test_playing_hours_with_several_readings_are_asked_about() -> None:
    read = read_hours("9", "5", "Mon-Fri", BERLIN)
    assert isinstance(read, Msg)
    assert said(read) == (
        "That can be read in 3 ways: `09:00-05:00`, `09:00-17:00`, or `21:00-05:00`. Type the one you mean."
    )


@pytest.mark.parametrize("text", ["24h and 12h", "24 hours, 12 hours", "24h 12h"])
def test_two_times_of_one_unit_may_be_a_sum(text: str) -> None:
    read = read_clock(text)
    assert isinstance(read, Msg)
    assert said(read) == (
        "That can be read in 2 ways: `36h a move` (36 hours a move) or `24h + 12h` "
        "(24 hours and 12 hours more each move). Type the one you mean."
    )
