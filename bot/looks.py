"""Looking alone: my view with its overlays, and the rules, page by page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord

from bot.answers import instead, private, quiet, thinking
from bot.buttons import Look, read_state
from bot.components import Call, Press, on
from bot.presenter import Outgoing, Reader, as_code
from bot.zoom import read_part
from games.engine import registry
from games.engine.game import Seat
from games.engine.message import msg
from games.engine.scene import Grid, Map
from matches.ports import MatchRow

if TYPE_CHECKING:
    from bot.app import Dominium


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


async def show(
    app: Dominium, row: MatchRow, reader: Reader, note: str = "", look: Look | None = None
) -> Outgoing:
    """The present board for one person."""
    match, facts = await app.present(row.id)
    return await app.presenter.board(row, match, facts, reader, note=note, look=look or Look())


async def show_part(app: Dominium, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """The present board, or the part of it that a text names; all of it, with a word, where it names none."""
    if not typed.strip():
        return await show(app, row, reader)
    match = await app.service.at(row.id, row.version)
    board = match.game.scene(match.game.view(match.state, reader.seat), reader.seat).board
    part = read_part(board, typed, app.presenter.speak(reader.language))
    if part is not None:
        return await show(app, row, reader, look=Look(part=part))
    key = {Grid: "unknown", Map: "no_area"}.get(type(board))
    why = msg("bot.zoom.never") if key is None else msg(f"bot.zoom.{key}", part=as_code(typed))
    return await show(app, row, reader, app.presenter.say(why, reader.language))


def moved_on(app: Dominium, row: MatchRow, call: Call, reader: Reader) -> str:
    """A line for whoever pressed a button of an old board."""
    old = call.seq != row.version
    return app.presenter.say(msg("bot.board.moved_on"), reader.language) if old else ""


@on("view")
async def view(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """My view: my side at the bottom, my theme; of an old board the present one, and it says so."""
    await thinking(interaction)
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    note = "" if call.arg else moved_on(app, row, call, reader)  # a mirror is always the present one
    await private(interaction, await show(app, row, reader, note))


@on("overlay")
async def overlay(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """The same view with an overlay more or less: as picture or text, as it was before."""
    await quiet(interaction)
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    look, text = read_state(call.arg, registry.get(row.game).overlays)
    reader = replace(reader, text=text)
    await instead(interaction, await show(app, row, reader, moved_on(app, row, call, reader), look))


@on("zoom")
async def zoomed(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """The same view with another part of the board, or all of it."""
    await quiet(interaction)
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    look, text = read_state(call.arg, registry.get(row.game).overlays)
    look = replace(look, part="" if call.values[0] == "-" else call.values[0])
    reader = replace(reader, text=text)
    await instead(interaction, await show(app, row, reader, moved_on(app, row, call, reader), look))


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
