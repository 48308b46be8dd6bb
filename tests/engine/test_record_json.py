"""Records as JSON: back and forth without loss, and where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import registry
from games.engine.record import RecordError, export, read, read_any
from games.engine.record_json import to_json, to_text
from tests.engine.test_forks import forked
from tests.engine.toy_matches import opened, turn
from tests.laws.golden import folder
from tests.rows import rows

GOLDEN = (Path(__file__).parents[1] / "toy" / "golden" / "3.txt").read_text("utf-8")


@rows("key", [game.key for game in registry.all_games()])
def test_golden_records_go_into_json_and_back(key: str) -> None:
    for path in folder(key).glob("*.txt"):
        text = path.read_text("utf-8")
        assert to_text(to_json(text)) == text


def test_a_fork_with_free_headers_does_too() -> None:
    text = export(forked(turn(opened())).log, {"Player A": "Zoë 🐙", "Empty": "", "Long": "x y " * 80})
    data = to_json(text)
    assert to_text(data) == text
    assert read_any(data) == read(text)
    assert read_any(json.dumps(json.loads(data))) == read(text), "whatever its layout"
    found = json.loads(data)
    assert found["position"]["round"] == 2
    assert found["origin"]["move"] == 3


def test_draws_are_pairs_of_numbers() -> None:
    first = json.loads(to_json(GOLDEN))["entries"][0]
    assert first["by"] == "*"
    assert first["drawn"][0] == [5, 9]


def changed(**parts: Any) -> str:
    """The golden record with other parts; a part that is None is left out."""
    data = json.loads(to_json(GOLDEN)) | parts
    return json.dumps({key: value for key, value in data.items() if value is not None}, indent=1)


WRONG: dict[str, tuple[str, str]] = {
    "syntax": ('{\n "record": 1,\n oops}', "isn't JSON"),
    "list": ('{"record": 1, "entries": "x"}', "missing"),
    "number": (changed(record=2), '"record": 1'),
    "true": (changed(record=True), '"record": 1'),
    "unknown": (changed(more=1), "no part more"),
    "no options": (changed(options=None), "options is missing"),
    "seats": (changed(seats="A B C"), "seats is a list"),
    "line break": (changed(game="toy\nRules: 1"), "one line"),
    "header": (changed(headers={"A": 1}), "headers.A"),
    "entry": (changed(entries=[1]), "entries[0] is an object"),
    "entry part": (changed(entries=[{"by": "A", "does": "x", "at": 1}]), "entries[0] has no part at"),
    "entry text": (changed(entries=[{"by": "A"}]), "entries[0].does"),
    "drawn": (changed(entries=[{"by": "*", "does": "x", "drawn": [[1]]}]), "drawn is a list"),
    "deep": ('{"record":' + "[" * 50_000, "JSON"),
    "checksum": (changed(checksum="0" * 64), "checksum"),
}


@rows("name", WRONG)
def test_what_no_record_has_is_refused(name: str) -> None:
    data, reason = WRONG[name]
    with pytest.raises(RecordError) as found:
        read_any(data)
    assert reason in found.value.reason


def test_the_line_of_the_json_is_named() -> None:
    data = to_json(GOLDEN)
    bad = data.replace('"card 9"', '"card 99"', 1)
    with pytest.raises(RecordError) as found:
        read_any(bad)
    assert '"card 99"' in bad.splitlines()[found.value.line - 1]
    bad = data.replace('"rounds": 2', '"rounds": 7', 1)
    with pytest.raises(RecordError) as found:
        read_any(bad)
    assert '"game"' in bad.splitlines()[found.value.line - 1]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_json_is_refused_or_read(data: st.DataObject) -> None:
    content = to_json(GOLDEN)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        end = min(len(content), at + data.draw(st.integers(0, 40)))
        pieces = ["", content[at:end] * 2, "null", "[[", "{", "-1", "1e999", '"\\ud800"', '"x\\n"']
        content = content[:at] + data.draw(st.sampled_from(pieces) | st.text(max_size=6)) + content[end:]
    line = 1
    try:
        read_any(content)
    except RecordError as error:
        line = error.line
    assert 1 <= line <= content.count("\n") + 2
