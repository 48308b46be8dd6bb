"""Animate a whole match or a part of it: for the person who asks, who may then show it to everyone.

It is made in a thread of its own (`bot.messages.films`), one at a time for each person, while a private
message shows how far it is. A restart forgets it, so that message also shows when to ask again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import (
    defer,
    edit_answer,
    is_dismissed,
    respond_privately,
    show_progress,
)
from bot.actions.lookback.replay import why_not_shown
from bot.actions.match_access import load_match, open_form
from bot.context import Context
from bot.messages.components import Call, CallButton
from bot.messages.films import FilmRun, FilmScript, Replay, end_card_of, film_frame, from_side, opening_frame
from bot.messages.outgoing import Outgoing
from bot.messages.replay import NO_BOARD, film_form, read_view
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.lookback.films import PlannedFrame, Stretch, plan_film, read_stretch
from matches.lookback.playback import Timeline, Track
from matches.lookback.steps import ReplayStep
from matches.results import Refused
from matches.store.rows import MatchRow
from render import FilmFrame


@on("film_form")
async def ask_for_part(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask in a form which part of the match is to be animated."""
    await open_form(
        ctx, interaction, call.match, lambda row, reader: film_form(row, read_view(call.arg)[1], reader)
    )


@on("film")
async def film(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Animate the part that was entered in the form, from the side and in the theme of the replay."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    _, view = read_view(call.arg)
    if view.theme:
        reader = replace(reader, theme=view.theme)
    text = call.values[0] if call.values else ""
    await show_film(ctx, interaction, row, reader, text, view.side)


async def show_film(
    ctx: Context,
    interaction: discord.Interaction[Any],
    row: MatchRow,
    reader: Reader,
    text: str,
    side: str = "",
) -> None:
    """Animate the part of a match that a text names, in the deferred private answer."""
    line = await ctx.service.playback.timeline(row)
    stretch = read_stretch(text, line.steps, line.turns)
    if isinstance(stretch, Refused):
        await respond_privately(interaction, Outgoing(reader.say(stretch.why)))
        return
    made = await _made(ctx, interaction, row, reader, line, stretch, side)
    if made is None:
        return
    text = reader.say(msg("bot.film.text", match=row.id, part=_part(line, stretch)))
    items: tuple[CallButton, ...] = ()
    if interaction.guild_id is not None:
        call = Call("film_show", row.id, NO_BOARD, f"{stretch.first}-{stretch.last}")
        items = (CallButton.make(call, reader.say(msg("bot.replay.button.show"))),)
    await edit_answer(interaction, Outgoing(text, ((f"{row.id}.gif", made.data, made.alt),), items))


@on("film_show")
async def show_film_here(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Post an animation for everyone: with a spectator's view, in the colours of the server."""
    row = await ctx.service.queries.row(call.match)
    if row is not None and (why := await why_not_shown(ctx, interaction, row)) is not None:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(reader.say(why)))
        return
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, own = loaded
    row = await ctx.service.queries.seen_by(row, 0, interaction.channel_id)
    line = await ctx.service.playback.timeline(row)
    first, _, last = call.arg.partition("-")
    most = len(line.steps) - 1
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first[:9]) <= int(last[:9]) <= most):
        await respond_privately(interaction, Outgoing(own.say(msg("match.stretch.nothing"))))
        return
    stretch, reader = Stretch(int(first), int(last)), await ctx.readers.public(interaction.guild_id)
    made = await _made(ctx, interaction, row, reader, line, stretch, "")
    if made is None:
        return
    text = reader.say(msg("bot.film.text", match=row.id, part=_part(line, stretch)))
    who = reader.say(msg("bot.film.shown", who=f"<@{interaction.user.id}>"))
    public = Outgoing(f"{text}\n-# {who}", ((f"{row.id}.gif", made.data, made.alt),))
    await edit_answer(interaction, Outgoing(text))  # Discord would make the next message the deferred answer
    await interaction.followup.send(**public.fields())
    await interaction.delete_original_response()


