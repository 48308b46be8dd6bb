"""Each statement of docs/standing.md and docs/tournaments.md names a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["standing", "tournaments"])
def test_each_row_names_a_test_that_exists(page: str) -> None:
    text = (TESTS.parent / "docs" / f"{page}.md").read_text(encoding="utf-8")
    tables = [part.splitlines() for part in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    rows = [
        row.strip("| ").split(" | ")[-1] for head, _, *rows in tables if "| test |" in head for row in rows
    ]
    assert len(rows) > 12
    for named in rows:
        path, _, name = named.partition("::")
        assert re.search(rf"def {name}\b", (TESTS / path).read_text(encoding="utf-8")), named
