"""What a viewer may see of a position is worked out once, however many messages show it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bot.messages import scenes
from bot.messages.scenes import base_scene, frame, scene_for
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, abort, begin, offer_draw, play, rule
from games.engine.message import msg
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


@pytest.mark.parametrize("key", registry.KEYS)
def test_nobody_is_to_act_once_people_have_ended_a_match(key: str) -> None:
    """By agreement, before the first move, or by a moderator: the state of the game has nothing of it."""
    game = registry.get(key)
    setup = game.setup(min(game.seats))
    sealed = Sealed(b"scene", f"{game.code}-SCN", "salt")
    start = begin(game, setup, sealed).match
    offered = offer_draw(start, Seat(0), sealed)
    assert isinstance(offered, Change)
    ended = {
        "draw": offer_draw(offered.match, Seat(1), sealed),
        "ruling": rule(start, "win", sealed, Seat(1)),
        "none": abort(start, sealed),
    }
    for how, change in ended.items():
        assert isinstance(change, Change), change
        assert change.match.ending is not None
        shown = base_scene(change.match, None)
        assert shown.headline == msg(f"match.outcome.{how}")
        states = [panel.state for panel in shown.panels if panel.seat in range(setup.seats)]
        assert "to_act" not in states
        if how == "ruling":
            assert states.index("won") == 1
            assert states.count("won") == 1
        assert frame(change.match, (), None) == shown
