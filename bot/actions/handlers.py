"""The registry of handlers for buttons, menus and forms: one for each verb of a `Call`."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import discord

from bot.context import Context
from bot.messages.components import Call

Handler: TypeAlias = Callable[[Context, discord.Interaction[Any], Call], Awaitable[None]]
NUMBER: Final = "[0-9]{1,4}"
"""A pattern of a seat, a page or a count."""
NUMBERED: Final = rf"{NUMBER}(\..*)?"
"""One of a number, and more behind a dot."""
ID: Final = "[0-9]{1,19}"
"""One of a person's id."""


@dataclass(frozen=True, slots=True)
class Route:
    """The handler of a verb, and patterns of what its calls have."""

    handler: Handler
    arg: str
    value: str | None

    def fits(self, call: Call) -> bool:
        """Return whether a component of ours could have made a call of this verb."""
        if re.fullmatch(self.arg, call.arg, re.DOTALL) is None:
            return False
        if self.value is None:
            return True
        return bool(call.values) and re.fullmatch(self.value, call.values[0], re.DOTALL) is not None


HANDLERS: dict[str, Route] = {}


def on(verb: str, arg: str = ".*", value: str | None = None) -> Callable[[Handler], Handler]:
    """Return a decorator that registers the handler of a verb. Raises ValueError if it has one.

    `arg` and `value` are patterns of what a call of ours has: its argument, and the first value that is
    chosen, of which there must be one if it has a pattern.
    """

    def add(handler: Handler) -> Handler:
        route = Route(handler, arg, value)
        if HANDLERS.setdefault(verb, route) != route:
            raise ValueError(f"{verb} has a handler")
        return handler

    return add


def handler_of(call: Call) -> Handler | None:
    """Return the handler of a call; None if no component of this version makes such a call."""
    route = HANDLERS.get(call.verb)
    return route.handler if route is not None and route.fits(call) else None
