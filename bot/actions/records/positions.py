"""Show a position that someone has as text: as a picture and as a text board, as spectators see it.

The answer is private and has the position as a file. From that file, its button posts the same for everyone,
so that it needs no memory of ours and works after a restart.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import defer, respond_privately
from bot.context import Context
from bot.messages.buttons import NO_MATCH
from bot.messages.components import Call, CallButton
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import with_text_board
from bot.platform.reader_settings import Reader
from games.engine.game import AnyGame
from games.engine.message import Msg, msg
from games.engine.portable import MAX_POSITION, PositionError, read_position
from games.engine.scene import Scene
from matches.long_work import in_thread

FILE = "position.json"
_MAX_REASON = 300
"""Maximum number of characters of what is wrong."""


async def show_position(
    ctx: Context,
    interaction: discord.Interaction[Any],
    game: str | None,
    text: str,
    file: discord.Attachment | None,
) -> None:
    """Show a position that was typed or attached to the person who asks; or say what is wrong with it."""
    await defer(interaction)
    reader = await ctx.readers.of(interaction)
    given: str | Msg
    if (many := ctx.operation.throttle.refuse("position", interaction.user.id)) is not None:
        given = many
    elif file is not None:
        given = await _fetch(file)
    else:
        given = text if text.strip() else msg("bot.position.none")
    shown = given if isinstance(given, Msg) else await _shown(ctx, given, game, reader)
    if isinstance(shown, Msg):
        await respond_privately(interaction, Outgoing(reader.say(shown)))
        return
    items: tuple[CallButton, ...] = ()
    if interaction.guild_id is not None:
        show = reader.say(msg("bot.replay.button.show"))
        items = (CallButton.make(Call("position_show", NO_MATCH, 0, game or ""), show),)
    await respond_privately(interaction, Outgoing(shown.content, shown.files, items))


@on("position_show")
async def show_position_here(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Post the position of the message that was pressed for everyone, in the server's colours."""
    files = () if interaction.message is None else interaction.message.attachments
    file = next((each for each in files if each.filename == FILE), None)
    own = await ctx.readers.of(interaction)
    rights = interaction.permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    if file is None or not (rights.send_messages_in_threads if in_thread else rights.send_messages):
        why = msg("bot.position.gone" if file is None else "bot.replay.quiet")
        await respond_privately(interaction, Outgoing(own.say(why)))
        return
    await defer(interaction)
    reader = await ctx.readers.public(interaction.guild_id)
    given = await _fetch(file)
    shown = given if isinstance(given, Msg) else await _shown(ctx, given, call.arg or None, reader)
    if isinstance(shown, Msg):
        await respond_privately(interaction, Outgoing(own.say(shown)))
        return
    who = reader.say(msg("bot.film.shown", who=f"<@{interaction.user.id}>"))
    public = Outgoing(f"{shown.content}\n-# {who}", shown.files)
    await interaction.edit_original_response(content=own.say(msg("bot.position.shown")))
    await interaction.followup.send(**public.fields())


async def _fetch(file: discord.Attachment) -> str | Msg:
    """Return the text of an attachment, or why there is none. Its size is checked before it's loaded."""
    most = 4 * MAX_POSITION  # a character has at most four bytes
    if file.size > most:
        return msg("bot.position.large", size=-(-file.size // 1000), most=most // 1000)
    try:
        return (await file.read()).decode("utf-8-sig")
    except (discord.HTTPException, OSError):
        return msg("bot.import.unfetched")
    except UnicodeDecodeError:
        return msg("bot.position.not_text")


async def _shown(ctx: Context, text: str, key: str | None, reader: Reader) -> Outgoing | Msg:
    """Return a position as a message: picture, text board, and the text itself as a file."""
    try:
        game, scene = await in_thread(_scene, text, key)
        title = reader.say(msg("bot.position.title", game=msg(f"{game.key}.title")))
        content, board = with_text_board(scene, reader, title)
        picture = await ctx.presenter.pictures.file(scene, reader, f"{game.key}.png")
    except PositionError as error:
        return msg("bot.position.wrong", reason=f"`{as_code(str(error), _MAX_REASON)}`")
    except ValueError:
        return msg("bot.position.undrawable")
    alt = reader.say(msg("bot.position.alt"))
    return Outgoing(content, (picture, *board, (FILE, text.encode(), alt)))


def _scene(text: str, key: str | None) -> tuple[AnyGame, Scene]:
    game, state = read_position(text, key)
    return game, game.scene(game.view(state, None), None)
