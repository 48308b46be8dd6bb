"""Warnings that libraries cause are ignored one by one: those listed here, which are those in pyproject.toml.

A warning is listed if no line of ours can avoid it, and ignored where Python attributes it to the library's
module. A run checks the list on its own Python: each occurs if, and only if, the list says so.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version

import pytest

from tests.test_contracts import ROOT


@dataclass(frozen=True)
class LibraryWarning:
    """A warning of a library.

    Attributes:
        library: the distribution, in the version that was examined.
        module: the module that Python attributes the warning to.
        message: how its text begins.
        why: what the library does, and why that is no concern of ours.
        provoke: a program that makes the library cause it.
        since: the first Python with it.
        until: the first Python without it again, if there is one.
    """

    library: str
    version: str
    module: str
    category: type[Warning]
    message: str
    why: str
    provoke: str
    since: tuple[int, int] = (3, 11)
    until: tuple[int, int] = (4, 0)

    @property
    def occurs(self) -> bool:
        """Whether this Python is said to have it."""
        return self.since <= sys.version_info[:2] < self.until

    @property
    def option(self) -> str:
        """What ignores it, as Python's option -W takes it."""
        return f"ignore:{self.message}:{self.category.__name__}:{self.module}"


LISTED = (
    LibraryWarning(
        library="discord.py",
        version="2.7.1",
        module="discord.player",
        category=DeprecationWarning,
        message="'audioop' is deprecated",
        why="It imports audioop for voice, which we don't use. From 3.13 on audioop is a package of its own.",
        provoke="import discord",
        until=(3, 13),
    ),
    LibraryWarning(
        library="discord.py",
        version="2.7.1",
        module="discord.utils",
        category=DeprecationWarning,
        message="'count' is passed as positional argument",
        why="Its escape_markdown passes `count` to re.sub by position, which still works.",
        provoke="import discord; discord.utils.escape_markdown('*')",
        since=(3, 13),
    ),
)
each_entry = pytest.mark.parametrize(
    "entry", LISTED, ids=[f"{each.library}, {each.message}" for each in LISTED]
)


def failure(program: str, ignored: Iterable[LibraryWarning]) -> str:
    """Run a program with all but some warnings as errors; return the last line of its traceback, or ""."""
    options = [word for each in ignored for word in ("-W", each.option)]
    command = [sys.executable, "-W", "error", *options, "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stderr.strip().rpartition("\n")[2]


def test_what_is_ignored_is_listed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    assert settings["filterwarnings"] == ["error", *(f"{each.option}$" for each in LISTED)]


@each_entry
def test_it_occurs_on_the_pythons_that_are_named_and_on_no_other(entry: LibraryWarning) -> None:
    found = failure(entry.provoke, [each for each in LISTED if each is not entry])
    if entry.occurs:
        assert found.startswith(f"{entry.category.__name__}: {entry.message}"), "it occurs no longer"
    else:
        assert found == "", "it occurs on this Python, too"
    assert failure(entry.provoke, LISTED) == ""


@each_entry
def test_a_python_that_is_supported_has_it(entry: LibraryWarning) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    assert max(oldest, entry.since) < entry.until


@each_entry
def test_it_was_examined_in_the_version_that_is_locked_and_installed(entry: LibraryWarning) -> None:
    locked = re.search(
        rf"^{re.escape(entry.library)}==(.+)$", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE
    )
    assert locked is not None
    assert {locked[1], version(entry.library)} == {entry.version}, "see whether it still warns, and why"


@each_entry
def test_caused_by_others_it_is_an_error(entry: LibraryWarning) -> None:
    def warn(module: str) -> None:
        warnings.warn_explicit(f"{entry.message} and more", entry.category, "somewhere.py", 1, module)

    warn(entry.module)
    for other in ("bot.messages.quoting", f"{entry.module}_of_ours"):
        with pytest.raises(entry.category, match=re.escape(entry.message)):
            warn(other)
