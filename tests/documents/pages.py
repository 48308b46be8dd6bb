"""The pages, and their parts that the program writes, between `<!-- written: NAME -->` and `<!-- end -->`.

`make docs` writes these parts anew. What a page says between the two lines is never edited by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import TypeAlias

Tables: TypeAlias = Mapping[str, Callable[[], str]]

ROOT = Path(__file__).parents[2]
PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")), key=str)
_PART = re.compile(r"^<!-- written: ([a-z-]+) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)


def named(path: Path) -> str:
    """Return how a page is called, from the folder of the checkout."""
    return path.relative_to(ROOT).as_posix()


def line_of(text: str, at: int) -> int:
    """Return the line of a place in a text, from 1."""
    return text.count("\n", 0, at) + 1


def parts(text: str) -> list[str]:
    """Return the names of the parts of a page that the program writes."""
    return [part[1] for part in _PART.finditer(text)]


def written(text: str, tables: Tables) -> str:
    """Return a page with those parts as the program says now. Raises KeyError for an unknown name."""
    return _PART.sub(lambda part: f"<!-- written: {part[1]} -->\n\n{tables[part[1]]()}\n<!-- end -->", text)


def differences(name: str, text: str, tables: Tables) -> list[str]:
    """Return where a page says something else than the program: page, line and what each of them says."""
    page, now = text.splitlines(), written(text, tables).splitlines()
    found: list[str] = []
    if page == now:
        return found
    for kind, start, end, there, until in SequenceMatcher(None, page, now, autojunk=False).get_opcodes():
        if kind != "equal":
            found.append(f"{name}:{start + 1}:")
            found += [f"  the page     {line}" for line in page[start:end]]
            found += [f"  the program  {line}" for line in now[there:until]]
    return found


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of Markdown. A cell may have `|`; its lines are joined."""
    columns = tuple(head)
    lines = [columns, ("---",) * len(columns), *map(tuple, rows)]
    cells = [[" ".join(cell.split()).replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)
