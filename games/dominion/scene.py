"""The scene of a position: the land, its pieces and flags, and a panel for each team.

The turn, the control of Territories and contested Peasants are always shown; of the Sergeants that are being
chosen, only the viewer's own.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

from games.dominion.actions import Action
from games.dominion.board import CIRCLE, FORTS, LINES, NAMES, SIDES, SIZE, TERRITORY, local, points
from games.dominion.consequences import contested
from games.dominion.glyphs import GLYPHS, TEAM_GLYPHS
from games.dominion.judge import to_act
from games.dominion.moves import piece_name
from games.dominion.position import (
    EMPEROR,
    KIND_KEYS,
    LETTERS,
    NOBODY,
    PEASANT,
    SERGEANT,
    Position,
    View,
    kind_of,
    owner,
    piece,
    sandwiched,
    sides_of,
)
from games.engine.game import Seat, SeatLook, Setup
from games.engine.message import Msg, Who, msg
from games.engine.panels import panel, panel_state
from games.engine.scene import Badge, Grid, Ink, Item, Mark, Panel, Row, Scene, Token, Zone

KINGDOMS: Final = ("zhao", "qi", "chu", "liang")
"""The kingdom on each side of the board, clockwise from north."""
INKS: Final[tuple[Ink, ...]] = ("red", "yellow", "blue", "green")
CODES: Final = "NESW"
_TEXT_SYMBOLS: Final = "▲◆■●"
_TURNS: Final = (2, 1, 0, 3)
"""Quarter turns that bring each side to the bottom."""
FLAG_SPOTS: Final = ((0, 1), (6, 1), (1, 0), (5, 0), (0, 0), (6, 0), (0, 2), (6, 2))
"""Squares for a Territory's flag, in local coordinates: the first empty one is used."""
_CIRCLE: Final = Zone("faint", frozenset(NAMES[at] for at in CIRCLE))
_ZONES: Final = (
    *(
        Zone(INKS[side], frozenset(NAMES[at] for at in land), msg(f"dominion.side.{SIDES[side]}"))
        for side, land in enumerate(TERRITORY)
    ),
    _CIRCLE,
)


@cache
def board(sides: tuple[int, ...]) -> Grid:
    """Return the board with the start points in use for these sides."""
    return Grid(
        SIZE,
        SIZE,
        zones=_ZONES,
        edges=frozenset((NAMES[min(line)], NAMES[max(line)]) for side in LINES for line in side),
        forts=frozenset(NAMES[at] for at in FORTS),
        starts=frozenset(NAMES[at] for at in points(sides)),
    )


def kingdom(side: int) -> Msg:
    """Return the name of a side's team."""
    return msg(f"dominion.kingdom.{KINGDOMS[side]}")


LOOKS: Final = tuple(
    SeatLook(kingdom(side), INKS[side], TEAM_GLYPHS[side], CODES[side], _TEXT_SYMBOLS[side])
    for side in range(4)
)
"""Name and appearance of the seat on each side."""


def look(setup: Setup, seat: Seat) -> SeatLook:
    """Return the name and appearance of a seat."""
    return LOOKS[sides_of(setup.seats, str(setup.options["empty"]))[seat]]


def draw(view: View, viewer: int | None) -> Scene:
    """Return the scene of what a viewer knows, their side at the bottom, without marks of past moves."""
    place = view.position
    sides = place.law.sides
    striven = frozenset(contested(place))
    chosen = () if view.own is None or place.phase != "sergeants" or viewer is None else view.own
    tokens = []
    for at, code in enumerate(place.board):
        if code:
            shown = piece(owner(code), SERGEANT) if at in chosen else code
            tokens.append(_token(NAMES[at], shown, sides, at in striven))
    marks = [Mark("contested", NAMES[at]) for at in sorted(striven)]
    marks += (Mark("changed", NAMES[at]) for at in chosen)
    for side, seat in enumerate(place.control):
        if seat != NOBODY:
            marks.append(Mark("flag", NAMES[_flag_spot(place.board, side)], INKS[sides[seat]]))
    return Scene(
        board(sides),
        tuple(tokens),
        tuple(_panel(place, seat) for seat in range(len(sides))),
        headline(place),
        tuple(marks),
        _TURNS[sides[viewer]] if viewer is not None and 0 <= viewer < len(sides) else 0,
        glyphs=GLYPHS,
    )


