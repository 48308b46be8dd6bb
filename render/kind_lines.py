"""Two lines of dice, face to face across a gap: their layout, pictures and texts.

The row takes the whole width. Dice stand upright like dominoes, the glyph of the face above the pips: in a
row of ten that gives twice the room of squares. Home is outermost, and numbers are below.

A name begins at the outer edge of its place and may extend inwards up to the next name in its row. Kinds of
names alternate between the rows above and below, so that neighbours have room.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import wrap
from types import MappingProxyType

from PIL import Image, ImageDraw

from games.engine.message import Msg, msg
from games.engine.scene import Lines, Panel, Scene, Token
from render import fonts
from render.board_kind import BoardKind, Say, piece_name
from render.geometry import HEADLINE_HEIGHT, Box, CoordinateLabel, Layout
from render.piled_pieces import UPSCALE
from render.text_cells import COLUMNS, Cells
from render.themes import theme_of, to_palette
from render.thread_safe_cache import Cache


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


_WIDTH, _MARGIN, _FRAME, _GAP = 12.5, 0.16, 0.12, 1.36
"""Width of the picture, its margin, the frame around a line, and the gap between the lines, in units."""
_ABOVE, _NUMBERS, _BELOW, _CARDS = 0.5, 0.42, 0.6, 2.4
"""Heights of the names above, the numbers, the names below and the cards, in units."""
_TALL = 1.72
"""Height of a die, in widths."""


def line_order(turns: int) -> str:
    """Return the letters of the lines, the left one first. Raises ValueError for turns other than 0 or 2."""
    if turns not in (0, 2):
        raise ValueError(f"lines are seen after 0 or 2 quarter turns, not {turns}")
    return "ab" if turns == 0 else "ba"


def layout(board: Lines, turns: int, unit: int) -> Layout:
    """Return the layout of two lines of dice. Raises ValueError for empty ones, and as `line_order`."""
    length = board.length
    if length < 1:
        raise ValueError(f"a line has at least one place, not {length}")
    width, margin, frame = round(unit * _WIDTH), round(unit * _MARGIN), round(unit * _FRAME)
    half = (width - 2 * margin - round(unit * _GAP)) // 2
    cell = min((half - 2 * frame) // length, round(unit * 1.6))
    half = cell * length + 2 * frame
    high = round(cell * _TALL)
    top = round(unit * (0.06 + HEADLINE_HEIGHT + _ABOVE)) + frame
    foot = top + high + frame
    starts = {"left": margin + frame, "right": width - margin - half + frame}
    places: dict[str, tuple[int, int]] = {}
    labels: list[CoordinateLabel] = []
    for line, side in zip(line_order(turns), starts, strict=True):
        for n in range(length):
            x = starts[side] + cell * (n if side == "left" else length - 1 - n)
            places[f"{line}{n + 1}"] = (x, top)
            labels.append(CoordinateLabel(str(n + 1), x + cell // 2, foot + round(unit * _NUMBERS / 2)))
    below = foot + round(unit * (_NUMBERS + _BELOW))
    cards = round(unit * _CARDS)
    wide = (width - 2 * margin - round(unit * 0.2)) // 2
    boxes = (Box(margin, below, wide, cards), Box(width - margin - wide, below, wide, cards))
    left = starts["left"] - frame + half
    return Layout(
        unit=unit,
        shape="die",
        cell=cell,
        tile_height=high,
        width=width,
        height=below + cards + margin,
        board=Box(margin, top - frame, width - 2 * margin, high + 2 * frame),
        places=MappingProxyType(places),
        labels=tuple(labels),
        headline=Box(margin, round(unit * 0.06), width - 2 * margin, round(unit * HEADLINE_HEIGHT)),
        seats=Box(margin, below, width - 2 * margin, cards),
        cards=MappingProxyType(
            {"ab".index(line): box for line, box in zip(line_order(turns), boxes, strict=True)}
        ),
        gap=Box(left, top - frame, width - margin - half - left, high + 2 * frame),
    )


class LinesKind(BoardKind[Lines]):
    """Lines of dice, which never move."""

    moves = brief = False

    layout = staticmethod(layout)

    def layout_key(self, board: Lines) -> Hashable:
        """Return the length."""
        return board.length

    def picture(
        self, board: Lines, scene: Scene, plan: Layout, say: Say, theme: str, unit: int, level: int
    ) -> Image.Image:
        """Return the picture of the dice, the names of places, and the attack."""
        image = super().picture(board, scene, plan, say, theme, unit, level)
        for part, spot in name_labels(board, say, plan, theme):
            image.paste(part, spot)
        draw_attack(image, scene, plan, theme)
        return image

    def rows(self, board: Lines, scene: Scene, cells: Cells) -> Iterator[str]:
        """Yield each line of dice with the names of its places below, and the gap between them."""
        seats = _seats(scene)
        width = max(map(len, seats.values()), default=1)
        names: dict[str, list[str]] = {}
        for at, what in board.labels:
            names.setdefault(at[0], []).append(f"{cells.say(what)}: {at[1:]}")
        dice = {at: f"{at[1:]}:{_die(cells.stacks.get(at, ()), cells.empty)}" for at in board.places}
        longest = max(map(len, dice.values())) + 2
        order = line_order(scene.turns)
        inset = " " * (width + 2)
        columns, gap = cells.columns, "" if cells.columns < COLUMNS else " "
        for line in order:
            row = gap.join(f"{cells.cell(at, dice[at]):<{longest}}" for at in _places(board, line))
            start = f"{seats.get(line, line):<{width}} {row.rstrip()}"
            yield from wrap(start, columns, subsequent_indent=inset, drop_whitespace=False)
            named = "   ".join(names.get(line, ()))
            yield from wrap(named, columns, initial_indent=inset, subsequent_indent=inset)
            if line == order[0]:
                yield f"{inset}~ {cells.say(board.gap)} ~"

    def place_name(self, scene: Scene, at: str) -> str:
        """Return the letter of a seat and the number."""
        return _seats(scene).get(at[0], at[0]) + at[1:]

    def pieces(
        self, board: Lines, scene: Scene, stacks: Mapping[str, Sequence[Token]], panel: Panel | None, say: Say
    ) -> list[str]:
        """Return a seat's dice from home to front with the names of their places, and which are lost."""
        if panel is None or panel.seat not in (0, 1):
            return []
        names: dict[str, list[str]] = {}
        for at, what in board.labels:
            names.setdefault(at, []).append(say(what))
        left = {token.at for token in scene.tokens}
        places = _places(board, "ab"[panel.seat])
        dice = [
            f"{at[1:]} {piece_name(stacks[at][-1], say)}"
            + (f" ({', '.join(names[at])})" if at in names else "")
            for at in places
            if at in stacks
        ]
        lost = ", ".join(at[1:] for at in places if at not in left)
        return [*dice, say(msg("render.alt.lost", at=lost))] if lost else dice


def _seats(scene: Scene) -> dict[str, str]:
    """Return the letter of each line's seat."""
    return {"ab"[panel.seat]: panel.code for panel in scene.panels if panel.seat in (0, 1)}


def _places(board: Lines, line: str) -> list[str]:
    return [f"{line}{n}" for n in range(1, board.length + 1)]


def _die(stack: Sequence[Token], empty: str) -> str:
    """Return a die as its letters and its pips: `V2`."""
    return f"{stack[-1].code}{stack[-1].pips or ''}" if stack else empty
