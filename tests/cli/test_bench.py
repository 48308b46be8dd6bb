"""The benchmark measures what it says: in turns, the same for both, and a missed target is the exit code."""

from __future__ import annotations

import gc
import hmac
import json
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import groupby, islice
from pathlib import Path
from random import Random

import pytest
from PIL import Image

import render
from cli import bench
from cli.bench import clocks, commits, dice, memory, pictures, playouts, reference, teaching
from cli.bench.measure import Line, compare, limit
from cli.words import sayer
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.game import AnyGame, Setup
from games.engine.lessons import Right, answer
from games.engine.scene import Scene
from matches.ports import StaleError
from matches.queries import Queries
from storage import open_store
from tests.cli.conftest import Run
from tests.fakes import FakeClock
from tests.laws.courses import Case, shortened
from tests.render.boards import say, start
from tests.render.large_boards import LARGE_BOARD, battle_scene, large_scene
from tests.soak import sampled

pytestmark = pytest.mark.slow

FOCUS = registry.get("focus")


@pytest.fixture(scope="module", autouse=True)
def _little_to_collect() -> Iterator[None]:
    """Spare the collections of each round what other tests of this process have left."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def test_both_warm_up_and_then_take_turns() -> None:
    calls: list[tuple[str, int]] = []

    def work(name: str, figures: list[float]) -> bench.measure.Work:
        def run(number: int) -> float:
            calls.append((name, number))
            return figures[number]

        return run

    line = compare(
        "x", "s", work("a", [1, 2, 30, 0]), work("b", [2, 2, 3, 9]), rounds=3, target=1.0, better="less"
    )
    assert calls[:2] == [("a", -1), ("b", -1)]
    assert calls[2:] == [("a", 0), ("b", 0), ("b", 1), ("a", 1), ("a", 2), ("b", 2)]
    assert line.ratio == 1.0
    assert (line.ours, line.theirs) == (2, 2)


@pytest.mark.parametrize(
    ("ratio", "more", "less"), [(3.9, False, True), (4.0, True, True), (4.1, True, False)]
)
def test_a_target_is_met_from_its_side(ratio: float, more: bool, less: bool) -> None:
    assert Line("x", "/s", 1, 1, ratio, 4.0, "more").passed is more
    assert Line("x", "/s", 1, 1, ratio, 4.0, "less").passed is less


@pytest.mark.parametrize("passed", [True, False])
def test_the_table_and_the_exit_code(run: Run, monkeypatch: pytest.MonkeyPatch, passed: bool) -> None:
    lines = [limit("memory", "bytes", 5 if passed else 500, 100), Line("speed", "/s", 9, 3, 3.0, 2.0, "more")]
    monkeypatch.setattr(bench, "_lines", lambda part, rounds, disk: iter(lines))
    result = run("bench", "memory")
    assert result.exit_code == (0 if passed else 1)
    head, first, second = result.output.splitlines()
    assert head.split() == ["what", "ours", "other", "ratio", "target"]
    assert first.endswith("pass" if passed else "FAIL")
    assert second.split() == ["speed", "9.0", "/s", "3.0", "/s", "3.00", "≥", "2", "pass"]
    told = json.loads(run("bench", "memory", "--json").output)
    assert [line["passed"] for line in told] == [passed, True]


def test_an_unknown_part_is_refused(run: Run) -> None:
    assert run("bench", "luck").exit_code == 2


def brief(game: AnyGame, setup: Setup) -> Setup:
    """Return the setup with fewer rounds, where it doesn't say how many."""
    return shortened(Case(game.key, setup.seats, tuple(setup.options.items()))).setup


def test_a_draw_is_held_against_the_hash_that_it_needs() -> None:
    for seq in (1, 77):
        digest = hmac.digest(dice.SECRET, dice.message(seq), "sha256")
        assert dice.sealed().dice(seq).word() == int.from_bytes(digest[:4], "big")


SETUPS = sampled(playouts.setups(), ((game, brief(game, setup)) for game, setup in playouts.setups()))


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_random_games_come_to_an_end(game: AnyGame, setup: Setup) -> None:
    facts = list(playouts.our_game(game, setup, Random(5)))
    assert setup.seats < len(facts) <= game.max_actions(setup)
    assert sum(facts) >= len(facts)
    assert facts[:100] == list(islice(playouts.our_game(game, setup, Random(5)), 100))


def test_every_game_and_option_is_measured() -> None:
    measured = [(game.key, setup.seats, dict(setup.options)) for game, setup in playouts.setups()]
    assert {key for key, _, _ in measured} == set(registry.KEYS)
    assert ("focus", 4, {"fast": False, "partners": True}) in measured
    for game in registry.all_games()[: len(registry.KEYS)]:
        for option in game.options:
            chosen = {options[option.key] for key, _, options in measured if key == game.key}
            assert len(chosen) == (len(option.choices) if len(option.choices) <= playouts.MANY else 2)


def test_chess_comes_to_an_end() -> None:
    assert sum(playouts.chess_game(Random(5))) > 10


def _of_each_game() -> Iterator[tuple[str, AnyGame, Setup]]:
    """Yield the first and the last look of each game."""
    for _, group in groupby(pictures.looks(), key=lambda look: look[1].key):
        looks = list(group)
        yield from looks[:1] + looks[1:][-1:]


