"""Animations: a frame for each different scene, equal to its own picture, and small."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageSequence

from games.engine.scene import Grid, Mark, Scene
from render import THEMES, animate
from render.animation import HOLD, unit_for
from render.picture import picture
from tests.render.boards import fullest, say, scene, set_up, start


def match_scenes(length: int) -> list[Scene]:
    """Return scenes of an invented match: one pile wanders from place to place."""
    path = ["c4", "d4", "e4", "f4", "f5", "e5", "d5", "c5"]
    piles = {at: pile for at, pile in set_up("2").items() if at not in path}
    return [
        scene(
            piles | {path[turn % 8]: "RRG"},
            to_act="RG"[turn % 2],
            marks=(Mark("from", path[(turn - 1) % 8]), Mark("to", path[turn % 8])),
        )
        for turn in range(length)
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_each_frame_is_the_picture_of_its_scene(theme: str) -> None:
    scenes = [start("2"), *match_scenes(3), fullest("2")]
    film = Image.open(BytesIO(animate(scenes, say, theme=theme)))
    shown = [frame.convert("RGB") for frame in ImageSequence.Iterator(film)]
    assert len(shown) == len(scenes)
    for frame, one in zip(shown, scenes, strict=True):
        assert frame.tobytes() == picture(one, say, theme).convert("RGB").tobytes()


def durations(data: bytes) -> list[int]:
    return [int(frame.info["duration"]) for frame in ImageSequence.Iterator(Image.open(BytesIO(data)))]


def test_the_last_frame_is_held_and_the_animation_loops() -> None:
    data = animate(match_scenes(4), say, milliseconds=500)
    assert durations(data) == [500, 500, 500, HOLD]
    assert Image.open(BytesIO(data)).info["loop"] == 0


def test_scenes_that_look_alike_are_one_frame() -> None:
    one, other = match_scenes(2)
    assert durations(animate([one, one, other, other], say, milliseconds=300)) == [600, 300 + HOLD]


def test_one_scene_is_a_still_picture() -> None:
    data = animate(match_scenes(1), say)
    film = Image.open(BytesIO(data))
    assert getattr(film, "n_frames", 1) == 1
    assert "loop" not in film.info


def test_equal_matches_give_equal_bytes() -> None:
    assert animate(match_scenes(3), say) == animate(match_scenes(3), say)


@pytest.mark.slow
def test_long_matches_are_small() -> None:
    data = animate(match_scenes(200), say)
    assert len(data) < 2_000_000
    film = Image.open(BytesIO(data))
    assert film.width * 2 <= 930
    assert unit_for(80) == 2 * unit_for(200)


def test_invalid_animations_are_refused() -> None:
    with pytest.raises(ValueError, match="needs a scene"):
        animate([], say)
    with pytest.raises(ValueError, match="at least 20 ms"):
        animate(match_scenes(2), say, milliseconds=10)
    with pytest.raises(ValueError, match="scene 1 has another size"):
        animate([start("2"), scene({}, board=Grid(12, 8))], say)
