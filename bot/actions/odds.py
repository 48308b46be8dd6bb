"""What chance may do, exactly: players hear of their own moves, spectators of those of the seat to act."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately
from bot.actions.loading import load
from bot.actions.move_answers import refusal
from bot.context import Context
from bot.messages.components import Call
from bot.messages.outgoing import MAX_CONTENT, Outgoing
from bot.messages.quoting import as_code
from bot.messages.seats import seat_names
from bot.platform.readers import Reader
from games.engine.game import Odds, Rejected, Seat
from games.engine.message import Msg, Who, msg
from games.engine.notation import MAX_LENGTH
from matches import typed_text
from matches.ports import MatchRow
from matches.results import Refused

Say = Callable[[Msg], str]
READABLE = 10_000
"""The largest denominator that is shown."""


@on("odds")
async def odds(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """The chances of all that may be done now."""
    if (loaded := await load(ctx, interaction, call.match)) is not None:
        await respond_privately(interaction, await told(ctx, *loaded, ""))


async def told(ctx: Context, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """The chances of a move, or of all moves; or why there are none to tell."""
    match = await ctx.service.queries.at(row.id, row.version)
    names = seat_names(row, reader)

    def say(message: Msg) -> str:
        return reader.say(message, names)

    seat = reader.seat if reader.seat is not None else min(match.to_act, default=None)
    if match.ending is not None or seat is None:
        return Outgoing(say(msg("match.refuse.over")))
    text, _ = typed_text.strip_markup(typed)
    if len(text) > MAX_LENGTH:
        return Outgoing(say(msg("match.refuse.long", limit=MAX_LENGTH)))
    found = match.game.odds(match.game.view(match.state, reader.seat), Seat(seat), text)
    if isinstance(found, Rejected):
        return Outgoing(await refusal(ctx, Refused(found.why, found.near), reader, row))
    if not found:
        return Outgoing(say(msg("bot.odds.none", match=row.id)))
    head = say(msg("bot.odds.head", who=Who(seat)))
    return Outgoing(f"{head}\n{listed(found, say, MAX_CONTENT - len(head) - 40)}\n-# `{row.id}`")


def listed(found: tuple[Odds, ...], say: Say, room: int) -> str:
    """A paragraph for each action as long as there is room for them; the rest by name."""
    parts = [_paragraph(each, say) for each in found]
    most = len(parts)
    while most > 0 and len(text := _joined(parts, found, most, say)) > room:
        most -= 1
    return text if most > 0 else parts[0][:room]


def _joined(parts: list[str], found: tuple[Odds, ...], most: int, say: Say) -> str:
    rest = tuple(f"`{as_code(each.text)}`" for each in found[most:])
    if not rest:
        return "\n".join(parts)
    more = say(msg("bot.odds.more", n=len(rest), moves=rest[:8], example=as_code(found[most].text)))
    return "\n".join([*parts[:most], more])


def _paragraph(odds: Odds, say: Say) -> str:
    """What is certain stands in the action's own line."""
    head = f"**`{as_code(odds.text)}`**"
    if len(odds.chances) == 1:
        return f"{head}: {say(odds.chances[0][1])}"
    return "\n".join([head, *(f"- {chance(each)} {say(what)}" for each, what in odds.chances)])


def chance(of: Fraction) -> str:
    """`5/6 (83 %)`; what is neither certain nor impossible is never rounded to it.

    A fraction that nobody reads, as that of a whole battle, is told in tenths of percents.
    """
    if of.denominator > READABLE:
        tenths = round(1000 * of)
        rounded = "<0.1" if tenths == 0 else ">99.9" if tenths == 1000 else f"{tenths / 10:.1f}"
        return f"{rounded} %"
    percent = round(100 * of)
    shown = "<1" if percent == 0 and of > 0 else ">99" if percent == 100 and of < 1 else str(percent)
    return f"{of} ({shown} %)"
