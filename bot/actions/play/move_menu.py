"""Private panels to choose a move: all legal moves, the ways to complete a partial one, a first move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import NUMBER, NUMBERED, on
from bot.actions.interaction_responses import defer, edit_in_place, respond_privately
from bot.actions.match_access import load_match
from bot.actions.play.move_targets import targets_button, targets_message
from bot.actions.play.private_views import is_old, moved_on_note, private_board
from bot.context import Context
from bot.messages.buttons import PER_ROW, STYLE, has_odds, odds_button, shortcuts, tap_button
from bot.messages.components import Call, CallButton, CallForm, CallMenu, Component, fits_in_button
from bot.messages.match import status_line
from bot.messages.names import computers_text, escaped_name, game_title, seat_names
from bot.messages.outgoing import Outgoing
from bot.outbound.channels import board_words
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from bot.platform.reader_settings import Reader
from games.engine.game import Done, Partial, Rejected, Seat, Shortcut
from games.engine.match import Match
from games.engine.message import Value, msg
from matches.results import Asked
from matches.store.rows import MatchRow

_MENUS = 4
_PER_PAGE = MAX_CHOICES * _MENUS
MAX_LISTED = 6 * _PER_PAGE
"""If there are more legal moves than this, only the choices that the game suggests are listed."""
_MAX_BUTTONS = 20
"""Maximum number of choices shown as buttons; if there are more, or long ones, they go into menus."""


async def moves_panel(ctx: Context, row: MatchRow, user: int, reader: Reader, page: int = 0) -> Outgoing:
    """Return a panel: the game's quick moves, all legal moves in menus of 25, a button to type one."""
    say = reader.say
    match = await ctx.service.queries.at(row.id, row.version)
    now = status_line(row, match, reader)
    if reader.seat is None or reader.seat not in match.to_act:
        return Outgoing(f"{now}\n-# `{row.id}`")
    texts = await ctx.service.queries.legal(row.id, user, "", limit=10_000)
    instructions = match.game.parse(match.game.view(match.state, reader.seat), reader.seat, "")
    head = say(msg("bot.moves.count", n=len(texts)))
    if len(texts) > MAX_LISTED and isinstance(instructions, Partial) and instructions.choices:
        texts = instructions.choices
        head = say(msg("bot.moves.many"))
    names = seat_names(row, reader)
    prompt = say(instructions.prompt, names) if isinstance(instructions, Partial) else ""
    every = shortcuts(row, match, reader.seat, private=True)
    quick = every[:PER_ROW]
    items: list[CallButton | CallMenu]
    if few := _few(row, match, reader, texts, every):
        items, pages = few, 1
    else:
        listed, pages = move_menus(row, match.seq, texts, page, _MENUS - bool(quick))
        items = [tap_button("tap", row, match.seq, each.text, say(each.label), 0) for each in quick]
        items += listed
    type_it = say(msg("bot.button.type"))
    items.append(CallButton.make(Call("type", row.id, match.seq), type_it, STYLE.primary, row=4))
    if pages > 1:
        items.append(_next(Call("page", row.id, match.seq, str(page % pages + 1)), pages, reader))
    if has_odds(match, reader.seat):
        items.append(odds_button(row, match.seq, reader, 4))
    return Outgoing(f"{head} {prompt}\n-# `{row.id}`", (), tuple(items))


def _few(
    row: MatchRow, match: Match, reader: Reader, texts: Sequence[str], every: Sequence[Shortcut]
) -> list[CallButton | CallMenu]:
    """Return a button for each shortcut that is a move and each legal move; none if too many or too long."""
    if reader.seat is None or not texts:
        return []
    view = match.game.view(match.state, reader.seat)
    quick = {
        each.text: reader.say(each.label)
        for each in every
        if isinstance(match.game.parse(view, reader.seat, each.text), Done)
    }
    labels = {**quick, **{text: text for text in texts if text not in quick}}
    if len(labels) > _MAX_BUTTONS or not all(map(fits_in_button, labels)):
        return []
    styles = dict.fromkeys(quick, STYLE.primary)
    return [
        CallButton.make(
            Call("tap", row.id, match.seq, text),
            label,
            styles.get(text, STYLE.secondary),
            row=number // PER_ROW,
        )
        for number, (text, label) in enumerate(labels.items())
    ]


