"""Each promise of a page names a test that exists; those without one are in the list of gaps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents.pages import ROOT

PAGES = (
    "moderating", "pings", "playing", "privacy", "reliability", "self-hosting", "standing", "tournaments",
)  # fmt: skip
LEAST = {"reliability": 9, "moderating": 9, "privacy": 9, "self-hosting": 9}
GAP = "none yet"
"""What stands for a promise that no test holds."""


def promises(text: str) -> list[tuple[str, str]]:
    """Return the promises of a page, each with the test that it names."""
    tables = [part.splitlines() for part in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    rows = [row.strip("| ").split(" | ") for head, _, *rows in tables if "| test |" in head for row in rows]
    return [(row[0], row[-1]) for row in rows]


def is_held(named: str, tests: Path = ROOT / "tests") -> bool:
    """Return whether a test exists, as `file::name`."""
    path, _, name = named.partition("::")
    file = tests / path
    return file.is_file() and re.search(rf"def {name}\b", file.read_text("utf-8")) is not None


@pytest.mark.parametrize("page", PAGES)
def test_each_promise_names_a_test_that_exists(page: str) -> None:
    found = promises((ROOT / "docs" / f"{page}.md").read_text("utf-8"))
    assert len(found) >= LEAST.get(page, 12)
    assert [named for _, named in found if named != GAP and not is_held(named)] == []


def test_gaps_are_few() -> None:
    texts = [(ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in PAGES]
    assert sum(named == GAP for text in texts for _, named in promises(text)) <= 6


def test_a_planted_promise_is_found() -> None:
    row = "| promise | test |\n| --- | --- |\n| You win. | documents/test_promises.py::test_you_win |\n"
    assert [is_held(named) for _, named in promises(row)] == [False]
    row = row.replace("test_you_win", "test_gaps_are_few")
    assert [is_held(named) for _, named in promises(row)] == [True]
