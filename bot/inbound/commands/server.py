"""`/server settings`, and `/server panel`, which puts the front page into a channel where it stays current.

Values that aren't given stay unchanged.
"""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands

import render
from bot.actions.interaction_responses import respond_privately
from bot.actions.lobby.opening import SETTING, clock_option, default_clock
from bot.actions.people.moderation import moderation_lines, moderation_settings
from bot.actions.watching.showcases import set_showcase, showcase_lines, why_no_showcase
from bot.context import Context
from bot.inbound.commands.common import (
    AnyChannel,
    ChannelOption,
    Menu,
    command,
    complete_clock,
)
from bot.messages.lobby_clock import example_words
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, msg
from matches.clocks.control import to_json
from matches.clocks.words import clock_words
from matches.store.servers import ShowcaseKind

_MOST_CHANNELS = 50
_IDLE_DAYS = (14, 30, 60, 90, 180)
"""After how many days without a move the people of a match can be asked whether to go on."""
_CHANNELS = ChannelOption(
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
_SHOWCASES = ChannelOption(discord.ChannelType.text, discord.ChannelType.news)


def _idle_choices(ctx: Context) -> list[app_commands.Choice[int]]:
    say = ctx.readers.default.say
    days = [app_commands.Choice(name=say(msg("bot.settings.days", n=n)), value=n) for n in _IDLE_DAYS]
    return [app_commands.Choice(name=say(msg("bot.settings.off")), value=0), *days]


def settings_text(ctx: Context, made: dict[str, Any], keys: tuple[str, ...], reader: Reader) -> str:
    """Return the settings, one on a line."""
    say = reader.say
    usual = {
        "theme": ctx.config.theme,
        "language": reader.language,
        "place": "thread",
        "corrections": "remove",
        "archive": "on",
        "idle": "off",
        "rated": "friendly",
    }
    lines = []
    for key in keys:
        value = made.get(key)
        if key == "channels":
            text = " ".join(f"<#{channel}>" for channel in value or []) or say(msg("bot.settings.everywhere"))
        elif key == SETTING:
            clock = default_clock(made)
            examples = [] if clock is None else example_words(clock, ctx.clock.now())
            text = "\n-# ".join(map(say, (clock_words(clock), *examples)))
        else:
            text = f"`{value or usual[key]}`"
        lines.append(f"{say(msg(f'bot.settings.{key}'))}: {text}")
    return "\n".join(lines)


def add(menu: Menu, ctx: Context) -> None:
    """Add the commands of this file to the menu."""
    themes = [app_commands.Choice(name=theme, value=theme) for theme in render.THEMES]
    languages = [app_commands.Choice(name=code, value=code) for code in ctx.readers.catalogue.languages]

    @command(menu.server, ctx, "settings.server", name="settings", clock=complete_clock)
    @app_commands.choices(theme=themes, language=languages)
    @app_commands.choices(idle=_idle_choices(ctx))
    async def server(
        interaction: discord.Interaction[Any],
        place: Literal["thread", "channel"] | None = None,
        theme: str | None = None,
        language: str | None = None,
        corrections: Literal["remove", "keep"] | None = None,
        archive: Literal["on", "off"] | None = None,
        idle: int | None = None,
        clock: str = "",
        counts: Literal["rated", "friendly"] | None = None,
        allow: app_commands.Transform[AnyChannel, _CHANNELS] | None = None,
        forbid: app_commands.Transform[AnyChannel, _CHANNELS] | None = None,
        showcase: app_commands.Transform[AnyChannel, _SHOWCASES] | None = None,
        showcase_off: Literal["yes"] | None = None,
        daily_puzzle: app_commands.Transform[AnyChannel, _SHOWCASES] | None = None,
        daily_puzzle_off: Literal["yes"] | None = None,
        moderators: discord.Role | None = None,
        no_moderators: discord.Role | None = None,
        log: app_commands.Transform[AnyChannel, _SHOWCASES] | None = None,
        log_off: Literal["yes"] | None = None,
    ) -> None:
        reader = await ctx.readers.of(interaction)
        guild = interaction.guild_id
        if guild is None:
            text = reader.say(msg("bot.settings.guild_only"))
            await respond_privately(interaction, Outgoing(text))
            return
        for chosen in (showcase, daily_puzzle, log):
            if chosen is not None and (why := why_no_showcase(interaction, chosen)) is not None:
                await respond_privately(interaction, Outgoing(reader.say(why)))
                return
        made = await ctx.preferences.get("guild", guild)
        agreed = await clock_option(ctx, clock, made)
        if isinstance(agreed, Msg):
            await respond_privately(interaction, Outgoing(reader.say(agreed)))
            return
        if clock.strip():
            made[SETTING] = None if agreed is None else to_json(agreed)
        given = {
            "place": place,
            "theme": theme,
            "language": language,
            "corrections": corrections,
            "archive": archive,
            "idle": idle,
            "rated": counts,
        }
        changed = {key: value for key, value in given.items() if value is not None}
        channels = [int(channel) for channel in made.get("channels", [])]
        if allow is not None and allow.id not in channels:
            channels.append(allow.id)
        if forbid is not None and forbid.id in channels:
            channels.remove(forbid.id)
        made.update(changed)
        made["channels"] = channels[:_MOST_CHANNELS]
        made |= moderation_settings(made, moderators, no_moderators, log, off=log_off is not None)
        await ctx.preferences.save("guild", guild, made)
        shown = ("place", "theme", "language", "corrections", "archive", "idle", SETTING, "rated", "channels")
        changes: list[Msg] = []
        kept: tuple[tuple[ShowcaseKind, AnyChannel | None, str | None], ...] = (
            ("matches", showcase, showcase_off),
            ("puzzle", daily_puzzle, daily_puzzle_off),
        )
        for kind, at, off in kept:
            where = None if at is None else at.id
            changes += await set_showcase(ctx, interaction, guild, where, off=off is not None, kind=kind)
        lines = [settings_text(ctx, made, shown, reader), *await showcase_lines(ctx, guild, reader)]
        lines += moderation_lines(made, reader)
        lines += [reader.say(change) for change in changes]
        await respond_privately(interaction, Outgoing("\n".join(lines)))

    @command(menu.server, ctx, "panel")
    async def panel(
        interaction: discord.Interaction[Any],
        channel: app_commands.Transform[AnyChannel, _SHOWCASES] | None = None,
        remove: Literal["yes"] | None = None,
    ) -> None:
        reader = await ctx.readers.of(interaction)
        result = await _put(ctx, interaction, channel, remove=remove is not None)
        await respond_privately(interaction, Outgoing(reader.say(result)))


async def _put(
    ctx: Context, interaction: discord.Interaction[Any], chosen: AnyChannel | None, *, remove: bool
) -> Msg:
    """Put the panel into a channel, or take it away; return what to say."""
    guild = interaction.guild_id
    if guild is None:
        return msg("bot.settings.guild_only")
    where = interaction.channel_id if chosen is None else chosen.id
    if not remove and (why := why_no_showcase(interaction, chosen)) is not None:
        return why
    answer = await set_showcase(ctx, interaction, guild, None if remove else where, off=remove, kind="panel")
    return answer[0] if answer else msg("front.panel.none")