def move_menus(
    row: MatchRow, seq: int, texts: Sequence[str], page: int, menus: int = _MENUS
) -> tuple[list[CallButton | CallMenu], int]:
    """Return the menus of one page, whose choices are played as moves, and the number of pages."""
    size = menus * MAX_CHOICES
    pages = max(1, -(-len(texts) // size))
    page %= pages
    shown = texts[page * size : (page + 1) * size]
    items: list[CallButton | CallMenu] = []
    for number in range(0, len(shown), MAX_CHOICES):
        part = shown[number : number + MAX_CHOICES]
        hint = f"{part[0]} … {part[-1]}" if len(part) > 1 else part[0]
        listed = [discord.SelectOption(label=text[:MAX_CHOICE], value=text[:MAX_CHOICE]) for text in part]
        items.append(CallMenu.make(Call("play", row.id, seq, str(number)), listed, hint))
    return items, pages


def _next(call: Call, pages: int, reader: Reader) -> CallButton:
    """Return a button to the next page; the call's argument begins with the page's number."""
    now = (int(call.arg.partition(".")[0]) - 1) % pages + 1
    label = f"{reader.say(msg('bot.button.next'))} ({now}/{pages})"
    return CallButton.make(call, label, row=4)


def choices_panel(
    row: MatchRow,
    match: Match,
    text: str,
    asked: Asked | Partial,
    reader: Reader,
    page: int = 0,
) -> Outgoing:
    """Return a panel with the choices that complete a move: buttons if they are few, else menus."""
    say, found, seq = reader.say, asked.choices, match.seq
    type_it = CallButton.make(Call("type", row.id, seq), say(msg("bot.button.type")), row=4)
    shown = () if reader.seat is None else targets_button(match, reader.seat, text, reader)
    items: list[CallButton | CallMenu]
    if len(found) <= _MAX_BUTTONS and all(map(fits_in_button, found)):
        labels = [_label(match, choice, reader) for choice in found]
        items = [
            tap_button("pick", row, seq, choice, label, number // PER_ROW)
            for number, (choice, label) in enumerate(zip(found, labels, strict=True))
        ]
        items += (type_it, *shown)
    else:
        items, pages = move_menus(row, seq, found, page)
        items += (type_it, *shown)
        if pages > 1:
            call = Call("asked", row.id, seq, f"{page % pages + 1}.{text}")
            items.append(_next(call, pages, reader))
    prompt = say(asked.prompt, seat_names(row, reader))
    return Outgoing(f"{prompt}\n-# `{row.id}`", (), tuple(items))


def _label(match: Match, choice: str, reader: Reader) -> str:
    """Return a choice as a label, with its result if that is certain."""
    seat = reader.seat
    odds = () if seat is None else match.game.odds(match.game.view(match.state, seat), seat, choice)
    if isinstance(odds, Rejected) or len(odds) != 1 or len(odds[0].chances) != 1:
        return choice
    return f"{choice}: {reader.say(odds[0].chances[0][1])}"


@on("asked", arg=NUMBERED)
async def asked(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another page of choices; for an old board show the current one instead."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    number, _, text = call.arg.partition(".")
    match = await ctx.service.queries.at(row.id, row.version)
    half = None
    if reader.seat is not None and not await is_old(ctx, row, call):
        half = match.game.parse(match.game.view(match.state, reader.seat), reader.seat, text)
    if isinstance(half, Partial):
        await edit_in_place(interaction, choices_panel(row, match, text, half, reader, int(number)))
        return
    await defer(interaction)
    await respond_privately(
        interaction, await private_board(ctx, row, reader, await moved_on_note(ctx, row, call, reader))
    )


@on("moves")
async def moves(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the person's legal moves."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    if reader.seat is None:
        text = reader.say(msg("bot.move.not_yours", match=row.id))
        await respond_privately(interaction, Outgoing(text))
        return
    await respond_privately(interaction, await moves_panel(ctx, row, interaction.user.id, reader))


@on("page", arg=NUMBER)
async def page(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show another page of legal moves."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    await edit_in_place(interaction, await moves_panel(ctx, row, interaction.user.id, reader, int(call.arg)))


@on("type")
async def type_it(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a form to type a move."""
    await _open_form(ctx, interaction, call, "typed", "bot.form.title")


@on("try")
async def try_it(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Open a form to type a move that is tried, not played."""
    await _open_form(ctx, interaction, call, "tried", "bot.form.try")


async def _open_form(
    ctx: Context, interaction: discord.Interaction[Any], call: Call, verb: str, title: str
) -> None:
    say = (await ctx.readers.of(interaction)).say
    example = (*await ctx.service.queries.legal(call.match, interaction.user.id, "", limit=1), "")[0]
    asked = ("move", say(msg("bot.form.move")), example)
    form = CallForm(Call(verb, call.match, call.seq), say(msg(title, match=call.match)), asked)
    await interaction.response.send_modal(form)


@on("targets")
async def show_targets(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show where a partial move leads, with its choices; for an old board show the current one instead."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    if await is_old(ctx, row, call):
        await respond_privately(
            interaction, await private_board(ctx, row, reader, await moved_on_note(ctx, row, call, reader))
        )
        return

    def others(match: Match, half: Partial) -> list[Component]:
        """Return the choices that follow, without the button that was pressed."""
        items = choices_panel(row, match, call.arg, half, reader).items
        return [each for each in items if each.call.custom_id != call.custom_id]

    await respond_privately(interaction, await targets_message(ctx, row, reader, call.arg, others))


async def first_move(ctx: Context, row: MatchRow, user: int, reader: Reader) -> Outgoing:
    """Return where a match is, and if this person is to move, the board with the moves to choose from."""
    seat = ctx.service.queries.seat_of(row, user)
    reader = replace(reader, seat=None if seat is None else Seat(seat))
    link = await board_words(ctx, row, reader)
    values = {
        "match": row.id,
        "game": game_title(row, reader),
        "who": _others(row, user, reader),
        "link": link,
    }
    head = reader.say(msg("front.begun" if row.place.guild is not None else "front.begun_direct", **values))
    match = await ctx.service.queries.at(row.id, row.version)
    if reader.seat not in match.to_act:
        return Outgoing(f"{head}\n{status_line(row, match, reader)}")
    moves = await moves_panel(ctx, row, user, reader)
    files = () if row.place.guild is None else (await private_board(ctx, row, reader)).files
    return replace(moves, content=f"{head}\n{moves.content}", files=files)


def _others(row: MatchRow, user: int, reader: Reader) -> Value:
    """Return whom a person plays against: people by name, computers by their number and level."""
    people = [
        escaped_name(seat.name) for seat in row.seats if seat.occupant == "person" and seat.user != user
    ]
    levels = [seat.level for seat in row.seats if seat.occupant == "computer"]
    computers = [computers_text(levels[0] or "", len(levels), reader)] if levels else []
    return (*people, *computers)
