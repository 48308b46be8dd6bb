"""The buttons of a lobby, and the host's private panel with options and seats."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import discord

from bot.actions.handlers import NUMBER, on
from bot.actions.interaction_responses import acknowledge, dismiss, edit_in_place, respond_privately
from bot.actions.lobby.level_odds import level_odds
from bot.actions.match_places import missing_for_start, this_place
from bot.actions.play.move_menu import first_move
from bot.context import Context
from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.match import delay_text
from bot.messages.names import escaped_name, game_title, level_choices, occupant_text, plain_name, seat_names
from bot.messages.outgoing import Outgoing, panel
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from bot.platform.permissions import permission_request
from bot.platform.reader_settings import Reader
from bot.platform.server_maps import map_value
from games.engine import registry
from games.engine.game import Json, Option, Seat
from games.engine.message import Msg, msg
from matches.lobby.lobby_rules import is_rated, options_for
from matches.occupants import is_full
from matches.results import Lobby, Person, Played, Refused
from matches.store.rows import MatchRow
from matches.watching import DELAYS

_MAX_ROWS = 4
"""Maximum number of menus in the panel: a message has five rows, one of them for buttons."""
_MAP_PREFIX, _UNCHANGED = "@", "="
"""Menu values: the prefix of an uploaded map's key, and the value already set."""


def why_no_guest(people: Iterable[discord.User | discord.Member]) -> Msg | None:
    """Return why people can't be invited: one of them is a bot."""
    bot = next((each for each in people if each.bot), None)
    return None if bot is None else msg("bot.play.bot", name=escaped_name(bot.display_name))


def person(user: discord.User | discord.Member) -> Person:
    """Return a Discord user as a player, with the name shown in the server."""
    return Person(user.id, user.display_name)


async def direct_channel(user: discord.User | discord.Member) -> int | None:
    """Return the channel of direct messages with a person; None if Discord refuses to open it."""
    try:
        return (await user.create_dm()).id
    except discord.HTTPException:
        return None


async def respond_with_result(
    ctx: Context,
    interaction: discord.Interaction[Any],
    result: Lobby | Played | Refused,
    match_id: str,
    done: Callable[[discord.Interaction[Any]], Awaitable[None]] = acknowledge,
) -> None:
    """Answer a refusal privately; otherwise call `done` and let the lobby's own message show the change."""
    if isinstance(result, Refused):
        await respond_with_refusal(ctx, interaction, result, match_id)
        return
    await done(interaction)
    await ctx.delivery.finish(match_id)


async def respond_with_refusal(
    ctx: Context, interaction: discord.Interaction[Any], result: Refused, match_id: str
) -> None:
    """Reply privately why the person was refused."""
    row = await ctx.service.queries.row(match_id)
    reader = await ctx.readers.of(interaction)
    names = None if row is None else seat_names(row, reader)
    await respond_privately(interaction, Outgoing(reader.say(result.why, names)))


