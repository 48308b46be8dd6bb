"""A match as an animated GIF: with captions as a film, or a few positions of it for the same time.

After the last position a card may show the result. Frames are drawn smaller than boards, because there are
many of them and because they have to fit into an upload; letters are measured by the width of the picture,
so that captions can be read on a phone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Glyph, Ink, Panel, Scene
from render import fonts
from render.board_kind import Say
from render.chart_frame import piece_image
from render.geometry import FULL_UNIT
from render.gif_writer import MIN_FRAME, GifWriter
from render.picture import picture
from render.spelling import spelled
from render.themes import palette_key, theme_of, to_palette
from render.thread_safe_cache import Cache

HOLD = 3000
"""How long the last frame is shown, in milliseconds."""


def unit_for(frames: int) -> int:
    """Return the size of a cell, in pixels, for this many frames: long animations are drawn smaller."""
    return FULL_UNIT if frames <= 80 else FULL_UNIT * 3 // 4 if frames <= 160 else FULL_UNIT // 2


def animate(frames: Sequence[Scene], say: Say, *, theme: str = "classic", milliseconds: int = 900) -> bytes:
    """Return scenes of one board as an animated GIF that loops.

    Each scene is shown for `milliseconds`, the last for `HOLD`; a scene that looks like the previous one
    prolongs its frame. Raises ValueError for no scenes, pictures of different sizes, `milliseconds` below
    `MIN_FRAME`, and as `picture` does.
    """
    if not frames:
        raise ValueError("an animation needs a scene")
    if milliseconds < MIN_FRAME:
        raise ValueError(f"a frame lasts at least {MIN_FRAME} ms, not {milliseconds}")
    unit = unit_for(len(frames))
    gif = GifWriter(palette_key(theme, frames[0].board), loops=len(frames) > 1)
    for number, scene in enumerate(frames):
        gif.add(picture(scene, say, theme, unit=unit), HOLD if number == len(frames) - 1 else milliseconds)
    return gif.finish()


FILM_UNIT: Final = FULL_UNIT * 3 // 5
"""Size of a cell, in pixels, where the animation doesn't become too large."""
_UNITS: Final = (FILM_UNIT, FULL_UNIT // 2, FULL_UNIT * 2 // 5)
"""Sizes of a cell that are tried, in pixels."""
_STRIP, _PIECE, _LETTERS, _LEAST, _LINE = 0.098, 0.056, 0.036, 0.029, 0.039
"""Height of the captions, width of a piece, font sizes and height of a line, in widths of the picture."""
_BAR: Final = 0.008
"""Height of the bar that shows how much has passed, in widths of the picture."""

_pieces: Cache[tuple[str, Ink, Glyph, int], Image.Image] = Cache(64)


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """A position of an animation: for how long it is shown, and its caption.

    `by` is the seat that the caption is about, shown by its piece; None for nobody.
    """

    scene: Scene
    milliseconds: int
    caption: str = ""
    by: int | None = None


@dataclass(frozen=True, slots=True)
class EndCard:
    """The last picture: what was played, how it ended, and each seat with its place and its player's name."""

    title: str
    result: str
    seats: tuple[tuple[int, str, str], ...]
    """Seat, place ("1st") and name, best first."""
    milliseconds: int


def film(
    frames: Sequence[FilmFrame],
    say: Say,
    *,
    theme: str = "classic",
    end: EndCard | None = None,
    max_bytes: int = sys.maxsize,
    progress: Callable[[int], None] = lambda done: None,
) -> bytes:
    """Return the frames as an animated GIF of at most `max_bytes` that loops.

    What is too large is drawn smaller, then with every other frame left out, whose time the frames after
    them get. `progress` is called with the number of frames drawn so far. Raises ValueError for no frames,
    frames of different sizes, if nothing is small enough, and as `picture` does.
    """
    if not frames:
        raise ValueError("an animation needs a frame")
    for unit in _UNITS:
        if (data := _written(frames, say, theme, end, max_bytes, progress, unit)) is not None:
            return data
    while len(frames) > 1:
        frames = halved(frames)
        if (data := _written(frames, say, theme, end, max_bytes, progress, _UNITS[-1])) is not None:
            return data
    raise ValueError(f"a frame has more than {max_bytes} bytes")


def halved(frames: Sequence[FilmFrame]) -> tuple[FilmFrame, ...]:
    """Return every other frame, the last one among them, with the time of those left out before it."""
    kept: list[FilmFrame] = []
    waiting = 0
    for left, frame in zip(range(len(frames) - 1, -1, -1), frames, strict=True):
        if left % 2:
            waiting = frame.milliseconds
        else:
            kept.append(replace(frame, milliseconds=frame.milliseconds + waiting))
            waiting = 0
    return tuple(kept)


def _written(
    frames: Sequence[FilmFrame],
    say: Say,
    theme: str,
    end: EndCard | None,
    max_bytes: int,
    progress: Callable[[int], None],
    unit: int,
) -> bytes | None:
    """Return the animation with cells of `unit` pixels; None if it becomes too large."""
    key = palette_key(theme, frames[0].scene.board)
    gif = GifWriter(key, loops=len(frames) > 1 or end is not None)
    total = sum(frame.milliseconds for frame in frames)
    shown, size = 0, (0, 0)
    for number, frame in enumerate(frames, 1):
        board = picture(frame.scene, say, theme, unit=unit)
        shown += frame.milliseconds
        caption = spelled(frame.caption, frame.scene.board, say)
        image = captioned(board, replace(frame, caption=caption), key, shown / total)
        size = image.size
        gif.add(image, frame.milliseconds)
        if gif.size > max_bytes:
            return None
        progress(number)
    if end is not None:
        gif.add(end_card(end, frames[-1].scene, say, key, size), end.milliseconds)
    data = gif.finish()
    return data if len(data) <= max_bytes else None


def captioned(board: Image.Image, frame: FilmFrame, key: str, passed: float) -> Image.Image:
    """Return a picture of a board with the caption of a frame below; `passed` is a share of the time."""
    wide, high = board.size
    strip = round(wide * _STRIP)
    theme = theme_of(key)
    below = Image.new("RGB", (wide, strip), theme.inks["paper"])
    bar = max(2, round(wide * _BAR))
    pen = ImageDraw.Draw(below)
    pen.rectangle((0, strip - bar, wide, strip), fill=theme.card)
    pen.rectangle((0, strip - bar, round(wide * passed), strip), fill=theme.inks["mark"])
    x, middle = round(wide * 0.014), (strip - bar) / 2
    panel = next((each for each in frame.scene.panels if each.seat == frame.by), None)
    if panel is not None:
        side = round(wide * _PIECE)
        piece = _piece(key, panel, frame.scene, side)
        below.paste(piece, (x, round(middle - side / 2)))
        x += side + round(wide * 0.014)
    lines, size = fonts.wrap(
        frame.caption,
        wide - x - round(wide * 0.014),
        round(wide * _LETTERS),
        lines=2,
        min_size=round(wide * _LEAST),
    )
    y = middle - (len(lines) - 1) * wide * _LINE / 2
    for line in lines:
        fonts.write(below, (x, y), line, size, theme.inks["text"])
        y += wide * _LINE
    whole = board.crop((0, 0, wide, high + strip))
    whole.paste(to_palette(below, key), (0, high))
    return whole


def end_card(end: EndCard, scene: Scene, say: Say, key: str, size: tuple[int, int]) -> Image.Image:
    """Return the card with the result, in the palette `key`, for a picture of `size`."""
    theme = theme_of(key)
    wide, high = size
    image = Image.new("RGB", size, theme.inks["paper"])
    middle, room = wide / 2, round(wide * 0.9)
    y = high * 0.1
    title, points = fonts.fit(end.title, room, round(wide * 0.042), min_size=round(wide * 0.03))
    fonts.write(image, (middle, y), title, points, theme.inks["faint"], anchor="mm")
    y += wide * 0.06
    large, least = round(wide * 0.058), round(wide * 0.036)
    lines, points = fonts.wrap(end.result, room, large, lines=3, min_size=least, bold=True)
    for line in lines:
        y += points * 0.6
        fonts.write(image, (middle, y), line, points, theme.inks["text"], bold=True, anchor="mm")
        y += points * 0.6
    y += wide * 0.03
    panels = {panel.seat: panel for panel in scene.panels}
    rows = [(panels[seat], place, name) for seat, place, name in end.seats if seat in panels]
    step = min(wide * 0.11, (high * 0.95 - y) / max(1, len(rows)))
    for nth, (panel, place, name) in enumerate(rows):
        _write_seat(image, key, scene, panel, (place, name), say, (y + step * (nth + 0.5), step))
    return to_palette(image, key)


def _write_seat(
    image: Image.Image,
    key: str,
    scene: Scene,
    panel: Panel,
    words: tuple[str, str],
    say: Callable[[Msg], str],
    spot: tuple[float, float],
) -> None:
    """Draw a row of the end card, `spot` its middle and its height: place, piece, colour and player."""
    (place, name), (y, height), wide, theme = words, spot, image.width, theme_of(key)
    side, size = round(height * 0.76), round(min(height * 0.46, wide * 0.045))
    x = wide * 0.1
    fonts.write(image, (x, y), place, size, theme.inks["faint"], bold=True)
    x += wide * 0.12
    image.paste(_piece(key, panel, scene, side), (round(x), round(y - side / 2)))
    x += side + wide * 0.025
    colour = say(panel.name)
    label = f"{colour}: {name}" if fonts.legible(name).strip(fonts.ELLIPSIS) else colour
    text, size = fonts.fit(label, wide * 0.95 - x, size, min_size=round(size * 0.6))
    fonts.write(image, (x, y), text, size, theme.inks["text"])


def _piece(key: str, panel: Panel, scene: Scene, side: int) -> Image.Image:
    """Return the piece of a seat, drawn once."""
    glyph = scene.glyphs[panel.glyph]
    return _pieces.get((key, panel.ink, glyph, side), lambda: piece_image(theme_of(key), panel, glyph, side))
