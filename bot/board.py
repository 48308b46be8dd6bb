"""Buttons and menus under a board: look, list and play moves, draw, resign, rules, replay, rematch."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import discord

import render
from bot.answers import instead, private, quiet, thinking
from bot.components import Ask, Call, Choose, Press, on
from bot.doors import choices, refusal, tried
from bot.lobby import person, table_open
from bot.presenter import STYLE, Outgoing, Reader
from games.engine.game import Seat
from games.engine.match import walk
from games.engine.message import msg
from matches.ports import MatchRow, Place
from matches.results import Asked, Played, Refused, Tried

if TYPE_CHECKING:
    from bot.app import Dominium

_PER_MENU, _MENUS = 25, 4
_PER_PAGE = _PER_MENU * _MENUS


async def load(
    app: Dominium, interaction: discord.Interaction[Any], match_id: str
) -> tuple[MatchRow, Reader] | None:
    """The match and how the person reads; a sentence and None where there is no such match on the board."""
    row = await app.service.row(match_id)
    if row is None or row.version < 0:
        await unknown(app, interaction, match_id)
        return None
    seat = app.service.seat_of(row, interaction.user.id)
    return row, await app.reader_of(interaction, None if seat is None else Seat(seat))


async def unknown(app: Dominium, interaction: discord.Interaction[Any], match_id: str) -> None:
    """Say that there is no such match."""
    reader = await app.reader_of(interaction)
    text = app.presenter.say(msg("bot.match.unknown", match=match_id), reader.language)
    await private(interaction, Outgoing(text))


async def show(app: Dominium, row: MatchRow, reader: Reader, note: str = "") -> Outgoing:
    """The present board for one person."""
    match, facts = await app.present(row.id)
    return await app.presenter.board(row, match, facts, reader, note=note)


@on("view")
async def view(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """My view: my side at the bottom, my theme; of an old board the present one, and it says so."""
    await thinking(interaction)
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    moved_on = call.seq != row.version and not call.arg
    note = app.presenter.say(msg("bot.board.moved_on"), reader.language) if moved_on else ""
    await private(interaction, await show(app, row, reader, note))


@on("rules")
async def rules(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """The rules, page by page."""
    row = await app.service.row(call.match)
    if row is None:
        await unknown(app, interaction, call.match)
        return
    reader = await app.reader_of(interaction)
    await private(interaction, rules_page(app, row.game, 1, reader))


@on("rules_page")
async def rules_turned(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Another page of the rules."""
    game, _, page = call.arg.partition(".")
    reader = await app.reader_of(interaction)
    await instead(interaction, rules_page(app, game, int(page), reader))


def rules_page(app: Dominium, game: str, page: int, reader: Reader) -> Outgoing:
    """One page of a game's rules with a way to the others; the last page tells how to type moves."""
    pages = rules_pages(app, game)
    page = min(max(page, 1), len(pages))
    title = app.presenter.say(msg(f"{game}.title"), reader.language)
    text = app.presenter.say(msg(pages[page - 1]), reader.language)
    foot = app.presenter.say(msg(f"{game}.credit"), reader.language)

    def press(to: int, label: str, *, off: bool) -> Press:
        return Press.make(Call("rules_page", "-", to, f"{game}.{to}"), label, disabled=off)

    items = (
        press(page - 1, app.presenter.say(msg("bot.button.back"), reader.language), off=page == 1),
        press(page + 1, app.presenter.say(msg("bot.button.next"), reader.language), off=page == len(pages)),
    )
    return Outgoing(f"## {title} ({page}/{len(pages)})\n{text}\n-# {foot}", (), items)


def rules_pages(app: Dominium, game: str) -> list[str]:
    """Keys of the pages, in order."""
    keys, page = set(app.catalogue.keys()), 1
    found: list[str] = []
    while (key := f"{game}.rules.{page}") in keys:
        found.append(key)
        page += 1
    return [*found, f"{game}.notation"]


# --- moves --------------------------------------------------------------------------------------------


