"""What goes into a game and what comes out of it: seats, setups, facts, results. Frozen values, no rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Generic, Literal, NamedTuple, NewType, TypeVar

from games.engine.fields import Json
from games.engine.message import Msg
from games.engine.scene import Ink, Mark
from games.engine.script import Script

Seat = NewType("Seat", int)
CHANCE = Seat(-1)
"""The seat of chance: when it is to act, `draw` says what it does, and the log keeps it."""
NOBODY: Final[frozenset[Seat]] = frozenset()
ONLY_SEAT: Final = {seat: frozenset((Seat(seat),)) for seat in range(-1, 6)}
"""What `to_act` gives where one seat, or chance, is to act."""

S = TypeVar("S")  # State: the whole truth; frozen and hashable
V = TypeVar("V")  # View: what one viewer may know; S itself where nothing is hidden
A = TypeVar("A")  # Action: one decision; frozen and hashable

Why = Literal["resign", "timeout"]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is played with: seats 0..seats-1 in order of play, teams[seat], options, rules version."""

    seats: int
    teams: tuple[int, ...]
    options: Mapping[str, Json]
    rules: int = 1


def spell(value: Json) -> str:
    """A value of an option as it is typed, and as the last part of its text's key: `true`, `5`, `printed`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of the lobby. Its texts are `{game}.option.{key}`, with `.help` and `.{choice}` behind it."""

    key: str
    choices: tuple[Json, ...]
    default: Json
    seats: tuple[int, ...] = ()
    """The numbers of seats with which it means anything; none: with all. With others it is at its default."""
    open: bool = False
    """Whether it may take other values than its choices as well, those that the game `admits`."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened, for whom (None: for everybody), and where to point."""

    msg: Msg
    marks: tuple[Mark, ...] = ()
    to: frozenset[Seat] | None = None
    line: int = 0
    """In which of five lines it is told, 0 to 4. What happens in one go is told in so many lines at most."""
    detail: bool = False
    """Whether only those who ask are told: of each roll of a battle, whose sum another fact tells."""
    by: Seat | None = None
    """The seat whose action it came of; games leave it to the engine, which knows."""


class Step(NamedTuple, Generic[S]):
    """A new state and what happened on the way to it.

    A named tuple: one is made for every action, and a frozen dataclass takes three times as long.
    """

    state: S
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Done(Generic[A]):
    """The text was parsed as this action."""

    action: A
    script: Script | None = None
    """The remaining orders of the text; `resume` gives the next action if the seat is to act again."""
    start: int = field(default=0, compare=False)
    """Where in the text the order for this action begins."""


@dataclass(frozen=True, slots=True)
class Partial:
    """The beginning of a legal action: what to ask next, and complete texts for menus and autocomplete."""

    prompt: Msg
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """Can't be read, or can't be played: why, which part of the text, and the nearest legal texts.

    `chat` says that nothing in the text resembles a move of this game: in open conversation it is left
    unanswered.
    """

    why: Msg
    span: tuple[int, int] = (0, 0)
    near: tuple[str, ...] = ()
    chat: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended: ranks by seat, 1 the first, equal numbers tied, team mates equal."""

    ranks: tuple[int, ...]
    why: Msg


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A button: what it says, and the text it types, which `parse` reads as Done or Partial."""

    label: Msg
    text: str


@dataclass(frozen=True, slots=True)
class Odds:
    """What an action, as `format` writes it, may lead to: exact chances, likelier first, 1 in all."""

    text: str
    chances: tuple[tuple[Fraction, Msg], ...]


@dataclass(frozen=True, slots=True)
class SeatLook:
    """How a seat is shown: its name, palette ink, glyph, a letter, and a sign for plain text."""

    name: Msg
    ink: Ink
    glyph: str
    code: str
    symbol: str


def ranks(setup: Setup, *tiers: frozenset[int]) -> tuple[int, ...]:
    """Ranks from tiers of teams, best first; teams in no tier share the place after the last.

    A tier of two teams makes the next one third: ranks count seats' teams, as in a race.
    """
    place: dict[int, int] = {}
    taken = 1
    for tier in tiers:
        place.update(dict.fromkeys(tier, taken))
        taken += len(tier)
    return tuple(place.get(team, taken) for team in setup.teams)
