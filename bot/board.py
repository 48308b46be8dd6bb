"""What is done by buttons and menus: play a move, draw, resign, replay, rematch."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import discord

import render
from bot.answers import done_with, instead, private, quiet, thinking
from bot.buttons import STYLE
from bot.components import Call, Press, on, tappable
from bot.lobby import person, table_open
from bot.looks import load, show, unknown
from bot.panels import asked_panel
from bot.presenter import Outgoing, Reader
from bot.replies import choices, refusal, tried, undone, warned
from games.engine.match import walk
from games.engine.message import msg
from matches.ports import MatchRow, Place
from matches.results import Asked, Played, Refused, Tried, Warned

if TYPE_CHECKING:
    from bot.app import Dominium
Respond = Callable[[discord.Interaction[Any], Outgoing], Awaitable[None]]


# --- moves --------------------------------------------------------------------------------------------


@on("tap")
async def tap(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """A shortcut: the board answers, and on the board that everybody sees nothing else does."""
    shown = interaction.message
    told = instead if shown is not None and shown.flags.ephemeral else _noted
    await submit(app, interaction, call.match, call.arg, version=call.seq, told=told)


async def _noted(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    await quiet(interaction)


async def _settled(interaction: discord.Interaction[Any], outgoing: Outgoing) -> None:
    await done_with(interaction)


@on("pick")
async def pick(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """One of the choices that a shortcut asked for: the board answers, and the question goes."""
    await submit(app, interaction, call.match, call.arg, version=call.seq, told=_settled, other=instead)


@on("sure")
async def sure_of_it(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Played against a warning: the board answers, and the warning goes."""
    await submit(app, interaction, call.match, call.arg, version=call.seq, told=_settled)


@on("play")
async def play(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """A move chosen from a menu."""
    await submit(app, interaction, call.match, call.values[0], version=call.seq, told=instead, other=instead)


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
    told: Respond = private,
    other: Respond = private,
) -> None:
    """A move that came by an interaction: committed, answered to its author, then told to everybody.

    `told` answers a move that was played, `other` half a move or a wrong one.
    """
    if (loaded := await load(app, interaction, match_id)) is None:
        return
    row, reader = loaded
    result = await app.service.submit(
        match_id, interaction.user.id, text, request=f"i{interaction.id}", version=version
    )
    match result:
        case Played():
            done = app.presenter.say(msg("bot.move.done", match=match_id), reader.language)
            what = app.presenter.told(result.row, result.match, result.facts, reader)
            await told(interaction, Outgoing(f"{done} {what}"))
            await app.after(match_id)
            if result.left is not None:
                await private(interaction, Outgoing(undone(app, result.row, result.left, reader)))
        case Asked() if version is not None and tappable(text):
            match = await app.service.at(match_id, version)
            await other(interaction, asked_panel(app, row, match, text, result, reader))
        case Asked():
            names = app.presenter.names(row, reader.language)
            prompt = app.presenter.say(result.prompt, reader.language, names)
            await other(interaction, Outgoing(prompt + choices(result.choices)))
        case Warned():
            await other(interaction, warned(app, row, result, reader))
        case Tried():
            await thinking(interaction)
            await private(interaction, await tried(app, row, result, reader))
        case Refused(stale=True):
            await thinking(interaction)
            note = app.presenter.say(msg("bot.board.moved_on"), reader.language)
            current = await app.service.row(match_id) or row
            await private(interaction, await show(app, current, reader, note))
        case Refused():
            await other(interaction, Outgoing(await refusal(app, result, reader, row)))


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
    frames = [await app.presenter.studio.whole(frame) for frame in frames]
    data = await asyncio.to_thread(render.animate, frames, speak, theme=reader.theme)
    alt = render.alt_text(frames[-1], speak)
    text = app.presenter.say(msg("bot.replay", match=row.id, n=match.plays), reader.language)
    await private(interaction, Outgoing(text, ((f"{row.id}.gif", data, alt),)))
