"""Names on a board that pictures can't show, because no font of ours has their letters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from games.engine.message import Msg
from games.engine.scene import Board
from render import fonts
from render.board_kind import Say
from render.kinds import kind_of


def by_codes(board: Board, say: Say) -> Say:
    """Return `say` for the picture of a board: names that can't be drawn are replaced."""
    zones = {
        zone.name: (say(zone.title or zone.name), f"#{nth}")
        for nth, zone in enumerate(board.zones, 1)
        if zone.name is not None
    }

    def spelling(what: Msg) -> str:
        text = say(what)
        if what in zones:  # a zone, even if an area has the same name
            return text if fonts.draws(text) else text.replace(*zones[what])
        return spelled(text, board, say)

    return spelling


def spelled(text: str, board: Board, say: Say) -> str:
    """Return a text with the names in it replaced, the longest first, if it can't be drawn."""
    if fonts.draws(text):
        return text
    replaced = replaced_names(board, say)
    for name in sorted(replaced, key=len, reverse=True):
        text = text.replace(name, replaced[name])
    return text


def replaced_names(board: Board, say: Say) -> Mapping[str, str]:
    """Return what pictures show for the names that can't be drawn: an area's code, a zone's number (`#2`)."""
    zones = tuple("" if (name := zone.title or zone.name) is None else say(name) for zone in board.zones)
    return _codes(kind_of(board).titles(board), zones)


@lru_cache(maxsize=64)
def _codes(areas: tuple[tuple[str, str], ...], zones: tuple[str, ...]) -> Mapping[str, str]:
    of = {name: f"#{nth}" for nth, name in enumerate(zones, 1)}
    of |= {title: code.upper() for title, code in areas}
    return {name: code for name, code in of.items() if name and not fonts.draws(name)}
