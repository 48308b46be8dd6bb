"""The scene of a position: the map with its armies and capitals, and a panel for each seat.

Everyone sees who is to do what. Cards, missions and secret decisions are shown to their own seat only. The
outlines of symbols are bold and differ as a whole: on a phone one is about eleven pixels wide.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, partial
from math import cos, pi, sin
from typing import Final

from games.domination.maps import drawing
from games.domination.maps.atlas import Atlas
from games.domination.maps.islands import ISLANDS, ISLANDS_DRAWING
from games.domination.maps.world import WORLD, WORLD_DRAWING
from games.domination.rules import goals
from games.domination.rules.actions import Action
from games.domination.rules.cards import deck
from games.domination.rules.facts import INKS, army_name
from games.domination.rules.judge import to_act
from games.domination.rules.position import (
    NEUTRAL,
    NOBODY,
    NONE,
    Position,
    Secrets,
    View,
    map_tables,
    reinforcements,
)
from games.engine.game import Seat, SeatLook, Setup
from games.engine.message import Msg, Value, Who, msg
from games.engine.scene import Badge, Glyph, Ink, Item, Map, Mark, Panel, Row, Scene, Token
from games.engine.scene_parts import Outline, arc, box, panel, panel_state

_arc: Final = partial(arc, corners=32)


def _star(points: int, outer: float, inner: float, y: float) -> Outline:
    """Return the outline of a star, centred at half the width and at height `y`."""
    turns = ((pi * k / points, (outer, inner)[k % 2]) for k in range(2 * points))
    return tuple((round(0.5 + far * sin(a), 4), round(y + far * cos(a), 4)) for a, far in turns)


def _cross(thick: float) -> Outline:
    """Return the outline of an upright cross with arms of twice `thick`."""
    low, high = 0.5 - thick, 0.5 + thick
    return (
        *((low, 0.04), (high, 0.04), (high, low), (0.96, low), (0.96, high), (high, high)),
        *((high, 0.96), (low, 0.96), (low, high), (0.04, high), (0.04, low), (low, low)),
    )


_SEATS: Final = {
    "triangle": Glyph((((0.5, 0.95), (0.04, 0.14), (0.96, 0.14)),)),
    "square": Glyph((box(0.14, 0.14, 0.86, 0.86),)),
    "diamond": Glyph((((0.5, 1.0), (0.92, 0.5), (0.5, 0.0), (0.08, 0.5)),)),
    "circle": Glyph((_arc(0.5, 0.5, 0.42),)),
    "star": Glyph((_star(5, 0.525, 0.215, 0.46),)),
    "cross": Glyph((_cross(0.17),)),
}
_NEUTRAL: Final = {"ring": Glyph((_arc(0.5, 0.5, 0.46), _arc(0.5, 0.5, 0.22)))}
_HORSE: Final = (
    (0.2, 0.03), (0.86, 0.03), (0.93, 0.3), (0.91, 0.55), (0.82, 0.75), (0.66, 0.87), (0.62, 0.99),
    (0.5, 0.88), (0.34, 0.78), (0.22, 0.62), (0.07, 0.42), (0.08, 0.29), (0.2, 0.23), (0.32, 0.33),
    (0.53, 0.43), (0.5, 0.33), (0.27, 0.16),
)  # fmt: skip
_COUNTS: Final = {
    "land": Glyph((box(0.14, 0.0, 0.28, 1.0), ((0.28, 0.98), (0.96, 0.74), (0.28, 0.5)))),
    "armies": Glyph((_arc(0.5, 0.76, 0.23), ((0.1, 0.02), (0.9, 0.02), (0.76, 0.47), (0.24, 0.47)))),
    "income": Glyph((((0.5, 0.98), (0.96, 0.5), (0.66, 0.5), (0.66, 0.04), (0.34, 0.04), (0.34, 0.5),
                      (0.04, 0.5)),)),
    "cards": Glyph((box(0.17, 0.0, 0.83, 1.0), box(0.3, 0.13, 0.7, 0.87), box(0.4, 0.34, 0.6, 0.66))),
}  # fmt: skip
_KINDS: Final = {
    "infantry": Glyph((((0.5, 0.98), (0.9, 0.86), (0.9, 0.46), (0.84, 0.28), (0.7, 0.13), (0.5, 0.02),
                        (0.3, 0.13), (0.16, 0.28), (0.1, 0.46), (0.1, 0.86)),)),
    "cavalry": Glyph((_HORSE,)),
    "cannon": Glyph((((0.02, 0.5), (0.1, 0.72), (0.94, 0.98), (1.0, 0.76), (0.36, 0.42)),
                     _arc(0.34, 0.24, 0.24), _arc(0.34, 0.24, 0.09))),
    "wild": Glyph((_star(8, 0.5, 0.2, 0.5),)),
}  # fmt: skip
SEAT_GLYPHS: Final = tuple(_SEATS)
"""The glyph of each seat."""
NEUTRAL_GLYPH: Final = next(iter(_NEUTRAL))
"""The glyph of the neutral army."""
GLYPHS: Final = _SEATS | _NEUTRAL | _COUNTS | _KINDS
"""All glyphs by name."""


CODES: Final = "RBYGPO"
"""Letter of each seat's colour."""
_TEXT_SYMBOLS: Final = "▲■◆●★✚"
"""Symbol of each seat in texts."""
_TURN_PHASES: Final = frozenset(("roll", "card", "place", "attack", "move"))
"""Phases in which the seat whose turn it is, or chance for it, acts."""
_MAX_NAMED: Final = 1
"""Maximum number of continents named in a panel; more are only counted."""


