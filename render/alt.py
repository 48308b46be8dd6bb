"""Alt text: a scene in words, short enough for Discord and complete enough to play by.

Piles are listed by the seat that controls them, from bottom to top. A single piece of its seat's own kind is
named by its place alone, unless it has a name. On large boards places are grouped by kind of piece, and named
zones are listed with their holders. Dice are read line by line, from home to front, by the letter of their
seat and their number, with the names of their places. Areas of a map are listed with their counts by owner,
after attacks and capitals. Where words don't fit, what seats hold is given by letters; then the shortest
piles are dropped, and the text gives their number. On a map, what seats hold is dropped before any pile.
Source of the limit: Discord's documentation, attachment object, `description`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from games.engine.message import msg
from games.engine.scene import Ink, MarkKind, Panel, Scene, Token
from render.board_contents import guards_at, marks_at, piles, zone_owners
from render.board_kind import Say
from render.kinds import kind_of, layout
from render.text import row_text

MAX_LENGTH = 1024
"""Maximum length of an attachment's description, in characters."""

_Details: TypeAlias = Literal["words", "letters", "none"]
"""How the rows of panels are written; what is behind them as well, unless nothing is."""

_PLACE_MARKS: tuple[MarkKind, ...] = ("from", "to", "captured", "changed", "legal", "hint")
"""The kinds of marks that only point at a place."""

_STILL: Mapping[MarkKind, str] = {"from": "attacked", "to": "changed"}
"""How marks are worded where pieces never move."""


def alt_text(scene: Scene, say: Say) -> str:
    """Return a scene in at most `MAX_LENGTH` characters. Raises ValueError as `text_board` does."""
    layout(scene.board, scene.turns)
    stacks = piles(scene)
    marks_at(scene)
    keep = sorted(stacks, key=lambda name: -len(stacks[name]))
    for details in get_args(_Details):
        whole = details == "words" or (details == "letters" and scene.board.armies)
        least = len(keep) - 1 if whole else -1
        for count in range(len(keep), least, -1):
            kept = set(keep[:count])
            listed = {name: stack for name, stack in stacks.items() if name in kept}
            text = _describe(scene, say, listed, len(keep) - count, details)
            if len(text) <= MAX_LENGTH:
                return text
    return say(scene.headline)[:MAX_LENGTH]


def _describe(
    scene: Scene, say: Say, stacks: dict[str, tuple[Token, ...]], dropped: int, details: _Details
) -> str:
    """Return the text with only the piles in `stacks`, and with what seats hold in the form of `details`."""
    board, kind = scene.board, kind_of(scene.board)
    parts = [] if scene.watermark is None else [with_full_stop(say(scene.watermark))]
    parts.append(with_full_stop(say(scene.headline)))
    parts += _marks(scene, say)
    if any(token.level for token in scene.tokens):
        parts.append(say(msg("render.alt.order")))
    seats = {panel.ink: panel for panel in scene.panels}
    for panel in scene.panels:
        held = ", ".join(kind.pieces(board, scene, stacks, panel, say)) or say(msg("render.alt.nothing"))
        codes = _codes_of_side(scene, panel)
        parts.append(say(msg("render.alt.seat", name=say(panel.name), code=codes, piles=held)))
        if panel.state == "out":
            parts.append(say(msg("render.alt.out")))
        if panel.badges:
            parts.append(with_full_stop(", ".join(say(badge.label) for badge in panel.badges)))
        if details != "none":
            letters = details == "letters"
            parts += (with_full_stop(row_text(row, say, letters=letters)) for row in panel.rows if row.items)
    others = kind.pieces(board, scene, stacks, None, say)
    free = {token.code: token.name for token in scene.tokens if token.count and token.ink not in seats}
    named = [(code, name) for code, name in free.items() if name is not None]
    if others and len(free) == len(named) == 1:
        code, name = named[0]
        parts.append(say(msg("render.alt.seat", name=say(name), code=code, piles=", ".join(others))))
    elif others:
        parts.append(say(msg("render.alt.others", piles=", ".join(others))))
    zones = [
        f"{say(zone)}: {say(seats[ink].name) if ink in seats else '–'}"
        for zone, ink in zone_owners(scene)
        if ink in seats or not board.armies
    ]
    if zones:
        parts.append(with_full_stop("; ".join(zones)))
    if details != "none":
        parts += _guards_and_rings(scene, say)
    if dropped:
        parts.append(say(msg("render.alt.more", n=dropped)))
    return " ".join(parts)


def _codes_of_side(scene: Scene, panel: Panel) -> str:
    """Return the letters of a seat and its partners: `N+S`."""
    mates = (p.code for p in scene.panels if panel.team is not None and p.team == panel.team and p != panel)
    return "+".join((panel.code, *mates))


def _guards_and_rings(scene: Scene, say: Say) -> list[str]:
    """Return sentences on who guards which places, and on places with a ring."""
    guarded = guards_at(scene)
    sentences = [
        say(msg("render.alt.guard", name=say(panel.name), at=", ".join(places)))
        for panel in scene.panels
        if (places := [name for name, inks in guarded.items() if panel.ink in inks])
    ]
    if scene.board.special:
        sentences.append(say(msg("render.alt.special", at=", ".join(sorted(scene.board.special)))))
    return sentences


def _marks(scene: Scene, say: Say) -> list[str]:
    """Return sentences on what the marks show, kind by kind."""
    places: dict[MarkKind, list[str]] = {}
    kind = kind_of(scene.board)
    for mark in scene.marks:
        places.setdefault(mark.kind, []).append(kind.place_name(scene, mark.at))
    sentences: list[str] = []
    if kind.moves and len(places.get("from", ())) == len(places.get("to", ())) == 1:
        sentences.append(say(msg("render.alt.move", start=places.pop("from")[0], end=places.pop("to")[0])))
    attacks = dict.fromkeys(f"{mark.at}>{mark.to}" for mark in scene.marks if mark.kind == "arrow")
    if attacks:
        sentences.append(say(msg("render.alt.attacks", at=", ".join(attacks))))
    seats: dict[Ink | None, str] = {panel.ink: panel.code for panel in scene.panels}
    capitals = [f"{seats.get(mark.ink, '–')} {mark.at}" for mark in scene.marks if mark.kind == "capital"]
    if capitals:
        sentences.append(say(msg("render.alt.capitals", at=", ".join(capitals))))
    for what in _PLACE_MARKS:
        if what in places:
            key = what if kind.moves else _STILL.get(what, what)
            sentences.append(say(msg(f"render.alt.{key}", at=", ".join(dict.fromkeys(places[what])))))
    return sentences


def with_full_stop(text: str) -> str:
    """Return a sentence with its full stop."""
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else text + "."
