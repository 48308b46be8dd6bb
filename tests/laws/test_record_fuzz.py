"""Records of all games, changed at random and sealed anew: they are read, or their fault has a line."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine import registry
from games.engine.record import RecordError, checksum_of
from games.engine.record_json import to_json
from games.engine.record_text import joined_lines, wrapped
from matches.records.verification import read_within
from tests.laws.golden import folder
from tests.patience import PATIENCE
from tests.soak import examples

DEEP = "[" * 5000 + "]" * 5000
VALUES = ("[]", "{}", "null", "NaN", "-1", "9" * 30, "9" * 5000, '""', "1e999", "0", "true", DEEP)
WORDS = (
    *("!resign", "!flag", "!takeback 0", "!ask ²", "!ask ٣", "!ruling", "!ruling time", "!vacation 9"),
    *("!hint 1", "!substitute computer", "!claim 0", "!pause on", "!downtime 1 2", "!default", "!offer"),
    *("!abort", "*", "-", "", "²", "٣", "-1", "9" * 30, "9" * 5000, "A", "é😀", "0", "1"),
)
PLACES = st.tuples(st.integers(0, 9999), st.integers(0, 9999), st.sampled_from((*VALUES, *WORDS)))
KINDS = ("value", "part", "word", "text", "drop", "twice", "cut")


@cache
def records() -> tuple[str, ...]:
    """The shortest golden record of each game."""
    return tuple(
        min((path.read_text("utf-8") for path in folder(game.key).glob("*.txt")), key=len)
        for game in registry.all_games()
    )


def changed(lines: list[str], kind: str, where: tuple[int, int, str]) -> list[str]:
    """The lines of a record after one change, the version and the checksum as they are."""
    first, second, new = where
    at = 1 + first % (len(lines) - 2)
    line = lines[at]
    name, colon, value = line.partition(": ")
    if kind == "drop":
        return [*lines[:at], *lines[at + 1 :]]
    if kind == "twice":
        return [*lines[:at], lines[1 + second % (len(lines) - 2)], *lines[at:]]
    if kind == "cut":
        line = line[: second % (len(line) + 1)]
    elif kind == "value" and colon:
        line = f"{name}: {new}"
    elif kind == "part" and colon and (whole := value_of(value)) is not None:
        part = inside(whole, second, new)
        line = f"{name}: {json.dumps(part, ensure_ascii=False, sort_keys=True)}"
    elif kind == "text":
        cut = second % (len(line) + 1)
        line = line[:cut] + new[:40] + line[cut:]
    else:
        words = line.split(" ")
        words[second % len(words)] = new
        line = " ".join(words)
    return [*lines[:at], line, *lines[at + 1 :]]


def value_of(text: str) -> Any:
    """The list or mapping that a text is in JSON, unless a change before has left something else."""
    with suppress(ValueError, RecursionError):
        return json.loads(text) if text[:1] in ("[", "{") else None
    return None


def inside(value: Any, where: int, new: str) -> Any:
    """A JSON value with one of its parts replaced, however deep it stands."""
    if not isinstance(value, dict | list) or not value or where % 7 == 6:
        return [] if new in (DEEP, "1e999") else new
    keys = sorted(value) if isinstance(value, dict) else range(len(value))
    key = keys[where % len(keys)]
    copy = value.copy()
    copy[key] = inside(value[key], where // len(keys), new)
    return copy


def check(text: str) -> None:
    """Read a record as a stranger's. Anything but a record or its fault is an error of ours."""
    line, reason = 1, "read"
    with suppress(RecordError):
        try:
            read_within(text, seconds=PATIENCE)
        except RecordError as error:
            line, reason = error.line, error.reason
            raise
    assert 1 <= line <= text.count("\n") + 1
    assert reason


def sealed(lines: list[str]) -> str:
    """The text of a record with these lines and the right checksum."""
    above = "".join(f"{part}\n" for line in lines[:-1] for part in wrapped(line))
    return f"{above}Checksum: {checksum_of(above)}\n"


@pytest.mark.parametrize("which", range(len(registry.all_games())))
def test_each_header_takes_any_value_or_refuses_it_with_its_line(which: int) -> None:
    lines = [line.text for line in joined_lines(records()[which])]
    for at in range(1, lines.index("")):
        name = lines[at].partition(":")[0]
        for value in VALUES:
            check(sealed([*lines[:at], f"{name}: {value}", *lines[at + 1 :]]))
    for extra in ("Origin", "Position", "Clock"):
        for value in VALUES:
            check(sealed([*lines[:8], f"{extra}: {value}", *lines[8:]]))


@settings(max_examples=examples(120), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    which=st.integers(0, 99),
    changes=st.lists(st.tuples(st.sampled_from(KINDS), PLACES), min_size=1, max_size=3),
)
def test_a_changed_record_is_read_or_its_fault_has_a_line(
    which: int, changes: list[tuple[str, tuple[int, int, str]]]
) -> None:
    whole = records()[which % len(records())]
    lines = [line.text for line in joined_lines(whole)]
    for kind, where in changes:
        lines = changed(lines, kind, where)
    check(sealed(lines))


@settings(max_examples=examples(100), deadline=None, suppress_health_check=list(HealthCheck))
@given(which=st.integers(0, 99), where=PLACES, cut=st.booleans())
def test_a_changed_json_record_is_read_or_its_fault_has_a_line(
    which: int, where: tuple[int, int, str], cut: bool
) -> None:
    text, (_, second, new) = to_json(records()[which % len(records())]), where
    if cut:
        at = second % len(text)
        check(text[:at] + new + text[at + 1 :])
    else:
        check(json.dumps(inside(json.loads(text), second, new), ensure_ascii=False))


@pytest.mark.parametrize(
    "text",
    [
        *("x" * 1_000_000, "\n" * 1_000_000, "😀" * 1_000_000, "{" * 1_000_000, "", "\ufeff"),
        '{"record": ' + DEEP,
        *('{"record": 1, "game": "\\ud800"}', '{"record": ' + "9" * 5000 + "}", "\0" * 100, "PK\x03\x04"),
        *("Dominium record 1\n" + "  x\n" * 200_000, "Dominium record 1\n" + "1 A a1\n" * 100_000),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_hostile_file_has_a_fault_with_a_line(text: str) -> None:
    with pytest.raises(RecordError) as found:
        read_within(text, seconds=PATIENCE)
    assert 1 <= found.value.line <= text.count("\n") + 1
