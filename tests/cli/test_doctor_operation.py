"""The doctor on how the bot is run: metrics, logs, unit, backups; and every log replayed in a copy."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from bot.platform.config import OF_PROCESS, Config, ConfigError, ReadSetting, load_config
from cli import check_logs, check_operation
from cli.check_operation import OLD
from cli.findings import Finding
from storage import open_store
from tests.cli.conftest import Run
from tests.fakes import FakeClock
from tests.matches.world import ANN, BOB, World

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
UNIT = """[Unit]
Description=Dominium

[Service]
ExecStart="{program}" run
RestartPreventExitStatus=2 SIGKILL
"""


def one(found: Iterator[Finding]) -> Finding:
    (finding,) = found
    return finding


# --- settings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("", None),
        ("9464", ("127.0.0.1", 9464)),
        (":9464", ("127.0.0.1", 9464)),
        ("10.0.0.5:80", ("10.0.0.5", 80)),
        ("[::1]:9464", ("::1", 9464)),
    ],
)
def test_metrics_are_on_this_machine_unless_said_otherwise(
    text: str, address: tuple[str, int] | None
) -> None:
    assert load_config({"DOMINIUM_METRICS": text}).metrics == address


@pytest.mark.parametrize("text", ["localhost:9464", "yes", "127.0.0.1:", "9464x", "1.2.3.4:70000", "::1"])
def test_any_other_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="DOMINIUM_METRICS is"):
        load_config({"DOMINIUM_METRICS": text})


# --- metrics ------------------------------------------------------------------------------------------


@contextmanager
def answering(status: int, text: str) -> Iterator[int]:
    """A server on loopback that gives one answer; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/readyz" else 404)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def metrics(port: int, host: str = "127.0.0.1") -> list[Finding]:
    return list(check_operation.metrics(Config(metrics=(host, port))))


def test_metrics_are_off_or_free() -> None:
    assert "off" in one(check_operation.metrics(Config())).text
    assert metrics(0)[0].level == "warn"
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    (free,) = metrics(port)
    assert (free.level, "is free" in free.text) == ("ok", True)


@pytest.mark.parametrize(
    ("status", "text", "level", "said"),
    [
        (200, "dominium: ready\n", "ok", "and is ready"),
        (503, "not ready: one\nnot ready: two\n", "warn", "not ready: one; not ready: two"),
        (200, "hello", "warn", "used by another program"),
        (404, "not found", "warn", "used by another program"),
    ],
)
def test_who_answers_there_is_told(status: int, text: str, level: str, said: str) -> None:
    with answering(status, text) as port:
        (found,) = metrics(port)
        assert found.level == level
        assert said in found.text
        everywhere, open_to_all = metrics(port, "0.0.0.0")
        assert said in everywhere.text
        assert "other machines" in open_to_all.text


def test_an_address_of_another_machine_is_named() -> None:
    (found,) = metrics(9464, "192.0.2.1")
    assert found.level == "warn"
    assert "192.0.2.1 port 9464 can't be used" in found.text


# --- unit and logs ------------------------------------------------------------------------------------


def test_the_format_of_logs_is_told() -> None:
    assert one(check_operation.logs(Config())).text.startswith("text on standard error, from INFO")
    assert "one JSON object" in one(check_operation.logs(Config(log_format="json"))).text


def test_the_unit_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unit, program = tmp_path / "dominium.service", tmp_path / "a dominium"
    monkeypatch.setattr(check_operation, "_SYSTEMD", tmp_path / "none")
    assert list(check_operation.unit(unit)) == []
    monkeypatch.setattr(check_operation, "_SYSTEMD", tmp_path)
    assert "deploy/dominium.service" in one(check_operation.unit(unit)).advice
    unit.write_text(UNIT.format(program=program))
    assert "doesn't exist" in one(check_operation.unit(unit)).text
    program.touch()
    assert one(check_operation.unit(unit)) == Finding("ok", "unit", f"{unit} starts {program}")
    unit.write_text(UNIT.format(program=program).replace("=2 ", "=1 "))
    assert "even if a setting is wrong" in one(check_operation.unit(unit)).text
    for bad in ("[Service]\n", "no section", '[Service]\nExecStart="open\n', "[Service]\nExecStart=\n"):
        unit.write_text(bad)
        assert one(check_operation.unit(unit)).level == "warn"


# --- backups ------------------------------------------------------------------------------------------


def backup(folder: Path, name: str, size: int, age: timedelta) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"x" * size)
    os.utime(folder / name, times=((NOW - age).timestamp(),) * 2)


