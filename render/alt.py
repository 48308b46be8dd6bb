"""Alt text: a scene in words, short enough for Discord and complete enough to play by.

Piles are listed by the seat that controls them, from bottom to top. A single piece of its seat's own kind is
named by its place alone, unless it has a name. On large boards places are grouped by kind of piece, and named
zones are listed with their holders. Dice are read line by line, from home to front, by the letter of their
seat and their number, with the names of their places. Areas of a map are listed with their counts by owner,
after attacks and capitals. Where words don't fit, what seats hold is given by letters; then the shortest
piles are dropped, and the text says how many. On a map, what seats hold is dropped before any pile.
Source of the limit: Discord's documentation, attachment object, `description`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from games.engine.message import Msg, msg
from games.engine.scene import Ink, Lines, Map, MarkKind, Panel, Scene, Token
from render.geometry_grid import is_large
from render.piles import guards_at, marks_at, piles, zone_owners
from render.text import row_text

MAX_LENGTH = 1024
"""Maximum length of an attachment's description, in characters."""

_Details: TypeAlias = Literal["words", "letters", "none"]
"""How the rows of panels are told; what is behind them as well, unless nothing is."""

_DETAILS: tuple[_Details, ...] = ("words", "letters", "none")


def alt_text(scene: Scene, say: Callable[[Msg], str]) -> str:
    """Return a scene in at most `MAX_LENGTH` characters. Raises ValueError as `text_board` does."""
    stacks = piles(scene)
    marks_at(scene)
    keep = sorted(stacks, key=lambda name: -len(stacks[name]))
    for details in _DETAILS:
        whole = details == "words" or (details == "letters" and isinstance(scene.board, Map))
        least = len(keep) - 1 if whole else -1
        for count in range(len(keep), least, -1):
            text = _describe(scene, say, stacks, set(keep[:count]), len(keep) - count, details)
            if len(text) <= MAX_LENGTH:
                return text
    return say(scene.headline)[:MAX_LENGTH]


def _describe(
    scene: Scene,
    say: Callable[[Msg], str],
    stacks: dict[str, tuple[Token, ...]],
    kept: set[str],
    dropped: int,
    details: _Details,
) -> str:
    """Return the text with only the piles in `kept`, and with what seats hold as `details` says."""
    parts = [] if scene.watermark is None else [_with_full_stop(say(scene.watermark))]
    parts.append(_with_full_stop(say(scene.headline)))
    parts += _marks(scene, say)
    if any(len(stack) > 1 for stack in stacks.values()):
        parts.append(say(msg("render.alt.order")))
    seats = {panel.ink: panel for panel in scene.panels}
    for panel in scene.panels:
        if isinstance(scene.board, Lines):
            held = _dice_of(scene.board, panel, stacks, kept, say)
        else:
            held = _piles_of(scene, stacks, kept, panel, seats, say)
        parts.append(
            say(
                msg(
                    "render.alt.seat",
                    name=say(panel.name),
                    code=_codes_of_side(scene, panel),
                    piles=", ".join(held) or say(msg("render.alt.nothing")),
                )
            )
        )
        if panel.state == "out":
            parts.append(say(msg("render.alt.out")))
        if panel.badges:
            parts.append(_with_full_stop(", ".join(say(badge.label) for badge in panel.badges)))
        if details != "none":
            letters = details == "letters"
            parts += (_with_full_stop(row_text(row, say, letters=letters)) for row in panel.rows if row.items)
    others = [] if isinstance(scene.board, Lines) else _piles_of(scene, stacks, kept, None, seats, say)
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
        if ink in seats or not isinstance(scene.board, Map)
    ]
    if zones:
        parts.append(_with_full_stop("; ".join(zones)))
    if details != "none":
        parts += _guards_and_rings(scene, say)
    if dropped:
        parts.append(say(msg("render.alt.more", n=dropped)))
    return " ".join(parts)


def _codes_of_side(scene: Scene, panel: Panel) -> str:
    """Return the letters of a seat and its partners: `N+S`."""
    mates = (p.code for p in scene.panels if panel.team is not None and p.team == panel.team and p != panel)
    return "+".join((panel.code, *mates))


def _guards_and_rings(scene: Scene, say: Callable[[Msg], str]) -> list[str]:
    """Return sentences on who guards which places, and on places with a ring."""
    guarded = guards_at(scene)
    said = [
        say(msg("render.alt.guard", name=say(panel.name), at=", ".join(places)))
        for panel in scene.panels
        if (places := [name for name, inks in guarded.items() if panel.ink in inks])
    ]
    if not isinstance(scene.board, Lines | Map) and scene.board.special:
        said.append(say(msg("render.alt.special", at=", ".join(sorted(scene.board.special)))))
    return said


