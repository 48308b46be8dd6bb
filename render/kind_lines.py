"""Two lines of dice, in pictures and texts. A die goes by the letter of its seat and its number."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from textwrap import wrap

from PIL import Image

from games.engine.message import msg
from games.engine.scene import Lines, Panel, Scene, Token
from render import geometry_lines
from render.board_kind import BoardKind, Say, piece_name
from render.geometry import Layout
from render.line_labels import draw_attack, name_labels
from render.text_cells import COLUMNS, Cells


class LinesKind(BoardKind[Lines]):
    """Lines of dice, which never move."""

    moves = brief = False

    layout = staticmethod(geometry_lines.layout)

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
        order = geometry_lines.line_order(scene.turns)
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
        said = [
            f"{at[1:]} {piece_name(stacks[at][-1], say)}"
            + (f" ({', '.join(names[at])})" if at in names else "")
            for at in places
            if at in stacks
        ]
        lost = ", ".join(at[1:] for at in places if at not in left)
        return [*said, say(msg("render.alt.lost", at=lost))] if lost else said


def _seats(scene: Scene) -> dict[str, str]:
    """Return the letter of each line's seat."""
    return {"ab"[panel.seat]: panel.code for panel in scene.panels if panel.seat in (0, 1)}


def _places(board: Lines, line: str) -> list[str]:
    return [f"{line}{n}" for n in range(1, board.length + 1)]


def _die(stack: Sequence[Token], empty: str) -> str:
    """Return a die as its letters and its pips: `V2`."""
    return f"{stack[-1].code}{stack[-1].pips or ''}" if stack else empty
