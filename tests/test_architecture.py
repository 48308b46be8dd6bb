"""What docs/architecture.md lists is there, and all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.engine.match import Kind
from tests.test_contracts import ROOMS, ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)}


def first_column(section: str) -> set[str]:
    """Return the names in the first column of a section's tables."""
    cells = re.findall(r"^\| ([^|]*`[^|]*) \|", SECTIONS[section], re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def files() -> Iterator[Path]:
    """Yield the files of the house, its tests and documents."""
    yield from ROOT.glob("*.*")
    for room in (*ROOMS, "tests", "docs"):
        yield from (ROOT / room).rglob("*.*")


def test_all_packages_are_listed() -> None:
    listed = {name.partition("/")[0] for name in first_column("The packages")}
    assert set(ROOMS) <= listed
    rooms = {f"bot/{path.stem}" for path in (ROOT / "bot").iterdir() if not path.stem.startswith("__")}
    assert rooms <= first_column("The packages")


def test_all_kinds_of_entries_are_listed() -> None:
    assert first_column("The log") == {each.value for each in Kind}


@pytest.mark.parametrize("page", ["architecture.md", "adding-a-game.md"])
def test_files_that_are_named_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    named = re.findall(r"(?:`|\]\()([\w./-]+(?:\.py|\.md|\.toml|/))(?:`|\))", text)
    assert len(named) > 8
    known = [f"/{path.relative_to(ROOT).as_posix()}" for path in files()]
    assert [name for name in named if not any(f"/{name}" in path for path in known)] == []