def _piles_of(
    scene: Scene,
    stacks: Mapping[str, Sequence[Token]],
    kept: set[str],
    panel: Panel | None,
    seats: Mapping[Ink, Panel],
    say: Callable[[Msg], str],
) -> list[str]:
    """Return the piles that `panel` controls (None: no seat); on a large board, single pieces by kind."""
    said: list[str] = []
    kinds: dict[str, list[str]] = {}
    for name, stack in stacks.items():
        if name not in kept or not (text := _pile(name, stack, panel, seats, say)):
            continue
        if is_large(scene.board) and len(stack) == 1:
            kinds.setdefault(_piece_name(stack[0], say), []).append(name)
        else:
            said.append(text)
    return said + [f"{kind} {' '.join(places)}" for kind, places in kinds.items()]


def _dice_of(
    board: Lines,
    panel: Panel,
    stacks: Mapping[str, Sequence[Token]],
    kept: set[str],
    say: Callable[[Msg], str],
) -> list[str]:
    """Return a seat's dice from home to front, and which are lost."""
    if panel.seat not in (0, 1):
        return []
    line = "ab"[panel.seat]
    names: dict[str, list[str]] = {}
    for at, what in board.labels:
        names.setdefault(at, []).append(say(what))
    said: list[str] = []
    lost: list[str] = []
    for n in range(1, board.length + 1):
        at = f"{line}{n}"
        if at not in stacks:
            lost.append(str(n))
        elif at in kept:
            where = f" ({', '.join(names[at])})" if at in names else ""
            said.append(f"{n} {_piece_name(stacks[at][-1], say)}{where}")
    if lost:
        said.append(say(msg("render.alt.lost", at=", ".join(lost))))
    return said


def _piece_name(token: Token, say: Callable[[Msg], str]) -> str:
    """Return the name of a piece, or its letters and pips if it has none."""
    return say(token.name) if token.name is not None else f"{token.code}{token.pips or ''}"


def _place_name(scene: Scene, at: str) -> str:
    """Return the name of a place; a die goes by the letter of its seat and its number."""
    if not isinstance(scene.board, Lines):
        return at
    codes = {"ab"[panel.seat]: panel.code for panel in scene.panels if panel.seat in (0, 1)}
    return codes.get(at[0], at[0]) + at[1:]


def _pile(
    name: str,
    stack: Sequence[Token],
    panel: Panel | None,
    owners: Mapping[Ink, Panel],
    say: Callable[[Msg], str],
) -> str:
    """Return a pile in words if `panel` controls it (None: no seat), else an empty string."""
    top = stack[-1]
    if owners.get(top.ink) is not panel:
        return ""
    if top.count:
        return f"{name} {top.count}"
    if len(stack) == 1 and top.name is not None:
        return f"{name} {say(top.name)}"
    if len(stack) == 1 and panel is not None and top.code == panel.code:
        return name
    return f"{name} {''.join(token.code for token in stack)}"


def _marks(scene: Scene, say: Callable[[Msg], str]) -> list[str]:
    """Return sentences on what the marks show, kind by kind."""
    places: dict[MarkKind, list[str]] = {}
    for mark in scene.marks:
        places.setdefault(mark.kind, []).append(_place_name(scene, mark.at))
    said: list[str] = []
    dice = isinstance(scene.board, Lines)
    if not dice and len(places.get("from", ())) == len(places.get("to", ())) == 1:
        said.append(say(msg("render.alt.move", start=places.pop("from")[0], end=places.pop("to")[0])))
    attacks = dict.fromkeys(f"{mark.at}>{mark.to}" for mark in scene.marks if mark.kind == "arrow")
    if attacks:
        said.append(say(msg("render.alt.attacks", at=", ".join(attacks))))
    seats: dict[Ink | None, str] = {panel.ink: panel.code for panel in scene.panels}
    capitals = [f"{seats.get(mark.ink, '–')} {mark.at}" for mark in scene.marks if mark.kind == "capital"]
    if capitals:
        said.append(say(msg("render.alt.capitals", at=", ".join(capitals))))
    rest = (kind for kind in _PLACE_MARKS if kind in places)
    return said + [say(_mark(kind, ", ".join(dict.fromkeys(places[kind])), dice)) for kind in rest]


_PlaceMark: TypeAlias = Literal["from", "to", "captured", "changed", "legal", "hint"]
"""The kinds of marks that only point at a place."""

_PLACE_MARKS: tuple[_PlaceMark, ...] = ("from", "to", "captured", "changed", "legal", "hint")


def _mark(kind: _PlaceMark, at: str, dice: bool) -> Msg:
    """Return the message for marks of one kind. Dice never move, so theirs are worded differently."""
    match kind:
        case "from":
            return msg("render.alt.attacked", at=at) if dice else msg("render.alt.from", at=at)
        case "to":
            return msg("render.alt.changed", at=at) if dice else msg("render.alt.to", at=at)
        case "changed":
            return msg("render.alt.changed", at=at)
        case "captured":
            return msg("render.alt.captured", at=at)
        case "legal":
            return msg("render.alt.legal", at=at)
        case "hint":
            return msg("render.alt.hint", at=at)


def _with_full_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else text + "."
