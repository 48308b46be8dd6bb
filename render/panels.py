"""The headline, and a card for each seat with what it has, beside the board or below it.

A card is drawn once for each content and then copied; a turn changes two cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from PIL import Image, ImageDraw

from games.engine.message import Msg
from games.engine.scene import Glyph, Ink, Item, Panel, PanelState, Scene
from render import fonts
from render.colour import RGB
from render.geometry import Box, Layout
from render.glyphs import DRAWN, OUT, POINTER, WON, InternedGlyph, interned_glyphs
from render.piled_pieces import UPSCALE, count_text, draw_flat, fill_glyph
from render.seat_badges import BadgeText, draw_badge, row_height, wrap_badges
from render.themes import Theme, theme_of, to_palette
from render.thread_safe_cache import Cache


@dataclass(frozen=True, slots=True)
class _Piece:
    ink: Ink
    glyph: InternedGlyph


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    items: tuple[tuple[_Piece, str], ...]


@dataclass(frozen=True, slots=True)
class _Card:
    """Everything that decides the look of a card."""

    theme: str
    width: int
    height: int
    unit: int
    """The measure of what is on the card, in pixels; the fewer cards, the larger."""
    name: str
    piece: _Piece
    state: PanelState
    badges: tuple[BadgeText, ...]
    rows: tuple[_Row, ...]
    partners: tuple[_Piece, ...]
    """The pieces of the seats on the same side."""
    final: bool


@dataclass(frozen=True, slots=True)
class _Headline:
    theme: str
    width: int
    height: int
    unit: int
    text: str
    centred: bool


_cards: Cache[_Card, Image.Image] = Cache(300)
_headlines: Cache[_Headline, Image.Image] = Cache(100)
_pieces: Cache[tuple[str, int, _Piece, RGB], Image.Image] = Cache(300)


def panel_images(
    scene: Scene, say: Callable[[Msg], str], plan: Layout, theme: str, *, final: bool
) -> Iterator[tuple[Image.Image, tuple[int, int]]]:
    """Yield the images of the headline and the cards, each with its upper left corner."""
    unit, head = plan.unit, plan.headline
    line = _Headline(theme, head.width, head.height, unit, say(scene.headline), bool(plan.cards))
    yield _headlines.get(line, partial(_headline_image, line)), (head.x, head.y)
    cards = [_card(scene, panel, say, plan.seats.width, unit, theme, final) for panel in scene.panels]
    if plan.cards:
        places = [plan.cards[panel.seat] for panel in scene.panels if panel.seat in plan.cards]
        cards = _fitted(
            [card for card, p in zip(cards, scene.panels, strict=True) if p.seat in plan.cards], places
        )
    elif plan.cards_below:
        places = _side_by_side(len(cards), plan.seats, round(unit * _GAP))
        cards = _fitted(cards, places)
    else:
        cards = _stacked(cards, plan.seats, unit)
        step = cards[0].height + round(unit * _GAP) if cards else 0
        places = [replace(plan.seats, y=plan.seats.y + nth * step) for nth in range(len(cards))]
    for card, box in zip(cards, places, strict=True):
        yield _cards.get(card, partial(_card_image, card)), (box.x, box.y)


_GAP = 0.1
"""Gap between cards, in units."""
_SCALES = (1.12, 1.0, 0.92, 0.84, 0.76, 0.68, 0.6, 0.5, 0.4)
"""Scales of a card's content, from the one that is tried first."""
_TITLE, _LINE, _PAD = 0.56, 0.43, 0.12
"""Heights of the title and of a row of a card, and its padding, in units."""
_DASH = 0.35
"""Room for the dash that stands for no items, with the gap before it, in units."""


