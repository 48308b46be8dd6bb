"""docs/discord.md: its tests exist; each fact names its source, and when Discord was last seen to do so."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cli.rehearse.rehearsal import expectations

TESTS = Path(__file__).resolve().parents[1]
DOCUMENT = TESTS.parent / "docs" / "discord.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
LINKS = set(re.findall(r"^\[([a-z]+)\]: https://", TEXT, re.MULTILINE))
TABLES = re.findall(r"^\| fact \|.*\n\| --- .*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")] for part in TABLES for line in part.splitlines()
]
OBSERVED = sorted((TESTS / "loopback" / "observed").glob("*.json"))
NEWEST: Mapping[str, Any] = json.loads(OBSERVED[-1].read_text("utf-8")) if OBSERVED else {}
NO = "no"
"""What stands for a fact that a rehearsal can't try."""


def rehearsed(keys: list[str], newest: Mapping[str, Any]) -> str:
    """Return what the page says of facts of a rehearsal: when Discord was seen to do them, or not yet."""
    seen = newest.get("observed", {})
    since = newest["date"] if all(key in seen for key in keys) and seen else "not yet"
    return f"{since}: " + ", ".join(f"`{key}`" for key in keys) if keys else NO


def test_there_are_rows() -> None:
    assert len(ROWS) >= 14


@pytest.mark.parametrize("row", ROWS, ids=[row[0][:60] for row in ROWS])
def test_a_row_names_its_source_and_tests_that_exist(row: list[str]) -> None:
    assert len(row) == 5
    fact, source, tried, server, bot = row
    assert tried == rehearsed(re.findall(r"`([a-z0-9-]+)`", tried), NEWEST)
    assert len(fact) <= 220
    named = set(re.findall(r"\[([a-z]+)\](?!\()", source))
    assert named <= LINKS
    assert named or "https://" in source or "discord.py 2.7.1" in source
    for cell in (server, bot):
        path, _, name = cell.partition("::")
        code = (TESTS / path).read_text(encoding="utf-8")
        assert re.search(rf"def {name}\b", code), cell


def test_each_fact_of_a_rehearsal_stands_in_a_row() -> None:
    named = {key for row in ROWS for key in re.findall(r"`([a-z0-9-]+)`", row[2])}
    assert named == set(expectations())


def test_a_fact_that_discord_was_seen_to_do_has_the_date() -> None:
    newest = {"date": "2026-01-02", "observed": {"form": "204", "reply": "type 19"}}
    assert rehearsed(["form", "reply"], newest) == "2026-01-02: `form`, `reply`"
    assert rehearsed(["form", "history"], newest) == "not yet: `form`, `history`"
    assert rehearsed([], newest) == NO
