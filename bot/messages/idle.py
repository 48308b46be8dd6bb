"""The messages about a match that nobody moves in: whether to go on, and that it was set aside."""

from __future__ import annotations

from datetime import UTC, datetime

import discord

from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton
from bot.messages.match import mentions
from bot.messages.outgoing import Outgoing
from bot.platform.readers import Reader
from games.engine.message import msg
from matches.absence.idle import PATIENCE
from matches.store.rows import MatchRow


def idle_question(row: MatchRow, since: int, reader: Reader) -> Outgoing | None:
    """Return the question whether to go on, which calls the players; None if the match isn't live.

    `since` is the time of the last move, in seconds since 1970.
    """
    if row.status != "live":
        return None
    users = tuple(seat.user for seat in row.seats if seat.occupant == "person" and seat.user is not None)
    when = discord.utils.format_dt(datetime.fromtimestamp(since, UTC), "R")
    text = reader.say(msg("bot.idle.question", match=row.id, when=when, n=PATIENCE.days))
    items = (
        CallButton.make(Call("idle_on", row.id, row.version), _label("idle_on", reader), STYLE.success),
        CallButton.make(Call("idle_off", row.id, row.version), _label("idle_off", reader)),
    )
    return Outgoing(f"{text}{mentions(users)}\n-# `{row.id}`", (), items, users)


def set_aside_notice(row: MatchRow, reader: Reader) -> Outgoing | None:
    """Return the message that a match was set aside, with a button to take it up; None if it goes on."""
    if not row.set_aside:
        return None
    text = reader.say(msg("bot.idle.set_aside", match=row.id))
    button = CallButton.make(Call("idle_up", row.id, row.version), _label("idle_up", reader), STYLE.success)
    return Outgoing(f"{text}\n-# `{row.id}`", (), (button,))


def _label(verb: str, reader: Reader) -> str:
    return reader.say(msg(f"bot.button.{verb}"))
