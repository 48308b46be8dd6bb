"""Tables of exact values: found or missing at the start, logged if invalid, and used by computers."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.platform.config import Config
from bot.platform.tablebases import find_oracles
from tests.bot.acts import last_board, move_by
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, shown, text_of
from tests.toy.extras import MAGIC

RISING = MAGIC + bytes((10, 20, 30, 40, 50, 60))


def lay(folder: Path, data: bytes = RISING) -> None:
    """Put a table of Three Walkers into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "walkers.values").write_bytes(data)


def test_a_table_is_found(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert find_oracles(tmp_path / "nowhere") == {}
    assert find_oracles(tmp_path) == {}
    (tmp_path / "walkers.values").mkdir()
    assert find_oracles(tmp_path) == {}, "a folder is no table"
    assert not caplog.records, "nothing is said where there is nothing"
    lay(tmp_path / "tables")
    assert find_oracles(tmp_path / "tables").keys() == {"toy"}


@pytest.mark.parametrize("data", [b"", b"something else", RISING[:-1], RISING + b"."])
def test_a_bad_table_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture, data: bytes) -> None:
    lay(tmp_path, data)
    with caplog.at_level(logging.WARNING):
        assert find_oracles(tmp_path) == {}
    (record,) = caplog.records
    assert str(tmp_path / "walkers.values") in record.getMessage()


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
    assert stage.bot.context.service.levels.solved == {"toy"}
