"""What a viewer may see of a position is worked out once, however many messages show it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bot.messages import scenes
from bot.messages.scenes import base_scene, scene_for
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, begin, play
from tests.bot.acts import move_by
from tests.bot.stage import Stage, legal


async def test_a_move_with_a_mirror_and_a_private_view_builds_each_scene_once(
    open_stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.cleo.slash(stage.gallery, "matches watch here", match=match)
    mover = await stage.mover(match)
    game = registry.get("focus")
    built: Counter[tuple[Any, Any]] = Counter()
    plain: Any = type(game).scene

    def counted(self: Any, view: Any, viewer: Seat | None) -> Any:
        built[view, viewer] += 1
        return plain(view, viewer)

    scenes._scene_of.cache.clear()
    monkeypatch.setattr(type(game), "scene", counted)
    scenes._scene_of.cache.clear()  # another test may have met the same position
    await move_by(stage, "reply", match, thread, mover, legal(await stage.match(match))[0])
    assert list(built.values()) == [1], "the board, drawn ahead, and its mirror"
    for person in (stage.ann, stage.ann, stage.ben):
        await person.slash(thread, "ask about", what="score")
        await person.slash(thread, "ask board")
    assert set(built.values()) == {1}
    assert {viewer for _, viewer in built} == {None, 0, 1}


def test_a_state_that_was_tried_is_another_scene() -> None:
    game = registry.get("focus")
    sealed = Sealed(b"scene", "F-SCN", "salt")
    start = begin(game, game.setup(2), sealed).match
    (seat,) = start.to_act
    tried = [play(start, seat, action, sealed) for action in list(game.actions(start.state, seat))[:2]]
    found = {base_scene(each.match, None) for each in tried if isinstance(each, Change)}
    assert len(found | {base_scene(start, None)}) == 3
    assert scene_for(start, None) is base_scene(start, None)
