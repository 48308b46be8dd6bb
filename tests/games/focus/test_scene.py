"""Pictures and texts: the scene of a position, facts and marks, and a text for every key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from games import focus
from games.engine.game import CHANCE, Seat
from games.engine.message import Msg, Who, msg
from games.engine.scene import Mark
from games.focus import GAME
from games.focus.board import SPACES, to_piles
from games.focus.rules import State
from tests.games.focus.helpers import VARIANTS, act, after, begin, position, seat_to_act
from tests.rows import rows

FOLDER = Path(focus.__file__).parent


def flat(table: dict[str, Any], at: str = "focus") -> dict[str, Any]:
    """Key to text or plural forms, as the catalogue joins them."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        path = at if key == "_" else f"{at}.{key}"
        if isinstance(value, dict) and "other" not in value:
            found |= flat(value, path)
        else:
            found[path] = value
    return found


TEXTS = flat(tomllib.loads((FOLDER / "texts" / "en.toml").read_text(encoding="utf-8")))


def say(said: Msg) -> str:
    """Return a message in English, with the numbers of seats for players."""
    text = TEXTS[said.key]
    values = dict(said.values)
    if isinstance(text, dict):
        text = text["one" if values["n"] == 1 else "other"]
    return str(text).format(**{name: _value(value) for name, value in values.items()})


def _value(value: object) -> str:
    if isinstance(value, Msg):
        return say(value)
    if isinstance(value, Who):
        return f"seat {value.seat}"
    return ", ".join(map(_value, value)) if isinstance(value, tuple) else str(value)


# --- texts ----------------------------------------------------------------------------------------------


def test_every_key_in_the_code_has_a_text_and_every_text_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))
    literal = set(re.findall(r'"(focus\.[a-z_.0-9]+[a-z0-9])"', code))
    built = {f"focus.seat.{c}" for c in ("red", "green", "blue", "yellow")}
    built |= {f"focus.fact.captured.{c}" for c in ("red", "green", "blue", "yellow")}
    built |= {
        f"focus.outcome.{r}" for r in ("domination", "captures", "ten", "standing", "repetition", "quiet")
    }
    host = {f"focus.{key}" for key in ("title", "pitch", "tagline", "credit", "notation", "notation.2")}
    host |= {
        f"focus.option.{o}{part}" for o in ("fast", "partners") for part in ("", ".help", ".true", ".false")
    }
    host |= {"focus.material", "focus.material.count"}
    pages = {key for key in TEXTS if key.startswith("focus.rules.")}
    assert pages == {f"focus.rules.{n}" for n in range(1, len(pages) + 1)}
    lessons = {f"focus.lesson.{step.key}{part}" for step in GAME.lessons for part in ("", ".right")}
    reasons = {key.split(".")[2] for key in literal if key.startswith("focus.reason.")}
    puzzles = {f"focus.puzzle.{kind}" for kind in reasons}
    assert literal | built | host | pages | lessons | puzzles == set(TEXTS)


def test_the_tagline_is_one_line() -> None:
    assert "\n" not in TEXTS["focus.tagline"]


def test_texts_are_calm() -> None:
    for key, text in TEXTS.items():
        assert "!" not in str(text), key


# --- facts ----------------------------------------------------------------------------------------------


def test_a_capture_is_told_in_one_line() -> None:
    start = position("b3=RGRG f3=GRR h3=R", turn="G")
    state, said = act(start, "b3-f3")
    assert [say(line) for line in said] == ["b3-f3: pile of 5, captured 1 red, 1 to reserve"]
    step = GAME.apply(start, Seat(1), GAME.decode("b3-f3"))
    assert step.facts[0].marks == (Mark("from", "b3"), Mark("to", "f3"), Mark("captured", "f3"))
    assert seat_to_act(state) == 0


GIFT = "d6=RG d4=YBRGB a3=R"
PAIRS = {"seats": 4, "partners": True}


@rows(
    "piles, text, more, line",
    [
        ("d5=G a3=R", "d5-d4", {}, "d5-d4: a single piece"),
        ("d5=G d4=R a3=R", "d5-d4", {}, "d5-d4: pile of 2"),
        ("d5=G d4=R a3=R", "+d4", {"reserve": {"G": 1}}, "+d4 from the reserve: pile of 2"),
        ("d5=G a3=R", "+c8", {"reserve": {"G": 1}}, "+c8 from the reserve: a single piece"),
        ("d5=G d4=GRRRR a3=R", "d5-d4", {}, "d5-d4: pile of 5, 1 to reserve"),
        ("d5=G a3=R h3=B", "+c8", {"seats": 3, "thirteenth": "G"}, "+c8: the 13th piece is on the board"),
        (GIFT, "d6-d4", PAIRS, "d6-d4: pile of 5, captured 1 blue, 1 to seat 2's reserve"),
        (GIFT, "d6-d4", {"seats": 4}, "d6-d4: pile of 5, captured 1 blue, captured 1 yellow"),
    ],
)  # fmt: skip
def test_what_a_turn_says(piles: str, text: str, more: dict[str, Any], line: str) -> None:
    _, said = act(position(piles, turn="G", **more), text)
    assert say(said[0]) == line


