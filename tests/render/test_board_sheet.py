"""A sheet of boards: every board and name in its place, in each theme, the same bytes each time."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from games.engine import registry
from games.engine.message import msg
from games.engine.scene import Scene
from locales import Catalogue
from render import THEMES, draw_board_sheet
from tests.soak import sampled

VOICE = Catalogue().speaker("en")


def boards(count: int) -> list[tuple[Scene, str]]:
    """Return the first boards of `count` games, with their names."""
    games = list(registry.all_games())[:count]
    starts = [game.start(game.setup(game.seats[0])).state for game in games]
    return [
        (game.scene(game.view(state, None), None), VOICE(msg(f"{game.key}.title")))
        for game, state in zip(games, starts, strict=True)
    ]


def opened(data: bytes) -> Image.Image:
    """Return a PNG as pixels."""
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


@pytest.mark.parametrize("theme", sampled(THEMES, ("dark", "patterns")))
def test_a_short_last_row_stands_in_the_middle(theme: str) -> None:
    data = draw_board_sheet(boards(5), VOICE, theme=theme)
    assert data == draw_board_sheet(boards(5), VOICE, theme=theme)
    sheet = opened(data)
    paper = Image.new("RGB", sheet.size, sheet.getpixel((0, 0)))
    lower = (0, sheet.height // 2, sheet.width, sheet.height)
    drawn = ImageChops.difference(sheet, paper).crop(lower).getbbox()
    assert drawn is not None
    assert drawn[0] > 150, "nothing on the left of the last row"
    assert drawn[2] < sheet.width - 150, "nor on its right"


def test_seats_and_headlines_are_left_out() -> None:
    said: list[str] = []

    def say(message: object) -> str:
        said.append(getattr(message, "key", ""))
        return VOICE(message)  # type: ignore[arg-type] # what it is given is passed on

    (board,) = boards(1)
    draw_board_sheet([board], say)
    assert board[0].headline.key not in said
    assert board[0].panels


def test_a_sheet_without_boards_is_refused() -> None:
    with pytest.raises(ValueError, match="board"):
        draw_board_sheet([], VOICE)
