"""Show a person what has happened since their own last move: some lines, and a short animation.

Only they see it, from the side of their seat; spectators see the last round.
"""

from __future__ import annotations

import logging
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.match_access import load_match
from bot.context import Context
from bot.messages.components import Call
from bot.messages.facts import FactGroup
from bot.messages.films import Replay
from bot.messages.match import MAX_BRIEF, MAX_SUMMARY, status_line, turn_line
from bot.messages.names import seat_names
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import frame, with_text_board
from bot.platform.reader_settings import Reader
from games.engine.message import msg
from matches.lookback.since import Absence
from matches.store.rows import MatchRow

log = logging.getLogger(__name__)


async def missed_lines(ctx: Context, row: MatchRow, user: int, reader: Reader, *, but: int) -> str:
    """Return what a player has missed before the change that began with entry `but`; empty if nothing."""
    if reader.seat is None:
        return ""
    absence = await ctx.service.since.absence(row, user)
    return absence_lines(row, absence, reader) if absence.turns and absence.first < but else ""


@on("since")
async def since(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show what has happened, even from an old board; the answer to a second press is that it is coming."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    with ctx.presenter.replays.callers.hold(interaction.user.id) as first:
        if not first:
            await respond_privately(interaction, Outgoing(reader.say(msg("bot.film.busy"))))
            return
        absence = await ctx.service.since.absence(row, interaction.user.id)
        await respond_privately(interaction, await _shown(ctx, row, absence, reader))


async def _shown(ctx: Context, row: MatchRow, absence: Absence, reader: Reader) -> Outgoing:
    if not absence.turns:
        return Outgoing(absence_lines(row, absence, reader))
    film = None
    if not reader.text:
        try:
            film = await ctx.presenter.replays.since(absence, reader)
        except ValueError:  # what has happened is listed all the same
            log.exception("%s: what happened can't be drawn", row.id)
    return absence_message(row, absence, reader, film)


def absence_lines(row: MatchRow, absence: Absence, reader: Reader) -> str:
    """Return a heading and a line for each turn; one sentence if nothing has happened."""
    if not absence.turns:
        key = "bot.since.nothing" if absence.own else "bot.since.nothing_yet"
        return reader.say(msg(key, match=row.id))
    names = seat_names(row, reader)
    key = "round" if reader.seat is None else "you" if absence.own else "start"
    lines = [reader.say(msg(f"bot.since.{key}", match=row.id))]
    if absence.earlier:
        lines.append(reader.say(msg("bot.since.earlier", n=absence.earlier)))
    limit = MAX_SUMMARY // len(absence.turns)
    most = min(MAX_BRIEF, limit)
    groups = [FactGroup(turn.by, list(turn.facts)) for turn in absence.turns]
    lines += [turn_line(absence.match, each, reader, names, most, limit) for each in groups]
    return "\n".join(lines)


def absence_message(row: MatchRow, absence: Absence, reader: Reader, film: Replay | None) -> Outgoing:
    """Return what has happened with its animation; without one, with the board as text."""
    lines = absence_lines(row, absence, reader)
    text = f"{lines}\n{status_line(row, absence.match, reader)}"
    if film is not None:
        return Outgoing(text, ((f"{row.id}.gif", film.data, film.alt),))
    last = absence.moments[-1]
    return Outgoing(*with_text_board(frame(last.match, last.facts, reader.seat), reader, text))
