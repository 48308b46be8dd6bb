"""The doctor: each finding of the machine and of the database, no secret, an exit code to rely on."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import chain, count, repeat
from pathlib import Path
from zoneinfo import ZoneInfoNotFoundError

import pytest
from PIL import Image

from cli import check_machine
from cli.findings import Finding
from games.engine import registry
from storage import open_store
from storage.migrations import APPLICATION_ID
from tests.cli.conftest import Run
from tests.cli.test_discord import TOKEN
from tests.fakes import FakeClock


def one(found: list[Finding]) -> Finding:
    (finding,) = found
    return finding


def test_the_libraries_are_named() -> None:
    found = list(check_machine.python())
    assert {finding.level for finding in found} == {"ok"}
    assert "discord.py" in found[1].text


def test_every_game_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_machine, "perf_counter", count(500, 0.25).__next__)
    found = list(check_machine.pictures())
    assert all(finding.level == "ok" for finding in found), found
    assert any(finding.text.startswith("focus: ") for finding in found)
    assert all(finding.text.endswith(" kB, 250 ms cold") for finding in found), found


def test_a_game_that_cannot_be_drawn_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    Image.new("RGB", (1, 1)).save(pixel := BytesIO(), "PNG")
    pictures: Iterator[OSError | bytes] = chain([OSError("no fonts")], repeat(pixel.getvalue()))

    def draw(*_scene: object) -> bytes:
        if isinstance(picture := next(pictures), OSError):
            raise picture
        return picture

    monkeypatch.setattr("cli.check_machine.render.draw", draw)
    bad, *good = check_machine.pictures()
    assert bad.level == "fail"
    assert "can't be drawn: no fonts" in bad.text
    assert {finding.level for finding in good} == {"ok"}
    assert len(good) == len(registry.all_games()) - 1
    assert " 1 x 1 pixels, 0 kB, " in good[0].text


def test_the_shipped_table_is_named_and_a_bad_one_of_the_operator(tmp_path: Path) -> None:
    finding = one(list(check_machine.tables(tmp_path)))
    assert (finding.level, finding.text) == ("ok", "two-domains: the one that ships with the program")
    (tmp_path / "two-domains.values").write_bytes(b"old")
    bad, good = check_machine.tables(tmp_path)
    assert (bad.level, good.level) == ("warn", "ok")
    assert "not a table of the values of Two Domains" in bad.text
    assert "Delete it" in bad.advice


def test_lessons_and_puzzles_are_counted_and_damaged_ones_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    finding = one(list(check_machine.teaching()))
    assert finding.level == "ok"
    steps = sum(len(game.lessons) for game in registry.all_games())
    assert finding.text.startswith(f"{steps} steps of lessons, ")
    (tmp_path / "puzzles.jsonl").write_text("[]\n")
    monkeypatch.setattr("bot.platform.puzzle_files.files", lambda package: tmp_path)
    focus = registry.get("focus")
    broken = replace(focus.lessons[1], position={"seats": 2})
    lost = replace(focus.lessons[2], accepts=("a1-a2",))
    monkeypatch.setattr(type(focus), "lessons", (focus.lessons[0], broken, lost))
    *found, last = check_machine.teaching()
    assert [each.level for each in found] == ["warn"] * (len(registry.all_games()) + 1)
    assert found[0].text.startswith("focus: its puzzles can't be used: line 1: ")
    assert "step tall: piles: is missing; step split: nothing solves it" in found[1].text
    assert last.text == f"{steps - 11} steps of lessons, 0 puzzles"


def test_a_damaged_shipped_table_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "two-domains.packed"
    broken.write_bytes(b"Dominium packed values of Two Domains, 1\n")
    monkeypatch.setattr(
        "bot.platform.tablebases.shipped_table", lambda game: broken if game.shipped_table else None
    )
    finding = one(list(check_machine.tables(tmp_path)))
    assert finding.level == "warn"
    assert "header of the packed table is damaged" in finding.text
    assert finding.advice == "Install the program again."


def test_a_pillow_without_fonts_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PIL.features.check", lambda name: name != "freetype2")
    finding = one(list(check_machine.pictures()))
    assert finding.level == "fail"
    assert "freetype2" in finding.text
    assert finding.advice


def test_an_affected_sqlite_is_no_fault_of_ours_but_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_machine, "sqlite_note", lambda: "take care")
    (found,) = check_machine.sqlite()
    assert (found.level, found.advice) == ("ok", "take care")


@pytest.mark.parametrize(("free", "level"), [(10**12, "ok"), (5 * 10**8, "warn"), (10**6, "fail")])
def test_the_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: int, level: str) -> None:
    class Usage:
        def __init__(self, _path: Path) -> None:
            self.free = free

    monkeypatch.setattr("shutil.disk_usage", Usage)
    finding = one(list(check_machine.disk(tmp_path / "not" / "yet" / "there.sqlite3")))
    assert finding.level == level
    assert bool(finding.advice) == (level != "ok")


def test_a_folder_that_is_not_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("os.access", lambda *_args: False)
    assert one(list(check_machine.disk(tmp_path / "data.sqlite3"))).level == "fail"


def test_time_zones_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert one(list(check_machine.time_zones())).level == "ok"

    def missing(name: str) -> None:
        raise ZoneInfoNotFoundError(name)

    monkeypatch.setattr(check_machine, "ZoneInfo", missing)
    assert one(list(check_machine.time_zones())).level == "warn"


async def test_databases(tmp_path: Path) -> None:
    path = tmp_path / "data.sqlite3"
    assert "doesn't exist yet" in one(list(check_machine.database(path))).text
    store = await open_store(path, clock=FakeClock())
    assert one(list(check_machine.database(path))).level == "ok"
    await store.close()
    finding = one(list(check_machine.database(path)))
    assert finding.level == "ok"
    assert "intact" in finding.text


async def test_a_newer_a_foreign_and_a_broken_database_fail(tmp_path: Path) -> None:
    newer, foreign, broken = (tmp_path / name for name in ("newer", "foreign", "broken"))
    store = await open_store(newer, clock=FakeClock())
    await store.close()
    for path, statement in ((newer, "PRAGMA user_version = 999"), (foreign, "CREATE TABLE diary (page)")):
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.close()
    broken.write_bytes(b"not a database, but long enough to look like one " * 100)
    texts = [one(list(check_machine.database(path))) for path in (newer, foreign, broken)]
    assert [finding.level for finding in texts] == ["fail"] * 3
    assert "newer" in texts[0].text
    assert "another program" in texts[1].text
    assert "not a database" in texts[2].text


def test_a_damaged_page_is_found(tmp_path: Path) -> None:
    path = tmp_path / "data.sqlite3"
    connection = sqlite3.connect(path)
    connection.executescript(
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1;"
        "CREATE TABLE t (a); CREATE INDEX i ON t (a);"
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000)"
        "INSERT INTO t SELECT hex(zeroblob(40)) || x FROM n;"
    )
    connection.close()
    data = bytearray(path.read_bytes())
    data[4096 * 3 : 4096 * 6] = os.urandom(4096 * 3)
    path.write_bytes(data)
    assert one(list(check_machine.database(path))).level == "fail"


def settings(tmp_path: Path, **values: str) -> dict[str, str]:
    return {"DISCORD_TOKEN": "", "DOMINIUM_DATA": str(tmp_path / "data.sqlite3"), **values}


def test_a_fresh_machine_passes(run: Run, tmp_path: Path) -> None:
    result = run("doctor", "--env", tmp_path / "none", "--offline", env=settings(tmp_path))
    assert result.exit_code == 0, result.output
    assert {line[:4].strip() for line in result.output.splitlines()} <= {"ok", "warn", ""}


def test_the_token_is_never_shown(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    dotenv = tmp_path / ".env"
    dotenv.write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-8")
    env = settings(tmp_path, DOMINIUM_DISCORD_API="http://127.0.0.1:1")
    del env["DISCORD_TOKEN"]
    result = run("doctor", "--env", dotenv, "--json", env=env)
    lines = [json.loads(line) for line in result.output.splitlines()]
    token = next(line for line in lines if line["what"] == "token")
    assert token["level"] == "ok"
    assert next(line for line in lines if line["what"] == "Discord")["level"] == "warn"
    assert "canary" not in result.output


def test_a_failure_is_the_exit_code(run: Run, tmp_path: Path) -> None:
    result = run("doctor", "--env", tmp_path / "none", env=settings(tmp_path, DISCORD_TOKEN="canary"))
    assert result.exit_code == 1
    assert "Copy it again" in result.output
    assert "canary" not in result.output


def test_a_wrong_setting_is_named(run: Run, tmp_path: Path) -> None:
    result = run("doctor", env=settings(tmp_path, DOMINIUM_LOBBY_HOURS="soon"))
    assert result.exit_code == 1
    assert "DOMINIUM_LOBBY_HOURS" in result.output
