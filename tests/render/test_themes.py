"""Themes fill every ink, and colours that must be told apart have a measured contrast."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image

from render import THEMES
from render.colour import BLACK, WHITE, contrast, mix, rgb
from render.themes import INKS, MAX_COLOURS, PIECE_INKS, colours, theme_of, to_palette
from tests.render.boards import nearest_index
from tests.rows import rows


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast(rgb("#777777"), WHITE) == pytest.approx(4.48, abs=0.01)
    assert mix(BLACK, WHITE, 0.5) == (128, 128, 128)


@rows("code", ["red", "#fff", "#12345g"])
def test_invalid_colours_are_refused(code: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - int() and rgb() word it differently
        rgb(code)


def test_the_four_themes_and_no_other() -> None:
    assert THEMES == ("classic", "dark", "contrast", "patterns")
    with pytest.raises(ValueError, match="neon"):
        theme_of("neon")


@rows("key", THEMES)
def test_every_ink_is_filled_and_pieces_differ(key: str) -> None:
    theme = theme_of(key)
    assert set(theme.inks) == set(INKS)
    assert len({theme.inks[piece] for piece in PIECE_INKS}) == len(PIECE_INKS)


@rows("key", THEMES)
def test_pieces_stand_out_from_spaces_and_glyphs_from_pieces(key: str) -> None:
    theme = theme_of(key)
    sharp = key in ("contrast", "patterns")
    for piece in PIECE_INKS:
        space, face = theme.inks["space"], theme.inks[piece]
        assert max(contrast(face, space), contrast(theme.outline(piece), space)) >= 3, piece
        assert contrast(theme.glyph(piece), face) >= (4.5 if sharp else 3), piece
    if key == "contrast":
        assert all(
            max(
                contrast(theme.inks[piece], theme.inks["space"]),
                contrast(theme.outline(piece), theme.inks["space"]),
            )
            >= 7
            for piece in PIECE_INKS
        )


@rows("key", THEMES)
def test_words_are_legible_on_every_background(key: str) -> None:
    theme = theme_of(key)
    for ground in (theme.inks["paper"], theme.card, theme.active_card):
        assert contrast(theme.inks["text"], ground) >= 7
        assert contrast(theme.inks["faint"], ground) >= 3.9
    assert contrast(theme.inks["mark"], theme.inks["space"]) >= 2


@rows("key", THEMES)
def test_a_palette_is_small_and_keeps_its_colours(key: str) -> None:
    palette = colours(key)
    assert len(palette) <= MAX_COLOURS
    assert len(set(palette)) == len(palette)
    theme = theme_of(key)
    for colour, off in (*((blend, 10) for blend in palette), *((theme.inks[ink], 3) for ink in INKS)):
        near = palette[nearest_index(key, colour)]
        assert all(abs(a - b) <= off for a, b in zip(near, colour, strict=True)), colour


@rows("key", THEMES)
def test_nothing_is_mapped_outside_the_palette(key: str) -> None:
    rainbow = Image.new("RGB", (32, 32))
    rainbow.putdata([(r * 8, g * 8, (r * g) % 256) for r in range(32) for g in range(32)])
    assert max(to_palette(rainbow, key).tobytes()) < len(colours(key))


def test_pieces_of_the_pattern_theme_differ_in_their_rims() -> None:
    from render.piled_pieces import RIM_PATTERNS

    for one, other in combinations(PIECE_INKS, 2):
        assert RIM_PATTERNS[one] != RIM_PATTERNS[other]
