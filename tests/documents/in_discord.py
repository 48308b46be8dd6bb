"""Commands and settings in Discord, as the command tree that the bot sends has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord

from tests.documents.pages import table
from tests.locales.test_commands import commands, tree

_GROUPS = {discord.AppCommandOptionType.subcommand.value, discord.AppCommandOptionType.subcommand_group.value}


def _leaves(data: dict[str, Any], above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the commands that can be called, with their whole names."""
    name = f"{above} {data['name']}".strip()
    inner = [each for each in data.get("options") or () if each["type"] in _GROUPS]
    if not inner:
        yield name, data
    for each in inner:
        yield from _leaves(each, name)


def _named(option: dict[str, Any]) -> str:
    """Return an option as people type it; what must be given is in bold."""
    name = f"`{option['name']}:`"
    return f"**{name}**" if option.get("required") else name


def groups() -> str:
    """The commands at the top, and what is in each."""
    rows = []
    for command in commands().values():
        data = command.to_dict(tree())
        inner = [each["name"] for each in data.get("options") or () if each["type"] in _GROUPS]
        rows.append((f"`/{command.name}`", data["description"], ", ".join(f"`{name}`" for name in inner)))
    return table(("command", "for", "with"), rows)


def in_menus() -> str:
    """The commands in the menus of messages and people."""
    rows = []
    kinds = (("a message", discord.AppCommandType.message), ("a person", discord.AppCommandType.user))
    for where, kind in kinds:
        rows += [(f"**{each.name}**", where) for each in tree().get_commands(type=kind)]
    return table(("command under Apps", "in the menu of"), rows)


def every_command() -> str:
    """Every command with its options."""
    found = [leaf for each in commands().values() for leaf in _leaves(each.to_dict(tree()))]
    return table(
        ("command", "what it does", "options"),
        (
            (f"`/{name}`", data["description"], " ".join(map(_named, data.get("options") or ())))
            for name, data in found
        ),
    )


def _options(group: str, name: str) -> str:
    data = dict(_leaves(commands()[group].to_dict(tree())))[f"{group} {name}"]
    rows = []
    for option in data["options"]:
        choices = ", ".join(str(choice["name"]) for choice in option.get("choices") or ())
        rows.append((f"`{option['name']}:`", option["description"], choices))
    return table(("option", "what it sets", "choices"), rows)


def options_of_people() -> str:
    """What a person can set."""
    return _options("settings", "me")


def options_of_servers() -> str:
    """What those who manage a server can set."""
    return _options("server", "settings")