async def moves_panel(app: Dominium, row: MatchRow, user: int, reader: Reader, page: int = 0) -> Outgoing:
    """All legal moves in menus of 25, from which one can be played, and a form to type one."""
    say, language = app.presenter.say, reader.language
    match = await app.service.at(row.id, row.version)
    status, _ = app.presenter.status(row, match, reader, ping=False)
    if reader.seat is None or reader.seat not in match.to_act:
        return Outgoing(f"{status}\n-# `{row.id}`")
    texts = await app.service.legal(row.id, user, "", limit=10_000)
    instructions = match.game.parse(match.game.view(match.state, reader.seat), reader.seat, "")
    prompt = say(instructions.prompt, language) if hasattr(instructions, "prompt") else ""
    pages = max(1, -(-len(texts) // _PER_PAGE))
    page %= pages
    shown = texts[page * _PER_PAGE : (page + 1) * _PER_PAGE]
    items: list[Press | Choose] = []
    for number in range(0, len(shown), _PER_MENU):
        part = shown[number : number + _PER_MENU]
        hint = f"{part[0]} … {part[-1]}" if len(part) > 1 else part[0]
        listed = [discord.SelectOption(label=text[:100], value=text[:100]) for text in part]
        items.append(Choose.make(Call("play", row.id, match.seq, str(number)), listed, hint))
    type_it = say(msg("bot.button.type"), language)
    items.append(Press.make(Call("type", row.id, match.seq), type_it, STYLE.primary, row=4))
    if pages > 1:
        label = f"{say(msg('bot.button.next'), language)} ({page + 1}/{pages})"
        items.append(Press.make(Call("page", row.id, match.seq, str(page + 1)), label, row=4))
    head = say(msg("bot.moves.count", n=len(texts)), language)
    return Outgoing(f"{head} {prompt}\n-# `{row.id}`", (), tuple(items))


@on("moves")
async def moves(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """What I may play now."""
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    if reader.seat is None:
        text = app.presenter.say(msg("bot.move.not_yours", match=row.id), reader.language)
        await private(interaction, Outgoing(text))
        return
    await private(interaction, await moves_panel(app, row, interaction.user.id, reader))


@on("page")
async def page(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """More moves."""
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    await instead(interaction, await moves_panel(app, row, interaction.user.id, reader, int(call.arg)))


@on("play")
async def play(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """A move chosen from a menu."""
    await submit(app, interaction, call.match, call.values[0], version=call.seq, in_place=True)


@on("type")
async def type_it(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """A form to type a move in."""
    reader = await app.reader_of(interaction)
    say = app.presenter.say
    title = say(msg("bot.form.title", match=call.match), reader.language)
    label = say(msg("bot.form.move"), reader.language)
    hint = say(msg("bot.form.hint"), reader.language)
    ask = Ask(Call("typed", call.match, call.seq), title, ("move", label, hint))
    await interaction.response.send_modal(ask)


@on("typed")
async def typed(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """The text of the form."""
    text = call.values[0] if call.values else ""
    await submit(app, interaction, call.match, text, version=call.seq)


async def submit(
    app: Dominium,
    interaction: discord.Interaction[Any],
    match_id: str,
    text: str,
    *,
    version: int | None = None,
    in_place: bool = False,
) -> None:
    """A move that came by an interaction: committed, answered to its author, then told to everybody."""
    if (loaded := await load(app, interaction, match_id)) is None:
        return
    row, reader = loaded
    result = await app.service.submit(
        match_id, interaction.user.id, text, request=f"i{interaction.id}", version=version
    )
    respond = instead if in_place else private
    match result:
        case Played():
            done = app.presenter.say(msg("bot.move.done", match=match_id), reader.language)
            told = app.presenter.told(result.row, result.match, result.facts, reader)
            await respond(interaction, Outgoing(f"{done} {told}"))
            await app.after(match_id)
        case Asked():
            prompt = app.presenter.say(result.prompt, reader.language)
            await respond(interaction, Outgoing(prompt + choices(result.choices)))
        case Tried():
            await thinking(interaction)
            await private(interaction, await tried(app, row, result, reader))
        case Refused(stale=True):
            await thinking(interaction)
            note = app.presenter.say(msg("bot.board.moved_on"), reader.language)
            current = await app.service.row(match_id) or row
            await private(interaction, await show(app, current, reader, note))
        case Refused():
            await respond(interaction, Outgoing(await refusal(app, result, reader, row)))


# --- offers and endings -------------------------------------------------------------------------------


async def settle(
    app: Dominium, interaction: discord.Interaction[Any], match_id: str, result: Played | Refused
) -> None:
    """Answer what was not a move: the channel tells it; a refusal goes to its author."""
    if isinstance(result, Refused):
        row = await app.service.row(match_id)
        reader = await app.reader_of(interaction)
        await private(interaction, Outgoing(await refusal(app, result, reader, row)))
        return
    if interaction.type is discord.InteractionType.application_command:
        reader = await app.reader_of(interaction)
        await private(interaction, Outgoing(app.presenter.say(msg("bot.resign.done"), reader.language)))
    else:
        await quiet(interaction)
    await app.after(match_id)


@on("draw")
async def draw(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer a draw, or agree to one, whatever happened since that board."""
    result = await app.service.offer_draw(call.match, interaction.user.id, request=f"i{interaction.id}")
    await settle(app, interaction, call.match, result)


@on("agree")
async def agree(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Agree to the draw that was offered there, and to no later one."""
    result = await app.service.offer_draw(
        call.match, interaction.user.id, request=f"i{interaction.id}", version=call.seq
    )
    await settle(app, interaction, call.match, result)


@on("refuse")
async def refuse(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Decline a draw."""
    result = await app.service.decline_draw(
        call.match, interaction.user.id, request=f"i{interaction.id}", version=call.seq
    )
    await settle(app, interaction, call.match, result)


@on("resign")
async def resign(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask before a match is given up; before the first move it can be called off instead."""
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    await private(interaction, await sure(app, row, reader))


async def sure(app: Dominium, row: MatchRow, reader: Reader) -> Outgoing:
    """The question, with its answers."""
    say, language = app.presenter.say, reader.language
    if reader.seat is None:
        return Outgoing(say(msg("bot.move.not_yours", match=row.id), language))
    match = await app.service.at(row.id, row.version)
    if match.ending is not None:
        return Outgoing(say(msg("match.refuse.over"), language))
    yes = say(msg("bot.button.resign_yes"), language)
    items = [Press.make(Call("resign_yes", row.id, match.seq), yes, STYLE.danger)]
    if match.plays == 0:
        label = say(msg("bot.button.abort"), language)
        items.append(Press.make(Call("abort", row.id, match.seq), label))
    return Outgoing(say(msg("bot.resign.sure", match=row.id), language), (), tuple(items))


@on("resign_yes")
async def resign_yes(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Give up."""
    result = await app.service.resign(call.match, interaction.user.id, request=f"i{interaction.id}")
    await _settle_in_place(app, interaction, call.match, result)


@on("abort")
async def abort(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Call a match off before anybody moved."""
    result = await app.service.abort(call.match, interaction.user.id, request=f"i{interaction.id}")
    await _settle_in_place(app, interaction, call.match, result)


async def _settle_in_place(
    app: Dominium, interaction: discord.Interaction[Any], match_id: str, result: Played | Refused
) -> None:
    reader = await app.reader_of(interaction)
    if isinstance(result, Refused):
        row = await app.service.row(match_id)
        await instead(interaction, Outgoing(await refusal(app, result, reader, row)))
        return
    await instead(interaction, Outgoing(app.presenter.say(msg("bot.resign.done"), reader.language)))
    await app.after(match_id)


# --- afterwards ---------------------------------------------------------------------------------------


@on("rematch")
async def rematch(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """A new table with the seats turned; a second press finds the first one's."""
    row = await app.service.row(call.match)
    if row is None:
        await unknown(app, interaction, call.match)
        return
    reader = await app.reader_of(interaction)
    # In direct messages the table stands with whoever asks for it.
    at = row.place.channel if row.place.guild is not None else interaction.channel_id or row.place.channel
    place = Place(row.place.guild, at)
    result = await app.service.rematch(
        call.match, person(interaction.user), request=f"i{interaction.id}", place=place
    )
    if isinstance(result, Refused):
        await private(interaction, Outgoing(app.presenter.say(result.why, reader.language)))
        return
    await private(interaction, Outgoing(app.presenter.say(table_open(result.row), reader.language)))
    await app.after(result.row.id)


@on("replay")
async def replay(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """The whole match as an animation."""
    await thinking(interaction)
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    match = await app.service.at(row.id, row.version)
    frames = [app.presenter.scene(past, reader.seat, facts) for past, facts in walk(match.log)]
    speak = app.presenter.speak(reader.language)
    data = await asyncio.to_thread(render.animate, frames, speak, theme=reader.theme)
    alt = render.alt_text(frames[-1], speak)
    text = app.presenter.say(msg("bot.replay", match=row.id, n=match.plays), reader.language)
    await private(interaction, Outgoing(text, ((f"{row.id}.gif", data, alt),)))
