"""A person's plan in words, for that person alone: what is planned, and what became of it."""

from __future__ import annotations

import hashlib

import discord

from bot.messages.buttons import STYLE
from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICE
from bot.platform.reader_settings import Reader
from games.engine.message import msg
from matches.outbox.messages import PlanNews
from matches.plans.grammar import written
from matches.plans.planning import Planned
from matches.store.plans import Line
from matches.store.rows import MatchRow

_ANY_LINE = "any: …"
_SHOWN = 110
"""Maximum length of a line of a plan in a list, in characters."""


def plan_panel(planned: Planned, reader: Reader, note: str = "", example: str = "") -> Outgoing:
    """Return the plan with its buttons, below a note about what was just done.

    `example` is a line that could be planned, shown while there is none.
    """
    say, row, lines = reader.say, planned.row, planned.lines
    texts = [note] if note else []
    texts.append(say(msg("bot.plan.head" if lines else "bot.plan.none", match=row.id)))
    texts += [f"{number}. `{line_text(line)}`{_mark(line)}" for number, line in enumerate(lines, 1)]
    if any(map(_mark, lines)):
        texts.append(say(msg("bot.plan.later")))
    if reader.seat in planned.match.to_act:
        texts.append(say(msg("bot.plan.turn")))
    elif not lines:
        texts.append(say(msg("bot.plan.how", example=as_code(example, _SHOWN) or _ANY_LINE)))
    if planned.only_move:
        texts.append(say(msg("bot.plan.only")))
    texts.append("-# " + say(msg("bot.plan.speed")) + f" `{row.id}`")
    return Outgoing("\n".join(texts), (), _items(planned, reader))


def _items(planned: Planned, reader: Reader) -> tuple[CallButton | CallMenu, ...]:
    say, row, seq = reader.say, planned.row, planned.match.seq
    items: list[CallButton | CallMenu] = []
    if planned.lines:
        listed = [
            discord.SelectOption(label=line_text(line)[:MAX_CHOICE], value=line_key(line))
            for line in planned.lines
        ]
        items.append(CallMenu.make(Call("plan_drop", row.id, seq), listed, say(msg("bot.plan.menu"))))
    if reader.seat not in planned.match.to_act:
        add = say(msg("bot.button.plan_add"))
        items.append(CallButton.make(Call("plan_add", row.id, seq), add, STYLE.primary))
    if len(planned.lines) > 1:
        items.append(CallButton.make(Call("plan_clear", row.id, seq), say(msg("bot.button.plan_clear"))))
    switch = "off" if planned.only_move else "on"
    label = say(msg(f"bot.button.plan_only_{switch}"))
    items.append(CallButton.make(Call("plan_only", row.id, seq, switch), label))
    return tuple(items)


def line_text(line: Line) -> str:
    """Return a line as code for a list, shortened."""
    return as_code(written(line), _SHOWN)


def line_key(line: Line) -> str:
    """Return a short key of a line, the same for the same words."""
    return hashlib.sha256(written(line).encode()).hexdigest()[:16]


def _mark(line: Line) -> str:
    """Return the mark of a line whose last reply is judged when it is played."""
    return "" if line[-1].wire else " …"


def plan_news(row: MatchRow, news: PlanNews, reader: Reader) -> Outgoing:
    """Return the direct message about what became of a plan."""
    texts = {"move": news.move, "left": news.left}
    quoted = {key: as_code(text, 200) for key, text in texts.items() if text}
    place = "" if row.place.guild is None else f"<#{row.place.home}>"
    text = reader.say(msg(f"plan.news.{news.what}", match=row.id, place=place, **quoted))
    return Outgoing(text.strip(), silent=True)
