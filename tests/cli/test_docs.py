"""What the documents promise exists: commands, switches, targets of make, links, invitation, prompt."""

from __future__ import annotations

import doctest
import re
import shlex
from itertools import takewhile
from pathlib import Path
from types import ModuleType

import click
import pytest

import dominium
import games
from bot.platform.permissions import INVITE
from bot.platform.user_install import install_link
from cli import main

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted((*ROOT.glob("*.md"), *(path for path in (ROOT / "docs").rglob("*.md"))), key=str)
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]


def code(text: str) -> list[str]:
    """The lines of code blocks, and what stands between backticks."""
    blocks = re.findall(r"^ *```[a-z]*\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()] + re.findall(r"`([^`\n]+)`", prose)


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives to headings."""
    heads = re.findall(
        r"^#+ +(.+?) *$", re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", head.casefold()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_links_resolve(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"", text)
    broken = []
    for target in (first or second for first, second in targets):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        inside = there.is_relative_to(ROOT.resolve()) and there.exists()
        if not inside or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_commands_and_their_switches_exist(path: Path) -> None:
    wrong = []
    for line in code(path.read_text(encoding="utf-8")):
        for call in re.findall(r"(?:^|bin/|&& )dominium ([a-z].*)", line):
            name, *words = takewhile(lambda word: word not in ("&&", "|"), shlex.split(call, comments=True))
            command = main.get_command(click.Context(main), name)
            if isinstance(command, click.Group) and (words or not command.invoke_without_command):
                command = command.get_command(click.Context(command), words[0])
            if command is None:
                wrong.append(line)
                continue
            known = {opt for param in command.params for opt in (*param.opts, *param.secondary_opts)}
            wrong += [line for word in words if word.startswith("-") and word.split("=")[0] not in known]
    assert wrong == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_targets_of_make_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = [
        re.findall(r"(?:^|(?<!puzzles)\s)make ([a-z]+)", line)
        for line in code(path.read_text(encoding="utf-8"))
    ]
    assert {name for names in named for name in names} - targets - {"python"} == set()


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
    assert named <= read | {"DOMINIUM_CHROMIUM", "DOMINIUM_SEED"}
