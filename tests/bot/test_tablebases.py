"""Tables of exact values: found, missing or damaged at the start, with the shipped ones behind them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.platform import tablebases
from bot.platform.config import Config
from bot.platform.tablebases import find_oracles, find_tablebases, shipped_table
from games.ai.analysis import analyse
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.levels import LEVELS
from games.engine.match import Kind
from games.two_domains import GAME as TWO_DOMAINS
from games.two_domains.packed_table import PackedTable
from games.two_domains.value_table import ValueTable
from solve.solver import Solver
from solve.table_file import write
from tests.bot.acts import last_board, move_by
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, shown, text_of
from tests.toy.extras import MAGIC

pytestmark = pytest.mark.slow

SHIPPED = {game.key for game in registry.all_games() if game.shipped_table is not None}
RISING = MAGIC + bytes((10, 20, 30, 40, 50, 60))


def lay(folder: Path, data: bytes = RISING) -> None:
    """Put a table of Three Walkers into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "walkers.values").write_bytes(data)


def test_a_table_is_found(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert find_oracles(tmp_path / "nowhere").keys() == SHIPPED
    assert find_oracles(tmp_path).keys() == SHIPPED
    (tmp_path / "walkers.values").mkdir()
    assert find_oracles(tmp_path).keys() == SHIPPED, "a folder is no table"
    assert not caplog.records, "nothing is said where there is nothing"
    lay(tmp_path / "tables")
    assert find_oracles(tmp_path / "tables").keys() == SHIPPED | {"toy"}


@pytest.mark.parametrize("data", [b"", b"something else", RISING[:-1], RISING + b"."])
def test_a_bad_table_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture, data: bytes) -> None:
    lay(tmp_path, data)
    with caplog.at_level(logging.WARNING):
        assert find_oracles(tmp_path).keys() == SHIPPED
    (record,) = caplog.records
    assert str(tmp_path / "walkers.values") in record.getMessage()


def test_a_table_of_the_operator_goes_before_the_shipped_one(tmp_path: Path) -> None:
    table = tmp_path / "two-domains.values"
    solver = Solver(2, epsilon=1e-3)
    solver.solve()
    write(solver, table)
    (found,) = (each for each in find_tablebases(tmp_path) if each.game == "two_domains")
    assert (found.path, found.shipped, found.problem) == (table, False, "")
    assert isinstance(found.oracle, ValueTable)


def test_the_shipped_table_takes_the_place_of_a_damaged_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "two-domains.values").write_bytes(b"Dominium values of Two Domains, 0\n")
    bad, good = (each for each in find_tablebases(tmp_path) if each.game == "two_domains")
    assert (bad.shipped, bad.oracle) == (False, None)
    assert "not a table of the values" in bad.problem
    assert (good.shipped, good.path) == (True, shipped_table(TWO_DOMAINS))
    with caplog.at_level(logging.WARNING):
        assert isinstance(find_oracles(tmp_path)["two_domains"], PackedTable)
    assert len(caplog.records) == 1


@pytest.mark.parametrize("data", [None, b"", b"Dominium packed values of Two Domains, 1\n{"])
def test_without_a_shipped_table_expert_takes_the_place_of_perfect(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, data: bytes | None
) -> None:
    path = tmp_path / "damaged.packed"
    if data is not None:
        path.write_bytes(data)
    monkeypatch.setattr(tablebases, "shipped_table", lambda game: path if game.key == "two_domains" else None)
    with caplog.at_level(logging.WARNING):
        oracles = find_oracles(tmp_path)
    assert oracles == {}
    assert [record.getMessage().split(" can't be used")[0] for record in caplog.records] == [
        f"the table {path}"
    ]
    levels = Levels(oracles)
    assert levels.names("two_domains") == LEVELS
    assert not levels.has("two_domains", "perfect")