LOOKS = sampled(pictures.looks(), _of_each_game())


@pytest.mark.parametrize(("name", "game", "setup"), LOOKS)
def test_both_draw_the_same_positions_at_the_same_size(name: str, game: AnyGame, setup: Setup) -> None:
    say = sayer(game, setup)
    scenes = pictures.scenes(game, setup, 1)
    assert name.startswith(game.key)
    assert len(set(map(hash, (scene.tokens for scene in scenes)))) > pictures.PICTURES // 2
    ours = Image.open(BytesIO(render.draw(scenes[0], say)))
    theirs = Image.open(BytesIO(reference.draw(scenes[0], say, ours.size)))
    assert ours.size == theirs.size
    crowded = pictures.crowded(scenes[0], 1, guarded=True)
    assert {token.at for token in crowded.tokens} == crowded.board.places
    assert {mark.at for mark in crowded.marks if mark.kind == "guard"} == crowded.board.places
    piles = any(token.level for token in scenes[0].tokens)
    assert len(crowded.tokens) == len(crowded.board.places) * (5 if piles else 1)


def test_the_usual_way_draws_large_boards_with_all_that_is_on_them() -> None:
    plain, full = large_scene("NESW", {}), battle_scene()
    size = Image.open(BytesIO(render.draw(full, say))).size
    drawn = [reference.draw(scene, say, size) for scene in (plain, full)]
    assert drawn[0] != drawn[1]
    without = replace(plain, board=replace(LARGE_BOARD, zones=(), edges=frozenset(), forts=frozenset()))
    assert reference.draw(without, say, size) != drawn[0]
    assert Image.open(BytesIO(drawn[1])).size == size


@pytest.mark.parametrize("kind", ["small", "large"])
def test_pictures_of_large_boards_may_be_larger(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def scenes(game: AnyGame, setup: Setup, seed: int) -> list[Scene]:
        return [battle_scene() if kind == "large" else start("4")]

    monkeypatch.setattr(pictures, "scenes", scenes)
    monkeypatch.setattr(pictures, "looks", lambda: iter([("focus 4", FOCUS, FOCUS.setup(4))]))
    monkeypatch.setattr(pictures, "sayer", lambda game, setup: say)
    found = list(pictures.lines(1))
    sizes = [line for line in found if line.unit == "bytes"]
    limits = {line.target for line in sizes}
    assert limits == ({pictures.VAST} if kind == "large" else {pictures.TYPICAL, pictures.FULL})
    assert len(found) == 1 + 2 * len(render.THEMES)
    assert all(line.passed for line in sizes)


def test_every_kind_of_picture_is_measured() -> None:
    found = list(pictures.looks())
    assert {game.key for _, game, _ in found} == set(registry.KEYS)
    assert len({name for name, _, _ in found}) == len(found)
    assert [name for name, _, _ in found][:2] == ["focus 2", "focus 3"]


async def test_commits_are_those_of_a_move(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "x.sqlite3", clock=FakeClock())
    try:
        first = commits.new_match(0)
        await store.create(first)
        second = commits.move(first.row, 1)
        await store.commit(second)
        with pytest.raises(StaleError):
            await store.commit(commits.move(first.row, 2))
        row = await store.match(first.row.id)
        assert row is not None
        assert row.version == first.row.version + 1
        assert len(await store.outbox_pending(row.id)) == 1
    finally:
        await store.close()


def test_the_disk_is_measured_where_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "OPERATIONS", 3)
    (line,) = commits.lines(1, tmp_path)
    assert line.ours > 0
    assert line.theirs is not None
    assert list(tmp_path.iterdir()) == []


def test_memory_is_counted_for_matches_that_were_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    seen = Queries.current

    async def watched(self: Queries, match_id: str) -> object:
        looked.append(match_id)
        found = await seen(self, match_id)
        assert not hasattr(found, "why"), found
        return found

    monkeypatch.setattr(Queries, "current", watched)
    monkeypatch.setattr(memory, "FEW", 2)
    monkeypatch.setattr(memory, "MANY", 5)
    (line,) = memory.lines(tmp_path)
    assert line.target == memory.LIMIT
    assert len(looked) == 5


def test_clocks_that_are_not_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "MATCHES", 3)
    monkeypatch.setattr(clocks, "POLLS", 2)
    ratio, each = clocks.lines(1, tmp_path)
    assert (ratio.unit, each.unit) == ("ms", "ms")
    assert ratio.ours > 0


def test_steps_are_answered_rightly_and_wrongly_and_reasons_are_those_of_hints() -> None:
    answers = teaching._answers(FOCUS)
    found = [isinstance(answer(FOCUS, place.step, text), Right) for place, text in answers]
    assert found == [True, True, *[True, False] * (len(FOCUS.lessons) - 1)], (
        "all answers to the first are right"
    )
    step, board = teaching._steps(registry.get("two_domains"))
    assert step(-1) > 0
    assert board(-1) > 0
    line = teaching._reasons(registry.get("two_domains"), Levels())
    assert line.theirs
    assert line.ours > 0
