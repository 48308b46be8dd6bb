"""The table before a match: its buttons, its options, and what its host may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.answers import done_with, instead, private, quiet
from bot.components import Call, Choose, Press, on
from bot.maps import value_of
from bot.presenter import Outgoing, Reader, plain
from games.engine import registry
from games.engine.game import Json, Option, Seat
from games.engine.message import Msg, msg
from matches.lobby import meant
from matches.ports import MatchRow
from matches.results import Person, Played, Refused, Table

if TYPE_CHECKING:
    from bot.app import Dominium

_ROWS = 4
"""Rows of components that a message may have, less the one for buttons."""
_MENU = 25
"""Entries of a menu."""
_MAP, _KEPT = "@", "="
"""What stands in a menu before the key of a map, and for what is chosen already."""


def person(user: discord.User | discord.Member) -> Person:
    """Somebody, under the name that is shown in their server."""
    return Person(user.id, user.display_name)


def table_open(row: MatchRow) -> Msg:
    """Where a table stands; direct messages have no name to be shown."""
    if row.place.guild is None:
        return msg("bot.lobby.open_direct", match=row.id)
    return msg("bot.lobby.open", match=row.id, place=f"<#{row.place.channel}>")


async def answer(
    app: Dominium, interaction: discord.Interaction[Any], result: Table | Played | Refused, match_id: str
) -> None:
    """A refusal is told to its author; a change shows at the table itself."""
    if isinstance(result, Refused):
        await refused(app, interaction, result, match_id)
        return
    await quiet(interaction)
    await app.after(match_id)


async def refused(
    app: Dominium, interaction: discord.Interaction[Any], result: Refused, match_id: str
) -> None:
    """Why not, to the person alone."""
    row = await app.service.row(match_id)
    reader = await app.reader_of(interaction)
    names = None if row is None else app.presenter.names(row, reader.language)
    await private(interaction, Outgoing(app.presenter.say(result.why, reader.language, names)))


@on("join")
async def join(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Take a seat, or accept an invitation."""
    who = person(interaction.user)
    result = await app.service.join(call.match, who, request=f"i{interaction.id}")
    await answer(app, interaction, result, call.match)


