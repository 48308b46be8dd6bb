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
        self.errors.append(_placed(at, what))

    def note(self, at: Line | str, what: Msg) -> None:
        """Something is odd there."""
        self.notes.append(_placed(at, what))


def _placed(at: Line | str, what: Msg) -> Said:
    return (at, 0, what) if isinstance(at, str) else (at.file, at.number, what)


def said(found: list[Said]) -> tuple[Msg, ...]:
    """What was found, file by file in the order of the lines: the first of it, and how much more there is."""
    told = [_told(*one) for one in sorted(found, key=lambda one: one[:2])[:MOST_SAID]]
    if len(found) > MOST_SAID:
        told.append(msg("domination.map.more", n=len(found) - MOST_SAID))
    return tuple(told)


def _told(file: str, line: int, what: Msg) -> Msg:
    """What is to be said, with the file and the line in front."""
    if line:
        return msg("domination.map.line", file=shown(file), line=line, what=what)
    return msg("domination.map.file", file=shown(file), what=what)


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
