"""Where the moves of one piece lead: a private picture of the present position with the targets marked."""

from __future__ import annotations

from typing import Any, NamedTuple

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.loading import load
from bot.actions.move_answers import choices, refusal
from bot.actions.private_views import moved_on, show
from bot.context import Context
from bot.messages.components import Call, CallButton, fits_in_button
from bot.messages.match import status_line
from bot.messages.outgoing import Outgoing
from bot.messages.pictures import text_board
from bot.messages.scenes import scene_for
from bot.messages.seats import seat_names
from bot.platform.readers import Reader
from games.engine.game import AnyGame, Done, Partial, Rejected, Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from games.engine.notation import MAX_LENGTH
from games.engine.scene import Mark
from matches import typed_text
from matches.ports import MatchRow
from matches.results import Refused

_READ = 400
"""The most texts that are read for one question."""
_LISTED = 60


class Targets(NamedTuple):
    """The moves that a text may become, as texts and as marks on the board; and what is asked."""

    texts: tuple[str, ...]
    marks: tuple[Mark, ...]
    prompt: Msg


def targets(match: Match, seat: Seat, text: str) -> Targets | Rejected:
    """What a text may become; or why nothing."""
    game: AnyGame = match.game
    view = game.view(match.state, seat)
    read = game.parse(view, seat, text)
    if isinstance(read, Rejected):
        return read
    found: dict[str, None] = {}
    marks: dict[Mark, None] = {}
    waiting = [text, *read.choices] if isinstance(read, Partial) else [text]
    for each in waiting[:_READ]:
        done = game.parse(view, seat, each)
        if isinstance(done, Done):
            found[game.format(view, done.action)] = None
            marks.update(dict.fromkeys(game.action_marks(view, done.action)))
        elif isinstance(done, Partial) and each != text:
            found[each] = None
    prompt = read.prompt if isinstance(read, Partial) else msg("bot.moves.count", n=len(found))
    return Targets(tuple(found), tuple(marks), prompt)


async def told(ctx: Context, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """The moves of a piece as a picture from the reader's side, and as texts; or why there are none."""
    match = await ctx.service.queries.at(row.id, row.version)
    found = await _asked(ctx, row, match, reader, typed)
    if isinstance(found, str):
        return Outgoing(f"{found}\n-# `{row.id}`")
    listed = f"{_listed(ctx, row, found, reader)}\n-# `{row.id}`"
    scene = scene_for(match, reader.seat, marks=found.marks)
    if reader.text:
        return Outgoing(f"{text_board(scene, reader)}{listed}")
    return Outgoing(listed, (await ctx.presenter.pictures.file(scene, reader, f"{row.id}-moves.png"),))


async def in_words(ctx: Context, row: MatchRow, reader: Reader, typed: str) -> str:
    """The moves of a piece as texts alone."""
    match = await ctx.service.queries.at(row.id, row.version)
    found = await _asked(ctx, row, match, reader, typed)
    return found if isinstance(found, str) else _listed(ctx, row, found, reader)


async def _asked(ctx: Context, row: MatchRow, match: Match, reader: Reader, typed: str) -> Targets | str:
    """The moves of a piece; a sentence where there are none, or none for this reader."""
    say, seat = reader.say, reader.seat
    text, _ = typed_text.strip_markup(typed)
    if seat is None:
        return say(msg("bot.move.not_yours", match=row.id))
    if seat not in match.to_act:
        return status_line(row, match, reader)
    if len(text) > MAX_LENGTH:
        return say(msg("match.refuse.long", limit=MAX_LENGTH))
    found = targets(match, seat, text)
    if isinstance(found, Rejected):
        return await refusal(ctx, Refused(found.why, found.near), reader, row)
    return found


def _listed(ctx: Context, row: MatchRow, found: Targets, reader: Reader) -> str:
    names = seat_names(row, reader)
    return reader.say(found.prompt, names) + choices(found.texts, _LISTED)


def show_button(match: Match, seat: Seat, text: str, reader: Reader) -> tuple[CallButton, ...]:
    """A way to the picture of half a move, where there is something to see."""
    if not fits_in_button(text):
        return ()
    found = targets(match, seat, text)
    if isinstance(found, Rejected) or not found.marks:
        return ()
    label = reader.say(msg("bot.button.targets"))
    return (CallButton.make(Call("targets", match.id, match.seq, text), label, row=4),)


@on("targets")
async def shown(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """The picture of half a move; on an old board the present one."""
    await defer(interaction)
    if (loaded := await load(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    if call.seq != row.version:
        await respond_privately(interaction, await show(ctx, row, reader, moved_on(ctx, row, call, reader)))
        return
    await respond_privately(interaction, await told(ctx, row, reader, call.arg))
