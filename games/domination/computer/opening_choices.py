"""What computer players choose before the first turn (draft claims, capitals), and the cards they trade.

They queue their whole draft at once, so that no one waits for them. The first claim decides where the others
are.
"""

from __future__ import annotations

from typing import Final

from games.domination.computer.position_model import PositionModel
from games.domination.rules import cards, goals, move_generator
from games.domination.rules.actions import DONE, Action, with_code
from games.domination.rules.position import NOBODY, NONE, MapTables, Position, Secrets, map_tables
from games.engine.dice import Dice

_BORDER: Final = 0.05
"""What each border costs of a continent's appeal, twice if it leads out: fitted, see docs/measured.md."""


def draft(
    position: Position, own: Secrets, seat: int, dice: Dice, *, denies: bool = False, settles: bool = False
) -> Action:
    """Return the next claim to queue, or DONE.

    One that `denies` first claims a country in each continent from a single rival, who then doesn't begin
    with a whole one. Among several rivals it alone would pay for that. One that `settles` claims remote
    countries of good continents instead if it is the first of two.
    """
    free = [n for n in goals.claimable(position) if n not in own.wishes]
    if not free:
        return DONE
    land = map_tables(position.info.law.atlas)
    mine, living = {*position.held(seat), *own.wishes}, position.living()
    if settles and len(living) == 2 and seat == living[0]:
        at = max(free, key=lambda n: (_remote(land, n), -n))
    elif denies and len(living) == 2 and (open_ := _undenied(land, free, mine)):
        at = dice.pick(open_)
    elif not mine:
        at = _first(land, free, dice)
    else:
        at = max(free, key=lambda n: (_wanted(position, land, n, mine), -n))
    return with_code("queue", land.codes[at])


def appeal(land: MapTables, number: int) -> float:
    """Return how good a continent is to have: its bonus, reduced by the borders to defend and by its size."""
    size, rim = len(land.countries_of[number]), len(land.rims[number])
    narrow: float = (1.0 + rim) ** 1.5
    return (land.values[number] + size / 3.0) / narrow / (1.0 + 0.12 * size)


def _remote(land: MapTables, country: int) -> float:
    """Return the appeal of a country's continent, less the cost of its borders."""
    number, borders = land.continent[country], land.borders[country]
    leading_out = sum(land.continent[n] != number for n in borders)
    return appeal(land, number) - _BORDER * (len(borders) + leading_out)


def _undenied(land: MapTables, free: list[int], mine: set[int]) -> list[int]:
    """Return the free countries of the best continent without one of its own; empty if there is none."""
    found: dict[int, list[int]] = {}
    held = {land.continent[at] for at in mine}
    for at in free:
        number = land.continent[at]
        if land.values[number] and number not in held:
            found.setdefault(number, []).append(at)
    return max(found.items(), key=lambda each: (appeal(land, each[0]), -each[0]), default=(NONE, []))[1]


def _first(land: MapTables, free: list[int], dice: Dice) -> int:
    """Return a country of one of the two best continents."""
    open_ = set(free)
    numbers = [
        n for n, row in enumerate(land.countries_of) if row and open_.issuperset(row) and land.values[n]
    ]
    if not numbers:
        return dice.pick(free)
    numbers.sort(key=lambda n: (-appeal(land, n), n))
    row = land.countries_of[dice.pick(numbers[:2])]
    rim = [n for n in row if n in land.rims[land.continent[n]]]
    return dice.pick(rim or list(row))


def _wanted(position: Position, land: MapTables, country: int, mine: set[int]) -> float:
    """Return how much a country is worth to a seat that holds or has queued the countries `mine`."""
    number = land.continent[country]
    row = land.countries_of[number]
    share = sum(n in mine for n in row) / len(row)
    lost = sum(position.owner[n] != NOBODY and n not in mine for n in row) / len(row)
    near = sum(n in mine for n in land.borders[country]) / max(1, len(land.borders[country]))
    return 2.0 * share * (1.0 - lost) + near + appeal(land, number) * (1.0 - lost)


def capital(model: PositionModel) -> int:
    """Return the country to be the capital: the one with most armies and fewest enemies nearby."""
    land = model.tables

    def safety(country: int) -> float:
        near = [model.armies[n] for n in land.into[country] if model.feared(n)]
        own = sum(model.armies[n] for n in land.into[country] if model.owner[n] == model.seat)
        return model.armies[country] + 0.4 * own - 0.8 * sum(near) - 1.5 * len(near)

    held = [n for n, by in enumerate(model.owner) if by == model.seat]
    return max(held, key=lambda country: (safety(country), -country))


def best_set(model: PositionModel, own: Secrets) -> Action | None:
    """Return the set to trade: the most armies for the fewest wild cards, its bonus near enemies."""
    position, land = model.position, model.tables

    def merit(action: Action) -> tuple[float, float]:
        value = move_generator.trade_value(position, action) - 1.5 * action.cards.count(cards.WILD)
        if not action.b:
            return value, 0.0
        country = position.info.law.atlas.index[action.b]
        near = sum(model.armies[n] for n in land.borders[country] if model.owner[n] != model.seat)
        return value + 2.0, near

    return max(move_generator.trades(position, own.hand), key=merit, default=None)


def lacking_armies(model: PositionModel) -> list[int]:
    """Return the countries to reinforce if a mission lacks only armies on countries already held."""
    if model.mission == NONE or model.target != NONE:
        return []
    mission = model.law.atlas.missions[model.mission]
    if mission.armies < 2:
        return []
    held = [n for n, by in enumerate(model.owner) if by == model.seat]
    few = [n for n in held if model.armies[n] < mission.armies]
    missing = mission.countries - (len(held) - len(few))
    return few[:missing] if 0 < missing <= len(few) else []
