"""Warnings are errors, but for those that a library causes, which still come where the list says."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

PYPROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
Python = tuple[int, int]


@dataclass(frozen=True)
class LibraryWarning:
    """A warning of a library on Python `first` to `last`, and a line of code that provokes it."""

    message: str
    category: str
    module: str
    library: str
    version: str
    first: Python
    last: Python
    provoked_by: str
    reason: str

    @property
    def filter(self) -> str:
        """The entry for pytest's `filterwarnings`."""
        return f"ignore:{self.message}:{self.category}:{self.module}"


FIRST, LAST = (3, 11), (3, 15)
"""The oldest and the newest Python that is tested."""
KNOWN = (
    LibraryWarning(
        "'audioop' is deprecated", "DeprecationWarning", r"discord\.player",
        "discord.py", "2.7.1", (3, 11), (3, 12),
        "import discord", "It imports audioop for voice, which we don't use.",
    ),
    LibraryWarning(
        "'count' is passed as positional argument", "DeprecationWarning", r"discord\.utils",
        "discord.py", "2.7.1", (3, 13), LAST,
        "import discord.utils; discord.utils.escape_markdown('x', ignore_links=False)",
        "escape_markdown calls re.sub with flags by position.",
    ),
)  # fmt: skip


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.message)
def test_a_known_warning_comes_where_the_list_says(known: LibraryWarning) -> None:
    assert version(known.library) == known.version, f"a new {known.library}: does it still warn?"
    assert FIRST <= known.first <= known.last <= LAST, "no Python that is tested has it"
    code = f"import warnings; warnings.filterwarnings('always')\n{known.provoked_by}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    comes = f"{known.category}: {known.message}" in done.stderr
    assert comes is (known.first <= sys.version_info[:2] <= known.last), done.stderr
    if comes:
        path = known.module.replace(r"\.", "/")
        assert re.search(rf"{path}\.py:\d+: {known.category}", done.stderr), done.stderr


def test_no_other_warning_is_let_through() -> None:
    assert PYPROJECT["tool"]["pytest"]["ini_options"]["filterwarnings"] == [
        "error",
        *(known.filter for known in KNOWN),
    ]


def test_the_tested_pythons_are_those_that_the_package_names() -> None:
    named = re.findall(
        r"Programming Language :: Python :: 3\.(\d+)", "\n".join(PYPROJECT["project"]["classifiers"])
    )
    assert [int(minor) for minor in named] == list(range(FIRST[1], LAST[1] + 1))
