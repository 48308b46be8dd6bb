"""The picture of a scene: a copy of the empty board, a tile for each place in use, and the seats' panels.

Nothing is drawn twice, and nothing is quantised: a picture consists of palette indices from the first step to
the encoder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import atan2, degrees
from typing import TypeAlias

from PIL import Image

from games.engine.message import Msg
from games.engine.scene import Lines, Map, Scene
from render import byte_budget, map_picture, watermark
from render.byte_budget import Detail
from render.empty_board import empty_board, empty_tile
from render.geometry import FULL_UNIT, Layout
from render.geometry_grid import is_large
from render.glyphs import interned_glyphs
from render.layouts import layout
from render.line_labels import draw_attack, name_labels
from render.panels import panel_images
from render.piles import guards_at, marks_at, piles
from render.png import LARGE_QUICK_LIMIT, QUICK_LIMIT, encode
from render.themes import palette_key
from render.tile import Guard
from render.tiles import paste_tile

Say: TypeAlias = Callable[[Msg], str]
"""Return a message as a sentence in the reader's language."""

GUARD_SLOTS = 4
"""Number of positions for guards on a place; seats beyond that share them."""


def _move_direction(scene: Scene, plan: Layout) -> int | None:
    """Return the direction of the move that is marked, in degrees clockwise from the right.

    On squares it is one of eight. None unless exactly one move is marked, and on lines of dice.
    """
    left = {mark.at for mark in scene.marks if mark.kind == "from"}
    reached = {mark.at for mark in scene.marks if mark.kind == "to"}
    if len(left) != 1 or len(reached) != 1 or left == reached or plan.shape == "die":
        return None
    (x0, y0), (x1, y1) = plan.centre(left.pop()), plan.centre(reached.pop())
    dx, dy = x1 - x0, y1 - y0
    if plan.shape == "square":
        dx, dy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    return round(degrees(atan2(dy, dx))) % 360


def picture(
    scene: Scene,
    say: Say,
    theme: str,
    *,
    final: bool = False,
    unit: int = FULL_UNIT,
    detail: Detail | None = None,
) -> Image.Image:
    """Return the picture of a scene in the palette of `theme`; `unit` is the size of a cell in pixels.

    A map's artwork has the given `detail`, by default the finest that can be sent. Raises ValueError for a
    token or mark off the board, two tokens in one spot, and an unknown theme.
    """
    theme = palette_key(theme, scene.board)
    if isinstance(scene.board, Map):
        detail = detail or byte_budget.finest_detail(scene.board, say, theme, unit)
        unit = round(unit * detail.scale)
        plan = layout(scene.board, scene.turns, unit)
        image = map_picture.draw(scene, scene.board, say, theme, unit, detail.level)
        for part, spot in panel_images(scene, say, plan, theme, final=final):
            image.paste(part, spot)
        return _watermarked(image, scene, say, theme)
    plan = layout(scene.board, scene.turns, unit)
    marks, stacks, guards = marks_at(scene), piles(scene), guards_at(scene)
    flags = guards_at(scene, "flag")
    direction = _move_direction(scene, plan)
    owners = {panel.ink: (nth, panel.glyph) for nth, panel in enumerate(scene.panels)}
    glyphs = interned_glyphs(
        scene.glyphs, [*(token.glyph for token in scene.tokens), *(panel.glyph for panel in scene.panels), ""]
    )
    image = empty_board(scene.board, scene.turns, unit, theme).copy()
    for name in plan.places:  # in a fixed order, because hexagons share edges
        if name not in stacks and name not in marks:
            continue
        stack = stacks.get(name, ())
        kinds = marks.get(name, frozenset())
        guards_here = [(ink, *owners.get(ink, (len(owners), ""))) for ink in guards.get(name, ())]
        tile = replace(
            empty_tile(plan, theme, name),
            discs=tuple((glyphs[token.glyph], token.ink) for token in stack),
            pips=stack[-1].pips if stack else 0,
            marks=kinds,
            direction=direction if "from" in kinds else None,
            guards=tuple(Guard(nth % GUARD_SLOTS, glyphs[glyph], ink) for ink, nth, glyph in guards_here),
            letter=stack[-1].letter if stack and plan.top_view else "",
            flags=flags.get(name, ()),
        )
        paste_tile(image, tile, plan.places[name])
    if isinstance(scene.board, Lines):
        for part, spot in name_labels(scene.board, say, plan, theme):
            image.paste(part, spot)
        draw_attack(image, scene, plan, theme)
    for part, spot in panel_images(scene, say, plan, theme, final=final):
        image.paste(part, spot)
    return _watermarked(image, scene, say, theme)


def _watermarked(image: Image.Image, scene: Scene, say: Say, theme: str) -> Image.Image:
    return image if scene.watermark is None else watermark.add_frame(image, say(scene.watermark), theme)


def draw(scene: Scene, say: Say, *, theme: str = "classic", final: bool = False) -> bytes:
    """Return a scene as PNG; equal scenes in one language give equal bytes.

    With `final`, for the end of a match, the winners' cards get a broad frame and no seat is shown as to act.
    Raises ValueError as `picture` does.
    """
    if not isinstance(scene.board, Map):
        return encode(
            picture(scene, say, theme, final=final),
            LARGE_QUICK_LIMIT if is_large(scene.board) else QUICK_LIMIT,
        )
    finest = byte_budget.finest_detail(scene.board, say, palette_key(theme, scene.board), FULL_UNIT)
    data = b""
    for grain in byte_budget.coarser(finest):
        data = encode(picture(scene, say, theme, final=final, detail=grain), LARGE_QUICK_LIMIT)
        if len(data) <= byte_budget.BUDGET or scene.board.ground is None:
            break
    return data
