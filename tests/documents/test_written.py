"""Each table in the pages is what the program says, all of it is in a table, and untruths are found."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from importlib import import_module

import pytest

from bot.platform.throttle import RATES
from cli import COMMANDS
from tests.documents import of_limits
from tests.documents.of_operators import exit_states, explained, extras, read_settings
from tests.documents.pages import PAGES, ROOT, differences, line_of, named, parts
from tests.documents.tables import TABLES
from tests.locales.test_commands import commands

ONCE = {name: functools.cache(table) for name, table in TABLES.items()}
REFERENCE = (ROOT / "docs" / "reference.md").read_text("utf-8")


def test_pages_say_what_the_program_says() -> None:
    found = [line for path in PAGES for line in differences(named(path), path.read_text("utf-8"), ONCE)]
    assert not found, "\n".join(["`make docs` writes it:", *found])


def test_each_table_stands_in_one_page() -> None:
    counted = Counter(name for path in PAGES for name in parts(path.read_text("utf-8")))
    assert counted.keys() == TABLES.keys()
    assert set(counted.values()) == {1}


def test_each_mark_of_a_table_has_its_end() -> None:
    for path in PAGES:
        text = path.read_text("utf-8")
        assert text.count("<!-- written: ") == text.count("<!-- end -->") == len(parts(text)), path


@pytest.mark.parametrize(
    ("true", "untrue"),
    [
        ("| `/match undo` |", "| `/match takeback` |"),
        ("`quiet:`", "`silence:`"),
        ("| Maximum number of matches that a person follows | 50 |", "| ... | 60 |"),
        ("| animations | 6 |", "| animations | 7 |"),
        ("`DOMINIUM_LOBBY_HOURS=24`", "`DOMINIUM_LOBBY_HOURS=48`"),
        ("`dominium_moves_total{game}`", "`dominium_moves{game}`"),
        ("| 2 | all |", "| 4 | all |"),
    ],
)
def test_an_untruth_is_found_with_its_line(true: str, untrue: str) -> None:
    assert true in REFERENCE
    planted = REFERENCE.replace(true, untrue)
    found = differences("planted", planted, ONCE)
    assert found[0] == f"planted:{line_of(planted, planted.index(untrue))}:"
    assert untrue in found[1]
    assert true in found[-1]


def test_the_reference_names_every_command() -> None:
    assert set(re.findall(r"^\| `dominium ([a-z]+)", REFERENCE, re.MULTILINE)) == set(COMMANDS)
    assert set(re.findall(r"^\| `/([a-z]+)", REFERENCE, re.MULTILINE)) == set(commands())


def test_each_setting_of_the_process_is_explained_with_what_it_is_without() -> None:
    shown = {name: value for settings, _ in explained() for name, value in settings.items()}
    read = read_settings()
    assert shown.keys() == read.keys()
    of_the_machine = {"DOMINIUM_THINKERS"}
    told = {name: value for name, value in shown.items() if name not in of_the_machine and read[name].text}
    assert {name: read[name].text for name in told} == told


def test_each_limit_is_shown_or_is_of_the_inside() -> None:
    shown = {name for name in of_limits.SHOWN if of_limits.is_limit(name.rpartition(".")[2])}
    assert of_limits.named_limits() == shown | of_limits.INNER
    assert not shown & of_limits.INNER
    for path in of_limits.SHOWN:
        module, _, name = path.rpartition(".")
        assert getattr(import_module(module), name)
    assert len(RATES) == of_limits.rates().count("\n") - 2


def test_fields_of_logs_are_found_wherever_they_are_written() -> None:
    source = """
def about(row):
    return {"row": row, "tries": 1}

more = {"code": 2}
log.info("sent", extra={"channel": 3})
log.info("sent", extra=about(row) | {"error": 4})
log.info("sent", extra=more)
other = {"unlogged": 5}
"""
    assert sorted(extras(ast.parse(source))) == ["channel", "code", "error", "row", "tries"]


def test_a_bot_that_may_be_started_again_ends_with_1() -> None:
    (row,) = [row for row in exit_states().splitlines() if row.startswith("| 1 |")]
    assert "`run`" in row
