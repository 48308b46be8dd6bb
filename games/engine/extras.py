"""Optional hooks of a game, in groups: lobby, secrets, long turns, help for players, looking back, computers.

`Game` inherits all of them, and hosts call them on every game. The defaults mean "nothing", so that a game
overrides only those it needs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, cast, runtime_checkable

from games.engine.dice import Dice
from games.engine.fields import Json
from games.engine.levels import Judgement, Level
from games.engine.lookback import Fortune, Rolled
from games.engine.maps import MapReader
from games.engine.message import Msg, msg
from games.engine.notation import MAX_LENGTH
from games.engine.predictions import PredictionWatcher
from games.engine.reasons import Effect
from games.engine.scene import Mark
from games.engine.search import SearchState, Stop
from games.engine.teaching import LessonStep, PuzzleChoice, RulesPage
from games.engine.values import (
    A,
    Done,
    Fact,
    Odds,
    Partial,
    Rejected,
    S,
    Script,
    Seat,
    Setup,
    Shortcut,
    V,
    spell,
)


class Player(Protocol):
    """A computer player: chooses an action from a view, with dice of its own, keeping no state.

    It never touches the dice of the match, since that would shift what chance draws.
    """

    def choose(self, game: Any, view: Any, seat: Seat, dice: Dice) -> Any:
        """Return a legal action for the acting seat. Raises ValueError if the view offers none."""


@runtime_checkable
class InterruptiblePlayer(Protocol):
    """A computer player whose decisions can be ended early: it then returns the best action found so far."""

    @property
    def seconds(self) -> float:
        """Time after which a decision should be stopped."""

    def decide(self, game: Any, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None) -> Any:
        """Return what `choose` does, asking `stop` from time to time whether to end now."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a seat may expect of the match, against one other team: its share from 0 to 1, and the error."""

    share: float
    error: float


@runtime_checkable
class ExpectingPlayer(Protocol):
    """A computer player that also returns what it expects, so that it can resign and draw politely."""

    @property
    def seconds(self) -> float:
        """Time after which a decision should be stopped."""

    def weigh(
        self, game: Any, view: Any, seat: Seat, dice: Dice, stop: Stop | None = None
    ) -> tuple[Any, Expectation | None]:
        """Return an action as `decide` does, and what the seat may expect; None if unknown."""


class Oracle(Protocol):
    """Values under best play, for games that are small enough to be solved."""

    def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...] | None:
        """Return each legal action of the acting seat with its probability of winning under best play.

        In the order of `actions`; a draw counts half. None for a position that the table doesn't hold.
        """