@on("join")
async def join(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take a seat, or accept an invitation. The last one starts the match, if that is set for its lobby."""
    who, request = person(interaction.user), f"i{interaction.id}"
    result = await ctx.service.lobbies.join(call.match, who, request=request)
    row = result.row if isinstance(result, Lobby) else None
    if row is not None and row.lobby.starts_full and is_full(row) and _lacking(row, interaction) is None:
        await ctx.service.lobbies.start(row.id, row.host, request=f"{request}:start")
    await respond_with_result(ctx, interaction, result, call.match)
    await _show_first_move(ctx, interaction, call.match)


@on("leave")
async def leave(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Give a seat back, or decline an invitation."""
    result = await ctx.service.lobbies.leave(call.match, interaction.user.id, request=f"i{interaction.id}")
    await respond_with_result(ctx, interaction, result, call.match)


@on("computer")
@on("level")
async def add_computer(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Seat a computer player, of the level chosen in the menu; the button first offers the host that menu."""
    user = interaction.user.id
    if call.values:
        result = await ctx.service.lobbies.add_computer(
            call.match, user, request=f"i{interaction.id}", level=call.values[0]
        )
        await respond_with_result(ctx, interaction, result, call.match, done=dismiss)
        return
    row = await ctx.service.queries.row(call.match)
    levels = ctx.service.levels.names(row.game) if row is not None else ()
    if row is None or len(levels) < 2 or row.status != "lobby" or row.host != user:
        result = await ctx.service.lobbies.add_computer(call.match, user, request=f"i{interaction.id}")
        await respond_with_result(ctx, interaction, result, call.match)
        return
    reader = await ctx.readers.of(interaction)
    odds = await level_odds(ctx, user, row.game, len(row.seats), row.options)
    ask = question = reader.say(msg("bot.lobby.pick_level"))
    if odds.even is not None:
        ask += "\n" + reader.say(msg("bot.lobby.even", level=msg(f"ai.level.{odds.even}")))
    if row.conditions.rated:
        ask += "\n" + reader.say(msg("bot.lobby.rated_computer"))
    listed = level_choices(levels, reader, "", odds.strengths, odds.chances)
    menu = CallMenu.make(Call("level", row.id, -1), listed, question)
    await respond_privately(interaction, Outgoing(ask, (), (menu,)))


@on("start")
async def start(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Start the match; if we can't post its boards here any longer, show the host what is missing instead."""
    row = await ctx.service.queries.row(call.match)
    if row is not None and (why := _missing_for(row, interaction)) is not None:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(reader.say(why)))
        return
    result = await ctx.service.lobbies.start(call.match, interaction.user.id, request=f"i{interaction.id}")
    await respond_with_result(ctx, interaction, result, call.match)
    if not isinstance(result, Refused):
        await _show_first_move(ctx, interaction, call.match)


async def _show_first_move(ctx: Context, interaction: discord.Interaction[Any], match: str) -> None:
    """Show the moves to choose from to the person whose press has started a match, if they are to move."""
    row = await ctx.service.queries.row(match)
    if row is None or row.status != "live":
        return
    seat = ctx.service.queries.seat_of(row, interaction.user.id)
    if seat in (await ctx.service.queries.at(row.id, row.version)).to_act:
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, await first_move(ctx, row, interaction.user.id, reader))


def _missing_for(row: MatchRow, interaction: discord.Interaction[Any]) -> Msg | None:
    """Return what we lack to play the match of a lobby that its host starts; None if nothing."""
    return _lacking(row, interaction) if row.host == interaction.user.id else None


def _lacking(row: MatchRow, interaction: discord.Interaction[Any]) -> Msg | None:
    """Return what we lack to play the match of a lobby where a button of it is pressed; None if nothing."""
    at = this_place(interaction)
    if at is None or row.place.guild is None or row.status != "lobby":
        return None
    lacking = missing_for_start(at, threads=row.lobby.use_thread)
    return permission_request(interaction, lacking, at.settings) if lacking else None


def _host_only(row: MatchRow) -> Msg:
    return msg("bot.lobby.host_only", host=f"<@{row.host}>")


async def hosted_lobby(
    ctx: Context,
    interaction: discord.Interaction[Any],
    call: Call,
    why_not: Callable[[MatchRow], Msg] = _host_only,
) -> tuple[MatchRow, Reader] | None:
    """Return an open lobby and the reader if the person hosts it; otherwise say why not and return None.

    `why_not` is what someone reads who doesn't host it, or no longer does.
    """
    row, reader = await ctx.service.queries.row(call.match), await ctx.readers.of(interaction)
    if row is not None and row.status == "lobby" and row.host == interaction.user.id:
        return row, reader
    why = msg("bot.lobby.gone") if row is None or row.status != "lobby" else why_not(row)
    await respond_privately(interaction, Outgoing(reader.say(why)))
    return None


