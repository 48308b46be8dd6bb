"""What only one seat knows, in sentences for that player: cards, mission, and secret decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from games.domination.maps.atlas import Mission
from games.domination.rules import cards, goals
from games.domination.rules.facts import display_code, mission_text
from games.domination.rules.position import NONE, Position, Secrets, View
from games.engine.message import Msg, Value, msg

_MAX_SETS: Final = 4
"""Maximum number of sets that are written out, those that bring most first."""
_MAX_CARDS: Final = 30
"""Maximum number of cards that are named; a hand without a limit could be too long for a message."""
_WILD: Final = "wild"
"""Word by which a wild card is typed."""


def hand(view: View, seat: int) -> tuple[Msg, ...]:
    """Return everything that only this seat knows; nothing for viewers who may not know it."""
    position, own = view
    if own is None or not 0 <= seat < position.info.law.seats:
        return ()
    lines = [*_mission(position, seat, own), *_decided(position, own)]
    if position.phase not in ("deal", "claim", "missions", "spread", "setup", "capital"):
        lines += _cards(position, seat, own)
    return tuple(lines)


def _mission(position: Position, seat: int, own: Secrets) -> list[Msg]:
    """Return the seat's mission, and what replaces it if its target is out of reach."""
    if own.mission == NONE:
        return []
    atlas = position.info.law.atlas
    mission = atlas.missions[own.mission]
    lines = [msg("domination.hand.mission", mission=mission_text(atlas, mission))]
    if mission.player and goals.target(position, seat, mission) == NONE:
        own_seat = mission.player - 1 == seat
        if mission.countries:
            lines.append(msg(f"domination.hand.{'self' if own_seat else 'instead'}", n=mission.countries))
    if mission.continents and (mission.player or mission.countries) and position.info.law.rules > 2:
        first = mission_text(atlas, replace(mission, continents=(), text=""))
        other = mission_text(atlas, Mission(0, 0, 0, mission.continents))
        lines.append(msg("domination.hand.either", first=first, other=other))
    if position.info.mode != "mission":
        lines.append(msg("domination.hand.over"))
    return lines


def _decided(position: Position, own: Secrets) -> list[Msg]:
    """Return what the seat decided and the others don't see yet."""
    atlas = position.info.law.atlas
    lines: list[Msg] = []
    if position.phase == "claim":
        wishes: tuple[Value, ...] = tuple(display_code(atlas, at) for at in own.wishes)
        lines.append(msg("domination.hand.wishes", at=wishes) if wishes else msg("domination.hand.no_wishes"))
    if position.phase == "setup":
        put: tuple[Value, ...] = tuple(
            f"{display_code(atlas, at)} +{n}" for at, n in enumerate(own.spread) if n
        )
        if put:
            lines.append(msg("domination.hand.placed", at=put))
        lines.append(msg("domination.hand.left", n=own.pool))
    if position.phase == "capital" and own.pick != NONE:
        lines.append(msg("domination.hand.pick", at=display_code(atlas, own.pick)))
    return lines


def _cards(position: Position, seat: int, own: Secrets) -> list[Msg]:
    """Return the seat's cards, and the sets among them."""
    if not own.hand:
        return [msg("domination.hand.none")]
    law, info = position.info.law, position.info
    deck = cards.deck(law.atlas)
    shown: tuple[Value, ...] = tuple(_card(position, seat, card) for card in own.hand[:_MAX_CARDS])
    lines = [msg("domination.hand.cards", n=len(own.hand), cards=shown)]
    if len(own.hand) > _MAX_CARDS:
        lines.append(msg("domination.hand.more", n=len(own.hand) - _MAX_CARDS))
    sets = cards.sets_in_hand(law.atlas, law.cards, own.hand)
    if not sets:
        return [*lines, msg("domination.hand.no_set")] if len(own.hand) >= cards.SET_SIZE else lines

    def worth(three: tuple[int, ...]) -> int:
        return cards.set_value(law.cards, tuple(deck.kinds[card] for card in three), info.traded)

    best = sorted(sets, key=lambda three: -worth(three))
    lines += (
        msg("domination.hand.set", cards=_typed(deck, three), n=worth(three)) for three in best[:_MAX_SETS]
    )
    if len(best) > _MAX_SETS:
        lines.append(msg("domination.hand.sets", n=len(best) - _MAX_SETS))
    return lines


def _typed(deck: cards.Deck, three: tuple[int, ...]) -> str:
    """Return three cards as an order names them."""
    names = (deck.names[card] for card in three)
    return " ".join(_WILD if name == cards.WILD else name.upper() for name in names)


def _card(position: Position, seat: int, card: int) -> Msg:
    """Return a card in words, which say whether the seat holds its country."""
    deck = cards.deck(position.info.law.atlas)
    at = deck.countries[card]
    if at < 0:
        return msg("domination.card.wild")
    kind = msg(f"domination.kind.{deck.kinds[card]}")
    own = position.owner[at] == seat
    return msg(f"domination.card.{'own' if own else 'other'}", at=deck.names[card].upper(), kind=kind)