@on("leave")
async def leave(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Give a seat back, or decline an invitation."""
    result = await app.service.leave(call.match, interaction.user.id, request=f"i{interaction.id}")
    await answer(app, interaction, result, call.match)


@on("computer")
async def computer(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Let a computer take the next open seat; the host says which where there are several."""
    row = await app.service.row(call.match)
    names = app.service.levels.names(row.game) if row is not None else ()
    if row is None or len(names) < 2 or row.status != "lobby" or row.host != interaction.user.id:
        result = await app.service.add_computer(call.match, interaction.user.id, request=f"i{interaction.id}")
        await answer(app, interaction, result, call.match)
        return
    reader = await app.reader_of(interaction)
    say = app.presenter.say
    listed = [
        discord.SelectOption(label=say(msg(f"ai.level.{name}"), reader.language)[:100], value=name)
        for name in names
    ]
    ask = say(msg("bot.lobby.pick_level"), reader.language)
    await private(interaction, Outgoing(ask, (), (Choose.make(Call("level", row.id, -1), listed, ask),)))


@on("level")
async def level(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """The computer player that the host chose: the table shows it, and the question goes."""
    result = await app.service.add_computer(
        call.match, interaction.user.id, request=f"i{interaction.id}", level=call.values[0]
    )
    if isinstance(result, Refused):
        await refused(app, interaction, result, call.match)
        return
    await done_with(interaction)
    await app.after(call.match)


@on("start")
async def start(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Begin."""
    result = await app.service.start(call.match, interaction.user.id, request=f"i{interaction.id}")
    await answer(app, interaction, result, call.match)


@on("options")
async def options(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show what can be set, to the host only."""
    row = await app.service.row(call.match)
    reader = await app.reader_of(interaction)
    if row is None or row.status != "lobby":
        await private(interaction, Outgoing(app.presenter.say(msg("bot.lobby.gone"), reader.language)))
        return
    if row.host != interaction.user.id:
        text = app.presenter.say(msg("bot.lobby.host_only", host=f"<@{row.host}>"), reader.language)
        await private(interaction, Outgoing(text))
        return
    await private(interaction, await panel(app, row, reader))


async def panel(
    app: Dominium, row: MatchRow, reader: Reader, page: int = 0, with_option: str = ""
) -> Outgoing:
    """The host's private panel: a menu for seats, one for each option, one to clear or swap seats.

    Options that don't fit are on further pages; those that mean nothing with so many seats are on none.
    It shows the page with a certain option, or else page number `page`.
    """
    say, language = app.presenter.say, reader.language
    game = registry.get(row.game)
    lines = [f"**{app.presenter.title(row, language)}** · `{row.id}`"]
    top: list[Press | Choose] = []
    if len(game.seats) > 1:
        counts = [
            discord.SelectOption(
                label=say(msg("bot.lobby.players", n=n), language), value=str(n), default=n == len(row.seats)
            )
            for n in game.seats
        ]
        top.append(Choose.make(Call("seats", row.id, -1), counts, say(msg("bot.lobby.pick_seats"), language)))
    seats = _seat_menu(app, row, reader)
    bottom: list[Press | Choose] = [] if seats is None else [seats]
    pages = _pages(row, _ROWS - len(top) - len(bottom))
    page = next(
        (n for n, listed in enumerate(pages) if with_option in {o.key for o in listed}), page % len(pages)
    )
    menus = []
    for option in pages[page]:
        name = say(msg(f"{row.game}.option.{option.key}"), language)
        help_ = say(msg(f"{row.game}.option.{option.key}.help"), language)
        lines.append(f"-# {name}: {help_}")
        menus.append(await _option_menu(app, row, option, reader))
    close = say(msg("bot.button.close"), language)
    bottom.append(Press.make(Call("close", row.id, -1), close, discord.ButtonStyle.danger))
    if len(pages) > 1:
        more = f"{say(msg('bot.button.more_options'), language)} ({page + 1}/{len(pages)})"
        bottom.append(Press.make(Call("more", row.id, -1, str((page + 1) % len(pages))), more))
    return Outgoing("\n".join(lines), (), (*top, *menus, *bottom))


def _pages(row: MatchRow, size: int) -> list[tuple[Option, ...]]:
    """The options that mean something, so many to a page; at least one page."""
    listed = meant(registry.get(row.game), len(row.seats))
    return [listed[at : at + size] for at in range(0, len(listed), size)] or [()]


async def _option_menu(app: Dominium, row: MatchRow, option: Option, reader: Reader) -> Choose:
    """The choices of one option, and the maps of the server where it takes them."""
    say, language = app.presenter.say, reader.language
    game, name = registry.get(row.game), say(msg(f"{row.game}.option.{option.key}"), language)
    now = row.options.get(option.key, option.default)

    def listed(label: str, value: str, *, chosen: bool) -> discord.SelectOption:
        return discord.SelectOption(label=f"{name}: {label}"[:100], value=value, default=chosen)

    menu = [
        listed(say(game.choice(option.key, choice), language), str(index), chosen=choice == now)
        for index, choice in enumerate(option.choices)
    ]
    taker = game.maps()
    if taker is not None and taker.option == option.key:
        brought = await app.maps.listed(row.place.guild, row.game)
        key = taker.key(now)
        if key and key not in {info.key for info in brought}:  # it was removed since
            menu.append(listed(say(game.choice(option.key, now), language), _KEPT, chosen=True))
        first = sorted(brought, key=lambda one: one.key != key)[: _MENU - len(menu)]
        menu += [listed(one.title, f"{_MAP}{one.key}", chosen=one.key == key) for one in first]
    return Choose.make(Call("option", row.id, -1, option.key), menu, name)


def _seat_menu(app: Dominium, row: MatchRow, reader: Reader) -> Choose | None:
    """Clear a seat, or swap it with the next."""
    say, language = app.presenter.say, reader.language
    game = registry.get(row.game)
    setup = game.setup(len(row.seats), row.options)
    listed: list[discord.SelectOption] = []
    for seat in row.seats:
        colour = say(game.look(setup, Seat(seat.seat)).name, language)
        who = plain(seat.name) if seat.user else app.presenter.occupant(seat, language)
        if seat.occupant != "open" and seat.user != row.host:
            label = say(msg("bot.lobby.clear_seat", seat=colour, who=who), language)
            listed.append(discord.SelectOption(label=label[:100], value=f"clear {seat.seat}"))
        other = (seat.seat + 1) % len(row.seats)
        if len(row.seats) > 2 or seat.seat == 0:
            with_whom = say(game.look(setup, Seat(other)).name, language)
            label = say(msg("bot.lobby.swap_seats", a=colour, b=with_whom), language)
            listed.append(discord.SelectOption(label=label[:100], value=f"swap {seat.seat} {other}"))
    if not listed:
        return None
    return Choose.make(Call("arrange", row.id, -1), listed, say(msg("bot.lobby.arrange"), language))


async def _changed(
    app: Dominium, interaction: discord.Interaction[Any], call: Call, result: Table | Refused
) -> None:
    """Refresh the panel in place, then the table."""
    reader = await app.reader_of(interaction)
    if isinstance(result, Refused):
        await refused(app, interaction, result, call.match)
        return
    await instead(interaction, await panel(app, result.row, reader, with_option=call.arg))
    await app.after(call.match)


@on("seats")
async def seats(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Another number of players."""
    count = int(call.values[0])
    result = await app.service.configure(
        call.match, interaction.user.id, request=f"i{interaction.id}", seats=count
    )
    await _changed(app, interaction, call, result)


@on("option")
async def option(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Another choice for one option."""
    row = await app.service.row(call.match)
    value = None if row is None else await _chosen(app, row, call)
    if isinstance(value, Msg):
        reader = await app.reader_of(interaction)
        await private(interaction, Outgoing(app.presenter.say(value, reader.language)))
        return
    result = await app.service.configure(
        call.match, interaction.user.id, request=f"i{interaction.id}", options={call.arg: value}
    )
    await _changed(app, interaction, call, result)


async def _chosen(app: Dominium, row: MatchRow, call: Call) -> Json | Msg:
    """What an entry of an option's menu stands for; a sentence if that is a map which is gone."""
    option = next((o for o in registry.get(row.game).options if o.key == call.arg), None)
    picked = call.values[0] if call.values else ""
    if picked == _KEPT:
        return row.options.get(call.arg)
    if picked.startswith(_MAP):
        found = await app.maps.row(row.place.guild, row.game, picked.removeprefix(_MAP))
        return msg("maps.gone") if found is None else value_of(found.data)
    if option is None or not picked.isdecimal() or int(picked) >= len(option.choices):
        return None
    return option.choices[int(picked)]


@on("more")
async def more(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Another page of options."""
    row = await app.service.row(call.match)
    reader = await app.reader_of(interaction)
    if row is None or row.status != "lobby":
        await instead(interaction, Outgoing(app.presenter.say(msg("bot.lobby.gone"), reader.language)))
        return
    await instead(interaction, await panel(app, row, reader, int(call.arg)))


@on("arrange")
async def arrange(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Clear a seat, or swap two."""
    verb, *numbers = call.values[0].split()
    user, request = interaction.user.id, f"i{interaction.id}"
    if verb == "swap":
        first, second = (int(number) for number in numbers)
        result = await app.service.swap(call.match, user, first, second, request=request)
    else:
        result = await app.service.remove(call.match, user, int(numbers[0]), request=request)
    await _changed(app, interaction, call, result)


@on("close")
async def close(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Put the table away."""
    result = await app.service.close(call.match, interaction.user.id, request=f"i{interaction.id}")
    reader = await app.reader_of(interaction)
    if isinstance(result, Refused):
        await private(interaction, Outgoing(app.presenter.say(result.why, reader.language)))
        return
    await instead(interaction, Outgoing(app.presenter.say(msg("bot.lobby.closed"), reader.language)))
    await app.after(call.match)
