"""The interface of a game. A game is rules, two notations and a scene: pure, immutable, without a clock.

`refuse` is the one judge of legality; `apply` is total after it. "No" is a value with a reason. Words and
pictures are made from a View, so that what a viewer may not know cannot leak. `Game` is the core that every
game has; what only some have is in `extras`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeAlias, cast

from games.engine.dice import Dice
from games.engine.extras import Extras, Oracle, Player
from games.engine.fields import Json
from games.engine.message import Msg, msg
from games.engine.scene import Glyph, Scene
from games.engine.script import Script
from games.engine.values import (
    CHANCE,
    NOBODY,
    ONLY_SEAT,
    A,
    Fact,
    Odds,
    Option,
    Outcome,
    Rejected,
    S,
    Seat,
    SeatLook,
    Setup,
    Shortcut,
    Step,
    V,
    Why,
    ranks,
    spell,
)  # fmt: skip

__all__ = [
    "CHANCE", "NOBODY", "ONLY_SEAT", "AnyGame", "Done", "Fact", "Game", "Json", "Odds", "Option", "Oracle",
    "Outcome", "Partial", "Player", "Rejected", "Seat", "SeatLook", "Setup", "Shortcut", "Step", "Why",
    "ranks", "spell",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Done(Generic[A]):
    """The text is this action. It may still be refused."""

    action: A
    script: Script | None = None
    """What the same text orders besides; `resume` gives the next action if the seat is to act again."""
    start: int = field(default=0, compare=False)
    """Where in the text the order begins that this action is."""


@dataclass(frozen=True, slots=True)
class Partial:
    """Fine so far: what is asked next, and complete texts that may follow (for menus and autocomplete)."""

    prompt: Msg
    choices: tuple[str, ...]


class Game(Extras[S, V, A], ABC):
    """One game. Instances hold no state; every method is pure and deterministic.

    A rejected text and a refused action are values. Methods may raise ValueError only for arguments that no
    log, lobby or view can produce (`load` and `decode` for data that is not theirs).
    """

    key: ClassVar[str]
    code: ClassVar[str]
    """One capital letter: match ids begin with it."""
    rules: ClassVar[int] = 1
    """Version of the rules that new matches pin; matches of every earlier one, from 1 on, are played on."""
    seats: ClassVar[tuple[int, ...]]
    """Possible numbers of seats, ascending."""
    options: ClassVar[tuple[Option, ...]] = ()
    glyphs: ClassVar[Mapping[str, Glyph]] = {}

    # --- the setup --------------------------------------------------------------------------------------

    def setup(self, seats: int, options: Mapping[str, Json] | None = None) -> Setup:
        """A setup with defaults filled in and teams made from the options; `refuse_setup` judges it."""
        chosen = {option.key: option.default for option in self.options} | dict(options or {})
        return Setup(seats, self.teams(seats, chosen), chosen, self.rules)

    def has_rules(self, rules: int) -> bool:
        """Whether there is such a version of the rules."""
        return type(rules) is int and 1 <= rules <= self.rules

    def teams(self, seats: int, options: Mapping[str, Json]) -> tuple[int, ...]:
        """The team of each seat; everybody for themselves unless a game says otherwise."""
        return tuple(range(seats))

    def refuse_setup(self, setup: Setup) -> Msg | None:
        """Why these seats and options can't be played together; None if they can."""
        game, options = msg(f"{self.key}.title"), {option.key: option for option in self.options}
        if setup.seats not in self.seats or isinstance(setup.seats, bool):
            return msg("match.setup.seats", game=game, seats=self.seats)
        if not self.has_rules(setup.rules):
            return msg("match.setup.rules")
        if setup.options.keys() != options.keys():
            return msg("match.setup.options", game=game)
        for key, value in setup.options.items():
            option = options[key]
            listed = any(type(value) is type(choice) and value == choice for choice in option.choices)
            if not listed and not (option.open and self.admits(key, value)):
                return msg("match.setup.options", game=game)
            if option.seats and setup.seats not in option.seats and value != option.default:
                return msg("match.setup.for", option=msg(f"{self.key}.option.{key}"), seats=option.seats)
        if (why := self.clash(setup)) is not None:
            return why
        return None if setup.teams == self.teams(setup.seats, setup.options) else msg("match.setup.teams")

    @abstractmethod
    def max_actions(self, setup: Setup) -> int:
        """No match takes more actions than this, chance included."""

    @abstractmethod
    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """How a seat is named and shown."""

    # --- the course -------------------------------------------------------------------------------------

    @abstractmethod
    def start(self, setup: Setup) -> Step[S]:
        """The first state. No chance here: a shuffle is the first action of CHANCE."""

    @abstractmethod
    def to_act(self, state: S) -> frozenset[Seat]:
        """Who is to decide: several at once, {CHANCE} when a draw is due, nobody when it is over."""

    @abstractmethod
    def refuse(self, state: S, seat: Seat, action: A) -> Msg | None:
        """The judge: why the seat may not do this now; None if it may."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A) -> Step[S]:
        """Do it. Total and pure for whatever `refuse` lets pass."""

    def draw(self, state: S, dice: Dice) -> A:
        """What chance does now; the only use of randomness. Games without chance never get here."""
        raise ValueError(f"{self.key} draws nothing now")

    @abstractmethod
    def forfeit(self, state: S, seat: Seat, why: Why) -> Step[S]:
        """A seat gives up or ran out of time; with more than two players play may go on."""

    def outcome(self, state: S) -> Outcome | None:
        """The result, exactly when nobody is to act. By default what the state has as `outcome`."""
        found: Outcome | None = cast("Any", state).outcome
        return found

    # --- what a seat sees and says ----------------------------------------------------------------------

    def view(self, state: S, viewer: Seat | None) -> V:
        """What a seat, or a spectator (None), may know. By default everything: the state."""
        return cast("V", state)

    @abstractmethod
    def actions(self, view: V, seat: Seat) -> Iterator[A]:
        """Every legal action of the seat, lazily, in canonical order."""

    @abstractmethod
    def parse(self, view: V, seat: Seat, text: str) -> Done[A] | Partial | Rejected:
        """Read what a person typed, leniently; the empty text gives the instructions of the moment.

        Never raises, whatever the text. Done only for what `refuse` would let pass on the same view.
        """

    def resume(self, view: V, seat: Seat, script: Script) -> Done[A] | Partial | Rejected:
        """Return the next action of a script that `parse` or `resume` gave, on the view of now.

        The seat is to act. `Done.start` or `Rejected.span` say where the order begins in the author's text;
        from there on it is told what was left undone. Only asked of games whose `parse` gives scripts.
        """
        raise ValueError(f"{self.key} has no scripts")

    def format(self, view: V, action: A) -> str:
        """The action as a person would type it; `parse` reads it back. By default as `encode` has it."""
        return self.encode(action)

    @abstractmethod
    def scene(self, view: V, viewer: Seat | None) -> Scene:
        """The picture of a view, seen from the viewer's side; public pictures never turn."""

    def evaluate(self, view: V, seat: Seat) -> float:
        """How good the view is for the seat, from -1.0 (lost) to 1.0 (won). By default unknown: 0.0."""
        return 0.0

    # --- what is kept -----------------------------------------------------------------------------------

    def encode(self, action: A) -> str:
        """One line for the log, readable without any context. By default what the action has as `text`."""
        wire: str = cast("Any", action).text
        return wire

    @abstractmethod
    def decode(self, wire: str) -> A:
        """The inverse of `encode`. Raises ValueError for anything else."""

    @abstractmethod
    def dump(self, state: S) -> Json:
        """A position as JSON that people can read and tests can write."""

    def load(self, data: Json, rules: int) -> S:
        """The inverse of `dump`. Raises ValueError with a reason for what is no position of that version."""
        if not self.has_rules(rules):
            raise ValueError(f"there is no version {rules} of the rules")
        return self.restore(data, rules)

    @abstractmethod
    def restore(self, data: Json, rules: int) -> S:
        """Read a position, by a version of the rules that there is. Raises ValueError with a reason."""


AnyGame: TypeAlias = Game[Any, Any, Any]
