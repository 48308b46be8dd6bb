"""The interface of a game: rules, two notations and a scene, all pure, immutable and without a clock.

`refuse` alone judges legality, and `apply` accepts every action that it allows. A refusal is a value with a
reason. Texts and pictures are made from a View, so that what a viewer may not know can't leak. `Game` has
the methods that every game needs; the optional ones are in `extras`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

from games.engine.dice import Dice
from games.engine.extras import Expectation, ExpectingPlayer, Extras, InterruptiblePlayer, Oracle, Player
from games.engine.fields import Json
from games.engine.message import Msg, msg
from games.engine.normalization import Normalized, normalized
from games.engine.notation import MAX_QUOTED, left_over
from games.engine.scene import Glyph, Scene
from games.engine.values import (
    CHANCE,
    NOBODY,
    ONLY_SEAT,
    A,
    Done,
    Fact,
    Odds,
    Option,
    Outcome,
    Partial,
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
    "CHANCE", "NOBODY", "ONLY_SEAT", "AnyGame", "Done", "Expectation", "ExpectingPlayer", "Fact", "Game",
    "InterruptiblePlayer", "Json", "Odds", "Option", "Oracle", "Outcome", "Partial", "Player", "Rejected",
    "Seat", "SeatLook", "Setup", "Shortcut", "Step", "Why", "ranks", "spell",
]  # fmt: skip


class Game(Extras[S, V, A], ABC):
    """One game. Instances hold no state; every method is pure and deterministic.

    Methods may raise ValueError only for arguments that no log, lobby or view can produce; `load`, `restore`
    and `decode` raise it for invalid data. Rejected texts and refused actions are values.
    """

    key: ClassVar[str]
    code: ClassVar[str]
    """One capital letter: match ids begin with it."""
    rules: ClassVar[int] = 1
    """Version of the rules for new matches; matches of all earlier versions, from 1 on, stay playable."""
    chance: ClassVar[bool] = False
    """Whether anything is drawn or rolled, if only who begins."""
    seats: ClassVar[tuple[int, ...]]
    """Supported numbers of seats, ascending."""
    options: ClassVar[tuple[Option, ...]] = ()
    families: ClassVar[tuple[str, ...]] = ()
    """The options that make another game of it: matches that differ in one have ratings of their own."""
    glyphs: ClassVar[Mapping[str, Glyph]] = {}
    setup_fields: ClassVar[tuple[str, ...]] = ()
    """The parts of a position, as `dump` writes it, that follow from the setup and never change."""

    # --- the setup --------------------------------------------------------------------------------------

    def setup(self, seats: int, options: Mapping[str, Json] | None = None) -> Setup:
        """Return a setup with default options filled in, and teams; `refuse_setup` judges it."""
        chosen = {option.key: option.usual(seats) for option in self.options} | dict(options or {})
        return Setup(seats, self.teams(seats, chosen), chosen, self.rules)

    def has_rules(self, rules: int) -> bool:
        """Return whether this is a version of the rules."""
        return type(rules) is int and 1 <= rules <= self.rules

    def teams(self, seats: int, options: Mapping[str, Json]) -> tuple[int, ...]:
        """Return the team of each seat; by default everyone plays alone."""
        return tuple(range(seats))

    @property
    def has_dice(self) -> bool:
        """Whether the game reports what its dice showed."""
        return type(self).rolls is not Extras.rolls

    def family(self, seats: int, options: Mapping[str, Json]) -> str:
        """Return the family of set-ups whose matches share a rating, such as "2", "2v2" or "3 mode=mission".

        It has the sizes of the teams if there are any, and the `families` options that aren't the default.
        """
        chosen = {option.key: option.usual(seats) for option in self.options} | dict(options)
        sizes = Counter(self.teams(seats, chosen)).values()
        sides = str(seats) if len(sizes) == seats else "v".join(map(str, sizes))
        apart = (option for option in self.options if option.key in self.families)
        named = (
            f"{each.key}={spell(chosen[each.key])}" for each in apart if chosen[each.key] != each.default
        )
        return " ".join((sides, *named))

    def refuse_setup(self, setup: Setup) -> Msg | None:
        """Return why these seats and options can't be played; None if they can."""
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
            if option.seats and setup.seats not in option.seats and value != option.usual(setup.seats):
                return msg("match.setup.for", option=msg(f"{self.key}.option.{key}"), seats=option.seats)
        if (why := self.clash(setup)) is not None:
            return why
        return None if setup.teams == self.teams(setup.seats, setup.options) else msg("match.setup.teams")

    @abstractmethod
    def max_actions(self, setup: Setup) -> int:
        """Return a proven limit on the actions of a match, those of chance included."""

    @abstractmethod
    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Return how a seat is named and shown."""

    # --- play -------------------------------------------------------------------------------------------

    @abstractmethod
    def start(self, setup: Setup) -> Step[S]:
        """Return the first state. It is not random: a shuffle is the first action of CHANCE."""

    def to_act(self, state: S) -> frozenset[Seat]:
        """Return the seats to act: one or several, {CHANCE} if a draw is due, nobody once it is over.

        By default the seat in the state's attribute `turn`.
        """
        any_state: Any = state
        return NOBODY if self.outcome(state) is not None else ONLY_SEAT[any_state.turn]

    @abstractmethod
    def refuse(self, state: S, seat: Seat, action: A) -> Msg | None:
        """Return why the action is illegal for the seat now; None if it is legal."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A) -> Step[S]:
        """Return the state after an action that `refuse` allows, and what happened."""

    def draw(self, state: S, dice: Dice) -> A:
        """Return the action of chance, the only use of randomness. Never called in games without chance.

        By default one of the actions of CHANCE, each with equal probability.

        Raises ValueError where chance has nothing to do.
        """
        possible = self.listed(self.view(state, None), CHANCE)
        if not possible:
            raise ValueError(f"{self.key} draws nothing now")
        return dice.pick(possible)

    @abstractmethod
    def forfeit(self, state: S, seat: Seat, why: Why) -> Step[S]:
        """Return the state after a seat resigned or ran out of time; the others may play on."""

    def outcome(self, state: S) -> Outcome | None:
        """Return the result exactly if nobody is to act. By default the state's attribute `outcome`."""
        any_state: Any = state
        found: Outcome | None = any_state.outcome
        return found

    # --- views, typed moves and pictures ----------------------------------------------------------------

    def view(self, state: S, viewer: Seat | None) -> V:
        """Return what a seat, or a spectator (None), may know. By default everything: the state."""
        any_state: Any = state
        found: V = any_state
        return found

    @abstractmethod
    def actions(self, view: V, seat: Seat) -> Iterator[A]:
        """Yield every legal action of the seat lazily, in canonical order."""

    def pick(self, view: V, seat: Seat, below: Callable[[int], int]) -> A | None:
        """Return the legal action at the number that `below` returns, in the order of `actions`.

        `below(n)` returns a number from 0 to n - 1, where n is how many actions there are: `Dice.below` picks
        each with equal probability. It is called once, or never if there are none: then None is returned.
        Games with long lists of actions override this, so as not to make all of them for one.
        """
        possible = self.listed(view, seat)
        return possible[below(len(possible))] if possible else None

    def listed(self, view: V, seat: Seat, /) -> Sequence[A]:
        """Return all of `actions`. Games that make a list of them anyway return that."""
        return tuple(self.actions(view, seat))

    def parse(self, view: V, seat: Seat, text: str) -> Done[A] | Partial | Rejected:
        """Parse what a person typed: what `read` returns, unless that leaves a part of the text unused.

        Never raises, whatever the text, which is read in its normalised form (`normalization`). Returns
        Done only for an action that is legal on this view, and only if each letter and digit of the text
        belongs to it or to its script.
        """
        plain = normalized(text)
        if not plain.text.strip():
            plain = Normalized(text, None, text)  # nothing but pictures is a remark, not an empty text
        found = self.read(view, seat, plain.text)
        if isinstance(found, Rejected):
            return replace(found, span=plain.span(*found.span))
        if not isinstance(found, Done) or seat == CHANCE:
            return found
        span = left_over(plain.text, found.spans)
        if span is None and found.script is not None:
            return replace(found, script=replace(found.script, plain=plain))
        if span is None:
            return found
        span = plain.span(*span)
        part, move = text[slice(*span)][:MAX_QUOTED], self.format(view, found.action)
        return Rejected(
            msg("match.refuse.unused", part=part, move=move), span, () if found.script else (move,)
        )

    @abstractmethod
    def read(self, view: V, seat: Seat, text: str) -> Done[A] | Partial | Rejected:
        """Read a normalised text, leniently; an empty text returns a Partial with instructions.

        Never raises, whatever the text. Returns Done only for an action that is legal on this view, with the
        spans that it accounts for. Everyone but the game itself calls `parse`.
        """

    def format(self, view: V, action: A) -> str:
        """Return the action as a person would type it; `parse` reads it back. By default like `encode`."""
        return self.encode(action)

    @abstractmethod
    def scene(self, view: V, viewer: Seat | None) -> Scene:
        """Return the picture of a view from the viewer's side; spectators always see the same side."""

    def evaluate(self, view: V, seat: Seat) -> float:
        """Return how good the view is for the seat, from -1.0 (lost) to 1.0 (won). By default 0.0."""
        return 0.0

    # --- serialisation ----------------------------------------------------------------------------------

    def encode(self, action: A) -> str:
        """Return the action as one line for the log, free of context. By default its attribute `text`."""
        any_action: Any = action
        wire: str = any_action.text
        return wire

    @abstractmethod
    def decode(self, wire: str) -> A:
        """Return the action that `encode` wrote. Raises ValueError for anything else."""

    @abstractmethod
    def dump(self, state: S) -> Json:
        """Return a position as JSON that people can read and write."""

    def load(self, data: Json, rules: int) -> S:
        """Return the position that `dump` wrote. Raises ValueError with a reason for anything else."""
        if not self.has_rules(rules):
            raise ValueError(f"there is no version {rules} of the rules")
        return self.restore(data, rules)

    def fits(self, state: S, setup: Setup) -> bool:
        """Return whether a position can belong to a match of a valid setup: it has its seats and options.

        Raises TypeError for a position that is no object.
        """
        here, start = self.dump(state), self.dump(self.start(setup).state)
        if not isinstance(here, dict) or not isinstance(start, dict):
            raise TypeError(f"a position of {self.key} is an object")
        return all(here[part] == start[part] for part in self.setup_fields)

    @abstractmethod
    def restore(self, data: Json, rules: int) -> S:
        """Return the position under an existing version of the rules. Raises ValueError with a reason."""


AnyGame: TypeAlias = Game[Any, Any, Any]
