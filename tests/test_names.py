"""One name for one thing: no two classes of the house are called the same, nor two of one game."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from tests.test_contracts import ROOMS, ROOT

APART = ("dominium", "solve")
"""Rooms that the others know nothing of."""


def home(path: Path) -> str:
    """Return the game of a file, its room if that stands apart, or else the house."""
    room, inner = path.parts[0], path.parts[1]
    if room == "games" and inner != "engine" and not inner.endswith(".py"):
        return inner
    return room if room in APART else "house"


def test_each_class_has_a_name_of_its_own() -> None:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for room in ROOMS:
        for file in (ROOT / room).rglob("*.py"):
            path = file.relative_to(ROOT)
            for name in re.findall(r"^class ([A-Za-z]\w*)", file.read_text("utf-8"), re.MULTILINE):
                found[home(path), name].append(str(path))
    assert len(found) > 300
    assert [paths for paths in found.values() if len(paths) > 1] == []
