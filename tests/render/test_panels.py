"""Cards of seats: what is on them uses the room between the paddings, and no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from games.engine.message import Msg, msg
from games.engine.scene import Badge, Item, Panel, Row
from render.kinds import layout
from render.panels import panel_images
from render.themes import theme_of
from tests.render.boards import midgame

ALONE = replace(midgame().panels[0], state="waiting", rows=(), badges=())
PADDING = 11
"""On each side of the card of a seat that is alone, in pixels."""


def card_of(panel: Panel) -> Image.Image:
    """Return the card of the only seat, which is as high as what is on it."""
    of = replace(midgame(), panels=(panel,))
    plan = layout(of.board, of.turns)
    assert plan.unit == 80
    _, (card, _) = panel_images(of, key, plan, "classic", final=False)
    return card.convert("RGB")


def key(message: Msg) -> str:
    """Return the key of a message as its text."""
    return message.key


def free_edges(card: Image.Image) -> tuple[int, int]:
    """Return how many pixels of a card are free at the left and at the right of what is below its title."""
    background = theme_of("classic").card
    inside = card.crop((3, 64, card.width - 3, card.height - 20))
    used = ImageChops.difference(inside, Image.new("RGB", inside.size, background)).getbbox()
    assert used is not None
    return used[0] + 3, inside.width - used[2] + 3


def with_item(n: int) -> Panel:
    """Return a seat with a label that grows, beside which there is an item until it has to go below."""
    return replace(ALONE, rows=(Row(msg("i" * n), (item(1),)),))


def item(digits: int) -> Item:
    return Item(ALONE.glyph, ALONE.ink, ALONE.code, 10**digits - 1)


@pytest.mark.parametrize(
    "growing",
    [
        with_item,
        lambda n: replace(ALONE, rows=(Row(msg("Xi" * n), ()),)),
        lambda n: replace(ALONE, badges=(Badge(msg("xi" * n), "good"),)),
        lambda n: replace(ALONE, badges=(Badge(msg("xi xi " * n), "good"),)),
    ],
    ids=["item", "dash", "badge", "badge of words"],
)
def test_what_grows_on_a_card_fills_it_up_to_its_padding(growing: Callable[[int], Panel]) -> None:
    edges = [free_edges(card_of(growing(n))) for n in range(1, 40)]
    assert all(PADDING <= left <= PADDING + 1 for left, _ in edges)
    assert PADDING - 1 <= min(right for _, right in edges) <= PADDING + 5


@pytest.mark.parametrize("digits", range(1, 6))
def test_items_go_on_below_before_they_reach_the_padding(digits: int) -> None:
    heights = []
    for count in range(1, 8):
        card = card_of(replace(ALONE, rows=(Row(msg("row"), (item(digits),) * count),)))
        left, right = free_edges(card)
        assert PADDING <= left <= PADDING + 1
        assert right >= PADDING
        heights.append(card.height)
    assert heights == sorted(heights)
    assert heights[0] < heights[-1]


def test_a_card_is_as_high_as_the_rows_of_its_badges() -> None:
    background = theme_of("classic").card
    rooms, heights = set(), []
    for n in range(1, 24):
        card = card_of(replace(ALONE, badges=(Badge(msg("x" * n), "good"), Badge(msg("xx"), "bad"))))
        middle = range(20, card.width - 20)
        last = max(
            y for y in range(card.height - 4) if any(card.getpixel((x, y)) != background for x in middle)
        )
        rooms.add(card.height - last)
        heights.append(card.height)
    assert max(rooms) - min(rooms) <= 2, "no row is counted that isn't drawn, or drawn that isn't counted"
    assert heights[0] < heights[-1]
