"""Pictures and texts: the scene of a position, facts and marks, guards, and a text for every key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from games import dominance
from games.dominance import GAME
from games.dominance.board import names_of
from games.dominance.facts import REASONS
from games.dominance.rules import State
from games.engine.game import Rejected, Seat
from games.engine.message import Msg, Who
from games.engine.scene import Hexes, Mark
from tests.games.dominance.helpers import BOARD_KEYS, after, begin, position, seat_to_act, step
from tests.rows import rows

FOLDER = Path(dominance.__file__).parent


def flat(table: dict[str, Any], at: str = "dominance") -> dict[str, Any]:
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
    return " and ".join(map(_value, value)) if isinstance(value, tuple) else str(value)


def lines(start: State, text: str) -> list[str]:
    """Return the facts of an action in English."""
    return [say(fact.msg) for fact in step(start, text)[1]]


# --- texts ----------------------------------------------------------------------------------------------


def test_every_key_in_the_code_has_a_text_and_every_text_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))
    literal = set(re.findall(r'"(dominance\.[a-z_.0-9]+[a-z0-9])"', code))
    built = {f"dominance.outcome.{reason}" for reason in REASONS}
    built |= {"dominance.seat.red", "dominance.seat.black"}
    titles = ("title", "pitch", "tagline", "credit", "notation", "notation.2", "overlay.guards")
    host = {f"dominance.{key}" for key in titles}
    host |= {f"dominance.option.board{part}" for part in ("", ".help", *(f".{key}" for key in BOARD_KEYS))}
    host |= {"dominance.material", "dominance.material.count"}
    pages = {key for key in TEXTS if key.startswith("dominance.rules.")}
    assert pages == {f"dominance.rules.{n}" for n in range(1, len(pages) + 1)}
    lessons = {f"dominance.lesson.{step.key}{part}" for step in GAME.lessons for part in ("", ".right")}
    reasons = {key.split(".")[2] for key in literal if key.startswith("dominance.reason.")}
    puzzles = {f"dominance.puzzle.{kind}" for kind in reasons}
    assert literal | built | host | pages | lessons | puzzles == set(TEXTS)


def test_the_tagline_is_one_line() -> None:
    assert "\n" not in TEXTS["dominance.tagline"]


def test_texts_are_calm() -> None:
    for key, text in TEXTS.items():
        assert "!" not in str(text), key


def test_the_author_is_named() -> None:
    assert "C. M. Perry" in TEXTS["dominance.credit"]
    assert "2017" in TEXTS["dominance.credit"]


def test_examples_in_the_pages_are_true() -> None:
    board = position("c3 e4", "")
    assert "d4" in names_of(board.guarded[0])
    assert "d4" in names_of(position("c3 c4", "").guarded[0])
    assert "d4" not in names_of(position("c3 d5", "").guarded[0])


# --- facts ----------------------------------------------------------------------------------------------


BLOWS = "c3 and e4 take d4 between them and c5 and e4 take d5 between them"
SAFE = "that breaks the guard of {}, and the attacker is safe there"
FALLEN = "but d4 is still guarded by c4 and e3 on opposite sides of it, and the attacker falls too"


@rows(
    "red, black, text, line",
    [
        ("d4", "g1", "d4-d5", "d4-d5"),
        ("d4", "g1", "a1", "+a1: a new piece, 8 left in the pool"),
        ("c3 f4", "d4 a1", "f4-e4", "f4-e4: attack, c3 and e4 take d4 between them"),
        ("c3 b4", "d4 a1", "b4-c4", "b4-c4: attack, c3 and c4, side by side, take d4"),
        ("b1", "b2 g4", "a1", "+a1: attack, a1 and b1, side by side, take b2"),
        ("c3 c5 f4", "d4 d5 a1", "f4-e4", f"f4-e4: attack, {BLOWS}; {SAFE.format('e4')}"),
        ("e4 b2", "c3 c4", "e4-d4", f"e4-d4: attack, b2 and d4 take c3 between them; {SAFE.format('d4')}"),
        ("d5 b2", "c3 c4 d3 e3 a4", "d5-d4", f"d5-d4: attack, b2 and d4 take c3 between them; {FALLEN}"),
    ],
)
def test_what_an_action_says(red: str, black: str, text: str, line: str) -> None:
    assert lines(position(red, black), text)[0] == line


def test_marks_point_at_where_from_where_to_and_what_was_taken() -> None:
    marks = step(position("c3 f4", "d4 a1"), "f4-e4")[1][0].marks
    assert marks == (Mark("from", "f4"), Mark("to", "e4"), Mark("captured", "d4"))
    assert step(position("d4", "g1"), "a1")[1][0].marks == (Mark("to", "a1"),)
    marks = step(position("d5 b2", "c3 c4 d3 e3 a4"), "d5-d4")[1][0].marks
    assert marks == (Mark("from", "d5"), Mark("to", "d4"), Mark("captured", "c3"), Mark("captured", "d4"))


def test_a_pass_and_warnings_are_told() -> None:
    assert lines(position("a2 b1 a4 g1 g4 d2", "a1"), "d2-c2") == [
        "d2-c2",
        "seat 1 has no legal action and passes; seat 0 acts again.",
    ]
    assert lines(position("a1 a4 f2", "d1"), "f2-g1")[1] == (
        "Careful: seat 0 holds three of the four spawns, and seat 1 has one piece in play. "
        "If the fourth falls too, they can spawn only by attacking, and lose if that is impossible."
    )
    assert "no piece in play" in lines(position("a1 a4 g1 c3 c5", "d4"), "c5-c4")[1]
    assert "holds all four spawns" in lines(position("a1 a4 g1 f4 e6", "e4"), "e6-f5")[1]


def test_refusals_tell_what_to_do_instead() -> None:
    def refusal(state: State, text: str) -> str:
        read = GAME.parse(state, seat_to_act(state), text)
        assert isinstance(read, Rejected)
        return say(read.why)

    state = position("e4", "c3 c4 a2 b2")
    assert refusal(state, "e4-d4") == (
        "Black guards d4 with c3 and c4 side by side. "
        "You can only go there if that takes a piece, and it wouldn't."
    )
    assert refusal(state, "a1").startswith("Black guards a1 with a2 and b2 side by side.")
    assert refusal(state, "+d1") == "d1 isn't a spawn space. Pieces come in on a1 and a4 and g1 and g4."
    assert refusal(state, "h1-h2") == "This board has no space h1. Its spaces go from a1 to g4."


# --- scenes ---------------------------------------------------------------------------------------------


@rows(
    "state, headline",
    [
        (begin(), "Red to move"),
        (after(begin(), "a1"), "Black to move"),
        (
            after(position("c3 f4", "d4", lost={"B": 8}), "f4-e4"),
            "Red wins: 9 of the opponent's ten pieces are taken",
        ),
        (
            after(position("c3 c5 f4", "d4 d5", lost={"B": 8}), "f4-e4"),
            "Red wins: 10 of the opponent's ten pieces are taken",
        ),
        (
            after(position("d5 b2", "c3 c4 d3 e3", lost={"R": 8}), "d5-d4"),
            "Black wins: the opponent's attack cost its own piece, loss number 9",
        ),
        (
            after(position("a1 a4 g1 f5", "d1"), "f5-g4"),
            "Red wins: the opponent is locked out, with no open spawn",
        ),
        (GAME.forfeit(begin(), Seat(0), "timeout").state, "Black wins: the opponent has left the match"),
        (
            after(position("c3", "e5", quiet=99), "c3-c4"),
            "A draw between Red and Black: 100 actions without a spawn or a loss",
        ),
    ],
)
def test_the_headline(state: State, headline: str) -> None:
    assert say(GAME.scene(state, None).headline) == headline


@rows("board", BOARD_KEYS)
def test_a_scene_shows_every_piece_once_on_its_board(board: str) -> None:
    state = position("c3 d1 a1", "d6 f2", board=board)
    scene = GAME.scene(state, None)
    assert {(token.at, token.code) for token in scene.tokens} == {
        ("c3", "R"), ("d1", "R"), ("a1", "R"), ("d6", "B"), ("f2", "B"),
    }  # fmt: skip
    assert len(scene.tokens) == 5
    assert {token.glyph for token in scene.tokens} == set(scene.glyphs) == set(GAME.glyphs)
    assert len(scene.board.places) == {"hex4": 37, "hex5": 61, "sq7": 49}[board]
    assert isinstance(scene.board, Hexes) is (board != "sq7")


def test_sides_differ_in_ink_shape_letter_and_symbol() -> None:
    looks = [GAME.look(GAME.setup(2), Seat(seat)) for seat in (0, 1)]
    for part in ("name", "ink", "glyph", "code", "symbol"):
        assert getattr(looks[0], part) != getattr(looks[1], part)


def test_black_sees_the_board_turned_and_the_public_picture_never_turns() -> None:
    assert [GAME.scene(begin(), viewer).turns for viewer in (None, Seat(0), Seat(1))] == [0, 0, 2]


def test_panels_show_pools_losses_and_what_each_side_holds() -> None:
    state = position("a1 a4 f2 f3", "d6", lost={"B": 8})
    red, black = GAME.scene(state, None).panels
    rows = [(row.label.key, [(item.code, item.count) for item in row.items]) for row in red.rows]
    assert rows == [("dominance.panel.pool", [("R", 6)]), ("dominance.panel.lost", [])]
    assert [[item.count for item in row.items] for row in black.rows] == [[1], [8]]
    assert [say(badge.label) for badge in red.badges] == ["Spawns: 2 of 4"]
    assert [(say(badge.label), badge.tone) for badge in black.badges] == [("Next loss loses", "bad")]
    state = position("a1 a4 g1", "d6")
    red, black = GAME.scene(state, None).panels
    assert [(say(badge.label), badge.tone) for badge in red.badges] == [("Spawns: 3 of 4", "good")]
    assert [(say(badge.label), badge.tone) for badge in black.badges] == [("Lock threatens", "bad")]
    assert [panel.state for panel in (red, black)] == ["to_act", "waiting"]


def test_panels_know_how_it_ended() -> None:
    won = after(position("d1", "a1 a4 g1 f5", "B"), "f5-g4")
    assert [panel.state for panel in GAME.scene(won, None).panels] == ["lost", "won"]
    assert all(panel.badges == () for panel in GAME.scene(won, None).panels)
    drawn = after(position("c3", "e5", quiet=99), "c3-c4")
    assert [panel.state for panel in GAME.scene(drawn, None).panels] == ["drawn", "drawn"]


def test_guards_lie_on_what_each_side_dominates() -> None:
    state = position("c3 c4", "d6 e5")
    assert GAME.overlay(state, "guards") == (
        Mark("guard", "b3", "red"),
        Mark("guard", "d4", "red"),
        Mark("guard", "d5", "black"),
        Mark("guard", "e6", "black"),
    )
    both = GAME.overlay(position("c3 c4", "d3 e3"), "guards")
    assert [mark.ink for mark in both if mark.at == "d4"] == ["red", "black"]
    assert GAME.overlay(begin(), "guards") == ()
    with pytest.raises(ValueError, match="no overlay"):
        GAME.overlay(begin(), "others")


def test_glyphs_lie_in_the_unit_square() -> None:
    for glyph in GAME.glyphs.values():
        for outline in glyph.outlines:
            assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in outline)


@pytest.mark.parametrize(
    ("wire", "marks"),
    [
        ("c3-d4", (Mark("from", "c3"), Mark("legal", "d4"))),
        ("+a1", (Mark("legal", "a1"),)),
    ],
)
def test_marks_of_an_action_show_its_source_and_target(wire: str, marks: tuple[Mark, ...]) -> None:
    assert GAME.action_marks(begin(), GAME.decode(wire)) == marks
