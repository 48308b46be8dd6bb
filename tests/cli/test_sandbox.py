"""Where `dominium sandbox` opens: on the port asked for, else on the next free one, once for each folder."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from bot.platform.config import Config
from cli import sandbox as sandbox_command
from sandbox import USUAL_PORT
from sandbox.worldfile import WorldFile
from tests.cli.conftest import Run
from tests.cli.test_discord import TOKEN
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings but the test's own, and nothing of the log set up by a command stays."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "DOMINIUM_SANDBOX_PORT", "DOMINIUM_SANDBOX_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("cli.sandbox.set_up_logs", lambda *_args: None)


def opening_at(port: int) -> Callable[..., Awaitable[None]]:
    """A sandbox that is open at once."""

    async def serve(*_args: Any, ready: Callable[[str], None], **_options: Any) -> None:
        ready(f"http://127.0.0.1:{port}/")

    return serve


@pytest.mark.parametrize(
    ("asked", "got", "told"),
    [
        ((), USUAL_PORT, False),
        ((), USUAL_PORT + 3, True),
        (("--port", 0), 40000, False),
        (("--port", 9000), 9000, False),
    ],
)
def test_another_port_than_the_usual_one_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, asked: tuple[object, ...], got: int, told: bool
) -> None:
    monkeypatch.setattr(sandbox_command, "serve", opening_at(got))
    output = run("sandbox", *asked).output
    assert f"http://127.0.0.1:{got}/" in output
    assert (f"Port {USUAL_PORT} is taken, so this is port {got}." in output) == told


def test_nothing_of_a_real_bot_is_touched(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither its token nor its database. A sandbox is one process, and reads plain text."""
    built: list[Config] = []
    logs: list[object] = []

    async def serve(build: Callable[[], None], *, world: Path, **_options: Any) -> None:
        assert world == tmp_path / "data/sandbox/world.sqlite3"
        build()

    monkeypatch.setattr(sandbox_command, "serve", serve)
    monkeypatch.setattr(sandbox_command, "build", built.append)
    monkeypatch.setattr(sandbox_command, "set_up_logs", lambda level, *_args: logs.append(level))
    env = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": "postgresql://localhost/x", "PROCESSES": "2"}
    env |= {"SHARDS": "4", "SHARD_IDS": "1,2", "DOMINIUM_DATA": str(tmp_path / "data/real.sqlite3")}
    assert run("sandbox", env=env).exit_code == 0
    assert run("sandbox", env=env | {"DOMINIUM_LOG_LEVEL": "ERROR"}).exit_code == 0
    assert logs == ["WARNING", "ERROR"]
    local = built[0]
    assert (local.token, local.store) == ("", tmp_path / "data/sandbox/matches.sqlite3")
    assert (local.shards, local.shard_ids, local.processes, local.is_shared) == (1, (), 1, False)
    assert local.table_folder == tmp_path / "data", "tables lie beside the real database"
    assert (local.always_sync, local.message_content, local.silence_seconds) == (True, True, 1200)


def test_the_matches_of_an_old_world_are_kept_aside(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def there() -> list[str]:
        return sorted(path.name for path in tmp_path.iterdir())

    async def serve(*_args: Any, on_world_reset: Callable[[], None], **_options: Any) -> None:
        for _ in range(2):
            (tmp_path / "matches.sqlite3").touch()
            (tmp_path / "matches.sqlite3-wal").touch()
            on_world_reset()

    monkeypatch.setattr(sandbox_command, "serve", serve)
    assert run("sandbox", "--data", tmp_path).exit_code == 0
    kept = ["matches.old-1.sqlite3", "matches.old-2.sqlite3"]
    assert there() == sorted([*kept, *(f"{name}-wal" for name in kept)])


@pytest.fixture
def stays_shut(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox that opens all the same fails the test, instead of serving for ever."""
    monkeypatch.setattr(sandbox_command, "build", lambda _config: pytest.fail("it has opened"))


@pytest.mark.usefixtures("stays_shut")
@pytest.mark.parametrize("by", ["command", "environment", "file"])
def test_a_port_that_was_asked_for_and_is_taken_is_not_replaced(run: Run, tmp_path: Path, by: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        if by == "file":
            (tmp_path / ".env").write_text(f"DOMINIUM_SANDBOX_PORT={port}\n")
        env = {"DOMINIUM_SANDBOX_PORT": port} if by == "environment" else {}
        asked = ("--port", port) if by == "command" else ()
        result = run("sandbox", *asked, "--data", tmp_path / "home", env=env)
    assert result.exit_code == 2
    assert f"Port {port} on 127.0.0.1 is taken" in result.output
    assert len(result.output.splitlines()) == 1


@pytest.mark.usefixtures("stays_shut")
def test_a_folder_in_use_is_not_opened_on_another_port(run: Run, tmp_path: Path) -> None:
    first = WorldFile(tmp_path / "home/world.sqlite3")
    try:
        result = run("sandbox", "--data", tmp_path / "home")
    finally:
        first.close()
    assert result.exit_code == 2
    assert "in use by another sandbox. Use its page, or stop it." in result.output
    assert len(result.output.splitlines()) == 1
    assert "matches.sqlite3" not in {path.name for path in (tmp_path / "home").iterdir()}


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Start `dominium sandbox` on a folder, as people do; those that still run are stopped at the end."""
    processes: list[subprocess.Popen[str]] = []

    def start(folder: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dominium", "sandbox", "--data", str(tmp_path / folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def read_to(stream: IO[str] | None, text: str) -> str:
    """Return what a process says up to a line with `text`, or all that it ever says."""
    said = ""
    for line in stream or ():
        said += line
        if text in line:
            break
    return said


@pytest.mark.process
def test_two_folders_have_two_ports_and_one_folder_has_one_sandbox(
    started: Callable[[str], subprocess.Popen[str]], run: Run, tmp_path: Path
) -> None:
    """And SIGTERM ends one in good order."""
    first = started("first")
    assert "is open at" in read_to(first.stdout, "is open at")
    second = started("second")
    assert f"Port {USUAL_PORT} is taken, so this is port " in read_to(second.stdout, "is open at")
    again = run("sandbox", "--data", tmp_path / "first")
    assert again.exit_code == 2
    assert "in use by another sandbox" in again.output
    assert len(again.output.splitlines()) == 1
    first.terminate()
    _, complaint = first.communicate(timeout=PATIENCE)
    assert (first.returncode, complaint) == (0, "")
