"""Text on a board of two lines of dice: the names of places and of the gap; and the arrow across the gap.

A name begins at the outer edge of its place and may extend inwards up to the next name in its row. Kinds of
names alternate between the rows above and below, so that neighbours have room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Lines, Scene
from render import fonts
from render.cache import Cache
from render.geometry import Box, Layout
from render.palette import to_palette
from render.pieces import UPSCALE
from render.themes import theme_of


@dataclass(frozen=True, slots=True)
class _PlaceName:
    theme: str
    text: str
    width: int
    height: int
    unit: int
    bar: int
    """Length of the line that shows which place is meant."""
    right: bool
    """Whether the text ends at the outer edge instead of beginning there."""
    above: bool


@dataclass(frozen=True, slots=True)
class _GapName:
    theme: str
    text: str
    width: int
    height: int
    unit: int


_names: Cache[_PlaceName | _GapName, Image.Image] = Cache(200)


def name_labels(
    board: Lines, say: Callable[[Msg], str], plan: Layout, theme: str
) -> Iterator[tuple[Image.Image, tuple[int, int]]]:
    """Yield an image of each name, with its upper left corner.

    Raises ValueError for the name of a place that isn't on the board.
    """
    kinds = list(dict.fromkeys(what for _, what in board.labels))
    rows: dict[tuple[str, bool], dict[int, list[str]]] = {}
    for at, what in board.labels:
        if at not in plan.places:
            raise ValueError(f"a name lies off the board: {at!r}")
        row = rows.setdefault((at[0], kinds.index(what) % 2 == 0), {})
        row.setdefault(int(at[1:]), []).append(say(what))
    height, number = round(plan.unit * 0.48), round(plan.unit * 0.42)
    for (line, above), row in rows.items():
        right = plan.places[f"{line}1"][0] > plan.width / 2
        for n, texts in row.items():
            inner = min((other for other in row if other > n), default=board.length + 1)
            x = plan.places[f"{line}{inner - 1 if right else n}"][0]
            name = _PlaceName(
                theme, " · ".join(texts), plan.cell * (inner - n), height, plan.unit, plan.cell, right, above
            )
            y = plan.board.y - height if above else plan.board.y + plan.board.height + number
            yield _names.get(name, partial(_name_image, name)), (x, y)
    if plan.gap is not None:
        gap = _gap(plan.gap, say(board.gap), plan.unit, theme)
        spot = (
            plan.gap.x + (plan.gap.width - gap.width) // 2,
            plan.gap.y + round(plan.gap.height * 0.94) - gap.height,
        )
        yield _names.get(gap, partial(_gap_image, gap)), spot


def _name_image(name: _PlaceName) -> Image.Image:
    theme = theme_of(name.theme)
    image = Image.new("RGB", (name.width, name.height), theme.inks["paper"])
    unit, inset = name.unit, round(name.unit * 0.04)
    text, size = fonts.fit(
        name.text, name.width - 2 * inset, round(unit * 0.33), min_size=round(unit * 0.16), bold=True
    )
    thick = max(2, unit // 26)
    y = name.height - 2 * thick if name.above else thick
    left = name.width - name.bar + inset if name.right else inset
    ImageDraw.Draw(image).rectangle(
        (left, y, left + name.bar - 2 * inset - 1, y + thick - 1), fill=theme.inks["faint"]
    )
    x, anchor = (name.width - inset, "rm") if name.right else (inset, "lm")
    middle = name.height * (0.4 if name.above else 0.62)
    fonts.write(image, (x, middle), text, size, theme.inks["text"], bold=True, anchor=anchor)
    return to_palette(image, name.theme)


def _gap(gap: Box, text: str, unit: int, theme: str) -> _GapName:
    inset = round(unit * 0.12)
    return _GapName(theme, text, gap.width - 2 * inset, gap.height // 2, unit)


def _gap_image(gap: _GapName) -> Image.Image:
    theme = theme_of(gap.theme)
    image = Image.new("RGB", (gap.width, gap.height), theme.card)
    lines, size = fonts.wrap(
        gap.text, gap.width - 4, round(gap.unit * 0.31), lines=3, min_size=round(gap.unit * 0.16), bold=True
    )
    for nth, line in enumerate(lines):
        y = gap.height / 2 + (nth - (len(lines) - 1) / 2) * size * 1.1
        fonts.write(image, (gap.width / 2, y), line, size, theme.inks["faint"], bold=True, anchor="mm")
    return to_palette(image, gap.theme)


def draw_attack(image: Image.Image, scene: Scene, plan: Layout, theme: str) -> None:
    """Draw an arrow from the attacking die to the one it captured, else changed, in the other line."""
    starts = {mark.at for mark in scene.marks if mark.kind == "from"}
    if len(starts) != 1:
        return
    start = starts.pop()
    across = [mark for mark in scene.marks if mark.at[0] != start[0]]
    taken = {mark.at for mark in across if mark.kind == "captured"}
    ends = taken or {mark.at for mark in across if mark.kind == "to"}
    if len(ends) != 1:
        return
    one, other = plan.places[start], plan.places[ends.pop()]
    left, right = min(one[0], other[0]) + plan.cell, max(one[0], other[0])
    tall = round(plan.unit * 0.6)
    y = one[1] + round(plan.tile_height * 0.3) - tall // 2
    box = (left - plan.unit // 10, y, right + plan.unit // 10, y + tall)
    part = image.crop(box).convert("RGB")
    large = part.resize((part.width * UPSCALE, tall * UPSCALE), Image.Resampling.NEAREST)
    colours = theme_of(theme)
    draw = ImageDraw.Draw(large)
    wide, middle = large.width, large.height / 2
    for grow, colour in ((plan.unit * 0.035 * UPSCALE, colours.inks["paper"]), (0.0, colours.inks["mark"])):
        head, half, shaft = (tall * UPSCALE * 0.62, tall * UPSCALE * 0.4 + grow, tall * UPSCALE * 0.13 + grow)
        points = [
            (grow * -1 + wide * 0.04, middle - shaft),
            (wide - head - grow, middle - shaft),
            (wide - head - grow, middle - half),
            (wide * 0.99, middle),
            (wide - head - grow, middle + half),
            (wide - head - grow, middle + shaft),
            (grow * -1 + wide * 0.04, middle + shaft),
        ]
        if one[0] > other[0]:
            points = [(wide - x, y) for x, y in points]
        draw.polygon(points, fill=colour)
    image.paste(to_palette(large.reduce(UPSCALE), theme), (box[0], box[1]))
