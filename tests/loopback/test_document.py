"""Each test that docs/discord.md names exists, and each row of its facts names its source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
DOCUMENT = TESTS.parent / "docs" / "discord.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
LINKS = set(re.findall(r"^\[([a-z]+)\]: https://", TEXT, re.MULTILINE))
TABLES = re.findall(r"^\| fact \|.*\n\| --- .*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")] for part in TABLES for line in part.splitlines()
]


def test_there_are_rows() -> None:
    assert len(ROWS) >= 14


@pytest.mark.parametrize("row", ROWS, ids=[row[0][:60] for row in ROWS])
def test_a_row_names_its_source_and_tests_that_exist(row: list[str]) -> None:
    assert len(row) == 4
    fact, source, server, bot = row
    assert len(fact) <= 220
    named = set(re.findall(r"\[([a-z]+)\](?!\()", source))
    assert named <= LINKS
    assert named or "https://" in source or "discord.py 2.7.1" in source
    for cell in (server, bot):
        path, _, name = cell.partition("::")
        code = (TESTS / path).read_text(encoding="utf-8")
        assert re.search(rf"def {name}\b", code), cell
