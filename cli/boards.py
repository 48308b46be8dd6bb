"""Text boards for a terminal: the letters of pieces in the colours of their seats."""

from __future__ import annotations

import re

from rich.text import Text

from games.engine.scene import Ink, Scene

_STYLES: dict[Ink, str] = {
    "red": "bold red",
    "green": "bold green",
    "blue": "bold bright_blue",
    "yellow": "bold yellow",
    "purple": "bold magenta",
    "orange": "bold dark_orange",
}


def paint(board: str, scene: Scene) -> Text:
    """Return the board with its codes coloured; consoles without colours print it unchanged."""
    inks: dict[str, Ink] = {panel.code: panel.ink for panel in scene.panels}
    inks |= {token.code: token.ink for token in scene.tokens}
    text = Text(board)
    if not inks:
        return text
    code = "|".join(sorted(map(re.escape, inks), key=len, reverse=True))
    for run in re.finditer(rf"(?<![^\W_])(?:{code})+(?![^\W\d_])", board):
        for sign in re.finditer(code, run.group()):
            start = run.start() + sign.start()
            text.stylize(_STYLES.get(inks[sign.group()], ""), start, start + len(sign.group()))
    return text
