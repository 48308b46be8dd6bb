"""Show the rules of a game page by page."""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import NUMBER, on
from bot.actions.interaction_responses import edit_in_place, respond_privately
from bot.actions.loading import respond_unknown_match
from bot.context import Context
from bot.messages.components import Call, CallButton
from bot.messages.outgoing import Outgoing
from bot.platform.readers import Reader
from games.engine.message import msg


@on("rules")
async def rules(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the first page of the rules of a match's game."""
    row = await ctx.service.queries.row(call.match)
    if row is None:
        await respond_unknown_match(ctx, interaction, call.match)
        return
    reader = await ctx.readers.of(interaction)
    await respond_privately(interaction, rules_page(row.game, 1, reader))


@on("rules_page", arg=rf"[a-z_]+\.{NUMBER}")
async def turn_page(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Turn to another page of the rules."""
    game, _, page = call.arg.partition(".")
    reader = await ctx.readers.of(interaction)
    await edit_in_place(interaction, rules_page(game, int(page), reader))


def rules_page(game: str, page: int, reader: Reader) -> Outgoing:
    """Return one page of a game's rules, from 1, with buttons to turn pages; the last explains notation."""
    pages = rules_pages(reader, game)
    page = min(max(page, 1), len(pages))
    title = reader.say(msg(f"{game}.title"))
    text = reader.say(msg(pages[page - 1]))
    foot = reader.say(msg(f"{game}.credit"))

    def press(to: int, label: str, *, off: bool) -> CallButton:
        return CallButton.make(Call("rules_page", "-", to, f"{game}.{to}"), label, disabled=off)

    items = (
        press(page - 1, reader.say(msg("bot.button.back")), off=page == 1),
        press(page + 1, reader.say(msg("bot.button.next")), off=page == len(pages)),
    )
    return Outgoing(f"## {title} ({page}/{len(pages)})\n{text}\n-# {foot}", (), items)


def rules_pages(reader: Reader, game: str) -> list[str]:
    """Return the message keys of the pages, in order."""
    keys, page = reader.catalogue.keys(), 1
    found: list[str] = []
    while (key := f"{game}.rules.{page}") in keys:
        found.append(key)
        page += 1
    return [*found, f"{game}.notation"]
