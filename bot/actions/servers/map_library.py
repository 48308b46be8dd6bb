"""Receive the maps that a server uploads: check the files, show a preview, store them on request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from atlases import MAX_BYTES, MAX_ZIPPED, Upload
from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.context import Context
from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton
from bot.messages.names import as_code, escaped_text
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import numbers_file
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from bot.platform.server_maps import (
    PendingMap,
    map_games,
    map_scene,
    map_value,
    smallest_setup,
    undrawn_names,
)
from games.engine import registry
from games.engine.game import AnyGame, Json, spell
from games.engine.maps import PLAIN_DECK, MapReader
from games.engine.message import Msg, msg

MAX_UPLOAD_BYTES = 16 * 1024 * 1024
"""Maximum size of all files of a map together, in bytes."""
_MAX_LISTED = 10
"""Maximum number of errors or remarks that are listed; the others are counted."""


async def respond_with(ctx: Context, interaction: discord.Interaction[Any], what: Msg) -> None:
    """Send one sentence that only the person who asked can see."""
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, Outgoing(reader.say(what)))


async def server_of(ctx: Context, interaction: discord.Interaction[Any]) -> int | None:
    """Return the id of the server whose maps are changed; outside servers say so and return None."""
    if interaction.guild_id is None:
        await respond_with(ctx, interaction, msg("bot.settings.guild_only"))
    return interaction.guild_id


def map_heading(title: str, key: str) -> str:
    """Return the first line about a map."""
    return f"## {escaped_text(title)} · `{key}`"


def _bullets(messages: Sequence[Msg], reader: Reader) -> list[str]:
    """Return messages as list items; those beyond `_MAX_LISTED` are only counted."""
    say = reader.say
    lines = [f"- {say(each)}" for each in messages[:_MAX_LISTED]]
    if len(messages) > _MAX_LISTED:
        lines.append(say(msg("maps.more", n=len(messages) - _MAX_LISTED)))
    return lines


def cut_to_fit(lines: Sequence[str]) -> str:
    """Return as many whole lines as fit into a message."""
    text = "\n".join(lines)
    while len(text) > MAX_CONTENT:
        text = text[: MAX_CONTENT - 2].rpartition("\n")[0] + "\n…"
    return text


async def fetch(sent: Sequence[discord.Attachment]) -> list[Upload] | Msg:
    """Download the attachments, or return why not. Their sizes are checked first."""
    for file in sent:
        packed = file.filename.lower().endswith(".zip")
        most = MAX_ZIPPED if packed else MAX_BYTES
        if file.size > most:
            sizes = {"size": f"{file.size / 1024 / 1024:.1f}", "most": str(most // 1024 // 1024)}
            return msg("maps.large", file=as_code(file.filename, 60), **sizes)
    if sum(file.size for file in sent) > MAX_UPLOAD_BYTES:
        return msg("maps.heavy", most=str(MAX_UPLOAD_BYTES // 1024 // 1024))
    try:
        return [Upload(file.filename, await file.read()) for file in sent]
    except (discord.HTTPException, OSError):
        return msg("maps.unfetched")


async def preview(
    ctx: Context,
    game: AnyGame,
    map_reader: MapReader,
    value: Json,
    reader: Reader,
    *,
    drawn: tuple[bytes | None, bytes | None] = (None, None),
) -> tuple[list[str], tuple[tuple[str, bytes, str], ...]]:
    """Return a map's description in lines, and its picture. Raises ValueError if it can't be played."""
    setup = smallest_setup(game, map_reader.option, value)
    if isinstance(setup, Msg):
        raise ValueError(f"a map that can't be played: {setup.key}")
    scene = map_scene(game, setup, *drawn)
    first, *lands = map_reader.describe(value)
    say = reader.say
    lines = [say(first), *map(say, undrawn_names(scene, say)), *(f"-# {say(land)}" for land in lands)]
    name, numbers = map_reader.key(value) or spell(value), numbers_file(scene, reader)
    if drawn == (None, None):
        return lines, (await ctx.presenter.pictures.file(scene, reader, f"{name}.png"), *numbers)
    return lines, (await ctx.presenter.pictures.uncached_file(scene, reader, f"{name}.png"), *numbers)


async def receive_map(
    ctx: Context,
    interaction: discord.Interaction[Any],
    game: AnyGame,
    sent: Sequence[discord.Attachment],
    deck: str = "",
) -> None:
    """Carry out `/server add-map`: check the files and show a preview with a button to store the map.

    `deck` as in `MapReader.read`. A map that only lacks a deck is refused with a button to use the plain one.
    """
    if (guild := await server_of(ctx, interaction)) is None:
        return
    map_reader = next(reader for one, reader in map_games() if one.key == game.key)
    await defer(interaction)
    reader = await ctx.readers.of(interaction)
    files = await fetch(sent)
    loaded = (files,) if isinstance(files, Msg) else await ctx.maps.read(game, map_reader, files, deck)
    if isinstance(loaded, tuple):
        lines = [reader.say(msg("maps.wrong", n=len(loaded))), *_bullets(loaded, reader)]
        buttons: tuple[CallButton, ...] = ()
        plain = (
            loaded
            if isinstance(files, Msg) or deck == PLAIN_DECK
            else await ctx.maps.read(game, map_reader, files, PLAIN_DECK)
        )
        if not isinstance(plain, tuple):
            token = ctx.maps.hold(PendingMap(guild, game.key, interaction.user.id, plain))
            lines.append(reader.say(msg("maps.plain")))
            label = reader.say(msg("bot.button.plain_deck"))
            buttons = (CallButton.make(Call("plain_deck", "-", 0, token), label, STYLE.primary),)
        await respond_privately(interaction, Outgoing(cut_to_fit(lines), items=buttons))
        return
    token = ctx.maps.hold(found := PendingMap(guild, game.key, interaction.user.id, loaded))
    await respond_privately(interaction, await _offer(ctx, found, token, reader))


async def _offer(ctx: Context, found: PendingMap, token: str, reader: Reader) -> Outgoing:
    """Return a pending map's preview with its oddities and a button to store it."""
    game, loaded, say = registry.get(found.game), found.loaded, reader.say
    plan, map_reader = loaded.parsed, next(reader for one, reader in map_games() if one.key == found.game)
    there = {info.key for info in await ctx.maps.listed(found.guild, found.game)}
    page, files_shown = await preview(
        ctx, game, map_reader, map_value(loaded.data), reader, drawn=(loaded.picture, loaded.mask)
    )
    lines = [map_heading(plan.title, plan.key), *page[:1]]
    if loaded.notes:
        lines += [say(msg("maps.odd", n=len(loaded.notes))), *_bullets(loaded.notes, reader)]
    ask = msg("maps.replaces", key=plan.key) if plan.key in there else msg("maps.ask")
    lines.append(say(ask))
    call = Call("keep_map", "-", 0, token)
    label = say(msg("bot.button.keep_map"))
    return Outgoing(
        cut_to_fit([*lines, *page[1:]]), files_shown, (CallButton.make(call, label, STYLE.success),)
    )


@on("plain_deck")
async def use_plain_deck(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the preview of a map that was refused, with the plain deck."""
    if (guild := await server_of(ctx, interaction)) is None:
        return
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    found = ctx.maps.pending(call.arg, guild, interaction.user.id)
    forgotten = Outgoing(reader.say(msg("maps.forgotten")))
    await edit_in_place(interaction, await _offer(ctx, found, call.arg, reader) if found else forgotten)


@on("keep_map")
async def keep_map(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Store the map shown in the preview."""
    if (guild := await server_of(ctx, interaction)) is None:
        return
    reader = await ctx.readers.of(interaction)
    found = ctx.maps.pending(call.arg, guild, interaction.user.id)
    if found is None:
        text = msg("maps.forgotten")
    elif await ctx.maps.keep(call.arg, ctx.clock.now()):
        plan, map_reader = found.loaded.parsed, registry.get(found.game).maps()
        option = map_reader.option if map_reader is not None else ""
        text = msg("maps.kept", title=escaped_text(plan.title), order=f"{option}={plan.key}")
    else:
        text = msg("maps.full")
    await edit_in_place(interaction, Outgoing(reader.say(text)))
