"""The interface of a game. A game is rules, two notations and a scene: pure, immutable, without a clock.

`refuse` is the one judge of legality; `apply` is total after it. "No" is a value with a reason. Words and
pictures are made from a View, so that what a viewer may not know cannot leak.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, NamedTuple, NewType, Protocol, TypeAlias, TypeVar, cast

from games.engine.dice import Dice
from games.engine.fields import Json as Json
from games.engine.maps import MapReader
from games.engine.message import Msg, msg
from games.engine.notation import MAX_LENGTH
from games.engine.scene import Glyph, Ink, Mark, Scene

Seat = NewType("Seat", int)
CHANCE = Seat(-1)
"""The seat of chance: when it is to act, `draw` says what it does, and the log keeps it."""

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
    """The text is this action. It may still be refused."""

    action: A
    rest: str = ""
    """What the same text orders besides, read again if the seat is to act next, on the view of then."""


@dataclass(frozen=True, slots=True)
class Partial:
    """Fine so far: what is asked next, and complete texts that may follow (for menus and autocomplete)."""

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


class Player(Protocol):
    """A computer player: it chooses an action from a view, with dice of its own.

    The dice of a match are never touched: a computer's randomness must not shift what chance draws. Players
    hold no state between two choices.
    """

    def choose(self, game: AnyGame, view: Any, seat: Seat, dice: Dice) -> Any:
        """An action that the seat, which is to act, may take. ValueError if the view offers none."""
        ...


class Oracle(Protocol):
    """What best play is worth, for games small enough that it was computed."""

    def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...] | None:
        """Each legal action of the seat, which is to act, with its probability to win when both play best.

        In the order of `actions`; a draw counts half. None for a position that the table doesn't hold.
        """
        ...


@dataclass(frozen=True, slots=True)
class SeatLook:
    """How a seat is shown: its name, palette ink, glyph, a letter, and a sign for plain text."""

    name: Msg
    ink: Ink
    glyph: str
    code: str
    sign: str


class Game(ABC, Generic[S, V, A]):
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
    overlays: ClassVar[tuple[str, ...]] = ()
    """What a viewer may have shown over the board besides; named `{game}.overlay.{key}`."""

    table: ClassVar[str | None] = None
    """The file name of a table of exact values, if one can be computed for this game."""

    longest: ClassVar[int] = MAX_LENGTH
    """Longer texts are conversation."""

    hidden: ClassVar[bool] = False
    """Whether anything is hidden from anybody; where nothing is, a view is the state itself."""

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

    def lots(self, setup: Setup) -> bool:
        """Whether it is drawn by lot before the start who gets which seat; never asked for a rematch."""
        return False

    def advice(self, setup: Setup) -> Msg | None:
        """Return what is worth considering before such a match begins, in a sentence or two; None mostly.

        It is said under the table while its options can still be changed.
        """
        return None

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

    def clash(self, setup: Setup) -> Msg | None:
        """Why options that are possible each can't be played together; None if they can."""
        return None

    def admits(self, option: str, value: Json) -> bool:
        """Whether an option, one that is `open`, takes a value that isn't among its choices."""
        return False

    def choice(self, option: str, value: Json) -> Msg:
        """How a value of an option is called."""
        return msg(f"{self.key}.option.{option}.{spell(value)}")

    def maps(self) -> MapReader | None:
        """How it takes maps of others in; None if it isn't played on maps of others."""
        return None

    @abstractmethod
    def bound(self, setup: Setup) -> int:
        """No match takes more actions than this, chance included."""

    @abstractmethod
    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """How a seat is named and shown."""

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

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, exactly when nobody is to act."""

    def out(self, state: S) -> frozenset[Seat]:
        """Seats that are beaten for good before the end: they can't give up, and agree to no draw."""
        return frozenset()

    def guess(self, view: V, seat: Seat) -> S | None:
        """A state that the seat, which is to act, may try its moves on as far as it can know; for computers.

        None where what is hidden matters. A game in which anything is hidden has to say so itself.
        """
        return None if self.hidden else cast("S", view)

    @abstractmethod
    def view(self, state: S, viewer: Seat | None) -> V:
        """What a seat, or a spectator (None), may know."""

    @abstractmethod
    def actions(self, view: V, seat: Seat) -> Iterator[A]:
        """Every legal action of the seat, lazily, in canonical order."""

    @abstractmethod
    def parse(self, view: V, seat: Seat, text: str) -> Done[A] | Partial | Rejected:
        """Read what a person typed, leniently; the empty text gives the instructions of the moment.

        Never raises, whatever the text. Done only for what `refuse` would let pass on the same view.
        """

    @abstractmethod
    def format(self, view: V, action: A) -> str:
        """The action as a person would type it; `parse` reads it back."""

    @abstractmethod
    def scene(self, view: V, viewer: Seat | None) -> Scene:
        """The picture of a view, seen from the viewer's side; public pictures never turn."""

    def aim(self, view: V, action: A) -> tuple[Mark, ...]:
        """Where an action begins (`from`) and where it leads (`legal`), to be shown before it is played."""
        return ()

    def caution(self, view: V, seat: Seat, action: A) -> Msg | None:
        """Why the seat may soon regret a legal action: it is asked once whether it means it. None mostly."""
        return None

    def default(self, view: V, seat: Seat) -> A | None:
        """What is done for a seat, which is to act and silent, so that it comes to no harm by it.

        The same every time, and legal. None where only the player can decide.
        """
        return None

    def overlay(self, view: V, key: str) -> tuple[Mark, ...]:
        """The marks of one of `overlays`."""
        raise ValueError(f"{self.key} has no overlay {key}")

    def shortcuts(self, view: V, seat: Seat) -> tuple[Shortcut, ...]:
        """Buttons for the seat, which is to act: at most ten, each of a use right now.

        Their texts have at most 40 signs and no colon. None where moves are too many to be kinds of buttons.
        """
        return ()

    def odds(self, view: V, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        """What chance may make of the seat's actions: of the one that the text names, of all for no text.

        Anybody may ask, at any time. Nothing where chance has no part in what is to be done now.
        """
        return ()

    def forecast(self, view: V, seat: Seat, text: str) -> tuple[Msg, ...]:
        """What a text that is read as Done would come to, order by order with its chances. Nothing is played.

        Empty where trying the first order tells enough.
        """
        return ()

    def hand(self, view: V, seat: Seat) -> tuple[Msg, ...]:
        """What the seat alone knows, in sentences for its own eyes: its cards, its mission."""
        return ()

    def computers(self) -> Mapping[str, Player]:
        """Computer players of the game's own by level, weakest first; none: the general ones are offered.

        The names are stored with matches; their texts are `ai.level.{name}`.
        """
        return {}

    def oracle(self, table: memoryview) -> Oracle:
        """Read a table of exact values; it stays mapped. Raises ValueError with a reason for a bad one."""
        raise ValueError(f"{self.key} has no tables")

    @abstractmethod
    def evaluate(self, view: V, seat: Seat) -> float:
        """How good the view is for the seat, from -1.0 (lost) to 1.0 (won)."""

    @abstractmethod
    def encode(self, action: A) -> str:
        """One line for the log, readable without any context."""

    @abstractmethod
    def decode(self, wire: str) -> A:
        """The inverse of `encode`. Raises ValueError for anything else."""

    @abstractmethod
    def dump(self, state: S) -> Json:
        """A position as JSON that people can read and tests can write."""

    @abstractmethod
    def load(self, data: Json, rules: int) -> S:
        """The inverse of `dump`. Raises ValueError with a reason for what is no position."""


AnyGame: TypeAlias = Game[Any, Any, Any]


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
