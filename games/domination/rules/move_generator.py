"""The legal orders of a turn: attacks, last moves, placements, sets of cards; in the order of the map.

Actions come in cached rows: a list of all of them is long and seldom needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from games.domination.maps.atlas import Atlas
from games.domination.rules import actions, cards
from games.domination.rules.actions import Action
from games.domination.rules.position import Position, chart

ROLLS: Final = actions.ROLLS
Row: TypeAlias = Sequence[Action]


def attacks(position: Position) -> list[Row]:
    """Return every attack of the seat whose turn it is."""
    table, owner, armies, _, turn, *_ = position
    codes, borders, _ = chart(table.law.atlas)
    found: list[Row] = []
    for src, n in enumerate(armies):
        if n > 1 and owner[src] == turn:
            code = codes[src]
            found += [
                actions.attacks(code, codes[dst], n, armies[dst])
                for dst in borders[src]
                if owner[dst] != turn
            ]
    return found


def fortifications(position: Position) -> list[Row]:
    """Return every last move of the seat whose turn it is."""
    table, owner, armies, _, turn, *_ = position
    codes, borders, _ = chart(table.law.atlas)
    near = table.law.fortify == "adjacent"
    found: list[Row] = []
    for src, n in enumerate(armies):
        if n > 1 and owner[src] == turn:
            code, reached = codes[src], borders[src] if near else destinations(position, src)
            found += [actions.fortifications(code, codes[dst], n) for dst in reached if owner[dst] == turn]
    return found


def destinations(position: Position, src: int) -> list[int]:
    """Return where armies may go at the end of a turn, ascending: neighbours, or all connected countries."""
    law, owner = position.table.law, position.owner
    borders, seat = chart(law.atlas).borders, owner[src]
    if law.fortify == "adjacent":
        return [at for at in borders[src] if owner[at] == seat]
    return connected(law.atlas, owner, src)


@lru_cache(maxsize=1 << 12)
def connected(atlas: Atlas, owner: bytes, src: int) -> list[int]:
    """Return the countries connected with one through its holder's countries. Don't change the list."""
    borders, seat = chart(atlas).borders, owner[src]
    seen, fresh = {src}, [src]
    while fresh:
        for at in borders[fresh.pop()]:
            if owner[at] == seat and at not in seen:
                seen.add(at)
                fresh.append(at)
    return sorted(seen - {src})


def placements(position: Position, seat: int, pool: int) -> list[Row]:
    """Return the placements of every number of armies on every country of the seat."""
    codes = chart(position.table.law.atlas).codes
    found: list[Row] = []
    for at, by in enumerate(position.owner):
        if by == seat:
            found.append(actions.places(codes[at], pool))
    return found


def named(
    kind: Literal["claim", "queue", "capital"], position: Position, where: Iterable[int]
) -> list[Action]:
    """Return the action of a kind for each of these countries."""
    codes = chart(position.table.law.atlas).codes
    return [actions.at(kind, codes[at]) for at in where]


def moves(low: int, high: int) -> list[Action]:
    """Return the moves of `low` to `high` armies into a conquered country."""
    return [actions.move(n) for n in range(low, high + 1)]


def trades(position: Position, hand: tuple[int, ...]) -> list[Action]:
    """Return a trade for every set of the hand and every country that may get its two armies."""
    law = position.table.law
    names = cards.deck(law.atlas).names
    return [
        actions.trade(tuple([names[card] for card in three]), bonus)
        for three in cards.sets(law.atlas, law.cards, hand)
        for bonus in bonuses(position, three)
    ]


def bonuses(position: Position, three: tuple[int, ...]) -> tuple[str, ...]:
    """Return the codes of the countries that may get two armies for these cards; `("",)` if none may."""
    law, turn = position.table.law, position.turn
    codes = chart(law.atlas).codes
    if law.bonus == "each":
        return ("",)
    shown = cards.deck(law.atlas).countries
    held = dict.fromkeys(shown[card] for card in three if shown[card] >= 0)
    return tuple(codes[at] for at in held if position.owner[at] == turn) or ("",)
