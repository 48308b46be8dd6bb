"""`/maps`: what a server brought along to be played on. Whoever manages the server adds and removes.

What is sent is checked whole and shown first; it is kept only when its sender says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

import render
from atlases import MOST_BYTES, MOST_ZIPPED, Upload
from bot.answers import instead, private, thinking
from bot.buttons import STYLE
from bot.commands.common import MAX_CHOICES, describe
from bot.components import Call, Press, on
from bot.maps import Found, shown, smallest, takers, value_of
from bot.presenter import MAX_CONTENT, Outgoing, Reader, as_code
from games.engine import registry
from games.engine.game import AnyGame, Json
from games.engine.maps import MapReader
from games.engine.message import Msg, msg
from games.engine.scene import Scene

if TYPE_CHECKING:
    from bot.app import Dominium

MOST_SENT = 16 * 1024 * 1024
"""Bytes of all files together that are fetched at all."""
_LISTED = 10
"""Errors or remarks that are told; the others are counted."""


async def _say(app: Dominium, interaction: discord.Interaction[Any], what: Msg) -> None:
    reader = await app.reader_of(interaction)
    await private(interaction, Outgoing(app.presenter.say(what, reader.language)))


async def _allowed(app: Dominium, interaction: discord.Interaction[Any]) -> int | None:
    """The server, for those who may change its maps; the others hear why not."""
    if interaction.guild_id is None:
        await _say(app, interaction, msg("bot.settings.guild_only"))
        return None
    if not interaction.permissions.manage_guild:
        await _say(app, interaction, msg("bot.settings.manage"))
        return None
    return interaction.guild_id


def _plain(title: str) -> str:
    """A title as it is: no markdown and no mention come of it."""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(title, ignore_links=False))


def _head(title: str, key: str) -> str:
    return f"## {_plain(title)} · `{key}`"


def _lines(app: Dominium, told: Sequence[Msg], reader: Reader) -> list[str]:
    """Messages as a list, at most so many."""
    say, language = app.presenter.say, reader.language
    lines = [f"- {say(each, language)}" for each in told[:_LISTED]]
    if len(told) > _LISTED:
        lines.append(say(msg("maps.more", n=len(told) - _LISTED), language))
    return lines


def _fitting(lines: Sequence[str]) -> str:
    """As many whole lines as a message takes."""
    text = "\n".join(lines)
    while len(text) > MAX_CONTENT:
        text = text[: MAX_CONTENT - 2].rpartition("\n")[0] + "\n…"
    return text


async def _picture(
    app: Dominium, scene: Scene, reader: Reader, name: str
) -> tuple[tuple[str, bytes, str], ...]:
    """The map as one file. Drawn past the studio, which would hold the bytes of what was not kept."""
    speak = app.presenter.speak(reader.language)
    data = await asyncio.to_thread(render.draw, scene, speak, theme=reader.theme)
    return ((f"{name}.png", data, render.alt_text(scene, speak)),)


async def fetch(sent: Sequence[discord.Attachment]) -> list[Upload] | Msg:
    """What was sent, if it is small enough: sizes are looked at before a byte is fetched."""
    for file in sent:
        packed = file.filename.lower().endswith(".zip")
        most = MOST_ZIPPED if packed else MOST_BYTES
        if file.size > most:
            sizes = {"size": f"{file.size / 1024 / 1024:.1f}", "most": str(most // 1024 // 1024)}
            return msg("maps.large", file=as_code(file.filename, 60), **sizes)
    if sum(file.size for file in sent) > MOST_SENT:
        return msg("maps.heavy", most=str(MOST_SENT // 1024 // 1024))
    try:
        return [Upload(file.filename, await file.read()) for file in sent]
    except (discord.HTTPException, OSError):
        return msg("maps.unfetched")


async def preview(
    app: Dominium,
    game: AnyGame,
    taker: MapReader,
    data: str,
    reader: Reader,
    *,
    drawn: tuple[bytes | None, bytes | None] = (None, None),
) -> tuple[list[str], tuple[tuple[str, bytes, str], ...]]:
    """What a map has, in lines, and how it looks. ValueError for a map that can't be played."""
    setup = smallest(game, taker.option, value_of(data))
    if isinstance(setup, Msg):
        raise ValueError(f"a map that can't be played: {setup.key}")
    value: Json = setup.options[taker.option]
    scene = shown(game, setup, *drawn)
    first, *lands = taker.told(data)
    say = app.presenter.say
    lines = [say(first, reader.language), *(f"-# {say(land, reader.language)}" for land in lands)]
    name = taker.key(value)
    if drawn == (None, None):
        return lines, (await app.presenter.picture(scene, reader, f"{name}.png"),)
    return lines, await _picture(app, scene, reader, name)