def _side_by_side(count: int, room: Box, gap: int) -> list[Box]:
    """Return the boxes of cards side by side: in one row up to three, else in two."""
    rows = 1 if count <= 3 else 2
    most = max(1, -(-count // rows))
    wide = (room.width - gap * (most - 1)) // most
    high = (room.height - gap * (rows - 1)) // rows
    return [
        Box(room.x + nth % most * (wide + gap), room.y + nth // most * (high + gap), wide, high)
        for nth in range(count)
    ]


def _stacked(cards: list[_Card], room: Box, unit: int) -> list[_Card]:
    """Return cards of equal height, as large as the column allows; three or more fill it."""
    if not cards:
        return []
    count = len(cards)
    share = (room.height - round(unit * _GAP) * (count - 1)) // count
    cards = _scaled(cards, share, _SCALES)
    height = share if count > 2 else min(share, max(map(_content_height, cards)))
    return [replace(card, height=height) for card in cards]


def _fitted(cards: list[_Card], places: list[Box]) -> list[_Card]:
    """Return cards that fill their own boxes, all at one scale."""
    sized = [
        replace(card, width=box.width, height=box.height) for card, box in zip(cards, places, strict=True)
    ]
    return _scaled(sized, min((box.height for box in places), default=0), (1.2, *_SCALES))


def _scaled(cards: list[_Card], height: int, scales: tuple[float, ...]) -> list[_Card]:
    """Return the cards at the largest of `scales` at which the content of each fits `height` pixels."""
    sized = cards
    for scale in scales:
        sized = [replace(card, unit=round(card.unit * scale)) for card in cards]
        if max(map(_content_height, sized), default=0) <= height:
            break
    return sized


def _card(
    scene: Scene, panel: Panel, say: Callable[[Msg], str], width: int, unit: int, theme: str, final: bool
) -> _Card:
    names = {panel.glyph, *(mate.glyph for mate in scene.panels)}
    names.update(item.glyph for row in panel.rows for item in row.items)
    glyphs = interned_glyphs(scene.glyphs, names)

    def piece(glyph: str, ink: Ink) -> _Piece:
        return _Piece(ink, glyphs[glyph])

    def item(it: Item) -> tuple[_Piece, str]:
        return piece(it.glyph, it.ink), count_text(it.count)

    mates = (
        p for p in scene.panels if panel.team is not None and p.team == panel.team and p.seat != panel.seat
    )
    return _Card(
        theme=theme,
        width=width,
        height=0,
        unit=unit,
        name=say(panel.name),
        piece=piece(panel.glyph, panel.ink),
        state="waiting" if final and panel.state == "to_act" else panel.state,
        badges=tuple(BadgeText(say(badge.label), badge.tone) for badge in panel.badges),
        rows=tuple(_Row(say(row.label), tuple(map(item, row.items))) for row in panel.rows),
        partners=tuple(piece(mate.glyph, mate.ink) for mate in mates),
        final=final,
    )


def _wrap_items(card: _Card, row: _Row) -> list[list[tuple[int, _Piece, str]]]:
    """Return the items of a row as lines of (x, piece, count): beside the label if all fit, else below it."""
    unit, inner = card.unit, card.width - 2 * round(card.unit * _PAD)
    size = round(unit * 0.3)
    lines: list[list[tuple[int, _Piece, str]]] = [[]]
    x = round(fonts.width(row.label, round(unit * 0.27)) + unit * 0.14)
    widths = [round(unit * 0.4 + fonts.width(count, size, bold=True)) for _, count in row.items]
    gap = round(unit * 0.13)
    if x + sum(widths) + gap * (len(widths) - 1) > inner:
        lines.append([])
        x = 0
    for (piece, count), wide in zip(row.items, widths, strict=True):
        if x + wide > inner and x > 0:
            lines.append([])
            x = 0
        lines[-1].append((x, piece, count))
        x += wide + gap
    return lines


def _content_height(card: _Card) -> int:
    """Return the height that the content of a card needs, in pixels."""
    lines = sum(len(_wrap_items(card, row)) for row in card.rows)
    rows = wrap_badges(card.badges, card.unit, card.width - 2 * round(card.unit * _PAD))
    badges = sum(row_height(row, card.unit) for row in rows)
    return round(card.unit * (2 * _PAD + _TITLE + _LINE * lines)) + badges


def _card_image(card: _Card) -> Image.Image:
    theme = theme_of(card.theme)
    background = theme.active_card if card.state == "to_act" else theme.card
    image = _plate(card, theme, background)
    unit, pad = card.unit, round(card.unit * _PAD)
    middle = pad + round(unit * _TITLE * 0.46)
    x = pad
    if card.state == "to_act":
        _draw_glyph(
            image, theme.inks["mark"], background, POINTER, (round(unit * 0.08), middle), round(unit * 0.24)
        )
        x += round(unit * 0.2)
    _draw_piece(image, card, card.piece, background, (x, middle), round(unit * 0.5))
    x += round(unit * 0.62)
    end = _draw_title_end(image, card, theme, background, middle)
    over = card.state in ("out", "lost")
    colour = theme.inks["faint" if over else "text"]
    name, size = fonts.fit(card.name, end - x, round(unit * 0.36), min_size=round(unit * 0.2), bold=True)
    fonts.write(image, (x, middle), name, size, colour, bold=True)
    y = pad + round(unit * _TITLE)
    for badges in wrap_badges(card.badges, unit, card.width - 2 * pad):
        for badge in badges:
            draw_badge(image, theme, badge, (pad + badge.x, y), unit, background)
        y += row_height(badges, unit)
    for row in card.rows:
        y = _draw_row(image, card, theme, row, y, background)
    return to_palette(image, card.theme)


def _draw_row(image: Image.Image, card: _Card, theme: Theme, row: _Row, y: int, background: RGB) -> int:
    """Draw a row at `y`, and return the y of the next one."""
    unit, pad = card.unit, round(card.unit * _PAD)
    middle = y + round(unit * _LINE / 2)
    size = round(unit * 0.27)
    room = card.width - 2 * pad - (0 if row.items else round(unit * _DASH))
    label, size = fonts.fit(row.label, room, size, min_size=round(size * 0.6))
    fonts.write(image, (pad, middle), label, size, theme.inks["faint"])
    if not row.items:
        x = pad + round(fonts.width(label, size) + unit * 0.14)
        ImageDraw.Draw(image).rectangle(
            (x, middle - 1, x + round(unit * 0.2), middle + max(0, unit // 40)), fill=theme.inks["faint"]
        )
    for line in _wrap_items(card, row):
        for x, piece, count in line:
            _draw_piece(image, card, piece, background, (pad + x, middle), round(unit * 0.36))
            fonts.write(
                image, (pad + x + unit * 0.4, middle), count, round(unit * 0.3), theme.inks["text"], bold=True
            )
        middle += round(unit * _LINE)
    return middle - round(unit * _LINE / 2)


def _draw_title_end(image: Image.Image, card: _Card, theme: Theme, background: RGB, middle: int) -> int:
    """Draw the seat's result and partners at the right end of the title; return the x where they begin."""
    unit = card.unit
    end = card.width - round(unit * _PAD)
    emblem = {"won": WON, "drawn": DRAWN, "out": OUT}.get(card.state)
    if emblem is not None:
        side = round(unit * (0.56 if card.state == "won" else 0.3))
        end -= side
        colour = theme.inks["mark" if card.state == "won" else "faint"]
        _draw_glyph(image, colour, background, emblem, (end, middle), side)
        end -= round(unit * 0.08)
    if card.partners and card.state != "won":
        for mate in card.partners[::-1]:
            end -= round(unit * 0.36)
            _draw_piece(image, card, mate, background, (end, middle), round(unit * 0.34))
        size = round(unit * 0.3)
        end -= round(fonts.width("+", size, bold=True) + unit * 0.04)
        fonts.write(image, (end, middle), "+", size, theme.inks["faint"], bold=True)
        end -= round(unit * 0.06)
    return end


def _plate(card: _Card, theme: Theme, background: RGB) -> Image.Image:
    """Return the empty card, framed if the seat is to act or has won."""
    size = (card.width * 2, card.height * 2)
    image = Image.new("RGB", size, theme.inks["paper"])
    won = card.state == "won"
    frame = theme.inks["mark"] if won or card.state == "to_act" else None
    if frame is None and background == theme.inks["paper"]:
        frame = theme.inks["faint"]
    thick = round(card.unit * (0.11 if won and card.final else 0.07 if card.state == "to_act" else 0.04))
    ImageDraw.Draw(image).rounded_rectangle(
        (0, 0, size[0] - 1, size[1] - 1),
        card.unit * 0.26,
        fill=background,
        outline=frame,
        width=max(2, thick),
    )
    return image.reduce(2)


def _draw_piece(
    image: Image.Image, card: _Card, piece: _Piece, background: RGB, left: tuple[int, int], size: int
) -> None:
    """Draw a piece on a card, with the middle of its left edge at `left`."""

    def make() -> Image.Image:
        large = Image.new("RGB", (size * UPSCALE, size * UPSCALE), background)
        half = size * UPSCALE / 2
        draw_flat(
            large, theme_of(card.theme), piece.ink, piece.glyph.shape, (half, half), size * UPSCALE * 0.96
        )
        return large.reduce(UPSCALE)

    image.paste(_pieces.get((card.theme, size, piece, background), make), (left[0], left[1] - size // 2))


def _draw_glyph(
    image: Image.Image, colour: RGB, background: RGB, glyph: Glyph, left: tuple[int, int], size: int
) -> None:
    large = Image.new("RGB", (size * UPSCALE, size * UPSCALE), background)
    fill_glyph(
        large, glyph, (size * UPSCALE / 2, size * UPSCALE / 2), (size * UPSCALE, size * UPSCALE), colour
    )
    image.paste(large.reduce(UPSCALE), (left[0], left[1] - size // 2))


def _headline_image(line: _Headline) -> Image.Image:
    theme = theme_of(line.theme)
    image = Image.new("RGB", (line.width, line.height), theme.inks["paper"])
    text, large = line.text, round(line.unit * 0.38)
    lines, size = fonts.wrap(text, line.width, large, lines=1, min_size=round(line.unit * 0.32), bold=True)
    if fonts.width(text, size, bold=True) > line.width:
        lines, size = fonts.wrap(
            text, line.width, large, lines=2, min_size=round(line.unit * 0.29), bold=True
        )
        if " ".join(lines) != text:
            least = round(line.unit * 0.2)
            lines, size = fonts.wrap(
                text, line.width, round(line.unit * 0.28), lines=3, min_size=least, bold=True
            )
    step = size * 1.16
    y = (line.height - line.unit * 0.08) / 2 - step * (len(lines) - 1) / 2
    x, anchor = (line.width / 2, "mm") if line.centred else (0.0, "lm")
    for text in lines:
        fonts.write(image, (x, y), text, size, theme.inks["text"], bold=True, anchor=anchor)
        y += step
    return to_palette(image, line.theme)