def aim(action: Action) -> tuple[Mark, ...]:
    """Return marks for an action's origin and target; for Sergeants and answers to Fate the target only."""
    if action.kind == "move":
        return (Mark("from", NAMES[action.a]), Mark("legal", NAMES[action.b]))
    if action.kind == "sergeants":
        return (Mark("legal", NAMES[action.a]), Mark("legal", NAMES[action.b]))
    if action.kind in ("promote", "demote", "peasant"):
        return (Mark("legal", NAMES[action.a]),)
    return ()


def headline(place: Position) -> Msg:
    """Return the one-line state of the match; it names kingdoms, not people, to fit into a picture."""
    sides = place.law.sides
    if place.outcome is not None:
        reason = place.outcome.why.key.rpartition(".")[2]
        winners = [
            value for _, values in place.outcome.why.values if isinstance(values, tuple) for value in values
        ]
        names = tuple(kingdom(sides[who.seat]) for who in winners if isinstance(who, Who))
        return msg(f"dominion.outcome.{reason}", who=names)
    if place.phase in ("throw", "sergeants", "fate"):
        return msg(f"dominion.headline.{place.phase}")
    return msg(f"dominion.headline.{place.phase}", who=kingdom(sides[place.turn]))


# --- pieces and flags ------------------------------------------------------------------------------------


def _token(at: str, code: int, sides: tuple[int, ...], striven: bool) -> Token:
    seat, kind = owner(code), kind_of(code)
    if seat == NOBODY:
        name = msg(f"dominion.piece.{'contested' if striven else 'free'}")
        return Token(at, KIND_KEYS[PEASANT], "paper", LETTERS[PEASANT], name=name)
    side = sides[seat]
    name = msg("dominion.piece.recruited") if kind == PEASANT else piece_name(kind)
    letter = LETTERS[kind]
    return Token(at, KIND_KEYS[kind], INKS[side], CODES[side].lower() + letter, name=name, letter=letter)


def _flag_spot(land: bytes, side: int) -> int:
    spots = [local(side, x, y) for x, y in FLAG_SPOTS]
    return next((at for at in spots if not land[at]), spots[0])


# --- panels ----------------------------------------------------------------------------------------------


def _panel(place: Position, seat: int) -> Panel:
    law = place.law
    side = law.sides[seat]
    rows = [Row(msg("dominion.panel.army"), _army(place, seat))]
    if place.seals[seat]:
        item = _item(EMPEROR, INKS[side], place.seals[seat])
        rows.append(Row(msg("dominion.panel.seals"), (item,)))
    due = seat in to_act(place) or (place.turn == seat and place.phase in ("fate", "succession"))
    stands = panel_state(place.outcome, law.camps, seat, acts=due, out=seat in place.out)
    team = law.camps[seat] if len(set(law.camps)) < len(law.camps) else None
    return panel(seat, LOOKS[side], stands, tuple(rows), team, _badges(place, seat))


def _army(place: Position, seat: int) -> tuple[Item, ...]:
    counts = Counter(kind_of(code) for code in place.board if owner(code) == seat)
    ink = INKS[place.law.sides[seat]]
    return tuple(_item(kind, ink, counts[kind]) for kind in sorted(counts))


def _item(kind: int, ink: Ink, count: int) -> Item:
    key = KIND_KEYS[kind]
    return Item(key, ink, LETTERS[kind], count, msg(f"dominion.item.{key}", n=count))


def _badges(place: Position, seat: int) -> tuple[Badge, ...]:
    """Return badges: an heir in waiting, any other Territories than just one's own, the sandwiched seat."""
    if place.outcome is not None or seat in place.out:
        return ()
    found: list[Badge] = []
    if seat in place.pending:
        found.append(Badge(msg("dominion.badge.heir"), "bad"))
    held = place.control.count(seat)
    if held > 1:
        found.append(Badge(msg("dominion.badge.territories", n=held), "good"))
    elif place.control[place.law.sides[seat]] != seat:
        found.append(Badge(msg("dominion.badge.territories", n=held), "bad"))
    if sandwiched(place.law) == seat and not place.out:
        found.append(Badge(msg("dominion.badge.sandwiched"), "plain"))
    return tuple(found)
