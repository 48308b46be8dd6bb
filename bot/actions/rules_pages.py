"""Show the rules of a game page by page: one idea, its picture above it, and the lesson that tries it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, takewhile
from typing import Any

import discord

import render
from bot.actions.handlers import NUMBER, on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.lessons import show_step
from bot.actions.match_access import respond_unknown_match
from bot.context import Context
from bot.messages.components import Call, CallButton
from bot.messages.front_panel import press
from bot.messages.outgoing import Outgoing, panel
from bot.messages.scenes import with_text_board
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.message import msg
from games.engine.teaching import page_scene
from matches.long_work import in_thread


@on("rules")
async def rules(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the first page of the rules of a match's game."""
    row = await ctx.service.queries.row(call.match)
    if row is None:
        await respond_unknown_match(ctx, interaction, call.match)
        return
    await show_rules(ctx, interaction, row.game)


async def show_rules(ctx: Context, interaction: discord.Interaction[Any], game: str) -> None:
    """Show the first page of a game's rules."""
    await defer(interaction)
    await respond_privately(interaction, await rules_page(ctx, game, 1, await ctx.readers.of(interaction)))


@on("rules_page", arg=rf"[a-z_]+\.{NUMBER}")
async def turn_page(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Turn to another page of the rules."""
    await acknowledge(interaction)
    game, _, page = call.arg.partition(".")
    reader = await ctx.readers.of(interaction)
    await edit_in_place(interaction, await rules_page(ctx, game, int(page), reader))


@on("rules_try", arg=rf"[a-z_]+\.{NUMBER}")
async def try_it(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show the lesson that a page of the rules leads to, in a message of its own."""
    await defer(interaction)
    await respond_privately(interaction, await show_step(ctx, call, await ctx.readers.of(interaction)))


async def rules_page(ctx: Context, game: str, page: int, reader: Reader) -> Outgoing:
    """Return one page of a game's rules, from 1, with buttons to turn pages; the last explain notation.

    The first names the game's author.
    """
    pages = rules_pages(reader, game)
    page = min(max(page, 1), len(pages))
    foot = f"\n-# {reader.say(msg(f'{game}.credit'))}" if page == 1 else ""
    title = reader.say(msg(f"{game}.title"))
    text = f"## {title} ({page}/{len(pages)})\n{reader.say(msg(pages[page - 1])).rstrip()}{foot}"

    def turn(to: int, label: str, *, off: bool) -> CallButton:
        return CallButton.make(
            Call("rules_page", "-", to, f"{game}.{to}"), reader.say(msg(label)), disabled=off
        )

    items = [
        turn(page - 1, "bot.button.back", off=page == 1),
        turn(page + 1, "bot.button.next", off=page == len(pages)),
    ]
    known = registry.get(game)
    if page > len(known.rules_pages):
        return panel(text, reader, (), tuple(items))
    shown = known.rules_pages[page - 1]
    steps = [step.key for step in known.lessons]
    if shown.lesson:
        arg = f"{game}.{steps.index(shown.lesson)}"
        items.append(press("rules_try", "learn.button.try", reader, arg=arg))
    scene = await in_thread(page_scene, known, shown)
    if reader.text:
        board, _ = with_text_board(scene, reader, "")
        return panel(f"{board or render.alt_text(scene, reader.say)}\n{text}", reader, (), tuple(items))
    picture = await ctx.presenter.pictures.file(scene, reader, "rules.png")
    return panel(text, reader, (picture,), tuple(items))


def rules_pages(reader: Reader, game: str) -> list[str]:
    """Return the message keys of the pages, in order."""
    keys = reader.catalogue.keys()

    def numbered(part: str, first: int) -> Iterator[str]:
        return takewhile(keys.__contains__, (f"{game}.{part}.{nth}" for nth in count(first)))

    return [*numbered("rules", 1), f"{game}.notation", *numbered("notation", 2)]
