"""No picture shows a box: every text is drawn in a face that has its letters, whatever names there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PIL import ImageDraw, ImageFont

from games.domination.maps.drawing import board
from games.engine import registry
from games.engine.message import Msg, msg
from games.engine.scene import Badge, Map, Scene
from render import EndCard, FilmFrame, draw, draw_chart, draw_win_chart, film, replaced_names
from render.map_annotations import map_annotations, placed_names
from render.spelling import by_codes
from tests.games.domination.mapfiles import atlas
from tests.render.boards import WORDS
from tests.render.boards import say as plain_say
from tests.render.hexes_and_lines import curve
from tests.render.maps import SMALL, map_scene
from tests.render.test_material_chart import chart as material
from tests.render.test_share_chart import chart as shares
from tests.render.test_share_chart import even

HOSTILE = "棋手 🎲 مصر भारत Ж̷̥ แผ่นดิน ≥→\ue000"
_NONCHARACTER = "\U0010fffe"
WORDS.update({"zone.of": "{name} {value}", "title.of": "{name}"})


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, ImageFont.FreeTypeFont]]]:
    """The texts that Pillow draws, each with its font; at the end none of them had a box."""
    found: list[tuple[str, ImageFont.FreeTypeFont]] = []
    text = ImageDraw.ImageDraw.text

    def noted(pen: ImageDraw.ImageDraw, at: Any, what: str, **how: Any) -> None:
        found.append((what, how["font"]))
        text(pen, at, what, **how)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", noted)
    yield found
    assert found
    for what, font in found:
        missing = bytes(font.getmask(_NONCHARACTER))
        boxes = [one for one in what if not one.isspace() and bytes(font.getmask(one)) == missing]
        assert not boxes, (what, font.getname())


def hostile(message: Msg) -> str:
    """Return every text with letters that no font of ours has."""
    return f"{HOSTILE} {message.key[-3:]} {HOSTILE}"


@pytest.mark.parametrize("game", registry.all_games(), ids=lambda game: game.key)
def test_the_boards_of_all_games(game: Any, drawn: list[Any]) -> None:
    setup = game.setup(game.seats[0], {})
    scene: Scene = game.scene(game.view(game.start(setup).state, None), None)
    badge = Badge(msg("any.badge"), "good")
    panels = tuple(replace(panel, badges=(badge,)) for panel in scene.panels)
    draw(replace(scene, panels=panels, watermark=msg("any.mark")), hostile)


def test_animations_and_their_end(drawn: list[Any]) -> None:
    scene = map_scene({"west": ("R", 2)})
    seats = ((0, "1.", HOSTILE), (1, "2.", "棋手"))
    film([FilmFrame(scene, 500, HOSTILE, 0)], hostile, end=EndCard(HOSTILE, HOSTILE, seats, 500))
    texts = [text for text, _ in drawn]
    assert any(text.endswith(" red") or text.startswith("…") for text in texts)


def test_charts(drawn: list[Any]) -> None:
    draw_win_chart(curve((0.8,) * 9), hostile)
    draw_chart(shares(3, even(3, 8)), hostile)
    draw_chart(material(3, even(3, 8)), hostile)


def named(*names: str) -> Map:
    """A map of twelve countries in as many continents as there are names."""
    rows = ["[files]", "crd nomission.cards", "[continents]"]
    rows += [f"{name.replace(' ', '_')} {nth} red" for nth, name in enumerate(names, 2)]
    rows.append("[countries]")
    for n in range(12):
        name = names[n * len(names) // 12].replace(" ", "_")
        x, y = 80 + 150 * (n % 4), 60 + 110 * (n // 4)
        rows.append(f"{n + 1} {name}_{n} {n * len(names) // 12 + 1} {x} {y}")
    rows.append("[borders]")
    rows += [" ".join(str(m) for m in (n, n - 1, n + 1) if 1 <= m <= 12) for n in range(1, 13)]
    return board(
        atlas({"x.map": "\n".join(rows)}),
        None,
        lambda one: msg("zone.of", name=one.name, value=one.value),
        2,
        lambda one: msg("title.of", name=one.name),
    )


def test_names_that_cant_be_drawn_are_shown_by_codes(drawn: list[Any]) -> None:
    of = named("東方", "Ελλάδα", "Россия")
    assert set(replaced_names(of, plain_say).values()) >= {"#1", "C1", "C2"}
    say = by_codes(of, plain_say)
    assert [say(zone.name) for zone in of.zones if zone.name] == ["#1 2", "Ελλάδα 3", "Россия 4"]
    assert say(msg("title.of", name="東方 0: 東方 1")) == "C1: C2"
    draw(map_scene({}, of), plain_say)
    assert "#1 2" in {text for text, _ in drawn}


@pytest.mark.parametrize(
    "name",
    [
        "O",
        "Twenty letters long x",
        "A name of exactly sixty letters that crosses the whole map x",
        "W" * 60,
        "Щ" * 60,
    ],
)
def test_a_name_of_any_length_leaves_most_of_the_map_and_says_its_worth(name: str) -> None:
    of = named(name, "Other")
    notes = map_annotations(of, 100, lambda unit: None)
    placed = placed_names(notes, tuple(plain_say(zone.name) for zone in of.zones if zone.name))
    assert len(placed) == 2
    for one in placed:
        left, _, right, _ = one.box
        assert right - left <= 0.35 * notes.plan.board.width
        assert one.lines[-1].split()[-1] in ("2", "3")
        assert one.letters >= 18


def test_a_board_without_such_names_is_said_as_it_is() -> None:
    assert not replaced_names(SMALL, plain_say)
    assert by_codes(SMALL, plain_say)(msg("main")) == "Mainland 5"
