"""The signs that a game brings along, made quick to compare: they are part of the key of every sprite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from games.engine.scene import Glyph
from render.cache import Cache


class InternedGlyph:
    """A glyph compared by identity: its dozens of points are hashed once a picture, not once a piece."""

    __slots__ = ("glyph",)

    def __init__(self, glyph: Glyph) -> None:
        self.glyph = glyph


_interned: Cache[Glyph, InternedGlyph] = Cache(256)
_BLANK = Glyph(())


def interned_glyphs(glyphs: Mapping[str, Glyph], names: Iterable[str]) -> dict[str, InternedGlyph]:
    """Return the sign of each name; a glyph that nobody brought along is blank."""
    found: dict[str, InternedGlyph] = {}
    for name in names:
        if name not in found:
            glyph = glyphs.get(name, _BLANK)
            found[name] = _interned.get(glyph, partial(InternedGlyph, glyph))
    return found
