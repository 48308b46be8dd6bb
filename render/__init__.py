"""Scenes as pictures, animations and text: games say what is to be seen, this package shows it.

Everything is a pure function of a scene, a language and a theme: equal arguments give equal bytes. All of it
may be called from several threads at once; what is shared behind it are caches of finished sprites.
"""

from render.alt import alt_text
from render.animation import animate
from render.geometry_grid import large
from render.picture import Say, draw
from render.region import region
from render.text import listing, text_board
from render.themes import THEMES
from render.win_chart import curve

__all__ = [
    "THEMES",
    "Say",
    "alt_text",
    "animate",
    "curve",
    "draw",
    "large",
    "listing",
    "region",
    "text_board",
]
