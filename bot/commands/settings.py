"""`/settings`: a person's own view, and a server's ways. A value that was not named stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import discord
from discord import app_commands

import render
from bot.answers import private
from bot.commands.common import describe
from bot.presenter import Outgoing, Reader
from games.engine.message import msg

if TYPE_CHECKING:
    from bot.app import Dominium

_MOST_CHANNELS = 50


def shown(app: Dominium, made: dict[str, Any], keys: tuple[str, ...], reader: Reader) -> str:
    """The settings as lines."""
    say, language = app.presenter.say, reader.language
    usual = {"theme": app.config.theme, "board": "picture", "language": language, "place": "thread"}
    lines = []
    for key in keys:
        value = made.get(key)
        if key == "channels":
            text = " ".join(f"<#{channel}>" for channel in value or []) or say(
                msg("bot.settings.everywhere"), language
            )
        else:
            text = f"`{value}`" if value else say(msg("bot.settings.default", value=usual[key]), language)
        lines.append(f"{say(msg(f'bot.settings.{key}'), language)}: {text}")
    return "\n".join(lines)


def add(app: Dominium) -> None:
    """`/settings me` and `/settings server`."""
    themes = [app_commands.Choice(name=theme, value=theme) for theme in render.THEMES]
    languages = [app_commands.Choice(name=code, value=code) for code in app.catalogue.languages]
    group = app_commands.Group(name="settings", description=describe(app, "settings"))

    @group.command(name="me", description=describe(app, "settings.me"))
    @app_commands.describe(
        theme=describe(app, "settings.theme"),
        board=describe(app, "settings.board"),
        language=describe(app, "settings.language"),
    )
    @app_commands.choices(theme=themes, language=languages)
    async def me(
        interaction: discord.Interaction[Any],
        theme: str | None = None,
        board: Literal["picture", "text"] | None = None,
        language: str | None = None,
    ) -> None:
        user = interaction.user.id
        made = await app.preferences.get("user", user)
        wished = {"theme": theme, "board": board, "language": language}
        made.update({key: value for key, value in wished.items() if value is not None})
        await app.preferences.save("user", user, made)
        reader = await app.reader_of(interaction)
        await private(interaction, Outgoing(shown(app, made, ("theme", "board", "language"), reader)))

    @group.command(name="server", description=describe(app, "settings.server"))
    @app_commands.describe(
        place=describe(app, "settings.place"),
        theme=describe(app, "settings.theme"),
        language=describe(app, "settings.language"),
        allow=describe(app, "settings.allow"),
        forbid=describe(app, "settings.forbid"),
    )
    @app_commands.choices(theme=themes, language=languages)
    async def server(
        interaction: discord.Interaction[Any],
        place: Literal["thread", "channel"] | None = None,
        theme: str | None = None,
        language: str | None = None,
        allow: discord.TextChannel | None = None,
        forbid: discord.TextChannel | None = None,
    ) -> None:
        reader = await app.reader_of(interaction)
        guild = interaction.guild_id
        if guild is None:
            text = app.presenter.say(msg("bot.settings.guild_only"), reader.language)
            await private(interaction, Outgoing(text))
            return
        made = await app.preferences.get("guild", guild)
        wished = {"place": place, "theme": theme, "language": language}
        changed = {key: value for key, value in wished.items() if value is not None}
        if (changed or allow or forbid) and not interaction.permissions.manage_guild:
            text = app.presenter.say(msg("bot.settings.manage"), reader.language)
            await private(interaction, Outgoing(text))
            return
        channels = [int(channel) for channel in made.get("channels", [])]
        if allow is not None and allow.id not in channels:
            channels.append(allow.id)
        if forbid is not None and forbid.id in channels:
            channels.remove(forbid.id)
        made.update(changed)
        made["channels"] = channels[:_MOST_CHANNELS]
        await app.preferences.save("guild", guild, made)
        text = shown(app, made, ("place", "theme", "language", "channels"), reader)
        await private(interaction, Outgoing(text))

    app.tree.add_command(group)
