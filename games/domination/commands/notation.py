"""Orders as people type them: `place ukr 5`, `attack ala kam`, `blitz ala>kam>yak until 4`, `fort egy mea 6`.

What a text says is read in `grammar`, once. Here its first command is matched with what is possible; the
others are its script, and are matched in turn, on the position of then. Legality is asked of the judge alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from games.domination.commands import battle_commands, placement_commands, prompts
from games.domination.commands.clauses import Wrong
from games.domination.commands.command import ALL, NO_AMOUNT, Command
from games.domination.commands.grammar import ReadText, read
from games.domination.commands.implied_verbs import spelled
from games.domination.commands.prompts import Found, Moment, done, due, instructions, near, refuse
from games.domination.rules import actions, default_moves, judge, opening
from games.domination.rules.actions import CONTINUE, DONE, END, KEEP, STOP, Action
from games.domination.rules.position import UNKNOWN, Position, State, View
from games.domination.rules.turns import FRESH
from games.engine.game import CHANCE, Done, Rejected
from games.engine.message import Msg, msg
from games.engine.notation import too_long
from games.engine.script import Script

LONGEST: Final = 1000
"""Signs of a text that people type at most."""
_DUE: Final = frozenset((("place", "keep"), ("claim", "done"), ("move", "move")))
"""Words that are no talk in a phase that asks for them."""
_TURN: Final = frozenset(("attack", "more", "country", "fortify", "end"))
"""Orders that are due once armies are placed."""


def parse(view: View, seat: int, text: str) -> Found:
    """Read a text as orders of the seat. Never raises; `Done` only for what is legal now."""
    if seat == CHANCE:
        return _chance(view.position, text)
    moment = prompts.moment_of(view, seat, text)
    endless = too_long(text, LONGEST)
    said = ReadText((), None, talk=True) if endless else read(moment.atlas, text)
    if (why := not_now(moment)) is not None:
        return Rejected(why, (0, len(text)), chat=said.talk or said.bare)
    if said.wrong is not None:
        return _wrong(moment, said.wrong, text, said.talk)
    if not said.commands:
        blank = not any(sign.isalnum() for sign in text) and len(text) <= LONGEST
        if blank:
            return instructions(moment)
        return Rejected(msg("domination.refuse.unreadable"), (0, len(text)), near(moment), chat=True)
    commands = spelled(moment, said.commands)
    ends = next(
        (n for n, command in enumerate(commands) if command.verb in ("end", "fortify")), len(commands)
    )
    late = [command for command in commands[ends + 1 :] if command.verb != "end"]
    if late:
        return Rejected(msg("domination.refuse.after_end"), _span(late[0], text))
    for command in commands:
        if command.verb == "place" and len(command.codes) > 1 and NO_AMOUNT in command.amounts:
            return Rejected(
                msg("domination.refuse.amount"), _span(command, text), near(moment, command.codes[:2])
            )
    found = carried(moment, commands[: ends + 1])
    if isinstance(found, Rejected):
        due = (moment.position.phase, commands[0].verb) in _DUE
        return Rejected(found.why, found.span, found.near, chat=said.talk and not due)
    return found


def _span(command: Command, text: str) -> tuple[int, int]:
    return min(command.start, len(text)), min(command.end, len(text))


def resume(view: View, seat: int, script: Script) -> Found:
    """Match the next command of a script with what is possible now. Never raises."""
    moment = prompts.moment_of(view, seat, script.text)
    if (why := not_now(moment)) is not None:
        return Rejected(why, (script.orders[0].start, len(script.text)))
    return carried(moment, spelled(moment, [_unspelled(command) for command in script.orders]))


def _unspelled(command: Command) -> Command:
    """Return a command without what was taken for granted where it couldn't yet be known.

    A country alone, and countries with a number, mean what is due by then; a country that is to get armies,
    if it doesn't say how many, gets all that are left.
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
    """The order as a person would type it, which `parse` reads back; the log's line for chance."""
    return prompts.write(action)


def not_now(moment: Moment) -> Msg | None:
    """Why the seat has nothing to decide; None if it has."""
    if moment.seat in judge.to_act(moment.position):
        return None
    return moment.refuse(END)


