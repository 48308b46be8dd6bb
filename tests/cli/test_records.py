"""Commands on records: stepped through, drawn, proved; a wrong file gets one sentence, with its line."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console

import render
from cli.records import load, positions
from cli.replay import step, walk
from games.engine.game import Seat
from games.engine.message import Who, msg
from games.engine.portable import read_position
from games.engine.record import read
from tests.cli.conftest import Run

MOVES = ("b2-b3", "d2-d3", "b4-b3", "?")


@pytest.fixture
def live(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "live.txt"
    stdin = "".join(f"{line}\n" for line in (*MOVES, f"save {path}"))
    assert run("play", "focus", "--seed", "01", stdin=stdin).exit_code == 0
    return path


@pytest.fixture
def over(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "over.txt"
    stdin = "".join(f"{line}\n" for line in (*MOVES, "resign", f"save {path}"))
    assert run("play", "focus", "--seed", "01", stdin=stdin).exit_code == 0
    return path


def test_a_finished_match_is_proved(run: Run, over: Path) -> None:
    result = run("verify", over)
    assert result.exit_code == 0, result.output
    assert [line[:2] for line in result.output.splitlines()] == ["ok"] * 3
    assert "3 moves" in result.output


@pytest.mark.slow
def test_a_live_match_is_sound_but_not_proved_yet(run: Run, live: Path) -> None:
    result = run("verify", live)
    assert result.exit_code == 3
    assert "when the match is over" in result.output


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("G b2-b3", "G b2-c2"),
        ("first 1", "first 0"),
        ("Seat 1: Red", "Seat 1: Rad"),
        ("Secret: ", "Secret: 0"),
    ],
)
def test_an_edit_is_found_and_its_line_named(run: Run, over: Path, old: str, new: str) -> None:
    text = over.read_text(encoding="utf-8")
    assert old in text
    over.write_text(text.replace(old, new), encoding="utf-8")
    result = run("verify", over)
    assert result.exit_code == 1
    assert re.match(r"wrong  line \d+: ", result.output)


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_refused_move_is_explained_in_words(run: Run, over: Path, command: str) -> None:
    text = over.read_text(encoding="utf-8")
    over.write_text(text.replace("G b2-b3", "G d2-d3"), encoding="utf-8")
    output = " ".join(run(command, over).output.split())
    assert re.search(r"line \d+: the move is refused: [A-Z]", output)
    assert "d2" in output
    assert "focus." not in output


@pytest.mark.parametrize("command", ["verify", "replay", "render"])
def test_what_is_no_record_is_refused(run: Run, tmp_path: Path, command: str) -> None:
    more = ("-o", str(tmp_path / "x.png")) if command == "render" else ()
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "missing", tmp_path, binary):
        result = run(command, path, *more)
        assert result.exit_code == 2
        assert len(result.output.splitlines()) == 1
    letter = tmp_path / "letter"
    letter.write_text("Dear Ann,\n", encoding="utf-8")
    result = run(command, letter, *more)
    assert result.exit_code == (1 if command == "verify" else 2)
    assert "line 1" in result.output


def test_all_positions_are_told_in_a_pipe(run: Run, over: Path) -> None:
    output = run("replay", over).output
    assert re.findall(r"^(\d)/4  F-TTY$", output, re.MULTILINE) == ["0", "1", "2", "3", "4"]
    assert "Green plays first." in output
    assert "resigns" in output
    assert output.count("G Green   Reserve: ") == 5
    assert output.count("3  ·  [RG]") == 1, "the position, with what was done"


def test_one_position_or_the_rest_with_a_delay(run: Run, over: Path) -> None:
    assert re.findall(r"^(\d)/4 ", run("replay", over, "--at", 2).output, re.MULTILINE) == ["2"]
    rest = run("replay", over, "--at", 2, "--delay", 0).output
    assert re.findall(r"^(\d)/4 ", rest, re.MULTILINE) == ["2", "3", "4"]
    result = run("replay", over, "--at", 9)
    assert result.exit_code == 2
    assert "positions 0 to 4" in result.output


@pytest.mark.parametrize(
    ("key", "index"),
    [
        ("", 3),
        ("n", 3),
        ("b", 1),
        ("a", 0),
        ("z", 4),
        ("1", 1),
        ("99", 4),
        ("x", 2),
        ("9" * 5000, 4),
        ("q", None),
    ],
)
def test_keys(key: str, index: int | None) -> None:
    assert step(key, 2, 4) == index


def test_keys_stay_within_the_match() -> None:
    assert step("", 4, 4) == 4
    assert step("b", 0, 4) == 0


def test_a_person_steps_until_they_leave(over: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    keys = iter(("", "z", "b", "9", "q"))
    console = Console(file=StringIO(), width=80)
    monkeypatch.setattr(console, "clear", lambda: seen.append("new page"))
    monkeypatch.setattr("cli.replay.show", lambda _console, _found, index: seen.append(f"{index}"))
    monkeypatch.setattr("click.prompt", lambda *_args, **_options: next(keys))
    walk(console, positions(load(over).entries), 1)
    assert seen == [line for index in ("1", "2", "4", "3", "4") for line in ("new page", index)]


def test_what_one_seat_knows_is_shown_to_it_alone(over: Path) -> None:
    position = positions(load(over).entries)[1]
    (public,) = position.facts
    secret = replace(public, msg=msg("stock.resigns", who=Who(0)), to=frozenset({Seat(1)}))
    both = replace(position, facts=(public, secret))
    assert [len(both.lines(viewer)) for viewer in (None, Seat(0), Seat(1))] == [1, 1, 2]
    marks = [len(both.scene(viewer).marks) for viewer in (None, Seat(0), Seat(1))]
    assert marks == [len(public.marks)] * 2 + [2 * len(public.marks)]
    assert public.marks


@pytest.mark.parametrize("theme", render.THEMES)
def test_a_picture(run: Run, over: Path, tmp_path: Path, theme: str) -> None:
    target = tmp_path / "x.PNG"
    assert run("render", over, "-o", target, "--theme", theme).exit_code == 0
    assert Image.open(BytesIO(target.read_bytes())).format == "PNG"


def test_a_picture_of_any_position_from_any_side(run: Run, over: Path, tmp_path: Path) -> None:
    pictures = set()
    for more in ((), ("--at", 0), ("--at", 2), ("--at", 2, "--side", "green")):
        target = tmp_path / "x.png"
        assert run("render", over, "-o", target, *more).exit_code == 0
        pictures.add(target.read_bytes())
    assert len(pictures) == 4


def test_an_animation_has_a_frame_for_each_position(run: Run, over: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.gif"
    assert run("render", over, "-o", target).exit_code == 0
    with Image.open(target) as animation:
        assert getattr(animation, "n_frames", 1) == 5


def test_other_pictures_are_refused(run: Run, over: Path, tmp_path: Path) -> None:
    result = run("render", over, "-o", tmp_path / "x.jpg")
    assert result.exit_code == 2
    assert ".png" in result.output
    assert ".gif" in result.output
    result = run("render", over, "-o", tmp_path / "no" / "x.png")
    assert result.exit_code == 2
    assert "can't be written" in result.output


def test_a_part_is_animated_with_captions(run: Run, over: Path, tmp_path: Path) -> None:
    whole, part = tmp_path / "all.gif", tmp_path / "part.gif"
    assert run("render", over, "-o", whole, "--part", "all").exit_code == 0
    assert run("render", over, "-o", part, "--part", "last move", "--side", "2").exit_code == 0
    with Image.open(whole) as many, Image.open(part) as one:
        assert getattr(many, "n_frames", 1) > 1
        assert getattr(one, "n_frames", 1) == 1
    wrong = run("render", over, "-o", part, "--part", "banana")
    assert wrong.exit_code != 0
    assert "can't read banana" in wrong.output
    assert "--part is for a .gif" in run("render", over, "-o", tmp_path / "x.png", "--part", "all").output


def test_a_record_goes_into_json_and_back(run: Run, over: Path, tmp_path: Path) -> None:
    data, text = tmp_path / "over.json", tmp_path / "again.txt"
    assert run("record", "export", over, "--format", "json", "-o", data).exit_code == 0
    assert run("verify", data).exit_code == 0
    assert run("record", "export", data, "-o", text).exit_code == 0
    assert text.read_text("utf-8") == over.read_text("utf-8")
    assert run("record", "export", data).output == text.read_text("utf-8")


def test_a_picture_a_position_and_the_moves_for_another_host(run: Run, over: Path, tmp_path: Path) -> None:
    picture = tmp_path / "over.png"
    assert run("record", "export", over, "--format", "picture", "--move", 1, "-o", picture).exit_code == 0
    assert Image.open(BytesIO(picture.read_bytes())).size[0] > 300
    start = run("record", "export", over, "--format", "position", "--move", 0).output
    end = run("record", "export", over, "--format", "position").output
    assert read_position(start)[1] != read_position(end)[1]
    moves = json.loads(run("record", "export", over, "--format", "abstract-play").output)
    assert moves[0][0] == "b7-b6", "Green begins, so that the ranks are reversed"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--move", 1), "Leave out --move"),
        (("--format", "picture"), "needs a file"),
        (("--format", "position", "--move", 9), "moves 0 to 3"),
    ],
)
def test_what_cannot_be_exported_is_said(
    run: Run, over: Path, options: tuple[object, ...], said: str
) -> None:
    result = run("record", "export", over, *options)
    assert result.exit_code == 2
    assert said in result.output


def test_a_match_goes_on_from_a_move(run: Run, over: Path, tmp_path: Path) -> None:
    path = tmp_path / "fork.txt"
    stdin = f"c2-c3\nundo\nundo\nresign\nsave {path}\n"
    result = run("record", "fork", over, "--move", 2, "--seed", "02", stdin=stdin)
    assert result.exit_code == 0, result.output
    assert "continues from move 2 of F-TTY" in result.output
    record = read(path.read_text("utf-8"))
    assert record.match.hosting.origin is not None
    assert record.match.hosting.origin.checksum == over.read_text("utf-8").split()[-1]
    refused = run("record", "fork", over, "--move", 9)
    assert refused.exit_code == 2
    assert "move 0 to move 3" in refused.output
