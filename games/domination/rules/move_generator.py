"""The legal orders of a turn: attacks, last moves, placements, sets of cards; in the order of the map.

Actions come in cached rows: a list of all of them is long and seldom needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from games.domination.maps.atlas import Atlas
from games.domination.rules import actions, cards
from games.domination.rules.actions import Action
from games.domination.rules.position import Position, map_tables

ActionRow: TypeAlias = Sequence[Action]


def attacks(position: Position) -> list[ActionRow]:
    """Return every attack of the seat whose turn it is."""
    owner, armies, turn = position.owner, position.armies, position.turn
    codes, borders, *_ = map_tables(position.info.law.atlas)
    return [
        actions.attacks(codes[src], codes[dst], armies[src], armies[dst])
        for src in position.held(turn)
        if armies[src] > 1
        for dst in borders[src]
        if owner[dst] != turn
    ]


def fortifications(position: Position) -> list[ActionRow]:
    """Return every last move of the seat whose turn it is."""
    law, owner, armies = position.info.law, position.owner, position.armies
    codes, borders, *_ = map_tables(law.atlas)
    return [
        actions.fortifications(codes[src], codes[dst], armies[src])
        for src in position.held(position.turn)
        if armies[src] > 1
        for dst in (borders[src] if law.fortify == "adjacent" else connected(law.atlas, owner, src))
        if owner[dst] == position.turn
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