class Extras(Generic[S, V, A]):
    """All optional hooks."""

    key: ClassVar[str]

    # --- the lobby: compatible options, open values, added maps, seats drawn by lot ---------------------

    def seats_by_lot(self, setup: Setup) -> bool:
        """Return whether seats are drawn by lot before the start; never asked for a rematch."""
        return False

    def advice(self, setup: Setup) -> Msg | None:
        """Return advice on a set-up in a sentence or two, mostly None.

        The lobby shows it while its options can still be changed.
        """
        return None

    lengths: ClassVar[Mapping[str, int]] = {}
    """The median number of actions of the busiest seat in contests of computers, by family of set-ups.

    The lobby shows it until enough matches of people are over.
    """

    def clash(self, setup: Setup) -> Msg | None:
        """Return why options that are each valid can't be combined; None if they can."""
        return None

    def admits(self, option: str, value: Json) -> bool:
        """Return whether an `open` option accepts a value that isn't among its choices."""
        return False

    def choice(self, option: str, value: Json) -> Msg:
        """Return the name of an option's value."""
        return msg(f"{self.key}.option.{option}.{spell(value)}")

    def maps(self) -> MapReader | None:
        """Return the reader for added maps; None if the game has none."""
        return None

    # --- cards and other secrets: what only one seat sees, and what a computer may assume ---------------

    hidden: ClassVar[bool] = False
    """Whether any viewer sees less than the state; if not, a view is the state itself."""

    def hand(self, view: V, seat: Seat) -> tuple[Msg, ...]:
        """Return what only the seat knows, such as cards or a mission, as sentences for its private view."""
        return ()

    def guess(self, view: V, seat: Seat, dice: Dice | None = None) -> S | None:
        """Return a state consistent with the view, on which a computer may try moves of the acting seat.

        What is hidden is drawn with `dice`, as often one way as another; without, it is always the same.

        None where hidden information matters too much; that is the default for games that hide anything.
        """
        return None if self.hidden else cast("S", view)

    # --- long turns and many seats: scripts, warnings, default actions, forecasts, seats eliminated early

    max_text_length: ClassVar[int] = MAX_LENGTH
    """Maximum length of a typed move, in characters; longer texts are chat."""

    actions_are_moves: ClassVar[bool] = True
    """Whether players count each action as a move; false where a move consists of many actions."""

    def resume(self, view: V, seat: Seat, script: Script) -> Done[A] | Partial | Rejected:
        """Return the next action of a script from `parse` or `resume`, for the current view.

        The seat is to act. `Done.start` or `Rejected.span` say where the order begins in the text, so that
        the answer can name the part that was not carried out. Only called with scripts of this game.

        Raises ValueError in a game without scripts.
        """
        raise ValueError(f"{self.key} has no scripts")

    def caution(self, view: V, seat: Seat, action: A) -> Msg | None:
        """Return why the seat may soon regret a legal action, to be asked for confirmation; mostly None."""
        return None

    def default(self, view: V, seat: Seat) -> A | None:
        """Return the safe action to take for the acting seat when its player is silent.

        Legal, and the same every time. None where only the player can decide.
        """
        return None

    def forecast(self, view: V, seat: Seat, text: str) -> tuple[Msg, ...]:
        """Return what a text that parses as Done would lead to, order by order, with probabilities.

        Nothing is played. Empty where trying the first order is enough.
        """
        return ()

    def recap(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Summarise the facts of a seat's long turn, totals first. By default return all of them."""
        return tuple(facts)

    def eliminated(self, state: S) -> frozenset[Seat]:
        """Return the seats beaten before the end: they can't resign, and aren't asked to agree to a draw."""
        return frozenset()

    # --- help for players: buttons, odds, overlays and markers ------------------------------------------

    overlays: ClassVar[tuple[str, ...]] = ()
    """Keys of marks that a viewer can switch on; their texts are `{game}.overlay.{key}`."""

    def shortcuts(self, view: V, seat: Seat) -> tuple[Shortcut, ...]:
        """Return buttons for the acting seat: at most ten, each useful right now.

        The text a button types has at most 40 characters and no colon. By default there are none.
        """
        return ()

    def odds(self, view: V, seat: Seat, text: str) -> tuple[Odds, ...] | Rejected:
        """Return the exact odds of the seat's action that the text names, or of all for an empty text.

        Anyone may ask at any time. Empty where no dice are involved now.
        """
        return ()

    def overlay(self, view: V, key: str) -> tuple[Mark, ...]:
        """Return the marks of one of `overlays`. Raises ValueError for another key."""
        raise ValueError(f"{self.key} has no overlay {key}")

    def action_marks(self, view: V, action: A) -> tuple[Mark, ...]:
        """Return marks of where an action begins (`from`) and leads (`legal`), shown before it is played.

        By default on the places in its attributes `source` and `target`, if it has them.
        """
        marks = Mark("from", getattr(action, "source", "")), Mark("legal", getattr(action, "target", ""))
        return tuple(mark for mark in marks if mark.at)

    def effects(self, view: V, seat: Seat, action: A) -> tuple[Effect, ...]:
        """Return what a legal action of the seat leads to, in the terms of the game: see `reasons`.

        Each is true on this view, whatever it hides. By default nothing, so that no reasons are given.
        """
        return ()

    def puzzle_choice(self, view: V, seat: Seat) -> PuzzleChoice | None:
        """Return the task that a puzzle sets to the seat to act; None if it asks for the best legal action.

        Of a game without searches and values of the match, only positions with tasks are puzzles.
        """
        return None

    lessons: ClassVar[tuple[LessonStep, ...]] = ()
    """The steps that teach the game, in order; their texts are `{game}.lesson.{key}`."""
    rules_pages: ClassVar[tuple[RulesPage, ...]] = ()
    """What the pages of its rules and notation show, in order; a page beyond them has no picture."""

    # --- records in the notations of others ---------------------------------------------------------------

    record_styles: ClassVar[tuple[str, ...]] = ()
    """Keys of notations of other hosts in which matches can be written; their names are those hosts'."""

    def restyled(self, style: str, setup: Setup, actions: Sequence[A]) -> Json:
        """Return the moves of a match, chance included, in one of `record_styles`.

        None for a match that it can't express. Raises ValueError for another style.
        """
        raise ValueError(f"{self.key} has no notation {style}")

    # --- looking back: what is counted over a match, and its dice ----------------------------------------

    def material(self, view: V) -> tuple[float, ...]:
        """Return what counts most by seat: countries, pieces, points; named by the text `{game}.material`.

        Empty if the game has nothing of the kind.
        """
        return ()

    def rolls(self, before: S, action: A) -> tuple[Rolled, ...]:
        """Return the dice of an action of chance, which everyone may know; no cards, shuffles or lots.

        `before` is the state in which it was drawn.
        """
        return ()

    def fortune(self, before: S, draws: Sequence[A]) -> Fortune | None:
        """Return how lucky the draws in a row that follow one decision were, and for whom.

        `before` is the state before the first. None where nobody can say what was good for whom.
        """
        return None

    # --- the game's own computer players, and its table of exact values ---------------------------------

    table: ClassVar[str | None] = None
    """File name of the table of exact values; None if the game can't be solved."""

    shipped_table: ClassVar[str | None] = None
    """File name of the table in the game's own package that stands in for it; None if it has none."""

    def computers(self) -> Mapping[str, Player]:
        """Return the game's own computer players by level, weakest first; if none, the general ones are used.

        The names of levels are stored with matches; their texts are `ai.level.{name}`.
        """
        return {}

    def benchmarks(self) -> Mapping[str, Player]:
        """Return further players by name that levels are measured against; never offered in a lobby."""
        return {}

    def predictions(self) -> PredictionWatcher | None:
        """Return what follows one match and compares what the computers predict with what happens; None if
        they predict nothing in words of the game."""
        return None

    def search_state(self, view: V, seat: Seat, dice: Dice) -> SearchState | None:
        """Return a state for searching from a seat's view; None if the game has none for this position.

        Chance may be due, or another seat may be to act. Where the view hides something, it is filled in at
        random, as likely as the seat can know: each call may give another state. The dice aren't the match's.
        """
        return None

    imagined_spread: ClassVar[float] = 0.0
    """Standard deviation of `imagine` from the truth where chances are even; 0 if a game imagines nothing."""

    def imagine(self, state: S, seat: Seat, dice: Dice, stop: Stop | None = None, /) -> tuple[float, ...]:
        """Return each seat's chance to win after one continuation of the match, imagined with `dice`.

        Some seat is to act. Uses nothing that is hidden from `seat`. Only asked of games that imagine.

        Raises ValueError in a game that imagines nothing.
        """
        raise ValueError(f"{self.key} imagines nothing")

    def idea(self, action: A) -> Hashable:
        """Return what an action is about: hints compare actions with different ideas. By default the action.

        Orders that differ only in a number, such as in when an attack stops, have one idea.
        """
        any_action: Any = action
        found: Hashable = any_action
        return found

    def levels(self) -> Mapping[str, Level]:
        """Return the levels that search, weakest first, by names from `levels.LEVELS`.

        Only asked of games with search states.
        """
        return {}

    def judgements(self) -> Mapping[str, Judgement]:
        """Return the levels that misjudge their actions, weakest first, by names from `levels.LEVELS`.

        Above them are `perfect`, or without an oracle `expert`. Only games with an `estimate` have any.
        """
        return {}

    def oracle(self, table: memoryview) -> Oracle:
        """Return an oracle that reads a mapped table of exact values. Raises ValueError for a bad one."""
        raise ValueError(f"{self.key} has no tables")

    def estimate(self) -> Oracle | None:
        """Return an oracle that estimates the values of all positions; None if there is none.

        It takes the place of a table that is missing, and values actions at first sight.
        """
        return None