def test_a_reserve_move_marks_its_space_only() -> None:
    start = position("d5=G a3=R", turn="G", reserve={"G": 1})
    step = GAME.apply(start, Seat(1), GAME.decode("+c8"))
    assert step.facts[0].marks == (Mark("to", "c8"),)


def test_passes_and_returns_are_told() -> None:
    _, said = act(position("d5=G d4=YBGRB a3=R", turn="G", seats=4), "d5-d4")
    assert [say(line) for line in said[1:]] == [
        "seat 1 has nothing to play and passes.",
        "seat 2 has nothing to play and passes.",
    ]
    _, said = act(position("d5=BG a3=R h4=Y", turn="G", seats=4), "d5-d4")
    assert say(said[1]) == "seat 1 had nothing to play and is back in the game."


@rows(
    "state, headline",
    [
        (GAME.start(GAME.setup(2)).state, "The first player is drawn"),
        (begin("2", 1), "Green to move"),
        (begin("3", 2), "Blue to place the 13th piece"),
        (after(position("d5=R d4=G", turn="R"), "d5-d4"), "Red wins by domination"),
        (
            after(position("d5=B d4=Y a3=R", turn="B", seats=4, partners=True), "d5-d4"),
            "Blue, Red win by domination",
        ),
        (
            after(position("d5=R e5=G", turn="R", quiet=59), "d5-d4"),
            "A draw between Red, Green: 60 turns without a capture",
        ),
    ],
)
def test_the_headline(state: State, headline: str) -> None:
    assert say(GAME.scene(state, None).headline) == headline


# --- scenes ---------------------------------------------------------------------------------------------


@rows("variant", VARIANTS)
def test_a_scene_shows_every_piece_once(variant: str) -> None:
    state = begin(variant)
    scene = GAME.scene(state, None)
    shown: dict[str, str] = {}
    for token in scene.tokens:
        assert token.level == len(shown.get(token.at, ""))
        shown[token.at] = shown.get(token.at, "") + token.code
    assert shown == to_piles(state.board)
    assert set(shown) <= set(SPACES)
    assert {token.glyph for token in scene.tokens} <= set(scene.glyphs) == set(GAME.glyphs)
    assert [panel.code for panel in scene.panels] == list(state.variant.colours)


def test_colours_differ_in_ink_shape_letter_and_symbol() -> None:
    looks = [GAME.look(GAME.setup(4), Seat(seat)) for seat in range(4)]
    for part in ("name", "ink", "glyph", "code", "symbol"):
        assert len({getattr(look, part) for look in looks}) == 4


@rows("variant, turns", [("2", [0, 2]), ("3", [1, 0, 3]), ("4", [0, 3, 2, 1]), ("partners", [0, 3, 2, 1])])
def test_my_side_is_at_the_bottom_and_the_public_picture_never_turns(variant: str, turns: list[int]) -> None:
    state = begin(variant)
    assert [GAME.scene(state, Seat(seat)).turns for seat in range(len(turns))] == turns
    assert GAME.scene(state, None).turns == 0


def test_panels_show_what_each_side_holds() -> None:
    state = position(
        "d5=R a3=G h3=B",
        turn="R",
        seats=3,
        thirteenth="B",
        reserve={"R": 2},
        captured={"R": {"G": 3, "B": 1}},
    )
    red, green, blue = GAME.scene(state, None).panels
    rows = [(row.label.key, [(item.code, item.count) for item in row.items]) for row in red.rows]
    assert rows == [("focus.panel.reserve", [("R", 2)]), ("focus.panel.captured", [("G", 3), ("B", 1)])]
    assert [row.items for row in green.rows] == [(), ()]
    assert blue.rows[0].label == msg("focus.panel.thirteenth")
    assert [panel.state for panel in (red, green, blue)] == ["to_act", "waiting", "waiting"]
    assert red.team is None


def test_panels_know_teams_and_ends() -> None:
    assert [panel.team for panel in GAME.scene(begin("partners"), None).panels] == [0, 1, 0, 1]
    gone = GAME.forfeit(begin("4"), Seat(2), "resign").state
    assert [panel.state for panel in GAME.scene(gone, None).panels] == ["to_act", "waiting", "out", "waiting"]
    won = after(position("d5=R d4=G", turn="R"), "d5-d4")
    assert [panel.state for panel in GAME.scene(won, None).panels] == ["won", "lost"]
    drawn = after(position("d5=R e5=G", turn="R", quiet=59), "d5-d4")
    assert [panel.state for panel in GAME.scene(drawn, None).panels] == ["drawn", "drawn"]
    start = GAME.start(GAME.setup(2)).state
    assert GAME.to_act(start) == {CHANCE}
    assert [panel.state for panel in GAME.scene(start, None).panels] == ["waiting", "waiting"]


def test_glyphs_lie_in_the_unit_square() -> None:
    for glyph in GAME.glyphs.values():
        for outline in glyph.outlines:
            assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in outline)


@rows(
    "wire, marks",
    [
        ("e4-e6", (Mark("from", "e4"), Mark("legal", "e6"))),
        ("+c4", (Mark("legal", "c4"),)),
        ("first 1", ()),
    ],
)
def test_marks_of_an_action_show_its_source_and_target(wire: str, marks: tuple[Mark, ...]) -> None:
    assert GAME.action_marks(begin("4"), GAME.decode(wire)) == marks
