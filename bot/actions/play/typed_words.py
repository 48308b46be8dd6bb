"""Answer a word that asks for something in a match, and a former name of a command typed as text.

A word is answered by the thing itself, or by the button that does it: answers are public, so what changes the
match, or is for one person only, is behind the button. Custom ids of buttons never had the former names of
commands, so nothing else depends on them.
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
from games.engine.message import Msg, msg
from games.engine.normalization import folded
from matches.store.rows import MatchRow

_BUTTONS: Final = {"undo": "undo", "resign": "resign", "moves": "moves", "turn": "match_more"}
FORMER: Final = {
    "analyse": "replay analysis",
    "board": "ask board",
    "claim": "match claim",
    "continue": "match continue",
    "dice": "replay dice",
    "draw": "match draw",
    "fork": "replay fork",
    "hand": "ask hand",
    "hint": "ask hint",
    "look": "ask about",
    "maps": "learn maps",
    "moves": "ask moves",
    "odds": "ask odds",
    "operator": "server operator",
    "pause": "match pause",
    "plan": "match plan add",
    "plan show": "match plan show",
    "plan clear": "match plan clear",
    "plan only": "match plan only",
    "position": "replay position",
    "privacy": "settings privacy",
    "profile": "ranking profile",
    "public": "match share",
    "record": "replay record",
    "record archive": "matches archive",
    "record import": "matches import",
    "resign": "match resign",
    "resume": "match resume",
    "rules": "learn rules",
    "seat": "match seat give",
    "seat back": "match seat back",
    "seat computer": "match seat computer",
    "seat offer": "match seat offer",
    "status": "server operator",
    "story": "replay story",
    "top": "ranking top",
    "undo": "match undo",
    "vacation": "settings vacation take",
    "vacation automatic": "settings vacation automatic",
    "vacation end": "settings vacation end",
    "vacation show": "settings vacation show",
    "verify": "replay verify",
    "watch": "matches watch follow",
    "watch here": "matches watch here",
    "watch stop": "matches watch stop",
}
"""The former names, each with the one it has now. `/matches` and `/replay` became groups of the same name."""


async def answer_to_word(ctx: Context, row: MatchRow, word: Word, reader: Reader) -> Outgoing:
    """Return the answer to one who plays in a match that goes on."""
    if word == "help":
        return help_answer(reader)
    match = await ctx.service.queries.at(row.id, row.version)
    verb = _BUTTONS[word]
    button = CallButton.make(Call(verb, row.id, match.seq), reader.say(msg(f"bot.button.{verb}")))
    text = status_line(row, match, reader) if word == "turn" else reader.say(msg(f"bot.words.{word}"))
    return Outgoing(f"{text}\n-# `{row.id}`", (), (button,))


def renamed(text: str) -> Msg | None:
    """Return what to say about a text that is a former command, such as "/undo"; None for any other text."""
    first, *rest = folded(text).split() or [""]
    if not first.startswith("/"):
        return None
    name = first[1:]
    now = FORMER.get(" ".join((name, *rest[:1]))) or FORMER.get(name)
    return None if now is None else msg("bot.words.renamed", command=now)
