"""Sets of three cards, and the armies that they bring by each of the three scales."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Final, Literal, NamedTuple, TypeAlias

from games.domination.maps.atlas import NOWHERE, Atlas

SetScale: TypeAlias = Literal["increasing", "fixed", "italian"]
WILD: Final = "*"
"""The code of every wild card."""
SET_SIZE: Final = 3
_INCREASING: Final = (4, 6, 8, 10, 12, 15)
_FIXED: Final = {"infantry": 4, "cavalry": 6, "cannon": 8}
_ITALIAN: Final = {"cannon": 4, "infantry": 6, "cavalry": 8}
_MIXED_VALUE: Final = 10
_WILD_VALUE: Final = 12


class Deck(NamedTuple):
    """The cards of an atlas by number: their codes, what they show, and their countries."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    countries: tuple[int, ...]
    kind_of: dict[str, str]
    """What the cards with each code show."""


@lru_cache(maxsize=256)
def deck(atlas: Atlas) -> Deck:
    """Return the deck. A card's code is its country's; a second card of a country has a number behind it."""
    seen: dict[int, int] = {}
    names = []
    for card in atlas.cards:
        if card.country == NOWHERE:
            names.append(WILD)
            continue
        copy = seen[card.country] = seen.get(card.country, 0) + 1
        code = atlas.countries[card.country].code
        names.append(code if copy == 1 else f"{code}{WILD}{copy}")
    kinds = tuple(card.kind for card in atlas.cards)
    countries = tuple(card.country for card in atlas.cards)
    return Deck(tuple(names), kinds, countries, dict(zip(names, kinds, strict=True)))


def increasing_value(traded: int) -> int:
    """Return the armies of a set after `traded` sets of all seats: 4 6 8 10 12 15, then 5 more each."""
    last = len(_INCREASING) - 1
    return _INCREASING[traded] if traded <= last else _INCREASING[last] + 5 * (traded - last)


@lru_cache(maxsize=4096)
def set_value(scale: SetScale, kinds: tuple[str, ...], traded: int) -> int:
    """Return the armies for three cards of these kinds; 0 if they aren't a set."""
    plain = [kind for kind in kinds if kind != "wild"]
    wild, different = len(kinds) - len(plain), len(set(plain))
    if len(kinds) != SET_SIZE or (not wild and different == 2):
        return 0
    if scale == "increasing":
        return increasing_value(traded)
    if scale == "italian":
        if wild:  # the program's rule, narrower than the general one: a pair and one wild card only
            return _WILD_VALUE if wild == 1 and different == 1 else 0
        return _ITALIAN[plain[0]] if different == 1 else _MIXED_VALUE
    if wild == SET_SIZE:
        return _WILD_VALUE
    return _FIXED[plain[0]] if different == 1 and wild < SET_SIZE - 1 else _MIXED_VALUE


@lru_cache(maxsize=1 << 14)
def sets_in_hand(atlas: Atlas, scale: SetScale, hand: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the sets in a hand of card numbers, in order; of equal sets (wild cards) only the first."""
    if len(hand) < SET_SIZE:
        return ()
    names, kinds, *_ = deck(atlas)
    found: dict[tuple[str, ...], tuple[int, ...]] = {}
    for three in combinations(hand, SET_SIZE):
        if set_value(scale, tuple([kinds[card] for card in three]), 0):
            found.setdefault(tuple(sorted([names[card] for card in three])), three)
    return tuple(found.values())
