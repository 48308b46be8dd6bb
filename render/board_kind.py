"""What pictures and texts ask of a kind of board. Each kind answers in a file; `kinds` chooses among them.

The answers here fit boards of tiles with piles of pieces that move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import atan2, degrees
from typing import Generic, TypeAlias, TypeVar

from PIL import Image

from games.engine.message import Msg
from games.engine.scene import Board, Panel, Scene, Token
from render.board_contents import guards_at, marks_at, piles
from render.detail_levels import FINEST, Detail
from render.empty_board import empty_board, empty_tile
from render.geometry import Layout
from render.glyphs import interned_glyphs
from render.text_cells import Cells
from render.tile import Guard
from render.tiles import paste_tile

B = TypeVar("B", bound=Board)
Say: TypeAlias = Callable[[Msg], str]
"""Return a message as a sentence in the reader's language."""


GUARD_SLOTS = 4
"""Number of positions for guards on a place; seats beyond that share them."""


class BoardKind(ABC, Generic[B]):
    """A kind of board. Boards are arguments: one object serves all boards of its kind."""

    moves = True
    """Whether pieces move; texts on marks name attacks and changes otherwise."""
    brief = True
    """Whether a text for a phone lists piles and marks below the board, where there is more room."""

    # --- pictures -----------------------------------------------------------------------------------

    @abstractmethod
    def layout(self, board: B, turns: int, unit: int) -> Layout:
        """Return where everything lies. Raises ValueError for an invalid board and for invalid turns."""

    def layout_key(self, board: B) -> Hashable:
        """Return what decides where the places lie, as a cache key without words and artwork."""
        return board

    def details(self, board: B, say: Say, theme: str, unit: int) -> Iterator[Detail]:
        """Yield how finely the board may be drawn, the finest first."""
        yield FINEST

    def picture(
        self, board: B, scene: Scene, plan: Layout, say: Say, theme: str, unit: int, level: int
    ) -> Image.Image:
        """Return the picture without the seats: the empty board, and a tile for each place in use.

        Raises ValueError as `piles` and `marks_at` do.
        """
        marks, stacks, guards = marks_at(scene), piles(scene), guards_at(scene)
        flags = guards_at(scene, "flag")
        direction = _move_direction(scene, plan) if self.moves else None
        owners = {panel.ink: (nth, panel.glyph) for nth, panel in enumerate(scene.panels)}
        glyphs = interned_glyphs(
            scene.glyphs,
            [*(token.glyph for token in scene.tokens), *(panel.glyph for panel in scene.panels), ""],
        )
        image = empty_board((self.layout_key(board), scene.turns), plan, theme).copy()
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
        return image

    def window(self, board: B, places: frozenset[str]) -> B:
        """Return the board with the smallest window that has all of `places`.

        Raises ValueError for a place that isn't on the board, and if boards of this kind have no windows.
        """
        raise ValueError("only a board of squares or a map has regions")

    def flag_spot(self, scene: Scene, part: B, at: str) -> str:
        """Return where a window shows the flag of a place outside; an empty string for nowhere."""
        return ""

    # --- texts --------------------------------------------------------------------------------------

    @abstractmethod
    def rows(self, board: B, scene: Scene, cells: Cells) -> Iterator[str]:
        """Yield the board as lines of text."""

    def legend(self, board: B) -> str:
        """Return what the numbers on a picture mean; an empty string if it shows none."""
        return ""

    def titles(self, board: B) -> tuple[tuple[str, str], ...]:
        """Return full name and code of each place that has both."""
        return ()

    def place_name(self, scene: Scene, at: str) -> str:
        """Return what alt texts call a place."""
        return at

    def pieces(
        self, board: B, scene: Scene, stacks: Mapping[str, Sequence[Token]], panel: Panel | None, say: Say
    ) -> list[str]:
        """Return what a seat (None: no seat) has in `stacks`, those that an alt text has room for."""
        seats = {each.ink: each for each in scene.panels}
        texts: list[str] = []
        kinds: dict[str, list[str]] = {}
        for name, stack in stacks.items():
            if seats.get(stack[-1].ink) is not panel:
                continue
            if scene.board.large and len(stack) == 1:
                kinds.setdefault(piece_name(stack[0], say), []).append(name)
            else:
                texts.append(_pile(name, stack, panel, say))
        return texts + [f"{kind} {' '.join(places)}" for kind, places in kinds.items()]


def piece_name(token: Token, say: Say) -> str:
    """Return the name of a piece, or its letters and pips if it has none."""
    return say(token.name) if token.name is not None else f"{token.code}{token.pips or ''}"


def _pile(name: str, stack: Sequence[Token], panel: Panel | None, say: Say) -> str:
    top = stack[-1]
    if top.count:
        return f"{name} {top.count}"
    if len(stack) == 1 and top.name is not None:
        return f"{name} {say(top.name)}"
    if len(stack) == 1 and panel is not None and top.code == panel.code:
        return name
    return f"{name} {''.join(token.code for token in stack)}"


def _move_direction(scene: Scene, plan: Layout) -> int | None:
    """Return the direction of the move that is marked, in degrees clockwise from the right.

    On squares it is one of eight. None unless exactly one move is marked.
    """
    left = {mark.at for mark in scene.marks if mark.kind == "from"}
    reached = {mark.at for mark in scene.marks if mark.kind == "to"}
    if len(left) != 1 or len(reached) != 1 or left == reached:
        return None
    (x0, y0), (x1, y1) = plan.centre(left.pop()), plan.centre(reached.pop())
    dx, dy = x1 - x0, y1 - y0
    if plan.shape == "square":
        dx, dy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    return round(degrees(atan2(dy, dx))) % 360
