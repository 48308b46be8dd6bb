"""Parse typed orders: `place ukr 5`, `attack ala kam`, `blitz ala>kam>yak until 4`, `fort egy mea 6`.

`grammar` reads the text once. Here its first command is matched with what is possible now; the others form
the script, and are matched in turn with the position reached by then. Only the judge decides what is legal.

What depends on dice or cards is judged when its time comes, and its author is answered then. What depends on
nothing is judged before any order is played: armies that move in although no attack comes before, or that
are placed when none can be left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.domination.commands import prompts
from games.domination.commands.clauses import UnreadableError
from games.domination.commands.command import ALL, NO_AMOUNT, Command
from games.domination.commands.grammar import ReadText, read_orders
from games.domination.commands.handlers import VERBS
from games.domination.commands.implied_verbs import with_verbs
from games.domination.commands.prompts import OrderContext, Parsed
from games.domination.commands.tokens import MAX_TEXT_LENGTH
from games.domination.rules import actions, judge, opening
from games.domination.rules.actions import END, KEEP, Action
from games.domination.rules.position import UNKNOWN, Position, State, View
from games.domination.rules.turns import FRESH
from games.engine.game import CHANCE, Done, Partial, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import MAX_QUOTED, Span, too_long
from games.engine.values import Script

_NEED_COUNTRIES: Final = ("place", "claim", "queue", "capital", "attack", "fortify")
"""Orders that name a country; the first of a text may ask for it."""


def impossible(commands: Sequence[Command], text: str) -> Rejected | None:
    """Return the refusal of the first order that can't mean anything after those before it, else None."""
    spent = fought = False
    placed: set[str] = set()
    for n, command in enumerate(commands):
        span = span_of(command, text)
        why = _alone(command, text[slice(*span)]) if n else None
        if command.verb == "place":
            counted = _countries(command, counted=True)
            if fought:
                why = msg("domination.refuse.placed_late")
            elif spent or _countries(command, counted=False) & (placed | counted):
                why = msg("domination.refuse.amount")
            placed |= counted
            spent = ALL in command.amounts or (n > 0 and NO_AMOUNT in command.amounts)
        if why is not None:
            return Rejected(why, span)
        spent = spent and command.verb != "trade"
        fought = command.verb in ("attack", "more") or (fought and command.verb not in ("trade", "auto"))
    return None


def span_of(command: Command, text: str) -> Span:
    """Return where a command begins and ends in the text."""
    return min(command.start, len(text)), min(command.end, len(text))


def _alone(command: Command, text: str) -> Msg | None:
    """Return why an order can't follow another one: it belongs to no attack, or is only half an order."""
    if command.verb == "move" and command.share is not None:
        return msg("domination.refuse.belongs", part=text.strip()[:MAX_QUOTED])
    half = command.verb in _NEED_COUNTRIES and not command.codes and command.share is None
    half = half or (command.verb == "country" and bool(command.stops or command.share))
    return msg("domination.refuse.half") if half else None


def _countries(command: Command, *, counted: bool) -> set[str]:
    """Return the countries of a placement that get a number of armies, or those that get the rest."""
    rows = zip(command.codes, command.amounts, strict=False)
    return {code for code, armies in rows if (armies > 0) is counted}


_DUE: Final = frozenset((("place", "keep"), ("claim", "done"), ("move", "move")))
"""Phases and everyday words that answer their question, and so aren't chat there."""
_TURN: Final = frozenset(("attack", "more", "country", "fortify", "end"))
"""Orders that are due once armies are placed."""


def parse(view: View, seat: int, text: str) -> Parsed:
    """Read a text as orders of the seat. Never raises; `Done` only for what is legal now."""
    if seat == CHANCE:
        return _parse_chance(view.position, text)
    context = prompts.context_of(view, seat, text)
    endless = too_long(text, MAX_TEXT_LENGTH)
    result = ReadText((), None, chat=True) if endless else read_orders(context.atlas, text)
    if (why := not_now(context)) is not None:
        return Rejected(why, (0, len(text)), chat=result.chat or result.verbs_only)
    if result.problem is not None:
        return _unreadable(context, result.problem, text, result.chat)
    if not result.commands:
        blank = not any(char.isalnum() for char in text) and len(text) <= MAX_TEXT_LENGTH
        if blank:
            return context.instructions()
        return Rejected(
            msg("domination.refuse.unreadable"), (0, len(text)), context.similar_texts(), chat=True
        )
    commands = with_verbs(context, result.commands)
    ends = next(
        (n for n, command in enumerate(commands) if command.verb in ("end", "fortify")), len(commands)
    )
    if (stray := impossible(commands, text)) is not None:
        return replace(stray, chat=result.chat)
    late = [command for command in commands[ends + 1 :] if command.verb != "end"]
    if late:
        return Rejected(msg("domination.refuse.after_end"), span_of(late[0], text))
    for command in commands:
        if command.verb == "place" and len(command.codes) > 1 and NO_AMOUNT in command.amounts:
            return Rejected(
                msg("domination.refuse.amount"),
                span_of(command, text),
                context.similar_texts(command.codes[:2]),
            )
    found = next_action(context, commands[: ends + 1])
    if isinstance(found, Rejected):
        due = (context.position.phase, commands[0].verb) in _DUE
        return Rejected(found.why, found.span, found.near, chat=result.chat and not due)
    return replace(found, spans=result.spans) if isinstance(found, Done) else found