@on("options")
async def options(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the options panel to the host, and to others who the host is."""
    if (found := await hosted_lobby(ctx, interaction, call)) is not None:
        await respond_privately(interaction, await options_panel(ctx, *found))


async def options_panel(
    ctx: Context, row: MatchRow, reader: Reader, page: int = 0, with_option: str = ""
) -> Outgoing:
    """Return the host's panel: menus for the number of seats, for each option, and to clear or swap seats.

    Options that don't fit are on further pages; those that don't apply to this number of seats are left out.
    Shows the page with the option `with_option` if there is one, otherwise page number `page`, from 0.
    """
    say = reader.say
    game = registry.get(row.game)
    lines = [f"**{game_title(row, reader)}** · `{row.id}`"]
    top: list[CallButton | CallMenu] = []
    if row.provenance.origin is not None:
        lines.append("-# " + say(msg("bot.fork.fixed", match=row.provenance.origin.match)))
    elif len(game.seats) > 1:
        counts = [
            discord.SelectOption(
                label=say(msg("bot.lobby.players", n=n)), value=str(n), default=n == len(row.seats)
            )
            for n in game.seats
        ]
        top.append(CallMenu.make(Call("seats", row.id, -1), counts, say(msg("bot.lobby.pick_seats"))))
    seats = _seat_menu(ctx, row, reader)
    bottom: list[CallButton | CallMenu] = [] if seats is None else [seats]
    pages = _pages(row, _MAX_ROWS - len(top) - len(bottom))
    page = next(
        (n for n, listed in enumerate(pages) if with_option in {o.key for o in listed}), page % len(pages)
    )
    menus = []
    for option in pages[page]:
        name = say(msg(f"{row.game}.option.{option.key}"))
        help_ = say(msg(f"{row.game}.option.{option.key}.help"))
        lines.append(f"-# {name}: {help_}")
        menus.append(await _option_menu(ctx, row, option, reader))
    close = say(msg("bot.button.close"))
    bottom.append(CallButton.make(Call("close", row.id, -1), close, discord.ButtonStyle.danger))
    if not is_rated(row):
        allowed = say(msg("bot.button.hints_on" if row.conditions.hints else "bot.button.hints_off"))
        turned = "no" if row.conditions.hints else "yes"
        bottom.append(CallButton.make(Call("hints_allowed", row.id, -1, turned), allowed))
    bottom.append(_delay_button(row, reader))
    if row.provenance.origin is None:
        rated = say(msg("bot.button.rated" if row.conditions.rated else "bot.button.friendly"))
        bottom.append(
            CallButton.make(Call("rated", row.id, -1, "no" if row.conditions.rated else "yes"), rated)
        )
    bottom.append(CallButton.make(Call("terms", row.id, -1), say(msg("bot.button.terms"))))
    if len(pages) > 1:
        more = f"{say(msg('bot.button.more_options'))} ({page + 1}/{len(pages)})"
        bottom.append(CallButton.make(Call("more", row.id, -1, str((page + 1) % len(pages))), more))
    return panel("\n".join(lines), reader, (), (*top, *menus, *bottom))


def _delay_button(row: MatchRow, reader: Reader) -> CallButton:
    """Return the button that shows how late others see the match, and goes on to the next choice."""
    following = DELAYS[(DELAYS.index(row.conditions.delay) + 1) % len(DELAYS)]
    label = delay_text(row, reader, "late") or reader.say(msg("bot.delay.live"))
    return CallButton.make(Call("delay", row.id, -1, str(following)), label)


def _pages(row: MatchRow, size: int) -> list[tuple[Option, ...]]:
    """Return the options that apply and can be changed, in pages of `size`; at least one page."""
    listed = () if row.provenance.origin is not None else options_for(registry.get(row.game), len(row.seats))
    return [listed[at : at + size] for at in range(0, len(listed), size)] or [()]


async def _option_menu(ctx: Context, row: MatchRow, option: Option, reader: Reader) -> CallMenu:
    """Return a menu of the choices of one option, and the server's maps if it accepts them."""
    say = reader.say
    game, name = registry.get(row.game), say(msg(f"{row.game}.option.{option.key}"))
    now = row.options.get(option.key, option.usual(len(row.seats)))

    def listed(label: str, value: str, *, chosen: bool) -> discord.SelectOption:
        return discord.SelectOption(label=f"{name}: {label}"[:MAX_CHOICE], value=value, default=chosen)

    menu = [
        listed(say(game.choice(option.key, choice)), str(index), chosen=choice == now)
        for index, choice in enumerate(option.choices)
    ]
    map_reader = game.maps()
    if map_reader is not None and map_reader.option == option.key:
        uploaded = await ctx.maps.listed(row.place.guild, row.game)
        key = map_reader.key(now)
        if key and key not in {info.key for info in uploaded}:  # it has been removed since
            menu.append(listed(say(game.choice(option.key, now)), _UNCHANGED, chosen=True))
        first = sorted(uploaded, key=lambda one: one.key != key)[: MAX_CHOICES - len(menu)]
        menu += [listed(one.title, f"{_MAP_PREFIX}{one.key}", chosen=one.key == key) for one in first]
    return CallMenu.make(Call("option", row.id, -1, option.key), menu, name)


def _seat_menu(ctx: Context, row: MatchRow, reader: Reader) -> CallMenu | None:
    """Return a menu to clear a seat or swap it with the next; None if there is nothing to offer."""
    say = reader.say
    game = registry.get(row.game)
    setup = game.setup(len(row.seats), row.options)
    listed: list[discord.SelectOption] = []
    for seat in row.seats:
        colour = say(game.look(setup, Seat(seat.seat)).name)
        who = plain_name(seat.name) if seat.user else occupant_text(seat, reader)
        if seat.occupant != "open" and seat.user != row.host:
            label = say(msg("bot.lobby.clear_seat", seat=colour, who=who))
            listed.append(discord.SelectOption(label=label[:MAX_CHOICE], value=f"clear {seat.seat}"))
        other = (seat.seat + 1) % len(row.seats)
        if len(row.seats) > 2 or seat.seat == 0:
            with_whom = say(game.look(setup, Seat(other)).name)
            label = say(msg("bot.lobby.swap_seats", a=colour, b=with_whom))
            listed.append(discord.SelectOption(label=label[:MAX_CHOICE], value=f"swap {seat.seat} {other}"))
    if not listed:
        return None
    return CallMenu.make(Call("arrange", row.id, -1), listed, say(msg("bot.lobby.arrange")))


async def refresh_panel(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, result: Lobby | Refused
) -> None:
    """Update the panel in place, then the lobby's message."""
    reader = await ctx.readers.of(interaction)
    if isinstance(result, Refused):
        await respond_with_refusal(ctx, interaction, result, call.match)
        return
    await edit_in_place(interaction, await options_panel(ctx, result.row, reader, with_option=call.arg))
    await ctx.delivery.finish(call.match)


@on("seats", value=NUMBER)
async def seats(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Change the number of seats."""
    count = int(call.values[0])
    result = await ctx.service.lobbies.configure(
        call.match, interaction.user.id, request=f"i{interaction.id}", seats=count
    )
    await refresh_panel(ctx, interaction, call, result)


@on("option")
async def option(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Change one option."""
    row = await ctx.service.queries.row(call.match)
    value = None if row is None else await _chosen_value(ctx, row, call)
    if isinstance(value, Msg):
        reader = await ctx.readers.of(interaction)
        await respond_privately(interaction, Outgoing(reader.say(value)))
        return
    result = await ctx.service.lobbies.configure(
        call.match, interaction.user.id, request=f"i{interaction.id}", options={call.arg: value}
    )
    await refresh_panel(ctx, interaction, call, result)


async def _chosen_value(ctx: Context, row: MatchRow, call: Call) -> Json | Msg:
    """Return the value of a menu entry, or a message if it is a map that no longer exists."""
    option = next((o for o in registry.get(row.game).options if o.key == call.arg), None)
    picked = call.values[0] if call.values else ""
    if picked == _UNCHANGED:
        return row.options.get(call.arg)
    if picked.startswith(_MAP_PREFIX):
        found = await ctx.maps.row(row.place.guild, row.game, picked.removeprefix(_MAP_PREFIX))
        return msg("maps.gone") if found is None else map_value(found.data)
    if option is None or not picked.isdecimal() or int(picked) >= len(option.choices):
        return None
    return option.choices[int(picked)]


@on("more", arg=NUMBER)
async def more(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another page of options."""
    row = await ctx.service.queries.row(call.match)
    reader = await ctx.readers.of(interaction)
    if row is None or row.status != "lobby":
        await edit_in_place(interaction, Outgoing(reader.say(msg("bot.lobby.gone"))))
        return
    await edit_in_place(interaction, await options_panel(ctx, row, reader, int(call.arg)))


@on("arrange", value=f"swap {NUMBER} {NUMBER}|[a-z]+ {NUMBER}")
async def arrange(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Clear a seat or swap two."""
    verb, *numbers = call.values[0].split()
    user, request = interaction.user.id, f"i{interaction.id}"
    if verb == "swap":
        first, second = (int(number) for number in numbers)
        result = await ctx.service.lobbies.swap(call.match, user, first, second, request=request)
    else:
        result = await ctx.service.lobbies.remove(call.match, user, int(numbers[0]), request=request)
    await refresh_panel(ctx, interaction, call, result)


@on("close")
async def close(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Close the lobby."""
    result = await ctx.service.lobbies.close(call.match, interaction.user.id, request=f"i{interaction.id}")
    reader = await ctx.readers.of(interaction)
    if isinstance(result, Refused):
        await respond_privately(interaction, Outgoing(reader.say(result.why)))
        return
    await edit_in_place(interaction, Outgoing(reader.say(msg("bot.lobby.closed"))))
    await ctx.delivery.finish(call.match)
