"""What only some games have. A game without it inherits the answer "nothing", and needn't know this page.

The groups are classes of their own, so that each can be read alone. `Game` has them all, and hosts ask any
game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, cast

from games.engine.dice import Dice
from games.engine.fields import Json
from games.engine.maps import MapReader
from games.engine.message import Msg, msg
from games.engine.notation import MAX_LENGTH
from games.engine.scene import Mark
from games.engine.values import A, Fact, Odds, Rejected, S, Seat, Setup, Shortcut, V, spell


class Keyed:
    """Something of a game, by the key of that game."""

    key: ClassVar[str]


class LobbyExtras(Keyed):
    """Before the match: what goes together, values that no list has, who gets which seat."""

    def seats_by_lot(self, setup: Setup) -> bool:
        """Whether it is drawn by lot before the start who gets which seat; never asked for a rematch."""
        return False

    def advice(self, setup: Setup) -> Msg | None:
        """Return what is worth considering before such a match begins, in a sentence or two; None mostly.

        It is said under the table while its options can still be changed.
        """
        return None

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


class HiddenExtras(Generic[S, V]):
    """Cards and other secrets: what a seat alone is told, and what a computer may suppose."""

    hidden: ClassVar[bool] = False
    """Whether anything is hidden from anybody; where nothing is, a view is the state itself."""

    def hand(self, view: V, seat: Seat) -> tuple[Msg, ...]:
        """What the seat alone knows, in sentences for its own eyes: its cards, its mission."""
        return ()

    def guess(self, view: V, seat: Seat) -> S | None:
        """A state that the seat, which is to act, may try its moves on as far as it can know; for computers.

        None where what is hidden matters. A game in which anything is hidden has to say so itself.
        """
        return None if self.hidden else cast("S", view)


class TurnExtras(Generic[S, V, A]):
    """Long turns and many seats: warnings, safe answers for the silent, who is beaten before the end."""

    max_text_length: ClassVar[int] = MAX_LENGTH
    """Longer texts are conversation."""

    actions_are_moves: ClassVar[bool] = True
    """Whether its actions are what players count as moves; false where a move takes many of them."""

    def caution(self, view: V, seat: Seat, action: A) -> Msg | None:
        """Why the seat may soon regret a legal action: it is asked once whether it means it. None mostly."""
        return None

    def default(self, view: V, seat: Seat) -> A | None:
        """What is done for a seat, which is to act and silent, so that it comes to no harm by it.

        The same every time, and legal. None where only the player can decide.
        """
        return None

    def forecast(self, view: V, seat: Seat, text: str) -> tuple[Msg, ...]:
        """What a text that is read as Done would come to, order by order with its chances. Nothing is played.

        Empty where trying the first order tells enough.
        """
        return ()

    def recap(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Return what a seat did in a long turn in short: totals first. By default all of it."""
        return tuple(facts)

    def eliminated(self, state: S) -> frozenset[Seat]:
        """Seats that are beaten for good before the end: they can't give up, and agree to no draw."""
        return frozenset()


class HelpExtras(Keyed, Generic[V, A]):
    """Help for players: buttons, chances, and what may be shown over the board."""

    overlays: ClassVar[tuple[str, ...]] = ()
    """What a viewer may have shown over the board besides; named `{game}.overlay.{key}`."""

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

    def overlay(self, view: V, key: str) -> tuple[Mark, ...]:
        """The marks of one of `overlays`."""
        raise ValueError(f"{self.key} has no overlay {key}")

    def action_marks(self, view: V, action: A) -> tuple[Mark, ...]:
        """Where an action begins (`from`) and where it leads (`legal`), to be shown before it is played."""
        return ()


class Player(Protocol):
    """A computer player: it chooses an action from a view, with dice of its own.

    The dice of a match are never touched: a computer's randomness must not shift what chance draws. Players
    hold no state between two choices.
    """

    def choose(self, game: Any, view: Any, seat: Seat, dice: Dice) -> Any:
        """An action that the seat, which is to act, may take. ValueError if the view offers none."""
        ...


class Oracle(Protocol):
    """What best play is worth, for games small enough that it was computed."""

    def appraise(self, view: Any, seat: Seat) -> tuple[tuple[Any, float], ...] | None:
        """Each legal action of the seat, which is to act, with its probability to win when both play best.

        In the order of `actions`; a draw counts half. None for a position that the table doesn't hold.
        """
        ...


class ComputerExtras(Keyed):
    """Computer players of the game's own, and a table of exact values."""

    table: ClassVar[str | None] = None
    """The file name of a table of exact values, if one can be computed for this game."""

    def computers(self) -> Mapping[str, Player]:
        """Computer players of the game's own by level, weakest first; none: the general ones are offered.

        The names are stored with matches; their texts are `ai.level.{name}`.
        """
        return {}

    def oracle(self, table: memoryview) -> Oracle:
        """Read a table of exact values; it stays mapped. Raises ValueError with a reason for a bad one."""
        raise ValueError(f"{self.key} has no tables")


class Extras(LobbyExtras, HiddenExtras[S, V], TurnExtras[S, V, A], HelpExtras[V, A], ComputerExtras):
    """All of them."""
