"""Where the moves of one piece lead: a private picture of the present position with the targets marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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


class Targets(NamedTuple):
    """The moves that a text may become, as texts and as marks on the board; and what is asked."""

    texts: tuple[str, ...]
    marks: tuple[Mark, ...]
    prompt: Msg


def targets(match: Match, seat: Seat, text: str) -> Targets | Rejected:
    """What a text may become; or why nothing."""
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
    return Targets(tuple(found), tuple(marks), prompt)


async def told(app: Dominium, row: MatchRow, reader: Reader, typed: str) -> Outgoing:
    """The moves of a piece as a picture from the reader's side, and as texts; or why there are none."""
    match = await app.service.at(row.id, row.version)
    found = await _asked(app, row, match, reader, typed)
    if isinstance(found, str):
        return Outgoing(f"{found}\n-# `{row.id}`")
    listed = f"{_listed(app, row, found, reader)}\n-# `{row.id}`"
    scene = app.presenter.scene(match, reader.seat, marks=found.marks)
    if reader.text:
        return Outgoing(f"{app.presenter.text_board(scene, reader)}{listed}")
    return Outgoing(listed, (await app.presenter.picture(scene, reader, f"{row.id}-moves.png"),))


async def in_words(app: Dominium, row: MatchRow, reader: Reader, typed: str) -> str:
    """The moves of a piece as texts alone."""
    match = await app.service.at(row.id, row.version)
    found = await _asked(app, row, match, reader, typed)
    return found if isinstance(found, str) else _listed(app, row, found, reader)


async def _asked(app: Dominium, row: MatchRow, match: Match, reader: Reader, typed: str) -> Targets | str:
    """The moves of a piece; a sentence where there are none, or none for this reader."""
    say, language, seat = app.presenter.say, reader.language, reader.seat
    text, _ = texts.read(typed)
    if seat is None:
        return say(msg("bot.move.not_yours", match=row.id), language)
    if seat not in match.to_act:
        return app.presenter.status(row, match, reader, ping=False)[0]
    if len(text) > MAX_LENGTH:
        return say(msg("match.refuse.long", limit=MAX_LENGTH), language)
    found = targets(match, seat, text)
    if isinstance(found, Rejected):
        return await refusal(app, Refused(found.why, found.near), reader, row)
    return found


def _listed(app: Dominium, row: MatchRow, found: Targets, reader: Reader) -> str:
    names = app.presenter.names(row, reader.language)
    return app.presenter.say(found.prompt, reader.language, names) + choices(found.texts, _LISTED)


def show_button(app: Dominium, match: Match, seat: Seat, text: str, language: str) -> tuple[Press, ...]:
    """A way to the picture of half a move, where there is something to see."""
    if not tappable(text):
        return ()
    found = targets(match, seat, text)
    if isinstance(found, Rejected) or not found.marks:
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
