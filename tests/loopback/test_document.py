"""docs/discord.md: its tests exist; each fact names its source, and when Discord was last seen to do so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.rehearse.facts import expectations
from tests.discord_facts import Seen, known, observations
from tests.documents.of_discord import NO, dated, observed, texts, tried
from tests.documents.pages import ROOT
from tests.documents.test_promises import is_held

TEXT = (ROOT / "docs" / "discord.md").read_text(encoding="utf-8")
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
    fact, source, when, tests = row
    assert tried(when) or when == NO
    assert len(fact) <= 220
    named = set(re.findall(r"\[([a-z]+)\](?!\()", source))
    assert named <= LINKS
    assert named or "https://" in source or "discord.py 2.7.1" in source
    named_tests = re.fullmatch(r"\[server\]\(\.\./tests/(.+)#(.+)\), \[bot\]\(\.\./tests/(.+)#(.+)\)", tests)
    assert named_tests
    server, its_test, bot, other_test = named_tests.groups()
    assert is_held(f"{server}::{its_test}")
    assert is_held(f"{bot}::{other_test}")


def test_each_fact_of_a_rehearsal_stands_in_a_row() -> None:
    assert {key for row in ROWS for key in tried(row[2])} == set(expectations())


@pytest.mark.parametrize("name", texts())
def test_what_was_seen_is_written_down(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == texts()[name], "`make docs` writes it"


def test_a_fact_that_discord_was_seen_to_do_has_the_date() -> None:
    seen = {"form": Seen("2026-01-02", "204"), "reply": Seen("2026-02-03", "type 19")}
    assert observed(["form", "reply"], seen) == "2026-02-03: `reply`; 2026-01-02: `form`"
    assert observed(["history", "form"], seen) == "2026-01-02: `form`; `history`"
    assert observed([], seen) == NO
    before = "| a | [b] | `history`, `form` | c |\n| a | [b] | no | c |\n"
    after = "| a | [b] | 2026-01-02: `form`; `history` | c |\n| a | [b] | no | c |\n"
    assert dated(before, seen) == after
    assert dated(after, {}) == before.replace("`history`, `form`", "`form`, `history`")


def test_a_fact_is_taken_from_the_newest_file_that_has_it(tmp_path: Path) -> None:
    for date, seen in (
        ("2026-02-03", {"form": "204", "long-label": "90, then 400 50035", "unknown": "200"}),
        ("2026-01-02", {"form": "400 50035", "reply": "type 0", "long-text": "nothing came"}),
    ):
        (tmp_path / f"{date}.json").write_text(json.dumps({"date": date, "observed": seen}))
    assert observations(tmp_path)["form"] == Seen("2026-02-03", "204")
    assert observations(tmp_path)["reply"] == Seen("2026-01-02", "type 0")
    found = known(tmp_path)
    assert found == expectations() | {"long-label": "90, then 400 50035", "reply": "type 0"}