def _chance(position: Position, text: str) -> Found:
    """A line of the log, if it may be what chance does, as far as everybody can know."""
    try:
        action = actions.decode(text.strip())
    except ValueError:
        action = None
    law = position.table.law
    deck = tuple(card for card in range(len(law.atlas.cards)) if card not in position.table.discard)
    held = [max(0, opening.pool(law, seat) - position.owner.count(seat)) for seat in range(law.seats)]
    own = tuple(UNKNOWN._replace(pool=pool) for pool in held)
    if action is None or judge.refuse(State(position, own, deck), CHANCE, action) is not None:
        return Rejected(msg("domination.refuse.chance"), (0, len(text)), chat=True)
    return Done(action)


def _wrong(moment: Moment, wrong: Wrong, text: str, talk: bool) -> Rejected:
    """What can't be read; with what may be meant in its place, where that makes a legal order."""
    start, end = (min(at, len(text)) for at in wrong.span)
    found: list[str] = []
    for code in wrong.meant:
        guess = f"{text[:start]}{code}{text[end:]}"
        if len(guess) > 60 or not guess.isprintable():
            break
        reread = read(moment.atlas, guess)
        if reread.wrong is None and reread.commands:
            said = carried(moment, spelled(moment, reread.commands))
            if isinstance(said, Done):
                found.append(prompts.write(said.action))
    return Rejected(wrong.why, (start, end), tuple(dict.fromkeys(found))[: prompts.NEAR], chat=talk)


# --- several orders -------------------------------------------------------------------------------------


def carried(moment: Moment, commands: Sequence[Command]) -> Found:
    """The first order, and what is left of the others; those that have nothing to do are passed over.

    Where cards are all that could be decided before an attack, to attack says that they are kept.
    """
    position = moment.position
    if position.phase == "place" and not position.pool and commands and commands[0].verb in _TURN:
        if (why := moment.refuse(KEEP)) is not None:
            return prompts.refused(moment, commands[0], why)
        later = View(position._replace(phase="attack", step=FRESH), moment.view.own)
        said = carried(prompts.moment_of(later, moment.seat, moment.text), commands)
        return (
            Done(KEEP, prompts.script_of(moment, commands), commands[0].start)
            if isinstance(said, Done)
            else said
        )
    return _first(moment, commands)


def _first(moment: Moment, commands: Sequence[Command]) -> Found:
    for n, command in enumerate(commands):
        said: Found | Command | None = command
        while isinstance(said, Command):
            said = _VERBS[said.verb](moment, said, commands[n + 1 :])
        if said is not None:
            return said
    return instructions(moment)


# --- orders of one word ---------------------------------------------------------------------------------


def _plain(action: Action, *phases: str) -> Callable[[Moment, Command, Sequence[Command]], Found]:
    """An order of one word; nothing follows the end of a turn."""

    def carry(moment: Moment, command: Command, rest: Sequence[Command]) -> Found:
        return due(moment, command, *phases) or done(moment, command, action, () if action == END else rest)

    return carry


def _auto(moment: Moment, command: Command, rest: Sequence[Command]) -> Found:
    """What is done for who is silent; after cards that had to be traded in, the armies too."""
    own = moment.own if moment.view.own is not None else UNKNOWN
    action = default_moves.default(View(moment.position, own), moment.seat)
    if action is None:
        return refuse(moment, command, "auto")
    return done(moment, command, action, [command, *rest] if action.kind == "trade" else rest)


_VERBS: Final[dict[str, Callable[[Moment, Command, Sequence[Command]], Found | Command | None]]] = {
    "place": placement_commands.place,
    "claim": placement_commands.claim,
    "queue": placement_commands.claim,
    "capital": placement_commands.capital,
    "trade": placement_commands.trade,
    "keep": placement_commands.keep,
    "attack": battle_commands.attack,
    "more": battle_commands.more,
    "guard": battle_commands.guard,
    "country": battle_commands.country,
    "number": battle_commands.strange_number,
    "move": battle_commands.move,
    "fortify": battle_commands.fortify,
    "auto": _auto,
    "end": _plain(END, "attack"),
    "done": _plain(DONE, "claim"),
    "continue": _plain(CONTINUE, "vote"),
    "stop": _plain(STOP, "vote"),
}
