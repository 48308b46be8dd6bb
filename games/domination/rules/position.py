"""The position of Domination: holders and armies of the countries, whose decision is due, what is hidden.

What changes with every roll is in Position, what seldom changes in MatchInfo. Each seat has its Secrets.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.domination.maps.atlas import Atlas
from games.domination.rules.cards import SetScale
from games.engine.game import Fact, Outcome, Step

NOBODY: Final = 255
"""The holder of an unclaimed country."""
NEUTRAL: Final = 254
"""The holder of the neutral army's countries. It isn't a seat: it only defends itself."""
NONE: Final = -1
"""No country, no mission, no seat."""
RULES_VERSION: Final = 5
"""The newest version of the rules."""
_EVEN_START: Final = 8
"""Armies that the second of two seats has more for an even start, up to version 3 of the rules."""
Mode: TypeAlias = Literal["domination", "capital", "mission"]
Phase: TypeAlias = Literal[
    "deal", "claim", "missions", "spread", "setup", "capital",
    "place", "attack", "roll", "move", "card", "vote", "over",
]  # fmt: skip
"""What is due: countries dealt, claims, missions dealt, armies spread by chance, armies placed in secret,
capitals chosen in secret; in a turn cards and armies, an attack or the end, dice, the armies to move in, a
card; whether to go on after a win; nothing."""


class Law(NamedTuple):
    """The settings of a match. `mode` is the mode in which it began."""

    atlas: Atlas
    seats: int
    mode: Mode
    cards: SetScale
    setup: Literal["draft", "deal", "auto"]
    recycle: bool
    defence: int
    """Maximum number of a defender's dice."""
    hand: int
    """Number of cards from which a set must be traded in; 0 for never."""
    minimum: int
    """Minimum of armies for a turn."""
    bonus: Literal["once", "each"]
    """Whether a set brings two armies once, on a country, or for each of its countries, to be placed."""
    fortify: Literal["adjacent", "connected"]
    even: bool
    cap: int
    """Rounds after which the match is judged."""
    onward: Literal["ask", "end"]
    """After a fulfilled mission or with all capitals held: ask whether to go on, or end."""
    rules: int = RULES_VERSION
    """The version of the rules. From 2 on a draft asks only those who still get a country, and the seat that
    beats the last opponent has won. From 3 on any one of a mission's aims is enough. 4 and 5 changed the even
    start."""
    neutral: bool = False
    """Whether a neutral army holds a third of the countries, with two seats."""


class OngoingAttack(NamedTuple):
    """An attack that is being carried out."""

    src: int
    dst: int
    how: str
    n: int
    armies: int
    """Armies at the origin when it began."""
    against: int
    """Armies in the attacked country when it began."""
    rolls: int
    last: int
    """The attacker's dice in the last roll: the minimum of armies to move in."""


class MatchInfo(NamedTuple):
    """The open part of a position that seldom changes."""

    law: Law
    mode: Mode
    """The current mode."""
    round: int
    """From 1; a new one begins when the turn passes the first seat."""
    traded: int
    """Number of sets that all seats traded in."""
    cards: tuple[int, ...]
    """Number of cards that each seat holds."""
    left: int
    """Number of cards in the deck."""
    discard: tuple[int, ...]
    """Numbers of the cards that were traded in and not shuffled back."""
    out: tuple[int, ...]
    """Seats that no longer play, the first one first. One that gave up may still hold countries."""
    killers: tuple[int, ...]
    """The seat that took the last country of each seat; NONE if none did."""
    capitals: tuple[int, ...]
    """The capital that each seat chose; NONE before."""
    ready: tuple[bool, ...]
    """Whether each seat has decided where all decide at once."""
    victor: int
    """The seat whose mission or capitals won before play went on; NONE if there is none."""
    outcome: Outcome | None


class Position(NamedTuple):
    """Everything that is open to all."""

    info: MatchInfo
    owner: bytes
    """The seat that holds each country, or NOBODY."""
    armies: tuple[int, ...]
    phase: Phase
    turn: int
    pool: int
    """Armies that the seat whose turn it is has yet to place."""
    attack: OngoingAttack | None
    taken: bool
    """Whether a country was taken in this turn."""
    step: int
    """In the phase `place`: 0 before and 1 after armies were placed, 2 when too many cards were inherited.

    In a vote: where play goes on after it."""

    def living(self) -> tuple[int, ...]:
        """Return the seats that still play."""
        out = self.info.out
        return tuple(seat for seat in range(self.info.law.seats) if seat not in out)

    def held(self, seat: int) -> list[int]:
        """Return the countries that a seat, or the neutral army, holds."""
        return [at for at, by in enumerate(self.owner) if by == seat]

    def force(self, seat: int) -> int:
        """Return the number of a seat's armies on the map."""
        return sum(n for by, n in zip(self.owner, self.armies, strict=True) if by == seat)

    def continents_of(self, seat: int) -> list[int]:
        """Return the continents that a seat holds as a whole."""
        owner, found = self.owner, []
        for n, row in enumerate(self.info.law.atlas.countries_of):
            for at in row:
                if owner[at] != seat:
                    break
            else:
                if row:
                    found.append(n)
        return found


