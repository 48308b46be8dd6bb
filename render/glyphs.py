"""Interned glyphs: a game's glyphs, made quick to compare because all cache keys of sprites contain them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from games.engine.scene import Glyph
from render.cache import Cache


class InternedGlyph:
    """A glyph compared by identity: its dozens of points are hashed once a picture, not once a piece."""

    __slots__ = ("shape",)

    def __init__(self, glyph: Glyph) -> None:
        self.shape = glyph


_interned: Cache[Glyph, InternedGlyph] = Cache(256)
_BLANK = Glyph(())


def interned_glyphs(glyphs: Mapping[str, Glyph], names: Iterable[str]) -> dict[str, InternedGlyph]:
    """Return the interned glyph of each name; names that `glyphs` lacks get a blank one."""
    found: dict[str, InternedGlyph] = {}
    for name in names:
        if name not in found:
            glyph = glyphs.get(name, _BLANK)
            found[name] = _interned.get(glyph, partial(InternedGlyph, glyph))
    return found
