"""Help: three sentences for the moment in which someone asks, and a menu of topics, each on a short page.

The moment is what is going on in the channel: a lobby, a match in which they are to move, wait or watch, or
nothing. A mention is answered by the sentences and a button, because its answer is public.
"""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import edit_in_place, respond_privately
from bot.actions.match_places import friends_line
from bot.context import Context
from bot.messages.buttons import NO_MATCH, STYLE
from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.front_panel import press
from bot.messages.outgoing import Outgoing, panel
from bot.platform.application import offered_link
from bot.platform.discord_limits import MAX_CHOICE
from bot.platform.permissions import bot_is_there
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.store.rows import MatchRow

TOPICS: Final = (
    "start", "move", "look", "undo", "clock", "pings", "seats", "watch", "after", "server", "account",
)  # fmt: skip
"""The topics in the order of the menu. `help.topic.{topic}` is the title, `help.page.{topic}` the page."""


def help_page(ctx: Context, topic: str, reader: Reader) -> Outgoing:
    """Return the page of a topic, with the menu of all."""
    bare = msg("help.bare") if ctx.config.message_content else msg("help.no_bare")
    games = tuple(msg(f"{game.key}.title") for game in registry.all_games())
    values: dict[str, dict[str, Msg | tuple[Msg, ...]]] = {"start": {"games": games}, "move": {"bare": bare}}
    text = reader.say(msg(f"help.page.{topic}", **values.get(topic, {})))
    title = reader.say(msg(f"help.topic.{topic}"))
    if topic == "account" and (link := offered_link(ctx.discord.client.application)) is not None:
        text += "\n" + reader.say(msg("help.install", link=link))
    return panel(f"**{title}**\n{text}", reader, (), (_menu(reader, topic),), links=help_links(ctx, reader))


def find_topic(asked: str, reader: Reader) -> str | None:
    """Return the topic that a question is about, by the words that people use for it; None for no topic."""
    text = f" {folded(asked).strip('/?!. ')} "

    def hits(topic: str) -> int:
        words = reader.say(msg(f"help.words.{topic}")).split(",")
        found = {word for word in map(str.strip, (*words, topic)) if word and f" {word} " in text}
        return sum(len(word.split()) for word in found)  # "take back" counts for more than "move"

    best = max(TOPICS, key=hits)
    return best if hits(best) else None


def help_links(ctx: Context, reader: Reader) -> tuple[discord.ui.Button[Any], ...]:
    """Return buttons to support, privacy policy and terms, as far as the operator has set them."""
    config = ctx.config
    links = {"support": config.support_link, "privacy": config.privacy_link, "terms": config.terms_link}
    return tuple(
        discord.ui.Button(label=reader.say(msg(f"help.{name}")), url=link)
        for name, link in links.items()
        if link
    )


def help_answer(reader: Reader) -> Outgoing:
    """Return the public answer to a mention that asks for help: three sentences, and a button to all else."""
    items = (
        press("help", "bot.button.help", reader, STYLE.primary),
        press("front_solo", "front.button.solo", reader),
    )
    return Outgoing(reader.say(msg("help.now.mention")), (), items)


async def direct_help(ctx: Context, user: int, reader: Reader) -> Outgoing:
    """Return the help panel for direct messages: an ordinary message, since it notifies its reader."""
    mine = await ctx.service.queries.mine(user)
    text, items = await _moment(ctx, mine[0].row if len(mine) == 1 else None, user, reader)
    return Outgoing(text, (), (_menu(reader), *items), links=help_links(ctx, reader))