async def test_the_host_chooses_a_level_where_there_are_several(stage: Stage) -> None:
    lay(stage.path.parent)
    await stage.restart()
    match, _ = await stage.open(stage.ann, start=False, game="toy")
    table = await stage.lobby(match)
    result = await stage.ann.click(table, label="Add computer")
    assert result.ephemeral
    asks = shown(result)
    assert asks.content == "How strong should the computer be?"
    (menu,) = asks.components[0].children  # type: ignore[union-attr] # a row with a menu
    assert [option.value for option in menu.options] == ["random", "perfect"]  # type: ignore[union-attr]
    assert "Only the host" in text_of(await stage.ben.click(table, label="Add computer"))
    await stage.ann.select(asks, ["perfect"])
    assert asks.id not in {message.id for message in stage.channel.history()}, "the table says it all"
    table = await stage.lobby(match)
    assert "computer, perfect" in table.content
    assert "Start" in labels(table)
    await stage.ann.click(table, label="Start")
    state = (await stage.match(match)).state
    assert state.down[1] is not None
    assert all(state.down[1] > card for card in state.hands[1])
    thread = stage.home(await stage.row(match))
    await move_by(stage, "slash", match, thread, stage.ann, "lowest")
    assert "perfect" in (await last_board(stage, match)).content


async def test_a_level_that_is_gone_before_it_is_chosen(stage: Stage) -> None:
    lay(stage.path.parent)
    await stage.restart()
    match, _ = await stage.open(stage.ann, start=False, game="toy")
    asks = shown(await stage.ann.click(await stage.lobby(match), label="Add computer"))
    (stage.path.parent / "walkers.values").unlink()
    await stage.restart()
    said = text_of(await stage.ann.select(asks, ["perfect"]))
    assert said.startswith("There is no computer player of that level.")
    await stage.ann.click(await stage.lobby(match), label="Add computer")
    assert "computer, random" in (await stage.lobby(match)).content, "one level: no question"


async def test_a_full_lobby_asks_for_no_level(stage: Stage) -> None:
    lay(stage.path.parent)
    await stage.restart()
    match, _ = await stage.open(stage.ann, start=False, game="toy")
    table = await stage.lobby(match)
    asks = shown(await stage.ann.click(table, label="Add computer"))
    await stage.ben.click(table, label="Join")
    assert "All seats are taken" in text_of(await stage.ann.select(asks, ["random"]))


async def test_tables_may_lie_elsewhere(stage: Stage, tmp_path: Path) -> None:
    lay(tmp_path / "elsewhere")
    stage.config = Config(
        token="", data=stage.path, tables=tmp_path / "elsewhere", always_sync=True, thinkers=0
    )
    await stage.restart()
    assert stage.bot.context.service.levels.solved == SHIPPED | {"toy"}


async def test_a_perfect_computer_is_there_without_the_operator(stage: Stage) -> None:
    assert not list(stage.path.parent.glob("*.values"))
    match, _ = await stage.open(stage.ann, start=False, game="two_domains")
    asks = shown(await stage.ann.click(await stage.lobby(match), label="Add computer"))
    (menu,) = asks.components[0].children  # type: ignore[union-attr] # a row with a menu
    assert [option.value for option in menu.options] == [*LEVELS[:-1], "perfect"]  # type: ignore[union-attr]
    await stage.ann.select(asks, ["perfect"])
    await stage.ann.click(await stage.lobby(match), label="Start")
    loaded = await stage.match(match)
    thread = stage.home(await stage.row(match))
    while len([entry for entry in loaded.log if entry.kind is Kind.PLAY and entry.seat == 1]) < 2:
        await move_by(stage, "slash", match, thread, stage.ann, "gather")
        loaded = await stage.match(match)
    first = next(entry for entry in loaded.log if entry.kind is Kind.PLAY and entry.seat == 1)
    assert first.data == "gather", "the best move by far"
    await stage.bot.context.service.play.resign(match, stage.ann.id, request="r")
    finished = await stage.match(match)
    assert finished.ending is not None
    found = analyse(finished, stage.bot.context.service.levels, "exact")
    assert found is not None
    assert found.exact
    begins = next(entry.seat for entry in finished.log if entry.kind is Kind.PLAY)
    assert found.points[0][begins or 0] == pytest.approx(0.542, abs=0.003)
