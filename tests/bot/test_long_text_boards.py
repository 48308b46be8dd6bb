"""A board as text stays whole, however large: in the message, or in a file beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.messages.scenes import with_text_board
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.message import msg
from games.engine.scene import Map
from locales import Catalogue
from tests.render.crowded_maps import crowded_scene

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("name", "files"), [("classic", 0), ("crowd", 1)])
def test_a_text_board_that_is_too_long_for_a_message_is_a_file(name: str, files: int) -> None:
    crowded = crowded_scene(name)
    assert isinstance(crowded.board, Map)
    plain = replace(crowded.board, zones=())
    scene = replace(crowded, headline=msg("bot.board.text"), panels=(), board=plain)
    content, attached = with_text_board(scene, Reader(Catalogue()), "the rest")
    assert content.endswith("the rest")
    assert len(content) <= MAX_CONTENT
    assert len(attached) == files
    assert ("```" in content) is (files == 0)
    shown = attached[0][1].decode("utf-8-sig") if attached else content
    assert all(f" {place} " in shown for place in plain.places)
