"""The page that help shows answers as shown, the invitation asks for the least, and settings are explained.

`tests/documents/test_mentions.py` looks after what else the documents mention.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from types import ModuleType

import pytest

import dominium
import games
from bot.platform.application import install_link
from bot.platform.permissions import INVITE
from cli.check_discord import needed
from tests.documents.test_mentions import OF_TESTS, SETTINGS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("room", [games, dominium], ids=lambda room: room.__name__)
def test_the_page_that_help_shows_answers_as_shown(room: ModuleType) -> None:
    assert len((room.__doc__ or "").splitlines()) <= 24, "one page"
    found = doctest.testmod(room)
    assert found.attempted >= 3
    assert found.failed == 0


@pytest.mark.parametrize("name", ["README.md", "docs/self-hosting.md"])
def test_the_invitation_asks_for_the_least(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert re.findall(r"permissions=(\d+)", text) == [str(INVITE.value)]
    assert install_link("YOUR_APPLICATION_ID") in text.replace("`", "").split()


def test_the_permissions_are_listed_by_the_names_that_discord_shows() -> None:
    text = (ROOT / "docs" / "self-hosting.md").read_text(encoding="utf-8")
    table = text.partition("| permission | for |")[2].partition("\n\n")[0]
    rows = re.findall(r"^ *\| ([A-Z][^|]*) \|", table, re.MULTILINE)
    assert {name for row in rows for name in row.split(", ")} == set(needed())


def test_every_setting_is_explained_where_it_is_read() -> None:
    explained = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert {name for name in SETTINGS if name not in explained} == set()


def test_every_variable_of_tests_is_explained_to_those_who_run_them() -> None:
    explained = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert {name for name in OF_TESTS if name not in explained} == set()
