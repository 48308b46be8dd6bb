"""Suggestions: the attacks, sets, countries and placements that menus list first and `auto` chooses.

This only sorts legal actions, always the same way, by what the seat can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from games.domination.maps.atlas import Atlas
from games.domination.rules import battle_odds, cards, default_moves, move_generator
from games.domination.rules.actions import Action
from games.domination.rules.position import NOBODY, Position, Secrets, map_tables

_MAX_STACKS: Final = 6
"""Maximum number of countries that `auto` places armies on before the first turn."""
_MAX_RANKED: Final = 120
"""Maximum number of countries that `auto` ranks in a draft."""


class PossibleAttack(NamedTuple):
    """A possible attack, with the chance to win if it goes on to the last army."""

    src: int
    dst: int
    wins: float


def best_attacks(position: Position) -> list[PossibleAttack]:
    """Return the attacks of the seat whose turn it is, likeliest to win first; one for each target."""
    info, owner, armies, _, turn, *_ = position
    borders, defence = map_tables(info.law.atlas).borders, info.law.defence
    best: dict[int, PossibleAttack] = {}
    for src, n in enumerate(armies):
        if n < 2 or owner[src] != turn:
            continue
        for dst in borders[src]:
            if owner[dst] == turn or (dst in best and armies[best[dst].src] >= n):
                continue
            best[dst] = PossibleAttack(src, dst, battle_odds.battle(n, armies[dst], defence=defence).wins)
    return sorted(best.values(), key=lambda front: (-round(front.wins, 6), front.src, front.dst))


def is_interior(position: Position, country: int) -> bool:
    """Return whether a country can neither be attacked by an enemy nor attack one."""
    owner, seat = position.owner, position.owner[country]
    tables = map_tables(position.info.law.atlas)
    return all(owner[n] == seat for n in (*tables.borders[country], *tables.into[country]))


def threatened(position: Position, seat: int) -> list[int]:
    """Return the seat's countries, the most threatened first."""
    return sorted(position.held(seat), key=lambda n: (-default_moves.threat(position, seat, n), n))


def spread(position: Position, own: Secrets, seat: int, pool: int) -> list[tuple[int, int]]:
    """Return where to place the pool before the first turn: on a few countries, most where most is needed."""
    placed = own.spread or (0,) * len(position.owner)
    armies = tuple(n + more for n, more in zip(position.armies, placed, strict=True))
    after = position._replace(armies=armies)
    stacks = threatened(after, seat)[: max(1, min(_MAX_STACKS, pool // 2))]
    need = {country: default_moves.threat(after, seat, country) for country in stacks}
    given = dict.fromkeys(stacks, 0)
    for _ in range(pool if stacks else 0):
        country = max(stacks, key=lambda n: (need[n] - given[n], -stacks.index(n)))
        given[country] += 1
    return [(country, n) for country, n in given.items() if n]


def draft_order(position: Position, own: Secrets, seat: int, named: Iterable[str] = ()) -> list[str]:
    """Return free countries' codes in a sensible order: near its own, in continents it can complete.

    Those that are on its list, or `named` after these, count as its own. All others are returned, so that a
    list with them at its end isn't used up before the draft is over; on large maps the first 120.
    """
    atlas = position.info.law.atlas
    wishes = dict.fromkeys((*own.wishes, *(atlas.index[code] for code in named)))
    return codes_of(position, _draft_order(atlas, position.owner, tuple(wishes), seat))


@lru_cache(maxsize=1 << 10)
def _draft_order(atlas: Atlas, owner: bytes, wishes: tuple[int, ...], seat: int) -> tuple[int, ...]:
    borders = map_tables(atlas).borders
    held = [by == seat or at in wishes for at, by in enumerate(owner)]
    free = [at for at, by in enumerate(owner) if by == NOBODY and not held[at]]
    near = [sum(held[n] for n in row) for row in borders]
    count = [sum(held[at] for at in row) for row in atlas.countries_of]
    size = [max(1, len(row)) for row in atlas.countries_of]
    lost = [sum(owner[at] not in (NOBODY, seat) for at in row) for row in atlas.countries_of]
    room = [(each.value - 2.0 * gone) / n for each, gone, n in zip(atlas.continents, lost, size, strict=True)]
    of = [country.continent for country in atlas.countries]
    found: list[int] = []
    while free and len(found) < _MAX_RANKED:
        rows = [(room[of[at]] + 2.0 * count[of[at]] / size[of[at]] + 0.3 * near[at], -at) for at in free]
        best = -max(rows)[1]
        free.remove(best)
        found.append(best)
        count[of[best]] += 1
        for at in free:
            near[at] += best in borders[at]
    return tuple(found)


def best_trades(position: Position, hand: tuple[int, ...]) -> list[Action]:
    """Return the sets, those that bring most armies first; the bonus where most needed, wild cards last."""
    index = position.info.law.atlas.index

    def worth(action: Action) -> tuple[int, bool, int, int]:
        threat = default_moves.threat(position, position.turn, index[action.b]) if action.b else 0
        return (
            -move_generator.trade_value(position, action),
            not action.b,
            action.cards.count(cards.WILD),
            -threat,
        )

    return sorted(move_generator.trades(position, hand), key=worth)


def sample(rows: Sequence[int], most: int) -> list[int]:
    """Return at most `most` of some numbers, evenly spaced, the first and the last included."""
    if len(rows) <= most:
        return list(rows)
    return [rows[round(n * (len(rows) - 1) / (most - 1))] for n in range(most)]


def codes_of(position: Position, found: Iterable[int]) -> list[str]:
    """Return the codes of countries."""
    known = map_tables(position.info.law.atlas).codes
    return [known[at] for at in found]
