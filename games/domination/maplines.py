"""Lines of a map's text files, each with its number, and what there is to say about them.

Nothing here stops at the first error: whoever drew the map wants to hear of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from games.engine.message import Msg, msg

MOST_SAID: Final = 25
"""Errors, and notes, that are told; of more, only how many."""
LARGEST: Final = 999_999
Said: TypeAlias = tuple[str, int, Msg]
"""File, line (0 for the whole file), and what there is to say."""
_BREAK = re.compile(r"\r\n|\r|\n")
_GAP = re.compile(r"[ \t]+")
_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something, stripped; `number` counts from 1, `section` is "" before the first."""

    file: str
    number: int
    section: str
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """What spaces and tabs part."""
        return tuple(_GAP.split(self.text))


@dataclass(slots=True)
class Report:
    """Errors, which refuse the map, and notes, which don't."""

    errors: list[Said] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)

    def error(self, at: Line | str, what: Msg) -> None:
        """Something is wrong with a line, or with a whole file."""
        self.errors.append(placed(at, what))

    def note(self, at: Line | str, what: Msg) -> None:
        """Something is odd there."""
        self.notes.append(placed(at, what))


def placed(at: Line | str, what: Msg) -> Said:
    """What is to be said, with the file and the line in front."""
    if isinstance(at, str):
        return at, 0, msg("domination.map.file", file=shown(at), what=what)
    return at.file, at.number, msg("domination.map.line", file=shown(at.file), line=at.number, what=what)


def said(found: list[Said]) -> tuple[Msg, ...]:
    """The first of what was found, file by file in the order of the lines, and how many more there are."""
    told = [what for _, _, what in sorted(found, key=lambda one: one[:2])]
    if len(told) <= MOST_SAID:
        return tuple(told)
    return (*told[:MOST_SAID], msg("domination.map.more", n=len(told) - MOST_SAID))


def lines(file: str, text: str, sections: frozenset[str], found: set[str], report: Report) -> Iterator[Line]:
    """The lines of a file under their sections. Blank lines and those that begin with `;` say nothing.

    A section is `[name]` in any case; the lines of an unknown one are skipped, and it is an error. Those that
    are there are added to `found`.
    """
    section: str | None = ""
    for number, raw in enumerate(_BREAK.split(text.removeprefix("\ufeff")), 1):
        stripped = raw.strip(" \t\0\x1a")  # old editors end a text with the last sign
        if not stripped or stripped.startswith(";"):
            continue
        line = Line(file, number, section or "", stripped)
        if stripped.startswith("["):
            name = stripped.removeprefix("[").removesuffix("]").strip().lower()
            section = name if name in sections and stripped.endswith("]") else None
            if section is None:
                known = tuple(f"[{one}]" for one in sorted(sections))
                report.error(line, msg("domination.map.section", what=shown(stripped), known=known))
            else:
                found.add(section)
        elif section is not None:
            yield line


def number_of(word: str) -> int | None:
    """A whole number from 0 to LARGEST, in plain digits."""
    return int(word) if _NUMBER.fullmatch(word) else None


def shown(text: str) -> str:
    """A piece of somebody's file, short and without signs that can't be seen."""
    visible = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[: _SHOWN + 1])
    return visible if len(visible) <= _SHOWN else f"{visible[:_SHOWN]}…"
