"""Answer a word that asks for something in a match: by the thing itself, or by the button that does it.

Answers are public, so that what changes the match, or is for one person only, is behind the button.
"""

from __future__ import annotations

from typing import Final

from bot.actions.help_panel import help_answer
from bot.actions.play.typed_message import Word
from bot.context import Context
from bot.messages.components import Call, CallButton
from bot.messages.match import status_line
from bot.messages.outgoing import Outgoing
from bot.platform.readers import Reader
from games.engine.message import msg
from matches.store.rows import MatchRow

_BUTTONS: Final = {"undo": "undo", "resign": "resign", "moves": "moves", "turn": "match_more"}


async def answer_to_word(ctx: Context, row: MatchRow, word: Word, reader: Reader) -> Outgoing:
    """Return the answer to one who plays in a match that goes on."""
    if word == "help":
        return help_answer(reader)
    match = await ctx.service.queries.at(row.id, row.version)
    verb = _BUTTONS[word]
    button = CallButton.make(Call(verb, row.id, match.seq), reader.say(msg(f"bot.button.{verb}")))
    text = status_line(row, match, reader) if word == "turn" else reader.say(msg(f"bot.words.{word}"))
    return Outgoing(f"{text}\n-# `{row.id}`", (), (button,))
