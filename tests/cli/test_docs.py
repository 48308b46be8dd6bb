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
from bot.platform.permissions import INVITE
from bot.platform.user_install import install_link

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted((*ROOT.glob("*.md"), *(path for path in (ROOT / "docs").rglob("*.md"))), key=str)


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


def test_every_setting_is_explained_where_it_is_read() -> None:
    read = set(
        re.findall(
            r'"((?:DISCORD|DOMINIUM)_[A-Z_]+)"', (ROOT / "bot/platform/config.py").read_text(encoding="utf-8")
        )
    )
    explained = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = {
        word
        for path in DOCUMENTS
        for word in re.findall(r"\b(?:DISCORD|DOMINIUM)_[A-Z_]+\b", path.read_text())
    }
    assert {name for name in read if name not in explained} == set()
    sources = [ROOT / "Makefile", *(ROOT / "tests").rglob("*.py")]
    tests = {
        name
        for path in sources
        for name in re.findall(r"\bDOMINIUM_[A-Z_]+\b", path.read_text("utf-8"))
        if not name.startswith("DOMINIUM_TEST")
    }
    assert named <= read | tests
    assert tests - read - {"DOMINIUM_PROCESS"} <= set(
        re.findall(r"DOMINIUM_[A-Z]+", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    )
