"""Profiles: a person's ratings, results and reliability, and why their latest matches changed them."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.actions.interaction_responses import respond_privately
from bot.context import Context
from bot.messages.outgoing import MAX_CONTENT, File, Outgoing, panel
from bot.messages.quoting import escaped_name
from bot.messages.standing import Profile, profile_text, rating_chart, reason_lines, shown_ladder
from bot.platform.readers import Reader
from games.engine.message import Msg, msg
from matches.store.standing_store import PRIVATE

EXPLAINED: Final = 8
"""Number of matches whose changes are explained."""
CHARTED: Final = 200
"""Maximum number of matches in a chart."""
_LEAST: Final = 2
"""A chart has more ratings than that: one match makes no curve."""


async def show_profile(
    ctx: Context, interaction: discord.Interaction[Any], who: discord.User | discord.Member | None
) -> None:
    """Answer with one's own profile, or that of someone in the same server who isn't private."""
    reader = await ctx.readers.of(interaction)
    person = who or interaction.user
    own = person.id == interaction.user.id
    private = (await ctx.preferences.get("user", person.id)).get("standing") == PRIVATE["standing"]
    if not own and (why := _why_not(person, private=private)) is not None:
        await respond_privately(interaction, Outgoing(reader.say(why)))
        return
    profile = Profile(
        name=person.display_name,
        ratings=await ctx.store.ratings_of(person.id),
        records=await ctx.store.game_records(person.id),
        reliability=await ctx.store.reliability(person.id),
        guild=interaction.guild_id,
        own=own,
        private=private,
    )
    files = await _chart(ctx, profile, person.id, reader)
    await respond_privately(interaction, panel(profile_text(profile, reader)[:MAX_CONTENT], reader, files))


async def _chart(ctx: Context, profile: Profile, user: int, reader: Reader) -> tuple[File, ...]:
    """Return the chart of the rating of which most is known; none before the second match that counts."""
    if (ladder := shown_ladder(profile)) is None:
        return ()
    history = await ctx.store.rating_history(ladder, user, CHARTED)
    if len(history) <= _LEAST:
        return ()
    chart, alt = rating_chart(ladder, history, reader)
    return (("rating.png", await ctx.presenter.pictures.rating_chart(chart, reader), alt),)


def _why_not(person: discord.User | discord.Member, *, private: bool) -> Msg | None:
    """Return why someone's profile isn't shown to another person; None if it is."""
    if person.bot:
        return msg("bot.profile.bot")
    if not isinstance(person, discord.Member):
        return msg("bot.profile.elsewhere")
    return msg("bot.profile.hidden", name=escaped_name(person.display_name)) if private else None


async def explain_changes(ctx: Context, interaction: discord.Interaction[Any]) -> None:
    """Answer with the latest matches of the person who asks, and why each changed their ratings as it did."""
    reader, user = await ctx.readers.of(interaction), interaction.user.id
    lines = [reader.say(msg("bot.why.head"))]
    for match in await ctx.store.latest_results(user, EXPLAINED):
        row, found = await ctx.service.queries.row(match), await ctx.store.match_result(match)
        if row is not None and found is not None:
            lines.append(reason_lines(row, *found, user, reader))
    if len(lines) == 1:
        lines = [reader.say(msg("bot.why.none"))]
    while len("\n".join(lines)) > MAX_CONTENT:
        lines.pop()
    await respond_privately(interaction, Outgoing("\n".join(lines)))
