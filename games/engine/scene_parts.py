"""Build what scenes consist of: outlines of glyphs; tokens, panels and items by the look of a seat."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from typing import TypeAlias, overload

from games.engine.message import Msg, Value, Who
from games.engine.scene import Badge, Item, Panel, PanelState, Row, Token
from games.engine.values import Outcome, SeatLook

Outline: TypeAlias = tuple[tuple[float, float], ...]


def box(left: float, bottom: float, right: float, top: float) -> Outline:
    """Return a rectangle."""
    return ((left, bottom), (right, bottom), (right, top), (left, top))


def arc(x: float, y: float, radius: float, start: float = 0, end: float = 360, corners: int = 48) -> Outline:
    """Return an arc of a circle between two angles in degrees; by default the whole circle."""
    angles = (radians(start + (end - start) * n / corners) for n in range(corners + (end - start < 360)))
    return tuple((round(x + radius * cos(a), 4), round(y + radius * sin(a), 4)) for a in angles)


def panel(
    seat: int,
    look: SeatLook,
    state: PanelState,
    rows: tuple[Row, ...] = (),
    team: int | None = None,
    badges: tuple[Badge, ...] = (),
) -> Panel:
    """Return the panel of a seat with its name, glyph, ink and code."""
    return Panel(seat, look.name, look.glyph, look.ink, look.code, state, rows, team, badges)


def token(at: str, look: SeatLook, level: int = 0) -> Token:
    """Return a token that shows the glyph of its seat."""
    return Token(at, look.glyph, look.ink, look.code, level)


def pieces(look: SeatLook, count: int) -> tuple[Item, ...]:
    """Return `count` pieces of a seat as the items of a panel row; empty for 0."""
    return (Item(look.glyph, look.ink, look.code, count),) if count else ()


@overload
def by_look(value: Msg, looks: Sequence[SeatLook]) -> Msg: ...


@overload
def by_look(value: Value, looks: Sequence[SeatLook]) -> Value: ...


def by_look(value: Value, looks: Sequence[SeatLook]) -> Value:
    """Return a message with looks' names in place of seats: pictures need them, as they know no players."""
    if isinstance(value, Msg):
        return Msg(value.key, tuple((name, by_look(each, looks)) for name, each in value.values))
    if isinstance(value, tuple):
        return tuple(by_look(each, looks) for each in value)
    return looks[value.seat].name if isinstance(value, Who) else value


def panel_state(
    outcome: Outcome | None, teams: tuple[int, ...], seat: int, *, acts: bool, out: bool = False
) -> PanelState:
    """Return the state of a seat's panel: its result once there is one, else whether it acts or is out.

    A first place shared by several teams is a draw.
    """
    if outcome is not None:
        first = {team for team, rank in zip(teams, outcome.ranks, strict=True) if rank == 1}
        return "lost" if outcome.ranks[seat] != 1 else "drawn" if len(first) > 1 else "won"
    return "out" if out else "to_act" if acts else "waiting"