class Secrets(NamedTuple):
    """What only one seat may know."""

    hand: tuple[int, ...]
    """Numbers of its cards, ascending."""
    mission: int
    """Number of its mission; NONE without."""
    wishes: tuple[int, ...]
    """Countries queued to be claimed, the first one first."""
    pool: int
    """Armies that it has yet to place before the first turn."""
    spread: tuple[int, ...]
    """Armies that it placed by country before all are revealed; empty when nothing is placed in secret."""
    pick: int
    """The capital that it chose before all are revealed."""


class State(NamedTuple):
    """A position with the secrets of all seats and what is left in the deck."""

    position: Position
    own: tuple[Secrets, ...]
    deck: tuple[int, ...]
    """Numbers of the cards, ascending; a random one is drawn."""

    def with_secrets(self, seat: int, own: Secrets) -> State:
        """Return the state with the secrets of one seat changed."""
        return self._replace(own=(*self.own[:seat], own, *self.own[seat + 1 :]))

    def with_info(self, **changes: Any) -> State:
        """Return the state with changes to its match info."""
        position = self.position
        return self._replace(position=position._replace(info=position.info._replace(**changes)))

    def with_ready(self, seat: int) -> State:
        """Return the state in which a seat has decided where all decide at once."""
        ready = self.position.info.ready
        return self.with_info(ready=(*ready[:seat], True, *ready[seat + 1 :]))


class View(NamedTuple):
    """What one viewer may know; `own` is None for a spectator."""

    position: Position
    own: Secrets | None


UNKNOWN: Final = Secrets((), NONE, (), 0, (), NONE)


class MapTables(NamedTuple):
    """Tables of an atlas for frequent lookups, by the numbers of countries and of continents."""

    codes: tuple[str, ...]
    borders: tuple[tuple[int, ...], ...]
    into: tuple[tuple[int, ...], ...]
    """The countries from which each country can be attacked."""
    display_codes: tuple[str, ...]
    """Codes in capitals, to be displayed."""
    continent: tuple[int, ...]
    countries_of: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    rims: tuple[tuple[int, ...], ...]
    """The countries of each continent that can be attacked from outside."""


@lru_cache(maxsize=256)
def map_tables(atlas: Atlas) -> MapTables:
    """Return the lookup tables of an atlas."""
    codes = tuple(country.code for country in atlas.countries)
    borders = tuple(tuple(n for n in row if n != at) for at, row in enumerate(atlas.borders))
    into = tuple(tuple(n for n, row in enumerate(borders) if at in row) for at in range(len(codes)))
    continent = tuple(country.continent for country in atlas.countries)
    rims = tuple(
        tuple(at for at in row if any(continent[n] != number for n in into[at]))
        for number, row in enumerate(atlas.countries_of)
    )
    values = tuple(each.value for each in atlas.continents)
    shown = tuple(code.upper() for code in codes)
    return MapTables(codes, borders, into, shown, continent, atlas.countries_of, values, rims)


def start_armies(seats: int, countries: int) -> int:
    """Return the armies of each seat at the start: 40, 35, 30, 25, 20 for two to six on the standard map."""
    return max(1, 10 - seats) * ((12 * countries + 50) // 100)


def even_start_armies(atlas: Atlas, rules: int = RULES_VERSION) -> int:
    """Return the armies that the second of two seats has more for an even start: a sixth, 7 of the world.

    Version 4 of the rules gave a fifth, versions up to 3 eight.
    """
    armies = start_armies(2, len(atlas.countries))
    if rules > 4:
        return (armies + 3) // 6
    return armies // 5 if rules > 3 else _EVEN_START


def reinforcements(position: Position, seat: int) -> int:
    """Return the armies for a turn: a third of the countries, at least the minimum, and the continents'."""
    law = position.info.law
    worth = law.atlas.continents
    own = max(law.minimum, position.owner.count(seat) // 3)
    return own + sum(worth[n].value for n in position.continents_of(seat))


def replace_at(row: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    """Return a row with one value changed."""
    return (*row[:at], value, *row[at + 1 :])


def moved(armies: tuple[int, ...], src: int, dst: int, n: int) -> tuple[int, ...]:
    """Return the armies of all countries after `n` have moved from one to another."""
    return replace_at(replace_at(armies, src, armies[src] - n), dst, armies[dst] + n)


def with_position(state: State, **changes: Any) -> State:
    """Return the state with changes to its position."""
    return state._replace(position=state.position._replace(**changes))


def preceded(earlier: tuple[Fact, ...], step: Step[State]) -> Step[State]:
    """Return a step with facts about what happened before it."""
    return Step(step.state, earlier + step.facts)
