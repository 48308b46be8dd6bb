"""Answer the author of a move: why it is refused, what may follow, what it would do, what is left undone.

An answer that reveals more than spectators may know must be given in private; see `reveals_hidden`.
"""

from __future__ import annotations

from dataclasses import replace

from bot.context import Context
from bot.messages.buttons import PER_ROW, STYLE
from bot.messages.components import Call, CallButton, fits_in_button
from bot.messages.match import what_happened
from bot.messages.names import as_code, seat_names
from bot.messages.outgoing import Outgoing
from bot.messages.scenes import scene_for, with_text_board
from bot.outbound.channels import board_link
from bot.platform.reader_settings import Reader
from games.engine.game import Done, Seat
from games.engine.match import Match
from games.engine.message import msg
from games.engine.orders import Undone
from matches.play import typed_text
from matches.results import Asked, Refused, Tried, Warned
from matches.store.rows import MatchRow

MAX_CHOICES = 12
"""Maximum number of choices listed in an answer."""
_MAX_BUTTON_TEXT = 60
"""Maximum length of a text in a button's id, beside match and entry, in characters."""


async def refusal_text(ctx: Context, refused: Refused, reader: Reader, row: MatchRow | None) -> str:
    """Return the reason for a refusal, the nearest legal moves, and a link to the board if it is stale."""
    names = None if row is None else seat_names(row, reader)
    text = reader.say(refused.why, names) + _near(refused.near, reader)
    if refused.stale and row is not None:
        text += f" {await board_link(ctx, row)}"
    return text


async def refusal_message(ctx: Context, refused: Refused, reader: Reader, row: MatchRow) -> Outgoing:
    """Return a refusal of a move, with a button for each of the nearest legal moves."""
    text = await refusal_text(ctx, refused, reader, row)
    near = () if refused.stale else tuple(filter(fits_in_button, refused.near))
    calls = [Call("pick", row.id, row.version, move) for move in near[:PER_ROW]]
    return Outgoing(text, (), tuple(CallButton.make(call, call.arg) for call in calls))


def _near(texts: tuple[str, ...], reader: Reader) -> str:
    if not texts:
        return ""
    near = tuple(f"`{move}`" for move in texts)
    return " " + reader.say(msg("bot.move.near", n=len(near), moves=near))


def choices_text(texts: tuple[str, ...], most: int = MAX_CHOICES) -> str:
    """Return the first `most` choices as code, on a new line, and the number of others."""
    if not texts:
        return ""
    shown = " ".join(f"`{text}`" for text in texts[:most])
    more = len(texts) - most
    return f"\n{shown}" + (f" +{more}" if more > 0 else "")


async def attempt_message(
    ctx: Context, row: MatchRow, result: Tried, reader: Reader, *, in_public: bool = False
) -> Outgoing:
    """Return what a move would do, with a picture and the game's warning; nothing has been played.

    In public it also explains how to try in private, and has a button for that.
    """
    names = seat_names(row, reader)
    head = reader.say(msg("bot.move.tried", move=as_code(result.text, 100)))
    notes = [] if result.caution is None else [reader.say(result.caution, names)]
    items: tuple[CallButton, ...] = ()
    if in_public:
        notes.append("-# " + reader.say(msg("bot.move.try_alone", move=as_code(f"?{result.text}", 100))))
        items = (CallButton.make(Call("try", row.id, row.version), reader.say(msg("bot.button.try"))),)
    if result.forecast:
        foreseen = (f"- {reader.say(each, names)}" for each in result.forecast)
        return Outgoing("\n".join((head, *foreseen, *notes)), (), items)
    happened = what_happened(row, result.match, result.facts, reader)
    scene = scene_for(result.match, reader.seat, result.facts)
    scene = replace(scene, watermark=msg("bot.move.only_tried"))
    text = "\n".join((f"{head} {happened}", *notes))
    if reader.text:
        return Outgoing(*with_text_board(scene, reader, text), items)
    return Outgoing(text, (await ctx.presenter.pictures.file(scene, reader, f"{row.id}-try.png"),), items)


def warning_message(row: MatchRow, result: Warned, reader: Reader) -> Outgoing:
    """Return the game's warning against a move, with a button that plays it anyway."""
    names = seat_names(row, reader)
    why = reader.say(result.why, names)
    text = " ".join(result.text.split())
    ask = reader.say(msg("bot.move.warned", move=as_code(text, 100)))
    items: tuple[CallButton, ...] = ()
    if len(text) <= _MAX_BUTTON_TEXT and ":" not in text:
        label = reader.say(msg("bot.button.sure"))
        items = (CallButton.make(Call("sure", row.id, result.version, text), label, STYLE.danger),)
    return Outgoing(f"{why} {ask}\n-# `{row.id}`", (), items)


def undone_text(row: MatchRow, left: Undone, reader: Reader) -> str:
    """Return which orders of a text weren't carried out, and why."""
    names = seat_names(row, reader)
    why = reader.say(left.why, names)
    head = reader.say(msg("bot.move.undone", what=as_code(left.text, 60)))
    return f"{head} {why}{_near(left.near, reader)}"


def reveals_hidden(
    match: Match, seat: Seat, text: str, answer: Asked | Refused | Warned | Tried | Undone
) -> bool:
    """Return whether an answer reveals more than spectators may know.

    It does if the text is read or warned about differently on the spectators' view than on the seat's.
    """
    game = match.game
    if not game.hidden:
        return False
    bare, _ = typed_text.strip_markup(text)
    mine, theirs = game.view(match.state, seat), game.view(match.state, None)
    read, seen = game.parse(mine, seat, bare), game.parse(theirs, seat, bare)
    if isinstance(answer, Refused) and (answer.stale or seat not in match.to_act):
        return False  # such answers only depend on whose turn it is
    if read != seen:
        return True
    if not isinstance(read, Done) or isinstance(answer, Asked | Refused):
        return False
    return game.caution(mine, seat, read.action) != game.caution(theirs, seat, read.action)
