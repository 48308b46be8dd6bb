"""The scene of a position: the land, its pieces and flags, and a panel for each team.

The turn, the control of Territories and contested Peasants are always shown; of the Sergeants that are being
chosen, only the viewer's own. The outlines of glyphs are bold and differ as a whole: on a phone one is about
eleven pixels wide. Each shows what the piece is or how it moves: the tower moves straight, the horse leaps.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import cos, pi, sin
from typing import Final

from games.dominion.actions import Action
from games.dominion.board import (
    ALL_STRONGHOLDS,
    CIRCLE,
    DEFENSIVE_LINES,
    NAMES,
    SIDES,
    SIZE,
    TERRITORIES,
    start_points,
    territory_square,
)
from games.dominion.consequences import contested
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
    sandwiched_seat,
    sides_of,
)
from games.engine.game import Seat, SeatLook, Setup
from games.engine.message import Msg, msg
from games.engine.scene import Badge, Glyph, Grid, Ink, Item, Mark, Panel, Row, Scene, Token, Zone
from games.engine.scene_parts import Outline, arc, box, panel, panel_state


def _even(right: Outline) -> Outline:
    """Return a symmetric outline from its right half, whose x coordinates count from the middle."""
    left = tuple((-x, y) for x, y in reversed(right) if x)
    return tuple((round(0.5 + x, 4), y) for x, y in right + left)


def _star(points: int, outer: float, inner: float, x: float, y: float) -> Outline:
    turns = ((pi * k / points, (outer, inner)[k % 2]) for k in range(2 * points))
    return tuple((round(x + far * sin(a), 4), round(y + far * cos(a), 4)) for a, far in turns)


def _chevron(top: float) -> Outline:
    right = ((0.0, top), (0.45, top - 0.4), (0.45, top - 0.61), (0.0, top - 0.21))
    return _even(right)


_CROWN: Final = (
    (0.12, 0.34), (0.88, 0.34), (0.98, 0.82), (0.7, 0.58), (0.5, 0.96), (0.3, 0.58), (0.02, 0.82),
)  # fmt: skip
_TOWER: Final = _even(
    (
        (0.0, 0.78), (0.1, 0.78), (0.1, 0.96), (0.36, 0.96), (0.36, 0.62), (0.23, 0.54),
        (0.27, 0.27), (0.4, 0.17), (0.4, 0.03),
    )
)  # fmt: skip
_ANCHOR: Final = _even(
    (
        (0.075, 0.72), (0.075, 0.68), (0.27, 0.68), (0.27, 0.54), (0.075, 0.54), (0.075, 0.16), (0.2, 0.2),
        (0.29, 0.31), (0.2, 0.33), (0.39, 0.55), (0.5, 0.27), (0.42, 0.27), (0.35, 0.13), (0.21, 0.03),
        (0.0, 0.0),
    )
)  # fmt: skip
_HORSE: Final = (
    (0.2, 0.03), (0.86, 0.03), (0.93, 0.3), (0.91, 0.55), (0.82, 0.75), (0.66, 0.87), (0.62, 0.99),
    (0.5, 0.88), (0.34, 0.78), (0.22, 0.62), (0.07, 0.42), (0.08, 0.29), (0.2, 0.23), (0.32, 0.33),
    (0.53, 0.43), (0.5, 0.33), (0.27, 0.16),
)  # fmt: skip
_DAGGER: Final = _even(
    (
        *((0.0, 1.0), (0.11, 0.94), (0.08, 0.8), (0.08, 0.77), (0.34, 0.77), (0.34, 0.65), (0.18, 0.62)),
        *((0.16, 0.32), (0.0, 0.0)),
    )
)
_SHIELD: Final = _even(((0.0, 0.97), (0.4, 0.85), (0.4, 0.46), (0.34, 0.28), (0.2, 0.13), (0.0, 0.02)))

_KINDS: Final = {
    "emperor": Glyph((_CROWN, box(0.12, 0.1, 0.88, 0.24))),
    "prince": Glyph((_star(5, 0.525, 0.215, 0.5, 0.46),)),
    "general": Glyph((_TOWER,)),
    "admiral": Glyph((_ANCHOR, arc(0.5, 0.85, 0.15, corners=40), arc(0.5, 0.85, 0.06, corners=40))),
    "warrior": Glyph((_HORSE,)),
    "assassin": Glyph((_DAGGER,)),
    "sergeant": Glyph((_chevron(0.98), _chevron(0.63))),
    "soldier": Glyph((_SHIELD,)),
    "peasant": Glyph((((0.0, 0.5), (0.5, 0.98), (1.0, 0.5)), arc(0.5, 0.02, 0.42, 0, 180, corners=40))),
}
_TEAMS: Final = {
    "triangle": Glyph((((0.5, 0.95), (0.04, 0.14), (0.96, 0.14)),)),
    "diamond": Glyph((((0.5, 1.0), (0.92, 0.5), (0.5, 0.0), (0.08, 0.5)),)),
    "square": Glyph((box(0.14, 0.14, 0.86, 0.86),)),
    "circle": Glyph((arc(0.5, 0.5, 0.42, corners=40),)),
}
TEAM_GLYPHS: Final = tuple(_TEAMS)
"""The key of each side's symbol: north, east, south, west."""
GLYPHS: Final = {kind: _KINDS[kind] for kind in KIND_KEYS if kind} | _TEAMS


