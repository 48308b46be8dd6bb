"""What a position of Domination is: who holds what with how many armies, who is to decide, what is hidden.

What changes with every roll is kept apart from what seldom does. A seat's secrets are in its Own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.domination.maps.atlas import Atlas
from games.domination.rules.cards import Scale
from games.engine.game import Outcome

NOBODY: Final = 255
"""The holder of a country that nobody has claimed yet."""
NEUTRAL: Final = 254
"""The holder of the neutral army's countries. It is no seat: it defends itself and does nothing else."""
NONE: Final = -1
"""No country, no mission, no seat."""
RULES: Final = 2
"""The newest version of the rules."""
EVEN: Final = 8
"""Armies more for the second of two seats, if the start is to be even."""
Mode: TypeAlias = Literal["domination", "capital", "mission"]
Phase: TypeAlias = Literal[
    "deal", "claim", "missions", "spread", "setup", "capital",
    "place", "attack", "roll", "move", "card", "vote", "over",
]  # fmt: skip
"""What is due: countries dealt, claims, missions dealt, armies spread by chance, armies placed in secret,
capitals chosen in secret; in a turn cards and armies, an attack or the end, dice, the armies to move in, a
card; whether to go on after a win; nothing."""


class Law(NamedTuple):
    """What a match is played by. `mode` is what it began as."""

    atlas: Atlas
    seats: int
    mode: Mode
    cards: Scale
    setup: Literal["draft", "deal", "auto"]
    recycle: bool
    defence: int
    """Dice of a defender at most."""
    hand: int
    """So many cards have to be traded in; 0 for never."""
    minimum: int
    """Armies for a turn at least."""
    bonus: Literal["once", "each"]
    """Whether a set brings two armies once, on a country, or for each of its countries, to be placed."""
    fortify: Literal["adjacent", "connected"]
    even: bool
    cap: int
    """Rounds after which the match is judged."""
    onward: Literal["ask", "end"]
    """What a mission or all the capitals bring: the question whether to go on, or the end."""
    rules: int = RULES
    """The version of the rules. From 2 on a draft asks only those who still get a country, and whoever beats
    the last opponent has won."""
    neutral: bool = False
    """Whether a neutral army holds a third of the countries, with two seats."""


class Order(NamedTuple):
    """An attack that is being carried out."""

    src: int
    dst: int
    how: str
    n: int
    armies: int
    """At the origin when it began."""
    against: int
    """In the country that is attacked when it began."""
    rolls: int
    last: int
    """Dice of the attacker in the last roll: so many armies have to move in."""


class Table(NamedTuple):
    """What seldom changes, and everybody sees."""

    law: Law
    mode: Mode
    """What is played for now."""
    round: int
    """From 1; a new one begins when the turn passes the first seat."""
    traded: int
    """Sets traded in by all."""
    cards: tuple[int, ...]
    """How many cards each seat holds."""
    left: int
    """Cards in the deck."""
    discard: tuple[int, ...]
    """Numbers of the cards that were traded in and not shuffled back."""
    out: tuple[int, ...]
    """Seats that don't play any more, the first one first. Who gave up may still hold countries."""
    killers: tuple[int, ...]
    """Who took the last country of each seat; NONE if nobody did."""
    capitals: tuple[int, ...]
    """The country that each seat chose; NONE before."""
    ready: tuple[bool, ...]
    """Who has decided where all decide at once."""
    victor: int
    """Whose mission or capitals won before play went on; NONE if nobody's."""
    outcome: Outcome | None


class Position(NamedTuple):
    """Everything that everybody may know."""

    table: Table
    owner: bytes
    """The seat that holds each country, or NOBODY."""
    armies: tuple[int, ...]
    phase: Phase
    turn: int
    pool: int
    """Armies that the seat whose turn it is has yet to place."""
    order: Order | None
    taken: bool
    """Whether a country was taken in this turn."""
    step: int
    """In the phase `place`: 0 before and 1 after armies were placed, 2 when too many cards were inherited.

    In a vote: where play goes on after it."""

    def living(self) -> tuple[int, ...]:
        """The seats that still play."""
        out = self.table.out
        return tuple(seat for seat in range(self.table.law.seats) if seat not in out)


class Own(NamedTuple):
    """What only one seat may know."""

    hand: tuple[int, ...]
    """Numbers of its cards, ascending."""
    mission: int
    """Its mission's number; NONE without."""
    wishes: tuple[int, ...]
    """Countries that it wants to claim, the first one first."""
    pool: int
    """Armies that it has yet to place before the first turn."""
    spread: tuple[int, ...]
    """Armies that it placed by country before all are revealed; empty when nothing is placed in secret."""
    pick: int
    """The capital that it chose before all are revealed."""


class State(NamedTuple):
    """A position with the secrets of all seats and what is left in the deck."""

    position: Position
    own: tuple[Own, ...]
    deck: tuple[int, ...]
    """Card numbers, ascending: which one is drawn is chance then."""


class View(NamedTuple):
    """What one viewer may know; a spectator has nothing of his own."""

    position: Position
    own: Own | None


UNKNOWN: Final = Own((), NONE, (), 0, (), NONE)


class Map(NamedTuple):
    """What is looked up most of an atlas."""

    codes: tuple[str, ...]
    borders: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    """Codes as they are read best."""


@lru_cache(maxsize=256)
def chart(atlas: Atlas) -> Map:
    """The tables of an atlas."""
    codes = tuple(country.code for country in atlas.countries)
    borders = tuple(tuple(n for n in row if n != at) for at, row in enumerate(atlas.borders))
    return Map(codes, borders, tuple(code.upper() for code in codes))


def start_armies(seats: int, countries: int) -> int:
    """Armies of each seat at the start: 40, 35, 30, 25, 20 for two to six on the standard map."""
    return max(1, 10 - seats) * ((12 * countries + 50) // 100)


def continents(position: Position, seat: int) -> list[int]:
    """The continents that a seat holds as a whole."""
    owner, found = position.owner, []
    for n, row in enumerate(position.table.law.atlas.of):
        for at in row:
            if owner[at] != seat:
                break
        else:
            if row:
                found.append(n)
    return found


def reinforcements(position: Position, seat: int) -> int:
    """Armies for a turn: a third of the countries, the minimum at least, and what continents are worth."""
    law = position.table.law
    worth = law.atlas.continents
    own = max(law.minimum, position.owner.count(seat) // 3)
    return own + sum(worth[n].value for n in continents(position, seat))


def replaced(row: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    """A row with one value changed."""
    return (*row[:at], value, *row[at + 1 :])


def with_own(state: State, seat: int, own: Own) -> State:
    """A state with the secrets of one seat changed."""
    return state._replace(own=(*state.own[:seat], own, *state.own[seat + 1 :]))


def with_table(state: State, **changes: Any) -> State:
    """A state with changes to what is seldom changed."""
    place = state.position
    return state._replace(position=place._replace(table=place.table._replace(**changes)))


def with_place(state: State, **changes: Any) -> State:
    """A state with changes to its position."""
    return state._replace(position=state.position._replace(**changes))
