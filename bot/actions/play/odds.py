"""Show exact odds: players see those of their own moves, spectators those of the seat to act."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.move_answers import refusal_text
from bot.context import Context
from bot.messages.components import Call
from bot.messages.names import as_code, seat_names
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.game import Odds, Rejected, Seat
from games.engine.message import Msg, Who, msg
from games.engine.normalization import normalized
from games.engine.notation import MAX_LENGTH
from matches.play import typed_text
from matches.results import Refused
from matches.store.rows import MatchRow

Say = Callable[[Msg], str]
MAX_DENOMINATOR = 10_000
"""The largest denominator of a fraction that is shown; beyond it only the percentage is."""


@on("odds")
async def odds(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the odds of all current moves."""
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await respond_privately(interaction, await odds_message(ctx, *loaded, ""))


async def odds_message(ctx: Context, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """Return the odds of the typed move, or of all moves for an empty text; or why there are none."""
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
    found = match.game.odds(match.game.view(match.state, reader.seat), Seat(seat), normalized(text).text)
    if isinstance(found, Rejected):
        return Outgoing(await refusal_text(ctx, Refused(found.why, found.near), reader, row))
    if not found:
        return Outgoing(say(msg("bot.odds.none", match=row.id)))
    head = say(msg("bot.odds.head", who=Who(seat)))
    return Outgoing(f"{head}\n{odds_list(found, say, MAX_CONTENT - len(head) - 40)}\n-# `{row.id}`")


def odds_list(found: tuple[Odds, ...], say: Say, room: int) -> str:
    """Return a paragraph for each action as far as they fit into `room` characters; then name the rest."""
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
    """Return the outcomes of an action, one on a line; a certain one goes into the heading."""
    head = f"**`{as_code(odds.text)}`**"
    if len(odds.chances) == 1:
        return f"{head}: {say(odds.chances[0][1])}"
    return "\n".join([head, *(f"- {chance_text(each)} {say(what)}" for each, what in odds.chances)])


def chance_text(of: Fraction) -> str:
    """Return `5/6 (83 %)`; only exact values are shown as 0 % or 100 %.

    A fraction with a large denominator, as for a whole battle, is shown in tenths of a percent instead.
    """
    if of.denominator > MAX_DENOMINATOR:
        tenths = round(1000 * of)
        rounded = "<0.1" if tenths == 0 else ">99.9" if tenths == 1000 else f"{tenths / 10:.1f}"
        return f"{rounded} %"
    percent = round(100 * of)
    shown = "<1" if percent == 0 and of > 0 else ">99" if percent == 100 and of < 1 else str(percent)
    return f"{of} ({shown} %)"
