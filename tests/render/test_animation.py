"""Animations: a frame for each different scene, equal to its own picture, and small."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageSequence

from games.engine.scene import Grid, Mark, Scene
from render import THEMES, EndCard, FilmFrame, animate, film
from render.film import FILM_UNIT, HOLD, unit_for
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


SEATS = ((0, "1.", "Ann"), (1, "2.", "Ben"))
END = EndCard("Focus · F-7K2", "Red wins: Green has no legal move left.", SEATS, 4000)


def films(count: int = 4) -> list[FilmFrame]:
    return [FilmFrame(one, 500, f"{n}. e4-e6", n % 2) for n, one in enumerate(match_scenes(count), 1)]


def pixels(data: bytes) -> list[Image.Image]:
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(BytesIO(data)))]


@pytest.mark.parametrize("theme", THEMES)
def test_captions_are_below_the_boards_and_a_card_ends_it(theme: str) -> None:
    data = film(films(), say, theme=theme, end=END)
    assert durations(data) == [500] * 4 + [4000]
    shown = pixels(data)
    assert len({each.size for each in shown}) == 1
    for frame, one in zip(shown, films(), strict=False):
        board = picture(one.scene, say, theme, unit=FILM_UNIT).convert("RGB")
        assert frame.width == board.width
        assert frame.crop((0, 0, *board.size)).tobytes() == board.tobytes()
        strip = frame.crop((0, board.height, *frame.size))
        assert strip.height >= 0.09 * strip.width
        assert len(strip.getcolors(1000) or ()) > 3, "there are letters and a piece"


@pytest.mark.slow
def test_words_of_frames_and_cards_show() -> None:
    plain = pixels(film(films(), say, end=END))
    other = pixels(film([replace(each, caption="other") for each in films()], say, end=END))
    assert all(one.tobytes() != two.tobytes() for one, two in zip(plain[:4], other[:4], strict=True))
    assert plain[4].tobytes() == other[4].tobytes()
    for end in (replace(END, result="Draw"), replace(END, title="x"), replace(END, seats=END.seats[::-1])):
        assert pixels(film(films(), say, end=end))[4].tobytes() != plain[4].tobytes()
    long = replace(END, result="An extraordinarily long reason " * 20, seats=((0, "1.", "W" * 99),) * 6)
    assert pixels(film(films(), say, end=long))[4].size == plain[4].size


def test_what_is_too_large_is_drawn_smaller_then_with_fewer_frames() -> None:
    whole = film(films(16), say)
    small = film(films(16), say, max_bytes=len(whole) - 1)
    assert pixels(small)[0].width < pixels(whole)[0].width
    fewer = film(films(16), say, max_bytes=len(small) // 2)
    assert len(fewer) <= len(small) // 2
    assert len(pixels(fewer)) < 16
    assert sum(durations(fewer)) == sum(durations(whole)) == 8000
    with pytest.raises(ValueError, match="more than 99 bytes"):
        film(films(), say, max_bytes=99)


def test_progress_is_told_frame_by_frame() -> None:
    seen: list[int] = []
    film(films(), say, progress=seen.append)
    assert seen == [1, 2, 3, 4]


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
    with pytest.raises(ValueError, match="needs a frame"):
        film([], say)
    with pytest.raises(ValueError, match="at least 20 ms"):
        animate(match_scenes(2), say, milliseconds=10)
    with pytest.raises(ValueError, match="has the size"):
        animate([start("2"), scene({}, board=Grid(12, 8))], say)
