"""Open a lobby where a person is, for `/play`, the front page or a rematch, and invite people to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import discord
from discord.app_commands import AppCommandChannel, AppCommandThread

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, dismiss, respond_privately
from bot.actions.lobby.lobby_panel import (
    direct_channel,
    hosted_lobby,
    person,
    respond_with_result,
    why_no_guest,
)
from bot.actions.match_access import respond_unknown_match
from bot.actions.match_places import lobby_place, respond_opened, respond_opened_elsewhere
from bot.context import Context
from bot.messages.components import PEOPLE, Call, CallPeople
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.platform.permissions import bot_is_there
from games.engine import registry
from games.engine.game import Json, spell
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.clocks.control import TimeControl, from_json
from matches.clocks.typed import MAX_TYPED, read_whole_clock
from matches.clocks.zones import zone_names
from matches.long_work import in_thread
from matches.results import Lobby, Refused
from matches.store.rows import MatchRow, Place

SETTING: Final = "clock"
"""The key of a server's default clock among its settings: a clock as JSON."""
Counts: TypeAlias = Literal["rated", "friendly"]
"""Whether a match is to count for ratings."""


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


async def open_lobby(
    ctx: Context,
    interaction: discord.Interaction[Any],
    game: str,
    players: int | None = None,
    invited: Sequence[discord.User | discord.Member] = (),
    options: str = "",
    chosen_channel: AppCommandChannel | AppCommandThread | None = None,
    clock: str = "",
    counts: Counts | None = None,
    *,
    starts_full: bool = False,
) -> None:
    """Check the channel and the options, then open a lobby or a rematch.

    Where the bot isn't, the lobby opens in direct messages.
    """
    reader = await ctx.readers.of(interaction)

    async def respond(what: Msg) -> None:
        await respond_privately(interaction, Outgoing(reader.say(what)))

    if not bot_is_there(interaction):
        await _open_direct_lobby(ctx, interaction, game, players, invited, options, clock, counts)
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
        result = await ctx.service.rematches.open(
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
            rated=(counts or made.get("rated")) == "rated",
            starts_full=starts_full,
        )
    if isinstance(result, Refused):
        await respond(result.why)
        return
    await respond_opened(ctx, interaction, result.row, note)


async def _open_direct_lobby(
    ctx: Context,
    interaction: discord.Interaction[Any],
    game: str,
    players: int | None,
    invited: Sequence[discord.User | discord.Member],
    options: str,
    clock: str = "",
    counts: Counts | None = None,
) -> None:
    """Open a lobby in direct messages with the person: the bot isn't where they are."""
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
        rated=counts == "rated",
    )
    if isinstance(result, Refused):
        await respond_privately(interaction, Outgoing(say(result.why)))
        return
    await respond_opened_elsewhere(ctx, interaction, result.row.id, reader)


async def clock_option(ctx: Context, text: str, settings: Mapping[str, Any]) -> TimeControl | Msg | None:
    """Return the clock that was typed, else the server's default, or a sentence that helps to type one."""
    if not text.strip():
        return default_clock(settings)
    now = ctx.clock.now()
    return await in_thread(lambda: read_whole_clock(text[:MAX_TYPED], zone_names(), now))


def default_clock(settings: Mapping[str, Any]) -> TimeControl | None:
    """Return the clock of a server's new lobbies; None for none, and for what a later version has stored."""
    try:
        return from_json(settings[SETTING])
    except (KeyError, TypeError, ValueError):
        return None


@on("rematch")
async def rematch(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a rematch; a second press joins the same lobby."""
    row = await ctx.service.queries.row(call.match)
    if row is None:
        await respond_unknown_match(ctx, interaction, call.match)
        return
    reader = await ctx.readers.of(interaction)
    # In direct messages the lobby goes to the channel of the person who asks.
    at = row.place.channel
    if row.place.guild is None:
        here = interaction.channel_id if bot_is_there(interaction) else await direct_channel(interaction.user)
        at = here or at
    place = Place(row.place.guild, at)
    result = await ctx.service.rematches.open(
        call.match, person(interaction.user), request=f"i{interaction.id}", place=place
    )
    if isinstance(result, Refused):
        await respond_privately(interaction, Outgoing(reader.say(result.why)))
        return
    await respond_opened(ctx, interaction, result.row)


@on("invite")
async def invite(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the host a menu of people, and others who the host is."""
    if (found := await hosted_lobby(ctx, interaction, call, _host_invites)) is None:
        return
    row, reader = found
    free = sum(seat.occupant == "open" for seat in row.seats)
    if not free:
        await respond_privately(interaction, Outgoing(reader.say(msg("lobby.refuse.full"))))
        return
    ask = reader.say(msg("bot.lobby.pick_guests"))
    menu = CallPeople.make(Call("guests", row.id, -1), ask, free)
    await respond_privately(interaction, Outgoing(ask, (), (menu,)))


def _host_invites(row: MatchRow) -> Msg:
    return msg("bot.lobby.host_invites", host=f"<@{row.host}>")


@on("guests")
async def guests(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Invite the chosen people, and delete the menu; bots can't be invited."""
    chosen: tuple[discord.User | discord.Member, ...] = interaction.extras.get(PEOPLE, ())
    if (why := why_no_guest(chosen)) is not None:
        say = (await ctx.readers.of(interaction)).say
        await respond_privately(interaction, Outgoing(say(why)))
        return
    result = await ctx.service.lobbies.invite(
        call.match, interaction.user.id, [person(each) for each in chosen], request=f"i{interaction.id}"
    )
    await respond_with_result(ctx, interaction, result, call.match, done=dismiss)
