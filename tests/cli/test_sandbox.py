"""Where `dominium sandbox` opens: on the port asked for, else on the next free one, once for each folder."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from cli import sandbox as sandbox_command
from sandbox import USUAL_PORT
from sandbox.worldfile import WorldFile
from tests.cli.conftest import Run
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
