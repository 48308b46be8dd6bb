"""Few commands, within Discord's limits; and every command that a text or a document names exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import discord
from discord import app_commands

from bot.actions.play.typed_moves import FORMER, renamed
from bot.context import Context
from bot.inbound.commands import CONTEXTS, INSTALLS, add
from bot.platform.reader_settings import Reader
from locales import Catalogue
from tests.documents.pages import line_of
from tests.rows import rows

ROOT = Path(__file__).parents[2]
AT_THE_TOP = 14
"""How many commands a list may have that people can take in."""
IN_A_GROUP = 25
MAX_SIZE = 8000
"""Discord's limits: commands in a group, and characters of names, descriptions and values in a command."""
PATHS = {"healthz", "readyz", "metrics", "data"}
"""What documents write like a command, though it is a path."""
NAMED = re.compile(
    r"(?<![\w/.<>:})\]$~-])/([a-z][a-z-]*(?![\w-])(?: [a-z-]+(?![\w:-]))*)"
    r"((?: [a-z0-9_]+:[^`\s]*)*)(`?)(?![/\w])"
)
"""A command, its options, and whether the code in which it stands ends there."""

Any_ = app_commands.Command[Any, Any, Any] | app_commands.Group


@cache
def tree() -> app_commands.CommandTree[Any]:
    """Return all commands of the bot."""
    reader = Reader(Catalogue(strict=True))
    readers = SimpleNamespace(default=reader, catalogue=reader.catalogue)
    client = discord.Client(intents=discord.Intents.none())
    made = app_commands.CommandTree(client, allowed_contexts=CONTEXTS, allowed_installs=INSTALLS)
    add(made, cast("Context", SimpleNamespace(readers=readers)))
    return made


@cache
def commands() -> dict[str, Any_]:
    """Return the commands at the top, by name, without those in menus of messages and people."""
    listed = tree().get_commands(type=discord.AppCommandType.chat_input)
    return {command.name: command for command in listed}


def sources() -> Iterator[Path]:
    """Whatever people read: texts, documents, and what the sources say of commands."""
    for room in ("locales", "games", "tests/toy", "tests/three"):
        yield from sorted((ROOT / room).rglob("*.toml"))
    yield from sorted(ROOT.glob("*.md"))
    yield from (path for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name != "adr")
    for room in ("bot", "cli", "matches", "games", "storage"):
        yield from sorted((ROOT / room).rglob("*.py"))


def wrong(text: str) -> Iterator[re.Match[str]]:
    """Yield what a text names as a command, or as an option of one, that doesn't exist."""
    for named in NAMED.finditer(text):
        words, options = named[1].split(), re.findall(r" (\w+):", named[2])
        if words[0] in PATHS:
            continue
        at: Any_ | None = commands().get(words[0])
        for word in words[1:]:
            if not isinstance(at, app_commands.Group):
                break
            at = at.get_command(word)
        known = {each.display_name for each in getattr(at, "parameters", ())}
        is_open = isinstance(at, app_commands.Group) and not named[3]
        if at is None or is_open or not known.issuperset(options):
            yield named


def test_the_commands_at_the_top_are_few() -> None:
    assert len(commands()) <= AT_THE_TOP
    assert {"games", "play", "move"} <= set(commands())


@rows("name", sorted(commands()))
def test_a_command_keeps_within_the_limits(name: str) -> None:
    command = commands()[name]
    for group in (command, *(command.walk_commands() if isinstance(command, app_commands.Group) else ())):
        if isinstance(group, app_commands.Group):
            assert 1 <= len(group.commands) <= IN_A_GROUP
    assert size(command.to_dict(tree())) <= MAX_SIZE


def size(data: dict[str, Any]) -> int:
    """Return the characters of a command that Discord counts."""
    own = len(data["name"]) + len(data.get("description", ""))
    choices = sum(len(each["name"]) + len(str(each["value"])) for each in data.get("choices") or ())
    return own + choices + sum(map(size, data.get("options") or ()))


def test_the_readme_names_every_command() -> None:
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Commands\n")[2]
    rows = dict(re.findall(r"^\| `/([a-z]+)` \| (.*) \|$", table.partition("\n## ")[0], re.MULTILINE))
    assert set(rows) == set(commands())
    for name, command in commands().items():
        if isinstance(command, app_commands.Group):
            assert {each.name for each in command.commands} <= set(re.findall("`([a-z-]+)`", rows[name]))


def test_the_commands_that_are_named_exist() -> None:
    found, named = [], 0
    for path in sources():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            text = "\n".join(" ".join(re.findall(r"`/[^`\n]*`", line)) for line in text.splitlines())
        named += len(NAMED.findall(text))
        found += [
            f"{path.relative_to(ROOT)}:{line_of(text, each.start())}: {each[0]}" for each in wrong(text)
        ]
    assert named > 200
    assert not found, "\n".join(found)


@rows(
    "text, named",
    [
        ("`/match undo`, `/match`, `/games`", []),
        ("as /replay record format:position gives it", []),
        ("`/learn rules game:Focus` and /etc/dominium, /healthz", []),
        ("`/undo`", ["/undo`"]),
        ("`/match undone`", ["/match undone`"]),
        ("with /match you can", ["/match you can"]),
        ("`/match undo piece:e4`", ["/match undo piece:e4`"]),
    ],
)
def test_a_wrong_name_is_found(text: str, named: list[str]) -> None:
    assert [each[0] for each in wrong(text)] == named


def test_former_names_lead_to_those_that_exist() -> None:
    reader = Reader(Catalogue(strict=True))
    for name, now in FORMER.items():
        assert name.split()[0] not in commands()
        said = renamed(f"/{name} e4")
        assert said is not None
        assert f"`/{now}`" in reader.say(said)
        assert list(wrong(reader.say(said))) == [], name
        leaf = now.split()
        assert not isinstance(commands()[leaf[0]], app_commands.Command) or len(leaf) == 1
    assert renamed("undo") is None
    assert renamed("/match undo") is None
    assert renamed("/") is None
