"""Show the story of a finished match: its turning points in sentences, and a chart of what counts in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.match_access import load_match
from bot.context import Context
from bot.messages.components import Call, CallButton
from bot.messages.names import seat_names
from bot.messages.outgoing import File, Outgoing
from bot.messages.scenes import scene_for
from bot.messages.story import chart_alt, material_chart, story_text
from bot.outbound.overviews import MAX_FIRST, visible_length
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.store.rows import MatchRow

_WHOLE: Final = "all"


@on("story")
async def story_pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Answer the button under a final board."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await show_story(ctx, interaction, *loaded, whole=call.arg == _WHOLE)


async def show_story(
    ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, reader: Reader, *, whole: bool = False
) -> None:
    """Show the story of a match to the person who asks, or say why there is none."""
    await respond_privately(interaction, await story_message(ctx, row, reader, whole=whole))


async def story_message(ctx: Context, row: MatchRow, reader: Reader, *, whole: bool = False) -> Outgoing:
    """Return the story of a match with its chart, or why there is none.

    A long one is the result and the most important turning points, with a button for the whole.
    """
    analysis = await ctx.service.analyses.kept(row) if row.status == "over" else None
    story = await ctx.service.stories.of(row, analysis)
    if story is None:
        return Outgoing(reader.say(_refusal(row)))
    names = seat_names(row, reader)

    def say(message: Msg) -> str:
        return reader.say(message, names)

    small = f"-# `{row.id}`"
    items: tuple[CallButton, ...] = ()
    text = f"{story_text(story, say, MAX_CONTENT - len(small) - 1)}\n{small}"
    if not whole and visible_length(text) > MAX_FIRST:
        short = replace(story, notes=())
        text = f"{story_text(short, say, MAX_FIRST - len(small) - 1)}\n{small}"
        call = Call("story", row.id, row.version, _WHOLE)
        items = (CallButton.make(call, say(msg("story.whole"))),)
    match = await ctx.service.queries.at(row.id, row.version)
    chart = material_chart(match.game, story, scene_for(match, None))
    if chart is None:
        return Outgoing(text, (), items)
    alt = say(chart_alt(match.game, story))
    picture: File = (f"{row.id}-story.png", await ctx.presenter.pictures.chart(chart, reader), alt)
    return Outgoing(text, (picture,), items)


def _refusal(row: MatchRow) -> Msg:
    if row.ended_by_moderator:
        return msg("bot.moderation.sealed", match=row.id)
    if row.set_aside:
        return msg("story.refuse.aside", match=row.id)
    if row.status == "live":
        return msg("story.refuse.live", match=row.id)
    return msg("story.refuse.empty" if row.status == "over" else "story.refuse.none", match=row.id)
