"""What the pages mention exists: links, files, commands of the terminal, make, metrics, settings.

A mention of what doesn't exist fails with its page and line. Commands in Discord are checked by
`tests/locales/test_commands.py`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from functools import cache
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import Final

import click
import pytest

from cli import main
from deploy.__main__ import parser as deploy_parser
from tests.documents.of_operators import metrics
from tests.documents.pages import PAGES, ROOT, line_of, named
from tests.documents.test_promises import is_held
from tests.test_contracts import ROOMS

_BLOCK: Final = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
_PATH: Final = re.compile(r"`([a-z_]+/[\w/.-]+\.(?:py|md|toml|jsonl?|css|service|yaml))`")
_WRITTEN_BY_PEOPLE: Final = ("data/", "releases/", "current/")


def blank(found: re.Match[str]) -> str:
    """Return as many empty lines as a part of a page has, so that what follows keeps its line."""
    return "\n" * found[0].count("\n")


def code(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of code blocks, and what stands between backticks, each with its line."""
    for block in _BLOCK.finditer(text):
        first = line_of(text, block.start())
        yield from ((first + at, line) for at, line in enumerate(block[0].splitlines()))
    prose = _BLOCK.sub(blank, text)
    for each in re.finditer(r"`([^`\n]+)`", prose):
        yield line_of(prose, each.start()), each[1]


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    heads = re.findall(r"^#+ +(.+?) *$", _BLOCK.sub(blank, text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.casefold()).replace(" ", "-") for head in heads}


def links(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the links and pictures of a page that lead nowhere. The anchor of a test is its function."""
    for each in _LINK.finditer(text):
        target = each[1] or each[2]
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        found = there.is_relative_to(ROOT.resolve()) and there.exists()
        if found and anchor:
            found = (
                is_held(f"{there.name}::{anchor}", there.parent)
                if there.suffix == ".py"
                else anchor in anchors(there.read_text("utf-8") if name else text)
            )
        if not found:
            yield line_of(text, each.start()), target


def terminal(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the calls of `dominium` with a command or a switch that doesn't exist."""
    for line, words_of_line in code(text):
        for call in re.findall(r"(?:^|bin/|&& )dominium ([a-z].*)", words_of_line):
            name, *words = takewhile(lambda word: word not in ("&&", "|"), shlex.split(call, comments=True))
            command = main.get_command(click.Context(main), name)
            if isinstance(command, click.Group) and (words or not command.invoke_without_command):
                command = command.get_command(click.Context(command), words[0]) if words else None
            params = command.params if command else []
            known = {opt for param in params for opt in (*param.opts, *param.secondary_opts)}
            given = {word.split("=")[0] for word in words if word.startswith("-")}
            if command is None or given - known:
                yield line, call


def modules(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the calls of modules of ours that don't exist, and wrong command lines of `deploy`."""
    for line, words_of_line in code(text):
        for name, rest in re.findall(
            r"python3? -m ((?:deploy|tests|dominium)[\w.]*)([^|&#)]*)", words_of_line
        ):
            file = ROOT / name.replace(".", "/")
            found = file.with_suffix(".py").is_file() or (file / "__main__.py").is_file()
            if not found or (name == "deploy" and not _understood(shlex.split(rest))):
                yield line, f"python -m {name}{rest}".rstrip()


def _understood(words: list[str]) -> bool:
    """Return whether `deploy` takes a command line; none stands for all of them."""
    with redirect_stderr(StringIO()):
        try:
            deploy_parser().parse_args(words)
        except SystemExit:
            return not words
    return True


def make(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the targets of make that don't exist."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for line, words in code(text):
        for name in re.findall(r"(?:^|(?<!puzzles)\s)make ([a-z]+)", words):
            if name not in targets | {"python"}:
                yield line, f"make {name}"


@cache
def _files() -> frozenset[str]:
    paths = (path for room in (*ROOMS, "tests", "docs", "deploy") for path in (ROOT / room).rglob("*.*"))
    return frozenset(f"/{path.relative_to(ROOT).as_posix()}" for path in paths)


def paths(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the files of the house that don't exist; `<key>` and `GAME` stand for a game."""
    for each in _PATH.finditer(text):
        name = re.sub(r"\b(?:GAME|KEY)\b", "focus", each[1])
        ours = not name.startswith(_WRITTEN_BY_PEOPLE)
        if ours and not any(file.endswith(f"/{name}") for file in _files()):
            yield line_of(text, each.start()), each[1]


@cache
def _metrics() -> frozenset[str]:
    return frozenset(re.findall(r"`(dominium_\w+)", metrics()))


def measures(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the metrics that don't exist."""
    for line, words in code(text):
        for name in re.findall(r"\bdominium_[a-z_]+", words):
            if name not in _metrics():
                yield line, name


SETTINGS: Final = frozenset(
    re.findall(r'"((?:DISCORD|DOMINIUM)_[A-Z_]+)"', (ROOT / "bot/platform/config.py").read_text("utf-8"))
)
"""The settings that the program reads."""
OF_TESTS: Final = frozenset(
    name
    for path in (ROOT / "Makefile", *(ROOT / "tests").rglob("*.py"))
    for name in re.findall(r"\bDOMINIUM_[A-Z_]+\b", path.read_text("utf-8"))
    if not name.startswith("DOMINIUM_TEST") and name not in SETTINGS
)
"""The variables that tests read besides, but for those by which they drive a process of their own."""


def settings(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the settings that nothing reads."""
    for each in re.finditer(r"\b(?:DISCORD|DOMINIUM)_[A-Z_]+\b", text):
        if each[0] not in SETTINGS | OF_TESTS:
            yield line_of(text, each.start()), each[0]


Look = Callable[[Path, str], Iterator[tuple[int, str]]]
LOOKS: Final[tuple[Look, ...]] = (links, terminal, modules, make, paths, measures, settings)


def test_what_pages_mention_exists() -> None:
    texts = [(path, path.read_text("utf-8")) for path in PAGES]
    found = [
        f"{named(path)}:{line}: {name}"
        for path, text in texts
        for look in LOOKS
        for line, name in look(path, text)
    ]
    assert not found, "\n".join(found)


PLANTED: Final = (
    (links, "[your server](docs/moderating.md)", "[your server](docs/moderators.md)"),
    (links, "(docs/self-hosting.md#the", "(docs/self-hosting.md#an"),
    (links, "docs/pictures/focus-hero.png", "docs/pictures/focus-heroes.png"),
    (terminal, "`dominium play focus`", "`dominium plays focus`"),
    (terminal, "`dominium play focus`", "`dominium play focus --moves`"),
    (modules, "`undo`", "`python3 -m deploy undo`"),
    (modules, "`undo`", "`python -m tests.months`"),
    (make, "`make run` brings", "`make runs` brings"),
    (paths, "the authors", "`bot/outbound/engines.py`"),
    (measures, "`undo`", "`dominium_moves_sum`"),
    (settings, "`undo`", "`DOMINIUM_" + "WORKERS`"),
)


@pytest.mark.parametrize(("look", "true", "untrue"), PLANTED, ids=[each[2] for each in PLANTED])
def test_a_planted_mention_is_found_with_its_line(look: Look, true: str, untrue: str) -> None:
    path = ROOT / "README.md"
    text = path.read_text("utf-8").replace("Sid Sackson |", "the authors |")
    assert true in text
    assert list(look(path, text)) == []
    planted = text.replace(true, untrue, 1)
    assert [line for line, _ in look(path, planted)] == [line_of(planted, planted.index(untrue))]
