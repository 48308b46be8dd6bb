"""Forgets a person after two questions; and the panel about what is kept, with a button for each right."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, edit_in_place, respond_privately
from bot.context import Context
from bot.messages.buttons import NO_MATCH, STYLE
from bot.messages.components import Call, CallButton
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.message import msg

MAX_AGE: Final = 15
"""How many minutes a question of `/settings privacy erase` may be answered."""


def privacy_panel(reader: Reader, user: int) -> Outgoing:
    """Return what is kept about people, with a button for the file and one to be forgotten."""
    items = (
        CallButton.make(Call("data", NO_MATCH, 0, str(user)), reader.say(msg("bot.privacy.button.export"))),
        CallButton.make(
            Call("forget", NO_MATCH, 0, str(user)), reader.say(msg("bot.privacy.button.erase")), STYLE.danger
        ),
    )
    return Outgoing(reader.say(msg("bot.privacy.about")), (), items)


async def ask_first(ctx: Context, reader: Reader, user: int) -> Outgoing:
    """Return the first question before a person is forgotten: what will happen, with what it means now."""
    lobbies, live = await ctx.service.erasures.affected(user)
    now = [reader.say(msg("bot.privacy.erase.live", n=len(live)))] if live else []
    now += [reader.say(msg("bot.privacy.erase.lobbies", n=len(lobbies)))] if lobbies else []
    text = "\n".join((reader.say(msg("bot.privacy.erase.first")), *now))
    return _question(ctx, reader, user, text, "sure", "bot.privacy.button.on")


def _question(ctx: Context, reader: Reader, user: int, text: str, then: str, label: str) -> Outgoing:
    minute = int(ctx.clock.now().timestamp()) // 60
    yes = Call(f"forget_{then}", NO_MATCH, minute, str(user))
    no = Call("forget_no", NO_MATCH, minute, str(user))
    return Outgoing(
        text,
        (),
        (
            CallButton.make(yes, reader.say(msg(label)), STYLE.danger),
            CallButton.make(no, reader.say(msg("bot.privacy.button.no"))),
        ),
    )


async def own_reader(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> Reader | None:
    """Return the reader if the person presses a button of their own that isn't too old; else say why not."""
    reader = await ctx.readers.of(interaction)
    age = int(ctx.clock.now().timestamp()) // 60 - call.seq
    if call.arg != str(interaction.user.id):
        await respond_privately(interaction, Outgoing(reader.say(msg("bot.privacy.not_yours"))))
    elif call.seq and not 0 <= age <= MAX_AGE:
        await edit_in_place(interaction, Outgoing(reader.say(msg("bot.privacy.erase.old"))))
    else:
        return reader
    return None


@on("forget")
async def forget_pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask the first question."""
    if (reader := await own_reader(ctx, interaction, call)) is not None:
        await edit_in_place(interaction, await ask_first(ctx, reader, interaction.user.id))


@on("forget_sure")
async def forget_again(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask the second question."""
    if (reader := await own_reader(ctx, interaction, call)) is not None:
        text = reader.say(msg("bot.privacy.erase.second"))
        asked = _question(ctx, reader, interaction.user.id, text, "now", "bot.privacy.button.now")
        await edit_in_place(interaction, asked)


@on("forget_no")
async def forget_not(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Leave everything as it is."""
    if (reader := await own_reader(ctx, interaction, call)) is not None:
        await edit_in_place(interaction, Outgoing(reader.say(msg("bot.privacy.erase.kept"))))


@on("forget_now")
async def forget_now(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Forget the person."""
    if (reader := await own_reader(ctx, interaction, call)) is None:
        return
    await acknowledge(interaction)
    user = interaction.user.id
    touched = await ctx.service.erasures.forget(user)
    ctx.preferences.forget("user", user)
    await edit_in_place(interaction, Outgoing(reader.say(msg("bot.privacy.erase.done"))))
    for match in touched:
        await ctx.delivery.finish(match)


async def finish_erasures(ctx: Context) -> None:
    """Finish forgetting people after a crash, and clean the database after those who are forgotten."""
    for user in await ctx.service.erasures.resume():
        ctx.preferences.forget("user", user)
    await ctx.service.erasures.clean_up()
