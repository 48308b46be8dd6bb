"""A restore by the command, with the bot stopped or as soon as it has; and what doctor says before."""

# ruff: noqa: ASYNC220, ASYNC221, ASYNC240 - nothing else runs on a test's loop
from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli import check_machine
from matches.store.rows import Commit
from storage import copy_file, open_store
from tests.cli.conftest import Run
from tests.fakes import START, FakeClock
from tests.storage.rows import lobby
from tests.storage.test_refusals import HOLD, ROOT


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    path = tmp_path / "Daten für Ann" / "live.sqlite3"
    store = await open_store(path, clock=FakeClock())
    copy_file(path, tmp_path / "empty.sqlite3")
    await store.create(Commit(lobby(), START))
    await store.close()
    return path


async def matches(path: Path) -> int:
    store = await open_store(path, clock=FakeClock())
    found = await store.match("F-001")
    await store.close()
    return int(found is not None)


async def test_a_restore(run: Run, data: Path, tmp_path: Path) -> None:
    backup, env = tmp_path / "empty.sqlite3", {"DOMINIUM_DATA": str(data), "DATABASE_URL": ""}
    refused = run("restore", backup, env=env)
    assert refused.exit_code == 2
    assert "Nothing was changed. 0 log entries of 0 matches are lost" in refused.output
    assert await matches(data) == 1
    done = run("restore", backup, "--accept-loss", env=env)
    assert done.exit_code == 0, done.output
    assert "The database as it was: " in done.output
    assert "Waiting" not in done.output
    assert await matches(data) == 0
    (kept,) = (data.parent / "backups").glob("undone-*.sqlite3")
    bot = {"DATABASE_URL": "postgresql://127.0.0.1:1/x"}
    named = run("restore", kept, "--data", data, "--wait", env=bot)
    assert named.exit_code == 0, "that database is none of its business"
    assert "Waiting until the bot has stopped" in named.output
    assert f"{data} is now {kept}. Start the bot." in " ".join(named.output.split())
    assert await matches(data) == 1


@pytest.mark.slow
async def test_a_restore_waits_for_the_bot_and_goes_before_the_next(data: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "dominium",
        "restore",
        str(tmp_path / "empty.sqlite3"),
        "--data",
        str(data),
    ]
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(data)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as bot:
        assert bot.stdout is not None
        pid = bot.stdout.readline().strip()
        refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert refused.returncode == 2
        assert f"in use by process {pid}" in refused.stderr
        assert "--wait" in refused.stderr
        with subprocess.Popen(
            [*command, "--wait", "--accept-loss"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as waiting:
            assert waiting.stdout is not None
            assert "Waiting until the bot has stopped" in waiting.stdout.readline()
            bot.kill()
            bot.wait()
            said = waiting.stdout.read()
        assert waiting.returncode == 0, said
    assert "Start the bot." in said
    assert await matches(data) == 0


async def test_doctor_looks_beside_the_database(run: Run, data: Path, tmp_path: Path) -> None:
    store = await open_store(data, clock=FakeClock())
    await store.save_settings("user", 7, {})
    killed = tmp_path / "killed" / "live.sqlite3"
    killed.parent.mkdir()
    for end in ("", "-wal"):
        shutil.copyfile(f"{data}{end}", f"{killed}{end}")
    await store.close()
    (whole,) = check_machine.database(killed)
    assert whole.level == "ok"
    log = Path(f"{killed}-wal").read_bytes()
    shutil.copyfile(tmp_path / "empty.sqlite3", killed)
    stranger, alone = check_machine.database(killed)
    assert (stranger.level, alone.level) == ("warn", "ok")
    assert "is another file's log" in stranger.text
    killed.unlink()
    (lost,) = check_machine.database(killed)
    said = run("doctor", "--offline", "--logs", "--data", killed)
    assert "is missing or empty, but" in " ".join(said.output.split())
    assert (lost.level, Path(f"{killed}-wal").read_bytes()) == ("fail", log)