async def help_panel(ctx: Context, interaction: discord.Interaction[Any]) -> Outgoing:
    """Return the help panel for the person and the place of an interaction."""
    reader = await ctx.readers.of(interaction)
    row = await _match_here(ctx, interaction.channel_id or 0, interaction.user.id)
    if not bot_is_there(interaction):
        text, items = reader.say(msg("help.now.elsewhere")) + friends_line(ctx, reader), _front(reader)
    elif row is None and interaction.guild_id is not None and interaction.permissions.manage_guild:
        text, items = reader.say(msg("help.now.server")), _front(reader)
    else:
        text, items = await _moment(ctx, row, interaction.user.id, reader)
    link = None if interaction.is_user_integration() else offered_link(ctx.discord.client.application)
    if link is not None and bot_is_there(interaction):
        text += "\n-# " + reader.say(msg("help.install", link=link))
    return panel(text, reader, (), (_menu(reader), *items), links=help_links(ctx, reader))


async def _match_here(ctx: Context, channel: int, user: int) -> MatchRow | None:
    """Return the match of a channel: the person's own first, then a lobby, then the one that is over."""
    rows = await ctx.service.queries.live_in(channel)
    rows = rows or await ctx.store.by_place(channel, ("lobby",))
    if not rows:
        over = await ctx.store.by_place(channel, ("over",))
        rows = tuple(row for row in over[:1] if row.place.thread == channel)
    mine = (row for row in rows if ctx.service.queries.seat_of(row, user) is not None)
    return next(mine, rows[0] if rows else None)


async def _moment(
    ctx: Context, row: MatchRow | None, user: int, reader: Reader
) -> tuple[str, tuple[CallButton, ...]]:
    """Return what to do now, and the buttons to do it."""
    if row is None:
        return reader.say(msg("help.now.start")), _front(reader)
    if row.status == "lobby":
        return reader.say(msg("help.now.lobby", match=row.id)), ()
    seat, match = ctx.service.queries.seat_of(row, user), await ctx.service.queries.at(row.id, row.version)
    moves, more = (
        CallButton.make(Call(verb, row.id, match.seq), reader.say(msg(f"bot.button.{verb}")), style)
        for verb, style in (("moves", STYLE.primary), ("match_more", STYLE.secondary))
    )
    if match.ending is None and seat in match.to_act:
        example = (*await ctx.service.queries.legal(row.id, user, "", limit=1), "?")[0]
        return reader.say(msg("help.now.turn", match=row.id, example=example)), (moves, more)
    key = "over" if match.ending is not None else "watching" if seat is None else "waiting"
    return reader.say(msg(f"help.now.{key}", match=row.id)), (more,)


def _front(reader: Reader) -> tuple[CallButton, ...]:
    return (
        press("front_play", "front.button.play", reader, STYLE.primary),
        press("front_solo", "front.button.solo", reader, STYLE.primary),
    )


def _menu(reader: Reader, chosen: str = "") -> CallMenu:
    """Return the menu of the topics."""
    listed = [
        discord.SelectOption(
            label=reader.say(msg(f"help.topic.{topic}"))[:MAX_CHOICE], value=topic, default=topic == chosen
        )
        for topic in TOPICS
    ]
    return CallMenu.make(Call("help_topic", NO_MATCH, 0), listed, reader.say(msg("help.pick")))


@on("help")
async def show_help(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the help panel to the person who presses."""
    await respond_with_help(ctx, interaction)


async def respond_with_help(ctx: Context, interaction: discord.Interaction[Any], about: str = "") -> None:
    """Answer `/help` and its button; `about` is what the person wants to know, in their own words."""
    reader = await ctx.readers.of(interaction)
    topic = find_topic(about, reader) if about.strip() else None
    panel = await help_panel(ctx, interaction) if topic is None else help_page(ctx, topic, reader)
    await respond_privately(interaction, panel)


@on("help_topic", value="[a-z]+")
async def show_topic(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the page of a topic in place of the panel, or beside it where others read it too."""
    topic = call.values[0] if call.values[0] in TOPICS else TOPICS[0]
    page = help_page(ctx, topic, await ctx.readers.of(interaction))
    shown = interaction.message
    if shown is not None and (shown.flags.ephemeral or interaction.guild_id is None):
        await edit_in_place(interaction, page)
    else:
        await respond_privately(interaction, page)