def test_age_and_size_of_backups_are_told(tmp_path: Path) -> None:
    config = Config(data=tmp_path / "d.sqlite3")
    assert list(check_operation.backups(config, NOW)) == [], "nothing to lose yet"
    config.data.write_bytes(b"x" * 1_000_000)
    found = one(check_operation.backups(config, NOW))
    assert (found.level, found.advice) == ("warn", "Make one every night: dominium backup")
    backup(tmp_path / "backups", "a.sqlite3", 900_000, OLD + timedelta(hours=1))
    found = one(check_operation.backups(config, NOW))
    assert found.level == "warn"
    assert "the newest is a.sqlite3, 2 days old, 0.9 MB" in found.text
    backup(tmp_path / "backups", "b.sqlite3", 600_000, timedelta(hours=3))
    backup(tmp_path / "backups", "b.sqlite3.lock", 0, timedelta())
    found = one(check_operation.backups(config, NOW))
    assert found.level == "ok"
    assert f"2 in {tmp_path / 'backups'}, 1.5 MB; the newest is b.sqlite3, 3 h old" in found.text
    backup(tmp_path / "backups", "c.sqlite3", 400_000, timedelta())
    assert "less than half" in one(check_operation.backups(config, NOW)).text
    elsewhere = replace(config, backups=tmp_path / "elsewhere")
    assert "there is none" in one(check_operation.backups(elsewhere, NOW)).text


@pytest.mark.parametrize(
    ("hours", "said"),
    [(0.9, "less than 1 h old"), (1, "1 h old"), (47.9, "47 h old"), (48, "2 days old")],
)
def test_how_old_a_backup_is(hours: float, said: str) -> None:
    assert check_operation._how_old(timedelta(hours=hours)) == said


def test_what_a_supervisor_tells_its_processes_is_no_setting(tmp_path: Path) -> None:
    read = {name: ReadSetting("1", "environment") for name in (OF_PROCESS, "SHARDS")}
    assert one(check_operation.settings(read, tmp_path)).text == "SHARDS: 1, from the environment"


# --- logs of matches ----------------------------------------------------------------------------------


@pytest.fixture
async def data(tmp_path: Path) -> Path:
    """A database with a lobby, a live match and one that is over."""
    path = tmp_path / "live.sqlite3"
    store = await open_store(path, clock=FakeClock())
    world = World(store)
    await world.open_lobby(ANN, BOB)
    live, over = await world.match(ANN, BOB), await world.match(ANN, BOB)
    people = {world.queries.seat_of(live.row, person.id): person for person in (ANN, BOB)}
    await world.move(live.row.id, people[min(live.match.to_act)])
    await world.play_out(over.row.id, ANN, BOB)
    await store.close()
    return path


def change(data: Path, statement: str) -> None:
    with closing(sqlite3.connect(data)) as db:
        triggers = db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for (guard,) in triggers if "entries" in statement else ():
            db.execute(f"DROP TRIGGER {guard}")
        db.execute(statement)
        db.commit()


def test_every_log_is_replayed_and_the_file_is_left_alone(data: Path) -> None:
    before = data.read_bytes()
    found = one(check_logs.logs(data))
    assert found.level == "ok"
    assert "2 matches with" in found.text
    assert data.read_bytes() == before
    assert list(check_logs.logs(data.with_name("none"))) == []


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE entries SET data = 'nonsense' WHERE kind = 'play'", "can't be replayed"),
        ("UPDATE matches SET status = 'live' WHERE status = 'over'", "is live, but its log says otherwise"),
        ("UPDATE matches SET status = 'over' WHERE status = 'live'", "is over, but its log says otherwise"),
        ("DELETE FROM entries WHERE kind = 'play'", "can't be replayed: there is no entry"),
        ("PRAGMA user_version = 999", "newer version"),
    ],
)
def test_a_log_that_does_not_replay_fails(data: Path, statement: str, said: str) -> None:
    change(data, statement)
    found = one(check_logs.logs(data))
    assert found.level == "fail"
    assert said in found.text


@pytest.mark.parametrize(("wrong", "more"), [(0, ""), (1, "; and 1 more")])
def test_the_first_that_are_wrong_are_named(
    data: Path, monkeypatch: pytest.MonkeyPatch, wrong: int, more: str
) -> None:
    async def replay(_path: Path) -> tuple[int, int, list[str]]:
        return 9, 9, [f"F-{n} is wrong" for n in range(check_logs.SHOWN + wrong)]

    monkeypatch.setattr(check_logs, "_replay_all", replay)
    assert one(check_logs.logs(data)).text.endswith(f"F-{check_logs.SHOWN - 1} is wrong{more}")


def test_the_command_examines_another_database(run: Run, data: Path, tmp_path: Path) -> None:
    env = {"DISCORD_TOKEN": "", "DOMINIUM_DATA": str(tmp_path / "none.sqlite3"), "DOMINIUM_METRICS": ""}
    env["DATABASE_URL"] = "postgresql://127.0.0.1:1/x"  # which isn't asked
    arguments = ("doctor", "--env", tmp_path / "none", "--offline", "--json", "--logs")
    result = run(*arguments, "--data", data, env=env)
    found = {line["what"]: line for line in map(json.loads, result.output.splitlines())}
    assert result.exit_code == 0
    assert str(data) in found["logs replay"]["text"]
    assert {"backups", "logs", "metrics"} <= found.keys()
    result = run(*arguments, "--data", tmp_path / "nothing", env=env)
    assert result.exit_code == 1
    assert "doesn't exist" in result.output
