"""Where the bot goes, and how a start that fails is told: 2 for what must be set right, 1 to try again."""

from __future__ import annotations

import errno
import socket
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot.platform.config import Config, ConfigError
from cli.run import one_line
from matches.ports import StoreError, StoreUnavailableError
from tests.cli.conftest import Run
from tests.cli.test_discord import TOKEN


@pytest.fixture(autouse=True)
def logs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Nothing of the log set up by a command stays. Returns how it would be set up."""
    made: list[tuple[Any, ...]] = []
    monkeypatch.setattr("cli.run.set_up_logs", lambda *args: made.append(args))
    monkeypatch.setattr("cli.sandbox.set_up_logs", lambda *args: None)
    return made


def test_a_token_leads_to_discord(
    run: Run, monkeypatch: pytest.MonkeyPatch, logs: list[tuple[Any, ...]]
) -> None:
    served: list[str] = []

    async def serve(config: Config) -> None:
        served.append(config.token)

    monkeypatch.setattr("cli.run.serve", serve)
    result = run("run", env={"DISCORD_TOKEN": TOKEN})
    assert result.exit_code == 0
    assert served == [TOKEN]
    assert TOKEN not in result.output
    ((level, style, secrets),) = logs
    assert (level, style) == ("INFO", "text")
    assert TOKEN in secrets  # which no log shows


@pytest.mark.parametrize(("of_supervisor", "started"), [({}, "all"), ({"_DOMINIUM_PROCESS": "1"}, "one")])
def test_several_processes_have_a_supervisor_whose_status_counts(
    run: Run, monkeypatch: pytest.MonkeyPatch, of_supervisor: dict[str, str], started: str
) -> None:
    done: list[str] = []

    async def supervise(config: Config) -> int:
        done.append("all")
        return 3

    async def serve(config: Config) -> None:
        done.append("one")

    monkeypatch.setattr("cli.run.supervise", supervise)
    monkeypatch.setattr("cli.run.serve", serve)
    shared = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": "postgresql://localhost/x", "PROCESSES": "2"}
    assert run("run", env=shared | of_supervisor).exit_code == (3 if started == "all" else 0)
    assert done == [started]


def test_without_one_it_is_the_local_discord(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int | None] = []
    monkeypatch.setattr("cli.run.play_locally", lambda config: played.append(config.sandbox_port))
    assert run("run", env={"DOMINIUM_SANDBOX_PORT": "4711"}).exit_code == 0
    assert run("run", env={"DOMINIUM_SANDBOX_PORT": ""}).exit_code == 0
    assert played == [4711, None]


def test_the_sandbox_takes_a_port_from_the_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, int | None]] = []
    monkeypatch.setattr(
        "cli.run.play_locally", lambda config: played.append((config.sandbox_host, config.sandbox_port))
    )
    assert run("run", "--port", 4712, "--host", "::1").exit_code == 0
    assert played == [("::1", 4712)]
    for alone in (("--port", 4712), ("--host", "::1")):
        result = run("run", *alone, env={"DISCORD_TOKEN": TOKEN})
        assert result.exit_code == 2
        assert "this would go online" in result.output


def test_a_token_of_an_impossible_shape_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.run.serve", lambda config: pytest.fail("Discord was asked"))
    for wrong in ("hunter2", '"' + TOKEN + '"', "Bot " + TOKEN):
        result = run("run", env={"DISCORD_TOKEN": wrong})
        assert result.exit_code == 2
        assert "DISCORD_TOKEN can't be a token" in result.output
        assert wrong not in result.output


@pytest.mark.parametrize(
    ("error", "code", "blamed"),
    [
        (ConfigError("wrong token"), 2, "wrong token"),
        (StoreError("not a database"), 2, "not a database"),
        (StoreUnavailableError("disk full"), 1, "disk full"),
        (socket.gaierror("no name"), 1, "Discord"),
        (ConnectionResetError("hung up"), 1, "Discord"),
        (aiohttp.ServerDisconnectedError("hung up"), 1, "Discord"),
        (discord.GatewayNotFound(), 1, "Discord"),  # type: ignore[no-untyped-call]
        (BlockingIOError(errno.EAGAIN, "no process can be started"), 1, "This machine"),
        (OSError(errno.EMFILE, "too many open files"), 1, "This machine"),
    ],
)
def test_a_start_that_fails_says_why(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, blamed: str
) -> None:
    async def serve(config: Config) -> None:
        raise error

    monkeypatch.setattr("cli.run.serve", serve)
    result = run("run", env={"DISCORD_TOKEN": TOKEN})
    assert result.exit_code == code
    assert result.output.startswith(f"Error: {blamed}")
    assert str(error) in result.output
    assert len(result.output.splitlines()) == 1


def test_what_an_error_says_is_one_short_line() -> None:
    assert one_line(OSError("a\n b " + 300 * "c")) == f"a b {196 * 'c'}"
    assert one_line(TimeoutError()) == "TimeoutError"


@pytest.mark.parametrize("command", ["run", "sandbox", "backup"])
def test_a_wrong_setting_is_named(run: Run, command: str) -> None:
    more = ("copy",) if command == "backup" else ()
    result = run(command, *more, env={"DOMINIUM_SANDBOX_PORT": "many"})
    assert result.exit_code == 2
    assert "DOMINIUM_SANDBOX_PORT" in result.output


def test_the_sandbox_listens_on_loopback_only(run: Run, tmp_path: Path) -> None:
    result = run("sandbox", "--host", "0.0.0.0", "--port", 0, "--data", tmp_path)
    assert result.exit_code == 2
    assert "Error: " in result.output
    assert "Traceback" not in result.output
