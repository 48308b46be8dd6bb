"""Judging a payload before it becomes a request: a message, its components, a modal, a list of commands."""

from __future__ import annotations

from typing import Any

from tests.discord_rules.commands import command_list
from tests.discord_rules.components import message_components, modal
from tests.discord_rules.messages import new_message
from tests.discord_rules.shapes import Fault


def message_faults(body: Any, *, files: int | None = None) -> list[Fault]:
    """Return what Discord would refuse in a message to be posted."""
    return list(new_message(body, files=files))


def component_faults(components: Any, *, flags: int = 0) -> list[Fault]:
    """Return what Discord would refuse in a message's components, such as ``View.to_components()``."""
    return list(message_components(components, ("components",), flags=flags))


def modal_faults(data: Any) -> list[Fault]:
    """Return what Discord would refuse in a modal, such as ``Modal.to_dict()``."""
    return list(modal(data))


def command_faults(commands: Any) -> list[Fault]:
    """Return what Discord would refuse in a list of commands, such as ``[c.to_dict(tree) for c in ...]``."""
    return list(command_list(commands))
