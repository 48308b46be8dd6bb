"""Checks of `doctor` on this machine: Python, SQLite, what ships with games, disk, database. Read-only."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from time import perf_counter
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from PIL import Image, features

import render
from bot.platform.puzzle_files import puzzle_file
from bot.platform.tablebases import find_tablebases
from cli.findings import Finding
from cli.words import sayer
from games.engine import registry
from games.engine.lessons import damage_of
from games.engine.puzzles import PuzzleFileError
from matches.ports import StoreError
from storage import sqlite_note
from storage.beside import beside
from storage.migrations import identify, shipped
from storage.reader import looked, reader

TIGHT, LITTLE = 100_000_000, 1_000_000_000
"""Free bytes below which the disk is full for us, or soon will be."""


def python() -> Iterator[Finding]:
    """Check the interpreter and the pinned libraries."""
    yield Finding("ok", "Python", platform.python_version())
    yield Finding("ok", "libraries", f"discord.py {version('discord.py')}, Pillow {version('pillow')}")


def sqlite() -> Iterator[Finding]:
    """Check the SQLite library that Python is linked to."""
    yield Finding("ok", "SQLite", sqlite3.sqlite_version, sqlite_note() or "")


def pictures() -> Iterator[Finding]:
    """Check Pillow, by drawing the start of every game."""
    missing = [name for name in ("freetype2", "zlib") if not features.check(name)]
    if missing:
        advice = "Install Pillow's own wheel: pip install --force-reinstall pillow."
        yield Finding("fail", "pictures", f"Pillow was built without {', '.join(missing)}", advice)
        return
    for game in registry.all_games():
        setup = game.setup(game.seats[0])
        state = game.start(setup).state
        begun = perf_counter()
        try:
            picture = render.draw(game.scene(game.view(state, None), None), sayer(game, setup))
            width, height = Image.open(BytesIO(picture)).size
        except (OSError, ValueError) as error:
            yield Finding(
                "fail", "pictures", f"{game.key} can't be drawn: {error}", "Install the program again."
            )
            continue
        took = (perf_counter() - begun) * 1000
        text = f"{game.key}: {width} x {height} pixels, {len(picture) / 1000:.0f} kB, {took:.0f} ms cold"
        yield Finding("ok", "pictures", text)


def tables(folder: Path) -> Iterator[Finding]:
    """Check the tables of exact values: the operator's in the folder, and those that ship with games."""
    for table in find_tablebases(folder):
        name = table.game.replace("_", "-")
        if table.oracle is not None:
            kind = "the one that ships with the program" if table.shipped else f"your own, {table.path}"
            yield Finding("ok", "tables", f"{name}: {kind}")
        elif table.shipped:
            text = f"{name}: {table.path} can't be used ({table.problem}), so computers only estimate"
            yield Finding("warn", "tables", text, "Install the program again.")
        else:
            text = f"{name}: {table.path} can't be used: {table.problem}"
            advice = f"Delete it: the program has its own table. Or compute it again: dominium solve {name}"
            yield Finding("warn", "tables", text, advice)


def teaching() -> Iterator[Finding]:
    """Check the lessons and the puzzles that ship with games."""
    advice = "Install the program again. Until then the game goes without."
    puzzles = lessons = 0
    for game in registry.all_games():
        try:
            puzzles += len(puzzle_file(game))
        except PuzzleFileError as error:
            yield Finding("warn", "teaching", f"{game.key}: its puzzles can't be used: {error}", advice)
        damage = [f"step {step.key}: {why}" for step in game.lessons if (why := damage_of(game, step))]
        if damage:
            text = f"{game.key}: its lessons can't be used: {'; '.join(damage)}"
            yield Finding("warn", "teaching", text, advice)
        else:
            lessons += len(game.lessons)
    yield Finding("ok", "teaching", f"{lessons} steps of lessons, {puzzles} puzzles")


def time_zones() -> Iterator[Finding]:
    """Check that time zones are known by name."""
    try:
        ZoneInfo("Europe/Berlin")
    except (ZoneInfoNotFoundError, OSError):
        yield Finding("warn", "time zones", "no time zone data is installed", "Install the package tzdata.")
    else:
        yield Finding("ok", "time zones", "known; the bot itself keeps UTC")


def disk(data: Path) -> Iterator[Finding]:
    """Check that there is room for the database, and that it can be written."""
    folder = data.resolve().parent
    there = folder
    while not there.exists():
        there = there.parent
    if not os.access(there, os.W_OK | os.X_OK):
        yield Finding(
            "fail", "disk", f"{there} can't be written", "Give write permission to the user who runs the bot."
        )
        return
    free = shutil.disk_usage(there).free
    text = f"{free / 1e9:,.1f} GB free for {folder}"
    if free < TIGHT:
        yield Finding("fail", "disk", text, "Free some space: moves can't be saved on a full disk.")
    elif free < LITTLE:
        yield Finding("warn", "disk", text, "Free some space soon.")
    else:
        yield Finding("ok", "disk", text)


def has_log(data: Path) -> bool:
    """Return whether something lies beside a database that may hold what was played last."""
    return any(beside(data, end).exists() for end in ("-wal", "-journal"))


def database(data: Path) -> Iterator[Finding]:
    """Check the database and what lies beside it, changing nothing: ours, whole, not too new."""
    if not data.exists() and not has_log(data):
        yield Finding("ok", "database", f"{data} doesn't exist yet; the first start creates it")
        return
    newest = len(shipped())
    try:
        with looked(data) as found, reader(data, found.access) as connection:
            schema = identify(connection, data, newest)
            wrong = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)") if row[0] != "ok"]
    except StoreError as error:
        yield Finding("fail", "database", str(error))
        return
    if wrong:
        advice = "Stop the bot, keep the file, and restore the last backup: dominium restore FILE."
        yield Finding("fail", "database", f"{data} is damaged: {'; '.join(wrong)}", advice)
        return
    for one in found.foreign:
        advice = "The next start puts it aside. If moves are missing, put back its own file with it."
        yield Finding("warn", "database", f"{one} is another file's log, and isn't read", advice)
    steps = "" if schema == newest else f", {newest - schema} migrations run at the next start"
    yield Finding(
        "ok", "database", f"{data}: intact, {data.stat().st_size / 1e6:,.1f} MB, schema {schema}{steps}"
    )