async def take(
    app: Dominium, interaction: discord.Interaction[Any], game: AnyGame, sent: Sequence[discord.Attachment]
) -> None:
    """Everything behind `/maps add`."""
    if (guild := await _allowed(app, interaction)) is None:
        return
    taker = next(reader for one, reader in takers() if one.key == game.key)
    await thinking(interaction)
    reader = await app.reader_of(interaction)
    say, language = app.presenter.say, reader.language
    files = await fetch(sent)
    loaded = (files,) if isinstance(files, Msg) else await app.maps.read(game, taker, files)
    if isinstance(loaded, tuple):
        head = say(msg("maps.wrong", n=len(loaded)), language)
        await private(interaction, Outgoing(_fitting([head, *_lines(app, loaded, reader)])))
        return
    plan = loaded.plan
    there = {info.key for info in await app.maps.listed(guild, game.key)}
    told, files_shown = await preview(
        app, game, taker, loaded.data, reader, drawn=(loaded.picture, loaded.mask)
    )
    token = app.maps.wait(Found(guild, game.key, interaction.user.id, loaded))
    lines = [_head(plan.title, plan.key), *told[:1]]
    if loaded.notes:
        lines += [say(msg("maps.odd", n=len(loaded.notes)), language), *_lines(app, loaded.notes, reader)]
    ask = msg("maps.replaces", key=plan.key) if plan.key in there else msg("maps.ask")
    lines.append(say(ask, language))
    call = Call("keep_map", "-", 0, token)
    label = say(msg("bot.button.keep_map"), language)
    await private(
        interaction,
        Outgoing(_fitting([*lines, *told[1:]]), files_shown, (Press.make(call, label, STYLE.success),)),
    )


@on("keep_map")
async def keep(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Store the map that is shown above the button."""
    if (guild := await _allowed(app, interaction)) is None:
        return
    reader = await app.reader_of(interaction)
    found = app.maps.waiting(call.arg, guild, interaction.user.id)
    if found is None:
        text = msg("maps.forgotten")
    elif await app.maps.keep(call.arg, app.clock.now()):
        plan, taker = found.loaded.plan, registry.get(found.game).maps()
        option = taker.option if taker is not None else ""
        text = msg("maps.kept", title=_plain(plan.title), order=f"{option}={plan.key}")
    else:
        text = msg("maps.full")
    await instead(interaction, Outgoing(app.presenter.say(text, reader.language)))


async def complete_map(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    """The server's maps."""
    app: Dominium = interaction.client
    wanted = current.casefold().strip()
    found = [
        app_commands.Choice(name=f"{info.key}  ({info.title})"[:100], value=info.key)
        for game, _ in takers()
        for info in await app.maps.listed(interaction.guild_id, game.key)
        if wanted in f"{info.key} {info.title}".casefold()
    ]
    return found[:MAX_CHOICES]


def add(app: Dominium) -> None:
    """`/maps`, if there is a game that takes maps."""
    games = [game for game, _ in takers()]
    if not games:
        return
    group = app_commands.Group(name="maps", description=describe(app, "maps"))

    async def owner(interaction: discord.Interaction[Any], key: str) -> AnyGame | None:
        """The game that has a map of that key; a sentence where none has."""
        for game in games:
            if await app.maps.row(interaction.guild_id, game.key, key) is not None:
                return game
        await _say(app, interaction, msg("maps.unknown", key=as_code(key)))
        return None

    @group.command(name="add", description=describe(app, "maps.add"))
    @app_commands.describe(
        file=describe(app, "maps.file"),
        file2=describe(app, "maps.more"),
        file3=describe(app, "maps.more"),
        file4=describe(app, "maps.more"),
        file5=describe(app, "maps.more"),
    )
    async def add_map(
        interaction: discord.Interaction[Any],
        file: discord.Attachment,
        file2: discord.Attachment | None = None,
        file3: discord.Attachment | None = None,
        file4: discord.Attachment | None = None,
        file5: discord.Attachment | None = None,
    ) -> None:
        sent = [each for each in (file, file2, file3, file4, file5) if each is not None]
        await take(app, interaction, games[0], sent)

    @group.command(name="list", description=describe(app, "maps.list"))
    async def list_maps(interaction: discord.Interaction[Any]) -> None:
        lines = [
            " · ".join(
                (f"- `{info.key}` {_plain(info.title)}", *([f"<@{info.by}>"] if info.by else []), when)
            )
            for game in games
            for info in await app.maps.listed(interaction.guild_id, game.key)
            if (when := discord.utils.format_dt(info.at, "d"))
        ]
        reader = await app.reader_of(interaction)
        none = app.presenter.say(msg("maps.none"), reader.language)
        await private(interaction, Outgoing(_fitting(lines or [none])))

    @group.command(name="show", description=describe(app, "maps.show"))
    @app_commands.describe(key=describe(app, "maps.map"))
    @app_commands.rename(key="map")
    @app_commands.autocomplete(key=complete_map)
    async def show_map(interaction: discord.Interaction[Any], key: str) -> None:
        game = await owner(interaction, key)
        taker = None if game is None else game.maps()
        if game is None or taker is None:
            return
        await thinking(interaction)
        row = await app.maps.row(interaction.guild_id, game.key, key)
        if row is None:
            await _say(app, interaction, msg("maps.gone"))
            return
        reader = await app.reader_of(interaction)
        lines, files = await preview(app, game, taker, row.data, reader)
        await private(interaction, Outgoing(_fitting([_head(row.info.title, row.info.key), *lines]), files))

    @group.command(name="remove", description=describe(app, "maps.remove"))
    @app_commands.describe(key=describe(app, "maps.map"))
    @app_commands.rename(key="map")
    @app_commands.autocomplete(key=complete_map)
    async def remove_map(interaction: discord.Interaction[Any], key: str) -> None:
        if (guild := await _allowed(app, interaction)) is None:
            return
        if (game := await owner(interaction, key)) is not None:
            await app.maps.drop(guild, game.key, key)
            await _say(app, interaction, msg("maps.removed", key=as_code(key)))

    app.tree.add_command(group)
