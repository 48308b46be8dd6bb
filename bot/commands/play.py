"""`/play`: open a table, invite friends, or ask for a rematch where a match ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.answers import private, thinking
from bot.commands.common import describe
from bot.lobby import person, table_open
from bot.permissions import complaint, missing
from bot.presenter import Outgoing, as_code, clean
from games.engine import registry
from games.engine.game import Json, spell
from games.engine.message import Msg, msg
from matches.ports import Place
from matches.results import Refused, Table

if TYPE_CHECKING:
    from bot.app import Dominium


def words_of(text: str) -> list[str]:
    """What was typed for options, word by word."""
    return text.casefold().replace(",", " ").split()


def read_options(game: str, text: str, maps: Mapping[str, Json]) -> dict[str, Json] | Msg:
    """Options typed as words: `fast`, `fast=yes`, `map=pond`. A word that is none is named.

    `maps` are those of the server that the text names, by their keys.
    """
    known = {option.key: option for option in registry.get(game).options}
    chosen: dict[str, Json] = {}
    taker = registry.get(game).maps()
    for part in words_of(text):
        key, _, wanted = part.partition("=")
        option = known.get(key)
        if option is None:
            return msg("bot.play.option", option=as_code(part), options=tuple(known) or ("–",))
        usual = {"yes": "true", "on": "true", "no": "false", "off": "false", "": "true"}.get(wanted, wanted)
        value = next((choice for choice in option.choices if spell(choice) == usual), None)
        if value is None and taker is not None and taker.option == key:
            value = maps.get(wanted)
        if value is None:
            return msg("bot.play.choice", option=key, choices=tuple(spell(c) for c in option.choices))
        chosen[key] = value
    return chosen


async def complete_options(
    interaction: discord.Interaction[Any], current: str
) -> list[app_commands.Choice[str]]:
    """Options that may be added to what was typed."""
    try:
        game = registry.get(str(interaction.namespace.game))
    except KeyError:
        return []
    done = current.casefold().split()
    if done and not current.endswith(" "):
        done.pop()
    app: Dominium = interaction.client
    taker = game.maps()
    found = []
    for option in game.options:
        if option.key in done:
            continue
        text = " ".join([*done, option.key])
        name = app.presenter.say(msg(f"{game.key}.option.{option.key}"), app.config.language)
        found.append(app_commands.Choice(name=f"{text}  ({name})"[:100], value=text[:100]))
        if taker is not None and taker.option == option.key:
            for info in await app.maps.listed(interaction.guild_id, game.key):
                text = " ".join([*done, f"{option.key}={info.key}"])
                found.append(app_commands.Choice(name=f"{text}  ({info.title})"[:100], value=text[:100]))
    return found[:25]


async def open_table(
    app: Dominium,
    interaction: discord.Interaction[Any],
    game: str,
    players: int | None,
    invited: list[discord.User | discord.Member],
    options: str,
) -> None:
    """Everything behind `/play`."""
    reader = await app.reader_of(interaction)

    async def no(why: Msg) -> None:
        await private(interaction, Outgoing(app.presenter.say(why, reader.language)))

    made = await app.preferences.get("guild", interaction.guild_id) if interaction.guild_id else {}
    in_thread = isinstance(interaction.channel, discord.Thread)
    use_thread = interaction.guild_id is not None and made.get("place") != "channel" and not in_thread
    if interaction.channel_id is None:
        await no(msg("bot.play.nowhere"))
        return
    allowed = made.get("channels") or []
    if allowed and interaction.channel_id not in allowed:
        await no(msg("bot.play.channel", places=tuple(f"<#{channel}>" for channel in allowed[:10])))
        return
    if lacking := missing(interaction, threads=use_thread):
        await no(complaint(app, interaction, lacking))
        return
    for friend in invited:
        if friend.bot:
            await no(msg("bot.play.bot", name=clean(friend.display_name)))
            return
    here = await app.service.live_in(interaction.channel_id)
    if here and not use_thread and interaction.guild_id is not None:
        await no(msg("bot.play.busy", match=here[0].id))
        return
    over = await app.store.by_place(interaction.channel_id, ("over", "aborted"))
    maps = await app.maps.named(interaction.guild_id, game, words_of(options))
    chosen = read_options(game, options, maps)
    if isinstance(chosen, Msg):
        await no(chosen)
        return
    await thinking(interaction)
    request = f"i{interaction.id}"
    result: Table | Refused
    again = in_thread and over and over[0].place.thread == interaction.channel_id and over[0].game == game
    if again and app.service.seat_of(over[0], interaction.user.id) is not None:
        place = Place(interaction.guild_id, over[0].place.channel)
        result = await app.service.rematch(over[0].id, person(interaction.user), request=request, place=place)
    else:
        result = await app.service.create(
            person(interaction.user),
            Place(interaction.guild_id, interaction.channel_id),
            game,
            request=request,
            seats=players,
            options=chosen,
            invited=[person(friend) for friend in invited],
            use_thread=use_thread,
        )
    if isinstance(result, Refused):
        await no(result.why)
        return
    await no(table_open(result.row))
    await app.after(result.row.id)


def add(app: Dominium) -> None:
    """`/play`."""
    games = [
        app_commands.Choice(name=app.presenter.say(msg(f"{g.key}.title"), "en")[:100], value=g.key)
        for g in registry.all_games()
    ]

    @app.tree.command(name="play", description=describe(app, "play"))
    @app_commands.describe(
        game=describe(app, "play.game"),
        players=describe(app, "play.players"),
        friend=describe(app, "play.friend"),
        friend2=describe(app, "play.friend"),
        friend3=describe(app, "play.friend"),
        options=describe(app, "play.options"),
    )
    @app_commands.choices(game=games)
    @app_commands.autocomplete(options=complete_options)
    async def play(
        interaction: discord.Interaction[Any],
        game: str,
        players: app_commands.Range[int, 2, 6] | None = None,
        friend: discord.User | None = None,
        friend2: discord.User | None = None,
        friend3: discord.User | None = None,
        options: str = "",
    ) -> None:
        friends: list[discord.User | discord.Member] = [
            f for f in (friend, friend2, friend3) if f is not None
        ]
        await open_table(app, interaction, game, players, friends, options)