_DRAWINGS: Final = {WORLD: WORLD_DRAWING, ISLANDS: ISLANDS_DRAWING}
"""How maps are drawn; others are drawn as discs joined by lines."""


@lru_cache(maxsize=32)
def board(atlas: Atlas, seats: int) -> Map:
    """Return the map as a board for this many seats; cached, so that equal boards are the same object."""
    return drawing.board(
        atlas,
        _DRAWINGS.get(atlas),
        lambda one: msg("domination.zone", name=one.name, value=one.value),
        seats,
        lambda one: msg("domination.continent", name=one.name),
    )


LOOKS: Final = tuple(
    SeatLook(army_name(seat), INKS[seat], SEAT_GLYPHS[seat], CODES[seat], _TEXT_SYMBOLS[seat])
    for seat in range(len(INKS))
)
"""The name and appearance of each seat, the same in every match."""


def look(setup: Setup, seat: Seat) -> SeatLook:
    """Return the name and appearance of a seat."""
    return LOOKS[seat]


def draw(view: View, viewer: int | None) -> Scene:
    """Return the scene that a viewer sees; marks for what happened are added elsewhere."""
    position, own = view
    law = position.info.law
    codes = map_tables(law.atlas).codes
    mine = own if viewer is not None and 0 <= viewer < law.seats else None
    spread = mine.spread if mine is not None and position.phase == "setup" else ()
    armies = tuple(map(sum, zip(position.armies, spread, strict=True))) if spread else position.armies
    tokens = tuple(
        _token(code, by, n) for code, by, n in zip(codes, position.owner, armies, strict=True) if by != NOBODY
    )
    return Scene(
        board(law.atlas, law.seats),
        tokens,
        tuple(_panel(position, seat, armies, mine if seat == viewer else None) for seat in range(law.seats)),
        headline(position),
        (*_marks(position), *(() if mine is None or viewer is None else _secrets(position, viewer, mine))),
        glyphs=GLYPHS,
    )


@lru_cache(maxsize=1 << 14)
def _token(code: str, seat: int, n: int) -> Token:
    if seat == NEUTRAL:
        return Token(code, NEUTRAL_GLYPH, "black", "N", name=msg("domination.neutral"), count=n)
    return Token(code, SEAT_GLYPHS[seat], INKS[seat], CODES[seat], count=n)


def _marks(position: Position) -> tuple[Mark, ...]:
    """Return marks for the capitals, each in its seat's colour, and for the attack that is under way."""
    codes = map_tables(position.info.law.atlas).codes
    marks = [
        Mark("capital", codes[at], INKS[seat]) for seat, at in enumerate(position.info.capitals) if at != NONE
    ]
    if position.phase == "roll" and position.attack is not None:
        marks.append(
            Mark("arrow", codes[position.attack.src], INKS[position.turn], codes[position.attack.dst])
        )
    return tuple(marks)


def _secrets(position: Position, viewer: int, own: Secrets) -> tuple[Mark, ...]:
    """Return marks for what the viewer has decided and the others don't see yet."""
    codes = map_tables(position.info.law.atlas).codes
    if position.phase == "claim":
        return tuple(Mark("hint", codes[at]) for at in own.wishes)
    if position.phase == "setup":
        return tuple(Mark("changed", codes[at]) for at, n in enumerate(own.spread) if n)
    if position.phase == "capital" and own.pick != NONE:
        return (Mark("capital", codes[own.pick], INKS[viewer]),)
    return ()


