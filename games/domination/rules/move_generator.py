"""The legal orders of a turn: attacks, last moves, placements, sets of cards; in the order of the map.

Actions come in cached rows: a list of all of them is long and seldom needed. To pick a single one, the rows
are only counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from games.domination.maps.atlas import Atlas
from games.domination.rules import actions, cards
from games.domination.rules.actions import Action
from games.domination.rules.position import Position, map_tables

ActionRow: TypeAlias = Sequence[Action]


def _fronts(position: Position) -> list[tuple[int, list[int], list[int]]]:
    """Return each country from which the seat whose turn it is can attack or move, ascending.

    With it the countries of others on its borders, and where a last move may go.
    """
    owner, armies, turn = position.owner, position.armies, position.turn
    law, borders = position.info.law, map_tables(position.info.law.atlas).borders
    found = []
    for src in position.held(turn):
        if armies[src] > 1:
            near = borders[src]
            foes = [at for at in near if owner[at] != turn]
            if law.fortify == "adjacent":
                found.append((src, foes, [at for at in near if owner[at] == turn]))
            else:
                found.append((src, foes, connected(law.atlas, owner, src)))
    return found


def attacks(position: Position) -> list[ActionRow]:
    """Return every attack of the seat whose turn it is."""
    armies, codes = position.armies, map_tables(position.info.law.atlas).codes
    return [
        actions.attacks(codes[src], codes[dst], armies[src], armies[dst])
        for src, foes, _ in _fronts(position)
        for dst in foes
    ]


def fortifications(position: Position) -> list[ActionRow]:
    """Return every last move of the seat whose turn it is."""
    armies, codes = position.armies, map_tables(position.info.law.atlas).codes
    return [
        actions.fortifications(codes[src], codes[dst], armies[src])
        for src, _, reached in _fronts(position)
        for dst in reached
    ]


def destinations(position: Position, src: int) -> list[int]:
    """Return where armies may go at the end of a turn, ascending: neighbours, or all connected countries."""
    law, owner = position.info.law, position.owner
    borders, seat = map_tables(law.atlas).borders, owner[src]
    if law.fortify == "adjacent":
        return [at for at in borders[src] if owner[at] == seat]
    return connected(law.atlas, owner, src)


@lru_cache(maxsize=1 << 12)
def connected(atlas: Atlas, owner: bytes, src: int) -> list[int]:
    """Return the countries connected with one through its holder's countries. Don't change the list."""
    borders, seat = map_tables(atlas).borders, owner[src]
    seen, fresh = {src}, [src]
    while fresh:
        for at in borders[fresh.pop()]:
            if owner[at] == seat and at not in seen:
                seen.add(at)
                fresh.append(at)
    return sorted(seen - {src})


def pick_order(position: Position, below: Callable[[int], int]) -> Action:
    """Return one of the attacks, the last moves and the end, in this order, without making the others.

    `below` is given their number, and returns that of the one.
    """
    armies, codes = position.armies, map_tables(position.info.law.atlas).codes
    fronts, count = _fronts(position), actions.attack_count
    firsts = [sum([count(armies[src], armies[dst]) for dst in foes]) for src, foes, _ in fronts]
    lasts = [len(reached) * (armies[src] - 1) for src, _, reached in fronts]
    n = below(sum(firsts) + sum(lasts) + 1)
    for (src, foes, _), every in zip(fronts, firsts, strict=True):
        if n >= every:
            n -= every
            continue
        for dst in foes:
            if n < (some := count(armies[src], armies[dst])):
                return actions.nth_attack(codes[src], codes[dst], armies[src], armies[dst], n)
            n -= some
    for (src, _, reached), every in zip(fronts, lasts, strict=True):
        if n < every:
            nth, less = divmod(n, armies[src] - 1)
            return actions.fortify(codes[src], codes[reached[nth]], less + 1)
        n -= every
    return actions.END


def pick_placement(
    position: Position, seat: int, pool: int, first: Sequence[Action], below: Callable[[int], int]
) -> Action | None:
    """Return one of the actions in `first` and the placements of a pool, or None if there are none."""
    held = position.held(seat)
    count = len(first) + len(held) * pool
    if not count:
        return None
    n = below(count) - len(first)
    if n < 0:
        return first[n]
    nth, less = divmod(n, pool)
    return actions.place(map_tables(position.info.law.atlas).codes[held[nth]], less + 1)


def placements(position: Position, seat: int, pool: int) -> list[ActionRow]:
    """Return the placements of every number of armies on every country of the seat."""
    codes = map_tables(position.info.law.atlas).codes
    return [actions.placements(codes[at], pool) for at in position.held(seat)]


def trades(position: Position, hand: tuple[int, ...]) -> list[Action]:
    """Return a trade for every set of the hand and every country that may get its two armies."""
    law = position.info.law
    names = cards.deck(law.atlas).names
    return [
        actions.trade(tuple([names[card] for card in three]), bonus)
        for three in cards.sets_in_hand(law.atlas, law.cards, hand)
        for bonus in bonuses(position, three)
    ]


def trade_value(position: Position, action: Action) -> int:
    """Return the armies that a trade brings now, without the bonus on a country."""
    law = position.info.law
    kinds = cards.deck(law.atlas).kind_of
    return cards.set_value(law.cards, tuple(kinds[name] for name in action.cards), position.info.traded)


def bonuses(position: Position, three: tuple[int, ...]) -> tuple[str, ...]:
    """Return the codes of the countries that may get two armies for these cards; `("",)` if none may."""
    law, turn = position.info.law, position.turn
    codes = map_tables(law.atlas).codes
    if law.bonus == "each":
        return ("",)
    shown = cards.deck(law.atlas).countries
    held = dict.fromkeys(shown[card] for card in three if shown[card] >= 0)
    return tuple(codes[at] for at in held if position.owner[at] == turn) or ("",)
