"""Times written in the many ways of people give the time, a question that contains it, or a refusal."""

from __future__ import annotations

import re
from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.message import Msg
from matches.clocks.control import MAX_BANK, TimeControl
from matches.clocks.quantities import read_span
from matches.clocks.typed import clock_readings, read_clock
from matches.clocks.words import span_words
from tests.matches.world import catalogue

UNITS = {
    86_400: ("d", " d", " day", " days", "-day", " Tage", " Tag", " jours", " j", " días"),
    3_600: ("h", " h", " hrs", " hours", "-hour", " Stunden", " Std.", " heures", " horas"),
    60: ("m", "min", " min.", " minutes", " Minuten", " mn", " minutos"),
    1: ("s", " s", " sec", " seconds", " Sekunden", " secondes", " segundos"),
}
SPELLED = {
    1: ("one", "a", "an", "ein", "eine", "un", "une"),
    2: ("two", "zwei", "deux"),
    12: ("twelve", "zwölf", "douze"),
    21: ("twenty-one", "twenty one", "einundzwanzig", "vingt et un"),
    24: ("twenty-four", "vierundzwanzig", "vingt-quatre"),
    36: ("thirty-six", "sechsunddreißig", "trente-six"),
    48: ("forty-eight", "achtundvierzig", "quarante-huit"),
    75: ("seventy-five", "fünfundsiebzig", "soixante-quinze"),
}
JOINTS = ("", " ", ", ", " and ", " und ", " et ", " plus ", " & ", " y ", ", and ")
EACH = ("", " a move", " per turn", "/move", " each move", " pro Zug", " par coup")


def written(number: Fraction) -> st.SearchStrategy[str]:
    """A number in the ways of several languages."""
    ways: list[str] = []
    if number.denominator == 1:
        digits = str(number)
        ways.append(digits)
        grouped = f"{int(number):,}"
        ways += [grouped.replace(",", mark) for mark in (",", ".", "'", " ", "\u2009", "\u202f", "\u00a0")]
        ways += SPELLED.get(int(number), ())
    else:
        whole, rest = divmod(number, 1)
        ways += [f"{float(number):.3f}".rstrip("0").replace(".", mark) for mark in ".,"]
        grouped = f"{float(number):,.3f}".rstrip("0")
        ways += [grouped, grouped.translate(str.maketrans(",.", ".,")), grouped.replace(",", " ")]
        if rest.denominator in (2, 4):
            ways += [f"{whole or ''}{'¼½¾'[int(rest * 4) - 1]}", f"{whole} {rest}" if whole else str(rest)]
    return st.sampled_from(ways)


@st.composite
def spans(draw: st.DrawFn) -> tuple[Fraction, str]:
    """A time in seconds, and a text that means it."""
    sizes = sorted(draw(st.sets(st.sampled_from(tuple(UNITS)), min_size=1, max_size=3)), reverse=True)
    total, text = Fraction(0), ""
    for at, size in enumerate(sizes):
        numbers = st.sampled_from((1, 2, 5, 12, 21, 24, 36, 48, 75, 1_000, 2_880, 10_000, 259_200)).map(
            Fraction
        )
        if at == len(sizes) - 1 and size > 1:
            numbers |= st.sampled_from(
                (Fraction(1, 2), Fraction(3, 2), Fraction(9, 4), Fraction(2_881, 1_000))
            )
        number = draw(numbers)
        unit = draw(st.sampled_from(UNITS[size]))
        said = draw(written(number))
        if said[-1].isalpha() and not unit.startswith((" ", "-")):
            unit = f" {unit}"
        total += number * size
        text += (draw(st.sampled_from(JOINTS)) if at else "") + said + unit
    return total, text


@given(spans(), st.sampled_from(EACH), st.booleans())
def test_a_clock_is_the_time_a_question_with_it_or_a_refusal(
    span: tuple[Fraction, str], each: str, upper: bool
) -> None:
    seconds, text = span
    typed = (text + each).upper() if upper else text + each
    right = timedelta(seconds=round(seconds))
    read = read_clock(typed)
    if isinstance(read, TimeControl):
        assert (read.bank, read.increment, read.cap) == (right, right, right), typed
    else:
        assert isinstance(read, Msg), typed
        assert catalogue().say(read)
        if read.key == "time_control.refuse.which" and timedelta(minutes=1) <= right <= MAX_BANK:
            assert right in {each.bank for each in clock_readings(typed) if each.per_move}, typed


