"""The front page and the panels behind it: a match against computers in three presses, a lobby in two.

The game offered first is that played last. Each is offered with the level that the person beats about half of
the time, or with the last one until a match against a computer is over. A match against computers is played
where a match may start; everywhere else in direct messages, so that nobody is turned away who only wants to
play.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.lobby.level_odds import odds_of_all
from bot.actions.lobby.lobby_panel import direct_channel, person
from bot.actions.lobby.opening import open_lobby
from bot.actions.match_places import lobby_place
from bot.actions.play.move_menu import first_move
from bot.actions.records.archive import archive_page
from bot.actions.rules_pages import show_rules
from bot.context import Context
from bot.messages.archive import ArchiveView
from bot.messages.components import Call
from bot.messages.front_panel import SoloChoice, front_panel, more_panel, play_panel, solo_panel
from bot.messages.outgoing import Outgoing
from bot.platform.permissions import bot_is_there
from games.engine import registry
from games.engine.message import Msg, msg
from matches.results import Refused
from matches.store.rows import Place
from matches.thinking.jobs import BusyError

_USUAL_LEVEL: Final = "easy"
"""The level that is offered to those who haven't played against computers yet."""
_LOOKED_AT: Final = 25
"""Number of finished matches in which the last game and level are looked for."""
_CHOICE: Final = r"[a-z_]+\.[a-z]+"


async def front_page(ctx: Context, interaction: discord.Interaction[Any]) -> None:
    """Show the front page to the person who asks."""
    await defer(interaction)
    await respond_privately(interaction, await front_panel(ctx.presenter, await ctx.readers.of(interaction)))


async def _last_choice(ctx: Context, user: int) -> SoloChoice:
    """Return the game that a person played last, and their last level in it."""
    playing = [seen.row for seen in await ctx.service.queries.mine(user)]
    rows = [*playing, *await ctx.store.over_of(user, "", _LOOKED_AT)]
    played = sorted(
        (row for row in rows if row.provenance.source == "played"), key=lambda row: row.updated, reverse=True
    )
    game = _valid(ctx, played[0].game if played else "", None).game
    levels = (seat.level for row in played if row.game == game for seat in row.seats if seat.level)
    return _valid(ctx, game, next(levels, None))


def _valid(ctx: Context, game: str, level: str | None) -> SoloChoice:
    """Return a choice that exists, as near as possible to that of a button or of an older match."""
    known = {each.key for each in registry.all_games()}
    key = game if game in known else registry.all_games()[0].key
    names = ctx.service.levels.names(key)
    usual = _USUAL_LEVEL if _USUAL_LEVEL in names else names[0]
    return SoloChoice(key, level if level is not None and level in names else usual)


def _chosen(ctx: Context, call: Call, *, game: str | None = None, level: str | None = None) -> SoloChoice:
    """Return the choice that a panel's call carries, with another game or level."""
    before, _, its_level = call.arg.partition(".")
    return _valid(ctx, game or before, level or its_level)


