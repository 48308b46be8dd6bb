"""The registry of handlers for buttons, menus and forms: one for each verb of a `Call`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import discord

from bot.context import Context
from bot.messages.components import Call

Handler: TypeAlias = Callable[[Context, discord.Interaction[Any], Call], Awaitable[None]]
HANDLERS: dict[str, Handler] = {}


def on(verb: str) -> Callable[[Handler], Handler]:
    """Return a decorator that registers the handler of a verb. Raises ValueError if it has one."""

    def add(handler: Handler) -> Handler:
        if HANDLERS.setdefault(verb, handler) is not handler:
            raise ValueError(f"{verb} has a handler")
        return handler

    return add
