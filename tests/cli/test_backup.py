"""A backup: whole, in place at once, never over another file, with the bot running or not."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from storage import open_store
from tests.cli.conftest import Run
from tests.fakes import FakeClock


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    path = tmp_path / "live.sqlite3"
    store = await open_store(path, clock=FakeClock())
    await store.save_settings("user", 7, {"theme": "dark"})
    await store.close()
    return path


def settings(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        tables = [
            row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE name = 'settings'")
        ]
        return len(tables)
    finally:
        connection.close()


def test_a_copy_is_made_and_checked(run: Run, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    result = run("backup", target, "--data", data)
    assert result.exit_code == 0, result.output
    assert "checked" in result.output
    assert settings(target) == 1


def test_a_directory_takes_the_name_of_the_database(run: Run, data: Path, tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    assert run("backup", tmp_path / "backups", "--data", data).exit_code == 0
    assert (tmp_path / "backups" / "live.sqlite3").is_file()


async def test_a_running_bot_does_not_mind(run: Run, data: Path, tmp_path: Path) -> None:
    store = await open_store(data, clock=FakeClock())
    try:
        assert run("backup", tmp_path / "copy.sqlite3", "--data", data).exit_code == 0
        await store.save_settings("user", 8, {})
    finally:
        await store.close()


def test_the_settings_name_the_database(run: Run, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    assert run("backup", target, env={"DOMINIUM_DATA": str(data)}).exit_code == 0
    assert target.is_file()


def test_without_a_target_it_lies_among_the_backups(run: Run, data: Path, tmp_path: Path) -> None:
    env = {"DOMINIUM_DATA": str(data), "DOMINIUM_BACKUPS": str(tmp_path / "deep" / "backups")}
    assert run("backup", env=env).exit_code == 0
    (made,) = (tmp_path / "deep" / "backups").glob("*.sqlite3")
    assert settings(made) == 1
    (tmp_path / "file").write_text("no folder")
    result = run("backup", env=env | {"DOMINIUM_BACKUPS": str(tmp_path / "file" / "backups")})
    assert result.exit_code == 2
    assert "can't be created" in result.output


def test_nothing_is_overwritten(run: Run, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    target.write_text("precious")
    result = run("backup", target, "--data", data)
    assert result.exit_code == 2
    assert "already exists" in result.output
    assert target.read_text() == "precious"


@pytest.mark.parametrize("reason", ["no database", "no directory", "not a database"])
def test_what_can_not_be_copied_is_named(run: Run, data: Path, tmp_path: Path, reason: str) -> None:
    target = tmp_path / ("deep/copy" if reason == "no directory" else "copy")
    source = tmp_path / "other" if reason != "no directory" else data
    if reason == "not a database":
        source.write_bytes(b"no database at all" * 100)
    result = run("backup", target, "--data", source)
    assert result.exit_code == 2
    assert reason in result.output
    assert not target.exists()


def test_the_folder_of_the_settings_is_made(run: Run, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "backups" / "today.sqlite3"
    env = {"DOMINIUM_DATA": str(data), "DOMINIUM_BACKUPS": str(target.parent)}
    assert run("backup", target, env=env).exit_code == 0
    other = run("backup", tmp_path / "typo" / "today.sqlite3", env=env)
    assert other.exit_code == 2
    assert "create it first" in other.output
