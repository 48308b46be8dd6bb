"""Step through a match in one message, running or finished.

A replay is private: it shows what the person may know now about each position. Its person can show a public
one, which has a spectator's view; only they step through that one, and others get a replay of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import (
    acknowledge,
    defer,
    respond_privately,
    settle_question,
)
from bot.actions.match_access import load_match, may_be_shown, open_form
from bot.context import Context
from bot.messages.analyses import mistakes_of
from bot.messages.components import Call
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.messages.replay import ReplayView, jump_form, most_moves, read_view, replay_message
from bot.platform.reader_settings import Reader
from games.ai.analysis import Mistake, public_reason
from games.engine.message import Msg, msg
from matches.long_work import in_thread
from matches.lookback.playback import Timeline
from matches.lookback.steps import ReplayStep, step_of_move
from matches.lookback.turning_points import coach_words
from matches.store.rows import MatchRow


@on("replay")
async def replay(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a replay at the start of a finished match, or at the current position of one in progress."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await open_replay(ctx, interaction, *loaded)


async def open_replay(
    ctx: Context,
    interaction: discord.Interaction[Any],
    row: MatchRow,
    reader: Reader,
    move: int | None = None,
) -> None:
    """Open a private replay, at the move of that number if one is given."""
    line = await ctx.service.playback.timeline(row)
    view = ReplayView(0 if line.match.ending is not None else line.steps[-1].last)
    if move is not None:
        at = step_of_move(line.steps, move)
        if at is None:
            why = msg("bot.replay.no_move", at=move, n=most_moves(line))
            await respond_privately(interaction, Outgoing(reader.say(why)))
            return
        view = ReplayView(line.steps[at].last)
    await respond_privately(interaction, await _message(ctx, interaction, row, reader, line, view))


async def _message(
    ctx: Context,
    interaction: discord.Interaction[Any],
    row: MatchRow,
    reader: Reader,
    line: Timeline,
    view: ReplayView,
) -> Outgoing:
    steps, at = view.step_in(line)
    moment = await ctx.service.playback.position(line, steps[at])
    mistakes = await _mistakes(ctx, row, line)
    losses = {each.seq: (each.seat, max(0.0, each.loss)) for each in mistakes}
    moments = await ctx.service.playback.moments(line, losses, reader.seat)
    return await replay_message(
        row,
        line,
        moment,
        moments,
        view,
        reader,
        ctx.presenter.pictures,
        showable=bool(interaction.guild_id),
        why=await _why(ctx, line, steps[at], mistakes),
    )


async def _mistakes(ctx: Context, row: MatchRow, line: Timeline) -> Sequence[Mistake]:
    """Return the mistakes of a finished match, if it has been analysed."""
    found = await ctx.service.analyses.kept(row) if line.match.ending is not None else None
    return () if found is None else mistakes_of(found)


async def _why(ctx: Context, line: Timeline, step: ReplayStep, mistakes: Sequence[Mistake]) -> Msg | None:
    """Return why another move was better than the costliest mistake of a step, as everyone may know it."""
    made = [each for each in mistakes if step.first <= each.seq <= step.last]
    if not made:
        return None
    worst = max(made, key=lambda each: each.loss)
    before = replace(step, first=worst.seq - 1, last=worst.seq - 1)
    match = (await ctx.service.playback.position(line, before)).match
    reason = await in_thread(public_reason, match.game, match.state, worst)
    return None if reason is None else coach_words(worst.seat, reason)


# --- stepping -------------------------------------------------------------------------------------------


@on("step")
async def step(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another position, side or theme: the one that the button carries."""
    await _go(ctx, interaction, call, lambda line, view: view)


@on("step_moment")
async def step_to_moment(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show a moment that was chosen in the menu."""
    chosen = call.values[0] if call.values else ""
    await _go(ctx, interaction, call, lambda line, view: replace(view, entry=_number(chosen)))


@on("step_jump")
async def ask_for_move(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask for the number of a move in a form."""
    await open_form(
        ctx, interaction, call.match, lambda row, reader: jump_form(row, read_view(call.arg)[1], reader)
    )


@on("step_number")
async def jump(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the move whose number was entered in the form."""
    typed = call.values[0].strip().lstrip("#") if call.values else ""

    def jumped(line: Timeline, view: ReplayView) -> ReplayView | Msg:
        most = most_moves(line)
        if not (typed.isascii() and typed.isdecimal()):
            return msg("bot.replay.not_a_number", text=as_code(typed) or " ", n=most)
        at = step_of_move(line.steps, int(typed))
        if at is None:
            return msg("bot.replay.no_move", at=int(typed), n=most)
        return replace(view, entry=line.steps[at].last)

    await _go(ctx, interaction, call, jumped)


async def _go(
    ctx: Context,
    interaction: discord.Interaction[Any],
    call: Call,
    change: Callable[[Timeline, ReplayView], ReplayView | Msg],
) -> None:
    """Edit the replay that was pressed; someone else's public one is answered by a private replay."""
    _, view = read_view(call.arg)
    theirs = view.owner not in (0, interaction.user.id)
    if not theirs:
        await acknowledge(interaction)
    else:
        await defer(interaction)
        view = ReplayView(view.entry, finer=view.finer)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    if view.owner:
        row = await ctx.service.queries.seen_by(row, 0, interaction.channel_id)
    line = await ctx.service.playback.timeline(row)
    changed = change(line, view)
    if isinstance(changed, Msg):
        await respond_privately(interaction, Outgoing(reader.say(changed)))
        return
    if view.owner:
        reader = await ctx.readers.public(interaction.guild_id)
    outgoing = await _message(ctx, interaction, row, reader, line, changed)
    if theirs:
        note = reader.say(msg("bot.replay.theirs"))
        await respond_privately(interaction, replace(outgoing, content=f"{note}\n{outgoing.content}"))
    else:
        await settle_question(interaction, outgoing)


def _number(text: str) -> int:
    return int(text[:9]) if text.isascii() and text.isdecimal() else 0


# --- showing it to everyone -----------------------------------------------------------------------------


@on("step_show")
async def show_here(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Post a public replay of the shown position, which the person who asks steps through."""
    row = await ctx.service.queries.row(call.match)
    if row is not None and (why := await why_not_shown(ctx, interaction, row)) is not None:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(reader.say(why)))
        return
    await interaction.response.defer(thinking=True)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row = await ctx.service.queries.seen_by(loaded[0], 0, interaction.channel_id)
    _, view = read_view(call.arg)
    public = ReplayView(view.entry, finer=view.finer, owner=interaction.user.id)
    reader = await ctx.readers.public(interaction.guild_id)
    line = await ctx.service.playback.timeline(row)
    outgoing = await _message(ctx, interaction, row, reader, line, public)
    await interaction.followup.send(**outgoing.fields())


async def why_not_shown(ctx: Context, interaction: discord.Interaction[Any], row: MatchRow) -> Msg | None:
    """Return why a match can't be shown to all who read this channel; None if it can."""
    if not await may_be_shown(ctx, interaction, row):
        return msg("bot.replay.not_here", match=row.id)
    rights = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    writes = rights.send_messages_in_threads if in_thread else rights.send_messages
    return None if writes else msg("bot.replay.quiet")
