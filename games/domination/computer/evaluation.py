"""How good a view is for a seat, by countries, armies, cards, continents and the goal of the mode."""

from __future__ import annotations

from typing import Final

from games.domination.rules import goals
from games.domination.rules.position import NONE, View

_LAND: Final = 1.0
_ARMY: Final = 0.35
_CARD: Final = 1.5
_CONTINENT: Final = 2.0


def evaluate(view: View, seat: int) -> float:
    """Return how good the view is for the seat, from -1.0 (lost) to 1.0 (won)."""
    position, own = view
    info = position.info
    if info.outcome is not None:
        ranks = info.outcome.ranks
        return 1.0 - 2.0 * (ranks[seat] - 1) / max(1, len(ranks) - 1)
    if seat in info.out:
        return -1.0
    worth = [strength(view, each) for each in range(info.law.seats)]
    best = max((worth[each] for each in position.living() if each != seat), default=0.0)
    total = worth[seat] + best
    value = (worth[seat] - best) / total if total else 0.0
    mission = own.mission if own is not None else NONE
    if info.mode == "mission" and mission != NONE:
        value = 0.5 * value + 0.5 * (2.0 * progress(view, seat, mission) - 1.0)
    elif info.mode == "capital":
        chosen = [at for at in info.capitals if at != NONE]
        held = sum(position.owner[at] == seat for at in chosen)
        value = 0.5 * value + (held / len(chosen) - 0.5 if chosen else 0.0)
    return max(-0.999, min(0.999, value))


def countries(view: View) -> tuple[float, ...]:
    """Return the number of countries of each seat."""
    position = view.position
    return tuple(float(position.owner.count(seat)) for seat in range(position.info.law.seats))


def strength(view: View, seat: int) -> float:
    """Return a weighted sum of a seat's countries, armies, cards and continents."""
    position = view.position
    armies = position.force(seat)
    armies += position.pool if position.turn == seat else 0
    worth = position.info.law.atlas.continents
    held = sum(worth[n].value for n in position.continents_of(seat))
    land = position.owner.count(seat)
    return _LAND * land + _ARMY * armies + _CARD * position.info.cards[seat] + _CONTINENT * held


def progress(view: View, seat: int, mission: int) -> float:
    """Return how much of a mission is done, from 0 to 1: of the aim that is nearest, if one is enough."""
    position = view.position
    atlas = position.info.law.atlas
    task = atlas.missions[mission]
    aim = goals.target(position, seat, task)
    any_aim = position.info.law.rules > 2
    beaten = [] if aim == NONE else [1.0 - min(1.0, position.owner.count(aim) / (len(position.owner) / 2))]
    if beaten and not any_aim:
        return beaten[0]
    land = []
    if task.countries and aim == NONE:
        pairs = zip(position.owner, position.armies, strict=True)
        land.append(sum(by == seat and n >= task.armies for by, n in pairs) / task.countries)
    shares = sorted(
        sum(position.owner[at] == seat for at in row) / len(row) for row in atlas.countries_of if row
    )
    continents = []
    for at, n in enumerate(task.continents):
        row = atlas.countries_of[n] if n >= 0 else ()
        continents.append(
            sum(position.owner[at] == seat for at in row) / len(row) if row else shares[-at - 1]
        )
    if any_aim:
        parts = [sum(each) / len(each) for each in (beaten, land, continents) if each]
        return min(1.0, max(parts, default=0.0))
    parts = land + continents
    return min(1.0, sum(parts) / len(parts)) if parts else 0.0
