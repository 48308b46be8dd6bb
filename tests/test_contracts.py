"""The import contracts of pyproject.toml bite: a planted violation of each is refused, by name."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from games.engine.registry import KEYS

ROOT = Path(__file__).parents[1]
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
    "importlinter"
]["contracts"]
CIRCLE = "Nothing imports in a circle"
REGISTRY = "Only solving reaches a game past the registry"
ROOMS: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "root_packages"
]

PLANTED = {
    "The rooms lie one above the other": ("storage/planted.py", "import bot.app"),
    "Games are pure": ("games/focus/planted.py", "import asyncio"),
    "The theory of tournaments is pure": ("tournaments/planted.py", "import datetime"),
    "Matches know neither Discord nor SQL": ("matches/planted.py", "import sqlite3"),
    "Discord is known to the bot, the sandbox and the commands only": (
        "locales/planted.py",
        "import discord",
    ),
    "Prometheus is known to the bot only": ("matches/planted_too.py", "import prometheus_client"),
    "Only solving calculates with NumPy": ("render/planted.py", "import numpy"),
    "The engine knows no game": ("games/engine/planted.py", "from games.dominion import board"),
    "Games are independent of each other": ("games/dominance/planted.py", "from games.focus import board"),
    "Games know no computer players but their own": (
        "games/two_domains/planted.py",
        "from games.ai import players_by_level",
    ),
    "The rooms of the bot lie one above the other": (
        "bot/messages/planted.py",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from bot.actions import moves",
    ),
    "Who sends messages knows no kind of them": (
        "bot/outbound/engine.py",
        "from matches.outbox.messages import BoardMessage",
    ),
    "The rooms of Domination lie one above the other": (
        "games/domination/rules/planted.py",
        "from games.domination.commands import grammar",
    ),
    CIRCLE: (
        "bot/platform/recent.py",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from bot.platform import members",
    ),
    REGISTRY: ("games/ai/planted.py", "from games.domination import GAME"),
    "What people send is taken apart without matches, storage and the network": (
        "atlases/planted.py",
        "import socket",
    ),
    "Pictures see scenes and messages only": ("render/planted_too.py", "from games.engine import dice"),
}
"""For each contract a file, new or with more at its end, and the import in it that breaks the contract."""


def broken(house: Path, names: Iterable[str]) -> set[str]:
    """Return the contracts that the linter finds broken in a copy of the house with violations of some."""
    shutil.copy(ROOT / "pyproject.toml", house)
    for room in ROOMS:
        shutil.copytree(ROOT / room, house / room, ignore=shutil.ignore_patterns("__pycache__"))
    for file, line in map(PLANTED.__getitem__, names):
        with (house / file).open("a", encoding="utf-8") as planted:
            planted.write(f"\n{line}\n")
    run = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", run, "--no-cache"]
    done = subprocess.run(command, cwd=house, capture_output=True, text=True, check=False)
    return {line.removesuffix(" BROKEN") for line in done.stdout.splitlines() if line.endswith(" BROKEN")}


@pytest.mark.slow
def test_planted_violations_are_refused(tmp_path: Path) -> None:
    assert {contract["name"] for contract in CONTRACTS} == PLANTED.keys(), "plant one of the new contract"
    most = PLANTED.keys() - {CIRCLE}
    assert broken(tmp_path, most) >= most


@pytest.mark.slow
def test_a_planted_circle_is_refused(tmp_path: Path) -> None:
    assert broken(tmp_path, {CIRCLE}) == {CIRCLE}


def test_the_contracts_name_every_game() -> None:
    games = {f"games.{key}" for key in KEYS}
    named = 0
    for contract in CONTRACTS:
        for field in ("modules", "source_modules", "forbidden_modules"):
            listed = set(contract.get(field, ())) & games
            named += bool(listed)
            assert listed in (set(), games), f"{contract['name']}: {field}"
    assert named >= 4


def test_no_room_but_solving_reaches_a_game_past_the_registry() -> None:
    (contract,) = [each for each in CONTRACTS if each["name"] == REGISTRY]
    assert set(contract["source_modules"]) == {*ROOMS, "games.ai"} - {"games", "solve"}