KINGDOMS: Final = ("zhao", "qi", "chu", "liang")
"""The kingdom on each side of the board, clockwise from north."""
INKS: Final[tuple[Ink, ...]] = ("red", "yellow", "blue", "green")
CODES: Final = "NESW"
_TEXT_SYMBOLS: Final = "▲◆■●"
_TURNS: Final = (2, 1, 0, 3)
"""Quarter turns that bring each side to the bottom."""
FLAG_SPOTS: Final = ((0, 1), (6, 1), (1, 0), (5, 0), (0, 0), (6, 0), (0, 2), (6, 2))
"""Squares for a Territory's flag, in local coordinates: the first empty one is used."""
_ZONES: Final = (
    *(
        Zone(INKS[side], frozenset(NAMES[at] for at in land), msg(f"dominion.side.{SIDES[side]}"))
        for side, land in enumerate(TERRITORIES)
    ),
    Zone("faint", frozenset(NAMES[at] for at in CIRCLE)),
)


@cache
def board(sides: tuple[int, ...]) -> Grid:
    """Return the board with the start points in use for these sides."""
    return Grid(
        SIZE,
        SIZE,
        zones=_ZONES,
        edges=frozenset((NAMES[min(line)], NAMES[max(line)]) for side in DEFENSIVE_LINES for line in side),
        forts=frozenset(NAMES[at] for at in ALL_STRONGHOLDS),
        starts=frozenset(NAMES[at] for at in start_points(sides)),
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
    position = view.position
    sides = position.law.sides
    contested_squares = frozenset(contested(position))
    chosen = () if view.own is None or position.phase != "sergeants" or viewer is None else view.own
    tokens = tuple(
        _token(at, piece(owner(code), SERGEANT) if at in chosen else code, sides, at in contested_squares)
        for at, code in enumerate(position.board)
        if code
    )
    marks = [Mark("contested", NAMES[at]) for at in sorted(contested_squares)]
    marks += (Mark("changed", NAMES[at]) for at in chosen)
    for side, seat in enumerate(position.control):
        if seat != NOBODY:
            marks.append(Mark("flag", NAMES[_flag_spot(position.board, side)], INKS[sides[seat]]))
    return Scene(
        board(sides),
        tokens,
        tuple(_panel(position, seat) for seat in range(len(sides))),
        headline(position),
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


def headline(position: Position) -> Msg:
    """Return the one-line state of the match; it names kingdoms, not people, to fit into a picture."""
    sides = position.law.sides
    if position.outcome is not None:
        reason = position.outcome.why.key.rpartition(".")[2]
        winners = (side for side, rank in zip(sides, position.outcome.ranks, strict=True) if rank == 1)
        return msg(f"dominion.outcome.{reason}", who=tuple(map(kingdom, winners)))
    if position.phase in ("throw", "sergeants", "fate"):
        return msg(f"dominion.headline.{position.phase}")
    return msg(f"dominion.headline.{position.phase}", who=kingdom(sides[position.turn]))


# --- pieces and flags ------------------------------------------------------------------------------------


def _token(square: int, code: int, sides: tuple[int, ...], is_contested: bool) -> Token:
    at, seat, kind = NAMES[square], owner(code), kind_of(code)
    if seat == NOBODY:
        name = msg(f"dominion.piece.{'contested' if is_contested else 'free'}")
        return Token(at, KIND_KEYS[PEASANT], "paper", LETTERS[PEASANT], name=name)
    side = sides[seat]
    name = msg("dominion.piece.recruited") if kind == PEASANT else piece_name(kind)
    letter = LETTERS[kind]
    return Token(at, KIND_KEYS[kind], INKS[side], CODES[side].lower() + letter, name=name, letter=letter)


def _flag_spot(land: bytes, side: int) -> int:
    spots = [territory_square(side, x, y) for x, y in FLAG_SPOTS]
    return next((at for at in spots if not land[at]), spots[0])


# --- panels ----------------------------------------------------------------------------------------------


def _panel(position: Position, seat: int) -> Panel:
    law = position.law
    side = law.sides[seat]
    rows = [Row(msg("dominion.panel.army"), _army(position, seat))]
    if position.seals[seat]:
        item = _item(EMPEROR, INKS[side], position.seals[seat])
        rows.append(Row(msg("dominion.panel.seals"), (item,)))
    due = seat in to_act(position) or (position.turn == seat and position.phase in ("fate", "succession"))
    stands = panel_state(position.outcome, law.camps, seat, acts=due, out=seat in position.out)
    team = law.camps[seat] if len(set(law.camps)) < len(law.camps) else None
    return panel(seat, LOOKS[side], stands, tuple(rows), team, _badges(position, seat))


def _army(position: Position, seat: int) -> tuple[Item, ...]:
    counts = Counter(kind_of(code) for code in position.board if owner(code) == seat)
    ink = INKS[position.law.sides[seat]]
    return tuple(_item(kind, ink, counts[kind]) for kind in sorted(counts))


def _item(kind: int, ink: Ink, count: int) -> Item:
    key = KIND_KEYS[kind]
    return Item(key, ink, LETTERS[kind], count, msg(f"dominion.item.{key}", n=count))


def _badges(position: Position, seat: int) -> tuple[Badge, ...]:
    """Return badges for a pending heir, an unusual number of Territories, and the sandwiched seat."""
    if position.outcome is not None or seat in position.out:
        return ()
    found: list[Badge] = []
    if seat in position.pending:
        found.append(Badge(msg("dominion.badge.heir"), "bad"))
    held = position.control.count(seat)
    if held > 1:
        found.append(Badge(msg("dominion.badge.territories", n=held), "good"))
    elif position.control[position.law.sides[seat]] != seat:
        found.append(Badge(msg("dominion.badge.territories", n=held), "bad"))
    if sandwiched_seat(position.law) == seat and not position.out:
        found.append(Badge(msg("dominion.badge.sandwiched"), "plain"))
    return tuple(found)