def action_marks(view: View, action: Action) -> tuple[Mark, ...]:
    """Return marks where an action begins and where it leads."""
    match action.kind:
        case "attack" | "fortify":
            return (Mark("from", action.a), Mark("legal", action.b))
        case "claim" | "queue" | "capital" | "place":
            return (Mark("legal", action.a),)
        case "trade" if action.b:
            return (Mark("legal", action.b),)
        case "move" if (attack := view.position.attack) is not None:
            codes = map_tables(view.position.info.law.atlas).codes
            return (Mark("from", codes[attack.src]), Mark("legal", codes[attack.dst]))
        case _:
            return ()


# --- the headline ----------------------------------------------------------------------------------------


def headline(position: Position) -> Msg:
    """Return who is to do what, in one sentence with colours, not names, so that it fits into the picture."""
    info = position.info
    if info.outcome is not None:
        reason = info.outcome.why.key.rpartition(".")[2]
        values = [each for _, value in info.outcome.why.values if isinstance(value, tuple) for each in value]
        names: tuple[Value, ...] = tuple(army_name(each.seat) for each in values if isinstance(each, Who))
        return msg(f"domination.outcome.{reason}", who=names)
    if position.phase == "claim" and len(goals.claimants(position)) < len(position.living()):
        return msg("domination.headline.claim_last", n=position.owner.count(NOBODY))
    if position.phase not in _TURN_PHASES:
        return msg(f"domination.headline.{position.phase}")
    codes = map_tables(info.law.atlas).display_codes
    who, attack = army_name(position.turn), position.attack
    if position.phase == "place" and position.pool:
        return msg("domination.headline.place", n=position.pool, round=info.round, who=who)
    if position.phase == "place":
        return msg("domination.headline.trade", round=info.round, who=who)
    if position.phase in ("roll", "move") and attack is not None:
        there = codes[attack.dst]
        return msg(f"domination.headline.{position.phase}", at=there, round=info.round, who=who)
    return msg(f"domination.headline.{position.phase}", round=info.round, who=who)


# --- the panels of the seats -----------------------------------------------------------------------------


def _panel(position: Position, seat: int, armies: tuple[int, ...], own: Secrets | None) -> Panel:
    ink = INKS[seat]
    counted = position._replace(armies=armies).force(seat)
    held = [_item("land", ink, "L", position.owner.count(seat)), _item("armies", ink, "A", counted)]
    hand = position.info.cards[seat]
    more = [
        _item("income", ink, "N", _income(position, seat)),
        *([_item("cards", ink, "C", hand)] if own is None else _cards(position, seat, own)),
    ]
    shown = tuple(item for item in held + more if item.count)
    key = "own" if own is not None and hand else "seat"
    rows = (Row(msg(f"domination.panel.{key}"), shown, legend=True),) if shown else ()
    acts = seat in to_act(position) or (position.turn == seat and position.phase in _TURN_PHASES)
    teams = tuple(range(position.info.law.seats))
    state = panel_state(position.info.outcome, teams, seat, acts=acts, out=seat in position.info.out)
    return panel(seat, LOOKS[seat], state, rows, None, _badges(position, seat, own))


def _item(kind: str, ink: Ink, code: str, count: int) -> Item:
    return Item(kind, ink, code, count, msg(f"domination.item.{kind}", n=count))


def _income(position: Position, seat: int) -> int:
    """Return the armies that the seat gets at the start of its next turn if nothing changes."""
    if seat in position.info.out or position.info.outcome is not None or NOBODY in position.owner:
        return 0
    return reinforcements(position, seat)


def _cards(position: Position, seat: int, own: Secrets) -> list[Item]:
    """Return the kinds of the cards in the viewer's own hand."""
    kinds = deck(position.info.law.atlas).kinds
    counts = Counter(kinds[card] for card in own.hand)
    return [_item(kind, INKS[seat], kind[:2].upper(), counts[kind]) for kind in sorted(counts)]


def _badges(position: Position, seat: int, own: Secrets | None) -> tuple[Badge, ...]:
    """Return badges for continents held, armies to place in secret, and a win before play went on."""
    if position.info.outcome is not None or seat in position.info.out:
        return ()
    found: list[Badge] = []
    atlas = position.info.law.atlas
    held = position.continents_of(seat)
    if len(held) > _MAX_NAMED:
        found.append(Badge(msg("domination.badge.continents", n=len(held)), "good"))
    elif held:
        found.append(Badge(msg("domination.badge.continent", name=atlas.continents[held[0]].name), "good"))
    if own is not None and own.pool and position.phase == "setup":
        found.append(Badge(msg("domination.badge.pool", n=own.pool), "plain"))
    if position.info.victor == seat:
        found.append(Badge(msg("domination.badge.victor"), "good"))
    return tuple(found)
