"""`dominium archive`: records of finished matches in one file, from a file or from PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from cli import archive
from games.engine import record
from matches.results import Lobby, Person, Played
from matches.service import MatchService
from matches.store.rows import Place
from storage import FinishedMatch, open_either, read_finished
from tests.cli.conftest import Run
from tests.fakes import FakeClock, FakeEntropy

ANN, BEN, CLEO = Person(1, "Ann"), Person(2, "Ben"), Person(3, "Cleo")


async def fill(where: Path | str) -> None:
    """Three finished matches in two servers, and one that goes on."""
    store = await open_either(where, clock=FakeClock())
    service = MatchService(store, FakeClock(), FakeEntropy())
    for number, (guest, guild, ends) in enumerate(
        ((BEN, 9, True), (CLEO, 9, True), (BEN, 8, True), (BEN, 8, False))
    ):
        opened = await service.lobbies.create(ANN, Place(guild, 90), "two_domains", request=f"open {number}")
        assert isinstance(opened, Lobby)
        match = opened.row.id
        await service.lobbies.join(match, guest, request=f"join {number}")
        assert isinstance(await service.lobbies.start(match, ANN.id, request=f"start {number}"), Played)
        if ends:
            assert isinstance(await service.play.resign(match, guest.id, request=f"end {number}"), Played)
    await store.close()


def records(path: Path) -> list[record.Record]:
    """The records in a file."""
    with ZipFile(path) as file:
        return [record.read(file.read(name).decode()) for name in file.namelist()]


def look(run: Run, folder: Path, *data: object, env: dict[str, str] | None = None) -> None:
    """All that can be asked for."""
    whole = run("archive", "-o", folder / "all.zip", *data, env=env)
    assert whole.exit_code == 0, whole.output
    assert "3 records" in whole.output
    assert (folder / "all.zip").stat().st_mode & 0o777 == 0o600, "it has people's names"
    assert all(one.match.ending is not None for one in records(folder / "all.zip"))
    for number, (asked, count) in enumerate(
        (
            (("--person", "3"), 1),
            (("--server", "8"), 1),
            (("--server", "9"), 2),
            (("--until", "2020"), 0),
            (("--since", "2026-01-01", "--until", "2026-01-01"), 3),
        )
    ):
        assert run("archive", "-o", folder / f"{number}.zip", *asked, *data, env=env).exit_code == 0
        assert len(records(folder / f"{number}.zip")) == count
    (only,) = records(folder / "0.zip")
    assert sorted(value for key, value in only.headers.items() if key.startswith("Seat")) == ["Ann", "Cleo"]


def test_of_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    asyncio.run(fill(path))
    look(run, tmp_path, "--data", path)
    again = run("archive", "-o", tmp_path / "all.zip", "--data", path)
    assert again.exit_code == 2
    assert "already exists" in again.output
    day = run("archive", "-o", tmp_path / "y.zip", "--since", "today", "--data", path)
    assert day.exit_code == 2
    assert "isn't a day" in day.output
    either = run("archive", "-o", tmp_path / "y.zip", "--since", "5/6/2026", "--data", path)
    assert either.exit_code == 2
    assert "write 2026-06-05 or 2026-05-06" in either.output
    assert run("archive", "-o", tmp_path / "z.zip", "--since", "5.6.2026", "--data", path).exit_code == 0
    nowhere = run("archive", "-o", tmp_path / "none" / "y.zip", "--data", path)
    assert nowhere.exit_code == 2
    assert "No such file or directory" in nowhere.output
    missing = run("archive", "-o", tmp_path / "y.zip", "--data", tmp_path / "nothing")
    assert missing.exit_code == 2
    assert "There is no database" in missing.output
    assert not (tmp_path / "y.zip").exists(), "nothing half is left"


def test_ctrl_c_leaves_nothing_half(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.sqlite3"
    asyncio.run(fill(path))

    def interrupted(*asked: Any) -> Iterator[FinishedMatch]:
        yield next(iter(read_finished(*asked)))
        raise KeyboardInterrupt

    monkeypatch.setattr(archive, "read_finished", interrupted)
    assert run("archive", "-o", tmp_path / "all.zip", "--data", path).exit_code != 0
    assert not (tmp_path / "all.zip").exists()


def test_beside_a_bot_that_runs(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    asyncio.run(fill(path))

    async def meanwhile() -> None:
        store = await open_either(path, clock=FakeClock())
        done = await asyncio.to_thread(run, "archive", "-o", tmp_path / "all.zip", "--data", path)
        await store.close()
        assert done.exit_code == 0, done.output

    asyncio.run(meanwhile())
    assert len(records(tmp_path / "all.zip")) == 3


@pytest.mark.slow
def test_of_postgresql(
    run: Run, tmp_path: Path, ready_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(fill(ready_database))
    monkeypatch.setenv("DATABASE_URL", ready_database)
    look(run, tmp_path)