@given(spans())
def test_a_span_has_its_time_among_its_readings(span: tuple[Fraction, str]) -> None:
    seconds, text = span
    readings = read_span(text)
    assert not readings or round(seconds) in readings, text


@given(
    spans(),
    spans(),
    st.sampled_from((" + ", "+", " and ", " plus ")),
    st.sampled_from(("", " more", " more each move")),
)
def test_a_bank_with_an_increment_is_never_another_one(
    bank: tuple[Fraction, str], more: tuple[Fraction, str], joint: str, end: str
) -> None:
    if joint.strip() != "+" and not end:
        end = " more each move"
    text = f"{bank[1]}{joint}{more[1]}{end}"
    read = read_clock(text)
    right = (timedelta(seconds=round(bank[0])), timedelta(seconds=round(more[0])))
    if isinstance(read, TimeControl):
        assert (read.bank, read.increment) == right, text
    elif isinstance(read, Msg) and read.key == "time_control.refuse.which" and max(right) <= MAX_BANK:
        offered = {(each.bank, each.increment) for each in clock_readings(text)}
        assert right in offered or right[0] < timedelta(minutes=1), text


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("1 day and 12 hours", ("36h a move", "24h + 12h")),
        ("1 day plus 12 hours a move", ("36h a move", "24h + 12h")),
        ("2,880 minutes a move", ("2d a move", "2min53s a move")),
        ("2.880 Minuten", ("2d a move", "2min53s a move")),
        ("36:00", ("36h a move", "36min a move")),
        ("1 day, 12 hours and 30 minutes", ("36h30min a move", "24h + 12h30min", "36h + 30min")),
        ("24h 12h", ("36h a move", "24h + 12h")),
        ("2,880 days", ("2d21h7min12s a move",)),
    ],
)
def test_a_text_with_several_readings_gets_all_of_them(text: str, typed: tuple[str, ...]) -> None:
    read = read_clock(text)
    assert isinstance(read, Msg)
    said = catalogue().say(read)
    assert tuple(re.findall("`(.+?)`", said)) == typed
    for each in typed:
        assert isinstance(read_clock(each), TimeControl), "what is offered has one reading"


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("1d12h", 36),
        ("1,5 Tage", 36),
        ("1½ days", 36),
        ("1¼ days", 30),
        ("1/4 day", 6),
        ("2¾ h", 2.75),
        ("1 3/4 hours", 1.75),
        ("a day and a half", 36),
        ("one and a half days", 36),
        ("half a day", 12),
        ("ein halber Tag", 12),
        ("anderthalb Tage pro Zug", 36),
        ("36:00 h", 36),
        ("36:00:00", 36),
        ("2 880 minutes", 48),
        ("2'880 min", 48),
        ("two days and twelve hours in total", 60),
        ("1.234,5 h", 1234.5),
    ],
)
def test_ways_with_one_reading(text: str, hours: float) -> None:
    (read,) = clock_readings(text)
    assert read == read_clock(text)
    assert read.bank == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("several", "one"), [(", and ", " and "), (" and, ", " and "), (", + ", " + "), (" and + ", " + ")]
)
@pytest.mark.parametrize("end", ["", " a move", " more"])
def test_joints_in_a_row_are_one(several: str, one: str, end: str) -> None:
    found = clock_readings(f"2 days{one}12h{end}")
    assert found
    assert clock_readings(f"2 days{several}12h{end}") == found


def test_three_times_are_divided_in_every_way_but_at_a_plus_only_there() -> None:
    assert len(clock_readings("2 days and 12h and 5 min")) == 3
    (read,) = clock_readings("2 days and 12h + 5 min")
    assert (read.bank, read.increment) == (timedelta(hours=60), timedelta(minutes=5))
    assert clock_readings("and 2 days and 12h") == clock_readings("2 days and 12h and") == ()


def test_no_time_is_said_in_seconds() -> None:
    assert catalogue().say(span_words(timedelta())) == "0 seconds"


@pytest.mark.parametrize(
    "text",
    ["", "12h 12h", "2 days and", "and 2 days", "3", "1,2,3 h", "1.2.3 d", "12,34,567 s", "1e3 h", "-3 d"],
)
def test_what_is_no_time(text: str) -> None:
    assert read_span(text) == ()
