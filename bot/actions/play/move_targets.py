"""Show where the moves of one piece lead: a private picture of the current position with targets marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bot.actions.play.move_answers import choices_text, refusal_text
from bot.context import Context
from bot.messages.components import Call, CallButton, Component, fits_in_button
from bot.messages.match import status_line
from bot.messages.names import seat_names
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import scene_for, with_text_board
from bot.platform.reader_settings import Reader
from games.engine.game import AnyGame, Done, Partial, Rejected, Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from games.engine.notation import MAX_LENGTH
from games.engine.scene import Mark
from matches.play import typed_text
from matches.results import Refused
from matches.store.rows import MatchRow

_MAX_PARSED = 400
"""Maximum number of texts parsed for one question."""
_MAX_LISTED = 60
"""Maximum number of moves listed in words."""


class Targets(NamedTuple):
    """The moves that complete a text, as texts and as marks on the board, and the game's prompt.

    `half` is the text as the game reads it, if it needs more.
    """

    texts: tuple[str, ...]
    marks: tuple[Mark, ...]
    prompt: Msg
    half: Partial | None


def find_targets(match: Match, seat: Seat, text: str) -> Targets | Rejected:
    """Return the moves that complete a text, or why there are none."""
    game: AnyGame = match.game
    view = game.view(match.state, seat)
    read = game.parse(view, seat, text)
    if isinstance(read, Rejected):
        return read
    found: dict[str, None] = {}
    marks: dict[Mark, None] = {}
    waiting = [text, *read.choices] if isinstance(read, Partial) else [text]
    for each in waiting[:_MAX_PARSED]:
        done = game.parse(view, seat, each)
        if isinstance(done, Done):
            found[game.format(view, done.action)] = None
            marks.update(dict.fromkeys(game.action_marks(view, done.action)))
        elif isinstance(done, Partial) and each != text:
            found[each] = None
    half = read if isinstance(read, Partial) else None
    prompt = msg("bot.moves.count", n=len(found)) if half is None else half.prompt
    return Targets(tuple(found), tuple(marks), prompt, half)


async def targets_message(
    ctx: Context,
    row: MatchRow,
    reader: Reader,
    typed: str,
    choices: Callable[[Match, Partial], Sequence[Component]] | None = None,
) -> Outgoing:
    """Return the moves of a piece as a picture from the reader's side and as text, or why there are none.

    `choices` returns buttons for what may follow.
    """
    match = await ctx.service.queries.at(row.id, row.version)
    found = await _targets_for(ctx, row, match, reader, typed)
    if isinstance(found, str):
        return Outgoing(f"{found}\n-# `{row.id}`")
    listed = f"{_targets_list(ctx, row, found, reader)}\n-# `{row.id}`"
    scene = scene_for(match, reader.seat, marks=found.marks)
    items = () if choices is None or found.half is None else tuple(choices(match, found.half))
    if reader.text:
        return Outgoing(*with_text_board(scene, reader, listed), items)
    picture = await ctx.presenter.pictures.file(scene, reader, f"{row.id}-moves.png")
    return Outgoing(listed, (picture,), items)


async def targets_text(ctx: Context, row: MatchRow, reader: Reader, typed: str) -> str:
    """Return the moves of a piece as text only."""
    match = await ctx.service.queries.at(row.id, row.version)
    found = await _targets_for(ctx, row, match, reader, typed)
    return found if isinstance(found, str) else _targets_list(ctx, row, found, reader)


async def _targets_for(
    ctx: Context, row: MatchRow, match: Match, reader: Reader, typed: str
) -> Targets | str:
    """Return the moves of a piece; a sentence if there are none, or none that this reader can make."""
    say, seat = reader.say, reader.seat
    text, _ = typed_text.strip_markup(typed)
    if seat is None:
        return say(msg("bot.move.not_yours", match=row.id))
    if seat not in match.to_act:
        return status_line(row, match, reader)
    if len(text) > MAX_LENGTH:
        return say(msg("match.refuse.long", limit=MAX_LENGTH))
    found = find_targets(match, seat, text)
    if isinstance(found, Rejected):
        return await refusal_text(ctx, Refused(found.why, found.near), reader, row)
    return found


def _targets_list(ctx: Context, row: MatchRow, found: Targets, reader: Reader) -> str:
    names = seat_names(row, reader)
    return reader.say(found.prompt, names) + choices_text(found.texts, _MAX_LISTED)


def targets_button(match: Match, seat: Seat, text: str, reader: Reader) -> tuple[CallButton, ...]:
    """Return a button that shows the targets of a partial move; nothing if it has none."""
    if not fits_in_button(text):
        return ()
    found = find_targets(match, seat, text)
    if isinstance(found, Rejected) or not found.marks:
        return ()
    label = reader.say(msg("bot.button.targets"))
    return (CallButton.make(Call("targets", match.id, match.seq, text), label, row=4),)
