"""Where the moves of one piece lead: a private picture of the present position with the targets marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.answers import private, thinking
from bot.components import Call, Press, on, tappable
from bot.looks import load, moved_on, show
from bot.presenter import Outgoing, Reader
from bot.replies import choices, refusal
from games.engine.game import AnyGame, Done, Partial, Rejected, Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from games.engine.notation import MAX_LENGTH
from games.engine.scene import Mark
from matches import texts
from matches.ports import MatchRow
from matches.results import Refused

if TYPE_CHECKING:
    from bot.app import Dominium

_READ = 400
"""So many texts are read for one question."""
_LISTED = 60


def targets(match: Match, seat: Seat, text: str) -> tuple[tuple[str, ...], tuple[Mark, ...], Msg] | Rejected:
    """The moves that a text may become: as texts, as marks on the board, and what is asked. Or why none."""
    game: AnyGame = match.game
    view = game.view(match.state, seat)
    read = game.parse(view, seat, text)
    if isinstance(read, Rejected):
        return read
    found: dict[str, None] = {}
    marks: dict[Mark, None] = {}
    waiting = [text, *read.choices] if isinstance(read, Partial) else [text]
    for each in waiting[:_READ]:
        done = game.parse(view, seat, each)
        if isinstance(done, Done):
            found[game.format(view, done.action)] = None
            marks.update(dict.fromkeys(game.aim(view, done.action)))
        elif isinstance(done, Partial) and each != text:
            found[each] = None
    prompt = read.prompt if isinstance(read, Partial) else msg("bot.moves.count", n=len(found))
    return tuple(found), tuple(marks), prompt


async def told(app: Dominium, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """The moves of a piece as a picture from the reader's side, and as texts; or why there are none."""
    say, language = app.presenter.say, reader.language
    match = await app.service.at(row.id, row.version)
    text, _ = texts.read(typed)
    seat = reader.seat
    if seat is None:
        return Outgoing(say(msg("bot.move.not_yours", match=row.id), language))
    if seat not in match.to_act:
        status, _ = app.presenter.status(row, match, reader, ping=False)
        return Outgoing(f"{status}\n-# `{row.id}`")
    if len(text) > MAX_LENGTH:
        return Outgoing(say(msg("match.refuse.long", limit=MAX_LENGTH), language))
    found = targets(match, seat, text)
    if isinstance(found, Rejected):
        return Outgoing(await refusal(app, Refused(found.why, found.near), reader, row))
    moves, marks, prompt = found
    names = app.presenter.names(row, language)
    listed = f"{say(prompt, language, names)}{choices(moves, _LISTED)}\n-# `{row.id}`"
    scene = app.presenter.scene(match, seat, marks=marks)
    if reader.text:
        return Outgoing(f"{app.presenter.text_board(scene, reader)}{listed}")
    return Outgoing(listed, (await app.presenter.picture(scene, reader, f"{row.id}-moves.png"),))


def show_button(app: Dominium, match: Match, seat: Seat, text: str, language: str) -> tuple[Press, ...]:
    """A way to the picture of half a move, where there is something to see."""
    if not tappable(text):
        return ()
    found = targets(match, seat, text)
    if isinstance(found, Rejected) or not found[1]:
        return ()
    label = app.presenter.say(msg("bot.button.targets"), language)
    return (Press.make(Call("targets", match.id, match.seq, text), label, row=4),)


@on("targets")
async def shown(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """The picture of half a move; on an old board the present one."""
    await thinking(interaction)
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    if call.seq != row.version:
        await private(interaction, await show(app, row, reader, moved_on(app, row, call, reader)))
        return
    await private(interaction, await told(app, row, reader, call.arg))
