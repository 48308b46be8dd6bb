"""`/play`: open a lobby, invite friends, or ask for a rematch in the thread of a finished match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands

from bot.actions.elsewhere import respond_opened_elsewhere
from bot.actions.interaction_responses import defer, respond_privately
from bot.actions.lobby.lobby_panel import direct_channel, person, respond_opened, why_no_guest
from bot.actions.match_places import lobby_place
from bot.context import Context
from bot.inbound.commands.clock_option import clock_option, complete_clock
from bot.inbound.commands.common import AnyChannel, ChannelOption, Choices, command, game_choices
from bot.messages.outgoing import Outgoing
from bot.messages.quoting import as_code
from bot.platform.permissions import bot_is_there
from games.engine import registry
from games.engine.game import Json, spell
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.results import Lobby, Refused
from matches.store.rows import Place


def words_of(text: str) -> list[str]:
    """Return the words typed for options."""
    return folded(text).replace(",", " ").split()


def read_options(game: str, text: str, maps: Mapping[str, Json]) -> dict[str, Json] | Msg:
    """Read options typed as words, such as `fast`, `fast=yes` or `map=pond`; name a word that isn't one.

    `maps` has the server's maps that the text names, by their keys.
    """
    known = {option.key: option for option in registry.get(game).options}
    chosen: dict[str, Json] = {}
    map_reader = registry.get(game).maps()
    for part in words_of(text):
        key, _, wanted = part.partition("=")
        option = known.get(key)
        if option is None:
            return msg("bot.play.option", option=as_code(part), options=tuple(known) or ("–",))
        usual = {"yes": "true", "on": "true", "no": "false", "off": "false", "": "true"}.get(wanted, wanted)
        value = next((choice for choice in option.choices if spell(choice) == usual), None)
        if value is None and map_reader is not None and map_reader.option == key:
            value = maps.get(wanted)
        if value is None:
            return msg("bot.play.choice", option=key, choices=tuple(spell(c) for c in option.choices))
        chosen[key] = value
    return chosen


async def complete_options(ctx: Context, interaction: discord.Interaction[Any], current: str) -> Choices:
    """Suggest options to add to the typed ones."""
    try:
        game = registry.get(str(interaction.namespace.game))
    except KeyError:
        return []
    done = folded(current).split()
    if done and not current.endswith(" "):
        done.pop()
    map_reader = game.maps()
    found = []
    for option in game.options:
        if option.key in done:
            continue
        text = " ".join([*done, option.key])
        name = ctx.readers.default.say(msg(f"{game.key}.option.{option.key}"))
        found.append(app_commands.Choice(name=f"{text}  ({name})"[:100], value=text[:100]))
        if map_reader is not None and map_reader.option == option.key:
            for info in await ctx.maps.listed(interaction.guild_id, game.key):
                text = " ".join([*done, f"{option.key}={info.key}"])
                found.append(app_commands.Choice(name=f"{text}  ({info.title})"[:100], value=text[:100]))
    return found[:25]


async def open_lobby(
    ctx: Context,
    interaction: discord.Interaction[Any],
    game: str,
    players: int | None,
    invited: list[discord.User | discord.Member],
    options: str,
    chosen_channel: AnyChannel | None = None,
    clock: str = "",
) -> None:
    """Carry out `/play`: check the channel and the options, then open a lobby or a rematch."""
    reader = await ctx.readers.of(interaction)

    async def respond(what: Msg) -> None:
        await respond_privately(interaction, Outgoing(reader.say(what)))

    if not bot_is_there(interaction):
        await open_direct_lobby(ctx, interaction, game, players, invited, options, clock)
        return
    made = await ctx.preferences.get("guild", interaction.guild_id) if interaction.guild_id else {}
    if (why := why_no_guest(invited)) is not None:
        await respond(why)
        return
    found = await lobby_place(ctx, interaction, game, made, chosen_channel)
    if isinstance(found, Msg):
        await respond(found)
        return
    at, use_thread = found.at, found.use_thread
    over = await ctx.store.by_place(at.channel, ("over", "aborted"))
    maps = await ctx.maps.named(interaction.guild_id, game, words_of(options))
    chosen = read_options(game, options, maps)
    if isinstance(chosen, Msg):
        await respond(chosen)
        return
    agreed = await clock_option(ctx, clock, made)
    if isinstance(agreed, Msg):
        await respond(agreed)
        return
    await defer(interaction)
    request = f"i{interaction.id}"
    result: Lobby | Refused
    note, kept = msg("bot.lobby.chat") if at.kind == "chat" else None, msg("bot.lobby_clock.kept")
    again = at.kind == "thread" and over and over[0].place.thread == at.channel and over[0].game == game
    if again and ctx.service.queries.seat_of(over[0], interaction.user.id) is not None:
        place = Place(interaction.guild_id, over[0].place.channel)
        result = await ctx.service.lobbies.rematch(
            over[0].id, person(interaction.user), request=request, place=place
        )
        if isinstance(result, Lobby) and clock.strip():
            changed = await ctx.service.lobbies.set_clock(
                result.row.id, interaction.user.id, agreed, request=f"{request}:clock"
            )
            note, result = (kept, result) if isinstance(changed, Refused) else (note, changed)
    else:
        result = await ctx.service.lobbies.create(
            person(interaction.user),
            Place(interaction.guild_id, at.channel),
            game,
            request=request,
            seats=players,
            options=chosen,
            invited=[person(friend) for friend in invited],
            use_thread=use_thread,
            clock=agreed,
        )
    if isinstance(result, Refused):
        await respond(result.why)
        return
    await respond_opened(ctx, interaction, result.row, note)


async def open_direct_lobby(
    ctx: Context,
    interaction: discord.Interaction[Any],
    game: str,
    players: int | None,
    invited: list[discord.User | discord.Member],
    options: str,
    clock: str = "",
) -> None:
    """Carry out `/play` where the bot isn't: open the lobby in direct messages with the person."""
    reader = await ctx.readers.of(interaction)
    say = reader.say
    chosen = why_no_guest(invited) or read_options(game, options, {})
    if isinstance(chosen, Msg):
        await respond_privately(interaction, Outgoing(say(chosen)))
        return
    agreed = await clock_option(ctx, clock, {})
    if isinstance(agreed, Msg):
        await respond_privately(interaction, Outgoing(say(agreed)))
        return
    await defer(interaction)
    if (channel := await direct_channel(interaction.user)) is None:
        await respond_privately(interaction, Outgoing(say(msg("bot.elsewhere.closed"))))
        return
    result = await ctx.service.lobbies.create(
        person(interaction.user),
        Place(None, channel),
        game,
        request=f"i{interaction.id}",
        seats=players,
        options=chosen,
        invited=[person(friend) for friend in invited],
        clock=agreed,
    )
    if isinstance(result, Refused):
        await respond_privately(interaction, Outgoing(say(result.why)))
        return
    await respond_opened_elsewhere(ctx, interaction, result.row.id, reader)


def add(tree: app_commands.CommandTree[Any], ctx: Context) -> None:
    """Add `/play` to the tree."""
    games = game_choices(ctx)

    @command(tree, ctx, "play", options=complete_options, clock=complete_clock)
    @app_commands.choices(game=games)
    async def play(
        interaction: discord.Interaction[Any],
        game: str,
        players: app_commands.Range[int, 2, 6] | None = None,
        friend: discord.User | None = None,
        friend2: discord.User | None = None,
        friend3: discord.User | None = None,
        options: str = "",
        clock: str = "",
        channel: app_commands.Transform[AnyChannel, ChannelOption()] | None = None,
    ) -> None:
        friends: list[discord.User | discord.Member] = [
            f for f in (friend, friend2, friend3) if f is not None
        ]
        await open_lobby(ctx, interaction, game, players, friends, options, channel, clock)
