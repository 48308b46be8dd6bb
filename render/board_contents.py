"""What lies where: tokens as piles, marks, guards and zone owners by place, checked against the board."""

from __future__ import annotations

from typing import Literal

from games.engine.message import Msg
from games.engine.scene import Ink, MarkKind, Scene, Token

_OWNED: frozenset[MarkKind] = frozenset({"guard", "flag", "arrow", "capital"})


def piles(scene: Scene) -> dict[str, tuple[Token, ...]]:
    """Return the tokens of each occupied place, lowest first, with places in the order of their names.

    Raises ValueError for a token off the board, and for two on one level of a place.
    """
    places = scene.board.places
    found: dict[str, dict[int, Token]] = {}
    for token in scene.tokens:
        if token.at not in places:
            raise ValueError(f"a token lies off the board: {token.code} at {token.at!r}")
        levels = found.setdefault(token.at, {})
        if token.level in levels:
            raise ValueError(f"two tokens on level {token.level} of {token.at}")
        levels[token.level] = token
    return {
        name: tuple(found[name][level] for level in sorted(found[name])) for name in sorted(found, key=_order)
    }


def marks_at(scene: Scene) -> dict[str, frozenset[MarkKind]]:
    """Return the kinds of marks by place.

    Raises ValueError for a mark off the board, and for a guard, flag, arrow or capital without an ink.
    """
    places = scene.board.places
    found: dict[str, frozenset[MarkKind]] = {}
    for mark in scene.marks:
        if mark.at not in places:
            raise ValueError(f"a mark lies off the board: {mark.kind} at {mark.at!r}")
        if mark.kind == "arrow" and mark.to not in places:
            raise ValueError(f"an arrow leads off the board: from {mark.at!r} to {mark.to!r}")
        if mark.kind in _OWNED and mark.ink is None:
            raise ValueError(f"a {mark.kind} without an ink: at {mark.at!r}")
        found[mark.at] = found.get(mark.at, frozenset()) | {mark.kind}
    return found


def guards_at(scene: Scene, kind: Literal["guard", "flag"] = "guard") -> dict[str, tuple[Ink, ...]]:
    """Return the inks of the guards or flags on each place, in the order of the panels."""
    order = {panel.ink: nth for nth, panel in enumerate(scene.panels)}
    found: dict[str, set[Ink]] = {}
    for mark in scene.marks:
        if mark.kind == kind and mark.ink is not None:
            found.setdefault(mark.at, set()).add(mark.ink)
    return {
        name: tuple(sorted(found[name], key=lambda ink: (order.get(ink, len(order)), ink)))
        for name in sorted(found, key=_order)
    }


def zone_owners(scene: Scene) -> list[tuple[Msg, Ink | None]]:
    """Return the visible zones with a name, each with its owner's ink: by its flag or its armies."""
    board, seen = scene.board, scene.board.places
    flags = {mark.at: mark.ink for mark in scene.marks if mark.kind == "flag"}
    armies = {token.at: token.ink for token in scene.tokens if board.armies}
    found: list[tuple[Msg, Ink | None]] = []
    for zone in board.zones:
        if zone.name is not None and zone.places & seen:
            there = {armies.get(place) for place in zone.places}
            held = there.pop() if len(there) == 1 else None
            found.append((zone.name, next((ink for at, ink in flags.items() if at in zone.places), held)))
    return found


def _order(name: str) -> tuple[str, int]:
    return (name[0], int(name[1:])) if name[1:].isdecimal() else (name, 0)
