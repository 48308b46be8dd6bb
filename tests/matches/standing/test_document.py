"""Each statement of docs/standing.md names a test that exists."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
TEXT = (TESTS.parent / "docs" / "standing.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if re.match(r"\| (?!---)", line)]


def test_each_row_names_a_test_that_exists() -> None:
    rows = [row for row in ROWS if row[-1] != "test"]
    assert len(rows) > 20
    for *_, named in rows:
        path, _, name = named.partition("::")
        assert re.search(rf"def {name}\b", (TESTS / path).read_text(encoding="utf-8")), named