# --- making it ------------------------------------------------------------------------------------------


async def _made(
    ctx: Context,
    interaction: discord.Interaction[Any],
    row: MatchRow,
    reader: Reader,
    line: Timeline,
    stretch: Stretch,
    side: str,
) -> Replay | None:
    """Return the animation, with its progress in the deferred answer; None if the person was refused one."""
    replays = ctx.presenter.replays
    with replays.callers.hold(interaction.user.id) as first:
        many = ctx.operation.throttle.refuse("film", interaction.user.id) if first else None
        if many is not None:
            await respond_privately(interaction, Outgoing(reader.say(many)))
            return None
        if not first:
            await respond_privately(interaction, Outgoing(reader.say(msg("bot.film.busy"))))
            return None
        keys = {moment.entry for moment in await ctx.service.playback.moments(line)}
        run = replays.film(
            film_script(row, line, stretch, keys, reader, side, ctx.service.playback.track(row.id)), reader
        )
        try:
            await _follow(interaction, row, reader, run)
        except discord.HTTPException as error:
            if not is_dismissed(error):
                raise
            return None  # the message was dismissed; the animation is cached for the next time
    return run.made


def film_script(
    row: MatchRow,
    line: Timeline,
    stretch: Stretch,
    keys: set[int],
    reader: Reader,
    side: str,
    track: Track,
) -> FilmScript:
    """Return what is to be animated: the position before a stretch, its frames, and the result if it ends."""
    steps = line.steps[stretch.first : stretch.last + 1]
    before = line.steps[stretch.first - 1]
    turns = [turn for turn in line.turns if turn.first <= steps[-1].last and turn.last >= steps[0].first]
    planned = plan_film(steps, turns, keys)
    whole = stretch.last == len(line.steps) - 1
    end = end_card_of(row, line.match, reader) if whole else None

    def frames() -> list[FilmFrame]:
        track.timeline(line.match)
        found: list[FilmFrame] = []
        moments = track.positions(line, [before, *(each.step for each in planned)])
        for number, moment in enumerate(moments):
            if number == 0:
                made = opening_frame(moment, before.plays, reader)
            else:
                last = number == len(planned) and end is None
                made = film_frame(moment, planned[number - 1], reader, last=last)
            found.append(from_side(made, moment.match, reader, side))
        return found

    names = tuple((seat.name, seat.level) for seat in row.seats)
    content = (row.id, steps[0].first, steps[-1].last, side, names, _ends(planned), end is not None)
    return FilmScript(content, len(planned) + 1, frames, end)


def _ends(planned: tuple[PlannedFrame, ...]) -> tuple[int, ...]:
    return tuple(each.milliseconds for each in planned)


async def _follow(interaction: discord.Interaction[Any], row: MatchRow, reader: Reader, run: FilmRun) -> None:
    """Show the progress of an animation until it ends, and say so if it fails or takes too long."""

    def message(late: bool) -> Outgoing:
        text = msg("bot.film.begun", match=row.id)
        if late or run.done:
            key = "late" if late else "progress"
            text = msg(f"bot.film.{key}", match=row.id, done=run.done, n=run.total)
        return Outgoing(reader.say(text))

    if await show_progress(interaction, run, lambda: run.done, message) and run.made is None:
        await edit_answer(interaction, Outgoing(reader.say(msg("bot.film.failed"))))


def _part(line: Timeline, stretch: Stretch) -> Msg:
    """Return what part of the match it is."""
    steps: tuple[ReplayStep, ...] = line.steps
    if stretch.first == 1 and stretch.last == len(steps) - 1:
        return msg("bot.film.whole")
    first, last = steps[stretch.first - 1].plays + 1, steps[stretch.last].plays
    return msg("bot.film.one", first=first) if first >= last else msg("bot.film.from", first=first, last=last)
