"""What is shown of a match of Dominion afterwards: its points, its dice, and how kind Fate was."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final

from games.dominion import endings, fate
from games.dominion.actions import NO, Action
from games.dominion.facts import sticks_chance, succession_chance
from games.dominion.position import Law, Phase, Position, State, View
from games.engine.game import Seat
from games.engine.lookback import SIX_SIDED, Die, Fortune, Rolled
from games.engine.message import msg

_GOOD: Final = frozenset[Phase](("promote_upper", "promote_lower"))
_BAD: Final = frozenset[Phase](("demote_upper", "demote_lower"))


def material(view: View) -> tuple[float, ...]:
    """Return the points of each seat, as they are counted at the end."""
    position = view.position
    halves = endings.half_points(position)
    return tuple(0.0 if seat in position.out else half / 2 for seat, half in enumerate(halves))


@cache
def _sticks(marked: bool) -> Die:
    """Return the die that stands for the sticks, or the number of marked ones among six flat sticks."""
    if not marked:
        return SIX_SIDED
    chances = (Fraction(comb(fate.STICK_COUNT, n), 2**fate.STICK_COUNT) for n in range(fate.STICK_COUNT + 1))
    return Die(msg("dominion.die.sticks"), tuple((str(n), chance) for n, chance in enumerate(chances)))


@cache
def _diviner(sides: int) -> Die:
    yes = Fraction(1, sides)
    results = (msg("dominion.die.no"), 1 - yes), (msg("dominion.die.yes"), yes)
    return Die(msg("dominion.die.diviner", n=sides), results)


def rolls(before: State, action: Action) -> tuple[Rolled, ...]:
    """Return the throws of an action of chance: those for the start, or the Diviner's and the sticks."""
    position = before.position
    law = position.law
    if action.kind == "throw":
        return _starting_rolls(position, action)
    if action.kind != "fate":
        return ()
    seat, found = Seat(position.turn), list[Rolled]()
    if not fate.is_kind(position):
        found.append(Rolled(_diviner(law.fate), int(action.a != NO), seat))
    return (*found, _stick(law, action.a, seat)) if action.a != NO else tuple(found)


def _starting_rolls(position: Position, action: Action) -> tuple[Rolled, ...]:
    seats, found = position.living(), list[Rolled]()
    for throws in action.rounds:
        found += (_stick(position.law, n, Seat(seat)) for seat, n in zip(seats, throws, strict=True))
        seats = fate.leaders(seats, throws)
    return tuple(found)


def _stick(law: Law, n: int, seat: Seat) -> Rolled:
    marked = law.sticks == "sticks"
    return Rolled(_sticks(marked), n if marked else n - 1, seat)


def fortune(before: State, draws: Sequence[Action]) -> Fortune | None:
    """Return whether Fate promoted or demoted, or gave an heir, with the probability of that."""
    position, n = before.position, draws[0].a
    if draws[0].kind != "fate":
        return None
    law, seat = position.law, Seat(position.turn)
    if position.phase == "succession":
        chance = float(succession_chance(law))
        saved = n in ((5, 6) if law.succession == "kind" else (6,))
        return Fortune(seat, chance if saved else 1.0, 1.0 if saved else 1.0 - chance)
    scores = {number: _score(position, number) for number in fate.faces(law)}
    got = 0 if n == NO else scores[n]
    odds = {number: sticks_chance(law, number) / law.fate for number in scores}
    good = sum((odds[number] for number, score in scores.items() if score > 0), Fraction(0))
    bad = sum((odds[number] for number, score in scores.items() if score < 0), Fraction(0))
    better, worse = {1: (good, Fraction(1)), 0: (1 - bad, 1 - good), -1: (Fraction(1), bad)}[got]
    return Fortune(seat, float(better), float(worse))


def _score(position: Position, n: int) -> int:
    """Return 1 for a number that promotes, -1 for one that demotes, 0 if nothing of that can be done."""
    event = fate.CHOICE_BY_STICKS.get(n)
    if event is None or not fate.choices(position, event, position.turn):
        return 0
    return 1 if event in _GOOD else -1 if event in _BAD else 0