def resume(view: View, seat: int, script: Script) -> Parsed:
    """Match the next command of a script with what is possible now. Never raises."""
    context = prompts.context_of(view, seat, script.text)
    if (why := not_now(context)) is not None:
        return Rejected(why, (script.orders[0].start, len(script.text)))
    return next_action(
        context, with_verbs(context, [_without_implied_verb(command) for command in script.orders])
    )


def _without_implied_verb(command: Command) -> Command:
    """Return a command without what was assumed while the later position was unknown.

    A country alone, or countries with a number, mean what is due by then; a country that gets armies without
    a number gets all that are left.
    """
    match command.verb:
        case "country":
            return command._replace(verb="")
        case "number":
            none = (NO_AMOUNT,) * (len(command.codes) - 1)
            return command._replace(verb="", amounts=(*none, *command.amounts[-1:]))
        case "place" if command.amounts[-1:] == (NO_AMOUNT,):
            return command._replace(amounts=(*command.amounts[:-1], ALL))
        case _:
            return command


def write(view: View, action: Action) -> str:
    """Return the order as a person would type it, which `parse` reads back; for chance, the log's line."""
    return prompts.write(action)


def not_now(context: OrderContext) -> Msg | None:
    """Return why the seat has nothing to decide; None if it has."""
    if context.seat in judge.to_act(context.position):
        return None
    return context.refuse(END)


def _parse_chance(position: Position, text: str) -> Parsed:
    """Read a line of the log that chance may add, judged by what is public."""
    try:
        action = actions.decode(text.strip())
    except ValueError:
        action = None
    law = position.info.law
    deck = tuple(card for card in range(len(law.atlas.cards)) if card not in position.info.discard)
    held = [max(0, opening.start_pool(law, seat) - position.owner.count(seat)) for seat in range(law.seats)]
    own = tuple(UNKNOWN._replace(pool=pool) for pool in held)
    if action is None or judge.refuse(State(position, own, deck), CHANCE, action) is not None:
        return Rejected(msg("domination.refuse.chance"), (0, len(text)), chat=True)
    return Done(action)


def _unreadable(context: OrderContext, problem: UnreadableError, text: str, chat: bool) -> Rejected:
    """Return a refusal of a text that can't be read, with the legal orders that may have been meant."""
    start, end = (min(at, len(text)) for at in problem.span)
    found: list[str] = []
    for guess in (*(f"{text[:start]}{code}{text[end:]}" for code in problem.meant), *problem.instead):
        if len(guess) > 60 or not guess.isprintable():
            break
        reread = read_orders(context.atlas, guess)
        if reread.problem is None and reread.commands:
            result = next_action(context, with_verbs(context, reread.commands))
            if isinstance(result, Done):
                found.append(prompts.write(result.action))
    return Rejected(problem.why, (start, end), tuple(dict.fromkeys(found))[: prompts.MAX_SIMILAR], chat=chat)


# --- several orders -------------------------------------------------------------------------------------


def next_action(context: OrderContext, commands: Sequence[Command]) -> Parsed:
    """Return the first order as an action, and the others as its script; skip orders that have nothing to do.

    If only a trade of cards could still precede an attack, attacking means that the cards are kept.
    """
    position = context.position
    if position.phase == "place" and not position.pool and commands and commands[0].verb in _TURN:
        if (why := context.refuse(KEEP)) is not None:
            return context.reject(commands[0], why)
        later = View(position._replace(phase="attack", step=FRESH), context.view.own)
        result = next_action(prompts.context_of(later, context.seat, context.text), commands)
        return (
            Done(KEEP, context.script_of(commands), commands[0].start) if isinstance(result, Done) else result
        )
    return _first(context, commands)


def _first(context: OrderContext, commands: Sequence[Command]) -> Parsed:
    """Return the first command that leads to a result; instructions if none does."""
    for n, command in enumerate(commands):
        implied = command.verb in ("guard", "more")
        result: Parsed | Command | None = command
        while isinstance(result, Command):
            handler, phases = VERBS[result.verb]
            if phases and context.position.phase not in phases:
                return context.reject_for(result, f"due.{context.position.phase}")
            result = handler(context, result, commands[n + 1 :])
        if isinstance(result, Partial) and not implied:
            return replace(result, start=command.start)
        if result is not None:
            return result
    return context.instructions()
