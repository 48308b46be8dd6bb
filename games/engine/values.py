"""Frozen values that games take and return: seats, setups, options, facts, outcomes, scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Generic, Literal, NamedTuple, NewType, TypeVar

from games.engine.fields import Json
from games.engine.message import Msg
from games.engine.normalization import Normalized
from games.engine.notation import Span
from games.engine.scene import Ink, Mark

Seat = NewType("Seat", int)
CHANCE = Seat(-1)
"""The seat of chance: when it is to act, `Game.draw` chooses its action, which is logged like any other."""
NOBODY: Final[frozenset[Seat]] = frozenset()
ONLY_SEAT: Final = {seat: frozenset((Seat(seat),)) for seat in range(-1, 6)}
"""The set of just one seat, or of chance: for `Game.to_act`."""

S = TypeVar("S")  # State: everything, hidden or not; frozen and hashable
V = TypeVar("V")  # View: what one viewer may know; S itself where nothing is hidden
A = TypeVar("A")  # Action: one decision; frozen and hashable

Why = Literal["resign", "timeout"]


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a match: seats 0..seats-1 in order of play, teams[seat], options, version of the rules."""

    seats: int
    teams: tuple[int, ...]
    options: Mapping[str, Json]
    rules: int = 1


def spell(value: Json) -> str:
    """Return an option's value as people type it, and as the last part of its text key: `true`, `5`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Option:
    """An option in the lobby. Its texts are `{game}.option.{key}`, followed by `.help` and `.{choice}`."""

    key: str
    choices: tuple[Json, ...]
    default: Json
    seats: tuple[int, ...] = ()
    """The numbers of seats it applies to; empty for all. With others it must have its usual value."""
    open: bool = False
    """Whether it also accepts values that the game `admits`, besides its choices."""
    elsewhere: Json = None
    """The value with other numbers of seats; None if that is the default, too."""

    def usual(self, seats: int) -> Json:
        """Return the value it has with a number of seats unless another one is chosen."""
        apart = self.seats and seats not in self.seats and self.elsewhere is not None
        return self.elsewhere if apart else self.default


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened, the seats that may know it (None: everyone), and marks for the board."""

    msg: Msg
    marks: tuple[Mark, ...] = ()
    to: frozenset[Seat] | None = None
    line: int = 0
    """The line on which it is shown, 0 to 4: a turn is summarised in at most five lines."""
    detail: bool = False
    """Whether it is shown only on request, such as each roll of a battle that another fact sums up."""
    by: Seat | None = None
    """The seat whose action caused it; set by the engine, not by games."""
    default: bool = False
    """Whether that action was played for the seat, because its time was up; set by the engine as well."""


class Step(NamedTuple, Generic[S]):
    """A new state and what happened on the way to it.

    A named tuple, because one is made for every action and a frozen dataclass takes three times as long.
    """

    state: S
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """The orders of a typed text that are still to be carried out, as the game parsed them.

    A text may contain many orders: `attack ukr mea; attack mea egy; end`. The game parses all of it at once
    and returns the first action and a script of the rest. Whenever the same seat is to act again, the engine
    hands the script back, and the game returns the next action and a shorter script. Only the game looks
    inside: `orders` has any type it likes, if it is hashable.

    Orders keep their positions in the text. So players are shown in their own words what was not carried out,
    from the first such order on, and no text is parsed twice.
    """

    text: str
    """The whole text, as it was passed to `Game.read`."""
    orders: tuple[Any, ...]
    start: int | None
    """Where in the text its first order begins; None if it may be dropped without a word."""

    plain: Normalized | None = field(default=None, compare=False)
    """The same with what was typed, from `Game.parse`."""

    def since(self, start: int) -> str:
        """Return what was typed from a position of the text on, without blanks around it."""
        if self.plain is None:
            return self.text[start:].strip()
        return self.plain.typed[self.plain.span(start, len(self.text))[0] :].strip()


@dataclass(frozen=True, slots=True)
class Done(Generic[A]):
    """The text was parsed as this action."""

    action: A
    script: Script | None = None
    """The remaining orders of the text; `resume` gives the next action if the seat is to act again."""
    start: int = field(default=0, compare=False)
    """Where in the text the order for this action begins."""
    spans: tuple[Span, ...] = field(default=(), compare=False)
    """The parts of the text that have a meaning in the action or the script, or are known to have none.

    Only `Game.read` gives them. Letters and digits outside of them stop the text (`notation.left_over`).
    """


@dataclass(frozen=True, slots=True)
class Partial:
    """The beginning of a legal action: what to ask next, and complete texts for menus and autocomplete."""

    prompt: Msg
    choices: tuple[str, ...]
    start: int | None = field(default=None, compare=False)
    """From `resume`: where in the text the half order begins; None if none was typed."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A text that can't be parsed or isn't legal: why, the span at fault, and the nearest legal texts.

    `chat` means that nothing in the text resembles a move of this game, so that the bot needn't answer it in
    an open channel.
    """

    why: Msg
    span: tuple[int, int] = (0, 0)
    near: tuple[str, ...] = ()
    chat: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result: ranks by seat, 1 for the first place, equal for ties and team mates; and its sentence."""

    ranks: tuple[int, ...]
    why: Msg


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A button: its label, and the text it types, which `parse` reads as Done or Partial."""

    label: Msg
    text: str


@dataclass(frozen=True, slots=True)
class Odds:
    """An action, as `format` writes it, and the exact probabilities of its results, likeliest first."""

    text: str
    chances: tuple[tuple[Fraction, Msg], ...]


@dataclass(frozen=True, slots=True)
class SeatLook:
    """How a seat is shown: its name, palette ink, glyph, a letter, and a symbol for plain text."""

    name: Msg
    ink: Ink
    glyph: str
    code: str
    symbol: str


def ranks(setup: Setup, *tiers: frozenset[int]) -> tuple[int, ...]:
    """Return ranks by seat from tiers of teams, best first; teams in no tier share the place after the last.

    Ranks count teams as in a race: after a tier of two teams, the next is third.
    """
    place: dict[int, int] = {}
    taken = 1
    for tier in tiers:
        place.update(dict.fromkeys(tier, taken))
        taken += len(tier)
    return tuple(place.get(team, taken) for team in setup.teams)