@on("front_solo")
async def solo(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer a match against computers."""
    await defer(interaction)
    choice = await _last_choice(ctx, interaction.user.id)
    await respond_privately(interaction, await _solo_by_odds(ctx, interaction, choice))


@on("solo_game", arg=_CHOICE, value="[a-z_]+")
async def solo_game(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Choose the game of a match against computers, in a panel of an earlier version."""
    await acknowledge(interaction)
    choice = _chosen(ctx, call, game=call.values[0])
    await edit_in_place(interaction, await _solo_by_odds(ctx, interaction, choice))


@on("solo_level", arg=_CHOICE, value="[a-z]+")
async def solo_level(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Choose how strong the computers of all games are."""
    await acknowledge(interaction)
    choice = _chosen(ctx, call, level=call.values[0])
    choices = [_valid(ctx, game.key, choice.level) for game in registry.all_games()]
    await edit_in_place(interaction, await _solo(ctx, interaction, choices, choice))


async def _solo_by_odds(ctx: Context, interaction: discord.Interaction[Any], choice: SoloChoice) -> Outgoing:
    """Return the panel with the level of each game that the person beats about half of the time."""
    odds = await odds_of_all(ctx, interaction.user.id)
    choices = [_valid(ctx, game, found.even or choice.level) for game, found in odds.items()]
    (first,) = (each for each in choices if each.game == choice.game)
    return await _solo(ctx, interaction, choices, first)


async def _solo(
    ctx: Context, interaction: discord.Interaction[Any], choices: Sequence[SoloChoice], first: SoloChoice
) -> Outgoing:
    reader = await ctx.readers.of(interaction)
    return solo_panel(reader, choices, first, ctx.service.levels.names(first.game))


@on("solo_start", arg=_CHOICE)
async def solo_start(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Start a match against computers, and show its first moves to choose from."""
    await defer(interaction)
    choice = _chosen(ctx, call)
    reader = await ctx.readers.of(interaction)
    begun = await _begin(ctx, interaction, choice)
    if isinstance(begun, Msg):
        await respond_privately(interaction, Outgoing(reader.say(begun)))
        return
    with contextlib.suppress(BusyError):  # else they move later, and the person when they have
        await ctx.service.computers.run(begun)  # so that the moves offered are those after theirs
    await ctx.delivery.finish(begun)
    row = await ctx.service.queries.row(begun)
    if row is not None:
        await respond_privately(interaction, await first_move(ctx, row, interaction.user.id, reader))


async def _begin(ctx: Context, interaction: discord.Interaction[Any], choice: SoloChoice) -> str | Msg:
    """Open a lobby, seat the computers and start; return the match, or why there is none."""
    user, request, lobbies = interaction.user, f"i{interaction.id}", ctx.service.lobbies
    settings = await ctx.preferences.get("guild", interaction.guild_id) if interaction.guild_id else {}
    found = await _solo_place(ctx, interaction, choice.game, settings)
    if isinstance(found, Msg):
        return found
    place, use_thread = found
    opened = await lobbies.create(person(user), place, choice.game, request=request, use_thread=use_thread)
    if isinstance(opened, Refused):
        return opened.why
    match = opened.row.id
    for seat in opened.row.seats:
        if seat.occupant == "open":
            seated = await lobbies.add_computer(
                match, user.id, request=f"{request}:{seat.seat}", level=choice.level
            )
            if isinstance(seated, Refused):
                return seated.why
    started = await lobbies.start(match, user.id, request=f"{request}:start")
    return started.why if isinstance(started, Refused) else match


async def _solo_place(
    ctx: Context, interaction: discord.Interaction[Any], game: str, settings: dict[str, Any]
) -> tuple[Place, bool] | Msg:
    """Return where a match against computers is played, and whether in a thread of its own."""
    if bot_is_there(interaction):
        found = await lobby_place(ctx, interaction, game, settings)
        if not isinstance(found, Msg):
            return Place(interaction.guild_id, found.at.channel), found.use_thread
    channel = await direct_channel(interaction.user)
    return msg("front.closed") if channel is None else (Place(None, channel), True)


@on("front_play")
async def play(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer to open a lobby."""
    await defer(interaction)
    choice = await _last_choice(ctx, interaction.user.id)
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, play_panel(reader, choice.game))


@on("play_game", value="[a-z_]+")
async def play_game(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Choose the game of a lobby."""
    await acknowledge(interaction)
    reader = await ctx.readers.of(interaction)
    game = _valid(ctx, call.values[0], None).game
    await edit_in_place(interaction, play_panel(reader, game))


@on("play_open", arg="[a-z_]+")
async def play_open(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a lobby with the usual options, which starts as soon as it is full."""
    await open_lobby(ctx, interaction, _valid(ctx, call.arg, None).game, starts_full=True)


@on("front_more")
async def more(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show what else there is."""
    await respond_privately(interaction, more_panel(await ctx.readers.of(interaction)))


@on("front_rules", value="[a-z_]+")
async def rules(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the rules of a game."""
    await show_rules(ctx, interaction, _valid(ctx, call.values[0], None).game)


@on("front_finished")
async def finished(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """List the person's finished matches."""
    await defer(interaction)
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, await archive_page(ctx, interaction.user.id, ArchiveView(), reader))
