"""The registry of handlers for buttons, menus and forms: one for each verb of a `Call`."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import discord

from bot.context import Context
from bot.messages.components import Call

Handler: TypeAlias = Callable[[Context, discord.Interaction[Any], Call], Awaitable[None]]
HANDLERS: dict[str, Handler] = {}
NUMBER: Final = "[0-9]{1,4}"
"""A pattern of a seat, a page or a count."""
_FORMS: dict[str, tuple[str, str | None]] = {}


def on(verb: str, arg: str = ".*", value: str | None = None) -> Callable[[Handler], Handler]:
    """Return a decorator that registers the handler of a verb. Raises ValueError if it has one.

    `arg` and `value` are patterns of what a call of ours has: its argument, and the first value that is
    chosen, of which there must be one if it has a pattern.
    """

    def add(handler: Handler) -> Handler:
        if HANDLERS.setdefault(verb, handler) is not handler:
            raise ValueError(f"{verb} has a handler")
        _FORMS[verb] = (arg, value)
        return handler

    return add


def handler_of(call: Call) -> Handler | None:
    """Return the handler of a call; None if no component of this version makes such a call."""
    arg, value = _FORMS.get(call.verb, ("", None))
    fits = re.fullmatch(arg, call.arg, re.DOTALL) is not None
    if value is not None:
        fits &= bool(call.values) and re.fullmatch(value, call.values[0], re.DOTALL) is not None
    return HANDLERS.get(call.verb) if fits else None
