"""Each promise of a page names a test that exists; one without a test says so.

A promise is followed by a mark, `[✓](../tests/FILE#TEST)`, or is a row of a table whose last column names the
test as `FILE::TEST`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documents.pages import ROOT, line_of

LEAST = {
    "moderating": 11, "pings": 14, "playing": 20, "privacy": 10, "reliability": 9, "self-hosting": 15,
    "standing": 12, "tournaments": 12,
}  # fmt: skip
"""The pages that make promises, and how many at least."""
GAP = "no test yet"
"""What stands for a promise that no test holds, in place of its mark, in brackets, or of the test's name."""
_MARK = re.compile(r"\[✓\]\(\.\./tests/([^)#]*)#([^)]*)\)")


def promises(text: str) -> list[tuple[int, str]]:
    """Return the lines of the promises of a page, each with the test that it names."""
    found = [(line_of(text, each.start()), f"{each[1]}::{each[2]}") for each in _MARK.finditer(text)]
    found += [(line_of(text, each.start()), GAP) for each in re.finditer(rf"\({GAP}\)", text)]
    for each in re.finditer(r"^\|.*\| test \|\n\|.*\n((?:\|.*\n)+)", text, re.MULTILINE):
        first = line_of(text, each.start(1))
        rows = each[1].splitlines()
        found += [(first + at, row.strip("| ").rpartition(" | ")[2]) for at, row in enumerate(rows)]
    return found


def is_held(named: str, tests: Path = ROOT / "tests") -> bool:
    """Return whether a test exists, as `file::name`."""
    path, _, name = named.partition("::")
    file = tests / path
    return file.is_file() and re.search(rf"def {name}\b", file.read_text("utf-8")) is not None


def broken(name: str, text: str) -> list[str]:
    """Return page, line and test for each promise of a page whose test doesn't exist."""
    found = promises(text)
    return [f"{name}:{line}: {test}" for line, test in found if test != GAP and not is_held(test)]


@pytest.mark.parametrize("page", LEAST)
def test_each_promise_names_a_test_that_exists(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    assert len(promises(text)) >= LEAST[page]
    assert broken(f"docs/{page}.md", text) == []


def test_gaps_are_few() -> None:
    texts = [(ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in LEAST]
    assert sum(test == GAP for text in texts for _, test in promises(text)) <= 6


@pytest.mark.parametrize(
    "page",
    [
        "| promise | test |\n| --- | --- |\n| You win. | documents/test_promises.py::test_you_win |\n",
        "A promise.\n\nYou win. [✓](../tests/documents/test_promises.py#test_you_win)\n",
        "A promise.\n\nYou win. [✓](../tests/documents/nowhere.py#test_gaps_are_few)\n",
    ],
)
def test_a_planted_promise_is_found_with_its_line(page: str) -> None:
    assert [each.rpartition(": ")[0] for each in broken("planted", page)] == ["planted:3"]
    mended = page.replace("test_you_win", "test_gaps_are_few").replace("nowhere", "test_promises")
    assert len(promises(mended)) == 1
    assert broken("planted", mended) == []
    assert promises(f"You win. ({GAP})\n") == [(1, GAP)]
