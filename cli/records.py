"""Records for the commands: read with a clear refusal, turned into positions, written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from cli.terminal import Sorry
from cli.words import catalogue, sayer
from games.engine import match as engine
from games.engine.game import Fact, Seat
from games.engine.match import Entry, Kind, Match
from games.engine.record import MAX_LENGTH, Record, RecordError, read_any
from games.engine.scene import Scene

LARGEST = 4 * MAX_LENGTH
"""Bytes of a record file that is read at all."""


def headers(names: Sequence[str], computers: Collection[Seat]) -> dict[str, str]:
    """Return the headers of a match played here today: who sat where."""
    seats = {
        f"Seat {index + 1}": f"{name} (computer)" if index in computers else name
        for index, name in enumerate(names)
    }
    return {"Date": datetime.now(UTC).date().isoformat(), **seats}


@dataclass(frozen=True, slots=True)
class RecordedPosition:
    """A match after one decision, with what chance made of it, and what happened."""

    match: Match
    facts: tuple[Fact, ...]

    def scene(self, viewer: Seat | None = None, *, turned: bool = True) -> Scene:
        """Return the picture a viewer sees, with the marks of what happened."""
        game, state = self.match.game, self.match.state
        scene = game.scene(game.view(state, viewer), viewer)
        marks = tuple(
            mark for fact in self.facts for mark in fact.marks if fact.to is None or viewer in fact.to
        )
        return replace(scene, marks=scene.marks + marks, turns=scene.turns if turned else 0)

    def lines(self, viewer: Seat | None = None) -> tuple[str, ...]:
        """Return what happened, and the result, as sentences."""
        say = sayer(self.match.game, self.match.setup)
        lines = [say(fact.msg) for fact in self.facts if fact.to is None or viewer in fact.to]
        if self.match.ending and self.match.ending.outcome:
            lines.append(say(self.match.ending.outcome.why))
        return tuple(lines)


def text_of(path: Path) -> str:
    """Return the text of a file. Raises Sorry for what can't be a record."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        text = data.decode("utf-8")
    except OSError as error:
        raise Sorry(f"{path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Sorry(f"{path} isn't a record: it isn't UTF-8 text.") from error
    if len(data) > LARGEST:
        raise Sorry(f"{path} isn't a record: it is too long.")
    return text


def load(path: Path) -> Record:
    """Return the record in a file. Raises Sorry, naming the line, for one that isn't valid."""
    try:
        return read_any(text_of(path))
    except RecordError as error:
        raise Sorry(f"{path} isn't a valid record: {explained(error)}") from error


def explained(error: RecordError) -> str:
    """Return what is wrong with a record: `line 9: the move is refused: ` and the game's own words."""
    if error.why is None:
        return str(error)
    match = error.match
    why = catalogue().say(error.why) if match is None else sayer(match.game, match.setup)(error.why)
    return f"line {error.line}: {error.reason}: {why}"


def positions(entries: Iterable[Entry]) -> tuple[RecordedPosition, ...]:
    """Return the start, and the position after each decision together with the draws that follow it."""
    found: list[RecordedPosition] = []
    for match, facts in engine.walk(entries):
        if found and match.log[-1].kind in (Kind.CHANCE, Kind.REVEAL):
            found[-1] = RecordedPosition(match, found[-1].facts + facts)
        else:
            found.append(RecordedPosition(match, facts))
    return tuple(found)


def pick(found: Sequence[RecordedPosition], at: int | None) -> int:
    """Return the index of the position that `--at` names; the last by default. Raises Sorry."""
    if at is None:
        return len(found) - 1
    if not 0 <= at < len(found):
        raise Sorry(f"The record has positions 0 to {len(found) - 1}, not {at}.")
    return at
